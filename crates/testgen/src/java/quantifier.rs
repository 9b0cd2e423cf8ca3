//! How does a program go through the values of a quantifier? In a method of its own, with a loop for each variable.

use lazuli_spec::typed::{Fold, Loop, QuantifiedRange, Type, Typed, TypedNode, Values, VariablePlace};
use lazuli_vm::value::Kind;

use super::clause::{ClauseWriter, JavaExpression, MEMORY, Precedence, Rendered};
use crate::NoClause;

/// Lines of a method, and how many blocks are open at the end.
#[derive(Default)]
struct LoopWriter {
    text: String,
    depth: usize,
}

impl LoopWriter {
    fn add(&mut self, line: &str) {
        self.text.push_str(&format!("        {}{line}\n", "    ".repeat(self.depth)));
    }

    fn open(&mut self, line: &str) {
        self.add(&format!("{line} {{"));
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.add("}");
    }
}

impl ClauseWriter<'_, '_> {
    /// A call of a method that is made for the purpose.
    pub(super) fn quantified(&mut self, quantified: &Loop, of: Type) -> Rendered {
        let (outer_names, outer) = (self.body.taken.clone(), self.bound.clone());
        let parameters = self.parameters(quantified);
        let kind = self.type_name(of);
        let lines = self.loops(quantified, &kind)?;
        (self.body.taken, self.bound) = (outer_names, outer);
        let word = match quantified.fold {
            Fold::All => "forAll",
            Fold::Any => "exists",
            Fold::Count => "count",
            Fold::Sum(_) => "sum",
            Fold::Least(_) => "least",
            Fold::Greatest(_) => "greatest",
        };
        let declared: Vec<String> = parameters.iter().map(|(kind, name)| format!("{kind} {name}")).collect();
        let head = format!("({}) throws Throwable", declared.join(", "));
        let name =
            self.body.add_member(word, |name| format!("\n    private static {kind} {name}{head} {{\n{lines}    }}\n"));
        self.body.needs.throws = true;
        let given: Vec<String> = parameters.into_iter().map(|(_, name)| name).collect();
        Ok(JavaExpression::whole(format!("{name}({})", given.join(", "))))
    }

    /// The variables around that a quantified expression speaks of, each with its type.
    fn parameters(&mut self, quantified: &Loop) -> Vec<(String, String)> {
        let mut mentioned: Vec<TypedNode> = Vec::new();
        let whole = Typed::new(Type::BOOLEAN, TypedNode::Loop(Box::new(quantified.clone())));
        whole.any(&mut |part| {
            if let TypedNode::Variable(_)
            | TypedNode::Old(_)
            | TypedNode::WasTrue(_)
            | TypedNode::Fresh(_)
            | TypedNode::Past(..) = &part.node
            {
                mentioned.push(part.node.clone());
            }
            false
        });
        let mut parameters: Vec<(String, String)> = Vec::new();
        for node in mentioned {
            let found = match node {
                TypedNode::Variable(VariablePlace::Given(position)) => self.body.argument(position),
                TypedNode::Variable(VariablePlace::Outcome) => Some((self.outcome_type(), self.outcome.to_string())),
                TypedNode::Variable(VariablePlace::Bound(number)) => self.bound.get(&number).cloned(),
                TypedNode::Old(number) | TypedNode::WasTrue(number) => self.olds.get(&number).cloned(),
                _ => Some((MEMORY.to_string(), "before".to_string())),
            };
            parameters.extend(found.filter(|found| !parameters.contains(found)));
        }
        parameters
    }

    fn loops(&mut self, quantified: &Loop, kind: &str) -> Rendered<String> {
        let mut lines = LoopWriter::default();
        let sum = self.body.fresh_name("found");
        let first = match quantified.fold {
            Fold::All | Fold::Any => None,
            Fold::Count | Fold::Sum(_) => Some("0".to_string()),
            Fold::Least(kind) => Some(extreme(kind, true)),
            Fold::Greatest(kind) => Some(extreme(kind, false)),
        };
        if let Some(first) = first {
            lines.add(&format!("{kind} {sum} = {first};"));
        }
        for range in &quantified.ranges {
            self.range(range, &mut lines)?;
        }
        if let Some(filter) = &quantified.filter {
            let condition = self.value(filter)?.text;
            lines.open(&format!("if ({condition})"));
        }
        let body = self.value(&quantified.body)?;
        match quantified.fold {
            Fold::All | Fold::Any => {
                let decides = quantified.fold == Fold::Any;
                let condition = if decides { body.text } else { format!("!{}", body.at(Precedence::Unary)) };
                lines.open(&format!("if ({condition})"));
                lines.add(&format!("return {decides};"));
                lines.close();
            }
            Fold::Count => lines.add(&format!("{sum} += {} ? 1 : 0;", body.at(Precedence::Or))),
            Fold::Sum(_) => lines.add(&format!("{sum} += {};", body.text)),
            Fold::Least(_) | Fold::Greatest(_) => {
                let value = self.body.fresh_name("value");
                // NaN is less than all other numbers here, as in the interpreter.
                let is_better = match quantified.fold {
                    Fold::Least(_) => format!("!({value} >= {sum})"),
                    _ => format!("{value} > {sum}"),
                };
                lines.add(&format!("{kind} {value} = {};", body.text));
                lines.add(&format!("{sum} = {is_better} ? {value} : {sum};"));
            }
        }
        while lines.depth > 0 {
            lines.close();
        }
        lines.add(&match quantified.fold {
            Fold::All => "return true;".to_string(),
            Fold::Any => "return false;".to_string(),
            _ => format!("return {sum};"),
        });
        Ok(lines.text)
    }

    /// Begins the loop over the values of one variable.
    fn range(&mut self, range: &QuantifiedRange, lines: &mut LoopWriter) -> Rendered<()> {
        if let Some(guard) = &range.guard {
            let condition = self.value(guard)?.text;
            lines.open(&format!("if ({condition})"));
        }
        let (kind, name) = match &range.values {
            Values::Between(kind @ (Kind::Int | Kind::Byte | Kind::Short | Kind::Char), low, high) => {
                let (least, greatest) = (self.value(&low.value)?, self.value(&high.value)?.at(Precedence::Shift));
                let name = self.body.fresh_name(&range.name);
                let declared = self.type_name(Type::Primitive(*kind));
                if *kind == Kind::Int && !low.is_strict && high.is_strict {
                    lines.open(&format!("for (int {name} = {}; {name} < {greatest}; {name}++)", least.text));
                } else {
                    // An int would begin again behind the last one, and never get beyond it.
                    let next = self.body.fresh_name("next");
                    let least = format!("(long) {}", least.at(Precedence::Unary));
                    let first = if low.is_strict { format!("{least} + 1") } else { least };
                    let sign = if high.is_strict { "<" } else { "<=" };
                    lines.open(&format!("for (long {next} = {first}; {next} {sign} {greatest}; {next}++)"));
                    lines.add(&format!("{declared} {name} = ({declared}) {next};"));
                }
                (declared, name)
            }
            Values::Between(kind, low, high) => {
                if low.is_strict || !high.is_strict {
                    return Err(NoClause::InclusiveLongRange);
                }
                let kind = self.type_name(Type::Primitive(*kind));
                let (least, greatest) = (self.value(&low.value)?.text, self.value(&high.value)?.at(Precedence::Shift));
                let name = self.body.fresh_name(&range.name);
                lines.open(&format!("for ({kind} {name} = {least}; {name} < {greatest}; {name}++)"));
                (kind, name)
            }
            Values::Booleans => {
                let name = self.body.fresh_name(&range.name);
                lines.open(&format!("for (boolean {name} : new boolean[] {{false, true}})"));
                ("boolean".to_string(), name)
            }
            Values::Of { queue, class, .. } => {
                let all = self.value(queue)?.text;
                let (each, name) = (self.body.fresh_name("each"), self.body.fresh_name(&range.name));
                lines.open(&format!("for (Object {each} : {all})"));
                let kind = self.type_name(Type::Reference(class));
                let (test, cast) = match self.source_name(class) {
                    Some(class) => (format!("{each} instanceof {class}"), format!("({class}) ")),
                    None => (format!("{}.isInstance({each})", self.body.class_literal(class)), String::new()),
                };
                lines.open(&format!("if ({test})"));
                lines.add(&format!("{kind} {name} = {cast}{each};"));
                (kind, name)
            }
        };
        self.bound.insert(range.variable, (kind, name));
        Ok(())
    }
}

/// The minimum or maximum of no values.
fn extreme(kind: Kind, is_greatest: bool) -> String {
    let word = |least: &'static str, greatest: &'static str| if is_greatest { greatest } else { least };
    match kind {
        Kind::Double => format!("Double.{}", word("NEGATIVE_INFINITY", "POSITIVE_INFINITY")),
        Kind::Float => format!("Float.{}", word("NEGATIVE_INFINITY", "POSITIVE_INFINITY")),
        Kind::Long => format!("Long.{}", word("MIN_VALUE", "MAX_VALUE")),
        _ => format!("Integer.{}", word("MIN_VALUE", "MAX_VALUE")),
    }
}
