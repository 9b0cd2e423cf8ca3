//! What must hold before and after the method? Finds the invariants, and checks that they hold again at the end of a path.

use super::worker::{Stage, Worker};
use crate::outcome::{End, Stop};
use crate::program::{Class, Method, Program, access};
use crate::state::State;
use crate::structure::{Invariant, receiver};
use crate::value::{Kind, ObjId, Value};

/// The name of the invariant where none is given.
pub const USUAL_NAME: &str = "repOK";

/// Choices that the check of one path's end may follow.
const MOST_STEPS: usize = 200_000;

/// The invariants of the receiver and of the parameters whose classes have one.
pub fn invariants(
    program: &Program,
    method: &'static Method,
    parameters: &[&'static Class],
    name: Option<&str>,
) -> Result<Vec<Invariant>, String> {
    let of = |class: &'static Class| {
        let found = program.find_method(class, name.unwrap_or(USUAL_NAME), "()Z");
        // A target that is the invariant itself is explored on all objects.
        found.filter(|found| !found.is_static() && !found.is_abstract() && found.id != method.id && class.is_users())
    };
    let has_receiver = !method.is_static() && method.name != "<init>";
    let receiver = has_receiver.then(|| method.class());
    let roots = receiver.into_iter().chain(parameters.iter().copied()).enumerate();
    let mut invariants = Vec::new();
    for (root, class) in roots {
        if class.kind() == Kind::Reference && !class.is_array() && class.access & access::ENUM == 0 {
            invariants.extend(of(class).map(|method| Invariant { method, root }));
        }
    }
    match name {
        Some(name) if invariants.is_empty() && method.name != name => Err(format!(
            "neither {} nor a parameter of {} has a method `boolean {name}()`; --invariant names one that is there",
            method.class().java_name(),
            method.name
        )),
        _ => Ok(invariants),
    }
}

/// What the check of a path's end found.
pub enum Post {
    Holds,
    /// The input of this state makes the invariant false, or throw, at the end.
    Violated {
        state: Box<State>,
        what: String,
    },
    Unknown(String),
}

impl Worker<'_> {
    /// Does the invariant of the receiver hold at the end of a path, on every valid input that takes it?
    pub(super) fn check_post(&mut self, ended: &State) -> Post {
        let Some((object, invariant)) = self.object_to_check(ended) else { return Post::Holds };
        let mut first = ended.fork();
        first.thread = Default::default();
        first.monitors.clear();
        if self.vm.begin(&mut first, invariant, &[object.into()]).is_err() {
            return Post::Unknown("the invariant cannot be called".to_string());
        }
        let mut waiting = vec![first];
        let mut steps = 0;
        while let Some(mut state) = waiting.pop() {
            steps += 1;
            if steps > MOST_STEPS || self.is_out_of_time() {
                return Post::Unknown("the check that the invariant holds again took too long".to_string());
            }
            match self.run(&mut state) {
                Stop::Ask(question) => {
                    let children = self.children(&state, &question);
                    for child in children.iter().rev() {
                        let mut forked = state.fork();
                        self.apply(&mut forked, &question, &child.answer, false);
                        forked.symbols.path.witness = child.witness.clone();
                        match self.admit(&mut forked) {
                            Ok(true) => waiting.push(forked),
                            Ok(false) => {}
                            Err(why) => return Post::Unknown(why),
                        }
                    }
                }
                Stop::End(End::Returned(Value::Int(0))) => {
                    return Post::Violated {
                        state: Box::new(state),
                        what: format!("{}() is false afterwards", invariant.name),
                    };
                }
                Stop::End(End::Returned(Value::Int(_)) | End::AssumedAway) => {}
                Stop::End(End::Returned(value)) => {
                    let Some(condition) = self.vm.term_of(value, lazuli_logic::Sort::Int) else { continue };
                    let zero = self.vm.terms.int(0);
                    let is_false = self.vm.terms.equal(condition, zero);
                    if self.can_assume(&mut state, is_false) {
                        let what = format!("{}() is false afterwards", invariant.name);
                        return Post::Violated { state: Box::new(state), what };
                    }
                }
                Stop::End(End::Threw(exception)) => {
                    let what = format!(
                        "{}() throws {} afterwards",
                        invariant.name,
                        self.vm.describe_throwable(&state, exception)
                    );
                    return Post::Violated { state: Box::new(state), what };
                }
                Stop::End(End::Unsupported { what, called_from }) => {
                    return Post::Unknown(format!("{what}, at {called_from}, in the invariant after the call"));
                }
                Stop::End(other) => return Post::Unknown(format!("the invariant ended with {other:?} after the call")),
            }
        }
        Post::Holds
    }

    /// The receiver, and its invariant; a constructor's is the object that it made.
    fn object_to_check(&self, ended: &State) -> Option<(ObjId, &'static Method)> {
        if self.method.name == "<init>" {
            let name = self.config.invariant.as_deref().unwrap_or(USUAL_NAME);
            let invariant = self.vm.program.find_method(self.method.class(), name, "()Z")?;
            return Some((ended.symbols.made?, invariant));
        }
        let own = self.invariants.iter().find(|invariant| invariant.root == 0 && !self.method.is_static())?;
        Some((receiver(ended, own)?, own.method))
    }

    /// Goes on with what comes after an invariant that was executed before the method.
    pub(super) fn next_stage(&mut self, state: &mut State, end: &End) -> Stage {
        if state.symbols.stage >= self.invariants.len() {
            return Stage::Over;
        }
        match end {
            End::Returned(Value::Int(0)) | End::AssumedAway | End::Threw(_) => Stage::Dropped,
            End::Returned(value) => {
                if let Some(condition) = self.vm.term_of(*value, lazuli_logic::Sort::Int) {
                    let zero = self.vm.terms.int(0);
                    let is_false = self.vm.terms.equal(condition, zero);
                    let is_true = self.vm.terms.not(is_false);
                    if !self.can_assume(state, is_true) {
                        return Stage::Dropped;
                    }
                }
                state.symbols.stage += 1;
                match self.begin_stage(state) {
                    Ok(()) => Stage::GoesOn,
                    Err(_) => Stage::Over,
                }
            }
            _ => Stage::Over,
        }
    }

    /// Begins the next invariant that is executed first, or else the method.
    pub(super) fn begin_stage(&mut self, state: &mut State) -> Result<(), Stop> {
        state.thread = Default::default();
        while let Some(invariant) = self.invariants.get(state.symbols.stage) {
            if let Some(object) = receiver(state, invariant) {
                return self.vm.begin(state, invariant.method, &[object.into()]);
            }
            state.symbols.stage += 1;
        }
        let mut arguments: Vec<Value> = Vec::new();
        if self.method.name == "<init>" {
            let object = state.heap.allocate(self.method.class());
            state.symbols.made = Some(object);
            arguments.push(object.into());
        }
        let missing = self.method.arguments as usize - arguments.len();
        arguments.extend(state.symbols.roots.iter().take(missing).map(|root| root.value));
        self.vm.begin(state, self.method, &arguments)
    }
}
