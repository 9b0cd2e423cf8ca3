//! What can a local variable, a stack slot or a field hold?

use std::num::NonZeroU32;

use lazuli_logic::{Sort, Term};

/// The name of an object in one state's heap. Names are handed out in allocation order, so that
/// replaying a path gives every object the same name again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjId(NonZeroU32);

impl ObjId {
    /// The name of the object at that position of the heap.
    pub fn from_index(index: usize) -> ObjId {
        let name = u32::try_from(index + 1).expect("the heap limit is far below 2^32 objects");
        ObjId(NonZeroU32::new(name).expect("an index plus one is not zero"))
    }

    /// The position in the heap.
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// One JVM value (JVMS §2.6). A `long` or `double` is one value here, not two slots.
/// `boolean`, `byte`, `char` and `short` are `Int`, as on the operand stack of a JVM.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Value {
    /// Nothing was stored here yet, or nothing is returned.
    #[default]
    Top,
    /// An `int`, or a `boolean`, `byte`, `char` or `short` as an `int`.
    Int(i32),
    /// A `long`, in one register.
    Long(i64),
    /// A `float`.
    Float(f32),
    /// A `double`, in one register.
    Double(f64),
    /// A reference to an object, or null.
    Ref(Option<ObjId>),
    /// Where a `jsr` will return to (JVMS §6.5.jsr): an instruction index.
    Return(u32),
    /// A primitive that is not known, but described.
    Term(Term, Sort),
    /// A place of an input that still holds its value from entry and was never read. Only in the heap, never in a register.
    Unread,
    /// A reference that was read, but not looked at: which object it is, or null, is decided when an instruction does.
    Unknown(UnknownId),
}

/// The name of a reference that is not decided, in one state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnknownId(pub u32);

impl Value {
    /// The null reference.
    pub const NULL: Value = Value::Ref(None);

    /// The `int` that stands for a truth value: 1 or 0.
    pub fn bool(truth: bool) -> Value {
        Value::Int(truth as i32)
    }

    /// Does this value count twice in the instructions that move words around (JVMS §2.11.1, category 2)?
    #[inline]
    pub fn is_wide(self) -> bool {
        matches!(self, Value::Long(_) | Value::Double(_) | Value::Term(_, Sort::Long | Sort::Double))
    }
}

impl Value {
    /// Is it the same, bit by bit? Floating-point numbers are compared by `==` otherwise, for which 0.0 is -0.0 and NaN is nothing.
    pub fn is_identical(self, other: Value) -> bool {
        match (self, other) {
            (Value::Float(one), Value::Float(other)) => one.to_bits() == other.to_bits(),
            (Value::Double(one), Value::Double(other)) => one.to_bits() == other.to_bits(),
            (one, other) => one == other,
        }
    }

    /// The kind of a number in a register, known or not.
    pub fn number_kind(self) -> Option<Kind> {
        Some(match self {
            Value::Int(_) | Value::Term(_, Sort::Int) => Kind::Int,
            Value::Long(_) | Value::Term(_, Sort::Long) => Kind::Long,
            Value::Float(_) | Value::Term(_, Sort::Float) => Kind::Float,
            Value::Double(_) | Value::Term(_, Sort::Double) => Kind::Double,
            _ => return None,
        })
    }

    /// The object that it refers to, if it is a reference to one.
    pub fn object(self) -> Option<ObjId> {
        match self {
            Value::Ref(object) => object,
            _ => None,
        }
    }
}

impl From<ObjId> for Value {
    fn from(id: ObjId) -> Value {
        Value::Ref(Some(id))
    }
}

/// The type of a field, a parameter, an array element or a result, as far as storage is concerned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// `boolean`: 0 or 1.
    Boolean,
    /// `byte`: 8 bits with sign.
    Byte,
    /// `char`: 16 bits without sign.
    Char,
    /// `short`: 16 bits with sign.
    Short,
    /// `int`: 32 bits with sign.
    Int,
    /// `long`: 64 bits with sign.
    Long,
    /// `float`: IEEE 754 binary32.
    Float,
    /// `double`: IEEE 754 binary64.
    Double,
    /// An object, an array or null.
    Reference,
    /// The absence of a result.
    Void,
}

impl Kind {
    /// The kind that a descriptor starting with this letter has.
    pub fn of_descriptor(descriptor: &str) -> Kind {
        match descriptor.as_bytes().first() {
            Some(b'Z') => Kind::Boolean,
            Some(b'B') => Kind::Byte,
            Some(b'C') => Kind::Char,
            Some(b'S') => Kind::Short,
            Some(b'I') => Kind::Int,
            Some(b'J') => Kind::Long,
            Some(b'F') => Kind::Float,
            Some(b'D') => Kind::Double,
            Some(b'V') => Kind::Void,
            _ => Kind::Reference,
        }
    }

    /// The value of a field of this kind before anything is stored in it (JVMS §2.3, §2.4).
    pub fn default_value(self) -> Value {
        match self {
            Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short | Kind::Int => Value::Int(0),
            Kind::Long => Value::Long(0),
            Kind::Float => Value::Float(0.0),
            Kind::Double => Value::Double(0.0),
            Kind::Reference => Value::NULL,
            Kind::Void => Value::Top,
        }
    }

    /// An `int` on the stack cut down to what a variable of this kind can hold (JVMS §6.5.putfield, .ireturn).
    #[inline]
    pub fn narrow(self, value: i32) -> i32 {
        match self {
            Kind::Boolean => value & 1,
            Kind::Byte => value as i8 as i32,
            Kind::Char => value as u16 as i32,
            Kind::Short => value as i16 as i32,
            _ => value,
        }
    }

    /// The sort of the terms for values of this kind; none for references.
    pub fn sort(self) -> Option<Sort> {
        Some(match self {
            Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short | Kind::Int => Sort::Int,
            Kind::Long => Sort::Long,
            Kind::Float => Sort::Float,
            Kind::Double => Sort::Double,
            Kind::Reference | Kind::Void => return None,
        })
    }

    /// The least and the greatest value of an integral kind.
    pub fn range(self) -> (i64, i64) {
        match self {
            Kind::Boolean => (0, 1),
            Kind::Byte => (i8::MIN as i64, i8::MAX as i64),
            Kind::Char => (0, u16::MAX as i64),
            Kind::Short => (i16::MIN as i64, i16::MAX as i64),
            Kind::Int => (i32::MIN as i64, i32::MAX as i64),
            _ => (i64::MIN, i64::MAX),
        }
    }

    /// The name of the primitive type in Java source, `None` for references.
    pub fn primitive_name(self) -> Option<&'static str> {
        Some(match self {
            Kind::Boolean => "boolean",
            Kind::Byte => "byte",
            Kind::Char => "char",
            Kind::Short => "short",
            Kind::Int => "int",
            Kind::Long => "long",
            Kind::Float => "float",
            Kind::Double => "double",
            Kind::Void => "void",
            Kind::Reference => return None,
        })
    }

    /// The class that boxes values of a primitive kind; the class of all objects for the others.
    pub fn box_class(self) -> &'static str {
        match self {
            Kind::Boolean => "java/lang/Boolean",
            Kind::Byte => "java/lang/Byte",
            Kind::Char => "java/lang/Character",
            Kind::Short => "java/lang/Short",
            Kind::Int => "java/lang/Integer",
            Kind::Long => "java/lang/Long",
            Kind::Float => "java/lang/Float",
            Kind::Double => "java/lang/Double",
            Kind::Reference | Kind::Void => "java/lang/Object",
        }
    }

    /// The kind of the values that a class boxes.
    pub fn of_box(class: &str) -> Option<Kind> {
        Kind::PRIMITIVES.into_iter().find(|kind| *kind != Kind::Void && kind.box_class() == class)
    }

    /// The letter of the kind in a descriptor.
    pub fn letter(self) -> char {
        match self {
            Kind::Boolean => 'Z',
            Kind::Byte => 'B',
            Kind::Char => 'C',
            Kind::Short => 'S',
            Kind::Int => 'I',
            Kind::Long => 'J',
            Kind::Float => 'F',
            Kind::Double => 'D',
            Kind::Void => 'V',
            Kind::Reference => 'L',
        }
    }

    /// All kinds that have a class object of their own, `void` included.
    pub const PRIMITIVES: [Kind; 9] = [
        Kind::Boolean,
        Kind::Byte,
        Kind::Char,
        Kind::Short,
        Kind::Int,
        Kind::Long,
        Kind::Float,
        Kind::Double,
        Kind::Void,
    ];
}
