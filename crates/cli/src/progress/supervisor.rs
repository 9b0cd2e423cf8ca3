//! How are the limits of a run kept by loops that do not look at them?
//!
//! A thread looks at the clock, the memory and the signals a hundred times a second, and more often where memory is short. Work that is over its limit is asked to end
//! (`Progress::stop`); if it does not end soon, the thread writes the latest results and ends the process. So the limits
//! hold without every loop of the program, of the solvers and of the reports having to be trusted.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lazuli_console::safe;
use lazuli_vm::host::resident_bytes;
use lazuli_vm::reason::Resource;

use crate::exit::ProcessExit;
use crate::progress::{StopRequest, Watch};

/// How often the thread looks.
const INTERVAL: Duration = Duration::from_millis(10);
/// The same where half of the memory is occupied: a loop that fills arrays may occupy ten megabytes in a millisecond.
const CLOSE_INTERVAL: Duration = Duration::from_millis(2);
/// How long the work may take to end after it should have: half of what is promised, because the report must be written too.
const GRACE: Duration = Duration::from_secs(1);
/// Memory beyond which nothing is asked, in percent of the limit.
const HARD: usize = 110;

/// Writes the latest results when a resource ran out, before the process ends.
pub(crate) type LastWords = Box<dyn FnOnce(Resource) -> ProcessExit + Send>;

/// Watches the process until it ends.
pub(crate) struct Supervisor {
    end: Arc<Mutex<Option<Instant>>>,
}

impl Supervisor {
    /// Begins to watch. Without a thread, limits hold only as far as loops look at them.
    pub(crate) fn start(watch: &Arc<Watch>, end: Option<Instant>, memory: usize, last_words: LastWords) -> Supervisor {
        let supervisor = Supervisor { end: Arc::new(Mutex::new(end)) };
        let (end, watch) = (supervisor.end.clone(), watch.clone());
        let work = move || {
            let resource = wait_for_overrun(&watch, &end, memory);
            take_the_end();
            watch.erase();
            // A bug in a report must not keep the process alive.
            let exit = catch_unwind(AssertUnwindSafe(|| last_words(resource))).unwrap_or(ProcessExit::Incomplete);
            end_process(exit.code());
        };
        let _ = std::thread::Builder::new().name("supervisor".into()).spawn(work);
        supervisor
    }

    /// From now on, the work must be over by then.
    pub(crate) fn until(&self, end: Option<Instant>) {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner) = end;
    }
}

/// Returns when something is over its limit and did not end when it was asked to.
fn wait_for_overrun(watch: &Watch, end: &Mutex<Option<Instant>>, memory: usize) -> Resource {
    // When the current work was asked to end because of its memory.
    let mut asked: Option<Instant> = None;
    let mut interval = INTERVAL;
    loop {
        std::thread::sleep(interval);
        if watch.interrupted_for().is_some_and(|since| since >= GRACE) {
            return Resource::Stopped;
        }
        let end = *end.lock().unwrap_or_else(PoisonError::into_inner);
        if end.is_some_and(|end| Instant::now().saturating_duration_since(end) >= GRACE) {
            return Resource::Time;
        }
        let occupied = resident_bytes();
        interval = if occupied > memory / 2 { CLOSE_INTERVAL } else { INTERVAL };
        if occupied > memory / 100 * HARD {
            return Resource::Memory;
        }
        if occupied <= memory {
            continue;
        }
        match watch.stop_for_memory() {
            StopRequest::Idle => asked = None,
            StopRequest::Now => asked = Some(Instant::now()),
            StopRequest::Before if asked.is_some_and(|since| since.elapsed() >= GRACE) => return Resource::Memory,
            StopRequest::Before => {}
        }
    }
}

/// Ends the process at once, with all its threads, wherever they are. Leaving by the usual way would take apart what they still use (the
/// tables of solvers in C++).
pub(crate) fn end_process(code: u8) -> ! {
    safe::remove_temporary();
    signal_hook::low_level::exit(i32::from(code))
}

/// Waits for the right to end the process, and keeps it for ever: either the work has ended, or the supervisor writes what is there. The other
/// waits for the end, or the process could end between two lines of the report.
pub(crate) fn take_the_end() {
    static END: Mutex<()> = Mutex::new(());
    std::mem::forget(END.lock());
}
