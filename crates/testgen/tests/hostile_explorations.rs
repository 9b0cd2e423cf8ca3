//! Are classes explored without harm that pass the verifier, but that no compiler would write?

#[path = "support/explorations.rs"]
mod explorations;
#[path = "support/mutate.rs"]
mod mutate;

use std::time::{Duration, Instant};

use explorations::Tally;
use mutate::{Seeded, mutate};

/// A short run of the fuzzer, with a fixed seed. CONTRIBUTING.md names the command for a long one.
#[test]
fn changed_classes_are_explored_without_harm() {
    let work = std::thread::Builder::new().stack_size(512 << 20).spawn(|| {
        let scratch = tempfile::tempdir().expect("a scratch directory can be made");
        let samples = explorations::compiled(scratch.path());
        explorations::note_panics();
        let (begin, mut tally) = (Instant::now(), Tally::default());
        for seed in 1..=40 {
            let mut choices = Seeded(u64::wrapping_mul(seed, 0x9E37_79B9_7F4A_7C15) | 1);
            // The larger part of the changes is in the first sample, which has a little of everything.
            let sample = &samples[seed as usize % samples.len()];
            let mut bytes =
                std::fs::read(sample.directory.join(format!("{}.class", sample.class))).expect("it is there");
            (0..=seed % 4).for_each(|_| mutate(&mut bytes, &mut choices));
            let changed = scratch.path().join(format!("changed{seed}"));
            explorations::examine(sample, &bytes, &changed, &mut tally);
            if begin.elapsed() > Duration::from_secs(50) {
                break;
            }
        }
        let _ = std::panic::take_hook();
        tally
    });
    let tally = work.expect("a thread starts").join().expect("the attack itself does not panic");
    let Tally { files, loaded, explored, paths, rehearsed, findings } = tally;
    println!("{files} files, {loaded} loaded, {explored} explored, {paths} paths, {rehearsed} inputs made again");
    assert!(findings.is_empty(), "{findings:#?}");
    assert!(loaded * 2 > files && explored > 0 && paths > 0 && rehearsed > 0, "too little gets behind the verifier");
}
