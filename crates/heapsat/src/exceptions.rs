//! Where does execution go on when something is thrown?
//!
//! For an invariant, nowhere: what throws is not valid. In a whole method a throw is a way of its own, to where it is caught, or out of
//! the method.

use lazuli_logic::circuit::Lit;
use lazuli_vm::program::Handler;

use super::Refusal;
use super::meaning::{Meaning, Refs, Target};
use super::translate::{Next, Translator};
use super::way::{Body, Way};

/// What is thrown.
pub enum Thrown {
    /// A new exception of this class of the JDK.
    New(&'static str),
    Object(Refs),
}

impl Translator<'_> {
    /// On these ways something is thrown.
    pub fn throws(&mut self, way: &mut Way, when: Lit, what: Thrown) -> Result<(), Refusal> {
        let thrown = self.circuit.and(way.guard, when);
        if thrown == Lit::FALSE {
            return Ok(());
        }
        if self.is_unordered(way) && self.is_possible(thrown)? {
            return Err(Refusal::Unordered);
        }
        if self.whole.is_some() {
            return self.throws_on(way, (when, thrown), what);
        }
        let is_caught = self.handlers > 0 || is_covered(way);
        if is_caught && self.is_possible(thrown)? {
            return Err(self.unsupported("an exception that is caught"));
        }
        self.forbid(thrown);
        if when == Lit::TRUE {
            way.guard = Lit::FALSE;
        }
        Ok(())
    }

    /// The rest of the way throws nothing; what is thrown waits until the instruction is over.
    fn throws_on(&mut self, way: &mut Way, (when, thrown): (Lit, Lit), what: Thrown) -> Result<(), Refusal> {
        if !self.is_possible(thrown)? {
            if when == Lit::TRUE {
                way.guard = Lit::FALSE;
            }
            return Ok(());
        }
        let mut side = way.clone();
        side.guard = thrown;
        let exception = match what {
            Thrown::Object(refs) => refs,
            Thrown::New(name) => {
                let class = self.program.load(name).map_err(|error| self.unlinked(error))?;
                let Some(fields) = class.defaults.iter().map(|value| self.meaning_of(*value)).collect() else {
                    return Err(self.unsupported("an exception with numbers that are not translated"));
                };
                match self.make(&mut side, class, Body::Fields(fields)) {
                    Meaning::Ref(refs) => refs,
                    _ => unreachable!("an object is a reference"),
                }
            }
        };
        way.guard = self.circuit.and(way.guard, !when);
        self.pending.push((side, exception));
        Ok(())
    }

    /// Goes on where the exceptions of the last instruction are caught, or leaves the method with them.
    pub fn catch_pending(&mut self, out: &mut Vec<Next>) -> Result<(), Refusal> {
        for (mut way, exception) in std::mem::take(&mut self.pending) {
            way.registers.truncate(way.code.locals as usize);
            let caught = self.catch_one(&way, exception, out);
            self.unless_left_out(&way, caught)?;
        }
        Ok(())
    }

    fn catch_one(&mut self, way: &Way, exception: Refs, out: &mut Vec<Next>) -> Result<(), Refusal> {
        let mut ends = Vec::new();
        let mut left: Vec<(Target, Lit)> = exception.to_vec();
        let (code, pc) = (way.code, way.pc);
        for handler in code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&pc)) {
            let (fits, others) = self.caught_by(way, handler, left)?;
            left = others;
            if !fits.is_empty() {
                let when = self.circuit.any(fits.iter().map(|(_, when)| *when));
                let mut side = way.clone();
                side.guard = self.circuit.and(way.guard, when);
                side.push(Meaning::Ref(fits.into()));
                ends.push(Next::Jump(side, handler.target));
            }
            if left.is_empty() {
                break;
            }
        }
        if !left.is_empty() {
            let when = self.circuit.any(left.iter().map(|(_, when)| *when));
            let guard = self.circuit.and(way.guard, when);
            ends.push(Next::Throw(Way { guard, ..way.clone() }, Meaning::Ref(left.into())));
        }
        out.extend(ends);
        Ok(())
    }

    /// What a handler catches, and what it does not.
    #[allow(clippy::type_complexity)]
    fn caught_by(
        &mut self,
        way: &Way,
        handler: &Handler,
        exceptions: Vec<(Target, Lit)>,
    ) -> Result<(Vec<(Target, Lit)>, Vec<(Target, Lit)>), Refusal> {
        let Some(site) = handler.catches else { return Ok((exceptions, Vec::new())) };
        let class = self.class_site(way.code, site)?;
        let (mut fits, mut others) = (Vec::new(), Vec::new());
        for (target, when) in exceptions {
            let is_caught = self.is_of(way, target, class)?;
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

/// Would somebody in the method catch what is thrown here?
pub fn is_covered(way: &Way) -> bool {
    way.code.handlers.iter().any(|handler| (handler.start..handler.end).contains(&way.pc))
}
