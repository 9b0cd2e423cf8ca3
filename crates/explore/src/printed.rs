//! How many pieces has a problem by the rule that MUCHO-TACO prints? Table 1 of the paper (ISSTA 2013), and nothing else, needs it.
//!
//! The rule loses inputs: targets come after their node, so that there are no cycles, and a new label is the largest target *of the node before* plus
//! one, so that sharing is lost. The pieces that are solved are those of `lazuli_heapsat::PieceTree`.

use std::collections::{BTreeMap, BTreeSet};

use lazuli_heapsat::{Backbone, Fact, Referent};
use serde::{Deserialize, Serialize};

/// The referents of a field, by the number of its owner.
type FieldTargets = BTreeMap<u16, BTreeSet<Referent>>;

/// The numbers of pieces if the references of the first so many nodes are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintedPieces {
    /// Nodes whose references are chosen.
    pub nodes: usize,
    /// Without reductions: the product of the sizes of the bounds.
    pub none: u64,
    /// With optimisation 1: only numbers that the walk can give.
    pub symmetry: u64,
    /// With optimisation 2 as well: no two references to one node.
    pub aliasing: u64,
    /// With optimisation 3 as well: some valid structure begins like this. None if a solver could not tell.
    pub invariant: Option<u64>,
}

/// Counts the pieces for 2 nodes, 3, and so on. `begins` says whether some valid structure has all these facts.
pub(crate) fn printed_pieces(
    backbone: &Backbone,
    targets: &[FieldTargets],
    most_nodes: usize,
    begins: &mut dyn FnMut(&[Fact]) -> Option<bool>,
) -> Vec<PrintedPieces> {
    // Only fields that lead from a node to another of its sort are split.
    let fields = backbone.fields.iter().enumerate().filter(|(_, field)| field.owner == field.target && field.leads);
    let fields: Vec<usize> = fields.map(|(at, _)| at).collect();
    let empty = BTreeSet::new();
    let may_be = |field: usize, node: usize| targets[field].get(&(node as u16)).unwrap_or(&empty);
    let count = |nodes: usize| {
        let sizes = (0..nodes).flat_map(|node| fields.iter().map(move |field| may_be(*field, node).len() as u64));
        let mut pieces = PrintedPieces { nodes, none: sizes.product(), invariant: Some(0), ..PrintedPieces::default() };
        let rule = |only_new: bool| PrintedRule { fields: &fields, targets, nodes, only_new };
        rule(false).follow(0, 1, 0, &mut Vec::new(), &mut |_| pieces.symmetry += 1);
        rule(true).follow(0, 1, 0, &mut Vec::new(), &mut |facts| {
            pieces.aliasing += 1;
            pieces.invariant = pieces.invariant.and_then(|known| Some(known + begins(facts)? as u64));
        });
        pieces
    };
    let mut count = count;
    (2..=most_nodes).map(&mut count).collect()
}

/// The printed rule, with optimisation 1, and with optimisation 2 if each target is new.
struct PrintedRule<'a> {
    fields: &'a [usize],
    targets: &'a [FieldTargets],
    nodes: usize,
    only_new: bool,
}

impl PrintedRule<'_> {
    /// Chooses the references of a node, with labels that begin at `fresh`. `reached` is the largest target so far.
    fn follow(&self, node: u16, fresh: u16, reached: u16, facts: &mut Vec<Fact>, is_piece: &mut dyn FnMut(&[Fact])) {
        let mut choices: Vec<(Vec<Fact>, u16, u16)> = vec![(Vec::new(), fresh, 0)];
        for field in self.fields {
            let Some(targets) = self.targets[*field].get(&node) else { continue };
            let mut longer = Vec::new();
            for (chosen, most, largest) in choices {
                for target in targets {
                    let label = match target {
                        Referent::Null => None,
                        Referent::Object(label) => Some(*label),
                        Referent::Other(_) => continue,
                    };
                    let is_allowed = |label: u16| label > node && label <= most && !(self.only_new && label != most);
                    if label.is_some_and(|label| !is_allowed(label)) {
                        continue;
                    }
                    let mut chosen: Vec<Fact> = chosen.clone();
                    chosen.push((*field as u16, node, *target));
                    let most = if label == Some(most) { most + 1 } else { most };
                    longer.push((chosen, most, largest.max(label.unwrap_or(0))));
                }
            }
            choices = longer;
        }
        for (chosen, _, largest) in choices {
            let before = facts.len();
            facts.extend(chosen);
            let reached = reached.max(largest);
            let fresh = if largest > 0 { largest + 1 } else { fresh };
            let next = node + 1;
            match (next as usize) < self.nodes && next <= reached {
                true => self.follow(next, fresh, reached, facts, is_piece),
                false => is_piece(facts),
            }
            facts.truncate(before);
        }
    }
}
