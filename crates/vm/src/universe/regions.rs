//! Which parts of the input are apart from each other, because the request says so?
//!
//! Kiasan tags objects with heap regions (section 4, figure 4). A region is given by the places that lead into it, roots and fields; what is reached from there belongs to
//! it, up to a field that leads into another one. Example: with the regions `this`, `other` and `Node.data`, two lists share no node, and no element is a node.
//! Whatever no place leads to is one further region. What code that is not there returns is of no region, and may be an object of any.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::field_limit::{FieldLimit, FieldLimitError, FieldValues};
use crate::outcome::Place;
use crate::program::{Class, Program};
use crate::state::State;
use crate::symbols::Entry;
use crate::value::{ObjId, UnknownId, Value};

/// A part of the input that is apart from all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The places that lead into it; there is one at least.
    pub places: Vec<RegionPlace>,
}

/// A place that leads into a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegionPlace {
    /// `this`, or a parameter.
    Root(String),
    /// A field of objects.
    Field {
        /// The class that declares it, with or without its package and the classes around it.
        class: String,
        /// The field.
        field: String,
    },
}

/// Why there are no such regions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegionError {
    /// There is no such field, or it holds no reference.
    #[error(transparent)]
    Field(#[from] FieldLimitError),
    /// The method has no such parameter.
    #[error("there is no parameter {name}")]
    NoParameter {
        /// The name as it was given.
        name: String,
        /// The parameters that there are.
        parameters: Vec<String>,
    },
    /// A place leads into two regions.
    #[error("{place} is in two regions")]
    Twice {
        /// The place.
        place: String,
    },
}

impl std::fmt::Display for RegionPlace {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            RegionPlace::Root(name) => out.write_str(name),
            RegionPlace::Field { class, field } => write!(out, "{class}.{field}"),
        }
    }
}

/// Are all places of the regions there, each in one region, for a method with these parameters?
pub fn check_regions(program: &Program, regions: &[Region], parameters: &[String]) -> Result<(), RegionError> {
    let mut seen: Vec<&RegionPlace> = Vec::new();
    for place in regions.iter().flat_map(|region| &region.places) {
        if seen.contains(&place) {
            return Err(RegionError::Twice { place: place.to_string() });
        }
        seen.push(place);
        match place {
            RegionPlace::Root(name) if name == "this" || parameters.contains(name) => {}
            RegionPlace::Root(name) => {
                return Err(RegionError::NoParameter { name: name.clone(), parameters: parameters.to_vec() });
            }
            RegionPlace::Field { class, field } => {
                let limit = FieldLimit { class: class.clone(), field: field.clone(), values: FieldValues::Null };
                limit.resolve(program)?;
            }
        }
    }
    Ok(())
}

/// The region of an object or reference: the number of one of those that were asked for, from 1 on, or 0 for the rest.
pub(crate) type RegionNumber = usize;

/// Which objects and undecided references of a path belong to which regions.
#[derive(Default)]
pub(crate) struct RegionMap {
    objects: HashMap<ObjId, RegionNumber>,
    references: HashMap<UnknownId, RegionNumber>,
    /// The regions into which fields lead: a path of references may enter them from anywhere.
    entered: HashSet<RegionNumber>,
}

impl RegionMap {
    /// Follows all references of the input as it was at entry. Two ways to an object never disagree, because a reference is only answered with objects of its region.
    pub(crate) fn of(regions: &[Region], state: &State) -> RegionMap {
        let mut map = RegionMap::default();
        if regions.is_empty() {
            return map;
        }
        map.entered = (1..=regions.len()).filter(|number| has_field(&regions[number - 1])).collect();
        let roots = state.symbols.roots.iter().map(|root| (root.value, region_of_root(regions, &root.name)));
        let held = state.held_by_statics().iter().map(|held| (Value::from(held.object), 0));
        let mut waiting: Vec<(Value, RegionNumber)> = held.chain(roots).collect();
        while let Some((value, region)) = waiting.pop() {
            if let Value::Unknown(id) = value {
                map.references.entry(id).or_insert(region);
            }
            let Value::Ref(Some(object)) = state.symbols.settled(value) else { continue };
            if map.objects.contains_key(&object) {
                continue;
            }
            map.objects.insert(object, region);
            let class = state.heap.class(object);
            match state.symbols.input(object).map(|input| &input.entry) {
                Some(Entry::Fields(fields)) => {
                    let region_at = |slot: usize| region_of_field(regions, class, slot as u32).unwrap_or(region);
                    waiting.extend(fields.iter().enumerate().map(|(slot, value)| (*value, region_at(slot))));
                }
                Some(Entry::Elements(elements)) => {
                    waiting.extend(elements.iter().map(|(_, value)| (*value, region)));
                }
                Some(Entry::Built(built)) => waiting.extend(built.arguments.iter().map(|value| (*value, region))),
                None => {}
            }
        }
        map
    }

    /// The region of an object; none if it may be of any.
    pub(crate) fn of_object(&self, object: ObjId) -> Option<RegionNumber> {
        self.objects.get(&object).copied()
    }

    /// The region into which an undecided reference leads; none if that may be any.
    pub(crate) fn of_reference(&self, id: UnknownId) -> Option<RegionNumber> {
        self.references.get(&id).copied()
    }

    /// The region into which a place of an input leads.
    pub(crate) fn of_place(&self, regions: &[Region], state: &State, place: Place) -> Option<RegionNumber> {
        let class = state.heap.class(place.object);
        let own = region_of_field(regions, class, place.slot).filter(|_| !class.is_array());
        own.or_else(|| self.of_object(place.object))
    }

    /// Can an object be reached from a reference into a region?
    pub(crate) fn may_reach(&self, from: Option<RegionNumber>, object: ObjId) -> bool {
        match (from, self.of_object(object)) {
            (Some(from), Some(to)) => from == to || self.entered.contains(&to),
            _ => true,
        }
    }
}

fn has_field(region: &Region) -> bool {
    region.places.iter().any(|place| matches!(place, RegionPlace::Field { .. }))
}

fn number_of(regions: &[Region], is_it: impl Fn(&RegionPlace) -> bool) -> Option<RegionNumber> {
    regions.iter().position(|region| region.places.iter().any(&is_it)).map(|at| at + 1)
}

fn region_of_root(regions: &[Region], name: &Rc<str>) -> RegionNumber {
    number_of(regions, |place| matches!(place, RegionPlace::Root(known) if **known == **name)).unwrap_or(0)
}

fn region_of_field(regions: &[Region], class: &'static Class, slot: u32) -> Option<RegionNumber> {
    let (owner, declared) = class.declaration_at(slot)?;
    number_of(regions, |place| match place {
        RegionPlace::Field { class, field } => declared.name == field && owner.is_called(class),
        RegionPlace::Root(_) => false,
    })
}
