//! Which rows do the boxes of a diagram have?

use lazuli_explore::{Drawn, Picture, Shown, ShownContents};
use lazuli_logic::Expression;

use super::super::changes::Changes;
use super::super::picture::{array_type, class_name, quoted, value};
use super::forest::{Forest, ObjectReference, inline, is_changed, places};
use super::{Card, CardRow, Emphasis, Inside, length};

/// A value that is longer is cut.
const WIDEST: i32 = 32;
/// Names that share a row take at most this much of it.
const WIDEST_NAMES: i32 = 24;

/// The cards of the objects that the forest draws, in its order.
pub(super) fn cards(picture: &Picture, forest: &Forest, changes: &Changes) -> Vec<Card> {
    forest.drawn.iter().map(|index| CardWriter { picture, forest, changes }.card(*index)).collect()
}

/// The roots that are no box.
pub(super) fn captions(picture: &Picture, forest: &Forest, changes: &Changes) -> Vec<CardRow> {
    let writer = CardWriter { picture, forest, changes };
    let is_box = |shown: &Shown| matches!(shown, Shown::Object(index) if writer.has_arrows(*index));
    let caption = |(name, shown): &(String, Shown)| writer.entry(name.clone(), name, shown, changes.root(name, shown));
    picture.roots.iter().filter(|(_, shown)| !is_box(shown)).map(caption).collect()
}

struct CardWriter<'a> {
    picture: &'a Picture,
    forest: &'a Forest,
    changes: &'a Changes<'a>,
}

impl CardWriter<'_> {
    fn card(&self, index: usize) -> Card {
        let object = &self.picture.objects[index];
        let is_changed = self.changes.object(object);
        let contents = match &object.contents {
            ShownContents::Fields(_) => Inside::Rows(self.rows(index)),
            ShownContents::Elements { .. } => Inside::Cells(self.cells(index)),
            ShownContents::Text(_) => Inside::Rows(Vec::new()),
        };
        Card { title: self.title(index), is_new: object.is_new, is_changed, contents }
    }

    fn title(&self, index: usize) -> String {
        let object = &self.picture.objects[index];
        let class = match &object.contents {
            ShownContents::Elements { length, .. } => array_type(&class_name(self.picture, &object.class), length),
            ShownContents::Text(text) => cut(&quoted(text), WIDEST),
            ShownContents::Fields(_) => class_name(self.picture, &object.class),
        };
        let some = match object {
            Drawn { is_new: true, .. } => "new ",
            Drawn { is_exact: false, .. } => "some ",
            _ => "",
        };
        if object.is_constant {
            return object.name.clone();
        }
        let roots = self.root_names(index);
        match (roots.is_empty(), self.is_named_elsewhere(index)) {
            (false, _) => format!("{}: {some}{class}", roots.join(", ")),
            (true, true) => format!("{some}{class} {}", self.tag(index)),
            (true, false) => format!("{some}{class}"),
        }
    }

    fn root_names(&self, index: usize) -> Vec<&str> {
        let is_it = |shown: &Shown| *shown == Shown::Object(index);
        self.picture.roots.iter().filter(|(_, shown)| is_it(shown)).map(|(name, _)| name.as_str()).collect()
    }

    /// The name by which other boxes refer to a box.
    fn tag(&self, index: usize) -> String {
        match self.root_names(index).first() {
            Some(name) => name.to_string(),
            None => format!("#{}", self.forest.drawn.iter().position(|drawn| *drawn == index).unwrap_or(0) + 1),
        }
    }

    fn is_named_elsewhere(&self, index: usize) -> bool {
        self.forest.elsewhere.iter().any(|reference| reference.to == index)
    }

    fn has_arrows(&self, index: usize) -> bool {
        self.forest.drawn.contains(&index) && !self.picture.objects[index].is_constant
    }

    /// Is the reference at this place drawn as an arrow that says its own name?
    fn is_arrow(&self, from: usize, slot: usize) -> bool {
        let is_it = |reference: &ObjectReference| reference.from == from && reference.slot == slot;
        self.forest.below.get(&from).is_some_and(|below| below.iter().any(is_it))
            || self.forest.beside.get(&from).is_some_and(is_it)
            || self.forest.around.iter().any(is_it)
    }

    /// Fields that are null, or that were not read, share a row.
    fn rows(&self, index: usize) -> Vec<CardRow> {
        let object = &self.picture.objects[index];
        let mut rows: Vec<CardRow> = Vec::new();
        for (slot, (name, shown)) in places(object).into_iter().enumerate() {
            if self.is_arrow(index, slot) {
                continue;
            }
            let is_changed = is_changed(object, slot, &name, shown, self.changes);
            let entry = self.entry(name.clone(), &format!("{}.{name}", object.name), shown, is_changed);
            let is_quiet =
                |entry: &CardRow| !entry.is_changed && matches!(entry.emphasis, Emphasis::Null | Emphasis::Unread);
            let shared = rows.iter_mut().find(|row| {
                let is_short = length(&row.label) + length(&name) + 2 <= WIDEST_NAMES;
                is_quiet(row) && is_quiet(&entry) && row.emphasis == entry.emphasis && is_short
            });
            match shared {
                Some(row) => row.label.push_str(&format!(", {name}")),
                None => rows.push(entry),
            }
        }
        rows
    }

    fn cells(&self, index: usize) -> Vec<CardRow> {
        let object = &self.picture.objects[index];
        let cell = |(slot, (name, shown)): (usize, (String, &Shown))| {
            let is_changed = is_changed(object, slot, &name, shown, self.changes);
            if self.is_arrow(index, slot) {
                return CardRow { label: name, value: "•".to_string(), emphasis: Emphasis::Plain, is_changed };
            }
            self.entry(name, &format!("{}[{slot}]", object.name), shown, is_changed)
        };
        places(object).into_iter().enumerate().map(cell).collect()
    }

    /// The contents of a field or an element; `whole` is the name of its value at entry in conditions.
    fn entry(&self, label: String, whole: &str, shown: &Shown, is_changed: bool) -> CardRow {
        let (value, emphasis) = match shown {
            Shown::Value(Expression::Variable(variable)) if variable.name == whole => {
                ("any".to_string(), Emphasis::Plain)
            }
            Shown::Object(index) if self.has_arrows(*index) => (format!("→ {}", self.tag(*index)), Emphasis::Reference),
            Shown::Object(index) => match self.picture.objects.get(*index).and_then(|_| inline(self.picture, *index)) {
                Some(text) => (text, Emphasis::Plain),
                None => (value(self.picture, shown), Emphasis::Plain),
            },
            Shown::Unread => ("(?)".to_string(), Emphasis::Unread),
            Shown::Null => ("null".to_string(), Emphasis::Null),
            other => (value(self.picture, other), Emphasis::Plain),
        };
        CardRow { label, value: cut(&value, WIDEST), emphasis, is_changed }
    }
}

fn cut(text: &str, most: i32) -> String {
    if length(text) <= most {
        return text.to_string();
    }
    text.chars().take(most as usize - 1).chain(['…']).collect()
}
