//! How far has the making of an input come, where calls of the class's own methods make it?

use std::rc::Rc;

use lazuli_vm::program::Method;
use lazuli_vm::value::{ObjId, Value};

/// One step on the way to an input.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// There is no object.
    Null,
    /// It is an object that was made before.
    Same(ObjId),
    /// A constructor makes it.
    New(&'static Method),
    /// A method changes it.
    Call(&'static Method),
    /// It is as it should be.
    Done,
}

/// The inputs that were made so far, and the one that is being made.
#[derive(Clone, Default)]
pub struct Making {
    /// How many inputs are finished.
    pub finished: usize,
    /// The one that is being made.
    pub object: Option<ObjId>,
    /// The step that was chosen, and has not begun.
    pub step: Option<Step>,
    /// The steps among which one is chosen now.
    pub offered: Vec<Step>,
    /// The calls that were made so far, in order.
    pub calls: Rc<Vec<Call>>,
    /// The objects that calls made and an input reaches, in the order in which they were first seen.
    pub objects: Rc<Vec<ObjId>>,
}

/// A call that was made on the way.
#[derive(Clone)]
pub struct Call {
    /// The root that it works for.
    pub root: usize,
    /// The method or constructor that was called.
    pub method: &'static Method,
    /// Without the receiver.
    pub arguments: Rc<[Value]>,
    /// How many of the objects were there before.
    pub objects_before: usize,
}
