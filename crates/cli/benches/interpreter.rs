//! How fast is Lazuli's interpreter beside `java -Xint`? `cargo bench --bench interpreter` prints the table of bench/.
//!
//! Both run the same classes, in turns, in one run, and the least CPU time of several rounds counts: machines are shared.
//! The results of both must be the same.

use std::path::Path;
use std::process::Command;

const ROUNDS: usize = 3;

/// The most time that `lazuli` may take, in multiples of `java -Xint`.
const AIM: f64 = 3.0;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sources = root.join("bench/java");
    let classes = tempfile::tempdir().expect("a scratch directory can be made");
    let mut names: Vec<String> = std::fs::read_dir(&sources)
        .expect("bench/java is there")
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".java").map(str::to_string))
        .collect();
    names.sort();
    let files = names.iter().map(|name| sources.join(format!("{name}.java")));
    let compiled =
        Command::new("javac").arg("-d").arg(classes.path()).args(files).status().expect("javac is installed");
    assert!(compiled.success(), "javac failed");

    println!("| program | java -Xint, CPU s | lazuli, CPU s | times java -Xint | peak memory of lazuli, MB |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for name in names {
        let java = ["java", "-Xint", "-cp"];
        let lazuli = [env!("CARGO_BIN_EXE_lazuli"), "run", "-cp"];
        let mut best = [f64::INFINITY; 2];
        let mut results = [String::new(), String::new()];
        let mut memory = 0;
        for _ in 0..ROUNDS {
            for (index, command) in [&java[..], &lazuli[..]].into_iter().enumerate() {
                let measured = measure(command, classes.path(), &name);
                best[index] = best[index].min(measured.seconds);
                results[index] = measured.output;
                memory = measured.kilobytes;
            }
        }
        assert_eq!(results[0], results[1], "{name}: lazuli and java differ");
        let ratio = best[1] / best[0];
        let mark = if ratio > AIM { " (aim missed)" } else { "" };
        println!("| {name} | {:.2} | {:.2} | {ratio:.2}{mark} | {} |", best[0], best[1], memory / 1024);
    }
}

struct Measured {
    seconds: f64,
    kilobytes: usize,
    output: String,
}

/// Runs a program under GNU time or, where that is missing, under the shell's.
fn measure(command: &[&str], classes: &Path, name: &str) -> Measured {
    let figures = tempfile::NamedTempFile::new().expect("a scratch file can be made");
    let output = Command::new("bash")
        .arg("-c")
        .arg(
            "if [ -x /usr/bin/time ]; then exec /usr/bin/time -f '%U %S %M' -o \"$0\" \"$@\"; fi; \
              TIMEFORMAT='%U %S 0'; { time \"$@\" 2>&3; } 3>&2 2>\"$0\"",
        )
        .arg(figures.path())
        .args(command)
        .arg(classes)
        .arg(name)
        .output()
        .expect("bash is installed");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let figures = std::fs::read_to_string(figures.path()).expect("time wrote its figures");
    let numbers: Vec<f64> = figures.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    let [user, system, kilobytes] = numbers[..] else { panic!("time wrote {figures}") };
    Measured {
        seconds: user + system,
        kilobytes: kilobytes as usize,
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
    }
}
