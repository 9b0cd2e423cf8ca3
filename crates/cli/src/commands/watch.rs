//! `lazuli watch`: the same check after every build.
//!
//! Each round is a process of its own, so that nothing of an old class stays, and takes the verdicts about what did not change from the cache.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use lazuli_console::visible::tell;

use crate::arguments::CheckOptions;
use crate::exit::ProcessExit;
use crate::project::FILE;

/// How often files are looked at. A build is over when they stay the same for as long.
const PAUSE: Duration = Duration::from_millis(300);

/// Folders that are looked into, so that a link that leads back has an end.
const DEEPEST: usize = 64;

pub(crate) fn watch(options: &CheckOptions) -> ProcessExit {
    let Ok(program) = std::env::current_exe() else {
        tell!("Lazuli's own program cannot be found, so that it cannot be started again.");
        return ProcessExit::Incomplete;
    };
    let mut words: Vec<_> = std::env::args_os().skip(1).collect();
    if let Some(command) = words.iter_mut().find(|word| *word == "watch") {
        *command = "check".into();
    }
    let mut checked = None;
    loop {
        let before = state(options);
        std::thread::sleep(PAUSE);
        if checked == Some(before) || state(options) != before {
            continue;
        }
        checked = Some(before);
        match Command::new(&program).args(&words).status() {
            // A request that makes no sense makes none after the next build either, unless its classes were only being built.
            Ok(_) => tell!("watching; Ctrl-C ends it."),
            Err(error) => {
                tell!("lazuli check cannot be started: {error}.");
                return ProcessExit::Incomplete;
            }
        }
    }
}

/// A digest of the names, sizes and ages of all files that a verdict may come from.
fn state(options: &CheckOptions) -> u64 {
    let mut hasher = DefaultHasher::new();
    let specifications = options.specifications.spec.iter().chain(&options.specifications.source);
    for root in options.common.class_path().iter().chain(specifications) {
        add(&mut hasher, root, DEEPEST);
    }
    add(&mut hasher, Path::new(FILE), 1);
    hasher.finish()
}

fn add(hasher: &mut DefaultHasher, path: &Path, depth: usize) {
    path.hash(hasher);
    let Ok(metadata) = std::fs::metadata(path) else { return };
    if metadata.is_dir() {
        let mut inside: Vec<_> =
            std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        inside.sort();
        if depth > 0 {
            inside.iter().for_each(|path| add(hasher, path, depth - 1));
        }
        return;
    }
    metadata.len().hash(hasher);
    metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH).hash(hasher);
}
