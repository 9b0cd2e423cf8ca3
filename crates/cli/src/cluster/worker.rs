//! What does a worker do? It takes a piece, solves it, and says how it ended, until it is told to go.
//!
//! It reads clauses and assumptions, and runs no code of the user's. Another thread tells meanwhile that it is alive, and whether its piece is still wanted.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lazuli_console::visible::tell;
use lazuli_explore::{PieceReport, PieceTask};
use lazuli_heapsat::{PieceEnd, PieceSolver};
use lazuli_logic::SolverLimits;
use lazuli_logic::circuit::Formula;

use super::exchange::server_time;
use super::link::{Link, entries_of_one, list, pairs, text};
use super::message::{answer_words, field, read_task};
use super::{ClusterError, GROUP, Keys, VERSION};
use crate::provenance::digest;
use crate::wire::{Reply, ServerAddress};

/// How often a worker says that it is alive, at most.
const BEAT: Duration = Duration::from_millis(250);

/// How long a worker waits for a piece before it looks for other problems.
const WAITING: &str = "200";

/// A piece that is being solved.
#[derive(Clone)]
struct Current {
    job: String,
    entry: String,
    piece: String,
}

/// One worker.
pub(crate) struct PieceWorker {
    pub(crate) address: ServerAddress,
    pub(crate) name: String,
    /// Set when it is to go.
    pub(crate) stop: Arc<AtomicBool>,
    /// It goes when it had nothing to do for so long.
    pub(crate) idle: Option<Duration>,
}

/// The state that the two threads of a worker share.
struct Beat {
    current: Mutex<Option<Current>>,
    /// Ends the work on the current piece.
    is_unwanted: Arc<AtomicBool>,
    solved: AtomicU64,
    is_over: AtomicBool,
}

/// A problem that the worker knows.
struct KnownProblem {
    job: String,
    solver: PieceSolver,
    checks_invariant: bool,
}

impl PieceWorker {
    /// Works until it is told to go. The number of pieces that were solved.
    pub(crate) fn run(&self) -> Result<u64, ClusterError> {
        let beat = Arc::new(Beat {
            current: Mutex::default(),
            is_unwanted: Arc::default(),
            solved: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        });
        let mut link = Link::open(&self.address)?;
        let own = Link::open(&self.address)?;
        let (shared, name, stop) = (beat.clone(), self.name.clone(), self.stop.clone());
        let builder = std::thread::Builder::new().name("heartbeat".to_string());
        let thread = builder.spawn(move || shared.tell(own, &name, &stop)).map_err(ClusterError::NoThread)?;
        let ended = self.work(&mut link, &beat);
        beat.is_over.store(true, Ordering::SeqCst);
        // It only tells; nothing is lost with it.
        let _ = thread.join();
        let _ = link.ask_until(&["ZREM", Keys::BEATS, &self.name], &|| true);
        let _ = link.ask_until(&["HDEL", Keys::WORKERS, &self.name], &|| true);
        ended.map(|()| beat.solved.load(Ordering::SeqCst))
    }

    fn is_to_go(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    fn work(&self, link: &mut Link, beat: &Beat) -> Result<(), ClusterError> {
        let mut known: Option<KnownProblem> = None;
        let mut refused = BTreeSet::new();
        let mut last_work = Instant::now();
        while !self.is_to_go() {
            let jobs = link.ask_until(&["SMEMBERS", Keys::JOBS], &|| self.is_to_go());
            let jobs: Vec<String> = match jobs {
                Ok(jobs) => list(jobs).iter().filter_map(text).collect(),
                Err(_) if self.is_to_go() => return Ok(()),
                Err(error) => return Err(error),
            };
            let mut is_busy = false;
            for job in jobs.iter().filter(|job| !refused.contains(*job)).cloned().collect::<Vec<_>>() {
                if known.as_ref().is_none_or(|known| known.job != job) {
                    // One formula at a time: the next problem begins when this one has nothing to do.
                    match self.learn(link, &job)? {
                        Learned::Problem(problem) => known = Some(*problem),
                        Learned::NotThere => continue,
                        Learned::Refused => {
                            refused.insert(job);
                            continue;
                        }
                    }
                }
                let Some(problem) = &mut known else { continue };
                while !self.is_to_go() && self.solve_one(link, beat, problem)? {
                    is_busy = true;
                }
            }
            if is_busy {
                last_work = Instant::now();
            } else if jobs.is_empty() {
                std::thread::sleep(Duration::from_millis(100));
            }
            if self.idle.is_some_and(|idle| last_work.elapsed() > idle) {
                break;
            }
        }
        Ok(())
    }

    /// Gets the clauses of a problem.
    fn learn(&self, link: &mut Link, job: &str) -> Result<Learned, ClusterError> {
        let info = pairs(link.ask(&["HGETALL", &Keys::of(job, "info")])?);
        let Some(version) = field(&info, "version") else { return Ok(Learned::NotThere) };
        if version != VERSION {
            let title = field(&info, "title").unwrap_or_default();
            tell!("{title} is checked by Lazuli {version}, and this is Lazuli {VERSION}: it gets no help from here.");
            return Ok(Learned::Refused);
        }
        let Reply::Bytes(bytes) = link.ask(&["GET", &Keys::of(job, "formula")])? else { return Ok(Learned::NotThere) };
        let title = field(&info, "title").unwrap_or_default();
        let is_whole = digest(&[&bytes[..], title.as_bytes()].concat()).starts_with(job);
        let Some(formula) = Formula::from_bytes(&bytes).filter(|_| is_whole) else {
            tell!("the clauses of {title} are damaged: it gets no help from here.");
            return Ok(Learned::Refused);
        };
        Ok(Learned::Problem(Box::new(KnownProblem {
            job: job.to_string(),
            solver: PieceSolver::new(&Arc::new(formula)),
            checks_invariant: field(&info, "invariant") == Some("yes"),
        })))
    }

    /// Solves one piece, if there is one.
    fn solve_one(&self, link: &mut Link, beat: &Beat, problem: &mut KnownProblem) -> Result<bool, ClusterError> {
        let tasks = Keys::of(&problem.job, "tasks");
        let read = ["XREADGROUP", "GROUP", GROUP, &self.name, "COUNT", "1", "BLOCK", WAITING, "STREAMS", &tasks, ">"];
        let reply = match link.ask_until(&read, &|| self.is_to_go()) {
            Ok(reply) => reply,
            // The problem is over, or begins anew.
            Err(ClusterError::Server { .. }) => {
                std::thread::sleep(Duration::from_millis(50));
                return Ok(false);
            }
            Err(_) if self.is_to_go() => return Ok(false),
            Err(error) => return Err(error),
        };
        let Some((entry, fields)) = entries_of_one(reply).into_iter().next() else { return Ok(false) };
        let Some(task) = read_task(&fields) else {
            link.ask(&["XACK", &tasks, GROUP, &entry])?;
            return Ok(true);
        };
        let current = Current { job: problem.job.clone(), entry: entry.clone(), piece: task.piece.to_string() };
        beat.is_unwanted.store(false, Ordering::SeqCst);
        beat.set(Some(current));
        let report = self.solve(beat, problem, task);
        beat.set(None);
        // A worker that goes gives nothing back: its piece is offered again when its lease is over. Nor are there answers to what is over.
        if report.end == PieceEnd::Undecided {
            let over = Keys::of(&problem.job, "over");
            if self.is_to_go() || link.ask_until(&["EXISTS", &over], &|| self.is_to_go())? == Reply::Number(1) {
                return Ok(false);
            }
            let recalled = Keys::of(&problem.job, "recalled");
            link.ask_until(&["SREM", &recalled, &report.piece.to_string()], &|| self.is_to_go())?;
        }
        // First the answer, then the receipt: if the worker dies between them, the piece is answered twice.
        let mut words = vec!["XADD".to_string(), Keys::of(&problem.job, "answers"), "*".to_string()];
        words.extend(answer_words(&report));
        link.ask_until(&words, &|| self.is_to_go())?;
        for words in [&["XACK", &tasks, GROUP, &entry][..], &["XDEL", &tasks, &entry]] {
            match link.ask_until(words, &|| self.is_to_go()) {
                Ok(_) | Err(ClusterError::Server { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        beat.solved.fetch_add(1, Ordering::SeqCst);
        Ok(true)
    }

    fn solve(&self, beat: &Beat, problem: &mut KnownProblem, task: PieceTask) -> PieceReport {
        let started = Instant::now();
        let limits =
            SolverLimits { time: Duration::from_secs(1 << 30), deadline: None, stop: Some(beat.is_unwanted.clone()) };
        let end = problem.solver.solve(&task.assumed, task.limit, problem.checks_invariant, &limits);
        PieceReport { piece: task.piece, end, took: started.elapsed(), worker: self.name.clone() }
    }
}

enum Learned {
    Problem(Box<KnownProblem>),
    /// It is over, or not yet there.
    NotThere,
    Refused,
}

impl Beat {
    fn set(&self, current: Option<Current>) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = current;
    }

    /// Tells that the worker is alive, until it is not. A server that is away is asked again: the worker goes on with its piece.
    fn tell(&self, mut link: Link, name: &str, stop: &AtomicBool) {
        let is_over = || self.is_over.load(Ordering::SeqCst);
        while !is_over() {
            // If it fails, the next beat is the next attempt.
            let _ = self.tell_once(&mut link, name, &is_over);
            if stop.load(Ordering::SeqCst) {
                self.is_unwanted.store(true, Ordering::SeqCst);
            }
            std::thread::sleep(BEAT);
        }
    }

    fn tell_once(&self, link: &mut Link, name: &str, is_over: &dyn Fn() -> bool) -> Result<(), ClusterError> {
        let now = server_time(link)?.to_string();
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (job, piece) = current.as_ref().map_or(("", ""), |current| (&current.job, &current.piece));
        let info = [VERSION, job, piece, &self.solved.load(Ordering::SeqCst).to_string()].join("\t");
        link.ask_until(&["ZADD", Keys::BEATS, &now, name], is_over)?;
        link.ask_until(&["HSET", Keys::WORKERS, name, &info], is_over)?;
        let Some(Current { job, entry, piece }) = current else { return Ok(()) };
        // Taking the entry again makes it fresh: it does not count as idle.
        let tasks = Keys::of(&job, "tasks");
        // One that was offered anew while this worker was frozen is gone; its answer counts all the same, if it comes first.
        let _ = link.ask_until(&["XCLAIM", &tasks, GROUP, name, "0", &entry, "JUSTID"], is_over);
        let is_recalled = link.ask_until(&["SISMEMBER", &Keys::of(&job, "recalled"), &piece], is_over)?;
        let is_ended = link.ask_until(&["EXISTS", &Keys::of(&job, "over")], is_over)?;
        let is_same = |now: &Option<Current>| now.as_ref().is_some_and(|now| now.entry == entry);
        let is_unwanted = is_recalled == Reply::Number(1) || is_ended == Reply::Number(1);
        if is_unwanted && is_same(&self.current.lock().unwrap_or_else(PoisonError::into_inner)) {
            self.is_unwanted.store(true, Ordering::SeqCst);
        }
        Ok(())
    }
}
