//! In which order does code put objects that is not there?
//!
//! `compare` and `compareTo` are total preorders by their contracts, and `equals` is an equivalence. A total preorder on finitely many objects is a rank: each object has an
//! unknown number for each comparator, and the result has the sign of the difference of two of them. So a chain of comparisons is a conjunction of
//! differences, which the order procedure decides. Example: after `c.compare(x, y) < 0` and `c.compare(y, z) < 0`, the third comparison
//! `c.compare(x, z)` has one answer. The verdict names each order that it relies on. An object that was written since has another rank ([`super::versions`]).

use std::rc::Rc;

use lazuli_logic::{Binary, Sort, Term};

use super::dynamic::is_of_record;
use super::{ArgumentValues, Vm};
use crate::ambient::Assumption;
use crate::outcome::{LeftOut, Question, Stop};
use crate::program::{Class, ClassSite, Method, Op};
use crate::state::State;
use crate::unknown_code::{CallRole, KnownComparison, UnknownCall, UnknownEnd};
use crate::value::{ObjId, UnknownId, Value};

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

/// A question that a branch asks of a number.
#[derive(Clone, Copy, Debug)]
enum SignQuestion {
    Negative,
    Positive,
    Zero,
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
        receiver: Value,
        method: &'static Method,
        given: &[Value],
    ) -> Result<Option<Value>, Stop> {
        let number = state.symbols.unknown_calls.len() + 1;
        let is_order = matches!(relation, ObjectRelation::Compare | ObjectRelation::CompareTo);
        let own = (relation != ObjectRelation::Compare).then_some(receiver);
        let mut values: Vec<Value> = Vec::new();
        for value in own.into_iter().chain(given.iter().copied()) {
            let settled = state.symbols.settled(value);
            let first = self.first_of_value(state, settled, &values)?;
            values.push(first);
        }
        let mut operands = Vec::new();
        for value in &values {
            operands.push(match *value {
                // An order needs to know only that there is an object: its place in the order is that of the object which it turns out to be.
                Value::Unknown(id) if is_order && self.rules.delays_comparisons => {
                    if state.symbols.unknown(id).may_be_null {
                        return Err(Stop::Ask(Question::Null(id)));
                    }
                    None
                }
                Value::Unknown(id) => return Err(Stop::Ask(Question::Deref(id))),
                Value::Ref(object) => object,
                _ => None,
            });
        }
        let version = self.version_of_orders(&state.symbols.unknown_calls);
        let of_version = if version == 0 { String::new() } else { format!(" after {version} other calls") };
        let comparator = match relation {
            ObjectRelation::Compare => format!(" by {}", self.told_reference(state, receiver)),
            _ => String::new(),
        };
        let sees_all = self.order_sees_all(state, relation, receiver);
        let Some(versions) = self.versions_compared(state, &values, sees_all)? else { return Ok(None) };
        let told =
            values.iter().zip(versions).map(|(value, version)| match (self.told_reference(state, *value), version) {
                (name, 0) => name,
                (name, version) => format!("{name} in version {version}"),
            });
        let told: Vec<String> = told.collect();
        let mut recorded = None;
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
                // An equivalence agrees with the other object, whose own code says no.
                (own, Some(other)) if self.equals_no_stranger(state, other, own) => Value::Int(0),
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
                let has_null = values.contains(&Value::NULL);
                if has_null && self.throws_for_null(state, method, number)? {
                    return self.throw_from_relation(state, receiver, method, given, number).map(|()| None);
                }
                let order = format!("{comparator}{of_version}");
                let ranks: Vec<Term> = told.iter().map(|object| self.rank_in(state, object, &order)).collect();
                let (one, other) = (ranks[0], ranks[1]);
                let below = self.terms.less(one, other);
                let same = self.terms.equal(one, other);
                let above = self.terms.less(other, one);
                let name = format!("{}({}){order}", method.name, told.join(", "));
                let asked = if self.rules.delays_comparisons { self.next_branch(state) } else { None };
                let (result, noted) = match asked.filter(|_| values[0] != values[1]) {
                    _ if values[0] == values[1] => (Value::Int(0), None),
                    // Only the next instruction sees the result, and asks one thing of its sign. What is noted has the sign that an example needs.
                    Some(asked) => {
                        let difference = self.terms.binary(Binary::Subtract, one, other);
                        let (condition, yes, no) = match asked {
                            SignQuestion::Negative => (below, (i32::MIN as i64, -1), (0, i32::MAX as i64)),
                            SignQuestion::Positive => (above, (1, i32::MAX as i64), (i32::MIN as i64, 0)),
                            SignQuestion::Zero => (same, (0, 0), (1, i32::MAX as i64)),
                        };
                        let (range, which) = if self.decide(state, condition)? { (yes, "is") } else { (no, "is not") };
                        let result = match range {
                            (0, 0) => Value::Int(0),
                            range => self.symbol_in(state, &format!("{name} {which} {asked:?}"), Sort::Int, range),
                        };
                        (result, Some(self.value_of(difference)))
                    }
                    None => match self.decide_case(state, vec![below, same, above])? {
                        0 => {
                            let range = (i32::MIN as i64, -1);
                            (self.symbol_in(state, &format!("{name} below"), Sort::Int, range), None)
                        }
                        1 => (Value::Int(0), None),
                        _ => {
                            let range = (1, i32::MAX as i64);
                            (self.symbol_in(state, &format!("{name} above"), Sort::Int, range), None)
                        }
                    },
                };
                for value in &values {
                    self.note_rank(state, *value, &order);
                }
                recorded = noted;
                result
            }
        };
        self.take_for_granted(Assumption::Relation {
            method: format!("{}.{}", self.program.short_name(method.class()), method.name),
            is_order,
        });
        self.note_relation(state, receiver, method, given, UnknownEnd::Returned(recorded.unwrap_or(result)), number);
        Ok(Some(result))
    }

    /// Does the code that compares know what the objects are? An order of `Object`s may look at elements, but is taken not to look at the structure that holds them.
    fn order_sees_all(&self, state: &State, relation: ObjectRelation, receiver: Value) -> bool {
        let receiver = state.symbols.settled(receiver);
        let class = match receiver {
            Value::Unknown(id) => Some(state.symbols.unknown(id).declared),
            known => known.object().map(|object| state.heap.class(object)),
        };
        let bound = class.map(|class| class.possible().map_or(class, |possible| possible.bound));
        let input = receiver.object().and_then(|object| state.symbols.input(object));
        let argument = input.and_then(|input| input.generic.as_ref()?.arguments.first().map(|argument| argument.class));
        bound.is_some_and(Class::is_users)
            || (relation == ObjectRelation::Compare && argument.is_some_and(Class::is_users))
    }

    /// The first compared box or text that holds the same as this one: where two of them are equal is decided, because they have one place in every order of
    /// what objects hold. All other objects stand for themselves.
    fn first_of_value(&mut self, state: &mut State, value: Value, before: &[Value]) -> Result<Value, Stop> {
        let Some(object) = value.object() else { return Ok(value) };
        let class = state.heap.class(object);
        let is_text = class.id == self.program.known().string.id;
        let compared = state.symbols.compared.clone();
        let known = compared.iter().map(|known| state.symbols.settled(known.value)).chain(before.iter().copied());
        let others: Vec<ObjId> = known.filter_map(Value::object).collect();
        if !(class.is_box || is_text) || others.contains(&object) {
            return Ok(value);
        }
        for other in others {
            if state.heap.class(other).id != class.id {
                continue;
            }
            let is_same = if is_text {
                self.equal_texts(state, object, other)
            } else {
                match (self.value_of_box(state, object)?, self.value_of_box(state, other)?) {
                    // 0.0 and -0.0 are equal as numbers.
                    (Some(one), _) if matches!(self.terms.sort(one), Sort::Float | Sort::Double) => None,
                    (Some(one), Some(other)) => Some(self.terms.equal(one, other)),
                    _ => None,
                }
            };
            if let Some(is_same) = is_same
                && self.decide(state, is_same)?
            {
                return Ok(other.into());
            }
        }
        Ok(value)
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

    /// Is the object, by its own code, equal to none whose code is not there: only to itself, or only to objects of classes of which the stranger is not?
    fn equals_no_stranger(&mut self, state: &State, object: ObjId, stranger: Option<ObjId>) -> bool {
        let class = state.heap.class(object);
        let known = self.program.known().object;
        let equals = known.own_method("equals", "(Ljava/lang/Object;)Z");
        // All that are left have the same code.
        let class = class.possible().and_then(|possible| possible.known.first().copied()).unwrap_or(class);
        let found = equals.filter(|_| !class.is_open()).and_then(|equals| self.select(class, equals));
        let Some(found) = found else { return false };
        if found.class().id == known.id {
            return true;
        }
        let Some(stranger) = stranger.map(|stranger| state.heap.class(stranger)) else { return false };
        let Ok(code) = self.program.code(found) else { return false };
        let tested = code.ops.iter().filter_map(|op| match op {
            Op::InstanceOf(site) => code.classes.get(*site as usize),
            _ => None,
        });
        let may_pass = |site: &ClassSite| match self.program.load(site.name) {
            // One of a class that is known is no stranger.
            Ok(class) => {
                let passes = self.program.split(stranger, class).yes;
                passes.and_then(|class| class.possible()).is_some_and(|possible| possible.others)
            }
            Err(_) => true,
        };
        let (passed, failed): (Vec<&ClassSite>, Vec<&ClassSite>) = tested.partition(|site| may_pass(site));
        let is_by_class = code.calls.iter().any(|call| call.name == "getClass" && call.arguments == 1);
        let is_of_record = code.dynamics.iter().any(|site| is_of_record(found.class(), site));
        passed.is_empty() && (!failed.is_empty() || is_by_class || is_of_record)
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
        receiver: Value,
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
        receiver: Value,
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
            refills: Rc::default(),
            changes_unseen: false,
            role: if state.symbols.contract_calls.is_empty() { CallRole::Program } else { CallRole::Clause },
        };
        Rc::make_mut(&mut state.symbols.unknown_calls).push(call);
    }

    /// How many of these calls may have changed what comparisons read: all but comparisons and those that change nothing.
    pub fn version_of_orders(&self, calls: &[UnknownCall]) -> usize {
        let is_other = |call: &&UnknownCall| {
            ObjectRelation::of(call.method).is_none() && call.role != CallRole::Clause && !self.is_pure(call.method)
        };
        calls.iter().filter(is_other).count()
    }

    /// The result of a comparison that a contract method asks for in the run of an example.
    pub(super) fn known_comparison(
        &self,
        state: &State,
        receiver: ObjId,
        method: &'static Method,
        given: &[Value],
    ) -> Option<Value> {
        let example = self.example.as_ref().filter(|example| example.is_contract)?;
        let version = self.version_of_orders(&state.symbols.unknown_calls);
        let is_it = |known: &&KnownComparison| {
            known.method.id == method.id
                && known.version == version
                && known.receiver == receiver.into()
                && known.arguments == given
        };
        let mut found = example.comparisons.iter().filter(is_it);
        // Objects that the method has written may compare otherwise since.
        let found = if example.is_after { found.next_back() } else { found.next() };
        found.map(|known| known.result)
    }

    /// The question that the next instruction asks of the sign of a result, if it does nothing else with it: `if (c.compare(x, y) < 0)`.
    fn next_branch(&self, state: &State) -> Option<SignQuestion> {
        let frame = state.thread.frames.last()?;
        match frame.code.ops.get(frame.pc as usize + 1)?.unfused() {
            Op::IfLt(_) | Op::IfGe(_) => Some(SignQuestion::Negative),
            Op::IfGt(_) | Op::IfLe(_) => Some(SignQuestion::Positive),
            Op::IfEq(_) | Op::IfNe(_) => Some(SignQuestion::Zero),
            _ => None,
        }
    }

    /// Compares an undecided reference by code that is not there, without deciding which object it is. None if that needs the object.
    pub(super) fn relate_undecided(
        &mut self,
        state: &mut State,
        receiver: UnknownId,
        method: &'static Method,
        arguments: u32,
    ) -> Result<Option<()>, Stop> {
        let relation = ObjectRelation::of(method).filter(|relation| *relation == ObjectRelation::CompareTo);
        let Some(relation) = relation.filter(|_| self.rules.delays_comparisons) else { return Ok(None) };
        let declared = state.symbols.unknown(receiver).declared;
        let possible = self.program.possible_classes(declared, self.rules.world);
        let is_unknown =
            declared.is_interface() && possible.is_some_and(|possible| self.has_unknown_code(state, possible, method));
        if !is_unknown {
            return Ok(None);
        }
        if state.symbols.unknown(receiver).may_be_null {
            return Err(Stop::Ask(Question::Null(receiver)));
        }
        let top = state.thread.top();
        let given = ArgumentValues::from_slice(&state.thread.stack[top + 1 - arguments as usize..top]);
        if let Some(value) = self.relate(state, relation, Value::Unknown(receiver), method, &given)? {
            state.complete(arguments as usize, Some(value));
        }
        Ok(Some(()))
    }

    /// May a contract method call this one where its code is not there? A comparison changes nothing.
    pub(super) fn may_compare_in_contract(&self, method: &Method) -> bool {
        self.rules.compares_in_contracts && ObjectRelation::of(method).is_some()
    }

    fn rank_in(&mut self, state: &mut State, object: &str, order: &str) -> Term {
        self.rank(state, &format!("rank of {object}{order}"))
    }

    /// Notes that an undecided reference has a place in an order.
    fn note_rank(&self, state: &mut State, value: Value, order: &str) {
        let Value::Unknown(id) = value else { return };
        if !state.symbols.ranked.iter().any(|(known, by)| *known == id && **by == *order) {
            Rc::make_mut(&mut state.symbols.ranked).push((id, order.into()));
        }
    }

    /// An undecided reference turns out to be an object: in each order they have one place.
    pub(super) fn same_ranks(&mut self, state: &mut State, id: UnknownId, object: ObjId) {
        let orders: Vec<Rc<str>> =
            state.symbols.ranked.iter().filter(|(known, _)| *known == id).map(|(_, order)| order.clone()).collect();
        let (one, other) = (state.symbols.unknown(id).name.to_string(), self.told_object(state, Some(object)));
        for order in orders {
            let (one, other) = (self.rank_in(state, &one, &order), self.rank_in(state, &other, &order));
            let same = self.terms.equal(one, other);
            self.assume(state, same);
        }
    }

    /// The name of what a reference denotes, another one for each object of a path.
    fn told_reference(&self, state: &State, value: Value) -> String {
        match state.symbols.settled(value) {
            Value::Unknown(id) => state.symbols.unknown(id).name.to_string(),
            known => self.told_object(state, known.object()),
        }
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
