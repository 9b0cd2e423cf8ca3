//! Which calls do BLISS's authors measure, over which fields do they number objects, and how large do inputs become?

/// A class of the paper.
pub(super) struct BlissSubject {
    pub class: &'static str,
    /// The prefix of the calls in `bliss.Driver`, and the name of the check for partly known inputs in `bliss.Hybrid`.
    pub name: &'static str,
    /// The fields over which objects are numbered.
    pub backbone: &'static str,
    pub methods: &'static [SubjectMethod],
}

pub(super) struct SubjectMethod {
    pub name: &'static str,
    /// Scopes that take a few seconds at most, with those that have a published count.
    pub usual: &'static [usize],
    /// The largest scope of the paper's tables.
    pub last: usize,
    pub kind: MethodKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MethodKind {
    Ordinary,
    /// There is a call for each scope, because the scope is an argument.
    CalledByScope,
    /// It throws, which is the fault that is looked for.
    Hunt,
}

const fn method(name: &'static str, usual: &'static [usize], last: usize) -> SubjectMethod {
    SubjectMethod { name, usual, last, kind: MethodKind::Ordinary }
}

pub(super) const SUBJECTS: &[BlissSubject] = &[
    BlissSubject {
        class: "bliss.TreeSet",
        name: "treeSet",
        backbone: "left,right",
        methods: &[
            method("bfs", &[3, 5, 7, 8], 17),
            method("dfs", &[3, 4, 5, 6, 7, 8], 14),
            method("repOK", &[3, 5, 7, 8], 13),
            method("contains", &[3, 5, 7, 9, 10], 18),
            method("add", &[3, 5, 7], 13),
            method("remove", &[3, 4, 5, 6, 7], 12),
        ],
    },
    BlissSubject {
        class: "bliss.TreeMap",
        name: "treeMap",
        backbone: "root,left,right",
        methods: &[
            method("trace_L1", &[1, 2, 3, 4, 5], 12),
            method("trace_L2", &[1, 2, 3], 7),
            method("trace_L3", &[1, 2], 5),
        ],
    },
    BlissSubject {
        class: "bliss.AvlTree",
        name: "avlTree",
        backbone: "left,right",
        methods: &[
            method("bfs", &[3, 5, 7, 8], 20),
            method("dfs", &[3, 5, 7, 8], 16),
            method("repOK", &[3, 5, 7], 15),
            method("contains", &[3, 5, 7, 9, 10], 20),
            method("insert", &[3, 4, 5], 12),
            method("remove", &[3, 4], 9),
        ],
    },
    BlissSubject {
        class: "bliss.BinomialHeap",
        name: "binomialHeap",
        backbone: "Nodes,sibling,child,parent",
        methods: &[
            method("bfs", &[4, 6, 8, 9], 20),
            method("dfs", &[4, 6, 8, 9], 20),
            method("repOK", &[4, 6, 8, 10], 20),
            SubjectMethod { name: "extractMinBug", usual: &[4, 8, 12, 13], last: 20, kind: MethodKind::Hunt },
            method("insert", &[1, 2, 3, 4], 12),
            method("delete", &[1, 2, 3, 4], 8),
            method("extractMin", &[1, 2, 3, 4, 5], 9),
            method("trace_L1", &[1, 2, 3], 7),
            method("trace_L2", &[1, 2], 5),
            method("trace_L3", &[1], 3),
        ],
    },
    BlissSubject {
        class: "bliss.BinTree",
        name: "binTree",
        backbone: "left,right",
        methods: &[
            method("bfs", &[3, 5, 7, 8], 14),
            method("dfs", &[3, 5, 7, 8], 14),
            method("repOK", &[3, 5, 7, 8], 14),
            method("count", &[3, 5, 7, 8], 14),
        ],
    },
    BlissSubject {
        class: "bliss.LinkedList",
        name: "linkedList",
        backbone: "header,next,previous",
        methods: &[
            method("repOK", &[5, 10, 20], 20),
            method("add", &[5, 10, 20], 20),
            SubjectMethod { name: "remove", usual: &[10, 15, 20], last: 20, kind: MethodKind::CalledByScope },
        ],
    },
];

impl SubjectMethod {
    /// All scopes from the first that says something to the last of the paper.
    pub(super) fn all(&self) -> Vec<usize> {
        (self.usual[0]..=self.last).collect()
    }

    /// The name of the call in the driver.
    pub(super) fn call(&self, subject: &BlissSubject, scope: usize) -> String {
        let (first, rest) = self.name.split_at(1);
        let argument = if self.kind == MethodKind::CalledByScope { scope.to_string() } else { String::new() };
        format!("bliss.Driver.{}{}{rest}{argument}", subject.name, first.to_uppercase())
    }
}
