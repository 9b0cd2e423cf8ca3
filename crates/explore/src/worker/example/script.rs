//! How does unknown code behave in the concrete example of a path?
//!
//! The path knows each call with its result and with what it changed, by terms and undecided references. The example gives them the values of its
//! model. A write that nothing on the path depends on is left out: code that is not there need not make it, and could not where the field is private.

use std::rc::Rc;

use lazuli_vm::library::recipe_for;
use lazuli_vm::program::{Class, access};
use lazuli_vm::reason::NoExample;
use lazuli_vm::unknown_code::{
    CallRole, KnownComparison, ScriptedCall, ScriptedEnd, ScriptedRefill, ScriptedValue, ScriptedWrite, UnknownCall,
    UnknownEnd, UnknownWrite,
};
use lazuli_vm::value::{Kind, Value};

use super::builder::ExampleBuilder;

/// A call of code that is not there, with the values of an example.
pub(super) struct ConcreteCall {
    /// The deeds of the call.
    pub script: ScriptedCall,
    /// The name of the call on the path.
    name: Rc<str>,
}

impl ConcreteCall {
    /// The call as the picture of the input tells it.
    pub(super) fn told(&self) -> UnknownCall {
        let end = match self.script.end {
            ScriptedEnd::Returned(ScriptedValue::Known(value)) => value,
            _ => Value::Top,
        };
        UnknownCall {
            name: self.name.clone(),
            method: self.script.method,
            receiver: self.script.receiver.map_or(Value::NULL, Value::from),
            arguments: Rc::default(),
            end: UnknownEnd::Returned(end),
            writes: Rc::default(),
            refills: Rc::default(),
            changes_unseen: true,
            role: self.script.role,
        }
    }
}

impl ExampleBuilder<'_> {
    /// The calls from the beginning of the method on.
    pub(super) fn script(&mut self) -> Result<Vec<ConcreteCall>, NoExample> {
        let path = self.path;
        let first = path.symbols.calls_before;
        let mut found = Vec::new();
        for (number, call) in path.symbols.unknown_calls.iter().enumerate().skip(first) {
            let end = match call.end {
                UnknownEnd::Returned(Value::Top) => ScriptedEnd::Returned(ScriptedValue::Known(Value::NULL)),
                UnknownEnd::Returned(value) => {
                    ScriptedEnd::Returned(self.scripted(value, call.method.result, number)?)
                }
                UnknownEnd::Threw(exception) => {
                    let class = self.representative(path.heap.class(exception))?;
                    if class.is_open() {
                        return Err(NoExample::Subclass { of: class.java_name() });
                    }
                    ScriptedEnd::Threw(class)
                }
            };
            let mut writes = Vec::new();
            for write in call.writes.iter() {
                if self.is_needed(write) {
                    writes.push(self.scripted_write(write, number)?);
                }
            }
            let mut refills = Vec::new();
            for refill in call.refills.iter() {
                let object = self.scripted(refill.object.into(), Kind::Reference, number)?;
                let mut values = Vec::new();
                for value in refill.values.iter() {
                    values.push(self.scripted(*value, Kind::Reference, number)?);
                }
                let recipe = recipe_for(path.heap.class(refill.object));
                let is_map = recipe.is_some_and(|recipe| recipe.values_of_element() == 2);
                refills.push(ScriptedRefill { object, is_map, values });
            }
            let receiver = match self.concrete(call.receiver, Kind::Reference) {
                Ok(Value::Ref(Some(receiver))) => Some(receiver),
                // A contract replaces code of an object that the program itself made, or of none.
                _ if call.role != CallRole::Program => None,
                Ok(_) => return Err(NoExample::UnknownRoute),
                Err(why) => return Err(why),
            };
            let mut makes = Vec::new();
            for made in path.symbols.made_by_calls.iter().filter(|made| made.call as usize == number + 1) {
                makes.extend(self.concrete(made.object.into(), Kind::Reference)?.object());
            }
            let script = ScriptedCall { receiver, method: call.method, end, writes, refills, makes, role: call.role };
            found.push(ConcreteCall { script, name: call.name.clone() });
        }
        Ok(found)
    }

    /// The results of comparisons on the path, where their operands are there when the run begins.
    pub(super) fn comparisons(&mut self) -> Vec<KnownComparison> {
        let calls = self.path.symbols.unknown_calls.clone();
        let mut found = Vec::new();
        for (number, call) in calls.iter().enumerate() {
            let UnknownEnd::Returned(result) = call.end else { continue };
            if matches!(call.method.result, Kind::Void | Kind::Reference) {
                continue;
            }
            let version = self.vm.version_of_orders(&calls[..number]);
            let receiver = self.concrete(call.receiver, Kind::Reference);
            let arguments: Result<Vec<Value>, NoExample> =
                call.arguments.iter().map(|value| self.concrete(*value, Kind::Reference)).collect();
            if let (Ok(receiver), Ok(arguments), Ok(result), true) = (
                receiver,
                arguments,
                self.concrete(result, call.method.result),
                call.writes.is_empty() && call.refills.is_empty(),
            ) {
                found.push(KnownComparison { receiver, method: call.method, arguments, version, result });
            }
        }
        found
    }

    fn scripted_write(&mut self, write: &UnknownWrite, number: usize) -> Result<ScriptedWrite, NoExample> {
        let path = self.path;
        let class = path.heap.class(write.object);
        let (slot, kind) = match path.heap.sparse(write.object) {
            Some(sparse) => {
                let index = sparse.touched.get(write.slot as usize).map_or(Value::Int(0), |(index, _)| *index);
                (self.int(index) as u32, class.component_kind().unwrap_or(Kind::Reference))
            }
            None => match class.declaration_at(write.slot).filter(|_| !class.is_array()) {
                // An object that its invariant calls valid may be any such: its methods make it so.
                Some((owner, field)) if field.access & access::PRIVATE != 0 && !self.has_invariant(class) => {
                    let field = format!("{}.{}", self.vm.program.short_name(owner), field.name);
                    return Err(NoExample::UnknownWrites { field });
                }
                Some((_, field)) => (write.slot, field.kind),
                None => (write.slot, class.component_kind().unwrap_or(Kind::Reference)),
            },
        };
        let object = self.scripted(write.object.into(), Kind::Reference, number)?;
        Ok(ScriptedWrite { object, class, slot, value: self.scripted(write.value, kind, number)? })
    }

    fn has_invariant(&self, class: &'static Class) -> bool {
        self.vm.invariants.as_ref().is_some_and(|invariants| !invariants.of(class).is_empty())
    }

    /// Does the path depend on what a call wrote?
    fn is_needed(&self, write: &UnknownWrite) -> bool {
        let condition = &self.path.symbols.condition;
        match write.value {
            Value::Term(term, _) => {
                let all = condition.conjuncts.iter().chain(&condition.implied);
                let variables = self.vm.terms.variables_of(term);
                all.copied().any(|conjunct| {
                    self.vm.terms.variables_of(conjunct).iter().any(|variable| variables.contains(variable))
                })
            }
            value => !matches!(self.path.symbols.settled(value), Value::Unknown(_)),
        }
    }

    /// A value of the path in the run of the example. What the program itself made is an argument of a call.
    fn scripted(&mut self, value: Value, kind: Kind, number: usize) -> Result<ScriptedValue, NoExample> {
        let symbols = &self.path.symbols;
        if let Value::Ref(Some(object)) = symbols.settled(value)
            && !self.objects.contains_key(&object)
            && !self.start.contains(object)
        {
            let calls = symbols.unknown_calls.iter().enumerate().skip(symbols.calls_before);
            let calls = calls.filter(|(_, known)| known.role != CallRole::Clause);
            let mut handed = calls.take_while(|(call, _)| *call <= number).flat_map(|(call, known)| {
                let arguments = known.arguments.iter().enumerate();
                arguments.map(move |(argument, value)| (call - symbols.calls_before, argument, *value))
            });
            let is_it = |value: Value| symbols.settled(value) == Value::Ref(Some(object));
            return match handed.find(|(.., value)| is_it(*value)) {
                Some((call, argument, _)) => Ok(ScriptedValue::Handed { call, argument }),
                None if self.path.heap.class(object).access & access::ENUM != 0 => {
                    self.concrete(value, kind).map(ScriptedValue::Known)
                }
                None => Err(NoExample::UnknownRoute),
            };
        }
        self.concrete(value, kind).map(ScriptedValue::Known)
    }
}
