//! Which concrete input takes a path, and how does its run end? Plain data, from which a program can make the input again.

use std::collections::BTreeSet;

use lazuli_spec::CompiledClause;
use lazuli_vm::interp::Vm;
use lazuli_vm::program::{Class, Field, Method};
use lazuli_vm::snapshot::{Camera, Cell, Datum};
use lazuli_vm::state::State;
use lazuli_vm::value::Value;

use super::coverage::Coverage;

/// The input of one run, and what it is an example of.
#[derive(Clone, Debug)]
pub struct Case {
    pub heap: Vec<Cell>,
    /// The receiver, unless there is none or a constructor makes it, and the parameters.
    pub arguments: Vec<Datum>,
    pub statics: Vec<StaticInput>,
    /// Does the method ask for values by `Lazuli.any…`? No program can give it these.
    pub asks: bool,
    /// The values that the run takes from outside, which no program can choose, by name; and those that decide where it goes.
    pub takes: Vec<String>,
    pub depends_on: Vec<String>,
    pub ended: Ended,
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

/// A static field that no initialiser sets, and what it must hold.
#[derive(Clone, Debug)]
pub struct StaticInput {
    pub owner: &'static Class,
    pub field: &'static Field,
    pub value: Datum,
}

/// How a run ended, as far as two runs on equal inputs must agree.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    Returned(Gist),
    Threw {
        class: &'static str,
        /// Where in the user's code, as `List.java:12`.
        place: Option<String>,
    },
    /// By `System.exit`, or in a way that no test can observe.
    Otherwise,
}

/// A result without the heap around it.
#[derive(Clone, Debug, PartialEq)]
pub enum Gist {
    Nothing,
    Plain(Datum),
    Text(Vec<u16>),
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
