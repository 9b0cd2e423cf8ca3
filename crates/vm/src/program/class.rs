//! What does a class declare, and what does it inherit?

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;

use lazuli_classfile::ClassOrigin;
use lazuli_classfile::format::ClassFile;
use lazuli_classfile::format::attributes::{AttributeData, BootstrapMethodEntry};

use super::code::{Code, DynamicSite};
use super::{LoadError, is_end_of_name};
use crate::natives::{CallWatch, Native};
use crate::value::{Kind, Value};

/// Access flags (JVMS §4.1, §4.5, §4.6).
pub mod access {
    /// Accessible from every package.
    pub const PUBLIC: u16 = 0x0001;
    /// Accessible only within the nest of the declaring class.
    pub const PRIVATE: u16 = 0x0002;
    /// Accessible in the package and in subclasses.
    pub const PROTECTED: u16 = 0x0004;
    /// Belongs to the class and not to its objects.
    pub const STATIC: u16 = 0x0008;
    /// A class without subclasses, a method without overriders, a field assigned once.
    pub const FINAL: u16 = 0x0010;
    /// A method that holds a monitor while it runs.
    pub const SYNCHRONIZED: u16 = 0x0020;
    /// A method whose last parameter takes any number of arguments.
    pub const VARARGS: u16 = 0x0080;
    /// A field that threads read as it was written last.
    pub const VOLATILE: u16 = 0x0040;
    /// A method without bytecode.
    pub const NATIVE: u16 = 0x0100;
    /// An interface and not a class.
    pub const INTERFACE: u16 = 0x0200;
    /// A class without direct objects, or a method without a body.
    pub const ABSTRACT: u16 = 0x0400;
    /// Made by a compiler and not in the source.
    pub const SYNTHETIC: u16 = 0x1000;
    /// An enumeration, or a field that holds one of its constants.
    pub const ENUM: u16 = 0x4000;
}

/// The number of a class in its program, in the order of loading.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassId(pub(super) u32);

impl ClassId {
    /// The position in tables that have an entry per class.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The layout of the objects of a class.
#[derive(Clone, Copy)]
pub enum Form {
    /// Objects with fields.
    Ordinary,
    /// Arrays.
    Array {
        /// The class of the elements, itself an array class in nested arrays.
        component: &'static Class,
    },
    /// The class object of a primitive type or `void`; it has no instances.
    Primitive(Kind),
}

/// How firmly the objects of a class hold what they refer to, as `java.lang.ref` has it. All others hold it strongly.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// Keeps the referent alive.
    Strong,
    /// Keeps the referent alive while there is memory (`SoftReference`).
    Soft,
    /// Does not keep the referent alive (`WeakReference`, `PhantomReference`).
    Weak,
}

/// A field that a class declares.
pub struct Field {
    /// The simple name.
    pub name: &'static str,
    /// The declared type as a descriptor.
    pub descriptor: &'static str,
    /// How values are stored and narrowed.
    pub kind: Kind,
    /// The access flags, see [`access`].
    pub access: u16,
    /// Index into the object's fields; of a static field: into the fields of the class's mirror.
    pub slot: u32,
    /// The `ConstantValue` of a static field.
    pub constant: Option<ConstantValue>,
}

/// The initial value of a static field from the class file (JVMS §4.7.2).
#[derive(Clone, Copy)]
pub enum ConstantValue {
    /// A primitive.
    Value(Value),
    /// A string, which each state interns on its own.
    String(super::StringId),
}

impl Field {
    /// Does the field belong to the class and not to its objects?
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }
}

/// A linked class. Classes live as long as the process, so states and frames simply point at them.
pub struct Class {
    /// The number in its program.
    pub id: ClassId,
    /// The binary name with slashes, such as `java/util/Map$Entry` or `[Ljava/lang/String;`.
    pub name: &'static str,
    /// The access flags, see [`access`].
    pub access: u16,
    /// The direct superclass: `java.lang.Object` for interfaces, none for `java.lang.Object` itself and primitives.
    pub super_class: Option<&'static Class>,
    /// The direct superinterfaces.
    pub interfaces: Vec<&'static Class>,
    /// Ordinary, array or primitive.
    pub form: Form,
    /// Of the field `referent` of a `java.lang.ref.Reference`.
    pub hold: Hold,
    /// The side that the class comes from: a module of the JDK, or the user's class path.
    pub origin: ClassOrigin,
    /// The outline of the class file; synthetic and array classes have none.
    pub file: Option<&'static ClassFile<'static>>,
    /// The class file as it was read; none for synthetic and array classes.
    pub bytes: Option<&'static [u8]>,
    /// The fields that the class itself declares, static ones included.
    pub fields: Vec<Field>,
    /// The methods that the class itself declares, constructors and initialisers included.
    pub methods: Vec<&'static Method>,
    pub(super) by_signature: HashMap<(&'static str, &'static str), usize>,
    /// The methods that virtual calls select from, by `Method::vindex`; inherited ones included.
    pub vtable: Vec<&'static Method>,
    /// The initial contents of an instance.
    pub defaults: Box<[Value]>,
    /// The initial contents of the static fields, to follow the fields that `java.lang.Class` itself declares.
    pub static_defaults: Box<[Value]>,
    /// All proper supertypes, sorted by id.
    pub(super) supertypes: Box<[ClassId]>,
    pub(super) array: OnceLock<&'static Class>,
    /// Does the type of a field of its objects depend on what type variables stand for?
    pub has_variables: bool,
    /// Do its objects box primitive values?
    pub is_box: bool,
    /// May two names of objects denote one? Those of the JDK may, of which a caller can get the same as the program, and those whose class is not decided.
    pub is_valued: bool,
    /// Whether the bodies were translated and found harmless; and why a JVM would refuse them all the same, if it would.
    pub(super) codes: OnceLock<Result<Option<LoadError>, LoadError>>,
    pub(super) initialiser_stub: OnceLock<&'static Method>,
    /// Of the class of an input that is not one class yet.
    pub(super) possible: Option<Box<super::open::Possible>>,
}

impl Class {
    /// Is it an interface? An annotation type is one, too.
    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    /// Can no object have exactly this class? Interfaces are abstract, too.
    pub fn is_abstract(&self) -> bool {
        self.access & access::ABSTRACT != 0
    }

    /// Is it an array class?
    pub fn is_array(&self) -> bool {
        matches!(self.form, Form::Array { .. })
    }

    /// The class of the elements; none if this is no array class.
    pub fn component(&self) -> Option<&'static Class> {
        match self.form {
            Form::Array { component } => Some(component),
            _ => None,
        }
    }

    /// How the elements of this array class are stored.
    #[inline]
    pub fn component_kind(&self) -> Option<Kind> {
        match self.form {
            Form::Array { component } => Some(component.kind()),
            _ => None,
        }
    }

    /// How a variable of this type is stored.
    #[inline]
    pub fn kind(&self) -> Kind {
        match self.form {
            Form::Primitive(kind) => kind,
            _ => Kind::Reference,
        }
    }

    /// May a value of this class be stored in a variable of type `target` (JVMS §6.5.checkcast)?
    #[inline]
    pub fn is_subtype_of(&self, target: &Class) -> bool {
        if self.id == target.id {
            return true;
        }
        if let (Form::Array { component: own }, Form::Array { component: other }) = (self.form, target.form) {
            return match (own.form, other.form) {
                (Form::Primitive(_), _) | (_, Form::Primitive(_)) => own.id == other.id,
                _ => own.is_subtype_of(other),
            };
        }
        self.supertypes.binary_search(&target.id).is_ok()
    }

    /// A method that this class itself declares.
    pub fn own_method(&self, name: &str, descriptor: &str) -> Option<&'static Method> {
        self.by_signature.get(&(name, descriptor)).map(|index| self.methods[*index])
    }

    /// This class and its superclasses, nearest first.
    pub fn chain(&'static self) -> impl Iterator<Item = &'static Class> {
        std::iter::successors(Some(self), |class| class.super_class)
    }

    /// A field by name, own or inherited from a superclass.
    pub fn field(&'static self, name: &str) -> Option<&'static Field> {
        self.chain().find_map(|class| class.fields.iter().find(|field| field.name == name))
    }

    /// The static fields that hold the constants of an enumeration, in order of declaration.
    pub fn enum_constants(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.is_static() && field.access & access::ENUM != 0)
    }

    /// The instance field that lives in a slot.
    pub fn field_at(&'static self, slot: u32) -> Option<&'static Field> {
        self.chain().find_map(|class| class.fields.iter().find(|field| !field.is_static() && field.slot == slot))
    }

    /// The field at a slot, and the class that declares it.
    pub fn declaration_at(&'static self, slot: u32) -> Option<(&'static Class, &'static Field)> {
        let is_there = |field: &&Field| !field.is_static() && field.slot == slot;
        self.chain().find_map(|class| Some((class, class.fields.iter().find(is_there)?)))
    }

    /// The label of the field at a slot: its name, or its name with its class if it hides a field of a superclass. More may become
    /// known later about the class of an object, but that does not change the labels of inherited fields.
    pub fn label_at(&'static self, slot: u32) -> Option<String> {
        let (owner, field) = self.declaration_at(slot)?;
        let is_same = |other: &Field| !other.is_static() && other.name == field.name;
        let hides = owner.chain().skip(1).any(|above| above.fields.iter().any(is_same));
        Some(if hides { format!("{}.{}", owner.java_name(), field.name) } else { field.name.to_string() })
    }

    /// The name as Java prints it: `java.util.Map$Entry`, `[Ljava.lang.String;`.
    pub fn java_name(&self) -> String {
        self.name.replace('/', ".")
    }

    /// Does a user mean this class by that name: its full name, or an end of it that begins with a name? `Map.Entry`, `Map$Entry` and `Entry` mean
    /// `java.util.Map$Entry`.
    pub fn is_called(&self, name: &str) -> bool {
        is_end_of_name(name, &self.java_name())
    }

    /// The type as a descriptor: `I`, `Ljava/lang/String;`, `[I`.
    pub fn descriptor(&self) -> String {
        match self.form {
            Form::Primitive(kind) => kind.letter().to_string(),
            Form::Array { .. } => self.name.to_string(),
            Form::Ordinary => format!("L{};", self.name),
        }
    }

    /// The package with slashes; empty for the unnamed one.
    pub fn package(&self) -> &'static str {
        self.name.rsplit_once('/').map_or("", |(package, _)| package)
    }

    /// Does the class come from the user's class path?
    pub fn is_users(&self) -> bool {
        self.origin == ClassOrigin::User
    }

    /// The attributes of the class in its class file; none for synthetic classes.
    pub fn attributes(&self) -> impl Iterator<Item = &'static AttributeData<'static>> {
        self.file.into_iter().flat_map(|file| file.attributes.iter().map(|attribute| &attribute.data))
    }

    /// The bootstrap method of a dynamic call site in the code of the class, with its arguments (JVMS §4.7.23).
    pub fn bootstrap_of(&self, site: &DynamicSite) -> Option<&'static BootstrapMethodEntry<'static>> {
        self.attributes().find_map(|attribute| match attribute {
            AttributeData::BootstrapMethods(entries) => entries.get(site.bootstrap as usize),
            _ => None,
        })
    }

    /// The name of the source file, if the class file tells.
    pub fn source_file(&self) -> Option<&'static str> {
        self.attributes().find_map(|attribute| match attribute {
            AttributeData::SourceFile(name) => Some(name.as_ref()),
            _ => None,
        })
    }
}

/// The number of a method in its program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MethodId(pub(super) u32);

impl MethodId {
    /// The position in the program's table of methods.
    pub fn index(self) -> u32 {
        self.0
    }
}

/// A method, constructor or initialiser that a class declares.
pub struct Method {
    /// The number in its program; `u32::MAX` for stubs that are never looked up.
    pub id: MethodId,
    /// The simple name; `<init>` and `<clinit>` for constructors and initialisers.
    pub name: &'static str,
    /// The parameter and result types as a descriptor.
    pub descriptor: &'static str,
    /// The access flags, see [`access`].
    pub access: u16,
    /// The kinds of the parameters, without the receiver.
    pub parameters: Box<[Kind]>,
    /// The kind of the result, `Void` if there is none.
    pub result: Kind,
    /// Argument values on the stack, the receiver included.
    pub arguments: u32,
    /// Index into the vtable of the class and its subclasses; none for static, private, interface methods and constructors.
    pub vindex: Option<u32>,
    /// Is the frame left out of stack traces, as HotSpot does with its own glue?
    pub hidden: bool,
    pub(super) class: OnceLock<&'static Class>,
    pub(super) code: OnceLock<Code>,
    /// The last period in which the body was read.
    pub(super) used: AtomicU32,
    /// The model that replaces a native or intrinsic method.
    pub native: Option<Native>,
    /// The model for arguments that are not all known.
    pub symbolic: Option<Native>,
    /// Notes in an exploration that the method is called.
    pub watched: Option<CallWatch>,
    /// The model that an exploration asks first where something is unknown. It gets the arguments as they are, and mostly leaves the call to the
    /// method's own code.
    pub guide: Option<Native>,
    /// The names of the parameters of a method that stands in no class file; none of others.
    pub(super) names: Option<Box<[String]>>,
}

impl Method {
    /// The class that declares the method.
    pub fn class(&self) -> &'static Class {
        self.class.get().expect("a method belongs to its class before anybody sees it")
    }

    /// Has the method no receiver?
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }

    /// Has the method no body that subclasses could inherit?
    pub fn is_abstract(&self) -> bool {
        self.access & access::ABSTRACT != 0
    }

    /// Is the method called without selection?
    pub fn is_private(&self) -> bool {
        self.access & access::PRIVATE != 0
    }

    /// Does a call hold the monitor of the receiver or of the class?
    pub fn is_synchronized(&self) -> bool {
        self.access & access::SYNCHRONIZED != 0
    }

    /// Is this one of the methods whose call sites each have a type of their own (JVMS §2.9.3)?
    pub fn is_signature_polymorphic(&self) -> bool {
        let both = access::NATIVE | access::VARARGS;
        self.access & both == both
            && matches!(self.class().name, "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle")
            && self.descriptor.starts_with("([Ljava/lang/Object;)")
    }

    /// `java.util.ArrayList.get(I)Ljava/lang/Object;`
    pub fn full_name(&self) -> String {
        format!("{}.{}{}", self.class().java_name(), self.name, self.descriptor)
    }

    /// The attributes of this method in its class file.
    pub fn attributes(&self) -> impl Iterator<Item = &'static AttributeData<'static>> {
        let index = self.class().by_signature.get(&(self.name, self.descriptor)).copied();
        let info = index.and_then(|index| self.class().file?.methods.get(index));
        info.into_iter().flat_map(|info| info.attributes.iter().map(|attribute| &attribute.data))
    }
}
