//! Which concrete input takes a path, and how does its run end? Plain data, from which a program can make the input again.

use std::collections::{BTreeMap, BTreeSet};

use lazuli_reach::call_sequence::Act;
use lazuli_spec::CompiledClause;
use lazuli_vm::interp::{AskedValue, ScheduledStep, Vm};
use lazuli_vm::program::{Class, Field, Method};
use lazuli_vm::snapshot::{Camera, Cell, Datum};
use lazuli_vm::state::State;
use lazuli_vm::unknown_code::CallRole;
use lazuli_vm::value::Value;

use super::coverage::Coverage;

/// The input of one run, and what it is an example of.
#[derive(Clone, Debug)]
pub struct Case {
    /// The objects that exist before the call; a [`Datum`] refers to one by its index.
    pub heap: Vec<Cell>,
    /// The receiver, unless there is none or a constructor makes it, and the parameters.
    pub arguments: Vec<Datum>,
    /// The static fields to set before the call.
    pub statics: Vec<StaticInput>,
    /// The calls that made the input, where some did.
    pub history: Option<CallHistory>,
    /// Does the method ask for values by `Lazuli.any…`?
    pub asks: bool,
    /// The values that it then gets, in their order.
    pub asked: Vec<Datum>,
    /// The name of each, and the line that asks for it.
    pub asked_at: Vec<AskedValue>,
    /// The values that the run takes from outside, which no program can choose, by name.
    pub takes: Vec<String>,
    /// Their values, in the same order.
    pub taken: Vec<Datum>,
    /// Those of the values in `takes` on which the path condition depends.
    pub depends_on: Vec<String>,
    /// The calls of code that is not there, in order.
    pub unknown_calls: Vec<CaseCall>,
    /// The call among them, or of other code, whose precondition is false.
    pub refused: Option<CaseRefusal>,
    /// The visible operations of its threads in their order; empty if there was one thread only.
    pub schedule: Vec<ScheduledStep>,
    /// How the run ended, which a replay has to confirm.
    pub ended: Ended,
    /// The lines, branch outcomes and methods that the run covered.
    pub coverage: Coverage,
    /// The method that should return true afterwards and does not.
    pub broken: Option<&'static Method>,
    /// The clause of JML that does not hold at the end.
    pub broken_clause: Option<CompiledClause>,
}

impl Case {
    /// Is something false at the end that should be true?
    pub fn is_broken(&self) -> bool {
        self.broken.is_some() || self.broken_clause.is_some()
    }
}

/// A call that must not be made, because its precondition is false.
#[derive(Clone, Debug)]
pub struct CaseRefusal {
    /// The object that was called, by its index in the heap of the case.
    pub receiver: usize,
    /// The method.
    pub method: &'static Method,
    /// The condition that is false.
    pub told: String,
}

/// A call of code that is not there.
#[derive(Clone, Debug)]
pub struct CaseCall {
    /// The object that was called, by its index in the heap of the case; none where a contract replaces code that is there.
    pub receiver: Option<usize>,
    /// The method.
    pub method: &'static Method,
    /// The result, or the class of the exception that it throws.
    pub end: Result<CaseValue, &'static Class>,
    /// The places that it writes before.
    pub writes: Vec<CaseWrite>,
    /// The collections and maps that it empties and fills anew, after these writes.
    pub refills: Vec<CaseRefill>,
    /// The objects that count as made by it.
    pub makes: Vec<Datum>,
    /// Who asks for it.
    pub role: CallRole,
}

/// A write of such a call.
#[derive(Clone, Copy, Debug)]
pub struct CaseWrite {
    /// The object or array.
    pub object: CaseValue,
    /// Its class.
    pub class: &'static Class,
    /// The slot of a field, or the index of an element.
    pub slot: u32,
    /// The new value.
    pub value: CaseValue,
}

/// A collection or map that such a call empties and fills anew.
#[derive(Clone, Debug)]
pub struct CaseRefill {
    /// The collection or map.
    pub object: CaseValue,
    /// Is it a map?
    pub is_map: bool,
    /// The elements; of a map, each key and then its value.
    pub values: Vec<CaseValue>,
}

/// A value that such a call gives or writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CaseValue {
    /// One that is there before the run.
    Known(Datum),
    /// An argument of one of these calls, by its number, which is at most that of the call itself.
    Handed {
        /// The call.
        call: usize,
        /// The argument, without the receiver in the count.
        argument: usize,
    },
}

/// The calls that made an input. Objects are given by their indices in the heap of the case, which has them as the last call left them.
#[derive(Clone, Debug, Default)]
pub struct CallHistory {
    /// In the order in which they were made.
    pub calls: Vec<PastCall>,
    /// The objects that calls made. All others among receivers and arguments were there before, and any program can make them.
    pub made: BTreeSet<usize>,
    /// The contents of the others before the first call, by slot or index. A place that is not here may have held anything.
    pub originals: BTreeMap<usize, BTreeMap<usize, Datum>>,
    /// The ways to objects that calls made, and that no call returned.
    pub routes: BTreeMap<usize, Route>,
}

/// A call, or an assignment, with the values of the example.
#[derive(Clone, Debug)]
pub struct PastCall {
    /// The statement.
    pub act: Act,
    /// The object that was called or written to; none of a static method and of a constructor.
    pub receiver: Option<usize>,
    /// Without the receiver.
    pub arguments: Vec<Datum>,
    /// The object that a constructor made, or that a method returned.
    pub result: Option<usize>,
    /// Did it throw an exception, which the code around caught?
    pub threw: bool,
}

/// How the code around a class gets at an object that no call returned.
#[derive(Clone, Debug)]
pub struct Route {
    /// The object at which it begins.
    pub start: RouteStart,
    /// The slot of a field, or the index of an element, from each object to the next.
    pub places: Vec<u32>,
}

/// The beginning of a route.
#[derive(Clone, Copy, Debug)]
pub enum RouteStart {
    /// An object that the code around has.
    Object(usize),
    /// The object of a static field that it may read.
    Static {
        /// The class that declares the field.
        owner: &'static Class,
        /// The field to read.
        field: &'static Field,
    },
}

/// A static field that no initialiser sets, and what it must hold.
#[derive(Clone, Debug)]
pub struct StaticInput {
    /// The class that declares the field.
    pub owner: &'static Class,
    /// The field to set.
    pub field: &'static Field,
    /// The value that the field holds before the call.
    pub value: Datum,
}

/// How a run ended, as far as two runs on equal inputs must agree.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// The method returned this result.
    Returned(Gist),
    /// The method threw an exception that it did not catch.
    Threw {
        /// The class of the exception.
        class: &'static str,
        /// Where in the user's code, as `List.java:12`.
        place: Option<String>,
    },
    /// Threads wait for each other, or for ever.
    Deadlock,
    /// By `System.exit`, or in a way that no test can observe.
    Otherwise,
}

/// A result without the heap around it.
#[derive(Clone, Debug, PartialEq)]
pub enum Gist {
    /// A `void` method returned.
    Nothing,
    /// A primitive value or null.
    Plain(Datum),
    /// The UTF-16 code units of a string.
    Text(Vec<u16>),
    /// An object that is no string, of which only the class is compared.
    Object(&'static str),
}

/// The gist of a result.
pub fn gist(vm: &Vm, state: &State, value: Value) -> Gist {
    match value {
        Value::Top => Gist::Nothing,
        Value::Ref(Some(object)) => {
            let class = state.heap.class(object);
            match class.id == vm.program.known().string.id {
                true => Gist::Text(vm.units(state, object)),
                false => Gist::Object(class.name),
            }
        }
        other => Gist::Plain(Camera::new(vm, state, &BTreeSet::new()).take(other)),
    }
}
