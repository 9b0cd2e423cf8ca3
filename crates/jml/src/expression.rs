//! What does an expression consist of? A parser by recursive descent, one step for each level of precedence.

use crate::declaration::{Parser, Read};
use crate::lex::TokenKind;
use crate::source::Span;
use crate::syntax::*;

/// Deeper expressions are refused.
const DEEPEST: usize = 250;

/// The binary operators from loose to tight, without those that have rules of their own.
const LEVELS: [&[(&str, BinaryOperator)]; 10] = [
    &[("||", BinaryOperator::Or)],
    &[("&&", BinaryOperator::And)],
    &[("|", BinaryOperator::BitOr)],
    &[("^", BinaryOperator::BitXor)],
    &[("&", BinaryOperator::BitAnd)],
    &[("==", BinaryOperator::Equal), ("!=", BinaryOperator::NotEqual)],
    &[
        ("<", BinaryOperator::Less),
        ("<=", BinaryOperator::LessOrEqual),
        (">", BinaryOperator::Greater),
        (">=", BinaryOperator::GreaterOrEqual),
        ("<:", BinaryOperator::Subtype),
    ],
    &[
        ("<<", BinaryOperator::ShiftLeft),
        (">>", BinaryOperator::ShiftRight),
        (">>>", BinaryOperator::ShiftRightUnsigned),
    ],
    &[("+", BinaryOperator::Add), ("-", BinaryOperator::Subtract)],
    &[("*", BinaryOperator::Multiply), ("/", BinaryOperator::Divide), ("%", BinaryOperator::Remainder)],
];
/// The level of `LEVELS` that `instanceof` is on.
const RELATIONS: usize = 6;

const ASSIGNMENTS: [&str; 13] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", "->"];

impl Parser {
    /// Parses an expression of any precedence, up to a limit of nesting.
    pub(crate) fn expression(&mut self) -> Read<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.complain_here("this expression is nested too deeply; split it into several clauses"));
        }
        let found = self.conditional();
        self.depth -= 1;
        let found = found?;
        if let Some(sign) = ASSIGNMENTS.iter().find(|sign| self.is_sign(sign)) {
            return Err(
                self.complain_here(format!("`{sign}` is not allowed: a specification only looks, it changes nothing"))
            );
        }
        Ok(found)
    }

    fn conditional(&mut self) -> Read<Expr> {
        let condition = self.equivalence()?;
        if !self.take_sign("?") {
            return Ok(condition);
        }
        let then = self.expression()?;
        self.expect_sign(":")?;
        let otherwise = self.expression()?;
        let span = condition.span.to(otherwise.span);
        Ok(Expr { span, kind: ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)) })
    }

    fn equivalence(&mut self) -> Read<Expr> {
        let mut left = self.implication()?;
        loop {
            let operator = match () {
                () if self.take_sign("<==>") => BinaryOperator::Equivalent,
                () if self.take_sign("<=!=>") => BinaryOperator::Inequivalent,
                () => return Ok(left),
            };
            let right = self.implication()?;
            left = binary(operator, left, right);
        }
    }

    /// `a ==> b ==> c` groups to the right, `a <== b <== c` to the left.
    fn implication(&mut self) -> Read<Expr> {
        let mut left = self.level(0)?;
        if self.take_sign("==>") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(self.complain_here("this expression is nested too deeply; split it into several clauses"));
            }
            let right = self.implication();
            self.depth -= 1;
            return Ok(binary(BinaryOperator::Implies, left, right?));
        }
        while self.take_sign("<==") {
            let condition = self.level(0)?;
            let span = left.span.to(condition.span);
            left = Expr { span, kind: ExprKind::Binary(BinaryOperator::Implies, Box::new(condition), Box::new(left)) };
        }
        Ok(left)
    }

    fn level(&mut self, level: usize) -> Read<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        // In `0 <= i < n`, the operand in the middle belongs to both relations: the operator before it, and the operand.
        let mut middle: Option<(BinaryOperator, Expr)> = None;
        loop {
            if level == RELATIONS && self.take_word("instanceof") {
                middle = None;
                let of = self.type_name()?;
                let span = left.span.to(of.span);
                left = Expr { span, kind: ExprKind::InstanceOf(Box::new(left), of) };
                continue;
            }
            let Some((_, operator)) = operators.iter().find(|(sign, _)| self.is_sign(sign)) else { return Ok(left) };
            self.skip();
            let right = self.level(level + 1)?;
            let chained = middle.take().filter(|(before, _)| is_chain(*before, *operator));
            middle = (level == RELATIONS).then(|| (*operator, right.clone()));
            left = match chained {
                Some((_, shared)) => binary(BinaryOperator::And, left, binary(*operator, shared, right)),
                None => binary(*operator, left, right),
            };
        }
    }

    fn unary(&mut self) -> Read<Expr> {
        let start = self.span();
        let operators = [
            ("!", UnaryOperator::Not),
            ("-", UnaryOperator::Minus),
            ("+", UnaryOperator::Plus),
            ("~", UnaryOperator::Complement),
        ];
        if let Some((_, operator)) = operators.iter().find(|(sign, _)| self.is_sign(sign)) {
            self.skip();
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(self.complain_here("this expression is nested too deeply; split it into several clauses"));
            }
            let of = self.unary()?;
            self.depth -= 1;
            return Ok(Expr { span: start.to(of.span), kind: ExprKind::Unary(*operator, Box::new(of)) });
        }
        for sign in ["++", "--"] {
            if self.is_sign(sign) {
                return Err(self.complain_here(format!(
                    "`{sign}` is not allowed: a specification only looks, it changes nothing"
                )));
            }
        }
        if let Some(of) = self.cast()? {
            let value = self.unary()?;
            return Ok(Expr { span: start.to(value.span), kind: ExprKind::Cast(of, Box::new(value)) });
        }
        let first = self.primary()?;
        self.selected(first)
    }

    /// The type of a cast, if one begins here: `(int)`, or `(Name)` before something that cannot follow a bracket.
    fn cast(&mut self) -> Read<Option<TypeName>> {
        let begin = self.at;
        if !self.take_sign("(") || !matches!(self.kind(), TokenKind::Word(_)) {
            self.at = begin;
            return Ok(None);
        }
        let is_primitive = self.is_primitive();
        let Ok(of) = self.type_name() else {
            self.at = begin;
            return Ok(None);
        };
        let is_closed = self.take_sign(")");
        let begins_operand = match self.kind() {
            TokenKind::Word(word) => word != "instanceof",
            TokenKind::Special(_)
            | TokenKind::Text(_)
            | TokenKind::Char(_)
            | TokenKind::Int(_)
            | TokenKind::Long(_)
            | TokenKind::Float(_)
            | TokenKind::Double(_) => true,
            TokenKind::Sign(sign) => matches!(*sign, "(" | "!" | "~") || (is_primitive && matches!(*sign, "+" | "-")),
            TokenKind::End => false,
        };
        if is_closed && begins_operand {
            return Ok(Some(of));
        }
        self.at = begin;
        Ok(None)
    }

    fn primary(&mut self) -> Read<Expr> {
        let start = self.span();
        let token = self.kind().clone();
        let simple = match &token {
            TokenKind::Int(value) => Some(ExprKind::Int(*value)),
            TokenKind::Long(value) => Some(ExprKind::Long(*value)),
            TokenKind::Float(value) => Some(ExprKind::Float(*value)),
            TokenKind::Double(value) => Some(ExprKind::Double(*value)),
            TokenKind::Char(value) => Some(ExprKind::Char(*value)),
            TokenKind::Text(value) => Some(ExprKind::Text(value.clone())),
            TokenKind::Word(word) => match word.as_str() {
                "null" => Some(ExprKind::Null),
                "true" => Some(ExprKind::Bool(true)),
                "false" => Some(ExprKind::Bool(false)),
                "this" => Some(ExprKind::This),
                _ => None,
            },
            TokenKind::Special(word) if word == "result" => Some(ExprKind::Result),
            _ => None,
        };
        if let Some(kind) = simple {
            self.skip();
            return Ok(Expr { span: start, kind });
        }
        match token {
            TokenKind::Sign("(") => self.bracketed(start),
            TokenKind::Special(word) => self.special(&word, start),
            TokenKind::Word(word) if word == "new" => {
                Err(self.complain_here("`new` is not supported: a specification makes no objects"))
            }
            TokenKind::Word(word) if word == "super" => {
                Err(self.complain_here("`super` is not supported in specifications; name the member itself"))
            }
            TokenKind::Word(_) if self.is_primitive() => {
                let of = self.type_name()?;
                self.expect_sign(".")?;
                self.expect_word("class")?;
                Ok(Expr { span: start.to(of.span), kind: ExprKind::Type(of) })
            }
            TokenKind::Word(name) => {
                self.skip();
                match self.is_sign("(") {
                    true => self.call(None, name, start),
                    false => Ok(Expr { span: start, kind: ExprKind::Name(name) }),
                }
            }
            _ => Err(self.complain_here(format!("an expression is expected here, and not {}", self.shown()))),
        }
    }

    /// An expression in brackets, or a quantified one.
    fn bracketed(&mut self, start: Span) -> Read<Expr> {
        self.skip();
        if self.is_sign("*") {
            return Err(self.complain_here("informal descriptions `(* … *)` say nothing that could be checked"));
        }
        let quantifier = match self.kind() {
            TokenKind::Special(word) => match word.as_str() {
                "forall" => Some(Quantifier::ForAll),
                "exists" => Some(Quantifier::Exists),
                "num_of" => Some(Quantifier::NumOf),
                "sum" => Some(Quantifier::Sum),
                "min" => Some(Quantifier::Min),
                "max" => Some(Quantifier::Max),
                "product" => return Err(self.complain_here("`\\product` is not supported")),
                "lblneg" | "lblpos" | "lbl" => {
                    return Err(self.complain_here("labels of expressions are not supported"));
                }
                _ => None,
            },
            _ => None,
        };
        let Some(quantifier) = quantifier else {
            let inner = self.expression()?;
            let end = self.expect_sign(")")?;
            return Ok(Expr { span: start.to(end), kind: inner.kind });
        };
        self.skip();
        let mut variables = Vec::new();
        let of = self.type_name()?;
        loop {
            let (name, span) = self.expect_name()?;
            variables.push(BoundVariable { of: of.clone(), name, span });
            if !self.take_sign(",") {
                break;
            }
        }
        self.expect_sign(";")?;
        // Either part may be missing: `; range; body`, `; ; body`, or `; body`.
        let first = if self.is_sign(";") { None } else { Some(self.expression()?) };
        let (range, body) = match self.take_sign(";") {
            true => (first, Some(self.expression()?)),
            false => (None, first),
        };
        let end = self.expect_sign(")")?;
        let Some(body) = body else { return Err(self.complain(end, "this quantifier says nothing")) };
        let quantified = Quantified { quantifier, variables, range, body };
        Ok(Expr { span: start.to(end), kind: ExprKind::Quantified(Box::new(quantified)) })
    }

    fn special(&mut self, word: &str, start: Span) -> Read<Expr> {
        self.skip();
        let only = |mut arguments: Vec<Expr>| arguments.pop().map(Box::new);
        let kind = match word {
            "old" | "pre" => {
                let arguments = self.arguments_of(word, start, 1..=2)?;
                if arguments.len() > 1 {
                    return Err(self
                        .complain(start, "labels of `\\old` are not supported: it means the state before the method"));
                }
                only(arguments).map(ExprKind::Old)
            }
            "fresh" => Some(ExprKind::Fresh(self.arguments_of(word, start, 1..=usize::MAX)?)),
            "not_modified" => Some(ExprKind::NotModified(self.arguments_of(word, start, 1..=usize::MAX)?)),
            "nonnullelements" => only(self.arguments_of(word, start, 1..=1)?).map(ExprKind::NonNullElements),
            "typeof" => only(self.arguments_of(word, start, 1..=1)?).map(ExprKind::TypeOf),
            "type" => {
                self.expect_sign("(")?;
                let of = self.type_name()?;
                self.expect_sign(")")?;
                Some(ExprKind::Type(of))
            }
            "reach" => Some(self.reach(start)?),
            _ => None,
        };
        match kind {
            Some(kind) => Ok(Expr { span: start.to(self.last()), kind }),
            None => Err(self.complain(start, format!("`\\{word}` is not supported"))),
        }
    }

    fn arguments_of(&mut self, word: &str, start: Span, count: std::ops::RangeInclusive<usize>) -> Read<Vec<Expr>> {
        let arguments = self.arguments()?;
        match count.contains(&arguments.len()) {
            true => Ok(arguments),
            false => {
                Err(self
                    .complain(start.to(self.last()), format!("`\\{word}` does not take {} arguments", arguments.len())))
            }
        }
    }

    /// `\reach(x, T, f + g)`; commas between fields are as good.
    fn reach(&mut self, start: Span) -> Read<ExprKind> {
        self.expect_sign("(")?;
        let from = Box::new(self.expression()?);
        if !self.take_sign(",") {
            let message = "`\\reach` of all that is reachable is not supported; write \\reach(x, T, f + g): the type, and the fields";
            return Err(self.complain(start.to(self.last()), message));
        }
        let of = self.type_name()?;
        let mut fields = Vec::new();
        if self.take_sign(",") {
            loop {
                let (mut name, mut span) = self.expect_name()?;
                // A field may be written with its class.
                while self.take_sign(".") {
                    (name, span) = self.expect_name()?;
                }
                fields.push(FieldName { name, span });
                if !self.take_sign("+") && !self.take_sign(",") {
                    break;
                }
            }
        }
        self.expect_sign(")")?;
        Ok(ExprKind::Reach { from, of, fields })
    }

    /// Fields, elements and calls behind an expression.
    fn selected(&mut self, first: Expr) -> Read<Expr> {
        let mut found = first;
        loop {
            let start = found.span;
            if self.is_sign("[") && !matches!(self.peek(1), TokenKind::Sign("*")) {
                let begin = self.at;
                self.skip();
                let index = self.expression()?;
                if self.is_sign("..") {
                    // A range of elements, which only locations have.
                    self.at = begin;
                    return Ok(found);
                }
                let end = self.expect_sign("]")?;
                found = Expr { span: start.to(end), kind: ExprKind::Index(Box::new(found), Box::new(index)) };
                continue;
            }
            if !self.is_sign(".") || matches!(self.peek(1), TokenKind::Sign("*")) {
                return Ok(found);
            }
            self.skip();
            if let (Some(of), true) = (qualified(&found), self.take_word("class")) {
                let span = start.to(self.last());
                found = Expr { span, kind: ExprKind::Type(TypeName { name: of, dimensions: 0, span: start }) };
                continue;
            }
            let (name, at) = self.expect_name()?;
            found = match self.is_sign("(") {
                true => self.call(Some(Box::new(found)), name, start)?,
                false => Expr { span: start.to(at), kind: ExprKind::Member(Box::new(found), name) },
            };
        }
    }

    fn call(&mut self, on: Option<Box<Expr>>, name: String, start: Span) -> Read<Expr> {
        let arguments = self.arguments()?;
        Ok(Expr { span: start.to(self.last()), kind: ExprKind::Call { on, name, arguments } })
    }

    fn arguments(&mut self) -> Read<Vec<Expr>> {
        self.expect_sign("(")?;
        let mut arguments = Vec::new();
        while !self.is_sign(")") {
            arguments.push(self.expression()?);
            if !self.take_sign(",") {
                break;
            }
        }
        self.expect_sign(")")?;
        Ok(arguments)
    }
}

/// May two relations share an operand, as in `0 <= i < n`? Both go the same way.
fn is_chain(before: BinaryOperator, next: BinaryOperator) -> bool {
    let is_upward = |operator| matches!(operator, BinaryOperator::Less | BinaryOperator::LessOrEqual);
    let is_downward = |operator| matches!(operator, BinaryOperator::Greater | BinaryOperator::GreaterOrEqual);
    is_upward(before) && is_upward(next) || is_downward(before) && is_downward(next)
}

fn binary(operator: BinaryOperator, left: Expr, right: Expr) -> Expr {
    Expr { span: left.span.to(right.span), kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) }
}

/// `a.b.C`, if the expression could be a name.
pub fn qualified(expression: &Expr) -> Option<String> {
    match &expression.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Member(on, name) => Some(format!("{}.{name}", qualified(on)?)),
        _ => None,
    }
}
