//! Which calls of unknown code does a path contain, and with which results?
//!
//! A call whose receiver is of a class that is not on the class path gives any result of its type, or throws. The state keeps the list of such
//! calls: with their results and with what they wrote. The run of an example plays them in the same order ([`ScriptedCall`]).

use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::program::{Class, Method};
use crate::value::{ObjId, Value};

/// A call of code that is not there.
#[derive(Clone, Debug)]
pub struct UnknownCall {
    /// `this.prices.price()#2`
    pub name: Rc<str>,
    /// The method that the program called.
    pub method: &'static Method,
    /// The object of unknown class; it may be undecided which.
    pub receiver: Value,
    /// Without the receiver.
    pub arguments: Rc<[Value]>,
    /// How the call ended.
    pub end: UnknownEnd,
    /// The places that it changed, with what they hold since.
    pub writes: Rc<[UnknownWrite]>,
    /// The collections and maps that it emptied and filled anew, after these writes.
    pub refills: Rc<[UnknownRefill]>,
    /// May it have changed what the heap does not show, such as fields of its receiver's unknown class?
    pub changes_unseen: bool,
    /// Who asked for it, and what stands for its code in a run.
    pub role: CallRole,
}

impl UnknownCall {
    /// The reference that came out of the call: its result, or its exception.
    pub fn made_reference(&self) -> Option<Value> {
        match self.end {
            UnknownEnd::Returned(value @ (Value::Ref(_) | Value::Unknown(_))) => Some(value),
            UnknownEnd::Threw(exception) => Some(exception.into()),
            UnknownEnd::Returned(_) => None,
        }
    }
}

/// Who calls code that is not executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallRole {
    /// The program, and the code is not there.
    #[default]
    Program,
    /// A clause of a contract that replaces a call: on a JVM, nothing calls it.
    Clause,
    /// The program, and a contract replaces code that is there: on a JVM, that code runs.
    Replaced,
}

/// How a call of code that is not there ended.
#[derive(Clone, Copy, Debug)]
pub enum UnknownEnd {
    /// With this result; `Top` if the method is void.
    Returned(Value),
    /// With this exception, whose class may be open.
    Threw(ObjId),
}

/// A write of code that is not there.
#[derive(Clone, Copy, Debug)]
pub struct UnknownWrite {
    /// The object or array.
    pub object: ObjId,
    /// The slot of a field, the index of an element, or its position among the touched ones.
    pub slot: u32,
    /// The new value.
    pub value: Value,
}

/// A collection or map of the library that code which is not there emptied and filled anew.
#[derive(Clone, Debug)]
pub struct UnknownRefill {
    /// The collection or map.
    pub object: ObjId,
    /// The elements since; of a map, each key and then its value.
    pub values: Rc<[Value]>,
}

/// An object that code which is not there has got hold of.
#[derive(Clone, Copy, Debug)]
pub struct HandedObject {
    /// The object.
    pub object: ObjId,
    /// The number of the call that got it first, from 1 on.
    pub call: u32,
    /// Were some of its fields not read yet? Such code has what they turn out to hold, too.
    pub is_lazy: bool,
}

/// The deeds of one call of code that is not there, in the run of an example.
#[derive(Clone, Debug)]
pub struct ScriptedCall {
    /// The object that is called, if it is there when the run begins.
    pub receiver: Option<ObjId>,
    /// The method.
    pub method: &'static Method,
    /// How it ends.
    pub end: ScriptedEnd,
    /// The writes that come before its end.
    pub writes: Vec<ScriptedWrite>,
    /// The collections and maps that it empties and fills anew, after these writes.
    pub refills: Vec<ScriptedRefill>,
    /// The objects that count as made by it, though they are there from the beginning.
    pub makes: Vec<ObjId>,
    /// Who asks for it.
    pub role: CallRole,
}

/// A result of a comparison by code that is not there, in the run of an example: contract methods may ask for it again.
#[derive(Clone, Debug)]
pub struct KnownComparison {
    /// The object that is called.
    pub receiver: Value,
    /// The method.
    pub method: &'static Method,
    /// Without the receiver.
    pub arguments: Vec<Value>,
    /// How many calls came before that may have changed what the comparison reads.
    pub version: usize,
    /// The result.
    pub result: Value,
}

/// A reference that code which is not there has compared, with the version of what it held then.
#[derive(Clone, Debug)]
pub struct ComparedReference {
    /// An object, or one that is not decided.
    pub value: Value,
    /// The changes in it since entry, as one number: 0 for an input that is as it was.
    pub contents: u64,
    /// The number of comparisons that found it changed.
    pub version: u32,
    /// Does the order see all that the object leads to? One of `Object`s does not see what an element has in common with the structure around it.
    pub sees_all: bool,
}

/// How such a call ends.
#[derive(Clone, Copy, Debug)]
pub enum ScriptedEnd {
    /// With this result.
    Returned(ScriptedValue),
    /// With a new exception of this class, which is not open.
    Threw(&'static Class),
}

/// A write of such a call.
#[derive(Clone, Copy, Debug)]
pub struct ScriptedWrite {
    /// The object or array.
    pub object: ScriptedValue,
    /// Its class.
    pub class: &'static Class,
    /// The slot of a field, or the index of an element.
    pub slot: u32,
    /// The new value.
    pub value: ScriptedValue,
}

/// A collection or map that such a call empties and fills anew.
#[derive(Clone, Debug)]
pub struct ScriptedRefill {
    /// The collection or map.
    pub object: ScriptedValue,
    /// Is it a map?
    pub is_map: bool,
    /// The elements; of a map, each key and then its value.
    pub values: Vec<ScriptedValue>,
}

/// A value that such a call gives or writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScriptedValue {
    /// One that is there when the run begins.
    Known(Value),
    /// An argument of an earlier call or of this one, by their numbers from 0 on.
    Handed {
        /// The call.
        call: usize,
        /// The argument, without the receiver in the count.
        argument: usize,
    },
}

/// Says which methods are the invariants of a class. The embedder knows.
#[derive(Clone)]
pub struct KnownInvariants(Arc<InvariantsOf>);

type InvariantsOf = dyn Fn(&'static Class) -> Vec<&'static Method> + Send + Sync;

impl KnownInvariants {
    /// Asks this function.
    pub fn new(of: impl Fn(&'static Class) -> Vec<&'static Method> + Send + Sync + 'static) -> KnownInvariants {
        KnownInvariants(Arc::new(of))
    }

    /// The invariants of a class; none if it has none, or several that only hold together.
    pub fn of(&self, class: &'static Class) -> Vec<&'static Method> {
        let found = (self.0)(class);
        if found.len() == 1 { found } else { Vec::new() }
    }
}

/// The objects that code which is not there may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Havoc {
    /// Those that it was handed, by the method or by its own results, and what these lead to.
    #[default]
    Handed,
    /// All inputs as well: it may have got hold of them before the method began.
    All,
}

/// Methods that the user names by patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodPatterns {
    /// `PriceService.price`, `acme.Clock.*`: the class by its simple or its full name, and the method or a star.
    pub patterns: Vec<String>,
}

impl MethodPatterns {
    /// Does one of the patterns name the method?
    pub fn name(&self, method: &Method) -> bool {
        let class = method.class();
        let is_class = |named: &str| {
            let is_below = |package: &str| class.java_name().starts_with(&format!("{package}."));
            class.is_called(named) || named.strip_suffix(".**").is_some_and(is_below)
        };
        self.patterns.iter().any(|pattern| match pattern.rsplit_once('.') {
            _ if pattern == "*" => true,
            Some((named, word)) if word == "*" || word == method.name => is_class(named),
            _ => false,
        })
    }
}
