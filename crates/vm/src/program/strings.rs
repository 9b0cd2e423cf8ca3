//! Which string constants does the program mention? Equal texts have one id; each state makes the object when it needs it.

use std::collections::HashMap;
use std::sync::RwLock;

use super::Program;

/// The number of a string constant; equal texts have one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StringId(u32);

impl StringId {
    /// The position in tables that have an entry per string.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Default)]
pub(super) struct Strings {
    texts: boxcar::Vec<&'static [u16]>,
    ids: RwLock<HashMap<&'static [u16], StringId>>,
}

impl Program {
    /// The id of a Rust string.
    pub fn intern_str(&self, text: &str) -> StringId {
        self.intern_utf16(text.encode_utf16().collect())
    }

    /// The id of a text of UTF-16 code units.
    pub fn intern_utf16(&self, units: Vec<u16>) -> StringId {
        if let Some(id) = self.strings.ids.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&units[..]) {
            return *id;
        }
        let mut ids = self.strings.ids.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(id) = ids.get(&units[..]) {
            return *id;
        }
        let text: &'static [u16] = Box::leak(units.into_boxed_slice());
        let id = StringId(self.strings.texts.push(text) as u32);
        ids.insert(text, id);
        id
    }

    /// The UTF-16 code units of a string constant.
    pub fn text(&self, id: StringId) -> &'static [u16] {
        self.strings.texts[id.index()]
    }
}
