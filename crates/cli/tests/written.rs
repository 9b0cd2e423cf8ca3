//! Does Lazuli write where it was told to, and nowhere else?

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const PRECIOUS: &str = "precious";

/// A project with classes, and beside it a file that must stay as it is.
struct Project {
    folder: TempDir,
}

impl Project {
    fn new() -> Project {
        let folder = tempfile::tempdir().unwrap();
        let source = "package acme; public class Main { int x; boolean repOK() { return x >= 0; } public int get() { return x; } }";
        let file = folder.path().join("Main.java");
        std::fs::write(&file, source).unwrap();
        let project = Project { folder };
        std::fs::create_dir_all(project.path("project/classes")).unwrap();
        let javac = Command::new("javac").arg("-d").arg(project.path("project/classes")).arg(&file).status();
        assert!(javac.expect("javac is installed").success());
        std::fs::write(project.path("victim"), PRECIOUS).unwrap();
        std::fs::create_dir(project.path("outside")).unwrap();
        project
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn settings(&self, text: &str) {
        let general = "class-path = ['classes']\ntargets = ['acme.Main']\nscope = 2\ncache = 'none'\n";
        let general =
            if text.contains("cache") { general.replace("cache = 'none'\n", "") } else { general.to_string() };
        std::fs::write(self.path("project/lazuli.toml"), format!("{general}{text}")).unwrap();
    }

    fn lazuli(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(words).current_dir(self.path("project")).env("XDG_CACHE_HOME", self.path("caches"));
        command.output().expect("lazuli starts")
    }

    fn assert_unharmed(&self) {
        assert_eq!(std::fs::read_to_string(self.path("victim")).unwrap(), PRECIOUS);
        assert_eq!(std::fs::read_dir(self.path("outside")).unwrap().count(), 0);
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn settings_do_not_write_outside_of_the_project() {
    let project = Project::new();
    symlink(project.path("outside"), project.path("project/link")).unwrap();
    symlink(project.path("victim"), project.path("project/report.html")).unwrap();
    for file in ["../victim", "link/x", "report.html", "a/../../victim", project.path("victim").to_str().unwrap()] {
        project.settings(&format!("[[report]]\nformat = 'html'\nfile = '{file}'\n"));
        let output = project.lazuli(&["check"]);
        let told = stderr(&output);
        assert!(told.contains("not below the project") && told.contains("-o FILE"), "{file}: {told}");
        assert_eq!(output.status.code(), Some(2), "{file}");
        project.assert_unharmed();
        // The command line says otherwise.
        let output = project.lazuli(&["check", "-o", "own.txt"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    for setting in ["journal", "cache"] {
        for directory in ["../outside", "link", "link/deep", project.path("outside").to_str().unwrap()] {
            project.settings(&format!("{setting} = '{directory}'\n"));
            let told = stderr(&project.lazuli(&["check"]));
            assert!(told.contains("not below the project") && told.contains(&format!("--{setting} DIR")), "{told}");
            project.assert_unharmed();
        }
        project.settings(&format!("{setting} = '../outside'\n"));
        let own = project.path("own");
        let output = project.lazuli(&["check", &format!("--{setting}"), own.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        project.assert_unharmed();
    }
    project.settings("journal = 'kept'\n[[report]]\nformat = 'json'\nfile = 'report.json'\n");
    assert_eq!(project.lazuli(&["check"]).status.code(), Some(0));
    assert!(text(&project.path("project/report.json")).contains("holds"));
    assert!(project.path("project/kept/journal.jsonl").is_file());
    let mode = std::fs::metadata(project.path("project/kept")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn a_report_goes_where_a_link_on_the_command_line_leads() {
    let project = Project::new();
    symlink(project.path("victim"), project.path("project/report")).unwrap();
    project.settings("");
    let output = project.lazuli(&["check", "--format", "sarif", "-o", "report"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(text(&project.path("victim")).contains("sarif") && project.path("project/report").is_symlink());
    let left: Vec<_> = std::fs::read_dir(project.path("project")).unwrap().collect();
    assert_eq!(left.len(), 3, "{left:?}");
    // A pipe and a device are written to as they are.
    let output = project.lazuli(&["check", "-o", "/dev/stderr"]);
    assert!(stderr(&output).contains("holds for"), "{}", stderr(&output));
}

#[test]
fn links_below_what_was_named_are_not_followed() {
    let project = Project::new();
    let classes = ["-cp", "classes", "--scope", "2", "--cache", "none"];
    // The directory of a journal has a link in it, or is a link that is not named on the command line.
    std::fs::create_dir(project.path("project/kept")).unwrap();
    symlink(project.path("victim"), project.path("project/kept/journal.jsonl")).unwrap();
    for more in [&["--journal", "kept"][..], &["--journal", "kept", "--resume"]] {
        project.lazuli(&[&["check", "acme.Main"], &classes[..], more].concat());
        project.assert_unharmed();
    }
    symlink(project.path("outside"), project.path("project/.lazuli")).unwrap();
    let told = stderr(&project.lazuli(&[&["check", "acme.Main", "--resume"], &classes[..]].concat()));
    assert!(told.contains(".lazuli is a link"), "{told}");
    project.assert_unharmed();
    // A package of a suite is a link, or a file in it is.
    std::fs::create_dir(project.path("project/suite")).unwrap();
    symlink(project.path("outside"), project.path("project/suite/acme")).unwrap();
    let words = [&["tests", "acme.Main", "-o", "suite", "--force"], &classes[..]].concat();
    let output = project.lazuli(&words);
    assert!(stderr(&output).contains("a link"), "{}", stderr(&output));
    project.assert_unharmed();
    std::fs::remove_file(project.path("project/suite/acme")).unwrap();
    std::fs::create_dir(project.path("project/suite/acme")).unwrap();
    symlink(project.path("victim"), project.path("project/suite/acme/MainLazuliTest.java")).unwrap();
    let output = project.lazuli(&words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!project.path("project/suite/acme/MainLazuliTest.java").is_symlink());
    project.assert_unharmed();
    // The files of a proof.
    symlink(project.path("victim"), project.path("project/proof.cnf")).unwrap();
    symlink(project.path("outside").join("new"), project.path("project/proof.drat")).unwrap();
    let words = [
        "check",
        "acme.Main.get",
        "-cp",
        "classes",
        "--scope",
        "1",
        "--cache",
        "none",
        "--engine",
        "sat",
        "--proof",
        "proof",
    ];
    let output = project.lazuli(&words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(text(&project.path("project/proof.cnf")).contains("p cnf"));
    project.assert_unharmed();
    // The settings themselves.
    symlink(project.path("victim"), project.path("project/lazuli.toml")).unwrap();
    assert_eq!(project.lazuli(&["init"]).status.code(), Some(2));
    project.assert_unharmed();
    assert_eq!(project.lazuli(&["init", "--force"]).status.code(), Some(0));
    project.assert_unharmed();
}
