//! Does the class-file front end survive hostile input? `cargo run --release -p lazuli-vm --example fuzz_class_files`.
//!
//! Real class files of the installed JDK are damaged and given to decoding, translation and verification. A panic, or a file that
//! takes longer than a second, is a finding: it is saved, and its seed printed. Options: `--seconds N`, `--seed N`.

use std::time::{Duration, Instant};

#[path = "../tests/support/hostile.rs"]
mod hostile;

fn main() {
    let option = |name: &str| {
        let mut arguments = std::env::args().skip_while(|argument| argument != name);
        arguments.nth(1).and_then(|value| value.parse::<u64>().ok())
    };
    let seconds = option("--seconds").unwrap_or(60);
    let clock =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    let seed = option("--seed").unwrap_or(clock);
    println!("seed {seed}, {seconds} s");
    let deadline = Instant::now() + Duration::from_secs(seconds);
    // The decoder may recurse as deeply as its input nests; the command line gives it the same room.
    let work = std::thread::Builder::new().stack_size(512 << 20).spawn(move || hostile::attack(seed, deadline));
    let report = work.expect("a thread can be started").join().expect("the attack itself does not panic");
    println!("{} files, {} accepted, {} findings", report.files, report.accepted, report.findings.len());
    for finding in &report.findings {
        let path = std::env::temp_dir().join(format!("lazuli-fuzz-{}.class", finding.seed));
        // A new file, so that nothing is written through a link.
        let saved =
            std::fs::File::create_new(&path).and_then(|mut file| std::io::Write::write_all(&mut file, &finding.bytes));
        let saved = saved.map_or_else(|error| error.to_string(), |()| path.display().to_string());
        println!("seed {}: {} ({saved})", finding.seed, finding.what);
    }
    std::process::exit(if report.findings.is_empty() { 0 } else { 1 });
}
