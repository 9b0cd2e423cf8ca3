//! How does a term look to a reader who does not have its table?
//!
//! A graph that owns its parts: it may be sent, kept, written down and evaluated. Parts that a term has several times are there once, and
//! every walk here comes to each part once, with a list and not by recursion: the tree that a graph stands for may have more nodes than
//! there are atoms, and may be deeper than any stack. `print` writes it as Java would.

mod print;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::evaluate;
use crate::term::{Binary, Constant, Node, Sort, Term, Terms, Unary};
pub use print::write_constant;

/// A term that owns its operands, so that it outlives the table of terms and can be written to a file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub enum Expression {
    /// A known value.
    Constant(Constant),
    /// A variable, shared by all of its occurrences.
    Variable(Arc<Named>),
    /// An operation on one operand.
    Unary(Unary, Arc<Expression>),
    /// An operation on two operands.
    Binary(Binary, Arc<Expression>, Arc<Expression>),
    /// Condition, value if it is true, value if it is false.
    If(Arc<Expression>, Arc<Expression>, Arc<Expression>),
    /// The product of the first two plus the third, rounded once.
    Fused(Arc<Expression>, Arc<Expression>, Arc<Expression>),
}

/// A variable, by the name that it was declared with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Named {
    /// The name by which a reader knows the variable.
    pub name: String,
    /// The type of the variable.
    pub sort: Sort,
    /// The least and the greatest value of a bit vector.
    pub range: (i64, i64),
}

impl Named {
    /// Does it stand for a truth value, although it is a number?
    pub fn is_boolean(&self) -> bool {
        self.sort == Sort::Int && self.range == (0, 1)
    }

    fn is_character(&self) -> bool {
        self.sort == Sort::Int && self.range == (0, u16::MAX as i64)
    }
}

/// Turns terms of one table into expressions, which share what the terms share.
#[derive(Default)]
pub struct Expressions {
    /// With the least rank of its variables.
    made: FxHashMap<Term, (Arc<Expression>, usize)>,
}

impl Expressions {
    /// Puts operands that may be swapped in the order in which `rank` has the first variable of each, so that the same condition reads
    /// the same whatever else its table held. The rank of a name must not change between calls.
    pub fn ordered(&mut self, terms: &Terms, term: Term, rank: &impl Fn(&str) -> usize) -> Expression {
        let mut waiting = vec![term];
        while let Some(&top) = waiting.last() {
            if self.made.contains_key(&top) {
                waiting.pop();
                continue;
            }
            let node = terms.node(top);
            let before = waiting.len();
            waiting.extend(operands_of(node).into_iter().flatten().filter(|part| !self.made.contains_key(part)));
            if waiting.len() == before {
                waiting.pop();
                let (made, first) = self.of_node(terms, node, rank);
                self.made.insert(top, (Arc::new(made), first));
            }
        }
        Expression::clone(&self.made[&term].0)
    }

    /// Makes one node whose operands are there.
    fn of_node(&self, terms: &Terms, node: Node, rank: &impl Fn(&str) -> usize) -> (Expression, usize) {
        let part = |term: Term| &self.made[&term];
        match node {
            Node::Constant(constant) => (Expression::Constant(constant), usize::MAX),
            Node::Variable(variable) => {
                let declaration = terms.declaration(variable);
                let (name, sort, range) = (declaration.name.clone(), declaration.sort, declaration.range);
                let first = rank(&name);
                (Expression::Variable(Arc::new(Named { name, sort, range })), first)
            }
            Node::Unary(operation, operand) => {
                let (operand, first) = part(operand);
                (Expression::Unary(operation, operand.clone()), *first)
            }
            Node::Binary(operation, left, right) => {
                let (mut left, mut right) = (part(left), part(right));
                if operation.is_commutative() && right.1 < left.1 {
                    std::mem::swap(&mut left, &mut right);
                }
                let made = Expression::Binary(operation, left.0.clone(), right.0.clone());
                (made, left.1.min(right.1))
            }
            Node::If(condition, yes, no) => {
                let (condition, yes, no) = (part(condition), part(yes), part(no));
                let first = condition.1.min(yes.1).min(no.1);
                (Expression::If(condition.0.clone(), yes.0.clone(), no.0.clone()), first)
            }
            Node::Fused(one, other, added) => {
                let (mut one, mut other, added) = (part(one), part(other), part(added));
                if other.1 < one.1 {
                    std::mem::swap(&mut one, &mut other);
                }
                let first = one.1.min(other.1).min(added.1);
                (Expression::Fused(one.0.clone(), other.0.clone(), added.0.clone()), first)
            }
        }
    }
}

fn operands_of(node: Node) -> [Option<Term>; 3] {
    match node {
        Node::Constant(_) | Node::Variable(_) => [None; 3],
        Node::Unary(_, operand) => [Some(operand), None, None],
        Node::Binary(_, left, right) => [Some(left), Some(right), None],
        Node::If(one, two, three) | Node::Fused(one, two, three) => [Some(one), Some(two), Some(three)],
    }
}

impl Expression {
    /// Copies a term out of its table, with operands in the order in which they were written.
    pub fn of(terms: &Terms, term: Term) -> Expression {
        // Nothing comes before anything else, so that nothing is swapped.
        Expressions::default().ordered(terms, term, &|_| usize::MAX)
    }

    /// The value under an assignment of the variables; nothing if it leaves one out.
    pub fn value(&self, assignment: &impl Fn(&str) -> Option<Constant>) -> Option<Constant> {
        let mut values: FxHashMap<*const Expression, Option<Constant>> = FxHashMap::default();
        for part in self.parts() {
            let value = |operand: &Arc<Expression>| values.get(&Arc::as_ptr(operand)).copied().flatten();
            let found = match part {
                Expression::Constant(constant) => Some(*constant),
                Expression::Variable(variable) => assignment(&variable.name),
                Expression::Unary(operation, operand) => {
                    value(operand).map(|operand| evaluate::unary(*operation, operand))
                }
                Expression::Binary(operation, left, right) => {
                    value(left).zip(value(right)).map(|(left, right)| evaluate::binary(*operation, left, right))
                }
                Expression::If(condition, yes, no) => match value(condition) {
                    Some(Constant::Bool(true)) => value(yes),
                    Some(_) => value(no),
                    None => None,
                },
                Expression::Fused(one, other, added) => {
                    let product = value(one).zip(value(other));
                    product.zip(value(added)).map(|((one, other), added)| evaluate::fused(one, other, added))
                }
            };
            values.insert(part, found);
        }
        values.get(&std::ptr::from_ref(self)).copied().flatten()
    }

    /// The names of the variables, in order of appearance, each once.
    pub fn variables(&self) -> Vec<Arc<Named>> {
        let mut found: Vec<Arc<Named>> = Vec::new();
        let mut names: FxHashSet<&str> = FxHashSet::default();
        for part in self.parts() {
            if let Expression::Variable(variable) = part
                && names.insert(&variable.name)
            {
                found.push(variable.clone());
            }
        }
        found
    }

    fn operands(&self) -> [Option<&Arc<Expression>>; 3] {
        match self {
            Expression::Constant(_) | Expression::Variable(_) => [None; 3],
            Expression::Unary(_, operand) => [Some(operand), None, None],
            Expression::Binary(_, left, right) => [Some(left), Some(right), None],
            Expression::If(one, two, three) | Expression::Fused(one, two, three) => [Some(one), Some(two), Some(three)],
        }
    }

    /// All parts, each once, operands before what is made of them and left before right; the whole comes last.
    fn parts(&self) -> Vec<&Expression> {
        let mut parts = Vec::new();
        let mut seen: FxHashSet<*const Expression> = FxHashSet::default();
        // Each with whether its operands are listed already.
        let mut waiting = vec![(self, false)];
        while let Some((part, is_ready)) = waiting.pop() {
            if is_ready {
                parts.push(part);
            } else if seen.insert(part) {
                waiting.push((part, true));
                waiting.extend(part.operands().into_iter().flatten().rev().map(|operand| (&**operand, false)));
            }
        }
        parts
    }

    /// Is the outermost node the same, whatever the operands are?
    fn is_same_node(&self, other: &Expression) -> bool {
        match (self, other) {
            (Expression::Constant(one), Expression::Constant(other)) => one == other,
            (Expression::Variable(one), Expression::Variable(other)) => one == other,
            (Expression::Unary(one, _), Expression::Unary(other, _)) => one == other,
            (Expression::Binary(one, ..), Expression::Binary(other, ..)) => one == other,
            (Expression::If(..), Expression::If(..)) | (Expression::Fused(..), Expression::Fused(..)) => true,
            _ => false,
        }
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Expression) -> bool {
        // Pairs that are equal, or will be found to differ before this ends.
        let mut compared: FxHashSet<(*const Expression, *const Expression)> = FxHashSet::default();
        let mut waiting = vec![(self, other)];
        while let Some((one, other)) = waiting.pop() {
            if std::ptr::eq(one, other) || !compared.insert((one, other)) {
                continue;
            }
            if !one.is_same_node(other) {
                return false;
            }
            let pairs = one.operands().into_iter().zip(other.operands());
            waiting.extend(pairs.filter_map(|(one, other)| Some((&**one?, &**other?))));
        }
        true
    }
}

/// Takes a long chain apart step by step: parts that drop their own parts would need as much stack as the term is deep.
impl Drop for Expression {
    fn drop(&mut self) {
        // The parts behind a leaf cost neither memory nor stack.
        if self.operands()[0].is_none() {
            return;
        }
        let mut waiting = Vec::new();
        self.move_operands(&mut waiting);
        while let Some(part) = waiting.pop() {
            if let Some(mut part) = Arc::into_inner(part) {
                part.move_operands(&mut waiting);
            }
        }
    }
}

impl Expression {
    /// Moves the operands away; the expression means nothing afterwards.
    fn move_operands(&mut self, to: &mut Vec<Arc<Expression>>) {
        let leaf = || Arc::new(Expression::Constant(Constant::Bool(false)));
        let mut take = |operand: &mut Arc<Expression>| {
            if operand.operands()[0].is_some() {
                to.push(std::mem::replace(operand, leaf()));
            }
        };
        match self {
            Expression::Constant(_) | Expression::Variable(_) => {}
            Expression::Unary(_, operand) => take(operand),
            Expression::Binary(_, left, right) => [left, right].into_iter().for_each(take),
            Expression::If(one, two, three) | Expression::Fused(one, two, three) => {
                [one, two, three].into_iter().for_each(take)
            }
        }
    }
}

/// An expression as it is written down: its parts in a list, operands before what is made of them.
#[derive(Serialize, Deserialize)]
struct Written(Vec<WrittenPart>);

/// One part. Operands are named by their places in the list.
#[derive(Serialize, Deserialize)]
enum WrittenPart {
    Constant(Constant),
    Variable(Arc<Named>),
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
    If(usize, usize, usize),
    Fused(usize, usize, usize),
}

impl From<Expression> for Written {
    fn from(expression: Expression) -> Written {
        let mut places: FxHashMap<*const Expression, usize> = FxHashMap::default();
        let mut list = Vec::new();
        for (place, part) in expression.parts().into_iter().enumerate() {
            let at = |operand: &Arc<Expression>| places[&Arc::as_ptr(operand)];
            list.push(match part {
                Expression::Constant(constant) => WrittenPart::Constant(*constant),
                Expression::Variable(variable) => WrittenPart::Variable(variable.clone()),
                Expression::Unary(operation, operand) => WrittenPart::Unary(*operation, at(operand)),
                Expression::Binary(operation, left, right) => WrittenPart::Binary(*operation, at(left), at(right)),
                Expression::If(condition, yes, no) => WrittenPart::If(at(condition), at(yes), at(no)),
                Expression::Fused(one, other, added) => WrittenPart::Fused(at(one), at(other), at(added)),
            });
            places.insert(part, place);
        }
        Written(list)
    }
}

/// A list that is no expression: it is empty, or an operand does not come before what is made of it.
#[derive(Debug)]
pub struct NoExpression;

impl std::fmt::Display for NoExpression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of parts that is no expression")
    }
}

impl TryFrom<Written> for Expression {
    type Error = NoExpression;

    fn try_from(Written(list): Written) -> Result<Expression, NoExpression> {
        let mut made: Vec<Arc<Expression>> = Vec::new();
        for written in list {
            let at = |place: usize| made.get(place).cloned().ok_or(NoExpression);
            let part = match written {
                WrittenPart::Constant(constant) => Expression::Constant(constant),
                WrittenPart::Variable(variable) => Expression::Variable(variable),
                WrittenPart::Unary(operation, operand) => Expression::Unary(operation, at(operand)?),
                WrittenPart::Binary(operation, left, right) => Expression::Binary(operation, at(left)?, at(right)?),
                WrittenPart::If(condition, yes, no) => Expression::If(at(condition)?, at(yes)?, at(no)?),
                WrittenPart::Fused(one, other, added) => Expression::Fused(at(one)?, at(other)?, at(added)?),
            };
            made.push(Arc::new(part));
        }
        made.last().map(|last| Expression::clone(last)).ok_or(NoExpression)
    }
}
