//! What does the verifier know about a value?

use crate::value::Kind;

/// The type of a register. A wide value is one register, as in the interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// Nothing was stored here, or different kinds of values on different ways.
    Unusable,
    Int,
    Float,
    Long,
    Double,
    Null,
    /// An object of any class, an array perhaps.
    Object,
    /// An array with that many dimensions. With elements of kind `Reference`, it may have more dimensions than are known.
    Array(u8, Kind),
    /// Where a subroutine goes back to: the activation of it.
    Return(u16),
}

impl Type {
    /// The type of a variable of this primitive kind, or of a reference.
    pub fn of_kind(kind: Kind) -> Type {
        match kind {
            Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short | Kind::Int => Type::Int,
            Kind::Long => Type::Long,
            Kind::Float => Type::Float,
            Kind::Double => Type::Double,
            Kind::Reference => Type::Object,
            Kind::Void => Type::Unusable,
        }
    }

    /// The type that a field descriptor denotes; none for `V` and for what is no descriptor.
    pub fn of_descriptor(descriptor: &str) -> Option<Type> {
        let mut rest = descriptor.as_bytes();
        let found = next_type(&mut rest)?;
        rest.is_empty().then_some(found)
    }

    /// The type that a class constant denotes: a class, or an array by its descriptor.
    pub fn of_class(name: &str) -> Option<Type> {
        if name.starts_with('[') { Type::of_descriptor(name) } else { Some(Type::Object) }
    }

    pub fn is_reference(self) -> bool {
        matches!(self, Type::Null | Type::Object | Type::Array(..))
    }

    /// Does the value count twice in the instructions that move words around?
    pub fn is_wide(self) -> bool {
        matches!(self, Type::Long | Type::Double)
    }

    /// The element of an array with this type.
    pub fn element(self) -> Option<Type> {
        match self {
            Type::Array(1, kind) => Some(Type::of_kind(kind)),
            Type::Array(dimensions, kind) => Some(Type::Array(dimensions - 1, kind)),
            _ => None,
        }
    }

    /// In how many dimensions this is certainly an array of references.
    fn reference_dimensions(self) -> u8 {
        match self {
            Type::Array(dimensions, Kind::Reference) => dimensions,
            Type::Array(dimensions, _) => dimensions - 1,
            _ => 0,
        }
    }

    /// May a value of this type be kept in a variable of type `wanted`? Classes are not compared.
    pub fn fits(self, wanted: Type) -> bool {
        match (self, wanted) {
            _ if self == wanted => true,
            (Type::Null, _) | (_, Type::Object) => self.is_reference() && wanted.is_reference(),
            (Type::Array(..), Type::Array(dimensions, Kind::Reference)) => self.reference_dimensions() >= dimensions,
            _ => false,
        }
    }

    /// What is known where a value may be of one type or the other.
    pub fn merge(self, other: Type) -> Type {
        match (self, other) {
            _ if self == other => self,
            (Type::Null, known) | (known, Type::Null) if known.is_reference() => known,
            _ if self.is_reference() && other.is_reference() => {
                match self.reference_dimensions().min(other.reference_dimensions()) {
                    0 => Type::Object,
                    dimensions => Type::Array(dimensions, Kind::Reference),
                }
            }
            _ => Type::Unusable,
        }
    }
}

/// Takes a field type off the front of a descriptor.
fn next_type(rest: &mut &[u8]) -> Option<Type> {
    let dimensions = rest.iter().take_while(|byte| **byte == b'[').count();
    let (letter, mut after) = rest[dimensions..].split_first()?;
    let kind = match letter {
        b'Z' => Kind::Boolean,
        b'B' => Kind::Byte,
        b'C' => Kind::Char,
        b'S' => Kind::Short,
        b'I' => Kind::Int,
        b'J' => Kind::Long,
        b'F' => Kind::Float,
        b'D' => Kind::Double,
        b'L' => {
            let end = after.iter().position(|byte| *byte == b';')?;
            after = &after[end + 1..];
            Kind::Reference
        }
        _ => return None,
    };
    *rest = after;
    match u8::try_from(dimensions).ok()? {
        0 => Some(Type::of_kind(kind)),
        dimensions => Some(Type::Array(dimensions, kind)),
    }
}

/// A method descriptor, read from left to right.
pub struct Signature<'a> {
    rest: &'a [u8],
}

impl<'a> Signature<'a> {
    pub fn new(descriptor: &'a str) -> Option<Signature<'a>> {
        Some(Signature { rest: descriptor.as_bytes().strip_prefix(b"(")? })
    }

    /// The next parameter; none when there are no more.
    pub fn parameter(&mut self) -> Option<Type> {
        next_type(&mut self.rest)
    }

    /// The result, once all parameters were read: `Some(None)` for `void`, none if the descriptor is broken.
    pub fn result(self) -> Option<Option<Type>> {
        match self.rest {
            b")V" => Some(None),
            [b')', result @ ..] => {
                let mut rest = result;
                let found = next_type(&mut rest)?;
                rest.is_empty().then_some(Some(found))
            }
            _ => None,
        }
    }
}
