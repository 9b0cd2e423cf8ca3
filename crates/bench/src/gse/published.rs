//! Which figures were published for generalized symbolic execution?
//!
//! "Generalized Symbolic Execution for Model Checking and Testing", TACAS 2003: Figure 1 and section 2 for `swapNode`, section 7.1 for `distributedSort`,
//! section 7.2 for the altitude switch. Times are those of a 2.2 GHz Pentium.

/// The figures of one example.
pub(super) struct PublishedExample {
    /// Symbolic executions.
    pub executions: Option<u64>,
    /// The finding.
    pub found: &'static str,
    /// The time, as it is printed.
    pub time: &'static str,
}

/// Figure 1: all lists.
pub(super) const SWAP: PublishedExample = PublishedExample { executions: Some(7), found: "7 executions", time: "" };

/// Section 2: the precondition leaves out the three executions whose lists have a cycle.
pub(super) const SWAP_ACYCLIC: PublishedExample =
    PublishedExample { executions: Some(4), found: "4 executions", time: "" };

/// Section 7.1.
pub(super) const SORT: PublishedExample =
    PublishedExample { executions: None, found: "counterexample X > Y > Z", time: "11 s" };

/// Section 7.2: 1800 lines, of which the paper shows none.
pub(super) const SWITCH: PublishedExample =
    PublishedExample { executions: None, found: "all conditions", time: "22 min" };
