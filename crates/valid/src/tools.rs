//! What does a search work with?

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lazuli_heapsat::Economy;
use lazuli_heapsat::OracleTask;
use lazuli_logic::{Chain, SolverLimits};
use lazuli_vm::interp::Vm;
use lazuli_vm::reason::Warning;
use lazuli_vm::state::State;
use lazuli_vm::universe::{Bounds, Restriction};

use crate::Invariant;

/// The interpreter, the solvers and the bounds that searches share, and the places where they leave notes.
pub struct Tools<'a> {
    /// The interpreter that executes the invariants.
    pub vm: &'a mut Vm,
    /// The solvers that decide about numbers.
    pub chain: &'a mut Chain,
    /// The scope within which an input is completed.
    pub bounds: &'a Bounds,
    /// The limits of a single solver query.
    pub limits: &'a SolverLimits,
    /// The bounds that left completions out.
    pub beyond: &'a mut BTreeSet<Restriction>,
    /// Oddities of the invariant: it throws, or never ends.
    pub warnings: &'a mut BTreeSet<Warning>,
    /// Questions to a SAT solver so far.
    pub sat_calls: &'a mut u64,
}

impl Tools<'_> {
    /// Must everything end now?
    pub fn is_out_of_time(&self) -> bool {
        let is_stopped = self.vm.limits.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        is_stopped || self.limits.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// The task of building a circuit of invariants, for inputs like that of a path. Building it may take so much time.
    pub(crate) fn task<'a>(
        &'a self,
        invariants: &'a [Invariant],
        path: &'a State,
        patience: Duration,
        watch: &'a dyn Fn(usize, u64) -> bool,
    ) -> OracleTask<'a> {
        let (program, economy) = (&self.vm.program, Economy::default());
        OracleTask {
            program,
            bounds: self.bounds,
            invariants,
            path,
            limits: self.limits,
            watch,
            used_statics: &self.vm.used_statics,
            patience,
            economy,
            code: None,
        }
    }

    /// The same tools, which note restrictions in a set of their own.
    pub(crate) fn beyond<'b>(&'b mut self, beyond: &'b mut BTreeSet<Restriction>) -> Tools<'b> {
        Tools {
            vm: self.vm,
            chain: self.chain,
            bounds: self.bounds,
            limits: self.limits,
            beyond,
            warnings: self.warnings,
            sat_calls: self.sat_calls,
        }
    }
}
