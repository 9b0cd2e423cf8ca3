//! Does a verdict claim no more than was tried?
//!
//! Each case has an input that goes wrong and that Lazuli leaves out: the verdict must say so, or be *incomplete*. Brute force over the classes of a fixture
//! (`tests/universe`) cannot judge these, because the input is of a class that is not there, or larger than a test may be.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// The compiled class `Main`, and what is nested in it.
fn compiled(source: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let file = directory.path().join("Main.java");
    std::fs::write(&file, source).expect("the scratch directory can be written");
    let javac = Command::new("javac").args(["-g", "-d"]).arg(directory.path()).arg(&file).status();
    assert!(javac.expect("javac is installed").success());
    directory
}

/// The reports about targets, in order.
fn reports(classes: &Path, targets: &[&str], options: &[&str]) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "--time", "60s", "--scope", "2", "--no-confirm", "--format", "json", "-cp"]).arg(classes);
    let output = command.args(targets).args(options).output().expect("lazuli starts");
    let reports = serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>();
    let reports: Vec<Value> = reports.map(|report| report.expect("reports are JSON")).collect();
    assert_eq!(reports.len(), targets.len(), "{}", String::from_utf8_lossy(&output.stderr));
    reports
}

fn report(classes: &Path, target: &str, options: &[&str]) -> Value {
    reports(classes, &[target], options).remove(0)
}

/// Whether it holds, and for which inputs.
fn verdict(report: &Value) -> (&str, &str) {
    let text = |name: &str| report[name].as_str().unwrap_or_default();
    (text("verdict"), text("extent"))
}

fn why(report: &Value) -> String {
    report["not_explored"].to_string()
}

const ENGINES: [&[&str]; 2] = [&[], &["--engine", "sat"]];

#[test]
fn a_type_without_objects_is_incomplete() {
    let classes = compiled(
        "public class Main {
            static abstract class Part { int size; abstract int get(); }
            Part part;
            public static void given(Part given) { assert given == null; }
            public static void read(Part given) { if (given != null) assert given.size == 0; }
            public void held() { if (part != null) assert part.get() == 0; }
            public void unread() { }
        }",
    );
    for engine in ENGINES {
        for target in ["Main.given", "Main.read", "Main.held"] {
            let report = report(classes.path(), target, engine);
            assert_eq!(verdict(&report).0, "incomplete", "{target} {engine:?}");
            assert!(why(&report).contains("Main$Part"), "{target} {engine:?}: {}", why(&report));
        }
        assert_eq!(verdict(&report(classes.path(), "Main.unread", engine)).0, "holds", "{engine:?}");
    }
}

#[test]
fn other_subclasses_are_told_or_tried() {
    let classes = compiled(
        "public class Main {
            public sealed interface Shape permits Free, Round { }
            public static non-sealed class Free implements Shape { public int get() { return 1; } }
            public static final class Round implements Shape { }
            sealed interface Whole permits One { }
            record One() implements Whole { }
            static class InPackage { int get() { return 1; } }
            public static class Made { Made() { } public int get() { return 1; } }
            private static abstract class Base { Base() { } abstract int get(); }
            public static class Below extends Base { public int get() { return 1; } }
            private static class Hidden { Hidden() { } int get() { return 1; } }
            public static class Single { private Single() { } static Single make() { return new Single(); } public int get() { return 1; } }
            public static void behind(Shape given) { if (given instanceof Free free) assert free.get() == 1; }
            public static void free(InPackage given) { if (given != null) assert given.get() == 1; }
            public static void made(Made given) { if (given != null) assert given.get() == 1; }
            public static void base(Base given) { if (given != null) assert given.get() == 1; }
            public static void hidden(Hidden given) { if (given != null) assert given.get() == 1; }
            public static void single(Single given) { if (given != null) assert given.get() == 1; }
            public static void sealed(Whole given) { if (given != null) assert given instanceof One; }
        }",
    );
    for engine in ENGINES {
        for target in ["Main.behind", "Main.free", "Main.made", "Main.base"] {
            let usual = report(classes.path(), target, engine);
            let (is, extent) = verdict(&usual);
            assert!(is == "holds" && extent.contains("of classes on the class path"), "{target} {engine:?}: {extent}");
            let open = report(classes.path(), target, &[engine, &["--open"]].concat());
            // A subclass of elsewhere may override the method. The propositional problem does not follow that.
            let expected = if engine.is_empty() { "violated" } else { "incomplete" };
            assert_eq!(verdict(&open).0, expected, "{target} {engine:?}");
        }
        for target in ["Main.hidden", "Main.single", "Main.sealed"] {
            let open = report(classes.path(), target, &[engine, &["--open"]].concat());
            let (is, extent) = verdict(&open);
            assert!(is == "holds" && !extent.contains("class path"), "{target} {engine:?}: {extent}");
        }
    }
}

#[test]
fn an_object_that_calls_were_handed_is_changed_whatever_subclasses_it_may_have() {
    let classes = compiled(
        "public class Main {
            static class Box { int v; }
            static class Larger extends Box { int w; }
            static class Plain { int v; }
            static class Keep {
                private Box box;
                void put(Box given) { if (given.v == 0) throw new IllegalArgumentException(); box = given; }
                public int get() { return box == null ? 0 : 10 / box.v; }
            }
            static class Hold {
                private Plain plain;
                void put(Plain given) { if (given.v == 0) throw new IllegalArgumentException(); plain = given; }
                public int get() { return plain == null ? 0 : 10 / plain.v; }
            }
        }",
    );
    for world in [&[][..], &["--open"], &["--closed"]] {
        for target in ["Main$Keep.get", "Main$Hold.get"] {
            let found = report(classes.path(), target, world);
            assert_eq!(verdict(&found).0, "violated", "{target} {world:?}: {}", verdict(&found).1);
        }
    }
}

#[test]
fn what_a_static_field_holds_has_the_type_arguments_of_that_field() {
    let classes = compiled(
        "import java.util.*;
        public class Main {
            static final List<Integer> PRIMES = new ArrayList<>(List.of(2, 3));
            static final Box<String> NAME = new Box<>(\"a\");
            static class Box<T> { T value; Box(T value) { this.value = value; } }
            public static int total(List<String> given) {
                int sum = 0;
                if (given != null) for (String text : given) if (text != null) sum += text.length();
                return sum;
            }
            public static int boxed(Box<Integer> given) { return given == null || given.value == null ? 0 : given.value + 1; }
            public static void same(List<Integer> given) { assert given != PRIMES; }
        }",
    );
    for (target, expected) in [("Main.total", "holds"), ("Main.boxed", "holds"), ("Main.same", "violated")] {
        let found = report(classes.path(), target, &[]);
        assert_eq!(verdict(&found).0, expected, "{target}: {found}");
    }
}

#[test]
fn no_number_is_comparable_with_texts() {
    let classes = compiled(
        "public class Main {
            public static void below(Comparable<String> given) { assert given == null || given.compareTo(\"b\") >= 0; }
            public static void never(Comparable<String> given) {
                try { if (given != null) given.compareTo(\"b\"); } catch (ClassCastException wrong) { assert false; }
            }
        }",
    );
    let below = report(classes.path(), "Main.below", &[]);
    assert_eq!(verdict(&below).0, "violated", "{below}");
    assert_eq!(below["violations"][0]["kind"], "AssertionError", "{below}");
    assert_eq!(verdict(&report(classes.path(), "Main.never", &[])).0, "holds");
}

#[test]
fn an_object_of_an_inner_class_has_one_around_it() {
    let classes = compiled(
        "public class Main {
            private int size;
            void add() { size++; }
            class Cursor {
                private final int end;
                Cursor() { end = size; }
                int left() { return end; }
            }
            public static int walk(Cursor given) { return given == null ? 0 : 1 / (given.left() + 1); }
        }",
    );
    let found = report(classes.path(), "Main.walk", &["--strict"]);
    assert_eq!(verdict(&found).0, "holds", "{found}");
}

#[test]
fn constants_of_the_class_path_are_there_in_a_closed_world() {
    let classes = compiled(
        "public class Main {
            interface Op { }
            enum Ops implements Op { ADD, NEGATE }
            enum Odd implements Op { ONE { } }
            Op held;
            public static void isEnum(Op given) { assert !(given instanceof Enum); }
            public static void isOps(Op given) { assert !(given instanceof Ops); }
            public static void isObject(Object given) { assert !(given instanceof Enum); }
            public static void isOp(Object given) { assert !(given instanceof Op); }
            public static void same(Op given) { assert given != Ops.ADD; }
            public static void element(Op[] given) { if (given != null && given.length > 0) assert given[0] == null; }
            public void field() { assert held == null; }
        }",
    );
    for engine in ENGINES {
        for method in ["isEnum", "isOps", "isObject", "isOp", "same", "element", "field"] {
            let report = report(classes.path(), &format!("Main.{method}"), &[engine, &["--closed"]].concat());
            assert_ne!(verdict(&report).0, "holds", "{method} {engine:?}");
        }
    }
}

#[test]
fn a_verdict_is_about_its_own_target() {
    let classes = compiled(
        "public class Main {
            static final int[] ONE = {0}, OTHER = {0};
            static int count = 1;
            static int shared() { return count; }
            public static void one() { assert ONE[0] == 0; }
            public static void other() { assert OTHER[0] == 0; }
            public static void none(int given) { }
            public static void first() { assert shared() == 1; }
            public static void second() { assert shared() == 1; }
        }",
    );
    let targets = ["Main.one", "Main.other", "Main.none", "Main.first", "Main.second"];
    for engine in ENGINES {
        let together = reports(classes.path(), &targets, engine);
        for (target, together) in targets.iter().zip(&together) {
            let alone = report(classes.path(), target, engine);
            assert_eq!(verdict(together), verdict(&alone), "{target} {engine:?}");
            assert_eq!(together["assumptions"], alone["assumptions"], "{target} {engine:?}");
        }
        // References that one target has resolved stay resolved for the next one.
        assert!(verdict(&together[4]).1.contains("Main.count"), "{}", together[4]);
        assert!(!verdict(&together[1]).1.contains("Main.ONE"), "{}", together[1]);
    }
}

#[test]
fn texts_that_become_too_long_are_not_left_out() {
    let classes = compiled(
        "public class Main {
            public static void doubled(String given) {
                if (given == null || given.isEmpty()) return;
                for (int i = 0; i < 32; i++) given += given;
            }
            public static void longer(String given) {
                for (int i = 0; i < 32; i++) given += i;
            }
        }",
    );
    let doubled = report(classes.path(), "Main.doubled", &["--engine", "sat"]);
    assert_eq!(verdict(&doubled).0, "incomplete", "{doubled}");
    assert_eq!(verdict(&report(classes.path(), "Main.longer", &["--engine", "sat"])).0, "holds");
}

/// Two calls of a loop are no endless one, however long each takes.
#[test]
fn a_loop_that_is_entered_twice_is_not_endless() {
    let classes = compiled(
        "public class Main {
            int number;
            static void spin(int rounds) { for (int i = 0; i < rounds; i++) { } }
            boolean repOK() { spin(839); spin(839); spin(839); return number >= 0; }
            public void own() { assert number != 3; }
            public static void given(int number) { spin(839); spin(839); spin(839); assert number != 7; }
        }",
    );
    for target in ["Main.own", "Main.given"] {
        let report = report(classes.path(), target, &[]);
        assert_eq!(verdict(&report).0, "violated", "{target}: {}", why(&report));
    }
}

/// A static field of a wider type holds more than the objects that the circuit has names for.
#[test]
fn static_fields_of_wider_types_hold_anything() {
    let classes = compiled(
        "public class Main {
            static Object any; static Main[] all;
            public void text() { if (any instanceof String) throw new AssertionError(); }
            public void array() { if (all != null && all == any) throw new AssertionError(); }
            public void other() { if (any != null && any != this) throw new AssertionError(); }
        }",
    );
    for options in ENGINES {
        for target in ["Main.text", "Main.array", "Main.other"] {
            let report = report(classes.path(), target, options);
            assert_ne!(verdict(&report).0, "holds", "{target} {options:?}");
        }
    }
}
