//! What of a class path does a specification look at? Only what the target needs, however many classes there are.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_jml::{SourceText, read};
use lazuli_spec::typed::TypedNode;
use lazuli_spec::{Specification, specify};
use lazuli_vm::program::{Op, Program};

/// Classes that the targets do not name. Each has a superclass and fields that lead to others, and to everything.
const UNRELATED: usize = 300;

const PLAIN: &str = "
public class Plain {
    public int size;
    //@ invariant size >= 0;
    //@ requires n > 0;
    //@ ensures size == \\old(size) + n;
    //@ assignable size;
    public void grow(int n) { size += n; }
}
";

const QUANTIFIED: &str = "
public class Quantified {
    public int size;
    /*@ nullable @*/ public Object any;
    //@ ensures (\\forall Quantified q; q.size == q.size);
    public void touch() {}
}
";

#[test]
fn a_clause_loads_only_the_classes_that_it_names() {
    let (program, classes) = program(("Plain", PLAIN));
    let before = program.class_count();
    let (specification, asked) = specification(&program, classes.path(), "Plain", "grow");
    assert_eq!(specification.ensures.len(), 2, "a postcondition and a frame");
    let loaded = program.class_count() - before;
    assert!(loaded < UNRELATED / 2, "{loaded} classes were loaded");
    assert_eq!(asked, ["Plain", "java/lang/Object"], "files were looked for");
}

#[test]
fn a_quantifier_over_all_objects_tests_for_each_class_once() {
    let (program, classes) = program(("Quantified", QUANTIFIED));
    let (specification, asked) = specification(&program, classes.path(), "Quantified", "touch");
    assert_eq!(asked, ["Quantified", "java/lang/Object"], "files were looked for");
    let mut collectors = Vec::new();
    specification.ensures[0].meaning.any(&mut |typed| {
        if let TypedNode::Collected(collected) = &typed.node {
            collectors.push(collected.method);
        }
        false
    });
    let [collector] = collectors[..] else { panic!("{} collectors", collectors.len()) };
    let code = program.code(collector).expect("it was made");
    let tests = code.ops.iter().filter(|op| matches!(op.first(), Op::InstanceOf(_))).count();
    assert_eq!(tests, UNRELATED + 2, "one for each class of the class path, and one for the type of their arrays");
    // Instructions name registers by 16 bits, and the verifier follows all of them at each jump.
    assert!(code.locals < 32, "{} local variables", code.locals);
}

/// The class of that name and source beside unrelated ones, compiled and opened. The sources stay where the classes are.
fn program((name, source): (&str, &str)) -> (Program, tempfile::TempDir) {
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let mut files = vec![directory.path().join(format!("{name}.java"))];
    fs::write(&files[0], source).expect("it can be written");
    for number in 0..UNRELATED {
        let above = if number < 3 { "Object".to_string() } else { format!("Unrelated{}", number / 3) };
        let next = (number * 7 + 3) % UNRELATED;
        let text =
            format!("class Unrelated{number} extends {above} {{ Unrelated{next} next; Object any; Object[] all; }}");
        files.push(directory.path().join(format!("Unrelated{number}.java")));
        fs::write(&files[number + 1], text).expect("it can be written");
    }
    let javac = Command::new("javac").args(["-g", "-d"]).arg(directory.path()).args(&files).output();
    let javac = javac.expect("javac is installed (scripts/test.sh installs it)");
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
    let jdk = Jdk::locate().expect("a JDK is installed");
    let path = ClassPath::open(jdk, &[directory.path().to_path_buf()]).expect("the directory can be read");
    (Program::open(path).expect("the JDK can be linked"), directory)
}

/// The specification of a method, and the classes whose files were asked for, by name.
fn specification(program: &Program, folder: &Path, class: &str, method: &str) -> (Specification, Vec<String>) {
    let class = program.load(class).expect("it was compiled");
    let method = class.methods.iter().find(|known| known.name == method).expect("the class has it");
    let asked = RefCell::new(Vec::new());
    let files = |class: &lazuli_vm::program::Class| {
        asked.borrow_mut().push(class.name.to_string());
        let path = folder.join(format!("{}.java", class.name));
        let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
        Ok(Some(Arc::new(read(Arc::new(SourceText { path: path.display().to_string(), text }))?)))
    };
    let found = specify(program, &files, method).expect("the clauses are right").expect("there are clauses");
    let mut asked = asked.into_inner();
    asked.sort();
    asked.dedup();
    (found, asked)
}
