//! Which answers lead a search to an input that the solver has found?

use std::collections::HashMap;
use std::rc::Rc;

use lazuli_logic::evaluate::satisfies;
use lazuli_logic::{Constant, Model, Node, Terms};
use lazuli_vm::outcome::{Answer, Question};
use lazuli_vm::state::State;
use lazuli_vm::symbols::Entry;
use lazuli_vm::value::{ObjId, Value};

/// A whole input, as numbered objects.
#[derive(Default)]
pub struct Guide {
    /// The number of each object that the path knows.
    pub atoms: HashMap<ObjId, u32>,
    /// The values of fields, by object and slot.
    pub fields: HashMap<(u32, u32), GuideValue>,
    /// Values of the variables that the path speaks of.
    pub model: Model,
}

/// The value of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GuideValue {
    /// Null, or an object by its number.
    Ref(Option<u32>),
    /// An object of which nothing is known.
    Something,
    /// A number.
    Number(i64),
}

impl Guide {
    /// The answer that leads to the guide's input; none if the guide does not know.
    pub fn choose(&mut self, terms: &Terms, state: &State, question: &Question, answers: &[Answer]) -> Option<usize> {
        self.learn(terms, state);
        match question {
            Question::Branch(_) | Question::Cases(_) | Question::Length { .. } => {
                answers.iter().position(|answer| match answer {
                    Answer::Assume(term) => satisfies(terms, &self.model, &[*term]),
                    _ => false,
                })
            }
            Question::Read { place, .. } => {
                let atom = self.atoms.get(&place.object)?;
                let target = match self.fields.get(&(*atom, place.slot))? {
                    GuideValue::Ref(target) => target,
                    // A new one is most likely to do.
                    GuideValue::Something => {
                        let is_new = |answer: &Answer| matches!(answer, Answer::Fresh);
                        let is_any = |answer: &Answer| matches!(answer, Answer::Alias(_));
                        return answers.iter().position(is_new).or_else(|| answers.iter().position(is_any));
                    }
                    GuideValue::Number(_) => return None,
                };
                let known = target
                    .and_then(|target| self.atoms.iter().find(|(_, atom)| **atom == target).map(|(object, _)| *object));
                answers.iter().position(|answer| match (answer, target, known) {
                    (Answer::Null, None, _) => true,
                    (Answer::Alias(object), Some(_), Some(known)) => *object == known,
                    (Answer::Fresh, Some(_), None) => true,
                    _ => false,
                })
            }
            _ => None,
        }
    }

    /// Notes which object a new input is.
    pub fn met(&mut self, question: &Question, state: &State) {
        if let Question::Read { place, .. } = question
            && let Some(Entry::Fields(fields)) = state.symbols.input(place.object).map(|input| &input.entry)
            && let Value::Ref(Some(object)) = fields[place.slot as usize]
            && let Some(atom) = self.atoms.get(&place.object)
            && let Some(GuideValue::Ref(Some(target))) = self.fields.get(&(*atom, place.slot))
        {
            self.atoms.insert(object, *target);
        }
    }

    /// Gives the variables that the invariant read their values.
    pub fn learn(&mut self, terms: &Terms, state: &State) {
        for input in state.symbols.inputs.iter() {
            let (Some(atom), Entry::Fields(fields)) = (self.atoms.get(&input.object), &input.entry) else { continue };
            for (slot, value) in fields.iter().enumerate() {
                if let Value::Term(term, sort) = value
                    && let Node::Variable(variable) = terms.node(*term)
                    && self.model.chosen(variable).is_none()
                    && let Some(GuideValue::Number(number)) = self.fields.get(&(*atom, slot as u32))
                {
                    self.model.set(variable, Constant::of_bits(*sort, *number as u64));
                }
            }
        }
    }

    /// The values of variables, as a witness of the path condition.
    pub fn witness(&self) -> Rc<Model> {
        Rc::new(self.model.clone())
    }
}
