//! `lazuli shapes`: every valid object of a class, each shape once.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use lazuli_console::numbers::count;
use lazuli_console::visible::{tell, visible, visible_json};
use lazuli_explore::{Config, Picture, Shapes, shapes};
use lazuli_vm::reason::Reason;
use serde::Serialize;

use super::CommandError;
use crate::arguments::{ListFormat, ShapesOptions};
use crate::exit::ProcessExit;
use crate::progress::supervisor::{LastWords, Supervisor};
use crate::progress::{ExplorationTask, ProgressUnit, Watch};
use crate::report::assumptions::{line_of_valid_objects, of_valid_objects};
use crate::report::drawn;
use crate::report::extent::number_range;
use crate::report::output::ReportOutput;
use crate::report::reasons::{self, reason};
use crate::targets::patterns::warn_of_unknown_scopes;
use crate::targets::specifications::Specifications;
use crate::targets::{find_class, open_program};

#[derive(Serialize)]
struct ShapesListView<'a> {
    class: &'a str,
    scope: usize,
    total: u64,
    by_objects: &'a std::collections::BTreeMap<usize, u64>,
    candidates: u64,
    time_ms: u128,
    unfinished: Option<String>,
    warnings: Vec<String>,
    assumptions: Vec<String>,
}

pub(crate) fn list(options: &ShapesOptions) -> Result<ProcessExit, CommandError> {
    let deadline = Instant::now().checked_add(options.limits.time);
    let watch = Watch::start(options.reports.quiet || options.print);
    let _supervisor = Supervisor::start(&watch, deadline, options.common.memory(), last_words(options, &watch));
    let program = Arc::new(open_program(&options.common)?);
    let class = find_class(&program, &options.class, &options.common)?;
    warn_of_unknown_scopes(&options.bounds, &program);
    let mut output = ReportOutput::open(options.reports.output.as_deref())?;
    output.begin();
    let specification = Specifications::open(&options.specifications.spec, &options.specifications.source)?
        .of_class(&program, class)?;
    let config = options.config().map_err(CommandError::Options)?.with(|config| {
        config.limits.deadline = deadline;
        config.contract.specification = specification;
    });
    let mut number = 0;
    let width = output.style().width.saturating_sub(2);
    let mut draw = |picture: &dyn Fn() -> Picture| {
        number += 1;
        let lines = drawn(&picture(), None, width);
        let lines: Vec<_> = lines.iter().map(|line| visible(line)).collect();
        output.write(&format!("{number}.\n  {}\n", lines.join("\n  ")));
    };
    let is_shown = options.print && options.reports.format == ListFormat::Text;
    let name = class.java_name();
    let (scope, deadline) = (config.bounds.scope, config.limits.deadline);
    let task = ExplorationTask { title: name.clone(), scope, deadline, counts: ProgressUnit::Structures };
    let found =
        watch.during(task, |progress| shapes(&program, class, &config, progress, is_shown.then_some(&mut draw)));
    let found = found.map_err(CommandError::Failure)?;
    let text = match options.reports.format {
        ListFormat::Text => text(&name, &config, &found),
        ListFormat::Json => {
            let view = ShapesListView {
                class: &name,
                scope: config.bounds.scope,
                total: found.total,
                by_objects: &found.by_objects,
                candidates: found.candidates,
                time_ms: found.elapsed.as_millis(),
                unfinished: found.unfinished.as_ref().map(reason),
                warnings: found.warnings.iter().map(reasons::warning).collect(),
                assumptions: of_valid_objects(&found.assumptions, &found.restrictions),
            };
            let json = serde_json::to_string_pretty(&view)?;
            visible_json(json) + "\n"
        }
    };
    output.write(&text);
    Ok(ProcessExit::of_completeness(found.unfinished.is_none() && !output.has_failed))
}

/// Tells how many there were so far when the run must end now.
fn last_words(options: &ShapesOptions, watch: &Arc<Watch>) -> LastWords {
    let (class, file, format) = (options.class.clone(), options.reports.output.clone(), options.reports.format);
    let scope = options.bounds.scope.as_ref().and_then(|scope| scope.each).unwrap_or(Config::default().bounds.scope);
    let watch = watch.clone();
    Box::new(move |resource| {
        let (unfinished, (_, total)) = (reason(&Reason::Ended(resource)), watch.found());
        let text = match format {
            ListFormat::Text => {
                let total = count(total, "valid object", "valid objects");
                format!("{}: {total} at scope {scope} so far: {unfinished}\n", visible(&class))
            }
            ListFormat::Json => {
                let view = ShapesListView {
                    class: &class,
                    scope,
                    total,
                    by_objects: &Default::default(),
                    candidates: 0,
                    time_ms: 0,
                    unfinished: Some(unfinished),
                    warnings: Vec::new(),
                    assumptions: Vec::new(),
                };
                visible_json(serde_json::to_string_pretty(&view).unwrap_or_default()) + "\n"
            }
        };
        write_at_once(file.as_deref(), &text)
    })
}

/// Writes all of a report at once, to a file that may have a part of it already. The result is the exit code of a run that was ended.
pub(crate) fn write_at_once(file: Option<&Path>, text: &str) -> ProcessExit {
    match ReportOutput::open(file) {
        Ok(mut output) => {
            output.write_document(text);
        }
        Err(error) => tell!("{error}"),
    }
    ProcessExit::Incomplete
}

fn text(class: &str, config: &Config, found: &Shapes) -> String {
    let scope = config.bounds.scope;
    let (one, several) = if config.valid.values.is_some() { ("object", "objects") } else { ("shape", "shapes") };
    let total = count(found.total, &format!("valid {one}"), &format!("valid {several}"));
    let mut text = format!("{}: {total} at scope {scope}{}", visible(class), number_range(config.bounds.numbers()));
    if let Some(why) = &found.unfinished {
        text.push_str(&format!(" so far: {}", visible(&reason(why))));
    }
    text.push('\n');
    for warning in &found.warnings {
        text.push_str(&format!("  Warning: {}\n", visible(&reasons::warning(warning))));
    }
    text.push_str(&line_of_valid_objects(&found.assumptions, &found.restrictions));
    for (objects, count) in &found.by_objects {
        text.push_str(&format!("  {objects:>3} objects beside the root: {count}\n"));
    }
    let seconds = found.elapsed.as_secs_f64();
    let rate = |number: u64| count((number as f64 / seconds.max(0.001)) as u64, "", "").trim_end().to_string();
    text.push_str(&format!(
        "  {} · {seconds:.2} s · {} candidates and {} {several} per second\n",
        count(found.candidates, "candidate", "candidates"),
        rate(found.candidates),
        rate(found.total)
    ));
    text
}
