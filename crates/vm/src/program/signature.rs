//! What does a method promise in its source: the names of its parameters, the exceptions it declares?

use lazuli_classfile::format::attributes::{AttributeData, CodeData, LocalVariableEntry};

use super::class::Method;
use super::code::Code;
use super::translate::renumber;
use crate::value::Kind;

impl Method {
    /// The exceptions that the method declares, with slashes.
    pub fn declared_exceptions(&self) -> Vec<String> {
        let lists = self.attributes().filter_map(|attribute| match attribute {
            AttributeData::Exceptions(names) => Some(names),
            _ => None,
        });
        lists.flatten().map(|name| name.to_string()).collect()
    }
}

/// The names of the parameters as in the source; by number where the class file does not tell.
pub fn parameter_names(method: &'static Method) -> Vec<String> {
    if let Some(names) = &method.names {
        return names.to_vec();
    }
    let mut word = if method.is_static() { 0 } else { 1 };
    let mut names = Vec::new();
    for (position, kind) in method.parameters.iter().enumerate() {
        let listed = listed_name(method, position).or_else(|| local_name(method, word));
        names.push(listed.unwrap_or_else(|| format!("parameter{}", position + 1)));
        word += if matches!(kind, Kind::Long | Kind::Double) { 2 } else { 1 };
    }
    names
}

/// The types of the parameters as in source, with their packages.
pub(super) fn parameter_types(method: &Method) -> Vec<String> {
    let parameters = super::descriptor::method(method.descriptor).map(|(parameters, _)| parameters).unwrap_or_default();
    parameters.into_iter().map(super::readable_type).collect()
}

/// How a method is written in source, without its class: `add(int, Object)`; a constructor is called `new`.
pub fn signature(method: &Method) -> String {
    let types = parameter_types(method);
    let types: Vec<&str> = types.iter().map(|full| simple(full)).collect();
    format!("{}({})", if method.name == "<init>" { "new" } else { method.name }, types.join(", "))
}

/// Is the method meant by `(ILjava/lang/String;)V`, or by `(int, String)` as in source?
pub fn has_parameters(method: &Method, written: &str) -> bool {
    if method.descriptor == written {
        return true;
    }
    let Some(inner) = written.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return false };
    let types = parameter_types(method);
    let written: Vec<&str> = inner.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    types.len() == written.len() && types.iter().zip(&written).all(|(full, name)| is_end_of_name(name, full))
}

/// Is it that full name of a class, or an end of it that begins with a name?
pub fn is_end_of_name(name: &str, full: &str) -> bool {
    let (name, full) = (name.replace('$', "."), full.replace('$', "."));
    full.strip_suffix(name.as_str()).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

fn simple(name: &str) -> &str {
    name.rsplit(['.', '$']).next().unwrap_or(name)
}

/// From the table that `javac -parameters` writes.
fn listed_name(method: &'static Method, position: usize) -> Option<String> {
    let table = method.attributes().find_map(|attribute| match attribute {
        AttributeData::MethodParameters(parameters) => Some(parameters),
        _ => None,
    })?;
    // Constructors may list hidden parameters too: the table must be as long as the descriptor.
    let entry = table.get(position).filter(|_| table.len() == method.parameters.len())?;
    entry.name.as_ref().map(|name| name.to_string())
}

/// From the table that `javac -g` writes: the variable that has this word from the first instruction on.
fn local_name(method: &'static Method, word: u16) -> Option<String> {
    let mut entries = local_entries(body(method)?);
    entries.find(|entry| entry.index == word && entry.start_pc == 0).map(|entry| entry.name.to_string())
}

/// A local variable where it has a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    /// Its name in the source.
    pub name: String,
    /// The register in which it lives.
    pub register: usize,
    /// The kind of its values.
    pub kind: Kind,
}

/// The local variables that have a value before an instruction, in the order of their declarations, as far as `javac -g` tells.
pub fn local_variables(method: &'static Method, code: &Code, pc: u32) -> Vec<LocalVariable> {
    let (Some(body), Some(offset)) = (body(method), code.offsets.get(pc as usize)) else { return Vec::new() };
    let Ok(registers) = renumber(body.max_locals as usize, !method.is_static(), &method.parameters) else {
        return Vec::new();
    };
    let is_alive = |entry: &&LocalVariableEntry| {
        let start = u32::from(entry.start_pc);
        (start..start + u32::from(entry.length)).contains(&u32::from(*offset))
    };
    let mut alive: Vec<_> = local_entries(body).filter(is_alive).collect();
    alive.sort_by_key(|entry| entry.index);
    let variable = |entry: &LocalVariableEntry| {
        Some(LocalVariable {
            name: entry.name.to_string(),
            register: usize::from(*registers.get(entry.index as usize)?),
            kind: Kind::of_descriptor(&entry.descriptor.to_string()),
        })
    };
    alive.into_iter().filter_map(variable).collect()
}

fn body(method: &'static Method) -> Option<&'static CodeData<'static>> {
    method.attributes().find_map(|attribute| match attribute {
        AttributeData::Code(code) => Some(code),
        _ => None,
    })
}

fn local_entries<'a>(body: &'a CodeData<'a>) -> impl Iterator<Item = &'a LocalVariableEntry<'a>> {
    let tables = body.attributes.iter().filter_map(|attribute| match &attribute.data {
        AttributeData::LocalVariableTable(entries) => Some(entries),
        _ => None,
    });
    tables.flatten()
}
