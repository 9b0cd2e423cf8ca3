//! Which term is it, if variables stand for other terms?

use rustc_hash::FxHashMap;

use crate::term::{Node, Term, Terms, Variable};

impl Terms {
    /// The term with other terms in the place of variables; variables for which there is none stay. The walk is a list and no recursion, because
    /// terms may be deeper than any stack.
    pub fn substitute(&mut self, term: Term, by: &impl Fn(Variable) -> Option<Term>) -> Term {
        let mut made: FxHashMap<Term, Term> = FxHashMap::default();
        let mut waiting = vec![term];
        while let Some(&top) = waiting.last() {
            if made.contains_key(&top) {
                waiting.pop();
                continue;
            }
            let node = self.node(top);
            let operands: Vec<Term> = match node {
                Node::Constant(_) | Node::Variable(_) => Vec::new(),
                Node::Unary(_, operand) => vec![operand],
                Node::Binary(_, left, right) => vec![left, right],
                Node::If(one, two, three) | Node::Fused(one, two, three) => vec![one, two, three],
            };
            let before = waiting.len();
            waiting.extend(operands.into_iter().filter(|operand| !made.contains_key(operand)));
            if waiting.len() > before {
                continue;
            }
            waiting.pop();
            let new = match node {
                Node::Constant(_) => top,
                Node::Variable(variable) => by(variable).unwrap_or(top),
                Node::Unary(operation, operand) => self.unary(operation, made[&operand]),
                Node::Binary(operation, left, right) => self.binary(operation, made[&left], made[&right]),
                Node::If(condition, yes, no) => self.choose(made[&condition], made[&yes], made[&no]),
                Node::Fused(one, other, added) => self.fused(made[&one], made[&other], made[&added]),
            };
            made.insert(top, new);
        }
        made[&term]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Binary, Sort};

    #[test]
    fn variables_are_replaced_everywhere() {
        let mut terms = Terms::new();
        let (x, y, one) = (terms.variable("x", Sort::Int), terms.variable("y", Sort::Int), terms.int(1));
        let sum = terms.binary(Binary::Add, x, one);
        let condition = terms.less(sum, x);
        let Node::Variable(variable) = terms.node(x) else { unreachable!() };
        let by = |found| (found == variable).then_some(y);
        let expected = {
            let sum = terms.binary(Binary::Add, y, one);
            terms.less(sum, y)
        };
        assert_eq!(terms.substitute(condition, &by), expected);
        let two = terms.int(2);
        let by = |found| (found == variable).then_some(two);
        let value = terms.substitute(condition, &by);
        assert_eq!(terms.as_constant(value), Some(crate::Constant::Bool(false)));
    }
}
