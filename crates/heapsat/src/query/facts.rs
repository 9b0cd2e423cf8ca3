//! Which assumptions of the circuit express the facts that a path knows about its input?

use std::collections::HashMap;

use lazuli_logic::circuit::{Blaster, Lit, Word};
use lazuli_logic::{Node, Sort, Term, Terms, Variable};
use lazuli_vm::state::State;
use lazuli_vm::symbols::Entry;
use lazuli_vm::value::{ObjId, Value};

use crate::exec::value::{Pointee, PointsTo, SymValue, any_of, guard_of, same};
use crate::query::oracle::Oracle;

/// The facts of a path, in terms of the circuit.
pub(crate) struct Facts<'a> {
    pub(crate) oracle: &'a mut Oracle,
    pub(crate) terms: &'a Terms,
    pub(crate) path: &'a State,
    /// The inputs that the relations lead to, each with its points-to set.
    pub(crate) objects: Vec<(ObjId, PointsTo)>,
    pub(crate) literals: Vec<Lit>,
    /// The words of the variables that the path speaks of.
    pub(crate) numbers: HashMap<Variable, (Word, Sort)>,
    /// Are all facts among the literals? A missing one only makes fewer questions unsatisfiable.
    pub(crate) is_all: bool,
}

impl<'a> Facts<'a> {
    /// Collects the facts of a path. None if the circuit is about other inputs, so that a refutation would mean nothing.
    pub(crate) fn of(oracle: &'a mut Oracle, terms: &'a Terms, path: &'a State) -> Option<Facts<'a>> {
        let (objects, literals, numbers) = (Vec::new(), Vec::new(), HashMap::new());
        let mut facts = Facts { oracle, terms, path, objects, literals, numbers, is_all: true };
        facts.collect()?;
        Some(facts)
    }
}

impl Facts<'_> {
    fn collect(&mut self) -> Option<()> {
        let roots: Vec<(usize, PointsTo)> =
            self.oracle.roots.iter().map(|(root, refs)| (*root, refs.clone())).collect();
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
        for conjunct in &self.path.symbols.condition.conjuncts {
            match self.condition(*conjunct) {
                Some(literal) => self.literals.push(literal),
                // A condition that is not bit-blasted is left out.
                None => self.is_all = false,
            }
        }
        self.is_all &= self.objects.len() == self.path.symbols.inputs.len() && !self.knows_further_roots();
        Some(())
    }

    /// Does the path know an object by a root that has no invariant?
    fn knows_further_roots(&self) -> bool {
        let symbols = &self.path.symbols;
        let mut further = symbols.roots.iter().enumerate().filter(|(at, _)| !self.oracle.roots.contains_key(at));
        further.any(|(_, root)| matches!(symbols.settled(root.value), Value::Ref(_)))
    }

    /// Notes that a fact cannot be expressed.
    fn leave_out(&mut self) -> Option<()> {
        self.is_all = false;
        Some(())
    }

    fn field(&mut self, refs: &PointsTo, slot: u32, value: Value) -> Option<()> {
        let mut parts = Vec::new();
        for (target, when) in refs.iter() {
            let Pointee::Atom(atom) = target else { continue };
            let universe = &self.oracle.universe;
            let is_number = universe.saturation.is_some() && !universe.places.contains_key(&(*atom, slot));
            if universe.narrow.contains_key(&(*atom, slot)) || is_number {
                // It has too few bits for the facts of the path.
                return self.leave_out();
            }
            match self.oracle.universe.at_entry((*atom, slot)) {
                Some(value) => parts.push((*when, value)),
                // The invariant does not read it: it may be anything.
                None => return self.leave_out(),
            }
        }
        match any_of(&mut self.oracle.circuit, &parts)? {
            SymValue::Ref(refs) => self.reference(value, refs),
            SymValue::Word(word) => self.number(value, word),
            SymValue::Undefined => None,
        }
    }

    fn reference(&mut self, value: Value, refs: PointsTo) -> Option<()> {
        let null = guard_of(&refs, Pointee::Null);
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
    fn object(&mut self, object: ObjId, refs: PointsTo) -> Option<()> {
        let circuit = &mut self.oracle.circuit;
        if let Some((_, before)) = self.objects.iter().find(|(known, _)| *known == object) {
            self.literals.push(same(circuit, before, &refs));
            return Some(());
        }
        let input = self.path.symbols.input(object)?;
        let class = self.path.heap.class(object);
        // A new object: it is one of the atoms of its class, and none of the objects that were met before.
        let mut fitting = Vec::new();
        for (target, when) in refs.iter() {
            let Pointee::Atom(atom) = target else {
                // Objects without atoms are not distinguished.
                self.is_all &= *target == Pointee::Null;
                continue;
            };
            let own = self.oracle.universe.atoms[*atom as usize].class;
            if own.is_open() || class.is_open() || own.id == class.id {
                self.is_all &= own.id == class.id;
                fitting.push((*target, *when));
            } else if *when == Lit::TRUE {
                // The circuit is about receivers of another class.
                return None;
            } else {
                self.literals.push(!*when);
            }
        }
        // An object that counts elsewhere is none of the atoms that are counted here.
        let is_counted = |(target, _): &(Pointee, Lit)| match target {
            Pointee::Atom(atom) => self.oracle.universe.atoms[*atom as usize].counted.id == input.counted.id,
            _ => false,
        };
        if !fitting.iter().all(is_counted) {
            return None;
        }
        // In no valid heap there is an object at this place.
        if fitting.is_empty() && guard_of(&refs, Pointee::Unknown) == Lit::FALSE {
            self.literals.push(Lit::FALSE);
            return Some(());
        }
        let refs: PointsTo = fitting.into();
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
            Value::Float(value) => {
                let known = circuit.word_constant(32, i64::from(value.to_bits()));
                self.literals.push(circuit.word_equal(&word, &known));
            }
            Value::Double(value) => {
                let known = circuit.word_constant(64, value.to_bits() as i64);
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
                // The entry value of an input is always a variable.
                _ => return None,
            },
            _ => return self.leave_out(),
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
                // Of floating-point numbers, those in fields are known; others have nothing to do with the structure.
                Sort::Float | Sort::Double => return None,
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
