//! How is a function of whole numbers said in few pieces, if all its values are known?
//!
//! The properties of characters are such functions: most are constant, or move their argument by a distance, over long runs. In some blocks of Unicode,
//! capital and small letters take turns, so that a piece has one form for even arguments and one for odd ones.

/// The value of a function on a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PieceForm {
    Constant(i32),
    /// The argument and a distance.
    Shift(i32),
}

/// Neighbouring arguments. Both ends belong to the piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FunctionPiece {
    pub(crate) first: i32,
    pub(crate) last: i32,
    pub(crate) even: PieceForm,
    pub(crate) odd: PieceForm,
}

/// An alternating piece must save this many pieces.
const LEAST_SAVED: usize = 3;

/// The forms that are possible for some arguments: the constant, and the distance.
type Candidates = (Option<i32>, Option<i32>);

fn candidates(argument: i32, value: i32) -> Candidates {
    (Some(value), Some(value.wrapping_sub(argument)))
}

fn common(one: Candidates, other: Candidates) -> Option<Candidates> {
    let both = (one.0.filter(|it| other.0 == Some(*it)), one.1.filter(|it| other.1 == Some(*it)));
    (both != (None, None)).then_some(both)
}

/// A result that stays as it is counts as such, also where it is a single number.
fn form(candidates: Candidates) -> PieceForm {
    match candidates {
        (_, Some(0)) | (None, Some(_)) => PieceForm::Shift(candidates.1.unwrap_or_default()),
        (constant, _) => PieceForm::Constant(constant.unwrap_or_default()),
    }
}

/// The pieces of a function that has these values from an argument on.
pub(crate) fn pieces_of(least: i32, values: &[i32]) -> Vec<FunctionPiece> {
    let at = |index: usize| candidates(least + index as i32, values[index]);
    // The index behind the longest run of one form.
    let plain_end = |start: usize| {
        let mut held = at(start);
        let mut end = start + 1;
        while let Some(next) = (end < values.len()).then(|| common(held, at(end))).flatten() {
            held = next;
            end += 1;
        }
        (end, held)
    };
    // The same with a form for every other argument.
    let turns_end = |start: usize| {
        let mut held = [at(start), if start + 1 < values.len() { at(start + 1) } else { (None, None) }];
        let mut end = (start + 2).min(values.len());
        while let Some(next) = (end < values.len()).then(|| common(held[(end - start) % 2], at(end))).flatten() {
            held[(end - start) % 2] = next;
            end += 1;
        }
        (end, held)
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < values.len() {
        let (plain, held) = plain_end(start);
        let (turns, both) = turns_end(start);
        // How many plain runs does the alternating piece cover? A last one that it would cut stays whole.
        let (mut end, mut saved) = (plain, 1);
        while end < turns {
            let (next, _) = plain_end(end);
            if next > turns {
                break;
            }
            (end, saved) = (next, saved + 1);
        }
        let first = least + start as i32;
        let (end, even, odd) = match saved > LEAST_SAVED {
            true => {
                let [this, other] = both.map(form);
                if first & 1 == 0 { (end, this, other) } else { (end, other, this) }
            }
            false => (plain, form(held), form(held)),
        };
        pieces.push(FunctionPiece { first, last: least + end as i32 - 1, even, odd });
        start = end;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value_of(pieces: &[FunctionPiece], argument: i32) -> i32 {
        let piece = pieces.iter().find(|piece| (piece.first..=piece.last).contains(&argument)).expect("it is covered");
        match if argument & 1 == 0 { piece.even } else { piece.odd } {
            PieceForm::Constant(value) => value,
            PieceForm::Shift(distance) => argument + distance,
        }
    }

    #[test]
    fn pieces_have_the_values_of_the_function() {
        let mut seed = 1u32;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % below
        };
        for round in 0..200 {
            let (least, kinds) = (round - 100, 1 + random(4));
            let mut values: Vec<i32> = Vec::new();
            while values.len() < 60 {
                let (kind, length) = (random(kinds), 1 + random(12));
                for _ in 0..length {
                    let argument = least + values.len() as i32;
                    values.push(match kind {
                        0 => argument,
                        1 => argument | 1,
                        2 => 7,
                        _ => argument + 32,
                    });
                }
            }
            let pieces = pieces_of(least, &values);
            for (index, value) in values.iter().enumerate() {
                assert_eq!(value_of(&pieces, least + index as i32), *value, "{values:?} {pieces:?}");
            }
        }
    }

    #[test]
    fn case_of_ascii_has_three_pieces() {
        let lower: Vec<i32> = (0..128u8).map(|unit| unit.to_ascii_lowercase() as i32).collect();
        let pieces = pieces_of(0, &lower);
        let bounds: Vec<(i32, i32)> = pieces.iter().map(|piece| (piece.first, piece.last)).collect();
        assert_eq!(bounds, [(0, 64), (65, 90), (91, 127)]);
    }

    #[test]
    fn letters_that_take_turns_are_one_piece() {
        let lower: Vec<i32> = (0x100..0x130).map(|unit| unit | 1).collect();
        assert_eq!(pieces_of(0x100, &lower).len(), 1);
    }
}
