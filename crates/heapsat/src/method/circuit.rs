//! Is there a valid input on which a method breaks its contract, as one propositional problem?
//!
//! The method is executed on all valid inputs at once: a write makes a new SSA version of a field, a new object is one beside the atoms, an
//! exception takes a path of its own. At each exit the postconditions are executed on the heap that is left. The last question to the
//! solver is whether one of them can be false (Galeotti, Rosner, López Pombo and Frias, TACO, TSE 2013).
//!
//! Loops and calls are unrolled as long as the solver finds a valid input that gets there. Where that would not end, or beyond the user's
//! bound, the rest is truncated, and the guard of the truncated paths is kept.

use std::time::{Duration, Instant};

use lazuli_logic::SolverLimits;
use lazuli_logic::circuit::{Lit, Word};
use lazuli_logic::sat::SatVerdict;
use lazuli_vm::program::{Class, Program, descriptor};
use lazuli_vm::value::{Kind, Value};

use crate::Refusal;
use crate::atoms::universe::{narrow_number, number};
use crate::exec::context::Budget;
use crate::exec::executor::{ExecutionMode, Executor, Workspace};
use crate::exec::path::SymHeap;
use crate::exec::value::{Pointee, PointsTo, SymValue, guard_of};
use crate::library::reach::ReachOrder;
use crate::method::check::Conclusion;
use crate::method::problem::{InvariantEncoding, Problem, analysed_code, parameter};
use crate::method::state::{Infeasible, MethodState, Truncation};
use crate::numbers::Arithmetic;
use crate::query::decode::{DecodedInput, ModelReader};
use crate::query::oracle::Oracle;
use crate::query::task::{AnalysedCode, OracleTask};
use crate::recursion::Strategy;

/// A smaller input is looked for as long as it took to find the first one, or a little longer.
const LEAST_PATIENCE: Duration = Duration::from_millis(500);

/// A method and its contract as a circuit.
pub struct MethodCircuit {
    pub(crate) oracle: Oracle,
    pub(crate) given: Vec<SymValue>,
    /// The violations that are not settled, each once.
    pub(crate) goals: Vec<ViolationGoal>,
    /// Paths that would have gone on.
    pub cuts: Vec<Truncation>,
    pub(crate) infeasible: Vec<Infeasible>,
    /// The method allocates at most so many objects.
    pub made: usize,
    /// Is there a valid input at all?
    pub has_input: bool,
    /// The inputs of the circuit on which the clauses depend that solvers elsewhere were given last.
    pub(crate) exported: Vec<Lit>,
}

/// A possible violation: a property, and the literal that is true where it is violated.
pub(crate) struct ViolationGoal {
    pub(crate) what: ViolatedProperty,
    pub(crate) when: Lit,
}

/// Which property is violated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ViolatedProperty {
    /// No exception of this class is thrown there.
    Threw(String, String),
    /// A condition after a return, by its place.
    Returns(usize),
    /// A condition after an exception, by its place.
    Throws(usize),
}

/// The answer to a search for a violation.
pub enum SearchOutcome {
    /// This input violates the property of that place.
    Found(usize, DecodedInput),
    /// No input does, apart from truncated paths.
    Nothing,
    /// The solver did not decide in time.
    OutOfTime,
}

impl MethodCircuit {
    /// Translates the problem. Two of the reductions are optimistic, and undone if the translation finds that they do not apply: bit widths from
    /// code that was analysed beforehand, and iterations over `\reach` in the order of atoms.
    pub fn new(problem: &Problem) -> Result<MethodCircuit, Refusal> {
        let code = analysed_code(problem);
        let translated = |order| match MethodCircuit::translate(problem, &code, order) {
            Err(Refusal::Unforeseen) => {
                MethodCircuit::translate(problem, &AnalysedCode { widths: None, ..code.clone() }, order)
            }
            other => other,
        };
        match translated(ReachOrder::ByAtom) {
            Err(Refusal::Unordered) => translated(ReachOrder::AsFound),
            other => other,
        }
    }

    fn translate(problem: &Problem, code: &AnalysedCode, order: ReachOrder) -> Result<MethodCircuit, Refusal> {
        let Problem { task, method, encoding, .. } = *problem;
        let task = &OracleTask { code: Some(code), ..*task };
        // The circuit of the invariants comes first: it makes the atoms, and leaves their fields little to refer to. Invariants that it
        // cannot express are executed below, as the method is.
        let standalone = if encoding.invariants == InvariantEncoding::InPlace { &[][..] } else { task.invariants };
        let (mut oracle, mut in_place) = Oracle::of_inputs(&OracleTask { invariants: standalone, ..*task })?;
        if encoding.invariants != InvariantEncoding::Standalone && in_place.is_empty() {
            in_place = task.invariants.iter().map(|each| (each.method, oracle.roots[&each.root].clone())).collect();
        }
        let mut given = Vec::new();
        let is_made = method.name == "<init>";
        let receiver = (!method.is_static() && !is_made) as usize;
        let (types, _) = descriptor::method(method.descriptor).unwrap_or_default();
        for root in 0..types.len() + receiver {
            let bits = oracle.bits.get(&parameter(method, root)).copied();
            let bits = bits.filter(|width| task.bounds.int_bits.is_none_or(|most| width.bits <= most as usize));
            given.push(match (oracle.roots.get(&root), bits) {
                (Some(refs), _) => SymValue::Ref(refs.clone()),
                (None, Some(bits)) => {
                    narrow_number(&mut oracle.circuit, bits, Kind::of_descriptor(types[root - receiver]))
                }
                (None, None) => {
                    number(&mut oracle.circuit, Kind::of_descriptor(types[root - receiver]), task.bounds.int_bits)?
                }
            });
        }
        // Annotations rule null out for some parameters.
        for (root, value) in task.path.symbols.roots.iter().zip(&given) {
            if let (Value::Unknown(id), SymValue::Ref(refs)) = (root.value, value)
                && !task.path.symbols.unknown(id).may_be_null
            {
                oracle.decider.assert(&oracle.circuit, !guard_of(refs, Pointee::Null));
            }
        }
        let Oracle { circuit, decider, universe, .. } = &mut oracle;
        let budget = Budget::new(task.limits, task.watch);
        let (program, statics, used_statics) = (task.program, task.path, task.used_statics);
        let workspace = Workspace { circuit, decider, universe, program, statics, used_statics, budget };
        let mode = ExecutionMode::Method(MethodState::new(encoding.posts));
        let mut executor = Executor::new(workspace, mode, Strategy::InPlace, Arithmetic::EXACT, order);
        for (invariant, object) in in_place {
            let objects: PointsTo = object.iter().filter(|(target, _)| *target != Pointee::Null).copied().collect();
            let exists = !guard_of(&object, Pointee::Null);
            let valid = executor.evaluate(exists, invariant, vec![SymValue::Ref(objects)], &SymHeap::default())?;
            let valid = executor.circuit.or(valid.holds, !exists);
            executor.decider.assert(executor.circuit, valid);
        }
        let Conclusion { goals, has_input, made, given } = executor.check(problem, &given)?;
        let (cuts, infeasible) = match executor.mode {
            ExecutionMode::Method(state) => state.into_notes(),
            ExecutionMode::Invariant => (Vec::new(), Vec::new()),
        };
        Ok(MethodCircuit { oracle, given, goals, cuts, infeasible, made, has_input, exported: Vec::new() })
    }

    /// The declared types of which the scope bounds the number of objects.
    pub fn bounded(&self) -> Vec<&'static Class> {
        self.oracle.bounded()
    }

    /// The declared types of references, and whether no class is known that an object of such a type could have.
    pub fn declared_types(&self, program: &Program) -> Vec<(&'static Class, bool)> {
        self.oracle.declared_types(program)
    }

    /// The types of inputs whose lengths the bounds limit.
    pub fn measured(&self, program: &Program) -> Vec<&'static Class> {
        self.oracle.measured(program)
    }

    /// Looks for a small input that violates a property which is not settled.
    pub fn search(&mut self, limits: &SolverLimits) -> SearchOutcome {
        let started = Instant::now();
        let any = self.any_goal();
        if any == Lit::FALSE {
            return SearchOutcome::Nothing;
        }
        match self.oracle.decider.solve(&self.oracle.circuit, &[any], limits) {
            SatVerdict::Sat => {}
            SatVerdict::Unsat => return SearchOutcome::Nothing,
            SatVerdict::Unknown => return SearchOutcome::OutOfTime,
        }
        self.smallest(started.elapsed(), limits)
    }

    /// When a property is violated that is not settled.
    pub(crate) fn any_goal(&mut self) -> Lit {
        let all: Vec<Lit> = self.goals.iter().map(|goal| goal.when).collect();
        self.oracle.circuit.any(all)
    }

    /// The violation that the solver has just found, with a smaller input if one is found in the time that it took.
    pub(crate) fn smallest(&mut self, took: Duration, limits: &SolverLimits) -> SearchOutcome {
        let is_true = |goal: &ViolationGoal, oracle: &mut Oracle| oracle.decider.value(&oracle.circuit, goal.when);
        let Some(at) = self.goals.iter().position(|goal| is_true(goal, &mut self.oracle)) else {
            return SearchOutcome::OutOfTime;
        };
        let spent = took.max(LEAST_PATIENCE);
        let deadline = limits.deadline.map(|end| end.min(Instant::now() + spent));
        let limits = SolverLimits { deadline, time: spent, ..limits.clone() };
        SearchOutcome::Found(at, self.shrunk(vec![self.goals[at].when], &limits))
    }

    /// An input whose path is truncated there.
    pub fn cut_off(&mut self, cut: usize, limits: &SolverLimits) -> Option<DecodedInput> {
        let Oracle { circuit, decider, .. } = &mut self.oracle;
        (decider.solve(circuit, &[self.cuts[cut].when], limits) == SatVerdict::Sat).then(|| self.decoded())
    }

    /// Settles a violation: it is not looked for again.
    pub fn settle(&mut self, at: usize) -> ViolatedProperty {
        self.goals.remove(at).what
    }

    /// Looks for a violation only where an argument of the method is not null.
    pub fn rule_out_null(&mut self, at: usize, argument: usize) -> bool {
        let Some(SymValue::Ref(refs)) = self.given.get(argument) else { return false };
        let is_null = guard_of(refs, Pointee::Null);
        let narrowed = self.oracle.circuit.and(self.goals[at].when, !is_null);
        let changes = narrowed != self.goals[at].when;
        self.goals[at].when = narrowed;
        changes
    }

    /// Settles violations of an earlier translation.
    pub fn settle_all(&mut self, settled: &[ViolatedProperty]) {
        self.goals.retain(|goal| !settled.contains(&goal.what));
    }

    /// Shrinks the counterexample of the last model: assumes fewer objects, then known classes, then small numbers, as long as the goal stays
    /// satisfiable. Symmetry breaking numbers atoms without gaps, so leaving out the last ones first is enough.
    fn shrunk(&mut self, mut assumed: Vec<Lit>, limits: &SolverLimits) -> DecodedInput {
        let mut best = self.decoded();
        for atom in (0..self.oracle.universe.atoms.len()).rev() {
            let exists = self.oracle.universe.atoms[atom].exists;
            if exists.as_constant().is_some() {
                continue;
            }
            assumed.push(!exists);
            if self.oracle.decider.solve(&self.oracle.circuit, &assumed, limits) != SatVerdict::Sat {
                assumed.pop();
                break;
            }
            best = self.decoded();
        }
        // Classes that are not on the class path have no source to show.
        let Oracle { circuit, decider, universe, .. } = &mut self.oracle;
        let unknown = universe.parts.values().flatten().filter(|(class, _)| class.is_open()).map(|(_, when)| !*when);
        assumed.push(circuit.all(unknown.collect::<Vec<_>>()));
        match decider.solve(circuit, &assumed, limits) == SatVerdict::Sat {
            true => best = self.decoded(),
            false => drop(assumed.pop()),
        }
        let words: Vec<Word> = self.oracle.universe.others.values().chain(&self.given).filter_map(word).collect();
        for bits in [3, 4, 6, 8] {
            let Oracle { circuit, decider, .. } = &mut self.oracle;
            let mut small = Vec::new();
            for word in words.iter().filter(|word| word.len() > bits) {
                for bit in &word[bits..] {
                    small.push(circuit.equal(*bit, word[bits - 1]));
                }
            }
            assumed.push(circuit.all(small));
            if decider.solve(circuit, &assumed, limits) == SatVerdict::Sat {
                return self.decoded();
            }
            assumed.pop();
        }
        best
    }

    fn decoded(&mut self) -> DecodedInput {
        let Oracle { circuit, decider, universe, .. } = &mut self.oracle;
        ModelReader { circuit, decider, universe }.input(&self.given)
    }

    /// The number of gates.
    pub fn gates(&self) -> usize {
        self.oracle.circuit.len()
    }

    /// The number of solver calls since the last call of this method.
    pub fn take_calls(&mut self) -> u64 {
        self.oracle.take_calls()
    }
}

fn word(value: &SymValue) -> Option<Word> {
    match value {
        SymValue::Word(word) => Some(word.clone()),
        _ => None,
    }
}
