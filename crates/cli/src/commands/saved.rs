//! Reads reports that an earlier `lazuli check --format json` wrote.

use std::path::{Path, PathBuf};

use lazuli_console::safe;
use serde::de::DeserializeOwned;

/// Why a file is no report.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SavedReportError {
    #[error("{} cannot be read: {error}.", file.display())]
    Unreadable { file: PathBuf, error: std::io::Error },
    #[error(
        "{} is no report in JSON: {why}. `lazuli check --format json -o FILE …` writes one.",
        file.display()
    )]
    NoReport { file: PathBuf, why: String },
}

impl SavedReportError {
    pub(super) fn no_report(file: &Path, why: impl ToString) -> SavedReportError {
        SavedReportError::NoReport { file: file.to_path_buf(), why: why.to_string() }
    }
}

/// The reports of a file, as far as `Report` reads them: one object, or one for each target.
pub(super) fn reports<Report: DeserializeOwned>(file: &Path) -> Result<Vec<Report>, SavedReportError> {
    let bytes = safe::read(file).map_err(|error| SavedReportError::Unreadable { file: file.to_path_buf(), error })?;
    let text = String::from_utf8_lossy(&bytes);
    let reports: Result<Vec<Report>, serde_json::Error> =
        serde_json::Deserializer::from_str(&text).into_iter().collect();
    let reports = reports.map_err(|error| SavedReportError::no_report(file, error))?;
    match reports.is_empty() {
        true => Err(SavedReportError::no_report(file, "it is empty")),
        false => Ok(reports),
    }
}
