//! Is it known from an earlier question that some of these literals cannot be true together?

use std::collections::{HashMap, VecDeque};

use lazuli_logic::circuit::Lit;

/// How many are kept; the oldest are forgotten.
const MOST: usize = 4000;

/// Sets of literals that cannot be true together.
#[derive(Default)]
pub(crate) struct UnsatCores {
    /// Under one literal of each: only those can refute a question that have theirs in it.
    by_literal: HashMap<Lit, Vec<Box<[Lit]>>>,
    /// These literals, oldest first.
    ages: VecDeque<Lit>,
    /// By literal: is it one of those that are asked about? All are false between questions.
    marks: Vec<bool>,
}

impl UnsatCores {
    pub(crate) fn add(&mut self, core: &[Lit]) {
        // Under the literal with the fewest other cores. An empty core would mean that there is no valid input at all.
        let others = |literal: &&Lit| self.by_literal.get(literal).map_or(0, Vec::len);
        let Some(key) = core.iter().min_by_key(others).copied() else { return };
        if self.ages.len() == MOST
            && let Some(oldest) = self.ages.pop_front()
            && let Some(cores) = self.by_literal.get_mut(&oldest)
        {
            cores.remove(0);
        }
        self.by_literal.entry(key).or_default().push(core.into());
        self.ages.push_back(key);
    }

    /// Are there some among these that cannot be true together?
    pub(crate) fn refute(&mut self, literals: &[Lit]) -> bool {
        let place = |literal: &Lit| 2 * literal.gate() + literal.is_negated() as usize;
        let size = literals.iter().map(|literal| place(literal) + 1).max().unwrap_or(0);
        self.marks.resize(self.marks.len().max(size), false);
        literals.iter().for_each(|literal| self.marks[place(literal)] = true);
        let is_in = |literal: &Lit| self.marks.get(place(literal)) == Some(&true);
        let mut candidates = literals.iter().filter_map(|literal| self.by_literal.get(literal)).flatten();
        let refutes = candidates.any(|core| core.iter().all(is_in));
        literals.iter().for_each(|literal| self.marks[place(literal)] = false);
        refutes
    }
}

#[cfg(test)]
mod tests {
    use lazuli_logic::circuit::Circuit;

    use super::*;

    #[test]
    fn a_core_refutes_what_has_all_of_it() {
        let mut circuit = Circuit::new();
        let [a, b, c] = [circuit.input(), circuit.input(), circuit.input()];
        let mut cores = UnsatCores::default();
        assert!(!cores.refute(&[a, b, c]));
        cores.add(&[a, !b]);
        assert!(cores.refute(&[c, !b, a]));
        assert!(!cores.refute(&[a, b, c]), "the other value of b");
        assert!(!cores.refute(&[!b, c]), "without a");
    }

    #[test]
    fn the_oldest_cores_are_forgotten() {
        let mut circuit = Circuit::new();
        let first = circuit.input();
        let mut cores = UnsatCores::default();
        cores.add(&[first]);
        let others: Vec<Lit> = (0..MOST).map(|_| circuit.input()).collect();
        others.iter().take(MOST - 1).for_each(|other| cores.add(&[*other]));
        assert!(cores.refute(&[first]));
        cores.add(&[others[MOST - 1]]);
        assert!(!cores.refute(&[first]));
        assert!(cores.refute(&[others[0]]) && cores.refute(&[others[MOST - 1]]));
    }
}
