//! Can the parts of an input exist?
//!
//! An input gets its fields as they are read, those of its parts too. But no program has a record that the canonical constructor refuses, and
//! an object whose class has an invariant is valid wherever it stands. Before a fault is told, the constructors run on the components of the
//! records, and the invariants on the parts, with what is unknown of them left unknown; the fault is told of an input for which all of
//! them agree. Only constructors that decide are run (`Program::deciding_constructor`); others refuse nothing here.

use lazuli_spec::invariant_of;
use lazuli_vm::ambient::Assumption;
use lazuli_vm::outcome::{End, Place, Question, Stop};
use lazuli_vm::program::Method;
use lazuli_vm::value::{ObjId, Value};

use crate::Inputs;
use crate::path::Path;
use crate::worker::Worker;
use crate::worker::deeds::references;

/// Choices that the constructors and invariants of one input may follow.
const MOST_STEPS: usize = 2_000;

/// The answer about an input.
pub(crate) enum PartsResult {
    /// Nothing refuses it, as far as is known.
    Possible,
    /// These inputs of the path can exist.
    Narrowed(Box<Path>),
    /// A part of it cannot exist, under every model of the path condition.
    Refused {
        /// Has an invariant of a part refused some of them? Else constructors of records have.
        by_invariant: bool,
    },
}

/// A code that must let a part pass.
#[derive(Clone, Copy)]
enum PartCheck {
    /// The canonical constructor of a record, which must return.
    Constructor(&'static Method),
    /// An invariant, which must return true.
    Invariant(&'static Method),
}

/// How far the checks of one input have come.
struct PartsState {
    path: Path,
    /// The checks of the inputs before this one have passed under the path condition.
    number: usize,
    /// So have those of this one before this check.
    check: usize,
    /// Has the check begun? Before, collections may be made that are components of a record.
    is_entered: bool,
}

/// The next step with the parts of an input.
enum PartStep {
    Entered,
    /// A component is not decided.
    Asks(Question),
    /// All of them passed.
    Done,
    /// It cannot be told.
    Unknown,
}

impl Worker<'_> {
    /// Narrows the input of a path to one whose parts can exist.
    pub(crate) fn possible_parts(&mut self, path: &Path) -> PartsResult {
        let is_checked = |number| !self.checks(path, number).is_empty();
        if !(0..path.symbols.inputs.len()).any(is_checked) {
            return PartsResult::Possible;
        }
        // Depth first over the choices of all checks, one part after the other. Each may bring further parts, which come last. So the first
        // entry that comes to the end is an input of which every part can exist; if none does, there is none.
        let path = path.with_state(path.at_entry());
        let mut waiting = vec![PartsState { path, number: 0, check: 0, is_entered: false }];
        let (mut steps, mut by_invariant) = (0, false);
        while let Some(mut at) = waiting.pop() {
            steps += 1;
            if steps > MOST_STEPS || self.is_out_of_time() {
                return PartsResult::Possible;
            }
            let stop = match at.path.thread.frames.is_empty() {
                true => match self.enter_check(&mut at) {
                    PartStep::Entered => self.run(&mut at.path),
                    PartStep::Asks(question) => Stop::Ask(question),
                    PartStep::Done => return PartsResult::Narrowed(Box::new(at.path)),
                    PartStep::Unknown => return PartsResult::Possible,
                },
                false => self.run(&mut at.path),
            };
            match stop {
                Stop::Ask(question) => {
                    let children = self.children(&at.path, &question);
                    for child in children.iter().filter(|child| !child.is_excluded).rev() {
                        let Some(mut forked) = self.take_child(at.path.fork(), &question, child, false) else {
                            continue;
                        };
                        match self.admit(&mut forked) {
                            Ok(true) => waiting.push(PartsState { path: forked, ..at }),
                            Ok(false) => {}
                            Err(_) => return PartsResult::Possible,
                        }
                    }
                }
                Stop::End(End::Returned(value)) => {
                    at.path.thread = Default::default();
                    if std::mem::take(&mut at.is_entered) {
                        match self.passes(&mut at, value) {
                            Some(true) => at.check += 1,
                            Some(false) => {
                                by_invariant = true;
                                continue;
                            }
                            None => return PartsResult::Possible,
                        }
                    }
                    waiting.push(at);
                }
                Stop::End(End::Threw(_) | End::AssumedAway) => {}
                Stop::End(End::Beyond(bound)) => self.summary.restricted(&bound),
                Stop::End(_) => return PartsResult::Possible,
            }
        }
        PartsResult::Refused { by_invariant }
    }

    /// Does the result of a check let the part pass? None if the solver does not know.
    fn passes(&mut self, at: &mut PartsState, value: Value) -> Option<bool> {
        let checks = self.checks(&at.path, at.number);
        let Some(PartCheck::Invariant(_)) = checks.get(at.check) else { return Some(true) };
        if value != Value::Int(1) {
            // Fewer inputs are left, which the verdict tells.
            let part = at.path.heap.class(at.path.symbols.inputs[at.number].object);
            let class = self.vm.program.short_name(part);
            self.vm.assumptions.insert(Assumption::ValidParts { class });
        }
        if let Value::Int(truth) = value {
            return Some(truth != 0);
        }
        let zero = self.vm.terms.int(0);
        let condition = self.vm.term_of(value, lazuli_logic::Sort::Int)?;
        let is_false = self.vm.terms.equal(condition, zero);
        let is_true = self.vm.terms.not(is_false);
        if !self.can_assume(&mut at.path, is_true) {
            return Some(false);
        }
        self.admit(&mut at.path).ok()
    }

    /// The checks of an input that is a part the path looked into.
    fn checks(&self, path: &Path, number: usize) -> Vec<PartCheck> {
        let object = path.symbols.inputs[number].object;
        let class = path.heap.class(object);
        if class.is_open() || !class.is_users() {
            return Vec::new();
        }
        let is_read = |slot: u32| path.entry_at(Place { object, slot }).is_some_and(|value| value != Value::Unread);
        let mut checks = Vec::new();
        let components = class.components();
        if components.is_some_and(|components| components.iter().any(|field| is_read(field.slot))) {
            checks.extend(self.vm.program.deciding_constructor(class).map(PartCheck::Constructor));
        }
        if self.config.inputs != Inputs::Fields && (0..class.defaults.len() as u32).any(is_read) {
            checks.extend(self.own_invariants(path, object).into_iter().map(PartCheck::Invariant));
        }
        checks
    }

    /// The invariants of a part that say what nothing else says. A root is asked already; nor is a part asked by itself of what the same
    /// invariant describes as a whole: the nodes below the root of a tree whose root has no parent.
    fn own_invariants(&self, path: &Path, object: ObjId) -> Vec<&'static Method> {
        let options = &self.config.contract;
        let invariants = |object: ObjId| invariant_of(&self.vm.program, path.heap.class(object), options);
        let is_object = |value: Value| path.symbols.settled(value).object() == Some(object);
        let own = invariants(object);
        if own.is_empty() || path.symbols.roots.iter().any(|root| is_object(root.value)) {
            return Vec::new();
        }
        let is_whole = |other: ObjId| {
            let same = invariants(other).iter().map(|method| method.id).eq(own.iter().map(|method| method.id));
            other != object && same && leads_to(path, other, object)
        };
        match path.symbols.inputs.iter().any(|input| is_whole(input.object)) {
            true => Vec::new(),
            false => own,
        }
    }

    /// Enters the next check.
    fn enter_check(&mut self, at: &mut PartsState) -> PartStep {
        let (object, check) = loop {
            let Some(input) = at.path.symbols.inputs.get(at.number) else { return PartStep::Done };
            match self.checks(&at.path, at.number).get(at.check) {
                Some(check) => break (input.object, *check),
                None => (at.number, at.check) = (at.number + 1, 0),
            }
        };
        let (method, arguments) = match check {
            PartCheck::Invariant(method) => (method, vec![object.into()]),
            PartCheck::Constructor(constructor) => {
                let class = at.path.heap.class(object);
                let Some(components) = class.components() else { return PartStep::Unknown };
                let mut arguments = Vec::with_capacity(components.len() + 1);
                for field in components {
                    match self.vm.decide_field(&mut at.path, object, field) {
                        Ok(()) => arguments.push(at.path.heap.field(object, field.slot as usize)),
                        Err(Stop::Ask(question)) => return PartStep::Asks(question),
                        Err(Stop::End(_)) => return PartStep::Unknown,
                    }
                }
                arguments.insert(0, at.path.heap.allocate(class).into());
                (constructor, arguments)
            }
        };
        at.is_entered = true;
        match self.vm.begin_contract(&mut at.path, method, &arguments) {
            Ok(()) => PartStep::Entered,
            Err(_) => PartStep::Unknown,
        }
    }
}

/// Do references lead from one object to the other?
fn leads_to(path: &Path, from: ObjId, to: ObjId) -> bool {
    let mut waiting = vec![from];
    let mut seen: Vec<ObjId> = Vec::new();
    while let Some(object) = waiting.pop() {
        if seen.contains(&object) {
            continue;
        }
        seen.push(object);
        let next = references(path, object);
        if next.contains(&to) {
            return true;
        }
        waiting.extend(next);
    }
    false
}
