//! What do the examples of generalized symbolic execution give here?
//!
//! The paper has no table. These are its three applications: `swapNode`, a program with threads, and an altitude switch.

mod published;

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::choice::TableChoice;
use super::runner::{MeasuredCell, Series, TableCell, targets_and_scopes};
use super::sheet::{Sheet, Side};
use super::{BenchError, Table};
use published::{PublishedExample, SORT, SWAP, SWAP_ACYCLIC, SWITCH};

/// The only column.
const COLUMN: &str = "gse";

/// An example of the paper: what is asked, and for which scopes.
struct GseExample {
    class: &'static str,
    /// As the table names it.
    name: &'static str,
    /// The words of the command line behind `check`.
    words: &'static str,
    scopes: &'static [usize],
    published: &'static PublishedExample,
}

const EXAMPLES: &[GseExample] = &[
    GseExample {
        class: "gse.Node",
        name: "gse.Node.swapNode",
        words: "gse.Node.swapNode --technique lazy",
        scopes: &[3],
        published: &SWAP,
    },
    GseExample {
        class: "gse.Node",
        name: "gse.Node.swapNode (acyclic)",
        words: "gse.Node.swapNode --invariant acyclic",
        scopes: &[4],
        published: &SWAP_ACYCLIC,
    },
    GseExample {
        class: "gse.SortedByThreads",
        name: "gse.SortedByThreads.distributedSort",
        words: "gse.SortedByThreads.distributedSort --pre acyclic",
        scopes: &[2, 3],
        published: &SORT,
    },
    GseExample {
        class: "gse.AltitudeSwitch",
        name: "gse.AltitudeSwitch.process",
        words: "gse.AltitudeSwitch.process --pre acyclic --k 8",
        scopes: &[1, 2, 3],
        published: &SWITCH,
    },
];

impl GseExample {
    fn arguments(&self, scope: usize) -> Vec<String> {
        let words = format!("check {} --scope {scope} --jobs 1 --no-confirm", self.words);
        words.split(' ').map(str::to_string).collect()
    }

    fn of(target: &str) -> Option<&'static GseExample> {
        EXAMPLES.iter().find(|example| example.name == target)
    }
}

pub(crate) struct Gse;

impl Table for Gse {
    fn name(&self) -> &'static str {
        "gse"
    }

    fn about(&self) -> &'static str {
        "The examples of generalized symbolic execution (TACAS 2003): swapNode, distributedSort with its threads, and an altitude switch."
    }

    fn usual_time(&self) -> Duration {
        Duration::from_secs(5 * 60)
    }

    fn plan(&self, choice: &TableChoice) -> Result<Vec<Series>, BenchError> {
        choice.columns(&[COLUMN], |name| name)?;
        let examples: Vec<&GseExample> = EXAMPLES.iter().collect();
        let method = |name: &str| name.split(' ').next().unwrap_or_default().to_string();
        let chosen = choice.chosen(&examples, |example| (example.class.to_string(), method(example.name)))?;
        let series = chosen.into_iter().map(|example| {
            let scopes = choice.scopes_or(example.scopes);
            let requests = scopes.iter().map(|scope| (*scope, example.arguments(*scope))).collect();
            Series::new(example.class, example.name, COLUMN, requests)
        });
        Ok(series.collect())
    }

    fn figures(&self, cell: &TableCell, _choice: &TableChoice) -> Map<String, Value> {
        let mut figures = Map::new();
        if let Some(measured) = cell.measured() {
            figures.insert("verdict".to_string(), measured.report["verdict"].clone());
            figures.insert("paths".to_string(), json!(measured.number("/paths")));
            figures.insert("found".to_string(), json!(found(measured)));
        }
        if let Some(example) = GseExample::of(&cell.target) {
            let PublishedExample { executions, found, time } = example.published;
            let published = json!({"executions": executions, "found": found, "time": time});
            figures.insert("published".to_string(), published);
        }
        figures
    }

    fn sheets(&self, cells: &[TableCell], choice: &TableChoice) -> Vec<Sheet> {
        let note = "Executions: symbolic ones, which are paths here, and with threads also orders. Beside them the paper's (2.2 GHz Pentium). The altitude switch is one of our \
                    own, written from the paper's description: the paper's has 1800 lines, and its time is that until tests covered all conditions. \
                    `lazuli tests --criterion conditions` covers all of ours with the messages of scope 2.";
        let mut sheet = Sheet::new("Examples of sections 2 and 7", note).column("example", Side::Left);
        for heading in ["scope", "executions", "CPU s"] {
            sheet = sheet.column(heading, Side::Right);
        }
        for heading in ["found", "published", "time*"] {
            sheet = sheet.column(heading, Side::Left);
        }
        let mut last = "";
        for (target, scope) in targets_and_scopes(cells) {
            let Some(cell) = cells.iter().find(|cell| cell.target == target && cell.scope == scope) else { continue };
            let mut row = vec![if target == last { String::new() } else { target.to_string() }, scope.to_string()];
            match cell.measured() {
                Some(measured) => {
                    row.push(measured.number("/paths").to_string());
                    row.push(format!("{:.2}", measured.cpu.as_secs_f64()));
                    row.push(found(measured));
                }
                None => row.extend([cell.outcome.instead(choice.cell_limit), String::new(), String::new()]),
            }
            let published = GseExample::of(target).filter(|_| target != last).map(|example| example.published);
            row.extend(published.map_or([""; 2], |published| [published.found, published.time]).map(str::to_string));
            sheet.row(row);
            last = target;
        }
        if sheet.is_empty() { Vec::new() } else { vec![sheet] }
    }
}

/// The verdict; of a list that breaks the program, its elements: `counterexample 2 > 1 > 0`.
fn found(measured: &MeasuredCell) -> String {
    let report = &measured.report;
    let verdict = report["verdict"].as_str().unwrap_or_default().to_string();
    match elements(&report["violations"][0]["example"]["objects"]) {
        Some(elements) if verdict == "violated" => format!("counterexample {elements}"),
        _ => verdict,
    }
}

/// The numbers of a linked list in their order, with the relations between neighbours.
fn elements(objects: &Value) -> Option<String> {
    let objects = objects.as_array()?;
    let numbers: Vec<i64> = objects.iter().filter_map(|object| object["fields"]["elem"].as_i64()).collect();
    let (first, others) = numbers.split_first()?;
    let mut text = first.to_string();
    for (before, number) in numbers.iter().zip(others) {
        let relation = match before.cmp(number) {
            std::cmp::Ordering::Less => "<",
            std::cmp::Ordering::Equal => "=",
            std::cmp::Ordering::Greater => ">",
        };
        text.push_str(&format!(" {relation} {number}"));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_told_with_the_relations_between_its_elements() {
        let object = |elem: i64| json!({"name": "o", "fields": {"elem": elem, "next": null}});
        let list = json!([{"fields": {"header": {"object": "a"}}}, object(5), object(5), object(-1), object(3)]);
        assert_eq!(elements(&list).as_deref(), Some("5 = 5 > -1 < 3"));
        assert_eq!(elements(&json!([{"fields": {}}])), None);
        assert_eq!(elements(&Value::Null), None);
    }

    #[test]
    fn examples_are_measured_in_the_scopes_that_show_them() {
        let plan = Gse.plan(&TableChoice::default()).expect("the table has examples");
        assert_eq!(plan.len(), 4);
        let sort = &plan[2];
        assert_eq!((sort.package.as_str(), sort.requests[1].0), ("gse", 3));
        assert!(sort.requests[1].1.ends_with(&["--scope", "3", "--jobs", "1", "--no-confirm"].map(str::to_string)));
    }
}
