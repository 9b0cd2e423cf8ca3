//! Does the command line say what is wrong, and end with the right exit code?

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const WRONG_REQUEST: Option<i32> = Some(2);
const INCOMPLETE: Option<i32> = Some(3);

fn lazuli(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lazuli")).args(arguments).output().expect("lazuli starts")
}

/// A directory with the compiled classes of a source text whose public class is `Main`.
fn compiled(source: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let file = directory.path().join("Main.java");
    std::fs::write(&file, source).expect("the scratch directory can be written");
    let output = Command::new("javac").arg("-d").arg(directory.path()).arg(&file).output().expect("javac is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    directory
}

fn run_in(directory: &Path, options: &[&str]) -> Output {
    let mut arguments = vec!["run"];
    arguments.extend(options);
    let path = directory.display().to_string();
    arguments.extend(["-cp", &path, "Main"]);
    lazuli(&arguments)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const HELLO: &str = "public class Main { public static void main(String[] a) { System.out.println(\"hello\"); } }";

#[test]
fn a_missing_class_is_named_with_a_hint() {
    let directory = compiled(HELLO);
    let path = directory.path().display().to_string();
    let output = lazuli(&["run", "-cp", &path, "pkg.main"]);
    assert_eq!(output.status.code(), WRONG_REQUEST);
    assert!(
        stderr(&output).contains("no class pkg.main") && stderr(&output).contains("did you mean Main?"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_missing_class_path_entry_is_named() {
    let output = lazuli(&["run", "-cp", "/no/such/place", "Main"]);
    assert_eq!(output.status.code(), WRONG_REQUEST);
    assert!(stderr(&output).contains("/no/such/place does not exist"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("\\n"), "a line break is none: {}", stderr(&output));
}

#[test]
fn scopes_that_no_run_can_try_are_refused() {
    for (options, told) in [
        (["--scope", "4294967295"], "a scope is at most 65535"),
        (["--scope", "2,Node=2147483648"], "a scope is at most 65535"),
        (["--k", "2147483648"], "write a number from 0 to 65535"),
    ] {
        let output = lazuli(&[&["check", "Main"], &options[..]].concat());
        assert_eq!(output.status.code(), WRONG_REQUEST, "{options:?}");
        assert!(stderr(&output).contains(told), "{options:?}: {}", stderr(&output));
    }
}

#[test]
fn more_threads_than_are_of_use_are_refused() {
    for command in ["check", "shapes", "bounds", "tests"] {
        let output = lazuli(&[command, "Main", "--jobs", "100000"]);
        assert_eq!(output.status.code(), WRONG_REQUEST, "{command}");
        assert!(stderr(&output).contains("write a number from 1 to 256"), "{command}: {}", stderr(&output));
    }
}

#[test]
fn nested_classes_have_two_spellings() {
    let directory = compiled(
        "public class Main { static class In { public static void main(String[] a) { System.out.println(a.length); } } }",
    );
    let path = directory.path().display().to_string();
    for name in ["Main.In", "Main$In"] {
        let output = lazuli(&["run", "-cp", &path, name, "x", "-cp"]);
        assert_eq!(stdout(&output), "2\n", "{name}: {}", stderr(&output));
    }
}

#[test]
fn a_class_without_main_is_refused() {
    let directory = compiled("public class Main { void main() {} }");
    let output = run_in(directory.path(), &[]);
    assert_eq!(output.status.code(), WRONG_REQUEST);
    assert!(stderr(&output).contains("has no method `public static void main(String[] args)`"), "{}", stderr(&output));
}

#[test]
fn a_wrong_option_is_refused() {
    for arguments in [&["run", "--heap", "many", "Main"][..], &["run", "--nonsense"], &["jump"], &[]] {
        assert_eq!(lazuli(arguments).status.code(), WRONG_REQUEST, "{arguments:?}");
    }
}

#[test]
fn a_missing_jdk_is_explained() {
    let output = Command::new(env!("CARGO_BIN_EXE_lazuli"))
        .args(["run", "Main"])
        .env("JAVA_HOME", "/no/such/jdk")
        .output()
        .expect("lazuli starts");
    assert_eq!(output.status.code(), WRONG_REQUEST);
    // On a line of its own, and not behind an escape.
    assert!(stderr(&output).contains("\n  Set JAVA_HOME"), "{}", stderr(&output));
}

#[test]
fn broken_class_files_are_refused() {
    let directory = compiled(HELLO);
    let file = directory.path().join("Main.class");
    let intact = std::fs::read(&file).unwrap();
    for broken in [&intact[..intact.len() / 2], b"", b"\xCA\xFE\xBA\xBE", &[0xFF; 64]] {
        std::fs::write(&file, broken).unwrap();
        let output = run_in(directory.path(), &[]);
        assert_eq!(output.status.code(), WRONG_REQUEST, "{}", stderr(&output));
        assert!(stderr(&output).contains("cannot be loaded: Main: broken class file"), "{}", stderr(&output));
    }
}

#[test]
fn the_time_limit_ends_an_endless_loop() {
    let directory =
        compiled("public class Main { public static void main(String[] a) { System.out.println(1); while (true); } }");
    let output = run_in(directory.path(), &["--time", "500ms"]);
    assert_eq!(output.status.code(), INCOMPLETE);
    assert_eq!(stdout(&output), "1\n", "what was printed before is not lost");
    assert!(stderr(&output).contains("time limit"), "{}", stderr(&output));
}

#[test]
fn garbage_and_softly_held_objects_do_not_exhaust_the_heap() {
    let source = "import java.lang.ref.*; import java.util.*; public class Main { public static void main(String[] a) {
        long sum = 0;
        for (int i = 0; i < 20; i++) sum += new byte[15_000_000].length + new int[1000][2000].length;
        for (int i = 0; i < 20; i++) sum += ((int[]) java.lang.reflect.Array.newInstance(int.class, 4_000_000)).length;
        List<SoftReference<byte[]>> soft = new ArrayList<>();
        for (int i = 0; i < 100; i++) soft.add(new SoftReference<>(new byte[1_000_000]));
        Map<Object, byte[]> weak = new WeakHashMap<>();
        for (int i = 0; i < 100; i++) weak.put(new Object(), new byte[1_000_000]);
        System.out.println(sum + \" \" + (soft.get(0).get() == null)); } }";
    let output = run_in(compiled(source).path(), &["--heap", "40m"]);
    assert_eq!(stdout(&output), "380020000 true\n", "{}", stderr(&output));
}

#[test]
fn the_heap_limit_is_an_out_of_memory_error() {
    let source = "import java.util.*; public class Main { public static void main(String[] a) {
        try { List<int[]> l = new ArrayList<>(); while (true) l.add(new int[100000]); }
        catch (OutOfMemoryError e) { System.out.println(e.getMessage()); } } }";
    let output = run_in(compiled(source).path(), &["--heap", "40m"]);
    assert_eq!(stdout(&output), "Java heap space\n", "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn garbage_is_collected() {
    let source = "public class Main { public static void main(String[] a) { long s = 0;
        for (int i = 0; i < 2000; i++) { int[] x = new int[100000]; x[i] = i; s += x[i]; }
        String t = \"\"; for (int i = 0; i < 3000; i++) t += i; System.out.println(s + \" \" + t.length()); } }";
    let output = run_in(compiled(source).path(), &["--heap", "10m"]);
    assert_eq!(stdout(&output), "1999000 10890\n", "{}", stderr(&output));
}

#[test]
fn the_memory_limit_ends_the_run() {
    let source = "import java.util.*; public class Main { public static void main(String[] a) {
        List<Object> l = new ArrayList<>(); while (true) l.add(new Object()); } }";
    let output = run_in(compiled(source).path(), &["--heap", "8g", "--memory", "200m"]);
    assert_eq!(output.status.code(), INCOMPLETE);
    assert!(stderr(&output).contains("memory limit"), "{}", stderr(&output));
}

#[test]
fn the_depth_limit_is_a_stack_overflow_error() {
    let source = "public class Main { static int d; static void f() { d++; f(); } public static void main(String[] a) {
        try { f(); } catch (StackOverflowError e) { System.out.println(d); } } }";
    let output = run_in(compiled(source).path(), &["--depth", "100"]);
    assert_eq!(stdout(&output), "99\n", "{}", stderr(&output));
}

#[test]
fn what_is_not_supported_is_named_with_its_caller() {
    let source = "public class Main { static native int f(); public static void main(String[] a) { f(); } }";
    let output = run_in(compiled(source).path(), &[]);
    assert_eq!(output.status.code(), INCOMPLETE);
    let expected = "unsupported: Main.f()I, called from Main.main(Main.java:1)";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
}

#[test]
fn cyclic_hierarchies_end_as_on_the_jvm() {
    let main = "public class Main { public static void main(String[] a) { new A(); } }";
    let one = compiled(&format!("{main} class A extends B {{}} class B {{}}"));
    let other = compiled("public class Main {} class A {} class B extends A {}");
    std::fs::copy(other.path().join("B.class"), one.path().join("B.class")).unwrap();
    let output = run_in(one.path(), &[]);
    let expected = "Exception in thread \"main\" java.lang.ClassCircularityError: A\n";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_missing_class_is_an_error_of_the_program_when_it_is_reached() {
    let source = "public class Main { public static void main(String[] a) { System.out.println(1);
        try { new Gone(); } catch (NoClassDefFoundError e) { System.out.println(e.getMessage() + \" \" + e.getCause()); } } }
        class Gone {}";
    let directory = compiled(source);
    std::fs::remove_file(directory.path().join("Gone.class")).unwrap();
    let output = run_in(directory.path(), &[]);
    assert_eq!(stdout(&output), "1\nGone java.lang.ClassNotFoundException: Gone\n", "{}", stderr(&output));
}

#[test]
fn jars_bring_the_jars_of_their_class_path() {
    let directory = tempfile::tempdir().unwrap();
    jar(&directory.path().join("lib.jar"), &[("lib/Library.class", &library_class())]);
    let main = compiled_against(
        "public class Main { public static void main(String[] a) { System.out.println(lib.Library.text()); } }",
    );
    let class = std::fs::read(main.path().join("Main.class")).unwrap();
    // A line of a manifest continues on the next one, which then starts with a space.
    let manifest = b"Manifest-Version: 1.0\r\nClass-Path: missing.jar li\r\n b.jar\r\n";
    jar(&directory.path().join("app.jar"), &[("META-INF/MANIFEST.MF", manifest), ("Main.class", &class)]);
    let path = directory.path().join("app.jar").display().to_string();
    let output = lazuli(&["run", "-cp", &path, "Main"]);
    assert_eq!(stdout(&output), "from the second jar\n", "{}", stderr(&output));
}

fn jar(path: &Path, entries: &[(&str, &[u8])]) {
    let mut writer = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    for (name, bytes) in entries {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap();
}

const LIBRARY: &str =
    "package lib; public class Library { public static String text() { return \"from the second jar\"; } }";

fn library_class() -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("Library.java");
    std::fs::write(&file, LIBRARY).unwrap();
    let output = Command::new("javac").arg("-d").arg(directory.path()).arg(&file).output().unwrap();
    assert!(output.status.success());
    std::fs::read(directory.path().join("lib/Library.class")).unwrap()
}

/// Compiles `Main` against the library, which is then left out of the directory.
fn compiled_against(source: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("lib")).unwrap();
    std::fs::write(directory.path().join("lib/Library.java"), LIBRARY).unwrap();
    let file = directory.path().join("Main.java");
    std::fs::write(&file, source).unwrap();
    let output = Command::new("javac")
        .arg("-d")
        .arg(directory.path())
        .arg("-sourcepath")
        .arg(directory.path())
        .arg(&file)
        .output();
    assert!(output.unwrap().status.success());
    std::fs::remove_dir_all(directory.path().join("lib")).unwrap();
    directory
}

#[test]
fn a_check_of_what_is_not_there_names_what_is() {
    let directory = compiled(
        "public class Main { static class Node { Node next; public Node swap(int by) { return next; } }
         public static native void away(); }",
    );
    let path = directory.path().display().to_string();
    for (target, expected) in [
        ("Mian.swap", "there is no class Mian"),
        ("main", "did you mean Main?"),
        ("Main.Node.swop", "class Main$Node has no method swop; did you mean Main$Node.swap?"),
        ("Main.Node.fly", "class Main$Node has no method fly; there are:\n  swap(int)"),
        ("Main$Node.swap(J)V", "there is:\n  Main$Node.swap(I)LMain$Node;"),
        ("Main.away", "Main.away() is native"),
    ] {
        let output = lazuli(&["check", "-cp", &path, target]);
        assert_eq!(output.status.code(), WRONG_REQUEST, "{target}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{target}: {}", stderr(&output));
    }
}

#[test]
fn a_wrong_option_of_a_check_is_refused_before_anything_is_explored() {
    let directory = compiled("public class Main { public void f() {} }");
    let path = directory.path().display().to_string();
    for (options, expected) in [
        (["--technique", "magic"], "there are: "),
        (["--scope", "Node"], "Node=5,List=2"),
        (["--seed", "3"], "--order random"),
        (["-o", "/no/such/place/report"], "cannot be written to /no/such/place/report"),
    ] {
        let output = lazuli(&[&["check", "-cp", &path, "Main.f"], &options[..]].concat());
        assert_eq!(output.status.code(), WRONG_REQUEST, "{options:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{options:?}: {}", stderr(&output));
    }
}

const COUNTER: &str = "public class Main { static class Cell { int low; long high; boolean flag; byte small; char letter; Cell next; int[] items; }
    Cell cell; double rate;
    boolean repOK() { return cell == null || (cell.next == null && cell.low <= cell.high && cell.high < 3); }
    boolean withFlag() { return cell != null && cell.next == null && (cell.flag || cell.low > 0); }
    boolean withAll() { return cell != null && cell.next == null && cell.small != cell.letter && rate > 0.5; }
    boolean withItems() { return cell != null && cell.items != null && cell.items.length == 2 && cell.items[0] < cell.items[1]; } }";

fn shapes(directory: &TempDir, options: &[&str]) -> Output {
    let path = directory.path().display().to_string();
    lazuli(&[&["shapes", "-cp", &path, "Main"], options].concat())
}

#[test]
fn shapes_have_values_in_given_ranges() {
    let directory = compiled(COUNTER);
    for (options, expected) in [
        // low <= high < 3, both from 0 to 5: six pairs, and the empty one.
        (
            vec!["--range", "0..5"],
            "Main: 7 valid objects at scope 3\n  Assuming that inputs are only those of classes on the class path.\n    \
             0 objects beside the root: 1\n    1 objects beside the root: 6\n",
        ),
        (vec!["--range", "low=0..5", "--range", "Cell.high=2..2"], "Main: 4 valid objects at scope 3\n"),
        (vec!["--range", "-1..0", "--range", "high=-1..0"], "Main: 4 valid objects at scope 3\n"),
        // A flag has both values without a range; if it is set, low is not read.
        (vec!["--invariant", "withFlag", "--range", "low=0..2"], "Main: 3 valid objects at scope 3\n"),
        (
            vec!["--invariant", "withAll", "--range", "0..2", "--range", "rate=0..2"],
            "Main: 12 valid objects at scope 3\n",
        ),
        (vec!["--invariant", "withItems", "--range", "items=1..4"], "Main: 6 valid objects at scope 3\n"),
    ] {
        let output = shapes(&directory, &[&["--values"], &options[..]].concat());
        assert!(stdout(&output).starts_with(expected), "{options:?}: {}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(0));
        let last = stdout(&output).lines().last().unwrap_or_default().to_string();
        assert!(last.contains(" candidates") && last.ends_with(" objects per second"), "{last}");
    }
    let output = shapes(&directory, &["--values", "--range", "0..5", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["total"], &report["by_objects"]), (&7.into(), &serde_json::json!({"0": 1, "1": 6})));
    assert!(report["candidates"].as_u64() > Some(7) && report["time_ms"].is_u64());
    let output = shapes(&directory, &["--values", "--range", "low=1..1", "--range", "high=2..2", "--print"]);
    let drawing = stdout(&output);
    for part in ["\n2.\n", "│ this: Main ├─cell─▶ Cell ", "│ rate (?)   │", "│ low   1 ", "│ high  2L "]
    {
        assert!(drawing.contains(part), "{part}\n{drawing}");
    }
}

#[test]
fn a_field_without_a_range_is_named() {
    let directory = compiled(COUNTER);
    for (options, expected) in [
        (vec!["--values"], "the values of Cell.low have no range: add one such as `--range low=0..5`"),
        (vec!["--values", "--range", "low=0..1"], "the values of Cell.high have no range"),
        (vec!["--range", "low=0..1"], "--values"),
        (vec!["--values", "--range", "low=1..0"], "there is no number from 1 to 0"),
        (vec!["--values", "--range", "low=0..1", "--range", "low=0..1"], "low has two ranges"),
    ] {
        let output = shapes(&directory, &options);
        assert_eq!(output.status.code(), WRONG_REQUEST, "{options:?}: {}", stdout(&output));
        assert!(stderr(&output).contains(expected), "{options:?}: {}", stderr(&output));
    }
    let output = shapes(&directory, &["--values", "--range", "0..1", "--range", "lw=0..1"]);
    assert!(stdout(&output).contains("Warning: the range of lw was not used"), "{}", stdout(&output));
}

#[test]
fn the_scope_of_shapes_is_what_help_says() {
    let directory =
        compiled("public class Main { Main next; boolean repOK() { return next == null || next != this; } }");
    let help = stdout(&lazuli(&["shapes", "--help"]));
    assert!(help.contains("[default: 3]"), "{help}");
    assert!(!help.contains("until the time ends"), "{help}");
    assert!(stdout(&shapes(&directory, &[])).contains("at scope 3"));
    assert!(stdout(&lazuli(&["check", "--help"])).contains("until the time ends"));
}

/// No constructor leaves the outer object of an inner one out, so that a method may rely on it.
#[test]
fn an_inner_object_has_an_outer_one() {
    let directory = compiled(
        "public class Main { int base; class Inner { int sum(int more) { return base + more; } }
         static int use(Inner inner) { return inner == null ? 0 : inner.sum(1); } }",
    );
    let path = directory.path().display().to_string();
    for technique in ["lazy", "lazier", "lazier-sharp"] {
        let output = lazuli(&["check", "-cp", &path, "--closed", "--technique", technique, "Main.use"]);
        assert_eq!(output.status.code(), Some(0), "{technique}: {}", stdout(&output));
    }
}

#[test]
fn bounds_are_the_pairs_of_valid_objects() {
    let directory = compiled(
        "public class Main { static class Node { Node next; Node any; } Node first; int size; int[] spare;
            boolean repOK() { int count = 0; for (Node at = first; at != null; at = at.next) if (++count > 3) return false; return count == size; } }",
    );
    let path = directory.path().display().to_string();
    let bounds = |options: &[&str]| lazuli(&[&["bounds", "-cp", &path, "--cache", "none", "Main"], options].concat());
    let output = bounds(&["--scope", "2", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let fields = serde_json::json!({
        "Main.first": {"pairs": [["M0", "null"], ["M0", "N0"]], "of": 3},
        "Node.next": {"pairs": [["N0", "null"], ["N0", "N1"], ["N1", "null"]], "of": 6},
    });
    assert_eq!((&report["class"], &report["scope"], &report["fields"]), (&"Main".into(), &2.into(), &fields));
    assert_eq!((&report["unfinished"], output.status.code()), (&serde_json::Value::Null, Some(0)));
    for (options, expected) in [
        (
            vec!["--backbone", "last"],
            "no field last refers to an object of a class on the class path; there is: Main.first",
        ),
        (vec!["--backbone", "first,any"], "Node.any is not read in every valid object"),
        (vec!["--invariant", "isRight"], "has no method `boolean isRight()`"),
        (vec!["--scope", "x"], "Node=5"),
    ] {
        let output = bounds(&options);
        assert_eq!(output.status.code(), WRONG_REQUEST, "{options:?}: {}", stdout(&output));
        assert!(stderr(&output).contains(expected), "{options:?}: {}", stderr(&output));
    }
    let output = bounds(&["--scope", "3", "--time", "1ms"]);
    assert_eq!(output.status.code(), Some(3), "{}{}", stdout(&output), stderr(&output));
}

/// The check after the method is made within the scope, and the verdict says so, however valid inputs are found.
#[test]
fn a_bound_that_only_the_check_afterwards_meets_is_told() {
    let directory = compiled(
        "public class Main { static class Node { Node next; } Node first; int marks;
            public void mark() { marks++; }
            boolean repOK() { int count = 0; for (Node at = first; at != null; at = at.next) if (++count > 5) return false; return true; } }",
    );
    let path = directory.path().display().to_string();
    for structure in ["search", "list", "circuit-list", "circuit"] {
        let output = lazuli(&["check", "-cp", &path, "--scope", "2", "--structure", structure, "Main.mark"]);
        assert!(stdout(&output).contains("with at most 2 Node objects"), "{structure}: {}", stdout(&output));
    }
}

/// Calls may make what is not valid. That a method leaves it as it is does not make it valid.
#[test]
fn what_calls_made_is_checked_even_if_nothing_changes_it() {
    let directory = compiled(
        "public class Main { int size; public void spoil() { size = -1; } public int look() { return size; }
            boolean repOK() { return size >= 0; } }",
    );
    let path = directory.path().display().to_string();
    let options = ["check", "-cp", &path, "--technique", "driver", "--build", "spoil", "--scope", "1", "Main.look"];
    let output = lazuli(&options);
    assert_eq!(output.status.code(), INCOMPLETE, "{}", stdout(&output));
    assert!(stdout(&output).contains("check that first"), "{}", stdout(&output));
}

fn check_in(directory: &TempDir, options: &[&str]) -> Output {
    let path = directory.path().display().to_string();
    lazuli(&[&["check", "-cp", &path, "--cache", "none"], options].concat())
}

#[test]
fn a_stream_is_one_of_the_library() {
    let directory = compiled(
        "import java.util.stream.Stream;\n\
         class Pipes { static long kept(Stream<String> all) { return all == null ? 0 : all.filter(x -> x != null).count(); }\n\
         static long own() { return Stream.of(1, 2, 3).filter(x -> x > 1).count(); } }",
    );
    let output = check_in(&directory, &["Pipes.kept", "--scope", "1"]);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("with array streams for Stream"), "{said}");
    let own = check_in(&directory, &["Pipes.own", "--scope", "1"]);
    assert_eq!(own.status.code(), Some(0), "{}{}", stdout(&own), stderr(&own));
}

#[test]
fn a_name_that_no_class_has_is_told() {
    let directory = compiled(
        "class Chain { Link first; static class Link { Link next; } static class Odd extends RuntimeException { }\n\
         int length() { int n = 0; for (Link at = first; at != null && n < 9; at = at.next) n++; if (n == 3) throw new Odd(); return n; } }",
    );
    let check = |option: &str, name: &str| check_in(&directory, &["Chain.length", "--fresh", option, name]);
    for (option, name) in [("--scope", "2,Lnk=1"), ("--allow", "Od"), ("--allow", "acme.Odd")] {
        let said = stderr(&check(option, name));
        let name = name.trim_start_matches("2,").trim_end_matches("=1");
        assert!(said.contains(&format!("{option} {name}: no class")), "{said}");
    }
    assert!(stdout(&check("--allow", "Integer")).contains("Odd"));
    for name in ["Odd", "Chain.Odd", "Chain$Odd", "RuntimeException"] {
        let output = check("--allow", name);
        assert!(!stderr(&output).contains("no class"), "{}", stderr(&output));
        assert!(!stdout(&output).contains("Odd"), "--allow {name}: {}", stdout(&output));
    }
    for name in ["Link", "Chain.Link", "Chain$Link"] {
        let said = stdout(&check("--scope", &format!("5,{name}=1")));
        assert!(said.contains("1 Link"), "{said}");
    }
}

#[test]
fn a_pattern_that_names_no_method_is_told() {
    let directory = compiled("class Sum { static int twice(int n) { return n + n; } }");
    let check =
        |option: &str, pattern: &str| stderr(&check_in(&directory, &["Sum.twice", "--scope", "1", option, pattern]));
    for pattern in ["Summ.twice", "Sum.thrice", "Sum*"] {
        for option in ["--by-contract", "--assume-pure"] {
            let said = check(option, pattern);
            assert!(said.contains(&format!("{option} {pattern} names no method")), "{said}");
        }
    }
    for pattern in ["Sum.twice", "Sum.*", "Random.nextInt", "java.util.Random.*", "*"] {
        let said = check("--assume-pure", pattern);
        assert!(!said.contains("names no method"), "{pattern}: {said}");
    }
}
