//! Which questions about a path's input does a valid object answer that is known already?
//!
//! A valid object with all that a path knows proves that nothing would refuse the path: neither the solver nor the hybrid invariant, which
//! finds no fault with a part of what it accepts. So a path keeps one, its evidence. Of the answers to a read, the evidence has one;
//! for another, a solver is asked. Where that is cheaper, a guess comes first: with null in all places that were never
//! read, the invariant itself says whether the object is valid.

use std::cell::Cell;

use lazuli_heapsat::FieldValue;
use lazuli_vm::outcome::{Answer, End, Place, Question, Stop};
use lazuli_vm::state::State;
use lazuli_vm::symbols::Entry;
use lazuli_vm::universe::may_hold_null;
use lazuli_vm::value::{ObjId, Value};

use crate::label::Evidence;
use crate::labels::Labeller;
use crate::{Fact, Partial, Referent, Tools};

/// The result of looking for valid objects with certain facts.
pub enum FactSearch {
    /// One is in the list.
    Listed(Evidence),
    /// One is there, says the solver.
    Told(Evidence),
    /// No valid object has the facts.
    None,
    /// The solver gave up, or the facts cannot be expressed.
    Unknown,
}

/// How often the guess was right, and wrong.
#[derive(Default)]
pub(crate) struct Guesses {
    right: Cell<u32>,
    wrong: Cell<u32>,
}

/// Wrong guesses that are made before any is right, and for each that is: a question to the solver takes as long as many.
const PATIENCE: u32 = 8;

impl FactSearch {
    /// Is there one? None if that is unknown.
    pub fn is_possible(&self) -> Option<bool> {
        match self {
            FactSearch::Listed(_) | FactSearch::Told(_) => Some(true),
            FactSearch::None => Some(false),
            FactSearch::Unknown => None,
        }
    }
}

impl Guesses {
    fn are_worth_it(&self) -> bool {
        self.wrong.get() / PATIENCE <= self.right.get()
    }

    fn note(&self, is_right: bool) {
        let counter = if is_right { &self.right } else { &self.wrong };
        counter.set(counter.get().saturating_add(1));
    }
}

impl Labeller {
    /// Is there evidence for all that the path knows about its input, or does a guess make some?
    pub fn has_evidence(&self, tools: &mut Tools, state: &mut Partial) -> bool {
        let before = state.labels.evidence.take();
        let Some(facts) = self.all_that_is_known(state) else { return false };
        if before.as_ref().is_some_and(|evidence| facts.iter().all(|fact| evidence.has(fact))) {
            state.labels.evidence = before;
            return true;
        }
        let guesses = self.ready.as_ref().map(|ready| &ready.guesses).filter(|guesses| guesses.are_worth_it());
        if let Some(guesses) = guesses.filter(|_| !self.refutes(&facts)) {
            state.labels.evidence = self.guess(tools, state);
            guesses.note(state.labels.evidence.is_some());
        }
        state.labels.evidence.is_some()
    }

    /// Is there nothing that the path knows about its input but facts?
    pub fn knows_facts_only(&self, state: &Partial) -> bool {
        self.all_that_is_known(state).is_some()
    }

    /// The input of a path that knows facts only, completed to an object with these.
    pub fn completed(&self, tools: &mut Tools, state: &Partial, evidence: &Evidence) -> Option<State> {
        self.filled(tools, state, &|field, owner| evidence.target(field, owner)).map(|(input, _)| input)
    }

    /// The path's input with null in all unread places of the backbone, if that is a valid object.
    fn guess(&self, tools: &mut Tools, state: &Partial) -> Option<Evidence> {
        let (input, facts) = self.filled(tools, state, &|_, _| Some(Referent::Null))?;
        let root = self.root_of(state)?;
        for invariant in &self.invariants {
            let mut run = input.fork();
            tools.vm.begin_contract(&mut run, invariant.code(), &[root.into()]).ok()?;
            let Stop::End(End::Returned(Value::Int(1))) = tools.vm.run(&mut run) else { return None };
        }
        Some(Evidence::of(&facts))
    }

    /// The facts of the path, if they are all that it knows about its input. Its knowledge about numbers might contradict the hybrid invariant, which evidence
    /// does not ask about that.
    fn all_that_is_known(&self, state: &Partial) -> Option<Vec<Fact>> {
        let (table, root) = (self.table_of(state)?, self.root_of(state)?);
        let knows_numbers = !state.symbols.condition.conjuncts.is_empty();
        if state.labels.is_impossible || !table.is_plain || knows_numbers {
            return None;
        }
        let mut known = 0;
        for input in state.symbols.inputs.iter() {
            self.certain_number(state, Some(root), input.object)?;
            let Entry::Fields(fields) = &input.entry else { return None };
            for value in fields.iter() {
                match state.symbols.settled(*value) {
                    Value::Ref(_) => known += 1,
                    Value::Unread | Value::Term(..) => {}
                    _ => return None,
                }
            }
        }
        self.facts(state).filter(|facts| facts.len() == known)
    }

    /// The path's input with more of its backbone known, and the facts of all of it. None if objects would have other numbers then.
    fn filled(
        &self,
        tools: &mut Tools,
        state: &Partial,
        target_of: &dyn Fn(u16, u16) -> Option<Referent>,
    ) -> Option<(State, Vec<Fact>)> {
        let (table, root) = (self.table_of(state)?, self.root_of(state)?);
        let backbone = &table.valid.backbone;
        let mut input = state.at_entry();
        let mut facts = self.facts(state)?;
        let mut objects: Vec<(ObjId, usize, u16)> = Vec::new();
        for known in state.symbols.inputs.iter() {
            let class = state.heap.class(known.object);
            let sort = backbone.sorts.iter().position(|sort| sort.holds(class))?;
            objects.push((known.object, sort, self.certain_number(state, Some(root), known.object)?));
        }
        let mut next = 0;
        while let Some(&(object, sort, owner)) = objects.get(next) {
            next += 1;
            for (at, field) in backbone.fields.iter().enumerate().filter(|(_, field)| field.owner == sort) {
                let FieldValue::Open = field.value(&input, object) else { continue };
                let target = target_of(at as u16, owner)?;
                let place = Place { object, slot: field.slot };
                let known = |number| objects.iter().find(|(_, sort, known)| (*sort, *known) == (field.target, number));
                let answer = match target {
                    Referent::Null if may_hold_null(&input, place) => Answer::Null,
                    Referent::Object(number) => {
                        known(number).map_or(Answer::Fresh, |(object, ..)| Answer::Alias(*object))
                    }
                    Referent::Null | Referent::Other(_) => return None,
                };
                let declared = backbone.sorts[field.target].classes[0];
                tools.vm.answer(&mut input, &Question::Read { place, declared }, &answer);
                if let (Answer::Fresh, Referent::Object(number)) = (answer, target) {
                    let FieldValue::Object(fresh) = field.value(&input, object) else { return None };
                    objects.push((fresh, field.target, number));
                }
                facts.push((at as u16, owner, target));
            }
        }
        let walk = backbone.number(&input, root);
        let is_numbered_so = walk.open.is_none() && walk.objects.iter().all(|object| objects.contains(object));
        is_numbered_so.then_some((input, facts))
    }
}
