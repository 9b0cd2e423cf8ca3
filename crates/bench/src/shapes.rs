//! How fast are all valid structures of a size found, beside Korat?
//!
//! Korat: "Korat: Automated Testing Based on Java Predicates", ISSTA 2002. As there, keys are numbers from 1 to the size.

mod published;

use std::time::Duration;

use lazuli_console::numbers::grouped;
use serde_json::{Map, Value, json};

use super::choice::TableChoice;
use super::runner::{CellOutcome, MeasuredCell, Series, TableCell};
use super::sheet::{Sheet, Side};
use super::{BenchError, Table};

/// Structures of one kind.
struct Family {
    name: &'static str,
    class: &'static str,
    /// Objects that are there whatever the size, and count for the scope: a head node.
    additional: usize,
    /// The field with the keys, if they matter.
    keys: Option<&'static str>,
    counted: ShapeCount,
}

/// Which structures does Korat count?
#[derive(Clone, Copy)]
enum ShapeCount {
    /// Those with exactly as many nodes as the scope; beside the root object, these are more or fewer objects by so many.
    OfSize(isize),
    All,
}

const FAMILIES: &[Family] = &[
    Family {
        name: "binary trees",
        class: "bliss.BinTree",
        additional: 0,
        keys: None,
        // The root node is the root object.
        counted: ShapeCount::OfSize(-1),
    },
    Family {
        name: "search trees",
        class: "kiasan.SearchTree",
        additional: 0,
        keys: Some("element"),
        counted: ShapeCount::OfSize(0),
    },
    Family {
        name: "red-black trees",
        class: "pli.TreeMap",
        additional: 0,
        keys: Some("key"),
        counted: ShapeCount::OfSize(0),
    },
    Family {
        name: "sorted lists",
        class: "kiasan.MergeList",
        additional: 1,
        keys: Some("Node.data"),
        counted: ShapeCount::OfSize(1),
    },
    Family {
        name: "binomial heaps",
        class: "pli.KoratHeap",
        additional: 0,
        keys: Some("key"),
        counted: ShapeCount::All,
    },
];

/// The only column.
const COLUMN: &str = "shapes";
/// Larger structures than these take hours, whatever their kind.
const SCOPES: std::ops::RangeInclusive<usize> = 3..=20;

pub(crate) struct KoratShapes;

impl Table for KoratShapes {
    fn name(&self) -> &'static str {
        "shapes"
    }

    fn about(&self) -> &'static str {
        "All valid trees, lists and heaps of a size, as Korat (ISSTA 2002) lists them: candidates and structures per second."
    }

    fn usual_time(&self) -> Duration {
        Duration::from_secs(5 * 60)
    }

    fn plan(&self, choice: &TableChoice) -> Result<Vec<Series>, BenchError> {
        if !choice.techniques.is_empty() {
            return Err(BenchError::NoTechniques { table: self.name() });
        }
        let families: Vec<&Family> = FAMILIES.iter().collect();
        let chosen = choice.chosen(&families, |family| (family.class.to_string(), family.name.to_string()))?;
        let scopes = choice.scopes_or(&SCOPES.collect::<Vec<_>>());
        let series = |family: &Family| {
            let requests = scopes.iter().map(|scope| (*scope, arguments(family, *scope)));
            Series::new(family.class, family.name, COLUMN, requests.collect())
        };
        Ok(chosen.into_iter().map(series).collect())
    }

    fn figures(&self, cell: &TableCell, _choice: &TableChoice) -> Map<String, Value> {
        let mut figures = Map::new();
        if let Some(measured) = cell.measured() {
            figures.insert("structures".to_string(), json!(structures(cell, measured)));
            figures.insert("candidates".to_string(), json!(measured.number("/candidates")));
        }
        if let Some(korat) = korat(cell) {
            let faster = cell.measured().map(|measured| korat.seconds / measured.cpu.as_secs_f64());
            let published = json!({
                "structures": korat.structures,
                "candidates": korat.candidates,
                "cpu_s": korat.seconds,
                "times_as_fast": faster,
            });
            figures.insert("published".to_string(), published);
        }
        figures
    }

    fn sheets(&self, cells: &[TableCell], choice: &TableChoice) -> Vec<Sheet> {
        let note = "Structures: those that Korat counts, all of them with as many nodes as the scope but for heaps, which may have fewer. Lazuli lists smaller ones \
                    too. CPU seconds include the start. Korat's red-black trees may have a red root, which ours may not.";
        let mut sheet = Sheet::new("Structures by scope", note).column("structures of", Side::Left);
        for heading in [
            "scope",
            "structures",
            "candidates",
            "CPU s",
            "candidates/s",
            "structures/s",
            "Korat: structures",
            "candidates",
            "CPU s",
            "times as fast",
        ] {
            sheet = sheet.column(heading, Side::Right);
        }
        let mut last = "";
        for cell in cells {
            let mut row = vec![if cell.target == last { String::new() } else { cell.target.clone() }];
            row.push(cell.scope.to_string());
            row.extend(ours(cell, choice));
            row.extend(korats(cell));
            sheet.row(row);
            last = &cell.target;
        }
        vec![sheet]
    }
}

fn arguments(family: &Family, scope: usize) -> Vec<String> {
    let objects = (scope + family.additional).to_string();
    let mut arguments = ["shapes", family.class, "--jobs", "1", "--scope", &objects].map(str::to_string).to_vec();
    if let Some(keys) = family.keys {
        arguments.extend(["--values".to_string(), "--range".to_string(), format!("{keys}=1..{scope}")]);
    }
    arguments
}

fn ours(cell: &TableCell, choice: &TableChoice) -> [String; 5] {
    let only = |text: String| [text, String::new(), String::new(), String::new(), String::new()];
    let measured = match &cell.outcome {
        CellOutcome::Measured(measured) if measured.report["unfinished"].is_null() => measured,
        CellOutcome::Measured(measured) => return only(format!("unfinished: {}", measured.report["unfinished"])),
        outcome => return only(outcome.instead(choice.cell_limit)),
    };
    let (structures, candidates) = (structures(cell, measured), measured.number("/candidates"));
    let seconds = measured.cpu.as_secs_f64();
    let rate = |number: u64| grouped((number as f64 / seconds) as u64);
    let total = measured.number("/total");
    [grouped(structures), grouped(candidates), format!("{seconds:.2}"), rate(candidates), rate(total)]
}

fn korats(cell: &TableCell) -> [String; 4] {
    let Some(korat) = korat(cell) else { return Default::default() };
    let faster = cell.measured().map(|measured| format!("{:.1}", korat.seconds / measured.cpu.as_secs_f64()));
    [grouped(korat.structures), grouped(korat.candidates), format!("{:.0}", korat.seconds), faster.unwrap_or_default()]
}

fn korat(cell: &TableCell) -> Option<&'static published::Korat> {
    published::KORAT.iter().find(|korat| korat.family == cell.target && korat.scope == cell.scope)
}

/// As many as Korat counts.
fn structures(cell: &TableCell, measured: &MeasuredCell) -> u64 {
    let family = FAMILIES.iter().find(|family| family.name == cell.target);
    match family.map(|family| family.counted) {
        Some(ShapeCount::OfSize(more)) => {
            let objects = cell.scope.saturating_add_signed(more);
            measured.number(&format!("/by_objects/{objects}"))
        }
        Some(ShapeCount::All) | None => measured.number("/total"),
    }
}
