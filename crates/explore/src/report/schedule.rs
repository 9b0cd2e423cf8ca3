//! In which order did the threads of a path do what others could notice, and what do those wait for that cannot go on?

use lazuli_spec::SourceLine;
use serde::{Deserialize, Serialize};

/// The order of what the threads did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// The names of the threads; the first is the one that called the method.
    pub threads: Vec<String>,
    /// The operations that others could notice.
    pub steps: Vec<ScheduleStep>,
}

/// One operation that other threads could notice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScheduleStep {
    /// The thread, by its position among the names.
    pub thread: usize,
    /// The operation.
    pub action: StepAction,
    /// The innermost line of the user's code: `Counter.java:7`. Empty if there is none.
    pub at: String,
    /// The same as a place in the sources.
    pub place: Option<SourceLine>,
    /// The value that is read or written, if it is known which one.
    pub value: Option<String>,
}

/// An operation that other threads could notice. Things are named as in `Counter.count`, `int[1]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepAction {
    /// Reads a field or an element.
    Reads(String),
    /// Writes a field or an element.
    Writes(String),
    /// Reads and perhaps writes, in one step.
    Updates(String),
    /// A method of the library does something that matters: `java.util.concurrent.locks.ReentrantLock.lock`.
    Calls(String),
    /// Enters the monitor of an object.
    Locks(String),
    /// Leaves it.
    Unlocks(String),
    /// Leaves it and waits.
    Waits(String),
    /// Enters it again after a wait.
    Resumes(String),
    /// Wakes threads that wait for the object.
    Notifies(String),
    /// Goes on after `park`.
    Parks,
    /// Lets another thread go on.
    Unparks(String),
    /// Interrupts a thread, or asks whether it is interrupted.
    Interrupts(String),
    /// Sleeps.
    Sleeps,
    /// Starts a thread.
    Starts(String),
    /// Asks whether a thread is alive.
    AsksAlive(String),
    /// Goes on after the end of a thread, or after the time for which it waited for that.
    Joins(String),
    /// Ends.
    Ends,
    /// Begins to initialise a class, or goes on after another thread has done so.
    Initialises(String),
    /// Returns from the method.
    Returns,
}

/// A thread that cannot go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StandingThread {
    /// The name of the thread.
    pub name: String,
    /// The event that it waits for.
    pub waits: WaitReason,
    /// The innermost line of the user's code: `Bank.java:12`.
    pub at: String,
    /// The objects whose monitors it holds.
    pub holds: Vec<String>,
    /// Its stack, the innermost place first: `acme.Bank.transfer(Bank.java:12)`.
    pub stack: Vec<String>,
}

/// The event that a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WaitReason {
    /// A monitor that another thread holds.
    Monitor {
        /// The object.
        object: String,
        /// The thread that holds its monitor.
        holder: String,
    },
    /// A call of `notify`.
    Notification {
        /// The object.
        object: String,
    },
    /// A call of `unpark`.
    Permit,
    /// The end of a thread.
    End {
        /// The thread.
        thread: String,
    },
    /// The end of an initialiser that another thread runs.
    Initialiser {
        /// The class.
        class: String,
    },
    /// It goes round and round until another thread changes something.
    Change,
}

/// The threads of a deadlock in a sentence.
pub(crate) fn in_words(threads: &[StandingThread]) -> String {
    let one = |thread: &StandingThread| {
        let what = match &thread.waits {
            WaitReason::Monitor { object, holder } => {
                format!("waits for the monitor of {object}, which {holder} holds")
            }
            WaitReason::Notification { object } => format!("waits to be notified by {object}"),
            WaitReason::Permit => "waits to be unparked".to_string(),
            WaitReason::End { thread } => format!("waits for the end of {thread}"),
            WaitReason::Initialiser { class } => format!("waits for the initialiser of {class}"),
            WaitReason::Change => "goes round and round until another thread changes something".to_string(),
        };
        let at = if thread.at.is_empty() { String::new() } else { format!(" ({})", thread.at) };
        format!("{} {what}{at}", thread.name)
    };
    threads.iter().map(one).collect::<Vec<_>>().join("; ")
}
