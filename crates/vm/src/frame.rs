//! What is a thread doing: which methods has it entered, and where is it in each?

use std::rc::Rc;

use crate::heap::Heap;
use crate::program::{Class, Code, Method};
use crate::property::ThreadWatch;
use crate::value::{ObjId, Value};

/// The effect of a frame's end, by return or by exception.
#[derive(Clone, Copy)]
pub enum Purpose {
    /// An ordinary call: the result goes to the caller, which goes on with its next instruction.
    Call,
    /// The caller's instruction needed this class initialised, and is run again afterwards (JVMS §5.5).
    Initialise(&'static Class),
    /// The caller's instruction needed something done first, and is run again afterwards; the result is dropped.
    Detour,
    /// The caller's instruction asked for an object of the library, which this frame makes; it is run again afterwards.
    Make,
    /// Says whether an object is valid before code gets it that is not there; the caller's instruction is run again afterwards.
    Judge(ObjId),
    /// Says whether an object is valid after such code had it, which leaves it so if it was; the result goes nowhere.
    Assume,
    /// Fills a collection as code that is not there left it, behind the call; it returns nothing.
    Refill,
    /// The bottom of the stack: the result is the path's.
    Entry,
    /// The bottom of the stack of another thread, which ends with the frame.
    Thread,
}

/// One entered method. Its registers are `stack[base..]` of the thread: first the local variables, then the operands.
#[derive(Clone, Copy)]
pub struct Frame {
    /// The method whose body runs, also the one that stack traces show.
    pub method: &'static Method,
    /// The instructions: the method's own, or the stub of a native that hands over.
    pub code: &'static Code,
    /// The index of the first register in the thread's stack.
    pub base: u32,
    /// The instruction that is being executed; of a caller: its call.
    pub pc: u32,
    /// The first free operand slot, counted from `base`.
    pub sp: u32,
    /// The effect of the frame's end on its caller.
    pub purpose: Purpose,
    /// The monitor that a synchronized method holds is released when the frame goes.
    pub synchronized: Option<ObjId>,
}

/// A monitor that is held (JVMS §2.11.10).
#[derive(Clone, Copy)]
pub struct HeldMonitor {
    /// The object whose monitor it is.
    pub object: ObjId,
    /// How often it was entered and not left.
    pub count: u32,
}

/// Registers that the next few calls are likely to need.
const CALL: usize = 24;

/// The frames of one thread over one array of registers. Forking copies both: a few kilobytes at most.
#[derive(Clone, Default)]
pub struct Thread {
    /// The entered methods, the caller before the callee.
    pub frames: Vec<Frame>,
    /// The registers of all frames.
    pub stack: Vec<Value>,
    /// Is a contract method at the bottom, which must not change its input?
    pub is_guarded: bool,
    /// The heap when it began, if inputs were objects of the library then.
    pub guarded_heap: Option<Rc<Heap>>,
    /// The events that properties have not seen yet; none where no property is monitored.
    pub watch: Option<Box<ThreadWatch>>,
}

impl Thread {
    /// The index just past the registers in use.
    pub fn top(&self) -> usize {
        self.frames.last().map_or(0, |frame| (frame.base + frame.sp) as usize)
    }

    /// The same as `fork`, in a thread that is no longer needed.
    pub fn fork_into(&self, spare: &mut Thread) {
        spare.frames.clone_from(&self.frames);
        spare.stack.clear();
        spare.stack.extend_from_slice(&self.stack[..self.in_use()]);
        spare.is_guarded = self.is_guarded;
        spare.guarded_heap.clone_from(&self.guarded_heap);
        spare.watch.clone_from(&self.watch);
    }

    /// A copy that leaves out what lies above the registers in use.
    pub fn fork(&self) -> Thread {
        let end = self.in_use();
        // Most go on with a call: the room for it is made at once.
        let mut stack = Vec::with_capacity((end + CALL).next_power_of_two());
        stack.extend_from_slice(&self.stack[..end]);
        let (guarded_heap, watch) = (self.guarded_heap.clone(), self.watch.clone());
        Thread { frames: self.frames.clone(), stack, is_guarded: self.is_guarded, guarded_heap, watch }
    }

    /// How many registers the frames may use. A caller may have more than fit below those of the frame that it called.
    fn in_use(&self) -> usize {
        let ends = self.frames.iter().map(|frame| frame.base as usize + frame.code.registers as usize);
        ends.max().unwrap_or(0).min(self.stack.len())
    }

    /// All values that the program can still read.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.frames.iter().flat_map(|frame| {
            let base = frame.base as usize;
            self.stack[base..base + frame.sp as usize].iter().copied()
        })
    }
}
