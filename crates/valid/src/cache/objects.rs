//! What of the valid objects outlives the run that found them?
//!
//! Objects are known by their numbers, and fields by their names, so that it means the same in a later run; if the classes are the same,
//! which the owner of the archive has to see to. A circuit is not kept, but the pairs that it allows: to find these takes the time.

use std::collections::BTreeSet;

use lazuli_heapsat::Oracle;
use lazuli_vm::program::{Method, Program, descriptor};
use lazuli_vm::state::State;
use lazuli_vm::universe::Bounds;
use lazuli_vm::universe::Restriction;
use lazuli_vm::value::ObjId;
use serde::{Deserialize, Serialize};

use crate::bounds::Told;
use crate::{Backbone, BackboneField, Fact, Invariant, Referent, Tools, ValidObjects};

/// More objects than this are not kept.
const MOST_OBJECTS: usize = 20_000;

/// Valid objects as they are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredObjects {
    /// Those over which objects are numbered.
    fields: Vec<StoredField>,
    objects: Vec<Vec<StoredFact>>,
    circuit: Option<StoredCircuit>,
    beyond: BTreeSet<Restriction>,
    candidates: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct StoredField {
    name: String,
    leads: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct StoredCircuit {
    fields: Vec<String>,
    pairs: Vec<StoredFact>,
    is_near: bool,
}

/// The field, the number of its owner, and that of the object to which it refers, if it is not null.
type StoredFact = (u16, u16, Option<u16>);

impl StoredObjects {
    /// None if there is too much, or something that has no number.
    pub fn of(valid: &ValidObjects) -> Option<StoredObjects> {
        if valid.unfinished.is_some() || valid.objects.len() > MOST_OBJECTS {
            return None;
        }
        let field = |field: &BackboneField| StoredField { name: name(field), leads: field.leads };
        let circuit = match &valid.circuit {
            None => None,
            Some(Told { recipe, is_near }) => Some(StoredCircuit {
                fields: recipe.backbone.fields.iter().map(name).collect(),
                pairs: facts(&recipe.pairs)?,
                is_near: *is_near,
            }),
        };
        Some(StoredObjects {
            fields: valid.backbone.fields.iter().map(field).collect(),
            objects: valid.objects.iter().map(|object| facts(object)).collect::<Option<_>>()?,
            circuit,
            beyond: valid.beyond.clone(),
            candidates: valid.candidates,
        })
    }

    /// The same valid objects in this run. None if they do not fit, or the circuit cannot be made again.
    pub fn recall(
        self,
        tools: &mut Tools,
        input: &State,
        root: ObjId,
        invariants: &[Invariant],
    ) -> Option<ValidObjects> {
        let counted = input.symbols.input(root)?.counted;
        let all = Backbone::of(&tools.vm.program, &[counted]);
        let mut fields = Vec::new();
        for kept in &self.fields {
            let field = all.fields.iter().find(|field| name(field) == kept.name)?;
            fields.push(BackboneField { leads: kept.leads, ..field.clone() });
        }
        let backbone = Backbone { fields, ..all };
        let is_known = |(field, ..): &StoredFact| (*field as usize) < backbone.fields.len();
        self.objects.iter().flatten().all(is_known).then_some(())?;
        let objects = self.objects.into_iter().map(|object| object.into_iter().map(fact).collect()).collect();
        let circuit = match self.circuit {
            None => None,
            Some(StoredCircuit { fields, pairs, is_near }) => {
                let pairs: Vec<Fact> = pairs.into_iter().map(fact).collect();
                let watch = |_, _| tools.is_out_of_time();
                let task = tools.task(invariants, input, crate::bounds::PATIENCE, &watch);
                // As when it was first made, before it was known which fields lead to objects.
                let followed = backbone.fields.iter().map(|field| BackboneField { leads: true, ..field.clone() });
                let followed = Backbone { fields: followed.collect(), ..backbone.clone() };
                let make = |is_near| Oracle::of_known(&task, &followed, crate::bounds::precision(is_near), &pairs).ok();
                // On a machine that is busier by now, there may be no time to find out that few bits are enough.
                let recipe = make(is_near).or_else(|| make(false).filter(|_| is_near))?.recipe()?;
                let is_same = recipe.backbone.fields.iter().map(name).eq(fields);
                is_same.then_some(())?;
                Some(Told { recipe, is_near })
            }
        };
        let (beyond, candidates) = (self.beyond, self.candidates);
        Some(ValidObjects { backbone, objects, circuit, unfinished: None, beyond, candidates })
    }
}

/// All on which valid objects depend beside the classes: where `start` begins, what is asked, over which fields objects are
/// numbered, and the bounds. None if an invariant was written elsewhere than in a class file, so that its name does not tell which one it is.
pub fn about(
    program: &Program,
    start: &'static Method,
    invariants: &[Invariant],
    named: &[String],
    bounds: &Bounds,
) -> Option<String> {
    if invariants.iter().any(|invariant| invariant.code().hidden) {
        return None;
    }
    let invariant = |invariant: &Invariant| format!("{} of root {}", invariant.method.full_name(), invariant.root);
    let invariants: Vec<String> = invariants.iter().map(invariant).collect();
    Some(format!("{}\n{}\n{named:?}\n{bounds:?}", start_of(program, start), invariants.join(" ")))
}

/// Names everything that decides the state in which a search for valid objects begins: which classes were initialised before, and what there is beside the
/// object. Numbers among the parameters are no part of it. Where the class has subclasses, those that inherit the target are receivers.
pub fn start_of(program: &Program, target: &'static Method) -> String {
    let (parameters, _) = descriptor::method(target.descriptor).unwrap_or_default();
    let references: Vec<&str> = parameters.into_iter().filter(|kind| kind.starts_with(['L', '['])).collect();
    let class = target.class();
    let has_subclasses = || !program.users_below(class).is_empty();
    let receiver = match target.is_static() {
        true => "static",
        false if has_subclasses() => target.name,
        false => "with a receiver",
    };
    format!("{} {receiver} {}", class.name, references.join(" "))
}

fn name(field: &BackboneField) -> String {
    let BackboneField { class, name, slot, owner, target, .. } = field;
    format!("{}.{name} slot {slot} of {owner} to {target}", class.name)
}

fn facts(facts: &[Fact]) -> Option<Vec<StoredFact>> {
    let kept = |(field, owner, target): &Fact| match target {
        Referent::Null => Some((*field, *owner, None)),
        Referent::Object(number) => Some((*field, *owner, Some(*number))),
        Referent::Other(_) => None,
    };
    facts.iter().map(kept).collect()
}

fn fact((field, owner, target): StoredFact) -> Fact {
    (field, owner, target.map_or(Referent::Null, Referent::Object))
}
