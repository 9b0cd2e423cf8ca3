//! What names a piece? The choices that lead to it.

use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// A piece of a problem, by its choices: of each reference on the walk that has several possible values, which of them it is. No choice is the
/// whole problem. Two pieces of which neither begins with the other have no input in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PieceId(pub Vec<u16>);

/// A text that names no piece.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no piece")]
pub struct UnreadablePiece(pub String);

impl PieceId {
    /// The piece behind one more choice.
    pub(super) fn and(&self, choice: u16) -> PieceId {
        PieceId(self.0.iter().copied().chain([choice]).collect())
    }
}

/// `root`, or the choices with dots between them.
impl Display for PieceId {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        match self.0.split_first() {
            None => formatter.write_str("root"),
            Some((first, rest)) => {
                write!(formatter, "{first}")?;
                rest.iter().try_for_each(|choice| write!(formatter, ".{choice}"))
            }
        }
    }
}

impl FromStr for PieceId {
    type Err = UnreadablePiece;

    fn from_str(text: &str) -> Result<PieceId, UnreadablePiece> {
        if text == "root" {
            return Ok(PieceId::default());
        }
        let choices = text.split('.').map(|choice| choice.parse().ok());
        choices.collect::<Option<Vec<u16>>>().map(PieceId).ok_or_else(|| UnreadablePiece(text.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_written_and_read() {
        for choices in [vec![], vec![0], vec![3, 0, 12]] {
            let piece = PieceId(choices);
            assert_eq!(piece.to_string().parse(), Ok(piece));
        }
        for wrong in ["", "1..2", "x", "-1", "70000"] {
            assert!(wrong.parse::<PieceId>().is_err(), "{wrong}");
        }
    }
}
