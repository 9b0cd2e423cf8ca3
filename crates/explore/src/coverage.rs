//! How much of the user's code does a run cover?

use std::collections::{BTreeMap, BTreeSet};

use lazuli_vm::interp::{BranchEdge, Walk};
use lazuli_vm::program::{Method, MethodId, Program};

/// A way out of a branch: the method, the instruction, and the one that came next.
type TakenBranch = (MethodId, u32, u32);

/// The lines and branches of runs. Sets, so that those of many runs can be joined.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// (class, line)
    pub lines: BTreeSet<(&'static str, u16)>,
    /// The outcomes of conditional jumps and switches that the run took.
    pub ways: BTreeSet<TakenBranch>,
    /// The outcomes of the conditions of one line together, each time that the run came to it.
    pub decisions: BTreeSet<Vec<TakenBranch>>,
    /// The methods that were entered.
    pub methods: BTreeMap<MethodId, &'static Method>,
}

/// The goal at which an exploration may end: everything of its kind in the methods that were entered is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverageGoal {
    /// Every line.
    Lines,
    /// Every way out of every branch and switch.
    Branches,
}

/// Lines and ways that no run covers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uncovered {
    /// File and line.
    pub lines: BTreeSet<(&'static str, u16)>,
    /// The ways that are missing at branches.
    pub ways: BTreeSet<UncoveredWay>,
}

/// A way out of a branch that no run takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UncoveredWay {
    /// The file of the branch.
    pub file: &'static str,
    /// The line of the branch; 0 if the class file does not tell.
    pub line: u16,
    /// The line to which the way leads.
    pub to_line: u16,
    /// The way itself, which tells two of one line apart.
    pub taken: (MethodId, u32, u32),
}

/// How much there is to cover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Lines that have code.
    pub lines: usize,
    /// Outcomes of conditional jumps and switches.
    pub ways: usize,
}

impl Coverage {
    /// Resolves what the interpreter recorded on its walk to lines, branch outcomes and decisions of the source.
    pub fn of(program: &Program, walk: &Walk) -> Coverage {
        Coverage {
            lines: walk.lines.iter().map(|(class, line)| (class.name, *line)).collect(),
            ways: walk.ways.iter().map(taken).collect(),
            decisions: decisions(program, &walk.ways),
            methods: walk.methods.iter().map(|method| (method.id, *method)).collect(),
        }
    }

    /// Adds the coverage of another run to this one.
    pub fn add(&mut self, other: &Coverage) {
        self.lines.extend(&other.lines);
        self.ways.extend(&other.ways);
        self.decisions.extend(other.decisions.iter().cloned());
        self.methods.extend(&other.methods);
    }

    /// All lines and ways of the methods that were entered.
    pub fn extent(&self, program: &Program) -> Extent {
        let mut lines: BTreeSet<(&'static str, u16)> = BTreeSet::new();
        let mut ways = 0;
        for method in self.methods.values() {
            let Ok(code) = program.code(method) else { continue };
            lines.extend(code.lines.iter().map(|(_, line)| (method.class().name, *line)));
            ways += code.ways().len();
        }
        Extent { lines: lines.len(), ways }
    }
}

impl Coverage {
    /// Is everything of a kind covered in the methods that were entered?
    pub fn meets(&self, program: &Program, goal: CoverageGoal) -> bool {
        let missing = self.missing_in(program, self);
        match goal {
            CoverageGoal::Lines => missing.lines.is_empty(),
            CoverageGoal::Branches => missing.ways.is_empty(),
        }
    }

    /// The lines and ways of the methods that other runs entered, as far as these runs do not cover them.
    pub fn missing_in(&self, program: &Program, entered: &Coverage) -> Uncovered {
        let mut missing = Uncovered::default();
        for method in entered.methods.values() {
            let Ok(code) = program.code(method) else { continue };
            let class = method.class();
            let file = class.source_file().unwrap_or(class.name);
            let lines = code.lines.iter().map(|(_, line)| *line);
            missing
                .lines
                .extend(lines.filter(|line| !self.lines.contains(&(class.name, *line))).map(|line| (file, line)));
            let way = |(at, to): (u32, u32)| {
                let line = |at| code.line(at).unwrap_or(0);
                UncoveredWay { file, line: line(at), to_line: line(to), taken: (method.id, at, to) }
            };
            missing.ways.extend(code.ways().into_iter().map(way).filter(|way| !self.ways.contains(&way.taken)));
        }
        missing
    }
}

/// Cuts the ways that a run took into those of one line that follow each other. Where a branch comes a second time, the run is back at the line.
fn decisions(program: &Program, ways: &[BranchEdge]) -> BTreeSet<Vec<TakenBranch>> {
    let line = |way: &BranchEdge| program.code(way.method).ok().and_then(|code| code.line(way.at));
    let goes_on = |one: &BranchEdge, next: &BranchEdge| {
        one.method.id == next.method.id && one.at < next.at && line(one) == line(next)
    };
    ways.chunk_by(goes_on).map(|chunk| chunk.iter().map(taken).collect()).collect()
}

fn taken(way: &BranchEdge) -> TakenBranch {
    (way.method.id, way.at, way.to)
}
