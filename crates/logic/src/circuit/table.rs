//! Is this gate there already?
//!
//! A hash table of gates by their places alone, because the gates are kept elsewhere. To look gates up is most of the time in
//! which a circuit is built, and most of that is waiting for memory.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::Gate;

/// A place among the gates, and the gate's hash, so that other gates are hardly ever looked at.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// Zero, the place of the constant, if the slot is free.
    place: u32,
    hash: u32,
}

pub(super) struct UniqueTable {
    /// A power of two, of which at most half are taken.
    slots: Vec<Slot>,
    taken: usize,
}

impl Default for UniqueTable {
    fn default() -> UniqueTable {
        UniqueTable { slots: vec![Slot::default(); 64], taken: 0 }
    }
}

impl UniqueTable {
    /// The place of an equal gate. If there is none, the place after the last is noted: the gate must be put there.
    #[inline]
    pub(super) fn find_or_note(&mut self, gates: &[Gate], gate: Gate) -> Option<usize> {
        let hash = FxBuildHasher.hash_one(gate) as u32;
        let mut at = self.first(hash);
        loop {
            let slot = self.slots[at];
            if slot.place == 0 {
                break;
            }
            if slot.hash == hash && gates[slot.place as usize] == gate {
                return Some(slot.place as usize);
            }
            at = self.after(at);
        }
        self.slots[at] = Slot { place: gates.len() as u32, hash };
        self.taken += 1;
        if self.taken * 2 > self.slots.len() {
            self.grow();
        }
        None
    }

    #[inline]
    fn first(&self, hash: u32) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let larger = vec![Slot::default(); self.slots.len() * 2];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.place != 0 {
                let mut at = self.first(slot.hash);
                while self.slots[at].place != 0 {
                    at = self.after(at);
                }
                self.slots[at] = slot;
            }
        }
    }
}
