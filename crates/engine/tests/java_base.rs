//! Does Lazuli accept the JDK's own code? Every class of `java.base` is loaded, and every body translated and verified.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_engine::program::{Class, Program, access, verify};

/// Loads and translates a class; returns how many bodies and instructions it has, and the time that verifying them again takes.
fn check(program: &Program, name: &str) -> Result<(usize, usize, Duration), String> {
    let class: &'static Class = program.load(name).map_err(|error| error.to_string())?;
    let (mut bodies, mut instructions, mut verifying) = (0, 0, Duration::ZERO);
    for method in class.methods.iter().filter(|method| method.access & (access::NATIVE | access::ABSTRACT) == 0) {
        let code = program.code(method).map_err(|error| error.to_string())?;
        let start = Instant::now();
        verify(code, method.descriptor, !method.is_static()).map_err(|violation| format!("{violation:?}"))?;
        verifying += start.elapsed();
        bodies += 1;
        instructions += code.ops.len();
    }
    Ok((bodies, instructions, verifying))
}

#[test]
fn every_body_of_java_base_is_accepted() {
    let jdk = Jdk::locate().expect("the tests need a JDK");
    let names = jdk.classes_of("java.base");
    let path = ClassPath::open(jdk, &[]).expect("the class path is empty");
    let program = Program::open(path).expect("the JDK has the classes that every program needs");
    let start = Instant::now();
    let (mut classes, mut bodies, mut instructions, mut verifying) = (0, 0, 0, Duration::ZERO);
    let mut failures = Vec::new();
    for name in names.iter().filter(|name| *name != "module-info") {
        match catch_unwind(AssertUnwindSafe(|| check(&program, name))) {
            Ok(Ok((more_bodies, more_instructions, more_verifying))) => {
                classes += 1;
                bodies += more_bodies;
                instructions += more_instructions;
                verifying += more_verifying;
            }
            Ok(Err(why)) => failures.push(format!("{name}: {why}")),
            Err(_) => failures.push(format!("{name}: panicked")),
        }
    }
    // Every body was verified twice: once when it was translated, and once for the clock.
    let translating = start.elapsed() - 2 * verifying;
    println!("{classes} classes, {bodies} bodies, {instructions} instructions accepted");
    println!("loading and translating took {translating:?}, verifying {verifying:?}");
    assert!(failures.is_empty(), "{} classes failed:\n{}", failures.len(), failures[..failures.len().min(40)].join("\n"));
    assert!(classes > 5000, "java.base has thousands of classes, but only {classes} were found");
}
