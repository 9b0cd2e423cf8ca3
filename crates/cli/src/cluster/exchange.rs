//! How does the coordinator exchange pieces with workers elsewhere?

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lazuli_explore::{Cluster, Exchange, ExchangeError, Ledger, PieceReport, PieceTask, SharedProblem};
use lazuli_heapsat::PieceId;

use super::link::{Link, entries, entries_of_one, list, pairs, text};
use super::message::{ClusterAnswer, read_answer, split_words, task_words};
use super::{ClusterError, DAY, GROUP, Keys, VERSION};
use crate::provenance::digest;
use crate::wire::{Reply, ServerAddress};

/// Entries that are read in one go.
const PAGE: &str = "100";

/// How often the figures are written for those who watch.
const FIGURES: Duration = Duration::from_secs(1);

/// Workers elsewhere, behind a server.
#[derive(Clone, Debug)]
pub(crate) struct RedisCluster {
    pub(crate) address: ServerAddress,
    /// A worker that was silent for so long has lost its piece.
    pub(crate) lease: Duration,
    /// Does it go on where an earlier coordinator of the same problem ended?
    pub(crate) resumes: bool,
}

impl Cluster for RedisCluster {
    fn open(&self, problem: &SharedProblem) -> Result<Box<dyn Exchange>, ExchangeError> {
        let exchange = RedisExchange::open(self, problem);
        Ok(Box::new(exchange.map_err(carried)?))
    }
}

fn carried(error: ClusterError) -> ExchangeError {
    ExchangeError(Box::new(error))
}

/// The problem on the server.
struct RedisExchange {
    link: Link,
    cluster: RedisCluster,
    job: String,
    title: String,
    checks_invariant: bool,
    formula: Vec<u8>,
    /// The last answer that was read.
    last_answer: String,
    /// The entries of the pieces that were offered and not answered.
    offered: BTreeMap<PieceId, OfferedTask>,
    looked_at: Instant,
    shown_at: Instant,
    /// Workers, as far as they were counted last.
    workers: usize,
    counted_at: Option<Instant>,
    /// Pieces that were answered, and the time that they took.
    answered: u64,
    busy: Duration,
}

struct OfferedTask {
    task: PieceTask,
    entry: String,
    since: Instant,
}

impl RedisExchange {
    fn open(cluster: &RedisCluster, problem: &SharedProblem) -> Result<RedisExchange, ClusterError> {
        let formula = problem.formula.to_bytes();
        // The same clauses under the same name: a coordinator that begins again finds what was answered.
        let job = digest(&[&formula[..], problem.title.as_bytes()].concat())[..32].to_string();
        let mut exchange = RedisExchange {
            link: Link::open(&cluster.address)?,
            cluster: cluster.clone(),
            job,
            title: problem.title.clone(),
            checks_invariant: problem.checks_invariant,
            formula,
            last_answer: "0".to_string(),
            offered: BTreeMap::new(),
            looked_at: Instant::now(),
            shown_at: Instant::now(),
            workers: 0,
            counted_at: None,
            answered: 0,
            busy: Duration::ZERO,
        };
        exchange.refuse_other_versions()?;
        if !cluster.resumes {
            exchange.ask(&["DEL", &exchange.key("answers")])?;
        }
        exchange.publish()?;
        Ok(exchange)
    }

    fn key(&self, part: &str) -> String {
        Keys::of(&self.job, part)
    }

    fn ask(&mut self, words: &[&str]) -> Result<Reply, ClusterError> {
        self.link.ask(words)
    }

    /// Refuses to begin if there are workers, and none of them could read what is written here.
    fn refuse_other_versions(&mut self) -> Result<(), ClusterError> {
        let alive = self.alive()?;
        let known = pairs(self.link.ask(&["HGETALL", Keys::WORKERS])?);
        let version_of = |(name, info): &(String, Vec<u8>)| {
            let info = String::from_utf8_lossy(info).into_owned();
            alive.contains(name).then(|| info.split('\t').next().unwrap_or_default().to_string())
        };
        let versions: Vec<String> = known.iter().filter_map(version_of).collect();
        match versions.first() {
            Some(theirs) if versions.iter().all(|version| version != VERSION) => Err(ClusterError::OtherVersion {
                address: self.cluster.address.to_string(),
                theirs: theirs.clone(),
                ours: VERSION,
            }),
            _ => Ok(()),
        }
    }

    /// The workers that were heard of within a lease.
    fn alive(&mut self) -> Result<Vec<String>, ClusterError> {
        let since = server_time(&mut self.link)?.saturating_sub(self.cluster.lease.as_millis() as u64);
        let names = self.link.ask(&["ZRANGEBYSCORE", Keys::BEATS, &since.to_string(), "+inf"])?;
        Ok(list(names).iter().filter_map(text).collect())
    }

    /// Makes the problem known. The stream of tasks begins anew: what is open is offered again.
    fn publish(&mut self) -> Result<(), ClusterError> {
        let (info, formula, tasks) = (self.key("info"), self.key("formula"), self.key("tasks"));
        let (over, recalled, answers) = (self.key("over"), self.key("recalled"), self.key("answers"));
        self.ask(&["DEL", &tasks, &over, &recalled])?;
        for lasting in [&info, &formula, &answers] {
            self.ask(&["PERSIST", lasting])?;
        }
        self.link.ask(&[b"SET", formula.as_bytes(), &self.formula])?;
        let lease = self.cluster.lease.as_millis().to_string();
        let checks = if self.checks_invariant { "yes" } else { "no" };
        let title = self.title.clone();
        self.ask(&["HSET", &info, "version", VERSION, "title", &title, "lease", &lease, "invariant", checks])?;
        self.ask(&["XGROUP", "CREATE", &tasks, GROUP, "0", "MKSTREAM"])?;
        let job = self.job.clone();
        self.ask(&["SADD", Keys::JOBS, &job])?;
        Ok(())
    }

    fn add_task(&mut self, task: PieceTask) -> Result<(), ClusterError> {
        let tasks = self.key("tasks");
        let mut words = vec!["XADD".to_string(), tasks, "*".to_string()];
        words.extend(task_words(&task));
        let reply = self.link.ask(&words)?;
        let entry = text(&reply).ok_or_else(|| self.link.foreign())?;
        self.offered.insert(task.piece.clone(), OfferedTask { task, entry, since: Instant::now() });
        Ok(())
    }

    /// Offers again what was lost: pieces of workers that are silent, and, if the server lost its memory, all of them.
    fn recover(&mut self) -> Result<(), ClusterError> {
        let (info, tasks, lease) = (self.key("info"), self.key("tasks"), self.cluster.lease.as_millis().to_string());
        if list_number(&self.ask(&["EXISTS", &info, &tasks])?) < 2 {
            self.publish()?;
            return self.offer_again(|_| true);
        }
        // The whole list is followed, page by page: each begins behind the last entry of the one before.
        let (mut begin, mut silent) = ("-".to_string(), Vec::new());
        loop {
            let page = self.ask(&["XPENDING", &tasks, GROUP, "IDLE", &lease, &begin, "+", PAGE])?;
            let page: Vec<String> = list(page).into_iter().filter_map(|entry| text(list(entry).first()?)).collect();
            let Some(last) = page.last() else { break };
            begin = format!("({last}");
            silent.extend(page);
        }
        for entry in &silent {
            self.ask(&["XACK", &tasks, GROUP, entry])?;
            self.ask(&["XDEL", &tasks, entry])?;
        }
        self.offer_again(|offered| silent.contains(&offered.entry))?;
        // An entry that is not there any more was answered, or lost with the server's memory. An answer that is on its way makes the second
        // offer a repetition, which costs time and nothing else.
        let old: Vec<String> = self
            .offered
            .values()
            .filter(|offered| offered.since.elapsed() > 2 * self.cluster.lease)
            .map(|offered| offered.entry.clone())
            .collect();
        let mut gone = Vec::new();
        for entry in old {
            let there = self.ask(&["XRANGE", &tasks, &entry, &entry])?;
            if entries(there).is_empty() {
                gone.push(entry);
            }
        }
        self.offer_again(|offered| gone.contains(&offered.entry))
    }

    fn offer_again(&mut self, is_lost: impl Fn(&OfferedTask) -> bool) -> Result<(), ClusterError> {
        let lost = self.offered.values().filter(|offered| is_lost(offered));
        for task in lost.map(|offered| offered.task.clone()).collect::<Vec<_>>() {
            self.add_task(task)?;
        }
        Ok(())
    }

    /// Reads answers from where it stopped.
    fn read(&mut self, most: Duration) -> Result<Vec<ClusterAnswer>, ClusterError> {
        let (answers, last) = (self.key("answers"), self.last_answer.clone());
        let most = most.as_millis().max(1).to_string();
        let reply = self.ask(&["XREAD", "COUNT", PAGE, "BLOCK", &most, "STREAMS", &answers, &last])?;
        let entries = entries_of_one(reply);
        if let Some((last, _)) = entries.last() {
            self.last_answer = last.clone();
        }
        Ok(entries.iter().filter_map(|(_, fields)| read_answer(fields)).collect())
    }

    fn answers_or_error(&mut self, most: Duration) -> Result<Vec<PieceReport>, ClusterError> {
        if self.looked_at.elapsed() > self.cluster.lease / 3 {
            self.recover()?;
            self.looked_at = Instant::now();
        }
        let mut reports = Vec::new();
        for answer in self.read(most)? {
            if let ClusterAnswer::Report(report) = answer {
                self.offered.remove(&report.piece);
                self.answered += 1;
                self.busy += report.took;
                reports.push(report);
            }
        }
        if self.shown_at.elapsed() > FIGURES {
            self.shown_at = Instant::now();
            let (info, answered, offered) =
                (self.key("info"), self.answered.to_string(), self.offered.len().to_string());
            let mean = (self.busy.as_millis() as u64 / self.answered.max(1)).to_string();
            self.ask(&["HSET", &info, "answered", &answered, "offered", &offered, "mean_ms", &mean])?;
        }
        Ok(reports)
    }

    fn end_or_error(&mut self) -> Result<(), ClusterError> {
        let (over, tasks, recalled) = (self.key("over"), self.key("tasks"), self.key("recalled"));
        let job = self.job.clone();
        self.ask(&["SET", &over, "1", "EX", DAY])?;
        self.ask(&["SREM", Keys::JOBS, &job])?;
        self.ask(&["DEL", &tasks, &recalled])?;
        for part in ["info", "formula", "answers"] {
            let key = self.key(part);
            self.ask(&["EXPIRE", &key, DAY])?;
        }
        Ok(())
    }
}

impl Exchange for RedisExchange {
    fn workers(&mut self) -> usize {
        if self.counted_at.is_none_or(|at| at.elapsed() > FIGURES) {
            // A server that is away has the workers that it had.
            if let Ok(alive) = self.alive() {
                self.workers = alive.len();
            }
            self.counted_at = Some(Instant::now());
        }
        self.workers.max(1)
    }

    fn offer(&mut self, task: PieceTask) -> Result<(), ExchangeError> {
        self.add_task(task).map_err(carried)
    }

    fn answers(&mut self, most: Duration) -> Result<Vec<PieceReport>, ExchangeError> {
        self.answers_or_error(most).map_err(carried)
    }

    fn recall(&mut self, piece: &PieceId) -> Result<(), ExchangeError> {
        let key = self.key("recalled");
        self.ask(&["SADD", &key, &piece.to_string()]).map(drop).map_err(carried)
    }

    fn note_split(&mut self, piece: &PieceId, into: &[PieceId]) -> Result<(), ExchangeError> {
        let mut words = vec!["XADD".to_string(), self.key("answers"), "*".to_string()];
        words.extend(split_words(piece, into));
        self.link.ask(&words).map(drop).map_err(carried)
    }

    fn restore(&mut self, ledger: &mut Ledger) -> Result<(), ExchangeError> {
        loop {
            let answers = self.read(Duration::from_millis(1)).map_err(carried)?;
            if answers.is_empty() {
                return Ok(());
            }
            for answer in answers {
                match answer {
                    ClusterAnswer::Report(report) => drop(ledger.close(&report.piece, &report.end)),
                    ClusterAnswer::Split(piece, into) => drop(ledger.split(&piece, &into)),
                }
            }
        }
    }

    fn end(&mut self) {
        // Workers that do not hear of it find out when they ask for their next piece.
        let _ = self.end_or_error();
    }
}

/// The server's clock, in milliseconds: those of the machines may differ.
pub(super) fn server_time(link: &mut Link) -> Result<u64, ClusterError> {
    let parts: Vec<u64> = list(link.ask(&["TIME"])?).iter().filter_map(|part| text(part)?.parse().ok()).collect();
    match parts[..] {
        [seconds, micros] => Ok(seconds * 1000 + micros / 1000),
        _ => Err(link.foreign()),
    }
}

fn list_number(reply: &Reply) -> i64 {
    match reply {
        Reply::Number(number) => *number,
        _ => 0,
    }
}
