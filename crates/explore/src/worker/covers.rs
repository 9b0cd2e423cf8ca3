//! Does one state that calls reached stand for another?
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
use lazuli_vm::heap::{Body, Heap};
use lazuli_vm::program::GenericType;
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
    leaves: Vec<Value>,
    conjuncts: Vec<Term>,
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
        let mut walk = EncodingWalk {
            path,
            start,
            tokens: Vec::new(),
            leaves: Vec::new(),
            numbers: HashMap::new(),
            unknowns: HashMap::new(),
            next: Vec::new(),
        };
        for seed in seeds {
            walk.value(*seed);
        }
        walk.finish()?;
        for changed in path.heap.changed_since(start) {
            walk.tokens.push(OLD);
            walk.tokens.push(changed.index() as u64);
            walk.object(changed)?;
            walk.finish()?;
        }
        // Code that is not there may later change what it has got hold of.
        let is_seen = |value: Value| match symbols.settled(value) {
            Value::Ref(Some(object)) => walk.numbers.contains_key(&object) && !is_opaque(path, object),
            Value::Unknown(id) => walk.unknowns.contains_key(&id),
            _ => false,
        };
        if symbols.known_to_unknown_code().any(is_seen) {
            return None;
        }
        let EncodingWalk { tokens, leaves, .. } = walk;
        let mut hasher = DefaultHasher::new();
        tokens.hash(&mut hasher);
        let shape = Shape { hash: hasher.finish(), tokens };
        Some(Portrait { shape, leaves, conjuncts: symbols.condition.conjuncts.clone() })
    }

    /// Is everything that the other state can be also something that this one can be? False if that is not known.
    pub(super) fn covers(
        &self,
        other: &Portrait,
        path: &Path,
        terms: &mut Terms,
        chain: &mut Chain,
        limits: &SolverLimits,
    ) -> bool {
        if self.shape != other.shape || self.leaves.len() != other.leaves.len() {
            return false;
        }
        let mut by: HashMap<Variable, Term> = HashMap::new();
        let mut equal: Vec<(Term, Term)> = Vec::new();
        for (mine, others) in self.leaves.iter().zip(&other.leaves) {
            if mine == others && !matches!(mine, Value::Term(..)) {
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
        for conjunct in &self.conjuncts {
            let variables = terms.variables_of(*conjunct);
            if variables.iter().all(is_bound) {
                goals.push(terms.substitute(*conjunct, &value));
            } else if variables.iter().any(is_bound) {
                return false;
            }
            // A condition on variables that are in no place can be true, because the state exists.
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

fn term_of(terms: &mut Terms, value: Value) -> Option<Term> {
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
    numbers: HashMap<ObjId, u64>,
    unknowns: HashMap<UnknownId, u64>,
    next: Vec<ObjId>,
}

impl EncodingWalk<'_> {
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
        if found.hash != 0 || self.tokens.len() > MOST_TOKENS {
            return None;
        }
        let is_cached = self.path.symbols.boxes.contains(&object);
        let is_lazy = self.path.symbols.input(object).is_some_and(|_| !is_made(self.path, object));
        self.tokens.extend([found.class.id.index() as u64, is_cached as u64 | (is_lazy as u64) << 1]);
        match &found.body {
            Body::Fields(values) | Body::Refs(values) | Body::Mixed(values) => {
                self.tokens.push(values.len() as u64);
                for value in values.iter() {
                    self.value(*value);
                }
            }
            Body::Sparse(sparse) => {
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
    generic.arguments.iter().for_each(|argument| type_tokens(argument, tokens));
}

fn is_made(path: &Path, object: ObjId) -> bool {
    path.sequence.as_ref().is_some_and(|sequence| sequence.objects.contains(&object))
}
