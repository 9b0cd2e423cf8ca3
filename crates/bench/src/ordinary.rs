//! Which answers do the methods of ordinary classes get, by default and without preparation?
//!
//! The classes are the bundled corpus, right and with planted defects, or any that the user names by a class path and patterns. A cell is one method, checked as
//! a user would: with all scopes that the time allows, and with its faults confirmed on the JVM. The corpus is held to the bars of `BARS`.

mod answer;
mod corpus;

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::choice::TableChoice;
use super::runner::{Series, TableCell};
use super::sheet::{Sheet, Side};
use super::{BenchError, Table};
use answer::{ANSWERS, MethodCategory, is_confirmed, reasons, time, violations};

pub use corpus::{Corpus, ExpectedFault, PlantedDefect};

/// A method of the class path of a table that measures any classes.
#[derive(Clone, Debug)]
pub struct MeasuredMethod {
    /// Its class: `shop.Cart`.
    pub class: String,
    /// As `lazuli check` takes it, with a descriptor: `shop.Cart.add(I)V`.
    pub target: String,
}

/// The time for one method, unless the user gives less. Planted defects must be found within it.
const TIME: Duration = Duration::from_secs(10);
/// The least share of methods with a definite answer, in percent.
const DEFINITE: usize = 85;
/// The column of methods without a planted defect.
const METHOD: &str = "method";
/// The column of methods in which a defect is planted.
const PLANTED: &str = "planted";
/// Reasons that are listed.
const REASONS: usize = 15;

pub(crate) struct Ordinary;

impl Table for Ordinary {
    fn name(&self) -> &'static str {
        "ordinary"
    }

    fn about(&self) -> &'static str {
        "The answers that methods of ordinary classes get: a corpus with planted defects, or with -cp PATH [PATTERN…] classes of yours."
    }

    fn usual_time(&self) -> Duration {
        Duration::from_secs(60 * 60)
    }

    fn takes_any_classes(&self) -> bool {
        true
    }

    fn plan(&self, choice: &TableChoice) -> Result<Vec<Series>, BenchError> {
        if !choice.techniques.is_empty() {
            return Err(BenchError::NoTechniques { table: self.name() });
        }
        if choice.scopes.is_some() || choice.wants_all_scopes {
            return Err(BenchError::NoScopes { table: self.name() });
        }
        let time = TIME.min(choice.cell_limit);
        let methods: Vec<&MeasuredMethod> =
            choice.methods.iter().filter(|method| is_measured(method, choice)).collect();
        let chosen = choice.chosen(&methods, |method| (method.class.clone(), name(&method.target).to_string()))?;
        let series = chosen.into_iter().map(|method| {
            let arguments = ["check", &method.target, "--jobs", "1"].map(str::to_string).to_vec();
            let column = if planted(&method.target, choice).is_some() { PLANTED } else { METHOD };
            let series = Series::new(&method.class, &method.target, column, vec![(0, arguments)]);
            Series { own_time: Some(time), ..series }
        });
        Ok(series.collect())
    }

    fn figures(&self, cell: &TableCell, choice: &TableChoice) -> Map<String, Value> {
        let mut figures = Map::new();
        let mut put = |name: &str, value: Value| drop(figures.insert(name.to_string(), value));
        let answer = MethodCategory::of(cell);
        put("answer", json!(answer.name()));
        if let Some(measured) = cell.measured() {
            put("verdict", measured.report["verdict"].clone());
            put("time_ms", measured.report["time_ms"].clone());
        }
        if !answer.is_definite() {
            put("reasons", json!(reasons(cell)));
        }
        if let Some(defect) = planted(&cell.target, choice) {
            let shown = DefectOutcome::of(cell, defect);
            put(
                "planted",
                json!({
                    "kind": defect.kind,
                    "expected": defect.expected.name(),
                    "found": shown != DefectOutcome::Missed,
                    "confirmed": shown == DefectOutcome::Confirmed,
                }),
            );
        }
        figures
    }

    fn sheets(&self, cells: &[TableCell], choice: &TableChoice) -> Vec<Sheet> {
        let (of_defects, methods): (Vec<&TableCell>, Vec<&TableCell>) =
            cells.iter().partition(|cell| cell.column == PLANTED);
        let mut sheets = vec![answers(&methods), commonest_reasons(cells)];
        if !of_defects.is_empty() {
            sheets.push(defects(&of_defects, choice));
            sheets.push(bars(&methods, &of_defects, choice));
        }
        sheets.into_iter().filter(|sheet| !sheet.is_empty()).collect()
    }
}

/// How a planted defect was met.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DefectOutcome {
    Confirmed,
    Unconfirmed,
    Missed,
}

impl DefectOutcome {
    fn of(cell: &TableCell, defect: &PlantedDefect) -> DefectOutcome {
        let mut meant = violations(cell).filter(|fault| fault["kind"].as_str().is_some_and(|k| defect.is_shown_by(k)));
        match meant.next() {
            None => DefectOutcome::Missed,
            Some(first) if is_confirmed(first) || meant.any(is_confirmed) => DefectOutcome::Confirmed,
            Some(_) => DefectOutcome::Unconfirmed,
        }
    }
}

/// In a package with a defect, only the method that shows it is measured: the others have been measured without it.
fn is_measured(method: &MeasuredMethod, choice: &TableChoice) -> bool {
    let is_below = |defect: &PlantedDefect| {
        method.class.strip_prefix(&defect.package()).is_some_and(|class| class.starts_with('.'))
    };
    !choice.planted.iter().any(is_below) || planted(&method.target, choice).is_some()
}

/// The defect that must be found on a target.
fn planted<'a>(target: &str, choice: &'a TableChoice) -> Option<&'a PlantedDefect> {
    choice.planted.iter().find(|defect| defect.target() == name(target))
}

/// A target without its descriptor, with nested classes as in source.
fn name(target: &str) -> String {
    target.split('(').next().unwrap_or(target).replace('$', ".")
}

/// One row for each class, and one for all of them.
fn answers(cells: &[&TableCell]) -> Sheet {
    let note = "Of each class: its public methods, and how many of them got which answer. A method counts once, by the weightiest thing that was found. Notes are \
                faults of objects that no calls were found to make. Seconds are those that a user waits, confirmation included.";
    let mut sheet = Sheet::new("Answers", note).column("class", Side::Left).column("methods", Side::Right);
    for answer in ANSWERS {
        sheet = sheet.column(answer.name(), Side::Right);
    }
    let mut sheet = sheet.column("median s", Side::Right).column("total s", Side::Right);
    let mut classes: Vec<&str> = cells.iter().map(|cell| cell.subject.as_str()).collect();
    classes.dedup();
    for class in classes {
        let of_class: Vec<&TableCell> = cells.iter().copied().filter(|cell| cell.subject == class).collect();
        sheet.row(answers_of(class, &of_class, |count, _| if count == 0 { String::new() } else { count.to_string() }));
    }
    if !cells.is_empty() {
        let share = |count: usize, all: usize| format!("{count} ({} %)", (200 * count + all) / (2 * all));
        sheet.row(answers_of("all", cells, share));
    }
    sheet
}

fn answers_of(name: &str, cells: &[&TableCell], number: impl Fn(usize, usize) -> String) -> Vec<String> {
    let mut row = vec![name.to_string(), cells.len().to_string()];
    for answer in ANSWERS {
        row.push(number(cells.iter().filter(|cell| MethodCategory::of(cell) == answer).count(), cells.len()));
    }
    let mut times: Vec<Duration> = cells.iter().map(|cell| time(cell)).collect();
    times.sort();
    let seconds = |time: Duration| format!("{:.1}", time.as_secs_f64());
    row.push(seconds(times[times.len() / 2]));
    row.push(seconds(times.iter().sum()));
    row
}

/// Why methods have no definite answer, the commonest reason first.
fn commonest_reasons(cells: &[TableCell]) -> Sheet {
    let mut counted: Vec<(String, usize, &str)> = Vec::new();
    for cell in cells.iter().filter(|cell| !MethodCategory::of(cell).is_definite()) {
        for reason in reasons(cell) {
            match counted.iter_mut().find(|(known, ..)| *known == reason) {
                Some((_, count, _)) => *count += 1,
                None => counted.push((reason, 1, &cell.target)),
            }
        }
    }
    counted.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
    let note = "A method may have several reasons.";
    let mut sheet = Sheet::new("Why methods are incomplete", note)
        .column("methods", Side::Right)
        .column("reason", Side::Left)
        .column("for example", Side::Left);
    for (reason, count, example) in counted.into_iter().take(REASONS) {
        sheet.row(vec![count.to_string(), reason, name(example)]);
    }
    sheet
}

/// One row for each planted defect.
fn defects(cells: &[&TableCell], choice: &TableChoice) -> Sheet {
    let mut sheet =
        Sheet::new("Planted defects", "Found means: among the violations is one of the kind that was planted.")
            .column("method", Side::Left)
            .column("defect", Side::Left)
            .column("expected", Side::Left)
            .column("found", Side::Left)
            .column("answer", Side::Left)
            .column("s", Side::Right);
    for cell in cells {
        let Some(defect) = planted(&cell.target, choice) else { continue };
        let found = match DefectOutcome::of(cell, defect) {
            DefectOutcome::Confirmed => "confirmed",
            DefectOutcome::Unconfirmed => "not confirmed",
            DefectOutcome::Missed => "no",
        };
        sheet.row(vec![
            defect.target(),
            defect.kind.clone(),
            defect.expected.name().to_string(),
            found.to_string(),
            MethodCategory::of(cell).name().to_string(),
            format!("{:.1}", time(cell).as_secs_f64()),
        ]);
    }
    sheet
}

/// The bars of the corpus, and the measured figures.
fn bars(methods: &[&TableCell], defects: &[&TableCell], choice: &TableChoice) -> Sheet {
    let shown = |wanted: DefectOutcome| {
        let is_wanted = |cell: &&&TableCell| {
            planted(&cell.target, choice).is_some_and(|defect| DefectOutcome::of(cell, defect) == wanted)
        };
        defects.iter().filter(is_wanted).count()
    };
    let (confirmed, unconfirmed) = (shown(DefectOutcome::Confirmed), shown(DefectOutcome::Unconfirmed));
    let wrong = methods.iter().filter(|cell| MethodCategory::of(cell).is_violated()).count();
    let definite = methods.iter().filter(|cell| MethodCategory::of(cell).is_definite()).count();
    let mut sheet = Sheet::new("Bars", "")
        .column("bar", Side::Left)
        .column("measured", Side::Right)
        .column("of", Side::Right)
        .column("met", Side::Left);
    let mut row = |bar: &str, measured: usize, of: usize, is_met: bool| {
        let met = if is_met { "yes" } else { "no" };
        sheet.row(vec![bar.to_string(), measured.to_string(), of.to_string(), met.to_string()]);
    };
    row("planted defects found", confirmed + unconfirmed, defects.len(), confirmed + unconfirmed == defects.len());
    row("planted defects found and confirmed on the JVM", confirmed, defects.len(), confirmed == defects.len());
    row("right methods that are called violated: none", wrong, methods.len(), wrong == 0);
    let bar = format!("right methods with a definite answer: {DEFINITE} %");
    row(&bar, definite, methods.len(), 100 * definite >= DEFINITE * methods.len());
    sheet
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::runner::{CellOutcome, MeasuredCell};
    use super::*;

    fn choice() -> TableChoice {
        let [origin, name, kind, class, method] =
            ["ordinary.voting", "winner", "unboxing null", "Box", "votes"].map(str::to_string);
        let expected = ExpectedFault::Throws("NullPointerException".to_string());
        let planted = PlantedDefect { origin, name, kind, class, method, expected, driver: Vec::new() };
        let method = |class: &str, method: &str| MeasuredMethod {
            class: class.to_string(),
            target: format!("{class}.{method}()I"),
        };
        TableChoice {
            subjects: Vec::new(),
            directory: PathBuf::new(),
            scopes: None,
            wants_all_scopes: false,
            techniques: Vec::new(),
            cell_limit: Duration::from_secs(20),
            wants_every_cell: false,
            methods: vec![
                method("ordinary.voting.Box", "votes"),
                method("ordinary.voting.Box", "cast"),
                method("ordinary.voting.winner.Box", "votes"),
                method("ordinary.voting.winner.Box", "cast"),
            ],
            planted: vec![planted],
        }
    }

    fn cells(reports: [Value; 3]) -> Vec<TableCell> {
        let plan = Ordinary.plan(&choice()).expect("it is right");
        let cells = plan.into_iter().zip(reports).map(|(series, report)| TableCell {
            subject: series.subject,
            target: series.target,
            column: series.column,
            scope: 0,
            outcome: CellOutcome::Measured(MeasuredCell {
                report,
                cpu: Duration::ZERO,
                wall: Duration::from_secs(1),
                peak_memory: 1,
            }),
        });
        cells.collect()
    }

    #[test]
    fn of_a_package_with_a_defect_only_that_is_measured() {
        let plan = Ordinary.plan(&choice()).expect("it is right");
        let planned: Vec<(&str, &str)> = plan.iter().map(|s| (s.target.as_str(), s.column.as_str())).collect();
        let expected = [
            ("ordinary.voting.Box.votes()I", METHOD),
            ("ordinary.voting.Box.cast()I", METHOD),
            ("ordinary.voting.winner.Box.votes()I", PLANTED),
        ];
        assert_eq!(planned, expected);
        assert!(plan.iter().all(|series| series.own_time == Some(TIME)));
    }

    #[test]
    fn bars_are_met_or_not() {
        let null = |confirmed: bool| json!({"kind": "NullPointerException", "confirmed_on_jvm": confirmed});
        let violated = |fault: Value| json!({"verdict": "violated", "violations": [fault]});
        let holds = json!({"verdict": "holds"});
        let text = |reports| {
            let sheets = Ordinary.sheets(&cells(reports), &choice());
            sheets.iter().map(Sheet::markdown).collect::<Vec<_>>().join("\n")
        };
        let good = text([holds.clone(), holds.clone(), violated(null(true))]);
        assert_eq!((good.matches("| yes |").count(), good.matches("| no |").count()), (4, 0), "{good}");
        assert!(good.contains("| all | 2 | 2 (100 %) | 0 (0 %) |"), "{good}");
        let unconfirmed = text([holds.clone(), holds.clone(), violated(null(false))]);
        assert!(
            unconfirmed.contains("| planted defects found and confirmed on the JVM | 0 | 1 | no |"),
            "{unconfirmed}"
        );
        let wrong = text([violated(null(true)), json!({"verdict": "incomplete"}), holds]);
        assert_eq!(wrong.matches("| no |").count(), 5, "{wrong}");
    }
}
