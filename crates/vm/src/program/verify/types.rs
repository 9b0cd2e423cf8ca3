//! What does the verifier know about a value?

use std::cell::RefCell;
use std::collections::HashMap;

use crate::program::{Class, LoadError, Program};
use crate::value::Kind;

/// The type of a register. A wide value is one register, as in the interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VerificationType {
    /// Nothing was stored here, or different kinds of values on different ways.
    Unusable,
    /// An `int`, or a smaller integral type, which the stack holds as `int`.
    Int,
    /// A `float`.
    Float,
    /// A `long`, in one register.
    Long,
    /// A `double`, in one register.
    Double,
    /// The null reference, which fits every reference type.
    Null,
    /// An object of that class or a subclass. Of class Object, it may be an array as well.
    Object(ClassName),
    /// An array with that many dimensions; the class is that of the elements, if they are references.
    /// An array of Objects may have more dimensions than are known.
    Array(u8, Kind, ClassName),
    /// Where a subroutine goes back to: the activation of it.
    Return(u16),
}

impl VerificationType {
    /// Any object or array.
    pub const OBJECT: VerificationType = VerificationType::Object(ClassName::OBJECT);

    /// The type of a primitive variable of this kind.
    fn of_kind(kind: Kind, class: ClassName) -> VerificationType {
        match kind {
            Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short | Kind::Int => VerificationType::Int,
            Kind::Long => VerificationType::Long,
            Kind::Float => VerificationType::Float,
            Kind::Double => VerificationType::Double,
            Kind::Reference => VerificationType::Object(class),
            Kind::Void => VerificationType::Unusable,
        }
    }

    /// The type of the operand that a piece of a string is made from.
    pub fn of_piece(kind: Kind) -> VerificationType {
        VerificationType::of_kind(kind, ClassName::OBJECT)
    }

    /// Is it null, an object or an array?
    pub fn is_reference(self) -> bool {
        matches!(self, VerificationType::Null | VerificationType::Object(_) | VerificationType::Array(..))
    }

    /// Does the value count twice in the instructions that move words around?
    pub fn is_wide(self) -> bool {
        matches!(self, VerificationType::Long | VerificationType::Double)
    }

    /// The element of an array with this type.
    pub fn element(self) -> Option<VerificationType> {
        match self {
            VerificationType::Array(1, kind, class) => Some(VerificationType::of_kind(kind, class)),
            VerificationType::Array(dimensions, kind, class) => {
                Some(VerificationType::Array(dimensions - 1, kind, class))
            }
            _ => None,
        }
    }

    /// In how many dimensions this is certainly an array of references.
    fn reference_dimensions(self) -> u8 {
        match self {
            VerificationType::Array(dimensions, Kind::Reference, _) => dimensions,
            VerificationType::Array(dimensions, ..) => dimensions - 1,
            _ => 0,
        }
    }
}

/// The number of a class in a table of `ClassHierarchy`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassName(u32);

impl ClassName {
    const OBJECT: ClassName = ClassName(0);
}

/// The classes that the code mentions, and how they hang together.
pub struct ClassHierarchy<'a> {
    /// None if classes are not compared: then all count as Object.
    program: Option<&'a Program>,
    names: Vec<&'static str>,
    numbers: HashMap<&'static str, ClassName>,
    /// Why the first class that had to be compared could not be loaded.
    missing: RefCell<Option<LoadError>>,
    /// The same for a type that a value is kept as, which does no harm here. A JVM wants to know it.
    unknown: RefCell<Option<LoadError>>,
}

impl<'a> ClassHierarchy<'a> {
    /// For code that is only checked for the kinds of values.
    pub fn ignored() -> ClassHierarchy<'a> {
        ClassHierarchy {
            program: None,
            names: Vec::new(),
            numbers: HashMap::new(),
            missing: RefCell::default(),
            unknown: RefCell::default(),
        }
    }

    /// For code that may be hostile. Classes are loaded where they must be compared.
    pub fn of(program: &'a Program) -> ClassHierarchy<'a> {
        let mut classes = ClassHierarchy { program: Some(program), ..ClassHierarchy::ignored() };
        classes.named("java/lang/Object");
        classes
    }

    fn named(&mut self, name: &'static str) -> ClassName {
        if self.program.is_none() {
            return ClassName::OBJECT;
        }
        *self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            ClassName(self.names.len() as u32 - 1)
        })
    }

    /// The class of that number, if it can be loaded.
    fn load(&self, class: ClassName) -> Option<&'static Class> {
        self.program?.load(self.names.get(class.0 as usize)?).ok()
    }

    /// The type that a field descriptor denotes; none for `V` and for what is no descriptor.
    pub fn of_descriptor(&mut self, descriptor: &'static str) -> Option<VerificationType> {
        let mut rest = descriptor;
        let found = self.next_type(&mut rest)?;
        rest.is_empty().then_some(found)
    }

    /// The type that a class constant denotes: a class, or an array by its descriptor.
    pub fn of_class(&mut self, name: &'static str) -> Option<VerificationType> {
        if name.starts_with('[') { self.of_descriptor(name) } else { Some(VerificationType::Object(self.named(name))) }
    }

    /// Takes a field type off the front of a descriptor.
    fn next_type(&mut self, rest: &mut &'static str) -> Option<VerificationType> {
        let dimensions = rest.bytes().take_while(|byte| *byte == b'[').count();
        let element = &rest[dimensions..];
        let (kind, length) = match element.as_bytes().first()? {
            b'Z' => (Kind::Boolean, 1),
            b'B' => (Kind::Byte, 1),
            b'C' => (Kind::Char, 1),
            b'S' => (Kind::Short, 1),
            b'I' => (Kind::Int, 1),
            b'J' => (Kind::Long, 1),
            b'F' => (Kind::Float, 1),
            b'D' => (Kind::Double, 1),
            b'L' => (Kind::Reference, element.find(';')? + 1),
            _ => return None,
        };
        let class = if kind == Kind::Reference { self.named(&element[1..length - 1]) } else { ClassName::OBJECT };
        *rest = &element[length..];
        match u8::try_from(dimensions).ok()? {
            0 => Some(VerificationType::of_kind(kind, class)),
            dimensions => Some(VerificationType::Array(dimensions, kind, class)),
        }
    }

    /// May a value of this type be kept in a variable of type `wanted`?
    pub fn fits(&self, found: VerificationType, wanted: VerificationType) -> bool {
        match (found, wanted) {
            _ if found == wanted => true,
            (VerificationType::Null, _) => wanted.is_reference(),
            (_, VerificationType::OBJECT) => found.is_reference(),
            (VerificationType::Object(found), VerificationType::Object(wanted)) => self.is_subclass(found, wanted),
            (VerificationType::Array(..), VerificationType::Object(wanted)) => self.takes_anything(wanted),
            (
                VerificationType::Array(own, Kind::Reference, found),
                VerificationType::Array(other, Kind::Reference, wanted),
            ) if own == other => self.is_subclass(found, wanted),
            (VerificationType::Array(..), VerificationType::Array(dimensions, Kind::Reference, wanted)) => {
                found.reference_dimensions() >= dimensions && self.takes_anything(wanted)
            }
            _ => false,
        }
    }

    /// Variables of an interface type are not checked before a method of it is called (JVMS §4.10.1.2). A class that cannot
    /// be loaded does no harm: an instruction that uses a member of it fails when it is linked.
    fn takes_anything(&self, wanted: ClassName) -> bool {
        wanted == ClassName::OBJECT || self.load(wanted).is_none_or(|class| class.is_interface())
    }

    fn is_subclass(&self, found: ClassName, wanted: ClassName) -> bool {
        if found == wanted || wanted == ClassName::OBJECT {
            return true;
        }
        match self.load(wanted) {
            Some(wanted) if !wanted.is_interface() => match self.load(found) {
                Some(found) => found.is_subtype_of(wanted),
                None => self.is_missing(found),
            },
            Some(_) => true,
            None => {
                self.note_unknown(self.names[wanted.0 as usize]);
                true
            }
        }
    }

    /// Why a class that had to be compared could not be loaded: the comparison then rests on what the compiler saw.
    pub fn missing(&self) -> Option<LoadError> {
        self.missing.borrow().clone()
    }

    /// Why a class that is mentioned could not be loaded, if a JVM would not verify the code without it.
    pub fn unknown(&self) -> Option<LoadError> {
        self.missing().or(self.unknown.borrow().clone())
    }

    /// Notes a class that a JVM loads to verify the code.
    pub fn note_unknown(&self, name: &str) {
        if let Some(Err(error)) = self.program.map(|program| program.load(name)) {
            self.unknown.borrow_mut().get_or_insert(error);
        }
    }

    /// Is it impossible to load the class? There are no objects of such a class, so that a variable of its type holds null, unless the
    /// class files contradict each other.
    fn is_missing(&self, class: ClassName) -> bool {
        let name = self.names[class.0 as usize];
        let Some(Err(error)) = self.program.map(|program| program.load(name)) else { return false };
        self.missing.borrow_mut().get_or_insert(error);
        true
    }

    /// The nearest class that both are subclasses of.
    fn common_class(&mut self, one: ClassName, other: ClassName) -> ClassName {
        if one == other || one == ClassName::OBJECT {
            return one;
        }
        if other == ClassName::OBJECT {
            return other;
        }
        let (first, second) = match (self.load(one), self.load(other)) {
            (Some(first), Some(second)) => (first, second),
            // The common superclass is not known. The missing class stands for it: it fits wherever the compiler put it.
            (None, _) if self.is_missing(one) => return one,
            (_, None) if self.is_missing(other) => return other,
            _ => return ClassName::OBJECT,
        };
        if first.is_interface() || second.is_interface() {
            return ClassName::OBJECT;
        }
        let common = first.chain().find(|class| second.is_subtype_of(class));
        common.map_or(ClassName::OBJECT, |class| self.named(class.name))
    }

    /// The type of a value that may be of one type or the other: the least upper bound (JVMS §4.10.2.2).
    pub fn merge(&mut self, one: VerificationType, other: VerificationType) -> VerificationType {
        match (one, other) {
            _ if one == other => one,
            (VerificationType::Null, known) | (known, VerificationType::Null) if known.is_reference() => known,
            (VerificationType::Object(one), VerificationType::Object(other)) => {
                VerificationType::Object(self.common_class(one, other))
            }
            (
                VerificationType::Array(own, Kind::Reference, class),
                VerificationType::Array(dimensions, Kind::Reference, other_class),
            ) if own == dimensions => {
                VerificationType::Array(own, Kind::Reference, self.common_class(class, other_class))
            }
            _ if one.is_reference() && other.is_reference() => {
                match one.reference_dimensions().min(other.reference_dimensions()) {
                    0 => VerificationType::OBJECT,
                    dimensions => VerificationType::Array(dimensions, Kind::Reference, ClassName::OBJECT),
                }
            }
            _ => VerificationType::Unusable,
        }
    }
}

/// A method descriptor, read from left to right.
pub(super) struct Signature {
    rest: &'static str,
}

impl Signature {
    /// Starts reading a method descriptor; none if it does not begin with a parenthesis.
    pub(super) fn new(descriptor: &'static str) -> Option<Signature> {
        Some(Signature { rest: descriptor.strip_prefix('(')? })
    }

    /// The next parameter; none when there are no more.
    pub(super) fn parameter(&mut self, classes: &mut ClassHierarchy) -> Option<VerificationType> {
        classes.next_type(&mut self.rest)
    }

    /// The result, once all parameters were read: `Some(None)` for `void`, none if the descriptor is broken.
    pub(super) fn result(self, classes: &mut ClassHierarchy) -> Option<Option<VerificationType>> {
        match self.rest.strip_prefix(')')? {
            "V" => Some(None),
            result => classes.of_descriptor(result).map(Some),
        }
    }
}
