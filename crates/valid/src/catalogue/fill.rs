//! What does a path know once its input is a certain valid one?
//!
//! Everything that the invariant read of that input: the objects that the path has not met, what the places hold that it has not
//! read, and what is true of the numbers. Places that the path has overwritten stay as they are; the input is the heap at entry.

use std::collections::HashSet;
use std::rc::Rc;

use lazuli_logic::{Binary, Node, Term, Terms, Unary};
use lazuli_vm::heap::{Body, Sparse};
use lazuli_vm::state::State;
use lazuli_vm::symbols::{Entry, Input};
use lazuli_vm::value::{ObjId, Value};

use crate::catalogue::heap::{Match, PartialContents, PartialHeap, PartialValue};

/// The same path with all that a valid input says which matches what it knows. None if something does not fit together.
pub(super) fn filled(terms: &Terms, path: &State, valid: &PartialHeap, found: &Match) -> Option<State> {
    let mut state = path.fork();
    // First, each object of the valid input gets an object of the path: the one that it matches, or a new input, all of whose places
    // are unread. Only then can places refer to them. Example: the path knows `root`, the valid tree has `root` and `root.left`; a new
    // input is allocated for the second, and the field `left` of the first is filled below.
    let mut objects: Vec<Option<ObjId>> = vec![None; valid.objects.len()];
    for (input, number) in path.symbols.inputs.iter().zip(&found.objects) {
        if let Some(number) = number {
            objects[*number as usize] = Some(input.object);
        }
    }
    let mut numbers = Vec::new();
    for (object, item) in objects.iter_mut().zip(&valid.objects) {
        if object.is_some() {
            continue;
        }
        let characters = item.characters.as_ref().map(|(class, sparse)| {
            numbers.push(sparse.length);
            numbers.extend(sparse.touched.iter().map(|(_, letter)| *letter));
            state.heap.insert(class, Body::Sparse(sparse.clone()))
        });
        let (body, entry) = match &item.contents {
            PartialContents::Fields(cells) => {
                // The array of a string is its own: it is not among the objects.
                let field = |cell: Option<&PartialValue>| match (cell, characters) {
                    (Some(PartialValue::Other(_)), Some(characters)) => characters.into(),
                    _ => Value::Unread,
                };
                let slots = 0..item.class.defaults.len();
                let fields: Rc<[Value]> = slots.map(|slot| field(cells.get(slot))).collect();
                (Body::Fields(fields.clone()), Entry::Fields(fields))
            }
            PartialContents::Array { length, .. } => {
                let sparse = Sparse { length: *length, touched: Vec::new(), others: Value::Unread };
                (Body::Sparse(Rc::new(sparse)), Entry::Elements(Rc::default()))
            }
            PartialContents::Library => return None,
        };
        let new = state.heap.insert(item.class, body);
        let (name, depth, counted, generic) = (item.name.clone(), item.depth, item.counted, item.generic.clone());
        Rc::make_mut(&mut state.symbols.inputs).push(Input { object: new, name, depth, counted, generic, entry });
        *object = Some(new);
    }
    let objects: Vec<ObjId> = objects.into_iter().collect::<Option<_>>()?;
    let value = |cell: PartialValue| match cell {
        PartialValue::Unread | PartialValue::Undecided { .. } => Value::Unread,
        PartialValue::Null => Value::NULL,
        PartialValue::Object(number) => objects[number as usize].into(),
        PartialValue::Other(object) => object.into(),
        PartialValue::Number(number) => number,
    };
    // Then places that the path has not read get the contents of the valid input.
    let mut filling = Filling { state: &mut state, numbers };
    for (object, item) in objects.iter().zip(&valid.objects) {
        if filling.state.heap.class(*object).id != item.class.id {
            return None;
        }
        match &item.contents {
            PartialContents::Fields(cells) => filling.fields(*object, cells.iter().map(|cell| value(*cell)))?,
            PartialContents::Array { length, touched } => {
                filling.numbers.push(*length);
                filling.elements(*object, touched.iter().map(|(index, cell)| (*index, value(*cell))))?;
            }
            PartialContents::Library => return None,
        }
    }
    // Variables that are new to the path are variables of the path now.
    let numbers = filling.numbers;
    meet(&mut state, terms, &numbers);
    Some(state)
}

struct Filling<'a> {
    state: &'a mut State,
    /// Numbers that the path may not have met.
    numbers: Vec<Value>,
}

impl Filling<'_> {
    fn fields(&mut self, object: ObjId, values: impl Iterator<Item = Value>) -> Option<()> {
        let mut entry = match &self.state.symbols.input(object)?.entry {
            Entry::Fields(fields) => fields.to_vec(),
            Entry::Elements(_) | Entry::Built(_) => return None,
        };
        for (slot, value) in values.enumerate() {
            if slot >= entry.len() {
                entry.resize(slot + 1, Value::Unread);
            }
            if entry[slot] != Value::Unread || value == Value::Unread {
                continue;
            }
            entry[slot] = value;
            if self.state.heap.field(object, slot) == Value::Unread {
                self.state.heap.set_field(object, slot, value);
            }
            self.numbers.push(value);
        }
        self.state.symbols.input_mut(object)?.entry = Entry::Fields(entry.into());
        Some(())
    }

    fn elements(&mut self, array: ObjId, values: impl Iterator<Item = (Value, Value)>) -> Option<()> {
        let mut entry = match &self.state.symbols.input(array)?.entry {
            Entry::Elements(elements) => elements.to_vec(),
            Entry::Fields(_) | Entry::Built(_) => return None,
        };
        for (index, value) in values {
            let position = match entry.iter().position(|(known, _)| *known == index) {
                Some(position) => position,
                None => {
                    entry.push((index, Value::Unread));
                    self.state.heap.sparse_mut(array)?.touched.push((index, Value::Unread));
                    entry.len() - 1
                }
            };
            if entry[position].1 != Value::Unread || value == Value::Unread {
                continue;
            }
            entry[position].1 = value;
            let now = &mut self.state.heap.sparse_mut(array)?.touched.get_mut(position)?.1;
            if *now == Value::Unread {
                *now = value;
            }
            self.numbers.extend([index, value]);
        }
        self.state.symbols.input_mut(array)?.entry = Entry::Elements(Rc::new(entry));
        Some(())
    }
}

/// The path has met the unknowns that these numbers speak of.
fn meet(state: &mut State, terms: &Terms, numbers: &[Value]) {
    let mut known: HashSet<Term> = state.symbols.variables.iter().copied().collect();
    let variables = Rc::make_mut(&mut state.symbols.variables);
    for number in numbers {
        let Value::Term(term, _) = number else { continue };
        // The bytes of a string are its unknown characters with a sign. One that is not Latin-1 has twice as many bytes as characters.
        let term = match terms.node(*term) {
            Node::Unary(Unary::SignedByte, letter) => letter,
            Node::Binary(Binary::ShiftLeft, length, _) => length,
            _ => *term,
        };
        if matches!(terms.node(term), Node::Variable(_)) && known.insert(term) {
            variables.push(term);
        }
    }
}
