//! With which code does the process end?

use std::process::ExitCode;

use lazuli_explore::{Failure, Verdict};

/// How a run ended, from the best to the worst: the result of several targets is the maximum of theirs.
///
/// A wrong request is worse than a violation, because it must be mended before it makes sense to ask again; a violation is worse than
/// an incomplete result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
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

impl Exit {
    /// The exit code that the documentation promises.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Violated => 1,
            Exit::WrongRequest => 2,
            Exit::Incomplete => 3,
        }
    }

    /// Complete or not, without a verdict.
    pub(crate) fn of_completeness(is_complete: bool) -> Exit {
        if is_complete { Exit::Success } else { Exit::Incomplete }
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Exit {
        match verdict {
            Verdict::Holds => Exit::Success,
            Verdict::Violated => Exit::Violated,
            Verdict::Incomplete => Exit::Incomplete,
        }
    }
}

impl From<&Failure> for Exit {
    fn from(failure: &Failure) -> Exit {
        match failure {
            Failure::Request(_) | Failure::Ambiguous { .. } | Failure::Class { .. } => Exit::WrongRequest,
            Failure::Begin { .. } | Failure::Unproved(_) | Failure::Host(_) => Exit::Incomplete,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_result_decides() {
        let worst = [Exit::Success, Exit::Incomplete, Exit::Violated].into_iter().max();
        assert_eq!(worst, Some(Exit::Violated));
        assert_eq!(Exit::Violated.max(Exit::WrongRequest), Exit::WrongRequest);
        let codes = [Exit::Success, Exit::Violated, Exit::WrongRequest, Exit::Incomplete].map(Exit::code);
        assert_eq!(codes, [0, 1, 2, 3]);
    }
}
