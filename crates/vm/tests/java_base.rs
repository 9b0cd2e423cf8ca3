//! Does every class of the JDK's `java.base` module load, and every method body translate and pass verification?

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_vm::program::Program;

#[test]
fn every_class_of_java_base_loads_and_every_body_is_verified() {
    let jdk = Jdk::locate().expect("a JDK is installed");
    let path = ClassPath::open(jdk, &[]).expect("an empty class path opens");
    let program = Program::open(path).expect("the JDK is complete");
    let names = program.jdk().classes_of("java.base");
    let start = Instant::now();
    let (mut classes, mut bodies) = (0, 0);
    let mut failures = Vec::new();
    for name in names.iter().filter(|name| *name != "module-info") {
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let class = program.load(name)?;
            program.verify(class)
        }));
        match checked {
            Ok(Ok(count)) => {
                classes += 1;
                bodies += count;
            }
            Ok(Err(error)) => failures.push(format!("{name}: {error}")),
            Err(_) => failures.push(format!("{name}: panic")),
        }
    }
    println!("{classes} classes, {bodies} method bodies, {:?}", start.elapsed());
    assert!(failures.is_empty(), "{} failures, the first: {:#?}", failures.len(), &failures[..failures.len().min(10)]);
    assert!(classes > 5000, "java.base has thousands of classes, not {classes}");
}
