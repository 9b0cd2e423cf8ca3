//! How are class files damaged, and what counts as a finding?

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_vm::program::Program;

/// No class file of ordinary size may take longer.
const PATIENCE: Duration = Duration::from_secs(1);

pub struct Finding {
    pub seed: u64,
    pub what: String,
    pub bytes: Vec<u8>,
}

pub struct Report {
    pub files: usize,
    pub accepted: usize,
    pub findings: Vec<Finding>,
}

/// A program over the JDK alone.
pub fn program() -> Arc<Program> {
    let jdk = Jdk::locate().expect("a JDK is installed");
    let path = ClassPath::open(jdk, &[]).expect("an empty class path opens");
    Arc::new(Program::open(path).expect("the JDK is complete"))
}

/// Damages class files until the deadline.
pub fn attack(seed: u64, deadline: Instant) -> Report {
    let program = program();
    let samples = samples(&program);
    let mut report = Report { files: 0, accepted: 0, findings: Vec::new() };
    std::panic::set_hook(Box::new(|_| {})); // panics are findings, and reported as such
    let mut next = seed;
    while Instant::now() < deadline && report.findings.len() < 20 {
        next = next.wrapping_add(1);
        let mut random = Random(next.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut bytes = samples[random.below(samples.len())].to_vec();
        for _ in 0..=random.below(4) {
            damage(&mut bytes, &mut random, &samples);
        }
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| program.examine(&bytes)));
        report.files += 1;
        let what = match outcome {
            Ok(result) => {
                report.accepted += result.is_ok() as usize;
                (start.elapsed() > PATIENCE).then(|| format!("took {:?}", start.elapsed()))
            }
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
                Some(format!("panic: {}", text.unwrap_or_default()))
            }
        };
        if let Some(what) = what {
            report.findings.push(Finding { seed: next, what, bytes });
        }
    }
    let _ = std::panic::take_hook();
    report
}

/// Small classes with many kinds of content: annotations, switches, lambdas, exceptions, records, modules.
fn samples(program: &Program) -> Vec<&'static [u8]> {
    let names = [
        "/java.base/java/lang/Object.class",
        "/java.base/java/lang/Runtime$Version.class",
        "/java.base/java/util/Optional.class",
        "/java.base/java/util/Comparator.class",
        "/java.base/java/lang/Deprecated.class",
        "/java.base/java/util/StringJoiner.class",
        "/java.base/java/lang/invoke/MethodType.class",
        "/java.base/java/util/concurrent/TimeUnit.class",
        "/java.base/java/io/ObjectStreamClass.class",
        "/java.base/java/lang/Character$UnicodeScript.class",
        "/java.base/java/util/stream/Collectors.class",
        "/java.logging/module-info.class",
    ];
    names.iter().filter_map(|name| program.jdk().resource(name)).collect()
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random, samples: &[&'static [u8]]) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(9) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << random.below(8),
        2 => bytes[at] = random.below(256) as u8,
        // Absurd counts, lengths and indices.
        3 | 4 => {
            let values: [&[u8]; 6] =
                [&[0xFF, 0xFF], &[0, 0], &[0xFF, 0xFF, 0xFF, 0xFF], &[0x7F, 0xFF, 0xFF, 0xFF], &[0, 1], &[0x80, 0]];
            let value = values[random.below(values.len())];
            for (place, byte) in bytes[at..].iter_mut().zip(value) {
                *place = *byte;
            }
        }
        5 => {
            let end = (at + random.below(64)).min(bytes.len());
            bytes.drain(at..end);
        }
        6 => {
            let end = (at + random.below(64)).min(bytes.len());
            let copied = bytes[at..end].to_vec();
            let place = random.below(bytes.len());
            bytes.splice(place..place, copied);
        }
        // Deep nesting: an element value that is an array of one element, again and again.
        7 => {
            let nested = b"[\x00\x01".repeat(1 + random.below(20_000));
            bytes.splice(at..at, nested);
        }
        _ => {
            let other = samples[random.below(samples.len())];
            let from = random.below(other.len());
            let end = (from + random.below(200)).min(other.len());
            let place = (at + end - from).min(bytes.len());
            bytes.splice(at..place, other[from..end].iter().copied());
        }
    }
}

/// A small generator (xorshift), so that a seed reproduces a file.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit.max(1)
    }
}
