//! What do the operators of Java and JML mean? Operands are converted as in Java (JLS §5.6), and the connectives of JML become those of Java.

use lazuli_jml::{BinaryOperator, Expr, Span, TypeName, UnaryOperator};
use lazuli_vm::program::Op;
use lazuli_vm::value::{Kind, Value};

use super::resolve::{Resolved, Resolver};
use super::typed::*;

impl Resolver<'_, '_> {
    /// Resolves an operator with one operand, which is promoted as in Java (JLS §5.6.1).
    pub(super) fn unary(&mut self, operator: UnaryOperator, of: &Expr) -> Resolved {
        if operator == UnaryOperator::Not {
            return Ok(self.condition(of)?.negated());
        }
        let (value, kind) = self.number(of)?;
        let kind = promoted(kind, Kind::Int);
        let value = converted(value, kind);
        let of_type = Type::Primitive(kind);
        let node = match (operator, kind) {
            (UnaryOperator::Plus, _) => return Ok(value),
            (UnaryOperator::Minus, Kind::Long) => TypedNode::Convert(vec![Op::Lneg], Box::new(value)),
            (UnaryOperator::Minus, Kind::Float) => TypedNode::Convert(vec![Op::Fneg], Box::new(value)),
            (UnaryOperator::Minus, Kind::Double) => TypedNode::Convert(vec![Op::Dneg], Box::new(value)),
            (UnaryOperator::Minus, _) => TypedNode::Convert(vec![Op::Ineg], Box::new(value)),
            (_, Kind::Int) => {
                TypedNode::Arithmetic(Op::Ixor, Box::new(value), Box::new(Typed::new(of_type, TypedNode::Int(-1))))
            }
            (_, Kind::Long) => {
                let ones = Typed::new(of_type, TypedNode::Constant(Value::Long(-1)));
                TypedNode::Arithmetic(Op::Lxor, Box::new(value), Box::new(ones))
            }
            _ => {
                return self
                    .complain(of.span, format!("an integer is expected here, and not {}", self.type_text(of_type)));
            }
        };
        Ok(Typed::new(of_type, node))
    }

    /// Resolves an operator with two operands, which are promoted as in Java (JLS §5.6.2).
    pub(super) fn binary(&mut self, operator: BinaryOperator, left: &Expr, right: &Expr, span: Span) -> Resolved {
        match operator {
            BinaryOperator::And => return Ok(self.condition(left)?.and(self.condition(right)?)),
            BinaryOperator::Or => return Ok(self.condition(left)?.or(self.condition(right)?)),
            BinaryOperator::Implies => return Ok(self.condition(left)?.negated().or(self.condition(right)?)),
            BinaryOperator::Equivalent | BinaryOperator::Inequivalent => {
                let relation =
                    if operator == BinaryOperator::Equivalent { Relation::Equal } else { Relation::NotEqual };
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                return Ok(Typed::truth(TypedNode::Compare(relation, Box::new(left), Box::new(right))));
            }
            BinaryOperator::Subtype => return self.subtype(left, right),
            _ => {}
        }
        let (one, other) = (self.expression(left)?, self.expression(right)?);
        if let BinaryOperator::Equal | BinaryOperator::NotEqual = operator {
            if let (Type::Set, Type::Set) = (one.of, other.of) {
                let same = self.same_objects((left, one), (right, other), span)?;
                return Ok(if operator == BinaryOperator::Equal { same } else { same.negated() });
            }
            return self.equality(operator == BinaryOperator::Equal, one, other, span);
        }
        let (one, other) = (self.unboxed(one), self.unboxed(other));
        if one.of.is_boolean() && other.of.is_boolean() {
            let op = match operator {
                BinaryOperator::BitAnd => Op::Iand,
                BinaryOperator::BitOr => Op::Ior,
                BinaryOperator::BitXor => Op::Ixor,
                _ => return self.complain(span, "booleans have no such operator"),
            };
            return Ok(Typed::truth(TypedNode::Arithmetic(op, Box::new(one), Box::new(other))));
        }
        let string = self.program().known().string;
        if operator == BinaryOperator::Add
            && [one.of, other.of].iter().any(|of| matches!(of, Type::Reference(class) if class.id == string.id))
        {
            return self.complain(span, "putting texts together is not supported");
        }
        let (Some(first), Some(second)) = (one.of.number(), other.of.number()) else {
            let wrong = if one.of.number().is_none() { (left, one.of) } else { (right, other.of) };
            return self
                .complain(wrong.0.span, format!("a number is expected here, and not {}", self.type_text(wrong.1)));
        };
        let is_shift = matches!(
            operator,
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight | BinaryOperator::ShiftRightUnsigned
        );
        let kind = if is_shift { promoted(first, Kind::Int) } else { promoted(first, second) };
        if let Some(relation) = relation(operator) {
            let (one, other) = (converted(one, kind), converted(other, kind));
            return Ok(Typed::truth(TypedNode::Compare(relation, Box::new(one), Box::new(other))));
        }
        let Some(op) = arithmetic(operator, kind) else {
            return self.complain(span, format!("{} has no such operator", self.type_text(Type::Primitive(kind))));
        };
        let distance = if is_shift { Kind::Int } else { kind };
        if is_shift && !matches!(second, Kind::Byte | Kind::Short | Kind::Char | Kind::Int | Kind::Long) {
            return self.complain(right.span, "an integer is expected here");
        }
        let (one, other) = (converted(one, kind), converted(other, distance));
        Ok(Typed::new(Type::Primitive(kind), TypedNode::Arithmetic(op, Box::new(one), Box::new(other))))
    }

    /// Resolves `==`, or `!=` if `wanted` is false: by identity for two references, else by number.
    pub(super) fn equality(&mut self, wanted: bool, one: Typed, other: Typed, span: Span) -> Resolved {
        let is_reference = one.of.is_reference() && other.of.is_reference();
        let (one, other) = if is_reference { (one, other) } else { (self.unboxed(one), self.unboxed(other)) };
        let relation = if wanted { Relation::Equal } else { Relation::NotEqual };
        let found = match (one.of, other.of) {
            (Type::Null, _) if is_reference => Typed::truth(TypedNode::IsNull(Box::new(other))),
            (_, Type::Null) if is_reference => Typed::truth(TypedNode::IsNull(Box::new(one))),
            _ if is_reference => Typed::truth(TypedNode::Same(Box::new(one), Box::new(other))),
            (left, right) if left.is_boolean() && right.is_boolean() => {
                return Ok(Typed::truth(TypedNode::Compare(relation, Box::new(one), Box::new(other))));
            }
            (left, right) => {
                let (Some(first), Some(second)) = (left.number(), right.number()) else {
                    let message = format!("{} and {} cannot be compared", self.type_text(left), self.type_text(right));
                    return self.complain(span, message);
                };
                let kind = promoted(first, second);
                let (one, other) = (converted(one, kind), converted(other, kind));
                return Ok(Typed::truth(TypedNode::Compare(relation, Box::new(one), Box::new(other))));
            }
        };
        Ok(if wanted { found } else { found.negated() })
    }

    /// `S <: T`, of objects that stand for types.
    fn subtype(&mut self, left: &Expr, right: &Expr) -> Resolved {
        let class = self.program().known().class;
        let is_assignable = class.own_method("isAssignableFrom", "(Ljava/lang/Class;)Z").expect("the JDK has it");
        let (below, above) = (self.expression(left)?, self.expression(right)?);
        for (expression, of) in [(left, below.of), (right, above.of)] {
            if !matches!(of, Type::Reference(found) if found.id == class.id) {
                return self.complain(expression.span, "a type is expected here: \\typeof(x) or \\type(T)");
            }
        }
        Ok(Typed::truth(TypedNode::Call(is_assignable, vec![above, below])))
    }

    /// Resolves `condition ? then : otherwise`, whose type is common to both branches.
    pub(super) fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr, span: Span) -> Resolved {
        let condition = self.condition(condition)?;
        let (one, other) = (self.expression(then)?, self.expression(otherwise)?);
        let of = match (one.of, other.of) {
            (Type::Null, of) | (of, Type::Null) if of.is_reference() => of,
            (left, right) if left.is_boolean() && right.is_boolean() => left,
            (Type::Reference(left), Type::Reference(right)) if left.is_subtype_of(right) => Type::Reference(right),
            (Type::Reference(left), Type::Reference(right)) if right.is_subtype_of(left) => Type::Reference(left),
            (left, right) => match (left.number(), right.number()) {
                (Some(first), Some(second)) => Type::Primitive(promoted(first, second)),
                _ => {
                    let message = format!(
                        "{} and {} have no common type; cast one of them",
                        self.type_text(left),
                        self.type_text(right)
                    );
                    return self.complain(span, message);
                }
            },
        };
        let (one, other) = match of.number() {
            Some(kind) => (converted(one, kind), converted(other, kind)),
            None => (one, other),
        };
        Ok(Typed::new(of, TypedNode::Conditional(Box::new(condition), Box::new(one), Box::new(other))))
    }

    /// Resolves a cast: checked for references, and a conversion for numbers.
    pub(super) fn cast(&mut self, of: &TypeName, value: &Expr, span: Span) -> Resolved {
        let class = self.class_of(of)?;
        let found = self.expression(value)?;
        match (Type::of_class(class), found.of) {
            (Type::Reference(class), own) if own.is_reference() => {
                Ok(Typed::new(Type::Reference(class), TypedNode::Cast(class, Box::new(found))))
            }
            (Type::Primitive(to), _) => {
                let found = self.unboxed(found);
                match found.of.number() {
                    Some(_) if to != Kind::Boolean => Ok(converted(found, to)),
                    None if to == Kind::Boolean && found.of.is_boolean() => Ok(found),
                    _ => self.complain(span, format!("{} cannot be cast to {}", self.type_text(found.of), of.name)),
                }
            }
            (_, own) => self.complain(span, format!("{} cannot be cast to {}", self.type_text(own), of.name)),
        }
    }
}

/// The number as one of another type.
pub(super) fn converted(value: Typed, to: Kind) -> Typed {
    let Some(from) = value.of.number() else { return value };
    let ops = conversion(from, to);
    let of = Type::Primitive(to);
    match ops.is_empty() {
        true => Typed { of, ..value },
        false => Typed::new(of, TypedNode::Convert(ops, Box::new(value))),
    }
}

/// The value where one of this type is wanted.
pub(super) fn passed(value: Typed, wanted: Type) -> Typed {
    match wanted.number() {
        Some(kind) => converted(value, kind),
        None => value,
    }
}

fn relation(operator: BinaryOperator) -> Option<Relation> {
    Some(match operator {
        BinaryOperator::Less => Relation::Less,
        BinaryOperator::LessOrEqual => Relation::LessOrEqual,
        BinaryOperator::Greater => Relation::Greater,
        BinaryOperator::GreaterOrEqual => Relation::GreaterOrEqual,
        _ => return None,
    })
}

fn arithmetic(operator: BinaryOperator, kind: Kind) -> Option<Op> {
    let [int, long, float, double] = match operator {
        BinaryOperator::Add => [Some(Op::Iadd), Some(Op::Ladd), Some(Op::Fadd), Some(Op::Dadd)],
        BinaryOperator::Subtract => [Some(Op::Isub), Some(Op::Lsub), Some(Op::Fsub), Some(Op::Dsub)],
        BinaryOperator::Multiply => [Some(Op::Imul), Some(Op::Lmul), Some(Op::Fmul), Some(Op::Dmul)],
        BinaryOperator::Divide => [Some(Op::Idiv), Some(Op::Ldiv), Some(Op::Fdiv), Some(Op::Ddiv)],
        BinaryOperator::Remainder => [Some(Op::Irem), Some(Op::Lrem), Some(Op::Frem), Some(Op::Drem)],
        BinaryOperator::BitAnd => [Some(Op::Iand), Some(Op::Land), None, None],
        BinaryOperator::BitOr => [Some(Op::Ior), Some(Op::Lor), None, None],
        BinaryOperator::BitXor => [Some(Op::Ixor), Some(Op::Lxor), None, None],
        BinaryOperator::ShiftLeft => [Some(Op::Ishl), Some(Op::Lshl), None, None],
        BinaryOperator::ShiftRight => [Some(Op::Ishr), Some(Op::Lshr), None, None],
        BinaryOperator::ShiftRightUnsigned => [Some(Op::Iushr), Some(Op::Lushr), None, None],
        _ => return None,
    };
    match kind {
        Kind::Long => long,
        Kind::Float => float,
        Kind::Double => double,
        _ => int,
    }
}
