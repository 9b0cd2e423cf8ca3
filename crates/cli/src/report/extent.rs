//! Which inputs does a verdict speak of? The words that stand behind "holds for", and those of each restriction.

use lazuli_explore::{RecipeExtent, Report};
use lazuli_vm::universe::{FieldValues, Restriction};

/// The inputs of a report: "all inputs", or "every input of classes on the class path with at most …".
pub(crate) fn extent(report: &Report) -> String {
    // The bound on calls, and that only calls which return count, have words of their own in `calls`.
    let is_about_calls =
        |restriction: &&Restriction| restriction.is_about_calls() || matches!(restriction, Restriction::ReturningCalls);
    let restrictions = report.restrictions.iter().filter(|restriction| !is_about_calls(restriction));
    let (bounds, others): (Vec<&Restriction>, Vec<&Restriction>) =
        restrictions.partition(|restriction| restriction.is_bound());
    let (statics, world): (Vec<&Restriction>, Vec<&Restriction>) =
        others.into_iter().partition(|restriction| matches!(restriction, Restriction::InitialStatic { .. }));
    let world: String = world.into_iter().map(|restriction| format!(" {}", restriction_phrase(restriction))).collect();
    let fields = listed(&phrases(&statics));
    let statics = match statics.len() {
        0 => String::new(),
        1 => format!(" with {fields} as its initialiser leaves it"),
        _ => format!(" with {fields} as their initialisers leave them"),
    };
    let given = report.precondition.as_ref().map(|name| format!(" for which {name} is true")).unwrap_or_default();
    let given = given + &number_range(report.numbers);
    let most = listed(&phrases(&bounds));
    if !report.made_by_calls.is_empty() {
        let (classes, calls) = (listed(&report.made_by_calls), calls(report));
        let bounds = if bounds.is_empty() { String::new() } else { format!(", with at most {most}") };
        return format!("every {classes}{world} that {calls}{statics}{bounds}{given}");
    }
    let valid = if report.is_contracted { "valid " } else { "" };
    let made: Vec<String> = report.recipes.iter().map(|made| format!("every {}", recipe(made))).collect();
    let made = made.join(" and ");
    match (made.is_empty(), bounds.is_empty()) {
        (false, true) => format!("{made}{statics}{given}"),
        (false, false) => format!("{made}{statics}, with other inputs{world} of at most {most}{given}"),
        (true, true) => format!("all {valid}inputs{world}{statics}{given}"),
        (true, false) => format!("every {valid}input{world}{statics} with at most {most}{given}"),
    }
}

/// The calls that made the inputs, with their verb: "at most 3 calls that return make".
fn calls(report: &Report) -> String {
    let is_returning = report.restrictions.contains(&Restriction::ReturningCalls);
    match report.restrictions.iter().find_map(Restriction::calls) {
        Some(1) if is_returning => "at most 1 call that returns makes".to_string(),
        Some(1) => "at most 1 call makes".to_string(),
        Some(most) if is_returning => format!("at most {most} calls that return make"),
        Some(most) => format!("at most {most} calls make"),
        None if is_returning => "calls that return make".to_string(),
        None => "calls make".to_string(),
    }
}

/// "3 Node objects, 2 arrays int[] and 3 elements in each array".
fn listed(parts: &[String]) -> String {
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

fn phrases(restrictions: &[&Restriction]) -> Vec<String> {
    restrictions.iter().map(|restriction| restriction_phrase(restriction)).collect()
}

/// The inputs of a recipe: "TreeMap made by at most 3 calls of put".
fn recipe(recipe: &RecipeExtent) -> String {
    let RecipeExtent { class, constructor, calls, methods } = recipe;
    let noun = if *calls == 1 { "call" } else { "calls" };
    let constructed = constructor.as_ref().map(|types| format!("new {class}({}) and ", types.join(", ")));
    format!("{class} made by {}at most {calls} {noun} of {}", constructed.unwrap_or_default(), listed(methods))
}

/// The range of whole numbers, to stand behind a statement about inputs; empty if a bound leaves out none.
pub(crate) fn number_range(numbers: Option<(i64, i64)>) -> String {
    let words = |(least, greatest)| format!(", with numbers from {least} to {greatest}");
    numbers.map_or(String::new(), words)
}

/// A bound as it stands after "at most"; any other restriction as it stands after "inputs".
pub(crate) fn restriction_phrase(restriction: &Restriction) -> String {
    match restriction {
        Restriction::ClassPath => "of classes on the class path".to_string(),
        Restriction::Closed => "of no other classes than those on the class path".to_string(),
        Restriction::Statics => "that refer to few of the objects behind static fields".to_string(),
        Restriction::InitialStatic { field } => field.clone(),
        Restriction::NoConstants { class } => format!("without constants of {class}"),
        Restriction::NeverNull { field } => format!("with {field} as constructors leave it"),
        Restriction::Field { field, values } => format!("with {field} {}", values_phrase(values)),
        Restriction::Regions { regions } => regions_phrase(regions),
        Restriction::ExactArrays => "with arrays in fields and arrays of exactly their declared types".to_string(),
        Restriction::NewReceiver => "with a receiver that no static field leads to".to_string(),
        Restriction::OnlyByCalls { class, is_emptied } => {
            let by = if *is_emptied { "by them and by clear()" } else { "by them" };
            format!("with each {class} that they share changed {by} alone")
        }
        Restriction::Represented { declared, class } if declared == class => {
            format!("with objects of exactly the class {class} for {declared}")
        }
        Restriction::Represented { declared, class } => format!("with {class}s for {declared}"),
        Restriction::Filled { class } => {
            format!("with each {class} filled from new {class}() with elements that did not change since")
        }
        Restriction::Apart { declared } => {
            format!("with a {declared} of its own wherever its type arguments differ")
        }
        Restriction::MadeBy { class, method } => format!("with each {class} made by {method}"),
        Restriction::ResultsMade { class } => {
            format!("with no {class} from code that is not there but those that calls made before")
        }
        Restriction::ReturningCalls => "that calls make which return".to_string(),
        Restriction::HandedOut { class } => {
            format!("with no {class} that calls pass to callbacks, arrays or exceptions alone")
        }
        Restriction::Uncalled { class } => format!("with no calls of {class}"),
        Restriction::Scope { class, most: 1 } if class.ends_with(']') => format!("1 array {class}"),
        Restriction::Scope { class, most } if class.ends_with(']') => format!("{most} arrays {class}"),
        Restriction::Scope { class, most: 1 } => format!("1 {class} object"),
        Restriction::Scope { class, most } => format!("{most} {class} objects"),
        Restriction::Calls { most: 1 } => "1 call".to_string(),
        Restriction::Calls { most } => format!("{most} calls"),
        Restriction::Objects { most } => format!("{most} objects in all"),
        Restriction::Chain { most } => format!("{most} references in a chain"),
        Restriction::ArrayLength { most } => format!("{most} elements in each array"),
        Restriction::Touched { most } => format!("{most} elements touched in each array of the input"),
        Restriction::Rows { most } => format!("{most} rows in each new array of arrays"),
        Restriction::Preemptions { most: 1 } => "1 preemption on each path".to_string(),
        Restriction::Preemptions { most } => format!("{most} preemptions on each path"),
        Restriction::Elements { most } => format!("{most} elements in each collection"),
        Restriction::StandardInput { most: 1 } => "1 byte of standard input".to_string(),
        Restriction::StandardInput { most } => format!("{most} bytes of standard input"),
        Restriction::Arguments { most: 1 } => "of at most 1 argument".to_string(),
        Restriction::Arguments { most } => format!("of at most {most} arguments"),
        Restriction::TextLength { most, is_latin: true } => {
            format!("{most} characters in each string, all of them Latin-1")
        }
        Restriction::TextLength { most, is_latin: false } => format!("{most} units of UTF-16 in each string"),
    }
}

/// The parts of the input that are apart: "with this, other and Node.data apart from each other and the rest".
fn regions_phrase(regions: &[Vec<String>]) -> String {
    let told: Vec<String> = regions.iter().map(|places| places.join(" with ")).collect();
    let each_other = if regions.len() > 1 { "each other and " } else { "" };
    format!("with {} apart from {each_other}the rest", listed(&told))
}

/// The values of a field, as they stand behind its name.
fn values_phrase(values: &FieldValues) -> String {
    match values {
        FieldValues::Initial => "never set".to_string(),
        FieldValues::Null => "null".to_string(),
        FieldValues::Class(class) => format!("null or of class {class}"),
        FieldValues::Range { least, greatest } => format!("from {least} to {greatest}"),
    }
}
