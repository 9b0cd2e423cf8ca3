//! How do the techniques of the BLISS paper compare, in time and in what they count, and what does `precise` make of the same calls?
//!
//! The paper: "BLISS: Improved Symbolic Execution by Bounded Lazy Initialization with SAT Support", TSE 2015, Tables 1 to 10. As there, a call
//! is explored alone, without the check that the invariant holds again; what throws is not counted; and inputs that are known in
//! part are asked what the authors ask of them, by a method of its own. As there, BLI, RBLI and BLISS know the bounds before they begin; `sat-cached` has
//! to find them, unless it is warm.

mod published;
mod subjects;

use std::time::Duration;

use lazuli_console::numbers::grouped;
use lazuli_explore::technique;
use serde_json::{Map, Value, json};

use super::choice::TableChoice;
use super::plot::{Chart, ChartLine, Figure};
use super::runner::{MeasuredCell, Series, TableCell, targets_and_scopes};
use super::sheet::{Sheet, Side};
use super::{BenchError, Table};
use published::Time;
use subjects::{BlissSubject, MethodKind, SUBJECTS, SubjectMethod};

/// A technique as the paper names it.
struct BlissColumn {
    /// By which the user chooses it, where that is not the name of the technique.
    label: Option<&'static str>,
    paper: Option<&'static str>,
    technique: &'static str,
    store: ColumnCache,
}

/// How a column uses the cache between runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnCache {
    /// There are none.
    No,
    /// The bounds were found before.
    Bounds,
    /// Larger scopes find those of smaller ones.
    Growing,
    /// The same was asked before.
    Warm,
}

const WARM: &str = "warm";

const COLUMNS: &[BlissColumn] = &[
    BlissColumn { label: None, paper: Some("LI"), technique: "lihybrid", store: ColumnCache::No },
    BlissColumn { label: None, paper: Some("BLI"), technique: "bli", store: ColumnCache::Bounds },
    BlissColumn { label: None, paper: Some("RBLI"), technique: "rbli", store: ColumnCache::Bounds },
    BlissColumn { label: None, paper: Some("BLISS"), technique: "bliss", store: ColumnCache::Bounds },
    BlissColumn { label: None, paper: Some("BLISSDB"), technique: CACHED, store: ColumnCache::Growing },
    BlissColumn { label: Some(WARM), paper: None, technique: CACHED, store: ColumnCache::Warm },
    BlissColumn { label: None, paper: None, technique: "pli", store: ColumnCache::No },
];

/// Where there is a technique with a cache, there is the option `--cache`.
const CACHED: &str = "blissdb";

impl BlissColumn {
    /// The name of the column here.
    fn name(&self) -> &'static str {
        self.label.or(technique::canonical_name(self.technique)).unwrap_or(self.technique)
    }

    /// With the paper's name for it.
    fn heading(&self) -> String {
        match self.paper {
            Some(paper) => format!("{} ({paper})", self.name()),
            None => self.name().to_string(),
        }
    }

    fn of(cell: &TableCell) -> Option<&'static BlissColumn> {
        COLUMNS.iter().find(|column| column.name() == cell.column)
    }
}

pub(crate) struct Bliss;

impl Table for Bliss {
    fn name(&self) -> &'static str {
        "bliss"
    }

    fn about(&self) -> &'static str {
        "The techniques of \"BLISS\" (TSE 2015, Tables 1 to 10) on its calls: time, speed-up over LI, paths, shapes; and precise beside them."
    }

    fn usual_time(&self) -> Duration {
        Duration::from_secs(12 * 60)
    }

    fn plan(&self, choice: &TableChoice) -> Result<Vec<Series>, BenchError> {
        let known: Vec<&BlissColumn> =
            COLUMNS.iter().filter(|column| technique::find(column.technique).is_some()).collect();
        let columns = choice.columns(&known, BlissColumn::name)?;
        let targets: Vec<(&BlissSubject, &SubjectMethod)> =
            SUBJECTS.iter().flat_map(|subject| subject.methods.iter().map(move |method| (subject, method))).collect();
        let chosen =
            choice.chosen(&targets, |(subject, method)| (subject.class.to_string(), target(subject, method)))?;
        let mut plan = Vec::new();
        for (subject, method) in chosen {
            let usual = if choice.wants_all_scopes { method.all() } else { method.usual.to_vec() };
            let scopes = choice.scopes_or(&usual);
            // A call that has its scope in its name is there for the scopes of the paper only.
            let has_call = |scope: usize| method.kind != MethodKind::CalledByScope || method.all().contains(&scope);
            for column in &columns {
                let scopes = scopes.iter().filter(|scope| has_call(**scope));
                let requests = scopes.map(|scope| (*scope, arguments(subject, method, column, *scope)));
                plan.push(Series {
                    has_cache: column.store != ColumnCache::No,
                    is_repeated: matches!(column.store, ColumnCache::Bounds | ColumnCache::Warm),
                    ..Series::new(subject.class, &target(subject, method), column.name(), requests.collect())
                });
            }
        }
        Ok(plan)
    }

    fn figures(&self, cell: &TableCell, _choice: &TableChoice) -> Map<String, Value> {
        let mut figures = Map::new();
        if let Some(measured) = cell.measured() {
            let counts = StructureCounts::of(measured);
            figures.insert("verdict".to_string(), json!(verdict(measured)));
            figures.insert("paths".to_string(), json!(counts.paths));
            figures.insert("shapes".to_string(), json!(counts.shapes));
            figures.insert("partial_shapes".to_string(), json!(counts.partial));
            for calls in ["structure_calls", "sat_calls", "smt_calls"] {
                figures.insert(calls.to_string(), json!(measured.number(&format!("/solver/{calls}"))));
            }
        }
        let (time, structures) = (published_time(cell), published_structures(cell));
        if time.is_some() || structures.is_some() {
            let seconds = time.and_then(Time::seconds);
            let published = json!({
                "wall_s": seconds,
                "outcome": time.map(Time::outcome),
                "structures": structures,
                "times_as_fast": seconds.zip(cell.measured()).map(|(seconds, measured)| times_as_fast(seconds, measured)),
            });
            figures.insert("published".to_string(), published);
        }
        figures
    }

    fn sheets(&self, cells: &[TableCell], choice: &TableChoice) -> Vec<Sheet> {
        let sheets = [times(cells, choice), speed_ups(cells), long_runs(cells), counts(cells, choice)];
        sheets.into_iter().filter(|sheet| !sheet.is_empty()).collect()
    }

    /// One for each class, with a chart for each method.
    fn plots(&self, cells: &[TableCell]) -> Vec<Figure> {
        let of_class = |subject: &BlissSubject| {
            let methods = subject.methods.iter().map(|method| (method, target(subject, method)));
            let charts = methods.filter_map(|(method, target)| {
                let of_target: Vec<&TableCell> = cells.iter().filter(|cell| cell.target == target).collect();
                let lines = COLUMNS
                    .iter()
                    .map(|column| ChartLine { name: column.heading(), points: points(&of_target, column) });
                let lines: Vec<ChartLine> = lines.filter(|line| !line.points.is_empty()).collect();
                (!lines.is_empty()).then(|| Chart { title: method.name.to_string(), lines })
            });
            let name = without_package(subject.class);
            let title = format!("{name}: CPU seconds by scope");
            Figure { name: name.to_string(), title, charts: charts.collect() }
        };
        SUBJECTS.iter().map(of_class).filter(|figure| !figure.charts.is_empty()).collect()
    }
}

fn target(subject: &BlissSubject, method: &SubjectMethod) -> String {
    format!("{}.{}", subject.class, method.name)
}

fn without_package(name: &str) -> &str {
    name.split_once('.').map_or(name, |(_, rest)| rest)
}

fn arguments(subject: &BlissSubject, method: &SubjectMethod, column: &BlissColumn, scope: usize) -> Vec<String> {
    let call = method.call(subject, scope);
    let technique = technique::canonical_name(column.technique).unwrap_or(column.technique);
    let mut arguments: Vec<String> =
        ["check", &call, "--scope", &scope.to_string(), "--technique", technique, "--jobs", "1"]
            .map(str::to_string)
            .to_vec();
    arguments.extend(["--no-post", "--no-confirm", "--count-shapes"].map(str::to_string));
    if method.kind != MethodKind::Hunt {
        arguments.extend(["--allow", "java.lang.Throwable"].map(str::to_string));
    }
    if column.paper.is_some() || column.store != ColumnCache::No {
        let hybrid = format!("bliss.Hybrid.{}", subject.name);
        arguments.extend(["--hybrid-invariant", &hybrid, "--loose-bounds"].map(str::to_string));
    }
    // LI numbers nothing.
    if !matches!(column.paper, None | Some("LI")) || column.store != ColumnCache::No {
        arguments.extend(["--backbone", subject.backbone].map(str::to_string));
    }
    // The results of one cell must not help another.
    if technique::find(CACHED).is_some() && column.store == ColumnCache::No {
        arguments.extend(["--cache", "none"].map(str::to_string));
    }
    arguments
}

/// Tables 1 to 7: a row for each call and scope, and in it the techniques.
fn times(cells: &[TableCell], choice: &TableChoice) -> Sheet {
    let note = "CPU seconds, of which about 0.1 are spent to start. BLI, RBLI, BLISS and the warm cache know the bounds, as in the paper; the cold cache has to find them. In parentheses \
                the paper's minutes and seconds of wall-clock time. ! a fault was found, ? something was not explored. Speed-up: over LI, of the best of the others but precise; in parentheses \
                the same of the paper's times.";
    let columns: Vec<&BlissColumn> =
        COLUMNS.iter().filter(|column| cells.iter().any(|cell| cell.column == column.name())).collect();
    let mut sheet =
        Sheet::new("Time by scope (Tables 1 to 7)", note).column("call", Side::Left).column("scope", Side::Right);
    for column in &columns {
        sheet = sheet.column(&column.heading(), Side::Right);
    }
    sheet = sheet.column("speed-up", Side::Right);
    let mut last = "";
    for (target, scope) in targets_and_scopes(cells) {
        let of_row: Vec<&TableCell> =
            cells.iter().filter(|cell| cell.target == target && cell.scope == scope).collect();
        let mut row = vec![if target == last { String::new() } else { without_package(target).to_string() }];
        row.push(scope.to_string());
        row.extend(columns.iter().map(|column| {
            let cell = of_row.iter().find(|cell| cell.column == column.name());
            cell.map_or(String::new(), |cell| timed(cell, choice))
        }));
        let ours = speed_up(&of_row).map(|(_, times)| format!("{times:.1}×"));
        let theirs = published_speed_up(target, scope).map(|times| format!("({times:.1}×)"));
        row.push([ours, theirs].into_iter().flatten().collect::<Vec<_>>().join(" "));
        sheet.row(row);
        last = target;
    }
    sheet
}

fn timed(cell: &TableCell, choice: &TableChoice) -> String {
    let ours = match cell.measured() {
        Some(measured) => format!("{:.2}{}", measured.cpu.as_secs_f64(), mark(measured)),
        None => cell.outcome.instead(choice.cell_limit),
    };
    match published_time(cell) {
        Some(time) => format!("{ours} ({})", time.text()),
        None => ours,
    }
}

fn mark(measured: &MeasuredCell) -> &'static str {
    match verdict(measured) {
        "violated" => "!",
        "incomplete" => "?",
        _ => "",
    }
}

/// Table 8: where a technique is furthest ahead of LI.
fn speed_ups(cells: &[TableCell]) -> Sheet {
    let note = "Over LI, at the scope of those that LI finished where it is largest; the start of the process counts on both sides. Precise beside LI at the largest scope \
                that both finished.";
    let mut sheet =
        Sheet::new("Largest speed-up (Table 8)", note).column("call", Side::Left).column("best", Side::Left);
    sheet = sheet.column("scope", Side::Right).column("speed-up", Side::Right);
    sheet = sheet.column("published", Side::Right).column("by", Side::Left);
    sheet = sheet.column("precise, at scope", Side::Right).column("speed-up", Side::Right);
    let rows = targets_and_scopes(cells);
    let mut targets: Vec<&str> = rows.iter().map(|(target, _)| *target).collect();
    targets.dedup();
    for target in targets {
        let of_scope = |scope: usize| -> Vec<&TableCell> {
            cells.iter().filter(|cell| cell.target == target && cell.scope == scope).collect()
        };
        let scopes: Vec<usize> = rows.iter().filter(|(known, _)| *known == target).map(|(_, scope)| *scope).collect();
        let all =
            scopes.iter().filter_map(|scope| speed_up(&of_scope(*scope)).map(|(name, times)| (*scope, name, times)));
        let Some((scope, best, times)) = all.max_by(|(.., one), (.., other)| one.total_cmp(other)) else { continue };
        let published = published::speed_up(without_package(target));
        let precise = scopes.iter().rev().find_map(|scope| Some((*scope, precise_speed_up(&of_scope(*scope))?)));
        sheet.row(vec![
            without_package(target).to_string(),
            best.to_string(),
            scope.to_string(),
            format!("{times:.1}×"),
            published.map_or(String::new(), |(_, times)| format!("{}×", grouped(times))),
            published.map_or(String::new(), |(techniques, _)| techniques.to_string()),
            precise.map_or(String::new(), |(scope, _)| scope.to_string()),
            precise.map_or(String::new(), |(_, times)| format!("{times:.1}×")),
        ]);
    }
    sheet
}

/// The cells that took the authors more than a minute.
fn long_runs(cells: &[TableCell]) -> Sheet {
    let note = "Every cell for which the paper has more than a minute; theirs are wall-clock seconds, ours CPU seconds; of both, only those of sat-cached here include the time for the bounds.";
    let mut sheet = Sheet::new("Beside the paper", note).column("call", Side::Left).column("technique", Side::Left);
    for heading in ["scope", "published s", "CPU s", "times as fast"] {
        sheet = sheet.column(heading, Side::Right);
    }
    let mut last = "";
    for cell in cells {
        let (Some(column), Some(measured)) = (BlissColumn::of(cell), cell.measured()) else { continue };
        let Some(seconds) = published_time(cell).and_then(Time::seconds).filter(|seconds| *seconds > 60) else {
            continue;
        };
        sheet.row(vec![
            if cell.target == last { String::new() } else { without_package(&cell.target).to_string() },
            column.heading(),
            cell.scope.to_string(),
            grouped(seconds),
            format!("{:.2}", measured.cpu.as_secs_f64()),
            format!("{:.0}", times_as_fast(seconds, measured)),
        ]);
        last = &cell.target;
    }
    sheet
}

/// Tables 9 and 10: what was counted, in three ways.
fn counts(cells: &[TableCell], choice: &TableChoice) -> Sheet {
    let note = "Paths that return. Shapes: their inputs up to the names of objects and numbers, where what was not read is null. Partial: where it is \
                not null. Published: structures whose objects are named in the order in which the authors' tool made them, and which of ours that is (≠ none).";
    let title = if choice.wants_every_cell {
        "Counts (Tables 9 and 10)"
    } else {
        "Counts at the largest scope, and where one was published (Tables 9 and 10)"
    };
    let mut sheet = Sheet::new(title, note).column("call", Side::Left).column("technique", Side::Left);
    for heading in ["scope", "paths", "shapes", "partial", "published"] {
        sheet = sheet.column(heading, Side::Right);
    }
    sheet = sheet.column("", Side::Left);
    let mut last = "";
    for (index, cell) in cells.iter().enumerate() {
        let Some((measured, column)) = cell.measured().zip(BlissColumn::of(cell)) else { continue };
        let next = cells.get(index + 1).filter(|next| next.target == cell.target && next.column == cell.column);
        let is_largest = next.is_none_or(|next| next.measured().is_none());
        let published = published_structures(cell);
        if !choice.wants_every_cell && !is_largest && published.is_none() {
            continue;
        }
        let counts = StructureCounts::of(measured);
        sheet.row(vec![
            if cell.target == last { String::new() } else { without_package(&cell.target).to_string() },
            column.heading(),
            cell.scope.to_string(),
            grouped(counts.paths),
            grouped(counts.shapes),
            grouped(counts.partial),
            published.map_or(String::new(), grouped),
            published.map_or(String::new(), |published| counts.named(published)),
        ]);
        last = &cell.target;
    }
    sheet
}

/// The counts of a call: paths, shapes and partial shapes.
struct StructureCounts {
    paths: u64,
    shapes: u64,
    partial: u64,
}

impl StructureCounts {
    fn of(measured: &MeasuredCell) -> StructureCounts {
        StructureCounts {
            paths: measured.number("/ends/returned"),
            shapes: measured.number("/shapes/whole"),
            partial: measured.number("/shapes/partial"),
        }
    }

    /// Which of them a published count is.
    fn named(&self, published: u64) -> String {
        let all = [("paths", self.paths), ("shapes", self.shapes), ("partial", self.partial)];
        let equal: Vec<&str> = all.iter().filter(|(_, count)| *count == published).map(|(name, _)| *name).collect();
        if equal.is_empty() { "≠".to_string() } else { format!("= {}", equal.join(", ")) }
    }
}

fn points(cells: &[&TableCell], column: &BlissColumn) -> Vec<(usize, f64)> {
    let of_column = cells.iter().filter(|cell| cell.column == column.name());
    of_column.filter_map(|cell| Some((cell.scope, cell.measured()?.cpu.as_secs_f64()))).collect()
}

/// The best of the paper's other techniques beside LI: which, and how many times as fast.
fn speed_up(of_row: &[&TableCell]) -> Option<(&'static str, f64)> {
    let seconds = |paper: &str| {
        let column = COLUMNS.iter().find(|column| column.paper == Some(paper))?;
        let cell = of_row.iter().find(|cell| cell.column == column.name())?;
        Some((column.name(), cell.measured()?.cpu.as_secs_f64()))
    };
    let [lazy, others @ ..] = &published::TECHNIQUES;
    let (_, slow) = seconds(lazy)?;
    let (name, quick) =
        others.iter().filter_map(|paper| seconds(paper)).min_by(|(_, one), (_, other)| one.total_cmp(other))?;
    Some((name, slow / quick))
}

fn precise_speed_up(of_row: &[&TableCell]) -> Option<f64> {
    let seconds = |is_it: &dyn Fn(&BlissColumn) -> bool| {
        let cell = of_row.iter().find(|cell| BlissColumn::of(cell).is_some_and(is_it))?;
        Some(cell.measured()?.cpu.as_secs_f64())
    };
    let lazy = seconds(&|column| column.paper == Some(published::TECHNIQUES[0]))?;
    let precise = seconds(&|column| column.paper.is_none() && column.store == ColumnCache::No)?;
    Some(lazy / precise)
}

fn published_speed_up(target: &str, scope: usize) -> Option<f64> {
    let seconds = |technique: &&str| published::time(without_package(target), technique, scope).and_then(Time::seconds);
    let [lazy, others @ ..] = &published::TECHNIQUES;
    let quick = others.iter().filter_map(seconds).min().filter(|quick| *quick > 0)?;
    Some(seconds(lazy)? as f64 / quick as f64)
}

fn published_time(cell: &TableCell) -> Option<Time> {
    published::time(without_package(&cell.target), BlissColumn::of(cell)?.paper?, cell.scope)
}

fn published_structures(cell: &TableCell) -> Option<u64> {
    published::structures(without_package(&cell.target), BlissColumn::of(cell)?.paper?, cell.scope)
}

fn times_as_fast(seconds: u64, measured: &MeasuredCell) -> f64 {
    seconds as f64 / measured.cpu.as_secs_f64()
}

fn verdict(measured: &MeasuredCell) -> &str {
    measured.report["verdict"].as_str().unwrap_or_default()
}

impl Time {
    fn seconds(self) -> Option<u64> {
        match self {
            Time::Seconds(seconds) => Some(seconds),
            Time::OutOfMemory | Time::TimedOut => None,
        }
    }

    fn outcome(self) -> &'static str {
        match self {
            Time::Seconds(_) => "measured",
            Time::OutOfMemory => "out of memory",
            Time::TimedOut => "out of time",
        }
    }

    fn text(self) -> String {
        match self {
            Time::Seconds(seconds) => format!("{:02}:{:02}", seconds / 60, seconds % 60),
            Time::OutOfMemory => "OOM".to_string(),
            Time::TimedOut => "TO".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::runner::CellOutcome;
    use super::*;

    #[test]
    fn whatever_was_published_has_a_cell() {
        let targets: Vec<String> =
            SUBJECTS.iter().flat_map(|subject| subject.methods.iter().map(|method| target(subject, method))).collect();
        for method in published::methods() {
            assert!(targets.iter().any(|target| without_package(target) == method), "{method}");
        }
        for technique in published::TECHNIQUES {
            assert!(COLUMNS.iter().any(|column| column.paper == Some(technique)), "{technique}");
        }
        // The first and the last of a row, and what is beside it.
        assert_eq!(published::time("TreeSet.bfs", "LI", 7), Some(Time::Seconds(5)));
        assert_eq!(published::time("TreeSet.bfs", "LI", 14), Some(Time::OutOfMemory));
        assert_eq!(published::time("TreeSet.bfs", "LI", 6), None);
        assert_eq!(published::time("TreeSet.bfs", "LI", 15), None);
        assert_eq!(published::time("BinomialHeap.dfs", "BLISSDB", 18), Some(Time::Seconds(486 * 60 + 43)));
        assert_eq!(published::structures("TreeSet.remove", "BLISSDB", 10), Some(79_621));
    }

    fn cell(technique: &str, scope: usize, paths: u64, seconds: u64) -> TableCell {
        let report =
            json!({"verdict": "holds", "ends": {"returned": paths}, "shapes": {"whole": paths, "partial": paths + 1}});
        let cpu = Duration::from_secs(seconds);
        let outcome = CellOutcome::Measured(MeasuredCell { report, cpu, wall: cpu, peak_memory: 1 });
        let column = technique::canonical_name(technique).expect("it is a technique").to_string();
        let (subject, target) = ("bliss.TreeSet".to_string(), "bliss.TreeSet.dfs".to_string());
        TableCell { subject, target, column, scope, outcome }
    }

    #[test]
    fn figures_stand_beside_the_published_ones() {
        let choice = TableChoice { cell_limit: Duration::from_secs(20), ..TableChoice::default() };
        let mut cut_off = cell("lihybrid", 12, 0, 0);
        cut_off.outcome = CellOutcome::OutOfTime;
        let cells = [
            cell("lihybrid", 10, 23_713, 8),
            cell("lihybrid", 11, 99, 30),
            cut_off,
            cell("bliss", 10, 216, 4),
            cell("bliss", 11, 407, 10),
            cell("pli", 11, 407, 15),
        ];
        let sheets: Vec<String> = Bliss.sheets(&cells, &choice).iter().map(Sheet::text).collect();
        let [times, speed_ups, long_runs, counts] = sheets.as_slice() else { panic!("four sheets") };
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed(times).contains("11 30.00 (05:44) 10.00 (05:06) 15.00 3.0× (4.5×)"), "{times}");
        assert!(squeezed(times).contains("12 > 20 s (OOM)"), "{times}");
        assert!(squeezed(speed_ups).contains("TreeSet.dfs sat 11 3.0× 4× RBLI 11 2.0×"), "{speed_ups}");
        assert!(squeezed(long_runs).contains("sat (BLISS) 11 306 10.00 31"), "{long_runs}");
        assert!(squeezed(counts).contains("10 23,713 23,713 23,714 23,713 = paths, shapes"), "{counts}");
        assert!(squeezed(counts).contains("sat (BLISS) 10 216 216 217 217 = partial"), "{counts}");
        assert!(squeezed(counts).contains("11 99 99 100 82,499 ≠"), "{counts}");

        let figures = Bliss.plots(&cells);
        assert_eq!(figures.len(), 1);
        let lines: Vec<usize> = figures[0].charts[0].lines.iter().map(|line| line.points.len()).collect();
        assert_eq!(lines, [2, 2, 1]);
    }
}
