//! How did the real JVM run on every input? Reads what tests/check/support/BruteForce.java wrote.

use std::collections::HashSet;

use lazuli_logic::Constant;

/// A fixture's inputs, each with its end.
pub struct Runs {
    /// The receiver, the parameters and the static fields, by name.
    pub roots: Vec<String>,
    pub classes: Vec<ClassOfRun>,
    pub runs: Vec<Run>,
}

pub struct ClassOfRun {
    /// The class itself first, then everything that it extends or implements, as Java writes it: `int[]`, `Outer$Inner`.
    pub types: Vec<String>,
    /// Of an enum: its ordinal, and then the names of the constants.
    pub fields: Vec<String>,
}

pub struct Run {
    pub before: Heap,
    pub end: End,
    /// The objects of the input have the same indices; those that the run made follow.
    pub after: Heap,
    /// The last root of the heap after.
    pub result: Option<Value>,
    /// The line as it was read, for messages.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum End {
    Returned,
    Threw(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Heap {
    pub roots: Vec<Value>,
    pub objects: Vec<Object>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    pub class: usize,
    /// Fields, elements, or the characters of a string.
    pub slots: Vec<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Null,
    Object(usize),
    Primitive(Constant),
}

impl Runs {
    pub fn read(text: &str) -> Result<Runs, String> {
        let mut runs = Runs { roots: Vec::new(), classes: Vec::new(), runs: Vec::new() };
        let mut seen = HashSet::new();
        for line in text.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            match parts[..] {
                ["roots", ref names @ ..] => runs.roots = names.iter().map(|name| name.to_string()).collect(),
                ["class", _, types, fields] => {
                    runs.classes.push(ClassOfRun { types: words(types), fields: words(fields) })
                }
                ["run", before, ..] if !seen.insert(before) => return Err(format!("an input appears twice: {before}")),
                ["run", before, end, after] => runs.runs.push(Run::read(before, end, after, line)?),
                _ => return Err(format!("a line that is not understood: {line}")),
            }
        }
        Ok(runs)
    }

    pub fn class_of(&self, object: &Object) -> &ClassOfRun {
        &self.classes[object.class]
    }
}

impl ClassOfRun {
    pub fn name(&self) -> &str {
        &self.types[0]
    }

    /// The name of a constant, if this is an enum.
    pub fn constant(&self, object: &Object) -> Option<&str> {
        match (self.fields.split_first(), object.slots.first()) {
            (Some((first, constants)), Some(Value::Primitive(Constant::Int(ordinal)))) if first == "ordinal" => {
                Some(constants.get(usize::try_from(*ordinal).ok()?)?)
            }
            _ => None,
        }
    }
}

impl Run {
    fn read(before: &str, end: &str, after: &str, line: &str) -> Result<Run, String> {
        let before = Heap::read(before)?;
        let mut after = if after == "=" { before.clone() } else { Heap::read(after)? };
        let (end, result) = match end.strip_prefix("threw ") {
            Some(class) => (End::Threw(class.to_string()), None),
            None if end == "returned" => (End::Returned, None),
            None => (End::Returned, after.roots.pop()),
        };
        Ok(Run { before, end, after, result, text: line.to_string() })
    }
}

impl Heap {
    fn read(text: &str) -> Result<Heap, String> {
        let mut parts = text.split(';');
        let values = |text: &str| text.split_whitespace().map(Value::read).collect::<Result<Vec<Value>, String>>();
        let roots = values(parts.next().unwrap_or_default())?;
        let objects = parts.map(|part| {
            let (class, slots) = part.split_once(' ').unwrap_or((part, ""));
            let class = class.parse().map_err(|_| format!("no number of a class: {part}"))?;
            Ok(Object { class, slots: values(slots)? })
        });
        Ok(Heap { roots, objects: objects.collect::<Result<Vec<Object>, String>>()? })
    }
}

impl Value {
    fn read(text: &str) -> Result<Value, String> {
        let wrong = || format!("no value: {text}");
        let (kind, rest) = text.split_at_checked(1).ok_or_else(wrong)?;
        let value = match kind {
            "n" => Some(Value::Null),
            "@" => rest.parse().ok().map(Value::Object),
            "i" => rest.parse().ok().map(|value| Value::Primitive(Constant::Int(value))),
            "l" => rest.parse().ok().map(|value| Value::Primitive(Constant::Long(value))),
            "f" => u32::from_str_radix(rest, 16).ok().map(|bits| Value::Primitive(Constant::Float(bits))),
            "d" => u64::from_str_radix(rest, 16).ok().map(|bits| Value::Primitive(Constant::Double(bits))),
            _ => None,
        };
        value.ok_or_else(wrong)
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}
