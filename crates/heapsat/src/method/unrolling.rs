//! How far are loops and calls of a whole method unrolled, and which paths are truncated?

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::{Class, Method};
use lazuli_vm::state::Initialisation;

use crate::Refusal;
use crate::exec::executor::Executor;
use crate::exec::path::GuardedPath;
use crate::exec::value::SymValue;
use crate::method::state::{MethodState, Truncation, TruncationCause};

/// Calls of a method of the contract within itself.
const DEEPEST: usize = 200;

/// A loop of the contract may iterate so many times for each object, and a few times more.
const ITERATIONS_FOR_EACH: usize = 4;

impl Executor<'_> {
    /// Calls a method in place. A recursive call needs an input that gets there, and must not nest deeper than the unrolling bound.
    pub(crate) fn call_unrolled(
        &mut self,
        path: &mut GuardedPath,
        method: &'static Method,
        arguments: Vec<SymValue>,
    ) -> Result<Option<SymValue>, Refusal> {
        if let Some(value) = self.call_contract(path, method, &arguments)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.float_function(path, method, &arguments)? {
            return Ok((path.guard != Lit::FALSE).then_some(value));
        }
        // Native methods with a model.
        match (method.class().name, method.name) {
            ("java/lang/System", "arraycopy") => {
                return self.copy(path, &arguments).map(|()| Some(SymValue::Undefined));
            }
            ("java/lang/Object", "clone") if let Some(SymValue::Ref(refs)) = arguments.first() => {
                return self.clone_of(path, refs).map(Some);
            }
            ("java/lang/Object", "getClass") if let Some(SymValue::Ref(refs)) = arguments.first() => {
                let mirrors = self.mirrors(path, refs)?;
                return Ok((path.guard != Lit::FALSE).then_some(mirrors));
            }
            _ => {}
        }
        if self.is_per_object_call(method) {
            return self.call_per_object(path, method, arguments);
        }
        if method.is_static() {
            self.check_initialised(method.class())?;
        }
        let calls = self.mode.method().map_or(0, |state| state.depth_of(method));
        let mut arguments = arguments;
        // A recursive call: the solver decides whether some input gets there, and the bound whether it is followed.
        if calls > 0 {
            if !self.is_feasible(path.guard)? {
                return Ok(None);
            }
            let most = self.mode.method().and_then(MethodState::bound).unwrap_or(DEEPEST);
            if calls > most {
                self.truncate(path, TruncationCause::Recursion);
                return Ok(None);
            }
            for argument in &mut arguments {
                if let SymValue::Ref(refs) = argument {
                    *refs = self.prune(path.guard, refs.clone())?;
                }
            }
        }
        if let Some(state) = self.mode.method_mut() {
            state.push_frame(method);
        }
        let value = self.call(path, method, arguments);
        if let Some(state) = self.mode.method_mut() {
            state.pop_frame();
        }
        let value = value?;
        Ok((path.guard != Lit::FALSE).then_some(value))
    }

    /// Refuses code before which a static initialiser of the user's would have to run.
    pub(crate) fn check_initialised(&self, class: &'static Class) -> Result<(), Refusal> {
        let is_late = |class: &&'static Class| {
            class.is_users() && !self.is_initialised(class) && class.own_method("<clinit>", "()V").is_some()
        };
        match class.chain().find(is_late).filter(|_| self.mode.is_method()) {
            Some(class) => Err(Refusal::Late(class.id.index() as u32)),
            None => Ok(()),
        }
    }

    pub(crate) fn is_initialised(&self, class: &'static Class) -> bool {
        self.statics.classes.slot(class.id).initialisation == Initialisation::Done
    }

    /// Has a loop reached its unrolling bound? Then the rest is truncated.
    pub(crate) fn truncates_loop(&mut self, path: &GuardedPath) -> bool {
        let objects = self.universe.atoms.len() + path.heap.made.len();
        let most = self.mode.method().and_then(MethodState::bound).unwrap_or(ITERATIONS_FOR_EACH * (objects + 4));
        let is_cut = path.visit.iterations() > most;
        if is_cut {
            self.truncate(path, TruncationCause::Loop);
        }
        is_cut
    }

    /// Passes on a result. In a whole method, an unsupported construct truncates the path, if some input gets there, and there is no result. A
    /// postcondition that is executed per object is refused instead, and then executed call by call.
    pub(crate) fn truncate_unsupported<T>(
        &mut self,
        path: &GuardedPath,
        result: Result<T, Refusal>,
    ) -> Result<Option<T>, Refusal> {
        let may_leave_out = self.mode.is_method() && !self.recursion.is_postcondition();
        match result {
            Err(Refusal::Late(_)) if may_leave_out && !self.is_feasible(path.guard)? => Ok(None),
            Err(Refusal::Unsupported(what, _)) if may_leave_out => {
                if self.is_feasible(path.guard)? {
                    self.truncate(path, TruncationCause::Untranslated(what));
                }
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    /// Truncates the paths on which this is true, if some input gets there; the others go on.
    pub(crate) fn truncate_where(&mut self, path: &mut GuardedPath, when: Lit, what: &str) -> Result<(), Refusal> {
        let guard = self.circuit.and(path.guard, when);
        if guard == Lit::FALSE {
            return Ok(());
        }
        let refusal = Err::<(), _>(self.unsupported(what));
        self.truncate_unsupported(&GuardedPath { guard, ..path.clone() }, refusal)?;
        path.guard = self.circuit.and(path.guard, !when);
        Ok(())
    }

    fn truncate(&mut self, path: &GuardedPath, why: TruncationCause) {
        // A loop is identified by its head.
        let pc = if why == TruncationCause::Loop { path.order.starts[path.block as usize] } else { path.pc };
        let line = path.code.line(pc).map_or(String::new(), |line| format!(":{line}"));
        let file = path.method.class().source_file().unwrap_or(path.method.class().name);
        let at = format!("{}.{}({file}{line})", path.method.class().java_name(), path.method.name);
        if let Some(state) = self.mode.method_mut() {
            state.truncate(Truncation { why, at, when: path.guard });
        }
    }
}
