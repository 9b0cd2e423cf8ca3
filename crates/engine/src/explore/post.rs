//! What does a path owe at its end, and does it keep it? The invariant must hold again, and the postcondition be true.

use std::collections::BTreeSet;

use super::Detail;
use super::contract::{arguments_of, invariant_of};
use super::example;
use super::report::*;
use super::worker::Worker;
use crate::heap::Body;
use crate::outcome::{End, Stop};
use crate::program::Method;
use crate::state::State;
use crate::structure::{Tools, receiver};
use crate::symbols::Entry;
use crate::value::Value;

/// Choices that the check of one path's end may follow.
const MOST_STEPS: usize = 200_000;

/// A method that must return true at the end of a path.
pub struct Duty {
    pub method: &'static Method,
    pub arguments: Vec<Value>,
    /// Is it the postcondition, which gets what the target got and its result? Else it is an invariant of the receiver.
    pub is_post: bool,
}

impl Duty {
    fn kind(&self) -> &'static str {
        if self.is_post { "postcondition" } else { "invariant" }
    }

    /// What is wrong, as a sentence: the duty "is false", or "throws" something.
    fn broken(&self, how: &str) -> String {
        match self.is_post {
            true => format!("postcondition {}() {how}", self.method.name),
            false => format!("{}() {how} afterwards", self.method.name),
        }
    }
}

/// What the check of a path's end found.
enum Kept {
    Yes,
    /// The input of this state makes the duty false, or throw, at the end.
    No {
        state: Box<State>,
        what: String,
    },
    Unknown(String),
}

impl Worker<'_> {
    /// Does the path keep all that it owes? If not, the faults are reported.
    pub(super) fn keeps_contract(&mut self, ended: &State, end: &End, trace: &Trace) -> bool {
        let mut keeps = true;
        // What was valid, and is as it was, is valid. What calls made need not have been.
        let is_untouched = ended.symbols.making.is_none() && self.is_untouched(ended);
        for duty in self.duties(ended, end) {
            if is_untouched && self.is_about_input(ended, &duty) {
                continue;
            }
            match self.is_kept(ended, &duty) {
                Kept::Yes => {}
                Kept::Unknown(why) => self.summary.not_explored(why, self.method.full_name(), 1),
                Kept::No { state, what } => {
                    self.broken_duty(*state, what, &duty, trace, keeps);
                    keeps = false;
                }
            }
        }
        keeps
    }

    /// Does the duty say of an input what was true of it at entry?
    fn is_about_input(&self, ended: &State, duty: &Duty) -> bool {
        let is_invariant = self.contract.invariants.iter().any(|invariant| invariant.method.id == duty.method.id);
        let receiver = duty.arguments.first();
        let is_input = matches!(receiver, Some(Value::Ref(Some(object))) if ended.symbols.input(*object).is_some());
        !duty.is_post && is_invariant && is_input
    }

    /// Is everything that was there at entry as it was? Objects that the path made do not count: nothing refers to them.
    fn is_untouched(&self, ended: &State) -> bool {
        let is_same = |(now, then): (&Value, &Value)| now == then || *now == Value::Unread;
        let inputs = ended.symbols.inputs.iter();
        let are_inputs = inputs.clone().all(|input| match (&input.entry, &ended.heap.get(input.object).body) {
            // What an entry does not have yet, because the class became known later, was not read.
            (Entry::Fields(then), Body::Fields(now)) => {
                now.iter().zip(then.iter().chain(std::iter::repeat(&Value::Unread))).all(is_same)
            }
            (Entry::Elements(then), Body::Sparse(now)) => {
                let pairs = now.touched.iter().zip(then.iter());
                pairs.clone().count() == now.touched.len() && pairs.into_iter().all(|(now, then)| now == then)
            }
            _ => false,
        });
        are_inputs && ended.heap.is_unchanged_since(&self.start.heap)
    }

    /// What must be true at the end of a path.
    fn duties(&self, ended: &State, end: &End) -> Vec<Duty> {
        let mut duties = Vec::new();
        if self.config.post {
            let own = |method, object| Duty { method, arguments: vec![object], is_post: false };
            if self.method.name == "<init>" {
                let parts = invariant_of(&self.vm.program, self.method.class(), self.config);
                let made = ended.symbols.made.map(Value::from);
                duties.extend(made.iter().flat_map(|made| parts.iter().map(|part| own(*part, *made))));
            } else if !self.method.is_static() {
                let of_receiver = self.contract.invariants.iter().filter(|invariant| invariant.root == 0);
                duties.extend(of_receiver.filter_map(|invariant| {
                    receiver(ended, invariant).map(|object| own(invariant.method, object.into()))
                }));
            }
        }
        if let (Some(post), End::Returned(value)) = (self.contract.post, end) {
            let result = (*value != Value::Top).then_some(*value);
            let arguments = arguments_of(post, self.method, &self.given(ended), result);
            duties.push(Duty { method: post, arguments, is_post: true });
        }
        duties
    }

    /// Is the duty kept at the end of a path, on every valid input that takes it?
    fn is_kept(&mut self, ended: &State, duty: &Duty) -> Kept {
        let mut first = ended.fork();
        first.thread = Default::default();
        first.monitors.clear();
        let name = duty.method.name;
        if self.vm.begin_contract(&mut first, duty.method, &duty.arguments).is_err() {
            return Kept::Unknown(format!("{name}() cannot be called after the method"));
        }
        let mut waiting = self.by_input(first);
        let mut steps = 0;
        // Some techniques follow states that no valid input has. The first of these is an alarm only if there is no better one.
        let mut unconfirmed = None;
        while let Some(mut state) = waiting.pop() {
            steps += 1;
            if steps > MOST_STEPS || self.is_out_of_time() {
                return Kept::Unknown(format!("the check that {name}() is true after the method took too long"));
            }
            let how = match self.run(&mut state) {
                Stop::Ask(question) => {
                    let children = self.children(&state, &question);
                    for child in children.iter().filter(|child| !child.is_excluded).rev() {
                        let mut forked = state.fork();
                        self.apply(&mut forked, &question, &child.answer, false);
                        forked.symbols.path.witness = child.witness.clone();
                        match self.admit(&mut forked) {
                            Ok(true) => waiting.push(forked),
                            Ok(false) => {}
                            Err(why) => return Kept::Unknown(why),
                        }
                    }
                    continue;
                }
                Stop::End(End::Returned(Value::Int(0))) => "is false".to_string(),
                Stop::End(End::Returned(Value::Int(_)) | End::AssumedAway) => continue,
                Stop::End(End::Returned(value)) => {
                    let Some(condition) = self.vm.term_of(value, lazuli_logic::Sort::Int) else { continue };
                    let zero = self.vm.terms.int(0);
                    let is_false = self.vm.terms.equal(condition, zero);
                    if !self.can_assume(&mut state, is_false) {
                        continue;
                    }
                    match self.admit(&mut state) {
                        Ok(true) => "is false".to_string(),
                        Ok(false) => continue,
                        Err(why) => return Kept::Unknown(why),
                    }
                }
                Stop::End(End::Threw(exception)) => {
                    format!("throws {}", self.vm.describe_throwable(&state, exception))
                }
                Stop::End(End::Unsupported { what, called_from }) => {
                    return Kept::Unknown(format!("{what}, at {called_from}, in {name}() after the method"));
                }
                Stop::End(other) => return Kept::Unknown(format!("{name}() ended with {other:?} after the method")),
            };
            let is_valid = state.symbols.fit.is_some() || !matches!(self.completed(&state), Ok(None));
            let broken = Kept::No { state: Box::new(state), what: duty.broken(&how) };
            if is_valid {
                return broken;
            }
            unconfirmed.get_or_insert(broken);
        }
        unconfirmed.unwrap_or(Kept::Yes)
    }

    /// The same state once for each of the valid inputs that it may have, with what is known of that input's numbers; or as it is, if the
    /// technique does not know them one by one.
    fn by_input(&mut self, state: State) -> Vec<State> {
        let (vm, chain) = (&mut self.vm, &mut self.chain);
        let (bounds, limits) = (&self.bounds, &self.solver_limits);
        let (warnings, sat_calls) = (&mut self.summary.warnings, &mut self.summary.sat_calls);
        let mut beyond = BTreeSet::new();
        let mut tools = Tools { vm, chain, bounds, limits, beyond: &mut beyond, warnings, sat_calls };
        let states = self.technique.by_input(&mut tools, &state).unwrap_or_else(|| vec![state]);
        for what in &beyond {
            self.summary.scope_reached(what);
        }
        states
    }

    /// A path that does not keep what it owes, if running an example confirms it. The path is described only once.
    fn broken_duty(&mut self, state: State, what: String, duty: &Duty, trace: &Trace, is_first: bool) {
        let kind = duty.kind().to_string();
        let at = format!("{}.{}", self.method.class().java_name(), self.method.name);
        let place = super::confirm::beginning(&self.vm.program, self.method);
        let rank = (state.symbols.inputs.len(), trace.len(), trace.clone());
        if !self.summary.count_violation(&kind, &at, Some(duty.method.name), &rank)
            && self.config.detail == Detail::Violations
        {
            return;
        }
        let confirmed = self.example_of(&state).and_then(|(_, concrete)| {
            let picture = concrete.picture.clone();
            let mut case = concrete.case(&self.vm, self.method, Some(duty.method));
            let finished = example::run_and_check(&mut self.vm, concrete, self.method, duty)?;
            (case.ended, case.coverage) = (finished.ended, finished.coverage);
            Ok((picture, case, finished.lines, finished.after))
        });
        match confirmed {
            Ok((picture, case, lines, after)) => {
                let mut outcome = self.describe(&state, Ending::Returned, None, trace.clone());
                outcome.example = Some(picture);
                outcome.after = Some(after);
                outcome.case = Some(case);
                outcome.lines = super::confirm::places(&lines);
                if self.config.detail == Detail::AllPaths && is_first {
                    self.summary.outcomes.push(outcome.clone());
                }
                self.count_found();
                self.summary.add_violation(rank, Violation { kind, message: what, at, place, outcome, count: 1 });
            }
            Err(why) => self.unconfirmed(&kind, at, why),
        }
    }
}
