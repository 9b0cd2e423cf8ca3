//! Which harm can code do that a confirmation runs?
//!
//! The classes behave when Lazuli explores them, and misbehave in the JVM: there, and only there, the property `lazuli.replay` is set.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A class whose method throws, after it has done something on the JVM.
fn misbehaving(deed: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let source = format!(
        "public class Main {{ int x; static byte[][] kept = new byte[1 << 20][];\n\
         public void go() {{ if (System.getProperty(\"lazuli.replay\") != null) misbehave(); throw new AssertionError(); }}\n\
         static void misbehave() {{ try {{ {deed} }} catch (Exception e) {{ throw new RuntimeException(e); }} }} }}"
    );
    let file = directory.path().join("Main.java");
    std::fs::write(&file, source).unwrap();
    let javac = Command::new("javac").arg("-d").arg(directory.path()).arg(&file).output().expect("javac is installed");
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
    directory
}

/// Checks the class, as a shell would that was given this script; `$@` is the command.
fn check_by(script: &str, classes: &Path, directory: &Path) -> String {
    let output: Output = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_lazuli")])
        .args(["check", "Main.go", "--scope", "1", "--cache", "none", "--time", "60s", "-cp"])
        .arg(classes)
        .current_dir(directory)
        .output()
        .expect("sh starts");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn check(deed: &str) -> String {
    let (classes, here) = (misbehaving(deed), tempfile::tempdir().unwrap());
    let told = check_by("exec \"$@\"", classes.path(), here.path());
    assert_eq!(std::fs::read_dir(here.path()).unwrap().count(), 0, "something is left behind");
    assert!(told.contains("violated: AssertionError") && !told.contains("bug of Lazuli"), "{told}");
    told
}

const CONFIRMED: &str = "     confirmed on the JVM";

/// A program that leaves its session, and does something after a while.
fn deserter(mark: &Path) -> String {
    format!(
        "new ProcessBuilder(\"sh\", \"-c\", \"setsid sh -c '(sleep 4; touch {}) & exit' > /dev/null 2>&1 &\").start().waitFor();",
        mark.display()
    )
}

#[test]
fn a_process_that_leaves_its_session_is_ended() {
    let scratch = tempfile::tempdir().unwrap();
    let mark = scratch.path().join("late");
    let told = check(&deserter(&mark));
    assert!(told.contains(CONFIRMED), "{told}");
    std::thread::sleep(Duration::from_secs(6));
    assert!(!mark.exists(), "the process went on");
}

#[test]
fn it_is_ended_without_namespaces_too() {
    // In a namespace of users in which no other may be made.
    let forbid = "echo 0 > /proc/sys/user/max_pid_namespaces && echo 0 > /proc/sys/user/max_user_namespaces";
    let possible = Command::new("unshare").args(["-Ur", "sh", "-c", forbid]).status();
    if !possible.is_ok_and(|status| status.success()) {
        println!("skipped: this system does not let namespaces be forbidden");
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    let mark = scratch.path().join("late");
    let classes = misbehaving(&deserter(&mark));
    let script = format!("exec unshare -Ur sh -c '{forbid} && exec \"$@\"' sh \"$@\"");
    let told = check_by(&script, classes.path(), scratch.path());
    assert!(told.contains(CONFIRMED), "{told}");
    std::thread::sleep(Duration::from_secs(6));
    assert!(!mark.exists(), "the process went on");
}

#[test]
fn nothing_survives_a_lazuli_that_is_killed() {
    let scratch = tempfile::tempdir().unwrap();
    let (begun, late) = (scratch.path().join("begun"), scratch.path().join("late"));
    let deed =
        format!("{} new java.io.File(\"{}\").createNewFile(); Thread.sleep(60_000);", deserter(&late), begun.display());
    let classes = misbehaving(&deed);
    let mut lazuli = Command::new(env!("CARGO_BIN_EXE_lazuli"))
        .args(["check", "Main.go", "--scope", "1", "--cache", "none", "-cp"])
        .arg(classes.path())
        .spawn()
        .expect("lazuli starts");
    let begin = Instant::now();
    while !begun.exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the program does not run");
        std::thread::sleep(Duration::from_millis(20));
    }
    lazuli.kill().unwrap();
    lazuli.wait().unwrap();
    std::thread::sleep(Duration::from_secs(6));
    assert!(!late.exists(), "the process went on");
}

#[test]
fn output_without_end_is_thrown_away() {
    let begin = Instant::now();
    let told = check(
        "byte[] many = new byte[1 << 20]; for (int i = 0; i < 10_240; i++) { System.out.write(many); System.err.write(many); }",
    );
    // Ten gigabytes to each, or as many as there is time for.
    assert!(told.contains(CONFIRMED) || told.contains("not confirmed: java did not come to an end in time"), "{told}");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

#[test]
fn memory_and_files_have_a_limit() {
    let told = check("for (int i = 0; ; i++) kept[i % kept.length] = new byte[1 << 20];");
    assert!(told.contains("not confirmed: java needs more memory for it than a confirmation gets"), "{told}");
    let deed = "java.io.RandomAccessFile file = new java.io.RandomAccessFile(\"large\", \"rw\"); \
                byte[] many = new byte[1 << 20]; long written = 0; \
                try { for (; written < 4096; written++) file.write(many); } catch (java.io.IOException full) {} \
                if (written > 100) throw new RuntimeException(\"no limit\");";
    assert!(check(deed).contains(CONFIRMED));
}

#[test]
fn an_exit_is_an_end_and_no_bug() {
    for (deed, code) in [("System.exit(5);", 5), ("Runtime.getRuntime().halt(0);", 0)] {
        let told = check(deed);
        let expected = format!("not confirmed: the code under check ended the JVM with exit code {code}");
        assert!(told.contains(&expected), "{told}");
    }
}

#[test]
fn the_directory_is_its_own_and_empty() {
    let deed = "if (new java.io.File(\".\").list().length != 0 || System.in.read() != -1) throw new RuntimeException(); \
                System.in.close(); new java.io.FileOutputStream(\"left.txt\").write(1); new java.io.File(\"folder\").mkdir();";
    assert!(check(deed).contains(CONFIRMED));
}

#[test]
fn descriptors_are_not_passed_on() {
    let scratch = tempfile::tempdir().unwrap();
    let classes = misbehaving("new java.io.FileOutputStream(\"/proc/self/fd/7\").write(1);");
    let told = check_by("exec 7> secret; exec \"$@\"", classes.path(), scratch.path());
    assert!(told.contains("AssertionError"), "{told}");
    assert_eq!(std::fs::metadata(scratch.path().join("secret")).unwrap().len(), 0);
}

#[test]
fn there_is_no_network_where_the_system_can_do_that() {
    let can_do = Command::new("unshare").args(["-Urpfn", "true"]).status().is_ok_and(|status| status.success());
    if !can_do {
        println!("skipped: this system gives no namespaces");
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let deed = format!("try {{ new java.net.Socket(\"127.0.0.1\", {port}); }} catch (java.io.IOException none) {{}}");
    let told = check(&deed);
    assert!(told.contains(CONFIRMED), "{told}");
    assert!(listener.accept().is_err(), "the program connected");
}
