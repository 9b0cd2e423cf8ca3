//! How do threads of this process solve pieces? Each has a solver of its own for clauses that all of them share.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lazuli_heapsat::{PieceId, PieceSolver};
use lazuli_logic::SolverLimits;

use crate::pieces::exchange::{Exchange, ExchangeError, PieceReport, PieceTask, SharedProblem};

/// A solver on a thread needs no more.
const STACK: usize = 16 << 20;

/// Threads that take pieces from one queue.
pub(crate) struct LocalExchange {
    shared: Arc<LocalQueue>,
    answers: mpsc::Receiver<PieceReport>,
    threads: Vec<JoinHandle<()>>,
}

struct LocalQueue {
    tasks: Mutex<VecDeque<PieceTask>>,
    changed: Condvar,
    is_over: AtomicBool,
    /// Of each thread: the piece that it works on, and the flag that ends that.
    slots: Vec<(Mutex<Option<PieceId>>, Arc<AtomicBool>)>,
}

impl LocalQueue {
    fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next piece; none when all is over.
    fn take(&self) -> Option<PieceTask> {
        let mut tasks = LocalQueue::lock(&self.tasks);
        loop {
            if self.is_over.load(Ordering::SeqCst) {
                return None;
            }
            if let Some(task) = tasks.pop_front() {
                return Some(task);
            }
            tasks = self.changed.wait(tasks).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl LocalExchange {
    /// Starts the threads. There may be fewer than wanted, if the machine cannot start more.
    pub(crate) fn open(problem: &SharedProblem, jobs: usize, limits: &SolverLimits) -> LocalExchange {
        let slots = (0..jobs).map(|_| (Mutex::new(None), Arc::new(AtomicBool::new(false)))).collect();
        let shared = Arc::new(LocalQueue {
            tasks: Mutex::default(),
            changed: Condvar::new(),
            is_over: AtomicBool::new(false),
            slots,
        });
        let (sender, answers) = mpsc::channel();
        let start = |number: usize| {
            let (shared, sender, problem, limits) = (shared.clone(), sender.clone(), problem.clone(), limits.clone());
            let builder = std::thread::Builder::new().name(format!("piece {number}")).stack_size(STACK);
            builder.spawn(move || work(number, &shared, &problem, &limits, &sender)).ok()
        };
        let threads = (0..jobs).filter_map(start).collect();
        LocalExchange { shared, answers, threads }
    }
}

fn work(
    number: usize,
    shared: &LocalQueue,
    problem: &SharedProblem,
    limits: &SolverLimits,
    answers: &mpsc::Sender<PieceReport>,
) {
    let (current, stop) = &shared.slots[number];
    let mut solver: Option<PieceSolver> = None;
    while let Some(task) = shared.take() {
        *LocalQueue::lock(current) = Some(task.piece.clone());
        // First the flag, then the look at the end: the end of all sets them in the other order.
        stop.store(false, Ordering::SeqCst);
        if shared.is_over.load(Ordering::SeqCst) {
            return;
        }
        let started = Instant::now();
        let solver = solver.get_or_insert_with(|| PieceSolver::new(&problem.formula));
        let limits = SolverLimits { stop: Some(stop.clone()), ..limits.clone() };
        let end = solver.solve(&task.assumed, task.limit, problem.checks_invariant, &limits);
        *LocalQueue::lock(current) = None;
        let (took, worker) = (started.elapsed(), number.to_string());
        if answers.send(PieceReport { piece: task.piece, end, took, worker }).is_err() {
            return;
        }
    }
}

impl Exchange for LocalExchange {
    fn workers(&mut self) -> usize {
        self.threads.len()
    }

    fn offer(&mut self, task: PieceTask) -> Result<(), ExchangeError> {
        LocalQueue::lock(&self.shared.tasks).push_back(task);
        self.shared.changed.notify_one();
        Ok(())
    }

    fn answers(&mut self, most: Duration) -> Result<Vec<PieceReport>, ExchangeError> {
        let first = self.answers.recv_timeout(most).ok();
        // A thread that panicked answers nothing any more; without this, its piece would be waited for until the time is over.
        if first.is_none() && self.threads.iter().any(|thread| thread.is_finished()) {
            return Err(ExchangeError("a thread that solves pieces has ended".into()));
        }
        Ok(first.into_iter().chain(self.answers.try_iter()).collect())
    }

    fn recall(&mut self, piece: &PieceId) -> Result<(), ExchangeError> {
        for (current, stop) in &self.shared.slots {
            if LocalQueue::lock(current).as_ref() == Some(piece) {
                stop.store(true, Ordering::SeqCst);
            }
        }
        Ok(())
    }

    fn end(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        self.shared.slots.iter().for_each(|(_, stop)| stop.store(true, Ordering::SeqCst));
        // The lock makes sure that no thread is between its look at the flag and its wait.
        drop(LocalQueue::lock(&self.shared.tasks));
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // Its answers count for nothing now, nor does a panic.
            let _ = thread.join();
        }
    }
}

impl Drop for LocalExchange {
    fn drop(&mut self) {
        self.end();
    }
}
