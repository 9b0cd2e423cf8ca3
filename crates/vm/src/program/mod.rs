//! What classes does the program consist of, and how do they hang together?
//!
//! A program is shared by all states and threads. It only grows: classes are loaded when first mentioned, linked once, and
//! stay for the life of the process, so that every state may point at them. What changes while a program runs (static fields,
//! which classes are initialised) belongs to the state, not here.

mod class;
mod code;
mod constructed;
mod described;
pub mod descriptor;
mod dispatch;
mod effect;
mod fuse;
mod generic;
mod handles;
mod instances;
mod known;
mod lambdas;
mod link;
mod liveness;
mod naming;
mod nullness;
mod open;
mod pieces;
mod purity;
mod reach;
mod reassigned;
mod record;
mod resolve;
mod signature;
mod strings;
mod synthetic;
pub(crate) mod translate;
mod used;
mod verify;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use lazuli_classfile::{ClassOrigin, ClassPath, Jdk};
use thiserror::Error;

pub use class::{Class, ClassId, ConstantValue, Field, Form, Hold, Method, MethodId, access};
pub use code::*;
pub use effect::{Effect, OperandKind, Shuffle};
pub use generic::GenericType;
pub use handles::{HandleTarget, Handles, Member};
pub use known::Known;
pub use link::FIRST_MAJOR;
pub(crate) use link::HASH_NODE;
pub use liveness::Liveness;
pub use naming::{is_identifier, is_package_name};
pub use nullness::never_null;
pub use open::{Possible, Split, World, element_of};
pub(crate) use open::{is_constant, is_of_closed_package};
pub(crate) use pieces::{FunctionPiece, PieceForm, pieces_of};
pub use purity::is_declared_pure;
pub use reach::Reach;
pub use resolve::{LinkError, UsedStatics, readable_type};
pub use signature::{LocalVariable, has_parameters, is_end_of_name, local_variables, parameter_names, signature};
pub use strings::StringId;
pub use synthetic::{Assembler, SyntheticClass, SyntheticMethod};
pub use verify::{ClassHierarchy, VerifyError, verify};

use crate::natives;
use crate::value::Kind;

/// Why a class cannot be used. Each becomes the Java error that a JVM throws.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LoadError {
    /// No class path entry has a class of that name.
    #[error("{0}")]
    NotFound(String),
    /// The file of that name declares another class.
    #[error("{class} (wrong name: {found})")]
    Misnamed {
        /// The name that was asked for.
        class: String,
        /// The name in the class file.
        found: String,
    },
    /// The class file cannot be decoded, or breaks a format rule.
    #[error("{class}: {why}")]
    Format {
        /// The class that is malformed.
        class: String,
        /// The rule that it breaks.
        why: String,
    },
    /// The code of a method could do harm.
    #[error("class {class}, method {method}, offset {offset}: {why}")]
    Verify {
        /// The class that declares the method.
        class: String,
        /// The name and descriptor of the method.
        method: String,
        /// The byte offset of the offending instruction.
        offset: u32,
        /// The rule that it breaks.
        why: &'static str,
    },
    /// The class is a supertype of itself.
    #[error("{0}")]
    Circular(String),
    /// The class contradicts one that it extends or implements; the text is the message of the error.
    #[error("{0}")]
    Incompatible(String),
    /// The class file is newer than the JDK reads.
    #[error(
        "{class} has been compiled by a more recent version of the Java Runtime (class file version {major}.{minor}), \
         this version of the Java Runtime only recognizes class file versions up to {newest}.0"
    )]
    Version {
        /// The class that is too new.
        class: String,
        /// Its major version.
        major: u16,
        /// Its minor version.
        minor: u16,
        /// The newest major version that the JDK reads.
        newest: u16,
    },
}

/// The class that a recipe of the library makes, how many elements it takes, and the enumeration whose constants they are.
type ScriptKey = (&'static str, usize, Option<ClassId>, bool);

/// The loaded classes of one class path, with everything that all states share.
pub struct Program {
    path: ClassPath,
    natives: natives::Registry,
    classes: boxcar::Vec<&'static Class>,
    methods: boxcar::Vec<&'static Method>,
    by_name: RwLock<HashMap<&'static str, Result<&'static Class, LoadError>>>,
    /// Held while a class is loaded together with its supertypes, so that no class is linked twice.
    loading: Mutex<()>,
    names: Mutex<HashMap<&'static str, ()>>,
    strings: strings::Strings,
    known: OnceLock<Known>,
    fresh: std::sync::atomic::AtomicU32,
    handles: Handles,
    /// The code of natives that hand over to a Java method: without and with a result.
    stubs: (OnceLock<&'static Code>, OnceLock<&'static Code>),
    /// Files of the JDK that were opened, and their contents.
    files: Mutex<Vec<(std::path::PathBuf, &'static [u8])>>,
    /// The glue by which methods are called reflectively.
    pub(crate) invokers: Mutex<HashMap<MethodId, &'static Method>>,
    /// The glue that calls the overridden methods of contracts.
    dispatchers: Mutex<HashMap<MethodId, &'static Method>>,
    /// The glue that asks a key for its hash code before a hash table places it.
    pub(crate) placing: OnceLock<&'static Method>,
    /// The pieces of functions of one number: by method, its other numbers, and the range of the number.
    pub(crate) tabulated: Mutex<HashMap<TabulatedCall, Option<Arc<[FunctionPiece]>>>>,
    /// The methods that collect what can be reached.
    reaches: Mutex<HashMap<MethodId, Reach>>,
    /// The classes that stand for several possible ones: by bound, further and excluded types, known classes, and whether
    /// there may be others in which world.
    open: Mutex<HashMap<OpenKey, &'static Class>>,
    /// Whether a declared type may have objects of classes that are not known, by world.
    extensible: Mutex<HashMap<(ClassId, World), bool>>,
    /// May the field of a class, by its slot, change after the constructor?
    reassigned: Mutex<HashMap<(ClassId, u32), bool>>,
    users: OnceLock<Users>,
    /// The interfaces of the class path that its lambdas implement, once something asks.
    lambdas: OnceLock<Vec<&'static Class>>,
    /// The slots of the fields that constructors never leave null, by class.
    constructed: Mutex<HashMap<ClassId, &'static [u32]>>,
    /// The methods that make objects of the library, by the class that is made and the number of elements.
    pub(crate) recipes: Mutex<HashMap<ScriptKey, &'static Method>>,
    /// Tells bodies that were read from those that were not.
    period: used::Period,
    /// Is code refused whose verification needs a class that is missing, as a JVM refuses it?
    is_strict: bool,
}

/// The classes of the class path.
#[derive(Default)]
struct Users {
    /// By name.
    loaded: Vec<&'static Class>,
    /// Those that cannot be loaded, each with the reason.
    failures: Vec<(String, LoadError)>,
    /// The loaded ones that are strictly below a class, by name.
    below: HashMap<ClassId, Vec<&'static Class>>,
    /// The loaded ones of each name, without what they are nested in.
    by_simple_name: HashMap<&'static str, Vec<ClassId>>,
}

/// A method, its other numbers, and the least and the greatest of the number that varies.
type TabulatedCall = (MethodId, Vec<i32>, (i32, i32));

type OpenKey = (ClassId, Vec<ClassId>, Vec<ClassId>, Vec<ClassId>, (bool, World));

impl Program {
    /// Opens a program over a class path. Fails if the JDK lacks a class that every program needs.
    pub fn open(path: ClassPath) -> Result<Program, LoadError> {
        let program = Program {
            path,
            natives: natives::Registry::new(),
            classes: boxcar::Vec::new(),
            methods: boxcar::Vec::new(),
            by_name: RwLock::default(),
            loading: Mutex::default(),
            names: Mutex::default(),
            strings: strings::Strings::default(),
            known: OnceLock::new(),
            fresh: 1.into(),
            handles: Handles::default(),
            stubs: Default::default(),
            files: Mutex::default(),
            invokers: Mutex::default(),
            dispatchers: Mutex::default(),
            placing: OnceLock::new(),
            tabulated: Mutex::default(),
            reaches: Mutex::default(),
            open: Mutex::default(),
            extensible: Mutex::default(),
            reassigned: Mutex::default(),
            users: OnceLock::new(),
            lambdas: OnceLock::new(),
            constructed: Mutex::default(),
            recipes: Mutex::default(),
            period: used::Period::default(),
            is_strict: false,
        };
        for kind in Kind::PRIMITIVES {
            program.define_primitive(kind);
        }
        let known = Known::load(&program)?;
        let _ = program.known.set(known);
        Ok(program)
    }

    /// The same program, linked as `java` links it: a class is refused if its verification needs one that is missing. Otherwise only
    /// the paths that need the missing class end.
    pub fn strict(self) -> Program {
        Program { is_strict: true, ..self }
    }

    /// The class path and the JDK that classes are found on.
    pub fn path(&self) -> &ClassPath {
        &self.path
    }

    /// The JDK whose library the program runs on.
    pub fn jdk(&self) -> &Jdk {
        self.path.jdk()
    }

    /// The table of targets that method handles call.
    pub fn handles(&self) -> &Handles {
        &self.handles
    }

    /// Classes and fields that the virtual machine itself relies on.
    #[inline]
    pub fn known(&self) -> &Known {
        self.known.get().expect("set before the program is handed out")
    }

    /// Looks up a class by its id.
    pub fn class(&self, id: ClassId) -> &'static Class {
        self.classes[id.index()]
    }

    /// The model of a signature-polymorphic method, listed under `(...)` because its descriptor varies.
    pub fn polymorphic_model(&self, method: &Method) -> Option<natives::Native> {
        self.natives.find(method.class().name, method.name, "(...)")
    }

    /// Looks up a class by the number that a mirror stores.
    pub fn class_at(&self, index: usize) -> &'static Class {
        self.classes[index]
    }

    /// Looks up a method by the index of its id.
    pub fn method(&self, index: u32) -> &'static Method {
        self.methods[index as usize]
    }

    /// The number of classes loaded so far.
    pub fn class_count(&self) -> usize {
        self.classes.count()
    }

    /// The class of that name (with slashes, or an array descriptor), loaded if necessary.
    pub fn load(&self, name: &str) -> Result<&'static Class, LoadError> {
        if let Some(known) = self.loaded(name) {
            return known;
        }
        let _guard = self.loading.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.load_under(name, &mut Vec::new())
    }

    /// The number of a file that is read as a whole when first opened, and then stays as it was.
    pub fn open_file(&self, path: &std::path::Path) -> std::io::Result<usize> {
        let mut files = self.files.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(index) = files.iter().position(|(known, _)| known == path) {
            return Ok(index);
        }
        let contents = std::fs::read(path)?;
        files.push((path.to_path_buf(), Box::leak(contents.into_boxed_slice())));
        Ok(files.len() - 1)
    }

    /// The contents of a file that was opened.
    pub fn opened_file(&self, index: usize) -> Option<&'static [u8]> {
        let files = self.files.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        files.get(index).map(|(_, contents)| *contents)
    }

    /// Adds a class that the program made at run time, named with slashes. None if a different class has that name already:
    /// names are shared by all states, and a state that makes the same class again gets the same.
    pub fn define_bytes(
        &self,
        name: &str,
        bytes: &[u8],
        origin: ClassOrigin,
    ) -> Result<Option<&'static Class>, LoadError> {
        let _guard = self.loading.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match self.load_under(name, &mut Vec::new()) {
            Ok(class) => Ok(Some(class).filter(|class| class.bytes == Some(bytes))),
            Err(LoadError::NotFound(_)) => {
                let found = lazuli_classfile::ClassBytes { bytes: Box::leak(bytes.into()), origin };
                self.link(name, found, &mut Vec::new()).map(Some)
            }
            Err(error) => Err(error),
        }
    }

    /// The class of a field descriptor: primitive, array or ordinary.
    pub fn load_descriptor(&self, descriptor: &str) -> Result<&'static Class, LoadError> {
        self.load(descriptor::class_name(descriptor))
    }

    /// The class object of a primitive type or `void`; panics for references.
    pub fn primitive(&self, kind: Kind) -> &'static Class {
        let name = kind.primitive_name().expect("only asked for primitive kinds");
        self.loaded(name).expect("primitives are defined first").expect("primitives have no file that could be broken")
    }

    /// The class of arrays with these components.
    pub fn array_class(&self, component: &'static Class) -> &'static Class {
        assert!(!component.is_open(), "an open class has no name that an array class could have");
        component.array.get_or_init(|| self.define_array(component))
    }

    /// A copy of the text that lives as long as the program; equal texts share one.
    pub fn intern_name(&self, name: &str) -> &'static str {
        let mut names = self.names.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((known, ())) = names.get_key_value(name) {
            return known;
        }
        let leaked: &'static str = Box::leak(name.to_string().into_boxed_str());
        names.insert(leaked, ());
        leaked
    }

    fn loaded(&self, name: &str) -> Option<Result<&'static Class, LoadError>> {
        self.by_name.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(name).cloned()
    }

    fn remember(&self, name: &'static str, result: Result<&'static Class, LoadError>) {
        self.by_name.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(name, result);
    }

    /// Loads with the lock held. `pending` are the classes whose supertypes are being loaded.
    fn load_under(&self, name: &str, pending: &mut Vec<String>) -> Result<&'static Class, LoadError> {
        if let Some(known) = self.loaded(name) {
            return known;
        }
        if pending.iter().any(|waiting| waiting == name) || pending.len() > 500 {
            return Err(LoadError::Circular(name.to_string()));
        }
        if let Some(component) = name.strip_prefix('[') {
            let dimensions = name.bytes().take_while(|byte| *byte == b'[').count();
            if !descriptor::is_field(component) || dimensions > 255 {
                return Err(LoadError::NotFound(name.to_string()));
            }
            let component = self.load_under(descriptor::class_name(component), pending)?;
            return Ok(self.array_class(component));
        }
        let found = match self.path.find(name) {
            Ok(Some(found)) => found,
            Ok(None) => return Err(LoadError::NotFound(name.to_string())),
            Err(error) => return Err(LoadError::Format { class: name.to_string(), why: error.to_string() }),
        };
        pending.push(name.to_string());
        let result = self.link(name, found, pending);
        pending.pop();
        if result.is_err() {
            self.remember(self.intern_name(name), result.clone());
        }
        result
    }

    fn define_primitive(&self, kind: Kind) {
        let name = kind.primitive_name().expect("only called for primitive kinds");
        let access = access::PUBLIC | access::FINAL | access::ABSTRACT;
        self.define(Class {
            access,
            form: Form::Primitive(kind),
            ..Class::blank(name, ClassOrigin::Jdk { module: "java.base".into() })
        });
    }

    fn define_array(&self, component: &'static Class) -> &'static Class {
        let known = |name: &str| self.loaded(name).and_then(Result::ok).expect("loaded before any array");
        let object = known("java/lang/Object");
        let interfaces = vec![known("java/lang/Cloneable"), known("java/io/Serializable")];
        let mut supertypes: Vec<ClassId> = interfaces.iter().map(|class| class.id).chain([object.id]).collect();
        supertypes.sort();
        let visibility = component.access & (access::PUBLIC | access::PRIVATE | access::PROTECTED);
        self.define(Class {
            access: visibility | access::FINAL | access::ABSTRACT,
            super_class: Some(object),
            interfaces,
            form: Form::Array { component },
            vtable: object.vtable.clone(),
            supertypes: supertypes.into(),
            ..Class::blank(self.intern_name(&descriptor::array_of(component.name)), component.origin.clone())
        })
    }

    /// Gives the class its place for life.
    fn define(&self, class: Class) -> &'static Class {
        let class = self.place(class);
        self.remember(class.name, Ok(class));
        class
    }

    /// The same for a class that has no name of its own.
    fn place(&self, class: Class) -> &'static Class {
        let mut class = Some(class);
        let index = self.classes.push_with(|index| {
            let class = Class { id: ClassId(index as u32), ..class.take().expect("called once") };
            let class: &'static Class = Box::leak(Box::new(class));
            for method in &class.methods {
                let _ = method.class.set(class);
            }
            class
        });
        self.classes[index]
    }
}
