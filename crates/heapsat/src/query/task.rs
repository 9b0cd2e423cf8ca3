//! Which inputs, invariants and limits describe a circuit to be built?

use std::time::Duration;

use lazuli_logic::SolverLimits;
use lazuli_spec::Invariant;
use lazuli_vm::program::{Method, Program, UsedStatics};
use lazuli_vm::state::State;
use lazuli_vm::universe::Bounds;

use crate::numbers::bit_widths::{BitWidths, NumberVariable};
use crate::query::economy::Economy;

/// The inputs, their invariants, and the effort that building a circuit may take.
pub struct OracleTask<'a> {
    /// The classes.
    pub program: &'a Program,
    /// How many objects, and how long arrays, an input has at most.
    pub bounds: &'a Bounds,
    /// They must be true of the input.
    pub invariants: &'a [Invariant],
    /// A path of the run; the invariants speak of its roots.
    pub path: &'a State,
    /// For each question to the solver.
    pub limits: &'a SolverLimits,
    /// Gets the numbers of gates and of solver calls, and says whether everything must end now.
    pub watch: &'a dyn Fn(usize, u64) -> bool,
    /// Notes the static fields that the code uses.
    pub used_statics: &'a UsedStatics,
    /// The time that building the circuit may take.
    pub patience: Duration,
    /// The reductions of the circuit.
    pub economy: Economy,
    /// If all inputs of a method are of interest, and not only those with invariants: the code that will run on them.
    pub code: Option<&'a AnalysedCode>,
}

/// The code that runs on inputs.
#[derive(Clone)]
pub struct AnalysedCode {
    /// Variables between which values pass outside of all code.
    pub(crate) joined: Vec<(NumberVariable, NumberVariable)>,
    /// The numbers among the parameters.
    pub(crate) inputs: Vec<NumberVariable>,
    /// The analysis of the code, if all of it is known.
    pub(crate) widths: Option<BitWidths>,
}

impl AnalysedCode {
    /// Nothing but invariants.
    pub(crate) fn of(program: &Program, invariants: &[Invariant]) -> AnalysedCode {
        let methods: Vec<&'static Method> = invariants.iter().map(|invariant| invariant.code()).collect();
        let widths = BitWidths::of(program, &methods, false);
        AnalysedCode { joined: Vec::new(), inputs: Vec::new(), widths }
    }
}
