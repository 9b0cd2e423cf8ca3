//! How is a class of JUnit 5 tests written?

use std::collections::BTreeSet;

use lazuli_reach::plan::{Operand, Plan};
use lazuli_vm::program::{Class, Method, Program, is_identifier};
use lazuli_vm::snapshot::Datum;
use lazuli_vm::value::Kind;

use super::body::{Body, Needs, boxed};
use super::clause::{Question, THROWN};
use super::helpers::helpers;
use super::literal::{comment, literal, name, text};
use crate::{Craft, Dirty, Finish, Outturn, Rehearsed};

/// The first line of every file: who wrote it, and that it may be written again.
const MARKER: &str = "// Written by `lazuli tests`, and written again by it: keep tests of your own in another file.";

/// One test.
pub struct Test {
    pub name: String,
    pub target: &'static Method,
    pub rehearsed: Rehearsed,
    /// What is wrong with the target, if the test shows a fault.
    pub fault: Option<String>,
}

/// A class of tests for one class.
pub struct Suite<'a> {
    pub program: &'a Program,
    pub class: &'static Class,
    /// Of the tests, with slashes.
    pub package: &'a str,
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
    pub fn source(&self) -> String {
        let mut assertions: BTreeSet<&'static str> = BTreeSet::new();
        let mut needs = Needs::default();
        let mut methods = String::new();
        let mut members: Vec<String> = Vec::new();
        for test in self.tests {
            let mut writer = Writer { suite: self, assertions: &mut assertions, members: &mut members };
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
}

impl Suite<'_> {
    /// Sets back the static fields that tests change: each must find them as if it were alone.
    fn reset(&self) -> (String, Needs) {
        let mut dirty: Vec<&Dirty> = self.tests.iter().flat_map(|test| &test.rehearsed.dirty).collect();
        dirty.sort_by_key(|dirty| (dirty.owner.name, dirty.field.name));
        dirty.dedup_by_key(|dirty| (dirty.owner.name, dirty.field.name));
        let (Some(first), false) = (self.tests.first(), dirty.is_empty()) else { return Default::default() };
        let nothing = Plan::default();
        let mut body = Body::new(self.program, self.package, first.target, &nothing);
        let mut text = String::from(
            "\n    /** Tests change static fields, and each expects them as they were at first. */\n    @BeforeEach\n",
        );
        let lines = dirty.iter().map(|dirty| match &dirty.before {
            Some(before) => {
                let is_direct = self.program.can_use_field(dirty.owner, dirty.field, self.package);
                body.set_static(dirty.owner, dirty.field, before, is_direct)
            }
            None => {
                let name = format!("{}.{}", dirty.owner.java_name(), dirty.field.name);
                format!("// {} held an object that is not made again.", comment(&name))
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

struct Writer<'a> {
    suite: &'a Suite<'a>,
    assertions: &'a mut BTreeSet<&'static str>,
    /// Methods that tests need beside them.
    members: &'a mut Vec<String>,
}

/// What a test does with its input.
struct Parts {
    act: Vec<String>,
    checks: Vec<String>,
    /// Is there a variable of that name?
    has_result: bool,
}

impl Writer<'_> {
    fn method(&mut self, test: &Test) -> (String, Needs) {
        let Suite { program, package, .. } = self.suite;
        let mut body = Body::new(program, package, test.target, &test.rehearsed.plan);
        body.members_before = self.members.len();
        let call = body.call();
        let outcome = if let Finish::Returned(_) = test.rehearsed.finish { "result" } else { THROWN };
        // Whoever made the test has seen that the clause can be asked.
        let question = test.rehearsed.asked.as_ref().and_then(|asked| body.question(asked, outcome).ok());
        let Parts { act, mut checks, has_result } = match &test.rehearsed.finish {
            Finish::Threw { .. } if question.is_some() => caught(&call),
            // A test of a fault says what should be, as far as anybody knows: that the call returns, and what holds then.
            _ if test.fault.is_some() => self.faulty(test, &mut body, &call, question.as_ref()),
            Finish::Returned(outturn) => self.returning(test, &mut body, &call, outturn.as_ref()),
            Finish::Threw { class, .. } => self.throwing(&call, class),
        };
        if let (Some(asked), Some(question)) = (&test.rehearsed.asked, &question) {
            checks.push(format!("// {}", comment(&format!("{} ({})", asked.clause.text, asked.clause.at()))));
            checks.push(self.clause(question, outcome == THROWN));
        }
        for duty in test.rehearsed.duties.iter().filter(|duty| duty.holds || test.fault.is_some()) {
            let judgement = body.judgement(duty.method, duty.is_post, has_result.then_some("result"));
            checks.push(self.assertion("assertTrue", &judgement));
        }
        let mut text = String::from("\n");
        if let Some(fault) = &test.fault {
            text.push_str(&format!("    // Fails until the defect is mended: {}\n", comment(fault)));
        }
        let throws = if body.needs.throws { " throws Throwable" } else { "" };
        text.push_str(&format!("    @Test\n    void {}(){throws} {{\n", test.name));
        if !body.lines.is_empty() {
            let how = match test.rehearsed.craft {
                Craft::Calls => "constructors and methods",
                Craft::Fields => "setting fields",
                Craft::Reflection => "reflection",
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

    fn faulty(&mut self, test: &Test, body: &mut Body, call: &str, question: Option<&Question>) -> Parts {
        let wants_result = test.rehearsed.duties.iter().any(|duty| duty.is_post)
            || question.is_some_and(|question| question.asks_outcome);
        let has_result = test.target.result != Kind::Void && wants_result;
        let act = if has_result { self.declared_result(body, call) } else { format!("{call};") };
        Parts { act: vec![act], checks: Vec::new(), has_result }
    }

    fn returning(&mut self, test: &Test, body: &mut Body, call: &str, outturn: Option<&Outturn>) -> Parts {
        let Some(outturn) = outturn else {
            return Parts { act: vec![format!("{call};")], checks: Vec::new(), has_result: false };
        };
        let mut act = Vec::new();
        if let Outturn::Route { argument, fields } = outturn {
            let kind = fields.last().and_then(|field| body.named(field.descriptor)).unwrap_or("Object".to_string());
            act.push(format!("{kind} expected = {};", body.route(*argument, fields)));
        }
        act.push(self.declared_result(body, call));
        let kind = test.target.result;
        let is_object = body.result_type() == "Object";
        let check = match outturn {
            Outturn::Operand(Operand::Plain(Datum::Null)) => self.assertion("assertNull", "result"),
            Outturn::Operand(Operand::Plain(Datum::Int(value))) if kind == Kind::Boolean && !is_object => {
                self.assertion(if *value != 0 { "assertTrue" } else { "assertFalse" }, "result")
            }
            Outturn::Operand(Operand::Plain(datum)) => {
                self.assertion("assertEquals", &format!("{}, result", literal(*datum, kind)))
            }
            Outturn::Operand(operand) => {
                let operand = body.operand(operand, "Ljava/lang/Object;");
                self.assertion("assertSame", &format!("{operand}, result"))
            }
            Outturn::Route { .. } => self.assertion("assertSame", "expected, result"),
            Outturn::Boxed { class, value } => {
                self.assertion("assertEquals", &format!("{}, result", boxed(class.name, *value)))
            }
            Outturn::Text(units) => self.assertion("assertEquals", &format!("{}, result", text(units))),
            Outturn::Elements { class, values } => {
                let component = class.component_kind().unwrap_or(Kind::Int);
                let listed: Vec<String> = values.iter().map(|value| literal(*value, component)).collect();
                let name = class.source_name(self.suite.package).unwrap_or_default();
                let cast = if body.result_type() == name { String::new() } else { format!("({name}) ") };
                self.assertion("assertArrayEquals", &format!("new {name} {{{}}}, {cast}result", listed.join(", ")))
            }
            Outturn::Object(class) if class.is_users() && class.source_name(self.suite.package).is_some() => {
                let class = body.class_literal(class);
                self.assertion("assertSame", &format!("{class}, result.getClass()"))
            }
            Outturn::Object(_) => self.assertion("assertNotNull", "result"),
        };
        Parts { act, checks: vec![check], has_result: true }
    }

    fn throwing(&mut self, call: &str, class: &'static Class) -> Parts {
        let line = match class.source_name(self.suite.package) {
            Some(name) => self.assertion("assertThrows", &format!("{name}.class, () -> {call}")),
            None => {
                let thrown = self.assertion("assertThrows", &format!("Throwable.class, () -> {call}"));
                let thrown = thrown.trim_end_matches(';').to_string();
                let name = name(&class.java_name());
                self.assertion("assertEquals", &format!("{name}, {thrown}.getClass().getName()"))
            }
        };
        Parts { act: vec![line], checks: Vec::new(), has_result: false }
    }

    /// Asserts that a clause is kept. What is said of an exception is kept if there is none.
    fn clause(&mut self, question: &Question, is_about_exception: bool) -> String {
        match &question.changes {
            Some(changes) => self.assertion("assertEquals", &format!("java.util.List.of(), {changes}")),
            None if is_about_exception && question.asks_outcome => {
                self.assertion("assertTrue", &format!("{THROWN} == null || ({})", question.condition))
            }
            None => self.assertion("assertTrue", &question.condition),
        }
    }

    fn declared_result(&self, body: &Body, call: &str) -> String {
        let kind = body.result_type();
        format!("{kind} result = {call};")
    }

    fn assertion(&mut self, name: &'static str, arguments: &str) -> String {
        self.assertions.insert(name);
        format!("{name}({arguments});")
    }
}

/// A call that may throw, and what it threw.
fn caught(call: &str) -> Parts {
    let lines = [
        format!("Throwable {THROWN} = null;"),
        "try {".to_string(),
        format!("    {call};"),
        "} catch (Throwable caught) {".to_string(),
        format!("    {THROWN} = caught;"),
        "}".to_string(),
    ];
    Parts { act: lines.to_vec(), checks: Vec::new(), has_result: false }
}
