//! What decides the result of an exploration? Where all of it is the same, a result may be used again, by a journal or from a cache.
//!
//! The time and the memory that were given do not: only what was explored to its end is ever written down. Nor does the number of
//! threads. Files beside the classes, which a program might read, are not looked at.

use std::fmt::Write;
use std::path::Path;
use std::time::UNIX_EPOCH;

use lazuli_classfile::ClassPath;
use lazuli_explore::Config;
use sha2::{Digest, Sha256};

/// Who explored, and what: the same for all of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub lazuli: String,
    pub classes: String,
}

impl Origin {
    pub fn of(path: &ClassPath) -> Result<Origin, String> {
        Ok(Origin { lazuli: lazuli()?, classes: classes(path)? })
    }
}

/// All options that decide a result, but the scope.
pub fn options(config: &Config) -> String {
    let mut config = config.clone();
    config.bounds.scope = 0;
    config.limits.jobs = 0;
    config.limits.memory = None;
    config.limits.deadline = None;
    digest(format!("{config:?}").as_bytes())
}

pub fn digest(bytes: &[u8]) -> String {
    hexadecimal(Sha256::new_with_prefix(bytes))
}

/// Two builds of one version may differ in what they find, so that the program itself counts too.
fn lazuli() -> Result<String, String> {
    let program = std::env::current_exe().and_then(std::fs::read);
    let program = program.map_err(|error| format!("Lazuli's own program cannot be read: {error}"))?;
    Ok(format!("{} {}", env!("CARGO_PKG_VERSION"), digest(&program)))
}

/// Those of the user by what is in them, those of the JDK by its version and its image.
fn classes(path: &ClassPath) -> Result<String, String> {
    let mut sum = Sha256::new();
    let mut add = |bytes: &[u8]| {
        // With its length, so that two parts cannot be taken for two others.
        sum.update((bytes.len() as u64).to_le_bytes());
        sum.update(bytes);
    };
    for part in jdk(path.jdk().home()).map_err(|error| format!("the JDK cannot be read: {error}"))? {
        add(&part);
    }
    for name in path.user_classes() {
        let bytes = path.resource(&format!("{name}.class")).map_err(|error| error.to_string())?;
        add(name.as_bytes());
        add(&bytes.unwrap_or_default());
    }
    Ok(hexadecimal(sum))
}

/// What its maker says about it, and the size and age of the image of its classes: reading all of that takes longer than it is worth.
/// Where it is does not matter, so that results can be shared by machines.
fn jdk(home: &Path) -> std::io::Result<[Vec<u8>; 3]> {
    let release = std::fs::read(home.join("release"))?;
    let image = std::fs::metadata(home.join("lib/modules"))?;
    let age = image.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok([release, image.len().to_le_bytes().to_vec(), age.as_nanos().to_le_bytes().to_vec()])
}

/// The first half is enough to tell results apart.
fn hexadecimal(sum: Sha256) -> String {
    let mut text = String::new();
    for byte in &sum.finalize()[..16] {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use lazuli_classfile::Jdk;

    use super::*;

    #[test]
    fn a_class_that_was_changed_after_it_was_loaded_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("A.class");
        std::fs::write(&file, "one").unwrap();
        let path = ClassPath::open(Jdk::locate().unwrap(), &[folder.path().to_path_buf()]).unwrap();
        path.find("A").unwrap().expect("it is there");
        let first = Origin::of(&path).unwrap();
        assert_eq!(Origin::of(&path).unwrap(), first);
        assert!(!path.has_changed());
        std::fs::write(&file, "two").unwrap();
        assert_ne!(Origin::of(&path).unwrap(), first);
        assert!(path.has_changed());
    }

    #[test]
    fn options_are_what_decides_a_result() {
        let usual = Config::default();
        let same = usual.clone().with(|config| {
            config.limits.jobs = 7;
            config.limits.memory = Some(1);
            config.limits.deadline = Some(Instant::now());
        });
        assert_eq!(options(&usual), options(&same));
        let mut deeper = usual.clone();
        deeper.bounds.scope = 9;
        assert_eq!(options(&usual), options(&deeper));
        deeper.bounds.scope_of.push(("Node".to_string(), 2));
        assert_ne!(options(&usual), options(&deeper));
        assert_ne!(
            options(&usual),
            options(&usual.clone().with(|config| config.contract.postcondition = Some("fits".to_string())))
        );
        assert_ne!(options(&usual), options(&usual.clone().with(|config| config.limits.paths = Some(3))));
    }
}
