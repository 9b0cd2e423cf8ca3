//! Does a valid input that was found before still have all that a path knows by now?
//!
//! A path learns a little at each question: that a field is null, or a certain object, or that a number is less than another. Most
//! of the time, the valid input that proved the path possible one question earlier proves it possible now (the reuse of
//! witnesses in PLI, Copia and others, ASE 2023, Algorithm 1).

use std::collections::HashMap;
use std::rc::Rc;

use lazuli_logic::evaluate::{Evaluation, satisfies};
use lazuli_logic::{Answer as Solved, Model, Node, Solver, Term};

use super::{Tools, Witness};
use crate::interp::constant_of;
use crate::state::State;
use crate::symbols::{Entry, Input, Symbols};
use crate::value::{ObjId, Value};

/// A valid input, and values for the numbers of the path that it proves possible.
#[derive(Clone)]
pub struct Fit {
    pub witness: Rc<Witness>,
    pub model: Rc<Model>,
    /// What was assumed when the numbers were solved anew, beside what the witness says.
    conjuncts: Rc<Vec<Term>>,
}

impl Fit {
    /// The witness that was just found for a path.
    pub fn new(witness: Rc<Witness>) -> Fit {
        let conjuncts = Rc::new(witness.conjuncts.clone());
        Fit { model: witness.model.clone(), witness, conjuncts }
    }
}

/// The same witness for a path that knows more, if it still fits.
pub fn refit(tools: &mut Tools, path: &State, fit: &Fit) -> Option<Fit> {
    let mut matching =
        Matching { path, witness: &fit.witness, objects: HashMap::new(), taken: Vec::new(), is_named_alike: true };
    let mut numbers = Vec::new();
    for (known, found) in path.symbols.unknowns.iter().zip(fit.witness.symbols.unknowns.iter()) {
        match (known.is, found.is) {
            (Some(known), Some(found)) => matching.reference(known, found)?,
            (None, Some(None)) if !known.may_be_null => return None,
            // An object whose invariant was never asked, because nobody had decided that there is one.
            (Some(Some(_)), None) => return None,
            _ => {}
        }
    }
    // Inputs are met in an order in which each is reached from one before, or from a root.
    for input in path.symbols.inputs.iter() {
        matching.input(input, &mut numbers)?;
    }
    let mut model = (*fit.model).clone();
    for (variable, value) in numbers {
        let Node::Variable(variable) = tools.vm.terms.node(variable) else { continue };
        let constant = match value {
            Value::Term(term, _) => Evaluation::new(&tools.vm.terms, &fit.model).value(term),
            other => constant_of(other)?,
        };
        model.set(variable, constant);
    }
    let conjuncts = &path.symbols.path.conjuncts;
    if satisfies(&tools.vm.terms, &model, conjuncts) {
        return Some(Fit { model: Rc::new(model), ..fit.clone() });
    }
    // The shape fits. Other numbers may do, if both speak of the same ones.
    if !matching.is_named_alike {
        return None;
    }
    let mut all: Vec<Term> = fit.conjuncts.to_vec();
    all.extend(conjuncts.iter().filter(|conjunct| !fit.conjuncts.contains(conjunct)));
    match tools.chain.check(&tools.vm.terms, &all, tools.limits) {
        Solved::Sat(model) => {
            Some(Fit { witness: fit.witness.clone(), model: Rc::new(model), conjuncts: Rc::new(all) })
        }
        _ => None,
    }
}

/// Which object of the witness each input of the path is.
struct Matching<'a> {
    path: &'a State,
    witness: &'a Witness,
    objects: HashMap<ObjId, ObjId>,
    taken: Vec<ObjId>,
    is_named_alike: bool,
}

impl Matching<'_> {
    fn reference(&mut self, known: Option<ObjId>, found: Option<ObjId>) -> Option<()> {
        match (known, found) {
            (None, None) => Some(()),
            (Some(known), Some(found)) => self.object(known, found),
            _ => None,
        }
    }

    fn object(&mut self, known: ObjId, found: ObjId) -> Option<()> {
        if let Some(before) = self.objects.get(&known) {
            return (*before == found).then_some(());
        }
        if self.taken.contains(&found) {
            return None;
        }
        let (one, other) = (self.path.heap.class(known), self.witness.state.heap.class(found));
        let fits = one.id == other.id
            || one.possible().is_some_and(|possible| possible.known.iter().any(|class| class.id == other.id));
        if !fits {
            return None;
        }
        self.objects.insert(known, found);
        self.taken.push(found);
        Some(())
    }

    fn input(&mut self, input: &Input, numbers: &mut Vec<(Term, Value)>) -> Option<()> {
        let in_witness: &Symbols = &self.witness.symbols;
        // The first inputs, which no field leads to, were there when the witness was found.
        let found = match self.objects.get(&input.object) {
            Some(found) => *found,
            None if in_witness.input(input.object).is_some_and(|other| other.name == input.name) => {
                self.object(input.object, input.object)?;
                input.object
            }
            // The invariant never looked at the place that leads here: anything will do.
            None => return Some(()),
        };
        let other = in_witness.input(found)?;
        self.is_named_alike &= other.name == input.name;
        match (&input.entry, &other.entry) {
            (Entry::Fields(known), Entry::Fields(found)) => {
                for (known, found) in known.iter().zip(found.iter()) {
                    self.value(*known, *found, numbers)?;
                }
                Some(())
            }
            (Entry::Elements(known), Entry::Elements(found)) => {
                for (index, known) in known.iter() {
                    match found.iter().find(|(other, _)| other == index) {
                        Some((_, found)) => self.value(*known, *found, numbers)?,
                        // Another index of the witness may be the same number.
                        None => return None,
                    }
                }
                Some(())
            }
            _ => None,
        }
    }

    fn value(&mut self, known: Value, found: Value, numbers: &mut Vec<(Term, Value)>) -> Option<()> {
        let (known, found) = (self.path.symbols.settled(known), self.witness.symbols.settled(found));
        match (known, found) {
            (Value::Unread, _) | (_, Value::Unread) => Some(()),
            (Value::Ref(known), Value::Ref(found)) => self.reference(known, found),
            (Value::Unknown(id), Value::Ref(None)) => self.path.symbols.unknown(id).may_be_null.then_some(()),
            (Value::Unknown(_), _) | (_, Value::Unknown(_)) => Some(()),
            (Value::Term(variable, _), found) => {
                if found != known {
                    self.is_named_alike = false;
                }
                numbers.push((variable, found));
                Some(())
            }
            (known, found) => (known == found).then_some(()),
        }
    }
}
