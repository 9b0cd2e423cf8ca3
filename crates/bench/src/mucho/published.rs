//! Which figures did the paper publish? Table 1 of MUCHO-TACO (ISSTA 2013): pieces for 2 to 6 nodes at scope 20.

/// The scope of the table.
pub(super) const SCOPE: usize = 20;

/// The numbers of nodes in the columns.
pub(super) const NODES: std::ops::RangeInclusive<usize> = 2..=6;

/// The rows of a class, in the order of `REDUCTIONS`.
pub(super) struct PublishedPieces {
    pub(super) class: &'static str,
    pub(super) pieces: [[u64; 5]; 4],
}

/// The rows: no optimisation, and one more in each.
pub(super) const REDUCTIONS: [(&str, &str); 4] =
    [("NO", "none"), ("OP1", "symmetry"), ("OP2", "aliasing"), ("OP3", "invariant")];

pub(super) const TABLE_1: [PublishedPieces; 5] = [
    PublishedPieces {
        class: "taco.SLList",
        pieces: [[4, 8, 16, 32, 64], [3, 4, 5, 6, 7], [3, 4, 5, 6, 7], [3, 4, 5, 6, 7]],
    },
    PublishedPieces {
        class: "taco.BSTree",
        pieces: [
            [72, 1_440, 43_200, 1_814_400, 101_606_400],
            [26, 166, 1_258, 10_846, 103_684],
            [13, 43, 148, 526, 1_912],
            [13, 43, 148, 526, 1_912],
        ],
    },
    PublishedPieces {
        class: "taco.TreeSet",
        pieces: [
            [36, 720, 14_400, 604_800, 33_868_800],
            // The text has 36,136 for the last one, a misprint.
            [9, 56, 250, 3_028, 36_163],
            [7, 19, 52, 184, 694],
            [7, 19, 34, 100, 172],
        ],
    },
    PublishedPieces {
        class: "taco.AVLTree",
        pieces: [
            [36, 720, 8_640, 259_200, 14_515_200],
            [9, 56, 105, 716, 11_670],
            [7, 19, 34, 94, 334],
            [7, 19, 28, 70, 142],
        ],
    },
    PublishedPieces {
        class: "taco.BinHeap",
        pieces: [
            [72, 648, 10_368, 259_200, 6_480_000],
            [26, 108, 600, 4_204, 17_030],
            [13, 36, 111, 370, 1_034],
            [7, 11, 13, 15, 17],
        ],
    },
];
