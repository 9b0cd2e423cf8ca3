//! How is a verdict written down, together with all that it depends on?

use std::collections::BTreeMap;
use std::time::Duration;

use lazuli_explore::{Config, Report};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::class_digests::Bodies;
use crate::confirm::Confirmation;
use crate::report::{Finding, Tried, Unfinished};

/// A verdict of an earlier run, and what it depends on. It is true as long as all of that is as it was.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptVerdict {
    /// The method and the options, in full: two questions may have one digest.
    pub question: String,
    pub lazuli: String,
    pub jdk: String,
    /// Everything that the classes of the class path declare.
    pub declarations: String,
    /// The bodies that were read, by class.
    pub bodies: BTreeMap<String, Bodies>,
    /// The files beside the classes that were asked for, none if they were not there.
    pub resources: BTreeMap<String, Option<String>>,
    /// The time that the method could take, in milliseconds.
    pub share: u64,
    /// As text: most are never needed, and some are large.
    finding: Box<RawValue>,
}

/// The parts of a finding that the question does not determine.
#[derive(Serialize, Deserialize)]
struct KeptFinding {
    scope: usize,
    report: Report,
    confirmations: Vec<Confirmation>,
    unfinished: Option<Unfinished>,
    tried: Vec<Tried>,
    elapsed: Duration,
    peak_memory: u64,
}

impl KeptVerdict {
    /// A verdict that does not depend on anything yet.
    pub(super) fn of(question: String, finding: &Finding) -> Result<KeptVerdict, serde_json::Error> {
        let Finding { report, confirmations, unfinished, tried, elapsed, peak_memory, bounds, .. } = finding.clone();
        let kept = KeptFinding { scope: bounds.scope, report, confirmations, unfinished, tried, elapsed, peak_memory };
        Ok(KeptVerdict {
            question,
            lazuli: String::new(),
            jdk: String::new(),
            declarations: String::new(),
            bodies: BTreeMap::new(),
            resources: BTreeMap::new(),
            share: 0,
            finding: serde_json::value::to_raw_value(&kept)?,
        })
    }

    /// The finding under the configuration that the question is about.
    pub(super) fn finding(&self, config: &Config) -> Result<Finding, serde_json::Error> {
        let mut text = serde_json::Deserializer::from_str(self.finding.get());
        // The checksum of the frame says that we wrote it ourselves, from something as deep as it is now.
        text.disable_recursion_limit();
        let KeptFinding { scope, report, confirmations, unfinished, tried, elapsed, peak_memory } =
            KeptFinding::deserialize(&mut text)?;
        let mut bounds = config.bounds.clone();
        bounds.scope = scope;
        let finding = Finding::new(config.technique.to_string(), bounds, report);
        Ok(Finding { confirmations, unfinished, tried, elapsed, peak_memory, is_reused: true, ..finding })
    }
}
