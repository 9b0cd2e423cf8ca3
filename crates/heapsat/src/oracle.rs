//! Can what a path knows about its input be completed to a valid one? Asks the solver, and reads its model.
//!
//! An object of the path is named by how it was reached: the receiver is an atom, and what its field holds is whatever the relation
//! of that field says. So the same place of the heap is the same part of the circuit on all paths, whichever atom it turns out to
//! be, and what the solver learned on one path serves the others.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::{Duration, Instant};

use lazuli_logic::circuit::{Blaster, Circuit, Decider, Lit, Word};
use lazuli_logic::sat::Verdict;
use lazuli_logic::{Constant, Limits, Sort, Terms, Variable};
use lazuli_spec::Invariant;
use lazuli_vm::program::{Class, Method, Program, UsedStatics, access, readable_type};
use lazuli_vm::state::State;
use lazuli_vm::universe::Bounds;
use lazuli_vm::value::{ObjId, Value};

use super::Refusal;
use super::by_object::Ranges;
use super::cores::Cores;
use super::decode::Reading;
use super::facts::Facts;
use super::meaning::{Meaning, Refs, Target, is};
use super::near::bits_for;
use super::once::{Failures, Ledger};
use super::rank::{Variable as Number, Width, Widths};
use super::recursion::Recursion;
use super::translate::Translator;
use super::universe::{Allowed, Design, Naturals, Root, StaticRoot, Universe};
use crate::backbone::{Backbone, BackboneField, Fact, Referent};
use crate::economy::Economy;
use crate::guide::{Guide, Held};

/// The time that a question may take by which a contradiction might become smaller.
const SHRINKING: Duration = Duration::from_millis(50);

/// The time for such questions, besides half of what answers take: easy ones need no more, and hard ones gain little.
const FIRST_SHRINKING: Duration = Duration::from_millis(250);

/// Activations that a valid input hardly exceeds, besides two for each object.
const DEEP: usize = 4;

pub struct Oracle {
    pub(super) circuit: Circuit,
    pub(super) decider: Decider,
    pub universe: Universe,
    /// The reference fields between objects.
    pub backbone: Backbone,
    pub(super) blaster: Blaster,
    /// The words of the variables that the blaster knows.
    pub(super) words: HashMap<Variable, Word>,
    /// `this` and the parameters that have invariants, by their places among the roots of a path.
    pub(super) roots: BTreeMap<usize, Refs>,
    cores: Cores,
    /// The time that the solver took for answers, and for making them of use to later questions, which is a small part of it.
    answering: Duration,
    shrinking: Duration,
    /// The bits of numbers among the parameters that need few.
    pub(super) bits: HashMap<Number, Width>,
    /// How many questions to the solver somebody was told of.
    told: u64,
    style: Style,
}

/// What the solver says.
pub enum Advice {
    /// No valid input within the bounds has what is known.
    Impossible,
    /// This one may; the interpreter has the last word.
    Follow(Guide),
    Unknown,
}

/// How an invariant is translated.
#[derive(Clone)]
struct Style {
    by_object: bool,
    comes_once: bool,
    is_rough: bool,
    deepest: usize,
    ranges: Option<Ranges>,
    /// Is each execution looked at alone?
    is_apart: bool,
    failures: Option<Failures>,
    /// Are numbers beyond some limit not told apart?
    is_near: bool,
    /// Does nobody ask about numbers? Then some of them need few bits.
    is_structural: bool,
    /// Does it matter in which order the objects of sets come?
    walks_in_order: bool,
    naturals: Naturals,
}

/// What does not change while a circuit is made again and again.
#[derive(Clone, Copy)]
struct Manner {
    by_object: bool,
    is_structural: bool,
    is_near: bool,
    walks_in_order: bool,
}

/// What was found out on the way.
struct FoundOut {
    /// Does no method come to the same object twice?
    is_once: bool,
    ranges: Option<Ranges>,
    failures: Option<Failures>,
}

/// What a circuit is made of.
pub struct Task<'a> {
    pub program: &'a Program,
    pub bounds: &'a Bounds,
    pub invariants: &'a [Invariant],
    /// A path of the run; the invariants speak of its roots.
    pub path: &'a State,
    pub limits: &'a Limits,
    /// Is told how many gates there are, and how many questions were asked, and says whether everything must end now.
    pub watch: &'a dyn Fn(usize, u64) -> bool,
    /// The static fields that the code uses are noted here.
    pub used_statics: &'a UsedStatics,
    /// The time that making the circuit may take.
    pub patience: Duration,
    pub economy: Economy,
    /// Are all inputs of interest, and not only those that the invariants speak of? Then all methods that will be executed on them, and what
    /// is assigned between them.
    pub whole: Option<&'a Scene>,
}

/// What is executed on inputs.
#[derive(Clone)]
pub struct Scene {
    /// What is assigned between methods outside of all code.
    pub joined: Vec<(Number, Number)>,
    /// The numbers among the parameters.
    pub inputs: Vec<Number>,
    /// What is known about their code, if it is.
    pub widths: Option<Widths>,
}

impl Scene {
    /// Nothing but invariants.
    fn of(program: &Program, invariants: &[Invariant]) -> Scene {
        let methods: Vec<&'static Method> = invariants.iter().map(|invariant| invariant.code()).collect();
        let widths = Widths::of(program, &methods, false);
        Scene { joined: Vec::new(), inputs: Vec::new(), widths }
    }
}

/// How a circuit was made, so that it can be made again at once.
#[derive(Clone)]
pub struct Recipe {
    /// The reference fields between objects, those over which they are numbered first.
    pub backbone: Backbone,
    /// All that fields may refer to.
    pub pairs: Vec<Fact>,
    style: Style,
}

impl Oracle {
    /// The circuit of the invariants.
    pub fn new(task: &Task) -> Result<Oracle, Refusal> {
        Oracle::numbered(task, None, false, None)
    }

    /// The same for somebody who asks about references between objects alone, and numbers these over a backbone. With numbers of few bits it
    /// is found sooner, and may take more for valid.
    pub fn of_structure(task: &Task, backbone: &Backbone, is_near: bool) -> Result<Oracle, Refusal> {
        Oracle::numbered(task, Some(backbone), is_near, None)
    }

    /// The same for somebody who asks about references between objects alone.
    pub fn of_shapes(task: &Task) -> Result<Oracle, Refusal> {
        let classes: Vec<&'static Class> = roots(task)?.values().map(|root| root.class).collect();
        Oracle::of_structure(task, &Backbone::of(task.program, &classes), false)
    }

    /// The same where an earlier run has found out what fields may refer to.
    pub fn of_known(task: &Task, backbone: &Backbone, is_near: bool, pairs: &[Fact]) -> Result<Oracle, Refusal> {
        Oracle::numbered(task, Some(backbone), is_near, Some(pairs))
    }

    fn numbered(
        task: &Task,
        backbone: Option<&Backbone>,
        is_near: bool,
        known: Option<&[Fact]>,
    ) -> Result<Oracle, Refusal> {
        let roots = roots(task)?;
        let now = Instant::now();
        let patience = now + task.patience;
        let deadline = task.limits.deadline.map_or(patience, |end| end.min(patience));
        // Whoever waits for bounds waits for all of them: one hard question may take as long as many easy ones.
        let time = if backbone.is_some() { task.patience } else { task.limits.time };
        let limits = Limits { deadline: Some(deadline), time, ..task.limits.clone() };
        let task = Task { limits: &limits, ..*task };
        let mut classes: Vec<&'static Class> = roots.values().map(|root| root.class).collect();
        classes.extend(statics(&task).iter().map(|root| root.declared).filter(|declared| is_followed(declared)));
        let mut all = match task.whole {
            Some(_) => Backbone::with_arrays(task.program, &classes, task.bounds.length()),
            None => Backbone::of(task.program, &classes),
        };
        if let Some(widths) = task.whole.and_then(|scene| scene.widths.as_ref()) {
            // What no code looks at does not matter.
            let is_looked_at =
                |field: &BackboneField| widths.fields.contains(&(field.class.id.index() as u32, field.slot));
            all.keep(|field| field.class.is_array() || is_looked_at(field));
        }
        let is_structural = backbone.is_some();
        let backbone = backbone.map_or_else(|| all.clone(), |chosen| chosen.and(&all));
        let known = known.map(|pairs| allowed_by(&task, &roots, &backbone, pairs)).transpose()?;
        let deepened = |walks_in_order: bool| {
            let deepen = |by_object| {
                let manner = Manner { by_object, is_structural, is_near, walks_in_order };
                Oracle::deepen(&task, &roots, &backbone, manner, known.as_ref())
            };
            deepen(true).or_else(|refusal| match refusal {
                Refusal::Unsupported(..) if !is_near => deepen(false),
                other => Err(other),
            })
        };
        deepened(false).or_else(|refusal| match refusal {
            Refusal::Unordered => deepened(true),
            other => Err(other),
        })
    }

    /// The circuit of all inputs of a method; and the invariants that could not be translated on their own, with what they are about.
    #[allow(clippy::type_complexity)]
    pub fn of_inputs(task: &Task) -> Result<(Oracle, Vec<(&'static Method, Refs)>), Refusal> {
        match Oracle::new(task) {
            Ok(oracle) => Ok((oracle, Vec::new())),
            Err(Refusal::OutOfTime) => Err(Refusal::OutOfTime),
            Err(_) => {
                let none = Task { invariants: &[], ..*task };
                let oracle = Oracle::new(&none)?;
                let left =
                    task.invariants.iter().map(|invariant| (invariant.code(), oracle.roots[&invariant.root].clone()));
                let left = left.collect();
                Ok((oracle, left))
            }
        }
    }

    /// The same circuit once more.
    pub fn again(task: &Task, recipe: &Recipe) -> Result<Oracle, Refusal> {
        let Recipe { backbone, pairs, style } = recipe;
        let roots = roots(task)?;
        let allowed = allowed_by(task, &roots, backbone, pairs)?;
        let (mut oracle, ..) = Oracle::translate(task, &roots, backbone, Some(&allowed), style.clone())?;
        oracle.expect_facts();
        Ok(oracle)
    }

    /// Somebody who follows paths will ask about the same facts again and again, in the order of the walk.
    fn expect_facts(&mut self) {
        let mut literals = Vec::new();
        for ((atom, _), refs) in &self.universe.places {
            literals.push(self.universe.atoms[*atom as usize].exists);
            literals.extend(refs.iter().map(|(_, when)| *when));
        }
        literals.retain(|literal| *literal != Lit::TRUE);
        self.decider.expect(&self.circuit, &literals);
    }

    /// None if objects are not numbered breadth first.
    pub fn recipe(&mut self) -> Option<Recipe> {
        let pairs = self.pairs()?.into_iter().map(|(pair, _)| pair).collect();
        Some(Recipe { backbone: self.backbone.clone(), pairs, style: self.style.clone() })
    }

    /// The pairs that may occur, and when they do. None if objects are not numbered breadth first.
    pub fn pairs(&mut self) -> Option<Vec<(Fact, Lit)>> {
        if !self.universe.is_breadth_first {
            return None;
        }
        let mut pairs = Vec::new();
        for (at, field) in self.backbone.fields.iter().enumerate() {
            let (first, size) = self.universe.sorts[field.owner];
            for owner in first..first + size as u32 {
                let exists = self.universe.atoms[owner as usize].exists;
                for (target, when) in self.universe.places.get(&(owner, field.slot))?.iter() {
                    let target = match target {
                        Target::Null => Referent::Null,
                        Target::Atom(atom) => Referent::Object(self.universe.atoms[*atom as usize].number),
                        _ => return None,
                    };
                    let when = self.circuit.and(exists, *when);
                    pairs.push(((at as u16, (owner - first) as u16, target), when));
                }
            }
        }
        Some(pairs)
    }

    /// The fields over which objects are met first.
    pub fn leading(&mut self, limits: &Limits) -> HashSet<usize> {
        let leading = self.universe.leading.clone();
        let may_lead =
            |lit: Lit| lit != Lit::FALSE && self.decider.solve(&self.circuit, &[lit], limits) != Verdict::Unsat;
        leading.into_iter().map(may_lead).enumerate().filter(|(_, leads)| *leads).map(|(at, _)| at).collect()
    }

    /// Is there a valid heap with all these facts? None if nobody can tell.
    pub fn has(&mut self, facts: &[Fact], limits: &Limits) -> Option<bool> {
        let literals = self.literals(facts)?;
        self.decide(literals, limits)
    }

    /// Is it known that no valid heap has all these facts?
    pub fn refutes(&mut self, facts: &[Fact]) -> bool {
        self.literals(facts).is_some_and(|literals| self.cores.refute(&literals))
    }

    /// What facts are in the circuit. None if it does not know one of them.
    fn literals(&self, facts: &[Fact]) -> Option<Vec<Lit>> {
        let mut literals = Vec::with_capacity(2 * facts.len());
        for (at, owner, target) in facts {
            let field = &self.backbone.fields[*at as usize];
            let owner = self.universe.sorts[field.owner].0 + *owner as u32;
            let target = match target {
                Referent::Null => Target::Null,
                Referent::Object(number) => Target::Atom(self.universe.sorts[field.target].0 + *number as u32),
                Referent::Other(_) => return None,
            };
            literals.push(self.universe.atoms.get(owner as usize).map_or(Lit::FALSE, |atom| atom.exists));
            literals.push(self.universe.places.get(&(owner, field.slot)).map_or(Lit::FALSE, |refs| is(refs, target)));
        }
        Some(literals)
    }

    /// The facts of the heap that the solver found last, about the first so many fields of the backbone.
    pub fn found_facts(&mut self, fields: usize) -> Vec<Fact> {
        let Oracle { circuit, decider, universe, backbone, .. } = self;
        let mut reading = Reading { circuit, decider, universe };
        let mut facts = Vec::new();
        for (at, field) in backbone.fields.iter().take(fields).enumerate() {
            let (first, size) = universe.sorts[field.owner];
            for owner in first..first + size as u32 {
                if !reading.is_true(universe.atoms[owner as usize].exists) {
                    continue;
                }
                let target = universe.places.get(&(owner, field.slot)).and_then(|refs| reading.chosen(refs));
                let target = match target {
                    Some(Target::Null) => Referent::Null,
                    Some(Target::Atom(atom)) => Referent::Object(universe.atoms[atom as usize].number),
                    _ => continue,
                };
                facts.push((at as u16, (owner - first) as u16, target));
            }
        }
        facts
    }

    /// Can all these be true? None if nobody can tell.
    fn decide(&mut self, mut literals: Vec<Lit>, limits: &Limits) -> Option<bool> {
        literals.retain(|literal| *literal != Lit::TRUE);
        literals.sort();
        literals.dedup();
        if self.decider.recall(&self.circuit, &literals) {
            return Some(true);
        }
        if self.cores.refute(&literals) {
            return Some(false);
        }
        let before = self.decider.statistics.time;
        let verdict = self.decider.solve(&self.circuit, &literals, limits);
        self.answering += self.decider.statistics.time - before;
        match verdict {
            Verdict::Unknown => None,
            Verdict::Sat => Some(true),
            Verdict::Unsat => {
                let core = self.smaller_core(limits);
                self.cores.add(&core);
                Some(false)
            }
        }
    }

    /// What cannot be true together, with as much left out as can be found in little time: it refutes the more questions.
    fn smaller_core(&mut self, limits: &Limits) -> Vec<Lit> {
        let mut core = self.decider.core().to_vec();
        let before = self.decider.statistics.time;
        let mut next = core.len();
        while next > 0 && core.len() > 2 {
            let spent = self.shrinking + (self.decider.statistics.time - before);
            if spent > FIRST_SHRINKING + self.answering / 2 {
                break;
            }
            next -= 1;
            let without: Vec<Lit> =
                core.iter().enumerate().filter(|(at, _)| *at != next).map(|(_, lit)| *lit).collect();
            if self.decider.recall(&self.circuit, &without) {
                continue;
            }
            let limits = Limits { time: limits.time.min(SHRINKING), ..limits.clone() };
            if self.decider.solve(&self.circuit, &without, &limits) == Verdict::Unsat {
                core = self.decider.core().to_vec();
                next = next.min(core.len());
            }
        }
        self.shrinking += self.decider.statistics.time - before;
        core
    }

    fn deepen(
        task: &Task,
        roots: &BTreeMap<usize, Root>,
        backbone: &Backbone,
        manner: Manner,
        known: Option<&Allowed>,
    ) -> Result<Oracle, Refusal> {
        let Manner { by_object, is_structural, is_near, walks_in_order } = manner;
        // What the first few activations say leaves the fields little to refer to, and makes the circuit of the next ones small.
        let mut allowed: Option<Allowed> = known.cloned();
        let tightens = task.economy.tightens_bounds && known.is_none();
        let mut style = Style {
            by_object,
            comes_once: false,
            is_rough: false,
            deepest: 2,
            ranges: None,
            is_apart: false,
            failures: None,
            is_near,
            is_structural,
            walks_in_order,
            naturals: Naturals::new(),
        };
        let mut has_refused = false;
        if by_object {
            // What calls nothing that calls itself comes to nothing twice.
            let mut recursion = Recursion::default();
            let has_recursion = task.invariants.iter().any(|invariant| {
                recursion.is_apart(task.program, invariant.code())
                    || recursion.leads_apart(task.program, invariant.code())
            });
            if has_recursion {
                style.failures = Oracle::failures(task, roots, backbone, &style)?;
            }
            style.comes_once = !has_recursion || style.failures.is_some();
        }
        if style.is_near {
            if !style.comes_once {
                return Err(Refusal::unsupported("what is not known to come once to each object"));
            }
            // All numbers have few bits already.
            style.ranges = Some(Ranges::default());
        }
        if style.comes_once && tightens {
            allowed = Some(Oracle::roughly_allowed(task, roots, backbone, &style)?);
        }
        let mut is_exact = false;
        loop {
            style.is_rough = by_object && !style.comes_once && !has_refused;
            let (oracle, is_cut, found) = Oracle::translate(task, roots, backbone, allowed.as_ref(), style.clone())?;
            if style.is_rough {
                // Whether objects are visited once hardly ever depends on numbers.
                (style.comes_once, has_refused) = (found.is_once && !is_cut, !found.is_once || is_cut);
                if style.comes_once && tightens {
                    allowed = Some(Oracle::roughly_allowed(task, roots, backbone, &style)?);
                }
                continue;
            }
            if style.comes_once && style.ranges.is_none() {
                // With numbers of a few bits the same is said by far fewer gates.
                style.ranges = Some(found.ranges.clone().unwrap_or_default());
                if style.ranges.as_ref().is_some_and(|ranges| !ranges.is_empty()) {
                    continue;
                }
            }
            let is_limited = |ranges: &Ranges| style.is_near && !ranges.is_empty() && task.invariants.len() == 1;
            if let Some(ranges) = found.ranges.filter(is_limited) {
                // No number is beyond: the exact circuit is no larger, and leaves nothing open.
                (style.is_near, style.ranges) = (false, Some(ranges));
                continue;
            }
            // What is left to refer to came from a circuit that says the same as this one: there is nothing to find out any more.
            if !is_cut && (is_exact || !tightens) {
                return Ok(oracle);
            }
            // Recursion over heaps that are not valid may never end. What makes problems small excludes these on the way; without it, the invariant
            // must be executed as the method is.
            if task.economy != Economy::default() && style.deepest > DEEP + 2 * oracle.universe.atoms.len() {
                return Err(Refusal::TooLarge);
            }
            if tightens {
                let mut oracle = oracle;
                if task.whole.is_some() {
                    style.naturals.extend(oracle.naturals(task)?);
                }
                allowed = Some(oracle.tighten(task)?);
                is_exact = !is_cut;
            }
            style.deepest += if is_cut { 1 + style.deepest / 5 } else { 0 };
        }
    }

    /// Most of what fields may refer to hardly depends on numbers, and without them it is found out far sooner.
    fn roughly_allowed(
        task: &Task,
        roots: &BTreeMap<usize, Root>,
        backbone: &Backbone,
        style: &Style,
    ) -> Result<Allowed, Refusal> {
        let style = Style { is_rough: true, ranges: Some(Ranges::default()), ..style.clone() };
        let (oracle, ..) = Oracle::translate(task, roots, backbone, None, style)?;
        oracle.tighten(task)
    }

    /// What methods never return in a valid input, if that can be told from single executions; then none comes to an object twice.
    fn failures(
        task: &Task,
        roots: &BTreeMap<usize, Root>,
        backbone: &Backbone,
        style: &Style,
    ) -> Result<Option<Failures>, Refusal> {
        // How many bits numbers have hardly matters to single executions; but to what they return on failure it may.
        for is_near in [true, false] {
            let style = Style { is_rough: true, is_apart: true, is_near, ..style.clone() };
            match Oracle::translate(task, roots, backbone, None, style) {
                Ok((_, false, FoundOut { failures: Some(failures), .. })) => return Ok(Some(failures)),
                Ok(_) | Err(Refusal::TooLarge) => {}
                Err(Refusal::Unsupported(..)) if is_near => {}
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(None)
    }

    fn translate(
        task: &Task,
        roots: &BTreeMap<usize, Root>,
        backbone: &Backbone,
        allowed: Option<&Allowed>,
        style: Style,
    ) -> Result<(Oracle, bool, FoundOut), Refusal> {
        let Task { program, invariants, path, .. } = *task;
        let mut circuit = Circuit::new();
        let (in_order, statics) = (roots.values().copied().collect::<Vec<Root>>(), statics(task));
        let design = design(task, (&in_order, &statics), backbone, allowed);
        let (mut universe, refs) = Universe::new(&mut circuit, &design)?;
        let mut bits = HashMap::new();
        let scene = match task.whole {
            Some(scene) => Some(scene.clone()),
            None => style.is_structural.then(|| Scene::of(program, invariants)),
        };
        let mut roots: BTreeMap<usize, Refs> = roots.keys().copied().zip(refs).collect();
        for (root, declared) in strangers(task) {
            let refs = universe.stranger(&mut circuit, &design, declared, Lit::TRUE);
            let refused = || {
                let named = readable_type(&declared.descriptor());
                Refusal::unsupported(format!("an input of the type {named}"))
            };
            roots.insert(root, refs.ok_or_else(refused)?);
        }
        if let Some(scene) = scene
            && let Some(mut widths) = scene.widths
        {
            universe.foreseen = task.whole.is_some().then(|| widths.methods.clone());
            scene.joined.iter().for_each(|(one, other)| widths.join(*one, *other));
            (universe.narrow, bits) = widths.narrow(&mut universe, program, path, &scene.inputs);
        }
        universe.naturals = style.naturals.clone();
        let near = style.is_near.then(|| bits_for(universe.atoms.len()));
        universe.near = near;
        let mut decider = Decider::new();
        let mut translator = Translator::new(&mut circuit, &mut decider, &mut universe, task);
        (translator.by_object, translator.comes_once) = (style.by_object, style.comes_once);
        translator.is_rough = style.is_rough;
        translator.ranges = style.ranges.clone();
        translator.walks_in_order = style.walks_in_order;
        translator.ledger = style.is_apart.then(Ledger::default);
        translator.failures = style.failures.clone();
        translator.near = near;
        translator.limits_answers = style.is_structural && !style.is_rough && style.ranges.is_some();
        let mut is_cut = false;
        for invariant in invariants {
            is_cut |= translator.require(invariant.code(), &roots[&invariant.root], style.deepest)?;
        }
        let failures = translator.ledger.take().and_then(Ledger::into_failures);
        let found = FoundOut { is_once: translator.found_once, ranges: translator.ranges.take(), failures };
        let (blaster, words) = (Blaster::new(), HashMap::new());
        let backbone = backbone.clone();
        let (cores, answering, shrinking) = (Cores::default(), Duration::ZERO, Duration::ZERO);
        Ok((
            Oracle {
                circuit,
                decider,
                universe,
                backbone,
                roots,
                blaster,
                words,
                cores,
                answering,
                shrinking,
                bits,
                told: 0,
                style,
            },
            is_cut,
            found,
        ))
    }

    /// When one of these is true, or more.
    pub fn any(&mut self, literals: impl Iterator<Item = Lit>) -> Lit {
        self.circuit.any(literals)
    }

    /// Is there a valid input with all that the path knows, for which something else is true as well?
    pub fn ask(&mut self, terms: &Terms, path: &State, also: Lit, limits: &Limits) -> Advice {
        if meets_statics(path, &self.backbone) {
            return Advice::Unknown;
        }
        let Some(Facts { objects, mut literals, numbers, .. }) = Facts::of(self, terms, path) else {
            return Advice::Unknown;
        };
        literals.push(also);
        match self.decide(literals, limits) {
            None => Advice::Unknown,
            Some(false) => Advice::Impossible,
            Some(true) => Advice::Follow(self.guide(objects, &numbers)),
        }
    }

    /// Something that whoever asks may assume, and that means nothing until inputs are left out for it.
    pub fn assumption(&mut self) -> Lit {
        self.circuit.input()
    }

    /// Leaves out, for whoever assumes something, all inputs that have what a path knows. False if that cannot be said exactly.
    pub fn leave_out(&mut self, terms: &Terms, path: &State, assumed: Lit) -> bool {
        let literals = match Facts::of(self, terms, path) {
            Some(facts) if facts.is_all => facts.literals,
            _ => return false,
        };
        let are_all = self.circuit.all(literals);
        let is_another = self.circuit.implies(assumed, !are_all);
        self.decider.assert(&self.circuit, is_another);
        true
    }

    /// The declared types of which the inputs have a bounded number of objects.
    pub fn bounded(&self) -> Vec<&'static Class> {
        let sorts = self.backbone.sorts.iter().filter(|sort| sort.declared > 0);
        sorts.flat_map(|sort| sort.classes.iter().copied()).chain(self.universe.strangers()).collect()
    }

    /// The declared types of references, and whether no class is known that an object of such a type could have.
    pub fn declared_types(&self, program: &Program) -> Vec<(&'static Class, bool)> {
        let met = self.universe.met.iter();
        met.map(|(class, is_void)| (program.class_at(*class as usize), *is_void)).collect()
    }

    /// The types of inputs of which there are none longer than the bounds allow.
    pub fn measured(&self, program: &Program) -> Vec<&'static Class> {
        let class = |atom: &u32| match self.universe.texts.contains(atom) {
            true => program.known().string,
            false => self.universe.atoms[*atom as usize].class,
        };
        self.universe.lengths.keys().map(class).collect()
    }

    /// The questions to the SAT solver since somebody asked for their number.
    pub fn take_calls(&mut self) -> u64 {
        let calls = self.decider.statistics.calls;
        calls - std::mem::replace(&mut self.told, calls)
    }

    /// The input that the solver found.
    fn guide(&mut self, objects: Vec<(ObjId, Refs)>, numbers: &HashMap<Variable, (Word, Sort)>) -> Guide {
        let Oracle { circuit, decider, universe, .. } = self;
        let universe: &Universe = universe;
        let mut reading = Reading { circuit, decider, universe };
        let atom = |reading: &mut Reading, refs: &Refs| match reading.chosen(refs) {
            Some(Target::Atom(atom)) => Some(atom),
            _ => None,
        };
        let mut guide = Guide::default();
        for (object, refs) in objects {
            if let Some(atom) = atom(&mut reading, &refs) {
                guide.atoms.insert(object, atom);
            }
        }
        for (place, refs) in &universe.places {
            guide.fields.insert(*place, Held::Ref(atom(&mut reading, refs)));
        }
        for (place, held) in &universe.others {
            let held = match held {
                Meaning::Word(word) => Held::Number(reading.number(word)),
                Meaning::Ref(refs) if reading.chosen(refs) == Some(Target::Null) => Held::Ref(None),
                _ => Held::Something,
            };
            guide.fields.insert(*place, held);
        }
        for (variable, (word, sort)) in numbers {
            guide.model.set(*variable, Constant::of_integer(*sort, reading.number(word)));
        }
        guide
    }
}

fn design<'a>(
    task: &'a Task,
    (roots, statics): (&'a [Root], &'a [StaticRoot]),
    backbone: &'a Backbone,
    allowed: Option<&'a Allowed>,
) -> Design<'a> {
    Design {
        program: task.program,
        bounds: task.bounds,
        roots,
        path: task.path,
        backbone,
        allowed,
        has_strangers: task.whole.is_some(),
        statics,
        looked_at: task.whole.and_then(|scene| scene.widths.as_ref()).map(|widths| &widths.fields),
        breaks_symmetry: task.economy.breaks_symmetry,
    }
}

/// What the fields of atoms may refer to, if no pairs but these may occur.
fn allowed_by(
    task: &Task,
    roots: &BTreeMap<usize, Root>,
    backbone: &Backbone,
    pairs: &[Fact],
) -> Result<Allowed, Refusal> {
    let (in_order, statics) = (roots.values().copied().collect::<Vec<Root>>(), statics(task));
    let (universe, _) = Universe::new(&mut Circuit::new(), &design(task, (&in_order, &statics), backbone, None))?;
    let mut allowed: Allowed = universe.places.keys().map(|place| (*place, BTreeSet::new())).collect();
    let unknown = || Refusal::unsupported("a pair of objects that are not there");
    let atom_of = |sort: usize, number: u16| {
        let (first, size) = universe.sorts[sort];
        ((number as usize) < size).then_some(first + number as u32).ok_or_else(unknown)
    };
    for (at, owner, target) in pairs {
        let field = backbone.fields.get(*at as usize).ok_or_else(unknown)?;
        let target = match target {
            Referent::Null => Target::Null,
            Referent::Object(number) => Target::Atom(atom_of(field.target, *number)?),
            Referent::Other(_) => return Err(unknown()),
        };
        allowed.entry((atom_of(field.owner, *owner)?, field.slot)).or_default().insert(target);
    }
    Ok(allowed)
}

/// The roots that have invariants, or all whose objects are followed, by their places among the roots of a path.
fn roots(task: &Task) -> Result<BTreeMap<usize, Root>, Refusal> {
    let symbols = &task.path.symbols;
    let root_at = |at: usize| match symbols.roots.get(at)?.value {
        Value::Ref(Some(object)) => symbols.input(object).map(|input| {
            let possible = task.path.heap.class(object);
            Root { class: input.counted, possible, is_receiver: true }
        }),
        Value::Unknown(id) => {
            let class = symbols.unknown(id).declared;
            Some(Root { class, possible: class, is_receiver: false })
        }
        _ => None,
    };
    let mut roots = BTreeMap::new();
    for invariant in task.invariants {
        let root = root_at(invariant.root);
        let root = root.ok_or_else(|| Refusal::unsupported("an invariant of no input"))?;
        roots.insert(invariant.root, root);
    }
    if task.whole.is_some() {
        let all = (0..symbols.roots.len()).filter_map(|at| Some((at, root_at(at)?)));
        roots.extend(all.filter(|(_, root)| root.is_receiver || is_followed(root.class)));
    }
    Ok(roots)
}

/// The inputs of types that the backbone does not follow, by their places among the roots of a path.
fn strangers(task: &Task) -> Vec<(usize, &'static Class)> {
    let symbols = &task.path.symbols;
    let roots = symbols.roots.iter().enumerate().filter_map(|(at, root)| match root.value {
        Value::Unknown(id) => Some((at, symbols.unknown(id).declared)),
        _ => None,
    });
    roots.filter(|(_, declared)| task.whole.is_some() && !is_followed(declared)).collect()
}

/// The static fields that refer to objects which are inputs.
fn statics(task: &Task) -> Vec<StaticRoot> {
    let Some(widths) = task.whole.and_then(|scene| scene.widths.as_ref()) else { return Vec::new() };
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

/// Is it known what objects of that class consist of?
fn is_followed(class: &Class) -> bool {
    (class.is_users() || class.is_array()) && class.access & access::ENUM == 0
}

/// May a field refer to an object that a static field holds? There is no atom for it.
fn meets_statics(path: &State, backbone: &Backbone) -> bool {
    path.held_by_statics().iter().any(|held| {
        let class = path.heap.class(held.object);
        backbone.sorts.iter().any(|sort| sort.classes.iter().any(|declared| class.is_subtype_of(declared)))
    })
}
