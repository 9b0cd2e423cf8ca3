//! Which operations may end for no reason?
//!
//! `Object.wait` and `LockSupport.park` may wake up spuriously (JLS §17.2.1), and a weak compare-and-set may fail although the variable has the value that
//! was expected. Where the user's code calls one of them, that is an unknown of the path, as a value from outside is: it is no with all other executions,
//! and yes in addition. A thread that wakes up spuriously from `wait` leaves the wait set at once, and only enters the monitor again: whatever a notification in between
//! would do to it is what it does where the answer is no.
//!
//! Each such place does so at most so many times for each thread of a path (`InputRules::spurious`), or loops around waits would have no end.
//! Code of the JDK is not asked: it waits in loops that look again.

use std::rc::Rc;

use lazuli_logic::Sort;

use crate::ambient::Assumption;
use crate::interp::Vm;
use crate::outcome::Stop;
use crate::state::State;
use crate::symbols::{SPURIOUS, Taken};
use crate::value::Value;

/// An operation that may end for no reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpuriousEnd {
    /// `wait` and `park`.
    WakeUp,
    /// A weak compare-and-set.
    Failure,
}

/// Classes of the library between the user's call and the operation.
fn is_between(class: &str) -> bool {
    ["java/lang/Object", "java/util/concurrent/locks/LockSupport", "jdk/internal/misc/Unsafe"].contains(&class)
        || class.starts_with("java/util/concurrent/atomic/Atomic")
        || class.starts_with("java/lang/invoke/")
}

impl Vm {
    /// Does the operation that the current thread performs end for no reason? Asks, unless the path knows. To be called once for each time that the
    /// operation is performed, and again after the question.
    pub(crate) fn is_spurious(&mut self, state: &mut State, kind: SpuriousEnd) -> Result<bool, Stop> {
        if !self.is_exploring || self.has_only_reasons || state.thread.is_guarded {
            return Ok(false);
        }
        let mut frames = state.thread.frames.iter().rev();
        let Some(frame) = frames.find(|frame| !is_between(frame.method.class().name)) else { return Ok(false) };
        if !frame.method.class().is_users() {
            return Ok(false);
        }
        let line = self.program.code(frame.method).ok().and_then(|code| code.line(frame.pc));
        let file = frame.method.class().source_file().unwrap_or(frame.method.class().name);
        let at = line.map_or(format!("{file}@{}", frame.pc), |line| format!("{file}:{line}"));
        let prefix = format!("{SPURIOUS}{} {at}#", self.spurious_subject(state, kind));
        let of_place = |taken: &Taken| taken.name.starts_with(&prefix);
        // The question about this one may have been answered just now.
        let before: Vec<(usize, Value, bool)> = (state.symbols.taken.iter().enumerate())
            .filter(|(_, taken)| of_place(taken))
            .map(|(at, taken)| (at, taken.value, taken.is_used))
            .collect();
        let (at, value) = match before.last() {
            Some((at, value, false)) => (*at, *value),
            _ => {
                let mut times = 0;
                for (_, value, _) in &before {
                    times += self.is_nonzero(state, *value)? as u32;
                }
                if times >= self.rules.spurious {
                    let most = self.rules.spurious;
                    self.take_for_granted(match kind {
                        SpuriousEnd::WakeUp => Assumption::SpuriousWakeUps { most },
                        SpuriousEnd::Failure => Assumption::SpuriousFailures { most },
                    });
                    return Ok(false);
                }
                let name: Rc<str> = format!("{prefix}{}", before.len() + 1).into();
                let value = match &self.example {
                    Some(example) => {
                        let known = example.taken.iter().find(|taken| taken.name == name);
                        known.map_or(Value::Int(0), |taken| taken.value)
                    }
                    None if self.is_concrete => return Ok(false),
                    None => self.symbol_in(state, &name, Sort::Int, (0, 1)),
                };
                let taken = Rc::make_mut(&mut state.symbols.taken);
                taken.push(Taken { name, value, is_used: false });
                (taken.len() - 1, value)
            }
        };
        let is_spurious = self.is_nonzero(state, value)?;
        let taken = &mut Rc::make_mut(&mut state.symbols.taken)[at];
        (taken.is_used, taken.value) = (true, Value::Int(is_spurious as i32));
        if let Some(threads) = state.threads.as_mut().filter(|_| is_spurious) {
            threads.now_mut().spurious_at = threads.events.len();
        }
        Ok(is_spurious)
    }

    /// `wake-up of A at`
    fn spurious_subject(&self, state: &State, kind: SpuriousEnd) -> String {
        let what = match kind {
            SpuriousEnd::WakeUp => "wake-up",
            SpuriousEnd::Failure => "failure of a weak compare-and-set",
        };
        let Some(threads) = &state.threads else { return format!("{what} at") };
        let name = &threads.now().name;
        let is_unique = threads.all.iter().filter(|record| record.name == *name).count() == 1;
        let number = if is_unique { String::new() } else { format!(" ({})", threads.current + 1) };
        format!("{what} of {name}{number} at")
    }

    fn is_nonzero(&mut self, state: &State, value: Value) -> Result<bool, Stop> {
        let Some(term) = self.term_of(value, Sort::Int) else { return Ok(false) };
        let zero = self.terms.int(0);
        let is_zero = self.terms.equal(term, zero);
        Ok(!self.decide(state, is_zero)?)
    }
}
