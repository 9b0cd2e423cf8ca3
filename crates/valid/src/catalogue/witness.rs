//! Does a valid input that was found before still have all that a path knows by now?
//!
//! A path learns a little at each question: that a field is null, or a certain object, or that a number is less than another. Most
//! of the time, the valid input that proved the path possible one question earlier proves it possible now (the reuse of
//! witnesses in PLI, Copia and others, ASE 2023, Algorithm 1).

use std::rc::Rc;

use lazuli_logic::evaluate::{Evaluation, satisfies};
use lazuli_logic::{Model, Node, Solver, SolverAnswer, Sort, Term, Terms};
use lazuli_vm::interp::constant_of;
use lazuli_vm::state::State;
use lazuli_vm::universe::Bounds;
use lazuli_vm::value::Value;

use crate::catalogue::RemainingEntries;
use crate::catalogue::fill::filled;
use crate::catalogue::heap::{Match, Mismatch, PartialContents, PartialHeap, PartialValue};
use crate::{Guide, GuideValue, Tools};

/// A valid input: what the invariant read of it, and values for its numbers.
pub struct ValidInput {
    /// The objects of the input, numbered in the order in which the walk met them.
    pub form: PartialHeap,
    /// The conditions of the invariant on its numbers.
    conjuncts: Rc<Vec<Term>>,
    model: Rc<Model>,
    /// The roots whose validity was asked.
    asked: Rc<[usize]>,
}

impl ValidInput {
    /// The input of a state that the invariants have let pass.
    pub fn of(state: &State, asked: &Rc<[usize]>) -> ValidInput {
        let path = &state.symbols.condition;
        ValidInput {
            form: PartialHeap::of(state),
            conjuncts: Rc::new(path.conjuncts.clone()),
            model: path.witness.clone().unwrap_or_default(),
            asked: asked.clone(),
        }
    }
}

/// A valid input, and values for the numbers of the path that it proves possible.
#[derive(Clone)]
pub struct HeapWitness {
    witness: Rc<ValidInput>,
    /// The values of the input's numbers, which satisfy the conditions of the path so far.
    pub model: Rc<Model>,
    /// The conditions under which the numbers were solved anew, with those of the witness.
    conjuncts: Rc<Vec<Term>>,
    /// Does the path know all that the valid input says, so that it fits whatever else the path learns?
    pub is_only: bool,
    /// The valid inputs that may fit where this one does not, if they are listed.
    pub left: Option<RemainingEntries>,
}

impl HeapWitness {
    /// Makes a witness with the values that the invariant alone requires.
    pub fn new(witness: Rc<ValidInput>) -> HeapWitness {
        HeapWitness {
            model: witness.model.clone(),
            conjuncts: witness.conjuncts.clone(),
            witness,
            is_only: false,
            left: None,
        }
    }

    /// Attaches the other entries of the catalogue that may fit where this one does not.
    pub fn with(self, left: RemainingEntries) -> HeapWitness {
        HeapWitness { left: Some(left), ..self }
    }

    /// The objects of the valid input.
    pub fn form(&self) -> &PartialHeap {
        &self.witness.form
    }

    /// How an input of which a part is known is this one, whatever its numbers are.
    pub fn matching(&self, bounds: &Bounds, known: &PartialHeap) -> Result<Match, Mismatch> {
        known.matches(&self.witness.form, &self.witness.asked, bounds)
    }

    /// The same valid input for a path, if it has all that the path knows; its numbers may be others.
    pub fn rematch(&self, tools: &mut Tools, path: &State, known: &PartialHeap) -> Result<HeapWitness, Mismatch> {
        let Match { numbers, .. } = self.matching(tools.bounds, known)?;
        let terms = &mut tools.vm.terms;
        let model = with_numbers(terms, &self.model, &numbers).ok_or(Mismatch::Unsure)?;
        let conjuncts = &path.symbols.condition.conjuncts;
        if satisfies(terms, &model, conjuncts) {
            return Ok(HeapWitness { model: Rc::new(model), ..self.clone() });
        }
        // The shape fits. Other numbers may do.
        let all = self.all(terms, conjuncts, &numbers).ok_or(Mismatch::Unsure)?;
        match tools.chain.check(terms, &all, tools.limits) {
            SolverAnswer::Sat(model) => {
                let model = Rc::new(with_numbers(terms, &model, &numbers).ok_or(Mismatch::Unsure)?);
                Ok(HeapWitness { model, conjuncts: Rc::new(all), ..self.clone() })
            }
            SolverAnswer::Unsat => Err(Mismatch::Differs),
            SolverAnswer::Unknown => Err(Mismatch::Unsure),
        }
    }

    /// A path whose input is this valid one, with all that is known then. None if it may be this one in several ways.
    pub fn filled(&self, tools: &mut Tools, path: &State, known: &PartialHeap) -> Option<(State, HeapWitness)> {
        let found = self.matching(tools.bounds, known).ok().filter(|found| !found.may_overlap)?;
        let mut state = filled(&tools.vm.terms, path, &self.witness.form, &found)?;
        let conjuncts = self.all(&mut tools.vm.terms, &path.symbols.condition.conjuncts, &found.numbers)?;
        state.symbols.condition.conjuncts = conjuncts;
        state.symbols.condition.witness = Some(self.model.clone());
        Some((state, HeapWitness { is_only: true, ..self.clone() }))
    }

    /// The conditions of the witness, those of a path, and that they speak of the same numbers. None if that cannot be said.
    fn all(&self, terms: &mut Terms, conjuncts: &[Term], numbers: &[(Value, Value)]) -> Option<Vec<Term>> {
        let mut all: Vec<Term> = self.conjuncts.to_vec();
        all.extend(conjuncts.iter().filter(|conjunct| !self.conjuncts.contains(conjunct)));
        for (one, other) in numbers {
            let equal = equal(terms, *one, *other)?;
            if !all.contains(&equal) {
                all.push(equal);
            }
        }
        Some(all)
    }

    /// The way through the invariant that the valid input takes, for a path that it fits.
    pub fn guide(&self, tools: &Tools, known: &PartialHeap) -> Option<Guide> {
        let found = self.matching(tools.bounds, known).ok()?;
        let mut guide = Guide { model: (*self.model).clone(), ..Guide::default() };
        for (item, number) in known.objects.iter().zip(found.objects) {
            guide.atoms.extend(number.map(|number| (item.object, number)));
        }
        let mut values = Evaluation::new(&tools.vm.terms, &self.model);
        for (number, item) in self.witness.form.objects.iter().enumerate() {
            let PartialContents::Fields(cells) = &item.contents else { return None };
            for (slot, cell) in cells.iter().enumerate() {
                let held = match cell {
                    PartialValue::Null => GuideValue::Ref(None),
                    PartialValue::Object(object) => GuideValue::Ref(Some(*object)),
                    PartialValue::Number(Value::Term(term, _)) => GuideValue::Number(values.value(*term).integer()?),
                    PartialValue::Number(value) => GuideValue::Number(constant_of(*value)?.integer()?),
                    PartialValue::Unread | PartialValue::Undecided { .. } => continue,
                    PartialValue::Other(_) => return None,
                };
                guide.fields.insert((number as u32, slot as u32), held);
            }
        }
        Some(guide)
    }
}

/// The model with the values that the path's own names have for the numbers of the witness.
fn with_numbers(terms: &Terms, model: &Model, numbers: &[(Value, Value)]) -> Option<Model> {
    let mut all = model.clone();
    let mut values = Evaluation::new(terms, model);
    for (known, found) in numbers {
        let Value::Term(known, _) = known else { continue };
        let Node::Variable(variable) = terms.node(*known) else { return None };
        let constant = match found {
            Value::Term(term, _) => values.value(*term),
            other => constant_of(*other)?,
        };
        all.set(variable, constant);
    }
    Some(all)
}

/// That two numbers are equal; none for those whose equality is not identity.
fn equal(terms: &mut Terms, one: Value, other: Value) -> Option<Term> {
    let sort = [one, other].into_iter().find_map(|value| match value {
        Value::Term(_, sort) => Some(sort),
        _ => None,
    })?;
    let term = |terms: &mut Terms, value: Value| match value {
        Value::Term(term, _) => Some(term),
        Value::Int(value) => Some(terms.int(value)),
        Value::Long(value) => Some(terms.long(value)),
        _ => None,
    };
    let is_exact = matches!(sort, Sort::Int | Sort::Long);
    let (one, other) = (term(terms, one)?, term(terms, other)?);
    is_exact.then(|| terms.equal(one, other))
}
