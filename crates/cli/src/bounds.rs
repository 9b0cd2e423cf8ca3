//! `lazuli bounds`: which values each reference field may have in any valid object of a class.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use lazuli_console::numbers::count;
use lazuli_console::visible::{tell, visible, visible_json};
use lazuli_explore::{Bounds, BoundsFound, Config, field_bounds};
use lazuli_vm::reason::Reason;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::arguments::{BoundsOptions, ListFormat};
use crate::cache::Cache;
use crate::output::Output;
use crate::progress::{Counts, Task, Watch};
use crate::report::reasons::{self, reason};
use crate::shapes::tell_at_once;
use crate::specifications::Specifications;
use crate::supervisor::{LastWords, Supervisor};
use crate::target::{find_class, open_program};
use crate::{INCOMPLETE, WRONG_REQUEST};

#[derive(Serialize)]
struct View<'a> {
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
    unfinished: Option<String>,
    warnings: Vec<String>,
}

pub fn run(options: BoundsOptions) -> ExitCode {
    match compute(&options) {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            tell!("{message}");
            ExitCode::from(WRONG_REQUEST)
        }
    }
}

fn compute(options: &BoundsOptions) -> Result<u8, String> {
    let deadline = Instant::now().checked_add(options.limits.time);
    let watch = Watch::start(options.reports.quiet);
    let _supervisor = Supervisor::start(&watch, deadline, options.common.memory(), last_words(options));
    let program = Arc::new(open_program(&options.common)?);
    let class = find_class(&program, &options.class, &options.common)?;
    let mut output = Output::open(options.reports.output.as_deref())?;
    output.begin();
    let specification = Specifications::open(&options.specifications.spec, &options.specifications.source)?
        .of_class(&program, class)?;
    let config = options.config().with(|config| {
        config.limits.deadline = deadline;
        config.contract.specification = specification;
    });
    let name = class.java_name();
    let (scope, deadline) = (config.bounds.scope, config.limits.deadline);
    let task = Task { title: name.clone(), scope, deadline, counts: Counts::Structures };
    let cache = Cache::new(options.cache.as_ref(), &program, deadline);
    let config = config.with(|config| config.valid.verdicts = cache.verdicts());
    let about = about(&name, &config, &options.backbone);
    let kept = kept(&cache, &about);
    let is_kept = kept.is_some();
    let found = match kept {
        Some(found) => found,
        None => watch
            .during(task, |progress| field_bounds(&program, class, &config, &options.backbone, progress))
            .map_err(|failure| reasons::failure(&failure))?,
    };
    if !is_kept && found.unfinished.is_none() {
        let written = serde_json::to_vec(&found).map_err(|error| error.to_string())?;
        cache.keep_bounds(&about, &written);
        cache.finish();
    }
    let text = match options.reports.format {
        ListFormat::Text => text(&name, &config.bounds, &found, is_kept),
        ListFormat::Json => json(&name, &config.bounds, &found, is_kept)?,
    };
    output.write(&text);
    let is_complete = found.unfinished.is_none() && !output.has_failed;
    Ok(if is_complete { 0 } else { INCOMPLETE })
}

/// Says that there is no bound when the run must end now.
fn last_words(options: &BoundsOptions) -> LastWords {
    let (class, file, format) = (options.class.clone(), options.reports.output.clone(), options.reports.format);
    let mut bounds = Bounds::default();
    bounds.scope = options.bounds.scope.as_ref().and_then(|scope| scope.each).unwrap_or(bounds.scope);
    Box::new(move |resource| {
        let why = Reason::Ended(resource);
        let told = format!("{}: no bounds at scope {} so far: {}\n", visible(&class), bounds.scope, reason(&why));
        let found = BoundsFound { unfinished: Some(why), ..BoundsFound::default() };
        let text = match format {
            ListFormat::Text => told,
            ListFormat::Json => json(&class, &bounds, &found, false).unwrap_or_default(),
        };
        tell_at_once(file.as_deref(), &text)
    })
}

/// What decides the bounds beside the classes. Of a specification, that is the text of its files.
fn about(class: &str, config: &Config, backbone: &[String]) -> String {
    let (specification, bounds) = (&config.contract.specification, &config.bounds);
    format!("{class}\n{:?}\n{backbone:?}\n{bounds:?}\n{specification:?}", config.contract.invariant_names())
}

/// The bounds as an earlier run found them.
fn kept(cache: &Cache, about: &str) -> Option<BoundsFound> {
    let begin = Instant::now();
    let found: BoundsFound = serde_json::from_slice(&cache.bounds(about)?).ok()?;
    Some(BoundsFound { elapsed: begin.elapsed(), ..found })
}

/// The pairs that are left, and all that there are without bounds.
fn totals(found: &BoundsFound) -> (usize, usize) {
    let pairs = found.fields.iter().map(|field| field.pairs.len()).sum();
    (pairs, found.fields.iter().map(|field| field.of).sum())
}

fn json(class: &str, bounds: &Bounds, found: &BoundsFound, from_cache: bool) -> Result<String, String> {
    let (pairs, of) = totals(found);
    let field = |field: &lazuli_valid::FieldBound| json!({"pairs": field.pairs, "of": field.of});
    let view = View {
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
        unfinished: found.unfinished.as_ref().map(reason),
        warnings: found.warnings.iter().map(reasons::warning).collect(),
    };
    let text = serde_json::to_string_pretty(&view).map_err(|error| error.to_string())?;
    Ok(visible_json(text) + "\n")
}

fn text(class: &str, bounds: &Bounds, found: &BoundsFound, from_cache: bool) -> String {
    let (pairs, of) = totals(found);
    let mut text =
        format!("{}: {pairs} of {of} pairs at scope {}{}", visible(class), bounds.scope, bounds.told_numbers());
    if let Some(why) = &found.unfinished {
        text.push_str(&format!(" so far: {}", visible(&reason(why))));
    }
    text.push('\n');
    for warning in &found.warnings {
        text.push_str(&format!("  Warning: {}\n", visible(&reasons::warning(warning))));
    }
    for bound in &found.fields {
        text.push_str(&format!("  {}: {} of {}\n", visible(&bound.field), bound.pairs.len(), bound.of));
        for owned in bound.pairs.chunk_by(|(one, _), (other, _)| one == other) {
            let targets: Vec<&str> = owned.iter().map(|(_, target)| target.as_str()).collect();
            text.push_str(&format!("    {} → {}\n", visible(&owned[0].0), visible(&targets.join(", "))));
        }
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
