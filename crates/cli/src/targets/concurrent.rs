//! Which calls do several threads make at once on an object of a class?

use std::sync::Arc;

use lazuli_explore::{ConcurrentUse, Inputs, MOST_CALLS, validate};
use lazuli_vm::program::{Class, Method, Program, access};

use super::plan::{CheckPlan, CheckPlans, is_invariant};
use super::{CheckedMethod, find_methods, title};
use crate::arguments::CheckOptions;
use crate::commands::CommandError;

/// More choices of calls than this are not tried.
const MOST_USES: usize = 2_000;

/// Why `--concurrent` cannot be served.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConcurrentError {
    #[error(
        "--concurrent is about objects of a class: name the class alone, and the methods behind --concurrent. {0} is a method."
    )]
    NotClass(String),
    #[error("{0} is static: threads that call it use no object. Leave it out of --concurrent.")]
    Static(String),
    #[error("{class} has no public method that several threads could call; name methods behind --concurrent.")]
    NoMethod { class: String },
    #[error(
        "{uses} choices of calls are too many (at most {MOST_USES}): name fewer methods, or take fewer --calls or --threads."
    )]
    TooMany { uses: usize },
    #[error("{calls} calls at once have too many orders (at most {MOST_CALLS}): take fewer --calls or --threads.")]
    TooManyCalls { calls: usize },
    #[error("{0} cannot be used from several threads: its parameters cannot be read.")]
    Unusable(String),
}

/// A plan for each choice of the calls of all threads, those with few calls first.
pub(crate) fn concurrent_plans(
    options: &CheckOptions,
    program: &Program,
    targets: &[String],
    methods: &str,
) -> Result<CheckPlans, CommandError> {
    let threads = options.threads.threads.unwrap_or(2) as usize;
    let most = options.threads.calls.unwrap_or(1) as usize;
    if threads * most > MOST_CALLS {
        return Err(ConcurrentError::TooManyCalls { calls: threads * most }.into());
    }
    let mut plans = Vec::new();
    for target in targets {
        let found = find_methods(program, target, &options.common)?;
        let class = match found.first() {
            Some(CheckedMethod { class, is_named: false, .. }) => *class,
            _ => return Err(ConcurrentError::NotClass(target.clone()).into()),
        };
        let config = options.config().map_err(CommandError::Options)?.with(|config| {
            // Objects that no caller can make say nothing about threads.
            if config.inputs == Inputs::Calls {
                config.inputs = Inputs::OnlyCalls;
            }
        });
        let called = match methods.trim() {
            "all" => found.iter().map(|found| found.method).filter(|method| !method.is_static()).collect(),
            named => named_methods(options, program, class, named)?,
        };
        let called: Vec<&'static Method> = called.into_iter().filter(|method| !is_invariant(method, &config)).collect();
        if called.is_empty() {
            return Err(ConcurrentError::NoMethod { class: class.java_name() }.into());
        }
        for chosen in choices(&called, threads, most)? {
            let used = ConcurrentUse::new(program, class, &chosen);
            let used = used.ok_or_else(|| ConcurrentError::Unusable(class.java_name()))?;
            let method = used.target;
            let config = config.clone().with(|config| config.concurrent = Some(Arc::new(used)));
            validate(program, method, &config).map_err(CommandError::Failure)?;
            plans.push(CheckPlan { method, config, is_deepening: options.is_deepening() });
        }
    }
    Ok(CheckPlans { plans, refused: Vec::new(), skipped: Vec::new() })
}

fn named_methods(
    options: &CheckOptions,
    program: &Program,
    class: &'static Class,
    named: &str,
) -> Result<Vec<&'static Method>, CommandError> {
    let mut called: Vec<&'static Method> = Vec::new();
    for name in lazuli_console::units::listed_methods(named) {
        let target = format!("{}.{}", class.java_name(), name.trim());
        for found in find_methods(program, &target, &options.common)? {
            if found.method.access & access::STATIC != 0 {
                return Err(ConcurrentError::Static(title(found.method)).into());
            }
            if !called.iter().any(|known| known.id == found.method.id) {
                called.push(found.method);
            }
        }
    }
    Ok(called)
}

/// All choices of the calls of all threads. Threads are alike, so that their order does not matter.
fn choices(
    methods: &[&'static Method],
    threads: usize,
    most: usize,
) -> Result<Vec<Vec<Vec<&'static Method>>>, ConcurrentError> {
    let mut sequences: Vec<Vec<&'static Method>> = vec![Vec::new()];
    let mut longest = sequences.clone();
    for _ in 0..most {
        let longer = |calls: &Vec<&'static Method>| {
            let calls = calls.clone();
            methods.iter().map(move |method| calls.iter().copied().chain([*method]).collect::<Vec<_>>())
        };
        longest = longest.iter().flat_map(longer).collect();
        sequences.extend(longest.iter().cloned());
        if sequences.len() > MOST_USES {
            return Err(ConcurrentError::TooMany { uses: sequences.len() });
        }
    }
    sequences.remove(0);
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..threads {
        let next = |chosen: &Vec<usize>| {
            let chosen = chosen.clone();
            let first = chosen.last().copied().unwrap_or(0);
            (first..sequences.len()).map(move |next| chosen.iter().copied().chain([next]).collect::<Vec<_>>())
        };
        found = found.iter().flat_map(next).collect();
        if found.len() > MOST_USES {
            return Err(ConcurrentError::TooMany { uses: found.len() });
        }
    }
    let calls = |chosen: &Vec<usize>| chosen.iter().map(|at| sequences[*at].len()).sum::<usize>();
    found.sort_by_key(calls);
    Ok(found.into_iter().map(|chosen| chosen.into_iter().map(|at| sequences[at].clone()).collect()).collect())
}
