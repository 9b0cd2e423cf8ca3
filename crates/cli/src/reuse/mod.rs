//! Which verdicts of earlier runs are still true?
//!
//! A verdict is a function of the question (the method and the options), of Lazuli and the JDK, of what the classes declare, of the bodies that the
//! exploration read, and of the files beside the classes that the program asked for. It is kept in the cache with a digest of each, and reused if all
//! of them are the same. Of the declarations, those of the whole class path count: which classes there are decides what an input may be, which calls
//! make it, and how classes are named. Of the bodies, only those count that were read (`lazuli_vm::program::Program::used`).
//!
//! An exploration that ended for want of time or memory, or was interrupted, gives no verdict that is kept. A verdict up to a bound that time set is reused by runs that have
//! no more time for the method.

mod class_digests;
mod kept;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lazuli_console::numbers::count;
use lazuli_explore::Verdict;
use lazuli_vm::ambient::{Assumption, Source};
use lazuli_vm::program::{Method, Program};

use crate::arguments::CheckOptions;
use crate::cache::{Cache, CacheLocation};
use crate::confirm::JvmVerdict;
use crate::provenance::{Provenance, digest, options as options_digest};
use crate::report::Finding;
use crate::targets::plan::CheckPlan;
use class_digests::{ClassDigests, is_in_jar, named};
use kept::KeptVerdict;

/// Verdicts that are kept about one question: of several branches, say, and of several versions of Lazuli.
const MOST_KEPT: usize = 8;

/// Methods that a message names.
const MOST_NAMED: usize = 3;

/// The verdicts of earlier runs, and those of this one for later runs.
pub(crate) struct EarlierVerdicts {
    cache: Arc<Cache>,
    program: Arc<Program>,
    provenance: Provenance,
    digests: ClassDigests,
    /// The time that each method of this run can take, in milliseconds.
    share: u64,
    /// Options that are not part of a configuration.
    common: String,
    tally: RefCell<ReuseTally>,
}

/// The code that a verdict came from.
#[derive(Default)]
pub(crate) struct UsedCode {
    /// The methods whose bodies were read.
    methods: Vec<&'static Method>,
    /// The classes that were asked for the fields that they name.
    asked: Vec<&'static str>,
}

impl UsedCode {
    /// Adds what was read in the current period.
    pub(crate) fn and_of(mut self, program: &Program) -> UsedCode {
        self.methods.extend(program.used());
        self.asked.extend(program.asked_for_owners());
        self
    }
}

/// How often verdicts were reused, and why others were not.
#[derive(Default)]
struct ReuseTally {
    reused: u64,
    checked: u64,
    changes: BTreeMap<Change, u64>,
}

/// Why a verdict is not true any more, or need not be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// Another one has the same digest.
    Question,
    Lazuli,
    Jdk,
    Declarations,
    /// Of this method.
    Body(String),
    Resource(String),
    MoreTime,
}

impl EarlierVerdicts {
    /// None if none are wanted, or the cache cannot be used.
    pub(crate) fn open(
        options: &CheckOptions,
        program: &Arc<Program>,
        cache: &Arc<Cache>,
        targets: usize,
    ) -> Option<EarlierVerdicts> {
        let is_wanted = !options.exploration.fresh
            && std::env::var_os("LAZULI_FRESH").is_none()
            && options.findings.proof.is_none()
            // The code that starts a whole program is in no class file.
            && options.program.main.is_none()
            // A journal is about what this run explores.
            && options.exploration.journal().is_none()
            && *cache.place() != CacheLocation::Homeless;
        if !is_wanted {
            return None;
        }
        let provenance = cache.provenance()?;
        let digests = cache.unless_broken(ClassDigests::of(program.path()))?;
        let share = options.limits.time / u32::try_from(targets).unwrap_or(u32::MAX).max(1);
        Some(EarlierVerdicts {
            cache: cache.clone(),
            program: program.clone(),
            provenance,
            digests,
            share: share.as_millis() as u64,
            common: format!("{:?}", options.common.memory),
            tally: RefCell::default(),
        })
    }

    /// The verdict of an earlier run about a method, if it is still true. `runs` says whether faults are run on the JVM.
    pub(crate) fn find(&self, plan: &CheckPlan, runs: bool) -> Option<Finding> {
        let question = self.question(plan, runs);
        let mut first_change = None;
        for written in self.cache.checks(&digest(question.as_bytes())).into_iter().rev() {
            // The checksum was right, so that it is of another format.
            let Ok(kept) = serde_json::from_slice::<KeptVerdict>(&written) else { continue };
            if kept.question != question {
                first_change.get_or_insert(Change::Question);
                continue;
            }
            let finding = match self.change_since(&kept) {
                None => kept.finding(&plan.config),
                Some(change) => {
                    first_change.get_or_insert(change);
                    continue;
                }
            };
            let Ok(finding) = finding else { continue };
            if (finding.unfinished.is_some() || is_cut(&finding)) && kept.share < self.share {
                first_change.get_or_insert(Change::MoreTime);
                continue;
            }
            self.tally.borrow_mut().reused += 1;
            return Some(finding);
        }
        let mut tally = self.tally.borrow_mut();
        tally.checked += 1;
        if let Some(change) = first_change {
            *tally.changes.entry(change).or_default() += 1;
        }
        None
    }

    /// Keeps a verdict for later runs, with the methods whose bodies were read.
    pub(crate) fn keep(&self, plan: &CheckPlan, runs: bool, finding: &Finding, used: &UsedCode) {
        let is_settled = |on_jvm: &JvmVerdict| !matches!(on_jvm, JvmVerdict::Differs { .. });
        if !is_final(finding) || !finding.confirmations.iter().all(|one| is_settled(&one.on_jvm)) {
            return;
        }
        let question = self.question(plan, runs);
        let name = digest(question.as_bytes());
        let Ok(mut kept) = KeptVerdict::of(question, finding) else { return };
        let path = self.program.path();
        let asked = used.asked.iter().filter_map(|name| self.program.load(name).ok());
        for class in used.methods.iter().map(|method| method.class()).chain(asked) {
            if kept.bodies.contains_key(class.name) || is_in_jar(path, class.name) {
                continue;
            }
            // A class that was made at run time, or cannot be used in part, has no digest: nothing is kept that depends on it.
            let Some(mut bodies) = self.digests.bodies(&self.program, class) else { return };
            let read: BTreeSet<String> = used
                .methods
                .iter()
                .filter(|method| method.class().id == class.id)
                .map(|method| named(method))
                .collect();
            bodies.retain(|method, _| read.contains(method));
            kept.bodies.insert(class.name.to_string(), bodies);
        }
        for name in path.asked() {
            let Ok(contents) = path.supplied(&name) else { return };
            kept.resources.insert(name, contents.map(|contents| digest(&contents)));
        }
        let Provenance { lazuli, jdk, .. } = self.provenance.clone();
        (kept.lazuli, kept.jdk, kept.declarations) = (lazuli, jdk, self.digests.declarations.clone());
        kept.share = self.share;
        if let Ok(written) = serde_json::to_vec(&kept) {
            self.cache.keep_check(&name, &written, MOST_KEPT);
        }
    }

    /// The numbers of verdicts that were reused, and of those that were not, with the reasons. None if all methods are new.
    pub(crate) fn summary(&self) -> Option<String> {
        let ReuseTally { reused, checked, changes } = &*self.tally.borrow();
        // That all code has changed goes without saying.
        if *reused == 0
            && !changes.keys().any(|change| matches!(change, Change::Question | Change::Lazuli | Change::Jdk))
        {
            return None;
        }
        let mut text = match *reused {
            0 => "no verdict of an earlier run is reused".to_string(),
            1 => "1 verdict is of an earlier run: nothing that it depends on has changed".to_string(),
            some => format!("{some} verdicts are of an earlier run: nothing that they depend on has changed"),
        };
        if *checked > 0 {
            text.push_str(&format!("; {} checked", count(*checked, "method was", "methods were")));
        }
        if !changes.is_empty() {
            let named = changes.iter().map(|(change, number)| format!("{} ({number})", change.words()));
            let mut named: Vec<String> = named.collect();
            let left = named.len().saturating_sub(MOST_NAMED);
            named.truncate(MOST_NAMED);
            let more = if left > 0 { format!(", and {left} more") } else { String::new() };
            text.push_str(&format!(": {}{more}", named.join(", ")));
        }
        Some(text + ".")
    }

    /// All that is asked, as text.
    fn question(&self, plan: &CheckPlan, runs: bool) -> String {
        let CheckPlan { method, config, is_deepening } = plan;
        let (target, title, scope) = (method.full_name(), plan.title(), config.bounds.scope);
        let (options, common) = (options_digest(config), &self.common);
        format!("{target}\n{title}\n{options}\n{scope} {is_deepening} {runs} {common}")
    }

    /// Something that a verdict depends on and that is not as it was.
    fn change_since(&self, kept: &KeptVerdict) -> Option<Change> {
        let Provenance { lazuli, jdk, .. } = &self.provenance;
        if kept.lazuli != *lazuli {
            return Some(Change::Lazuli);
        }
        if kept.jdk != *jdk {
            return Some(Change::Jdk);
        }
        if kept.declarations != self.digests.declarations {
            return Some(Change::Declarations);
        }
        for (name, read) in &kept.bodies {
            // All its bodies were usable, some of them may have been read, and of others the fields that they name.
            let Some(bodies) = self.program.load(name).ok().and_then(|class| self.digests.bodies(&self.program, class))
            else {
                return Some(Change::Declarations);
            };
            let changed = read.iter().find(|(method, body)| bodies.get(*method) != Some(*body));
            if let Some((method, _)) = changed {
                let method = method.split('(').next().unwrap_or(method);
                return Some(Change::Body(format!("{}.{method}", name.replace('/', "."))));
            }
        }
        let is_changed = |(name, before): &(&String, &Option<String>)| {
            let now = self.program.path().supplied(name).map(|contents| contents.map(|contents| digest(&contents)));
            now.ok().as_ref() != Some(*before)
        };
        kept.resources.iter().find(is_changed).map(|(name, _)| Change::Resource(name.clone()))
    }
}

impl Change {
    fn words(&self) -> String {
        match self {
            Change::Question => "an earlier verdict is about another question of the same digest".to_string(),
            Change::Lazuli => "an earlier verdict is of another Lazuli".to_string(),
            Change::Jdk => "an earlier verdict is of another JDK".to_string(),
            Change::Declarations => "what the classes declare has changed".to_string(),
            Change::Body(method) => format!("{method} has changed"),
            Change::Resource(name) => format!("the file {name} has changed"),
            Change::MoreTime => "there is more time for each method".to_string(),
        }
    }
}

/// Would the same question have the same answer? Not if time or memory decided it.
fn is_final(finding: &Finding) -> bool {
    // The next run may begin in another directory, or with other variables.
    let is_local = |assumption: &Assumption| match assumption {
        Assumption::Ambient { source: Source::Property(Some(name)) } => name == "user.dir",
        Assumption::Ambient { source } => matches!(source, Source::Property(None) | Source::Environment(_)),
        _ => false,
    };
    let is_cut = finding.verdict() == Verdict::Incomplete && is_cut(finding);
    !finding.is_abridged && !finding.is_reused && !is_cut && !finding.report.assumptions.iter().any(is_local)
}

/// Did something run out?
fn is_cut(finding: &Finding) -> bool {
    let mut entries = finding.report.not_explored.iter().chain(&finding.report.unconfirmed);
    entries.any(|entry| entry.why.resource().is_some())
}

#[cfg(test)]
mod tests {
    use lazuli_vm::reason::{Reason, Resource};

    use super::*;
    use crate::report::samples;

    #[test]
    fn what_time_decided_is_not_final() {
        assert!(is_final(&samples::holds()) && is_final(&samples::violated()));
        // The next run does not support more.
        let mut incomplete = samples::incomplete();
        assert!(is_final(&incomplete));
        incomplete.report.not_explored[0].why = Reason::PathCut(Resource::Time);
        assert!(!is_final(&incomplete));
    }
}
