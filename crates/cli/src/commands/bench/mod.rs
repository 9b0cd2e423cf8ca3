//! `lazuli bench`: measures tables, and writes them.

mod classes;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use lazuli_bench::{
    BenchError, BenchLimits, BenchObserver, Conditions, Scopes, Series, TABLES, Table, TableChoice, TableFormat,
    compile, draw, find, measure, report,
};
use lazuli_classfile::Jdk;
use lazuli_console::numbers::duration as readable_duration;
use lazuli_console::units::{duration, size};
use lazuli_console::visible::tell;

use super::CommandError;
use crate::arguments::at_least_one;
use crate::exit::ProcessExit;
use crate::progress::Watch;
use crate::report::output::ReportOutput;
use classes::TableClasses;

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 all was measured, as far as the limits of single cells allow; 2 the request is wrong; 3 the time \
                        ended, or a cell failed, before all was measured."
)]
pub(crate) struct BenchOptions {
    /// The tables to measure [default: list them]; after `ordinary`, the packages, patterns, classes or methods to measure
    #[arg(value_name = "TABLE")]
    pub tables: Vec<String>,

    /// Of `ordinary`: directories and jars with the classes to measure, separated by `:` [default: the bundled corpus]; also -cp
    #[arg(long, alias = "cp", value_name = "PATH")]
    pub class_path: Option<String>,

    /// Only this class, such as pli.TreeMap, or method, such as pli.TreeMap.put; may be given several times
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub subject: Vec<String>,

    /// Only these scopes: 4, or 1..6 with both ends included [default: those of the table, until one takes too long]
    #[arg(long, value_name = "FROM..TO")]
    pub scope: Option<Scopes>,

    /// All scopes that the paper has, where the table usually is content with the smaller ones
    #[arg(long, conflicts_with = "scope")]
    pub full: bool,

    /// Only these techniques, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub technique: Vec<String>,

    /// CPU time for one cell, such as 500ms, 20s or 5m; larger scopes are left out after one that takes longer
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "20s")]
    pub cell: Duration,

    /// Time for each table; what takes least comes first [default: `lazuli bench` lists it]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,

    /// Memory for one cell, such as 512m or 4g
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "4g")]
    pub memory: usize,

    /// Cells that are measured at the same time; they disturb each other if there are as many as cores
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "1")]
    pub jobs: usize,

    /// Where the Java sources of the subjects are
    #[arg(long, value_name = "DIR", default_value = "subjects")]
    pub subjects: PathBuf,

    /// List the effort for every cell, not only for the largest scope that was finished
    #[arg(long)]
    pub every_cell: bool,

    /// What the tables look like; of several tables, json prints one object per line
    #[arg(long, value_enum, default_value_t = BenchFormat::Text)]
    pub format: BenchFormat,

    /// Draw the tables too, where one can be drawn, as SVG files in this directory
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,

    /// Write the tables to a file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum BenchFormat {
    /// For people at a terminal
    Text,
    /// For documents
    Markdown,
    /// For programs
    Json,
}

impl BenchOptions {
    fn choice(&self) -> TableChoice {
        TableChoice {
            subjects: self.subject.clone(),
            directory: self.subjects.clone(),
            scopes: self.scope,
            wants_all_scopes: self.full,
            techniques: self.technique.clone(),
            cell_limit: self.cell,
            wants_every_cell: self.every_cell,
            methods: Vec::new(),
            planted: Vec::new(),
        }
    }
}

impl BenchOptions {
    /// The words up to a table that takes any classes are tables, and those after it say which.
    fn tables_and_patterns(&self) -> Result<(Vec<&'static dyn Table>, &[String]), BenchError> {
        let mut tables: Vec<&'static dyn Table> = Vec::new();
        for (index, name) in self.tables.iter().enumerate() {
            let table = find(name)?;
            tables.push(table);
            if table.takes_any_classes() {
                return Ok((tables, &self.tables[index + 1..]));
            }
        }
        Ok((tables, &[]))
    }
}

impl BenchFormat {
    /// One table in JSON is indented for a reader; of several, each is on one line.
    fn of_table(self, is_only: bool) -> TableFormat {
        match self {
            BenchFormat::Text => TableFormat::Text,
            BenchFormat::Markdown => TableFormat::Markdown,
            BenchFormat::Json => TableFormat::Json { is_pretty: is_only },
        }
    }
}

impl BenchObserver for Watch {
    fn is_interrupted(&self) -> bool {
        Watch::is_interrupted(self)
    }

    fn draw(&self, line: &str) {
        Watch::draw(self, line);
    }

    fn erase(&self) {
        Watch::erase(self);
    }
}

pub(crate) fn run(options: &BenchOptions) -> Result<ProcessExit, CommandError> {
    if options.tables.is_empty() { list(options) } else { measure_all(options) }
}

fn list(options: &BenchOptions) -> Result<ProcessExit, CommandError> {
    let mut text = "The tables; `lazuli bench NAME` measures one:\n\n".to_string();
    for table in TABLES {
        text.push_str(&format!(
            "  {:<8} {}\n  {:<8} Takes up to {}; --time and --cell change that.\n",
            table.name(),
            table.about(),
            "",
            readable_duration(table.usual_time())
        ));
    }
    let mut output = ReportOutput::open(options.output.as_deref())?;
    output.begin();
    output.write(&text);
    Ok(ProcessExit::of_completeness(!output.has_failed))
}

fn measure_all(options: &BenchOptions) -> Result<ProcessExit, CommandError> {
    // A wrong request is refused before anything is measured.
    let (tables, patterns) = options.tables_and_patterns()?;
    if let (Some(_), Some(table)) = (&options.class_path, tables.iter().find(|table| !table.takes_any_classes())) {
        return Err(BenchError::OwnSubjects { table: table.name() }.into());
    }
    let mut choice = options.choice();
    let jdk = Jdk::locate().map_err(BenchError::from)?;
    let mut any = None;
    if tables.iter().any(|table| table.takes_any_classes()) {
        let classes = any.insert(TableClasses::open(options, patterns, &jdk)?);
        choice.methods = std::mem::take(&mut classes.methods);
        choice.planted = std::mem::take(&mut classes.planted);
    }
    let plans: Vec<Vec<Series>> = tables.iter().map(|table| table.plan(&choice)).collect::<Result<_, _>>()?;
    let with_subjects = tables.iter().zip(&plans).filter(|(table, _)| !table.takes_any_classes());
    let packages: Vec<&str> = with_subjects.flat_map(|(_, plan)| plan).map(|series| series.package.as_str()).collect();
    let compiled = match packages.is_empty() {
        true => None,
        false => Some(compile(&options.subjects, packages.into_iter(), &jdk)?),
    };
    if let Some(directory) = &options.plots {
        std::fs::create_dir_all(directory)
            .map_err(|error| BenchError::NoDirectory { path: directory.clone(), error })?;
    }
    let mut output = ReportOutput::open(options.output.as_deref())?;
    output.begin();

    let watch = Watch::start(options.quiet);
    let conditions = Conditions::new(&jdk, options.jobs, options.cell, options.memory);
    let format = options.format.of_table(tables.len() == 1);
    let program = std::env::current_exe().map_err(BenchError::NoExecutable)?;
    let mut exit = ProcessExit::Success;
    for (table, plan) in tables.into_iter().zip(plans) {
        let limits = BenchLimits {
            cell: options.cell,
            end: Instant::now().checked_add(options.time.unwrap_or(table.usual_time())),
            memory: options.memory,
            jobs: options.jobs,
        };
        let of_subjects = compiled.as_ref().map(|directory| directory.path());
        let of_any = any.as_ref().map(|classes| classes.path.as_path());
        let classes = if table.takes_any_classes() { of_any } else { of_subjects };
        let measured = measure(plan, &program, classes.unwrap_or(Path::new(".")), &limits, &*watch)?;
        output.write(&report(table, &conditions, &measured, &choice, format));
        if let Some(directory) = &options.plots {
            match draw(table, &measured, directory, options.output.as_deref(), format) {
                Ok(text) => drop(output.write(&text)),
                Err(error) => {
                    tell!("{error}");
                    exit = ProcessExit::Incomplete;
                }
            }
        }
        if !measured.is_complete() || output.has_failed {
            exit = ProcessExit::Incomplete;
        }
    }
    Ok(exit)
}
