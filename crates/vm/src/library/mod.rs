//! How are objects of the library made that inputs are or contain?
//!
//! A user never sees a half-built `HashMap`. So an input of such a class is never invented field by field: a [`LibraryRecipe`] makes it by its own
//! constructor and methods, from elements that stay undecided until something looks at them. The code is a synthetic method that runs as frames of
//! the path, in the middle of the instruction that asked which object is there; that instruction then runs again. What the code does is done
//! before the method in question: it works on objects that it made, and on elements that cannot change.

mod contents;
mod script;

use std::rc::Rc;

use crate::program::{Class, GenericType, Program};
use crate::value::Value;

pub use contents::{LibraryContents, held_by};

/// How objects of one class of the library are made.
#[derive(Debug, PartialEq, Eq)]
pub struct LibraryRecipe {
    /// The class that is made, with slashes.
    pub class: &'static str,
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
    /// An `Optional`, which is empty or holds an object.
    Optional,
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
}

const fn elements(class: &'static str, may_be_null: bool, order: ElementOrder) -> LibraryRecipe {
    LibraryRecipe { class, form: LibraryForm::Elements { may_be_null, order } }
}

const fn pairs(class: &'static str, may_be_null: bool, order: ElementOrder) -> LibraryRecipe {
    LibraryRecipe { class, form: LibraryForm::Pairs { may_be_null, order } }
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
static OPTIONAL: LibraryRecipe = LibraryRecipe { class: "java/util/Optional", form: LibraryForm::Optional };

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
    recipe_of(class).filter(|recipe| recipe.class == class.name)
}

impl LibraryRecipe {
    /// The most elements that such an object takes, if there are to be so many at most.
    pub fn most(&self, bound: usize) -> usize {
        match self.form {
            LibraryForm::Optional => bound.min(1),
            LibraryForm::Elements { .. } | LibraryForm::Pairs { .. } => bound,
        }
    }

    /// Does the code look into the elements when it adds them?
    pub fn looks_at_elements(&self) -> bool {
        match self.form {
            LibraryForm::Elements { order, .. } | LibraryForm::Pairs { order, .. } => {
                order != ElementOrder::Any || self == &PRIORITY_QUEUE
            }
            LibraryForm::Optional => false,
        }
    }

    /// Do all objects of the class that contain the same in the same order behave in the same way? Hash tables have capacities, sorted collections
    /// comparators, and both may contain keys that have changed.
    pub fn is_told_by_contents(&self) -> bool {
        !self.looks_at_elements() && ![&VECTOR, &STACK].contains(&self)
    }

    /// Does the number of elements have no limit of its own?
    pub fn is_unlimited(&self) -> bool {
        self.form != LibraryForm::Optional
    }

    /// The types of the arguments for that many elements: each with a label, and whether it may be null.
    pub fn parameters(&self, program: &Program, declared: Option<&GenericType>, size: usize) -> Vec<RecipeParameter> {
        let argument = |at: usize, of: usize| {
            let given = declared.filter(|declared| declared.arguments.len() == of);
            given.map_or_else(|| GenericType::any(program.known().object), |given| given.arguments[at].clone())
        };
        let mut found = Vec::new();
        for at in 0..size {
            match self.form {
                LibraryForm::Elements { may_be_null, .. } => {
                    found.push(RecipeParameter { label: format!("[{at}]"), declared: argument(0, 1), may_be_null })
                }
                LibraryForm::Pairs { may_be_null, .. } => {
                    let (key, value) = (argument(0, 2), argument(1, 2));
                    found.push(RecipeParameter { label: format!(".key{at}"), declared: key, may_be_null });
                    found.push(RecipeParameter { label: format!(".value{at}"), declared: value, may_be_null: true });
                }
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
