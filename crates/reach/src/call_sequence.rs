//! Which calls have made the inputs of a path so far, where calls of the class's own methods make them?

use std::rc::Rc;

use lazuli_vm::program::{Class, Field, Method};
use lazuli_vm::symbols::Entry;
use lazuli_vm::value::{Kind, ObjId, Value};

/// One step on the way to an input, under a technique to which the user tells the methods.
#[derive(Debug, Clone, Copy)]
pub enum RecipeStep {
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
pub struct CallSequence {
    /// How many inputs are finished.
    pub finished: usize,
    /// The one that is being made.
    pub object: Option<ObjId>,
    /// The step that was chosen, and has not begun.
    pub step: Option<RecipeStep>,
    /// The steps among which one is chosen now.
    pub offered: Vec<RecipeStep>,
    /// The calls that were made so far, in order.
    pub calls: Rc<Vec<SequenceCall>>,
    /// The objects that calls made and an input reaches, in the order in which they were first seen.
    pub objects: Rc<Vec<ObjId>>,
    /// The objects that the code around the class may use: those that it made, got as results, or can read there. It only grows. Objects that
    /// calls made and that are not here are private parts of others.
    pub held: Rc<Vec<ObjId>>,
    /// The objects that no call made, as they were before calls changed them. A place is `Value::Top` if nothing read it before it was
    /// written.
    pub originals: Rc<Vec<(ObjId, Entry)>>,
    /// The objects that were there before all calls, behind static fields, as far as calls have changed them: what they contain now.
    pub changed: Rc<Vec<(ObjId, Entry)>>,
    /// Does the method run, or what comes right before it?
    pub has_begun: bool,
}

impl CallSequence {
    /// Notes what an object that no call made held before the last call: `entry` has the places that were read before they were written, and
    /// `now` their contents after the call.
    pub fn note_original(&mut self, object: ObjId, entry: &Entry, now: &Entry) {
        let originals = Rc::make_mut(&mut self.originals);
        let at = match originals.iter().position(|(known, _)| *known == object) {
            Some(at) => at,
            None => {
                originals.push((object, entry.clone()));
                originals.len() - 1
            }
        };
        if let (Entry::Elements(original), Entry::Elements(read), Entry::Elements(now)) =
            (&mut originals[at].1, entry, now)
        {
            let original = Rc::make_mut(original);
            let written = now.iter().map(|(index, _)| (*index, Value::Unread));
            for (index, value) in read.iter().copied().chain(written) {
                if !original.iter().any(|(known, _)| *known == index) {
                    original.push((index, value));
                }
            }
            return;
        }
        let (Entry::Fields(original), Entry::Fields(read), Entry::Fields(now)) = (&mut originals[at].1, entry, now)
        else {
            return;
        };
        let places = original.iter().zip(read.iter().zip(now.iter()));
        *original = places
            .map(|(original, (read, now))| match (*original, *read, *now) {
                (Value::Unread, Value::Unread, Value::Unread) => Value::Unread,
                (Value::Unread, Value::Unread, _) => Value::Top,
                (Value::Unread, read, _) => read,
                (original, ..) => original,
            })
            .collect();
    }

    /// Did calls make the object, and does the code around not have it?
    pub fn is_hidden(&self, object: ObjId, held_before: usize) -> bool {
        self.objects.contains(&object) && !self.held[..held_before].contains(&object)
    }
}

/// A call that was made on the way, or an assignment.
#[derive(Clone)]
pub struct SequenceCall {
    /// The statement that was executed.
    pub act: Act,
    /// The object that was called, initialised or written to. None for static methods.
    pub receiver: Option<ObjId>,
    /// Without the receiver; of an assignment, the values that were written.
    pub arguments: Rc<[Value]>,
    /// The object that the call returned, or that the constructor made.
    pub result: Option<ObjId>,
    /// Did it throw an exception, which the code around caught?
    pub threw: bool,
    /// How many of the objects were there before.
    pub objects_before: usize,
    /// How many objects the code around had before.
    pub held_before: usize,
}

/// A statement that makes or changes an object.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// A constructor or method is called.
    Call(&'static Method),
    /// A field is assigned to.
    Assign {
        /// The class that declares the field.
        owner: &'static Class,
        /// The field.
        field: &'static Field,
    },
    /// Elements of an array are assigned to, from the first on.
    Fill {
        /// The class of the array.
        array: &'static Class,
        /// How many elements are assigned to.
        length: usize,
    },
}

impl Act {
    /// The storage types of the arguments. All elements that an array is filled with have one.
    pub fn kinds(&self) -> Vec<Kind> {
        match self {
            Act::Call(method) => method.parameters.to_vec(),
            Act::Assign { field, .. } => vec![field.kind],
            Act::Fill { array, length } => vec![array.component_kind().unwrap_or(Kind::Reference); *length],
        }
    }

    /// Is it the call of a constructor?
    pub fn is_constructor(&self) -> bool {
        matches!(self, Act::Call(method) if method.name == "<init>")
    }
}
