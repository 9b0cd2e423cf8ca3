//! Why could something not be explored?
//!
//! Data, on which decisions may depend. The words are in the command line (`report/reasons`), and no decision depends on them. A text
//! in here is a name (of a class, a method, a place), or a detail of which there are dozens and that nothing but a reader needs.

use serde::{Deserialize, Serialize};

use crate::interp::Vm;
use crate::outcome::{End, Limit};
use crate::program::{LinkError, LoadError, Program};
use crate::state::State;

/// Why something was not explored, or is not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    // A path needs something.
    /// A native method that has no model, by its full name.
    Native(String),
    /// A native method whose model is for known values only.
    NativeOnUnknown(String),
    /// Something else that the interpreter does not do.
    Unmodelled(String),
    /// Code that no verifier would pass.
    MalformedCode(String),
    /// A receiver of a type that no class of the class path implements.
    NoReceiver {
        /// The receiver's type, with dots.
        class: String,
    },
    /// Objects of a type that no class of the class path extends or implements.
    NoObject {
        /// The declared type, with dots.
        class: String,
    },
    /// No calls were found that make an object of a type, where only calls make such objects.
    NoneMade {
        /// The declared type, with dots.
        class: String,
    },
    /// A property names an event for objects of a class, and whether this object is one of these is not known: `Source.next`.
    UndecidedEvent {
        /// The method or class that the event is about.
        event: String,
    },
    /// Code that is not there may change an object of a class whose changes are not followed; none if there are too many objects.
    UnknownCodeReaches {
        /// The class, with dots.
        class: Option<String>,
    },
    /// An invariant or another contract method calls code that is not there.
    UnknownCodeInContract {
        /// The method that it calls, with its class.
        method: String,
        /// Is it a comparison, which some techniques follow?
        compares: bool,
    },
    /// The contract of a method that a path calls cannot be used.
    ContractRefused {
        /// The method, with its class.
        method: String,
        /// The clause, and what is wrong with it.
        why: String,
    },
    /// No end of a call by contract satisfies the contract: what comes behind the call is not explored.
    ContractUnsatisfied {
        /// The method, with its class.
        method: String,
    },
    /// The run of an example calls code that is not there where its path did not: a bug.
    UnknownCodeUnscripted {
        /// The method.
        method: String,
    },
    /// A class with static fields is initialised while threads use an object, and orders of their calls would find it initialised.
    InitialisedByThreads {
        /// The class, with dots.
        class: String,
    },
    /// A contract method that writes to its input.
    ContractWrites {
        /// The contract method.
        method: String,
        /// The field or element that it writes.
        place: String,
    },
    /// A class that is missing or cannot be used.
    Class(Box<ClassFault>),
    /// A panic.
    Bug(String),

    // Effort ran out.
    /// Paths were left when everything ended.
    PathsLeft(Resource),
    /// A path ran at that moment.
    PathCut(Resource),
    /// The check as one propositional problem ended.
    ProblemCut(Resource),
    /// The check as one propositional problem exceeds the size limit before it is solved.
    ProblemTooLarge,
    /// The run was ended before it came to this target.
    NotBegun(Resource),
    /// The run was ended, whatever it was doing.
    Ended(Resource),
    /// A branch that was taken more often without reading anything new.
    Unroll(usize),
    /// The same for a loop whose branches ask nothing.
    Iterations(u32),
    /// Threads race for a field or an element: they need not see all writes in one order.
    DataRace {
        /// `Counter.count`
        variable: String,
    },
    /// A path with more choices.
    Depth(usize),
    /// A path that came back to the state in which it was before.
    Endless,
    /// Of the propositional problem: a loop may go round more often, or a method call itself more often.
    LoopGoesOn(usize),
    /// A method may call itself more often than this within the propositional problem.
    RecursionGoesOn(usize),

    // The propositional problem.
    /// The propositional problem leaves out code that it cannot express.
    Untranslated {
        /// The code, or the class that is missing.
        what: Untranslated,
        /// The method and line, where they are known.
        at: Option<String>,
    },
    /// A call that was not looked at before: a bug.
    Unforeseen,
    /// The solver found an input that does not go wrong when it is run: a bug.
    NotWrong,
    /// One input is rejected on purpose at a place. Whether all that end there are was not asked.
    OtherMeanings,

    // Nothing could decide.
    /// The solver gave up on the feasibility of a path.
    SolverUndecided,
    /// The search for valid inputs took too long.
    SearchTooLong,
    /// The invariant ran into a limit.
    InvariantCut(Limit),
    /// The invariant took a branch so often without reading anything new.
    InvariantUnroll {
        /// The invariant.
        name: String,
        /// The bound on how often.
        most: usize,
    },
    /// The invariant ended the program with this exit code.
    InvariantExited(i32),
    /// A solver could not decide a condition of it.
    InvariantUndecided,
    /// The reason holds at this place.
    At {
        /// The reason itself.
        why: Box<Reason>,
        /// The method and line.
        at: String,
    },
    /// A method of the contract was executed after the target.
    InDuty {
        /// The contract method.
        duty: String,
        /// The reason why it could not be executed to its end.
        why: Box<Reason>,
        /// The method and line.
        at: String,
    },
    /// The contract method cannot be called on the state after the target.
    DutyNotCallable {
        /// The contract method.
        duty: String,
    },
    /// Deciding whether the contract method is true exceeded the effort limit.
    DutyTooLong {
        /// The contract method.
        duty: String,
    },
    /// The contract method ended the program.
    DutyExited {
        /// The contract method.
        duty: String,
        /// The exit code.
        code: i32,
    },

    // Examples.
    /// A path has no example.
    NoExample(NoExample),
    /// A fault of that kind that no example confirms.
    Unconfirmed {
        /// The kind of fault, as the report names it.
        kind: String,
        /// The reason why no example confirms it.
        why: Box<Reason>,
    },
    /// A hash table has more keys whose hash codes are not known than one bucket takes before it becomes a tree.
    ManyKeys,
    /// A fault on a path that no valid input takes.
    FalseAlarm {
        /// The kind of fault, as the report names it.
        kind: String,
    },
    /// A path that is no fault, and of which no example could be run.
    Unexampled(Box<Reason>),
    /// Calls made inputs that are not valid.
    InvalidMade {
        /// The methods whose calls made them.
        by: Vec<String>,
    },

    /// No input was tried, so that the verdict would say nothing.
    NoInput(NoInput),
}

/// A resource that ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Resource {
    /// The time limit.
    Time,
    /// The user's patience: the run was interrupted.
    Stopped,
    /// The memory limit.
    Memory,
    /// The number of paths that were asked for.
    Paths,
    /// The number of defects that were asked for, which is one.
    Defects,
    /// The goals of a criterion: all of them are met.
    Goals,
}

/// Why there is no example of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NoExample {
    /// No valid input takes the path.
    NoValidInput,
    /// No solver found values.
    NoValues,
    /// It does not satisfy the invariant, or the precondition: a bug.
    BreaksInvariant,
    /// An object that the input refers to breaks the invariant of its own class; whether another input of the path has only valid parts is not known.
    InvalidPart,
    /// It has a record that the canonical constructor refuses.
    RefusedRecord,
    /// The example does not satisfy the precondition: a bug.
    BreaksPrecondition,
    /// Running it panics.
    Panics,
    /// It asks a question: a bug.
    Asks,
    /// It ends otherwise.
    EndsOtherwise,
    /// Running it ends as predicted, but with another result.
    Differs {
        /// The result that the path predicts.
        predicted: String,
        /// The result of the run.
        found: String,
    },
    /// Some order of the calls of threads explains how they end.
    Explained,
    /// The duty that the path breaks holds.
    Holds {
        /// The contract method.
        duty: String,
    },
    /// It needs an array of that many elements.
    ArrayTooLong(i32),
    /// It needs a class that is not on the class path.
    Subclass {
        /// The class or interface that the missing class extends.
        of: String,
    },
    /// Code that is not there would have to write a field that it cannot name.
    UnknownWrites {
        /// The field with its class.
        field: String,
    },
    /// Code that is not there would have to give an object that it has got hold of, but was not handed itself.
    UnknownRoute,
    /// It needs an object that cannot be built.
    Unbuildable(Unbuildable),
}

/// An object that an example needs, and that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Unbuildable {
    /// A string whose letters are no input.
    Text,
    /// An object that is neither an input, nor there when every path begins.
    NoInput {
        /// Its class, as in source.
        class: String,
    },
    /// An object of a class whose static initialiser does not return, or did not in the time that there was.
    NotInitialised {
        /// The class, as in source.
        class: String,
        /// The limit that ended the initialiser, if one did.
        cut: Option<Limit>,
    },
    /// An object of a type without a class.
    NoClass {
        /// The type, as in source.
        declared: String,
    },
    /// A constant of an enumeration that has no such constant.
    NoConstant,
    /// A collection that contains itself.
    CyclicCollection,
    /// An object of the library that has no such elements.
    Elements {
        /// Its class, as in source.
        class: String,
    },
}

/// Why no input was tried.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NoInput {
    /// Nothing more is known.
    Unknown,
    /// The constructor, or every call, throws.
    NotMade,
    /// No path satisfies the assumptions.
    AssumedAway,
    /// No input satisfies the precondition.
    Precondition(String),
    /// No valid one does.
    PreconditionAndInvariant {
        /// The precondition, as the report names it.
        precondition: String,
        /// The invariant, as the report names it.
        invariant: String,
    },
    /// No path has a valid input.
    NoValidPath,
    /// No valid input was found.
    NotFound {
        /// The invariant, as the report names it.
        invariant: String,
    },
    /// There is no valid input in the scope; the smallest needs this one.
    None {
        /// The invariant, as the report names it.
        invariant: String,
        /// The scope that the smallest valid input needs, if it is known.
        needs: Option<String>,
    },
}

/// Code that has no propositional form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Untranslated {
    /// An instruction or a call, described for a reader.
    Code(String),
    /// It needs a class that is missing or cannot be used.
    Class(Box<ClassFault>),
}

/// A class that a path or a target needs, and cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClassFault {
    /// With dots; empty where a member of several classes is at fault.
    pub class: String,
    /// The defect.
    pub fault: Fault,
    /// The file, or the jar and the file in it, if there is one.
    pub file: Option<String>,
}

/// The defect of a class that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Fault {
    /// It is not on the class path.
    Missing,
    /// Its file declares another class.
    Misnamed {
        /// The class that the file declares.
        found: String,
    },
    /// Its file cannot be decoded, or is refused by the verifier.
    Broken {
        /// The rule that the file breaks.
        why: String,
    },
    /// Its file is of a newer version than the JDK reads.
    Newer {
        /// The major version of the file.
        major: u16,
        /// The minor version of the file.
        minor: u16,
        /// The newest major version that the JDK reads.
        newest: u16,
        /// The version of the JDK.
        jdk: String,
    },
    /// It is a supertype of itself.
    Circular,
    /// It does not fit the classes that use it.
    Inconsistent {
        /// The contradiction, described for a reader.
        what: String,
    },
}

/// Something that is odd, but no fault.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Warning {
    /// On some input, which counts as not valid.
    InvariantThrows(String),
    /// The invariant does not end on some input, which counts as not valid.
    InvariantLoops,
    /// A call of several threads on one object waits for ever on some input, as it does if the calls come one after the other.
    WaitsInEveryOrder,
    /// The precondition throws on some input, which counts as false.
    PreconditionThrows {
        /// The precondition, as the report names it.
        precondition: String,
        /// The exception.
        what: String,
    },
    /// The invariant never reads fields that the method writes.
    NeverReads {
        /// The invariant, as the report names it.
        invariant: String,
        /// The fields that the method writes and the invariant never reads.
        fields: Vec<String>,
        /// The method under check.
        method: String,
    },
    /// The valid inputs could not be listed.
    NotListed,
    /// There is no circuit of the invariant.
    NoCircuit(String),
    /// The bounds of fields were not used.
    NoFieldBounds(Box<Reason>),
    /// A range that no field of a valid object has.
    UnusedRange(String),
    /// No object within the scope satisfies the invariant.
    NothingValid {
        /// The invariant, as the report names it.
        invariant: String,
        /// Does the user restrict the bit width of numbers, so that a larger one may help?
        has_few_bits: bool,
    },
    /// A property over time of which no path had an event.
    NoEvent {
        /// The name of the property.
        property: String,
    },
    /// Classes of the class path that cannot be loaded: no input has one of them.
    Unloadable(Vec<(String, ClassFault)>),
}

impl Reason {
    /// The resource that ran out, if that is why.
    pub fn resource(&self) -> Option<Resource> {
        match self {
            Reason::PathsLeft(resource)
            | Reason::PathCut(resource)
            | Reason::ProblemCut(resource)
            | Reason::NotBegun(resource)
            | Reason::Ended(resource) => Some(*resource),
            Reason::InvariantCut(limit) => limit.resource(),
            Reason::NoExample(NoExample::Unbuildable(Unbuildable::NotInitialised { cut, .. })) => {
                cut.and_then(Limit::resource)
            }
            Reason::At { why, .. }
            | Reason::InDuty { why, .. }
            | Reason::Unconfirmed { why, .. }
            | Reason::Unexampled(why) => why.resource(),
            _ => None,
        }
    }

    /// Is it a limit of Lazuli's own that a smaller scope does not meet?
    pub fn is_capacity(&self) -> bool {
        match self {
            Reason::ManyKeys | Reason::PathsLeft(Resource::Paths) => true,
            Reason::At { why, .. } | Reason::InDuty { why, .. } => why.is_capacity(),
            _ => false,
        }
    }

    /// Is it the bound on how often a branch is taken? A larger scope has longer loops.
    pub fn is_unrolling(&self) -> bool {
        match self {
            Reason::Unroll(_) => true,
            Reason::At { why, .. } | Reason::InDuty { why, .. } => why.is_unrolling(),
            _ => false,
        }
    }

    /// Adds the place at which the reason holds.
    pub fn at(self, at: impl Into<String>) -> Reason {
        Reason::At { why: Box::new(self), at: at.into() }
    }
}

/// A detail that only a reader needs.
impl From<&str> for Reason {
    fn from(what: &str) -> Reason {
        Reason::Unmodelled(what.to_string())
    }
}

impl From<String> for Reason {
    fn from(what: String) -> Reason {
        Reason::Unmodelled(what)
    }
}

impl From<&str> for Untranslated {
    fn from(what: &str) -> Untranslated {
        Untranslated::Code(what.to_string())
    }
}

impl From<String> for Untranslated {
    fn from(what: String) -> Untranslated {
        Untranslated::Code(what)
    }
}

impl std::fmt::Display for Untranslated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Untranslated::Code(what) => f.write_str(what),
            Untranslated::Class(fault) => write!(f, "code that needs the class {}", fault.class),
        }
    }
}

impl From<NoExample> for Reason {
    fn from(why: NoExample) -> Reason {
        Reason::NoExample(why)
    }
}

impl From<ClassFault> for Reason {
    fn from(fault: ClassFault) -> Reason {
        Reason::Class(Box::new(fault))
    }
}

impl From<Unbuildable> for NoExample {
    fn from(what: Unbuildable) -> NoExample {
        NoExample::Unbuildable(what)
    }
}

impl Limit {
    fn resource(self) -> Option<Resource> {
        match self {
            Limit::Memory => Some(Resource::Memory),
            Limit::Time => Some(Resource::Time),
            Limit::Stopped => Some(Resource::Stopped),
            Limit::Iterations | Limit::Endless => None,
        }
    }
}

impl Vm {
    /// Why a path is not known to its end, and where that is, if so. The path has just ended.
    pub fn reason(&self, state: &State, end: &End) -> Option<(Reason, String)> {
        let limit = |limit: Limit| match (limit, limit.resource()) {
            (_, Some(resource)) => Reason::PathCut(resource),
            (Limit::Iterations, _) => Reason::Iterations(self.rules.iterations.unwrap_or(0)),
            _ => Reason::Endless,
        };
        match end {
            End::Returned(_) | End::Threw(_) | End::Exited(_) | End::Beyond(_) => None,
            End::Deadlock | End::Broken(_) | End::Redundant | End::AssumedAway => None,
            End::Unsupported { what, called_from } => Some(((**what).clone(), called_from.clone())),
            End::Malformed { what, at } => Some((Reason::MalformedCode(what.clone()), at.clone())),
            End::Limit(which) => Some((limit(*which), self.describe_position(state))),
        }
    }
}

impl ClassFault {
    /// The fault of a class that cannot be loaded.
    pub fn of_load(program: &Program, error: &LoadError) -> ClassFault {
        let (class, fault) = match error.clone() {
            LoadError::NotFound(class) => (class, Fault::Missing),
            LoadError::Misnamed { class, found } => (class, Fault::Misnamed { found: found.replace('/', ".") }),
            LoadError::Format { class, why } => (class, Fault::Broken { why }),
            LoadError::Verify { class, method, offset, why } => {
                (class, Fault::Broken { why: format!("method {method}, offset {offset}: {why}") })
            }
            LoadError::Circular(class) => (class, Fault::Circular),
            LoadError::Incompatible(what) => (String::new(), Fault::Inconsistent { what }),
            LoadError::Version { class, major, minor, newest } => {
                let jdk = program.jdk().version().to_string();
                (class, Fault::Newer { major, minor, newest, jdk })
            }
        };
        let file = program.path().file_of(&class.replace('.', "/"));
        ClassFault { class: class.replace('/', "."), fault, file }
    }

    /// The fault of a class to which a reference does not resolve.
    pub fn of_link(program: &Program, error: &LinkError) -> ClassFault {
        match error {
            LinkError::Load(error) => ClassFault::of_load(program, error),
            LinkError::NoSuchField { name, .. } => ClassFault::inconsistent(format!("there is no field {name}")),
            LinkError::NoSuchMethod(method) => ClassFault::inconsistent(format!("there is no method {method}")),
            LinkError::IncompatibleClassChange(what) | LinkError::IllegalAccess(what) => {
                ClassFault::inconsistent(what.clone())
            }
        }
    }

    /// A contradiction between class files that no single class is to blame for.
    pub fn inconsistent(what: String) -> ClassFault {
        ClassFault { class: String::new(), fault: Fault::Inconsistent { what }, file: None }
    }
}
