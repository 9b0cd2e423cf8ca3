//! Can another program explore a method through the front door, with a technique of its own?

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_explore::technique::{Technique, TechniqueChoice};
use lazuli_explore::{Exploration, Failure, Path, Verdict};
use lazuli_vm::outcome::Question;
use lazuli_vm::program::Program;
use lazuli_vm::universe::{self, Alternatives, Cx};

const SOURCE: &str = "
class Chain {
    Chain next;
    int key;

    int last() {
        Chain at = this;
        for (int i = 0; i < 2 && at.next != null; i++) at = at.next;
        return at.key;
    }

    int wrong() {
        return next.key;
    }

    void twice(int number) {}

    void twice(long number) {}
}
";

/// Lazy initialization that counts the questions which it answers.
struct Counting(Arc<AtomicU64>);

impl Technique for Counting {
    fn alternatives(&self, cx: &mut Cx, path: &Path, question: &Question) -> Alternatives {
        self.0.fetch_add(1, Ordering::Relaxed);
        universe::alternatives(cx, path, question)
    }
}

#[test]
fn a_program_explores_with_a_technique_of_its_own() {
    let scratch = tempfile::tempdir().expect("a scratch directory can be made");
    let source = scratch.path().join("Chain.java");
    std::fs::write(&source, SOURCE).expect("the source can be written");
    let jdk = Jdk::locate().expect("a JDK is installed");
    let compiled = Command::new(jdk.home().join("bin/javac")).arg("-d").arg(scratch.path()).arg(&source).status();
    assert!(compiled.expect("javac runs").success());
    let path = ClassPath::open(jdk, &[scratch.path().to_path_buf()]).expect("the directory opens");
    let program = Arc::new(Program::open(path).expect("the JDK's library loads"));
    let usual = Exploration::of(&program, "Chain", "last").unwrap().scope(3).technique("lazy").run().unwrap();
    assert_eq!(usual.verdict(), Verdict::Holds);

    let (questions, told) = (Arc::new(AtomicU64::new(0)), AtomicU64::new(0));
    let counter = questions.clone();
    let own = Exploration::of(&program, "Chain", "last")
        .unwrap()
        .scope(3)
        .technique(TechniqueChoice::custom("counting", move |_| Box::new(Counting(counter.clone()))))
        .observe(Duration::from_millis(1), |_| {
            told.fetch_add(1, Ordering::Relaxed);
        })
        .run()
        .unwrap();
    assert_eq!((own.paths, own.verdict()), (usual.paths, Verdict::Holds));
    assert!(questions.load(Ordering::Relaxed) > 0 && told.load(Ordering::Relaxed) > 0);

    let wrong = Exploration::of(&program, "Chain", "wrong").unwrap().run().unwrap();
    assert_eq!(wrong.verdict(), Verdict::Violated);
    assert!(matches!(Exploration::of(&program, "Chain", "twice"), Err(Failure::Ambiguous { count: 2, .. })));
    assert!(Exploration::of(&program, "Chain", "twice(long)").is_ok());
    assert!(matches!(Exploration::of(&program, "Chain", "nothing"), Err(Failure::Ambiguous { count: 0, .. })));
    assert!(matches!(Exploration::of(&program, "Missing", "m"), Err(Failure::Class { .. })));
}
