//! How many shapes do the inputs of paths have? There may be millions, so that only a digest of each is kept.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use lazuli_valid::{Unread, shape_of};
use lazuli_vm::state::State;

use crate::report::ShapeCounts;

/// The shapes that were met, with unread references as null, and as themselves.
#[derive(Default)]
pub(crate) struct SeenShapes {
    whole: HashSet<Digest>,
    partial: HashSet<Digest>,
}

/// Two hashes of 64 bits: that two of a million shapes share both is as good as impossible.
type Digest = [u64; 2];

impl SeenShapes {
    /// Counts the input of a path.
    pub(crate) fn add(&mut self, state: &State) {
        self.whole.insert(digest(state, Unread::AsNull));
        self.partial.insert(digest(state, Unread::AsItself));
    }

    /// Adds the shapes that another worker saw.
    pub(crate) fn merge(&mut self, other: SeenShapes) {
        self.whole.extend(other.whole);
        self.partial.extend(other.partial);
    }

    /// Counts the distinct shapes seen so far.
    pub(crate) fn counts(&self) -> ShapeCounts {
        ShapeCounts { whole: self.whole.len() as u64, partial: self.partial.len() as u64 }
    }
}

fn digest(state: &State, unread: Unread) -> Digest {
    let (shape, _) = shape_of(state, state.symbols.roots.iter().map(|root| root.value), unread);
    // The same hash with another beginning is another hash.
    [0, 1].map(|beginning: u8| {
        let mut hasher = DefaultHasher::new();
        beginning.hash(&mut hasher);
        shape.hash(&mut hasher);
        hasher.finish()
    })
}
