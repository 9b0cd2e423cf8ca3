//! Is a model right? Asked of every model before it is given away.

use crate::evaluate::{self, satisfies};
use crate::model::Model;
use crate::term::{Constant, Node, Term, Terms};

/// How deep terms are evaluated here.
const DEPTH: u32 = 24;
/// How many terms are evaluated here for one question.
const STEPS: u32 = 2000;

/// Are all of these true under the model? As `satisfies`, which it asks if terms are large. That one makes room for the whole
/// table first, which takes longer than all the rest if the table is large and the conjuncts are not.
pub(super) fn is_satisfied(terms: &Terms, model: &Model, conjuncts: &[Term]) -> bool {
    let mut steps = STEPS;
    for conjunct in conjuncts {
        match value(terms, model, *conjunct, DEPTH, &mut steps) {
            Some(Constant::Bool(true)) => {}
            Some(_) => return false,
            None => return satisfies(terms, model, conjuncts),
        }
    }
    true
}

/// The value of a term, unless it is too large.
fn value(terms: &Terms, model: &Model, term: Term, depth: u32, steps: &mut u32) -> Option<Constant> {
    let depth = depth.checked_sub(1)?;
    *steps = steps.checked_sub(1)?;
    let mut get = |term: Term| value(terms, model, term, depth, steps);
    Some(match terms.node(term) {
        Node::Constant(constant) => constant,
        Node::Variable(variable) => model.value(terms, variable),
        Node::Unary(operation, operand) => evaluate::unary(operation, get(operand)?),
        Node::Binary(operation, left, right) => evaluate::binary(operation, get(left)?, get(right)?),
        Node::If(condition, yes, no) => {
            let branch = if get(condition)? == Constant::Bool(true) { yes } else { no };
            get(branch)?
        }
    })
}
