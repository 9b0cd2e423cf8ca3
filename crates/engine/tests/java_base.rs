//! Does Lazuli accept the JDK's own code? Every class of `java.base` is loaded, and every body translated and verified.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_engine::program::{Class, Classes, Code, Program, access, verify};

#[derive(Default)]
struct Totals {
    classes: usize,
    bodies: usize,
    instructions: usize,
    translating: Duration,
    /// As the JDK's code is verified when it is used.
    verifying: Duration,
    /// As the user's code is verified: with the classes of all objects.
    comparing: Duration,
}

/// Loads and translates a class, and verifies its code again, both ways.
fn check(program: &Program, name: &str, totals: &mut Totals) -> Result<(), String> {
    let start = Instant::now();
    let class: &'static Class = program.load(name).map_err(|error| error.to_string())?;
    let mut codes: Vec<(Option<&'static str>, &'static str, &'static Code)> = Vec::new();
    for method in class.methods.iter().filter(|method| method.access & (access::NATIVE | access::ABSTRACT) == 0) {
        let code = program.code(method).map_err(|error| error.to_string())?;
        codes.push(((!method.is_static()).then_some(class.name), method.descriptor, code));
        totals.instructions += code.ops.len();
    }
    let translating = start.elapsed();
    let verify_all = |mut classes: Classes| {
        let start = Instant::now();
        for (receiver, descriptor, code) in &codes {
            verify(code, *receiver, descriptor, &mut classes).map_err(|violation| format!("{violation:?}"))?;
        }
        Ok::<Duration, String>(start.elapsed())
    };
    let verifying = verify_all(Classes::ignored())?;
    totals.comparing += verify_all(Classes::of(program))?;
    totals.verifying += verifying;
    // Translating included verifying for the first time.
    totals.translating += translating.saturating_sub(verifying);
    totals.classes += 1;
    totals.bodies += codes.len();
    Ok(())
}

#[test]
fn every_body_of_java_base_is_accepted() {
    let jdk = Jdk::locate().expect("the tests need a JDK");
    let names = jdk.classes_of("java.base");
    let path = ClassPath::open(jdk, &[]).expect("the class path is empty");
    let program = Program::open(path).expect("the JDK has the classes that every program needs");
    let mut totals = Totals::default();
    let mut failures = Vec::new();
    for name in names.iter().filter(|name| *name != "module-info") {
        match catch_unwind(AssertUnwindSafe(|| check(&program, name, &mut totals))) {
            Ok(Ok(())) => {}
            Ok(Err(why)) => failures.push(format!("{name}: {why}")),
            Err(_) => failures.push(format!("{name}: panicked")),
        }
    }
    let Totals { classes, bodies, instructions, translating, verifying, comparing } = totals;
    println!("{classes} classes, {bodies} bodies, {instructions} instructions accepted");
    println!("loading and translating took {translating:?}, verifying {verifying:?}, with classes {comparing:?}");
    assert!(failures.is_empty(), "{} classes failed:\n{}", failures.len(), failures[..failures.len().min(40)].join("\n"));
    assert!(classes > 5000, "java.base has thousands of classes, but only {classes} were found");
}
