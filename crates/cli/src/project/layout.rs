//! Where does the build of a project leave classes, and where are its sources?

use std::path::{Path, PathBuf};

/// Where compilers of Java leave classes, and where the sources are then.
const LAYOUTS: [(&str, &str); 4] = [
    ("target/classes", "src/main/java"),
    ("build/classes/java/main", "src/main/java"),
    ("out/production", "src"),
    ("bin", "src"),
];

/// The parts of a project that were found.
pub(crate) struct ProjectLayout {
    pub what: &'static str,
    /// How it is built, if a build file says so.
    pub build: Option<&'static str>,
    /// Directories of classes, there or not.
    pub classes: Vec<String>,
    /// Directories of sources that are there.
    pub sources: Vec<String>,
    /// Jars that it depends on.
    pub libraries: &'static str,
}

impl ProjectLayout {
    pub(crate) fn of(folder: &Path) -> ProjectLayout {
        let has = |name: &str| folder.join(name).exists();
        let is_gradle =
            ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"].into_iter().any(has);
        let (what, build, usual, libraries) = if has("pom.xml") {
            let libraries = "target/dependency/*\" after `mvn dependency:copy-dependencies`";
            ("a Maven project", Some("mvn compile"), Some(LAYOUTS[0]), libraries)
        } else if is_gradle {
            ("a Gradle project", Some("gradle classes"), Some(LAYOUTS[1]), "libs/*\" for all jars in a directory")
        } else {
            ("this directory", None, None, "libs/*\" for all jars in a directory")
        };
        let mut places = modules(folder, usual);
        if places.is_empty() {
            places.push(match usual.or_else(|| LAYOUTS.into_iter().find(|(classes, _)| has(classes))) {
                Some((classes, sources)) => (classes.to_string(), sources.to_string()),
                None => ("classes".to_string(), "src".to_string()),
            });
        }
        let sources = places.iter().map(|(_, sources)| sources).filter(|sources| has(sources)).cloned().collect();
        let classes = places.into_iter().map(|(classes, _)| classes).collect();
        ProjectLayout { what, build, classes, sources, libraries }
    }
}

/// The directories below a folder in which compilers have left classes.
pub(crate) fn class_folders(folder: &Path) -> Vec<String> {
    ProjectLayout::of(folder).classes.into_iter().filter(|classes| folder.join(classes).is_dir()).collect()
}

/// The class path of commands that name none: what the build has left in the current directory, and without a build file the directory itself.
pub(crate) fn usual_class_path() -> String {
    class_path_in(Path::new(""))
}

fn class_path_in(folder: &Path) -> String {
    let folders = if ProjectLayout::of(folder).build.is_some() { class_folders(folder) } else { Vec::new() };
    if folders.is_empty() { ".".to_string() } else { folders.join(":") }
}

/// The parts of a project of several: `core/target/classes`, `core/src/main/java`.
fn modules(folder: &Path, usual: Option<(&str, &str)>) -> Vec<(String, String)> {
    let Some((classes, sources)) = usual else { return Vec::new() };
    if folder.join(classes).is_dir() || folder.join(sources).is_dir() {
        return Vec::new();
    }
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(here).into_iter().flatten().flatten();
    let is_module = |path: &PathBuf| path.join(classes).is_dir() || path.join(sources).is_dir();
    let modules = entries.map(|entry| entry.path()).filter(is_module);
    let mut names: Vec<String> = modules.filter_map(|path| Some(path.file_name()?.to_str()?.to_string())).collect();
    names.sort();
    names.into_iter().map(|name| (format!("{name}/{classes}"), format!("{name}/{sources}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_has_left_is_the_class_path() {
        let place = tempfile::tempdir().unwrap();
        let make = |folder: &str| std::fs::create_dir_all(place.path().join(folder)).unwrap();
        make("target/classes");
        assert_eq!(class_path_in(place.path()), ".");
        std::fs::write(place.path().join("pom.xml"), "<project/>").unwrap();
        assert_eq!(class_path_in(place.path()), "target/classes");
        std::fs::remove_dir(place.path().join("target/classes")).unwrap();
        assert_eq!(class_path_in(place.path()), ".");
        make("core/target/classes");
        make("app/target/classes");
        make("docs/src/main/java");
        assert_eq!(class_path_in(place.path()), "app/target/classes:core/target/classes");
    }
}
