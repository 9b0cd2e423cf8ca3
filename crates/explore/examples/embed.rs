//! How does another program use Lazuli? `cargo run --release -p lazuli-explore --example embed -- DIRECTORY CLASS METHOD`
//!
//! Explores a method of a class that was compiled to a directory, with a technique from outside that counts the questions which it
//! answers, and shows how far it has come.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_explore::technique::{Technique, TechniqueChoice};
use lazuli_explore::{Exploration, Path};
use lazuli_vm::outcome::Question;
use lazuli_vm::program::Program;
use lazuli_vm::universe::{self, Alternatives, Cx};

/// Lazy initialization that counts.
struct Counting(Arc<AtomicU64>);

impl Technique for Counting {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        self.0.fetch_add(1, Ordering::Relaxed);
        universe::alternatives(cx, path, question)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, class, method] = arguments.as_slice() else {
        return Err("write a directory of classes, a class and a method".into());
    };
    let program = Arc::new(Program::open(ClassPath::open(Jdk::locate()?, &[directory.into()])?)?);
    let questions = Arc::new(AtomicU64::new(0));
    let counter = questions.clone();
    let report = Exploration::of(&program, class, method)?
        .scope(2)
        .technique(TechniqueChoice::custom("counting", move |_| Box::new(Counting(counter.clone()))))
        .observe(Duration::from_millis(200), |progress| eprintln!("{} paths", progress.paths.load(Ordering::Relaxed)))
        .run()?;
    println!("{:?}: {} paths, {} questions", report.verdict(), report.paths, questions.load(Ordering::Relaxed));
    Ok(())
}
