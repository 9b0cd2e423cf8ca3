//! Can the facts that a path knows about its input be completed to a valid one? Asks the solver, and reads its model.
//!
//! An object of the path is named by how it was reached: the receiver is an atom, and the value of its field is a variable of that field's
//! relation. So the same place of the heap is the same part of the circuit on all paths, whichever atom it turns out to be, and the
//! solver's learned clauses from one path serve the others.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use lazuli_logic::circuit::{Blaster, Circuit, Decider, Lit, Word};
use lazuli_logic::sat::SatVerdict;
use lazuli_logic::{Constant, SolverLimits, Sort, Terms, Variable};
use lazuli_vm::program::{Class, Program};
use lazuli_vm::state::State;
use lazuli_vm::value::ObjId;

use crate::atoms::backbone::{Backbone, Fact, Referent};
use crate::atoms::universe::Universe;
use crate::exec::value::{Pointee, PointsTo, SymValue, guard_of};
use crate::numbers::bit_widths::{BitWidth, NumberVariable};
use crate::query::build::CircuitPlan;
use crate::query::cores::UnsatCores;
use crate::query::decode::ModelReader;
use crate::query::facts::Facts;
use crate::query::guide::{Guide, GuideValue};

/// The time for one question by which an unsat core might become smaller.
const SHRINKING: Duration = Duration::from_millis(50);

/// The time for all such questions, besides half of the time of answers: easy ones need no more, and hard ones gain little.
const FIRST_SHRINKING: Duration = Duration::from_millis(250);

/// The circuit of an invariant, with a solver for it.
pub struct Oracle {
    pub(crate) circuit: Circuit,
    pub(crate) decider: Decider,
    pub(crate) universe: Universe,
    /// The reference fields between objects.
    pub backbone: Backbone,
    pub(super) blaster: Blaster,
    /// The words of the variables that the blaster knows.
    pub(super) words: HashMap<Variable, Word>,
    /// `this` and the parameters that have invariants, by their places among the roots of a path.
    pub(crate) roots: BTreeMap<usize, PointsTo>,
    pub(super) cores: UnsatCores,
    /// The time that the solver took for answers, and for making them of use to later questions, which is a small part of it.
    pub(super) answering: Duration,
    pub(super) shrinking: Duration,
    /// The bits of numbers among the parameters that need few.
    pub(crate) bits: HashMap<NumberVariable, BitWidth>,
    /// How many solver calls were reported.
    pub(super) reported_calls: u64,
    pub(super) plan: CircuitPlan,
}

/// The answer to a question of a path.
pub enum Advice {
    /// No valid input within the bounds has these facts.
    Impossible,
    /// This one may; the interpreter has the last word.
    Follow(Guide),
    /// The solver did not decide, or the facts cannot be expressed.
    Unknown,
}

impl Oracle {
    /// Tells the solver in which order queries will assume facts: that of the walk. Two questions in a row share most of them.
    pub(crate) fn prefer_facts(&mut self) {
        let mut literals = Vec::new();
        for ((atom, _), refs) in &self.universe.places {
            literals.push(self.universe.atoms[*atom as usize].exists);
            literals.extend(refs.iter().map(|(_, when)| *when));
        }
        literals.retain(|literal| *literal != Lit::TRUE);
        self.decider.expect(&self.circuit, &literals);
    }

    /// The pairs that may occur, and when they do. None if objects are not numbered breadth first.
    pub fn pairs(&mut self) -> Option<Vec<(Fact, Lit)>> {
        if !self.universe.is_breadth_first {
            return None;
        }
        let mut pairs = Vec::new();
        for (at, field) in self.backbone.fields.iter().enumerate() {
            let (first, size) = self.universe.sorts[field.owner];
            for owner in first..first + size as u32 {
                let exists = self.universe.atoms[owner as usize].exists;
                for (target, when) in self.universe.places.get(&(owner, field.slot))?.iter() {
                    let target = match target {
                        Pointee::Null => Referent::Null,
                        Pointee::Atom(atom) => Referent::Object(self.universe.atoms[*atom as usize].number),
                        _ => return None,
                    };
                    let when = self.circuit.and(exists, *when);
                    pairs.push(((at as u16, (owner - first) as u16, target), when));
                }
            }
        }
        Some(pairs)
    }

    /// The fields over which objects are met first.
    pub fn leading(&mut self, limits: &SolverLimits) -> HashSet<usize> {
        let leading = self.universe.leading.clone();
        let may_lead =
            |lit: Lit| lit != Lit::FALSE && self.decider.solve(&self.circuit, &[lit], limits) != SatVerdict::Unsat;
        leading.into_iter().map(may_lead).enumerate().filter(|(_, leads)| *leads).map(|(at, _)| at).collect()
    }

    /// Is there a valid heap with all these facts? None if the solver does not decide.
    pub fn has(&mut self, facts: &[Fact], limits: &SolverLimits) -> Option<bool> {
        let literals = self.literals(facts)?;
        self.decide(literals, limits)
    }

    /// Is it known that no valid heap has all these facts?
    pub fn refutes(&mut self, facts: &[Fact]) -> bool {
        self.literals(facts).is_some_and(|literals| self.cores.refute(&literals))
    }

    /// The literals of facts. None if the circuit does not know one of them.
    fn literals(&self, facts: &[Fact]) -> Option<Vec<Lit>> {
        let mut literals = Vec::with_capacity(2 * facts.len());
        for (at, owner, target) in facts {
            let field = &self.backbone.fields[*at as usize];
            let owner = self.universe.sorts[field.owner].0 + *owner as u32;
            let target = match target {
                Referent::Null => Pointee::Null,
                Referent::Object(number) => Pointee::Atom(self.universe.sorts[field.target].0 + *number as u32),
                Referent::Other(_) => return None,
            };
            literals.push(self.universe.atoms.get(owner as usize).map_or(Lit::FALSE, |atom| atom.exists));
            literals
                .push(self.universe.places.get(&(owner, field.slot)).map_or(Lit::FALSE, |refs| guard_of(refs, target)));
        }
        Some(literals)
    }

    /// The facts of the heap that the solver found last, about the first so many fields of the backbone.
    pub fn found_facts(&mut self, fields: usize) -> Vec<Fact> {
        let Oracle { circuit, decider, universe, backbone, .. } = self;
        let mut reading = ModelReader { circuit, decider, universe };
        let mut facts = Vec::new();
        for (at, field) in backbone.fields.iter().take(fields).enumerate() {
            let (first, size) = universe.sorts[field.owner];
            for owner in first..first + size as u32 {
                if !reading.is_true(universe.atoms[owner as usize].exists) {
                    continue;
                }
                let target = universe.places.get(&(owner, field.slot)).and_then(|refs| reading.chosen(refs));
                let target = match target {
                    Some(Pointee::Null) => Referent::Null,
                    Some(Pointee::Atom(atom)) => Referent::Object(universe.atoms[atom as usize].number),
                    _ => continue,
                };
                facts.push((at as u16, (owner - first) as u16, target));
            }
        }
        facts
    }

    /// Can all these be true? None if the solver does not decide.
    fn decide(&mut self, mut literals: Vec<Lit>, limits: &SolverLimits) -> Option<bool> {
        literals.retain(|literal| *literal != Lit::TRUE);
        literals.sort();
        literals.dedup();
        if self.decider.recall(&self.circuit, &literals) {
            return Some(true);
        }
        if self.cores.refute(&literals) {
            return Some(false);
        }
        let before = self.decider.statistics.time;
        let verdict = self.decider.solve(&self.circuit, &literals, limits);
        self.answering += self.decider.statistics.time - before;
        match verdict {
            SatVerdict::Unknown => None,
            SatVerdict::Sat => Some(true),
            SatVerdict::Unsat => {
                let core = self.smaller_core(limits);
                self.cores.add(&core);
                Some(false)
            }
        }
    }

    /// Minimises the unsat core of the last answer, as far as little time allows: a smaller core refutes more questions. Drops one literal after the
    /// other, from the last on; where the rest is still unsatisfiable, its core takes the place of the old one.
    fn smaller_core(&mut self, limits: &SolverLimits) -> Vec<Lit> {
        let mut core = self.decider.core().to_vec();
        let before = self.decider.statistics.time;
        let mut next = core.len();
        while next > 0 && core.len() > 2 {
            let spent = self.shrinking + (self.decider.statistics.time - before);
            if spent > FIRST_SHRINKING + self.answering / 2 {
                break;
            }
            next -= 1;
            let without: Vec<Lit> =
                core.iter().enumerate().filter(|(at, _)| *at != next).map(|(_, lit)| *lit).collect();
            if self.decider.recall(&self.circuit, &without) {
                continue;
            }
            let limits = SolverLimits { time: limits.time.min(SHRINKING), ..limits.clone() };
            if self.decider.solve(&self.circuit, &without, &limits) == SatVerdict::Unsat {
                core = self.decider.core().to_vec();
                next = next.min(core.len());
            }
        }
        self.shrinking += self.decider.statistics.time - before;
        core
    }

    /// When one of these is true, or more.
    pub fn any(&mut self, literals: impl Iterator<Item = Lit>) -> Lit {
        self.circuit.any(literals)
    }

    /// Is there a valid input with all that the path knows, for which something else is true as well?
    pub fn ask(&mut self, terms: &Terms, path: &State, also: Lit, limits: &SolverLimits) -> Advice {
        if meets_statics(path, &self.backbone) {
            return Advice::Unknown;
        }
        let Some(Facts { objects, mut literals, numbers, .. }) = Facts::of(self, terms, path) else {
            return Advice::Unknown;
        };
        literals.push(also);
        match self.decide(literals, limits) {
            None => Advice::Unknown,
            Some(false) => Advice::Impossible,
            Some(true) => Advice::Follow(self.guide(objects, &numbers)),
        }
    }

    /// A fresh assumption literal, for `block_under`.
    pub fn assumption(&mut self) -> Lit {
        self.circuit.input()
    }

    /// Adds a blocking clause: under the assumption, no input has all facts of a path. False if the facts cannot be expressed exactly.
    pub fn block_under(&mut self, terms: &Terms, path: &State, assumed: Lit) -> bool {
        let literals = match Facts::of(self, terms, path) {
            Some(facts) if facts.is_all => facts.literals,
            _ => return false,
        };
        let are_all = self.circuit.all(literals);
        let is_another = self.circuit.implies(assumed, !are_all);
        self.decider.assert(&self.circuit, is_another);
        true
    }

    /// The declared types of which the inputs have a bounded number of objects.
    pub fn bounded(&self) -> Vec<&'static Class> {
        let sorts = self.backbone.sorts.iter().filter(|sort| sort.declared > 0);
        sorts.flat_map(|sort| sort.classes.iter().copied()).chain(self.universe.opaque_types()).collect()
    }

    /// The declared types of references, and whether no class is known that an object of such a type could have.
    pub fn declared_types(&self, program: &Program) -> Vec<(&'static Class, bool)> {
        let declared = self.universe.declared.iter();
        declared.map(|(class, is_void)| (program.class_at(*class as usize), *is_void)).collect()
    }

    /// The types of inputs of which there are none longer than the bounds allow.
    pub fn measured(&self, program: &Program) -> Vec<&'static Class> {
        let class = |atom: &u32| match self.universe.string_arrays.contains(atom) {
            true => program.known().string,
            false => self.universe.atoms[*atom as usize].class,
        };
        self.universe.lengths.keys().map(class).collect()
    }

    /// The number of solver calls since the last call of this method.
    pub fn take_calls(&mut self) -> u64 {
        let calls = self.decider.statistics.calls;
        calls - std::mem::replace(&mut self.reported_calls, calls)
    }

    /// Decodes the model into a guide for the search.
    fn guide(&mut self, objects: Vec<(ObjId, PointsTo)>, numbers: &HashMap<Variable, (Word, Sort)>) -> Guide {
        let Oracle { circuit, decider, universe, .. } = self;
        let universe: &Universe = universe;
        let mut reading = ModelReader { circuit, decider, universe };
        let atom = |reading: &mut ModelReader, refs: &PointsTo| match reading.chosen(refs) {
            Some(Pointee::Atom(atom)) => Some(atom),
            _ => None,
        };
        let mut guide = Guide::default();
        for (object, refs) in objects {
            if let Some(atom) = atom(&mut reading, &refs) {
                guide.atoms.insert(object, atom);
            }
        }
        for (place, refs) in &universe.places {
            guide.fields.insert(*place, GuideValue::Ref(atom(&mut reading, refs)));
        }
        for (place, held) in &universe.others {
            let held = match held {
                SymValue::Word(word) => GuideValue::Number(reading.number(word)),
                SymValue::Ref(refs) if reading.chosen(refs) == Some(Pointee::Null) => GuideValue::Ref(None),
                _ => GuideValue::Something,
            };
            guide.fields.insert(*place, held);
        }
        for (variable, (word, sort)) in numbers {
            guide.model.set(*variable, Constant::of_bits(*sort, reading.number(word) as u64));
        }
        guide
    }
}

/// May a field refer to an object that a static field holds? There is no atom for it.
fn meets_statics(path: &State, backbone: &Backbone) -> bool {
    path.held_by_statics().iter().any(|held| {
        let class = path.heap.class(held.object);
        backbone.sorts.iter().any(|sort| sort.classes.iter().any(|declared| class.is_subtype_of(declared)))
    })
}
