//! How is a quantified expression written as bytecode? As loops around what each turn adds.

use lazuli_vm::program::Op;
use lazuli_vm::value::{Kind, Value};

use super::emit::{Emitter, JumpLabel, JumpMaker};
use super::typed::*;

/// Where the loops of a quantified expression keep what they have found, and how they end.
struct Turns {
    sum: usize,
    /// Behind all loops.
    end: JumpLabel,
    /// The registers of the queues that they go through.
    lines: Vec<usize>,
    /// Where the innermost loop takes the next object of its queue.
    next: Option<JumpLabel>,
}

impl Emitter<'_> {
    /// Writes a quantified expression as nested loops that leave the folded value on the stack.
    pub(super) fn quantified(&mut self, quantified: &Loop) {
        if let Some(nested) = nested(quantified) {
            return self.quantified(&nested);
        }
        let (sum, end) = (self.new_local(), self.label());
        self.first_value(quantified.fold);
        self.store(sum);
        let mut turns = Turns { sum, end, lines: Vec::new(), next: None };
        self.ranges(&quantified.ranges, quantified, &mut turns);
        self.place(end);
        // As long as a register refers to a queue, a loop may be going through it.
        for line in turns.lines {
            self.op(Op::Null);
            self.store(line);
        }
        self.load(sum);
    }

    fn first_value(&mut self, fold: Fold) {
        match fold {
            Fold::All => self.int(1),
            Fold::Any | Fold::Count => self.int(0),
            Fold::Sum(kind) => self.number(kind.default_value()),
            Fold::Least(kind) => self.number(extreme(kind, true)),
            Fold::Greatest(kind) => self.number(extreme(kind, false)),
        }
    }

    fn number(&mut self, value: Value) {
        match value {
            Value::Int(value) => self.int(value),
            value => {
                self.code.constant(value);
                self.account(0, 1);
            }
        }
    }

    /// The loops over the variables that are left, the outermost first.
    fn ranges(&mut self, ranges: &[QuantifiedRange], quantified: &Loop, turns: &mut Turns) {
        let Some((range, inner)) = ranges.split_first() else { return self.turn(quantified, turns) };
        let variable = self.register(VariablePlace::Bound(range.variable));
        let (next, done) = (self.label(), self.label());
        if let Some(guard) = &range.guard {
            self.branch(guard, false, done);
        }
        match &range.values {
            Values::Between(kind, low, high) => {
                let last = self.new_local();
                self.value(&low.value);
                self.store(variable);
                self.value(&high.value);
                self.store(last);
                if low.is_strict {
                    self.load(variable);
                    self.number(extreme(*kind, true));
                    self.compared(*kind, Op::IfIcmpGe, Op::IfGe, done);
                    self.count_up(*kind, variable);
                }
                // One must not count beyond the greatest number, which may be the last one if it belongs to the range.
                let check = self.label();
                self.place(if high.is_strict { next } else { check });
                self.load(variable);
                self.load(last);
                match high.is_strict {
                    true => self.compared(*kind, Op::IfIcmpGe, Op::IfGe, done),
                    false => self.compared(*kind, Op::IfIcmpGt, Op::IfGt, done),
                }
                self.place(if high.is_strict { check } else { next });
                self.ranges(inner, quantified, turns);
                if !high.is_strict {
                    self.load(variable);
                    self.load(last);
                    self.compared(*kind, Op::IfIcmpGe, Op::IfGe, done);
                }
                self.count_up(*kind, variable);
                self.jump(Op::Goto, next);
            }
            Values::Booleans => {
                self.int(0);
                self.store(variable);
                self.place(next);
                self.ranges(inner, quantified, turns);
                self.load(variable);
                self.jump(Op::IfNe, done);
                self.int(1);
                self.store(variable);
                self.jump(Op::Goto, next);
            }
            Values::Of { queue, is_shared, class } => {
                let line = self.new_local();
                self.value(queue);
                if *is_shared {
                    self.call(self.library.copy_of_queue);
                }
                self.store(line);
                turns.lines.push(line);
                turns.next = Some(next);
                self.place(next);
                self.code.walk(line);
                self.poll(line, variable, done);
                // A queue has no nulls; but where all heaps are executed at once, null is an object that is not there in some of them.
                self.load(variable);
                self.jump(Op::IfNull, next);
                self.load(variable);
                self.code.instance_of(class);
                self.jump(Op::IfEq, next);
                self.load(variable);
                self.code.check_cast(class);
                self.store(variable);
                self.ranges(inner, quantified, turns);
                self.jump(Op::Goto, next);
            }
        }
        self.place(done);
    }

    /// Jumps if two numbers compare so; longs have an instruction of their own before.
    fn compared(&mut self, kind: Kind, jump: JumpMaker, wide: JumpMaker, target: JumpLabel) {
        match kind {
            Kind::Long => {
                self.op(Op::Lcmp);
                self.jump(wide, target);
            }
            _ => self.jump(jump, target),
        }
    }

    fn count_up(&mut self, kind: Kind, variable: usize) {
        self.load(variable);
        match kind {
            Kind::Long => {
                self.number(Value::Long(1));
                self.op(Op::Ladd);
            }
            _ => {
                self.int(1);
                self.op(Op::Iadd);
            }
        }
        self.store(variable);
    }

    /// Ends the loop early, once its value is decided. It empties the queues instead of leaving them as they are, because a
    /// translation of all heaps at once has the objects in another order: there, an early end means nothing, and the loop
    /// visits the other objects as well.
    fn settled(&mut self, turns: &Turns) {
        let Some(next) = turns.next else { return self.jump(Op::Goto, turns.end) };
        for line in &turns.lines {
            self.load(*line);
            self.call(self.library.empty);
        }
        self.jump(Op::Goto, next);
    }

    /// The body for each value.
    fn turn(&mut self, quantified: &Loop, turns: &Turns) {
        let (skipped, sum) = (self.label(), turns.sum);
        if let Some(filter) = &quantified.filter {
            self.branch(filter, false, skipped);
        }
        match quantified.fold {
            Fold::All | Fold::Any => {
                // One value settles the result, and the loop ends: a false body that of \forall, a true one that of \exists.
                let decides = quantified.fold == Fold::Any;
                self.branch(&quantified.body, !decides, skipped);
                self.int(decides as i32);
                self.store(sum);
                self.settled(turns);
            }
            Fold::Count => {
                self.branch(&quantified.body, false, skipped);
                self.op(Op::Iinc(sum as u16, 1));
            }
            Fold::Sum(kind) => {
                self.load(sum);
                self.value(&quantified.body);
                let add = match kind {
                    Kind::Long => Op::Ladd,
                    Kind::Float => Op::Fadd,
                    Kind::Double => Op::Dadd,
                    _ => Op::Iadd,
                };
                self.op(add);
                self.store(sum);
            }
            Fold::Least(kind) | Fold::Greatest(kind) => {
                let value = self.new_local();
                self.value(&quantified.body);
                self.store(value);
                self.load(value);
                self.load(sum);
                let is_least = matches!(quantified.fold, Fold::Least(_));
                let compare = match kind {
                    Kind::Long => Some(Op::Lcmp),
                    Kind::Float => Some(Op::Fcmpl),
                    Kind::Double => Some(Op::Dcmpl),
                    _ => None,
                };
                match compare {
                    Some(compare) => {
                        self.op(compare);
                        self.jump(if is_least { Op::IfGe } else { Op::IfLe }, skipped);
                    }
                    None => self.jump(if is_least { Op::IfIcmpGe } else { Op::IfIcmpLe }, skipped),
                }
                self.load(value);
                self.store(sum);
            }
        }
        self.place(skipped);
    }
}

/// The same as one expression within another, if it goes through objects and through other values, and may end early: then each ends in its own way.
fn nested(quantified: &Loop) -> Option<Loop> {
    let Loop { ranges, filter, body, fold } = quantified;
    let is_of_objects = |range: &QuantifiedRange| matches!(range.values, Values::Of { .. });
    let is_first = |range: &QuantifiedRange| is_of_objects(range) == is_of_objects(&ranges[0]);
    let at = ranges.iter().position(|range| !is_first(range))?;
    if !matches!(fold, Fold::All | Fold::Any) {
        return None;
    }
    let (outer, inner) = ranges.split_at(at);
    let inner = Loop { ranges: inner.to_vec(), filter: filter.clone(), body: body.clone(), fold: *fold };
    let body = Typed::truth(TypedNode::Loop(Box::new(inner)));
    Some(Loop { ranges: outer.to_vec(), filter: None, body, fold: *fold })
}

/// The greatest value of a type, or the least: what a minimum and a maximum of nothing are.
fn extreme(kind: Kind, is_greatest: bool) -> Value {
    let (least, greatest) = kind.range();
    match kind {
        Kind::Double => Value::Double(if is_greatest { f64::INFINITY } else { f64::NEG_INFINITY }),
        Kind::Float => Value::Float(if is_greatest { f32::INFINITY } else { f32::NEG_INFINITY }),
        Kind::Long => Value::Long(if is_greatest { greatest } else { least }),
        _ => Value::Int(if is_greatest { greatest } else { least } as i32),
    }
}
