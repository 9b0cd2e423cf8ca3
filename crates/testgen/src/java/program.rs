//! How is a replay written: a plain program that makes an input, calls the target, and says what happened?

use lazuli_vm::program::{Method, Program};
use lazuli_vm::value::Kind;

use super::body::TestBody;
use super::clause::THROWN;
use super::helpers::helpers;
use super::literal::name as quoted_name;
use crate::{CallResult, ExecutedPlan, NoClause, ViolatedClause};

/// The method that a replay of several threads calls before the target.
pub const MARKER: &str = "lazuliCallsNow";

/// A program without any library, which writes what happens to the file that the system property `lazuli.replay` names, or to standard
/// output. Its method `replay` does all of it, for a JVM that runs several such programs and looks after their time itself.
pub fn replay(
    program: &Program,
    package: &str,
    target: &'static Method,
    executed: &ExecutedPlan,
    name: &str,
) -> Result<String, NoClause> {
    let mut body = TestBody::new(program, package, target, &executed.plan, 0);
    let call = body.call();
    let has_returned = matches!(executed.result, CallResult::Returned(_));
    let outcome = if has_returned { "given" } else { THROWN };
    let question = executed.violated.as_ref().map(|violated| body.clause_test(violated, outcome)).transpose()?;
    let judged = |has_ended: bool| {
        let question = question.as_ref().zip(executed.violated.as_ref()).filter(|_| has_ended);
        question.map(|(question, violated)| {
            format!("judge({}, () -> {});\n", quoted_name(&clause_label(violated)), question.condition)
        })
    };
    let is_constructor = body.is_constructor();
    let gives = target.result != Kind::Void || is_constructor;
    let kind = body.result_type();
    let mut page = String::new();
    if !package.is_empty() {
        page.push_str(&format!("package {};\n\n", package.replace('/', ".")));
    }
    page.push_str("/** Makes an input, calls a method on it, and says what happened. Run it with java -ea. */\n");
    page.push_str("@SuppressWarnings({\"unchecked\", \"rawtypes\", \"deprecation\", \"removal\"})\n");
    page.push_str(&format!("public class {name} {{\n"));
    page.push_str("    public static void main(String[] none) throws Throwable {\n");
    page.push_str("        endLater();\n        replay();\n    }\n\n");
    page.push_str("    static void replay() throws Throwable {\n        say(\"begun\");\n");
    for line in &body.lines {
        page.push_str(&format!("        {line}\n"));
    }
    for line in question.iter().flat_map(|question| &question.before) {
        page.push_str(&format!("        {line}\n"));
    }
    page.push_str("        say(\"made\");\n");
    let is_scheduled = executed.schedule.is_some();
    if is_scheduled {
        page.push_str(&format!("        {MARKER}();\n"));
    }
    if gives {
        page.push_str(&format!("        {kind} result;\n"));
    }
    page.push_str("        try {\n");
    let assigned = if gives { "result = " } else { "" };
    page.push_str(&format!("            {assigned}{call};\n"));
    page.push_str("        } catch (Throwable thrown) {\n");
    page.push_str("            say(\"threw \" + told(thrown));\n");
    for check in executed.post_checks.iter().filter(|check| !check.is_post && !is_constructor) {
        let judgement = body.judgement(check.method, false, None);
        page.push_str(&format!("            judge({}, () -> {judgement});\n", quoted_name(check.method.name)));
    }
    page.extend(judged(!has_returned).map(|line| format!("            {line}")));
    page.push_str("            return;\n        }\n");
    page.push_str("        say(\"returned\");\n");
    if gives {
        page.push_str(&format!("        {kind} given = result;\n"));
    }
    for check in &executed.post_checks {
        let judgement = body.judgement(check.method, check.is_post, gives.then_some("given"));
        page.push_str(&format!("        judge({}, () -> {judgement});\n", quoted_name(check.method.name)));
    }
    page.extend(judged(has_returned).map(|line| format!("        {line}")));
    page.push_str("    }\n");
    if is_scheduled {
        page.push_str(&format!(
            "\n    /** From here on, a debugger decides which thread runs. */\n    static void {MARKER}() {{}}\n"
        ));
    }
    page.push_str(&body.members.concat());
    page.push_str(&REPORTING.replace("PROGRAM", name));
    page.push_str(&helpers(body.needs));
    page.push_str("}\n");
    Ok(page)
}

/// The statements that make an input and call the target on it, as source has them, without the methods that they need beside them.
pub fn statements(program: &Program, package: &str, target: &'static Method, executed: &ExecutedPlan) -> Vec<String> {
    let mut body = TestBody::new(program, package, target, &executed.plan, 0);
    let call = body.call();
    body.lines.into_iter().chain([format!("{call};")]).collect()
}

/// How a replay names a clause, before its value: `ensures at Buffer.java:12`.
pub fn clause_label(violated: &ViolatedClause) -> String {
    format!("{} at {}", violated.clause.kind, violated.clause.at())
}

/// How a program tells what happened: `say`, `told`, `judge`, and an end in any case.
pub(super) const REPORTING: &str = r#"
    interface Judgement {
        boolean holds() throws Throwable;
    }

    private static void judge(String name, Judgement judgement) throws Throwable {
        try {
            say(name + " " + judgement.holds());
        } catch (Throwable thrown) {
            say(name + " threw " + told(thrown));
        }
    }

    private static String told(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        int first = 0;
        // Code that stands for some that is not there has no place of its own.
        while (first + 1 < trace.length && trace[first].getClassName().startsWith(PROGRAM.class.getName() + "$")) {
            first++;
        }
        return thrown.getClass().getName() + " at " + (trace.length == 0
                ? "?"
                : trace[first].getClassName() + "." + trace[first].getMethodName() + ":" + trace[first].getLineNumber());
    }

    private static void say(String line) throws Exception {
        String file = System.getProperty("lazuli.replay");
        if (file == null) {
            System.out.println(line);
            return;
        }
        // Whatever names are in it, it is one line.
        String told = line.replace("\r", "\\r").replace("\n", "\\n");
        try (java.io.FileWriter writer = new java.io.FileWriter(file, java.nio.charset.StandardCharsets.UTF_8, true)) {
            writer.write(told + "\n");
        }
    }

    /** Ends the JVM if the call does not return. */
    private static void endLater() {
        Thread guard = new Thread(() -> {
            try {
                Thread.sleep(15_000);
            } catch (InterruptedException interrupted) {
                return;
            }
            Runtime.getRuntime().halt(99);
        });
        guard.setDaemon(true);
        guard.start();
    }
"#;
