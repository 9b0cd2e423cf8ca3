//! Does Lazuli accept the JDK's own code? Every class of `java.base` is loaded, and every body translated and verified.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_engine::program::{Class, Classes, Code, FieldSite, Op, Program, access, verify};

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
    assert!(
        failures.is_empty(),
        "{} classes failed:\n{}",
        failures.len(),
        failures[..failures.len().min(40)].join("\n")
    );
    assert!(classes > 5000, "java.base has thousands of classes, but only {classes} were found");
}

/// A field is found by its place in the object, so that an object of another class must not be asked for it.
#[test]
fn objects_of_other_classes_are_refused() {
    let jdk = Jdk::locate().expect("the tests need a JDK");
    let path = ClassPath::open(jdk, &[]).expect("the class path is empty");
    let program = Program::open(path).expect("the JDK has the classes that every program needs");
    let code = || Code {
        ops: [Op::Load(0), Op::GetField(0), Op::ReturnValue].into(),
        locals: 1,
        registers: 2,
        fields: [FieldSite { class: "java/lang/String", name: "hash", descriptor: "I", resolved: Default::default() }]
            .into(),
        offsets: [0, 1, 4].into(),
        ..Code::default()
    };
    let check = |descriptor| verify(&code(), None, descriptor, &mut Classes::of(&program));
    assert_eq!(check("(Ljava/lang/String;)I"), Ok(()));
    for other in
        ["(Ljava/lang/Object;)I", "(Ljava/lang/Integer;)I", "(Ljava/lang/CharSequence;)I", "(Lmissing/Class;)I"]
    {
        assert_eq!(check(other).map_err(|violation| violation.offset), Err(1), "{other}");
    }
    // One of two objects is of the class that both have in common.
    let either = Code {
        ops: [Op::Load(0), Op::IfNull(4), Op::Load(0), Op::Goto(5), Op::Load(1), Op::ReturnValue].into(),
        locals: 2,
        registers: 3,
        offsets: (0..6).collect(),
        ..Code::default()
    };
    let check = |descriptor| verify(&either, None, descriptor, &mut Classes::of(&program)).is_ok();
    assert!(check("(Ljava/lang/Integer;Ljava/lang/Long;)Ljava/lang/Number;"));
    assert!(!check("(Ljava/lang/Integer;Ljava/lang/String;)Ljava/lang/Number;"));
    assert!(
        check("(Ljava/util/ArrayList;Ljava/lang/String;)Ljava/util/List;"),
        "interfaces are checked when they are used"
    );
    assert!(check("([Ljava/lang/Integer;[Ljava/lang/Long;)[Ljava/lang/Number;"));
    assert!(!check("([Ljava/lang/Integer;[J)[Ljava/lang/Number;"));
}
