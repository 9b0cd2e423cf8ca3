//! How do several workers share one problem?
//!
//! The coordinator splits the problem into pieces, offers them to workers through an [`Exchange`], and keeps the books: `ledger` is the truth about
//! what is open, the exchange only carries. A piece that takes too long comes back and is split (Rosner and others, MUCHO-TACO, ISSTA 2013, figure 8).
//! Workers are threads of this process (`local`), or anything else that takes a formula and assumptions.

pub(crate) mod coordinator;
mod exchange;
mod ledger;
mod limit;
mod local;
mod simulation;

pub use exchange::{Cluster, Exchange, ExchangeError, PieceReport, PieceTask, SharedProblem};
pub use ledger::Ledger;
pub use limit::{LimitRule, PieceTimes};
pub(crate) use local::LocalExchange;
pub use simulation::{PieceCosts, RecordedPieces, SimulatedCheck, SimulationBound, UnreadableAnswer};
