//! How many states does Kiasan's Table 1 count, and how long do they take here?
//!
//! Each method has two versions: one of ints, and one of objects whose order only code knows that is not there.

mod published;

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::choice::TableChoice;
use super::runner::{MeasuredCell, Series, TableCell, targets_and_scopes};
use super::sheet::{Sheet, Side};
use super::{BenchError, Table};
use published::{PublishedStates, TABLE_1};

/// The technique of the only column.
const TECHNIQUE: &str = "kiasan";

/// A method, its contract, and the values of k for which it is measured.
struct KiasanTarget {
    class: &'static str,
    method: &'static str,
    pre: Option<&'static str>,
    post: Option<&'static str>,
    all: &'static [usize],
}

const TO_FOUR: &[usize] = &[1, 2, 3, 4];
const TO_FIVE: &[usize] = &[1, 2, 3, 4, 5];
const TARGET: KiasanTarget = KiasanTarget { class: "", method: "", pre: None, post: None, all: TO_FOUR };
const HEAP: KiasanTarget = KiasanTarget { method: "deleteMin", pre: Some("notEmpty"), all: TO_FIVE, ..TARGET };
const SORT: KiasanTarget =
    KiasanTarget { method: "sort", pre: Some("given"), post: Some("sorted"), all: TO_FIVE, ..TARGET };

const TARGETS: &[KiasanTarget] = &[
    KiasanTarget { class: "kiasan.BinaryHeap", ..HEAP },
    KiasanTarget { class: "kiasan.ComparableHeap", ..HEAP },
    KiasanTarget { class: "kiasan.InsertionSort", ..SORT },
    KiasanTarget { class: "kiasan.ComparableSort", ..SORT },
    KiasanTarget { class: "kiasan.MergeList", method: "merge", pre: Some("apart"), all: TO_FIVE, ..TARGET },
    KiasanTarget {
        class: "kiasan.ComparatorMerge",
        method: "merge",
        pre: Some("mergeable"),
        post: Some("merged"),
        all: TO_FIVE,
    },
    KiasanTarget { class: "kiasan.SearchTree", method: "insert", ..TARGET },
    KiasanTarget { class: "kiasan.ComparatorTree", method: "insert", pre: Some("given"), ..TARGET },
    KiasanTarget { class: "kiasan.RedBlackTree", method: "remove", ..TARGET },
    KiasanTarget { class: "kiasan.ComparatorRedBlackTree", method: "remove", pre: Some("given"), ..TARGET },
];

impl KiasanTarget {
    fn name(&self) -> String {
        format!("{}.{}", self.class, self.method)
    }

    fn arguments(&self, k: usize) -> Vec<String> {
        let (name, k) = (self.name(), k.to_string());
        let mut arguments = vec!["check", &name, "--technique", TECHNIQUE, "--k", &k, "--jobs", "1", "--no-confirm"];
        arguments.extend(self.pre.into_iter().flat_map(|pre| ["--pre", pre]));
        arguments.extend(self.post.into_iter().flat_map(|post| ["--post", post]));
        arguments.into_iter().map(str::to_string).collect()
    }
}

pub(crate) struct KiasanTable;

impl Table for KiasanTable {
    fn name(&self) -> &'static str {
        "kiasan"
    }

    fn about(&self) -> &'static str {
        "The states of Kiasan's Table 1 (ASE 2006): each method for ints, and for objects whose order is unknown code's. A scope here is k."
    }

    fn usual_time(&self) -> Duration {
        Duration::from_secs(5 * 60)
    }

    fn plan(&self, choice: &TableChoice) -> Result<Vec<Series>, BenchError> {
        choice.columns(&[TECHNIQUE], |name| name)?;
        let targets: Vec<&KiasanTarget> = TARGETS.iter().collect();
        let chosen = choice.chosen(&targets, |target| (target.class.to_string(), target.name()))?;
        let series = chosen.into_iter().map(|target| {
            let ks = choice.scopes_or(target.all);
            let requests = ks.iter().map(|k| (*k, target.arguments(*k))).collect();
            Series::new(target.class, &target.name(), TECHNIQUE, requests)
        });
        Ok(series.collect())
    }

    fn figures(&self, cell: &TableCell, _choice: &TableChoice) -> Map<String, Value> {
        let mut figures = Map::new();
        if let Some(measured) = cell.measured() {
            figures.insert("verdict".to_string(), measured.report["verdict"].clone());
            for figure in ["pre", "b_post", "a_post", "visited"] {
                figures.insert(figure.to_string(), json!(measured.number(&format!("/states/{figure}"))));
            }
        }
        if let Some(PublishedStates { pre, post, states, time }) = published(&cell.target, cell.scope) {
            let published = json!({"pre": pre, "post": post, "states": states, "time": time});
            figures.insert("published".to_string(), published);
        }
        figures
    }

    fn sheets(&self, cells: &[TableCell], choice: &TableChoice) -> Vec<Sheet> {
        let note = "Pre, B-Post, A-Post: states at entry, and before and after the postcondition. States: those that an answer led to, each of \
                    which stands for all instructions up to the next question; the paper counts instructions. Beside them the paper's Pre and \
                    Post, and its states and minutes; > 10 min: it gave up.";
        let mut sheet = Sheet::new("Table 1", note).column("target", Side::Left).column("k", Side::Right);
        for heading in ["Pre", "B-Post", "A-Post", "states", "CPU s", "verdict", "Pre*", "Post*", "states*", "time*"] {
            sheet = sheet.column(heading, Side::Right);
        }
        let mut last = "";
        for (target, k) in targets_and_scopes(cells) {
            let Some(cell) = cells.iter().find(|cell| cell.target == target && cell.scope == k) else { continue };
            let mut row = vec![if target == last { String::new() } else { target.to_string() }, k.to_string()];
            match cell.measured() {
                Some(measured) => row.extend(counts(measured)),
                None => {
                    row.push(cell.outcome.instead(choice.cell_limit));
                    row.extend(std::iter::repeat_n(String::new(), 5));
                }
            }
            row.extend(theirs(target, k));
            sheet.row(row);
            last = target;
        }
        if sheet.is_empty() { Vec::new() } else { vec![sheet] }
    }
}

fn counts(measured: &MeasuredCell) -> Vec<String> {
    let figures = ["pre", "b_post", "a_post", "visited"];
    let mut row: Vec<String> =
        figures.iter().map(|figure| measured.number(&format!("/states/{figure}")).to_string()).collect();
    row.push(format!("{:.2}", measured.cpu.as_secs_f64()));
    row.push(measured.report["verdict"].as_str().unwrap_or_default().to_string());
    row
}

/// The paper's figures of a cell. It has none for larger k.
fn theirs(target: &str, k: usize) -> [String; 4] {
    match published(target, k) {
        Some(PublishedStates { pre, post, states, time }) => {
            let given = |figure: Option<&str>| figure.unwrap_or_default().to_string();
            [pre.to_string(), post.to_string(), given(states), given(time)]
        }
        None if k == 4 => ["", "", "", "> 10 min"].map(str::to_string),
        None => Default::default(),
    }
}

fn published(target: &str, k: usize) -> Option<PublishedStates> {
    let row = TABLE_1.iter().find(|row| row.target == target)?;
    row.cells.get(k.checked_sub(1)?).copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_was_published_has_a_cell() {
        for row in TABLE_1 {
            let target = TARGETS.iter().find(|target| target.name() == row.target);
            let target = target.unwrap_or_else(|| panic!("{} is not measured", row.target));
            for (k, _) in (1..).zip(row.cells).filter(|(_, cell)| cell.is_some()) {
                assert!(target.all.contains(&k), "{} for k = {k}", row.target);
            }
        }
        assert_eq!(TABLE_1.len(), TARGETS.len());
    }

    #[test]
    fn the_paper_gave_up_on_trees_of_height_four() {
        assert_eq!(theirs("kiasan.SearchTree.insert", 3), ["26", "236", "233k", "0:55.8"].map(str::to_string));
        assert_eq!(theirs("kiasan.SearchTree.insert", 4), ["", "", "", "> 10 min"].map(str::to_string));
        assert_eq!(theirs("kiasan.MergeList.merge", 5), ["25", "251", "", ""].map(str::to_string));
        assert_eq!(theirs("kiasan.MergeList.merge", 6), <[String; 4]>::default());
    }
}
