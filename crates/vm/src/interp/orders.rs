//! In which order does code put objects that is not there?
//!
//! `compare` and `compareTo` are total preorders by their contracts, and `equals` is an equivalence. A total preorder on finitely many objects is a rank: each object has an
//! unknown number for each comparator, and the result has the sign of the difference of two of them. So a chain of comparisons is a conjunction of
//! differences, which the order procedure decides. Example: after `c.compare(x, y) < 0` and `c.compare(y, z) < 0`, the third comparison
//! `c.compare(x, z)` has one answer. The verdict names each order that it relies on.

use std::rc::Rc;

use lazuli_logic::{Sort, Term};

use super::Vm;
use crate::ambient::Assumption;
use crate::outcome::{LeftOut, Question, Stop};
use crate::program::{Class, Method};
use crate::state::State;
use crate::unknown_code::{UnknownCall, UnknownEnd};
use crate::value::{ObjId, Value};

/// There are never as many objects as ranks.
const MOST_RANKS: i64 = 1 << 20;

/// A method whose contract makes it a relation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectRelation {
    /// `Comparator.compare`
    Compare,
    /// `Comparable.compareTo`
    CompareTo,
    /// `Object.equals`
    Equals,
    /// `Object.hashCode`, the same for equal objects.
    HashCode,
}

impl ObjectRelation {
    /// The relation that a method is by its contract.
    pub(super) fn of(method: &Method) -> Option<ObjectRelation> {
        match (method.class().name, method.name, method.descriptor) {
            ("java/util/Comparator", "compare", "(Ljava/lang/Object;Ljava/lang/Object;)I") => {
                Some(ObjectRelation::Compare)
            }
            ("java/lang/Comparable", "compareTo", "(Ljava/lang/Object;)I") => Some(ObjectRelation::CompareTo),
            (_, "equals", "(Ljava/lang/Object;)Z") => Some(ObjectRelation::Equals),
            (_, "hashCode", "()I") => Some(ObjectRelation::HashCode),
            _ => None,
        }
    }
}

impl Vm {
    /// Calls a relation whose code is not there. The call is to be completed with the result; none if it threw.
    pub(super) fn relate(
        &mut self,
        state: &mut State,
        relation: ObjectRelation,
        receiver: ObjId,
        method: &'static Method,
        given: &[Value],
    ) -> Result<Option<Value>, Stop> {
        let number = state.symbols.unknown_calls.len() + 1;
        let mut operands = Vec::new();
        for value in given {
            operands.push(match state.symbols.settled(*value) {
                Value::Unknown(id) => return Err(Stop::Ask(Question::Deref(id))),
                Value::Ref(object) => object,
                _ => None,
            });
        }
        if relation != ObjectRelation::Compare {
            operands.insert(0, Some(receiver));
        }
        // The comparison may read what has changed since other code was called that is not there.
        let is_other =
            |call: &&UnknownCall| ObjectRelation::of(call.method).is_none() && !self.rules.pure.name(call.method);
        let version = state.symbols.unknown_calls.iter().filter(is_other).count();
        let of_version = if version == 0 { String::new() } else { format!(" after {version} other calls") };
        let comparator = match relation {
            ObjectRelation::Compare => format!(" by {}", self.told_object(state, Some(receiver))),
            _ => String::new(),
        };
        let told: Vec<String> = operands.iter().map(|object| self.told_object(state, *object)).collect();
        let result = match relation {
            ObjectRelation::HashCode => {
                let name = format!("hash code of {}{of_version}", told[0]);
                self.symbol_in(state, &name, Sort::Int, (i32::MIN as i64, i32::MAX as i64))
            }
            ObjectRelation::Equals if let Some(parts) = self.parts_by_equals(state, operands[1]) => {
                let object = operands[1].expect("an object has parts");
                return Err(Stop::Ask(Question::Class { object, parts, left_out: LeftOut::Nothing }));
            }
            ObjectRelation::Equals => match (operands[0], operands[1]) {
                (_, None) => Value::Int(0),
                (one, other) if one == other => Value::Int(1),
                // An equivalence agrees with the other object, which is equal to nothing but itself.
                (_, Some(other)) if self.has_identity(state, other) => Value::Int(0),
                _ => {
                    let kinds = told.iter().map(|object| format!("equality of {object}{of_version}"));
                    let kinds: Vec<Term> = kinds.map(|name| self.rank(state, &name)).collect();
                    let is_equal = self.terms.equal(kinds[0], kinds[1]);
                    let is_equal = self.decide(state, is_equal)?;
                    if is_equal {
                        self.assume_same_hash(state, &told, &of_version);
                    }
                    Value::bool(is_equal)
                }
            },
            ObjectRelation::Compare | ObjectRelation::CompareTo => {
                let has_null = operands.contains(&None);
                if has_null && self.throws_for_null(state, method, number)? {
                    return self.throw_from_relation(state, receiver, method, given, number).map(|()| None);
                }
                let ranks = told.iter().map(|object| format!("rank of {object}{comparator}{of_version}"));
                let ranks: Vec<Term> = ranks.map(|name| self.rank(state, &name)).collect();
                let (one, other) = (ranks[0], ranks[1]);
                let sign = match operands[0] == operands[1] {
                    true => 1,
                    false => {
                        let below = self.terms.less(one, other);
                        let same = self.terms.equal(one, other);
                        let above = self.terms.less(other, one);
                        self.decide_case(state, vec![below, same, above])?
                    }
                };
                let name = format!("{}({}){comparator}{of_version}", method.name, told.join(", "));
                match sign {
                    0 => self.symbol_in(state, &format!("{name} below"), Sort::Int, (i32::MIN as i64, -1)),
                    1 => Value::Int(0),
                    _ => self.symbol_in(state, &format!("{name} above"), Sort::Int, (1, i32::MAX as i64)),
                }
            }
        };
        self.take_for_granted(Assumption::Relation {
            method: format!("{}.{}", self.program.short_name(method.class()), method.name),
            is_order: matches!(relation, ObjectRelation::Compare | ObjectRelation::CompareTo),
        });
        self.note_relation(state, receiver, method, given, UnknownEnd::Returned(result), number);
        Ok(Some(result))
    }

    fn rank(&mut self, state: &mut State, name: &str) -> Term {
        match self.symbol_in(state, name, Sort::Int, (0, MOST_RANKS)) {
            Value::Term(term, _) => term,
            _ => self.terms.int(0),
        }
    }

    /// The classes that an object may have, grouped by their `equals`, if they differ in it.
    fn parts_by_equals(&self, state: &State, object: Option<ObjId>) -> Option<Vec<&'static Class>> {
        let equals = self.program.known().object.own_method("equals", "(Ljava/lang/Object;)Z")?;
        let parts = self.program.split_by_method(state.heap.class(object?), equals);
        Some(parts).filter(|parts| parts.len() > 1)
    }

    /// Is the object equal to nothing but itself, by its own code?
    fn has_identity(&mut self, state: &State, object: ObjId) -> bool {
        let class = state.heap.class(object);
        let known = self.program.known().object;
        let equals = known.own_method("equals", "(Ljava/lang/Object;)Z");
        // All that are left have the same code.
        let class = class.possible().and_then(|possible| possible.known.first().copied()).unwrap_or(class);
        let found = equals.filter(|_| !class.is_open()).and_then(|equals| self.select(class, equals));
        found.is_some_and(|found| found.class().id == known.id)
    }

    fn assume_same_hash(&mut self, state: &mut State, told: &[String], of_version: &str) {
        let names = told.iter().map(|object| format!("hash code of {object}{of_version}"));
        let full = (i32::MIN as i64, i32::MAX as i64);
        let codes: Vec<Value> = names.map(|name| self.symbol_in(state, &name, Sort::Int, full)).collect();
        if let (Value::Term(one, _), Value::Term(other, _)) = (codes[0], codes[1]) {
            let same = self.terms.equal(one, other);
            let negation = self.terms.not(same);
            if state.symbols.condition.knows(same, negation).is_none() {
                self.assume(state, same);
            }
        }
    }

    fn throws_for_null(&mut self, state: &mut State, method: &'static Method, number: usize) -> Result<bool, Stop> {
        let name = format!("{}#{number} refuses null", method.name);
        let Value::Term(refuses, _) = self.symbol_in(state, &name, Sort::Int, (0, 1)) else { return Ok(false) };
        let one = self.terms.int(1);
        let refuses = self.terms.equal(refuses, one);
        self.decide(state, refuses)
    }

    fn throw_from_relation(
        &mut self,
        state: &mut State,
        receiver: ObjId,
        method: &'static Method,
        given: &[Value],
        number: usize,
    ) -> Result<(), Stop> {
        let class = match self.program.load("java/lang/NullPointerException") {
            Ok(class) => class,
            Err(error) => return Err(self.unsupported(state, format!("a JDK without exceptions ({error})"))),
        };
        let exception = self.new_throwable(state, class, None, None);
        self.fill_in_stack_trace(state, exception, None);
        self.note_relation(state, receiver, method, given, UnknownEnd::Threw(exception), number);
        self.throw(state, exception)
    }

    fn note_relation(
        &mut self,
        state: &mut State,
        receiver: ObjId,
        method: &'static Method,
        given: &[Value],
        end: UnknownEnd,
        number: usize,
    ) {
        let name = self.name_of_call(state, receiver, method, number as u32);
        let call = UnknownCall {
            name: name.as_str().into(),
            method,
            receiver,
            arguments: given.into(),
            end,
            writes: Rc::default(),
        };
        Rc::make_mut(&mut state.symbols.unknown_calls).push(call);
    }

    /// The name of an object, another one for each object of a path.
    pub(super) fn told_object(&self, state: &State, object: Option<ObjId>) -> String {
        let Some(object) = object else { return "null".to_string() };
        match state.symbols.input(object) {
            Some(input) => input.name.to_string(),
            None => format!("{} {}", self.program.short_name(state.heap.class(object)), object.index()),
        }
    }
}
