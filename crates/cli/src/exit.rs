//! With which code does the process end?

use lazuli_explore::{Failure, Verdict};

/// How a run ended, from the best to the worst: the result of several targets is the maximum of theirs.
///
/// A wrong request is worse than a violation, because it must be mended before it makes sense to ask again; a violation is worse than
/// an incomplete result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ProcessExit {
    /// Everything that was asked for was done, and nothing is violated.
    #[default]
    Success,
    /// Lazuli could not do all that was asked.
    Incomplete,
    /// A fault was found.
    Violated,
    /// The request is wrong: no such class, bad option.
    WrongRequest,
}

impl ProcessExit {
    /// The exit code that the documentation promises.
    pub(crate) fn code(self) -> u8 {
        match self {
            ProcessExit::Success => 0,
            ProcessExit::Violated => 1,
            ProcessExit::WrongRequest => 2,
            ProcessExit::Incomplete => 3,
        }
    }

    /// Complete or not, without a verdict.
    pub(crate) fn of_completeness(is_complete: bool) -> ProcessExit {
        if is_complete { ProcessExit::Success } else { ProcessExit::Incomplete }
    }
}

impl From<Verdict> for ProcessExit {
    fn from(verdict: Verdict) -> ProcessExit {
        match verdict {
            Verdict::Holds => ProcessExit::Success,
            Verdict::Violated => ProcessExit::Violated,
            Verdict::Incomplete => ProcessExit::Incomplete,
        }
    }
}

impl From<&Failure> for ProcessExit {
    fn from(failure: &Failure) -> ProcessExit {
        match failure {
            Failure::Request(_)
            | Failure::Contract(_)
            | Failure::NoBounds(_)
            | Failure::NoRange(_)
            | Failure::Ambiguous { .. }
            | Failure::Class { .. } => ProcessExit::WrongRequest,
            Failure::Begin { .. } | Failure::Cluster(_) | Failure::Unproved(_) | Failure::Host(_) => {
                ProcessExit::Incomplete
            }
        }
    }
}

impl From<ProcessExit> for u8 {
    fn from(exit: ProcessExit) -> u8 {
        exit.code()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_result_decides() {
        let worst = [ProcessExit::Success, ProcessExit::Incomplete, ProcessExit::Violated].into_iter().max();
        assert_eq!(worst, Some(ProcessExit::Violated));
        assert_eq!(ProcessExit::Violated.max(ProcessExit::WrongRequest), ProcessExit::WrongRequest);
        let codes = [ProcessExit::Success, ProcessExit::Violated, ProcessExit::WrongRequest, ProcessExit::Incomplete]
            .map(ProcessExit::code);
        assert_eq!(codes, [0, 1, 2, 3]);
    }
}
