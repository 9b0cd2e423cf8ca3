//! Which changes of a class lead exploration into code that no change led into before, and does one of them do harm?
//!
//! The bytes of an input choose a sample and the changes of its class, so that most inputs pass the verifier.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

#[path = "../../crates/testgen/tests/support/explorations.rs"]
mod explorations;
#[path = "../../crates/testgen/tests/support/mutate.rs"]
mod mutate;

use explorations::{Sample, Tally};
use mutate::{Choices, mutate};

/// Numbers that the bytes of an input give, two bytes for each; zero when they are used up.
struct Chosen<'a>(&'a [u8]);

impl Choices for Chosen<'_> {
    fn below(&mut self, limit: usize) -> usize {
        let (bytes, rest) = self.0.split_at(self.0.len().min(2));
        self.0 = rest;
        bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)) % limit.max(1)
    }
}

static SAMPLES: OnceLock<(TempDir, Vec<Sample>)> = OnceLock::new();

fuzz_target!(|input: &[u8]| {
    let (_directory, samples) = SAMPLES.get_or_init(|| {
        let directory = tempfile::tempdir().expect("a scratch directory can be made");
        let samples = explorations::compiled(directory.path());
        // Panics that an exploration catches are findings too; the hook of the fuzzer would end at the first of any kind.
        explorations::note_panics();
        (directory, samples)
    });
    let mut chosen = Chosen(input);
    let sample = &samples[chosen.below(samples.len())];
    let mut bytes = std::fs::read(sample.directory.join(format!("{}.class", sample.class))).expect("it is there");
    while !chosen.0.is_empty() {
        mutate(&mut bytes, &mut chosen);
    }
    let scratch = tempfile::tempdir().expect("a scratch directory can be made");
    let mut tally = Tally::default();
    explorations::examine(sample, &bytes, scratch.path(), &mut tally);
    if !tally.findings.is_empty() {
        eprintln!("{:#?}", tally.findings);
        std::process::abort();
    }
});
