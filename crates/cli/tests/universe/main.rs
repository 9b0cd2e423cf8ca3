//! Does Lazuli try every input that the JVM may meet?
//!
//! The truth comes from brute force: `tests/universe/support` builds every input of a small size on the JVM, from reflection and the directives of a
//! fixture, and runs invariant and method on it. What goes wrong there must be found by every technique, structure and engine, or the answer must be
//! *incomplete* and say why; and what Lazuli calls wrong must go wrong there, or when Lazuli's own input is run. A fixture is a Java file below
//! `tests/universe`, all of whose classes are nested; its targets are its public methods. Directives in its first lines:
//!
//! - `// scope: 2`: input objects of each class, and the length of arrays and strings
//! - `// domain: int 0 1 7; string a`: values by type, or by the name of a parameter or field
//! - `// wide: String Integer int[]`: what places of wider types hold, beside what the fixture declares somewhere
//! - `// objects: 4`: at most so many objects in an enumerated input
//! - `// targets: Nested.method`: other targets than the public methods
//! - `// goes-wrong: method`: the run depends on chance, and is known to go wrong
//! - `// unconfirmed: method`: no program can make the input that goes wrong
//! - `// subtype-array: method`, or `all`: what goes wrong may need an array in a field of a subtype of what the field declares, which a verdict may leave out if it says so
//! - `// held-receiver: method`: what goes wrong may need a receiver that a static field holds, which a verdict may leave out if it says so
//! - `// known: java.lang.ClassCastException`, or `all`: brute force finds each such fault, so that another one is a false alarm, whatever the JVM says of Lazuli's input
//! - `// complete: all`, or names of configurations: there, *incomplete* is wrong too
//! - `// shapes: yes`: `lazuli shapes` and `lazuli bounds` of the outermost class are compared instead of methods; its invariant must read all references
//! - `// unread: Node.extra`: fields that such an invariant does not read in every valid object, so that `lazuli bounds` does not number objects over them; shapes are not compared then
//! - `// lazuli: --scope 2,Tag=0`: further options
//!
//! `LAZULI_BIN` names another lazuli to judge. `cargo test --release --test universe -- aliases.` runs one area, `-- /engine-sat` one configuration.
//! `LAZULI_SECONDS=3600 cargo test --release --test universe -- random` makes up programs for an hour; `LAZULI_SEED` says with which number they begin.

#[path = "../common/mod.rs"]
#[allow(dead_code)]
mod common;
mod configuration;
#[path = "../common/dice.rs"]
mod dice;
mod generator;
mod judge;
mod lazuli;
mod random;
mod subjects;
mod truth;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};

use configuration::{CONFIGURATIONS, Configuration};
use judge::Kind;
use truth::{Directives, Method};

/// For all methods of a fixture together.
const TIME: Duration = Duration::from_secs(20);

#[derive(Clone)]
struct Fixture {
    source: PathBuf,
    /// `aliases.PartPassedIn`
    title: String,
    /// The directory of its classes, and beside it the truth about them.
    classes: PathBuf,
    directives: Directives,
}

/// How often each configuration answered how.
type Counts = BTreeMap<(&'static str, Kind), usize>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let scratch = tempfile::tempdir().expect("a scratch directory can be made");
    let mut fixtures = fixtures(&truth::root(), scratch.path());
    fixtures.extend(subjects::fixtures(scratch.path()).expect("the subjects are there"));
    let counts = Arc::new(Mutex::new(Counts::new()));
    let mut trials = Vec::new();
    for fixture in &fixtures {
        if fixture.directives.words("shapes").next().is_some() {
            let copy = fixture.clone();
            trials.push(Trial::test(format!("{}/shapes", fixture.title), move || compare_shapes(&copy)));
            continue;
        }
        for configuration in &CONFIGURATIONS {
            let (copy, counts) = (fixture.clone(), Arc::clone(&counts));
            let name = format!("{}/{}", fixture.title, configuration.name);
            trials.push(Trial::test(name, move || compare(&copy, configuration, &counts)));
        }
    }
    let streams = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    for stream in 0..streams {
        trials.push(Trial::test(format!("random.{stream}"), move || random::run(stream, streams)));
    }
    if !arguments.list {
        let is_wanted = |fixture: &&Fixture| {
            let of_fixture = trials.iter().filter(|trial| trial.name().starts_with(&format!("{}/", fixture.title)));
            let is_asked_for = |trial: &Trial| match (&arguments.filter, arguments.exact) {
                (None, _) => true,
                (Some(filter), true) => trial.name() == filter,
                (Some(filter), false) => trial.name().contains(filter),
            };
            of_fixture.into_iter().any(is_asked_for)
        };
        let wanted = fixtures.iter().filter(is_wanted).map(|fixture| (fixture.source.clone(), fixture.classes.clone()));
        truth::enumerate(scratch.path(), &wanted.collect::<Vec<_>>()).expect("every input can be tried");
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    print(&counts.lock().expect("no trial panics while it counts"));
    conclusion.exit_code()
}

fn fixtures(root: &Path, scratch: &Path) -> Vec<Fixture> {
    let mut found = Vec::new();
    for area in std::fs::read_dir(root).expect("the fixtures are there").flatten() {
        let area_name = area.file_name().to_string_lossy().into_owned();
        if area_name == "support" {
            continue;
        }
        for file in std::fs::read_dir(area.path()).expect("an area is a directory").flatten() {
            let source = file.path();
            let name = source.file_stem().expect("a file has a name").to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&source).expect("fixtures are readable");
            let (title, classes) = (format!("{area_name}.{name}"), scratch.join(&name));
            found.push(Fixture { source, title, classes, directives: Directives::of(&text) });
        }
    }
    found.sort_by(|left, right| left.title.cmp(&right.title));
    found
}

/// Judges what one configuration says about all methods of a fixture.
fn compare(fixture: &Fixture, configuration: &'static Configuration, counts: &Mutex<Counts>) -> Result<(), Failed> {
    let methods = Method::read(&fixture.classes.with_extension("truth"), &fixture.directives)?;
    let asked = judge::Asked { classes: &fixture.classes, directives: &fixture.directives, configuration, time: TIME };
    let mut wrong = Vec::new();
    if let Some(method) = methods.iter().find(|method| method.is_cut) {
        return Err(format!("{} has too many inputs: make the domain smaller", method.name).into());
    }
    for judgement in judge::judge(&asked, &methods)? {
        *counts.lock()?.entry((configuration.name, judgement.kind)).or_default() += 1;
        wrong.extend(judgement.wrong);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Compares the number of shapes of the outermost class, and the bounds of its fields in each way in which they are found.
fn compare_shapes(fixture: &Fixture) -> Result<(), Failed> {
    let brute_force = truth::shapes(&fixture.classes.with_extension("truth"))?;
    let class = fixture.source.file_stem().unwrap_or_default().to_string_lossy();
    let scope = fixture.directives.words("scope").next().unwrap_or("2");
    let lazuli = lazuli::shapes(&fixture.classes, &class, scope)?;
    let is_all_read = fixture.directives.words("unread").next().is_none();
    if is_all_read && lazuli != brute_force {
        return Err(format!("lazuli shapes says {lazuli}, brute force {brute_force}").into());
    }
    let brute_force = truth::bounds(&fixture.classes.with_extension("truth"))?;
    let mut found = vec![("as the command finds them", lazuli::bounds(&fixture.classes, &class, scope)?)];
    // Some invariants have no circuit.
    let by_circuit = lazuli::bounds_by_circuit(&fixture.classes, &class, scope.parse()?)?;
    found.extend(by_circuit.map(|pairs| ("by a circuit", pairs)));
    for (how, lazuli) in found {
        if lazuli != brute_force {
            let more: Vec<_> = lazuli.difference(&brute_force).collect();
            let less: Vec<_> = brute_force.difference(&lazuli).collect();
            return Err(format!("bounds {how}: only there {more:?}, only on the JVM {less:?}").into());
        }
    }
    Ok(())
}

/// Tells how many answers there were of each kind: a harness whose answers are all incomplete proves nothing.
fn print(counts: &Counts) {
    if counts.is_empty() {
        return;
    }
    println!("{:<22}{:>9}{:>9}{:>12}{:>9}", "configuration", "violated", "holds", "incomplete", "wrong");
    for configuration in &CONFIGURATIONS {
        let count = |kind| counts.get(&(configuration.name, kind)).copied().unwrap_or(0);
        let [violated, holds, incomplete, wrong] =
            [Kind::Violated, Kind::Holds, Kind::Incomplete, Kind::Wrong].map(count);
        println!("{:<22}{violated:>9}{holds:>9}{incomplete:>12}{wrong:>9}", configuration.name);
    }
}
