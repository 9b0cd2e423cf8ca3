//! Which values may each reference field have in any valid object?
//!
//! All valid objects within the bounds are listed, each as relations between numbered objects. The pairs of a field that occur in one of
//! them are its tight bound: a value that is not among them is in no valid object that is numbered in this way.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::{Deserialize, Serialize};

use super::relation::{Backbone, BackboneField, Fact, Target};
use super::{Found, Invariant, Search, Tools};
use crate::state::State;
use crate::value::ObjId;

/// All valid objects within the bounds, up to the names of objects and to numbers, as relations over a backbone.
pub struct ValidObjects {
    pub backbone: Backbone,
    /// Of each object its facts, sorted.
    pub objects: Vec<Box<[Fact]>>,
    /// Why there may be more, if there may.
    pub unfinished: Option<String>,
    /// The bounds that left further ones out.
    pub beyond: BTreeSet<String>,
    /// Runs of the invariant that were tried.
    pub candidates: u64,
}

/// The pairs of one field.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FieldBound {
    /// With the class that declares it: `Node.left`.
    pub field: String,
    /// Names of objects, numbered breadth first, and of what they may refer to.
    pub pairs: Vec<(String, String)>,
    /// How many pairs there are without a bound.
    pub of: usize,
}

/// Which fields are followed when objects are numbered.
pub enum Followed<'a> {
    /// Those that the invariant reads in every valid object; of these, objects are met over those that lead to one.
    Read,
    /// These, in this order.
    Named(&'a [String]),
}

/// Lists the valid objects that are like an input of which nothing is known. The error is a sentence for the user.
pub fn valid_objects(
    tools: &mut Tools,
    input: &State,
    root: ObjId,
    invariants: &[Invariant],
    followed: &Followed,
) -> Result<ValidObjects, String> {
    let counted = input.symbols.input(root).map_or(input.heap.class(root), |input| input.counted);
    let mut backbone = Backbone::of(&tools.vm.program, counted);
    if let Followed::Named(names) = followed {
        backbone = backbone.only(names)?;
    }
    loop {
        match list(tools, input, root, invariants, &backbone) {
            Ok((mut found, leading)) => {
                if let Followed::Read = followed {
                    let fields = found.backbone.fields.iter_mut().enumerate();
                    fields.for_each(|(at, field)| field.leads = leading.contains(&at));
                }
                return Ok(found);
            }
            // What the invariant does not read may be anything, and so the numbers of what it refers to would be.
            Err(open) => {
                if let Followed::Named(_) = followed {
                    let field = backbone.title(&backbone.fields[open]);
                    return Err(format!(
                        "{field} is not read in every valid object, so that objects cannot be numbered over it: leave it out"
                    ));
                }
                backbone.fields.remove(open);
            }
        }
    }
}

/// The valid objects, and the fields over which an object of theirs is met first; or, as an error, a field of the backbone that one of
/// them leaves open.
fn list(
    tools: &mut Tools,
    input: &State,
    root: ObjId,
    invariants: &[Invariant],
    backbone: &Backbone,
) -> Result<(ValidObjects, HashSet<usize>), usize> {
    let mut search = Search::new(input.fork(), invariants);
    let mut objects = HashSet::new();
    let mut leading = HashSet::new();
    let mut beyond = BTreeSet::new();
    let unfinished = loop {
        let mut tools = tools.beyond(&mut beyond);
        match search.next(&mut tools) {
            Found::Solution(state) => {
                let numbered = backbone.number(&state, root);
                if let Some(open) = numbered.open {
                    return Err(open);
                }
                leading.extend(numbered.leading);
                let mut facts = numbered.facts;
                facts.sort_unstable();
                objects.insert(facts.into_boxed_slice());
            }
            Found::Exhausted => break None,
            Found::Unknown(why) => break Some(why),
        }
        if tools.is_out_of_time() {
            break Some("the time limit was reached".to_string());
        }
    };
    let mut objects: Vec<Box<[Fact]>> = objects.into_iter().collect();
    objects.sort_unstable();
    let candidates = search.candidates;
    Ok((ValidObjects { backbone: backbone.clone(), objects, unfinished, beyond, candidates }, leading))
}

impl ValidObjects {
    /// What each field of the backbone may refer to, by the number of the object that has it.
    pub fn targets(&self) -> Vec<BTreeMap<u16, BTreeSet<Target>>> {
        let mut targets = vec![BTreeMap::<u16, BTreeSet<Target>>::new(); self.backbone.fields.len()];
        for (field, owner, target) in self.objects.iter().flatten() {
            targets[*field as usize].entry(*owner).or_default().insert(*target);
        }
        targets
    }

    /// The bounds of all fields, with names. `scope` says how many objects of a class there may be, and `held` what objects are
    /// called that are no inputs.
    pub fn bounds(&self, scope: &dyn Fn(&str) -> usize, held: &dyn Fn(ObjId) -> String) -> Vec<FieldBound> {
        let targets = self.targets();
        let names = self.backbone.names();
        let sizes = self.sizes(&targets, scope);
        let others: BTreeSet<ObjId> = targets.iter().flat_map(BTreeMap::values).flatten().filter_map(other).collect();
        let bound = |(field, targets): (&BackboneField, &BTreeMap<u16, BTreeSet<Target>>)| {
            let pairs = targets.iter().flat_map(|(owner, targets)| targets.iter().map(move |target| (owner, target)));
            let name = |target: &Target| match target {
                Target::Null => "null".to_string(),
                Target::Object(number) => format!("{}{number}", names[field.target]),
                Target::Other(object) => held(*object),
            };
            FieldBound {
                field: self.backbone.title(field),
                pairs: pairs.map(|(owner, target)| (format!("{}{owner}", names[field.owner]), name(target))).collect(),
                of: sizes[field.owner] * (sizes[field.target] + 1 + others.len()),
            }
        };
        self.backbone.fields.iter().zip(&targets).map(bound).collect()
    }

    /// How many objects of each sort there may be. There is one root, unless fields may refer to others like it.
    fn sizes(&self, targets: &[BTreeMap<u16, BTreeSet<Target>>], scope: &dyn Fn(&str) -> usize) -> Vec<usize> {
        let size = |(at, sort): (usize, &super::relation::Sort)| {
            let is_target = self.backbone.fields.iter().any(|field| field.target == at);
            let most: usize = sort.classes.iter().map(|class| scope(&class.java_name())).sum();
            let owners = self.backbone.fields.iter().zip(targets).filter(|(field, _)| field.owner == at);
            let seen =
                owners.filter_map(|(_, targets)| targets.keys().next_back()).map(|last| *last as usize + 1).max();
            if is_target { most.max(seen.unwrap_or(0)) } else { 1 }
        };
        self.backbone.sorts.iter().enumerate().map(size).collect()
    }
}

fn other(target: &Target) -> Option<ObjId> {
    match target {
        Target::Other(object) => Some(*object),
        _ => None,
    }
}
