//! What do methods without bytecode do? A model for each native method, and for a few that are intrinsic.
//!
//! The file path is the Java package. Each file lists its models by class; a model named here replaces the method's own code.
//! A model never calls the interpreter: where it needs Java code to run, it returns the call (`Exit::Call`) or the class to
//! initialise (`Exit::Initialise`), and the interpreter does it. So a state can be forked at any time.

mod ambient;
mod characters;
pub mod contract;
mod formats;
mod guides;
pub(crate) mod java;
mod jdk;
mod lazuli;
mod program;
mod sun;
mod symbolic;
mod unknown;

use std::cell::Cell;
use std::collections::HashMap;

use crate::heap::Body;
use crate::interp::{ArgumentValues, Trouble, Vm};
use crate::outcome::Stop;
use crate::program::{Class, Method};
use crate::reason::Reason;
use crate::state::State;
use crate::value::{ObjId, Value};

/// The model of a method.
pub type Native = fn(&mut Call) -> Result<Value, Exit>;

/// The models of one class: its name with slashes, then (name and descriptor, model) for each method.
pub type Models = (&'static str, &'static [(&'static str, Native)]);

/// Notes that a method is called with these arguments.
pub type CallWatch = fn(&mut Vm, &State, &[Value]);

/// One call of a native method.
pub struct Call<'a> {
    /// The interpreter that executes the call.
    pub vm: &'a mut Vm,
    /// The state that the model reads and changes.
    pub state: &'a mut State,
    /// The method that the program calls.
    pub method: &'static Method,
    /// The method's descriptor; of a signature-polymorphic method: that of the call site.
    pub descriptor: &'static str,
    /// The receiver, if there is one, and the arguments.
    pub arguments: &'a [Value],
    /// Did the model look at something that is not known? Then its result is not used.
    pub met_unknown: Cell<bool>,
}

/// How a native ends other than with a result.
pub enum Exit {
    /// Throws an exception object that the model has made.
    Throw(ObjId),
    /// Throws an exception that the virtual machine makes.
    Raise(Trouble),
    /// The class must be initialised first; the native is then called again, and must not have changed anything before.
    Initialise(&'static Class),
    /// The result is that of this call.
    Call {
        /// The Java method that is called instead.
        method: &'static Method,
        /// Its receiver, if there is one, and its arguments.
        arguments: ArgumentValues,
    },
    /// The model does not cover these arguments; the text says what is missing.
    Unsupported(String),
    /// Hands control back: with a question, or because the path ends.
    Stop(Stop),
    /// The model does not apply here: the method's own code does.
    OwnCode,
}

impl From<Stop> for Exit {
    fn from(stop: Stop) -> Exit {
        Exit::Stop(stop)
    }
}

impl From<Trouble> for Exit {
    fn from(trouble: Trouble) -> Exit {
        Exit::Raise(trouble)
    }
}

/// All models, found by class when a class is linked.
pub struct Registry {
    classes: HashMap<&'static str, Vec<(&'static str, Native)>>,
    /// Models that understand arguments which are not all known.
    symbolic: HashMap<&'static str, Vec<(&'static str, Native)>>,
    /// Models that an exploration asks first where something is unknown.
    guides: HashMap<&'static str, Vec<(&'static str, Native)>>,
}

impl Registry {
    /// Collects the models of all files.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Registry {
        let by_class = |listed: &mut dyn Iterator<Item = Models>| {
            let mut classes: HashMap<&'static str, Vec<(&'static str, Native)>> = HashMap::new();
            for (class, models) in listed {
                classes.entry(class).or_default().extend(models.iter().copied());
            }
            classes
        };
        let all = java::models().chain(jdk::models()).chain(sun::models()).chain(lazuli::MODELS.iter().copied());
        let all = all.chain(ambient::MODELS.iter().copied()).chain(program::MODELS.iter().copied());
        // Specifications ask about known and about unknown objects.
        let contract = || contract::MODELS.iter().copied();
        let symbolic = symbolic::MODELS.iter().copied().chain(contract()).chain(jdk::unknown_models());
        let symbolic = symbolic.chain(java::lang::math::OF_UNKNOWNS.iter().copied());
        let symbolic = symbolic.chain(java::io::ON_UNKNOWNS.iter().copied());
        let symbolic = symbolic.chain(java::lang::reflect::ELEMENTS.iter().copied());
        let symbolic = symbolic.chain(characters::OF_UNKNOWNS.iter().copied());
        let monitors = java::lang::object::ON_INPUTS.iter().chain(java::lang::thread::ON_INPUTS).copied();
        let symbolic = symbolic.chain(monitors);
        let symbolic = symbolic.chain(ambient::MODELS.iter().copied());
        let guides = guides::MODELS.iter().chain(formats::MODELS).chain(characters::GUIDES).copied();
        Registry {
            classes: by_class(&mut { all.chain(contract()) }),
            symbolic: by_class(&mut { symbolic }),
            guides: by_class(&mut { guides }),
        }
    }

    /// Finds the model of a method for concrete arguments.
    pub fn find(&self, class: &str, name: &str, descriptor: &str) -> Option<Native> {
        Registry::find_in(&self.classes, class, name, descriptor)
    }

    /// Finds the watch that notes calls of a method in an exploration.
    pub fn find_watch(&self, class: &str, name: &str, descriptor: &str) -> Option<CallWatch> {
        let (_, watches) = ambient::WATCHED.iter().find(|(listed, _)| *listed == class)?;
        let found = watches
            .iter()
            .find(|(listed, _)| listed.strip_prefix(name).is_some_and(|rest| rest == "(...)" || rest == descriptor));
        found.map(|(_, watch)| *watch)
    }

    /// Finds the model of a method for arguments that are not all known.
    pub fn find_symbolic(&self, class: &str, name: &str, descriptor: &str) -> Option<Native> {
        Registry::find_in(&self.symbolic, class, name, descriptor)
    }

    /// Finds the model of a method that an exploration asks first.
    pub fn find_guide(&self, class: &str, name: &str, descriptor: &str) -> Option<Native> {
        Registry::find_in(&self.guides, class, name, descriptor)
    }

    fn find_in(
        classes: &HashMap<&'static str, Vec<(&'static str, Native)>>,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Option<Native> {
        let models = classes.get(class)?;
        let fits = |listed: &str| listed.strip_prefix(name).is_some_and(|rest| rest == descriptor || rest == "(...)");
        let found = models.iter().find(|(listed, _)| fits(listed));
        found.map(|(_, model)| *model)
    }
}

/// Does nothing: for the `registerNatives` of this world.
pub fn nothing(_call: &mut Call) -> Result<Value, Exit> {
    Ok(Value::Top)
}

/// A model that returns true.
pub fn always_true(_call: &mut Call) -> Result<Value, Exit> {
    Ok(Value::Int(1))
}

/// A model that returns false.
pub fn always_false(_call: &mut Call) -> Result<Value, Exit> {
    Ok(Value::Int(0))
}

/// A model that returns null.
pub fn always_null(_call: &mut Call) -> Result<Value, Exit> {
    Ok(Value::NULL)
}

/// Ends a native with an exception of that class (with slashes) and message.
pub fn throw<T>(class: &'static str, message: impl Into<String>) -> Result<T, Exit> {
    Err(Exit::Raise(Trouble::Named(class, Some(message.into()))))
}

impl Call<'_> {
    /// The `int` argument at that index; panics if the descriptor says otherwise.
    pub fn int(&self, index: usize) -> i32 {
        match self.arguments[index] {
            Value::Int(value) => value,
            other => panic!("argument {index} of {:?} is {other:?}, not an int", self.method),
        }
    }

    /// The `boolean` argument at that index.
    pub fn bool(&self, index: usize) -> bool {
        self.int(index) != 0
    }

    /// The `long` argument at that index.
    pub fn long(&self, index: usize) -> i64 {
        match self.arguments[index] {
            Value::Long(value) => value,
            other => panic!("argument {index} of {:?} is {other:?}, not a long", self.method),
        }
    }

    /// The `float` argument at that index.
    pub fn float(&self, index: usize) -> f32 {
        match self.arguments[index] {
            Value::Float(value) => value,
            other => panic!("argument {index} of {:?} is {other:?}, not a float", self.method),
        }
    }

    /// The `double` argument at that index.
    pub fn double(&self, index: usize) -> f64 {
        match self.arguments[index] {
            Value::Double(value) => value,
            other => panic!("argument {index} of {:?} is {other:?}, not a double", self.method),
        }
    }

    /// A reference that may be null.
    pub fn reference(&self, index: usize) -> Option<ObjId> {
        match self.arguments[index] {
            Value::Ref(id) => id,
            other => panic!("argument {index} of {:?} is {other:?}, not a reference", self.method),
        }
    }

    /// A reference; null throws NullPointerException.
    pub fn object(&self, index: usize) -> Result<ObjId, Exit> {
        self.reference(index).ok_or(Exit::Raise(Trouble::NullPointer))
    }

    /// The receiver, which is never null.
    pub fn this(&self) -> ObjId {
        self.reference(0).expect("the receiver was checked before the call")
    }

    /// The class whose mirror the argument is.
    pub fn class(&self, index: usize) -> Result<&'static Class, Exit> {
        let mirror = self.object(index)?;
        self.class_of(mirror)
    }

    /// The class that a `java.lang.Class` object stands for.
    pub fn class_of(&self, mirror: ObjId) -> Result<&'static Class, Exit> {
        let found = self.vm.class_of_mirror(self.state, mirror);
        found.ok_or_else(|| Exit::Unsupported("a java.lang.Class object that Lazuli did not make".into()))
    }

    /// The `java.lang.Class` object of a class, made on first use.
    pub fn mirror(&mut self, class: &'static Class) -> ObjId {
        self.vm.mirror(self.state, class)
    }

    /// The text of a string object; notes if its contents are not known.
    pub fn text(&self, string: ObjId) -> String {
        if !self.vm.is_plain(self.state, string.into()) {
            self.met_unknown.set(true);
        }
        self.vm.text(self.state, string)
    }

    /// Allocates a string object of that text.
    pub fn new_text(&mut self, text: &str) -> ObjId {
        self.vm.new_text(self.state, text)
    }

    /// The interned string of that text.
    pub fn interned(&mut self, text: &str) -> ObjId {
        let id = self.vm.program.intern_str(text);
        self.vm.interned(self.state, id)
    }

    /// A class by its name with slashes.
    pub fn load(&self, name: &str) -> Result<&'static Class, Exit> {
        self.vm.program.load(name).map_err(|error| Exit::Raise(Trouble::Load(error)))
    }

    /// A class that is initialised; if it is not, the native is called again when it is.
    pub fn initialised(&self, class: &'static Class) -> Result<&'static Class, Exit> {
        if self.state.classes.is_usable(class) { Ok(class) } else { Err(Exit::Initialise(class)) }
    }

    /// A field of an object by name.
    pub fn field(&self, object: ObjId, name: &str) -> Value {
        let slot = self.state.heap.class(object).field(name).map(|field| field.slot as usize);
        slot.map_or(Value::Top, |slot| self.looked_at(self.state.heap.field(object, slot)))
    }

    /// Writes a field by name; ignores a name that the class does not have.
    pub fn set_field(&mut self, object: ObjId, name: &str, value: Value) {
        let slot = self.state.heap.class(object).field(name).map(|field| field.slot as usize);
        if let Some(slot) = slot {
            self.state.heap.set_field(object, slot, value);
        }
    }

    /// A static field of a class by name.
    pub fn static_field(&mut self, class: &'static Class, name: &str) -> Value {
        let mirror = self.mirror(class);
        let slot = class.field(name).map(|field| self.vm.program.slot_of(field) as usize);
        slot.map_or(Value::Top, |slot| self.looked_at(self.state.heap.field(mirror, slot)))
    }

    /// Writes a static field by name; ignores a name that the class does not have.
    pub fn set_static_field(&mut self, class: &'static Class, name: &str, value: Value) {
        let mirror = self.mirror(class);
        if let Some(field) = class.field(name) {
            self.state.heap.set_field(mirror, self.vm.program.slot_of(field) as usize, value);
        }
    }

    /// A new array of references.
    pub fn new_references(&mut self, component: &'static Class, items: Vec<Value>) -> ObjId {
        let class = self.vm.program.array_class(component);
        self.state.heap.insert(class, Body::Refs(items.into()))
    }

    /// The elements of a reference array, to be looked at; none for null.
    pub fn references(&self, array: Option<ObjId>) -> Vec<Value> {
        self.items(array).into_iter().map(|item| self.looked_at(item)).collect()
    }

    /// The same, to be passed on as they are.
    pub fn items(&self, array: Option<ObjId>) -> Vec<Value> {
        match array.map(|array| &self.state.heap.get(array).body) {
            Some(Body::Refs(items)) => items.to_vec(),
            Some(_) => {
                self.met_unknown.set(true);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// A value that the model is about to look at. If it is not known, whatever the model makes of it does not count.
    fn looked_at(&self, value: Value) -> Value {
        let value = self.state.symbols.settled(value);
        if matches!(value, Value::Unknown(_) | Value::Unread | Value::Term(..)) {
            self.met_unknown.set(true);
        }
        value
    }

    /// Ends the native with the call of a method whose result becomes its own.
    pub fn hand_over<T>(&self, method: &'static Method, arguments: &[Value]) -> Result<T, Exit> {
        Err(Exit::Call { method, arguments: ArgumentValues::from_slice(arguments) })
    }

    /// Ends the path because the method has no model for this case.
    pub fn unsupported<T>(&self) -> Result<T, Exit> {
        Err(self.vm.unsupported(self.state, Reason::Native(self.method.full_name())).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_method_has_two_models() {
        let registry = Registry::new();
        for (class, models) in &registry.classes {
            let mut names: Vec<&str> = models.iter().map(|(name, _)| *name).collect();
            names.sort();
            let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
            assert_eq!(twice, None, "{class}");
        }
    }
}
