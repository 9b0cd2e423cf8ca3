//! Which figures were published for precise lazy initialization, and which were measured with its authors' tool?
//!
//! "Precise Lazy Initialization for Programs with Complex Heap Inputs", ASE 2023. Its path counts are plotted only; the ones here were read
//! off runs of the authors' tool, or follow from the structures. That tool decides before a call whether a parameter of a reference
//! type is null, which doubles the paths of `put`; its counts are halved here.

/// Calls of a method that end, normally or with an exception, under a technique of the paper, by scope.
pub(super) struct Paths {
    pub target: &'static str,
    pub technique: &'static str,
    pub at: fn(u64) -> Option<u64>,
}

pub(super) const PATHS: &[Paths] = &[
    Paths { target: "pli.LinkedList.add", technique: "driver", at: |n| Some(n + 1) },
    Paths { target: "pli.LinkedList.add", technique: "ifpre", at: Some },
    Paths { target: "pli.LinkedList.add", technique: "lihybrid", at: |n| (n >= 2).then_some(3) },
    Paths { target: "pli.LinkedList.add", technique: "lissa", at: |n| (n >= 2).then_some(2) },
    Paths { target: "pli.LinkedList.remove", technique: "driver", at: |n| Some((n + 1) * (n + 2) / 2) },
    Paths { target: "pli.LinkedList.remove", technique: "ifpre", at: |n| Some(n * (n + 1) / 2) },
    Paths { target: "pli.LinkedList.remove", technique: "lihybrid", at: removals_under_hybrid },
    Paths { target: "pli.LinkedList.remove", technique: "lissa", at: |n| (n >= 2).then(|| 3 * (n - 1)) },
    Paths { target: "pli.TreeMap.put", technique: "pli", at: |n| from(1, &[4, 10, 18, 30, 46, 70], n) },
    Paths { target: "pli.TreeMap.put", technique: "ifpre", at: |n| from(3, &[28, 64, 152], n) },
    Paths { target: "pli.TreeMap.remove", technique: "pli", at: |n| from(1, &[4, 12, 17], n) },
];

/// CPU seconds of the authors' tool under its best setting, warm, with one thread, on the kind of machine that bench/ describes: target,
/// scope, seconds.
pub(super) const SECONDS: &[(&str, usize, f64)] = &[
    ("pli.TreeMap.put", 6, 3.0),
    ("pli.TreeMap.remove", 8, 6.3),
    ("pli.AvlTree.insert", 6, 2.0),
    ("pli.LinkedList.remove", 25, 0.4),
    ("pli.BinomialHeap.extractMin", 10, 6.6),
    ("pli.HashMap.put", 2, 5.4),
    ("pli.Schedule.finishAllProcesses", 5, 4.1),
    ("pli.SQLFilterClauses.get", 1, 1.8),
];

/// The solver calls that reuse saves, in percent: Table I of the paper.
pub(super) const CALLS_SAVED: &[(&str, u64)] = &[
    ("pli.AvlTree", 25),
    ("pli.BinomialHeap", 11),
    ("pli.CombatantStatistic", 45),
    ("pli.DictionaryInfo", 18),
    ("pli.HashMap", 46),
    ("pli.LinkedList", 14),
    ("pli.Schedule", 22),
    ("pli.SQLFilterClauses", 66),
    ("pli.Template", 55),
    ("pli.TransportStats", 20),
    ("pli.TreeMap", 18),
    ("pli.TreeSet", 18),
];

fn removals_under_hybrid(scope: u64) -> Option<u64> {
    let known = [(2, 4), (3, 23), (5, 109), (10, 624)];
    known.iter().find(|(at, _)| *at == scope).map(|(_, paths)| *paths)
}

/// The count at a scope of a list that begins at the first one.
fn from(first: u64, counts: &[u64], scope: u64) -> Option<u64> {
    counts.get(scope.checked_sub(first)? as usize).copied()
}
