//! How is the circuit of an invariant built, and rebuilt smaller from the facts that the first one proves?
//!
//! Field bounds, bit widths and the number of executions per object all make circuits smaller, and all of them are found with the help of a circuit.
//! So circuits are built in stages, each from the facts that the one before it proved:
//! 1. each execution alone, with havocked numbers: is each object visited at most once (`at_most_once`)?
//! 2. all executions, with havocked numbers: which values can reference fields have (`field_bounds`)?
//! 3. exact numbers: how many bits do results need (`passed_widths`)?
//! 4. the same with these bits, which yields the final bounds;
//! 5. the final circuit with these bounds.
//!
//! Stages that do not apply are skipped. Where recursion is executed through promises instead, its depth grows from stage to stage until no valid
//! input goes deeper.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use lazuli_logic::SolverLimits;
use lazuli_logic::circuit::{Blaster, Circuit, Decider, Lit};
use lazuli_vm::program::{Class, Method, readable_type};
use lazuli_vm::value::Value;

use crate::Refusal;
use crate::atoms::backbone::{Backbone, BackboneField, Fact, Referent};
use crate::atoms::universe::{FieldBounds, InputRoot, Naturals, StaticRoot, Universe, UniverseSpec, is_followed};
use crate::exec::context::Budget;
use crate::exec::executor::{ExecutionMode, Executor, Workspace};
use crate::exec::value::{Pointee, PointsTo};
use crate::library::reach::ReachOrder;
use crate::numbers::saturating::saturation_width;
use crate::numbers::{Arithmetic, Precision, Results};
use crate::query::cores::UnsatCores;
use crate::query::economy::Economy;
use crate::query::oracle::Oracle;
use crate::query::task::{AnalysedCode, OracleTask};
use crate::recursion::Strategy;
use crate::recursion::at_most_once::{ExecutionLog, FailureValues};
use crate::recursion::call_graph::CallGraph;
use crate::recursion::passed_widths::PassedWidths;
use crate::recursion::per_object::{Multiplicity, PerObject};

/// A depth that recursion over a valid input hardly exceeds, besides two for each object.
const DEEP: usize = 4;

/// Which facts will queries be about?
#[derive(Clone, Copy, PartialEq, Eq)]
enum QueryDomain {
    /// References between objects alone. Then numbers that matter only by their order need few bits.
    Structure,
    /// Also numbers.
    StructureAndNumbers,
}

/// How recursive calls of an invariant are executed.
#[derive(Clone)]
enum PlannedRecursion {
    /// Through promises.
    Promises,
    /// Once per object, each execution on its own.
    Modular,
    /// Up to twice per object.
    PerObject,
    /// At most once per object; with the values that are never returned, if these are known.
    AtMostOnce(Option<FailureValues>),
}

/// How a circuit is built.
#[derive(Clone)]
pub(crate) struct CircuitPlan {
    recursion: PlannedRecursion,
    /// Executions deeper than this are left out.
    deepest: usize,
    precision: Precision,
    results: Results,
    queries: QueryDomain,
    order: ReachOrder,
    /// Bit widths of the numbers that executions pass on, if these are known.
    widths: Option<PassedWidths>,
    /// Fields of which it is known that they are never negative, and small.
    naturals: Naturals,
}

impl CircuitPlan {
    fn new(recursion: PlannedRecursion, precision: Precision, queries: QueryDomain, order: ReachOrder) -> CircuitPlan {
        CircuitPlan {
            recursion,
            deepest: 2,
            precision,
            results: Results::Computed,
            queries,
            order,
            widths: None,
            naturals: Naturals::new(),
        }
    }

    fn is_per_object(&self) -> bool {
        !matches!(self.recursion, PlannedRecursion::Promises)
    }

    fn is_at_most_once(&self) -> bool {
        matches!(self.recursion, PlannedRecursion::AtMostOnce(_))
    }

    fn strategy(&self) -> Strategy {
        let multiplicity = match &self.recursion {
            PlannedRecursion::Promises => return Strategy::Promises,
            PlannedRecursion::Modular => Multiplicity::Modular(ExecutionLog::default()),
            PlannedRecursion::PerObject => Multiplicity::Unknown,
            PlannedRecursion::AtMostOnce(failures) => Multiplicity::AtMostOnce(failures.clone()),
        };
        let is_final = self.results == Results::Computed && self.widths.is_some();
        let bounds_results = self.queries == QueryDomain::Structure && is_final;
        Strategy::PerObject(PerObject::new(multiplicity, self.widths.clone(), bounds_results))
    }
}

/// The findings of a translation.
struct Findings {
    /// Were executions left out because they are too deep?
    is_cut: bool,
    /// Is no method called twice for the same object?
    is_once: bool,
    widths: Option<PassedWidths>,
    failures: Option<FailureValues>,
}

/// How a circuit was built, so that it can be built again at once.
#[derive(Clone)]
pub struct OracleRecipe {
    /// The reference fields between objects, those over which they are numbered first.
    pub backbone: Backbone,
    /// The tight field bounds: each value that some reference field may have.
    pub pairs: Vec<Fact>,
    plan: CircuitPlan,
}

impl Oracle {
    /// Builds the circuit of the invariants.
    pub fn new(task: &OracleTask) -> Result<Oracle, Refusal> {
        Oracle::build(task, None, Precision::Exact, None)
    }

    /// Builds it for queries about references between objects alone, which are numbered over a backbone. Saturating numbers make it smaller,
    /// and let it take more inputs for valid.
    pub fn of_structure(task: &OracleTask, backbone: &Backbone, precision: Precision) -> Result<Oracle, Refusal> {
        Oracle::build(task, Some(backbone), precision, None)
    }

    /// The same over all fields between objects.
    pub fn of_shapes(task: &OracleTask) -> Result<Oracle, Refusal> {
        let classes: Vec<&'static Class> = roots(task)?.values().map(|root| root.class).collect();
        Oracle::of_structure(task, &Backbone::of(task.program, &classes), Precision::Exact)
    }

    /// The same where an earlier run has found the tight field bounds.
    pub fn of_known(
        task: &OracleTask,
        backbone: &Backbone,
        precision: Precision,
        pairs: &[Fact],
    ) -> Result<Oracle, Refusal> {
        Oracle::build(task, Some(backbone), precision, Some(pairs))
    }

    fn build(
        task: &OracleTask,
        backbone: Option<&Backbone>,
        precision: Precision,
        known: Option<&[Fact]>,
    ) -> Result<Oracle, Refusal> {
        let roots = roots(task)?;
        let now = Instant::now();
        let patience = now + task.patience;
        let deadline = task.limits.deadline.map_or(patience, |end| end.min(patience));
        // Bounds are of use only if all of them are found: one hard question may take as long as many easy ones.
        let time = if backbone.is_some() { task.patience } else { task.limits.time };
        let limits = SolverLimits { deadline: Some(deadline), time, ..task.limits.clone() };
        let task = OracleTask { limits: &limits, ..*task };
        let mut classes: Vec<&'static Class> = roots.values().map(|root| root.class).collect();
        classes.extend(statics(&task).iter().map(|root| root.declared).filter(|declared| is_followed(declared)));
        let mut all = match task.code {
            Some(_) => Backbone::with_arrays(task.program, &classes, task.bounds.length()),
            None => Backbone::of(task.program, &classes),
        };
        if let Some(widths) = task.code.and_then(|code| code.widths.as_ref()) {
            // A field that no code accesses does not matter.
            let is_accessed =
                |field: &BackboneField| widths.fields.contains(&(field.class.id.index() as u32, field.slot));
            all.keep(|field| field.class.is_array() || is_accessed(field));
        }
        let queries = if backbone.is_some() { QueryDomain::Structure } else { QueryDomain::StructureAndNumbers };
        let backbone = backbone.map_or_else(|| all.clone(), |chosen| chosen.and(&all));
        let known = known.map(|pairs| allowed_by(&task, &roots, &backbone, pairs)).transpose()?;
        // Optimistic first: executions per object, and `\reach` in the order of atoms.
        let with_order = |order: ReachOrder| {
            let with_recursion = |recursion| {
                let plan = CircuitPlan::new(recursion, precision, queries, order);
                Oracle::refine(&task, &roots, &backbone, plan, known.as_ref())
            };
            with_recursion(PlannedRecursion::PerObject).or_else(|refusal| match refusal {
                Refusal::Unsupported(..) if precision == Precision::Exact => with_recursion(PlannedRecursion::Promises),
                other => Err(other),
            })
        };
        with_order(ReachOrder::ByAtom).or_else(|refusal| match refusal {
            Refusal::Unordered => with_order(ReachOrder::AsFound),
            other => Err(other),
        })
    }

    /// Builds the circuit of all inputs of a method. Returns the invariants that could not be translated on their own, with their receivers.
    #[allow(clippy::type_complexity)]
    pub(crate) fn of_inputs(task: &OracleTask) -> Result<(Oracle, Vec<(&'static Method, PointsTo)>), Refusal> {
        match Oracle::new(task) {
            Ok(oracle) => Ok((oracle, Vec::new())),
            Err(Refusal::OutOfTime) => Err(Refusal::OutOfTime),
            Err(_) => {
                let none = OracleTask { invariants: &[], ..*task };
                let oracle = Oracle::new(&none)?;
                let left =
                    task.invariants.iter().map(|invariant| (invariant.code(), oracle.roots[&invariant.root].clone()));
                let left = left.collect();
                Ok((oracle, left))
            }
        }
    }

    /// Builds a circuit again.
    pub fn of_recipe(task: &OracleTask, recipe: &OracleRecipe) -> Result<Oracle, Refusal> {
        let OracleRecipe { backbone, pairs, plan } = recipe;
        let roots = roots(task)?;
        let allowed = allowed_by(task, &roots, backbone, pairs)?;
        let (mut oracle, _) = Oracle::translate(task, &roots, backbone, Some(&allowed), plan.clone())?;
        oracle.prefer_facts();
        Ok(oracle)
    }

    /// How to build this circuit again. None if objects are not numbered breadth first.
    pub fn recipe(&mut self) -> Option<OracleRecipe> {
        let pairs = self.pairs()?.into_iter().map(|(pair, _)| pair).collect();
        Some(OracleRecipe { backbone: self.backbone.clone(), pairs, plan: self.plan.clone() })
    }

    /// Builds circuits, each with the facts that the one before it proved, until the last one has nothing left to prove.
    fn refine(
        task: &OracleTask,
        roots: &BTreeMap<usize, InputRoot>,
        backbone: &Backbone,
        mut plan: CircuitPlan,
        known: Option<&FieldBounds>,
    ) -> Result<Oracle, Refusal> {
        let mut allowed: Option<FieldBounds> = known.cloned();
        let tightens = task.economy.tightens_bounds && known.is_none();
        let mut is_refuted = false;
        // Stage 1: at most one execution per object. An invariant without recursion needs no proof.
        if plan.is_per_object() {
            let mut graph = CallGraph::default();
            let has_recursion = task.invariants.iter().any(|invariant| {
                graph.is_apart(task.program, invariant.code()) || graph.leads_apart(task.program, invariant.code())
            });
            let failures = match has_recursion {
                true => Oracle::failure_values(task, roots, backbone, &plan)?,
                false => None,
            };
            if !has_recursion || failures.is_some() {
                plan.recursion = PlannedRecursion::AtMostOnce(failures);
            }
        }
        if plan.precision == Precision::Saturating {
            if !plan.is_at_most_once() {
                return Err(Refusal::unsupported("what is not known to come once to each object"));
            }
            // All numbers have few bits already.
            plan.widths = Some(PassedWidths::default());
        }
        // Stage 2: bounds from a circuit with havocked numbers.
        if plan.is_at_most_once() && tightens {
            allowed = Some(Oracle::havocked_bounds(task, roots, backbone, &plan)?);
        }
        let mut is_exact = false;
        loop {
            // Where stage 1 found no proof, a circuit with havocked numbers is asked: whether objects are visited once hardly ever depends on numbers.
            let is_trial = plan.is_per_object() && !plan.is_at_most_once() && !is_refuted;
            plan.results = if is_trial { Results::Havocked } else { Results::Computed };
            let (oracle, found) = Oracle::translate(task, roots, backbone, allowed.as_ref(), plan.clone())?;
            let is_cut = found.is_cut;
            if is_trial {
                is_refuted = !found.is_once || is_cut;
                if !is_refuted {
                    plan.recursion = PlannedRecursion::AtMostOnce(None);
                    if tightens {
                        allowed = Some(Oracle::havocked_bounds(task, roots, backbone, &plan)?);
                    }
                }
                continue;
            }
            // Stage 3: with numbers of a few bits the same circuit has far fewer gates.
            if plan.is_at_most_once() && plan.widths.is_none() {
                plan.widths = Some(found.widths.clone().unwrap_or_default());
                if plan.widths.as_ref().is_some_and(|widths| !widths.is_empty()) {
                    continue;
                }
            }
            let is_saturating = plan.precision == Precision::Saturating;
            let is_bounded = |widths: &PassedWidths| is_saturating && !widths.is_empty() && task.invariants.len() == 1;
            if let Some(widths) = found.widths.filter(is_bounded) {
                // No number ever saturates: the exact circuit is no larger, and havocs nothing.
                (plan.precision, plan.widths) = (Precision::Exact, Some(widths));
                continue;
            }
            // Stage 5: the bounds came from a circuit that says the same as this one.
            if !is_cut && (is_exact || !tightens) {
                return Ok(oracle);
            }
            // Recursion over heaps that are not valid may never end. Symmetry breaking and tight bounds exclude these on the way; without them,
            // the invariant must be executed as the method is.
            if task.economy != Economy::default() && plan.deepest > DEEP + 2 * oracle.universe.atoms.len() {
                return Err(Refusal::TooLarge);
            }
            // Stage 4: bounds from the exact circuit, as far as it goes.
            if tightens {
                let mut oracle = oracle;
                if task.code.is_some() {
                    plan.naturals.extend(oracle.naturals(task)?);
                }
                allowed = Some(oracle.tighten(task)?);
                is_exact = !is_cut;
            }
            plan.deepest += if is_cut { 1 + plan.deepest / 5 } else { 0 };
        }
    }

    /// Tight field bounds from a circuit with havocked numbers: most bounds hardly depend on numbers, and without arithmetic they are found far
    /// sooner.
    fn havocked_bounds(
        task: &OracleTask,
        roots: &BTreeMap<usize, InputRoot>,
        backbone: &Backbone,
        plan: &CircuitPlan,
    ) -> Result<FieldBounds, Refusal> {
        let plan = CircuitPlan { results: Results::Havocked, widths: Some(PassedWidths::default()), ..plan.clone() };
        let (oracle, _) = Oracle::translate(task, roots, backbone, None, plan)?;
        oracle.tighten(task)
    }

    /// The values that methods never return in a valid input, if single executions prove it; then no method visits an object twice.
    fn failure_values(
        task: &OracleTask,
        roots: &BTreeMap<usize, InputRoot>,
        backbone: &Backbone,
        plan: &CircuitPlan,
    ) -> Result<Option<FailureValues>, Refusal> {
        // The width of numbers hardly matters to single executions; but it may matter to the values that they return on failure.
        for precision in [Precision::Saturating, Precision::Exact] {
            let recursion = PlannedRecursion::Modular;
            let plan = CircuitPlan { recursion, results: Results::Havocked, precision, ..plan.clone() };
            match Oracle::translate(task, roots, backbone, None, plan) {
                Ok((_, Findings { is_cut: false, failures: Some(failures), .. })) => return Ok(Some(failures)),
                Ok(_) | Err(Refusal::TooLarge) => {}
                Err(Refusal::Unsupported(..)) if precision == Precision::Saturating => {}
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(None)
    }

    /// Makes the atoms, and executes the invariants on them as the plan says.
    fn translate(
        task: &OracleTask,
        roots: &BTreeMap<usize, InputRoot>,
        backbone: &Backbone,
        allowed: Option<&FieldBounds>,
        plan: CircuitPlan,
    ) -> Result<(Oracle, Findings), Refusal> {
        let OracleTask { program, invariants, path, limits, watch, .. } = *task;
        let mut circuit = Circuit::new();
        let (in_order, statics) = (roots.values().copied().collect::<Vec<InputRoot>>(), statics(task));
        let spec = universe_spec(task, (&in_order, &statics), backbone, allowed);
        let (mut universe, refs) = Universe::new(&mut circuit, &spec)?;
        // Bit widths need the atoms: an order class has as many numbers as atoms with its fields.
        let mut bits = HashMap::new();
        let code = match task.code {
            Some(code) => Some(code.clone()),
            None => (plan.queries == QueryDomain::Structure).then(|| AnalysedCode::of(program, invariants)),
        };
        let mut roots: BTreeMap<usize, PointsTo> = roots.keys().copied().zip(refs).collect();
        for (root, declared) in opaque_roots(task) {
            let refs = universe.opaque_reference(&mut circuit, &spec, declared, Lit::TRUE);
            let refused = || {
                let named = readable_type(&declared.descriptor());
                Refusal::unsupported(format!("an input of the type {named}"))
            };
            roots.insert(root, refs.ok_or_else(refused)?);
        }
        if let Some(code) = code
            && let Some(mut widths) = code.widths
        {
            universe.foreseen = task.code.is_some().then(|| widths.methods.clone());
            code.joined.iter().for_each(|(one, other)| widths.join(*one, *other));
            (universe.narrow, bits) = widths.narrow(&mut universe, program, path, &code.inputs);
        }
        universe.naturals = plan.naturals.clone();
        let saturation = (plan.precision == Precision::Saturating).then(|| saturation_width(universe.atoms.len()));
        universe.saturation = saturation;
        let mut decider = Decider::new();
        let budget = Budget::new(limits, watch);
        let workspace = Workspace {
            circuit: &mut circuit,
            decider: &mut decider,
            universe: &mut universe,
            program,
            statics: path,
            used_statics: task.used_statics,
            budget,
        };
        let arithmetic = Arithmetic::new(saturation, plan.results);
        let mut executor = Executor::new(workspace, ExecutionMode::Invariant, plan.strategy(), arithmetic, plan.order);
        let mut is_cut = false;
        for invariant in invariants {
            is_cut |= executor.require(invariant.code(), &roots[&invariant.root], plan.deepest)?;
        }
        let found = executor.recursion.into_per_object().map(PerObject::into_findings);
        let (is_once, widths, failures) = found.unwrap_or((true, None, None));
        let oracle = Oracle {
            circuit,
            decider,
            universe,
            backbone: backbone.clone(),
            roots,
            blaster: Blaster::new(),
            words: HashMap::new(),
            cores: UnsatCores::default(),
            answering: Duration::ZERO,
            shrinking: Duration::ZERO,
            bits,
            reported_calls: 0,
            plan,
        };
        Ok((oracle, Findings { is_cut, is_once, widths, failures }))
    }
}

fn universe_spec<'a>(
    task: &'a OracleTask,
    (roots, statics): (&'a [InputRoot], &'a [StaticRoot]),
    backbone: &'a Backbone,
    allowed: Option<&'a FieldBounds>,
) -> UniverseSpec<'a> {
    UniverseSpec {
        program: task.program,
        bounds: task.bounds,
        roots,
        path: task.path,
        backbone,
        allowed,
        models_opaque: task.code.is_some(),
        statics,
        accessed: task.code.and_then(|code| code.widths.as_ref()).map(|widths| &widths.fields),
        breaks_symmetry: task.economy.breaks_symmetry,
    }
}

/// The upper bounds of fields that follow from the pairs that may occur.
fn allowed_by(
    task: &OracleTask,
    roots: &BTreeMap<usize, InputRoot>,
    backbone: &Backbone,
    pairs: &[Fact],
) -> Result<FieldBounds, Refusal> {
    let (in_order, statics) = (roots.values().copied().collect::<Vec<InputRoot>>(), statics(task));
    let (universe, _) =
        Universe::new(&mut Circuit::new(), &universe_spec(task, (&in_order, &statics), backbone, None))?;
    let mut allowed: FieldBounds = universe.places.keys().map(|place| (*place, BTreeSet::new())).collect();
    let unknown = || Refusal::unsupported("a pair of objects that are not there");
    let atom_of = |sort: usize, number: u16| {
        let (first, size) = universe.sorts[sort];
        ((number as usize) < size).then_some(first + number as u32).ok_or_else(unknown)
    };
    for (at, owner, target) in pairs {
        let field = backbone.fields.get(*at as usize).ok_or_else(unknown)?;
        let target = match target {
            Referent::Null => Pointee::Null,
            Referent::Object(number) => Pointee::Atom(atom_of(field.target, *number)?),
            Referent::Other(_) => return Err(unknown()),
        };
        allowed.entry((atom_of(field.owner, *owner)?, field.slot)).or_default().insert(target);
    }
    Ok(allowed)
}

/// The roots that have invariants, or all whose objects are followed, by their places among the roots of a path.
fn roots(task: &OracleTask) -> Result<BTreeMap<usize, InputRoot>, Refusal> {
    if !task.bounds.fields.is_empty() {
        return Err(Refusal::unsupported("a field with fewer values than its type allows"));
    }
    if !task.bounds.regions.is_empty() {
        return Err(Refusal::unsupported("regions that are apart"));
    }
    let symbols = &task.path.symbols;
    let root_at = |at: usize| match symbols.roots.get(at)?.value {
        Value::Ref(Some(object)) => symbols.input(object).map(|input| {
            let possible = task.path.heap.class(object);
            InputRoot { class: input.counted, possible, is_receiver: true }
        }),
        Value::Unknown(id) => {
            let class = symbols.unknown(id).declared;
            Some(InputRoot { class, possible: class, is_receiver: false })
        }
        _ => None,
    };
    let mut roots = BTreeMap::new();
    for invariant in task.invariants {
        let root = root_at(invariant.root);
        let root = root.ok_or_else(|| Refusal::unsupported("an invariant of no input"))?;
        roots.insert(invariant.root, root);
    }
    if task.code.is_some() {
        // Other receivers are objects from the start.
        if symbols.roots.iter().any(|root| &*root.name == "this" && matches!(root.value, Value::Unknown(_))) {
            return Err(Refusal::unsupported("a receiver that is a constant of an enumeration"));
        }
        let all = (0..symbols.roots.len()).filter_map(|at| Some((at, root_at(at)?)));
        roots.extend(all.filter(|(_, root)| root.is_receiver || is_followed(root.class)));
    }
    Ok(roots)
}

/// The roots with opaque types, by their places among the roots of a path.
fn opaque_roots(task: &OracleTask) -> Vec<(usize, &'static Class)> {
    let symbols = &task.path.symbols;
    let roots = symbols.roots.iter().enumerate().filter_map(|(at, root)| match root.value {
        Value::Unknown(id) => Some((at, symbols.unknown(id).declared)),
        _ => None,
    });
    roots.filter(|(_, declared)| task.code.is_some() && !is_followed(declared)).collect()
}

/// The static fields that refer to objects which are inputs.
fn statics(task: &OracleTask) -> Vec<StaticRoot> {
    let Some(widths) = task.code.and_then(|code| code.widths.as_ref()) else { return Vec::new() };
    let found = widths.statics.iter().filter_map(|(class, slot)| {
        let owner = task.program.class_at(*class as usize);
        let field = owner.fields.iter().find(|field| field.is_static() && task.program.slot_of(field) == *slot)?;
        let declared = task.program.load_descriptor(field.descriptor).ok()?;
        // The initialiser of the class did not set it: others may have.
        let mirror = task.path.classes.slot(owner.id).mirror?;
        let is_input = task.path.heap.field(mirror, *slot as usize) == Value::Unread;
        is_input.then_some(StaticRoot { class: *class, slot: *slot, declared })
    });
    found.collect()
}
