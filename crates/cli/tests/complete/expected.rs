//! Are the paths those that are written down beside the fixture, and the same for all techniques?
//!
//! `Name.expected` lists how the paths end, their conditions and the shapes of their inputs, for the first technique; nothing in
//! it was chosen by a solver. `LAZULI_BLESS=1` writes the files anew. The other techniques must reach the same ends, and any
//! order and any number of threads must find the same paths.

use std::collections::BTreeSet;

use lazuli_explore::{Ending, Order, Report};
use libtest_mimic::Failed;

use super::Fixture;
use super::extent::extent;
use super::judge::describe;

/// The techniques that must agree on how a method can end.
const TECHNIQUES: [&str; 3] = ["lazy", "lazier", "lazier-sharp"];

pub fn compare(fixture: &Fixture) -> Result<(), Failed> {
    let target = fixture.target()?;
    let report = target.explore(|config| config)?;
    let found = describe_all(&report);
    let file = fixture.source.with_extension("expected");
    if std::env::var_os("LAZULI_BLESS").is_some() {
        std::fs::write(&file, &found)?;
    }
    let expected = std::fs::read_to_string(&file)
        .map_err(|error| format!("{}: {error}; LAZULI_BLESS=1 writes it", file.display()))?;
    if found != expected {
        return Err(format!("expected:\n{expected}\nfound:\n{found}").into());
    }
    let ends = ends(&report);
    for technique in TECHNIQUES {
        let other = target.explore(|config| config.with(|config| config.technique = technique.into()))?;
        if ends != self::ends(&other) {
            return Err(format!("{technique} reaches {:?}, not {ends:?}", self::ends(&other)).into());
        }
    }
    let orders = [Order::Bfs, Order::Deepening, Order::Coverage, Order::Random { seed: 7 }];
    for order in orders {
        let other = target.explore(|config| config.with(|config| config.order = order))?;
        if describe_all(&other) != found {
            return Err(format!("another order, {order:?}, finds other paths:\n{}", describe_all(&other)).into());
        }
    }
    Ok(())
}

/// One thread and several find the same paths, in the same order.
pub fn compare_threads(fixture: &Fixture, scope: usize) -> Result<(), Failed> {
    let target = fixture.target()?;
    let with = |jobs: usize| {
        target.explore(|mut config| {
            config.bounds.scope = scope;
            config.with(|config| config.limits.jobs = jobs)
        })
    };
    let (one, several) = (with(1)?, with(3)?);
    if one.paths != several.paths || describe_all(&one) != describe_all(&several) {
        return Err(format!("{} paths by one thread, {} by three", one.paths, several.paths).into());
    }
    Ok(())
}

fn describe_all(report: &Report) -> String {
    let mut text = format!("{} paths, holds for {}\n", report.paths, extent(report));
    for outcome in &report.outcomes {
        text.push_str(&describe(outcome));
        text.push('\n');
    }
    text
}

/// The ways in which paths end: returned, or which exception was thrown where.
fn ends(report: &Report) -> BTreeSet<String> {
    let end = |ending: &Ending| match ending {
        Ending::Threw { class, trace, .. } => format!("{class} at {}", trace.first().map_or("?", String::as_str)),
        Ending::Returned => "returned".to_string(),
        other => format!("{other:?}"),
    };
    report.outcomes.iter().map(|outcome| end(&outcome.ending)).collect()
}
