//! Which elements does a collection of the JDK show to its clients?
//!
//! A reader knows `ArrayList [a, b]`, not its array, its size and its count of changes. Where the representation is one that is known and
//! decided, its elements are read; otherwise the object is drawn like any other.

use std::collections::BTreeSet;

use lazuli_vm::heap::Body;
use lazuli_vm::library::BuiltObject;
use lazuli_vm::state::State;
use lazuli_vm::symbols::Entry;
use lazuli_vm::value::{ObjId, Value};

/// Longer collections are drawn as they are.
const MOST_ELEMENTS: usize = 64;

/// The contents of a collection.
pub(crate) enum CollectionContents {
    /// Of a list, a set or a queue.
    Elements(Vec<Value>),
    /// Keys and values of a map.
    Entries(Vec<(Value, Value)>),
}

impl CollectionContents {
    fn values(&self) -> Vec<Value> {
        match self {
            CollectionContents::Elements(values) => values.clone(),
            CollectionContents::Entries(entries) => entries.iter().flat_map(|(key, value)| [*key, *value]).collect(),
        }
    }

    fn keys(self) -> CollectionContents {
        match self {
            CollectionContents::Entries(entries) => {
                CollectionContents::Elements(entries.into_iter().map(|(key, _)| key).collect())
            }
            elements => elements,
        }
    }
}

/// Looks into the objects of a state, as inputs were at entry or as they are.
#[derive(Clone, Copy)]
pub(crate) struct Librarian<'a> {
    pub state: &'a State,
    pub is_at_entry: bool,
}

impl Librarian<'_> {
    /// The contents of an object, if it is a collection.
    pub(crate) fn inside(self, object: ObjId) -> Option<CollectionContents> {
        let inside = match self.entry(object) {
            Some(Entry::Built(built)) => self.of_built(built),
            _ => self.of_class(self.state.heap.class(object).name, object)?,
        };
        (inside.values().len() <= MOST_ELEMENTS).then_some(inside)
    }

    /// The contents that a recipe gave to an object.
    pub(crate) fn of_built(self, built: &BuiltObject) -> CollectionContents {
        let values: Vec<Value> = built.arguments.iter().map(|value| self.state.symbols.settled(*value)).collect();
        match built.recipe.values_of_element() {
            2 => CollectionContents::Entries(values.chunks(2).map(|pair| (pair[0], pair[1])).collect()),
            _ => CollectionContents::Elements(values),
        }
    }

    /// The objects of which a collection consists, without its elements.
    pub(crate) fn parts(self, object: ObjId, inside: &CollectionContents) -> BTreeSet<ObjId> {
        let elements: BTreeSet<ObjId> = inside.values().into_iter().filter_map(Value::object).collect();
        let mut parts = BTreeSet::new();
        let mut waiting = self.references(object);
        while let Some(part) = waiting.pop() {
            let class = self.state.heap.class(part);
            let is_part = part != object && !elements.contains(&part) && !class.is_users() && !class.is_box;
            if is_part && class.name != "java/lang/String" && parts.insert(part) {
                waiting.extend(self.references(part));
            }
        }
        parts
    }

    fn of_class(self, class: &str, object: ObjId) -> Option<CollectionContents> {
        let whole = |name: &str| Some(CollectionContents::Elements(self.elements(self.part(object, name)?)?));
        let first = |name: &str, size: &str| {
            let mut elements = self.elements(self.part(object, name)?)?;
            elements.truncate(usize::try_from(self.int(object, size)?).ok()?);
            Some(CollectionContents::Elements(elements))
        };
        let other = |name: &str| self.inside(self.part(object, name)?);
        match class {
            "java/util/ArrayList" => first("elementData", "size"),
            "java/util/Vector" | "java/util/Stack" => first("elementData", "elementCount"),
            "java/util/PriorityQueue" => first("queue", "size"),
            "java/util/Arrays$ArrayList" => whole("a"),
            "java/util/ImmutableCollections$ListN" => whole("elements"),
            "java/util/ImmutableCollections$List12" => {
                let both = [self.field(object, "e0")?, self.field(object, "e1")?];
                // A list of one element has a mark in place of the other.
                let is_mark = |value: &Value| {
                    value.object().is_some_and(|object| self.state.heap.class(object).name == "java/lang/Object")
                };
                Some(CollectionContents::Elements(both.into_iter().filter(|value| !is_mark(value)).collect()))
            }
            "java/util/Optional" => {
                let value = self.field(object, "value")?;
                Some(CollectionContents::Elements(
                    Some(value).into_iter().filter(|value| *value != Value::NULL).collect(),
                ))
            }
            "java/util/LinkedList" => {
                let nodes = self.chain(self.field(object, "first")?, "next")?;
                let items = nodes.into_iter().map(|node| self.field(node, "item"));
                Some(CollectionContents::Elements(items.collect::<Option<_>>()?))
            }
            "java/util/ArrayDeque" => {
                let elements = self.elements(self.part(object, "elements")?)?;
                let (mut at, tail) = (self.int(object, "head")? as usize, self.int(object, "tail")? as usize);
                let mut found = Vec::new();
                while at != tail && found.len() <= elements.len() {
                    found.push(*elements.get(at)?);
                    at = (at + 1) % elements.len();
                }
                Some(CollectionContents::Elements(found))
            }
            "java/util/HashMap" => {
                let Value::Ref(table) = self.field(object, "table")? else { return None };
                let mut nodes = Vec::new();
                for bucket in table.map_or(Some(Vec::new()), |table| self.elements(table))? {
                    nodes.extend(self.chain(bucket, "next")?);
                }
                self.entries(nodes)
            }
            "java/util/LinkedHashMap" => self.entries(self.chain(self.field(object, "head")?, "after")?),
            "java/util/TreeMap" => {
                let mut nodes = Vec::new();
                self.in_order(self.field(object, "root")?, &mut nodes)?;
                self.entries(nodes)
            }
            "java/util/HashSet" | "java/util/LinkedHashSet" => other("map").map(CollectionContents::keys),
            "java/util/TreeSet" => other("m").map(CollectionContents::keys),
            "java/util/Collections$UnmodifiableMap" => other("m"),
            name if name.starts_with("java/util/Collections$Unmodifiable") => other("c"),
            _ => None,
        }
    }

    fn entries(self, nodes: Vec<ObjId>) -> Option<CollectionContents> {
        let entries = nodes.into_iter().map(|node| Some((self.field(node, "key")?, self.field(node, "value")?)));
        Some(CollectionContents::Entries(entries.collect::<Option<_>>()?))
    }

    /// An object and those that follow it.
    fn chain(self, first: Value, next: &str) -> Option<Vec<ObjId>> {
        let mut found = Vec::new();
        let mut at = first;
        while let Value::Ref(Some(object)) = at {
            found.push(object);
            at = self.field(object, next).filter(|_| found.len() <= MOST_ELEMENTS)?;
        }
        (at == Value::NULL).then_some(found)
    }

    fn in_order(self, node: Value, found: &mut Vec<ObjId>) -> Option<()> {
        let Value::Ref(node) = node else { return None };
        let Some(node) = node.filter(|_| found.len() <= MOST_ELEMENTS) else { return Some(()) };
        self.in_order(self.field(node, "left")?, found)?;
        found.push(node);
        self.in_order(self.field(node, "right")?, found)
    }

    fn part(self, object: ObjId, name: &str) -> Option<ObjId> {
        self.field(object, name)?.object()
    }

    fn int(self, object: ObjId, name: &str) -> Option<i32> {
        match self.field(object, name)? {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    fn field(self, object: ObjId, name: &str) -> Option<Value> {
        let slot = self.state.heap.class(object).field(name).filter(|field| !field.is_static())?.slot as usize;
        let value = match self.entry(object) {
            Some(Entry::Fields(fields)) => *fields.get(slot)?,
            _ => match &self.state.heap.get(object).body {
                Body::Fields(fields) => *fields.get(slot)?,
                _ => return None,
            },
        };
        Some(self.state.symbols.settled(value)).filter(|value| *value != Value::Unread)
    }

    fn elements(self, array: ObjId) -> Option<Vec<Value>> {
        let length = self.state.heap.length(array).filter(|length| *length <= 16 * MOST_ELEMENTS)?;
        let settled = |value: Value| self.state.symbols.settled(value);
        match self.entry(array) {
            Some(Entry::Elements(known)) => {
                let mut elements = vec![Value::NULL; length];
                for (index, value) in known.iter() {
                    let Value::Int(index) = index else { return None };
                    *elements.get_mut(*index as usize)? = settled(*value);
                }
                Some(elements)
            }
            _ => (0..length as i32).map(|at| self.state.heap.element(array, at).map(settled)).collect(),
        }
    }

    fn references(self, object: ObjId) -> Vec<ObjId> {
        let values: Vec<Value> = match (self.entry(object), &self.state.heap.get(object).body) {
            (Some(Entry::Fields(values)), _) => values.to_vec(),
            (Some(Entry::Elements(values)), _) => values.iter().map(|(_, value)| *value).collect(),
            (None, Body::Fields(values) | Body::Refs(values)) => values.to_vec(),
            _ => Vec::new(),
        };
        values.into_iter().filter_map(|value| self.state.symbols.settled(value).object()).collect()
    }

    /// The contents of an input at entry, if these are asked for.
    fn entry(&self, object: ObjId) -> Option<&Entry> {
        self.state.symbols.input(object).filter(|_| self.is_at_entry).map(|input| &input.entry)
    }
}
