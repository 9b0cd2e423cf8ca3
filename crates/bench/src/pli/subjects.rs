//! Which programs are the techniques compared on, how large do their inputs become, and how are these made?

/// A class of the paper, or one that resembles them.
pub(super) struct PliSubject {
    pub class: &'static str,
    pub methods: &'static [&'static str],
    pub scopes: &'static [usize],
    /// Classes of which a valid object has a fixed number, with that number; the scope is for all others.
    pub fixed: &'static str,
    /// The methods that make any valid object, one call after the other.
    pub builders: &'static [&'static str],
    /// Is the invariant made of two methods, about structure and about data?
    pub is_split: bool,
    /// Is the method alone of no interest, but only what it leaves behind?
    pub checks_result: bool,
}

/// The options that most of them have in common.
const SUBJECT: PliSubject = PliSubject {
    class: "",
    methods: &[],
    scopes: &[1, 2, 3, 4, 5, 6, 7, 8],
    fixed: "",
    builders: &[],
    is_split: true,
    checks_result: false,
};

pub(super) const SUBJECTS: &[PliSubject] = &[
    PliSubject {
        class: "pli.LinkedList",
        methods: &["add", "contains", "remove", "removeFirst"],
        scopes: &[1, 2, 3, 4, 5, 10, 15, 25, 50, 100, 200],
        builders: &["add"],
        ..SUBJECT
    },
    PliSubject {
        class: "pli.TreeMap",
        methods: &["containsKey", "put", "remove"],
        scopes: &[1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16],
        builders: &["put"],
        ..SUBJECT
    },
    PliSubject {
        class: "pli.TreeSet",
        methods: &["add", "contains", "remove"],
        scopes: &[1, 2, 3, 4, 5, 6, 7, 8, 10, 12],
        builders: &["add"],
        ..SUBJECT
    },
    PliSubject {
        class: "pli.AvlTree",
        methods: &["insert", "remove"],
        scopes: &[1, 2, 3, 4, 5, 6, 7, 8, 10],
        builders: &["insert"],
        ..SUBJECT
    },
    PliSubject {
        class: "pli.BinomialHeap",
        methods: &["insert", "extractMin", "delete"],
        scopes: &[1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16],
        builders: &["insert"],
        ..SUBJECT
    },
    PliSubject {
        class: "pli.BinomialHeapDefect",
        methods: &["extractMin"],
        scopes: &[4, 7, 10, 13],
        builders: &["insert"],
        checks_result: true,
        ..SUBJECT
    },
    PliSubject {
        class: "pli.HashMap",
        methods: &["containsKey", "put", "remove"],
        scopes: &[1, 2, 3, 4, 5],
        builders: &["put"],
        ..SUBJECT
    },
    PliSubject {
        class: "pli.Schedule",
        methods: &["addProcess", "quantumExpire", "finishAllProcesses", "blockProcess"],
        fixed: "List=4",
        builders: &["addProcess", "blockProcess"],
        ..SUBJECT
    },
    PliSubject {
        class: "pli.Template",
        methods: &["addParameter", "getParameter"],
        scopes: &[1, 2, 3, 4, 5],
        builders: &["addParameter"],
        ..SUBJECT
    },
    PliSubject {
        class: "pli.TransportStats",
        methods: &["bytesRead", "bytesWritten"],
        fixed: "LongTreeMap=2",
        builders: &["bytesRead", "bytesWritten"],
        ..SUBJECT
    },
    PliSubject {
        class: "pli.DictionaryInfo",
        methods: &["addField", "getField"],
        fixed: "TreeMap=2",
        builders: &["addField"],
        ..SUBJECT
    },
    PliSubject {
        class: "pli.SQLFilterClauses",
        methods: &["get", "put"],
        scopes: &[1, 2, 3],
        builders: &["put"],
        ..SUBJECT
    },
    PliSubject {
        class: "pli.CombatantStatistic",
        methods: &["addData", "ensureTypExists"],
        scopes: &[1, 2, 3],
        builders: &["addData"],
        ..SUBJECT
    },
    PliSubject { class: "kiasan.SearchTree", methods: &["insert"], builders: &["insert"], is_split: false, ..SUBJECT },
    PliSubject {
        class: "kiasan.RedBlackTree",
        methods: &["put", "remove"],
        builders: &["put"],
        is_split: false,
        ..SUBJECT
    },
];
