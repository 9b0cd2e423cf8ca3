//! When may a result of an earlier run be reused, by a journal or from a cache? If all that decides it is the same.
//!
//! Limits of time and memory do not decide a result, because only explorations that ended are stored; nor does the number of threads.
//! Files beside the classes, which a program might read, are not part of the provenance.

use std::fmt::Write;
use std::path::Path;
use std::time::UNIX_EPOCH;

use lazuli_classfile::{ClassPath, PathError};
use lazuli_explore::Config;
use sha2::{Digest, Sha256};

/// The version of Lazuli and the classes: the same for all results of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Provenance {
    pub lazuli: String,
    /// Of the JDK alone.
    pub jdk: String,
    /// Those of the user and those of the JDK.
    pub classes: String,
}

/// Why the provenance is not known.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProvenanceError {
    #[error("Lazuli's own program cannot be read: {0}")]
    Program(std::io::Error),
    #[error("the JDK cannot be read: {0}")]
    Jdk(std::io::Error),
    #[error(transparent)]
    ClassPath(#[from] PathError),
}

impl Provenance {
    pub(crate) fn of(path: &ClassPath) -> Result<Provenance, ProvenanceError> {
        let jdk = jdk(path.jdk().home()).map_err(ProvenanceError::Jdk)?;
        Ok(Provenance { lazuli: lazuli()?, classes: classes(path, &jdk)?, jdk: digest(&jdk.concat()) })
    }
}

/// All options that decide a result, but the scope.
pub(crate) fn options(config: &Config) -> String {
    let mut config = config.clone();
    config.bounds.scope = 0;
    config.limits.jobs = 0;
    config.sat.pieces = Default::default();
    config.limits.memory = None;
    config.limits.deadline = None;
    digest(format!("{config:?}").as_bytes())
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    hexadecimal(Sha256::new_with_prefix(bytes))
}

/// Two builds of one version may differ in what they find, so that the program itself counts too.
fn lazuli() -> Result<String, ProvenanceError> {
    let program = std::env::current_exe().and_then(std::fs::read);
    let program = program.map_err(ProvenanceError::Program)?;
    Ok(format!("{} {}", env!("CARGO_PKG_VERSION"), digest(&program)))
}

/// Those of the user by what is in them, those of the JDK by its version and its image.
fn classes(path: &ClassPath, jdk: &[Vec<u8>]) -> Result<String, ProvenanceError> {
    let mut sum = Sha256::new();
    let mut add = |bytes: &[u8]| {
        // With its length, so that two parts cannot be taken for two others.
        sum.update((bytes.len() as u64).to_le_bytes());
        sum.update(bytes);
    };
    jdk.iter().for_each(|part| add(part));
    for name in path.user_classes() {
        let bytes = path.supplied(&format!("{name}.class"))?;
        add(name.as_bytes());
        add(&bytes.unwrap_or_default());
    }
    Ok(hexadecimal(sum))
}

/// The release file of the JDK, and the size and age of the image of its classes, which would take too long to read.
/// Where it is does not matter, so that results can be shared by machines.
fn jdk(home: &Path) -> std::io::Result<[Vec<u8>; 3]> {
    let release = std::fs::read(home.join("release"))?;
    let image = std::fs::metadata(home.join("lib/modules"))?;
    let age = image.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok([release, image.len().to_le_bytes().to_vec(), age.as_nanos().to_le_bytes().to_vec()])
}

/// The first half is enough to tell results apart.
pub(crate) fn hexadecimal(sum: Sha256) -> String {
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
        let first = Provenance::of(&path).unwrap();
        assert_eq!(Provenance::of(&path).unwrap(), first);
        assert!(!path.has_changed());
        std::fs::write(&file, "two").unwrap();
        assert_ne!(Provenance::of(&path).unwrap(), first);
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
