//! Which operations of a path could have come in the other order, and which of them does nothing order at all?

use smallvec::smallvec;

use super::{AccessMode, ThreadNumber, ThreadOperation, Threads, TouchedThing, VectorClock, join};

impl Threads {
    /// The events that are in a race with an operation of a thread (`before` events had happened): their order could be the other one.
    /// Source-DPOR, Abdulla et al. 2014, section 5: `e` and `next(p)` conflict, and no event lies between them in happens-before.
    pub fn races(
        &self,
        thread: ThreadNumber,
        operation: &ThreadOperation,
        before: usize,
        clock: &VectorClock,
    ) -> Vec<usize> {
        let mut known = clock.clone();
        known.resize(self.all.len(), 0);
        let mut found = Vec::new();
        for at in (0..before).rev() {
            let event = &self.events[at];
            if event.thread == thread
                || known[event.thread as usize] >= event.index
                || !self.conflict((event.thread, &event.operation), (thread, operation))
            {
                continue;
            }
            match (&event.operation, operation) {
                // The thread could do nothing before this.
                (ThreadOperation::Notify(_), ThreadOperation::Resume { is_timed: false, .. })
                    if event.woken >> thread & 1 != 0 => {}
                // A lock that is held keeps the other thread out: its order is decided where the lock was taken. The event is
                // no step between the two, or the race with the lock would be hidden behind it. Example: `lock n=1 notify unlock`, then the `lock` of a
                // thread that would have waited if it had come first.
                (
                    ThreadOperation::Unlock(_) | ThreadOperation::Wait(_) | ThreadOperation::Notify(_),
                    ThreadOperation::Lock(_) | ThreadOperation::Resume { .. },
                )
                // The same with a thread that must end: its start is what may come later.
                | (ThreadOperation::End, ThreadOperation::Join { is_timed: false, .. }) => continue,
                _ => found.push(at),
            }
            join(&mut known, &event.clock);
        }
        found
    }
}

impl Threads {
    /// The pairs of events that are in a data race: two accesses to one variable, of which one writes and not both are volatile, that
    /// happens-before does not order (JLS §17.4.5). Each access is in at most one pair, with the access of each other thread that came last.
    ///
    /// One clock for each thread says which events happen before its next one. Monitors, volatile variables and threads pass clocks on: who
    /// leaves a monitor gives it his clock, who enters it takes that over. Park and unpark order nothing.
    pub fn data_races(&self) -> Vec<(usize, usize)> {
        let count = self.all.len();
        let mut known: Vec<VectorClock> = vec![smallvec![0; count]; count];
        let mut passed: Vec<(TouchedThing, VectorClock)> = Vec::new();
        let mut found = Vec::new();
        for (at, event) in self.events.iter().enumerate() {
            let own = event.thread as usize;
            known[own][own] = event.index;
            let (takes, gives): (Option<TouchedThing>, Option<TouchedThing>) = match &event.operation {
                ThreadOperation::Read(object, part, AccessMode::Volatile) => {
                    (Some(TouchedThing::Part(*object, *part)), None)
                }
                ThreadOperation::Write(object, part, AccessMode::Volatile) => {
                    (None, Some(TouchedThing::Part(*object, *part)))
                }
                ThreadOperation::Update(object, part, AccessMode::Volatile) => {
                    (Some(TouchedThing::Part(*object, *part)), Some(TouchedThing::Part(*object, *part)))
                }
                ThreadOperation::Lock(object) | ThreadOperation::Resume { object, .. } => {
                    (Some(TouchedThing::Monitor(*object)), None)
                }
                ThreadOperation::Unlock(object) | ThreadOperation::Wait(object) => {
                    (None, Some(TouchedThing::Monitor(*object)))
                }
                ThreadOperation::Join { thread, .. } | ThreadOperation::Alive(thread) => {
                    (Some(TouchedThing::Life(*thread)), None)
                }
                ThreadOperation::End => (None, Some(TouchedThing::Life(self.all[own].object))),
                ThreadOperation::Interruption(thread) => {
                    (Some(TouchedThing::Control(*thread)), Some(TouchedThing::Control(*thread)))
                }
                ThreadOperation::Initialise(class) => {
                    (Some(TouchedThing::Initialisation(*class)), Some(TouchedThing::Initialisation(*class)))
                }
                _ => (None, None),
            };
            if let Some(target) = takes
                && let Some((_, clock)) = passed.iter().find(|(known, _)| *known == target)
            {
                join(&mut known[own], clock);
            }
            if let Some((object, part, writes, mode)) = event.access() {
                let mut seen = 0u64;
                for (earlier, other) in self.events[..at].iter().enumerate().rev() {
                    let Some((same, also, changes, how)) = other.access() else { continue };
                    if other.thread == event.thread
                        || seen >> other.thread & 1 != 0
                        || !(writes || changes)
                        || mode == AccessMode::Volatile && how == AccessMode::Volatile
                        || !TouchedThing::Part(object, part).overlaps(TouchedThing::Part(same, also))
                    {
                        continue;
                    }
                    seen |= 1 << other.thread;
                    let is_ordered = known[own][other.thread as usize] >= other.index;
                    if !is_ordered && (event.is_users() || other.is_users()) {
                        found.push((earlier, at));
                    }
                }
            }
            if let ThreadOperation::Start(object) = &event.operation
                && let Some(started) = self.number_of(*object)
            {
                let clock = known[own].clone();
                join(&mut known[started as usize], &clock);
            }
            if let Some(target) = gives {
                let clock = known[own].clone();
                match passed.iter_mut().find(|(known, _)| *known == target) {
                    Some((_, known)) => join(known, &clock),
                    None => passed.push((target, clock)),
                }
            }
        }
        found
    }
}
