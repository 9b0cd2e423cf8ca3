//! Do the modules for Java builds work, with JUnit's launcher and with Maven?

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

#[path = "common/jdks.rs"]
mod jdks;
use jdks::other_jdks;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            found.extend(java_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "java") {
            found.push(path);
        }
    }
    found
}

fn words(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The jars of JUnit 5 that Debian has.
fn jars() -> String {
    let names = ["junit-jupiter-api", "junit-platform-commons", "junit-platform-engine", "junit-platform-launcher"];
    let more = ["junit-jupiter-engine", "opentest4j", "apiguardian-api", "hamcrest", "junit-platform-console"];
    let others = ["junit-platform-reporting", "picocli"];
    let jars = names.iter().chain(&more).chain(&others).map(|name| format!("/usr/share/java/{name}.jar"));
    jars.collect::<Vec<String>>().join(":")
}

fn javac(to: &Path, class_path: &str, files: &[PathBuf]) {
    let mut command = Command::new("javac");
    command.args(["-g", "-parameters", "-proc:none", "-cp", class_path, "-d"]).arg(to).args(files);
    let output = command.output().expect("javac is installed");
    assert!(output.status.success(), "{}", words(&output));
}

#[test]
fn checks_are_tests_of_junit() {
    if !Path::new("/usr/share/java/junit-platform-console.jar").exists() {
        println!("skipped: the jars of JUnit 5 are not in /usr/share/java (scripts/test.sh installs them)");
        return;
    }
    let module = root().join("java/lazuli-junit/src");
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    let (classes, tests) = (place.path().join("classes"), place.path().join("tests"));
    let jars = jars();
    javac(&classes, &jars, &java_files(&module.join("main/java")));
    javac(&classes.join("META-INF/lazuli/shadow"), &jars, &java_files(&module.join("shadow/java")));
    let services = classes.join("META-INF/services");
    std::fs::create_dir_all(&services).expect("a folder can be made");
    let engine = "org.junit.platform.engine.TestEngine";
    let registered = module.join("main/resources/META-INF/services").join(engine);
    std::fs::copy(registered, services.join(engine)).expect("it can be copied");
    // Debian has no AssertJ; Maven has.
    let mut files = java_files(&module.join("test/java"));
    files.retain(|file| !file.ends_with("AssertJChecks.java"));
    let class_path = format!("{}:{jars}", classes.display());
    javac(&tests, &class_path, &files);
    // With every JDK that is there: the class files are for 17.
    let homes = other_jdks().into_iter().map(|home| home.join("bin/java"));
    for (number, java) in std::iter::once(PathBuf::from("java")).chain(homes).enumerate() {
        let mut command = Command::new(&java);
        command.arg(format!("-Dlazuli.binary={}", env!("CARGO_BIN_EXE_lazuli")));
        command.arg("-cp").arg(format!("{}:{class_path}", tests.display()));
        command.args(["org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--disable-ansi-colors"]);
        let cache = place.path().join(format!("cache{number}"));
        command.args(["-c", "lazuli.junit.ExpectedResultsTest"]).env("XDG_CACHE_HOME", cache).env_remove("JAVA_HOME");
        let output = command.output().expect("java is installed");
        assert!(output.status.success(), "{}: {}", java.display(), words(&output));
        assert!(words(&output).contains("3 tests successful"), "{}: {}", java.display(), words(&output));
    }
}

fn mvn(folder: &Path, goals: &[&str]) -> Output {
    let binary = format!("-Dlazuli.binary={}", env!("CARGO_BIN_EXE_lazuli"));
    mvn_without_binary(folder, &[goals, &[binary.as_str()]].concat())
}

/// Tests of modules run one Maven after the other: they share a repository, in which each installs.
static MAVEN: Mutex<()> = Mutex::new(());

fn mvn_without_binary(folder: &Path, goals: &[&str]) -> Output {
    let _alone = MAVEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut command = Command::new("mvn");
    command.args(["-q", "-B", "-fae"]).args(goals).current_dir(folder).env_remove("LAZULI");
    command.arg(format!("-Dmaven.repo.local={}", root().join("target/m2").display()));
    command.env("XDG_CACHE_HOME", root().join("target/m2/cache")).output().expect("mvn starts")
}

/// Could Maven not get what it needs from a repository?
fn is_out_of_reach(output: &Output) -> bool {
    let words = words(output);
    ["could not be resolved", "Could not transfer", "Unknown host", "Could not resolve", "offline mode"]
        .iter()
        .any(|sign| words.contains(sign))
}

#[test]
fn a_build_with_maven_finds_the_planted_defect_and_passes_on_its_twin() {
    if Command::new("mvn").arg("-v").output().is_err() {
        println!("skipped: there is no Maven (scripts/test.sh installs it)");
        return;
    }
    // With the tests of lazuli-junit, which have AssertJ here.
    let installed = mvn(&root().join("java"), &["install"]);
    if !installed.status.success() && is_out_of_reach(&installed) {
        println!("skipped: no Maven repository can be reached");
        return;
    }
    assert!(installed.status.success(), "{}", words(&installed));
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    let copied = Command::new("cp").arg("-r").arg(root().join("examples/maven-project")).arg(place.path()).status();
    assert!(copied.expect("cp is there").success());
    let project = place.path().join("maven-project");
    let built = mvn(&project, &["clean", "verify"]);
    if is_out_of_reach(&built) {
        println!("skipped: no Maven repository can be reached");
        return;
    }
    let text = words(&built);
    assert!(
        !built.status.success() && text.contains("on project wrong: Lazuli found inputs that make methods fail"),
        "{text}"
    );
    assert!(!text.contains("on project right") && !text.contains("on project desk"), "{text}");
    for (module, verdict) in [("right", "holds"), ("wrong", "violated"), ("desk", "holds")] {
        let folder = project.join(module).join("target/lazuli");
        for report in ["report.txt", "report.jsonl", "report.html", "report.sarif", "TEST-lazuli.xml"] {
            assert!(folder.join(report).metadata().is_ok_and(|file| file.len() > 0), "{module} has no {report}");
        }
        let told = std::fs::read_to_string(folder.join("report.jsonl")).expect("it is there");
        let verdict = format!(r#""verdict":"{verdict}""#);
        assert!(told.contains(&verdict), "{told}");
    }
    for (class, number) in [("DeskTest", 2), ("EveryMethodTest", 3)] {
        let file = project.join(format!("desk/target/surefire-reports/TEST-shop.{class}.xml"));
        let told = std::fs::read_to_string(file).expect("Surefire wrote it");
        let counts = format!(r#"tests="{number}" errors="0" skipped="0" failures="0""#);
        assert!(told.contains(&counts), "{told}");
    }
    let file = project.join("desk/target/surefire-reports/TEST-shop.EveryMethodTest.xml");
    let told = std::fs::read_to_string(file).expect("Surefire wrote it");
    assert!(told.contains(r#"name="shop.Desk.arrive(int)" classname="shop.EveryMethodTest""#), "{told}");
    without_a_repository_and_with_the_program_in_a_jar(&project);
    let tests = mvn(&project.join("right"), &["lazuli:lazuli-maven-plugin:0.1.0:tests"]);
    assert!(tests.status.success(), "{}", words(&tests));
    assert!(project.join("right/target/lazuli/tests/shop/QueueLazuliTest.java").exists());
}

/// A jar as `scripts/release.sh` makes it, where a script stands for the program, which is large: it adds a line to `runs` each time.
fn binary_jar(place: &Path) -> PathBuf {
    let machine = if cfg!(target_arch = "aarch64") { "aarch64" } else { "amd64" };
    let folder = place.join(format!("META-INF/lazuli/Linux-{machine}"));
    let named = place.join("META-INF/maven/lazuli/lazuli-binary");
    for folder in [&folder, &named] {
        std::fs::create_dir_all(folder).expect("the scratch directory can be written");
    }
    let program = env!("CARGO_BIN_EXE_lazuli");
    let script = format!("#!/bin/sh\necho >> {}\nexec {program} \"$@\"\n", place.join("runs").display());
    let script = script.replace("exec", "[ -f \"${0%/*}/libx.so.1\" ] || exit 2\nexec");
    for (name, text) in [("lazuli", script.as_str()), ("libx.so.1", "a library"), ("files", "lazuli\nlibx.so.1\n")] {
        std::fs::write(folder.join(name), text).expect("the scratch directory can be written");
    }
    let release = std::fs::read_to_string(root().join("scripts/release.sh")).expect("the script is there");
    let pom = release.split_once("<<POM\n").and_then(|(_, rest)| rest.split_once("POM\n")).expect("it has a pom").0;
    std::fs::write(named.join("pom.xml"), pom.replace("$version", "0.1.0")).expect("it can be written");
    let jar = place.join("lazuli-binary-0.1.0.jar");
    let made = Command::new("jar").arg("-cf").arg(&jar).arg("-C").arg(place).arg("META-INF").status();
    assert!(made.expect("jar is installed").success());
    jar
}

/// All that a build needs is in the local repository by now; also the program.
fn without_a_repository_and_with_the_program_in_a_jar(project: &Path) {
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    let jar = binary_jar(place.path());
    let file = format!("-Dfile={}", jar.display());
    let goal = "org.apache.maven.plugins:maven-install-plugin:3.1.1:install-file";
    let installed = mvn(place.path(), &[goal, &file]);
    assert!(installed.status.success(), "{}", words(&installed));
    let dependency = "<groupId>lazuli</groupId><artifactId>lazuli-binary</artifactId><version>0.1.0</version>";
    let insert = |file: &str, before: &str, text: &str| {
        let file = project.join(file);
        let old = std::fs::read_to_string(&file).expect("it is there");
        assert!(old.contains(before));
        std::fs::write(&file, old.replacen(before, &format!("{text}{before}"), 1)).expect("it can be written");
    };
    let of_plugin = format!("<dependencies><dependency>{dependency}</dependency></dependencies>");
    insert("pom.xml", "        <configuration>\n          <scope>", &of_plugin);
    let of_tests = format!("<dependency>{dependency}<scope>test</scope></dependency>");
    insert("desk/pom.xml", "  </dependencies>", &of_tests);
    let built = mvn_without_binary(project, &["--offline", "clean", "verify", "-pl", "right,desk"]);
    assert!(built.status.success(), "{}", words(&built));
    // Two modules, and the checks and the class of the tests.
    let runs = std::fs::read_to_string(place.path().join("runs")).expect("the program of the jar was used");
    assert_eq!(runs.lines().count(), 4, "{}", words(&built));
}

/// Compiles the example of another language with its compiler from a Maven repository, and checks a class of it. None if there is no repository.
fn checked(language: &str, compiler: &[&str], libraries: &[&str], class: &str) -> Option<String> {
    if Command::new("mvn").arg("-v").output().is_err() {
        println!("skipped: there is no Maven (scripts/test.sh installs it)");
        return None;
    }
    let example = root().join("examples").join(language);
    let jars = root().join("target/m2/compilers").join(language);
    let fetched = mvn(&example, &["dependency:copy-dependencies", &format!("-DoutputDirectory={}", jars.display())]);
    if !fetched.status.success() && is_out_of_reach(&fetched) {
        println!("skipped: no Maven repository can be reached");
        return None;
    }
    assert!(fetched.status.success(), "{}", words(&fetched));
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    let mut command = Command::new("java");
    command.args(["-XX:TieredStopAtLevel=1", "-cp"]).arg(format!("{}/*", jars.display())).args(compiler);
    let libraries: Vec<String> = libraries.iter().map(|jar| jars.join(jar).display().to_string()).collect();
    if !libraries.is_empty() {
        command.arg("-classpath").arg(libraries.join(":"));
    }
    command.arg("-d").arg(place.path()).args(
        std::fs::read_dir(&example)
            .expect("the example is there")
            .map(|entry| entry.expect("it can be read").path())
            .filter(|path| path.extension().is_some_and(|end| end == "kt" || end == "scala")),
    );
    let compiled = command.output().expect("java is installed");
    assert!(compiled.status.success(), "{}", words(&compiled));
    let class_path = [vec![place.path().display().to_string()], libraries].concat().join(":");
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["check", "-cp", &class_path, class, "--scope", "2", "-q", "--time", "5m"]);
    let output = command.output().expect("lazuli starts");
    assert_eq!(output.status.code(), Some(1), "{}", words(&output));
    Some(words(&output))
}

#[test]
fn classes_of_kotlin_are_checked() {
    let compiler = ["org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-reflect", "-no-stdlib"];
    let Some(told) = checked("kotlin", &compiler, &["kotlin-stdlib-1.9.24.jar"], "shop.Ledger") else { return };
    // A value class is an int in the class file; a null for `note`, which Kotlin rejects, is no defect.
    assert!(
        told.lines().any(|line| line.starts_with("shop.Ledger.book-") && line.contains("(int, String): holds")),
        "{told}"
    );
    assert!(told.contains("shop.Ledger.takeBack(): violated"), "{told}");
}

#[test]
fn classes_of_scala_are_checked() {
    let compiler = ["scala.tools.nsc.Main", "-usejavacp", "-g:vars"];
    let Some(told) = checked("scala", &compiler, &[], "shop.Ring") else { return };
    assert!(told.contains("shop.Ring.add(): holds") && told.contains("shop.Ring.length(): holds"), "{told}");
    assert!(told.contains("shop.Ring.removeNext(): violated: invariant"), "{told}");
}

#[test]
fn classes_of_scala_3_are_checked() {
    let compiler = ["dotty.tools.dotc.Main", "-usejavacp"];
    let Some(told) = checked("scala3", &compiler, &[], "shop.Account") else { return };
    // An opaque type is an int in the class file.
    assert!(told.contains("shop.Account.pay(int): holds"), "{told}");
    assert!(told.contains("shop.Account.close(): violated: invariant"), "{told}");
}

#[test]
fn a_build_with_gradle_finds_the_planted_defect_and_passes_on_its_twin() {
    if Command::new("gradle").arg("-v").output().is_err() {
        println!("skipped: there is no Gradle (`apt-get install gradle` brings one)");
        return;
    }
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    for (from, to) in [("examples/gradle-project", "examples"), ("contrib/gradle", "contrib")] {
        std::fs::create_dir_all(place.path().join(to)).expect("the scratch directory can be written");
        let copied = Command::new("cp").arg("-r").arg(root().join(from)).arg(place.path().join(to)).status();
        assert!(copied.expect("cp is there").success());
    }
    let project = place.path().join("examples/gradle-project");
    let mut gradle = Command::new("gradle");
    let words_of =
        ["--offline", "--no-daemon", "-q", "check", "lazuliTests", "--continue", "-PlazuliOptions=--scope 3"];
    gradle.current_dir(&project).args(words_of).arg(format!("-Plazuli={}", env!("CARGO_BIN_EXE_lazuli")));
    gradle.env("GRADLE_USER_HOME", place.path().join("home")).env("XDG_CACHE_HOME", place.path().join("cache"));
    let built = gradle.output().expect("gradle starts");
    let text = words(&built);
    assert!(!built.status.success() && text.contains("Execution failed for task ':wrong:lazuliCheck'"), "{text}");
    assert!(!text.contains("task ':right:") && !text.contains("task ':desk:"), "{text}");
    for (module, methods) in [("right", 2), ("wrong", 2), ("desk", 3)] {
        let folder = project.join(module).join("build/lazuli");
        for report in ["report.txt", "report.html", "report.sarif", "TEST-lazuli.xml"] {
            assert!(folder.join(report).metadata().is_ok_and(|file| file.len() > 0), "{module} has no {report}");
        }
        // The classes of a project that this one uses are not among its own.
        let told = std::fs::read_to_string(folder.join("report.jsonl")).expect("it is there");
        assert_eq!(told.lines().count(), methods, "{told}");
        assert_eq!(told.contains(r#""verdict":"violated""#), module == "wrong", "{told}");
    }
    assert!(project.join("right/build/lazuli/tests/shop/QueueLazuliTest.java").exists(), "{text}");
    let jar = binary_jar(place.path());
    let of_jar = format!("subprojects {{ dependencies {{ lazuli files('{}') }} }}\n", jar.display());
    let script = project.join("build.gradle");
    let old = std::fs::read_to_string(&script).expect("it is there");
    std::fs::write(&script, old + &of_jar).expect("it can be written");
    let mut gradle = Command::new("gradle");
    gradle.current_dir(&project).args(["--offline", "--no-daemon", "-q", ":desk:lazuliCheck"]).env_remove("LAZULI");
    gradle.env("GRADLE_USER_HOME", place.path().join("home")).env("XDG_CACHE_HOME", place.path().join("cache"));
    let built = gradle.output().expect("gradle starts");
    assert!(built.status.success() && place.path().join("runs").exists(), "{}", words(&built));
}
