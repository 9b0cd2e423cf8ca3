//! Does `--field` narrow what a field of inputs holds, by every technique, and does the verdict say so?

mod common;

use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

/// Techniques that need no circuit: circuits refuse the option.
const TECHNIQUES: [&str; 7] = ["precise", "lazy", "lazier", "lazier-sharp", "hybrid", "eager", "lissa"];

fn lazuli(target: &str, options: &[&str]) -> Output {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    let classes = CLASSES.get_or_init(|| common::compiled(&["tests/field"], &[]));
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "--scope", "3", "--no-confirm", "--no-post", "--fresh", "-cp"]);
    command.arg(classes.path()).arg(format!("Carrier.{target}")).args(options);
    command.output().expect("the program runs")
}

fn report(target: &str, options: &[&str]) -> Value {
    let output = lazuli(target, &[options, &["--format", "json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// A method fails without the option, and holds with it, under each technique.
fn narrowed(target: &str, field: &str, told: &str) {
    assert_eq!(report(target, &[])["verdict"], "violated", "{target}");
    for technique in TECHNIQUES {
        let found = report(target, &["--field", field, "--technique", technique]);
        assert_eq!(found["verdict"], "holds", "{target} under {technique}: {found:#}");
        let extent = found["extent"].as_str().unwrap_or_default();
        assert!(extent.contains(told), "{target} under {technique}: {extent}");
    }
}

#[test]
fn a_reference_is_null() {
    narrowed("nothing", "Node.value=null", "with Node.value null");
    narrowed("nothing", "Carrier.Node.value=off", "with Carrier.Node.value never set");
    narrowed("single", "Node.next=null", "with Node.next null");
}

#[test]
fn a_reference_has_a_class() {
    narrowed("whole", "Node.value=Integer", "with Node.value null or of class Integer");
    assert_eq!(report("nothing", &["--field", "Node.value=Integer"])["verdict"], "violated");
    assert_eq!(report("single", &["--field", "Node.next=Carrier.Heavy"])["verdict"], "violated");
}

#[test]
fn a_number_has_a_range() {
    // The invariant reads it too, and must not know other values.
    narrowed("small", "Node.key=0..2", "with Node.key from 0 to 2");
    assert_eq!(report("smaller", &["--field", "Node.key=0..2"])["verdict"], "violated");
    narrowed("smaller", "Node.key=-5..1", "with Node.key from -5 to 1");
}

#[test]
fn a_field_is_as_it_was_before_anything_was_assigned() {
    narrowed("heavy", "Node.marked=off", "with Node.marked never set");
    assert_eq!(report("heavy", &["--field", "Node.weight=off"])["verdict"], "violated");
    assert_eq!(report("heavy", &["--field", "Node.weight=1..2"])["verdict"], "holds");
}

#[test]
fn what_is_only_copied_need_not_be_decided() {
    let paths = |options: &[&str]| report("copy", options)["paths"].as_u64().expect("paths are counted");
    let (all, narrow) = (paths(&[]), paths(&["--field", "Node.value=off"]));
    assert_eq!(narrow, 4, "one for each length");
    assert!(all > 2 * narrow, "{all} paths");
}

#[test]
fn what_cannot_be_obeyed_is_refused() {
    for (option, told) in [
        ("Nod.value=null", "there is no such class"),
        ("Node.valu=null", "its fields are next, value, key, weight, marked"),
        ("Node.key=null", "holds no reference"),
        ("Node.marked=0..1", "holds no whole number"),
        ("Node.next=Integer", "takes no Integer"),
        ("Node.value=Nothing", "there is no such class"),
        ("Node.key=3..1", "write CLASS.FIELD=VALUES"),
        ("value=null", "write CLASS.FIELD=VALUES"),
        ("Node.value", "write CLASS.FIELD=VALUES"),
    ] {
        let output = lazuli("nothing", &["--field", option]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{option}: {said}");
        assert!(said.contains(told), "{option}: {said}");
    }
    let output = lazuli("nothing", &["--field", "Node.value=null", "--engine", "sat"]);
    assert_eq!(output.status.code(), Some(2));
}
