//! How do several threads share one exploration? They hand each other traces, never states.
//!
//! Each worker has an interpreter, a table of terms and a solver of its own. One that has nothing to do waits; the others give it
//! the choice of theirs that is nearest to the start. It makes the state again by replaying the trace, which costs little because
//! no solver is asked on the way.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use lazuli_reach::workshop::Workshop;
use lazuli_valid::SharedTable;
use lazuli_vm::program::{Method, Program};

use crate::report::summary::Summary;
use crate::worker::Worker;
use crate::worker::hunt::Likeness;
use crate::worker::pools::{PoolKey, Pools};
use crate::{Config, Failure, Progress, Trace};

/// An exploration that is over before this is not worth a second interpreter.
const WORTH_SHARING: Duration = Duration::from_millis(30);

/// A piece of work with fewer paths than this is hardly worth replaying its trace.
const WORTH_REPLAYING: u64 = 64;

/// Java code may nest deeply, and so do some of our walks over it.
const STACK: usize = 64 << 20;

/// The queue and counters that the workers share.
pub(crate) struct Share {
    started: Instant,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Workers that wait for a trace.
    hungry: AtomicUsize,
    /// Microseconds from the start to when a trace was last given away, and how many must pass before the next is.
    last_given: AtomicU64,
    pause: AtomicU64,
}

struct Queue {
    traces: Vec<Trace>,
    /// Workers that have work.
    busy: usize,
    /// No worker takes any more work: one of them could not begin.
    is_closed: bool,
}

impl Share {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The next trace to follow; none when all work is done.
    fn take(&self) -> Option<Trace> {
        let mut queue = self.lock();
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(trace) = queue.traces.pop() {
                queue.busy += 1;
                return Some(trace);
            }
            if queue.busy == 0 {
                return None;
            }
            self.hungry.fetch_add(1, Ordering::Relaxed);
            queue = self.changed.wait(queue).unwrap_or_else(|poisoned| poisoned.into_inner());
            self.hungry.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn done(&self, is_closed: bool) {
        let mut queue = self.lock();
        queue.busy -= 1;
        queue.is_closed |= is_closed;
        if queue.busy == 0 || is_closed {
            self.changed.notify_all();
        }
    }

    /// Does a worker wait, and is it worth giving?
    #[inline]
    pub(crate) fn wants(&self) -> bool {
        if self.hungry.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let elapsed = self.started.elapsed();
        let since = (elapsed.as_micros() as u64).saturating_sub(self.last_given.load(Ordering::Relaxed));
        elapsed > WORTH_SHARING && since >= self.pause.load(Ordering::Relaxed)
    }

    /// A piece that was handed over gave so many paths. Where pieces are small, replaying their traces costs more than it
    /// brings, so that fewer are handed over.
    fn learn(&self, paths: u64) {
        let pause = self.pause.load(Ordering::Relaxed);
        let next = if paths < WORTH_REPLAYING { (pause * 2).clamp(200, 50_000) } else { pause / 2 };
        self.pause.store(next, Ordering::Relaxed);
    }

    /// Offers a trace to the other threads and wakes one that waits.
    pub(crate) fn give(&self, trace: Trace) {
        self.last_given.store(self.started.elapsed().as_micros() as u64, Ordering::Relaxed);
        self.lock().traces.push(trace);
        self.changed.notify_one();
    }
}

/// Explores on the inputs that the calls of a workshop make, on this thread alone: the states that they lead to are one list. Ends early if what was
/// found is enough.
pub(crate) fn run_on_made(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
    workshop: Workshop,
    pools: &mut Pools,
    is_enough: &dyn Fn(&Summary) -> bool,
) -> Result<Summary, Failure> {
    let key = PoolKey::of(method, config, &workshop);
    let retained = pools.take(&key, program, method);
    let mut worker = Worker::boot_for_made(program, method, config, progress, Rc::new(workshop), retained)?;
    worker.prepare(&Arc::default());
    let explored = catch_unwind(AssertUnwindSafe(|| worker.work_on_made(is_enough)));
    if let Err(panic) = explored {
        return Err(Failure::bug(&*panic));
    }
    let (summary, retained) = worker.finish_made();
    pools.put(key, retained);
    Ok(summary)
}

/// Explores on inputs like that of a known fault, which calls make, until what was found is enough.
pub(crate) fn run_hunt(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
    workshop: Workshop,
    (wanted, is_enough): (&Likeness, &dyn Fn(&Summary) -> bool),
) -> Result<Summary, Failure> {
    let mut worker = Worker::boot_for_made(program, method, config, progress, Rc::new(workshop), None)?;
    worker.prepare(&Arc::default());
    let explored = catch_unwind(AssertUnwindSafe(|| worker.hunt(wanted, is_enough)));
    if let Err(panic) = explored {
        return Err(Failure::bug(&*panic));
    }
    Ok(worker.finish_made().0)
}

/// Explores with as many workers as are wanted, the first of them on this thread.
pub(crate) fn run(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
) -> Result<Summary, Failure> {
    let share = Share {
        started: Instant::now(),
        queue: Mutex::new(Queue { traces: vec![Trace::new()], busy: 0, is_closed: false }),
        changed: Condvar::new(),
        hungry: AtomicUsize::new(0),
        last_given: AtomicU64::new(0),
        pause: AtomicU64::new(0),
    };
    let shared = Arc::<SharedTable>::default();
    let work = || -> Result<Summary, Failure> {
        let mut worker: Option<Worker> = None;
        while let Some(trace) = share.take() {
            let ready = match worker.take() {
                Some(worker) => Ok(worker),
                None => Worker::boot(program, method, config, progress).map(|mut worker| {
                    worker.prepare(&shared);
                    worker
                }),
            };
            match ready {
                Ok(mut ready) => {
                    let before = ready.paths();
                    // A bug of ours must not leave the other workers waiting for this one.
                    let followed = catch_unwind(AssertUnwindSafe(|| ready.work(trace, &share)));
                    share.learn(ready.paths() - before);
                    share.done(followed.is_err());
                    if let Err(panic) = followed {
                        return Err(Failure::bug(&*panic));
                    }
                    worker = Some(ready);
                }
                Err(error) => {
                    share.done(true);
                    return Err(error);
                }
            }
        }
        Ok(worker.map(Worker::finish).unwrap_or_default())
    };
    std::thread::scope(|scope| {
        let spawn = |number: usize| {
            let builder = std::thread::Builder::new().name(format!("worker {number}")).stack_size(STACK);
            builder.spawn_scoped(scope, work).ok()
        };
        let helpers: Vec<_> = (1..config.limits.jobs.max(1)).filter_map(spawn).collect();
        let mut whole = work();
        for helper in helpers {
            let part = helper.join().unwrap_or_else(|panic| Err(Failure::bug(&*panic)));
            whole = match (whole, part) {
                (Ok(mut whole), Ok(part)) => {
                    whole.merge(part, config.report.tree);
                    Ok(whole)
                }
                (Err(error), _) | (_, Err(error)) => Err(error),
            };
        }
        whole
    })
}
