//! Which values make a conjunction true?

use crate::term::{Constant, Sort, Terms, Variable};

/// Values for variables. A variable without one may have any value; it then counts as zero, or as what its range has nearest.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Model {
    /// Sorted by variable: a path knows few of the variables of its table.
    values: Vec<(Variable, Constant)>,
}

impl Model {
    /// Gives a variable a value, in place of an earlier one.
    pub fn set(&mut self, variable: Variable, value: Constant) {
        match self.values.binary_search_by_key(&variable, |(known, _)| *known) {
            Ok(at) => self.values[at].1 = value,
            Err(at) => self.values.insert(at, (variable, value)),
        }
    }

    /// The value that was chosen, if one was.
    pub fn chosen(&self, variable: Variable) -> Option<Constant> {
        let found = self.values.binary_search_by_key(&variable, |(known, _)| *known);
        found.ok().map(|at| self.values[at].1)
    }

    /// The value of a variable; if the model has none, the value in its range that is nearest to zero.
    pub fn value(&self, terms: &Terms, variable: Variable) -> Constant {
        self.chosen(variable).unwrap_or_else(|| {
            let declaration = terms.declaration(variable);
            let (least, greatest) = declaration.range;
            match declaration.sort {
                Sort::Bool => Constant::Bool(false),
                Sort::Float => Constant::Float(0),
                Sort::Double => Constant::Double(0),
                sort => Constant::of_integer(sort, 0.clamp(least, greatest)),
            }
        })
    }
}
