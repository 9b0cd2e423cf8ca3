//! Which numbers may an object of a path have?

use std::collections::BTreeSet;
use std::rc::Rc;

use lazuli_heapsat::{Fact, Referent};

/// The numbers that the objects of a path may have.
#[derive(Clone, Default)]
pub struct Labels {
    /// Of the inputs, in the order in which the path met them.
    pub(crate) sets: Rc<Vec<Label>>,
    /// Is it certain that no valid object is numbered like this?
    pub is_impossible: bool,
    /// Was something decided about references since the input was last admitted?
    pub is_changed: bool,
    /// May there be more objects than were listed? Then labels say nothing.
    pub(crate) is_off: bool,
    /// A valid object that had all that was known when it was found.
    pub evidence: Option<Evidence>,
}

/// Which numbers an object may have.
#[derive(Clone, Default)]
pub(crate) enum Label {
    #[default]
    Any,
    Certain(u16),
    /// One of the bound of the field over which it was met. Null stays in the bound, as in the paper, although the object is none: only a walk, or
    /// a field that is never null, makes a number certain.
    Among(Rc<BTreeSet<Referent>>),
}

/// The facts of a valid object, sorted.
#[derive(Clone)]
pub struct Evidence(Rc<[Fact]>);

impl Label {
    pub(crate) fn among(bound: BTreeSet<Referent>) -> Label {
        match bound.first() {
            Some(Referent::Object(number)) if bound.len() == 1 => Label::Certain(*number),
            _ => Label::Among(Rc::new(bound)),
        }
    }

    /// May an object with this label be one of these?
    pub(crate) fn meets(&self, allowed: &BTreeSet<Referent>) -> bool {
        match self {
            Label::Any => true,
            Label::Certain(number) => allowed.contains(&Referent::Object(*number)),
            Label::Among(bound) => bound.intersection(allowed).any(Referent::is_object),
        }
    }
}

impl Evidence {
    pub(crate) fn of(facts: &[Fact]) -> Evidence {
        let mut facts: Rc<[Fact]> = facts.into();
        if let Some(facts) = Rc::get_mut(&mut facts) {
            facts.sort_unstable();
        }
        Evidence(facts)
    }

    pub(crate) fn has(&self, fact: &Fact) -> bool {
        self.0.binary_search(fact).is_ok()
    }

    /// The referent of a field of a numbered object.
    pub(crate) fn target(&self, field: u16, owner: u16) -> Option<Referent> {
        let at = self.0.partition_point(|(at, number, _)| (*at, *number) < (field, owner));
        self.0.get(at).filter(|(at, number, _)| (*at, *number) == (field, owner)).map(|(.., target)| *target)
    }
}

/// A hybrid invariant found nothing wrong.
#[derive(Clone, Copy, Debug)]
pub struct HybridPass {
    /// Did it look at what the path knows about numbers? Then it may find something wrong when more is known.
    pub minds_numbers: bool,
}
