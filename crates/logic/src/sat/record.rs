//! What was a solver told, and what did it learn from that?
//!
//! If the clauses contradict each other, both together are a proof (RUP) that a checker can verify
//! without the solver: each learned clause follows by unit propagation from those before it, and in the end the empty one does.

use super::Literal;

/// So many literals of learned clauses are kept: 800 megabytes. A longer proof is not of use to many checkers.
const MOST_LITERALS: usize = 200_000_000;

/// The clauses that a solver was given, and those that it derived.
#[derive(Default)]
pub struct Record {
    /// They are numbered from 1.
    pub variables: usize,
    /// The clauses that the solver was given.
    pub clauses: Clauses,
    /// In the order in which they were learned.
    pub learned: Clauses,
}

impl Record {
    /// Is there no room for more?
    pub(super) fn is_full(&self) -> bool {
        self.learned.literals.len() > MOST_LITERALS
    }
}

/// A list of clauses, one behind the other.
#[derive(Clone, Default)]
pub struct Clauses {
    literals: Vec<Literal>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Clauses {
    /// Appends a clause.
    pub fn add(&mut self, clause: impl IntoIterator<Item = Literal>) {
        self.literals.extend(clause);
        self.ends.push(self.literals.len());
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there no clause?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The clauses in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &[Literal]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.literals[start..*end])
    }
}
