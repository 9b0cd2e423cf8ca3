//! How is it worded why something was not explored, why there is no report, and what is odd? All words for the engine's reasons are here.

use lazuli_console::numbers::count;
use lazuli_explore::{Failure, Needing, NotBegun};
use lazuli_reach::plan::StepError;
use lazuli_testgen::{NoClause, NoPlan, PlanReference};
use lazuli_valid::{BoundsError, NoRange};
use lazuli_vm::outcome::Limit;
use lazuli_vm::reason::{ClassFault, Fault, NoExample, NoInput, Reason, Resource, Unbuildable, Untranslated, Warning};

use super::contracts::contract_error;
use super::requests::request_error;

/// Unloadable classes that are named one by one.
const MOST_NAMED: usize = 5;

/// Why no program replays a path: part of a sentence.
pub(crate) fn no_plan(why: &NoPlan) -> String {
    match why {
        NoPlan::NotInitialised { class, cut } => not_initialised(class, *cut),
        NoPlan::Contract(error) => contract_error(error),
        NoPlan::Step(why) => step_error(why),
        NoPlan::AsksForValues => {
            "the method asks for values by Verifier.nondet…, which no program can choose, or by Lazuli.any…, and the class \
             lazuli.Lazuli on the class path has no choose(Object...) to give it some; copy helper/lazuli/Lazuli.java again"
                .to_string()
        }
        NoPlan::DependsOnOutside(values) => {
            format!("it depends on {}, which no program can choose", values.join(" and "))
        }
        NoPlan::EndsJvm => "the program ends by itself, and a test with it".to_string(),
        NoPlan::Overridden { class } => format!("the receiver is of {class}, which overrides the method"),
        NoPlan::OtherEnd { found, expected } => {
            format!("the program that was made ends with {found:?} instead of {expected:?}")
        }
        NoPlan::OtherVerdict => "the program that was made does not end as the path does".to_string(),
        NoPlan::NoEnd { cut: None } => "the program that was made does not end".to_string(),
        NoPlan::NoEnd { cut: Some(which) } => format!("the program that was made was cut off: {}", limit(*which)),
        NoPlan::OtherInput => "the input cannot be made by a program of its own".to_string(),
        NoPlan::StaticOutOfReach { class, field } => format!("the static field {field} of {class} is out of reach"),
        NoPlan::LibraryObject { class } => {
            format!("an object of the JDK's class {class}, whose fields are out of reach")
        }
        NoPlan::LibraryField { class, field } => format!("the field {field} of the JDK's class {class}"),
        NoPlan::NoConstructor { class } => {
            format!("an object of {class}: no constructor makes it, and reflection may not")
        }
        NoPlan::FinalField => "a field that cannot be set".to_string(),
        NoPlan::NotMade(PlanReference::StaticField) => "a static field that refers to nothing".to_string(),
        NoPlan::NotMade(PlanReference::Argument) => "an argument that no step makes".to_string(),
        NoPlan::NotMade(PlanReference::Field) => "a reference to an object that no step makes".to_string(),
        NoPlan::NotMade(PlanReference::StepResult) => "a step that makes nothing".to_string(),
        NoPlan::OldValue => "a value that \\old asks for cannot be computed".to_string(),
        NoPlan::ClauseWithoutEnd { kind, at } => format!("{kind} at {at} does not come to an end"),
        NoPlan::HiddenChange { class } => {
            format!("an object of {class} changes, and no program can see what it holds")
        }
        NoPlan::HiddenObject { class } => {
            format!("no program can tell whether an object of {class} was there before")
        }
        NoPlan::Clause(why) => no_clause(why),
    }
}

/// Why the interpreter cannot perform a step of a plan: part of a sentence.
fn step_error(why: &StepError) -> String {
    match why {
        StepError::Load(error) => error.to_string(),
        StepError::NotInitialised { class, cut } => not_initialised(class, *cut),
        StepError::NoReturn { method, cut: None } => format!("{method} does not return"),
        StepError::NoReturn { method, cut: Some(which) } => format!("{method} was cut off: {}", limit(*which)),
        StepError::NoException { method } => format!("{method} does not throw"),
        StepError::NoMethod => "a method that the object does not have".to_string(),
        StepError::NoObject => "an object that no step makes".to_string(),
        StepError::NoConstant => "a constant that is not there".to_string(),
        StepError::NoBox => "a box without valueOf".to_string(),
    }
}

/// A class whose initialiser throws, or was cut off: part of a sentence.
fn not_initialised(class: &str, cut: Option<Limit>) -> String {
    match cut {
        None => format!("{class} cannot be initialised"),
        Some(which) => format!("the initialiser of {class} was cut off: {}", limit(which)),
    }
}

/// Why a clause of JML cannot be written as Java: part of a sentence.
pub(crate) fn no_clause(why: &NoClause) -> String {
    match why {
        NoClause::Preconditions => "several preconditions are no matter of a test".to_string(),
        NoClause::Constant => "the clause has a constant of no type of Java".to_string(),
        NoClause::Operator => "the clause has an operator that Java has not".to_string(),
        NoClause::InclusiveLongRange => {
            "the clause counts longs up to one that belongs to the range; write i < n".to_string()
        }
        NoClause::PrivateMember { class } => {
            format!("the clause needs a private member of {class}, which no program may use")
        }
    }
}

/// Why something was not explored: part of a sentence.
pub(crate) fn reason(reason: &Reason) -> String {
    match reason {
        Reason::Native(method) => method.clone(),
        Reason::NativeOnUnknown(method) => format!("{method} on unknown values"),
        Reason::Unmodelled(what) => what.clone(),
        Reason::MalformedCode(what) => format!("a broken class file: {what}"),
        Reason::NoReceiver { class } => format!("an object of {class}, which no class on the class path implements"),
        Reason::UndecidedEvent { event } => {
            format!("{event} on an object of unknown class, of which a property does not say whether it is meant")
        }
        Reason::UnknownCodeReaches { class: Some(class) } => {
            format!(
                "code that is not there may change an object of the class {class} (--assume-pure says that it does not)"
            )
        }
        Reason::UnknownCodeInContract { method, compares } => {
            let hint = if *compares { " (--technique kiasan and eager follow comparisons there)" } else { "" };
            format!("a contract method calls {method}, whose code is not there{hint}")
        }
        Reason::UnknownCodeReaches { class: None } => {
            "code that is not there may change too many objects (--assume-pure says that it does not)".to_string()
        }
        Reason::InitialisedByThreads { class } => {
            format!("{class}, which has static fields, is initialised while the threads run")
        }
        Reason::ContractRefused { method, why } => format!("the contract of {method} cannot be used: {why}"),
        Reason::ContractUnsatisfied { method } => {
            format!("no result satisfies the contract of {method} here, so that nothing behind the call is explored")
        }
        Reason::UnknownCodeUnscripted { method } => {
            format!("a call of {method}, whose code is not there, that its path does not have")
        }
        Reason::NoObject { class } => {
            format!("objects of {class}, which no class on the class path extends or implements: add one to -cp")
        }
        Reason::NoneMade { class } => {
            format!("objects of {class}, which no calls were found to make (--inputs fields tries any field values)")
        }
        Reason::ContractWrites { method, place } => format!("{method} writes to {place}"),
        Reason::Class(fault) => class_in_path(fault),
        Reason::Bug(what) => format!("a bug in Lazuli, please report it: {what}"),
        Reason::PathsLeft(which) => {
            format!("{}; at least as many paths were left", resource(*which, "the exploration"))
        }
        Reason::PathCut(which) => format!("{} while a path ran", resource(*which, "the exploration")),
        Reason::ProblemCut(Resource::Memory) => {
            "the memory limit was reached: raise --memory, or lower --scope".to_string()
        }
        Reason::ProblemCut(which) => resource(*which, "the check").to_string(),
        Reason::ProblemTooLarge => {
            "the problem is too large: lower --scope or --unroll, or try --engine paths".to_string()
        }
        Reason::NotBegun(Resource::Stopped) => "interrupted before it was begun".to_string(),
        Reason::NotBegun(which) => format!("{} before it was begun", resource(*which, "the run")),
        Reason::Ended(Resource::Time) => "the time limit was reached (--time)".to_string(),
        Reason::Ended(Resource::Memory) => "the memory limit was reached (--memory)".to_string(),
        Reason::Ended(which) => resource(*which, "the run"),
        Reason::Unroll(most) => {
            format!("a branch was taken more than {most} times without reading anything new (--unroll)")
        }
        Reason::Iterations(most) => {
            format!("a loop went on for {most} iterations without reading anything new (--unroll)")
        }
        Reason::DataRace { variable } => {
            format!(
                "threads race for {variable}, so that they need not see all writes in one order (--assume-sc takes that for granted)"
            )
        }
        Reason::Depth(most) => format!("a path has more than {most} choices (--depth)"),
        Reason::Endless => "an endless loop: the path comes back to the same state".to_string(),
        Reason::LoopGoesOn(most) => format!("a loop may go round more than {most} times (--unroll)"),
        Reason::RecursionGoesOn(most) => format!("a method may call itself more than {most} times (--unroll)"),
        Reason::Untranslated { what: Untranslated::Class(fault), .. } => class_in_path(fault),
        Reason::Untranslated { what: Untranslated::Code(what), at } => {
            let at = at.as_ref().map_or(String::new(), |at| format!(", at {at},"));
            format!("{what}{at} is not translated (--engine paths may know it)")
        }
        Reason::Unforeseen => "a call that was not foreseen: a bug in Lazuli, please report it".to_string(),
        Reason::NotWrong => {
            "the solver found an input that does not go wrong when it is run: a bug in Lazuli, please report it"
                .to_string()
        }
        Reason::OtherMeanings => {
            "an input is rejected, and others that end at the same place were not looked at (--engine paths does)"
                .to_string()
        }
        Reason::ManyKeys => {
            "a hash table has so many keys with unknown hash codes that it may become a tree".to_string()
        }
        Reason::SolverUndecided => "the solver could not decide whether a path is possible".to_string(),
        Reason::SearchTooLong => "a search for valid inputs took too long".to_string(),
        Reason::InvariantCut(which) => format!("the invariant reached a limit: {}", limit(*which)),
        Reason::InvariantUnroll { name, most } => {
            format!("{name}() took a branch {most} times without reading anything new (--unroll)")
        }
        Reason::InvariantExited(code) => format!("the invariant ends the program with exit code {code}"),
        Reason::InvariantUndecided => "a solver could not decide a condition of the invariant".to_string(),
        Reason::At { why, at } => format!("{}, at {at}", self::reason(why)),
        Reason::InDuty { duty, why, at } => format!("{}, at {at}, in {duty} after the method", self::reason(why)),
        Reason::DutyNotCallable { duty } => format!("{duty} cannot be called after the method"),
        Reason::DutyTooLong { duty } => format!("the check that {duty} is true after the method took too long"),
        Reason::DutyExited { duty, code } => format!("{duty} ends the program with exit code {code} after the method"),
        Reason::NoExample(why) => no_example(why),
        Reason::Unconfirmed { kind, why } => {
            format!("a possible {kind} that could not be confirmed by running an example: {}", self::reason(why))
        }
        Reason::FalseAlarm { kind } => format!("{kind}: {}", no_example(&NoExample::NoValidInput)),
        Reason::Unexampled(why) => format!("a path of which no example could be run: {}", self::reason(why)),
        Reason::InvalidMade { by } => {
            format!("inputs that do not satisfy the invariant were made by {}: check that first", by.join(", "))
        }
        Reason::NoInput(why) => no_input(why),
    }
}

/// The name of the resource that ran out, for programs.
pub(crate) fn resource_name(which: Resource) -> &'static str {
    match which {
        Resource::Time => "time",
        Resource::Stopped => "stopped",
        Resource::Memory => "memory",
        Resource::Paths => "paths",
        Resource::Defects => "defects",
        Resource::Goals => "goals",
    }
}

/// A warning: a sentence without its full stop.
pub(crate) fn warning(warning: &Warning) -> String {
    match warning {
        Warning::InvariantThrows(what) => format!("the invariant throws {what} on some input, which counts as false"),
        Warning::InvariantLoops => "the invariant loops for ever on some input, which counts as false".to_string(),
        Warning::WaitsInEveryOrder => {
            "on some input a call waits for ever, and does so too if the calls come one after the other".to_string()
        }
        Warning::PreconditionThrows { precondition, what } => {
            format!("the precondition {precondition} throws {what} on some input, which counts as false")
        }
        Warning::NeverReads { invariant, fields, method } => format!(
            "{invariant} never reads {}, which {method} writes: whatever is there counts as valid",
            fields.join(", ")
        ),
        Warning::NotListed => "the valid inputs could not be listed: they were searched for".to_string(),
        Warning::NoCircuit(why) => {
            format!("there is no circuit of the invariant ({why}): valid inputs were searched for")
        }
        Warning::NoFieldBounds(why) => format!("the bounds of fields were not used: {}", reason(why)),
        Warning::UnusedRange(name) => {
            format!("the range of {name} was not used: no valid object has such a field that is read")
        }
        Warning::NothingValid { invariant, has_few_bits } => {
            let raise = if *has_few_bits { "--scope or --int-bits" } else { "--scope" };
            format!("no object within the scope satisfies {invariant}: raise {raise}, or look at it")
        }
        Warning::NoEvent { property } => {
            format!(
                "nothing that the property {property} names happened on any path: it says nothing about this method"
            )
        }
        Warning::Unloadable(faults) => {
            let named = faults.iter().take(MOST_NAMED).map(|(class, fault)| format!("{class} ({})", briefly(fault)));
            let mut named: Vec<String> = named.collect();
            if faults.len() > MOST_NAMED {
                named.push(format!("and {} more", faults.len() - MOST_NAMED));
            }
            let number = count(faults.len() as u64, "class", "classes");
            format!(
                "{number} of the class path cannot be loaded, so that no input is of {}: {}",
                if faults.len() == 1 { "it" } else { "them" },
                named.join(", ")
            )
        }
    }
}

/// Why there is no report: a sentence.
pub(crate) fn failure(failure: &Failure) -> String {
    match failure {
        Failure::Request(error) => request_error(error),
        Failure::Host(sentence) => sentence.clone(),
        Failure::Contract(error) => contract_error(error),
        Failure::NoBounds(error) => bounds_error(error),
        Failure::NoRange(NoRange { field }) => {
            let option = field.rsplit('.').next().unwrap_or(field);
            format!(
                "the values of {field} have no range: add one such as `--range {option}=0..5`, or `--range 0..5` for all fields"
            )
        }
        Failure::Ambiguous { class, method, count: 0 } => format!("class {class} has no method {method}"),
        Failure::Ambiguous { class, method, count } => {
            format!("class {class} has {count} methods {method}; write the parameters too")
        }
        Failure::Cluster(error) => error.to_string(),
        Failure::Unproved(why) => reason(why),
        Failure::Class { what: Needing::Target(title), fault } => {
            format!("{title} cannot be checked: {}", class_sentence(fault))
        }
        Failure::Class { what, fault } => {
            format!("{} cannot be executed: {}", needing(what), class_sentence(fault))
        }
        Failure::Begin { what, why } => {
            let what = needing(what);
            match why {
                NotBegun::Threw { thrown, place } => format!("{what} failed with {thrown} at {place}"),
                NotBegun::Unknown { why, .. } if why.resource().is_some() => format!("{what} reached the time limit"),
                NotBegun::Unknown { why, at } => {
                    format!("{what} needs something that is not supported: {}, called from {at}", reason(why))
                }
                NotBegun::Ended => format!("{what} ended the program"),
            }
        }
    }
}

fn bounds_error(error: &BoundsError) -> String {
    match error {
        BoundsError::UnknownField(error) => error.to_string(),
        BoundsError::NotRead { field } => format!(
            "{field} is not read in every valid object, so that objects cannot be numbered over it: leave it out"
        ),
    }
}

/// Why a class that is asked for cannot be used, and what to do: a sentence.
pub(crate) fn class_sentence(fault: &ClassFault) -> String {
    let class = in_file(fault);
    match &fault.fault {
        Fault::Missing => format!(
            "it needs {}, which is not on the class path. Add the directory or the jar that has it to -cp.",
            fault.class
        ),
        Fault::Misnamed { found } => {
            format!("the file of class {class} declares class {found}. Put it where its package says.")
        }
        Fault::Broken { why } => format!("{}: {why}{}. Compile it again.", fault.class, place(fault)),
        Fault::Newer { major, minor, newest, jdk } => format!(
            "class {class} is newer than the JDK: its class file has version {major}.{minor}, and JDK {jdk} reads versions up to \
             {newest}. Set JAVA_HOME to a newer JDK, or compile with `javac --release {}`.",
            release(*newest)
        ),
        Fault::Circular => format!("class {class} is a supertype of itself. Compile it again."),
        Fault::Inconsistent { what } => {
            format!("its class files do not fit together: {what}. Compile them again, from the same sources.")
        }
    }
}

fn resource(which: Resource, what: &str) -> String {
    match which {
        Resource::Time => "the time limit was reached".to_string(),
        Resource::Stopped => format!("{what} was stopped"),
        Resource::Memory => "the memory limit was reached".to_string(),
        Resource::Paths => "the limit on the number of paths was reached".to_string(),
        Resource::Defects => "the first defect was to end it (--first)".to_string(),
        Resource::Goals => "every goal of the criterion is met".to_string(),
    }
}

fn limit(which: Limit) -> &'static str {
    match which {
        Limit::Memory => "the memory was used up",
        Limit::Time => "the time was over",
        Limit::Stopped => "the run was stopped",
        Limit::Iterations => "a loop that reads nothing new goes round too often (--unroll)",
        Limit::Endless => "it never ends",
    }
}

fn no_example(why: &NoExample) -> String {
    let bug = "a bug in Lazuli, please report it";
    match why {
        NoExample::NoValidInput => "no valid input takes this path".to_string(),
        NoExample::NoValues => "no solver found values for it".to_string(),
        NoExample::InvalidPart => {
            "an object that the example refers to breaks the invariant of its class, and no better example was found"
                .to_string()
        }
        NoExample::BreaksInvariant => format!("the example does not satisfy the invariant: {bug}"),
        NoExample::RefusedRecord => "the example has a record that its constructor refuses".to_string(),
        NoExample::BreaksPrecondition => format!("the example does not satisfy the precondition: {bug}"),
        NoExample::Panics => bug.to_string(),
        NoExample::Asks => "the example asks a question".to_string(),
        NoExample::EndsOtherwise => "the example does not end as the path did".to_string(),
        NoExample::Differs { predicted, found } => format!("predicted {predicted}, but found {found}"),
        NoExample::Explained => "an order of the calls explains the example".to_string(),
        NoExample::Holds { duty } => format!("{duty} holds after running the example"),
        NoExample::ArrayTooLong(length) => format!("the example needs an array of {length} elements"),
        NoExample::Subclass { of } => {
            format!("the example needs a subclass of {of} that is not on the class path")
        }
        NoExample::UnknownWrites { field } => {
            format!("code that is not there would have to write {field}, which is private")
        }
        NoExample::UnknownRoute => {
            "code that is not there would have to return an object that it can get at only through others".to_string()
        }
        NoExample::Unbuildable(what) => unbuildable(what),
    }
}

fn unbuildable(what: &Unbuildable) -> String {
    match what {
        Unbuildable::Text => "a string without contents".to_string(),
        Unbuildable::NoInput { class } => format!("an object of {class} that is no input"),
        Unbuildable::NotInitialised { class, cut } => not_initialised(class, *cut),
        Unbuildable::NoClass { declared } => format!("no class implements {declared}"),
        Unbuildable::NoConstant => "a constant that is not there".to_string(),
        Unbuildable::CyclicCollection => "a collection that contains itself".to_string(),
        Unbuildable::Elements { class } => format!("no {class} has these elements"),
    }
}

fn no_input(why: &NoInput) -> String {
    match why {
        NoInput::Unknown => "no input was tried".to_string(),
        NoInput::NotMade => "no input could be made: the constructor, or every call of --build, throws".to_string(),
        NoInput::AssumedAway => "no path satisfies the assumptions".to_string(),
        NoInput::Precondition(pre) => {
            format!("no input within the bounds satisfies the precondition {pre}: raise --scope, or look at it")
        }
        NoInput::PreconditionAndInvariant { precondition, invariant } => format!(
            "no valid input within the bounds satisfies the precondition {precondition}: it contradicts {invariant}, or needs a larger --scope"
        ),
        NoInput::NoValidPath => "no valid input was found for any path".to_string(),
        NoInput::NotFound { invariant } => {
            format!("no input within the bounds was found that satisfies {invariant}")
        }
        NoInput::None { invariant, needs } => {
            let start = format!("no input within the bounds satisfies {invariant}");
            match needs {
                Some(scope) => format!("{start}: the smallest that does needs --scope {scope}"),
                None => format!("{start}: raise --scope, or look at the invariant"),
            }
        }
    }
}

fn needing(what: &Needing) -> String {
    match what {
        Needing::Library => "the start of the JDK's library".to_string(),
        Needing::Initialiser(class) => format!("the static initialiser of {class}"),
        Needing::Target(title) => title.clone(),
    }
}

/// A class that a path needs: part of a sentence, with what to do.
fn class_in_path(fault: &ClassFault) -> String {
    let class = in_file(fault);
    match &fault.fault {
        Fault::Missing => format!("a class that the path needs is missing: {}; add it to -cp", fault.class),
        Fault::Misnamed { found } => {
            format!(
                "a class that the path needs is missing: the file of {class} declares {found}; put it where its package says"
            )
        }
        Fault::Broken { why } => {
            let (class, place) = (&fault.class, place(fault));
            format!("a class that the path needs is broken: {class}: {why}{place}; compile it again")
        }
        Fault::Newer { major, minor, newest, jdk } => format!(
            "a class that the path needs is newer than the JDK: {class} has version {major}.{minor}, and JDK {jdk} reads versions up to \
             {newest}; set JAVA_HOME to a newer JDK, or compile with `javac --release {}`",
            release(*newest)
        ),
        Fault::Circular => format!("a class that the path needs is a supertype of itself: {class}; compile it again"),
        Fault::Inconsistent { what } => {
            format!(
                "classes that the path needs do not fit together: {what}; compile them again, from the same sources"
            )
        }
    }
}

fn briefly(fault: &ClassFault) -> String {
    match &fault.fault {
        Fault::Missing => format!("needs {}", fault.class),
        Fault::Misnamed { found } => format!("its file declares {found}"),
        Fault::Broken { .. } => "broken".to_string(),
        Fault::Newer { major, minor, .. } => format!("version {major}.{minor}"),
        Fault::Circular => "a supertype of itself".to_string(),
        Fault::Inconsistent { what } => what.clone(),
    }
}

/// The class, and where it was found.
fn in_file(fault: &ClassFault) -> String {
    format!("{}{}", fault.class, place(fault))
}

fn place(fault: &ClassFault) -> String {
    fault.file.as_ref().map_or(String::new(), |file| format!(" (in {file})"))
}

/// The Java release whose class files have this version.
fn release(version: u16) -> u16 {
    version.saturating_sub(lazuli_vm::program::FIRST_MAJOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing() -> ClassFault {
        ClassFault { class: "acme.Sub".to_string(), fault: Fault::Missing, file: None }
    }

    /// A journal keeps reports, and what they say must be the same afterwards.
    #[test]
    fn reasons_survive_being_written_down() {
        let nested = Reason::InDuty {
            duty: "repOK()".to_string(),
            why: Box::new(Reason::from(missing()).at("acme.Node.next(Node.java:3)")),
            at: "acme.Node.repOK(Node.java:9)".to_string(),
        };
        let reasons = [
            nested,
            Reason::PathsLeft(Resource::Paths),
            Reason::InvariantCut(Limit::Iterations),
            Reason::NoInput(NoInput::None { invariant: "the invariant repOK()".to_string(), needs: None }),
            Reason::Unconfirmed { kind: "E".to_string(), why: Box::new(NoExample::ArrayTooLong(9).into()) },
        ];
        for reason in reasons {
            let written = serde_json::to_string(&reason).unwrap();
            assert_eq!(serde_json::from_str::<Reason>(&written).unwrap(), reason, "{written}");
        }
    }

    #[test]
    fn a_resource_is_found_wherever_it_ran_out() {
        let cut = Reason::PathCut(Resource::Memory);
        let duty = Reason::InDuty { duty: "repOK()".to_string(), why: Box::new(cut), at: String::new() };
        assert_eq!(duty.resource(), Some(Resource::Memory));
        assert_eq!(Reason::Native("acme.Node.memory()I".to_string()).resource(), None);
    }

    #[test]
    fn only_some_of_many_classes_are_named() {
        let faults: Vec<(String, ClassFault)> = (0..7).map(|number| (format!("C{number}"), missing())).collect();
        let sentence = warning(&Warning::Unloadable(faults));
        assert!(sentence.starts_with("7 classes of the class path cannot be loaded"), "{sentence}");
        assert!(sentence.ends_with("C4 (needs acme.Sub), and 2 more"), "{sentence}");
    }
}
