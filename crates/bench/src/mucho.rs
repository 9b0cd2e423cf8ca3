//! Into how many pieces does MUCHO-TACO's rule split a problem?
//!
//! Its Table 1, by the rule as it is printed. The pieces that `lazuli check --engine sat` solves follow another rule, because this one loses inputs with cycles
//! and sharing.

mod published;

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::choice::TableChoice;
use super::runner::{Series, TableCell};
use super::sheet::{Sheet, Side};
use super::{BenchError, Table};
use published::{NODES, PublishedPieces, REDUCTIONS, SCOPE, TABLE_1};

/// The only column: all reductions are counted in one run.
const COLUMN: &str = "pieces";

/// The fields over which nodes are numbered, where the order of their declaration is not the paper's.
const BACKBONES: [(&str, &str); 1] = [("taco.BinHeap", "nodes,sibling,child")];

/// The pieces of a reduction for so many nodes.
fn counted(report: &Value, reduction: &str, nodes: usize) -> Option<u64> {
    report["pieces"].as_array()?.iter().find(|row| row["nodes"] == json!(nodes))?[reduction].as_u64()
}

pub(crate) struct Mucho;

impl Table for Mucho {
    fn name(&self) -> &'static str {
        "mucho"
    }

    fn about(&self) -> &'static str {
        "MUCHO-TACO's Table 1 (ISSTA 2013): pieces of a problem for 2 to 6 nodes at scope 20, by the rule as it is printed."
    }

    fn usual_time(&self) -> Duration {
        Duration::from_secs(15 * 60)
    }

    fn plan(&self, choice: &TableChoice) -> Result<Vec<Series>, BenchError> {
        choice.columns(&[COLUMN], |column| column)?;
        let all: Vec<&PublishedPieces> = TABLE_1.iter().collect();
        let chosen = choice.chosen(&all, |row| (row.class.to_string(), row.class.to_string()))?;
        let plan = chosen.into_iter().map(|row| {
            let requests = choice.scopes_or(&[SCOPE]).into_iter().map(|scope| {
                let words = ["bounds", row.class, "--scope", &scope.to_string(), "--jobs", "1", "--cache", "none"];
                let mut words = words.map(str::to_string).to_vec();
                words.extend(["--count-pieces".to_string(), NODES.end().to_string()]);
                if let Some((_, backbone)) = BACKBONES.iter().find(|(class, _)| *class == row.class) {
                    words.extend(["--backbone".to_string(), backbone.to_string()]);
                }
                (scope, words)
            });
            Series::new(row.class, row.class, COLUMN, requests.collect())
        });
        Ok(plan.collect())
    }

    fn figures(&self, cell: &TableCell, _choice: &TableChoice) -> Map<String, Value> {
        let mut figures = Map::new();
        if let Some(measured) = cell.measured() {
            figures.insert("pieces".to_string(), measured.report["pieces"].clone());
        }
        let published = TABLE_1.iter().find(|row| row.class == cell.target && cell.scope == SCOPE);
        if let Some(published) = published {
            figures.insert("published".to_string(), json!(published.pieces));
        }
        figures
    }

    fn sheets(&self, cells: &[TableCell], choice: &TableChoice) -> Vec<Sheet> {
        let note = "Pieces if the references of the first n nodes are chosen; in brackets the published number where it differs. NO: no optimisation; OP1: only \
                    numbers that a breadth-first walk gives; OP2: and no aliasing; OP3: and only beginnings of valid structures.";
        let mut sheet = Sheet::new("Table 1", note).column("class", Side::Left).column("opt", Side::Left);
        for nodes in NODES {
            sheet = sheet.column(&format!("n={nodes}"), Side::Right);
        }
        for cell in cells {
            let published = TABLE_1.iter().find(|row| row.class == cell.target && cell.scope == SCOPE);
            for (at, (name, reduction)) in REDUCTIONS.iter().enumerate() {
                let mut row = vec![if at == 0 { cell.target.clone() } else { String::new() }, name.to_string()];
                row.extend(NODES.enumerate().map(|(column, nodes)| match cell.measured() {
                    None => cell.outcome.instead(choice.cell_limit),
                    Some(measured) => compared(
                        counted(&measured.report, reduction, nodes),
                        published.map(|published| published.pieces[at][column]),
                    ),
                }));
                sheet.row(row);
            }
        }
        if sheet.is_empty() { Vec::new() } else { vec![sheet] }
    }
}

/// The number, and the published one if it differs.
fn compared(ours: Option<u64>, published: Option<u64>) -> String {
    let ours_text = ours.map_or("unknown".to_string(), |ours| ours.to_string());
    match published {
        Some(published) if Some(published) != ours => format!("{ours_text} ({published})"),
        _ => ours_text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_differ_stand_beside_the_published_ones() {
        assert_eq!(compared(Some(3), Some(3)), "3");
        assert_eq!(compared(Some(3), Some(4)), "3 (4)");
        assert_eq!(compared(None, Some(4)), "unknown (4)");
        let report = json!({"pieces": [{"nodes": 2, "none": 4, "symmetry": 3, "aliasing": 3, "invariant": null}]});
        assert_eq!((counted(&report, "none", 2), counted(&report, "invariant", 2)), (Some(4), None));
        assert_eq!(counted(&report, "none", 3), None);
    }
}
