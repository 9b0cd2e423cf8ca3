//! How many bits does a number need, and how do instructions compute with these bits?

pub(crate) mod bit_widths;
mod floating;
mod flow_analysis;
mod functions;
pub(crate) mod saturating;

/// Are numbers exact?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// As many bits as Java has.
    Exact,
    /// Few bits: all numbers above the greatest are one number, all below the least another.
    Saturating,
}

/// Are the results of operations computed?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Results {
    /// They are computed.
    Computed,
    /// They are havocked: any number will do. This keeps each valid heap, and leaves out the gates of the arithmetic.
    Havocked,
}

/// How the executor computes with numbers.
#[derive(Clone, Copy)]
pub(crate) struct Arithmetic {
    /// How many bits numbers have if they saturate.
    saturation: Option<usize>,
    results: Results,
}

impl Arithmetic {
    pub(crate) const EXACT: Arithmetic = Arithmetic { saturation: None, results: Results::Computed };

    pub(crate) fn new(saturation: Option<usize>, results: Results) -> Arithmetic {
        Arithmetic { saturation, results }
    }

    /// How many bits numbers have if they saturate.
    pub(crate) fn saturation(&self) -> Option<usize> {
        self.saturation
    }

    pub(crate) fn is_saturating(&self) -> bool {
        self.saturation.is_some()
    }

    pub(crate) fn havocs(&self) -> bool {
        self.results == Results::Havocked
    }
}
