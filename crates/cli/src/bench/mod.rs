//! How do the techniques compare, with each other and with what was published? `lazuli bench`.
//!
//! A table is one file here: it says what is measured and how the figures are put side by side; its folder has what was published.
//! `runner` measures each cell in a process of its own, `sheet` prints, `plot` draws, `subjects` compiles the programs.

mod bliss;
mod options;
mod pli;
mod plot;
mod runner;
mod shapes;
mod sheet;
mod subjects;
mod taco;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use lazuli_classfile::Jdk;
use lazuli_console::numbers::duration;
use lazuli_console::visible::tell;
pub use options::BenchOptions;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::output::Output;
use crate::progress::Watch;
use crate::{INCOMPLETE, WRONG_REQUEST};
use options::{BenchFormat, Choice};
use plot::Figure;
use runner::{Cell, Limits, Run, Series};
use sheet::Sheet;

/// Something that was measured in a paper, and can be measured here.
trait Table {
    fn name(&self) -> &'static str;

    /// What is compared with what, as a sentence.
    fn about(&self) -> &'static str;

    /// The time after which it ends if the user gives none.
    fn usual_time(&self) -> Duration;

    /// What has to be measured for the part of the table that the user chose.
    fn plan(&self, choice: &Choice) -> Result<Vec<Series>, String>;

    /// The figures of a cell that was measured, and of its counterpart in the paper.
    fn figures(&self, cell: &Cell) -> Map<String, Value>;

    /// The cells as people read them.
    fn sheets(&self, cells: &[Cell], choice: &Choice) -> Vec<Sheet>;

    /// The cells as people look at them.
    fn plots(&self, _cells: &[Cell]) -> Vec<Figure> {
        Vec::new()
    }
}

const TABLES: &[&dyn Table] = &[&pli::Pli, &shapes::KoratShapes, &bliss::Bliss, &taco::Taco];

pub fn run(options: BenchOptions) -> ExitCode {
    let result = if options.tables.is_empty() { list(&options) } else { measure_all(&options) };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            tell!("{message}");
            ExitCode::from(WRONG_REQUEST)
        }
    }
}

fn list(options: &BenchOptions) -> Result<u8, String> {
    let mut text = "The tables; `lazuli bench NAME` measures one:\n\n".to_string();
    for table in TABLES {
        text.push_str(&format!(
            "  {:<8} {}\n  {:<8} Takes up to {}; --time and --cell change that.\n",
            table.name(),
            table.about(),
            "",
            duration(table.usual_time())
        ));
    }
    let mut output = Output::open(options.output.as_deref())?;
    output.begin();
    output.write(&text);
    Ok(if output.has_failed { INCOMPLETE } else { 0 })
}

fn measure_all(options: &BenchOptions) -> Result<u8, String> {
    // Whatever is wrong with the request is said before anything is measured.
    let choice = options.choice();
    let tables: Vec<&dyn Table> = options.tables.iter().map(|name| find(name)).collect::<Result<_, _>>()?;
    let plans: Vec<Vec<Series>> = tables.iter().map(|table| table.plan(&choice)).collect::<Result<_, _>>()?;
    let jdk = Jdk::locate().map_err(|error| error.to_string())?;
    let packages = plans.iter().flatten().map(|series| series.package.as_str());
    let classes = subjects::compile(&options.subjects, packages, &jdk)?;
    if let Some(directory) = &options.plots {
        std::fs::create_dir_all(directory)
            .map_err(|error| format!("the directory {} cannot be made: {error}.", directory.display()))?;
    }
    let mut output = Output::open(options.output.as_deref())?;
    output.begin();

    let watch = Watch::start(options.quiet);
    let conditions = Conditions::of(&jdk, options);
    let mut code = 0;
    for (table, plan) in tables.into_iter().zip(plans) {
        let limits = Limits {
            cell: options.cell,
            end: Instant::now().checked_add(options.time.unwrap_or(table.usual_time())),
            memory: options.memory,
            jobs: options.jobs,
        };
        let run = runner::run(plan, classes.path(), &limits, &watch)?;
        let text = match options.format {
            BenchFormat::Json => json(table, &conditions, &run, options.tables.len() == 1),
            BenchFormat::Text => readable(table, &conditions, &run, &choice, Sheet::text),
            BenchFormat::Markdown => readable(table, &conditions, &run, &choice, Sheet::markdown),
        };
        output.write(&text);
        if let Some(directory) = &options.plots {
            match draw(table, &run, directory, options) {
                Ok(text) => drop(output.write(&text)),
                Err(message) => {
                    tell!("{message}");
                    code = INCOMPLETE;
                }
            }
        }
        if !run.is_complete() || output.has_failed {
            code = INCOMPLETE;
        }
    }
    Ok(code)
}

fn find(name: &str) -> Result<&'static dyn Table, String> {
    let found = TABLES.iter().find(|table| table.name() == name);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = TABLES.iter().map(|table| table.name()).collect();
        format!("there is no table {name}; there are: {}. `lazuli bench` tells what they compare.", names.join(", "))
    })
}

/// Under which conditions something was measured. Neither names of machines nor paths are any reader's business.
#[derive(Serialize)]
struct Conditions {
    lazuli: &'static str,
    jdk: String,
    cores: usize,
    cells_at_a_time: usize,
    cell_limit_cpu_s: f64,
    memory_limit_mb: usize,
}

impl Conditions {
    fn of(jdk: &Jdk, options: &BenchOptions) -> Conditions {
        Conditions {
            lazuli: env!("CARGO_PKG_VERSION"),
            jdk: jdk.version().to_string(),
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get()),
            cells_at_a_time: options.jobs,
            cell_limit_cpu_s: options.cell.as_secs_f64(),
            memory_limit_mb: options.memory >> 20,
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

fn readable(
    table: &dyn Table,
    conditions: &Conditions,
    run: &Run,
    choice: &Choice,
    print: fn(&Sheet) -> String,
) -> String {
    let mut text = format!("{}\n{}\n", table.about(), conditions.sentence());
    if let Some(sentence) = run.left_out() {
        text.push_str(&format!("{sentence}\n"));
    }
    for sheet in table.sheets(&run.cells, choice) {
        text.push('\n');
        text.push_str(&print(&sheet));
    }
    for failure in run.failures() {
        text.push_str(&format!("\n{failure}\n"));
    }
    text
}

/// Draws what was measured, and says where; in a document, the pictures are part of it.
fn draw(table: &dyn Table, run: &Run, directory: &Path, options: &BenchOptions) -> Result<String, String> {
    let beside =
        options.output.as_deref().and_then(Path::parent).and_then(|parent| directory.strip_prefix(parent).ok());
    let mut text = String::new();
    for figure in table.plots(&run.cells) {
        let file = figure.write(directory)?;
        match options.format {
            BenchFormat::Markdown => {
                text.push_str(&format!("\n![{}]({})\n", figure.title, beside.unwrap_or(directory).join(file).display()))
            }
            BenchFormat::Text => text.push_str(&format!("\n{}: {}\n", figure.title, directory.join(file).display())),
            BenchFormat::Json => {}
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

/// One object; on one line, or indented for a reader.
fn json(table: &dyn Table, conditions: &Conditions, run: &Run, is_pretty: bool) -> String {
    let cells = run.cells.iter().map(|cell| CellView {
        subject: &cell.subject,
        target: &cell.target,
        scope: cell.scope,
        column: &cell.column,
        outcome: cell.outcome.name(),
        figures: runner::figures(cell).into_iter().chain(table.figures(cell)).collect(),
    });
    let view = TableView {
        table: table.name(),
        about: table.about(),
        conditions,
        is_complete: run.is_complete(),
        unreached: run.unreached,
        cells: cells.collect(),
    };
    let text = if is_pretty { serde_json::to_string_pretty(&view) } else { serde_json::to_string(&view) };
    text.expect("plain structs with texts as keys can always be written") + "\n"
}
