//! How does a heap differ from an earlier one?

use std::collections::HashMap;

use lazuli_explore::{Drawn, Picture, Shown, ShownContents};
use lazuli_logic::Expression;

/// The places that hold something else than before. Objects of both heaps are known by their names.
pub(super) struct Changes<'a> {
    before: Option<&'a Picture>,
    now: &'a Picture,
    earlier: HashMap<&'a str, &'a Drawn>,
}

impl<'a> Changes<'a> {
    /// Without an earlier heap, nothing has changed.
    pub(super) fn between(before: Option<&'a Picture>, now: &'a Picture) -> Changes<'a> {
        let objects = before.iter().flat_map(|before| before.objects.iter());
        let earlier = objects.filter(|object| !object.is_new).map(|object| (object.name.as_str(), object)).collect();
        Changes { before, now, earlier }
    }

    /// Does a field hold something else than before?
    pub(super) fn field(&self, object: &Drawn, name: &str, shown: &Shown) -> bool {
        let Some(earlier) = self.earlier(object) else { return false };
        let ShownContents::Fields(fields) = &earlier.contents else { return false };
        let was = fields.iter().find(|(known, _)| known == name);
        was.is_some_and(|(_, was)| !self.is_same(was, shown))
    }

    /// The same for an element.
    pub(super) fn element(&self, object: &Drawn, index: &Expression, shown: &Shown) -> bool {
        let Some(earlier) = self.earlier(object) else { return false };
        let ShownContents::Elements { items, others, .. } = &earlier.contents else { return false };
        let was = items.iter().find(|(known, _)| known == index).map_or(others, |(_, was)| was);
        !self.is_same(was, shown)
    }

    /// Does a root hold something else than before? A result was not there.
    pub(super) fn root(&self, name: &str, shown: &Shown) -> bool {
        let was = self.before.and_then(|before| before.roots.iter().find(|(known, _)| known == name));
        was.is_some_and(|(_, was)| !self.is_same(was, shown))
    }

    /// Has anything in the object changed? What is new did not.
    pub(super) fn object(&self, object: &Drawn) -> bool {
        match &object.contents {
            ShownContents::Fields(fields) => fields.iter().any(|(name, shown)| self.field(object, name, shown)),
            ShownContents::Elements { items, .. } => {
                items.iter().any(|(index, shown)| self.element(object, index, shown))
            }
            ShownContents::Text(_) => false,
        }
    }

    /// Has anything changed that was there before?
    pub(super) fn any(&self) -> bool {
        self.now.objects.iter().any(|object| self.object(object))
            || self.now.roots.iter().any(|(name, shown)| self.root(name, shown))
    }

    fn earlier(&self, object: &Drawn) -> Option<&'a Drawn> {
        self.earlier.get(object.name.as_str()).copied().filter(|_| !object.is_new)
    }

    fn is_same(&self, was: &Shown, is: &Shown) -> bool {
        match (was, is) {
            (Shown::Object(was), Shown::Object(is)) => {
                let was = self.before.and_then(|before| before.objects.get(*was));
                let is = self.now.objects.get(*is);
                match (was, is) {
                    (Some(was), Some(is)) => {
                        let is_text = |object: &Drawn| matches!(object.contents, ShownContents::Text(_));
                        was.name == is.name && was.is_new == is.is_new
                            || is_text(was) && is_text(is) && was.contents == is.contents
                    }
                    _ => false,
                }
            }
            (was, is) => was == is,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{drawn, int, swapped};
    use super::*;

    #[test]
    fn elements_are_compared_by_their_index() {
        let array = |items: &[(i32, i32)]| {
            let items = items.iter().map(|(index, value)| (int(*index), Shown::Value(int(*value)))).collect();
            let contents = ShownContents::Elements { length: int(3), items, others: Shown::Value(int(0)) };
            Picture { objects: vec![Drawn { contents, ..drawn("a", "int[]") }], ..Picture::default() }
        };
        let (before, now) = (array(&[(2, 7), (0, 5)]), array(&[(0, 5), (1, 0), (2, 8)]));
        let changes = Changes::between(Some(&before), &now);
        let is_changed =
            |index: i32, value: i32| changes.element(&now.objects[0], &int(index), &Shown::Value(int(value)));
        assert!(!is_changed(0, 5) && !is_changed(1, 0) && is_changed(2, 8));
        assert!(changes.object(&now.objects[0]) && !Changes::between(Some(&now), &now).object(&now.objects[0]));
    }

    #[test]
    fn fields_are_compared_by_the_names_of_their_objects() {
        let before = swapped();
        let mut now = swapped();
        now.objects.swap(0, 1);
        now.roots[0].1 = Shown::Object(1);
        let ShownContents::Fields(fields) = &mut now.objects[1].contents else { unreachable!() };
        fields[1].1 = Shown::Object(0);
        let ShownContents::Fields(fields) = &mut now.objects[0].contents else { unreachable!() };
        fields[1].1 = Shown::Object(1);
        assert!(!Changes::between(Some(&before), &now).any());
        let ShownContents::Fields(fields) = &mut now.objects[0].contents else { unreachable!() };
        fields[0].1 = Shown::Value(int(6));
        fields[1].1 = Shown::Null;
        let changes = Changes::between(Some(&before), &now);
        let object = &now.objects[0];
        assert!(changes.any());
        assert!(changes.field(object, "elem", &Shown::Value(int(6))) && changes.field(object, "next", &Shown::Null));
        assert!(!changes.field(object, "label", &Shown::Unread) && !changes.object(&now.objects[1]));
        assert!(changes.root("this", &Shown::Null) && !changes.root("result", &Shown::Null));
        assert!(!Changes::between(None, &now).object(object));
    }
}
