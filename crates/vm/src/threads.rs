//! Which threads has a path, what are they about to do, and what have they done?
//!
//! A program without other threads has none of this: `State::threads` is empty until the first `Thread.start()`. From then on the thread that
//! runs has its frames and monitors where they always are, in the state; those of the others are kept in their records.
//!
//! An operation is *visible* if another thread could notice it: an access to an object that two threads can reach, a monitor, a wait set, the
//! beginning and the end of a thread. Each thread runs up to its next visible operation, and then someone else may go first. Operations that
//! touch different things commute, so that invisible ones need no choice (Godefroid, *Partial-Order Methods*, 1996).

mod races;

use std::rc::Rc;
use std::time::Duration;

use smallvec::{SmallVec, smallvec};

use crate::frame::{HeldMonitor, Thread};
use crate::heap::{Body, Heap};
use crate::program::{ClassId, Method, MethodId};
use crate::value::{ObjId, Value};

/// The position of a thread in the order in which they were started; the first thread is number 0.
pub type ThreadNumber = u16;

/// The most threads of one path: sets of them are bits of a word.
pub const MOST_THREADS: usize = 64;

/// For each thread, how many of its events are known.
pub type VectorClock = SmallVec<[u32; 4]>;

/// The part of an object that an operation touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectPart {
    /// The field in this slot; of a mirror, a static field.
    Slot(u32),
    /// The element at this index.
    Element(i32),
    /// Some element, or several.
    Elements,
    /// Everything: a native method that may look at all of it.
    All,
}

/// How an access takes part in synchronisation (JLS §17.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessMode {
    /// An ordinary field or element.
    Plain,
    /// A volatile field, or an access that counts as one.
    Volatile,
    /// Plain, opaque, acquire or release by `VarHandle` or `Unsafe`: weaker than volatile.
    Weak,
}

/// An operation that other threads could notice.
#[derive(Clone, Debug, PartialEq)]
pub enum ThreadOperation {
    /// Reads a field or an element.
    Read(ObjId, ObjectPart, AccessMode),
    /// Writes a field or an element.
    Write(ObjId, ObjectPart, AccessMode),
    /// Reads and perhaps writes in one step, as compare-and-set does.
    Update(ObjId, ObjectPart, AccessMode),
    /// A native method that gets these objects, and may read and write them.
    Touch(Rc<[ObjId]>),
    /// Enters a monitor.
    Lock(ObjId),
    /// Leaves a monitor.
    Unlock(ObjId),
    /// Leaves a monitor and joins its wait set.
    Wait(ObjId),
    /// Enters the monitor again after a wait.
    Resume {
        /// The object that was waited for.
        object: ObjId,
        /// May the wait end because its time is over?
        is_timed: bool,
    },
    /// `notify` or `notifyAll`.
    Notify(ObjId),
    /// `LockSupport.park`.
    Park {
        /// May it end because its time is over?
        is_timed: bool,
    },
    /// `LockSupport.unpark` of that thread.
    Unpark(ThreadNumber),
    /// Interrupts that thread, or looks whether it is interrupted.
    Interruption(ThreadNumber),
    /// `Thread.sleep`.
    Sleep,
    /// Starts the thread of that object.
    Start(ObjId),
    /// Is the thread of that object alive?
    Alive(ObjId),
    /// Waits for the end of the thread of that object.
    Join {
        /// The thread that must end, if it was started.
        thread: ObjId,
        /// May it go on because its time is over?
        is_timed: bool,
    },
    /// The thread is done.
    End,
    /// Begins to initialise a class, or waits until another thread has done so.
    Initialise(ClassId),
    /// The first thread is back from the method that it ran.
    Return,
    /// An event that moves automata which are no thread's own: the properties by their numbers, with the object where there is one for each.
    Monitored(Rc<[(u16, Option<ObjId>)]>),
}

/// A thing that operations of several threads may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TouchedThing {
    Part(ObjId, ObjectPart),
    Monitor(ObjId),
    /// The permit of `park` and the interruption of a thread.
    Control(ThreadNumber),
    /// The beginning and the end of a thread.
    Life(ObjId),
    Initialisation(ClassId),
    /// The automaton of a property, or that of an object.
    Automaton(u16, Option<ObjId>),
}

impl TouchedThing {
    fn overlaps(self, other: TouchedThing) -> bool {
        match (self, other) {
            (TouchedThing::Part(one, part), TouchedThing::Part(another, other)) => {
                use ObjectPart::*;
                one == another
                    && match (part, other) {
                        (All, _) | (_, All) | (Elements, _) | (_, Elements) => true,
                        (part, other) => part == other,
                    }
            }
            _ => self == other,
        }
    }
}

impl ThreadOperation {
    /// The things that the operation touches when that thread performs it, and whether it changes them.
    fn footprint(
        &self,
        thread: ThreadNumber,
        object_of: impl Fn(ThreadNumber) -> ObjId,
    ) -> SmallVec<[(TouchedThing, bool); 2]> {
        match self {
            ThreadOperation::Read(object, part, _) => smallvec![(TouchedThing::Part(*object, *part), false)],
            ThreadOperation::Write(object, part, _) | ThreadOperation::Update(object, part, _) => {
                smallvec![(TouchedThing::Part(*object, *part), true)]
            }
            ThreadOperation::Touch(objects) => {
                objects.iter().map(|object| (TouchedThing::Part(*object, ObjectPart::All), true)).collect()
            }
            ThreadOperation::Lock(object) | ThreadOperation::Unlock(object) | ThreadOperation::Notify(object) => {
                smallvec![(TouchedThing::Monitor(*object), true)]
            }
            ThreadOperation::Wait(object) | ThreadOperation::Resume { object, .. } => {
                smallvec![(TouchedThing::Monitor(*object), true), (TouchedThing::Control(thread), true)]
            }
            ThreadOperation::Park { .. } | ThreadOperation::Sleep => smallvec![(TouchedThing::Control(thread), true)],
            ThreadOperation::Unpark(other) | ThreadOperation::Interruption(other) => {
                smallvec![(TouchedThing::Control(*other), true)]
            }
            ThreadOperation::Start(other) => smallvec![(TouchedThing::Life(*other), true)],
            ThreadOperation::Alive(other) => smallvec![(TouchedThing::Life(*other), false)],
            ThreadOperation::Join { thread: other, .. } => {
                smallvec![(TouchedThing::Life(*other), false), (TouchedThing::Control(thread), true)]
            }
            // Threads that wait for the thread object are woken.
            ThreadOperation::End => {
                let object = object_of(thread);
                smallvec![(TouchedThing::Life(object), true), (TouchedThing::Monitor(object), true)]
            }
            ThreadOperation::Initialise(class) => smallvec![(TouchedThing::Initialisation(*class), true)],
            ThreadOperation::Return => SmallVec::new(),
            ThreadOperation::Monitored(automata) => {
                automata.iter().map(|(number, object)| (TouchedThing::Automaton(*number, *object), true)).collect()
            }
        }
    }

    /// The field or element that it accesses, and whether it may write there.
    fn accessed(&self) -> Option<(ObjId, ObjectPart, bool)> {
        match self {
            ThreadOperation::Read(object, part, _) => Some((*object, *part, false)),
            ThreadOperation::Write(object, part, _) | ThreadOperation::Update(object, part, _) => {
                Some((*object, *part, true))
            }
            _ => None,
        }
    }

    /// Does it leave everything as it was that other threads can see, and come back to where it was?
    fn is_idle(&self) -> bool {
        matches!(
            self,
            ThreadOperation::Read(..)
                // One that changed something would be a write to the heap, which is looked at beside this.
                | ThreadOperation::Update(..)
                | ThreadOperation::Lock(_)
                | ThreadOperation::Unlock(_)
                | ThreadOperation::Sleep
                | ThreadOperation::Alive(_)
                | ThreadOperation::Wait(_)
                | ThreadOperation::Resume { .. }
                | ThreadOperation::Park { .. }
                | ThreadOperation::Join { .. }
                // An automaton that moves counts as a write to the heap.
                | ThreadOperation::Monitored(_)
        )
    }
}

/// A visible operation that was performed.
#[derive(Clone, Debug)]
pub struct Event {
    /// The thread that performed it.
    pub thread: ThreadNumber,
    /// Its number among the events of the thread, from 1.
    pub index: u32,
    /// The operation.
    pub operation: ThreadOperation,
    /// The method whose code asked for it, and the instruction there.
    pub site: (&'static Method, u32),
    /// The innermost line of the user's code.
    pub place: Option<(&'static Method, u32)>,
    /// The events that were known to its thread before.
    pub before: VectorClock,
    /// The events that it depends on, itself included: through its own thread, or through things that both touch.
    pub clock: VectorClock,
    /// The choice among threads that granted it, as the explorer numbers them; none if there was nothing to choose.
    pub choice: Option<u32>,
    /// The threads that could go first when it was granted.
    pub enabled: u64,
    /// The threads whose waits it ended.
    pub woken: u64,
    /// The thread's stack before it: the method and the instruction of each frame, and all registers; and the number of writes to the heap.
    positions: Rc<[(MethodId, u32)]>,
    registers: Rc<[Value]>,
    version: u64,
    has_permit: bool,
}

/// A thread that waits for `notify`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingFor {
    /// The object whose wait set it is in.
    pub object: ObjId,
    /// How often it had entered the monitor.
    pub count: u32,
    /// Has `notify` chosen it?
    pub is_notified: bool,
    /// Does it wake up for no reason? Then it has left the wait set.
    pub is_spurious: bool,
}

impl WaitingFor {
    /// May `notify` still choose it?
    pub fn is_in_set(self) -> bool {
        !self.is_notified && !self.is_spurious
    }
}

/// One thread of a path.
#[derive(Clone)]
pub struct ThreadRecord {
    /// The `java.lang.Thread` object.
    pub object: ObjId,
    /// The name at its start.
    pub name: Rc<str>,
    /// Its frames, while another thread runs.
    pub thread: Thread,
    /// Its monitors, while another thread runs.
    pub monitors: Vec<HeldMonitor>,
    /// Has it come to its end?
    pub has_ended: bool,
    /// Its next visible operation. None while it still runs up to it.
    pub pending: Option<ThreadOperation>,
    /// The wait that it is in.
    pub waiting: Option<WaitingFor>,
    /// Was it unparked?
    pub has_permit: bool,
    /// The monitor that a synchronized method needs whose frame is on the stack already.
    pub entering: Option<ObjId>,
    /// The exception with which the first thread ended.
    pub thrown: Option<ObjId>,
    /// It goes round and round without an effect until another thread writes: the number of writes, and of the others' events with an effect.
    pub spinning: Option<(u64, usize)>,
    /// When the time of its wait is up, in a run that honours the order by time. Counted from the start of the run, without what code takes.
    pub alarm: Option<Duration>,
    /// The events of all threads that its last one depends on.
    pub clock: VectorClock,
    /// How many events there were when one of its operations last ended for no reason: it would not do so again.
    pub spurious_at: usize,
}

/// The threads of a path.
#[derive(Clone)]
pub struct Threads {
    /// The one whose frames are in the state.
    pub current: ThreadNumber,
    /// All of them, by number.
    pub all: Vec<ThreadRecord>,
    /// The visible operations so far.
    pub events: Vec<Rc<Event>>,
    /// The threads that need not go next: what they would do was tried from here (sleep sets, Godefroid 1996).
    pub asleep: u64,
    /// May the current thread perform its pending operation?
    pub is_granted: bool,
    /// Where the current thread was in the midst of its operation when a question came in between: the depth of its stack and the instruction.
    pub rerun: Option<(u32, u32)>,
    /// The number of the choice that granted it.
    pub choice: Option<u32>,
    /// The threads that could go first then.
    pub enabled: u64,
    /// The waiting thread that `notify` shall wake.
    pub woken: Option<ThreadNumber>,
    /// Changes from a thread that could have gone on to another.
    pub preemptions: u32,
    /// Is something checked when the first thread returns? Then the order of its return and of all else matters.
    pub checks_return: bool,
    /// The objects that two threads can reach, by number.
    shared: Rc<Vec<u64>>,
}

impl Threads {
    /// The threads of a path that had one so far.
    pub fn new(main: ObjId, name: Rc<str>) -> Threads {
        Threads {
            current: 0,
            all: vec![ThreadRecord::new(main, name, smallvec![0])],
            events: Vec::new(),
            asleep: 0,
            is_granted: false,
            rerun: None,
            choice: None,
            enabled: 0,
            woken: None,
            preemptions: 0,
            checks_return: false,
            shared: Rc::default(),
        }
    }

    /// The thread that runs.
    pub fn now(&self) -> &ThreadRecord {
        &self.all[self.current as usize]
    }

    /// The thread that runs, to be changed.
    pub fn now_mut(&mut self) -> &mut ThreadRecord {
        &mut self.all[self.current as usize]
    }

    /// The thread of a `java.lang.Thread` object, if it was started.
    pub fn number_of(&self, object: ObjId) -> Option<ThreadNumber> {
        self.all.iter().position(|record| record.object == object).map(|at| at as ThreadNumber)
    }

    /// Can two threads reach the object?
    #[inline]
    pub fn is_shared(&self, object: ObjId) -> bool {
        let index = object.index();
        self.shared.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    /// Marks everything as shared that can be reached from a value.
    pub fn share(&mut self, heap: &Heap, value: Value) {
        let mut waiting: Vec<ObjId> = value.object().into_iter().collect();
        while let Some(object) = waiting.pop() {
            if self.is_shared(object) {
                continue;
            }
            let index = object.index();
            let words = Rc::make_mut(&mut self.shared);
            if words.len() <= index / 64 {
                words.resize(index / 64 + 1, 0);
            }
            words[index / 64] |= 1 << (index % 64);
            match &heap.get(object).body {
                Body::Fields(values) | Body::Refs(values) | Body::Mixed(values) => {
                    waiting.extend(values.iter().filter_map(|value| value.object()));
                }
                Body::Sparse(sparse) => {
                    waiting.extend(sparse.touched.iter().filter_map(|(_, value)| value.object()));
                    waiting.extend(sparse.others.object());
                }
                _ => {}
            }
        }
    }

    /// Forgets objects that are no more.
    pub fn forget_freed(&mut self, heap: &Heap) {
        for (at, word) in Rc::make_mut(&mut self.shared).iter_mut().enumerate() {
            for bit in 0..64 {
                if *word >> bit & 1 != 0 && !heap.contains(ObjId::from_index(at * 64 + bit)) {
                    *word &= !(1 << bit);
                }
            }
        }
    }

    /// The objects that must not be freed: those of the other threads, and those that events speak of, so that no other gets their names.
    pub fn roots(&self) -> Vec<ObjId> {
        let mut roots: Vec<ObjId> = Vec::new();
        for record in &self.all {
            roots.push(record.object);
            roots.extend(record.thread.values().filter_map(Value::object));
            roots.extend(record.thread.frames.iter().filter_map(|frame| frame.synchronized));
            roots.extend(record.thread.watch.iter().flat_map(|watch| watch.objects()));
            roots.extend(record.monitors.iter().map(|held| held.object));
            roots.extend(record.waiting.map(|waiting| waiting.object));
            roots.extend(record.entering);
            roots.extend(record.thrown);
            roots.extend(record.pending.iter().flat_map(objects_of));
        }
        roots.extend(self.events.iter().flat_map(|event| objects_of(&event.operation)));
        roots
    }

    /// Do two operations of different threads touch the same, so that their order matters?
    pub fn conflict(
        &self,
        (thread, one): (ThreadNumber, &ThreadOperation),
        (other, two): (ThreadNumber, &ThreadOperation),
    ) -> bool {
        if *one == ThreadOperation::Return || *two == ThreadOperation::Return {
            return self.checks_return;
        }
        // Most operations access one field or element, and most of them another one.
        match (one.accessed(), two.accessed()) {
            (Some((object, part, writes)), Some((also, of, changes))) => {
                return (writes || changes) && TouchedThing::Part(object, part).overlaps(TouchedThing::Part(also, of));
            }
            (Some(_), None) if !matches!(two, ThreadOperation::Touch(_)) => return false,
            (None, Some(_)) if !matches!(one, ThreadOperation::Touch(_)) => return false,
            _ => {}
        }
        let object_of = |number: ThreadNumber| self.all[number as usize].object;
        let (first, second) = (one.footprint(thread, object_of), two.footprint(other, object_of));
        first.iter().any(|(target, writes)| {
            second.iter().any(|(also, changes)| (*writes || *changes) && target.overlaps(*also))
        })
    }

    /// Writes down that the current thread performs an operation. `registers` and `version` say in which state.
    pub fn perform(&mut self, operation: ThreadOperation, frames: (&Thread, u64)) {
        let current = self.current;
        let before = self.now().clock.clone();
        let mut clock = before.clone();
        clock.resize(self.all.len(), 0);
        clock[current as usize] += 1;
        let index = clock[current as usize];
        // In reverse, so that an event that another one is known to follow need not be looked at.
        for event in self.events.iter().rev() {
            if event.thread != current
                && clock[event.thread as usize] < event.index
                && self.conflict((event.thread, &event.operation), (current, &operation))
            {
                join(&mut clock, &event.clock);
            }
        }
        // A thread that sleeps wakes up as soon as something happens that matters to what it would do.
        for number in 0..self.all.len() {
            let is_woken = self.asleep >> number & 1 != 0
                && self.all[number].pending.as_ref().is_none_or(|pending| {
                    number == current as usize
                        || self.conflict((number as ThreadNumber, pending), (current, &operation))
                });
            if is_woken {
                self.asleep &= !(1 << number);
            }
        }
        let (thread, version) = frames;
        let frame = thread.frames.last().expect("an operation is that of a frame");
        let users = thread.frames.iter().rev().find(|frame| frame.method.class().is_users());
        self.now_mut().clock.clone_from(&clock);
        let (choice, enabled) = (self.choice.take(), std::mem::take(&mut self.enabled));
        self.events.push(Rc::new(Event {
            thread: current,
            index,
            operation,
            site: (frame.method, frame.pc),
            place: users.map(|frame| (frame.method, frame.pc)),
            before,
            clock,
            choice,
            enabled,
            woken: 0,
            positions: positions_of(thread).collect(),
            registers: thread.stack[..thread.top()].into(),
            version,
            has_permit: self.now().has_permit,
        }));
    }

    /// Is the current thread back where it was at one of its events, and nothing has changed since? Then it goes round and round until
    /// another thread does something. `thread`, `held` and `version` are its state now, before `operation`.
    pub fn goes_round(&self, operation: &ThreadOperation, thread: &Thread, held: &[HeldMonitor], version: u64) -> bool {
        for (at, event) in self.events.iter().enumerate().rev() {
            if event.version != version || at < self.now().spurious_at {
                return false;
            }
            // While it stands still, others could not have a monitor that it leaves on its way round.
            if let ThreadOperation::Unlock(object) | ThreadOperation::Wait(object) = event.operation
                && event.thread == self.current
                && held.iter().any(|held| held.object == object)
            {
                return false;
            }
            if event.thread != self.current {
                // It may have woken the thread, or let it go on.
                if !event.operation.is_idle() {
                    return false;
                }
                continue;
            }
            let is_here = event.positions.iter().copied().eq(positions_of(thread));
            let is_alike = event.operation == *operation && event.has_permit == self.now().has_permit;
            if is_here && is_alike && event.registers[..] == thread.stack[..thread.top()] {
                return true;
            }
            if !event.operation.is_idle() {
                return false;
            }
        }
        false
    }

    /// Was it an event when the current thread entered a monitor?
    pub fn has_locked(&self, object: ObjId) -> bool {
        let own = self.events.iter().rev().filter(|event| event.thread == self.current);
        let last = own.map(|event| &event.operation).find_map(|operation| match operation {
            ThreadOperation::Lock(locked) | ThreadOperation::Resume { object: locked, .. } if *locked == object => {
                Some(true)
            }
            ThreadOperation::Unlock(left) | ThreadOperation::Wait(left) if *left == object => Some(false),
            _ => None,
        });
        last == Some(true)
    }

    /// Has every thread but the first come to its end, or does it wait for ever?
    pub fn is_over(&self) -> bool {
        self.all.iter().skip(1).all(|record| record.has_ended)
    }

    /// How many events with an effect there are by other threads than that.
    pub fn effects_of_others(&self, number: ThreadNumber) -> usize {
        self.events.iter().filter(|event| event.thread != number && !event.operation.is_idle()).count()
    }

    /// The thread other than that which holds the monitor of an object.
    pub fn owner(&self, object: ObjId, held_now: &[HeldMonitor]) -> Option<ThreadNumber> {
        let holds = |monitors: &[HeldMonitor]| monitors.iter().any(|held| held.object == object);
        let is_owner = |number: usize| match number == self.current as usize {
            true => holds(held_now),
            false => holds(&self.all[number].monitors),
        };
        (0..self.all.len()).find(|number| is_owner(*number)).map(|number| number as ThreadNumber)
    }

    /// Does the event at one position come before the one at a later position, by threads or by what both touch?
    pub fn is_before(&self, first: usize, second: usize) -> bool {
        let (first, second) = (&self.events[first], &self.events[second]);
        second.clock.get(first.thread as usize).is_some_and(|known| *known >= first.index)
    }
}

impl Event {
    /// Is it the user's code that does it? The atomic classes of the library do what the user's code tells them.
    fn is_users(&self) -> bool {
        let class = self.site.0.class();
        class.is_users() || class.name.starts_with("java/util/concurrent/atomic/Atomic")
    }

    /// The operand on top of its thread's stack.
    pub fn top_value(&self) -> Option<Value> {
        self.registers.last().copied()
    }

    /// How many frames the stack of its thread had.
    pub fn depth(&self) -> usize {
        self.positions.len()
    }

    /// The part of an object that it accesses: whether it writes, and how.
    pub fn access(&self) -> Option<(ObjId, ObjectPart, bool, AccessMode)> {
        match self.operation {
            ThreadOperation::Read(object, part, mode) => Some((object, part, false, mode)),
            ThreadOperation::Write(object, part, mode) | ThreadOperation::Update(object, part, mode) => {
                Some((object, part, true, mode))
            }
            _ => None,
        }
    }
}

impl ThreadRecord {
    /// A thread that has done nothing yet.
    pub fn new(object: ObjId, name: Rc<str>, clock: VectorClock) -> ThreadRecord {
        ThreadRecord {
            object,
            name,
            thread: Thread::default(),
            monitors: Vec::new(),
            has_ended: false,
            pending: None,
            waiting: None,
            has_permit: false,
            entering: None,
            thrown: None,
            spinning: None,
            alarm: None,
            clock,
            spurious_at: 0,
        }
    }
}

/// The method and the instruction of each frame: two calls of one method from different places are not the same.
fn positions_of(thread: &Thread) -> impl Iterator<Item = (MethodId, u32)> + '_ {
    thread.frames.iter().map(|frame| (frame.method.id, frame.pc))
}

/// Takes over what another clock knows.
fn join(clock: &mut VectorClock, other: &VectorClock) {
    clock.resize(clock.len().max(other.len()), 0);
    for (known, more) in clock.iter_mut().zip(other) {
        *known = (*known).max(*more);
    }
}

fn objects_of(operation: &ThreadOperation) -> Vec<ObjId> {
    match operation {
        ThreadOperation::Read(object, ..)
        | ThreadOperation::Write(object, ..)
        | ThreadOperation::Update(object, ..)
        | ThreadOperation::Lock(object)
        | ThreadOperation::Unlock(object)
        | ThreadOperation::Wait(object)
        | ThreadOperation::Resume { object, .. }
        | ThreadOperation::Start(object)
        | ThreadOperation::Alive(object)
        | ThreadOperation::Join { thread: object, .. }
        | ThreadOperation::Notify(object) => vec![*object],
        ThreadOperation::Touch(objects) => objects.to_vec(),
        ThreadOperation::Monitored(automata) => automata.iter().filter_map(|(_, object)| *object).collect(),
        _ => Vec::new(),
    }
}
