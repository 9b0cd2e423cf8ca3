//! How does the page show the objects of a counterexample as a tree that can be unfolded, with what the method changed?

use std::collections::BTreeSet;

use lazuli_console::escape::escaped;
use lazuli_explore::{Drawn, Picture, Shown, ShownContents};

use super::super::changes::Changes;
use super::super::picture::{class_name, value};

/// Objects deeper than this are not written: a reader unfolds no more.
const DEEPEST: usize = 40;

/// The heap after the call, each place with what was there before if that is something else.
pub(super) fn tree(before: &Picture, after: &Picture) -> String {
    if after.objects.is_empty() {
        return String::new();
    }
    let mut writer =
        TreeWriter { before, after, changes: Changes::between(Some(before), after), seen: BTreeSet::new() };
    let mut html = String::from("<details class=\"objects\"><summary>The objects, one in the other</summary>\n<ul>\n");
    for (name, shown) in &after.roots {
        let was = before.roots.iter().find(|(known, _)| known == name).map(|(_, was)| was);
        let is_changed = writer.changes.root(name, shown);
        html.push_str(&writer.entry(name, shown, was, is_changed, 0));
    }
    html.push_str("</ul></details>\n");
    html
}

struct TreeWriter<'a> {
    before: &'a Picture,
    after: &'a Picture,
    changes: Changes<'a>,
    /// Objects that are unfolded elsewhere.
    seen: BTreeSet<usize>,
}

impl TreeWriter<'_> {
    fn entry(&mut self, name: &str, shown: &Shown, was: Option<&Shown>, is_changed: bool, depth: usize) -> String {
        let after = self.after;
        let old = match (was, is_changed) {
            (Some(was), true) => format!("<del>{}</del> ", escaped(&value(self.before, was))),
            _ => String::new(),
        };
        let class = if is_changed { " class=\"changed\"" } else { "" };
        let Shown::Object(index) = shown else {
            return format!(
                "<li{class}><code>{}</code> = {old}{}</li>\n",
                escaped(name),
                escaped(&value(after, shown))
            );
        };
        let object = &after.objects[*index];
        if matches!(object.contents, ShownContents::Text(_)) || depth > DEEPEST || !self.seen.insert(*index) {
            let text = match object.contents {
                ShownContents::Text(_) => value(after, shown),
                _ => format!("→ {}", object.name),
            };
            return format!("<li{class}><code>{}</code> = {old}{}</li>\n", escaped(name), escaped(&text));
        }
        let made = if object.is_new { " <span class=\"legend\">new</span>" } else { "" };
        let title = class_name(after, &object.class);
        let inside = self.inside(object, depth + 1);
        let open = if depth == 0 { " open" } else { "" };
        format!(
            "<li{class}><details{open}><summary><code>{}</code> = {old}{}{made}</summary>\n<ul>\n{inside}</ul></details></li>\n",
            escaped(name),
            escaped(&title)
        )
    }

    fn inside(&mut self, object: &Drawn, depth: usize) -> String {
        let earlier = self.before.objects.iter().find(|known| !object.is_new && known.name == object.name);
        let mut html = String::new();
        match &object.contents {
            ShownContents::Fields(fields) => {
                for (name, shown) in fields {
                    let was = earlier.and_then(|earlier| match &earlier.contents {
                        ShownContents::Fields(fields) => fields.iter().find(|(known, _)| known == name),
                        _ => None,
                    });
                    let is_changed = self.changes.field(object, name, shown);
                    html.push_str(&self.entry(name, shown, was.map(|(_, was)| was), is_changed, depth));
                }
            }
            ShownContents::Elements { items, .. } => {
                for (index, shown) in items {
                    let was = earlier.and_then(|earlier| match &earlier.contents {
                        ShownContents::Elements { items, others, .. } => {
                            Some(items.iter().find(|(known, _)| known == index).map_or(others, |(_, was)| was))
                        }
                        _ => None,
                    });
                    let is_changed = self.changes.element(object, index, shown);
                    html.push_str(&self.entry(&format!("[{index}]"), shown, was, is_changed, depth));
                }
            }
            ShownContents::Text(_) => {}
        }
        html
    }
}
