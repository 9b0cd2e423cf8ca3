//! Which assumptions does a verdict rest on?

use std::collections::BTreeSet;

use lazuli_console::visible::visible;
use lazuli_explore::{Assumption, Source};
use lazuli_vm::contracts::ContractCheck;
use lazuli_vm::universe::Restriction;

use super::extent::restriction_phrase;

/// All of it in one sentence; none if there is nothing.
pub(crate) fn assumed(assumptions: &[Assumption]) -> Option<String> {
    let listed: Vec<String> = assumptions.iter().map(assumption).collect();
    (!listed.is_empty()).then(|| format!("Assuming that {}.", listed.join("; ")))
}

/// One part of it, to stand behind "assuming that".
pub(crate) fn assumption(assumption: &Assumption) -> String {
    let source = match assumption {
        Assumption::Consistency => return "all threads see all writes in one order".to_string(),
        Assumption::SpuriousWakeUps { most: 0 } => {
            return "wait and park end only when the thread is woken or its time is over".to_string();
        }
        Assumption::SpuriousWakeUps { most } => {
            return format!("no thread wakes up for no reason more than {} from one wait or park", times(*most));
        }
        Assumption::SpuriousFailures { most: 0 } => {
            return "a weak compare-and-set fails only where the variable has another value".to_string();
        }
        Assumption::SpuriousFailures { most } => {
            return format!("no weak compare-and-set fails for no reason more than {} for each thread", times(*most));
        }
        Assumption::ClockRange => return "clocks show a time from 1970 to 9999".to_string(),
        Assumption::UnknownCode { has_inputs } => {
            let changes = match has_inputs {
                true => "changes no static field",
                false => "changes nothing but what it was handed or has returned, and no static field",
            };
            return format!(
                "code that is not there {changes}, throws no error, puts no object of the method into an array of its own, and is to blame for \
                 what fails in calls of its own"
            );
        }
        Assumption::LeavesValid { class } => {
            return format!("code that is not there leaves each {class} valid that it gets valid");
        }
        Assumption::Refills { most } => {
            let elements = if *most == 1 { "element" } else { "elements" };
            return format!("code that is not there leaves at most {most} {elements} in a collection that it changes");
        }
        Assumption::Pure { method } => return format!("{method} changes nothing"),
        Assumption::TypeArguments => {
            return "objects of generic classes hold what their type arguments say, as they do without raw types and unchecked casts"
                .to_string();
        }
        Assumption::Contract { method, at, is_bundled, check } => {
            let origin = if *is_bundled { "which comes with Lazuli" } else { "" };
            let checked = match check {
                ContractCheck::NotAsked => "not checked".to_string(),
                ContractCheck::NoCode => "no code here implements it".to_string(),
                ContractCheck::Kept { by } => format!("checked: {}", by.join(", ")),
                ContractCheck::NotKept { by } => format!("not kept, or not decided: {}", by.join(", ")),
            };
            return match is_bundled {
                true => format!("{method} keeps its contract, {origin}"),
                false => format!("{method} keeps its contract at {at} ({checked})"),
            };
        }
        Assumption::Relation { method, is_order: true } => {
            return format!(
                "{method} is a total order of what the objects hold that it compares, and throws at most for null"
            );
        }
        Assumption::Relation { method, is_order: false } => {
            return format!("{method} agrees with one equivalence of what the objects hold that it compares");
        }
        Assumption::Apart { class } => {
            return format!(
                "elements that code which is not there compares or looks at are apart from each {class} that the method changes"
            );
        }
        Assumption::ResultCast { method, class } => return format!("what {method} returns is of the class {class}"),
        Assumption::InitialisedBefore { class } => return format!("{class} is initialised before the method"),
        Assumption::ValidParts { class } => {
            return format!("each {class} that an input refers to is valid by its own invariant");
        }
        Assumption::InitialisedInOrder { class } => {
            return format!(
                "{class} and the classes whose static fields its initialiser uses are initialised in the order in which the method uses them"
            );
        }
        Assumption::NeverNull { parameter, by } => return format!("{parameter} is not null (@{by})"),
        Assumption::Ambient { source } => source,
    };
    let one_run = |what: &str| format!("{what} as in one run");
    match source {
        Source::NanoTime => one_run("System.nanoTime() is"),
        Source::Clock => one_run("the time of day is"),
        Source::RandomBytes => one_run("the bytes of SecureRandom are"),
        Source::IdentityHash => one_run("identity hash codes are"),
        Source::Environment(None) => one_run("the environment variables are"),
        Source::Environment(Some(name)) => one_run(&format!("the environment variable {name} is")),
        Source::Processors => one_run("the number of processors is"),
        Source::Memory => one_run("the amount of memory is"),
        Source::ImmutableOrder => one_run("the order of Set.of and Map.of is"),
        Source::HashOrder => one_run("the order of hash tables whose keys have identity hash codes is"),
        Source::Thread => "the current thread is a main thread that is not interrupted and holds no locks".to_string(),
        Source::Callers => "no other method is on the stack below".to_string(),
        Source::Locale => "the default locale is that of this machine".to_string(),
        Source::TimeZone => "the default time zone is UTC".to_string(),
        Source::Charset => "the default charset is that of this machine".to_string(),
        Source::Arguments => one_run("the arguments are"),
        Source::StandardInput => "standard input is empty".to_string(),
        Source::LineSeparator => "lines end as on this machine".to_string(),
        Source::Property(None) => "the system properties are those of this machine".to_string(),
        Source::Property(Some(name)) => format!("the system property {name} is that of this machine"),
    }
}

/// "twice"
fn times(number: u32) -> String {
    match number {
        1 => "once".to_string(),
        2 => "twice".to_string(),
        _ => format!("{number} times"),
    }
}

/// The same for a restriction that no larger scope lifts; none for bounds, which the extent tells.
pub(crate) fn restriction(restriction: &Restriction) -> Option<String> {
    Some(match restriction {
        Restriction::InitialStatic { field } => format!("{field} is as static initialisers leave it"),
        Restriction::NoConstants { class } => {
            format!("no input is a constant of {class}, which is not initialised before the method")
        }
        Restriction::NeverNull { field } => format!("{field} is not null, as constructors guarantee"),
        Restriction::ExactArrays => {
            "arrays in fields of inputs, and in other arrays, are of exactly their declared types".to_string()
        }
        Restriction::Represented { declared, class } if declared == class => {
            format!("each {class} is of exactly that class")
        }
        Restriction::Represented { declared, class } => format!("each {declared} is of the class {class}"),
        Restriction::Filled { class } => {
            format!("each {class} is filled from new {class}(), and its elements have not changed since")
        }
        Restriction::Apart { declared } => {
            format!("two references of type {declared} with different type arguments are different objects")
        }
        Restriction::MadeBy { class, method } => format!("each {class} is made by {method}"),
        Restriction::NewReceiver => "the receiver is no object that a static field leads to".to_string(),
        Restriction::ResultsMade { class } => {
            format!("code that is not there returns only objects of the class {class} that calls made before")
        }
        Restriction::HandedOut { class } => {
            format!("each {class} that calls make is a result, or can be read from one")
        }
        Restriction::Uncalled { class } => format!("{class} is not called"),
        Restriction::Arguments { most } => format!("the program gets at most {most} arguments"),
        other if other.is_bound() => return None,
        world => format!("inputs are only those {}", restriction_phrase(world)),
    })
}

/// Everything on which a list of valid objects rests, each as a part to stand behind "assuming that".
pub(crate) fn of_valid_objects(
    assumptions: &BTreeSet<Assumption>,
    restrictions: &BTreeSet<Restriction>,
) -> Vec<String> {
    let words = |left_out: &Restriction| {
        restriction(left_out).unwrap_or_else(|| format!("there are at most {}", restriction_phrase(left_out)))
    };
    restrictions.iter().map(words).chain(assumptions.iter().map(assumption)).collect()
}

/// The same as a line of text; empty if there is nothing.
pub(crate) fn line_of_valid_objects(
    assumptions: &BTreeSet<Assumption>,
    restrictions: &BTreeSet<Restriction>,
) -> String {
    match of_valid_objects(assumptions, restrictions) {
        listed if listed.is_empty() => String::new(),
        listed => format!("  Assuming that {}.\n", visible(&listed.join("; "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_are_one_sentence() {
        let some = [
            Assumption::Ambient { source: Source::NanoTime },
            Assumption::Ambient { source: Source::Property(Some("user.home".to_string())) },
        ];
        let expected =
            "Assuming that System.nanoTime() is as in one run; the system property user.home is that of this machine.";
        assert_eq!(assumed(&some).as_deref(), Some(expected));
        assert_eq!(assumed(&[]), None);
    }
}
