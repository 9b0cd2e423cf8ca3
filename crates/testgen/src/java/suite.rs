//! How is a class of JUnit 5 tests written?

use std::collections::BTreeSet;

use lazuli_reach::plan::{Operand, Plan};
use lazuli_vm::program::{Class, Method, Program, is_identifier};
use lazuli_vm::snapshot::Datum;
use lazuli_vm::value::Kind;

use super::body::{RequiredHelpers, TestBody, boxed};
use super::clause::{ClauseTest, THROWN};
use super::helpers::helpers;
use super::literal::{comment, literal, name, text};
use crate::{
    CallResult, Construction, EffectPlace, EffectValue, ExecutedPlan, ModifiedStatic, ResultAssertion, VisibleEffect,
};

/// The first line of every file, by which `is_ours` recognises it.
const MARKER: &str = "// Written by `lazuli tests`, and written again by it: keep tests of your own in another file.";

/// One test.
pub struct Test {
    /// Of the method.
    pub name: String,
    /// The method under test.
    pub target: &'static Method,
    /// The statements, and what they lead to.
    pub executed: ExecutedPlan,
    /// The fault that the test shows, as a sentence.
    pub fault: Option<String>,
}

/// A class of tests for one class.
pub struct Suite<'a> {
    /// The program under test.
    pub program: &'a Program,
    /// The class under test.
    pub class: &'static Class,
    /// Of the tests, with slashes.
    pub package: &'a str,
    /// In their order.
    pub tests: &'a [Test],
}

/// The name of the class of tests: `TreeMapLazuliTest`, or `Outer_InnerLazuliTest` for a nested class.
pub fn class_name(class: &Class) -> String {
    let simple = class.name.rsplit('/').next().unwrap_or(class.name);
    let word = |letter: char| if is_identifier(&format!("_{letter}")) && letter != '$' { letter } else { '_' };
    let name: String = simple.chars().map(word).collect();
    let first = if name.starts_with(|letter: char| letter.is_ascii_digit()) { "_" } else { "" };
    format!("{first}{name}LazuliTest")
}

/// Was a file written by us?
pub fn is_ours(source: &str) -> bool {
    source.lines().next() == Some(MARKER)
}

impl Suite<'_> {
    /// The source of the class.
    pub fn source(&self) -> String {
        let mut assertions: BTreeSet<&'static str> = BTreeSet::new();
        let mut needs = RequiredHelpers::default();
        let mut methods = String::new();
        let mut members: Vec<String> = Vec::new();
        for test in self.tests {
            let mut writer = TestWriter { suite: self, assertions: &mut assertions, members: &mut members };
            let (source, needed) = writer.method(test);
            methods.push_str(&source);
            needs = needs.and(needed);
        }
        let (reset, needed) = self.reset();
        needs = needs.and(needed);
        let mut page = format!("{MARKER}\n");
        if !self.package.is_empty() {
            page.push_str(&format!("package {};\n", self.package.replace('/', ".")));
        }
        page.push('\n');
        for assertion in &assertions {
            page.push_str(&format!("import static org.junit.jupiter.api.Assertions.{assertion};\n"));
        }
        page.push_str(if assertions.is_empty() { "" } else { "\n" });
        page.push_str(if reset.is_empty() { "" } else { "import org.junit.jupiter.api.BeforeEach;\n" });
        page.push_str("import org.junit.jupiter.api.Test;\n\n");
        page.push_str(&format!(
            "/** Inputs of {} that were found by exploring all its paths. */\n",
            comment(&self.class.java_name())
        ));
        page.push_str("@SuppressWarnings({\"unchecked\", \"rawtypes\", \"deprecation\", \"removal\"})\n");
        page.push_str(&format!("class {} {{\n", class_name(self.class)));
        let tests = reset + &methods;
        page.push_str(tests.strip_prefix('\n').unwrap_or(&tests));
        page.push_str(&members.concat());
        page.push_str(&helpers(needs));
        page.push_str("}\n");
        page
    }

    /// Sets back the static fields that tests change: each must find them as if it were alone.
    fn reset(&self) -> (String, RequiredHelpers) {
        let mut modified: Vec<&ModifiedStatic> =
            self.tests.iter().flat_map(|test| &test.executed.modified_statics).collect();
        modified.sort_by_key(|modified| (modified.owner.name, modified.field.name));
        modified.dedup_by_key(|modified| (modified.owner.name, modified.field.name));
        let (Some(first), false) = (self.tests.first(), modified.is_empty()) else { return Default::default() };
        let nothing = Plan::default();
        let mut body = TestBody::new(self.program, self.package, first.target, &nothing, 0);
        let mut text = String::from(
            "\n    /** Tests change static fields, and each expects them as they were at first. */\n    @BeforeEach\n",
        );
        let lines = modified.iter().map(|modified| match &modified.before {
            Some(before) => {
                let is_direct = self.program.can_use_field(modified.owner, modified.field, self.package);
                body.set_static(modified.owner, modified.field, before, is_direct)
            }
            None => {
                let name = format!("{}.{}", modified.owner.java_name(), modified.field.name);
                format!("// {} leads to an object that tests change and that is not made again: they may disturb one another.", comment(&name))
            }
        });
        let lines: Vec<String> = lines.collect();
        let throws = if body.needs.throws { " throws Exception" } else { "" };
        text.push_str(&format!("    void setStaticFieldsBack(){throws} {{\n"));
        lines.iter().for_each(|line| text.push_str(&format!("        {line}\n")));
        text.push_str("    }\n");
        (text, body.needs)
    }
}

/// How often a test is repeated that depends on the order of threads.
const TRIES: usize = 1000;
/// A call that does not come back in this time has deadlocked.
const MOST_SECONDS: usize = 10;

struct TestWriter<'a> {
    suite: &'a Suite<'a>,
    assertions: &'a mut BTreeSet<&'static str>,
    /// Methods that tests need beside them.
    members: &'a mut Vec<String>,
}

/// The statements of a test behind those that make the input.
struct TestStatements {
    act: Vec<String>,
    checks: Vec<String>,
    /// Is there a variable of that name?
    has_result: bool,
}

impl TestWriter<'_> {
    fn method(&mut self, test: &Test) -> (String, RequiredHelpers) {
        let Suite { program, package, .. } = self.suite;
        let mut body = TestBody::new(program, package, test.target, &test.executed.plan, self.members.len());
        let call = body.call();
        let outcome = if let CallResult::Returned(_) = test.executed.result { "result" } else { THROWN };
        // The plan was accepted by `check_clause`, so that the clause can be written.
        let question = test.executed.violated.as_ref().and_then(|violated| body.clause_test(violated, outcome).ok());
        let TestStatements { act, mut checks, has_result } = match &test.executed.result {
            CallResult::Threw { .. } if question.is_some() => caught(&call),
            // A test of a fault asserts the contract: that the call returns, and that the conditions hold then.
            _ if test.fault.is_some() => self.faulty(test, &mut body, &call, question.as_ref()),
            CallResult::Returned(assertion) => self.returning(test, &mut body, &call, assertion.as_ref()),
            // Such a run is a fault, which the arm above has.
            CallResult::Deadlock => self.faulty(test, &mut body, &call, question.as_ref()),
            CallResult::Threw { class, .. } => self.throwing(&call, class),
        };
        let is_by_chance = test.executed.schedule.is_some();
        let act = if is_by_chance { self.tried(test, &call, act, &mut checks) } else { act };
        if let (Some(violated), Some(question)) = (&test.executed.violated, &question) {
            checks.push(format!("// {}", comment(&format!("{} ({})", violated.clause.text, violated.clause.at()))));
            checks.push(self.clause(question, outcome == THROWN));
        }
        for check in test.executed.post_checks.iter().filter(|check| check.holds || test.fault.is_some()) {
            let judgement = body.judgement(check.method, check.is_post, has_result.then_some("result"));
            checks.push(self.assertion("assertTrue", &judgement));
        }
        // It is not known which effects a faulty call should have had.
        for effect in test.executed.effects.iter().filter(|_| test.fault.is_none()) {
            checks.extend(self.effect(effect, &mut body, has_result));
        }
        let mut text = String::from("\n");
        if let Some(fault) = &test.fault {
            text.push_str(&format!("    // Fails until the defect is mended: {}\n", comment(fault)));
        }
        let throws = if body.needs.throws { " throws Throwable" } else { "" };
        let annotation = match is_by_chance {
            true => {
                text.push_str("    // The order of its threads is left to chance: each repetition is another try, and none is sure to fail.\n");
                format!("@org.junit.jupiter.api.RepeatedTest({TRIES})")
            }
            false => "@Test".to_string(),
        };
        text.push_str(&format!("    {annotation}\n    void {}(){throws} {{\n", test.name));
        if !body.lines.is_empty() {
            let how = match test.executed.construction {
                Construction::Calls => "constructors and methods",
                Construction::Fields => "setting fields",
                Construction::Reflection => "reflection",
            };
            text.push_str(&format!("        // The input, by {how}.\n"));
        }
        let before = question.map_or(Vec::new(), |question| question.before);
        self.members.append(&mut body.members);
        let groups = [&body.lines, &before, &act, &checks];
        let groups: Vec<String> = groups
            .iter()
            .filter(|lines| !lines.is_empty())
            .map(|lines| lines.iter().map(|line| format!("        {line}\n")).collect())
            .collect();
        text.push_str(&groups.join("\n"));
        text.push_str("    }\n");
        (text, body.needs)
    }

    /// A call whose threads run in any order: what none of them catches counts, and so does that it does not come back.
    fn tried(&mut self, test: &Test, call: &str, act: Vec<String>, checks: &mut Vec<String>) -> Vec<String> {
        let kind = "java.util.concurrent.atomic.AtomicReference";
        let mut lines = vec![
            format!("{kind}<Throwable> uncaught = new {kind}<>();"),
            "Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.set(thrown));".to_string(),
        ];
        match test.executed.result {
            CallResult::Deadlock => {
                let arguments = format!("java.time.Duration.ofSeconds({MOST_SECONDS}), () -> {{ {call}; }}");
                lines.push(self.assertion("assertTimeoutPreemptively", &arguments));
            }
            _ => lines.extend(act),
        }
        checks.push(self.assertion("assertNull", "uncaught.get()"));
        lines
    }

    fn faulty(
        &mut self,
        test: &Test,
        body: &mut TestBody,
        call: &str,
        question: Option<&ClauseTest>,
    ) -> TestStatements {
        let wants_result = test.executed.post_checks.iter().any(|check| check.is_post)
            || question.is_some_and(|question| question.mentions_outcome);
        let is_checked = body.is_constructor() && !test.executed.post_checks.is_empty();
        let has_result = is_checked || test.target.result != Kind::Void && wants_result;
        let act = if has_result { self.declared_result(body, call) } else { format!("{call};") };
        TestStatements { act: vec![act], checks: Vec::new(), has_result }
    }

    fn returning(
        &mut self,
        test: &Test,
        body: &mut TestBody,
        call: &str,
        assertion: Option<&ResultAssertion>,
    ) -> TestStatements {
        let Some(assertion) = assertion else {
            let is_looked_at = !test.executed.post_checks.is_empty() || !test.executed.effects.is_empty();
            let has_result = body.is_constructor() && is_looked_at;
            let act = if has_result { self.declared_result(body, call) } else { format!("{call};") };
            return TestStatements { act: vec![act], checks: Vec::new(), has_result };
        };
        let mut act = Vec::new();
        if let ResultAssertion::Route { argument, fields } = assertion {
            let kind = fields.last().and_then(|field| body.named(field.descriptor)).unwrap_or("Object".to_string());
            act.push(format!("{kind} expected = {};", body.route(*argument, fields)));
        }
        act.push(self.declared_result(body, call));
        let kind = test.target.result;
        let is_object = body.result_type() == "Object";
        let check = match assertion {
            ResultAssertion::Operand(Operand::Plain(Datum::Null)) => self.assertion("assertNull", "result"),
            ResultAssertion::Operand(Operand::Plain(Datum::Int(value))) if kind == Kind::Boolean && !is_object => {
                self.assertion(if *value != 0 { "assertTrue" } else { "assertFalse" }, "result")
            }
            ResultAssertion::Operand(Operand::Plain(datum)) => {
                self.assertion("assertEquals", &format!("{}, result", literal(*datum, kind)))
            }
            ResultAssertion::Operand(operand) => {
                let operand = body.operand(operand, "Ljava/lang/Object;");
                self.assertion("assertSame", &format!("{operand}, result"))
            }
            ResultAssertion::Route { .. } => self.assertion("assertSame", "expected, result"),
            ResultAssertion::Boxed { class, value } => {
                self.assertion("assertEquals", &format!("{}, result", boxed(class.name, *value)))
            }
            ResultAssertion::Text(units) => self.assertion("assertEquals", &format!("{}, result", text(units))),
            ResultAssertion::Elements { class, values } => {
                let component = class.component_kind().unwrap_or(Kind::Int);
                let listed: Vec<String> = values.iter().map(|value| literal(*value, component)).collect();
                let name = class.source_name(self.suite.package).unwrap_or_default();
                let cast = if body.result_type() == name { String::new() } else { format!("({name}) ") };
                self.assertion("assertArrayEquals", &format!("new {name} {{{}}}, {cast}result", listed.join(", ")))
            }
            // The class of a lambda has no name in the source.
            ResultAssertion::Object(class)
                if class.is_users() && class.file.is_some() && class.source_name(self.suite.package).is_some() =>
            {
                let class = body.class_literal(class);
                self.assertion("assertSame", &format!("{class}, result.getClass()"))
            }
            ResultAssertion::Object(_) => self.assertion("assertNotNull", "result"),
        };
        TestStatements { act, checks: vec![check], has_result: true }
    }

    /// Asserts what the call has changed.
    fn effect(&mut self, effect: &VisibleEffect, body: &mut TestBody, has_result: bool) -> Option<String> {
        let of = |argument: Option<usize>| match argument {
            Some(argument) => body.argument(argument).map(|(_, name)| name),
            None => has_result.then(|| "result".to_string()),
        };
        let place = match effect.place {
            EffectPlace::Field { argument, field } => format!("{}.{}", of(argument)?, field.name),
            EffectPlace::Getter { argument, method, is_size } => {
                format!("{}.{}(){}", of(argument)?, method.name, if is_size { ".size()" } else { "" })
            }
            EffectPlace::Static { owner, field } => {
                format!("{}.{}", owner.source_name(self.suite.package)?, field.name)
            }
        };
        let EffectValue { operand, kind } = &effect.value;
        Some(match operand {
            Operand::Plain(Datum::Null) => self.assertion("assertNull", &place),
            Operand::Plain(Datum::Int(value)) if *kind == Kind::Boolean => {
                self.assertion(if *value != 0 { "assertTrue" } else { "assertFalse" }, &place)
            }
            Operand::Plain(datum) => self.assertion("assertEquals", &format!("{}, {place}", literal(*datum, *kind))),
            Operand::Held { .. } => {
                let constant = body.operand(operand, "Ljava/lang/Object;");
                self.assertion("assertSame", &format!("{constant}, {place}"))
            }
            operand => {
                let value = body.operand(operand, "Ljava/lang/Object;");
                self.assertion("assertEquals", &format!("{value}, {place}"))
            }
        })
    }

    fn throwing(&mut self, call: &str, class: &'static Class) -> TestStatements {
        let line = match class.source_name(self.suite.package) {
            Some(name) => self.assertion("assertThrows", &format!("{name}.class, () -> {call}")),
            None => {
                let thrown = self.assertion("assertThrows", &format!("Throwable.class, () -> {call}"));
                let thrown = thrown.trim_end_matches(';').to_string();
                let name = name(&class.java_name());
                self.assertion("assertEquals", &format!("{name}, {thrown}.getClass().getName()"))
            }
        };
        TestStatements { act: vec![line], checks: Vec::new(), has_result: false }
    }

    /// Asserts that a clause holds. A clause about an exception holds if there is none.
    fn clause(&mut self, question: &ClauseTest, is_about_exception: bool) -> String {
        match &question.changes {
            Some(changes) => self.assertion("assertEquals", &format!("java.util.List.of(), {changes}")),
            None if is_about_exception && question.mentions_outcome => {
                self.assertion("assertTrue", &format!("{THROWN} == null || ({})", question.condition))
            }
            None => self.assertion("assertTrue", &question.condition),
        }
    }

    fn declared_result(&self, body: &TestBody, call: &str) -> String {
        let kind = body.result_type();
        format!("{kind} result = {call};")
    }

    fn assertion(&mut self, name: &'static str, arguments: &str) -> String {
        self.assertions.insert(name);
        format!("{name}({arguments});")
    }
}

/// A call that may throw, and what it threw.
fn caught(call: &str) -> TestStatements {
    let lines = [
        format!("Throwable {THROWN} = null;"),
        "try {".to_string(),
        format!("    {call};"),
        "} catch (Throwable caught) {".to_string(),
        format!("    {THROWN} = caught;"),
        "}".to_string(),
    ];
    TestStatements { act: lines.to_vec(), checks: Vec::new(), has_result: false }
}
