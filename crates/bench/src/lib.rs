//! How do the techniques compare, with each other and with the published figures? And which answers does ordinary code get?
//!
//! A table is one module: it says which cells are measured and how the figures are put side by side; its folder has the published ones.
//! `runner` measures each cell in a process of its own, `sheet` lays out rows and columns, `plot` draws, `subjects` compiles the
//! programs, `report` writes a table.
//!
//! Invariants: a cell is one run of `lazuli` with one thread under a limit of CPU time, so that cells do not share memory, caches or
//! panics; a request that cannot be fulfilled is refused before anything is measured; every published figure is in a file `published.rs`
//! with the table of the paper that it is from.
//!
//! Deliberately absent: the engine. A cell is measured from outside, by the command that a user would run, and its figures are read from
//! the JSON report. Options, files and the progress line are the command line's.

#![warn(missing_docs, unreachable_pub)]

mod bliss;
mod choice;
mod error;
mod gse;
mod kiasan;
mod mucho;
mod ordinary;
mod pli;
mod plot;
mod report;
mod runner;
mod shapes;
mod sheet;
mod subjects;
mod taco;

use std::time::Duration;

use serde_json::{Map, Value};

pub use choice::{Scopes, ScopesError, TableChoice};
pub use error::BenchError;
pub use ordinary::{Corpus, ExpectedFault, MeasuredMethod, PlantedDefect};
pub use plot::{Chart, ChartLine, Figure};
pub use report::{Conditions, TableFormat, draw, report};
pub use runner::{BenchLimits, BenchObserver, CellOutcome, MeasuredCell, MeasuredTable, Series, TableCell, measure};
pub use sheet::{Sheet, Side};
pub use subjects::{CompiledCorpus, compile, compile_corpus};

/// A table that can be measured here: of a paper, or of our own.
pub trait Table {
    /// The word by which the user asks for it.
    fn name(&self) -> &'static str;

    /// The paper and what it compares, as a sentence.
    fn about(&self) -> &'static str;

    /// The time after which the measurement ends if the user gives none.
    fn usual_time(&self) -> Duration;

    /// Does it measure methods of any class path, which `TableChoice::methods` lists, and not only subjects of its own?
    fn takes_any_classes(&self) -> bool {
        false
    }

    /// The series that are measured for the part of the table that the user chose.
    fn plan(&self, choice: &TableChoice) -> Result<Vec<Series>, BenchError>;

    /// The figures of a measured cell, and of its counterpart in the paper.
    fn figures(&self, cell: &TableCell, choice: &TableChoice) -> Map<String, Value>;

    /// The cells as people read them.
    fn sheets(&self, cells: &[TableCell], choice: &TableChoice) -> Vec<Sheet>;

    /// The cells as people look at them.
    fn plots(&self, _cells: &[TableCell]) -> Vec<Figure> {
        Vec::new()
    }
}

/// All tables, in the order in which they are listed.
pub const TABLES: &[&dyn Table] = &[
    &pli::Pli,
    &shapes::KoratShapes,
    &bliss::Bliss,
    &taco::Taco,
    &mucho::Mucho,
    &gse::Gse,
    &kiasan::KiasanTable,
    &ordinary::Ordinary,
];

/// The table of a name.
pub fn find(name: &str) -> Result<&'static dyn Table, BenchError> {
    let found = TABLES.iter().find(|table| table.name() == name);
    found.copied().ok_or_else(|| BenchError::NoSuchTable {
        wanted: name.to_string(),
        known: TABLES.iter().map(|table| table.name()).collect(),
    })
}
