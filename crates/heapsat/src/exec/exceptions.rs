//! Where does execution go on after an exception?
//!
//! For an invariant, nowhere: an input on which it throws is not valid. In a whole method an exception takes a path of its own, to its handler or
//! out of the method.

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::Handler;

use crate::Refusal;
use crate::exec::executor::{Executor, Successor};
use crate::exec::path::{GuardedPath, ObjectBody};
use crate::exec::value::{Pointee, PointsTo, SymValue};

/// An exception.
pub(crate) enum Thrown {
    /// A new exception of this class of the JDK.
    New(&'static str),
    Object(PointsTo),
}

impl Executor<'_> {
    /// Throws under a condition.
    pub(crate) fn throws(&mut self, path: &mut GuardedPath, when: Lit, what: Thrown) -> Result<(), Refusal> {
        let thrown = self.circuit.and(path.guard, when);
        if thrown == Lit::FALSE {
            return Ok(());
        }
        if self.iterates_unordered(path) && self.is_feasible(thrown)? {
            return Err(Refusal::Unordered);
        }
        if self.mode.is_method() {
            return self.throws_on(path, (when, thrown), what);
        }
        let is_caught = self.is_caught(path);
        if is_caught && self.is_feasible(thrown)? {
            return Err(self.unsupported("an exception that is caught"));
        }
        self.assume_not(thrown);
        if when == Lit::TRUE {
            path.guard = Lit::FALSE;
        }
        Ok(())
    }

    /// Forks off a path that throws; it is dispatched when the instruction is over. The path itself goes on where nothing is thrown.
    fn throws_on(&mut self, path: &mut GuardedPath, (when, thrown): (Lit, Lit), what: Thrown) -> Result<(), Refusal> {
        if !self.is_feasible(thrown)? {
            if when == Lit::TRUE {
                path.guard = Lit::FALSE;
            }
            return Ok(());
        }
        let mut side = path.clone();
        side.guard = thrown;
        let exception = match what {
            Thrown::Object(refs) => refs,
            Thrown::New(name) => {
                let class = self.program.load(name).map_err(|error| self.unlinked(error))?;
                let Some(fields) = class.defaults.iter().map(|value| self.value_of(*value)).collect() else {
                    return Err(self.unsupported("an exception with numbers that are not translated"));
                };
                match self.allocate(&mut side, class, ObjectBody::Fields(fields)) {
                    SymValue::Ref(refs) => refs,
                    _ => unreachable!("an object is a reference"),
                }
            }
        };
        path.guard = self.circuit.and(path.guard, !when);
        self.context.throw(side, exception);
        Ok(())
    }

    /// Is an exception that is thrown here caught, in the method or by a caller?
    pub(crate) fn is_caught(&self, path: &GuardedPath) -> bool {
        self.context.has_handlers() || is_covered(path)
    }

    /// Goes on where the exceptions of the last instruction are caught, or leaves the method with them.
    pub(crate) fn catch_pending(&mut self, out: &mut Vec<Successor>) -> Result<(), Refusal> {
        for (mut path, exception) in self.context.take_thrown() {
            path.registers.truncate(path.code.locals as usize);
            let caught = self.catch_one(&path, exception, out);
            self.truncate_unsupported(&path, caught)?;
        }
        Ok(())
    }

    fn catch_one(&mut self, path: &GuardedPath, exception: PointsTo, out: &mut Vec<Successor>) -> Result<(), Refusal> {
        let mut ends = Vec::new();
        let mut left: Vec<(Pointee, Lit)> = exception.to_vec();
        let (code, pc) = (path.code, path.pc);
        for handler in code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&pc)) {
            let (fits, others) = self.caught_by(path, handler, left)?;
            left = others;
            if !fits.is_empty() {
                let when = self.circuit.any(fits.iter().map(|(_, when)| *when));
                let mut side = path.clone();
                side.guard = self.circuit.and(path.guard, when);
                side.push(SymValue::Ref(fits.into()));
                ends.push(Successor::Jump(side, handler.target));
            }
            if left.is_empty() {
                break;
            }
        }
        if !left.is_empty() {
            let when = self.circuit.any(left.iter().map(|(_, when)| *when));
            let guard = self.circuit.and(path.guard, when);
            ends.push(Successor::Throw(GuardedPath { guard, ..path.clone() }, SymValue::Ref(left.into())));
        }
        out.extend(ends);
        Ok(())
    }

    /// Splits exceptions into those that a handler catches and the others.
    #[allow(clippy::type_complexity)]
    fn caught_by(
        &mut self,
        path: &GuardedPath,
        handler: &Handler,
        exceptions: Vec<(Pointee, Lit)>,
    ) -> Result<(Vec<(Pointee, Lit)>, Vec<(Pointee, Lit)>), Refusal> {
        let Some(site) = handler.catches else { return Ok((exceptions, Vec::new())) };
        let class = self.class_site(path.code, site)?;
        let (mut fits, mut others) = (Vec::new(), Vec::new());
        for (target, when) in exceptions {
            let is_caught = self.is_of(path, target, class)?;
            for (side, which) in [(&mut fits, is_caught), (&mut others, !is_caught)] {
                let when = self.circuit.and(when, which);
                if when != Lit::FALSE {
                    side.push((target, when));
                }
            }
        }
        Ok((fits, others))
    }
}

/// Does a handler of the method cover the instruction of a path?
pub(crate) fn is_covered(path: &GuardedPath) -> bool {
    path.code.handlers.iter().any(|handler| (handler.start..handler.end).contains(&path.pc))
}
