//! Which measures keep a propositional problem small?

/// What keeps a propositional problem small, without which the answers are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Economy {
    /// Are the objects of an input numbered in the order in which a walk meets them, so that it has one description? Default: true.
    pub breaks_symmetry: bool,
    /// Do the fields of an input refer only to what some valid input has there? Default: true.
    pub tightens_bounds: bool,
}

impl Default for Economy {
    fn default() -> Economy {
        Economy { breaks_symmetry: true, tightens_bounds: true }
    }
}
