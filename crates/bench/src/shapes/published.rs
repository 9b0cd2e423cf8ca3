//! How many structures does Korat find, and in which time?
//!
//! Measured with Korat's own examples on the kind of machine that bench/ describes, one thread, CPU seconds with 0.4 s to start the JVM. Its red-black
//! trees may have a red root, ours may not, so that it has more of them.

/// A run of Korat.
pub(super) struct Korat {
    pub family: &'static str,
    pub scope: usize,
    pub candidates: u64,
    pub structures: u64,
    pub seconds: f64,
}

pub(super) const KORAT: &[Korat] = &[
    Korat { family: "binary trees", scope: 13, candidates: 47_800_000, structures: 742_900, seconds: 28.0 },
    Korat { family: "search trees", scope: 9, candidates: 20_100_000, structures: 4_862, seconds: 10.0 },
    Korat { family: "red-black trees", scope: 11, candidates: 39_100_000, structures: 586, seconds: 35.0 },
    Korat { family: "sorted lists", scope: 13, candidates: 67_600_000, structures: 5_200_300, seconds: 47.0 },
    Korat { family: "binomial heaps", scope: 9, candidates: 11_800_000, structures: 8_750_000, seconds: 12.0 },
];
