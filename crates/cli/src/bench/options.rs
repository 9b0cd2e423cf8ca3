//! What can be asked of `lazuli bench`?

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use lazuli_console::units::{duration, size};
use lazuli_explore::technique;

use crate::arguments::at_least_one;

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 all was measured, as far as the limits of single cells allow; 2 the request is wrong; 3 the time \
                        ended, or a cell failed, before all was measured."
)]
pub struct BenchOptions {
    /// The tables to measure [default: list them]
    #[arg(value_name = "TABLE")]
    pub tables: Vec<String>,

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
pub enum BenchFormat {
    /// For people at a terminal
    Text,
    /// For documents
    Markdown,
    /// For programs
    Json,
}

/// The part of a table that the user wants.
pub struct Choice {
    pub subjects: Vec<String>,
    /// Where the sources of the subjects are.
    pub directory: PathBuf,
    pub scopes: Option<Scopes>,
    pub wants_all_scopes: bool,
    pub techniques: Vec<String>,
    pub cell_limit: Duration,
    pub wants_every_cell: bool,
}

impl BenchOptions {
    pub fn choice(&self) -> Choice {
        Choice {
            subjects: self.subject.clone(),
            directory: self.subjects.clone(),
            scopes: self.scope,
            wants_all_scopes: self.full,
            techniques: self.technique.clone(),
            cell_limit: self.cell,
            wants_every_cell: self.every_cell,
        }
    }
}

impl Choice {
    /// The targets that the user wants, of all that a table has. A target goes by its class or its own name, each with or without
    /// the package.
    pub fn chosen<T: Copy>(&self, all: &[T], names: impl Fn(T) -> (String, String)) -> Result<Vec<T>, String> {
        let is_meant = |target: T, wanted: &str| {
            let (class, method) = names(target);
            [class, method].iter().any(|name| {
                name == wanted || name.split_once('.').is_some_and(|(_, without_package)| without_package == wanted)
            })
        };
        for wanted in &self.subjects {
            if !all.iter().any(|target| is_meant(*target, wanted)) {
                let mut known: Vec<String> = all.iter().map(|target| names(*target).0).collect();
                known.dedup();
                return Err(format!("the table has no subject {wanted}; there are: {}.", known.join(", ")));
            }
        }
        let is_chosen =
            |target: T| self.subjects.is_empty() || self.subjects.iter().any(|wanted| is_meant(target, wanted));
        Ok(all.iter().copied().filter(|target| is_chosen(*target)).collect())
    }

    /// The columns that the user wants, of all that a table has. One of a technique also goes by the technique's other names.
    pub fn columns<T: Copy>(&self, all: &[T], name: impl Fn(T) -> &'static str) -> Result<Vec<T>, String> {
        let is_meant =
            |column: T, wanted: &str| name(column) == wanted || technique::canonical_name(wanted) == Some(name(column));
        for wanted in &self.techniques {
            if !all.iter().any(|column| is_meant(*column, wanted)) {
                let known: Vec<&str> = all.iter().map(|column| name(*column)).collect();
                return Err(format!("the table has no technique {wanted}; there are: {}.", known.join(", ")));
            }
        }
        let is_chosen =
            |column: T| self.techniques.is_empty() || self.techniques.iter().any(|wanted| is_meant(column, wanted));
        Ok(all.iter().copied().filter(|column| is_chosen(*column)).collect())
    }

    /// The scopes that the user wants, or the usual ones.
    pub fn scopes_or(&self, usual: &[usize]) -> Vec<usize> {
        match self.scopes {
            Some(Scopes { first, last }) => (first..=last).collect(),
            None => usual.to_vec(),
        }
    }
}

/// Scopes in a row: `4`, `1..6`. Both ends are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scopes {
    pub first: usize,
    pub last: usize,
}

/// More than this in a row is a slip of the keyboard.
const MOST_SCOPES: usize = 10_000;

impl FromStr for Scopes {
    type Err = String;

    fn from_str(text: &str) -> Result<Scopes, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| (1..=MOST_SCOPES).contains(number));
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Scopes { first, last }),
            _ => Err(format!("write scopes such as 4 or 1..6, from 1 to {MOST_SCOPES}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_one_or_a_row() {
        assert_eq!("4".parse(), Ok(Scopes { first: 4, last: 4 }));
        assert_eq!("1..6".parse(), Ok(Scopes { first: 1, last: 6 }));
        for wrong in ["", "0", "..", "1..", "6..1", "a..b", "1..=3", "1..99999999"] {
            assert!(wrong.parse::<Scopes>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn subjects_go_by_several_names() {
        let all = [("p.Map", "p.Map.put"), ("p.Map", "p.Map.get"), ("q.Set", "q.Set.put")];
        let chosen = |names: &[&str]| {
            let subjects = names.iter().map(|name| name.to_string()).collect();
            let choice = Choice {
                subjects,
                directory: PathBuf::new(),
                scopes: None,
                wants_all_scopes: false,
                techniques: Vec::new(),
                cell_limit: Duration::ZERO,
                wants_every_cell: false,
            };
            let found = choice.chosen(&all, |(class, method)| (class.to_string(), method.to_string()));
            found.map(|found| found.into_iter().map(|(_, method)| method).collect::<Vec<_>>())
        };
        assert_eq!(chosen(&[]).unwrap().len(), 3);
        assert_eq!(chosen(&["Map"]).unwrap(), ["p.Map.put", "p.Map.get"]);
        assert_eq!(chosen(&["p.Map.get", "Set.put"]).unwrap(), ["p.Map.get", "q.Set.put"]);
        assert!(chosen(&["put"]).unwrap_err().contains("there are: p.Map, q.Set"));
    }
}
