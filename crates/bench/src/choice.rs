//! Which part of a table is measured?

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use lazuli_explore::technique;

use crate::{BenchError, MeasuredMethod, PlantedDefect};

/// The part of a table that the user wants.
#[derive(Default)]
pub struct TableChoice {
    /// Classes or methods; all if there are none.
    pub subjects: Vec<String>,
    /// Where the sources of the subjects are.
    pub directory: PathBuf,
    /// Those of the table if there are none.
    pub scopes: Option<Scopes>,
    /// All scopes of the paper, and not only the smaller ones?
    pub wants_all_scopes: bool,
    /// All if there are none.
    pub techniques: Vec<String>,
    /// CPU time for one cell.
    pub cell_limit: Duration,
    /// List the effort for every cell, and not only for the largest scope that was finished?
    pub wants_every_cell: bool,
    /// The methods of the class path, for a table that takes any classes.
    pub methods: Vec<MeasuredMethod>,
    /// The defects that are known to be among them.
    pub planted: Vec<PlantedDefect>,
}

impl TableChoice {
    /// The targets that the user wants, of all that a table has. A target goes by its class or its own name, each with or without
    /// the package.
    pub(crate) fn chosen<T: Copy>(
        &self,
        all: &[T],
        names: impl Fn(T) -> (String, String),
    ) -> Result<Vec<T>, BenchError> {
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
                return Err(BenchError::NoSuchSubject { wanted: wanted.clone(), known });
            }
        }
        let is_chosen =
            |target: T| self.subjects.is_empty() || self.subjects.iter().any(|wanted| is_meant(target, wanted));
        Ok(all.iter().copied().filter(|target| is_chosen(*target)).collect())
    }

    /// The columns that the user wants, of all that a table has. One of a technique also goes by the technique's other names.
    pub(crate) fn columns<T: Copy>(&self, all: &[T], name: impl Fn(T) -> &'static str) -> Result<Vec<T>, BenchError> {
        let is_meant =
            |column: T, wanted: &str| name(column) == wanted || technique::canonical_name(wanted) == Some(name(column));
        for wanted in &self.techniques {
            if !all.iter().any(|column| is_meant(*column, wanted)) {
                let known = all.iter().map(|column| name(*column)).collect();
                return Err(BenchError::NoSuchTechnique { wanted: wanted.clone(), known });
            }
        }
        let is_chosen =
            |column: T| self.techniques.is_empty() || self.techniques.iter().any(|wanted| is_meant(column, wanted));
        Ok(all.iter().copied().filter(|column| is_chosen(*column)).collect())
    }

    /// The scopes that the user wants, or the usual ones.
    pub(crate) fn scopes_or(&self, usual: &[usize]) -> Vec<usize> {
        match self.scopes {
            Some(Scopes { first, last }) => (first..=last).collect(),
            None => usual.to_vec(),
        }
    }
}

/// Scopes in a row: `4`, `1..6`. Both ends are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scopes {
    /// At least 1.
    pub first: usize,
    /// Not less than the first.
    pub last: usize,
}

/// The largest scope that is accepted.
const MOST_SCOPES: usize = 10_000;

/// A text that is no row of scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write scopes such as 4 or 1..6, from 1 to {MOST_SCOPES}")]
pub struct ScopesError;

impl FromStr for Scopes {
    type Err = ScopesError;

    fn from_str(text: &str) -> Result<Scopes, ScopesError> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| (1..=MOST_SCOPES).contains(number));
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Scopes { first, last }),
            _ => Err(ScopesError),
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
            let choice = TableChoice {
                subjects,
                directory: PathBuf::new(),
                scopes: None,
                wants_all_scopes: false,
                techniques: Vec::new(),
                cell_limit: Duration::ZERO,
                wants_every_cell: false,
                methods: Vec::new(),
                planted: Vec::new(),
            };
            let found = choice.chosen(&all, |(class, method)| (class.to_string(), method.to_string()));
            found.map(|found| found.into_iter().map(|(_, method)| method).collect::<Vec<_>>())
        };
        assert_eq!(chosen(&[]).unwrap().len(), 3);
        assert_eq!(chosen(&["Map"]).unwrap(), ["p.Map.put", "p.Map.get"]);
        assert_eq!(chosen(&["p.Map.get", "Set.put"]).unwrap(), ["p.Map.get", "q.Set.put"]);
        assert!(chosen(&["put"]).unwrap_err().to_string().contains("there are: p.Map, q.Set"));
    }
}
