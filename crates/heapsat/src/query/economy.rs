//! Which reductions keep a propositional problem small?

/// The reductions of a problem. Its answers do not depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Economy {
    /// Symmetry breaking: are the objects of an input numbered in the order in which a walk meets them, so that it has one description?
    /// Default: true.
    pub breaks_symmetry: bool,
    /// Do the fields of an input have tight bounds: only values that some valid input has there? Default: true.
    pub tightens_bounds: bool,
}

impl Default for Economy {
    fn default() -> Economy {
        Economy { breaks_symmetry: true, tightens_bounds: true }
    }
}
