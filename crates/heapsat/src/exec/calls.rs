//! Which methods may a call instruction call, over all inputs at once?

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::{CallSite, Class, Code, LinkError, Method, Op};
use lazuli_vm::value::Kind;

use crate::Refusal;
use crate::exec::exceptions::is_covered;
use crate::exec::executor::{ExecutionMode, Executor, Successor};
use crate::exec::path::{GuardedPath, ObjectBody};
use crate::exec::value::{Pointee, PointsTo, SymValue};

impl Executor<'_> {
    /// Executes a call instruction: resolves it, splits the receivers by the method that they select, and follows each group. The paths behind the
    /// call are among the successors.
    pub(crate) fn invoke(
        &mut self,
        code: &'static Code,
        (site, pc): (u32, u32),
        path: &mut GuardedPath,
        dispatch: Dispatch,
        out: &mut Vec<Successor>,
    ) -> Result<(), Refusal> {
        let site: &CallSite = &code.calls[site as usize];
        let method = self.program.resolve_call(site).map_err(|error| self.unlinked(error))?;
        if method.is_static() != (dispatch == Dispatch::Static) {
            let is = if method.is_static() { "is static" } else { "is not static" };
            return Err(self.unlinked(LinkError::IncompatibleClassChange(format!("{} {is}", method.full_name()))));
        }
        let Some(first) = path.registers.len().checked_sub(site.arguments as usize) else {
            return Err(self.unsupported("an empty stack"));
        };
        let mut arguments = path.registers.split_off(first);
        let is_last = is_last(code, pc);
        // One group for each method that some receiver selects; each is called under the guard of its receivers.
        let groups = if dispatch == Dispatch::Static {
            vec![(Callee::Method(method), Vec::new())]
        } else {
            let SymValue::Ref(receiver) = arguments[0].clone() else {
                return Err(self.unsupported("a call on a number"));
            };
            let receiver = self.object(path, receiver)?;
            if path.guard == Lit::FALSE {
                return Ok(());
            }
            self.callees(path, &receiver, method, dispatch)?
        };
        let is_only = groups.len() == 1;
        for (callee, targets) in groups {
            let mut one = path.clone();
            if !is_only {
                let when = self.circuit.any(targets.iter().map(|(_, when)| *when));
                one.guard = self.circuit.and(path.guard, when);
            }
            if !targets.is_empty() {
                arguments[0] = SymValue::Ref(targets.into());
            }
            if matches!(callee, Callee::Nothing) {
                let harmless = self.may_be_skipped(&one, method, &arguments);
                if self.truncate_unsupported(&one, harmless)?.is_none() {
                    continue;
                }
            }
            let called = self.call_one(&mut one, callee, method, (&arguments, is_last), out);
            let Some(Some(value)) = self.truncate_unsupported(&one, called)? else { continue };
            if one.guard == Lit::FALSE {
                continue;
            }
            if method.result != Kind::Void {
                one.push(value);
            }
            out.push(Successor::Jump(one, pc + 1));
        }
        Ok(())
    }

    /// The value that a call returns. None if it goes on elsewhere, or nowhere.
    fn call_one(
        &mut self,
        path: &mut GuardedPath,
        callee: Callee,
        named: &'static Method,
        (arguments, is_last): (&[SymValue], bool),
        out: &mut Vec<Successor>,
    ) -> Result<Option<SymValue>, Refusal> {
        let arguments = arguments.to_vec();
        if let Callee::Method(method) = callee
            && let Some(reached) = self.model_reach(path, method, &arguments)?
        {
            return Ok(Some(reached));
        }
        Ok(Some(match callee {
            Callee::Nothing => SymValue::Undefined,
            Callee::Unknown => {
                let what =
                    format!("a call of {} on an object of a class that is not on the class path", named.full_name());
                return Err(self.unsupported(&what));
            }
            Callee::Method(method) if self.mode.is_method() => return self.call_unrolled(path, method, arguments),
            Callee::Model(number) => self.call_model(path, number, named, &arguments[1..])?,
            Callee::Method(method) if self.call_graph.is_apart(self.program, method) => {
                if is_last && !self.recursion.is_per_object() && !is_covered(path) {
                    out.push(Successor::TailCall(path.clone(), method, arguments));
                    return Ok(None);
                }
                self.promise_call(path, method, arguments)?
            }
            Callee::Method(method) if self.must_defer(path, method, &arguments) => {
                self.promise_deferred(path, method, arguments)?
            }
            Callee::Method(method) => self.call(path, method, arguments)?,
        }))
    }

    /// The receivers of a call, grouped by the method that they select.
    #[allow(clippy::type_complexity)]
    fn callees(
        &mut self,
        path: &GuardedPath,
        receiver: &PointsTo,
        method: &'static Method,
        dispatch: Dispatch,
    ) -> Result<Vec<(Callee, Vec<(Pointee, Lit)>)>, Refusal> {
        let mut groups: Vec<(Callee, Vec<(Pointee, Lit)>)> = Vec::new();
        for (target, when) in receiver.iter() {
            let callees = match target {
                Pointee::Allocated(number) if self.is_model(path, *number) => vec![(Callee::Model(*number), Lit::TRUE)],
                // The constructor of Object, or of an exception.
                _ if method.name == "<init>" && self.makes_nothing(method.class()) => {
                    vec![(Callee::Nothing, Lit::TRUE)]
                }
                _ if dispatch == Dispatch::Exact => vec![(Callee::Method(method), Lit::TRUE)],
                _ => {
                    let found = self.implementations(path, *target, method)?;
                    found
                        .into_iter()
                        .map(|(method, when)| (method.map_or(Callee::Unknown, Callee::Method), when))
                        .collect()
                }
            };
            for (callee, which) in callees {
                let when = self.circuit.and(*when, which);
                match groups.iter_mut().find(|(other, _)| other.is_same(&callee)) {
                    _ if when == Lit::FALSE => {}
                    Some((_, targets)) => targets.push((*target, when)),
                    None => groups.push((callee, vec![(*target, when)])),
                }
            }
        }
        Ok(groups)
    }

    /// An object as it is before its constructor runs.
    pub(crate) fn new_object(&mut self, class: &'static Class) -> Result<ObjectBody, Refusal> {
        if class.is_users() || self.mode.is_method() {
            let fields = class.defaults.iter().map(|value| self.value_of(*value)).collect::<Option<_>>();
            if let Some(fields) = fields {
                return Ok(ObjectBody::Fields(fields));
            }
        } else if class.is_subtype_of(self.program.known().throwable) {
            // An invariant that throws is false, whatever the exception has in it.
            return Ok(ObjectBody::Fields(Vec::new()));
        }
        Err(self.unsupported(&format!("an object of {}", class.java_name())))
    }

    /// Has the constructor of a class no observable effect?
    fn makes_nothing(&self, class: &'static Class) -> bool {
        let known = self.program.known();
        match self.mode {
            ExecutionMode::Method(_) => {
                class.id == known.object.id || class.is_subtype_of(known.throwable) && !class.is_users()
            }
            ExecutionMode::Invariant => !class.is_users(),
        }
    }

    /// Refuses a constructor of the JDK's exceptions that is not executed, but may run code of the user: the text of a detail or of a cause, or an overridden
    /// `fillInStackTrace`. Of exceptions beyond `java.lang`, only the usual constructors are known to do nothing but keep what they get.
    fn may_be_skipped(
        &self,
        path: &GuardedPath,
        constructor: &'static Method,
        arguments: &[SymValue],
    ) -> Result<(), Refusal> {
        const USUAL: [&str; 4] =
            ["()V", "(Ljava/lang/String;)V", "(Ljava/lang/Throwable;)V", "(Ljava/lang/String;Ljava/lang/Throwable;)V"];
        const KEEPING: [&str; 8] = [
            "java/util/NoSuchElementException",
            "java/util/ConcurrentModificationException",
            "java/util/EmptyStackException",
            "java/util/InputMismatchException",
            "java/io/IOException",
            "java/io/EOFException",
            "java/io/FileNotFoundException",
            "java/util/concurrent/TimeoutException",
        ];
        let class = constructor.class();
        if !self.mode.is_method() || class.id == self.program.known().object.id {
            return Ok(());
        }
        let is_keeping = match class.name.strip_prefix("java/lang/") {
            Some(rest) => !rest.contains('/') && !constructor.descriptor.contains("Ljava/lang/Class;"),
            None => KEEPING.contains(&class.name) && USUAL.contains(&constructor.descriptor),
        };
        if !is_keeping {
            return Err(self.unsupported(&format!("the constructor {}", constructor.full_name())));
        }
        let (this, given) = arguments.split_first().ok_or_else(|| self.unsupported("an empty stack"))?;
        let mut calls_users = self.may_run(path, this, &["fillInStackTrace"])?;
        for argument in given {
            calls_users |= self.may_run(path, argument, &["toString", "getMessage", "getLocalizedMessage"])?;
        }
        match calls_users {
            true => Err(self.unsupported("an exception whose constructor may call code that is not the JDK's")),
            false => Ok(()),
        }
    }

    /// May one of these methods of what the reference denotes be code of the user, or be unknown? Only texts and arrays have no class here.
    fn may_run(&self, path: &GuardedPath, value: &SymValue, names: &[&str]) -> Result<bool, Refusal> {
        let SymValue::Ref(refs) = value else { return Ok(false) };
        let is_users = |class: &'static Class| {
            let users = class.chain().filter(|class| class.is_users());
            users.flat_map(|class| class.methods.iter()).any(|method| names.contains(&method.name))
        };
        for (target, _) in refs.iter() {
            if matches!(target, Pointee::Null | Pointee::Mirror(_) | Pointee::Unknown) {
                continue;
            }
            let class = self.class_of(path, *target)?;
            let may_run = match class.possible() {
                Some(possible) => possible.others || possible.known.iter().any(|known| is_users(known)),
                None => is_users(class),
            };
            if may_run {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_model(&self, path: &GuardedPath, number: u32) -> bool {
        path.heap.get(number).is_some_and(|made| {
            matches!(made.body, ObjectBody::Set(_) | ObjectBody::Unordered(_) | ObjectBody::List(_))
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dispatch {
    Static,
    Exact,
    ByClass,
}

enum Callee {
    Nothing,
    /// A method of a class that is not on the class path.
    Unknown,
    Method(&'static Method),
    Model(u32),
}

impl Callee {
    fn is_same(&self, other: &Callee) -> bool {
        match (self, other) {
            (Callee::Method(one), Callee::Method(other)) => one.id == other.id,
            (Callee::Model(one), Callee::Model(other)) => one == other,
            (Callee::Nothing, Callee::Nothing) | (Callee::Unknown, Callee::Unknown) => true,
            _ => false,
        }
    }
}

/// Is the result of the instruction returned at once, so that it is a tail call?
fn is_last(code: &Code, pc: u32) -> bool {
    let mut next = pc + 1;
    loop {
        match code.ops.get(next as usize).map(|op| op.first()) {
            Some(Op::Goto(target)) if target > next => next = target,
            Some(Op::ReturnValue | Op::Return) => return true,
            _ => return false,
        }
    }
}
