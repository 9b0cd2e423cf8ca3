//! Which short sequence of calls of constructors and public methods makes an object?
//!
//! All sequences over the values that occur in the object are tried, shortest first; of two that make the same heap, the second is
//! dropped. The limits are numbers of calls and not times, so that the same object always gets the same sequence.

use std::collections::{BTreeSet, HashMap, HashSet};

use lazuli_vm::interp::Vm;
use lazuli_vm::program::{Class, ClassId, Method, Program, access, descriptor};
use lazuli_vm::snapshot::{Camera, Cell, Contents, Datum, is_same_heap, reachable};
use lazuli_vm::state::State;
use lazuli_vm::value::Kind;

use super::plan::{Operand, Stage, Step};

/// Calls in one sequence.
const LONGEST: usize = 7;
/// Calls that are tried for one set of values.
const MOST_CALLS: usize = 4000;
/// Calls of one method with different arguments.
const MOST_ARGUMENTS: usize = 64;
/// Values of one type that are tried.
const MOST_VALUES: usize = 8;
/// Jumps back and calls within one of these calls.
const MOST_ITERATIONS: u32 = 10_000;
/// Objects in one heap.
const MOST_OBJECTS: usize = 24;

/// The heaps that sequences make, for each class and set of values that was asked for.
#[derive(Default)]
pub struct Sequences {
    known: HashMap<(ClassId, String), Vec<ReachedHeap>>,
}

/// A heap that a sequence makes.
struct ReachedHeap {
    steps: Vec<Step>,
    cells: Vec<Cell>,
    root: Datum,
}

/// The values that occur in an object, by what a parameter may be.
#[derive(Default, Debug)]
struct Pool {
    ints: BTreeSet<i32>,
    longs: BTreeSet<i64>,
    /// By their bits.
    floats: BTreeSet<u32>,
    doubles: BTreeSet<u64>,
    texts: BTreeSet<Vec<u16>>,
    /// Objects with a name of their own: boxes and constants.
    others: Vec<(&'static Class, Operand)>,
}

impl Sequences {
    /// A sequence that makes the object of that index and all that it refers to.
    pub fn find(&mut self, vm: &mut Vm, start: &State, heap: &[Cell], root: usize, package: &str) -> Option<Vec<Step>> {
        let class = heap[root].class;
        if !class.is_users() || class.is_abstract() || class.is_inner() || class.source_name(package).is_none() {
            return None;
        }
        let parts = reachable(heap, &[root]);
        let pool = Pool::of(heap, &parts)?;
        let key = (class.id, format!("{pool:?}"));
        let reached = self.known.entry(key).or_insert_with(|| {
            let usual = vm.rules.iterations.replace(MOST_ITERATIONS);
            let reached = explore(vm, start, class, &pool, package);
            vm.rules.iterations = usual;
            reached
        });
        let wanted = Datum::Object(root);
        let found = reached.iter().find(|reached| is_same_heap(heap, &reached.cells, &[(wanted, reached.root)]));
        found.map(|reached| reached.steps.clone())
    }
}

fn explore(vm: &mut Vm, start: &State, class: &'static Class, pool: &Pool, package: &str) -> Vec<ReachedHeap> {
    let mut reached: Vec<ReachedHeap> = Vec::new();
    let mut stages: Vec<Stage> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut calls = 0;
    let program = vm.program.clone();
    let constructors =
        class.methods.iter().filter(|method| method.name == "<init>" && program.can_call(method, package));
    for constructor in constructors {
        for arguments in pool.arguments(vm, constructor) {
            calls += 1;
            let stage = Stage { state: start.fork(), made: Vec::new() };
            let steps = vec![Step::New { constructor, arguments }];
            keep(vm, stage, steps, &mut seen, &mut reached, &mut stages);
        }
    }
    let methods = public_methods(&program, class, package);
    let mut next = 0;
    while next < reached.len() && calls < MOST_CALLS {
        if reached[next].steps.len() <= LONGEST {
            for method in &methods {
                for arguments in pool.arguments(vm, method) {
                    calls += 1;
                    let mut steps = reached[next].steps.clone();
                    steps.push(Step::Call { method, receiver: Some(Operand::Made(0)), arguments, result: None });
                    let stage = stages[next].fork();
                    keep(vm, stage, steps, &mut seen, &mut reached, &mut stages);
                }
            }
        }
        next += 1;
    }
    reached
}

/// Performs the last step, and keeps what it leads to if that is new.
fn keep(
    vm: &mut Vm,
    mut stage: Stage,
    steps: Vec<Step>,
    seen: &mut HashSet<String>,
    reached: &mut Vec<ReachedHeap>,
    stages: &mut Vec<Stage>,
) {
    let Some(last) = steps.last() else { return };
    if stage.perform(vm, last).is_err() {
        return;
    }
    let Some(Some(object)) = stage.made.first().copied() else { return };
    let unread = BTreeSet::new();
    let mut camera = Camera::new(vm, &stage.state, &unread);
    let root = camera.take(object.into());
    let cells = camera.finish();
    if cells.len() <= MOST_OBJECTS && seen.insert(format!("{cells:?}")) {
        reached.push(ReachedHeap { steps, cells, root });
        stages.push(stage);
    }
}

/// The methods that may change an object and that a test may call. The order is that of the class file.
fn public_methods(program: &Program, class: &'static Class, package: &str) -> Vec<&'static Method> {
    let mut methods: Vec<&'static Method> = Vec::new();
    for owner in class.chain().filter(|owner| owner.is_users()) {
        for method in &owner.methods {
            let unwanted = access::STATIC | access::SYNTHETIC | access::NATIVE | access::ABSTRACT;
            let is_known =
                methods.iter().any(|known| known.name == method.name && known.descriptor == method.descriptor);
            let is_usable = method.access & access::PUBLIC != 0 && method.access & unwanted == 0;
            if is_usable && !is_known && method.name != "<init>" && program.can_call(method, package) {
                methods.push(method);
            }
        }
    }
    methods
}

impl Pool {
    /// None if there is something that no argument can be.
    fn of(heap: &[Cell], parts: &[usize]) -> Option<Pool> {
        let mut pool = Pool::default();
        for cell in parts.iter().map(|part| &heap[*part]) {
            match &cell.contents {
                Contents::Fields(values) => {
                    for (slot, datum) in values.iter().enumerate() {
                        pool.add(*datum, cell.class.field_at(slot as u32).map(|field| field.kind));
                    }
                }
                Contents::Elements(values) => {
                    pool.ints.insert(values.len() as i32);
                    values.iter().for_each(|datum| pool.add(*datum, cell.class.component_kind()));
                }
                Contents::Text(units) => drop(pool.texts.insert(units.clone())),
                Contents::Boxed { .. } | Contents::Held { .. } => {
                    pool.others.push((cell.class, Operand::inline(cell, true)?));
                }
                Contents::Library { values, .. } => {
                    values.iter().for_each(|datum| pool.add(*datum, Some(Kind::Reference)))
                }
                Contents::Opaque | Contents::Foreign => return None,
            }
        }
        Some(pool)
    }

    /// Truth values are tried anyway.
    fn add(&mut self, datum: Datum, kind: Option<Kind>) {
        match datum {
            Datum::Int(_) if kind == Some(Kind::Boolean) => {}
            Datum::Int(value) => drop(self.ints.insert(value)),
            Datum::Long(value) => drop(self.longs.insert(value)),
            Datum::Float(value) => drop(self.floats.insert(value.to_bits())),
            Datum::Double(value) => drop(self.doubles.insert(value.to_bits())),
            Datum::Any | Datum::Null | Datum::Object(_) => {}
        }
    }

    /// All arguments that a method may be tried with.
    fn arguments(&self, vm: &Vm, method: &'static Method) -> Vec<Vec<Operand>> {
        let (types, _) = descriptor::method(method.descriptor).unwrap_or_default();
        let mut all: Vec<Vec<Operand>> = vec![Vec::new()];
        for wanted in types {
            let possible = self.values(vm, wanted);
            let longer = all.iter().flat_map(|first| {
                possible.iter().map(|last| first.iter().cloned().chain([last.clone()]).collect::<Vec<Operand>>())
            });
            all = longer.take(MOST_ARGUMENTS).collect();
        }
        all
    }

    fn values(&self, vm: &Vm, wanted: &str) -> Vec<Operand> {
        let kind = Kind::of_descriptor(wanted);
        let few = |mut values: Vec<Datum>| {
            // Where the value does not matter, any value will do.
            if values.is_empty() {
                values.push(Datum::default_of(kind));
            }
            values.into_iter().take(MOST_VALUES).map(Operand::Plain).collect()
        };
        match kind {
            Kind::Boolean => few(vec![Datum::Int(0), Datum::Int(1)]),
            Kind::Byte | Kind::Char | Kind::Short | Kind::Int => few(self
                .ints
                .iter()
                .filter(|value| kind.narrow(**value) == **value)
                .map(|value| Datum::Int(*value))
                .collect()),
            Kind::Long => few(self.longs.iter().map(|value| Datum::Long(*value)).collect()),
            Kind::Float => few(self.floats.iter().map(|bits| Datum::Float(f32::from_bits(*bits))).collect()),
            Kind::Double => few(self.doubles.iter().map(|bits| Datum::Double(f64::from_bits(*bits))).collect()),
            Kind::Reference | Kind::Void => {
                let mut values = vec![Operand::Plain(Datum::Null)];
                let Ok(declared) = vm.program.load_descriptor(wanted) else { return values };
                if vm.program.known().string.is_subtype_of(declared) {
                    values.extend(self.texts.iter().take(MOST_VALUES).cloned().map(Operand::Literal));
                }
                let fitting = self.others.iter().filter(|(class, _)| class.is_subtype_of(declared));
                values.extend(fitting.take(MOST_VALUES).map(|(_, operand)| operand.clone()));
                values
            }
        }
    }
}
