//! How do machines share one problem?
//!
//! Through a Redis or Valkey server: pieces are entries of a stream that a group of workers reads, answers are entries of another. The coordinator's ledger is
//! the truth; all that is on the server can be made again from it, but for the formula, which the coordinator has, and for answers, of which each that is
//! lost costs the time of its piece.
//!
//! | key below `lazuli:cluster:1:` | |
//! |---|---|
//! | `jobs` | the names of the problems that are being solved |
//! | `beats`, `workers` | when each worker was last heard of, and what it does |
//! | `JOB:info` | version, title, lease and figures of a problem |
//! | `JOB:formula` | its clauses; the name of a problem is made of their digest |
//! | `JOB:tasks`, `JOB:answers` | streams |
//! | `JOB:recalled`, `JOB:over` | pieces that are to be given back, and whether all is over |
//!
//! A worker tells every third of a lease that it is alive, and takes its piece's entry again, so that it does not count as idle. An entry that was idle for a lease
//! is offered again. The list of entries that workers have is followed to its end, page by page.

mod error;
mod exchange;
mod link;
mod message;
pub(crate) mod status;
pub(crate) mod worker;

pub(crate) use error::ClusterError;
pub(crate) use exchange::RedisCluster;

/// The version of Lazuli, in which workers and coordinator must agree.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The names on the server.
struct Keys;

impl Keys {
    const JOBS: &'static str = "lazuli:cluster:1:jobs";
    const BEATS: &'static str = "lazuli:cluster:1:beats";
    const WORKERS: &'static str = "lazuli:cluster:1:workers";

    fn of(job: &str, part: &str) -> String {
        format!("lazuli:cluster:1:{job}:{part}")
    }
}

/// The group of the workers in the stream of tasks.
const GROUP: &str = "workers";

/// The rest of a problem that is over is kept so long, in seconds, so that a coordinator may begin again.
const DAY: &str = "86400";
