//! Is a concrete heap one of those that a picture stands for?
//!
//! The picture is walked from its roots beside the heap. Each object that is drawn is one object of the heap, different ones are
//! different; a variable stands for the value at the place where it is drawn.

use lazuli_explore::{Drawn, Picture, Shown, ShownContents};
use lazuli_logic::{Constant, Expression, Sort};

use super::runs::{Heap, Object, Runs, Value};

const STRING: &str = "java.lang.String";

/// Which object of the heap each drawn one is, and what the variables are worth.
pub struct Match<'a> {
    runs: &'a Runs,
    heap: &'a Heap,
    picture: &'a Picture,
    /// By index of the drawn object.
    pub places: Vec<Option<usize>>,
    bindings: Vec<(&'a str, Constant)>,
    /// Pairs that cannot be compared before more variables are bound.
    waiting: Vec<Task<'a>>,
    /// Whether variables may still be bound: in the heap after a run, none is new.
    binds: bool,
    /// The objects of the input, as they were before the run, if this is the heap after.
    before: Option<&'a [Object]>,
}

#[derive(Clone, Copy)]
enum Task<'a> {
    Equal(&'a Expression, Constant),
    Elements { items: &'a [(Expression, Shown)], others: &'a Shown, slots: &'a [Value], is_text: bool },
}

/// Why heap and picture do not belong together.
#[derive(Debug, PartialEq)]
pub enum Mismatch {
    /// They are different: this says how.
    Different(String),
    /// The picture leaves something out that would be needed to tell.
    Unclear(String),
}

type Outcome = Result<(), Mismatch>;

fn different<T>(message: impl Into<String>) -> Result<T, Mismatch> {
    Err(Mismatch::Different(message.into()))
}

impl<'a> Match<'a> {
    /// Compares an input heap with the input of a path.
    pub fn of_input(runs: &'a Runs, heap: &'a Heap, picture: &'a Picture) -> Result<Match<'a>, Mismatch> {
        let places = vec![None; picture.objects.len()];
        let mut found =
            Match { runs, heap, picture, places, bindings: Vec::new(), waiting: Vec::new(), binds: true, before: None };
        found.walk_roots()?;
        found.finish()?;
        Ok(found)
    }

    /// Compares the heap after a run with the output of the path that its input takes.
    pub fn of_output(&self, heap: &'a Heap, picture: &'a Picture) -> Result<Match<'a>, Mismatch> {
        let by_name = |drawn: &Drawn| self.picture.objects.iter().position(|input| input.name == drawn.name);
        let known =
            |drawn: &Drawn| if drawn.is_new { None } else { by_name(drawn).and_then(|index| self.places[index]) };
        let mut found = Match {
            runs: self.runs,
            heap,
            picture,
            places: picture.objects.iter().map(known).collect(),
            bindings: self.bindings.clone(),
            waiting: Vec::new(),
            binds: false,
            before: Some(&self.heap.objects),
        };
        for index in 0..picture.objects.len() {
            if let Some(place) = found.places[index] {
                found.contents(&picture.objects[index], place)?;
            }
        }
        found.walk_roots()?;
        found.finish()?;
        Ok(found)
    }

    /// Do all of these hold?
    pub fn satisfies(&self, condition: &[Expression]) -> Outcome {
        for conjunct in condition {
            match self.evaluate(conjunct) {
                Some(Constant::Bool(true) | Constant::Int(1)) => {}
                Some(_) => return different(format!("{conjunct} does not hold")),
                None => return Err(Mismatch::Unclear(format!("{conjunct} speaks of something that is not drawn"))),
            }
        }
        Ok(())
    }

    /// Is the value what is shown, given all that was found? For results.
    pub fn is_value(&mut self, shown: &'a Shown, value: Value) -> Outcome {
        self.shown(shown, value)?;
        self.finish()
    }

    fn walk_roots(&mut self) -> Outcome {
        let (picture, runs, heap) = (self.picture, self.runs, self.heap);
        for (index, (name, shown)) in picture.roots.iter().enumerate() {
            // Parameters come first, in order; static fields may be written with their class, and need not all be there.
            let simple = name.rsplit(['.', '$']).next().unwrap_or(name);
            let is_there = |index: usize| runs.roots.get(index).is_some_and(|root| root == simple);
            let position =
                if is_there(index) { Some(index) } else { runs.roots.iter().position(|root| root == simple) };
            match position {
                Some(position) => self.shown(shown, heap.roots[position])?,
                None => return Err(Mismatch::Unclear(format!("no input is called {name}"))),
            }
        }
        Ok(())
    }

    fn shown(&mut self, shown: &'a Shown, value: Value) -> Outcome {
        match (shown, value) {
            (Shown::Unread, _) | (Shown::Null, Value::Null) => Ok(()),
            (Shown::Object(index), Value::Object(place)) => self.object(*index, place),
            (Shown::Value(expression), Value::Primitive(constant)) => self.primitive(expression, constant),
            (Shown::Unknown { may_be_null: true, .. }, Value::Null) => Ok(()),
            (Shown::Unknown { class, .. }, Value::Object(place)) => {
                if self.is_instance(place, class) {
                    Ok(())
                } else {
                    different(format!("object {place} is no {class}"))
                }
            }
            _ => different(format!("{value:?} is not {shown:?}")),
        }
    }

    fn object(&mut self, index: usize, place: usize) -> Outcome {
        match self.places[index] {
            Some(known) if known == place => return Ok(()),
            Some(known) => return different(format!("objects {known} and {place} are drawn as one")),
            None => {}
        }
        if self.places.contains(&Some(place)) {
            return different(format!("object {place} is drawn as two"));
        }
        let drawn = &self.picture.objects[index];
        let class = self.runs.class_of(&self.heap.objects[place]).name();
        let fits =
            if drawn.is_exact { is_same_type(class, &drawn.class) } else { self.is_instance(place, &drawn.class) };
        let fits = fits && (drawn.among.is_empty() || drawn.among.iter().any(|among| is_same_type(class, among)));
        if !fits {
            return different(format!("object {place} is a {class}, not a {}", drawn.class));
        }
        if drawn.is_new && self.before.is_some_and(|inputs| place < inputs.len()) {
            return different(format!("object {place} was not made by the run"));
        }
        self.places[index] = Some(place);
        self.contents(drawn, place)
    }

    fn contents(&mut self, drawn: &'a Drawn, place: usize) -> Outcome {
        let heap = self.heap;
        let object = &heap.objects[place];
        let class = self.runs.class_of(object);
        let slots = object.slots.as_slice();
        if let Some(constant) = class.constant(object) {
            let is_same = drawn.name.rsplit('.').next() == Some(constant);
            return if is_same { Ok(()) } else { different(format!("{constant} is not {}", drawn.name)) };
        }
        match &drawn.contents {
            ShownContents::Text(text) => {
                let letters = text.iter().map(|unit| Value::Primitive(Constant::Int((*unit).into())));
                if letters.eq(slots.iter().copied()) {
                    Ok(())
                } else {
                    different(format!("object {place} is not {text:?}"))
                }
            }
            ShownContents::Elements { length, items, others } => {
                self.elements(length, items, others, slots, class.name() == STRING)
            }
            ShownContents::Fields(fields) if class.name() == STRING => {
                fields.iter().try_for_each(|(name, shown)| self.field_of_string(name, shown, slots))
            }
            ShownContents::Fields(fields) => {
                for (name, shown) in fields {
                    let simple = name.rsplit('.').next().unwrap_or(name);
                    // Of fields with one name, the last hides the first, and is drawn with its class.
                    let mut same = class.fields.iter().enumerate().filter(|(_, field)| *field == simple);
                    let found = if simple == name.as_str() { same.next() } else { same.next_back() };
                    let Some((slot, _)) = found else {
                        // Boxes have fields that are of no interest.
                        continue;
                    };
                    self.shown(shown, slots[slot])?;
                    let old = self.before.and_then(|inputs| inputs.get(place)).map(|input| input.slots[slot]);
                    if *shown == Shown::Unread && old.is_some_and(|old| !is_same_value(old, slots[slot])) {
                        return different(format!("{}.{name} was written by the run", drawn.name));
                    }
                }
                Ok(())
            }
        }
    }

    /// A string may be drawn as the library declares it: a byte for each character, and a hash code that is computed late.
    fn field_of_string(&mut self, name: &str, shown: &'a Shown, slots: &'a [Value]) -> Outcome {
        match (name.rsplit('.').next().unwrap_or(name), shown) {
            ("value", Shown::Object(index)) => match &self.picture.objects[*index].contents {
                ShownContents::Elements { length, items, others } => self.elements(length, items, others, slots, true),
                other => Err(Mismatch::Unclear(format!("the characters of a string are drawn as {other:?}"))),
            },
            ("coder", _) => self.shown(shown, Value::Primitive(Constant::Int(0))),
            // Whether the hash code was computed during a run is not observable.
            ("hash" | "hashIsZero", _) if !self.binds => Ok(()),
            ("hash" | "hashIsZero", _) => self.shown(shown, Value::Primitive(Constant::Int(0))),
            _ => Ok(()),
        }
    }

    fn elements(
        &mut self,
        length: &'a Expression,
        items: &'a [(Expression, Shown)],
        others: &'a Shown,
        slots: &'a [Value],
        is_text: bool,
    ) -> Outcome {
        self.waiting.push(Task::Elements { items, others, slots, is_text });
        self.primitive(length, Constant::Int(slots.len() as i32))
    }

    fn primitive(&mut self, expression: &'a Expression, constant: Constant) -> Outcome {
        if let Expression::Variable(variable) = expression
            && self.binds
            && self.value_of(&variable.name).is_none()
        {
            let (least, greatest) = variable.range;
            let bound = match (variable.sort, constant) {
                (Sort::Bool, Constant::Int(value)) => Constant::Bool(value != 0),
                (Sort::Int, Constant::Int(value)) if i64::from(value) < least || i64::from(value) > greatest => {
                    return different(format!("{value} is not in the range of {}", variable.name));
                }
                (sort, constant) if sort == constant.sort() => constant,
                _ => return different(format!("{constant:?} has not the type of {}", variable.name)),
            };
            self.bindings.push((&variable.name, bound));
            return Ok(());
        }
        self.waiting.push(Task::Equal(expression, constant));
        Ok(())
    }

    /// Does all that waits, in the order in which variables become known.
    fn finish(&mut self) -> Outcome {
        while !self.waiting.is_empty() {
            let mut is_stuck = true;
            for task in std::mem::take(&mut self.waiting) {
                if self.attempt(task)? {
                    is_stuck = false;
                } else {
                    self.waiting.push(task);
                }
            }
            if is_stuck {
                return Err(Mismatch::Unclear("an index or a value depends on something that is not drawn".into()));
            }
        }
        Ok(())
    }

    /// False if it must wait.
    fn attempt(&mut self, task: Task<'a>) -> Result<bool, Mismatch> {
        match task {
            Task::Equal(expression, constant) => match self.evaluate(expression) {
                None => Ok(false),
                Some(value) if is_same(value, constant) => Ok(true),
                Some(value) => different(format!("{expression} is {value:?}, not {constant:?}")),
            },
            Task::Elements { items, others, slots, is_text } => {
                let indices: Option<Vec<Constant>> = items.iter().map(|(index, _)| self.evaluate(index)).collect();
                let Some(indices) = indices else { return Ok(false) };
                let mut is_drawn = vec![false; slots.len()];
                for (constant, (index, shown)) in indices.into_iter().zip(items) {
                    let slot = match constant {
                        Constant::Int(at) => usize::try_from(at).ok().filter(|at| *at < slots.len()),
                        _ => None,
                    };
                    // Of a string, as many characters are drawn as it might have; those beyond its end mean nothing.
                    if slot.is_none() && is_text {
                        continue;
                    }
                    let Some(slot) = slot else { return different(format!("there is no element {index}")) };
                    is_drawn[slot] = true;
                    self.shown(shown, slots[slot])?;
                }
                for (slot, value) in slots.iter().enumerate() {
                    if !is_drawn[slot] {
                        self.shown(others, *value)?;
                    }
                }
                Ok(true)
            }
        }
    }

    fn evaluate(&self, expression: &Expression) -> Option<Constant> {
        // Letters behind the end of a string do not matter: the value is the same for each of them.
        let with = |letter: i32| {
            let behind = |name: &str| self.is_behind_end(name).then_some(Constant::Int(letter));
            expression.value(&|name: &str| self.value_of(name).or_else(|| behind(name)))
        };
        let value = with(0)?;
        (with(255)? == value).then_some(value)
    }

    /// Is it a letter behind the end of a string?
    fn is_behind_end(&self, name: &str) -> bool {
        let parts = name.rsplit_once(".charAt(").and_then(|(owner, index)| Some((owner, index.strip_suffix(')')?)));
        let Some((owner, index)) = parts else { return false };
        match (self.value_of(&format!("{owner}.length()")), index.parse::<i32>()) {
            (Some(Constant::Int(length)), Ok(index)) => length <= index,
            _ => false,
        }
    }

    fn value_of(&self, name: &str) -> Option<Constant> {
        self.bindings.iter().find(|(bound, _)| *bound == name).map(|(_, value)| *value)
    }

    fn is_instance(&self, place: usize, class: &str) -> bool {
        let types = &self.runs.class_of(&self.heap.objects[place]).types;
        types.iter().any(|name| is_same_type(name, class))
    }
}

/// Nested classes and arrays may be written in more than one way.
fn is_same_type(left: &str, right: &str) -> bool {
    left == right || spelled(left) == spelled(right)
}

fn spelled(class: &str) -> String {
    let element = class.trim_start_matches('[');
    let dimensions = class.len() - element.len();
    if dimensions == 0 {
        return class.replace(['/', '$'], ".");
    }
    let element = match element {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "S" => "short",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        object => object.trim_start_matches('L').trim_end_matches(';'),
    };
    element.replace(['/', '$'], ".") + &"[]".repeat(dimensions)
}

fn is_same_value(left: Value, right: Value) -> bool {
    match (left, right) {
        (Value::Primitive(left), Value::Primitive(right)) => is_same(left, right),
        _ => left == right,
    }
}

/// Truth values may be numbers, and all NaNs are one.
fn is_same(left: Constant, right: Constant) -> bool {
    match (left, right) {
        (Constant::Bool(truth), Constant::Int(number)) | (Constant::Int(number), Constant::Bool(truth)) => {
            number == i32::from(truth)
        }
        (Constant::Float(left), Constant::Float(right)) => {
            left == right || f32::from_bits(left).is_nan() && f32::from_bits(right).is_nan()
        }
        (Constant::Double(left), Constant::Double(right)) => {
            left == right || f64::from_bits(left).is_nan() && f64::from_bits(right).is_nan()
        }
        _ => left == right,
    }
}
