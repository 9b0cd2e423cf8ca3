//! Which technique explores how many paths of the PLI paper's subjects, at what cost, and what does reuse save?
//!
//! The paper: "Precise Lazy Initialization for Programs with Complex Heap Inputs", ASE 2023, Figures 4 and 5 and Table I. As there,
//! what is measured is the exploration of the method alone, without the check that the invariant holds again.

mod published;
mod subjects;

use std::collections::BTreeMap;
use std::time::Duration;

use lazuli_console::numbers::grouped;
use lazuli_explore::technique;
use serde_json::{Map, Value, json};

use super::choice::TableChoice;
use super::runner::{MeasuredCell, Series, TableCell, targets_and_scopes};
use super::sheet::{Sheet, Side};
use super::{BenchError, Table};
use subjects::{PliSubject, SUBJECTS};

/// A technique as the paper names it, and how it is asked for.
struct PliColumn {
    /// By which the user chooses it, where that is not the name of the technique.
    label: Option<&'static str>,
    technique: &'static str,
    arguments: fn(&PliSubject) -> Vec<String>,
}

/// In the order of the paper.
const COLUMNS: &[PliColumn] = &[
    PliColumn { label: None, technique: "driver", arguments: builders },
    PliColumn { label: None, technique: "ifpre", arguments: |_| Vec::new() },
    PliColumn { label: None, technique: "lihybrid", arguments: |_| Vec::new() },
    PliColumn { label: None, technique: LISSA, arguments: split },
    PliColumn { label: None, technique: PLI, arguments: |_| Vec::new() },
    PliColumn { label: Some(NO_REUSE), technique: PLI, arguments: |_| vec!["--no-reuse".to_string()] },
];

const PLI: &str = "pli";
const LISSA: &str = "lissa";
const NO_REUSE: &str = "no-reuse";

/// The name of the paper's technique here.
fn name(of_paper: &'static str) -> &'static str {
    technique::canonical_name(of_paper).unwrap_or(of_paper)
}

fn builders(subject: &PliSubject) -> Vec<String> {
    subject.builders.iter().flat_map(|method| ["--build".to_string(), method.to_string()]).collect()
}

fn split(subject: &PliSubject) -> Vec<String> {
    let arguments = ["--heap-invariant", "repOKHeap", "--data-invariant", "repOKData"].map(str::to_string);
    if subject.is_split { arguments.to_vec() } else { Vec::new() }
}

impl PliColumn {
    fn name(&self) -> &'static str {
        self.label.unwrap_or(name(self.technique))
    }
}

pub(crate) struct Pli;

impl Table for Pli {
    fn name(&self) -> &'static str {
        "pli"
    }

    fn about(&self) -> &'static str {
        "The techniques of \"Precise Lazy Initialization\" (ASE 2023, Figures 4 and 5, Table I) on its subjects: paths, time, solver calls, reuse."
    }

    fn usual_time(&self) -> Duration {
        Duration::from_secs(12 * 60)
    }

    fn plan(&self, choice: &TableChoice) -> Result<Vec<Series>, BenchError> {
        // A technique that Lazuli does not have is left out.
        let known: Vec<&PliColumn> =
            COLUMNS.iter().filter(|column| technique::find(column.technique).is_some()).collect();
        let columns = choice.columns(&known, PliColumn::name)?;
        let targets: Vec<(&PliSubject, &str)> =
            SUBJECTS.iter().flat_map(|subject| subject.methods.iter().map(move |method| (subject, *method))).collect();
        let chosen = choice
            .chosen(&targets, |(subject, method)| (subject.class.to_string(), format!("{}.{method}", subject.class)))?;
        let series = chosen.into_iter().flat_map(|(subject, method)| {
            columns.iter().map(move |column| {
                let target = format!("{}.{method}", subject.class);
                let scopes = choice.scopes_or(subject.scopes);
                let requests = scopes.iter().map(|scope| (*scope, arguments(subject, &target, column, *scope)));
                Series::new(subject.class, &target, column.name(), requests.collect())
            })
        });
        Ok(series.collect())
    }

    fn figures(&self, cell: &TableCell, _choice: &TableChoice) -> Map<String, Value> {
        let mut figures = Map::new();
        if let Some(measured) = cell.measured() {
            figures.insert("verdict".to_string(), json!(verdict(measured)));
            figures.insert("paths".to_string(), json!(measured.number("/paths")));
            figures.insert("finished_paths".to_string(), json!(finished_paths(measured)));
            figures.insert("pruned".to_string(), json!(measured.number("/pruned")));
            for calls in ["structure_calls", "sat_calls", "smt_calls", "reused_witnesses"] {
                figures.insert(calls.to_string(), json!(measured.number(&format!("/solver/{calls}"))));
            }
            figures.insert("reused_share".to_string(), json!(reused_share(measured)));
        }
        let (paths, seconds) = (published_paths(cell), published_seconds(cell));
        if paths.is_some() || seconds.is_some() {
            let faster = seconds.zip(cell.measured()).map(|(seconds, measured)| seconds / measured.cpu.as_secs_f64());
            let published = json!({"paths": paths, "cpu_s": seconds, "times_as_fast": faster});
            figures.insert("published".to_string(), published);
        }
        figures
    }

    fn sheets(&self, cells: &[TableCell], choice: &TableChoice) -> Vec<Sheet> {
        let names: Vec<&str> =
            COLUMNS.iter().map(PliColumn::name).filter(|name| cells.iter().any(|cell| cell.column == *name)).collect();
        let sheets = [side_by_side(cells, &names, choice), effort(cells, choice), whole_subjects(cells)];
        sheets.into_iter().filter(|sheet| !sheet.is_empty()).collect()
    }
}

fn arguments(subject: &PliSubject, target: &str, column: &PliColumn, scope: usize) -> Vec<String> {
    let scope = if subject.fixed.is_empty() { scope.to_string() } else { format!("{scope},{}", subject.fixed) };
    let mut arguments: Vec<String> =
        ["check", target, "--scope", &scope, "--technique", name(column.technique), "--jobs", "1"]
            .map(str::to_string)
            .to_vec();
    if !subject.checks_result {
        arguments.push("--no-post".to_string());
    }
    arguments.extend((column.arguments)(subject));
    arguments
}

/// A row for each target and scope, and in it the techniques.
fn side_by_side(cells: &[TableCell], names: &[&str], choice: &TableChoice) -> Sheet {
    let note = "Of each technique: calls that ended · CPU seconds, of which about 0.1 are spent to start. ! something was violated, ? something was not explored. Beside \
                them the published counts (= the same, ≠ not), and the CPU seconds of the authors' tool, with how many times as fast this is.";
    let mut sheet = Sheet::new("Paths and time by scope", note).column("target", Side::Left);
    sheet = sheet.column("scope", Side::Right);
    for name in names {
        sheet = sheet.column(name, Side::Right);
    }
    sheet = sheet.column("published paths", Side::Left).column("published s", Side::Left);
    let mut last = "";
    for (target, scope) in targets_and_scopes(cells) {
        let of_row = |name: &str| cells.iter().find(|c| c.target == target && c.scope == scope && c.column == name);
        let found: Vec<Option<&TableCell>> = names.iter().map(|name| of_row(name)).collect();
        let mut row = vec![if target == last { String::new() } else { target.to_string() }, scope.to_string()];
        row.extend(found.iter().map(|cell| cell.map_or(String::new(), |cell| brief(cell, choice))));
        let paths: Vec<String> = found.iter().flatten().filter_map(|cell| compared_paths(cell)).collect();
        let seconds = found.iter().flatten().find_map(|cell| compared_seconds(cell));
        row.extend([paths.join(", "), seconds.unwrap_or_default()]);
        sheet.row(row);
        last = target;
    }
    sheet
}

fn brief(cell: &TableCell, choice: &TableChoice) -> String {
    let Some(measured) = cell.measured() else { return cell.outcome.instead(choice.cell_limit) };
    let mark = match verdict(measured) {
        "violated" => "!",
        "incomplete" => "?",
        _ => "",
    };
    format!("{}{mark} · {:.2}", grouped(finished_paths(measured)), measured.cpu.as_secs_f64())
}

fn compared_paths(cell: &TableCell) -> Option<String> {
    let published = published_paths(cell)?;
    let mark = match cell.measured().map(finished_paths) {
        Some(paths) if paths == published => " =",
        Some(_) => " ≠",
        None => "",
    };
    Some(format!("{} {}{mark}", cell.column, grouped(published)))
}

fn compared_seconds(cell: &TableCell) -> Option<String> {
    let published = published_seconds(cell)?;
    let times = cell.measured().map(|measured| format!(" ({:.1}×)", published / measured.cpu.as_secs_f64()));
    Some(format!("{published:.1}{}", times.unwrap_or_default()))
}

/// All figures of the largest scope that was finished, or of all.
fn effort(cells: &[TableCell], choice: &TableChoice) -> Sheet {
    let title = if choice.wants_every_cell { "Effort" } else { "Effort at the largest scope that was finished" };
    let note = "Calls: inputs that were searched for, questions to the SAT and to the SMT solver. Reused: share of inputs that were known before.";
    let mut sheet = Sheet::new(title, note).column("target", Side::Left).column("technique", Side::Left);
    for figure in ["scope", "paths", "CPU s", "wall s", "structure", "SAT", "SMT", "reused", "MB"] {
        sheet = sheet.column(figure, Side::Right);
    }
    sheet = sheet.column("verdict", Side::Left);
    let mut last = "";
    for (index, cell) in cells.iter().enumerate() {
        let Some(measured) = cell.measured() else { continue };
        let next = cells.get(index + 1).filter(|next| next.target == cell.target && next.column == cell.column);
        if !choice.wants_every_cell && next.is_some_and(|next| next.measured().is_some()) {
            continue;
        }
        let calls = |which: &str| grouped(measured.number(&format!("/solver/{which}_calls")));
        let reused = reused_share(measured);
        sheet.row(vec![
            if cell.target == last { String::new() } else { cell.target.clone() },
            cell.column.clone(),
            cell.scope.to_string(),
            grouped(finished_paths(measured)),
            format!("{:.2}", measured.cpu.as_secs_f64()),
            format!("{:.2}", measured.wall.as_secs_f64()),
            calls("structure"),
            calls("sat"),
            calls("smt"),
            reused.map_or(String::new(), |share| format!("{:.0} %", share * 100.0)),
            measured.peak_memory.to_string(),
            verdict(measured).to_string(),
        ]);
        last = &cell.target;
    }
    sheet
}

/// For each subject, what both of two techniques finished: the precise one beside LISSA, and beside itself without reuse.
fn whole_subjects(cells: &[TableCell]) -> Sheet {
    let (precise, lissa) = (name(PLI), name(LISSA));
    let note = "Sums over the targets and scopes that both of the compared ones finished. Calls saved: inputs that reuse need not search for; \
                published: Table I.";
    let mut sheet = Sheet::new("Whole subjects", note).column("subject", Side::Left);
    for heading in [
        &format!("{precise}, CPU s"),
        &format!("{lissa}, CPU s"),
        &format!("{precise} / {lissa}"),
        "calls saved by reuse",
        "published",
        "time saved by reuse",
    ] {
        sheet = sheet.column(heading, Side::Right);
    }
    let mut subjects: Vec<&str> = cells.iter().map(|cell| cell.subject.as_str()).collect();
    subjects.dedup();
    for subject in subjects {
        let of_subject: Vec<&TableCell> = cells.iter().filter(|cell| cell.subject == subject).collect();
        let beside_lissa = common(&of_subject, precise, lissa);
        let beside_itself = common(&of_subject, precise, NO_REUSE);
        if beside_lissa.is_empty() && beside_itself.is_empty() {
            continue;
        }
        let [ours, theirs] = sums(&beside_lissa, |measured| measured.cpu.as_secs_f64());
        let calls = sums(&beside_itself, |measured| measured.number("/solver/structure_calls") as f64);
        let time = sums(&beside_itself, |measured| measured.cpu.as_secs_f64());
        let saved = |[with, without]: [f64; 2]| match without > 0.0 {
            true => format!("{:.0} %", (1.0 - with / without) * 100.0),
            false => String::new(),
        };
        let published = published::CALLS_SAVED.iter().find(|(class, _)| *class == subject);
        let seconds = |seconds: f64| if beside_lissa.is_empty() { String::new() } else { format!("{seconds:.2}") };
        sheet.row(vec![
            subject.to_string(),
            seconds(ours),
            seconds(theirs),
            if theirs > 0.0 { format!("{:.2}", ours / theirs) } else { String::new() },
            saved(calls),
            published.map_or(String::new(), |(_, percent)| format!("{percent} %")),
            saved(time),
        ]);
    }
    sheet
}

/// The cells that two columns have both finished, side by side.
fn common<'a>(cells: &[&'a TableCell], one: &str, other: &str) -> Vec<[&'a MeasuredCell; 2]> {
    let column = |name: &str| -> BTreeMap<(&'a str, usize), &'a MeasuredCell> {
        let of_column = cells.iter().filter(|cell| cell.column == name);
        of_column.filter_map(|cell| Some(((cell.target.as_str(), cell.scope), cell.measured()?))).collect()
    };
    let others = column(other);
    column(one).into_iter().filter_map(|(key, measured)| Some([measured, *others.get(&key)?])).collect()
}

fn sums(pairs: &[[&MeasuredCell; 2]], figure: impl Fn(&MeasuredCell) -> f64) -> [f64; 2] {
    [0, 1].map(|side| pairs.iter().map(|pair| figure(pair[side])).sum())
}

fn published_paths(cell: &TableCell) -> Option<u64> {
    let is_it = |known: &&published::Paths| known.target == cell.target && name(known.technique) == cell.column;
    published::PATHS.iter().find(is_it).and_then(|known| (known.at)(cell.scope as u64))
}

fn published_seconds(cell: &TableCell) -> Option<f64> {
    let is_it = |(target, scope, _): &&(&str, usize, f64)| *target == cell.target && *scope == cell.scope;
    let found = published::SECONDS.iter().find(is_it).filter(|_| cell.column == name(PLI));
    found.map(|(_, _, seconds)| *seconds)
}

fn verdict(measured: &MeasuredCell) -> &str {
    measured.report.get("verdict").and_then(Value::as_str).unwrap_or_default()
}

/// The paper counts calls that end; a path that was cut in an endless loop is none.
fn finished_paths(measured: &MeasuredCell) -> u64 {
    ["returned", "threw", "exited"].iter().map(|how| measured.number(&format!("/ends/{how}"))).sum()
}

/// How many of the inputs that were needed were known before; none where a technique does not search for inputs.
fn reused_share(measured: &MeasuredCell) -> Option<f64> {
    let (reused, searched) = (measured.number("/solver/reused_witnesses"), measured.number("/solver/structure_calls"));
    (searched > 0).then(|| reused as f64 / (reused + searched) as f64)
}

#[cfg(test)]
mod tests {
    use super::super::runner::CellOutcome;
    use super::*;

    fn targets() -> Vec<String> {
        let methods =
            |subject: &'static PliSubject| subject.methods.iter().map(move |m| format!("{}.{m}", subject.class));
        SUBJECTS.iter().flat_map(methods).collect()
    }

    #[test]
    fn whatever_was_published_has_a_cell() {
        let targets = targets();
        for known in published::PATHS {
            assert!(targets.iter().any(|target| target == known.target), "{}", known.target);
            assert!(COLUMNS.iter().any(|column| column.technique == known.technique), "{}", known.technique);
        }
        for (target, scope, _) in published::SECONDS {
            let class = target.rsplit_once('.').unwrap().0;
            let subject = SUBJECTS.iter().find(|subject| subject.class == class).unwrap();
            assert!(targets.iter().any(|known| known == target) && subject.scopes.contains(scope), "{target}");
        }
        for (class, _) in published::CALLS_SAVED {
            assert!(SUBJECTS.iter().any(|subject| subject.class == *class), "{class}");
        }
    }

    fn cell(column: &str, scope: usize, paths: u64, structure_calls: u64, seconds: u64) -> TableCell {
        let report = json!({
            "verdict": "holds",
            "paths": paths,
            "ends": {"returned": paths},
            "solver": {"structure_calls": structure_calls, "reused_witnesses": structure_calls},
        });
        let cpu = Duration::from_secs(seconds);
        let outcome = CellOutcome::Measured(MeasuredCell { report, cpu, wall: cpu, peak_memory: 1 });
        let (subject, target) = ("pli.TreeMap".to_string(), "pli.TreeMap.put".to_string());
        TableCell { subject, target, column: column.to_string(), scope, outcome }
    }

    fn choice() -> TableChoice {
        TableChoice { cell_limit: Duration::from_secs(20), ..TableChoice::default() }
    }

    #[test]
    fn figures_stand_beside_the_published_ones() {
        let mut cut_off = cell("lissa", 7, 0, 0, 0);
        cut_off.outcome = CellOutcome::OutOfTime;
        let cells = [cell("lissa", 6, 99, 10, 2), cut_off, cell("precise", 5, 45, 2, 1), cell("precise", 6, 70, 30, 1)];
        let sheets: Vec<String> = Pli.sheets(&cells, &choice()).iter().map(Sheet::text).collect();
        let [side_by_side, effort, subjects] = sheets.as_slice() else { panic!("three sheets") };
        assert!(side_by_side.contains("99 · 2.00  70 · 1.00  precise 70 =") && side_by_side.contains("3.0 (3.0×)"));
        assert!(side_by_side.contains("precise 46 ≠") && side_by_side.contains("> 20 s"), "{side_by_side}");
        // Of each technique, the largest scope that was finished.
        assert_eq!(effort.lines().count(), 3 + 2, "{effort}");
        assert!(effort.contains("50 %"));
        assert!(subjects.contains("1.00          2.00             0.50"), "{subjects}");
    }
}
