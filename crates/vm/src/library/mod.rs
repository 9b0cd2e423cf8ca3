//! How are objects of the library made that inputs are or contain?
//!
//! A user never sees a half-built `HashMap`. So an input of such a class is never invented field by field: a [`LibraryRecipe`] makes it by its own
//! constructor and methods, from elements that stay undecided until something looks at them. The code is a synthetic method that runs as frames of
//! the path, in the middle of the instruction that asked which object is there; that instruction then runs again. What the code does is done
//! before the method in question: it works on objects that it made, and on elements that cannot change.

mod contents;
mod script;

use std::ops::RangeInclusive;
use std::rc::Rc;

use crate::program::{Class, Field, GenericType, Program, access};
use crate::value::Value;

pub use contents::{LibraryContents, held_by};

/// How objects of one class of the library are made.
#[derive(Debug, PartialEq, Eq)]
pub struct LibraryRecipe {
    /// The class whose constructor or factory makes them, with slashes.
    pub class: &'static str,
    /// The class that they then have. Example: `java/util/RegularEnumSet` for `EnumSet.noneOf`.
    pub made: &'static str,
    /// Its constructor or factory, and what it takes.
    pub form: LibraryForm,
}

/// The kind of contents that an object of the library has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryForm {
    /// A collection, to which elements are added.
    Elements {
        /// May an element be null?
        may_be_null: bool,
        /// Which elements may follow each other.
        order: ElementOrder,
    },
    /// A map, into which pairs are put.
    Pairs {
        /// May a key be null?
        may_be_null: bool,
        /// Which keys may follow each other.
        order: ElementOrder,
    },
    /// A collection of constants of one enumeration.
    Constants,
    /// A map from constants of one enumeration.
    PairsOfConstants,
    /// An `Optional`, which is empty or holds an object.
    Optional,
    /// One key with its value.
    Entry,
    /// A stream over an array with these elements, which nothing has been asked of yet.
    Stream {
        /// The box in which elements of a primitive type come.
        of: Option<StreamBox>,
    },
}

/// The elements of a stream of a primitive type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamBox {
    /// The class of their boxes.
    pub class: &'static str,
    /// The method that opens one.
    pub open: &'static str,
    /// The descriptor of the primitive type.
    pub descriptor: &'static str,
}

/// Which elements or keys may follow each other, where the order in which they are added does not matter or must not be tried twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementOrder {
    /// Any may follow any.
    Any,
    /// No two are equal.
    Distinct,
    /// Each is greater than the one before it.
    Ascending,
}

/// An object that a recipe made.
#[derive(Clone)]
pub struct BuiltObject {
    /// The recipe.
    pub recipe: &'static LibraryRecipe,
    /// The elements; of a map, each key and then its value.
    pub arguments: Rc<[Value]>,
    /// The enumeration of constants that it may hold.
    pub constants: Option<&'static Class>,
}

const fn elements(class: &'static str, may_be_null: bool, order: ElementOrder) -> LibraryRecipe {
    LibraryRecipe { class, made: class, form: LibraryForm::Elements { may_be_null, order } }
}

const fn pairs(class: &'static str, may_be_null: bool, order: ElementOrder) -> LibraryRecipe {
    LibraryRecipe { class, made: class, form: LibraryForm::Pairs { may_be_null, order } }
}

const fn of(class: &'static str, made: &'static str, form: LibraryForm) -> LibraryRecipe {
    LibraryRecipe { class, made, form }
}

static ARRAY_LIST: LibraryRecipe = elements("java/util/ArrayList", true, ElementOrder::Any);
static LINKED_LIST: LibraryRecipe = elements("java/util/LinkedList", true, ElementOrder::Any);
static VECTOR: LibraryRecipe = elements("java/util/Vector", true, ElementOrder::Any);
static STACK: LibraryRecipe = elements("java/util/Stack", true, ElementOrder::Any);
static ARRAY_DEQUE: LibraryRecipe = elements("java/util/ArrayDeque", false, ElementOrder::Any);
static PRIORITY_QUEUE: LibraryRecipe = elements("java/util/PriorityQueue", false, ElementOrder::Any);
static HASH_SET: LibraryRecipe = elements("java/util/HashSet", true, ElementOrder::Distinct);
static LINKED_HASH_SET: LibraryRecipe = elements("java/util/LinkedHashSet", true, ElementOrder::Distinct);
static TREE_SET: LibraryRecipe = elements("java/util/TreeSet", false, ElementOrder::Ascending);
static HASH_MAP: LibraryRecipe = pairs("java/util/HashMap", true, ElementOrder::Distinct);
static LINKED_HASH_MAP: LibraryRecipe = pairs("java/util/LinkedHashMap", true, ElementOrder::Distinct);
static TREE_MAP: LibraryRecipe = pairs("java/util/TreeMap", false, ElementOrder::Ascending);
static OPTIONAL: LibraryRecipe = of("java/util/Optional", "java/util/Optional", LibraryForm::Optional);
static ENUM_SET: LibraryRecipe = of("java/util/EnumSet", "java/util/RegularEnumSet", LibraryForm::Constants);
static ENUM_MAP: LibraryRecipe = of("java/util/EnumMap", "java/util/EnumMap", LibraryForm::PairsOfConstants);
static ENTRY: LibraryRecipe =
    of("java/util/AbstractMap$SimpleEntry", "java/util/AbstractMap$SimpleEntry", LibraryForm::Entry);
static STREAM: LibraryRecipe =
    of("java/util/stream/Stream", "java/util/stream/ReferencePipeline$Head", LibraryForm::Stream { of: None });
static INT_STREAM: LibraryRecipe = of(
    "java/util/stream/IntStream",
    "java/util/stream/IntPipeline$Head",
    LibraryForm::Stream { of: Some(StreamBox { class: "java/lang/Integer", open: "intValue", descriptor: "I" }) },
);
static LONG_STREAM: LibraryRecipe = of(
    "java/util/stream/LongStream",
    "java/util/stream/LongPipeline$Head",
    LibraryForm::Stream { of: Some(StreamBox { class: "java/lang/Long", open: "longValue", descriptor: "J" }) },
);
static DOUBLE_STREAM: LibraryRecipe = of(
    "java/util/stream/DoubleStream",
    "java/util/stream/DoublePipeline$Head",
    LibraryForm::Stream { of: Some(StreamBox { class: "java/lang/Double", open: "doubleValue", descriptor: "D" }) },
);

/// Declared types, and the recipe for their objects. Behind an interface stands the class that most programs use there.
static RECIPES: &[(&str, &LibraryRecipe)] = &[
    ("java/lang/Iterable", &ARRAY_LIST),
    ("java/util/Collection", &ARRAY_LIST),
    ("java/util/AbstractCollection", &ARRAY_LIST),
    ("java/util/List", &ARRAY_LIST),
    ("java/util/AbstractList", &ARRAY_LIST),
    ("java/util/ArrayList", &ARRAY_LIST),
    ("java/util/RandomAccess", &ARRAY_LIST),
    ("java/util/LinkedList", &LINKED_LIST),
    ("java/util/AbstractSequentialList", &LINKED_LIST),
    ("java/util/Vector", &VECTOR),
    ("java/util/Stack", &STACK),
    ("java/util/Queue", &ARRAY_DEQUE),
    ("java/util/Deque", &ARRAY_DEQUE),
    ("java/util/ArrayDeque", &ARRAY_DEQUE),
    ("java/util/PriorityQueue", &PRIORITY_QUEUE),
    ("java/util/AbstractQueue", &PRIORITY_QUEUE),
    ("java/util/Set", &HASH_SET),
    ("java/util/AbstractSet", &HASH_SET),
    ("java/util/HashSet", &HASH_SET),
    ("java/util/LinkedHashSet", &LINKED_HASH_SET),
    ("java/util/SortedSet", &TREE_SET),
    ("java/util/NavigableSet", &TREE_SET),
    ("java/util/TreeSet", &TREE_SET),
    ("java/util/Map", &HASH_MAP),
    ("java/util/AbstractMap", &HASH_MAP),
    ("java/util/HashMap", &HASH_MAP),
    ("java/util/LinkedHashMap", &LINKED_HASH_MAP),
    ("java/util/SortedMap", &TREE_MAP),
    ("java/util/NavigableMap", &TREE_MAP),
    ("java/util/TreeMap", &TREE_MAP),
    ("java/util/Optional", &OPTIONAL),
    ("java/util/EnumSet", &ENUM_SET),
    ("java/util/EnumMap", &ENUM_MAP),
    ("java/util/Map$Entry", &ENTRY),
    ("java/util/AbstractMap$SimpleEntry", &ENTRY),
    ("java/util/stream/Stream", &STREAM),
    ("java/util/stream/IntStream", &INT_STREAM),
    ("java/util/stream/LongStream", &LONG_STREAM),
    ("java/util/stream/DoubleStream", &DOUBLE_STREAM),
];

/// The recipe for the objects of a declared type, if the library's objects there are made by one.
pub fn recipe_of(declared: &Class) -> Option<&'static LibraryRecipe> {
    if declared.is_users() || !declared.name.starts_with("java/") {
        return None;
    }
    RECIPES.iter().find(|(name, _)| *name == declared.name).map(|(_, recipe)| *recipe)
}

/// The recipe that makes objects of exactly this class.
pub fn recipe_for(class: &Class) -> Option<&'static LibraryRecipe> {
    if class.is_users() || !class.name.starts_with("java/") {
        return None;
    }
    RECIPES.iter().find(|(_, recipe)| recipe.made == class.name).map(|(_, recipe)| *recipe)
}

impl LibraryRecipe {
    /// How a verdict calls such an object.
    pub fn told(&self) -> &'static str {
        match self.form {
            LibraryForm::Stream { .. } => "array stream",
            LibraryForm::PairsOfConstants => "EnumMap without null value",
            _ => self.class.rsplit(['/', '$']).next().unwrap_or(self.class),
        }
    }

    /// The numbers of elements that such an object takes, if there are to be so many at most.
    pub fn sizes(&self, bound: usize, constants: Option<&'static Class>) -> RangeInclusive<usize> {
        let is_constant = |field: &&Field| field.access & access::ENUM != 0;
        match self.form {
            LibraryForm::Optional => 0..=bound.min(1),
            LibraryForm::Entry => 1..=1,
            LibraryForm::Constants | LibraryForm::PairsOfConstants => {
                let all = constants.map_or(0, |constants| constants.fields.iter().filter(is_constant).count());
                0..=bound.min(all)
            }
            LibraryForm::Elements { .. } | LibraryForm::Pairs { .. } | LibraryForm::Stream { .. } => 0..=bound,
        }
    }

    /// How many values make one element.
    pub fn values_of_element(&self) -> usize {
        match self.form {
            LibraryForm::Pairs { .. } | LibraryForm::PairsOfConstants | LibraryForm::Entry => 2,
            _ => 1,
        }
    }

    /// Are all elements or keys constants of one enumeration?
    pub fn is_of_constants(&self) -> bool {
        matches!(self.form, LibraryForm::Constants | LibraryForm::PairsOfConstants)
    }

    /// The enumeration of the elements or keys at a place of this type. None if the recipe wants none, or the type names none.
    pub fn constants_of(&self, declared: Option<&GenericType>) -> Option<&'static Class> {
        let first = declared?.arguments.first()?.class;
        Some(first).filter(|class| self.is_of_constants() && class.access & access::ENUM != 0)
    }

    /// Does the code look into the elements when it adds them?
    pub fn looks_at_elements(&self) -> bool {
        match self.form {
            LibraryForm::Elements { order, .. } | LibraryForm::Pairs { order, .. } => {
                order != ElementOrder::Any || self == &PRIORITY_QUEUE
            }
            LibraryForm::Constants | LibraryForm::PairsOfConstants | LibraryForm::Stream { of: Some(_) } => true,
            LibraryForm::Optional | LibraryForm::Entry | LibraryForm::Stream { of: None } => false,
        }
    }

    /// Do all objects of the class that contain the same in the same order behave in the same way? Hash tables have capacities, sorted collections
    /// comparators, and both may contain keys that have changed.
    pub fn is_told_by_contents(&self) -> bool {
        match self.form {
            LibraryForm::Elements { .. } | LibraryForm::Pairs { .. } => {
                !self.looks_at_elements() && ![&VECTOR, &STACK].contains(&self)
            }
            _ => true,
        }
    }

    /// Does the number of elements have no limit of its own?
    pub fn is_unlimited(&self) -> bool {
        !matches!(self.form, LibraryForm::Optional | LibraryForm::Entry)
    }

    /// The types of the arguments for that many elements: each with a label, and whether it may be null.
    pub fn parameters(&self, program: &Program, declared: Option<&GenericType>, size: usize) -> Vec<RecipeParameter> {
        let argument = |at: usize, of: usize| {
            let given = declared.filter(|declared| declared.arguments.len() == of);
            given.map_or_else(|| GenericType::any(program.known().object), |given| given.arguments[at].clone())
        };
        let mut found = Vec::new();
        for at in 0..size {
            let mut pair = |may_be_null: [bool; 2], at: &str| {
                let names = [format!(".key{at}"), format!(".value{at}")];
                for (index, (label, may_be_null)) in names.into_iter().zip(may_be_null).enumerate() {
                    found.push(RecipeParameter { label, declared: argument(index, 2), may_be_null });
                }
            };
            match self.form {
                LibraryForm::Elements { may_be_null, .. } => {
                    found.push(RecipeParameter { label: format!("[{at}]"), declared: argument(0, 1), may_be_null })
                }
                LibraryForm::Constants => {
                    let label = format!("[{at}]");
                    found.push(RecipeParameter { label, declared: argument(0, 1), may_be_null: false })
                }
                LibraryForm::Stream { of } => {
                    let boxed = of.and_then(|of| program.load(of.class).ok()).map(GenericType::any);
                    let may_be_null = boxed.is_none();
                    let declared = boxed.unwrap_or_else(|| argument(0, 1));
                    found.push(RecipeParameter { label: format!("[{at}]"), declared, may_be_null })
                }
                LibraryForm::Pairs { may_be_null, .. } => pair([may_be_null, true], &at.to_string()),
                LibraryForm::PairsOfConstants => pair([false; 2], &at.to_string()),
                LibraryForm::Entry => pair([true; 2], ""),
                LibraryForm::Optional => {
                    let label = ".get()".to_string();
                    found.push(RecipeParameter { label, declared: argument(0, 1), may_be_null: false })
                }
            }
        }
        found
    }
}

/// An argument of a recipe.
pub struct RecipeParameter {
    /// Behind the name of the object: `[0]`, `.key1`.
    pub label: String,
    /// Its type.
    pub declared: GenericType,
    /// May it be null?
    pub may_be_null: bool,
}
