//! How do several workers look for a violation? One solver tries the whole problem for a moment; what it does not decide is split.

use lazuli_heapsat::{MethodCircuit, PieceTree, Refusal, SearchOutcome};
use lazuli_logic::SolverLimits;

use crate::pieces::coordinator::{Round, RoundEnd};
use crate::pieces::{Exchange, Ledger, LimitRule, LocalExchange, SharedProblem};
use crate::worker::Worker;

impl Worker<'_> {
    /// Looks for a violation that is not settled. The ledger has the pieces of the problem, if it was split before: what is closed stays closed, because
    /// later questions are about fewer violations.
    pub(super) fn search(
        &mut self,
        checked: &mut MethodCircuit,
        ledger: &mut Option<Ledger>,
    ) -> Result<SearchOutcome, Refusal> {
        let limits = self.limits_of_whole();
        let options = &self.config.sat.pieces;
        // A limit that the user gave wants pieces on one thread, too.
        let is_alone = options.workers <= 1 && options.cluster.is_none() && options.limit == LimitRule::Adjusting;
        if is_alone {
            return Ok(checked.search(&limits));
        }
        if ledger.is_none() && !options.after.is_zero() {
            let found = checked.search(&SolverLimits { time: options.after, ..limits.clone() });
            if !matches!(found, SearchOutcome::OutOfTime) || limits.left().is_zero() {
                return Ok(found);
            }
        }
        let tree = checked.pieces(options.split, &limits);
        if tree.formula.claim.is_none() {
            return Ok(SearchOutcome::Nothing);
        }
        self.settle_pieces(checked, &tree, ledger.get_or_insert_default(), &limits)
    }

    fn settle_pieces(
        &mut self,
        checked: &mut MethodCircuit,
        tree: &PieceTree,
        ledger: &mut Ledger,
        limits: &SolverLimits,
    ) -> Result<SearchOutcome, Refusal> {
        let options = &self.config.sat.pieces;
        let problem = SharedProblem {
            formula: tree.formula.clone(),
            checks_invariant: tree.options.by_invariant,
            title: self.method.full_name(),
        };
        let mut figures = self.summary.pieces.take().unwrap_or_default();
        figures.forbidden_aliases = tree.forbidden_aliases() as u64;
        let opened: Result<Box<dyn Exchange>, _> = match &options.cluster {
            Some(cluster) => cluster.open(&problem),
            None => Ok(Box::new(LocalExchange::open(&problem, self.config.sat.pieces.workers, limits))),
        };
        let ended = opened.and_then(|mut exchange| {
            let (rule, progress) = (options.limit, self.progress);
            let figures = &mut figures;
            Round { tree, ledger, exchange: &mut *exchange, rule, limits, progress, figures }.run()
        });
        self.summary.sat_calls += figures.workers.iter().map(|worker| worker.pieces).sum::<u64>();
        self.summary.pieces = Some(figures);
        match ended {
            Ok(RoundEnd::Settled) => Ok(SearchOutcome::Nothing),
            Ok(RoundEnd::Violated(inputs)) => Ok(checked.found(&inputs, limits)),
            Ok(RoundEnd::Stopped) => Ok(SearchOutcome::OutOfTime),
            Err(error) => {
                self.lost_exchange = Some(error);
                Ok(SearchOutcome::OutOfTime)
            }
        }
    }
}
