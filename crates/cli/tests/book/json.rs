//! Does the reference describe the JSON of real reports, field by field?
//!
//! Reports about a class that has a bit of everything are walked through. Each object of them belongs to a section of the page, which must
//! have exactly the fields that occurred.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::console::{Classes, Scratch};
use crate::pages;
use crate::reference::first_column;

const SAMPLE: &str = r#"
public class Sample {
    static class Link { int value; Link next; Object label; }
    static class Marked extends Link { String mark; }
    static class Gone {}
    interface Other {}
    static int mode = 3;
    Link first;
    int[] numbers;
    //@ initially first == null;

    //@ ensures \result >= 0;
    public int number(int index) { return numbers[index]; }
    public String text(String word) { if (word.equals("ab")) { throw new AssertionError("ab"); } return word; }
    public Link link(Link other) { first = other; first.next = new Link(); return first.next; }
    public void keep(Link other) { first = other; }
    public int label() { return first.label instanceof Other ? mode : 1; }
    public void end(int code) { System.exit(3); }
    public void forever(int n) { while (n != 0) { } }
    public void stuck() throws Exception {
        Thread other = new Thread(() -> { synchronized (this) { try { wait(); } catch (InterruptedException e) { } } });
        other.start();
        other.join();
    }
    public int file() throws Exception { return new java.io.FileReader("x").read(); }
    public int count() { int n = 0; for (Link l = first; l != null; l = l.next) { n++; } return n; }
    public boolean mine() { return first instanceof Marked && ((Marked) first).mark == null; }
    public void gone(Gone gone) { }
    public long time() { return 1 / (System.nanoTime() - 5); }
}

class Raced {
    private volatile int sum;
    public int add(int more) { return sum += more; }
}

class Till {
    private int count;
    public void put(int times) { count += times; if (times != 1) { throw new IllegalArgumentException(); } }
    public int share() { return 10 / (count - 7); }
}
"#;

/// Another thread may not lock the object whose method is called.
const PROPERTY: &str =
    "property alone for each object { state s { call Sample.stuck -> t } state t { lock Sample -> error } }";

const RUNS: &[&str] = &[
    "check -cp classes --source src Sample.number --scope 2",
    "check -cp classes Sample.text --scope 2 --paths --allow AssertionError",
    "check -cp classes Sample.link Sample.keep --scope 2 --paths --no-confirm",
    "check -cp classes Sample.label Sample.mine --scope 2 --paths",
    "check -cp classes Sample.end Sample.forever Sample.stuck Sample.file Sample.time --scope 1 --paths",
    "check -cp classes Sample.count --scope 3 --max-paths 2",
    "check -cp classes Sample.count --time 3s",
    "check -cp classes pli.TreeMap.put --scope 1 --int-bits 4 --count-shapes",
    // The same again: its verdict is reused.
    "check -cp classes pli.TreeMap.put --scope 1 --int-bits 4 --count-shapes",
    "check -cp classes pli.TreeMap.put --k 1 --technique kiasan",
    "check -cp classes taco.BSTree.add --scope 1 --engine sat",
    "check -cp classes taco.BSTree.add --scope 2 --engine sat --split-after 0s --piece-limit 1 --jobs 2",
    "check -cp classes pli.LinkedList.add --scope 2 --technique driver --build add --paths",
    "check -cp classes Raced --concurrent add --scope 1 --paths --no-confirm",
    "check -cp classes Till.share --no-confirm",
    "check -cp classes Sample.stuck --scope 1 --no-confirm --property alone.property",
    "check -cp classes Sample.absent",
    "check -cp classes Sample.number Sample.gone --scope 1 --no-confirm",
];

/// The section of the page that describes what stands under a key.
fn section(key: &str, inside: &str) -> Option<&'static str> {
    Some(match key {
        "violations" => "violations",
        "findings" => "findings",
        "outcomes" => "outcomes",
        "not_explored" => "not_explored",
        "unused_clauses" => "unused_clauses",
        "unfinished" if inside == "report" => "unfinished",
        "problem" => "problem",
        "pieces" if inside == "report" => "pieces",
        "ends" => "ends",
        "states" => "states",
        "solver" => "solver",
        "shapes" => "shapes",
        "ending" => "ending",
        "schedule" => "schedule",
        "concurrent" => "concurrent",
        "steps" => "steps",
        "events" => "events",
        "threads" if inside == "ending" => "threads",
        "input" | "output" | "example" | "heap" => "Pictures",
        "after" => "after",
        "objects" => "objects",
        "elements" => "elements",
        "calls" => "calls",
        "result" | "value" | "others" | "index" | "length" | "arguments" => "Values",
        _ => return None,
    })
}

type Fields = BTreeMap<String, BTreeSet<String>>;

fn walk(value: &Value, inside: &str, found: &mut Fields) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| walk(item, inside, found)),
        Value::Object(fields) => {
            for (key, value) in fields {
                found.entry(inside.to_string()).or_default().insert(key.clone());
                match (key.as_str(), value) {
                    // Their keys are names of the program.
                    ("roots", Value::Object(named)) => named.values().for_each(|value| walk(value, "Values", found)),
                    ("fields", Value::Object(named)) if inside == "objects" => {
                        named.values().for_each(|value| walk(value, "Values", found));
                    }
                    ("scope", _) => {}
                    _ => match section(key, inside) {
                        Some(section) => walk(value, section, found),
                        None if value.is_object() => panic!("no section of the page describes `{key}` in {inside}"),
                        None => {}
                    },
                }
            }
        }
        _ => {}
    }
}

pub fn fields(classes: &Classes) -> Result<(), String> {
    let scratch = Scratch::new(classes);
    scratch.write("src/Sample.java", SAMPLE);
    scratch.write("alone.property", PROPERTY);
    let mut code = 0;
    let compiled = scratch.run("javac -g -d classes src/Sample.java && rm 'classes/Sample$Gone.class'", &mut code);
    assert!(code == 0, "{compiled:?}");
    let mut found = Fields::new();
    for run in RUNS {
        let printed = scratch.run(&format!("lazuli {run} --format json 2>/dev/null"), &mut code).join("\n");
        let reports = serde_json::Deserializer::from_str(&printed).into_iter::<Value>();
        let reports: Vec<Value> =
            reports.collect::<Result<_, _>>().map_err(|error| format!("{run}: {error}\n{printed}"))?;
        if reports.is_empty() {
            return Err(format!("lazuli {run} prints no JSON"));
        }
        for report in &reports {
            walk(report, if report.get("error").is_some() { "errors" } else { "report" }, &mut found);
        }
    }
    for (words, section) in [
        ("shapes -cp classes pli.TreeMap --scope 2", "lazuli shapes"),
        ("bounds -cp classes pli.TreeMap --scope 2 --int-bits 5 --count-pieces 2", "lazuli bounds"),
    ] {
        let printed = scratch.run(&format!("lazuli {words} --format json 2>/dev/null"), &mut code).join("\n");
        let Ok(Value::Object(fields)) = serde_json::from_str(&printed) else { return Err(printed) };
        found.insert(section.to_string(), fields.keys().cloned().collect());
    }
    // A violation, or something else that was noticed, has the fields of a path, too.
    let of_paths = found.get("outcomes").cloned().unwrap_or_default();
    for section in ["violations", "findings"] {
        found.entry(section.to_string()).or_default().retain(|field| !of_paths.contains(field));
    }
    compare(found)
}

fn compare(found: Fields) -> Result<(), String> {
    let text = pages::reference("json.md");
    let mut described = Fields::new();
    let mut section = String::new();
    let mut lines: Vec<&str> = Vec::new();
    for (_, line) in pages::prose(&text).chain([(0, "## ")]) {
        if let Some(heading) = line.strip_prefix("## ") {
            let fields: BTreeSet<String> = first_column(&lines).into_iter().map(str::to_string).collect();
            if !fields.is_empty() {
                described.insert(std::mem::take(&mut section), fields);
            }
            section = heading.replace('`', "");
            lines.clear();
        } else {
            lines.push(line);
        }
    }
    let mut wrong = Vec::new();
    let sections: BTreeSet<&String> = found.keys().chain(described.keys()).collect();
    for section in sections {
        let (found, described) = (found.get(section), described.get(section));
        let empty = BTreeSet::new();
        let (found, described) = (found.unwrap_or(&empty), described.unwrap_or(&empty));
        if found != described {
            let missing: Vec<_> = found.difference(described).collect();
            let unseen: Vec<_> = described.difference(found).collect();
            wrong.push(format!("{section}: the page lacks {missing:?}; no report had {unseen:?}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
