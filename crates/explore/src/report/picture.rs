//! What does a heap look like to a reader: the input of a path, and what became of it?

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use lazuli_logic::{Constant, Expression, Expressions, Node};
use lazuli_reach::call_sequence::{Act, CallSequence, SequenceCall};
use lazuli_vm::heap::Body;
use lazuli_vm::interp::Vm;
use lazuli_vm::program::{Class, access};
use lazuli_vm::state::State;
use lazuli_vm::symbols::{Entry, Input, Root};
use lazuli_vm::unknown_code::UnknownEnd;
use lazuli_vm::value::{Kind, ObjId, Value};

use crate::report::library::{CollectionContents, Librarian};
use crate::report::{Drawn, Picture, Shown, ShownCall, ShownContents};

/// A picture has no more objects than this.
const MOST_OBJECTS: usize = 200;

/// Draws one heap of one state.
pub(crate) struct Artist<'a> {
    vm: &'a Vm,
    state: &'a State,
    /// The calls that made the input.
    sequence: Option<&'a CallSequence>,
    /// The names of the path's variables, by the order in which it met them.
    ranks: HashMap<&'a str, usize>,
    /// Expressions that were written so far: terms share them.
    expressions: RefCell<Expressions>,
    picture: Picture,
    drawn: HashMap<ObjId, usize>,
    /// Objects that have a place in the picture, but are not drawn yet.
    waiting: Vec<ObjId>,
    /// How many objects of each class the program made, for their names.
    made: HashMap<&'static str, usize>,
    /// Objects of which collections of the JDK consist. The collection shows what it contains.
    hidden: BTreeSet<ObjId>,
    /// The kinds of the first roots, where these are not what their values say: a truth value is an `int` to the JVM.
    kinds: Vec<Kind>,
}

impl<'a> Artist<'a> {
    /// Ranks the variables of the state by the order in which the path introduced them, so that pictures list them in that order.
    pub(crate) fn new(vm: &'a Vm, state: &'a State) -> Artist<'a> {
        let variables = state.symbols.variables.iter().enumerate();
        let ranks = variables.filter_map(|(rank, term)| match vm.terms.node(*term) {
            Node::Variable(variable) => Some((vm.terms.declaration(variable).name.as_str(), rank)),
            _ => None,
        });
        Artist {
            vm,
            state,
            sequence: None,
            ranks: ranks.collect(),
            expressions: RefCell::default(),
            picture: Picture::default(),
            drawn: HashMap::new(),
            waiting: Vec::new(),
            made: HashMap::new(),
            hidden: BTreeSet::new(),
            kinds: Vec::new(),
        }
    }

    /// Shows the first roots as values of these kinds.
    pub(crate) fn with_kinds(self, kinds: Vec<Kind>) -> Artist<'a> {
        Artist { kinds, ..self }
    }

    /// Lists the calls that made the input beside it.
    pub(crate) fn made_by(self, sequence: Option<&'a CallSequence>) -> Artist<'a> {
        Artist { sequence, ..self }
    }

    /// A term, written the same way whatever else its table holds.
    pub(crate) fn expression(&self, term: lazuli_logic::Term) -> Expression {
        let rank = |name: &str| self.ranks.get(name).copied().unwrap_or(usize::MAX);
        self.expressions.borrow_mut().ordered(&self.vm.terms, term, &rank)
    }

    /// The inputs as they were at entry.
    pub(crate) fn input(mut self) -> Picture {
        self.hide_parts(true);
        for input in self.state.symbols.inputs.iter() {
            if !self.hidden.contains(&input.object) {
                self.place(input.object);
            }
        }
        for root in self.state.symbols.roots.iter() {
            let shown = self.shown(root.value, Kind::Reference);
            self.picture.roots.push((root.name.to_string(), shown));
        }
        for taken in self.state.symbols.taken.iter().filter(|taken| !taken.is_usual()) {
            let shown = self.shown(taken.value, Kind::Int);
            self.picture.roots.push((taken.name.to_string(), shown));
        }
        for call in self.state.symbols.unknown_calls.iter() {
            if let UnknownEnd::Returned(value) = call.end
                && value != Value::Top
            {
                let shown = self.shown(value, call.method.result);
                self.picture.roots.push((call.name.to_string(), shown));
            }
        }
        self.waiting.clear();
        self.picture.calls = self.calls();
        for input in self.state.symbols.inputs.iter() {
            let Some(index) = self.drawn.get(&input.object).copied() else { continue };
            let library = Librarian { state: self.state, is_at_entry: true };
            let contents = match &input.entry {
                Entry::Built(built) => self.inside(library.of_built(built)),
                Entry::Fields(_) if let Some(inside) = library.inside(input.object) => self.inside(inside),
                Entry::Fields(_) if self.is_string(input.object) => self.text(input.object),
                Entry::Fields(fields) => self.fields(self.state.heap.class(input.object), fields),
                Entry::Elements(elements) => {
                    let length = self.vm.length_of(self.state, input.object).unwrap_or(Value::Int(0));
                    let others = self.state.heap.sparse(input.object).map_or(Value::Unread, |sparse| sparse.others);
                    self.elements(input.object, length, elements, others)
                }
            };
            self.picture.objects[index].contents = contents;
        }
        self.draw_waiting();
        self.picture
    }

    /// The calls that made the input, if any did.
    fn calls(&mut self) -> Vec<ShownCall> {
        let Some(sequence) = self.sequence else { return Vec::new() };
        sequence.calls.iter().map(|call| self.call(call)).collect()
    }

    fn call(&mut self, call: &SequenceCall) -> ShownCall {
        let (on, name) = match call.act {
            Act::Call(method) if method.name == "<init>" => {
                (self.name_of(call.result), format!("new {}", simple_name(method.class())))
            }
            Act::Call(method) if method.is_static() => (simple_name(method.class()), method.name.to_string()),
            Act::Call(method) => (self.name_of(call.receiver), method.name.to_string()),
            Act::Assign { field, .. } => (self.name_of(call.receiver), format!("{} =", field.name)),
            Act::Fill { .. } => (self.name_of(call.receiver), "=".to_string()),
        };
        let arguments = call.arguments.iter().zip(call.act.kinds());
        let arguments = arguments.map(|(value, kind)| self.shown(*value, kind)).collect();
        ShownCall { on, name, arguments, threw: call.threw }
    }

    /// How an object that calls made is called: by the root that it is, or else by the name that it has among the inputs.
    fn name_of(&self, object: Option<ObjId>) -> String {
        let symbols = &self.state.symbols;
        let is_it = |root: &&Root| object.is_some() && symbols.settled(root.value) == Value::Ref(object);
        let root = symbols.roots.iter().find(is_it).map(|root| root.name.to_string());
        let input = || object.and_then(|object| symbols.input(object)).map(|input| input.name.to_string());
        root.or_else(input).unwrap_or_default()
    }

    /// The inputs and what the path made, as they are now, and a result.
    pub(crate) fn output(mut self, result: Option<(Value, Kind)>) -> (Picture, Option<Shown>) {
        self.hide_parts(false);
        for input in self.state.symbols.inputs.iter() {
            if !self.hidden.contains(&input.object) {
                self.place(input.object);
            }
        }
        for (index, root) in self.state.symbols.roots.iter().enumerate() {
            let now = match root.holder {
                Some((mirror, slot)) => self.state.heap.field(mirror, slot as usize),
                None => root.value,
            };
            let kind = self.kinds.get(index).copied().unwrap_or(Kind::Reference);
            let shown = self.shown(now, kind);
            self.picture.roots.push((root.name.to_string(), shown));
        }
        let result = result.map(|(value, kind)| self.shown(value, kind));
        self.draw_waiting();
        (self.picture, result)
    }

    /// Finds the inputs that are mere parts of collections.
    fn hide_parts(&mut self, is_at_entry: bool) {
        let library = Librarian { state: self.state, is_at_entry };
        for input in self.state.symbols.inputs.iter() {
            if let Some(inside) = library.inside(input.object) {
                self.hidden.extend(library.parts(input.object, &inside));
            }
        }
        // A string is a value: its letters are no object to look at.
        let strings = self.state.symbols.inputs.iter().filter(|input| self.is_string(input.object));
        let letters: BTreeSet<String> = strings.map(|string| format!("{}.value", string.name)).collect();
        let is_letters =
            |input: &&Input| letters.contains(&*input.name) && self.state.heap.class(input.object).is_array();
        let hidden: Vec<ObjId> =
            self.state.symbols.inputs.iter().filter(is_letters).map(|input| input.object).collect();
        self.hidden.extend(hidden);
    }

    /// The contents of a collection: of a map, each value stands behind its key.
    fn inside(&mut self, inside: CollectionContents) -> ShownContents {
        match inside {
            CollectionContents::Elements(values) => {
                let shown: Vec<Shown> = values.into_iter().map(|value| self.unboxed(value)).collect();
                let number = |value: usize| Expression::Constant(Constant::Int(value as i32));
                let length = number(shown.len());
                let items = shown.into_iter().enumerate().map(|(index, shown)| (number(index), shown)).collect();
                ShownContents::Elements { length, items, others: Shown::Unread }
            }
            CollectionContents::Entries(entries) if entries.is_empty() => {
                self.inside(CollectionContents::Elements(Vec::new()))
            }
            CollectionContents::Entries(entries) => {
                let entry = |(key, value)| (self.key(key), self.unboxed(value));
                ShownContents::Fields(entries.into_iter().map(entry).collect())
            }
        }
    }

    /// A value in a collection: a box says no more than its number.
    fn unboxed(&mut self, value: Value) -> Shown {
        match value.object().map(|object| (object, self.state.heap.class(object))) {
            Some((object, class)) if class.is_box => {
                self.shown(self.state.heap.field(object, 0), Kind::of_box(class.name).unwrap_or(Kind::Int))
            }
            _ => self.shown(value, Kind::Reference),
        }
    }

    /// A key of a map in one word.
    fn key(&mut self, key: Value) -> String {
        if let Some(text) = key.object().filter(|object| self.is_string(*object))
            && let ShownContents::Text(text) = self.text(text)
        {
            return format!("{:?}", String::from_utf16_lossy(&text));
        }
        match self.unboxed(key) {
            Shown::Object(index) => self.picture.objects[index].name.clone(),
            Shown::Value(expression) => expression.to_string(),
            Shown::Null => "null".to_string(),
            Shown::Unread | Shown::Unknown { .. } => "?".to_string(),
        }
    }

    fn draw_waiting(&mut self) {
        while let Some(object) = self.waiting.pop() {
            let index = self.drawn[&object];
            let library = Librarian { state: self.state, is_at_entry: false };
            let contents = match &self.state.heap.get(object).body {
                Body::Fields(_) if let Some(inside) = library.inside(object) => self.inside(inside),
                Body::Fields(_) if self.is_string(object) => self.text(object),
                Body::Fields(fields) => {
                    let class = self.state.heap.class(object);
                    // The inside of the JDK's own objects is of no interest.
                    let is_known = self.state.symbols.input(object).is_some() || class.is_users();
                    let is_box = Kind::of_box(class.name).is_some();
                    if is_known || is_box { self.fields(class, fields) } else { ShownContents::Fields(Vec::new()) }
                }
                Body::Sparse(sparse) => self.elements(object, sparse.length, &sparse.touched, sparse.others),
                _ => {
                    let length = self.state.heap.length(object).unwrap_or(0) as i32;
                    let shown = length.min(MOST_OBJECTS as i32);
                    let items: Vec<(Value, Value)> = (0..shown)
                        .filter_map(|at| Some((Value::Int(at), self.state.heap.element(object, at)?)))
                        .collect();
                    self.elements(object, Value::Int(length), &items, Value::Unread)
                }
            };
            self.picture.objects[index].contents = contents;
        }
    }

    /// The place of an object in the picture.
    fn place(&mut self, object: ObjId) -> usize {
        if let Some(index) = self.drawn.get(&object) {
            return *index;
        }
        let class = self.state.heap.class(object);
        let input = self.state.symbols.input(object);
        let constant = (class.access & access::ENUM != 0).then(|| self.constant_name(object)).flatten();
        let held = self.state.held_by_statics().iter().find(|held| held.object == object);
        let constant = constant.or_else(|| held.map(|held| held.name.to_string()));
        let is_held = constant.is_some();
        let name = match (input, constant) {
            (Some(input), _) => input.name.to_string(),
            (None, Some(name)) => name,
            (None, None) => {
                let number = self.made.entry(class.name).or_default();
                *number += 1;
                format!("new {}#{number}", simple_name(class))
            }
        };
        let index = self.picture.objects.len();
        self.picture.objects.push(Drawn {
            name,
            class: match input.map(|input| &input.entry) {
                Some(Entry::Built(built)) => built.recipe.class.replace('/', "."),
                _ => lazuli_vm::program::readable_type(&class.descriptor()),
            },
            is_exact: !class.is_open(),
            among: class.possible().map_or(Vec::new(), |possible| {
                possible.known.iter().map(|known| lazuli_vm::program::readable_type(&known.descriptor())).collect()
            }),
            is_new: input.is_none() && !is_held,
            is_constant: input.is_none() && is_held,
            links: links(self.vm, class),
            contents: ShownContents::Fields(Vec::new()),
        });
        self.drawn.insert(object, index);
        self.waiting.push(object);
        index
    }

    /// `Color.RED`
    fn constant_name(&self, object: ObjId) -> Option<String> {
        let class = self.state.heap.class(object);
        // A constant with a body of its own is of a subclass of the enumeration.
        let owner =
            class.chain().find(|class| class.super_class.is_some_and(|above| above.name == "java/lang/Enum"))?;
        let mirror = self.state.classes.slot(owner.id).mirror?;
        let mut same = owner.enum_constants().filter(|field| {
            self.state.heap.field(mirror, self.vm.program.slot_of(field) as usize) == Value::Ref(Some(object))
        });
        same.next().map(|field| format!("{}.{}", simple_name(owner), field.name))
    }

    fn is_string(&self, object: ObjId) -> bool {
        self.state.heap.class(object).id == self.vm.program.known().string.id
    }

    fn text(&mut self, string: ObjId) -> ShownContents {
        let known = self.vm.program.known();
        let Value::Ref(Some(bytes)) = self.state.heap.field(string, known.string_value) else {
            return ShownContents::Fields(Vec::new());
        };
        match &self.state.heap.get(bytes).body {
            Body::Bytes(_) => ShownContents::Text(self.vm.units(self.state, string)),
            Body::Sparse(sparse) => {
                let (length, touched) = (sparse.length, sparse.touched.clone());
                let is_latin = self.state.heap.field(string, known.string_coder) == Value::Int(0);
                // Where each character has two bytes, the lower one comes first, and is made from the whole character.
                let width = if is_latin { 1 } else { 2 };
                let characters = touched.iter().step_by(width).map(|(_, byte)| self.letter_of(*byte));
                let items: Vec<(Value, Value)> = (0..).map(Value::Int).zip(characters).collect();
                let length = self.characters_in(length, is_latin);
                self.elements(string, length, &items, Value::Unread)
            }
            _ => ShownContents::Fields(Vec::new()),
        }
    }

    /// How many characters so many bytes of an input string are.
    fn characters_in(&self, length: Value, is_latin: bool) -> Value {
        match length {
            Value::Term(term, sort) if !is_latin => match self.vm.terms.node(term) {
                Node::Binary(lazuli_logic::Binary::ShiftLeft, characters, _) => Value::Term(characters, sort),
                _ => length,
            },
            Value::Int(bytes) if !is_latin => Value::Int(bytes / 2),
            other => other,
        }
    }

    /// The character that a byte of an input string was made from.
    fn letter_of(&self, byte: Value) -> Value {
        match byte {
            Value::Term(term, sort) => match self.vm.terms.node(term) {
                Node::Unary(lazuli_logic::Unary::SignedByte, letter) => Value::Term(letter, sort),
                _ => byte,
            },
            other => other,
        }
    }

    fn fields(&mut self, class: &'static Class, values: &[Value]) -> ShownContents {
        let mut shown = Vec::new();
        for (slot, value) in values.iter().enumerate() {
            let Some(field) = class.field_at(slot as u32) else { continue };
            let value = self.shown(*value, field.kind);
            let label = class.label_at(slot as u32);
            shown.push((label.unwrap_or_else(|| field.name.to_string()), value));
        }
        ShownContents::Fields(shown)
    }

    fn elements(&mut self, array: ObjId, length: Value, items: &[(Value, Value)], others: Value) -> ShownContents {
        let kind = self.state.heap.class(array).component_kind().unwrap_or(Kind::Char);
        let items = items
            .iter()
            .map(|(index, value)| (self.number(*index), self.shown(*value, kind)))
            .collect::<Vec<(Expression, Shown)>>();
        let others = if others == Value::Unread { Shown::Unread } else { self.shown(others, kind) };
        ShownContents::Elements { length: self.number(length), items, others }
    }

    fn number(&self, value: Value) -> Expression {
        match value {
            Value::Term(term, _) => self.expression(term),
            Value::Int(value) => Expression::Constant(Constant::Int(value)),
            _ => Expression::Constant(Constant::Int(0)),
        }
    }

    fn shown(&mut self, value: Value, kind: Kind) -> Shown {
        let constant = |constant| Shown::Value(Expression::Constant(constant));
        match self.state.symbols.settled(value) {
            Value::Unread | Value::Top | Value::Return(_) => Shown::Unread,
            Value::Ref(None) => Shown::Null,
            Value::Ref(Some(object)) => {
                if self.picture.objects.len() >= MOST_OBJECTS && !self.drawn.contains_key(&object) {
                    return Shown::Unread;
                }
                Shown::Object(self.place(object))
            }
            Value::Int(value) if kind == Kind::Boolean => constant(Constant::Bool(value != 0)),
            Value::Int(value) => constant(Constant::Int(value)),
            Value::Long(value) => constant(Constant::Long(value)),
            Value::Float(value) => constant(Constant::Float(value.to_bits())),
            Value::Double(value) => constant(Constant::Double(value.to_bits())),
            Value::Term(term, _) => Shown::Value(self.expression(term)),
            Value::Unknown(id) => {
                let unknown = self.state.symbols.unknown(id);
                let class = lazuli_vm::program::readable_type(&unknown.declared.descriptor());
                Shown::Unknown { class, may_be_null: unknown.may_be_null }
            }
        }
    }
}

/// The fields of a class that may refer to another object of it.
fn links(vm: &Vm, class: &'static Class) -> Vec<String> {
    let own = class.possible().map_or(class, |possible| possible.bound);
    let is_link = |descriptor: &str| match vm.program.load_descriptor(descriptor) {
        // A field that may refer to anything says nothing about the structure.
        Ok(declared) => declared.is_users() && own.is_subtype_of(declared),
        Err(_) => false,
    };
    let slots = 0..class.defaults.len() as u32;
    slots
        .filter(|slot| class.field_at(*slot).is_some_and(|field| is_link(field.descriptor)))
        .filter_map(|slot| class.label_at(slot))
        .collect()
}

fn simple_name(class: &Class) -> String {
    let readable = lazuli_vm::program::readable_type(&class.descriptor());
    readable.rsplit(['.', '$']).next().unwrap_or(&readable).to_string()
}
