//! Which commands stand above classes and methods in the editor?

use std::collections::BTreeMap;

use lsp_types::{CodeLens, Command, Uri};
use serde_json::json;

use super::classes::CompiledClass;
use super::documents::OpenDocument;
use super::reported::{TargetReport, line_range};
use super::{CHECK, WRITE_TEST};

/// Letters of a verdict in a title.
const LONGEST_TITLE: usize = 80;

/// The lenses of a file. `reports` are those of its targets, by name.
pub(super) fn lenses(document: &OpenDocument, reports: &BTreeMap<&str, &TargetReport>) -> Vec<CodeLens> {
    let mut lenses = Vec::new();
    for class in document.compiled.classes.iter().filter(|class| class.is_named) {
        // A method that the source does not show was made by the compiler.
        let shown = class.methods.iter().filter(|method| !method.is_private);
        let mut shown = shown.filter_map(|method| Some((method, method.declaration(&document.text)?))).peekable();
        if let Some(line) = class_line(&document.text, class)
            && shown.peek().is_some()
            && class.has_public_methods()
        {
            lenses.push(lens(line, "check class".to_string(), CHECK, &document.uri, &class.name));
        }
        for (method, line) in shown {
            let title = match reports.get(method.target.as_str()) {
                Some(report) => format!("check ({})", shortened(&report.judgement())),
                None => "check".to_string(),
            };
            lenses.push(lens(line, title, CHECK, &document.uri, &method.request));
            lenses.push(lens(line, "write test".to_string(), WRITE_TEST, &document.uri, &method.request));
        }
    }
    lenses
}

fn lens(line: u32, title: String, command: &str, uri: &Uri, target: &str) -> CodeLens {
    let arguments = Some(vec![json!(uri), json!(target)]);
    let command = Command { title, command: command.to_string(), arguments };
    CodeLens { range: line_range(line), command: Some(command), data: None }
}

fn shortened(judgement: &str) -> String {
    match judgement.char_indices().nth(LONGEST_TITLE) {
        Some((end, _)) => format!("{}…", &judgement[..end]),
        None => judgement.to_string(),
    }
}

/// The line that declares the class, counted from 1.
fn class_line(text: &str, class: &CompiledClass) -> Option<u32> {
    let simple = class.name.rsplit(['.', '$']).next()?;
    let declares = |line: &str| {
        let words: Vec<&str> = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
        let kinds = ["class", "interface", "enum", "record", "object", "trait"];
        words.windows(2).any(|pair| kinds.contains(&pair[0]) && pair[1] == simple)
    };
    text.lines().position(declares).map(|index| index as u32 + 1)
}
