//! Which figures were published for Kiasan?
//!
//! "Bogor/Kiasan: A k-bounded Symbolic Execution for Checking Strong Heap Properties of Open Systems", ASE 2006, Table 1. B-Post and A-Post
//! are the same in every cell. Cells beyond the table (heap, sort and merge at k = 5) follow from the formulas that section 5 gives, and from
//! counting; those that took longer than ten minutes have no figures.

/// The figures of one cell.
#[derive(Clone, Copy)]
pub(super) struct PublishedStates {
    /// States at the method's entry.
    pub pre: u64,
    /// States before and after the postcondition.
    pub post: u64,
    /// States executed, as the table prints them; none beyond the table.
    pub states: Option<&'static str>,
    /// Minutes, seconds and tenths, as the table prints them; none beyond the table.
    pub time: Option<&'static str>,
}

/// The cells of a method, for k = 1, 2 and so on; none where the paper gave up.
pub(super) struct StatesRow {
    pub target: &'static str,
    pub cells: [Option<PublishedStates>; 5],
}

const fn cell(pre: u64, post: u64, states: &'static str, time: &'static str) -> Option<PublishedStates> {
    Some(PublishedStates { pre, post, states: Some(states), time: Some(time) })
}

/// A cell whose counts follow from a formula.
const fn counted(pre: u64, post: u64) -> Option<PublishedStates> {
    Some(PublishedStates { pre, post, states: None, time: None })
}

/// Table 1: the left half, and then the right one.
#[rustfmt::skip]
pub(super) const TABLE_1: &[StatesRow] = &[
    StatesRow { target: "kiasan.BinaryHeap.deleteMin", cells: [cell(1, 1, "181", "0:00.6"), cell(2, 2, "332", "0:01.0"), cell(3, 4, "628", "0:02.3"), cell(4, 7, "1.1k", "0:05.0"), None] },
    StatesRow { target: "kiasan.ComparableHeap.deleteMin", cells: [cell(1, 1, "218", "0:00.7"), cell(2, 2, "418", "0:01.4"), cell(3, 4, "819", "0:04.3"), cell(4, 7, "1.5k", "0:14.5"), None] },
    StatesRow { target: "kiasan.InsertionSort.sort", cells: [cell(1, 1, "86", "0:00.4"), cell(1, 3, "214", "0:00.7"), cell(1, 9, "760", "0:02.1"), cell(1, 33, "3.4k", "0:10.8"), counted(1, 153)] },
    StatesRow { target: "kiasan.ComparableSort.sort", cells: [cell(2, 2, "179", "0:00.6"), cell(3, 4, "376", "0:01.3"), cell(4, 10, "1.1k", "0:06.4"), cell(5, 34, "4.4k", "1:15.1"), counted(6, 154)] },
    StatesRow { target: "kiasan.MergeList.merge", cells: [cell(1, 1, "667", "0:00.6"), cell(4, 5, "3.3k", "0:01.0"), cell(9, 19, "16.1k", "0:02.6"), cell(16, 69, "78.5k", "0:11.2"), counted(25, 251)] },
    StatesRow { target: "kiasan.ComparatorMerge.merge", cells: [cell(1, 1, "904", "0:01.1"), cell(4, 5, "4.0k", "0:01.1"), cell(9, 19, "18.7k", "0:06.2"), cell(16, 69, "89.5k", "1:06.6"), counted(25, 251)] },
    StatesRow { target: "kiasan.SearchTree.insert", cells: [cell(2, 4, "1.6k", "0:00.8"), cell(5, 21, "12.6k", "0:02.7"), cell(26, 236, "233k", "0:55.8"), None, None] },
    StatesRow { target: "kiasan.ComparatorTree.insert", cells: [cell(2, 4, "2k", "0:00.9"), cell(5, 21, "15.3k", "0:03.1"), cell(26, 236, "285k", "1:09.7"), None, None] },
    StatesRow { target: "kiasan.RedBlackTree.remove", cells: [cell(2, 5, "1.4k", "0:00.9"), cell(6, 43, "34.7k", "0:07.3"), cell(31, 579, "1M", "5:25.9"), None, None] },
    StatesRow { target: "kiasan.ComparatorRedBlackTree.remove", cells: [cell(2, 5, "1.9k", "0:00.9"), cell(6, 43, "40k", "0:08.3"), cell(31, 579, "1.3M", "6:01.5"), None, None] },
];
