//! How is a heap drawn as text?
//!
//! One line for each object, under the name by which the others refer to it:
//!
//! ```text
//! this      = some Node { elem: int, next → this.next }
//! this.next = some Node { elem: int, next → this }
//! key       : int
//! ```
//!
//! `=` gives a value, `→` an object of the picture, and `:` the type of an unknown number, which conditions call by its name.
//! `?` was never looked at. `some Node` may be of a subclass.

use lazuli_console::visible::{escaped, is_deceptive, visible};
use lazuli_explore::{Drawn, Picture, Shown, ShownContents};
use lazuli_logic::expression::Named;
use lazuli_logic::{Constant, Expression, Sort};
use lazuli_vm::program::readable_type;

use super::changes::Changes;

/// An array up to this length is written with all its elements.
const LISTED: usize = 16;

/// Which heap a picture shows: in that of the input, an unknown value is known by its type; later on, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    AtEntry,
    AtEnd,
}

/// The lines of a picture.
pub(crate) fn lines(picture: &Picture, when: When) -> Vec<String> {
    compared(picture, None, when)
}

/// The same with a star before what was not so in an earlier picture.
pub(crate) fn compared(picture: &Picture, before: Option<&Picture>, when: When) -> Vec<String> {
    let sketch = Sketch { picture, when, changes: Changes::between(before, picture) };
    let mut rows: Vec<(String, String)> = Vec::new();
    for (name, shown) in &picture.roots {
        match shown {
            // The object has a line of its own under the same name.
            Shown::Object(index) if sketch.has_line(*index) && picture.objects[*index].name == *name => {}
            shown => {
                let star = if sketch.changes.root(name, shown) { "*" } else { "" };
                rows.push((format!("{star}{name}"), sketch.assigned(name, shown)));
            }
        }
    }
    for (index, object) in picture.objects.iter().enumerate().filter(|(index, _)| sketch.has_line(*index)) {
        rows.push((object.name.clone(), format!("= {}", sketch.drawn(index))));
    }
    // Many long names would push everything to the right; those few then stand out of line.
    let width = rows.iter().map(|(name, _)| name.chars().count()).filter(|length| *length <= 30).max().unwrap_or(0);
    // Each row stays one line, whatever the names in it.
    rows.into_iter().map(|(name, rest)| visible(&format!("{name:width$} {rest}")).into_owned()).collect()
}

/// The calls that made what the picture shows, as in source.
pub(crate) fn calls(picture: &Picture) -> Vec<String> {
    let sketch = Sketch { picture, when: When::AtEnd, changes: Changes::between(None, picture) };
    let calls = picture.calls.iter().map(|call| {
        let arguments: Vec<String> = call.arguments.iter().map(|argument| sketch.value(argument)).collect();
        let link = if call.name.starts_with("new ") { " = " } else { "." };
        let end = if call.threw { " throws" } else { "" };
        format!("{}{link}{}({}){end}", call.on, call.name, arguments.join(", "))
    });
    calls.collect()
}

/// A value by itself, such as a result.
pub(crate) fn value(picture: &Picture, shown: &Shown) -> String {
    Sketch { picture, when: When::AtEnd, changes: Changes::between(None, picture) }.value(shown)
}

/// How many places of a picture refer to an object.
pub(crate) fn uses(picture: &Picture, index: usize) -> usize {
    let is_it = |shown: &Shown| *shown == Shown::Object(index);
    let within = |object: &Drawn| match &object.contents {
        ShownContents::Fields(fields) => fields.iter().filter(|(_, shown)| is_it(shown)).count(),
        ShownContents::Elements { items, others, .. } => {
            items.iter().map(|(_, shown)| shown).chain([others]).filter(|shown| is_it(shown)).count()
        }
        ShownContents::Text(_) => 0,
    };
    let roots = picture.roots.iter().filter(|(_, shown)| is_it(shown)).count();
    roots + picture.objects.iter().map(within).sum::<usize>()
}

/// `int[3]`; in Java the outermost length comes first: `int[3][]`.
pub(crate) fn array_type(class: &str, length: &Expression) -> String {
    let element = class.strip_suffix("[]").unwrap_or(class);
    let (base, rest) = element.split_at(element.find("[]").unwrap_or(element.len()));
    format!("{base}[{length}]{rest}")
}

struct Sketch<'a> {
    picture: &'a Picture,
    when: When,
    changes: Changes<'a>,
}

impl Sketch<'_> {
    fn value(&self, shown: &Shown) -> String {
        let object = |index: usize| self.picture.objects.get(index);
        match shown {
            Shown::Unread => "?".to_string(),
            Shown::Null => "null".to_string(),
            Shown::Object(index) => match object(*index) {
                Some(Drawn { contents: ShownContents::Text(text), .. }) if !self.has_line(*index) => quoted(text),
                Some(object) => object.name.clone(),
                None => "?".to_string(),
            },
            Shown::Value(expression) => expression.to_string(),
            Shown::Unknown { class, may_be_null: true } => format!("null or some {}", class_name(self.picture, class)),
            Shown::Unknown { class, may_be_null: false } => format!("some {}", class_name(self.picture, class)),
        }
    }

    /// Texts stand where they are used, unless two places share one.
    fn has_line(&self, index: usize) -> bool {
        match self.picture.objects.get(index) {
            Some(object) => !matches!(object.contents, ShownContents::Text(_)) || uses(self.picture, index) > 1,
            None => false,
        }
    }

    /// A value behind the name that it belongs to; `whole` is that name as conditions have it.
    fn assigned(&self, whole: &str, shown: &Shown) -> String {
        match shown {
            Shown::Object(index) if self.has_line(*index) => format!("→ {}", self.value(shown)),
            Shown::Value(Expression::Variable(variable)) if variable.name == whole && self.when == When::AtEntry => {
                format!(": {}", type_of(variable))
            }
            shown => format!("= {}", self.value(shown)),
        }
    }

    fn drawn(&self, index: usize) -> String {
        let object = &self.picture.objects[index];
        let class = class_name(self.picture, &object.class);
        let some = if object.is_exact || object.is_new { "" } else { "some " };
        match &object.contents {
            ShownContents::Text(text) => quoted(text),
            ShownContents::Fields(fields) if fields.is_empty() => format!("{some}{class} {{}}"),
            ShownContents::Fields(fields) => {
                let field = |(name, shown): &(String, Shown)| {
                    let assigned = self.assigned(&format!("{}.{name}", object.name), shown);
                    // A colon stands at the word before it, the others stand alone.
                    let gap = if assigned.starts_with(':') { "" } else { " " };
                    let star = if self.changes.field(object, name, shown) { "*" } else { "" };
                    format!("{star}{name}{gap}{assigned}")
                };
                let fields: Vec<String> = fields.iter().map(field).collect();
                format!("{some}{class} {{ {} }}", fields.join(", "))
            }
            ShownContents::Elements { length, items, others } => {
                format!("{some}{} {}", array_type(&class, length), self.elements(length, items, others))
            }
        }
    }

    fn elements(&self, length: &Expression, items: &[(Expression, Shown)], others: &Shown) -> String {
        let parts: Vec<String> = match listed(length, items, others) {
            Some(all) => all.into_iter().map(|shown| self.value(shown)).collect(),
            None => {
                let item = |(index, shown): &(Expression, Shown)| format!("[{index}] {}", self.assigned("", shown));
                let rest = format!("others {}", self.assigned("", others));
                items.iter().map(item).chain([rest]).collect()
            }
        };
        if parts.is_empty() { "{}".to_string() } else { format!("{{ {} }}", parts.join(", ")) }
    }
}

/// The elements from first to last, if there is a small known number of them and each stands at a known index.
pub(crate) fn listed<'a>(
    length: &Expression,
    items: &'a [(Expression, Shown)],
    others: &'a Shown,
) -> Option<Vec<&'a Shown>> {
    let number = |expression: &Expression| match expression {
        Expression::Constant(Constant::Int(value)) => usize::try_from(*value).ok(),
        _ => None,
    };
    let mut all = vec![others; number(length).filter(|length| *length <= LISTED)?];
    for (index, shown) in items {
        *all.get_mut(number(index)?)? = shown;
    }
    Some(all)
}

/// The simple name, unless that could mean two classes of the picture.
pub(crate) fn class_name(picture: &Picture, full: &str) -> String {
    let full = if full.starts_with('[') { readable_type(full) } else { full.to_string() };
    let simple = |name: &str| name.rsplit(['.', '$']).next().unwrap_or(name).to_string();
    let is_other = |object: &Drawn| object.class != full && simple(&object.class) == simple(&full);
    if picture.objects.iter().any(is_other) { full } else { simple(&full) }
}

/// The Java type that has the values of a variable.
fn type_of(variable: &Named) -> &'static str {
    match (variable.sort, variable.range) {
        (Sort::Int, _) if variable.is_boolean() => "boolean",
        (Sort::Int, (0, 0xFFFF)) => "char",
        (Sort::Int, (-0x80, 0x7F)) => "byte",
        (Sort::Int, (-0x8000, 0x7FFF)) => "short",
        (Sort::Int, _) => "int",
        (Sort::Long, _) => "long",
        (Sort::Float, _) => "float",
        (Sort::Double, _) => "double",
        (Sort::Bool, _) => "boolean",
    }
}

/// A text as a Java literal.
pub(crate) fn quoted(text: &[u16]) -> String {
    let mut quoted = String::from("\"");
    for letter in char::decode_utf16(text.iter().copied()) {
        let letter = match letter {
            Ok(letter) => letter,
            Err(alone) => {
                quoted.push_str(&escaped(alone.unpaired_surrogate()));
                continue;
            }
        };
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other if is_deceptive(other) => quoted.push_str(&visible(other.encode_utf8(&mut [0; 4]))),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::super::samples::{drawn, int, swapped, unknown};
    use super::*;

    #[test]
    fn every_object_has_a_line_and_aliases_are_arrows() {
        let mut picture = swapped();
        picture.roots.push(("other".to_string(), Shown::Object(1)));
        picture.roots.push(("key".to_string(), unknown("key")));
        picture.roots.push(("count".to_string(), unknown("size")));
        let expected = "\
other     → this.next
key       : int
count     = size
this      = some Node { elem: int, next → this.next }
this.next = Node { elem = 5, next → this, label = ? }";
        assert_eq!(lines(&picture, When::AtEntry).join("\n"), expected);
    }

    #[test]
    fn arrays_are_listed_if_all_of_them_is_known() {
        let items = |index: Expression| vec![(index, Shown::Value(int(7)))];
        let array = |length: Expression, index: Expression| {
            let contents = ShownContents::Elements { length, items: items(index), others: Shown::Unread };
            let object = Drawn { class: "[[I".to_string(), contents, ..drawn("this.rows", "") };
            lines(&Picture { roots: vec![], objects: vec![object], ..Picture::default() }, When::AtEntry).join("\n")
        };
        let Shown::Value(length) = unknown("n") else { unreachable!() };
        assert_eq!(array(int(3), int(1)), "this.rows = some int[3][] { ?, 7, ? }");
        assert_eq!(array(length.clone(), int(1)), "this.rows = some int[n][] { [1] = 7, others = ? }");
        assert_eq!(array(int(3), length), "this.rows = some int[3][] { [n] = 7, others = ? }");
        assert_eq!(array(int(3), int(5)), "this.rows = some int[3][] { [5] = 7, others = ? }");
    }

    #[test]
    fn texts_are_java_literals_and_stand_where_they_are_used() {
        let text = Drawn {
            contents: ShownContents::Text("a\"\n\u{1}".encode_utf16().chain([0xD83D]).collect()),
            ..drawn("name", "java.lang.String")
        };
        let root = |name: &str| (name.to_string(), Shown::Object(0));
        let mut picture = Picture { roots: vec![root("name")], objects: vec![text], ..Picture::default() };
        assert_eq!(lines(&picture, When::AtEntry), ["name = \"a\\\"\\n\\u0001\\ud83d\""]);
        picture.roots.push(root("alias"));
        assert_eq!(lines(&picture, When::AtEntry), ["alias → name", "name  = \"a\\\"\\n\\u0001\\ud83d\""]);
    }

    #[test]
    fn classes_of_the_same_simple_name_are_told_apart() {
        let both = [drawn("a", "one.Node"), drawn("b", "two.Node"), drawn("c", "two.List$Cell")];
        let picture = Picture { roots: vec![], objects: both.to_vec(), ..Picture::default() };
        assert_eq!(
            lines(&picture, When::AtEntry),
            ["a = some one.Node {}", "b = some two.Node {}", "c = some Cell {}"]
        );
        let shown = Shown::Unknown { class: "two.Node".to_string(), may_be_null: true };
        assert_eq!(value(&picture, &shown), "null or some two.Node");
    }
}
