//! What does a method of the JDK return for a number that is not known, if nothing else is unknown?
//!
//! Its own code runs for every number that it may be, once in a program, and the results become a term. So the properties of characters are exactly those of
//! the JDK that is there, and no path forks for them.

use std::sync::Arc;

use lazuli_logic::{Binary, Term};

use super::{Limits, Vm};
use crate::host::Silent;
use crate::outcome::{End, Stop};
use crate::program::{FunctionPiece, Method, PieceForm, pieces_of};
use crate::state::State;
use crate::symbols::Symbols;
use crate::value::Value;

/// A function with more pieces becomes a tree of comparisons, one with fewer a list of intervals, which is easier to read.
const MOST_LISTED: usize = 16;

/// The values of a function of the characters of Latin-1.
pub(crate) type LatinTable = [i32; 256];

impl Vm {
    /// A static method of one number, for each character of Latin-1. None if it does not return an int for each of them.
    pub(crate) fn latin_table(&mut self, state: &State, method: &'static Method) -> Option<LatinTable> {
        let pieces = self.tabulate(state, method, &[Value::Int(0)], 0, (0, 255))?;
        let mut table = [0; 256];
        for (letter, value) in (0..).zip(&mut table) {
            *value = value_at(&pieces, letter)?;
        }
        Some(table)
    }

    /// The table of one function behind another.
    pub(crate) fn mapped_table(
        &mut self,
        state: &State,
        table: &LatinTable,
        method: &'static Method,
    ) -> Option<LatinTable> {
        let latin = self.latin_table(state, method)?;
        let mut mapped = *table;
        for value in &mut mapped {
            *value = match usize::try_from(*value).ok().and_then(|letter| latin.get(letter)) {
                Some(result) => *result,
                None => value_at(&self.tabulate(state, method, &[Value::Int(0)], 0, (*value, *value))?, *value)?,
            };
        }
        Some(mapped)
    }

    /// The value of such a function, of a letter that is not known.
    pub(crate) fn value_in_table(&mut self, letter: Term, table: &LatinTable) -> Term {
        self.value_by_pieces(letter, &pieces_of(0, table))
    }

    /// The results of a method for each number in a range as the argument at that place. None if it does not return an int for each of them.
    pub(crate) fn tabulate(
        &mut self,
        state: &State,
        method: &'static Method,
        arguments: &[Value],
        varied: usize,
        range: (i32, i32),
    ) -> Option<Arc<[FunctionPiece]>> {
        let numbers = arguments.iter().enumerate().filter(|(at, _)| *at != varied);
        let numbers =
            numbers.filter_map(|(_, value)| if let Value::Int(number) = value { Some(*number) } else { None });
        let key = (method.id, numbers.collect::<Vec<i32>>(), range);
        if let Some(known) = self.program.tabulated.lock().expect("no panic while tables are looked up").get(&key) {
            return known.clone();
        }
        let results = self.results(state, method, arguments, varied, range);
        let pieces: Option<Arc<[FunctionPiece]>> = results.map(|values| pieces_of(range.0, &values).into());
        let mut tables = self.program.tabulated.lock().expect("no panic while tables are looked up");
        tables.insert(key, pieces.clone());
        pieces
    }

    /// Runs the method on each number, in an interpreter that has nothing to do with the path.
    fn results(
        &mut self,
        state: &State,
        method: &'static Method,
        arguments: &[Value],
        varied: usize,
        (least, greatest): (i32, i32),
    ) -> Option<Vec<i32>> {
        let mut vm = Vm::new(self.program.clone(), Box::new(Silent::default()), Limits::default());
        let mut start = state.fork();
        (start.symbols, start.threads) = (Symbols::default(), None);
        start.thread.frames.clear();
        start.monitors.clear();
        let mut arguments = arguments.to_vec();
        (least..=greatest)
            .map(|number| {
                arguments[varied] = Value::Int(number);
                start.thread.frames.clear();
                match vm.call(&mut start, method, &arguments) {
                    Stop::End(End::Returned(Value::Int(result))) => Some(result),
                    _ => None,
                }
            })
            .collect()
    }

    /// The value of a function of pieces, of an argument that lies in one of them.
    pub(crate) fn value_by_pieces(&mut self, argument: Term, pieces: &[FunctionPiece]) -> Term {
        let is_plain = pieces.iter().all(|piece| piece.even == piece.odd);
        if pieces.len() > MOST_LISTED || !is_plain {
            return self.tree_of(argument, pieces);
        }
        let mut forms: Vec<(PieceForm, usize)> = Vec::new();
        for piece in pieces {
            match forms.iter_mut().find(|(form, _)| *form == piece.even) {
                Some((_, count)) => *count += 1,
                None => forms.push((piece.even, 1)),
            }
        }
        // The result that most pieces have needs no condition.
        let Some(most) = forms.iter().max_by_key(|(_, count)| *count).map(|(form, _)| *form) else { return argument };
        let mut value = self.form_of(argument, most);
        for (form, _) in forms.into_iter().filter(|(form, _)| *form != most) {
            let intervals: Vec<(i32, i32)> =
                pieces.iter().filter(|piece| piece.even == form).map(|piece| (piece.first, piece.last)).collect();
            let (first, last) = (pieces[0].first, pieces[pieces.len() - 1].last);
            let is_it = self.lies_in(argument, &intervals, (first, last));
            let result = self.form_of(argument, form);
            value = self.terms.choose(is_it, result, value);
        }
        value
    }

    /// Does a number, which lies between two bounds, lie in one of these intervals?
    pub(crate) fn lies_in(&mut self, number: Term, intervals: &[(i32, i32)], bounds: (i32, i32)) -> Term {
        let mut any = self.terms.truth(false);
        for (first, last) in intervals {
            let mut both = self.terms.truth(true);
            if first == last {
                let only = self.terms.int(*first);
                both = self.terms.equal(number, only);
            } else {
                if *first > bounds.0 {
                    let least = self.terms.int(*first);
                    both = self.terms.less_or_equal(least, number);
                }
                if *last < bounds.1 {
                    let greatest = self.terms.int(*last);
                    let below = self.terms.less_or_equal(number, greatest);
                    both = self.terms.and(both, below);
                }
            }
            any = self.terms.or(any, both);
        }
        any
    }

    fn tree_of(&mut self, argument: Term, pieces: &[FunctionPiece]) -> Term {
        if let [piece] = pieces {
            let even = self.form_of(argument, piece.even);
            if piece.even == piece.odd {
                return even;
            }
            let odd = self.form_of(argument, piece.odd);
            let (one, zero) = (self.terms.int(1), self.terms.int(0));
            let bit = self.terms.binary(Binary::BitAnd, argument, one);
            let is_even = self.terms.equal(bit, zero);
            return self.terms.choose(is_even, even, odd);
        }
        let (below, above) = pieces.split_at(pieces.len() / 2);
        let bound = self.terms.int(above[0].first);
        let is_below = self.terms.less(argument, bound);
        let (below, above) = (self.tree_of(argument, below), self.tree_of(argument, above));
        self.terms.choose(is_below, below, above)
    }

    fn form_of(&mut self, argument: Term, form: PieceForm) -> Term {
        match form {
            PieceForm::Constant(value) => self.terms.int(value),
            PieceForm::Shift(distance) => {
                let distance = self.terms.int(distance);
                self.terms.binary(Binary::Add, argument, distance)
            }
        }
    }
}

/// The value of a function of pieces at a number.
fn value_at(pieces: &[FunctionPiece], number: i32) -> Option<i32> {
    let piece = pieces.iter().find(|piece| piece.first <= number && number <= piece.last)?;
    match if number & 1 == 0 { piece.even } else { piece.odd } {
        PieceForm::Constant(value) => Some(value),
        PieceForm::Shift(distance) => Some(number.wrapping_add(distance)),
    }
}
