//! Does `lazuli bench` measure what it says, show what was cut off, and refuse what it does not have?

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use serde_json::Value;

const WRONG_REQUEST: Option<i32> = Some(2);
const INCOMPLETE: Option<i32> = Some(3);

fn subjects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects")
}

fn bench(words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.arg("bench").args(words.split_whitespace()).arg("--subjects").arg(subjects());
    command.output().expect("lazuli starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn table(words: &str) -> Value {
    let output = bench(&format!("{words} --format json"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("it is one object")
}

fn cell<'a>(table: &'a Value, target: &str, scope: u64, column: &str) -> &'a Value {
    let cells = table["cells"].as_array().expect("there are cells");
    let found =
        cells.iter().find(|cell| cell["target"] == target && cell["scope"] == scope && cell["column"] == column);
    found.unwrap_or_else(|| panic!("no cell {target} at {scope} under {column}: {table}"))
}

#[test]
fn without_a_table_all_are_listed() {
    let output = bench("");
    assert_eq!(output.status.code(), Some(0));
    for name in ["pli", "shapes", "bliss", "taco", "gse", "kiasan", "Takes up to"] {
        assert!(stdout(&output).contains(name), "{}", stdout(&output));
    }
}

#[test]
fn paths_are_the_published_ones() {
    let table = table("pli --subject TreeMap.put,LinkedList.remove --scope 1..3");
    assert_eq!((&table["is_complete"], &table["unreached"]), (&Value::Bool(true), &Value::from(0)));
    let mut compared = 0;
    for cell in table["cells"].as_array().expect("there are cells") {
        assert_eq!(cell["outcome"], "measured", "{cell}");
        assert!(cell["cpu_s"].as_f64().unwrap() > 0.0 && cell["peak_memory_mb"].as_u64().unwrap() > 0, "{cell}");
        let published = &cell["published"]["paths"];
        if !published.is_null() {
            assert_eq!(&cell["finished_paths"], published, "{cell}");
            compared += 1;
        }
    }
    // Of put: three scopes under the precise technique and one under the eager one. Of remove: 3 of eager, 2 of hybrid and of lissa.
    assert!(compared >= 11, "{compared}");
    let paths = |technique| &cell(&table, "pli.LinkedList.remove", 2, technique)["paths"];
    assert_eq!(paths("precise"), paths("eager"));
    let calls = |technique| cell(&table, "pli.TreeMap.put", 3, technique)["structure_calls"].as_u64().unwrap();
    assert!(calls("no-reuse") > calls("precise"));
    assert_eq!(cell(&table, "pli.TreeMap.put", 3, "no-reuse")["reused_witnesses"], 0);
}

#[test]
fn a_cell_that_takes_too_long_is_shown_and_ends_its_series() {
    let table = table("pli --subject TreeMap.put --technique precise --scope 1..3 --cell 1ms");
    let cells = table["cells"].as_array().expect("there are cells");
    assert_eq!(cells.len(), 1, "{table}");
    assert_eq!((&cells[0]["scope"], &cells[0]["outcome"]), (&Value::from(1), &Value::from("out of time")));
    let output = bench("pli --subject TreeMap.put --technique precise --scope 1..3 --cell 1ms --format markdown");
    assert!(stdout(&output).contains("| pli.TreeMap.put | 1 | > 0.001 s |"), "{}", stdout(&output));
}

#[test]
fn a_run_that_ends_early_says_so() {
    let output = bench("pli --subject TreeMap.put --technique precise --scope 1..3 --time 1ms");
    assert_eq!(output.status.code(), INCOMPLETE);
    assert!(stdout(&output).contains("3 cells were planned and not measured"), "{}", stdout(&output));
}

#[test]
fn structures_are_as_many_as_korat_counts() {
    let table = table("shapes --scope 3..5 --jobs 2");
    let structures = |family: &str, scope| cell(&table, family, scope, "shapes")["structures"].as_u64().unwrap();
    let counts = |family: &str| [3, 4, 5].map(|scope| structures(family, scope));
    assert_eq!(counts("binary trees"), [5, 14, 42]);
    assert_eq!(counts("search trees"), [5, 14, 42]);
    assert_eq!(counts("sorted lists"), [10, 35, 126]);
    assert_eq!(counts("binomial heaps"), [28, 120, 936]);
}

/// By what JML says and by `repOK()`, and the JDK's own classes by the former alone.
#[test]
fn contracts_of_taco() {
    let words = "taco --subject SLList.contains,BinHeap.decreaseKey,java.util.LinkedList.add --scope 2..3";
    let table = table(words);
    let cells = table["cells"].as_array().expect("there are cells");
    assert_eq!(cells.len(), 32, "{table}");
    assert!(cells.iter().all(|cell| cell["outcome"] == "measured" && cell["verdict"] == "holds"), "{table}");
    let is_jml = |cell: &Value| !cell["column"].as_str().is_some_and(|column| column.ends_with("repok"));
    assert!(cells.iter().all(|cell| cell["target"] != "java.util.LinkedList.add" || is_jml(cell)));
    let output = bench("taco --subject TreeSet.insert --scope 10 --cell 1ms --format markdown");
    assert!(
        stdout(&output).contains(
            "| taco.TreeSet.insert | 10 | > 0.001 s | > 0.001 s | > 0.001 s | > 0.001 s | > 0.001 s | > 0.001 s | TO | 08:37 | > 69.6× |"
        ),
        "{}",
        stdout(&output)
    );
}

/// Both halves of Table 1, up to k = 3.
#[test]
fn states_of_kiasan_are_the_published_ones() {
    let table = table("kiasan --scope 1..3 --jobs 2");
    let cells = table["cells"].as_array().expect("there are cells");
    assert_eq!(cells.len(), 30, "{table}");
    for cell in cells {
        let published = &cell["published"];
        assert_eq!((&cell["outcome"], &cell["verdict"]), (&Value::from("measured"), &Value::from("holds")), "{cell}");
        assert!(published["pre"].is_u64(), "{cell}");
        assert_eq!(cell["pre"], published["pre"], "{cell}");
        assert_eq!((&cell["b_post"], &cell["a_post"]), (&published["post"], &published["post"]), "{cell}");
    }
}

/// Figure 1, section 2 and section 7.1: seven executions, four of them without a cycle, and three elements in decreasing order.
#[test]
fn examples_of_generalized_symbolic_execution_are_the_published_ones() {
    let table = table("gse --jobs 2");
    let paths = |target: &str, scope: u64| cell(&table, target, scope, "gse")["paths"].clone();
    for (target, scope) in [("gse.Node.swapNode", 3), ("gse.Node.swapNode (acyclic)", 4)] {
        assert_eq!(paths(target, scope), cell(&table, target, scope, "gse")["published"]["executions"], "{table}");
    }
    let sort = |scope| cell(&table, "gse.SortedByThreads.distributedSort", scope, "gse");
    assert_eq!(sort(2)["verdict"], "holds", "{table}");
    let found = sort(3)["found"].as_str().unwrap_or_default();
    assert!(found.starts_with("counterexample ") && found.matches(" > ").count() == 2, "{found}");
    assert_eq!(cell(&table, "gse.AltitudeSwitch.process", 2, "gse")["verdict"], "holds", "{table}");
}

/// In the currencies of the paper, with plots that a document shows.
#[test]
fn counts_and_plots_of_bliss() {
    let calls = "bliss --subject TreeSet.dfs,BinomialHeap.extractMin --scope 3..4";
    let table = table(calls);
    let mut compared = 0;
    for cell in table["cells"].as_array().expect("there are cells") {
        assert_eq!(cell["outcome"], "measured", "{cell}");
        let published = &cell["published"]["structures"];
        if cell["target"] == "bliss.TreeSet.dfs" && !published.is_null() {
            assert_eq!((&cell["paths"], &cell["shapes"]), (published, published), "{cell}");
            compared += 1;
        }
    }
    assert!(compared >= 8, "{compared}");
    let extract = cell(&table, "bliss.BinomialHeap.extractMin", 4, "sat");
    assert_eq!(extract["published"]["outcome"], "measured");
    assert!(extract["partial_shapes"].as_u64() > extract["shapes"].as_u64(), "{extract}");

    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let (document, plots) = (directory.path().join("bliss.md"), directory.path().join("plots"));
    let places = format!("--plots {} -o {}", plots.display(), document.display());
    let output = bench(&format!("{calls} --technique hybrid --format markdown {places}"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = std::fs::read_to_string(document).expect("there is a document");
    for class in ["TreeSet", "BinomialHeap"] {
        assert!(text.contains(&format!("![{class}: CPU seconds by scope](plots/{class}.svg)")), "{text}");
        let plot = std::fs::read_to_string(plots.join(format!("{class}.svg"))).expect("there is a plot");
        assert!(plot.starts_with("<svg ") && plot.contains("hybrid (LI), scope 4"), "{plot}");
    }
}

#[test]
fn what_is_not_there_is_refused_with_what_is() {
    for (words, expected) in [
        ("magic", "there are: pli, shapes, bliss"),
        ("pli magic", "there are: pli, shapes, bliss"),
        ("pli --subject Magic", "there are: pli.LinkedList"),
        ("pli --technique magic", "precise, no-reuse"),
        ("shapes --technique precise", "leave --technique out"),
        ("bliss --technique lazier", "precise"),
        ("bliss --scope 3 --full", "cannot be used with"),
        ("pli --scope 3..1", "1..6"),
        ("pli --cell soon", "500ms"),
    ] {
        let output = bench(words);
        assert_eq!(output.status.code(), WRONG_REQUEST, "{words}");
        assert!(stderr(&output).contains(expected), "{words}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{words}");
    }
}

#[test]
fn missing_sources_and_a_missing_compiler_are_explained() {
    let lazuli = || Command::new(env!("CARGO_BIN_EXE_lazuli"));
    let output = lazuli().args(["bench", "pli", "--subjects", "/no/such/place"]).output().expect("lazuli starts");
    assert_eq!(output.status.code(), WRONG_REQUEST);
    assert!(stderr(&output).contains("--subjects DIR"), "{}", stderr(&output));

    // A JDK without its compiler: what the JDK that is used consists of, but for that.
    let java =
        Command::new("java").args(["-XshowSettings:properties", "-version"]).output().expect("java is installed");
    let settings = stderr(&java);
    let home = settings.lines().find_map(|line| line.trim().strip_prefix("java.home = ")).expect("java names its home");
    let runtime = tempfile::tempdir().expect("a scratch directory can be made");
    for part in ["lib", "release"] {
        std::os::unix::fs::symlink(Path::new(home).join(part), runtime.path().join(part)).expect("links can be made");
    }
    let mut command = lazuli();
    command.args(["bench", "pli", "--subjects"]).arg(subjects());
    let output = command.env("JAVA_HOME", runtime.path()).env("PATH", "").output().expect("lazuli starts");
    assert_eq!(output.status.code(), WRONG_REQUEST);
    assert!(stderr(&output).contains("there is no javac"), "{}", stderr(&output));
}

#[test]
fn an_interrupted_run_prints_what_it_has() {
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let report = directory.path().join("report");
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args([
        "bench",
        "pli",
        "--subject",
        "TreeMap.put",
        "--technique",
        "eager",
        "--cell",
        "10m",
        "--time",
        "10m",
    ]);
    let mut child = command.arg("--subjects").arg(subjects()).arg("-o").arg(&report).spawn().expect("lazuli starts");
    // The report is opened when the subjects are compiled. The time after that is enough for some scopes, and not for all.
    while !report.exists() {
        assert!(child.try_wait().expect("it can be waited for").is_none(), "it ended before it had begun");
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_secs(4));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is installed");
    assert!(kill.success());
    assert_eq!(child.wait().expect("it ends").code(), INCOMPLETE);
    let text = std::fs::read_to_string(report).expect("there is a report");
    assert!(text.contains("The run ended early") && text.contains("pli.TreeMap.put      1"), "{text}");
}
