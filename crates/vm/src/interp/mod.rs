//! What does one instruction do?
//!
//! `Vm::run` executes instructions until the path ends or a question must be answered. An instruction first looks at all that
//! it needs, and changes the state only when nothing can come in between: if a class must be initialised first, or (later) a
//! question be asked, the state is as it was and the instruction is simply run again.
//!
//! `execute` has the loop over instructions, which holds what is hot. Everything else is in the other sibling files, by family.

mod answer;
mod arithmetic;
mod boxes;
mod build;
mod by_contract;
mod calls;
mod decisive;
mod divisors;
pub mod dynamic;
mod elements;
mod endless;
mod execute;
mod flow;
mod guard;
mod initialise;
mod input_text;
mod inputs;
mod keys;
mod monitored;
mod objects;
mod orders;
mod performed;
mod places;
mod refill;
mod strings;
mod symbolic;
pub(crate) mod tables;
mod tabulated;
mod threads;
mod throw;
mod unknown_code;
mod untold;
mod versions;
mod walk;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use lazuli_logic::{Sort, Term, Terms};
use smallvec::SmallVec;

use crate::ambient::{Ambient, Assumption};
use crate::contracts::{ContractCallKey, ContractEnds, KnownContracts};
use crate::frame::Purpose;
use crate::host::Host;
use crate::outcome::{Answer, End, Place, Question, Stop};
use crate::program::{Class, ClassId, Method, MethodId, Program, UsedStatics, World};
use crate::property::Properties;
use crate::state::State;
use crate::symbols::Taken;
use crate::universe::{LimitedField, Region};
use crate::unknown_code::{Havoc, KnownComparison, KnownInvariants, MethodPatterns, ScriptedCall};
use crate::value::Value;
use crate::whole::ProgramArguments;
pub use boxes::name_of_cached;
pub(crate) use elements::Location;
pub use endless::LoopState;
pub use flow::{Activation, Flow, Guard, Origin, OriginId, ThrowContext};
pub use guard::ContractWrite;
pub use performed::{InstructionVisit, Performed, PerformedOperation};
pub use symbolic::{binary_of, constant_of, unary_of, value_of_constant};
pub(crate) use tabulated::LatinTable;
pub use threads::ScheduledStep;
pub(crate) use threads::spurious::SpuriousEnd;
pub use throw::{Trouble, places_of};
pub(crate) use untold::{plain_units, unit_of};
pub use walk::{AskedValue, BranchEdge, Moment, Walk};

/// The arguments of a call.
pub type ArgumentValues = SmallVec<[Value; 6]>;

/// The resources that a run may use up.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Frames on the stack before a StackOverflowError. Default: 11000.
    pub depth: usize,
    /// Bytes of live objects before an OutOfMemoryError. Default: 1 GiB.
    pub heap: usize,
    /// Bytes that the process may occupy before the run ends. Default: no limit.
    pub memory: Option<usize>,
    /// When the run must end. Default: never.
    pub deadline: Option<Instant>,
    /// Another thread may set this to end the run. Default: none.
    pub stop: Option<Arc<AtomicBool>>,
}

/// The rules that hold for all inputs.
#[derive(Clone, Debug)]
pub struct InputRules {
    /// The largest length of an input array or string. Default: 3.
    pub length: usize,
    /// May strings of inputs hold any unit of UTF-16? Else they are Latin-1. Default: false.
    pub all_units: bool,
    /// Elements of one array of unknown length that a path may touch; input arrays are then of any length. Default: no bound.
    pub touched: Option<usize>,
    /// Does a comparison by code that is not there leave references undecided? Default: false, it decides them.
    pub delays_comparisons: bool,
    /// May contract methods compare by code that is not there? Only where they are executed as the method is. Default: false.
    pub compares_in_contracts: bool,
    /// Which classes may inputs have besides those of the class path? Default: `World::ClassPath`.
    pub world: World,
    /// May static fields that no initialiser set have any value? Default: false.
    pub unknown_statics: bool,
    /// Do private static fields hold the value of their type until code sets them, and are unknown only others? Default: false.
    pub known_private_statics: bool,
    /// May inputs be of any class of the JDK? Their invariants are not known. Default: false.
    pub jdk_inputs: bool,
    /// Is the length of a new array decided where the user's code makes one, as that of an input array is? Default: false.
    pub decides_lengths: bool,
    /// Jumps back and calls in the user's code between two questions before a path is cut. Default: no limit.
    pub iterations: Option<u32>,
    /// The least and the greatest whole number. Default: as the type says.
    pub numbers: Option<(i64, i64)>,
    /// Fields of which fewer values are tried than their types allow. Default: none.
    pub fields: Vec<LimitedField>,
    /// Parts of the input that are apart from each other and from the rest. Default: none.
    pub regions: Vec<Region>,
    /// The treatment of values from outside in an exploration. Default: unknowns.
    pub ambient: Ambient,
    /// Methods that change nothing, if their code is not there. Default: none.
    pub pure: MethodPatterns,
    /// The objects that such code may change. Default: those that it was handed.
    pub havoc: Havoc,
    /// Are messages of exceptions left empty that nothing looks at? Default: false.
    pub skips_messages: bool,
    /// The arguments of the program, if a whole program is explored. Default: none.
    pub program: Option<ProgramArguments>,
    /// How often, at each place, a thread wakes up or a weak compare-and-set fails for no reason. Default: 1.
    pub spurious: u32,
}

impl Default for InputRules {
    fn default() -> InputRules {
        InputRules {
            length: 3,
            all_units: false,
            touched: None,
            delays_comparisons: false,
            compares_in_contracts: false,
            world: World::default(),
            unknown_statics: false,
            known_private_statics: false,
            jdk_inputs: false,
            decides_lengths: false,
            iterations: None,
            numbers: None,
            fields: Vec::new(),
            regions: Vec::new(),
            ambient: Ambient::default(),
            pure: MethodPatterns::default(),
            havoc: Havoc::default(),
            skips_messages: false,
            program: None,
            spurious: 1,
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 11000, heap: 1 << 30, memory: None, deadline: None, stop: None }
    }
}

/// Values of a concrete run that an exploration found.
#[derive(Clone, Debug, Default)]
pub struct Example {
    /// Static fields that no initialiser sets: `Class.field`, and the value.
    pub statics: Vec<(String, Value)>,
    /// The results of `Lazuli.any…`, in order.
    pub any: Vec<Value>,
    /// The values that the program takes from outside, and environment variables as roots of the path name them.
    pub taken: Vec<Taken>,
    /// The calls of code that is not there, in order.
    pub calls: Vec<ScriptedCall>,
    /// The comparisons of the path, those of contract methods included.
    pub comparisons: Vec<KnownComparison>,
    /// Does a contract method run, and not the method itself?
    pub is_contract: bool,
    /// Does it run on what the method left behind?
    pub is_after: bool,
    /// The visible operations of threads, in order.
    pub schedule: Vec<ScheduledStep>,
}

/// How many jumps back and calls pass between two looks at the clock and the memory.
const POLL_INTERVAL: u32 = 1 << 16;

/// The same in an exploration. It has many divisors, so that most short cycles are seen in the same phase again.
const LOOP_INTERVAL: u32 = 840;

/// The values that a variable may have: a sort, and of a bit vector the least and the greatest.
type Domain = (Sort, (i64, i64));

/// Which implementation an object of this class has for a method: (class, method, implementation).
type Selection = (&'static Class, &'static Method, &'static Method);

/// An interpreter: the program, the world outside, limits, and caches. It holds nothing that belongs to a path.
pub struct Vm {
    /// The classes that are executed, shared with other interpreters.
    pub program: Arc<Program>,
    /// The streams, clocks and environment that a concrete run sees.
    pub host: Box<dyn Host>,
    /// The time, memory and depth at which a run ends.
    pub limits: Limits,
    /// The range of the inputs that an exploration makes.
    pub rules: InputRules,
    /// The table of this interpreter's terms. It only grows; states hold numbers into it.
    pub terms: Terms,
    /// The variables of the table by name, with their domain.
    variables: HashMap<Box<str>, Vec<(Term, Domain)>>,
    /// Do the methods of `lazuli.Lazuli` have their meaning?
    pub is_exploring: bool,
    /// Does a method run to its end, so that nothing may be asked?
    pub is_concrete: bool,
    /// The assumptions of the paths so far.
    pub assumptions: BTreeSet<Assumption>,
    /// The static fields that the code of this target uses.
    pub used_statics: UsedStatics,
    /// Was a condition on unknown numbers met since the embedder last cleared this?
    pub has_met_condition: bool,
    /// A place that must be decided as soon as `Lazuli.isKnown` asks about it.
    pub awaited: Option<Place>,
    /// The values that a concrete run finds besides its arguments. None in an exploration.
    pub example: Option<Example>,
    /// Where the run goes in the user's code, if that is wanted.
    pub walk: Option<Walk>,
    /// Where the values of a concrete run come from, if that is wanted.
    pub flow: Option<Box<Flow>>,
    /// The forbidden action of a contract method: a sentence for the user.
    pub misuse: Option<ContractWrite>,
    /// The methods that say which objects are valid, for code that is not there: it leaves an object valid that it got so.
    pub invariants: Option<KnownInvariants>,
    /// The contracts that replace calls. Default: none, all code is executed.
    pub contracts: Option<KnownContracts>,
    /// The properties that must hold at all times. Default: none.
    pub properties: Option<Arc<Properties>>,
    /// Those of which there was an event, by number.
    pub seen_properties: BTreeSet<u16>,
    /// Is there a reason for the end of each wait, and of each weak compare-and-set? Default: false.
    pub has_only_reasons: bool,
    /// How calls by contract ended.
    pub contract_ends: BTreeMap<ContractCallKey, ContractEnds>,
    /// Whether calls of a method are replaced though its code is there, as far as that was asked.
    replaced: HashMap<MethodId, bool>,
    /// The fields of inputs that a contract method was the first to look at: the class that declares it, and the slot.
    pub contract_reads: HashSet<(ClassId, u32)>,
    /// May the program start threads? Contracts and calls that make inputs may not. Default: false.
    pub may_start_threads: bool,
    /// How much time has passed in waits, where a run honours their order by time: it passes when all threads wait, and code takes none. None where time is
    /// abstract, so that a wait may end at any moment. Default: none.
    pub waited: Option<Duration>,
    /// Is something checked when the method returns, so that it matters what other threads have done by then? Default: false.
    pub checks_return: bool,
    /// Was a thread started by the instruction that was just executed?
    has_new_thread: bool,
    /// May the current instruction be executed without another look at it?
    may_pass: bool,
    /// Where the visible operation stands that is being performed.
    passing: Option<(u32, u32)>,
    fuel: u32,
    /// Bytes of objects made since the last look at the memory.
    unseen_bytes: Cell<usize>,
    /// Jumps back and calls since the last question, as far as they were counted.
    iterations: u32,
    snapshot: Option<endless::LoopState>,
    selected: Box<[Option<Selection>]>,
    layout: Option<Option<tables::TableLayout>>,
}

impl Vm {
    /// Creates an interpreter for concrete runs; an exploration sets `is_exploring` and the rules afterwards.
    pub fn new(program: Arc<Program>, host: Box<dyn Host>, limits: Limits) -> Vm {
        Vm {
            program,
            host,
            limits,
            rules: InputRules::default(),
            terms: Terms::new(),
            variables: HashMap::new(),
            is_exploring: false,
            is_concrete: false,
            assumptions: BTreeSet::new(),
            used_statics: UsedStatics::default(),
            has_met_condition: false,
            awaited: None,
            example: None,
            walk: None,
            flow: None,
            misuse: None,
            invariants: None,
            contracts: None,
            properties: None,
            seen_properties: BTreeSet::new(),
            has_only_reasons: false,
            contract_ends: BTreeMap::new(),
            replaced: HashMap::new(),
            contract_reads: HashSet::new(),
            may_start_threads: false,
            waited: None,
            checks_return: false,
            has_new_thread: false,
            may_pass: false,
            passing: None,
            fuel: POLL_INTERVAL,
            unseen_bytes: Cell::new(0),
            iterations: 0,
            snapshot: None,
            selected: vec![None; calls::SELECTED].into_boxed_slice(),
            layout: None,
        }
    }

    /// Runs a method to its end. The thread must have no frames.
    pub fn call(&mut self, state: &mut State, method: &'static Method, arguments: &[Value]) -> Stop {
        let before = std::mem::replace(&mut self.is_concrete, true);
        let stop = match self.begin(state, method, arguments) {
            Ok(()) => self.run_scheduled(state),
            Err(stop) => stop,
        };
        self.is_concrete = before;
        stop
    }

    /// Runs to the end, and decides itself which thread goes first.
    fn run_scheduled(&mut self, state: &mut State) -> Stop {
        loop {
            match self.run(state) {
                Stop::Ask(question @ Question::Schedule { .. }) => {
                    let Question::Schedule { threads, .. } = &question else { continue };
                    let chosen = self.choose_thread(state, threads);
                    self.answer(state, &question, &Answer::Run(chosen));
                }
                stop => {
                    self.note_performed(state);
                    return stop;
                }
            }
        }
    }

    /// Executes instructions until the path ends or something is asked.
    pub fn run(&mut self, state: &mut State) -> Stop {
        loop {
            self.fuel = self.full();
            self.iterations = 0;
            self.snapshot = None;
            (self.may_pass, self.passing) = (false, None);
            // Programs without other threads have a loop of their own, so that they pay nothing for those that have some.
            let is_noted = self.walk.is_some() || self.flow.is_some() || state.monitor.is_some();
            let end = match (is_noted, &state.threads) {
                (false, None) => self.execute::<false, false>(state),
                (true, None) => self.execute::<true, false>(state),
                (_, Some(threads)) if state.thread.frames.is_empty() => match threads.now().thrown {
                    Some(exception) => return self.threw_last(state, exception),
                    None => return End::Returned(Value::Top).into(),
                },
                (false, Some(_)) => self.execute::<false, true>(state),
                (true, Some(_)) => self.execute::<true, true>(state),
            };
            let stop = match end {
                Ok(never) => match never {},
                Err(stop) => stop,
            };
            if threads::is_change(&stop) {
                continue;
            }
            // The operation that asks is performed already, and goes on when there is an answer.
            let position = state.position();
            if let (Stop::Ask(_), Some(threads)) = (&stop, &mut state.threads) {
                threads.rerun = self.passing.filter(|passing| *passing == position);
            }
            return stop;
        }
    }

    /// Enters a method without running it. The thread must have no frames.
    pub fn begin(&mut self, state: &mut State, method: &'static Method, arguments: &[Value]) -> Result<(), Stop> {
        debug_assert!(state.thread.frames.is_empty());
        state.thread.stack.clear();
        state.thread.stack.extend_from_slice(arguments);
        state.thread.is_guarded = false;
        (state.thread.guarded_heap, state.thread.watch) = (None, None);
        self.enter(state, method, 0, Purpose::Entry)
    }
}
