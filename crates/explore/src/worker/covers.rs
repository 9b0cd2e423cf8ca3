//! Does one state stand for another: one that calls reached, or one in the middle of a program?
//!
//! Xie, Marinov, Schulte and Notkin, "Symstra: A Framework for Generating Object-Oriented Unit Tests using Symbolic Execution" (TACAS 2005),
//! section 4: a state covers another if their heaps are isomorphic, up to what primitive places hold, and the condition of the other one
//! implies its own, with the contents of the other's places for its variables. Example: after `new Counter(x)`, the only leaf is the variable x,
//! without a condition; after `new Counter(y)` and `increment()` with y < 10, it is y + 1. Any number can be x, so that the first covers the
//! second, and nothing that calls do to the second is new.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use lazuli_logic::evaluate::satisfies;
use lazuli_logic::{Chain, Node, Solver, SolverLimits, Sort, Term, Terms, Variable};
use lazuli_vm::frame::Purpose;
use lazuli_vm::heap::{Body, Heap};
use lazuli_vm::program::GenericType;
use lazuli_vm::state::State;
use lazuli_vm::value::{ObjId, UnknownId, Value};

use crate::path::Path;
use crate::technique::calls::held_before;

/// The shape of a state: everything but the primitives.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Shape {
    tokens: Vec<u64>,
    hash: u64,
}

/// A state as far as later calls can tell it from others.
pub(super) struct Portrait {
    /// The shape of the heap.
    pub shape: Shape,
    /// The primitives, in the order in which the walk came to them.
    pub leaves: Vec<Value>,
    /// Where each of them is.
    pub places: Vec<LeafPlace>,
    conjuncts: Vec<Term>,
}

/// Where a state has a primitive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LeafPlace {
    /// In a register of the thread's stack.
    Register(usize),
    /// In a field of an object.
    Field(ObjId, usize),
    /// In an array.
    Element(ObjId, i32),
    /// In an array that is not known in full, or among what the code around holds.
    Elsewhere,
}

impl LeafPlace {
    /// Writes another primitive there. False if that is not done.
    pub(super) fn write(self, path: &mut Path, value: Value) -> bool {
        match self {
            LeafPlace::Register(at) => path.thread.stack[at] = value,
            LeafPlace::Field(object, slot) => path.heap.set_field(object, slot, value),
            LeafPlace::Element(object, index) => {
                if !matches!(path.heap.get(object).body, Body::Mixed(_)) {
                    path.heap.mix(object);
                }
                return path.heap.set_element(object, index, value);
            }
            LeafPlace::Elsewhere => return false,
        }
        true
    }
}

impl Shape {
    /// The same for equal shapes.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }
}

const NULL: u64 = 1;
const LEAF: u64 = 2;
const UNREAD: u64 = 3;
const OLD: u64 = 4;
const SEEN: u64 = 5;
const NEW: u64 = 6;
const UNKNOWN: u64 = 7;
const KNOWN_UNKNOWN: u64 = 8;
const OTHER: u64 = 9;
const DEAD: u64 = 10;

/// Is it an object of which nothing is known but what its interfaces are?
fn is_opaque(path: &Path, object: ObjId) -> bool {
    let class = path.heap.class(object);
    class.is_open() && (class.is_interface() || !class.is_users())
}

impl Portrait {
    /// Draws what the seeds reach, and what differs from the heap before all calls. None if the state depends on something that two states
    /// are not compared by: values from outside, hash codes, what code has got hold of that is not there.
    pub(super) fn of(path: &Path, start: &Heap, seeds: &[Value]) -> Option<Portrait> {
        let symbols = &path.symbols;
        if !symbols.taken.is_empty()
            || !symbols.hashes.is_empty()
            || symbols.condition.is_doubtful
            || symbols.has_hashed
        {
            return None;
        }
        let mut walk = EncodingWalk::new(path, start);
        for seed in seeds {
            walk.value(*seed);
        }
        walk.end()
    }

    /// Draws a program that runs, as far as what it does from here on depends on it. `is_live` says which registers it may still read: the frame,
    /// counted from the bottom, and the number of the register. None if it depends on something that states are not compared by.
    pub(super) fn running(path: &Path, start: &State, is_live: impl Fn(usize, usize) -> bool) -> Option<Portrait> {
        let symbols = &path.symbols;
        let is_plain = symbols.inputs.is_empty()
            && symbols.unknowns.is_empty()
            && symbols.taken.is_empty()
            && symbols.hashes.is_empty()
            && !symbols.has_hashed
            && symbols.pending_builds.is_empty()
            && symbols.labels.is_empty()
            && symbols.unknown_calls.is_empty()
            && symbols.contract_count == 0
            && symbols.judged.is_empty()
            && symbols.thrown.is_none()
            && symbols.made.is_none()
            && symbols.past.is_none()
            && path.monitors.is_empty()
            && path.threads.is_none()
            && !symbols.condition.is_doubtful
            && !symbols.condition.is_unproven
            && path.roots.failures.len() == start.roots.failures.len();
        if !is_plain {
            return None;
        }
        let mut walk = EncodingWalk::new(path, &start.heap);
        for (at, frame) in path.thread.frames.iter().enumerate() {
            let code = std::ptr::from_ref(frame.code) as u64;
            walk.tokens.extend([frame.method.id.index() as u64, code, frame.pc as u64, frame.sp as u64]);
            match frame.purpose {
                Purpose::Call => walk.tokens.push(0),
                Purpose::Initialise(class) => walk.tokens.extend([1, class.id.index() as u64]),
                Purpose::Detour => walk.tokens.push(2),
                Purpose::Entry => walk.tokens.push(3),
                Purpose::Make | Purpose::Refill | Purpose::Judge(_) | Purpose::Assume | Purpose::Thread => return None,
            }
            walk.value(Value::Ref(frame.synchronized));
            for register in 0..frame.sp as usize {
                if is_live(at, register) {
                    let index = frame.base as usize + register;
                    walk.place = LeafPlace::Register(index);
                    walk.value(path.thread.stack[index]);
                } else {
                    walk.tokens.push(DEAD);
                }
            }
        }
        walk.place = LeafPlace::Elsewhere;
        // States are alike only if properties have seen the same, as far as it matters later.
        if path.thread.watch.as_ref().is_some_and(|watch| !watch.events.is_empty() || watch.leaving.is_some()) {
            return None;
        }
        let standing = path.monitor.as_ref().map_or(&[][..], |monitor| &monitor.standing);
        walk.tokens.push(standing.len() as u64);
        for standing in standing {
            walk.tokens.extend([standing.property as u64, standing.state as u64]);
            walk.value(Value::Ref(standing.object));
        }
        for (class, slot) in path.classes.changed_since(&start.classes) {
            walk.tokens.extend([class as u64, slot.initialisation as u64]);
            walk.value(Value::Ref(slot.mirror));
        }
        for (string, object) in path.strings.made_since(&start.strings) {
            walk.tokens.push(string as u64);
            walk.value(object.into());
        }
        walk.end()
    }

    /// The same for states that have one shape and the same known numbers.
    pub(super) fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.shape.hash.hash(&mut hasher);
        for leaf in &self.leaves {
            match *leaf {
                Value::Int(value) => (1, value as i64).hash(&mut hasher),
                Value::Long(value) => (2, value).hash(&mut hasher),
                Value::Float(value) => (3, value.to_bits() as i64).hash(&mut hasher),
                Value::Double(value) => (4, value.to_bits() as i64).hash(&mut hasher),
                _ => 5.hash(&mut hasher),
            }
        }
        hasher.finish()
    }

    /// The conditions that the state is under.
    pub(super) fn conjuncts(&self) -> &[Term] {
        &self.conjuncts
    }

    /// Is everything that the other state can be also something that this one can be? False if that is not known, or would have to be asked of the
    /// solvers and `asks` is not set.
    pub(super) fn covers(
        &self,
        other: &Portrait,
        path: &Path,
        terms: &mut Terms,
        chain: &mut Chain,
        limits: &SolverLimits,
        asks: bool,
    ) -> bool {
        if self.shape != other.shape || self.leaves.len() != other.leaves.len() {
            return false;
        }
        let mut by: HashMap<Variable, Term> = HashMap::new();
        let mut equal: Vec<(Term, Term)> = Vec::new();
        for (mine, others) in self.leaves.iter().zip(&other.leaves) {
            // Zero and minus zero are equal, but not the same.
            if mine == others && matches!(mine, Value::Int(_) | Value::Long(_)) {
                continue;
            }
            let (Some(mine), Some(others)) = (term_of(terms, *mine), term_of(terms, *others)) else { return false };
            if terms.sort(mine) != terms.sort(others) {
                return false;
            }
            match terms.node(mine) {
                Node::Variable(variable) if !by.contains_key(&variable) => drop(by.insert(variable, others)),
                _ => equal.push((mine, others)),
            }
        }
        let mut goals: Vec<Term> = Vec::new();
        let value = |variable: Variable| by.get(&variable).copied();
        let is_bound = |variable: &Variable| by.contains_key(variable);
        for (mine, others) in equal {
            if !terms.variables_of(mine).iter().all(is_bound) {
                return false;
            }
            let mine = terms.substitute(mine, &value);
            if matches!(terms.sort(mine), Sort::Float | Sort::Double) {
                // Equality of these numbers is not identity.
                if mine != others {
                    return false;
                }
                continue;
            }
            goals.push(terms.equal(mine, others));
        }
        // A condition on variables that are in no place can be true, because the state exists. Where it is tied to one that is in a place, its other
        // variables may be what they are in the other state, where they are the same unknowns.
        let mut kept: HashSet<Variable> = by.keys().copied().collect();
        let mut waiting: Vec<Term> = self.conjuncts.clone();
        loop {
            let is_tied =
                |conjunct: &Term| terms.variables_of(*conjunct).iter().any(|variable| kept.contains(variable));
            let (tied, free): (Vec<Term>, Vec<Term>) = waiting.into_iter().partition(is_tied);
            if tied.is_empty() {
                break;
            }
            for conjunct in tied {
                kept.extend(terms.variables_of(conjunct).iter().copied());
                goals.push(terms.substitute(conjunct, &value));
            }
            waiting = free;
        }
        for (variable, term) in by.iter().collect::<Vec<_>>() {
            let (least, greatest) = terms.declaration(*variable).range;
            let (lowest, highest) = match terms.sort(*term) {
                Sort::Int | Sort::Long => terms.range(*term),
                _ => continue,
            };
            let sort = terms.sort(*term);
            let bound = |terms: &mut Terms, value: i64| match sort {
                Sort::Int => terms.int(value as i32),
                _ => terms.long(value),
            };
            if lowest < least {
                let least = bound(terms, least);
                goals.push(terms.less_or_equal(least, *term));
            }
            if highest > greatest {
                let greatest = bound(terms, greatest);
                goals.push(terms.less_or_equal(*term, greatest));
            }
        }
        let known: HashSet<Term> = other.conjuncts.iter().chain(&path.symbols.condition.implied).copied().collect();
        goals.retain(|goal| {
            terms.as_constant(*goal) != Some(lazuli_logic::Constant::Bool(true)) && !known.contains(goal)
        });
        if goals.is_empty() {
            return true;
        }
        if !asks {
            return false;
        }
        if let Some(witness) = &path.symbols.condition.witness
            && !satisfies(terms, witness, &goals)
        {
            return false;
        }
        goals.into_iter().all(|goal| {
            let negation = terms.not(goal);
            if terms.as_constant(negation).is_some() {
                return false;
            }
            let asked: Vec<Term> = other.conjuncts.iter().copied().chain([negation]).collect();
            matches!(chain.check(terms, &asked, limits), lazuli_logic::SolverAnswer::Unsat)
        })
    }
}

pub(super) fn term_of(terms: &mut Terms, value: Value) -> Option<Term> {
    Some(match value {
        Value::Int(value) => terms.int(value),
        Value::Long(value) => terms.long(value),
        Value::Float(value) => terms.constant(lazuli_logic::Constant::Float(value.to_bits())),
        Value::Double(value) => terms.constant(lazuli_logic::Constant::Double(value.to_bits())),
        Value::Term(term, _) => term,
        _ => return None,
    })
}

/// Larger states than this are not compared.
const MOST_TOKENS: usize = 20_000;

struct EncodingWalk<'a> {
    path: &'a Path,
    start: &'a Heap,
    tokens: Vec<u64>,
    leaves: Vec<Value>,
    places: Vec<LeafPlace>,
    /// Of the value that is looked at.
    place: LeafPlace,
    numbers: HashMap<ObjId, u64>,
    unknowns: HashMap<UnknownId, u64>,
    next: Vec<ObjId>,
}

impl<'a> EncodingWalk<'a> {
    fn new(path: &'a Path, start: &'a Heap) -> EncodingWalk<'a> {
        EncodingWalk {
            path,
            start,
            tokens: Vec::new(),
            leaves: Vec::new(),
            places: Vec::new(),
            place: LeafPlace::Elsewhere,
            numbers: HashMap::new(),
            unknowns: HashMap::new(),
            next: Vec::new(),
        }
    }

    /// Goes through all that was not looked at yet, and gives the portrait.
    fn end(mut self) -> Option<Portrait> {
        let (path, symbols) = (self.path, &self.path.symbols);
        self.finish()?;
        for changed in path.heap.changed_since(self.start) {
            self.tokens.push(OLD);
            self.tokens.push(changed.index() as u64);
            self.object(changed)?;
            self.finish()?;
        }
        // Code that is not there may later change what it has got hold of.
        let is_seen = |value: Value| match symbols.settled(value) {
            Value::Ref(Some(object)) => self.numbers.contains_key(&object) && !is_opaque(path, object),
            Value::Unknown(id) => self.unknowns.contains_key(&id),
            _ => false,
        };
        if symbols.known_to_unknown_code().any(is_seen) {
            return None;
        }
        let EncodingWalk { tokens, leaves, places, .. } = self;
        let mut hasher = DefaultHasher::new();
        tokens.hash(&mut hasher);
        let shape = Shape { hash: hasher.finish(), tokens };
        Some(Portrait { shape, leaves, places, conjuncts: symbols.condition.conjuncts.clone() })
    }

    fn value(&mut self, value: Value) {
        match self.path.symbols.settled(value) {
            Value::Ref(None) => self.tokens.push(NULL),
            Value::Ref(Some(object)) if self.start.contains(object) => {
                self.tokens.extend([OLD, object.index() as u64]);
            }
            Value::Ref(Some(object)) => match self.numbers.get(&object) {
                Some(number) => self.tokens.extend([SEEN, *number]),
                None => {
                    let number = self.numbers.len() as u64;
                    self.numbers.insert(object, number);
                    self.tokens.push(NEW);
                    self.next.push(object);
                }
            },
            Value::Unread => self.tokens.push(UNREAD),
            Value::Unknown(id) => match self.unknowns.get(&id) {
                Some(number) => self.tokens.extend([KNOWN_UNKNOWN, *number]),
                None => {
                    let number = self.unknowns.len() as u64;
                    self.unknowns.insert(id, number);
                    let unknown = self.path.symbols.unknown(id);
                    let held = self.path.sequence.as_ref().map_or(0, |sequence| held_before(sequence, id)) as u64;
                    let declared = unknown.declared.id.index() as u64;
                    let flags = unknown.may_be_null as u64 | (unknown.is_callers as u64) << 1;
                    self.tokens.extend([UNKNOWN, declared, flags, unknown.depth as u64, held]);
                    if let Some(generic) = &unknown.generic {
                        type_tokens(generic, &mut self.tokens);
                    }
                }
            },
            leaf @ (Value::Int(_) | Value::Long(_) | Value::Float(_) | Value::Double(_) | Value::Term(..)) => {
                self.tokens.push(LEAF);
                self.leaves.push(leaf);
                self.places.push(self.place);
            }
            _ => self.tokens.push(OTHER),
        }
    }

    fn finish(&mut self) -> Option<()> {
        while let Some(object) = self.next.pop() {
            self.object(object)?;
        }
        Some(())
    }

    fn object(&mut self, object: ObjId) -> Option<()> {
        let found = self.path.heap.get(object);
        // Two texts that nothing has looked into yet may differ.
        let is_untold = self.path.symbols.untold_text(object).is_some();
        if found.hash != 0 || is_untold || self.tokens.len() > MOST_TOKENS {
            return None;
        }
        let is_cached = self.path.symbols.boxes.contains(&object);
        let is_lazy = self.path.symbols.input(object).is_some_and(|_| !is_made(self.path, object));
        self.tokens.extend([found.class.id.index() as u64, is_cached as u64 | (is_lazy as u64) << 1]);
        match &found.body {
            Body::Fields(values) | Body::Refs(values) | Body::Mixed(values) => {
                self.tokens.push(values.len() as u64);
                let is_array = !matches!(found.body, Body::Fields(_));
                for (at, value) in values.iter().enumerate() {
                    self.place = match is_array {
                        true => LeafPlace::Element(object, at as i32),
                        false => LeafPlace::Field(object, at),
                    };
                    self.value(*value);
                }
            }
            Body::Sparse(sparse) => {
                self.place = LeafPlace::Elsewhere;
                self.tokens.push(sparse.touched.len() as u64);
                self.value(sparse.length);
                for (index, value) in &sparse.touched {
                    self.value(*index);
                    self.value(*value);
                }
                self.value(sparse.others);
            }
            Body::Free => self.tokens.push(OTHER),
            _ => {
                let length = self.path.heap.length(object).unwrap_or(0);
                self.tokens.push(length as u64);
                for index in 0..length {
                    self.place = LeafPlace::Element(object, index as i32);
                    self.value(self.path.heap.element(object, index as i32)?);
                }
            }
        }
        Some(())
    }
}

/// A type with its arguments.
fn type_tokens(generic: &GenericType, tokens: &mut Vec<u64>) {
    tokens.extend([generic.class.id.index() as u64, generic.is_exact as u64, generic.arguments.len() as u64]);
    tokens.push(generic.also.len() as u64);
    generic.arguments.iter().chain(&generic.also).for_each(|part| type_tokens(part, tokens));
}

fn is_made(path: &Path, object: ObjId) -> bool {
    path.sequence.as_ref().is_some_and(|sequence| sequence.objects.contains(&object))
}
