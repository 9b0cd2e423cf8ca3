//! Which method says that an object is valid?

use lazuli_vm::program::{Class, Method, Program, descriptor};
use lazuli_vm::state::State;
use lazuli_vm::value::{ObjId, Value};

/// A method that says whether its receiver, or the object that it takes, is valid.
#[derive(Clone, Copy)]
pub struct Invariant {
    /// The method as it is declared, such as `repOK`.
    pub method: &'static Method,
    /// The receiver's place among the roots of the path: `this`, or a parameter.
    pub root: usize,
    /// Calls the method that the receiver's class has, where a subclass overrides it.
    dispatcher: Option<&'static Method>,
}

impl Invariant {
    /// Makes the invariant of a root, with a dispatcher where subclasses override the method.
    pub fn new(program: &Program, method: &'static Method, root: usize) -> Invariant {
        Invariant { method, root, dispatcher: program.dispatcher(method) }
    }

    /// The code that is executed.
    pub fn code(&self) -> &'static Method {
        self.dispatcher.unwrap_or(self.method)
    }

    /// Is it made of clauses of JML? These are methods that take the object.
    pub fn is_clause(&self) -> bool {
        self.method.is_static() && self.method.class().file.is_none()
    }

    /// The class whose objects it is about.
    pub fn class(&self, program: &Program) -> &'static Class {
        let taken = descriptor::method(self.method.descriptor).and_then(|(parameters, _)| parameters.first().copied());
        let taken = taken.filter(|_| self.method.is_static()).and_then(|taken| program.load_descriptor(taken).ok());
        taken.unwrap_or(self.method.class())
    }
}

/// The object whose validity an invariant is about; none if it is null or not decided.
pub fn receiver(state: &State, invariant: &Invariant) -> Option<ObjId> {
    let root = state.symbols.roots.get(invariant.root)?;
    match state.symbols.settled(root.value) {
        Value::Ref(object) => object,
        _ => None,
    }
}
