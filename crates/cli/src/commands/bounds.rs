//! `lazuli bounds`: which values each reference field may have in any valid object of a class.

use std::sync::Arc;
use std::time::Instant;

use lazuli_console::numbers::count;
use lazuli_console::visible::{visible, visible_json};
use lazuli_explore::{Bounds, BoundsFound, Config, PrintedPieces, field_bounds};
use lazuli_vm::reason::Reason;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::CommandError;
use super::shapes::write_at_once;
use crate::arguments::{BoundsOptions, ListFormat, OptionError};
use crate::cache::Cache;
use crate::exit::ProcessExit;
use crate::progress::supervisor::{LastWords, Supervisor};
use crate::progress::{ExplorationTask, ProgressUnit, Watch};
use crate::report::assumptions::{line_of_valid_objects, of_valid_objects};
use crate::report::extent::number_range;
use crate::report::output::ReportOutput;
use crate::report::reasons::{self, reason};
use crate::targets::patterns::warn_of_unknown_scopes;
use crate::targets::specifications::Specifications;
use crate::targets::{find_class, open_program};

#[derive(Serialize)]
struct BoundsView<'a> {
    class: &'a str,
    scope: usize,
    /// Of the numbers in objects, if these have fewer than Java gives them.
    #[serde(skip_serializing_if = "Option::is_none")]
    int_bits: Option<u32>,
    /// By name.
    fields: Map<String, Value>,
    pairs: usize,
    of: usize,
    /// None if there were too many to count them.
    valid_shapes: Option<u64>,
    candidates: u64,
    /// Did an earlier run find them?
    from_cache: bool,
    time_ms: u128,
    /// How many pieces the rule of MUCHO-TACO's Table 1 makes, if they are counted.
    #[serde(skip_serializing_if = "<[PrintedPieces]>::is_empty")]
    pieces: &'a [PrintedPieces],
    unfinished: Option<String>,
    warnings: Vec<String>,
    assumptions: Vec<String>,
}

pub(crate) fn compute(options: &BoundsOptions) -> Result<ProcessExit, CommandError> {
    let deadline = Instant::now().checked_add(options.limits.time);
    let watch = Watch::start(options.reports.quiet);
    let _supervisor = Supervisor::start(&watch, deadline, options.common.memory(), last_words(options));
    let cache = options.cache.as_ref().map(|place| place.protected(&options.protection)).transpose();
    let cache = cache.map_err(OptionError::from)?;
    let program = Arc::new(open_program(&options.common)?);
    let class = find_class(&program, &options.class, &options.common)?;
    warn_of_unknown_scopes(&options.bounds, &program);
    let mut output = ReportOutput::open(options.reports.output.as_deref())?;
    output.begin();
    let specification = Specifications::open(&options.specifications.spec, &options.specifications.source)?
        .of_class(&program, class)?;
    let config = options.config().with(|config| {
        config.limits.deadline = deadline;
        config.contract.specification = specification;
    });
    let name = class.java_name();
    let (scope, deadline) = (config.bounds.scope, config.limits.deadline);
    let task = ExplorationTask { title: name.clone(), scope, deadline, counts: ProgressUnit::Structures };
    let cache = Cache::new(cache, &program, deadline);
    let config = config.with(|config| config.valid.verdicts = cache.verdicts());
    let about = about(&name, &config, &options.backbone);
    let cached = cached(&cache, &about);
    let is_cached = cached.is_some();
    let found = match cached {
        Some(found) => found,
        None => watch
            .during(task, |progress| field_bounds(&program, class, &config, &options.backbone, progress))
            .map_err(CommandError::Failure)?,
    };
    if !is_cached && found.unfinished.is_none() {
        let written = serde_json::to_vec(&found)?;
        cache.store_bounds(&about, &written);
        cache.finish();
    }
    let text = match options.reports.format {
        ListFormat::Text => text(&name, &config.bounds, &found, is_cached),
        ListFormat::Json => json(&name, &config.bounds, &found, is_cached)?,
    };
    output.write(&text);
    Ok(ProcessExit::of_completeness(found.unfinished.is_none() && !output.has_failed))
}

/// Says that there is no bound when the run must end now.
fn last_words(options: &BoundsOptions) -> LastWords {
    let (class, file, format) = (options.class.clone(), options.reports.output.clone(), options.reports.format);
    let mut bounds = Bounds::default();
    bounds.scope = options.bounds.scope.as_ref().and_then(|scope| scope.each).unwrap_or(bounds.scope);
    Box::new(move |resource| {
        let why = Reason::Ended(resource);
        let sentence = format!("{}: no bounds at scope {} so far: {}\n", visible(&class), bounds.scope, reason(&why));
        let found = BoundsFound { unfinished: Some(why), ..BoundsFound::default() };
        let text = match format {
            ListFormat::Text => sentence,
            ListFormat::Json => json(&class, &bounds, &found, false).unwrap_or_default(),
        };
        write_at_once(file.as_deref(), &text)
    })
}

/// Everything that decides the bounds beside the classes. Of a specification, that is the text of its files.
fn about(class: &str, config: &Config, backbone: &[String]) -> String {
    let (specification, bounds) = (&config.contract.specification, &config.bounds);
    let printed = config.valid.printed_pieces;
    format!(
        "{class}\n{:?}\n{backbone:?}\n{bounds:?}\n{specification:?}\n{printed:?}",
        config.contract.invariant_names()
    )
}

/// The bounds as an earlier run found them.
fn cached(cache: &Cache, about: &str) -> Option<BoundsFound> {
    let begin = Instant::now();
    let found: BoundsFound = serde_json::from_slice(&cache.bounds(about)?).ok()?;
    Some(BoundsFound { elapsed: begin.elapsed(), ..found })
}

/// The pairs that are left, and all that there are without bounds.
fn totals(found: &BoundsFound) -> (usize, usize) {
    let pairs = found.fields.iter().map(|field| field.pairs.len()).sum();
    (pairs, found.fields.iter().map(|field| field.of).sum())
}

fn json(class: &str, bounds: &Bounds, found: &BoundsFound, from_cache: bool) -> Result<String, serde_json::Error> {
    let (pairs, of) = totals(found);
    let field = |field: &lazuli_valid::FieldBound| json!({"pairs": field.pairs, "of": field.of});
    let view = BoundsView {
        class,
        scope: bounds.scope,
        int_bits: bounds.int_bits,
        fields: found.fields.iter().map(|bound| (bound.field.clone(), field(bound))).collect(),
        pairs,
        of,
        valid_shapes: found.objects,
        candidates: found.candidates,
        from_cache,
        time_ms: found.elapsed.as_millis(),
        pieces: &found.printed,
        unfinished: found.unfinished.as_ref().map(reason),
        warnings: found.warnings.iter().map(reasons::warning).collect(),
        assumptions: of_valid_objects(&found.assumptions, &found.restrictions),
    };
    let text = serde_json::to_string_pretty(&view)?;
    Ok(visible_json(text) + "\n")
}

fn text(class: &str, bounds: &Bounds, found: &BoundsFound, from_cache: bool) -> String {
    let (pairs, of) = totals(found);
    let mut text = format!(
        "{}: {pairs} of {of} pairs at scope {}{}",
        visible(class),
        bounds.scope,
        number_range(bounds.numbers())
    );
    if let Some(why) = &found.unfinished {
        text.push_str(&format!(" so far: {}", visible(&reason(why))));
    }
    text.push('\n');
    for warning in &found.warnings {
        text.push_str(&format!("  Warning: {}\n", visible(&reasons::warning(warning))));
    }
    text.push_str(&line_of_valid_objects(&found.assumptions, &found.restrictions));
    for bound in &found.fields {
        text.push_str(&format!("  {}: {} of {}\n", visible(&bound.field), bound.pairs.len(), bound.of));
        for owned in bound.pairs.chunk_by(|(one, _), (other, _)| one == other) {
            let targets: Vec<&str> = owned.iter().map(|(_, target)| target.as_str()).collect();
            text.push_str(&format!("    {} → {}\n", visible(&owned[0].0), visible(&targets.join(", "))));
        }
    }
    for pieces in &found.printed {
        let PrintedPieces { nodes, none, symmetry, aliasing, invariant } = pieces;
        let invariant = invariant.map_or("unknown".to_string(), |number| number.to_string());
        text.push_str(&format!(
            "  pieces for {nodes} nodes: {none}, by symmetry {symmetry}, and by aliasing {aliasing}, and by the invariant {invariant}\n"
        ));
    }
    if found.fields.is_empty() {
        text.push_str("  The invariant follows no reference to an object of a class on the class path.\n");
    }
    text.push_str(&format!(
        "  {}{} · {:.2} s{}\n",
        found.objects.map_or(String::new(), |objects| count(objects, "valid shape", "valid shapes") + " · "),
        count(found.candidates, "candidate", "candidates"),
        found.elapsed.as_secs_f64(),
        if from_cache { " · from the cache" } else { "" },
    ));
    text
}
