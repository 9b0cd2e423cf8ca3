//! How long does it take to check the methods of MUCHO-TACO's Table 3 against their contracts?
//!
//! Two more things stand beside what the paper has: extractMin as it should be, and two methods of the JDK's own collections, whose contracts are
//! in `.jml` files.

mod published;

use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::choice::TableChoice;
use super::runner::{Series, TableCell, targets_and_scopes};
use super::sheet::{Sheet, Side};
use super::{BenchError, Table};
use published::{SCOPES, TABLE_3};

/// A way to check a method.
struct TacoColumn {
    name: &'static str,
    /// The contract: JML, or that `repOK()` holds again.
    contract: TacoContract,
    /// The options of `lazuli check` that make the difference.
    options: &'static [&'static str],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TacoContract {
    Jml,
    RepOk,
}

/// The engine of the columns.
const ENGINE: &str = "sat";

/// The first one is compared with what was published.
const COLUMNS: &[TacoColumn] = &[
    TacoColumn { name: ENGINE, contract: TacoContract::Jml, options: &["--engine", "sat"] },
    TacoColumn {
        name: "sat-no-symmetry",
        contract: TacoContract::Jml,
        options: &["--engine", "sat", "--no-symmetry-breaking"],
    },
    TacoColumn {
        name: "sat-no-bounds",
        contract: TacoContract::Jml,
        options: &["--engine", "sat", "--no-tight-bounds"],
    },
    TacoColumn { name: "sat-repok", contract: TacoContract::RepOk, options: &["--engine", "sat"] },
    TacoColumn { name: "paths", contract: TacoContract::Jml, options: &[] },
    TacoColumn { name: "paths-repok", contract: TacoContract::RepOk, options: &[] },
];

/// A method, and the scopes at which it is checked.
struct TacoTarget {
    class: &'static str,
    method: &'static str,
    /// Which of several methods of that name is meant.
    parameters: &'static str,
    /// Says for `repOK()` which arguments the method takes.
    pre: Option<&'static str>,
    usual: &'static [usize],
    all: &'static [usize],
    /// Of classes of which more are needed: how many more than the scope.
    further: &'static [(&'static str, usize)],
}

const TARGET: TacoTarget =
    TacoTarget { class: "", method: "", parameters: "", pre: None, usual: &[3, 5, 10], all: &SCOPES, further: &[] };

const TARGETS: &[TacoTarget] = &[
    TacoTarget { class: "taco.SLList", method: "contains", ..TARGET },
    TacoTarget { class: "taco.SLList", method: "insert", ..TARGET },
    TacoTarget { class: "taco.SLList", method: "remove", ..TARGET },
    TacoTarget { class: "taco.BSTree", method: "find", ..TARGET },
    TacoTarget { class: "taco.BSTree", method: "add", ..TARGET },
    TacoTarget { class: "taco.BSTree", method: "remove", ..TARGET },
    TacoTarget { class: "taco.AVLTree", method: "findMax", ..TARGET },
    TacoTarget { class: "taco.AVLTree", method: "find", ..TARGET },
    TacoTarget { class: "taco.AVLTree", method: "insert", ..TARGET },
    TacoTarget { class: "taco.TreeSet", method: "find", ..TARGET },
    TacoTarget { class: "taco.TreeSet", method: "insert", ..TARGET },
    TacoTarget { class: "taco.TreeSet", method: "remove", ..TARGET },
    TacoTarget { class: "taco.BinHeap", method: "min", ..TARGET },
    TacoTarget { class: "taco.BinHeap", method: "decreaseKey", pre: Some("isDecrease"), ..TARGET },
    TacoTarget { class: "taco.BinHeap", method: "insert", ..TARGET },
    TacoTarget { class: "taco.BinHeap", method: "extractMin", ..TARGET },
    TacoTarget { class: DEFECT, method: "extractMin", usual: &[13, 20], all: &[10, 12, 13, 15, 17, 20], ..TARGET },
    TacoTarget { class: "java.util.LinkedList", method: "add", parameters: "(Object)", ..JDK_TARGET },
    TacoTarget {
        class: "java.util.TreeMap",
        method: "put",
        parameters: "(Object,Object)",
        // A new key, and the value.
        further: &[("Object", 2)],
        ..JDK_TARGET
    },
];

const DEFECT: &str = "taco.BinHeapDefect";
const JDK_TARGET: TacoTarget = TacoTarget { usual: &[1, 2, 3, 4, 5], all: &[1, 2, 3, 4, 5], ..TARGET };

/// The folder of the subjects, of the classes that they need, and of their `.jml` files.
const PACKAGE: &str = "taco";

impl TacoTarget {
    fn name(&self) -> String {
        format!("{}.{}", self.class, self.method)
    }

    /// The JDK's classes have no `repOK()`.
    fn has(&self, contract: TacoContract) -> bool {
        contract == TacoContract::Jml || self.class.starts_with(PACKAGE)
    }

    fn arguments(&self, column: &TacoColumn, scope: usize, specs: &Path) -> Vec<String> {
        let further = self.further.iter().map(|(class, more)| format!(",{class}={}", scope + more));
        let scope = scope.to_string() + &further.collect::<String>();
        let target = format!("{}{}", self.name(), self.parameters);
        let mut arguments: Vec<String> =
            ["check", &target, "--scope", &scope, "--jobs", "1", "--no-confirm"].map(str::to_string).to_vec();
        match column.contract {
            TacoContract::Jml => {
                arguments.extend(["--invariant", "jml", "--spec"].map(str::to_string));
                arguments.push(specs.display().to_string());
            }
            TacoContract::RepOk => {
                let pre = self.pre.into_iter().flat_map(|pre| ["--pre", pre]);
                arguments.extend(pre.map(str::to_string));
            }
        }
        arguments.extend(column.options.iter().map(|option| option.to_string()));
        arguments
    }
}

pub(crate) struct Taco;

impl Table for Taco {
    fn name(&self) -> &'static str {
        "taco"
    }

    fn about(&self) -> &'static str {
        "The methods of MUCHO-TACO's Table 3 (ISSTA 2013) against their contracts, beside TACO on one core and MUCHO-TACO on 64."
    }

    fn usual_time(&self) -> Duration {
        Duration::from_secs(15 * 60)
    }

    fn plan(&self, choice: &TableChoice) -> Result<Vec<Series>, BenchError> {
        let columns = choice.columns(&COLUMNS.iter().collect::<Vec<_>>(), |column| column.name)?;
        let targets: Vec<&TacoTarget> = TARGETS.iter().collect();
        let chosen = choice.chosen(&targets, |target| (target.class.to_string(), target.name()))?;
        let specs = choice.directory.join(PACKAGE).join("specs");
        let mut plan = Vec::new();
        for target in chosen {
            let scopes = choice.scopes_or(if choice.wants_all_scopes { target.all } else { target.usual });
            for column in columns.iter().filter(|column| target.has(column.contract)) {
                let requests = scopes.iter().map(|scope| (*scope, target.arguments(column, *scope, &specs)));
                let series = Series::new(target.class, &target.name(), column.name, requests.collect());
                plan.push(Series { package: PACKAGE.to_string(), ..series });
            }
        }
        Ok(plan)
    }

    fn figures(&self, cell: &TableCell, _choice: &TableChoice) -> Map<String, Value> {
        let mut figures = Map::new();
        if let Some(measured) = cell.measured() {
            figures.insert("verdict".to_string(), measured.report["verdict"].clone());
            figures.insert("paths".to_string(), json!(measured.number("/paths")));
            for calls in ["structure_calls", "sat_calls", "smt_calls"] {
                figures.insert(calls.to_string(), json!(measured.number(&format!("/solver/{calls}"))));
            }
        }
        if let Some(published) = published(&cell.target, cell.scope) {
            let times = |seconds: Option<u32>| {
                seconds.zip(cell.measured()).map(|(seconds, measured)| f64::from(seconds) / measured.cpu.as_secs_f64())
            };
            let published = json!({
                "sequential_s": published.sequential,
                "parallel_s": published.parallel,
                "speed_up": published.speed_up,
                "times_as_fast_as_sequential": times(published.sequential),
                "times_as_fast_as_parallel": times(published.parallel),
            });
            figures.insert("published".to_string(), published);
        }
        figures
    }

    fn sheets(&self, cells: &[TableCell], choice: &TableChoice) -> Vec<Sheet> {
        let note = "Of each column: CPU seconds, with one thread · verdict. Beside them minutes and seconds of TACO on one core and of MUCHO-TACO on 64, its \
                    speed-up, and how many times as fast as these two the first column is. TO: not within ten hours.";
        let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        let names: Vec<&str> = names.into_iter().filter(|name| cells.iter().any(|cell| cell.column == *name)).collect();
        let mut sheet = Sheet::new("Table 3", note).column("target", Side::Left).column("scope", Side::Right);
        for name in &names {
            sheet = sheet.column(name, Side::Right);
        }
        for heading in ["TACO", "64 cores", "speed-up", "times TACO", "times 64 cores"] {
            sheet = sheet.column(heading, Side::Right);
        }
        let mut last = "";
        for (target, scope) in targets_and_scopes(cells) {
            let of_row = |name: &str| cells.iter().find(|c| c.target == target && c.scope == scope && c.column == name);
            let mut row = vec![if target == last { String::new() } else { target.to_string() }, scope.to_string()];
            row.extend(names.iter().map(|name| of_row(name).map_or(String::new(), |cell| brief(cell, choice))));
            row.extend(compared(target, scope, of_row(ENGINE)));
            sheet.row(row);
            last = target;
        }
        if sheet.is_empty() { Vec::new() } else { vec![sheet] }
    }
}

fn brief(cell: &TableCell, choice: &TableChoice) -> String {
    match cell.measured() {
        Some(measured) => {
            let verdict = measured.report["verdict"].as_str().unwrap_or_default();
            format!("{:.2} · {verdict}", measured.cpu.as_secs_f64())
        }
        None => cell.outcome.instead(choice.cell_limit),
    }
}

/// The published times, and how they compare with the cell.
fn compared(target: &str, scope: usize, cell: Option<&TableCell>) -> [String; 5] {
    let Some(published) = published(target, scope) else { return Default::default() };
    let time = |seconds: Option<u32>| match seconds {
        Some(seconds) => format!("{:02}:{:02}", seconds / 60, seconds % 60),
        None => "TO".to_string(),
    };
    let times = |seconds: Option<u32>| {
        let both = seconds.zip(cell.and_then(TableCell::measured));
        both.map_or(String::new(), |(seconds, measured)| {
            format!("{:.1}×", f64::from(seconds) / measured.cpu.as_secs_f64())
        })
    };
    let at_least = if published.sequential.is_none() { "> " } else { "" };
    [
        time(published.sequential),
        time(published.parallel),
        published.speed_up.map_or(String::new(), |speed_up| format!("{at_least}{speed_up}×")),
        times(published.sequential),
        times(published.parallel),
    ]
}

fn published(target: &str, scope: usize) -> Option<published::PublishedCell> {
    let at = SCOPES.iter().position(|known| *known == scope)?;
    TABLE_3.iter().find(|row| row.target == target).map(|row| row.cells[at])
}

#[cfg(test)]
mod tests {
    use super::super::runner::{CellOutcome, MeasuredCell};
    use super::*;

    #[test]
    fn whatever_was_published_has_a_cell() {
        for row in TABLE_3 {
            let target = TARGETS.iter().find(|target| target.name() == row.target);
            let target = target.unwrap_or_else(|| panic!("{} is not measured", row.target));
            assert!(SCOPES.iter().all(|scope| target.all.contains(scope)), "{}", row.target);
        }
    }

    #[test]
    fn times_stand_beside_the_published_ones() {
        let report = json!({"verdict": "holds", "paths": 3});
        let (cpu, wall) = (Duration::from_secs(2), Duration::from_secs(2));
        let outcome = CellOutcome::Measured(MeasuredCell { report, cpu, wall, peak_memory: 30 });
        let (subject, target) = ("taco.TreeSet".to_string(), "taco.TreeSet.find".to_string());
        let measured = TableCell { subject, target, column: ENGINE.to_string(), scope: 10, outcome };
        assert_eq!(
            compared("taco.TreeSet.find", 10, Some(&measured)),
            ["01:39", "00:58", "1.7×", "49.5×", "29.0×"].map(str::to_string)
        );
        assert_eq!(compared("taco.TreeSet.insert", 10, None), ["TO", "08:37", "> 69.6×", "", ""].map(str::to_string));
        assert_eq!(compared("taco.BinHeap.extractMin", 10, None), <[String; 5]>::default());
    }
}
