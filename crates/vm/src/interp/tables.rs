//! Where does a hash table keep a key whose hash code is not known?
//!
//! The code of `java.util.HashMap` itself runs. It would look for the bucket of an unknown hash code in one path for each, although nothing but the
//! order of iteration shows where a key is: what the table contains follows from which keys are equal. So `HashMap.hash` is answered
//! here. The key is compared with all keys of the table; if it is equal to one, the answer is the number in that node. If it is equal to none and
//! will be added, the table becomes *flat*: all nodes are in one chain, in bucket 0, and have *labels* in place of their hash codes, numbers
//! that differ for different hash codes and whose low bits, which choose a bucket, are 0. The hash code itself is kept beside
//! it, as a term, in a hidden place of the node (`HASH_NODE`).
//!
//! Invariant: the chain has the nodes of every bucket that the JVM would have in the order in which the JVM has them. Nodes are added at the same end of the
//! chain as of the bucket, and doubling a table keeps the order within a bucket. When the program begins to walk the table, the chain
//! is sorted by the buckets, without changing the order of nodes in the same one; the comparisons are questions about terms.
//!
//! Keys whose `equals` and `hashCode` are code are compared by hash code alone, since `HashMap` itself calls `equals` on those that have the same:
//! so a `hashCode` that does not fit its `equals` has the effect that it has on the JVM.

use std::rc::Rc;

use lazuli_logic::{Binary, Sort, Term};

use super::Vm;
use crate::heap::Body;
use crate::outcome::Stop;
use crate::program::{Class, HASH_NODE, Program};
use crate::reason::Reason;
use crate::state::State;
use crate::symbols::NodeLabel;
use crate::value::{ObjId, Value};

/// The bits of a label that choose a bucket.
const BUCKET_BITS: u32 = 20;

/// A bucket with so many nodes may become a tree.
const TREE: usize = 8;

/// The slots that a table is made of.
#[derive(Clone, Copy)]
pub(super) struct TableLayout {
    map: &'static Class,
    table: usize,
    hash: usize,
    key: usize,
    next: usize,
    /// The hidden place of a node in a flat table: the hash code of its key.
    code: usize,
}

impl TableLayout {
    /// None if the JDK's class is not as expected.
    pub(super) fn of(program: &Program) -> Option<TableLayout> {
        let (map, node) = (program.load("java/util/HashMap").ok()?, program.load(HASH_NODE).ok()?);
        let slot = |class: &'static Class, name: &str| class.field(name).map(|field| field.slot as usize);
        let (hash, key, next) = (slot(node, "hash")?, slot(node, "key")?, slot(node, "next")?);
        Some(TableLayout { map, table: slot(map, "table")?, hash, key, next, code: node.defaults.len() - 1 })
    }
}

/// A hash table whose nodes are all known.
struct HashTable {
    map: ObjId,
    array: ObjId,
    buckets: usize,
    /// By bucket, then as they are chained.
    nodes: Vec<ObjId>,
    is_flat: bool,
}

impl Vm {
    fn layout(&mut self) -> Option<TableLayout> {
        let program = &self.program;
        *self.layout.get_or_insert_with(|| TableLayout::of(program))
    }

    /// The table of a map. None if it has no table yet, or is an input that was not read.
    fn table(&mut self, state: &State, map: ObjId) -> Option<HashTable> {
        let layout = self.layout()?;
        let array = state.heap.field(map, layout.table).object()?;
        let Body::Refs(heads) = &state.heap.get(array).body else { return None };
        let mut nodes = Vec::new();
        for head in heads.iter() {
            let mut at = *head;
            while let Some(node) = at.object() {
                nodes.push(node);
                at = state.heap.field(node, layout.next);
            }
            if at != Value::NULL {
                return None;
            }
        }
        let is_flat = self.is_flat(state, map);
        Some(HashTable { map, array, buckets: heads.len(), nodes, is_flat })
    }

    /// Is the table of a map flat? An empty one is not.
    fn is_flat(&mut self, state: &State, map: ObjId) -> bool {
        let Some(layout) = self.layout() else { return false };
        let array = state.heap.field(map, layout.table).object();
        let first = array.and_then(|array| state.heap.element(array, 0)).and_then(Value::object);
        first.is_some_and(|node| is_hash(state.heap.field(node, layout.code)))
    }

    /// The map on which a method of `HashMap`, of one of its views or of one of its iterators works.
    fn map_of(&mut self, state: &State, arguments: &[Value]) -> Option<ObjId> {
        let layout = self.layout()?;
        let is_map = |object: &ObjId| state.heap.class(*object).is_subtype_of(layout.map);
        let objects = || arguments.iter().filter_map(|value| state.symbols.settled(*value).object());
        let within = |object: ObjId| {
            let class = state.heap.class(object);
            let mut fields = ["this$0", "map"].into_iter().filter_map(|name| class.field(name));
            fields.find_map(|field| state.heap.field(object, field.slot as usize).object().filter(is_map))
        };
        objects().take(1).find(is_map).or_else(|| objects().take(1).find_map(within)).or_else(|| objects().find(is_map))
    }

    /// Is the hash code of a key known without a look at the table? False says nothing.
    fn has_known_hash(&self, state: &State, key: Value) -> bool {
        match state.symbols.settled(key) {
            Value::Ref(None) => true,
            Value::Ref(Some(object)) => {
                let class = state.heap.class(object);
                let is_value = class.is_box || class.id == self.program.known().string.id;
                let is_term = class.is_box && matches!(state.heap.field(object, 0), Value::Term(..) | Value::Unread);
                is_value && !is_term && self.is_plain(state, object.into())
            }
            _ => false,
        }
    }

    /// The map that the code which runs belongs to.
    fn running_map(&mut self, state: &State) -> Option<ObjId> {
        let frame = state.thread.frames.last().filter(|frame| !frame.method.is_static())?;
        self.map_of(state, &[state.thread.stack[frame.base as usize]])
    }

    /// The answer to `HashMap.hash(key)`.
    pub(crate) fn place_key(&mut self, state: &mut State, key: Value) -> Result<Placing, Stop> {
        let (Some(map), Some(layout)) = (self.running_map(state), self.layout()) else { return Ok(Placing::OwnCode) };
        let (is_flat, is_added) = (self.is_flat(state, map), is_added(state));
        if !is_flat && self.has_known_hash(state, key) {
            return Ok(Placing::OwnCode);
        }
        let Some(hash) = self.hash_of_key(state, key)? else {
            return Ok(Placing::ByCode { map, is_added });
        };
        let table = self.table(state, map);
        let is_unread = table.is_none() && state.heap.field(map, layout.table) != Value::NULL;
        if is_unread || (!is_flat && matches!(hash, Value::Int(_))) {
            return Ok(Placing::OwnCode);
        }
        for node in table.iter().flat_map(|table| &table.nodes) {
            let Some(equal) = self.equal_keys(state, key, state.heap.field(*node, layout.key))? else {
                return Ok(Placing::ByCode { map, is_added });
            };
            if self.decide(state, equal)? {
                return Ok(Placing::Number(state.heap.field(*node, layout.hash)));
            }
        }
        // A key with code may have the hash code of null, and is then asked whether it is equal to null.
        if state.symbols.settled(key) == Value::NULL {
            for node in table.iter().flat_map(|table| &table.nodes) {
                let (Value::Int(number), other) =
                    (state.heap.field(*node, layout.hash), state.heap.field(*node, layout.key))
                else {
                    continue;
                };
                if self.hash_of_key(state, other)?.is_some() {
                    continue;
                }
                let Some(code) = self.code_of_node(state, *node) else { continue };
                let zero = self.terms.int(0);
                let equal = self.terms.equal(code, zero);
                if self.decide(state, equal)? {
                    self.expect_node(state, number, key, hash);
                    return Ok(Placing::Number(Value::Int(number)));
                }
            }
        }
        self.place_new(state, table, key, hash, is_added).map(Placing::Number)
    }

    /// The same for a key whose `hashCode` has run.
    pub(crate) fn place_code(
        &mut self,
        state: &mut State,
        map: ObjId,
        key: Value,
        hash: Value,
        is_added: bool,
    ) -> Result<Value, Stop> {
        let table = self.table(state, map);
        let is_flat = table.as_ref().is_some_and(|table| table.is_flat);
        let (Some(layout), Some(term)) = (self.layout(), self.term_of(hash, Sort::Int)) else {
            return Err(self.unsupported(state, "a hash code that is no int"));
        };
        let is_unread = table.is_none() && state.heap.field(map, layout.table) != Value::NULL;
        if is_unread || (!is_flat && matches!(hash, Value::Int(_))) {
            let spread = self.spread(term);
            let number = self.value_of(spread);
            let key = state.symbols.settled(key);
            let is_label = |label: &NodeLabel| label.key == key && Value::Int(label.number) == number;
            if state.symbols.labels.iter().any(is_label) {
                return Err(self.unsupported(state, "a hash code that changes"));
            }
            return Ok(number);
        }
        let mut found = None;
        for node in table.iter().flat_map(|table| &table.nodes) {
            let number = state.heap.field(*node, layout.hash);
            // Keys that are compared without code have labels of their own, whatever their hash codes are: the one that was found may not be the
            // only one with this hash code.
            let may_be_another = is_flat && self.hash_of_key(state, state.heap.field(*node, layout.key))?.is_some();
            if found.is_some_and(|found| found == number || !may_be_another) {
                continue;
            }
            let Some(code) = self.code_of_node(state, *node) else {
                return Err(self.unsupported(state, "a hash table that is not known"));
            };
            let equal = self.terms.equal(term, code);
            if self.decide(state, equal)? && found.replace(number).is_some() {
                return Err(self.unsupported(state, "keys of different kinds with the same hash code"));
            }
        }
        let Some(number) = found else { return self.place_new(state, table, key, hash, is_added) };
        if let (Value::Int(number), true) = (number, is_flat && is_added) {
            self.expect_node(state, number, key, hash);
        }
        Ok(number)
    }

    /// A number for a key that is in no node.
    fn place_new(
        &mut self,
        state: &mut State,
        table: Option<HashTable>,
        key: Value,
        hash: Value,
        is_added: bool,
    ) -> Result<Value, Stop> {
        if let Some(table) = table.as_ref().filter(|table| is_added && !table.is_flat) {
            self.flatten(state, table)?;
        }
        let Some(layout) = self.layout() else { return Ok(Value::Int(0)) };
        let numbers = table.iter().flat_map(|table| &table.nodes).map(|node| state.heap.field(*node, layout.hash));
        let numbers: Vec<Value> = numbers.collect();
        if !is_added {
            // No node of a flat table has the label 0.
            let free = (0..).map(Value::Int).find(|number| !numbers.contains(number));
            return Ok(free.unwrap_or_default());
        }
        let number = self.new_label(state, &numbers, hash)?;
        self.expect_node(state, number, key, hash);
        Ok(Value::Int(number))
    }

    /// The first label that no node of a table has. It must not be taken for a hash code of the same key in another table.
    fn new_label(&mut self, state: &State, taken: &[Value], hash: Value) -> Result<i32, Stop> {
        let is_hash = |number: i32| matches!(hash, Value::Int(code) if spread_of(code) == number);
        let mut labels = (1..1 << (32 - BUCKET_BITS)).map(|label: i32| label << BUCKET_BITS);
        let free = labels.find(|number| !taken.contains(&Value::Int(*number)) && !is_hash(*number));
        free.ok_or_else(|| self.unsupported(state, Reason::ManyKeys))
    }

    /// A node with this label may be made for the key.
    fn expect_node(&mut self, state: &mut State, number: i32, key: Value, hash: Value) {
        let key = state.symbols.settled(key);
        let labels = Rc::make_mut(&mut state.symbols.labels);
        labels.retain(|label| label.key != key || label.number != number);
        labels.push(NodeLabel { number, key, hash });
    }

    /// Chains all nodes of a table in its first bucket.
    fn flatten(&mut self, state: &mut State, table: &HashTable) -> Result<(), Stop> {
        let Some(layout) = self.layout() else { return Ok(()) };
        let is_tree = |node: &ObjId| state.heap.class(*node).name.ends_with("$TreeNode");
        if table.nodes.iter().any(is_tree) || table.buckets > 1 << BUCKET_BITS {
            return Err(self.unsupported(state, "a hash code that is not known in a large hash table"));
        }
        self.check_write(state, table.map, None)?;
        // Nodes with the same hash code get the same label, because the table takes them for the same until `equals` tells them apart.
        let mut labels: Vec<(Value, Value)> = Vec::new();
        let mut nodes = Vec::new();
        for node in &table.nodes {
            let Some(code) = self.code_of_node(state, *node).map(|code| self.value_of(code)) else {
                return Err(self.unsupported(state, "a hash table that is not known"));
            };
            let number = state.heap.field(*node, layout.hash);
            let label = match labels.iter().find(|(known, _)| *known == number) {
                Some((_, label)) => *label,
                None => {
                    let taken: Vec<Value> = labels.iter().map(|(_, label)| *label).collect();
                    Value::Int(self.new_label(state, &taken, code)?)
                }
            };
            labels.push((number, label));
            nodes.push((*node, label, code));
        }
        for (node, label, code) in nodes {
            state.heap.set_field(node, layout.hash, label);
            state.heap.set_field(node, layout.code, code);
        }
        self.chain(state, table, &table.nodes);
        Ok(())
    }

    /// Makes the nodes, in this order, the only chain of a table.
    fn chain(&mut self, state: &mut State, table: &HashTable, nodes: &[ObjId]) {
        let Some(layout) = self.layout() else { return };
        for bucket in 0..table.buckets as i32 {
            let head = nodes.first().filter(|_| bucket == 0);
            state.heap.set_element(table.array, bucket, Value::Ref(head.copied()));
        }
        for (at, node) in nodes.iter().enumerate() {
            state.heap.set_field(*node, layout.next, Value::Ref(nodes.get(at + 1).copied()));
        }
    }

    /// The hash code of the key of a node.
    fn code_of_node(&mut self, state: &State, node: ObjId) -> Option<Term> {
        let layout = self.layout()?;
        let code = state.heap.field(node, layout.code);
        if is_hash(code) {
            return self.term_of(code, Sort::Int);
        }
        // Spreading twice gives the hash code again.
        let number = self.term_of(state.heap.field(node, layout.hash), Sort::Int)?;
        Some(self.spread(number))
    }

    /// A node is made: if its number is a label, it remembers the hash code.
    pub(crate) fn note_node(&mut self, state: &mut State, node: ObjId, number: Value, key: Value) {
        let (Value::Int(number), Some(layout)) = (number, self.layout()) else { return };
        let key = state.symbols.settled(key);
        let is_expected = |label: &NodeLabel| label.number == number && label.key == key;
        if let Some(at) = state.symbols.labels.iter().position(is_expected) {
            let label = Rc::make_mut(&mut state.symbols.labels).remove(at);
            state.heap.set_field(node, layout.code, label.hash);
        }
    }

    /// The program begins to walk a table: a flat one gets the order that the JVM shows.
    pub(crate) fn order_table(&mut self, state: &mut State, arguments: &[Value]) -> Result<(), Stop> {
        let Some(map) = self.map_of(state, arguments) else { return Ok(()) };
        let Some(table) = self.table(state, map).filter(|table| table.is_flat && table.nodes.len() > 1) else {
            return Ok(());
        };
        // A linked map is walked in another order, and some code of the library does not depend on it.
        let is_linked = state.heap.class(map).chain().any(|class| class.name == "java/util/LinkedHashMap");
        if is_linked || is_order_free(state) {
            return Ok(());
        }
        if table.buckets > 1 << BUCKET_BITS {
            return Err(self.unsupported(state, "a hash code that is not known in a large hash table"));
        }
        // Insertion sort: each node goes behind all that are in the same or an earlier bucket. The place is found by bisection; what the
        // path knows of the buckets is not asked again.
        let mut sorted: Vec<(ObjId, Term)> = Vec::new();
        for node in &table.nodes {
            let Some(bucket) = self.bucket_of(state, *node, table.buckets) else { return Ok(()) };
            let (mut least, mut greatest) = (0, sorted.len());
            while least < greatest {
                let middle = (least + greatest) / 2;
                let is_before = self.terms.less(bucket, sorted[middle].1);
                match self.decide(state, is_before)? {
                    true => greatest = middle,
                    false => least = middle + 1,
                }
            }
            sorted.insert(least, (*node, bucket));
        }
        let sorted: Vec<ObjId> = sorted.into_iter().map(|(node, _)| node).collect();
        if sorted != table.nodes {
            self.chain(state, &table, &sorted);
        }
        Ok(())
    }

    fn bucket_of(&mut self, state: &State, node: ObjId, buckets: usize) -> Option<Term> {
        let code = self.code_of_node(state, node)?;
        let (spread, mask) = (self.spread(code), self.terms.int(buckets as i32 - 1));
        Some(self.terms.binary(Binary::BitAnd, spread, mask))
    }

    /// `HashMap` is about to make a tree of a chain that is long, or to double the table. True if the chain is that of a flat table, and no bucket of the
    /// JVM's is that long.
    pub(crate) fn keeps_chain(&mut self, state: &mut State, map: ObjId) -> Result<bool, Stop> {
        let Some(table) = self.table(state, map).filter(|table| table.is_flat) else { return Ok(false) };
        let mut known = vec![0; table.buckets];
        let mut unknown = 0;
        for node in &table.nodes {
            let bucket = self.bucket_of(state, *node, table.buckets);
            match bucket.map(|bucket| self.value_of(bucket)) {
                Some(Value::Int(bucket)) => known[bucket as usize] += 1,
                _ => unknown += 1,
            }
        }
        if known.into_iter().max().unwrap_or(0) + unknown >= TREE {
            return Err(self.unsupported(state, Reason::ManyKeys));
        }
        Ok(true)
    }

    /// Gives hash tables of a concrete state the buckets that they have on the JVM. Some are flat, and in some, objects are placed by identity hash codes of
    /// another state. True if any is changed.
    pub fn settle_tables(&mut self, state: &mut State, objects: &[ObjId]) -> bool {
        let Some(layout) = self.layout() else { return false };
        let mut is_changed = false;
        for map in objects {
            if !state.heap.class(*map).is_subtype_of(layout.map) {
                continue;
            }
            let Some(table) = self.table(state, *map) else { continue };
            let mut numbers = Vec::new();
            for node in &table.nodes {
                let hash = self.hash_of_key(state, state.heap.field(*node, layout.key)).ok().flatten();
                let number = match (hash, state.heap.field(*node, layout.code)) {
                    (Some(Value::Int(code)), _) | (_, Value::Int(code)) => Value::Int(spread_of(code)),
                    _ => state.heap.field(*node, layout.hash),
                };
                numbers.push(number);
            }
            let is_placed = |(node, number): (&ObjId, &Value)| state.heap.field(*node, layout.hash) == *number;
            let is_tree = |node: &ObjId| state.heap.class(*node).name.ends_with("$TreeNode");
            if table.nodes.iter().zip(&numbers).all(is_placed) || table.nodes.iter().any(is_tree) {
                continue;
            }
            is_changed = true;
            self.chain(state, &table, &[]);
            let mut last: Vec<Option<ObjId>> = vec![None; table.buckets];
            for (node, number) in table.nodes.iter().zip(numbers) {
                let Value::Int(place) = number else { continue };
                let bucket = place as usize & (table.buckets - 1);
                state.heap.set_field(*node, layout.hash, number);
                state.heap.set_field(*node, layout.code, Value::NULL);
                state.heap.set_field(*node, layout.next, Value::NULL);
                match last[bucket].replace(*node) {
                    Some(before) => state.heap.set_field(before, layout.next, (*node).into()),
                    None => drop(state.heap.set_element(table.array, bucket as i32, (*node).into())),
                }
            }
        }
        is_changed
    }

    /// `HashMap.spread`: `h ^ (h >>> 16)`, which mixes the upper half of a hash code into its lower half.
    fn spread(&mut self, hash: Term) -> Term {
        let half = self.terms.int(16);
        let high = self.terms.binary(Binary::ShiftRightUnsigned, hash, half);
        self.terms.binary(Binary::BitXor, hash, high)
    }
}

/// The answer to `HashMap.hash(key)`.
pub(crate) enum Placing {
    /// The method's own code gives it.
    OwnCode,
    /// This number.
    Number(Value),
    /// `hashCode` of the key must run first (`Vm::place_code`).
    ByCode {
        /// The map in which the key is looked for.
        map: ObjId,
        /// Will it be added if it is not there?
        is_added: bool,
    },
}

fn spread_of(hash: i32) -> i32 {
    hash ^ (hash as u32 >> 16) as i32
}

/// Does a node hold a hash code in its hidden place?
fn is_hash(value: Value) -> bool {
    matches!(value, Value::Int(_) | Value::Term(..))
}

/// Does the code that asks for a hash code add the key if it is not there? Only these methods do not.
fn is_added(state: &State) -> bool {
    let name = state.thread.frames.last().map_or("", |frame| frame.method.name);
    !matches!(name, "getNode" | "remove" | "computeIfPresent" | "afterNodeInsertion" | "contains")
}

/// Does code of the library walk the table whose result does not depend on the order?
fn is_order_free(state: &State) -> bool {
    let library = state.thread.frames.iter().rev().take_while(|frame| !frame.method.class().is_users());
    let abstracts = ["java/util/AbstractMap", "java/util/AbstractSet", "java/util/AbstractCollection"];
    let mut walks = library.filter(|frame| abstracts.contains(&frame.method.class().name));
    walks.any(|frame| matches!(frame.method.name, "equals" | "hashCode" | "containsAll" | "removeAll" | "retainAll"))
}
