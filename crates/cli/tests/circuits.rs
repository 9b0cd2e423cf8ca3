//! Does the circuit of an invariant say of every heap of three objects what running the invariant says of it?
//!
//! The interpreter runs the invariant on an input of which nothing is known, and follows every answer. Each way that it comes to an end is
//! a set of heaps, and each heap within the bounds is in exactly one of these sets. Of the invalid sets the circuit must say that they are empty,
//! whatever their numbers. The valid ones are taken apart into heaps with small numbers: each is run once more, with nothing left to
//! decide, and asked for as it is. So are a few heaps of each invalid set.

mod common;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use lazuli_explore::{Bounds, Economy};
use lazuli_heapsat::{Advice, Oracle, OracleTask, Precision};
use lazuli_logic::circuit::Lit;
use lazuli_logic::evaluate::Evaluation;
use lazuli_logic::{self as logic, Chain, Constant, Model, Solver, Sort, Term};
use lazuli_valid::{Assignments, Found, Invariant, Ranges, Search, Tools};
use lazuli_vm::host::Silent;
use lazuli_vm::interp::{InputRules, Limits, Vm};
use lazuli_vm::outcome::{Answer, End, Limit, Place, Question, Stop};
use lazuli_vm::program::{Program, World};
use lazuli_vm::state::State;
use lazuli_vm::symbols::{Entry, Input};
use lazuli_vm::universe::{Cx, alternatives};
use lazuli_vm::value::{ObjId, Value};
use tempfile::TempDir;

const SCOPE: usize = 3;

/// The values that numbers have: enough to tell orders, sizes, heights and signs apart.
const NUMBERS: (i64, i64) = (-1, 3);

/// Heaps of a valid set, and of an invalid one, that are looked at one by one. Few valid sets have more.
const MOST: usize = 50;
const SOME: usize = 1;

/// The invariants that have a circuit.
const TRANSLATED: &[&str] = &[
    "bliss.AvlTree",
    "bliss.BinTree",
    "bliss.BinomialHeap",
    "bliss.LinkedList",
    "bliss.TreeMap",
    "bliss.TreeSet",
    "kiasan.MergeList",
    "kiasan.RedBlackTree",
    "kiasan.SearchTree",
    "pli.AvlTree",
    "pli.BinomialHeap",
    "pli.HashMap",
    "pli.LinkedList",
    "pli.LongTreeMap",
    "pli.Schedule",
    "pli.TreeMap",
    "models.BackLinks",
    "models.BothEnds",
    "models.ByQueue",
    "models.ByStack",
    "models.EvenLeaves",
    "models.Shelves",
    "models.Totals",
    "models.Throwing",
    "models.Kinds",
];

/// More than this is at fault on any machine.
const TIME: Duration = Duration::from_secs(600);

fn program() -> &'static Arc<Program> {
    static PROGRAM: OnceLock<(Arc<Program>, TempDir)> = OnceLock::new();
    let (program, _) = PROGRAM.get_or_init(|| {
        let folders = ["subjects/pli", "subjects/bliss", "subjects/kiasan", "tests/models"];
        let classes = common::compiled(&folders, &[]);
        (common::program(classes.path()), classes)
    });
    program
}

/// One class, an object of which nothing is known, and all that is needed to run its invariant.
struct Subject {
    name: &'static str,
    vm: Vm,
    chain: Chain,
    bounds: Bounds,
    limits: logic::SolverLimits,
    input: State,
    root: ObjId,
    invariants: [Invariant; 1],
}

/// How the invariant ended on a set of heaps.
struct Leaf {
    heaps: State,
    is_valid: bool,
}

impl Subject {
    fn new(name: &'static str, scope: usize) -> Subject {
        let class = program().load(&name.replace('.', "/")).expect("the subject is there");
        let method = class.methods.iter().find(|method| method.name == "repOK").expect("it has an invariant");
        let deadline = Some(Instant::now() + TIME);
        let mut vm = Vm::new(program().clone(), Box::new(Silent::default()), Limits { deadline, ..Limits::default() });
        let mut input = State::default();
        lazuli_vm::boot::boot(&mut vm, &mut input).expect("the library can be started");
        let bounds = Bounds { scope, world: World::Closed, ..Bounds::default() };
        vm.is_exploring = true;
        let iterations = Some(bounds.iterations());
        vm.rules = InputRules { length: bounds.length(), world: World::Closed, iterations, ..InputRules::default() };
        vm.initialise_fully(&mut input, class).expect("the class can be initialised");
        let root = vm.new_receiver(&mut input, class, class);
        input.add_root("this", root.into(), None);
        let limits = logic::SolverLimits { time: TIME, deadline, stop: None };
        let invariants = [Invariant::new(program(), method, 0)];
        Subject { name, vm, chain: Chain::new(), bounds, limits, input, root, invariants }
    }

    /// A circuit for questions about everything, and one for questions about references alone; the same with numbers of few bits, if
    /// there is one.
    fn circuits(&self) -> Result<([Oracle; 2], Option<Oracle>), String> {
        let task = OracleTask {
            program: program(),
            bounds: &self.bounds,
            invariants: &self.invariants,
            path: &self.input,
            limits: &self.limits,
            watch: &|_, _| false,
            used_statics: &self.vm.used_statics,
            economy: Economy::default(),
            patience: TIME,
            code: None,
        };
        let all = Oracle::new(&task).map_err(|refusal| refusal.to_string())?;
        let structural =
            Oracle::of_structure(&task, &all.backbone, Precision::Exact).map_err(|refusal| refusal.to_string())?;
        let near = Oracle::of_structure(&task, &all.backbone, Precision::Saturating).ok();
        Ok(([all, structural], near))
    }

    /// All ways through the invariant.
    fn leaves(&mut self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        let mut waiting = vec![self.begun(&self.input.fork())];
        while let Some(mut state) = waiting.pop() {
            let is_valid = match self.vm.run(&mut state) {
                Stop::Ask(question) => {
                    waiting.extend(self.answered(&state, &question));
                    continue;
                }
                Stop::End(End::Returned(Value::Int(answer))) => answer != 0,
                Stop::End(End::Returned(Value::Term(term, Sort::Int))) => {
                    let zero = self.vm.terms.int(0);
                    let is_false = self.vm.terms.equal(term, zero);
                    let is_true = self.vm.terms.not(is_false);
                    for (assumed, is_valid) in [(is_false, false), (is_true, true)] {
                        if self.may_be(&state, assumed) {
                            let mut heaps = state.fork();
                            self.vm.assume(&mut heaps, assumed);
                            leaves.push(Leaf { heaps, is_valid });
                        }
                    }
                    continue;
                }
                Stop::End(End::Threw(_) | End::Limit(Limit::Endless)) => false,
                Stop::End(other) => panic!("the invariant of {} ended with {other:?}", self.name),
            };
            leaves.push(Leaf { heaps: state, is_valid });
        }
        leaves
    }

    fn begun(&mut self, input: &State) -> State {
        let mut state = input.at_entry();
        let begun = self.vm.begin_contract(&mut state, self.invariants[0].method, &[self.root.into()]);
        begun.expect("the invariant can be called");
        state
    }

    /// The state after each answer that may be.
    fn answered(&mut self, state: &State, question: &Question) -> Vec<State> {
        let mut cx = Cx { program: program(), terms: &mut self.vm.terms, bounds: &self.bounds };
        let answers = alternatives(&mut cx, state, question).answers;
        let mut found = Vec::new();
        for answer in answers {
            if let Answer::Assume(term) = answer
                && !self.may_be(state, term)
            {
                continue;
            }
            let mut next = state.fork();
            self.vm.answer(&mut next, question, &answer);
            found.push(next);
        }
        found
    }

    fn may_be(&mut self, state: &State, term: Term) -> bool {
        if let Some(Constant::Bool(known)) = self.vm.terms.as_constant(term) {
            return known;
        }
        let all: Vec<Term> = state.symbols.condition.conjuncts.iter().copied().chain([term]).collect();
        !matches!(self.chain.check(&self.vm.terms, &all, &self.limits), logic::SolverAnswer::Unsat)
    }

    /// The heaps of a set in which everything that the circuit knows about is decided: at most so many.
    fn heaps(&mut self, leaf: &State, oracle: &Oracle, most: usize) -> Vec<State> {
        let mut found = Vec::new();
        let mut waiting = vec![leaf.fork()];
        while let Some(state) = waiting.pop().filter(|_| found.len() < most) {
            if let Some(question) = self.undecided(&state, oracle) {
                waiting.extend(self.answered(&state, &question));
                continue;
            }
            let ranges = Ranges { named: Vec::new(), others: Some(NUMBERS) };
            let terms = &self.vm.terms;
            let mut assignments =
                Assignments::new(terms, &state, &ranges, &mut BTreeSet::new()).expect("all have a range");
            assignments.visit(&mut |model| {
                found.push(with_values(terms, &state, model));
                found.len() < most
            });
        }
        found
    }

    /// A reference between objects that the invariant did not read.
    fn undecided(&self, state: &State, oracle: &Oracle) -> Option<Question> {
        for input in state.symbols.inputs.iter() {
            let class = state.heap.class(input.object);
            let is_related = |slot: u32| {
                oracle.backbone.fields.iter().find(|field| field.slot == slot && class.is_subtype_of(field.class))
            };
            for slot in 0..class.defaults.len() as u32 {
                let place = Place { object: input.object, slot };
                let (Some(Value::Unread), Some(field)) = (state.entry_at(place), is_related(slot)) else { continue };
                let declared = field.class.field(field.name).expect("the field is declared");
                let declared = program().load_descriptor(declared.descriptor).expect("its type is there");
                return Some(Question::Read { place, declared });
            }
        }
        None
    }

    /// Is a heap valid on which nothing is left to decide?
    fn is_valid(&mut self, heap: &State) -> bool {
        let mut tools = Tools {
            vm: &mut self.vm,
            chain: &mut self.chain,
            bounds: &self.bounds,
            limits: &self.limits,
            beyond: &mut BTreeSet::new(),
            warnings: &mut BTreeSet::new(),
            sat_calls: &mut 0,
        };
        match Search::new(heap.at_entry(), &self.invariants).next(&mut tools) {
            Found::Solution(_) => true,
            Found::Exhausted => false,
            Found::Unknown(why) => panic!("{}: {why:?}", self.name),
        }
    }

    fn says_possible(&self, oracle: &mut Oracle, heaps: &State) -> bool {
        match oracle.ask(&self.vm.terms, heaps, Lit::TRUE, &self.limits) {
            Advice::Impossible => false,
            Advice::Follow(_) => true,
            Advice::Unknown => panic!("the circuit of {} does not tell", self.name),
        }
    }

    /// The fields that the invariant read, for a message.
    fn described(&self, heap: &State) -> String {
        let inputs = heap.symbols.inputs.iter();
        let object = |input: &Input| {
            let Entry::Fields(fields) = &input.entry else { return input.name.to_string() };
            format!("{:?} {}: {fields:?}", input.object, input.name)
        };
        let conditions = heap.symbols.condition.conjuncts.iter();
        let condition = |term: &Term| logic::Expression::of(&self.vm.terms, *term).to_string();
        inputs.map(object).chain(conditions.map(condition)).collect::<Vec<_>>().join("\n")
    }
}

/// The same heap with its numbers.
fn with_values(terms: &logic::Terms, state: &State, model: &Model) -> State {
    let mut heap = state.fork();
    let mut evaluation = Evaluation::new(terms, model);
    for input in state.symbols.inputs.iter() {
        let Entry::Fields(fields) = &input.entry else { panic!("an array of the input") };
        for (slot, value) in fields.iter().enumerate() {
            if let Value::Term(term, sort) = value {
                let number = evaluation.value(*term).integer().expect("numbers are whole");
                let place = Place { object: input.object, slot: slot as u32 };
                heap.set_entry(
                    place,
                    if *sort == Sort::Long { Value::Long(number) } else { Value::Int(number as i32) },
                );
            }
        }
    }
    heap.symbols.condition = Default::default();
    heap
}

#[test]
fn circuits_say_of_every_heap_what_running_the_invariant_says() {
    for name in TRANSLATED {
        // Its smallest valid object has four of one class.
        let scope = if *name == "pli.Schedule" { 4 } else { SCOPE };
        let mut subject = Subject::new(name, scope);
        let ([mut oracle, mut structural], mut near) =
            subject.circuits().unwrap_or_else(|refusal| panic!("{name} has no circuit: {refusal}"));
        let (mut valid, mut invalid) = (0, 0);
        for Leaf { heaps, is_valid } in subject.leaves() {
            let is_possible = subject.says_possible(&mut oracle, &heaps);
            assert_eq!(is_possible, is_valid, "{name} by its circuit, on all these:\n{}", subject.described(&heaps));
            // Where numbers do not matter, both say the same; where they do, the one that knows few bits of them leaves no structure out.
            if is_valid || heaps.symbols.condition.conjuncts.is_empty() {
                let is_possible = subject.says_possible(&mut structural, &heaps);
                assert_eq!(is_possible, is_valid, "{name} by its structure:\n{}", subject.described(&heaps));
            }
            if let (true, Some(near)) = (is_valid, &mut near) {
                assert!(subject.says_possible(near, &heaps), "{name} with few bits:\n{}", subject.described(&heaps));
            }
            let most = if is_valid { MOST } else { SOME };
            for heap in subject.heaps(&heaps, &oracle, most) {
                assert_eq!(subject.is_valid(&heap), is_valid, "{name}, run again:\n{}", subject.described(&heap));
                let is_possible = subject.says_possible(&mut oracle, &heap);
                assert_eq!(is_possible, is_valid, "{name} by its circuit:\n{}", subject.described(&heap));
                *(if is_valid { &mut valid } else { &mut invalid }) += 1;
            }
        }
        assert!(valid > 0 && invalid > 0, "{name}: {valid} valid heaps and {invalid} others");
    }
}
