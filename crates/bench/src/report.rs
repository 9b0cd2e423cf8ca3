//! How is a measured table written: as text, as Markdown, as JSON, and as plots?

use std::path::Path;
use std::time::Duration;

use lazuli_classfile::Jdk;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::choice::TableChoice;
use crate::runner::{self, MeasuredTable};
use crate::sheet::Sheet;
use crate::{BenchError, Table};

/// The layout of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableFormat {
    /// For people at a terminal.
    Text,
    /// For documents.
    Markdown,
    /// For programs; on one line, or indented.
    Json {
        /// Indented?
        is_pretty: bool,
    },
}

/// The conditions under which a table was measured. Names of machines and paths are left out: they are of no use to readers.
#[derive(Serialize)]
pub struct Conditions {
    lazuli: &'static str,
    jdk: String,
    cores: usize,
    cells_at_a_time: usize,
    cell_limit_cpu_s: f64,
    memory_limit_mb: usize,
}

impl Conditions {
    /// The conditions on this machine, with so many cells at a time and these limits for each.
    pub fn new(jdk: &Jdk, jobs: usize, cell: Duration, memory: usize) -> Conditions {
        Conditions {
            lazuli: env!("CARGO_PKG_VERSION"),
            jdk: jdk.version().to_string(),
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get()),
            cells_at_a_time: jobs,
            cell_limit_cpu_s: cell.as_secs_f64(),
            memory_limit_mb: memory >> 20,
        }
    }

    fn sentence(&self) -> String {
        format!(
            "Lazuli {}, JDK {}, {} cores; {} at a time, each in a process of its own with one thread, {} CPU s and {} MB at most.",
            self.lazuli,
            self.jdk,
            self.cores,
            if self.cells_at_a_time == 1 { "one cell".to_string() } else { format!("{} cells", self.cells_at_a_time) },
            self.cell_limit_cpu_s,
            self.memory_limit_mb
        )
    }
}

/// The report about a measured table.
pub fn report(
    table: &dyn Table,
    conditions: &Conditions,
    measured: &MeasuredTable,
    choice: &TableChoice,
    format: TableFormat,
) -> String {
    match format {
        TableFormat::Text => readable(table, conditions, measured, choice, Sheet::text),
        TableFormat::Markdown => readable(table, conditions, measured, choice, Sheet::markdown),
        TableFormat::Json { is_pretty } => json(table, conditions, measured, choice, is_pretty),
    }
}

fn readable(
    table: &dyn Table,
    conditions: &Conditions,
    measured: &MeasuredTable,
    choice: &TableChoice,
    print: fn(&Sheet) -> String,
) -> String {
    let mut text = format!("{}\n{}\n", table.about(), conditions.sentence());
    if let Some(sentence) = measured.left_out() {
        text.push_str(&format!("{sentence}\n"));
    }
    for sheet in table.sheets(&measured.cells, choice) {
        text.push('\n');
        text.push_str(&print(&sheet));
    }
    for failure in measured.failures() {
        text.push_str(&format!("\n{failure}\n"));
    }
    text
}

/// Draws the table into SVG files of a directory. The result refers to them: as pictures in Markdown, relative to the folder of the
/// document, and by their names in a text.
pub fn draw(
    table: &dyn Table,
    measured: &MeasuredTable,
    directory: &Path,
    document: Option<&Path>,
    format: TableFormat,
) -> Result<String, BenchError> {
    let beside = document.and_then(Path::parent).and_then(|parent| directory.strip_prefix(parent).ok());
    let mut text = String::new();
    for figure in table.plots(&measured.cells) {
        let file = figure.write(directory)?;
        match format {
            TableFormat::Markdown => {
                text.push_str(&format!("\n![{}]({})\n", figure.title, beside.unwrap_or(directory).join(file).display()))
            }
            TableFormat::Text => text.push_str(&format!("\n{}: {}\n", figure.title, directory.join(file).display())),
            TableFormat::Json { .. } => {}
        }
    }
    Ok(text)
}

#[derive(Serialize)]
struct TableView<'a> {
    table: &'a str,
    about: &'a str,
    conditions: &'a Conditions,
    is_complete: bool,
    /// Cells that were planned and not begun, because the time was over or the user ended the run.
    unreached: usize,
    cells: Vec<CellView<'a>>,
}

#[derive(Serialize)]
struct CellView<'a> {
    subject: &'a str,
    target: &'a str,
    scope: usize,
    column: &'a str,
    outcome: &'static str,
    #[serde(flatten)]
    figures: Map<String, Value>,
}

fn json(
    table: &dyn Table,
    conditions: &Conditions,
    measured: &MeasuredTable,
    choice: &TableChoice,
    is_pretty: bool,
) -> String {
    let cells = measured.cells.iter().map(|cell| CellView {
        subject: &cell.subject,
        target: &cell.target,
        scope: cell.scope,
        column: &cell.column,
        outcome: cell.outcome.name(),
        figures: runner::figures(cell).into_iter().chain(table.figures(cell, choice)).collect(),
    });
    let view = TableView {
        table: table.name(),
        about: table.about(),
        conditions,
        is_complete: measured.is_complete(),
        unreached: measured.unreached,
        cells: cells.collect(),
    };
    let text = if is_pretty { serde_json::to_string_pretty(&view) } else { serde_json::to_string(&view) };
    text.expect("plain structs with texts as keys can always be written") + "\n"
}
