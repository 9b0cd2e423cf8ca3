//! Can a method body harm the interpreter? (JVMS §4.10)
//!
//! The interpreter trusts its code: it pops without looking whether anything is there. Here the kinds of all registers are
//! followed along all ways through a body, before it first runs. A body that passes has enough operands of the right kinds at
//! every instruction, never more than its registers hold, and never runs past its end.
//!
//! Code that the user supplied is also held to the classes of its objects, because a field is found by its place in the
//! object. The JDK's own code is trusted in that, and fewer classes need to be loaded.
//!
//! The verifier keeps the known types where ways meet: at the targets of jumps and handlers. From there a block is followed to its end.
//! A subroutine (`jsr`, before Java 6) is followed for each caller on its own, so that callers do not disturb one another.

mod step;
mod types;

use std::collections::HashMap;

use super::code::{Code, Op};
pub use types::ClassHierarchy;
use types::{Signature, VerificationType};

#[cfg(test)]
mod tests;

/// Why a body is refused, and the byte offset of the instruction.
#[derive(Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The byte offset of the instruction in the class file.
    pub offset: u32,
    /// The rule that the code breaks.
    pub what: &'static str,
}

/// Checks the body of a method with this descriptor. The receiver is the class of the method, unless it is static.
pub fn verify(
    code: &Code,
    receiver: Option<&'static str>,
    descriptor: &'static str,
    classes: &mut ClassHierarchy,
) -> Result<(), VerifyError> {
    let mut verifier = Verifier::new(code, classes);
    let result = verifier.run(receiver, descriptor);
    result.map_err(|what| {
        let offset = code.offsets.get(verifier.at).copied().map_or(verifier.at as u32, u32::from);
        VerifyError { offset, what }
    })
}

type Check<T = ()> = Result<T, &'static str>;

const FELL_OFF: &str = "execution falls off the end of the code";
const NO_TARGET: &str = "a jump to an instruction that does not exist";
const NO_SITE: &str = "an operand of the instruction does not exist";

/// Types that may be kept, and effort that may be spent on one body, before it is refused: hostile code could otherwise use up
/// memory or time. The largest method of java.base needs less than a thousandth.
const MOST_KNOWN: usize = 1 << 23;
const MOST_EFFORT: usize = 1 << 28;
const TOO_LARGE: &str = "the method is too large to be verified";

/// Not a join, or a join that no way has reached yet: then there is no state.
const NO_STATE: u32 = u32::MAX;

/// The known types at an instruction where ways meet.
struct TypeState {
    at: u32,
    activation: u16,
    /// Where the types of the locals, then of the operands, start in `Verifier::known`.
    start: usize,
    height: u32,
    /// Does it wait to be followed?
    waits: bool,
}

/// A call of a subroutine. The first one stands for the method itself.
struct SubroutineCall {
    subroutine: u32,
    back_to: u32,
    caller: u16,
}

/// Does execution go on with the next instruction?
enum Next {
    Follows,
    Ends,
}

struct Verifier<'a, 'p> {
    code: &'a Code,
    classes: &'a mut ClassHierarchy<'p>,
    result: Option<VerificationType>,
    /// The instruction being looked at.
    at: usize,
    activation: u16,
    /// The registers before that instruction: locals, then `height` operands.
    registers: Vec<VerificationType>,
    height: usize,
    /// The instructions that jumps, handlers or subroutines lead to.
    joins: Vec<bool>,
    /// Instructions where the range of a handler starts; empty without handlers.
    range_starts: Vec<bool>,
    /// The state at each instruction outside of subroutines.
    entries: Vec<u32>,
    entries_of_activations: HashMap<(u16, u32), u32>,
    states: Vec<TypeState>,
    known: Vec<VerificationType>,
    waiting: Vec<u32>,
    activations: Vec<SubroutineCall>,
    /// Registers and handlers looked at.
    effort: usize,
}

impl<'a, 'p> Verifier<'a, 'p> {
    fn new(code: &'a Code, classes: &'a mut ClassHierarchy<'p>) -> Verifier<'a, 'p> {
        Verifier {
            code,
            classes,
            result: None,
            at: 0,
            activation: 0,
            registers: vec![VerificationType::Unusable; code.registers as usize],
            height: 0,
            joins: Vec::new(),
            range_starts: Vec::new(),
            entries: Vec::new(),
            entries_of_activations: HashMap::new(),
            states: Vec::new(),
            known: Vec::new(),
            waiting: Vec::new(),
            activations: vec![SubroutineCall { subroutine: 0, back_to: 0, caller: 0 }],
            effort: 0,
        }
    }

    fn run(&mut self, receiver: Option<&'static str>, descriptor: &'static str) -> Check {
        if self.code.locals > self.code.registers {
            return Err("there are more local variables than registers");
        }
        self.receive_arguments(receiver, descriptor)?;
        // A data-flow analysis with a worklist of joins (JVMS §4.10.2.2). A merge only moves types up a lattice of finite
        // height, so that each join is followed finitely often; `MOST_EFFORT` bounds how often that is in total.
        if self.find_joins()? {
            self.reach(0, 0, None)?;
            while let Some(index) = self.waiting.pop() {
                self.restore(index);
                self.follow_block()?;
            }
            return Ok(());
        }
        self.follow_block()
    }

    /// The arguments are the first registers.
    fn receive_arguments(&mut self, receiver: Option<&'static str>, descriptor: &'static str) -> Check {
        let broken = "the method's descriptor is broken";
        let classes = &mut *self.classes;
        let mut signature = Signature::new(descriptor).ok_or(broken)?;
        let receiver = receiver.and_then(|class| classes.of_class(class));
        let parameters = std::iter::from_fn(|| signature.parameter(classes));
        let mut locals = self.registers[..self.code.locals as usize].iter_mut();
        for argument in receiver.into_iter().chain(parameters) {
            *locals.next().ok_or("the arguments do not fit into the local variables")? = argument;
        }
        self.result = signature.result(self.classes).ok_or(broken)?;
        Ok(())
    }

    /// Marks where ways meet. False if they never do.
    fn find_joins(&mut self) -> Check<bool> {
        let code = self.code;
        let length = code.ops.len();
        let has_jumps = !code.handlers.is_empty() || code.ops.iter().any(|op| op.target().is_some() || is_switch(*op));
        if !has_jumps {
            return Ok(false);
        }
        self.joins = vec![false; length];
        self.entries = vec![NO_STATE; length];
        let joins = &mut self.joins;
        let mut mark = |target: u32| joins.get_mut(target as usize).map(|join| *join = true).ok_or(NO_TARGET);
        mark(0)?;
        for (at, op) in code.ops.iter().enumerate() {
            self.at = at;
            code.targets(*op).ok_or(NO_SITE)?.try_for_each(&mut mark)?;
            // A subroutine at the very end has nothing to go back to; its `ret` will be refused.
            if matches!(op, Op::Jsr(_)) && at + 1 < length {
                mark(at as u32 + 1)?;
            }
        }
        if !code.handlers.is_empty() {
            self.range_starts = vec![false; length];
        }
        for handler in &code.handlers {
            self.at = handler.start as usize;
            mark(handler.target)?;
            if handler.end as usize > length || handler.catches.is_some_and(|site| site as usize >= code.classes.len())
            {
                return Err("an exception handler that does not fit the code");
            }
            *self.range_starts.get_mut(handler.start as usize).ok_or(NO_TARGET)? = true;
        }
        Ok(true)
    }

    /// Goes back to what is known at a join.
    fn restore(&mut self, index: u32) {
        let state = &mut self.states[index as usize];
        state.waits = false;
        self.at = state.at as usize;
        self.activation = state.activation;
        self.height = state.height as usize;
        let used = self.code.locals as usize + self.height;
        self.registers[..used].copy_from_slice(&self.known[state.start..state.start + used]);
    }

    /// Follows the instructions from `at` until the next join, or until execution ends or jumps.
    fn follow_block(&mut self) -> Check {
        let mut handlers_know = false;
        loop {
            let at = self.at;
            let Some(&op) = self.code.ops.get(at) else { return Err(FELL_OFF) };
            // Any instruction of a range may throw, and a handler sees only the locals. It must be told once at the start of
            // each block and range, and again after a store changed a local: `handlers_know` is false until that is done.
            if let Some(starts) = self.range_starts.get(at)
                && (*starts || !handlers_know)
            {
                self.reach_handlers()?;
                handlers_know = true;
            }
            match self.step(op, &mut handlers_know)? {
                Next::Ends => return Ok(()),
                Next::Follows if at + 1 == self.code.ops.len() => return Err(FELL_OFF),
                Next::Follows if self.joins.get(at + 1) == Some(&true) => {
                    return self.reach(at as u32 + 1, self.activation, None);
                }
                Next::Follows => self.at = at + 1,
            }
        }
    }

    /// An exception may arise at this instruction: its handlers start with these locals and the exception.
    fn reach_handlers(&mut self) -> Check {
        let at = self.at as u32;
        self.effort += self.code.handlers.len();
        for handler in &self.code.handlers {
            if handler.start <= at && at < handler.end {
                if self.code.registers == self.code.locals {
                    return Err("the operand stack has no room for an exception");
                }
                let caught = handler.catches.and_then(|site| self.code.classes.get(site as usize));
                let exception = self.classes.of_class(caught.map_or("java/lang/Throwable", |site| site.name));
                let exception = exception.ok_or("an exception handler for a class with a broken name")?;
                self.reach(handler.target, self.activation, Some(exception))?;
            }
        }
        Ok(())
    }

    /// Brings what is known here to a join; with `exception` as the only operand, if there is one.
    fn reach(&mut self, target: u32, activation: u16, exception: Option<VerificationType>) -> Check {
        let locals = self.code.locals as usize;
        let height = if exception.is_some() { 1 } else { self.height };
        self.effort += locals + height;
        if self.effort > MOST_EFFORT || self.known.len() > MOST_KNOWN {
            return Err(TOO_LARGE);
        }
        let operands = match &exception {
            Some(exception) => std::slice::from_ref(exception),
            None => &self.registers[locals..locals + height],
        };
        // Activation 0 is the method itself. A subroutine has a state per call, (activation, instruction): two `jsr` to one
        // subroutine with an int and a float in local 1 leave it an int after the first and a float after the second.
        let entry = match activation {
            0 => self.entries.get_mut(target as usize).ok_or(FELL_OFF)?,
            _ => self.entries_of_activations.entry((activation, target)).or_insert(NO_STATE),
        };
        if *entry == NO_STATE {
            *entry = self.states.len() as u32;
            self.waiting.push(*entry);
            let start = self.known.len();
            self.known.extend_from_slice(&self.registers[..locals]);
            self.known.extend_from_slice(operands);
            self.states.push(TypeState { at: target, activation, start, height: height as u32, waits: true });
            return Ok(());
        }
        // Not the first arrival: the heights must agree (JVMS §4.10.2.2), locals may lose their type, operands may not.
        let state = &mut self.states[*entry as usize];
        if state.height as usize != height {
            return Err("the operand stack has different heights on different ways to the same instruction");
        }
        let known = &mut self.known[state.start..state.start + locals + height];
        let (known_locals, known_operands) = known.split_at_mut(locals);
        let mut changed = merge(self.classes, known_locals, &self.registers[..locals]);
        changed |= merge(self.classes, known_operands, operands);
        if changed {
            if known_operands.contains(&VerificationType::Unusable) {
                return Err("an operand has different kinds on different ways to the same instruction");
            }
            if !state.waits {
                state.waits = true;
                self.waiting.push(*entry);
            }
        }
        Ok(())
    }
}

/// Merges what is known with what arrives. True if less is known than before.
fn merge(classes: &mut ClassHierarchy, known: &mut [VerificationType], arriving: &[VerificationType]) -> bool {
    if known == arriving {
        return false;
    }
    let mut changed = false;
    for (known, arriving) in known.iter_mut().zip(arriving) {
        let merged = classes.merge(*known, *arriving);
        changed |= merged != *known;
        *known = merged;
    }
    changed
}

fn is_switch(op: Op) -> bool {
    matches!(op, Op::TableSwitch(_) | Op::LookupSwitch(_))
}
