//! Which JDKs does this machine have beside the one that all tests use?

use std::path::PathBuf;

use lazuli_classfile::Jdk;

/// Where Linux has its JDKs.
pub const JDKS: &str = "/usr/lib/jvm";

/// The homes of whole JDKs from 17 on, without the one that Lazuli finds by itself.
pub fn other_jdks() -> Vec<PathBuf> {
    let own = Jdk::locate().ok().and_then(|jdk| jdk.home().canonicalize().ok());
    let entries = std::fs::read_dir(JDKS).into_iter().flatten().flatten();
    let mut homes: Vec<PathBuf> = entries.filter_map(|entry| entry.path().canonicalize().ok()).collect();
    homes.retain(|home| Some(home) != own.as_ref() && home.join("bin/javac").is_file() && Jdk::open(home).is_ok());
    homes.sort();
    homes.dedup();
    homes
}
