//! How does a path get from its inputs to the method? Runs the invariants, preconditions and old values that come first, stage by stage.

use std::rc::Rc;

use lazuli_spec::{Precondition, receiver};
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::value::{UnknownId, Value};

use crate::path::{Finished, Path};
use crate::worker::{Continuation, Worker};

impl Worker<'_> {
    /// Goes on with what comes after an invariant or a precondition that was executed before the method.
    pub(crate) fn next_stage(&mut self, finished: Finished) -> Continuation {
        if self.is_making(&finished.path) {
            return self.step_ended(finished);
        }
        let invariants = self.contract.invariants.len();
        let stage = finished.path.stage;
        if stage >= self.contract.stages() {
            return Continuation::Over(finished);
        }
        if stage >= invariants + self.contract.pre.len() {
            return self.keep_old(finished);
        }
        match finished.end {
            End::Returned(Value::Int(0)) | End::AssumedAway => Continuation::Dropped,
            End::Threw(_) => {
                if stage >= invariants {
                    self.warn_of_throwing_pre(&finished);
                }
                Continuation::Dropped
            }
            End::Returned(value) => {
                let mut path = finished.path;
                if let Some(condition) = self.vm.term_of(value, lazuli_logic::Sort::Int) {
                    let zero = self.vm.terms.int(0);
                    let is_false = self.vm.terms.equal(condition, zero);
                    let is_true = self.vm.terms.not(is_false);
                    if !self.can_assume(&mut path, is_true) {
                        return Continuation::Dropped;
                    }
                    match self.admit(&mut path) {
                        Ok(true) => {}
                        Ok(false) => return Continuation::Dropped,
                        Err(_) => path.symbols.condition.is_unproven = true,
                    }
                }
                self.begin_next(path)
            }
            _ => Continuation::Over(finished),
        }
    }

    /// Begins what comes after a stage that is done.
    fn begin_next(&mut self, mut path: Path) -> Continuation {
        path.stage += 1;
        match self.begin_stage(&mut path) {
            Ok(()) => Continuation::GoesOn(path),
            Err(stop) => self.next_stage(Finished::at_entry(path, stop)),
        }
    }

    /// Stores a value from before the method for later clauses. There may be none: that is a fault only if a clause asks for it.
    fn keep_old(&mut self, finished: Finished) -> Continuation {
        let value = match finished.end {
            End::Returned(value) => Some(value),
            End::Threw(_) => None,
            End::AssumedAway => return Continuation::Dropped,
            // A bound, a limit, or something unsupported.
            _ => return Continuation::Over(finished),
        };
        let mut path = finished.path;
        path.symbols.olds.push(value);
        self.begin_next(path)
    }

    /// Begins the next of what is executed first, or else the method.
    pub(crate) fn begin_stage(&mut self, path: &mut Path) -> Result<(), Stop> {
        path.thread = Default::default();
        path.monitors.clear();
        while let Some(invariant) = self.contract.invariants.get(path.stage) {
            if self.undecided_root(path).is_some() {
                return Ok(());
            }
            if let Some(object) = receiver(path, invariant) {
                return self.vm.begin_contract(path, invariant.code(), &[object.into()]);
            }
            path.stage += 1;
        }
        let is_asked = |pre: &Precondition| self.asked_conditions.iter().any(|asked| asked.method.id == pre.method.id);
        while self.contract.pre.get(path.stage - self.contract.invariants.len()).is_some_and(is_asked) {
            path.stage += 1;
        }
        let done = path.stage - self.contract.invariants.len();
        if let Some(pre) = self.contract.pre.get(done) {
            let given: Vec<Value> = path.symbols.roots.iter().map(|root| root.value).collect();
            // The roots of a constructor have no receiver, and its precondition wants none.
            let arguments = match self.method.name == "<init>" {
                true => given.into_iter().take(pre.method.arguments as usize).collect(),
                false => pre.arguments(self.method, &given[..self.method.arguments as usize]),
            };
            return self.vm.begin_contract(path, pre.method, &arguments);
        }
        if let Some(old) = self.contract.olds().get(done - self.contract.pre.len()).copied() {
            let arguments = self.given(path);
            return self.vm.begin_contract(path, old, &arguments);
        }
        if self.contract.specification.as_ref().is_some_and(|specification| specification.asks_entry) {
            path.symbols.past = Some(Rc::new(path.heap.clone()));
        }
        if self.method.name == "<init>" {
            path.symbols.made = Some(path.heap.allocate(self.method.class()));
        }
        path.symbols.calls_before = path.symbols.unknown_calls.len();
        path.symbols.is_in_target = true;
        path.monitor = self.vm.new_monitor();
        if let Some(plan) = self.config.concurrent.clone() {
            return self.begin_use(path, &plan);
        }
        let arguments = self.given(path);
        self.vm.begin(path, self.method, &arguments)
    }

    /// The root whose invariant comes next, if it is not decided which object it is.
    pub(super) fn undecided_root(&self, path: &Path) -> Option<UnknownId> {
        let invariant = self.contract.invariants.get(path.stage)?;
        match path.symbols.settled(path.symbols.roots.get(invariant.root)?.value) {
            Value::Unknown(id) => Some(id),
            _ => None,
        }
    }

    /// The arguments of the method: the receiver, and the parameters as they were at entry.
    pub(crate) fn given(&self, path: &Path) -> Vec<Value> {
        let made = path.symbols.made.map(Value::from);
        let missing = self.method.arguments as usize - made.is_some() as usize;
        made.into_iter().chain(path.symbols.roots.iter().take(missing).map(|root| root.value)).collect()
    }
}
