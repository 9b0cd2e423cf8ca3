//! What does a path know about its input, in terms of the circuit?

use std::collections::HashMap;

use lazuli_logic::circuit::{Blaster, Lit, Word};
use lazuli_logic::{Node, Sort, Term, Terms, Variable};
use lazuli_vm::state::State;
use lazuli_vm::symbols::Entry;
use lazuli_vm::value::{ObjId, Value};

use super::meaning::{Meaning, Refs, Target, any_of, is, same};
use super::oracle::Oracle;

/// What a path knows, in terms of the circuit.
pub struct Facts<'a> {
    pub oracle: &'a mut Oracle,
    pub terms: &'a Terms,
    pub path: &'a State,
    /// The inputs that the relations lead to, and what each may be.
    pub objects: Vec<(ObjId, Refs)>,
    pub literals: Vec<Lit>,
    /// The words of the variables that the path speaks of.
    pub numbers: HashMap<Variable, (Word, Sort)>,
    /// Is all that the path knows about its input among the literals? What is left out makes less impossible.
    pub is_all: bool,
}

impl<'a> Facts<'a> {
    /// All that a path knows. None if something is known that the relations cannot express, so that they may say impossible where it is not.
    pub fn of(oracle: &'a mut Oracle, terms: &'a Terms, path: &'a State) -> Option<Facts<'a>> {
        let (objects, literals, numbers) = (Vec::new(), Vec::new(), HashMap::new());
        let mut facts = Facts { oracle, terms, path, objects, literals, numbers, is_all: true };
        facts.collect()?;
        Some(facts)
    }
}

impl Facts<'_> {
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
        for conjunct in &self.path.symbols.condition.conjuncts {
            match self.condition(*conjunct) {
                Some(literal) => self.literals.push(literal),
                // What is not said in bits is left out.
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

    /// Something that the path knows cannot be said.
    fn leave_out(&mut self) -> Option<()> {
        self.is_all = false;
        Some(())
    }

    fn field(&mut self, refs: &Refs, slot: u32, value: Value) -> Option<()> {
        let mut parts = Vec::new();
        for (target, when) in refs.iter() {
            let Target::Atom(atom) = target else { continue };
            let universe = &self.oracle.universe;
            let is_number = universe.near.is_some() && !universe.places.contains_key(&(*atom, slot));
            if universe.narrow.contains_key(&(*atom, slot)) || is_number {
                // It has too few bits for what the path knows.
                return self.leave_out();
            }
            match self.oracle.universe.at_entry((*atom, slot)) {
                Some(meaning) => parts.push((*when, meaning)),
                // The invariant does not read it: it may be anything.
                None => return self.leave_out(),
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
            let Target::Atom(atom) = target else {
                // Which of the objects it is for which there are no atoms, nobody says.
                self.is_all &= *target == Target::Null;
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
        let is_counted = |(target, _): &(Target, Lit)| match target {
            Target::Atom(atom) => self.oracle.universe.atoms[*atom as usize].counted.id == input.counted.id,
            _ => false,
        };
        if !fitting.iter().all(is_counted) {
            return None;
        }
        // In no valid heap there is an object at this place.
        if fitting.is_empty() && is(&refs, Target::Other) == Lit::FALSE {
            self.literals.push(Lit::FALSE);
            return Some(());
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
