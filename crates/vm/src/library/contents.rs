//! Which elements does an object of the library hold now, in the order in which a recipe takes them?

use super::{LibraryForm, LibraryRecipe, recipe_for};
use crate::heap::Heap;
use crate::program::Class;
use crate::value::{ObjId, Value};

/// The contents of an object of the library.
pub struct LibraryContents {
    /// The recipe by which an object with these contents is made.
    pub recipe: &'static LibraryRecipe,
    /// The elements; of a map, each key and then its value.
    pub values: Vec<Value>,
    /// The enumeration of constants that it may hold.
    pub constants: Option<&'static Class>,
}

/// More elements are not listed.
const MOST: usize = 1 << 16;

/// Reads an object of a class that has a recipe. None if it is no such object, or one that a recipe does not make, such as a sorted map with a
/// comparator of its own.
pub fn held_by(heap: &Heap, object: ObjId) -> Option<LibraryContents> {
    let recipe = recipe_for(heap.class(object))?;
    let reader = LibraryReader { heap };
    let mut constants = None;
    let values = match recipe.class {
        "java/util/ArrayList" => reader.array(object, "elementData", "size"),
        "java/util/Vector" | "java/util/Stack" => reader.array(object, "elementData", "elementCount"),
        "java/util/PriorityQueue" if reader.is_null(object, "comparator") => reader.array(object, "queue", "size"),
        "java/util/LinkedList" => reader.chain(object, "first", "next", &["item"]),
        "java/util/ArrayDeque" => reader.ring(object),
        "java/util/HashMap" => reader.table(object),
        "java/util/LinkedHashMap" => reader.chain(object, "head", "after", &["key", "value"]),
        "java/util/HashSet" => keys(reader.table(reader.object(object, "map")?)?),
        "java/util/LinkedHashSet" => {
            keys(reader.chain(reader.object(object, "map")?, "head", "after", &["key", "value"])?)
        }
        "java/util/TreeMap" => reader.tree(object),
        "java/util/TreeSet" => keys(reader.tree(reader.object(object, "m")?)?),
        "java/util/Optional" => {
            let value = reader.field(object, "value")?;
            Some(if value == Value::NULL { Vec::new() } else { vec![value] })
        }
        "java/util/AbstractMap$SimpleEntry" => Some(vec![reader.field(object, "key")?, reader.field(object, "value")?]),
        "java/util/EnumSet" => {
            constants = reader.constants(object, "universe");
            reader.bits(object)
        }
        "java/util/EnumMap" => {
            constants = reader.constants(object, "keyUniverse");
            reader.of_constants(object)
        }
        _ if matches!(recipe.form, LibraryForm::Stream { .. }) => reader.stream(object),
        _ => None,
    }?;
    Some(LibraryContents { recipe, values, constants })
}

/// Every second one, from the first on.
fn keys(pairs: Vec<Value>) -> Option<Vec<Value>> {
    Some(pairs.into_iter().step_by(2).collect())
}

struct LibraryReader<'a> {
    heap: &'a Heap,
}

impl LibraryReader<'_> {
    fn field(&self, object: ObjId, name: &str) -> Option<Value> {
        let field = self.heap.class(object).field(name)?;
        Some(self.heap.field(object, field.slot as usize))
    }

    fn object(&self, object: ObjId, name: &str) -> Option<ObjId> {
        self.field(object, name)?.object()
    }

    fn is_null(&self, object: ObjId, name: &str) -> bool {
        self.field(object, name) == Some(Value::NULL)
    }

    fn int(&self, object: ObjId, name: &str) -> Option<usize> {
        match self.field(object, name)? {
            Value::Int(value) => usize::try_from(value).ok().filter(|value| *value <= MOST),
            _ => None,
        }
    }

    fn array(&self, object: ObjId, elements: &str, size: &str) -> Option<Vec<Value>> {
        let (array, size) = (self.object(object, elements)?, self.int(object, size)?);
        (0..size as i32).map(|at| self.heap.element(array, at)).collect()
    }

    /// An array that is filled from a head up to a tail, which may lie before it.
    fn ring(&self, object: ObjId) -> Option<Vec<Value>> {
        let array = self.object(object, "elements")?;
        let (head, tail) = (self.int(object, "head")?, self.int(object, "tail")?);
        let length = self.heap.length(array).filter(|length| *length > 0)?;
        let count = (tail + length - head) % length;
        (0..count).map(|at| self.heap.element(array, ((head + at) % length) as i32)).collect()
    }

    /// The enumeration of the constants in an array of all of them.
    fn constants(&self, object: ObjId, all: &str) -> Option<&'static Class> {
        self.heap.class(self.object(object, all)?).component()
    }

    /// The constants whose bits are set.
    fn bits(&self, object: ObjId) -> Option<Vec<Value>> {
        let all = self.object(object, "universe")?;
        let Value::Long(bits) = self.field(object, "elements")? else { return None };
        (0..self.heap.length(all)?)
            .filter(|at| bits >> at & 1 != 0)
            .map(|at| self.heap.element(all, at as i32))
            .collect()
    }

    /// The pairs of a map that has a value for each constant, or a mark in place of null, or null if the constant is no key.
    fn of_constants(&self, object: ObjId) -> Option<Vec<Value>> {
        let (keys, values) = (self.object(object, "keyUniverse")?, self.object(object, "vals")?);
        let mut found = Vec::new();
        for at in 0..self.heap.length(keys)? as i32 {
            let value = self.heap.element(values, at)?;
            let is_mark = |value: ObjId| self.heap.class(value).name == "java/util/EnumMap$1";
            match value {
                Value::Ref(Some(mark)) if is_mark(mark) => found.extend([self.heap.element(keys, at)?, Value::NULL]),
                Value::NULL => {}
                value => found.extend([self.heap.element(keys, at)?, value]),
            }
        }
        Some(found)
    }

    /// The elements of an array that a stream will go through.
    fn stream(&self, object: ObjId) -> Option<Vec<Value>> {
        let is_fresh = self.field(object, "linkedOrConsumed") == Some(Value::Int(0))
            && self.field(object, "parallel") == Some(Value::Int(0))
            && self.is_null(object, "sourceCloseAction");
        let source = self.object(object, "sourceSpliterator").filter(|_| is_fresh)?;
        let array = self.object(source, "array")?;
        let (from, to) = (self.int(source, "index")?, self.int(source, "fence")?);
        (from..to).map(|at| self.heap.element(array, at as i32)).collect()
    }

    /// The fields of nodes that one leads to after the other.
    fn chain(&self, object: ObjId, first: &str, next: &str, fields: &[&str]) -> Option<Vec<Value>> {
        let mut found = Vec::new();
        self.follow(self.field(object, first)?, next, fields, &mut found)?;
        Some(found)
    }

    fn follow(&self, first: Value, next: &str, fields: &[&str], found: &mut Vec<Value>) -> Option<()> {
        let mut node = first;
        while node != Value::NULL {
            let object = node.object().filter(|_| found.len() <= MOST)?;
            for field in fields {
                found.push(self.field(object, field)?);
            }
            node = self.field(object, next)?;
        }
        Some(())
    }

    /// The pairs of a hash table, bucket by bucket.
    fn table(&self, object: ObjId) -> Option<Vec<Value>> {
        let mut found = Vec::new();
        let Some(table) = self.object(object, "table") else {
            return self.is_null(object, "table").then_some(found);
        };
        for at in 0..self.heap.length(table)? as i32 {
            self.follow(self.heap.element(table, at)?, "next", &["key", "value"], &mut found)?;
        }
        Some(found)
    }

    /// The pairs of a tree in the order of their keys, which must be their own.
    fn tree(&self, object: ObjId) -> Option<Vec<Value>> {
        if !self.is_null(object, "comparator") {
            return None;
        }
        let mut found = Vec::new();
        let mut above: Vec<ObjId> = Vec::new();
        let mut node = self.field(object, "root")?;
        loop {
            while let Some(object) = node.object().filter(|_| above.len() <= MOST) {
                above.push(object);
                node = self.field(object, "left")?;
            }
            let Some(object) = above.pop() else { return Some(found) };
            found.push(self.field(object, "key")?);
            found.push(self.field(object, "value")?);
            node = self.field(object, "right")?;
            if found.len() > MOST {
                return None;
            }
        }
    }
}
