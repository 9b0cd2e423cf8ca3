//! Does exploration survive classes that no compiler would write? `cargo run --release -p lazuli-testgen --example fuzz_explorations`.
//!
//! Compiled samples are changed so that they often still pass the verifier, and explored in every way, with small limits. A panic, or
//! what takes much longer than it may, is a finding: the class file is saved, and the seed printed. Options: `--seconds N`, `--seed N`.
//! Loaded classes are never freed, so that each batch of files has a process of its own.

use std::process::Command;
use std::time::{Duration, Instant};

#[path = "../tests/support/explorations.rs"]
mod explorations;
#[path = "../tests/support/mutate.rs"]
mod mutate;

use explorations::Tally;
use mutate::{Seeded, mutate};

/// Files of one process.
const BATCH: u64 = 25;

fn main() {
    let option = |name: &str| {
        let mut arguments = std::env::args().skip_while(|argument| argument != name);
        arguments.nth(1).and_then(|value| value.parse::<u64>().ok())
    };
    if let Some(first) = option("--batch") {
        let work = std::thread::Builder::new().stack_size(512 << 20).spawn(move || batch(first));
        let is_fine = work.expect("a thread can be started").join().expect("the attack itself does not panic");
        std::process::exit(if is_fine { 0 } else { 1 });
    }
    let seconds = option("--seconds").unwrap_or(60);
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut seed = option("--seed").unwrap_or(clock * 1000);
    println!("seed {seed}, {seconds} s");
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let mut is_fine = true;
    while Instant::now() < deadline {
        let status = Command::new("/proc/self/exe").args(["--batch", &seed.to_string()]).status();
        let status = status.expect("this program can be started again");
        if !status.success() {
            println!("the batch of seed {seed} has findings ({status})");
            is_fine = false;
        }
        seed += BATCH;
    }
    std::process::exit(if is_fine { 0 } else { 1 });
}

fn batch(first: u64) -> bool {
    let scratch = tempfile::tempdir().expect("a scratch directory can be made");
    let samples = explorations::compiled(scratch.path());
    explorations::note_panics();
    let mut tally = Tally::default();
    for seed in first..first + BATCH {
        let mut choices = Seeded(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let sample = &samples[seed as usize % samples.len()];
        let mut bytes = std::fs::read(sample.directory.join(format!("{}.class", sample.class))).expect("it is there");
        (0..=seed % 4).for_each(|_| mutate(&mut bytes, &mut choices));
        let before = tally.findings.len();
        explorations::examine(sample, &bytes, &scratch.path().join(format!("changed{seed}")), &mut tally);
        for finding in &tally.findings[before..] {
            println!("seed {seed}: {finding}");
        }
        if tally.findings.len() > before {
            let path = std::env::temp_dir().join(format!("lazuli-fuzz-{seed}-{}.class", std::process::id()));
            // A new file, so that nothing is written through a link.
            let saved =
                std::fs::File::create_new(&path).and_then(|mut file| std::io::Write::write_all(&mut file, &bytes));
            println!("seed {seed}: {}", saved.map_or_else(|error| error.to_string(), |()| path.display().to_string()));
        }
    }
    let Tally { files, loaded, explored, paths, rehearsed, findings } = tally;
    println!(
        "seed {first}: {files} files, {loaded} loaded, {explored} explored, {paths} paths, {rehearsed} inputs made again, {} findings",
        findings.len()
    );
    findings.is_empty()
}
