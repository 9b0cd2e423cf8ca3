//! Can what a path knows about its input be completed to a valid one? Asks the solver, and reads its model.
//!
//! An object of the path is named by how it was reached: the receiver is an atom, and what its field holds is whatever the relation
//! of that field says. So the same place of the heap is the same part of the circuit on all paths, whichever atom it turns out to
//! be, and what the solver learned on one path serves the others.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use lazuli_logic::circuit::{Blaster, Circuit, Decider, Lit, Word};
use lazuli_logic::sat::Verdict;
use lazuli_logic::{Constant, Limits, Node, Sort, Term, Terms, Variable};

use super::Refusal;
use super::meaning::{Meaning, Refs, Target, any_of, is, same};
use super::translate::Translator;
use super::universe::{Allowed, Known, Universe};
use crate::explore::Bounds;
use crate::program::{Class, Program};
use crate::state::State;
use crate::structure::{Guide, Held, Invariant};
use crate::symbols::Entry;
use crate::value::{ObjId, Value};

/// Time that making the circuit may take, and never more than half of what is left.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Sets of facts that cannot be true together; the oldest are forgotten.
const MOST_CORES: usize = 1000;

pub struct Oracle {
    circuit: Circuit,
    decider: Decider,
    known: Known,
    blaster: Blaster,
    /// The words of the variables that the blaster knows.
    words: HashMap<Variable, Word>,
    /// `this` and the parameters that have invariants, by their places among the roots of a path.
    roots: BTreeMap<usize, Refs>,
    cores: Vec<Box<[Lit]>>,
    /// How many questions to the solver somebody was told of.
    told: u64,
}

/// What the solver says.
pub enum Advice {
    /// No valid input within the bounds has what is known.
    Impossible,
    /// This one may; the interpreter has the last word.
    Follow(Guide),
    Unknown,
}

/// What a circuit is made of.
pub struct Task<'a> {
    pub program: &'a Program,
    pub bounds: &'a Bounds,
    pub invariants: &'a [Invariant],
    /// A path of the run; the invariants speak of its roots.
    pub path: &'a State,
    pub limits: &'a Limits,
    /// Must everything end now?
    pub stop: &'a dyn Fn() -> bool,
}

/// A root that has an invariant: its place among the roots of a path, its declared type, and whether it is the receiver.
type Root = (usize, &'static Class, bool);

impl Oracle {
    /// The circuit of the invariants.
    pub fn new(task: &Task) -> Result<Oracle, Refusal> {
        let roots = roots(task)?;
        let now = Instant::now();
        let left = task.limits.deadline.map_or(MOST_TIME, |end| end.saturating_duration_since(now) / 2);
        let limits = Limits { deadline: Some(now + left.min(MOST_TIME)), ..*task.limits };
        let task = Task { limits: &limits, ..*task };
        // First to find out which names valid heaps have; then, smaller by far, with these alone.
        let found = Oracle::translate(&task, &roots, None)?;
        Oracle::translate(&task, &roots, Some(Allowed::new(found.known)))
    }

    fn translate(task: &Task, roots: &[Root], allowed: Option<Allowed>) -> Result<Oracle, Refusal> {
        let Task { program, bounds, invariants, path, limits, stop } = *task;
        let mut circuit = Circuit::new();
        let mut universe = Universe { program, bounds, known: Known::default(), allowed };
        let mut receivers = BTreeMap::new();
        for (root, class, is_receiver) in roots.iter().copied() {
            let refs = if is_receiver {
                universe.receiver(&mut circuit, class)?
            } else {
                universe.parameter(&mut circuit, class)?
            };
            receivers.insert(root, refs);
        }
        let mut decider = Decider::new();
        let mut translator = Translator::new(&mut circuit, &mut decider, universe, program, path, limits, stop);
        for invariant in invariants {
            translator.require(invariant.method, &receivers[&invariant.root])?;
        }
        translator.tighten()?;
        let known = translator.universe.known;
        let (blaster, words) = (Blaster::new(), HashMap::new());
        Ok(Oracle { circuit, decider, known, roots: receivers, blaster, words, cores: Vec::new(), told: 0 })
    }

    /// Is there a valid input with all that the path knows?
    pub fn ask(&mut self, program: &Program, terms: &Terms, path: &State, limits: &Limits) -> Advice {
        if meets_statics(path, program, &self.known) {
            return Advice::Unknown;
        }
        let mut facts =
            Facts { oracle: self, terms, path, objects: Vec::new(), literals: Vec::new(), numbers: HashMap::new() };
        if facts.collect().is_none() {
            return Advice::Unknown;
        }
        let Facts { objects, mut literals, numbers, .. } = facts;
        literals.retain(|literal| *literal != Lit::TRUE);
        literals.sort();
        literals.dedup();
        if !self.decider.recall(&self.circuit, &literals) {
            let all: HashSet<Lit> = literals.iter().copied().collect();
            if self.cores.iter().any(|core| core.iter().all(|literal| all.contains(literal))) {
                return Advice::Impossible;
            }
            match self.decider.solve(&self.circuit, &literals, limits) {
                Verdict::Unknown => return Advice::Unknown,
                Verdict::Sat => {}
                Verdict::Unsat => {
                    if self.cores.len() == MOST_CORES {
                        self.cores.remove(0);
                    }
                    self.cores.push(self.decider.core().into());
                    return Advice::Impossible;
                }
            }
        }
        Advice::Follow(self.guide(objects, &numbers))
    }

    /// The questions to the SAT solver since somebody asked for their number.
    pub fn take_calls(&mut self) -> u64 {
        let calls = self.decider.statistics.calls;
        calls - std::mem::replace(&mut self.told, calls)
    }

    /// The input that the solver found.
    fn guide(&mut self, objects: Vec<(ObjId, Refs)>, numbers: &HashMap<Variable, (Word, Sort)>) -> Guide {
        let mut guide = Guide::default();
        for (object, refs) in objects {
            if let Some(atom) = self.chosen(&refs) {
                guide.atoms.insert(object, atom);
            }
        }
        let known = std::mem::take(&mut self.known);
        for (place, held) in &known.places {
            guide.fields.insert(*place, Held::Ref(self.chosen(&held.refs)));
        }
        for (place, held) in &known.numbers {
            if let Meaning::Word(word) = held {
                guide.fields.insert(*place, Held::Number(self.number(word)));
            }
        }
        self.known = known;
        for (variable, (word, sort)) in numbers {
            guide.model.set(*variable, Constant::of_integer(*sort, self.number(word)));
        }
        guide
    }

    fn chosen(&mut self, refs: &Refs) -> Option<u32> {
        refs.iter().find_map(|(target, when)| match target {
            Target::Atom(atom) if self.decider.value(&self.circuit, *when) => Some(*atom),
            _ => None,
        })
    }

    fn number(&mut self, word: &Word) -> i64 {
        let bit = |(at, bit): (usize, &Lit)| (self.decider.value(&self.circuit, *bit) as u64) << at;
        let value: u64 = word.iter().enumerate().map(bit).sum();
        let unused = 64 - word.len() as u32;
        (value << unused) as i64 >> unused
    }
}

fn roots(task: &Task) -> Result<Vec<Root>, Refusal> {
    let symbols = &task.path.symbols;
    let mut roots: Vec<Root> = Vec::new();
    for invariant in task.invariants {
        let value = symbols.roots.get(invariant.root).map(|root| root.value);
        let input = |object| symbols.input(object).map(|input| (invariant.root, input.counted, true));
        let root = match value {
            Some(Value::Ref(Some(object))) => input(object),
            Some(Value::Unknown(id)) => Some((invariant.root, symbols.unknown(id).declared, false)),
            _ => None,
        };
        let root = root.ok_or_else(|| Refusal::Unsupported("an invariant of no input".to_string()))?;
        if roots.iter().all(|(known, ..)| *known != root.0) {
            roots.push(root);
        }
    }
    Ok(roots)
}

/// May a field refer to an object that a static field holds? There is no atom for it.
fn meets_statics(path: &State, program: &Program, known: &Known) -> bool {
    path.held_by_statics(program).iter().any(|(_, object)| {
        let class = path.heap.class(*object);
        known.atoms.iter().any(|atom| class.is_subtype_of(atom.counted))
    })
}

/// What a path knows, in terms of the circuit.
struct Facts<'a> {
    oracle: &'a mut Oracle,
    terms: &'a Terms,
    path: &'a State,
    /// The inputs that the relations lead to, and what each may be.
    objects: Vec<(ObjId, Refs)>,
    literals: Vec<Lit>,
    /// The words of the variables that the path speaks of.
    numbers: HashMap<Variable, (Word, Sort)>,
}

impl Facts<'_> {
    /// None if something is known that the relations cannot express, so that they may say impossible where it is not.
    fn collect(&mut self) -> Option<()> {
        let roots: Vec<(usize, Refs)> = self.oracle.roots.iter().map(|(root, refs)| (*root, refs.clone())).collect();
        for (root, refs) in roots {
            let value = self.path.symbols.roots.get(root)?.value;
            self.reference(value, refs)?;
        }
        let mut next = 0;
        while let Some((object, refs)) = self.objects.get(next).cloned() {
            next += 1;
            let Entry::Fields(fields) = &self.path.symbols.input(object)?.entry else { return None };
            for (slot, value) in fields.iter().enumerate() {
                if *value != Value::Unread {
                    self.field(&refs, slot as u32, *value)?;
                }
            }
        }
        for conjunct in &self.path.symbols.path.conjuncts {
            // What is not said in bits is left out: then less is impossible.
            if let Some(literal) = self.condition(*conjunct) {
                self.literals.push(literal);
            }
        }
        Some(())
    }

    fn field(&mut self, refs: &Refs, slot: u32, value: Value) -> Option<()> {
        let mut parts = Vec::new();
        for (target, when) in refs.iter() {
            let Target::Atom(atom) = target else { continue };
            let known = &self.oracle.known;
            let place = known.places.get(&(*atom, slot)).map(|place| Meaning::Ref(place.refs.clone()));
            match place.or_else(|| known.numbers.get(&(*atom, slot)).cloned()) {
                Some(meaning) => parts.push((*when, meaning)),
                // The invariant does not read it: it may be anything.
                None => return Some(()),
            }
        }
        match any_of(&mut self.oracle.circuit, &parts)? {
            Meaning::Ref(refs) => self.reference(value, refs),
            Meaning::Word(word) => self.number(value, word),
            Meaning::Nothing => None,
        }
    }

    fn reference(&mut self, value: Value, refs: Refs) -> Option<()> {
        let null = is(&refs, Target::Null);
        match self.path.symbols.settled(value) {
            Value::Ref(None) => self.literals.push(null),
            Value::Ref(Some(object)) => {
                self.literals.push(!null);
                self.object(object, refs)?;
            }
            Value::Unknown(id) if !self.path.symbols.unknown(id).may_be_null => self.literals.push(!null),
            _ => {}
        }
        Some(())
    }

    /// A place refers to an input that was met before, or to one that is none of the others.
    fn object(&mut self, object: ObjId, refs: Refs) -> Option<()> {
        let circuit = &mut self.oracle.circuit;
        if let Some((_, before)) = self.objects.iter().find(|(known, _)| *known == object) {
            self.literals.push(same(circuit, before, &refs));
            return Some(());
        }
        let input = self.path.symbols.input(object)?;
        let class = self.path.heap.class(object);
        let mut fitting = Vec::new();
        for (target, when) in refs.iter() {
            let Target::Atom(atom) = target else { continue };
            let own = self.oracle.known.atoms[*atom as usize].class;
            if own.is_open() || class.is_open() || own.id == class.id {
                fitting.push((*target, *when));
            } else {
                self.literals.push(!*when);
            }
        }
        // An object that counts elsewhere is none of the atoms that are counted here.
        let is_counted = |(target, _): &(Target, Lit)| match target {
            Target::Atom(atom) => self.oracle.known.atoms[*atom as usize].counted.id == input.counted.id,
            _ => false,
        };
        if !fitting.iter().all(is_counted) {
            return None;
        }
        let refs: Refs = fitting.into();
        for (_, other) in &self.objects {
            self.literals.push(!same(circuit, other, &refs));
        }
        self.objects.push((object, refs));
        Some(())
    }

    fn number(&mut self, value: Value, word: Word) -> Option<()> {
        let circuit = &mut self.oracle.circuit;
        match value {
            Value::Int(value) => {
                let known = circuit.word_constant(32, value as i64);
                self.literals.push(circuit.word_equal(&word, &known));
            }
            Value::Long(value) => {
                let known = circuit.word_constant(64, value);
                self.literals.push(circuit.word_equal(&word, &known));
            }
            Value::Term(term, sort) => match self.terms.node(term) {
                Node::Variable(variable) => {
                    if let Some((before, _)) = self.numbers.get(&variable) {
                        self.literals.push(circuit.word_equal(before, &word));
                        return Some(());
                    }
                    // The blaster's words for terms with this variable must be about this place.
                    if self.oracle.words.get(&variable).is_some_and(|known| *known != word) {
                        self.oracle.blaster = Blaster::new();
                        self.oracle.words.clear();
                    }
                    self.oracle.words.insert(variable, word.clone());
                    self.numbers.insert(variable, (word, sort));
                }
                // Of an input it always is a variable; anything else is known to somebody else.
                _ => return None,
            },
            _ => {}
        }
        Some(())
    }

    fn condition(&mut self, conjunct: Term) -> Option<Lit> {
        for variable in self.terms.variables_of(conjunct) {
            if self.numbers.contains_key(variable) {
                continue;
            }
            let declaration = self.terms.declaration(*variable);
            let width = match declaration.sort {
                Sort::Int => 32,
                Sort::Long => 64,
                Sort::Bool => 1,
                _ => return None,
            };
            let Oracle { circuit, decider, words, .. } = &mut *self.oracle;
            let word = words.entry(*variable).or_insert_with(|| {
                let word = circuit.word_input(width);
                let (least, greatest) = declaration.range;
                for (bound, is_least) in [(least, true), (greatest, false)] {
                    let bound = circuit.word_constant(width, bound);
                    let (low, high) = if is_least { (&bound, &word) } else { (&word, &bound) };
                    let inside = circuit.less_or_equal(low, high);
                    if width > 1 {
                        decider.assert(circuit, inside);
                    }
                }
                word
            });
            self.numbers.insert(*variable, (word.clone(), declaration.sort));
        }
        let Oracle { circuit, blaster, words, .. } = &mut *self.oracle;
        blaster.truth(circuit, self.terms, conjunct, &mut |_, variable| words.get(&variable).cloned())
    }
}
