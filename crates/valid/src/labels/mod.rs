//! Which numbers may the objects of a path's input have, and what does that say about fields that are not read yet?
//!
//! An object that is met over a field of a known object has one of the numbers that the field's bound allows: its label. A reference
//! that is read next refers to an object whose label meets the bound, or to a new one. An object that is reached in another
//! way may have any number, which excludes nothing.

pub(crate) mod evidence;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use lazuli_heapsat::{FieldValue, Oracle};
use lazuli_vm::outcome::{Answer, Place, Question};
use lazuli_vm::program::{Class, Method};
use lazuli_vm::reason::{Reason, Warning};
use lazuli_vm::state::State;
use lazuli_vm::symbols::Input;
use lazuli_vm::universe::Restriction;
use lazuli_vm::value::{ObjId, Value};

use crate::label::{Evidence, Label};
use crate::labels::evidence::{FactSearch, Guesses};
use crate::{
    BoundsProgress, Effort, Fact, FeasibleAnswers, Followed, Invariant, Partial, Referent, StoredObjects,
    TechniqueSetup, Tools, ValidObjects, VerdictCache, about, receiver, valid_objects,
};

/// The time limit for building a circuit once more.
const AGAIN: Duration = Duration::from_secs(60);

/// Valid objects and the bounds of their fields; or why there are none.
pub type SharedTable = OnceLock<Result<LabelTable, Reason>>;

/// The valid objects of a class, and for each field and label the labels to which it may refer (BLISS: the tight field bounds).
pub struct LabelTable {
    pub(super) valid: ValidObjects,
    /// By field and by the number of the object that has it.
    targets: Vec<BTreeMap<u16, BTreeSet<Referent>>>,
    /// Is there but one class of objects of each sort? Then facts are all that can be known about references.
    pub(super) is_plain: bool,
}

/// Makes labels, and reads them.
pub struct Labeller {
    /// Of the root that is numbered.
    pub(super) invariants: Vec<Invariant>,
    root: usize,
    /// Fields over which objects are numbered, if the user chose them.
    backbone: Vec<String>,
    /// May fields be null wherever an object is not the root, because a structure need not have all objects that have numbers?
    is_loose: bool,
    /// The method that is explored, if it is known.
    target: Option<&'static Method>,
    /// Where valid objects are kept from one run to the next.
    verdicts: Arc<VerdictCache>,
    pub(super) ready: Option<Ready>,
}

/// The table and the oracle, once they are ready.
pub(super) struct Ready {
    shared: Arc<SharedTable>,
    /// The bounds that left valid objects out.
    beyond: Rc<BTreeSet<Restriction>>,
    /// Answers about valid objects that are not listed.
    oracle: RefCell<Option<Box<Oracle>>>,
    pub(super) guesses: Guesses,
}

impl Labeller {
    /// Labels for the objects of the first root that must be valid.
    pub fn new(given: &TechniqueSetup) -> Labeller {
        let root = given.invariants.first().map_or(0, |invariant| invariant.root);
        let invariants = given.invariants.iter().filter(|invariant| invariant.root == root).copied().collect();
        Labeller {
            invariants,
            root,
            backbone: given.backbone.to_vec(),
            is_loose: given.has_loose_bounds,
            target: given.target,
            verdicts: given.verdicts.clone(),
            ready: None,
        }
    }

    /// Computes the bounds, unless another thread has. `inputs` are those of which nothing is known.
    pub fn prepare(&mut self, tools: &mut Tools, inputs: &State, shared: &Arc<SharedTable>) {
        if self.invariants.is_empty() {
            return;
        }
        let beyond = match shared.get_or_init(|| self.table(tools, inputs)) {
            Ok(table) => table.valid.beyond.clone(),
            Err(why) => {
                tools.warnings.insert(Warning::NoFieldBounds(Box::new(why.clone())));
                BTreeSet::new()
            }
        };
        let oracle = RefCell::new(self.oracle(tools, inputs, shared));
        let guesses = Guesses::default();
        self.ready = Some(Ready { shared: shared.clone(), beyond: Rc::new(beyond), oracle, guesses });
    }

    /// The answers that the bounds allow at a place that is read next.
    pub fn feasible_answers(&self, state: &Partial, place: Place) -> Option<FeasibleAnswers> {
        // BLI (BLISS, TSE 2015, section 2.3, Algorithm 2). Invariant: in every valid completion of the path, the number of an object
        // is in its label. Example: in all valid trees, `left` of E0 is null or E1. A read of `E0.left` then has these answers: null,
        // a new object with the label {null, E1}, and each object of the path whose label contains E1.
        //
        // Objects that static fields hold are not numbered, so that no bound excludes them.
        let allowed = self.allowed(state, place)?;
        let root = self.root_of(state);
        let inputs = state.symbols.inputs.iter().enumerate();
        let may_be_there = inputs.filter(|(at, input)| self.label_at(state, root, *at, input.object).meets(&allowed));
        let mut objects: BTreeSet<ObjId> = may_be_there.map(|(_, input)| input.object).collect();
        let ready = self.ready.as_ref()?;
        objects.extend(state.held_by_statics().iter().map(|held| held.object));
        let (may_be_null, may_be_new) = (allowed.contains(&Referent::Null), allowed.iter().any(Referent::is_object));
        Some(FeasibleAnswers {
            may_be_null,
            may_be_new,
            objects,
            beyond: ready.beyond.clone(),
            ..FeasibleAnswers::default()
        })
    }

    /// Notes what an answer says about numbers.
    pub fn learn(&self, state: &mut Partial, question: &Question, answer: &Answer) {
        if let Question::Branch(_) | Question::Cases(_) = question {
            return;
        }
        state.labels.is_changed = true;
        let (Some(table), Answer::Fresh) = (self.table_of(state), answer) else { return };
        let fresh = match question {
            Question::Read { place, .. } => {
                let value = state.entry_at(*place);
                if let (Some(Value::Ref(Some(object))), Some(allowed)) = (value, self.allowed(state, *place)) {
                    let label = Label::among(allowed.into_owned());
                    self.set(state, object, label);
                }
                value
            }
            Question::Deref(id) => Some(state.symbols.settled(Value::Unknown(*id))),
            _ => None,
        };
        if let Some(Value::Ref(Some(object))) = fresh
            && let Some(input) = state.symbols.input(object)
            && self.root_of(state) != Some(object)
            && table.is_uncounted(input)
        {
            state.labels.is_off = true;
        }
    }

    /// Gives the objects up to the first undecided field the numbers that they have for certain.
    pub fn refine(&self, state: &mut Partial) {
        let (Some(table), Some(root)) = (self.table_of(state), self.root_of(state)) else { return };
        // RBLI (BLISS, section 3, Algorithms 3 and 4). The number of an object is its place in the breadth-first walk, which is
        // known as long as all fields before it are. Example: `root = A`, `A.left = null`, `A.right = B`, with B labelled {E1, E2}:
        // the walk meets B second, so that B is E1. A number outside of the label contradicts every valid object.
        for (object, _, number) in table.valid.backbone.number(state, root).objects {
            match self.label(state, object) {
                Label::Certain(known) if known == number => {}
                Label::Among(bound) if bound.contains(&Referent::Object(number)) => {
                    self.set(state, object, Label::Certain(number));
                }
                Label::Any => self.set(state, object, Label::Certain(number)),
                Label::Certain(_) | Label::Among(_) => {
                    state.labels.is_impossible = true;
                    return;
                }
            }
        }
    }

    /// May the input be a valid one, by its labels?
    pub fn admits(&self, tools: &mut Tools, state: &Partial) -> bool {
        let (Some(table), Some(_)) = (self.table_of(state), self.root_of(state)) else { return true };
        let is_possible = !state.labels.is_impossible && !table.valid.objects.is_empty();
        if !is_possible {
            tools.beyond.extend(table.valid.beyond.iter().cloned());
        }
        is_possible
    }

    /// The facts about objects of which only one number is possible. None if they exclude nothing.
    pub fn facts(&self, state: &Partial) -> Option<Vec<Fact>> {
        let (table, _) = (self.table_of(state)?, self.root_of(state)?);
        // BLISS, section 4, Algorithms 5 and 6. A fact is a pair of a field's relation: (field, number of the owner, number of the
        // referent). Only objects with one possible number yield facts, so that the list says less than the path knows: if no
        // valid object has all facts, no valid object completes the path.
        let backbone = &table.valid.backbone;
        let root = self.root_of(state);
        let number = |object: ObjId| self.certain_number(state, root, object);
        let mut facts = Vec::new();
        for (object, owner) in
            state.symbols.inputs.iter().filter_map(|input| Some((input.object, number(input.object)?)))
        {
            let class = state.heap.class(object);
            for (at, field) in backbone.fields.iter().enumerate().filter(|(_, field)| class.is_subtype_of(field.class))
            {
                let target = match field.value(state, object) {
                    FieldValue::Null => Some(Referent::Null),
                    FieldValue::Object(target) => number(target).map(Referent::Object),
                    FieldValue::Absent | FieldValue::Open => None,
                };
                facts.extend(target.map(|target| (at as u16, owner, target)));
            }
        }
        Some(facts)
    }

    /// Looks for a valid object that has all these facts.
    pub fn seek(&self, tools: &mut Tools, facts: &[Fact]) -> FactSearch {
        // The cheapest proof comes first: a refutation without a query, a valid object that is listed, and then the SAT
        // solver. If all valid objects are listed, there is no circuit, and a miss in the list is a proof.
        let Some(table) = self.ready_table() else { return FactSearch::Unknown };
        if self.refutes(facts) {
            return FactSearch::None;
        }
        let has_all = |valid: &[Fact]| facts.iter().all(|fact| valid.binary_search(fact).is_ok());
        if let Some(valid) = table.valid.objects.iter().find(|valid| has_all(valid)) {
            return FactSearch::Listed(Evidence::of(valid));
        }
        if table.valid.circuit.is_none() {
            return FactSearch::None;
        }
        let fields = table.valid.backbone.fields.len();
        let sought = self.with_oracle(|oracle| {
            let answer = oracle.has(facts, tools.limits);
            *tools.sat_calls += oracle.take_calls();
            match answer {
                Some(true) => FactSearch::Told(Evidence::of(&oracle.found_facts(fields))),
                Some(false) => FactSearch::None,
                None => FactSearch::Unknown,
            }
        });
        sought.unwrap_or(FactSearch::Unknown)
    }

    /// Is it known, without a question to a solver, that no valid object has all these facts?
    pub fn refutes(&self, facts: &[Fact]) -> bool {
        self.with_oracle(|oracle| oracle.refutes(facts)).unwrap_or(false)
    }

    fn with_oracle<T>(&self, use_it: impl FnOnce(&mut Oracle) -> T) -> Option<T> {
        self.ready.as_ref()?.oracle.borrow_mut().as_mut().map(|oracle| use_it(oracle))
    }

    /// Notes the bounds without which there might have been a valid object.
    pub fn note_excluded(&self, tools: &mut Tools) {
        tools.beyond.extend(self.ready_table().into_iter().flat_map(|table| &table.valid.beyond).cloned());
    }

    /// The subject of facts: the invariants, and the fields by their places. None if there are no facts, or if an invariant was written
    /// elsewhere than in a class file, so that its name does not tell which one it is.
    pub fn describe(&self) -> Option<String> {
        if self.invariants.iter().any(|invariant| invariant.code().hidden) {
            return None;
        }
        let backbone = &self.ready_table()?.valid.backbone;
        let invariants = self.invariants.iter().map(|invariant| invariant.method.full_name());
        let invariants: Vec<String> = invariants.collect();
        let field = |field: &super::BackboneField| {
            let super::BackboneField { class, slot, name, owner, target, leads } = field;
            format!("{}.{name} slot {slot} of {owner} to {target} leads {leads}", class.name)
        };
        let fields: Vec<String> = backbone.fields.iter().map(field).collect();
        Some(format!("{} of root {}\n{}", invariants.join(" "), self.root, fields.join("\n")))
    }

    /// The circuit that tells of valid objects, if they were not listed.
    fn oracle(&self, tools: &mut Tools, inputs: &State, shared: &SharedTable) -> Option<Box<Oracle>> {
        let recipe = &shared.get()?.as_ref().ok()?.valid.circuit.as_ref()?.recipe;
        let input = self.input(tools, inputs);
        let watch = |_, _| tools.is_out_of_time();
        let task = tools.task(&self.invariants, &input, AGAIN, &watch);
        Oracle::of_recipe(&task, recipe).ok().map(Box::new)
    }

    /// An input of which nothing is known, but that the root is there.
    fn input(&self, tools: &mut Tools, inputs: &State) -> State {
        let mut input = inputs.fork();
        if let Some(Value::Unknown(id)) = input.symbols.roots.get(self.root).map(|root| root.value) {
            tools.vm.answer(&mut input, &Question::Deref(id), &Answer::Fresh);
        }
        input
    }

    fn table(&self, tools: &mut Tools, inputs: &State) -> Result<LabelTable, Reason> {
        if tools.bounds.k.is_some() {
            return Err("how long a chain of references is (--k) depends on the path".into());
        }
        let input = self.input(tools, inputs);
        let root = self.root_of(&input).ok_or("there is no object of which they could be")?;
        let valid = self.valid(tools, &input, root)?;
        if let Some(why) = &valid.unfinished {
            return Err(why.clone());
        }
        if valid.backbone.sorts.iter().any(|sort| sort.declared > 1) {
            return Err("fields of several related types refer to the same objects".into());
        }
        let mut targets = valid.targets();
        if self.is_loose {
            let owned =
                valid.backbone.fields.iter().zip(&mut targets).filter(|(field, _)| field.owner != valid.backbone.root);
            owned.flat_map(|(_, targets)| targets.values_mut()).for_each(|targets| targets.extend([Referent::Null]));
        }
        let is_one = |class: &&'static Class| {
            let possible = tools.vm.program.possible_classes(class, tools.bounds.world);
            possible.is_some_and(|class| !class.is_open())
        };
        let is_plain =
            valid.backbone.sorts.iter().all(|sort| sort.classes.len() == 1 && sort.classes.iter().all(is_one));
        Ok(LabelTable { valid, targets, is_plain })
    }

    /// The valid objects: listed if they are few, or else as an earlier run found them if one did.
    fn valid(&self, tools: &mut Tools, input: &State, root: ObjId) -> Result<ValidObjects, Reason> {
        let followed = if self.backbone.is_empty() { Followed::Read } else { Followed::Named(&self.backbone) };
        let find = |tools: &mut Tools, effort| {
            let progress = BoundsProgress::default();
            let found = valid_objects(tools, input, root, &self.invariants, &followed, (effort, &progress));
            found.map_err(|error| Reason::from(error.to_string()))
        };
        if let Some(few) = find(tools, Effort::Few)? {
            return Ok(few);
        }
        let about = self
            .target
            .and_then(|target| about(&tools.vm.program, target, &self.invariants, &self.backbone, tools.bounds));
        let kept = about.as_ref().and_then(|about| self.verdicts.objects(about));
        if let Some(valid) = kept.and_then(|kept| kept.recall(tools, input, root, &self.invariants)) {
            return Ok(valid);
        }
        let valid = find(tools, Effort::Either)?.ok_or("they could not be found")?;
        if let (Some(about), Some(kept)) = (about, StoredObjects::of(&valid)) {
            self.verdicts.keep_objects(&about, &kept);
        }
        Ok(valid)
    }

    /// The number of an object, if it has but one.
    pub(super) fn certain_number(&self, state: &Partial, root: Option<ObjId>, object: ObjId) -> Option<u16> {
        let at = state.symbols.inputs.iter().position(|input| input.object == object)?;
        match self.label_at(state, root, at, object) {
            Label::Certain(number) => Some(number),
            Label::Any | Label::Among(_) => None,
        }
    }

    /// The table, if it says something about this path.
    pub(super) fn table_of(&self, state: &Partial) -> Option<&LabelTable> {
        self.ready_table().filter(|_| !state.labels.is_off)
    }

    fn ready_table(&self) -> Option<&LabelTable> {
        self.ready.as_ref()?.shared.get()?.as_ref().ok()
    }

    /// The object that is numbered, if there is one on this path.
    pub(super) fn root_of(&self, state: &State) -> Option<ObjId> {
        receiver(state, self.invariants.first()?)
    }

    fn label(&self, state: &Partial, object: ObjId) -> Label {
        let at = state.symbols.inputs.iter().position(|input| input.object == object);
        at.map_or(Label::Any, |at| self.label_at(state, self.root_of(state), at, object))
    }

    /// That of the input at a place, which is this object.
    fn label_at(&self, state: &Partial, root: Option<ObjId>, at: usize, object: ObjId) -> Label {
        if root == Some(object) {
            return Label::Certain(0);
        }
        state.labels.sets.get(at).cloned().unwrap_or_default()
    }

    fn set(&self, state: &mut Partial, object: ObjId, label: Label) {
        let Some(at) = state.symbols.inputs.iter().position(|input| input.object == object) else { return };
        let sets = Rc::make_mut(&mut state.labels.sets);
        sets.resize(sets.len().max(at + 1), Label::Any);
        sets[at] = label;
    }

    /// The referents that a place of an object with a label may hold.
    fn allowed(&self, state: &Partial, place: Place) -> Option<Cow<'_, BTreeSet<Referent>>> {
        let table = self.table_of(state)?;
        let label = self.label(state, place.object);
        let class = state.heap.class(place.object);
        let is_at = |field: &super::BackboneField| field.slot == place.slot && class.is_subtype_of(field.class);
        let field = table.valid.backbone.fields.iter().position(is_at)?;
        let targets = &table.targets[field];
        match label {
            Label::Any => None,
            Label::Certain(number) => Some(targets.get(&number).map_or_else(Cow::default, Cow::Borrowed)),
            Label::Among(bound) => {
                let numbers = bound.iter().filter_map(Referent::number);
                Some(Cow::Owned(numbers.filter_map(|number| targets.get(&number)).flatten().copied().collect()))
            }
        }
    }
}

impl LabelTable {
    /// Does an object not count against the scope as those do that were listed, although fields may refer to it?
    fn is_uncounted(&self, input: &Input) -> bool {
        let mut types = self.valid.backbone.sorts.iter().flat_map(|sort| &sort.classes);
        types.any(|class| input.counted.id != class.id && input.counted.is_subtype_of(class))
    }
}
