//! On which inputs does a method run, if calls make them?
//!
//! Each state that calls lead to gives an input for each object in it that may be the receiver. The method is explored on the inputs of a state
//! before the next state is extended: few calls show most faults, and a longer search need not come to its end.
//!
//! Invariant: the first choice of a trace is the number of such an input. One worker explores them all, so that the number means the same
//! whenever the trace is replayed.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use lazuli_spec::parameter_classes;
use lazuli_vm::outcome::Stop;
use lazuli_vm::program::{Class, Method, element_of};
use lazuli_vm::reason::{Reason, Resource};
use lazuli_vm::universe::Restriction;
use lazuli_vm::value::{Kind, ObjId, Value};

use crate::path::{Finished, Path};
use crate::report::summary::Summary;
use crate::report::{Choice, Trace, simple_parameters};
use crate::worker::deeds::{simple, told};
use crate::worker::pool::{Gallery, Growth, sorted};
use crate::worker::sequence::{sequence_mut, sequence_of};
use crate::worker::{Continuation, FORCED, Worker};

/// An input that calls made: the state, and the object that is the receiver. Another receiver is one of which nothing is known.
#[derive(Clone, Copy)]
pub(crate) struct MadeEntry {
    state: usize,
    receiver: Option<ObjId>,
}

/// The inputs of the method so far.
#[derive(Default)]
pub(crate) struct Entries {
    known: Vec<MadeEntry>,
    gallery: Gallery,
}

impl Worker<'_> {
    /// Explores the method on all inputs that calls make, until what was found is enough.
    pub(crate) fn work_on_made(&mut self, is_enough: &dyn Fn(&Summary) -> bool) {
        let mut taken = 0;
        loop {
            while taken < self.pool.states.len() {
                for receiver in self.receivers(taken) {
                    self.explore_made(taken, receiver);
                    self.look_at_limits();
                    if let Some(cut) = self.cut {
                        return self.note_unreached(cut);
                    }
                }
                taken += 1;
                if is_enough(&self.summary) {
                    if self.has_delayed_calls() {
                        return self.note_unreached(Resource::Paths);
                    }
                    let most = sequence_of(&self.pool.states[taken - 1]).calls.len();
                    return self.summary.restricted(&Restriction::Calls { most });
                }
            }
            match self.grow() {
                Growth::Grown => {}
                Growth::Bounded => {
                    let most = self.config.most_input_calls();
                    return self.summary.restricted(&Restriction::Calls { most });
                }
                Growth::Closed => return,
                Growth::Cut(cut) => return self.note_unreached(cut),
            }
        }
    }

    /// Explores the method on one input that a state of the pool gives.
    pub(super) fn explore_made(&mut self, state: usize, receiver: Option<ObjId>) {
        self.explore_entry(MadeEntry { state, receiver });
    }

    /// Explores the method on one input, unless an earlier one covers it as far as the method can see.
    fn explore_entry(&mut self, entry: MadeEntry) {
        let mut path = match self.before_parameters(entry) {
            Ok(path) => path,
            Err(finished) => {
                let Finished { path, end } = *finished;
                return self.call_ended(path, Stop::End(end), &mut Default::default());
            }
        };
        let seeds = self.seeds(&path);
        let mut gallery = std::mem::take(&mut self.entries.gallery);
        let is_new = self.is_new_in(&mut gallery, &path, &seeds);
        self.entries.gallery = gallery;
        if !is_new {
            return;
        }
        let number = self.entries.known.len();
        if number >= FORCED as usize {
            self.cut = Some(Resource::Paths);
            return;
        }
        self.entries.known.push(entry);
        self.complete_entry(&mut path);
        let trace: Trace = vec![number as u16];
        match self.begin_entry(path) {
            Continuation::GoesOn(path) => self.follow(path, trace),
            Continuation::Over(finished) => self.path_ended(finished, trace),
            Continuation::Dropped => self.summary.pruned += 1,
        }
        self.follow_waiting(None);
    }

    /// The path at the entry of the method, or of what comes before it, to which the first choice of a trace leads.
    pub(super) fn replayed_entry(&mut self, number: u16) -> Continuation {
        let entry = self.entries.known[number as usize];
        match self.before_parameters(entry) {
            Ok(mut path) => {
                self.complete_entry(&mut path);
                self.begin_entry(path)
            }
            Err(finished) => Continuation::Over(*finished),
        }
    }

    /// The state, with the receiver of the method and the static fields as its only roots.
    fn before_parameters(&mut self, entry: MadeEntry) -> Result<Path, Box<Finished>> {
        let mut path = self.pool.states[entry.state].fork();
        let statics = std::mem::take(Rc::make_mut(&mut path.symbols.roots));
        match entry.receiver {
            Some(object) => path.add_root("this", object.into(), None),
            None if self.has_receiver() => {
                let class = self.config.contract.receiver_of(self.method);
                if let Err(stop) = self.add_receiver(&mut path, class) {
                    return Err(Finished::at_entry(path, stop).into());
                }
            }
            None => {}
        }
        Rc::make_mut(&mut path.symbols.roots).extend(statics);
        Ok(path)
    }

    /// The values from which the method can get at what calls made.
    fn seeds(&self, path: &Path) -> Vec<Value> {
        let mut seeds: Vec<Value> = path.symbols.roots.iter().map(|root| root.value).collect();
        let parameters = parameter_classes(&self.vm.program, self.method).unwrap_or_default();
        let takes_objects = parameters.iter().any(|declared| declared.kind() == Kind::Reference);
        // A reference that is not decided may be one of the objects that the code around has.
        let is_undecided = path.symbols.unknowns.iter().any(|unknown| unknown.is.is_none())
            || path.symbols.inputs.iter().any(|input| !sequence_of(path).objects.contains(&input.object));
        if takes_objects || is_undecided {
            seeds.extend(sorted(path, &sequence_of(path).held));
        }
        seeds
    }

    /// Adds the parameters behind the receiver, and writes down what the calls made as the input.
    fn complete_entry(&mut self, path: &mut Path) {
        let roots = Rc::make_mut(&mut path.symbols.roots);
        let statics = roots.split_off(self.has_receiver() as usize);
        path.symbols.passed = Some(path.symbols.unknowns.len());
        self.add_parameters(path);
        let own = path.symbols.roots.len();
        Rc::make_mut(&mut path.symbols.roots).extend(statics);
        self.take_stock(path, own);
        if self.config.report.tree > 0 {
            let choice = Choice { what: describe_calls(path), at: String::new() };
            Rc::make_mut(&mut path.choices).push(Arc::new(choice));
        }
    }

    fn begin_entry(&mut self, mut path: Path) -> Continuation {
        sequence_mut(&mut path).has_begun = true;
        path.stage = if self.technique.starts_with_invariants() { 0 } else { self.contract.invariants.len() };
        match self.begin_stage(&mut path) {
            Ok(()) => Continuation::GoesOn(path),
            Err(stop) => self.next_stage(Finished::at_entry(path, stop)),
        }
    }

    /// Notes which types of inputs calls made.
    pub(crate) fn note_made(&mut self) {
        let parameters = parameter_classes(&self.vm.program, self.method).unwrap_or_default();
        let receiver = self.has_receiver().then(|| self.config.contract.receiver_of(self.method));
        let roots = receiver.into_iter().chain(parameters).map(element_of);
        let made: Vec<&'static Class> = roots.filter(|class| class.is_users() && self.may_be_made(class)).collect();
        self.summary.made_by_calls.extend(made.into_iter().map(simple));
        for (class, method) in self.workshop.iter().flat_map(|workshop| workshop.sampled.clone()) {
            let (class, method) = (simple(class), signature(method));
            self.summary.restricted(&Restriction::MadeBy { class, method });
        }
        for class in self.workshop.iter().flat_map(|workshop| workshop.uncalled.clone()) {
            self.summary.restricted(&Restriction::Uncalled { class: class.java_name() });
        }
        if self.summary.made_by_calls.is_empty() {
            self.summary.made_by_calls.insert("input".to_string());
        }
    }

    /// Notes the types of inputs and arguments of which no call made an object: only null was tried there.
    pub(crate) fn note_unmade(&mut self) {
        let Some(workshop) = self.workshop.clone() else { return };
        // Where a limit ended the search, it is that which left objects out.
        if self.summary.was_cut() {
            return;
        }
        let program = self.vm.program.clone();
        let is_made = |class: &Class| self.bounds.made.contains(&class.id);
        let mut unmade: BTreeSet<String> = BTreeSet::new();
        // Nothing is declared of a class without a name: it may stand behind wider types, which others make.
        let is_declared = |class: &&'static Class| class.is_users() && class.source_name(class.package()).is_some();
        for declared in workshop.types.iter().copied().map(element_of).filter(is_declared) {
            let mut concrete =
                program.users().iter().filter(|class| class.is_subtype_of(declared) && !class.is_abstract()).peekable();
            let is_extended = || self.bounds.world.has_others(&program, declared);
            let is_bounded = || declared.chain().any(is_made);
            let is_only_made = match concrete.peek() {
                None => is_bounded(),
                Some(_) => concrete.all(|class| is_made(class)) && (is_bounded() || !is_extended()),
            };
            let is_held = |state: &Path| {
                let mut held = sequence_of(state).held.iter().map(|object| state.heap.class(*object));
                held.any(|class| class.is_subtype_of(declared))
            };
            if is_only_made && !self.pool.states.iter().any(is_held) {
                unmade.insert(declared.java_name());
            }
        }
        for class in unmade {
            self.summary.not_explored(Reason::NoneMade { class }, self.method.full_name(), 1);
        }
    }

    fn has_receiver(&self) -> bool {
        self.method.name != "<init>" && !self.method.is_static()
    }

    /// Can some object of the class, or of a subclass that inherits the method, be made by calls?
    fn may_be_made(&self, class: &'static Class) -> bool {
        let users = self.vm.program.users().iter();
        users.copied().any(|below| below.is_subtype_of(class) && self.bounds.made.contains(&below.id))
    }

    fn is_made_only(&self, class: &'static Class) -> bool {
        let possible = self.vm.program.receiver_classes(class, self.method, self.bounds.world);
        possible.is_none_or(|possible| self.bounds.is_made_by_calls(possible))
    }

    /// The objects of a state that the code around has and that have the method. None stands for one that no call made.
    pub(super) fn receivers(&mut self, state: usize) -> Vec<Option<ObjId>> {
        if !self.has_receiver() {
            return vec![None];
        }
        let class = self.config.contract.receiver_of(self.method);
        let state = &self.pool.states[state];
        let held = sequence_of(state).held.clone();
        let classes: Vec<&'static Class> = held.iter().map(|object| state.heap.class(*object)).collect();
        let mut found = Vec::new();
        for (object, own) in held.iter().zip(classes) {
            let selected = own.is_subtype_of(class).then(|| self.vm.select(own, self.method)).flatten();
            if selected.is_some_and(|selected| selected.id == self.method.id) {
                found.push(Some(*object));
            }
        }
        // A class may have subclasses whose objects calls make, and others.
        if !self.is_made_only(class) {
            found.push(None);
        }
        found
    }
}

/// `BigDecimal.valueOf(long, int)`
fn signature(method: &'static Method) -> String {
    let parameters = simple_parameters(method).join(", ");
    match method.name {
        "<init>" => format!("new {}({parameters})", simple(method.class())),
        name => format!("{}.{name}({parameters})", simple(method.class())),
    }
}

/// The calls of an input in words, for the tree of choices.
fn describe_calls(path: &Path) -> String {
    let calls: Vec<String> = sequence_of(path).calls.iter().map(|call| told(&call.act)).collect();
    if calls.is_empty() { "no calls come before".to_string() } else { format!("made by {}", calls.join(", ")) }
}
