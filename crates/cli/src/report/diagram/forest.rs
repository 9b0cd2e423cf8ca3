//! Which objects form lists, which form trees, and which neither?
//!
//! The objects are visited from the roots, by their fields in declared order, depth first. The references by which an object is visited
//! make a forest. Objects that have one successor of their kind stand side by side, others below the one that they hang on. What is left
//! are references back and across.

use std::collections::{BTreeSet, HashMap};

use lazuli_explore::{Drawn, Picture, Shown, ShownContents};
use lazuli_logic::{Constant, Expression};

use super::super::changes::Changes;
use super::super::picture::{listed, quoted, uses};

/// Fields by which a list goes on, whatever else its nodes refer to.
const FORWARD: [&str; 6] = ["next", "succ", "successor", "link", "tail", "rest"];

/// A reference from a place of one object to another. Objects are known by their index in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ObjectReference {
    pub from: usize,
    /// Among the places of the object that `places` lists.
    pub slot: usize,
    pub to: usize,
}

pub(super) struct Forest {
    /// The objects that have a box.
    pub drawn: Vec<usize>,
    /// Those that hang on no other.
    pub roots: Vec<usize>,
    pub below: HashMap<usize, Vec<ObjectReference>>,
    pub beside: HashMap<usize, ObjectReference>,
    pub around: Vec<ObjectReference>,
    pub elsewhere: Vec<ObjectReference>,
    /// ObjectLinks of trees that lead nowhere, by object and slot: the children that are there keep their side.
    pub gaps: BTreeSet<(usize, usize)>,
    /// The names of the places from which references lead, by object and slot, and whether what they hold is new there.
    names: HashMap<(usize, usize), (String, bool)>,
}

/// Fields, or elements that are written down.
pub(super) fn places(object: &Drawn) -> Vec<(String, &Shown)> {
    match &object.contents {
        ShownContents::Fields(fields) => fields.iter().map(|(name, shown)| (name.clone(), shown)).collect(),
        ShownContents::Elements { length, items, others } => match listed(length, items, others) {
            Some(all) => all.into_iter().map(|shown| (String::new(), shown)).collect(),
            None => {
                let items = items.iter().map(|(index, shown)| (format!("[{index}]"), shown));
                items.chain([("others".to_string(), others)]).collect()
            }
        },
        ShownContents::Text(_) => Vec::new(),
    }
}

/// Does a place hold something else than before?
pub(super) fn is_changed(object: &Drawn, slot: usize, name: &str, shown: &Shown, changes: &Changes) -> bool {
    match &object.contents {
        ShownContents::Elements { length, items, others } => match (listed(length, items, others), items.get(slot)) {
            (Some(_), _) => changes.element(object, &Expression::Constant(Constant::Int(slot as i32)), shown),
            (None, Some((index, _))) => changes.element(object, index, shown),
            (None, None) => false,
        },
        _ => changes.field(object, name, shown),
    }
}

/// The text for an object where it is used, if it needs no box of its own.
pub(super) fn inline(picture: &Picture, index: usize) -> Option<String> {
    let object = &picture.objects[index];
    if object.is_constant {
        return Some(object.name.clone());
    }
    if uses(picture, index) > 1 {
        return None;
    }
    let simple = || object.class.rsplit(['.', '$']).next().unwrap_or(&object.class).to_string();
    match &object.contents {
        ShownContents::Text(text) => Some(quoted(text)),
        ShownContents::Fields(fields) if fields.is_empty() => {
            let article = if object.is_new { "a new" } else { "some" };
            Some(format!("{article} {}", simple()))
        }
        ShownContents::Fields(fields) if object.class.starts_with("java.lang.") => match fields.as_slice() {
            [(_, Shown::Value(value))] => Some(format!("{} {value}", simple())),
            _ => None,
        },
        _ => None,
    }
}

impl Forest {
    /// How an arrow is labelled, and whether it was not there before.
    pub(super) fn label(&self, reference: &ObjectReference) -> (String, bool) {
        self.names.get(&(reference.from, reference.slot)).cloned().unwrap_or_default()
    }

    /// A field that led back in an earlier heap is not followed in this one, so that a part that was cut off stands apart.
    pub(super) fn of(picture: &Picture, before: Option<&Picture>, changes: &Changes) -> Forest {
        let back = before.map_or_else(ObjectLinks::new, |before| {
            let drawn = boxes(before, &Changes::between(None, before));
            Survey::all(before, &drawn, &ObjectLinks::new()).0.leading_back()
        });
        let drawn = boxes(picture, changes);
        let (survey, roots) = Survey::all(picture, &drawn, &back);
        let names = names(picture, &drawn, changes);
        survey.sort_out(roots, names)
    }
}

/// The objects that have a box.
fn boxes(picture: &Picture, changes: &Changes) -> Vec<usize> {
    let has_box = |index: &usize| match &picture.objects[*index] {
        // No arrow leads to it; it is drawn to show its new contents.
        object if object.is_constant => changes.object(object),
        _ => inline(picture, *index).is_none(),
    };
    (0..picture.objects.len()).filter(has_box).collect()
}

fn names(picture: &Picture, drawn: &[usize], changes: &Changes) -> HashMap<(usize, usize), (String, bool)> {
    let mut names = HashMap::new();
    for index in drawn {
        let object = &picture.objects[*index];
        for (slot, (name, shown)) in places(object).into_iter().enumerate() {
            let is_changed = is_changed(object, slot, &name, shown, changes);
            names.insert((*index, slot), (name, is_changed));
        }
    }
    names
}

/// The result of a walk over all objects.
struct Survey<'a> {
    picture: &'a Picture,
    drawn: &'a [usize],
    seen: BTreeSet<usize>,
    tree: Vec<ObjectReference>,
    others: Vec<ObjectReference>,
    /// ObjectLinks that lead to the next object, and those that lead back, by class and name.
    forward: ObjectLinks,
    back: ObjectLinks,
    /// ObjectLinks that are not followed.
    ignored: &'a ObjectLinks,
}

/// Fields, by their class and name.
type ObjectLinks = BTreeSet<(String, String)>;

impl<'a> Survey<'a> {
    /// Visits every object; those on which nothing leads are roots.
    fn all(picture: &'a Picture, drawn: &'a [usize], ignored: &'a ObjectLinks) -> (Survey<'a>, Vec<usize>) {
        let mut survey = Survey {
            picture,
            drawn,
            seen: BTreeSet::new(),
            tree: Vec::new(),
            others: Vec::new(),
            forward: BTreeSet::new(),
            back: ignored.clone(),
            ignored,
        };
        let mut roots = Vec::new();
        let named = picture.roots.iter().filter_map(|(_, shown)| match shown {
            Shown::Object(index) => Some(*index),
            _ => None,
        });
        for index in named.filter(|index| drawn.contains(index)).chain(drawn.iter().copied()) {
            if !survey.seen.contains(&index) {
                roots.push(index);
                survey.visit(index);
            }
        }
        (survey, roots)
    }

    /// The links that only ever lead back, in classes of which another link leads on.
    fn leading_back(&self) -> ObjectLinks {
        let leads_on = |class: &String| self.forward.iter().any(|(other, _)| other == class);
        self.back.difference(&self.forward).filter(|(class, _)| leads_on(class)).cloned().collect()
    }

    fn visit(&mut self, index: usize) {
        self.seen.insert(index);
        let object = &self.picture.objects[index];
        for (slot, (name, shown)) in places(object).into_iter().enumerate() {
            let Shown::Object(to) = *shown else { continue };
            let is_arrow = self.drawn.contains(&to) && !self.picture.objects[to].is_constant;
            if !is_arrow {
                continue;
            }
            let reference = ObjectReference { from: index, slot, to };
            let is_link = object.links.contains(&name);
            let link = (object.class.clone(), name);
            if self.seen.contains(&to) || self.ignored.contains(&link) {
                if is_link {
                    self.back.insert(link);
                }
                self.others.push(reference);
            } else {
                if is_link {
                    self.forward.insert(link);
                }
                self.tree.push(reference);
                self.visit(to);
            }
        }
    }

    /// The links by which a structure of these objects goes on.
    fn successors(&self, object: &Drawn) -> Vec<String> {
        let key = |name: &String| (object.class.clone(), name.clone());
        let goes_on = |name: &&String| self.forward.contains(&key(name)) || !self.back.contains(&key(name));
        object.links.iter().filter(goes_on).cloned().collect()
    }

    fn is_list(&self, object: &Drawn) -> bool {
        let used: Vec<&(String, String)> = self.forward.iter().filter(|(class, _)| *class == object.class).collect();
        match used.as_slice() {
            [] => {
                self.successors(object).len() == 1 || object.links.iter().any(|link| FORWARD.contains(&link.as_str()))
            }
            [(_, only)] => self.successors(object).len() == 1 || FORWARD.contains(&only.as_str()),
            _ => false,
        }
    }

    fn sort_out(self, roots: Vec<usize>, names: HashMap<(usize, usize), (String, bool)>) -> Forest {
        let mut below: HashMap<usize, Vec<ObjectReference>> = HashMap::new();
        let mut beside: HashMap<usize, ObjectReference> = HashMap::new();
        let mut gaps = BTreeSet::new();
        for reference in &self.tree {
            let (from, to) = (&self.picture.objects[reference.from], &self.picture.objects[reference.to]);
            let name = &places(from)[reference.slot].0;
            let is_link = from.links.contains(name);
            let is_array = matches!(from.contents, ShownContents::Elements { .. });
            // Lists that begin at the same object stand below it, beside each other.
            let is_only = self.tree.iter().filter(|other| other.from == reference.from).count() == 1;
            let goes_on = if is_link { self.is_list(from) } else { self.is_list(to) && !is_array && is_only };
            if goes_on && !beside.contains_key(&reference.from) {
                beside.insert(reference.from, *reference);
            } else {
                below.entry(reference.from).or_default().push(*reference);
            }
        }
        for (index, references) in &below {
            let object = &self.picture.objects[*index];
            let successors = self.successors(object);
            let names: Vec<String> = places(object).into_iter().map(|(name, _)| name).collect();
            let is_tree = references.iter().any(|reference| successors.contains(&names[reference.slot]));
            for (slot, name) in names.iter().enumerate().filter(|_| is_tree) {
                let is_there = references.iter().any(|reference| reference.slot == slot);
                if successors.contains(name) && !is_there {
                    gaps.insert((*index, slot));
                }
            }
        }
        let (around, elsewhere) = self.split_others(&beside);
        Forest { drawn: self.drawn.to_vec(), roots, below, beside, around, elsewhere, gaps, names }
    }

    /// Of each list, one reference from its end back into it.
    fn split_others(&self, beside: &HashMap<usize, ObjectReference>) -> (Vec<ObjectReference>, Vec<ObjectReference>) {
        let previous: HashMap<usize, usize> = beside.values().map(|next| (next.to, next.from)).collect();
        let is_in_same_list = |end: usize, sought: usize| {
            std::iter::successors(Some(end), |index| previous.get(index).copied()).any(|index| index == sought)
        };
        let mut around: Vec<ObjectReference> = Vec::new();
        let mut elsewhere = Vec::new();
        for reference in &self.others {
            let object = &self.picture.objects[reference.from];
            let name = places(object)[reference.slot].0.clone();
            let is_forward =
                self.forward.contains(&(object.class.clone(), name.clone())) || reference.from == reference.to;
            let is_around = object.links.contains(&name)
                && is_forward
                && !beside.contains_key(&reference.from)
                && is_in_same_list(reference.from, reference.to)
                && !around.iter().any(|known| known.from == reference.from);
            if is_around { around.push(*reference) } else { elsewhere.push(*reference) }
        }
        (around, elsewhere)
    }
}
