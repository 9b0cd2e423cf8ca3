//! Which program starts a whole program again, with the values of an example?
//!
//! It hands out the values that the program asks for, sets standard input, calls the main method, and says what happened, as a replay of a method
//! does. The class of verification competitions gets a twin that returns the recorded values; it must be first on the class path.

use lazuli_explore::Case;
use lazuli_vm::program::Class;
use lazuli_vm::snapshot::{Contents, Datum};
use lazuli_vm::value::Kind;

use super::literal::{literal, name as name_literal, text};
use super::program::REPORTING;

/// The class of verification competitions by which programs ask for values.
pub const VERIFIER: &str = "org.sosy_lab.sv_benchmarks.Verifier";

/// Its twin, which returns the values that `choose` was given.
pub const VERIFIER_SOURCE: &str = r#"package org.sosy_lab.sv_benchmarks;

/** Returns the values that an exploration has found, one after the other. */
public final class Verifier {
    private static Object[] values = {};
    private static int next;

    private Verifier() {}

    public static void choose(Object... chosen) {
        values = chosen;
        next = 0;
    }

    public static void assume(boolean condition) {
        if (!condition) {
            Runtime.getRuntime().halt(1);
        }
    }

    public static boolean nondetBoolean() { return number().intValue() != 0; }
    public static byte nondetByte() { return number().byteValue(); }
    public static char nondetChar() { return (char) number().intValue(); }
    public static short nondetShort() { return number().shortValue(); }
    public static int nondetInt() { return number().intValue(); }
    public static long nondetLong() { return number().longValue(); }
    public static float nondetFloat() { return number().floatValue(); }
    public static double nondetDouble() { return number().doubleValue(); }
    public static String nondetString() { return (String) value(); }

    private static Number number() { return (Number) value(); }

    private static Object value() {
        if (next == values.length) {
            throw new IllegalStateException("the program asks for more values than the exploration has found");
        }
        return values[next++];
    }
}
"#;

/// The values of an example that a whole program gets, as Java source has them.
#[derive(Clone, Debug, Default)]
pub struct ProgramInput {
    /// The arguments, as string literals.
    pub arguments: Vec<String>,
    /// The values for `Verifier.nondet…`.
    pub for_verifier: Vec<String>,
    /// The values for `Lazuli.any…`.
    pub for_lazuli: Vec<String>,
    /// The bytes of standard input.
    pub standard_input: Vec<i8>,
    /// Values from outside that the run takes beside these, by name: no program can choose them.
    pub others: Vec<String>,
}

/// Why no program can start a whole program as an example does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsksForObject;

impl ProgramInput {
    /// The values of an example. `given` are the arguments where the user gave some.
    pub fn of(case: &Case, given: &[String]) -> Result<ProgramInput, AsksForObject> {
        let mut input = ProgramInput::default();
        input.arguments.extend(given.iter().map(|given| text(&given.encode_utf16().collect::<Vec<u16>>())));
        for (asked, datum) in case.asked_at.iter().zip(&case.asked) {
            let value = match *datum {
                Datum::Object(at) => match &case.heap[at].contents {
                    Contents::Text(units) => text(units),
                    _ => return Err(AsksForObject),
                },
                datum @ Datum::Int(_) => literal(datum, Kind::Int),
                datum => literal(datum, Kind::Reference),
            };
            match asked.name.as_str() {
                name if name.starts_with("args[") => input.arguments.push(value),
                name if name.starts_with("nondet") => input.for_verifier.push(value),
                _ => input.for_lazuli.push(value),
            }
        }
        for (name, datum) in case.takes.iter().zip(&case.taken) {
            match (name.split('#').next().unwrap_or(name), datum) {
                ("byte of System.in", Datum::Int(byte)) => input.standard_input.push(*byte as i8),
                ("length of System.in" | "number of arguments", _) => {}
                _ if case.depends_on.contains(name) => input.others.push(name.clone()),
                _ => {}
            }
        }
        Ok(input)
    }
}

/// The source of a class, in the package of the class in which the program begins, that starts the program.
pub fn whole_replay(class: &'static Class, input: &ProgramInput, name: &str) -> String {
    let (package, _) = class.name.rsplit_once('/').unwrap_or(("", class.name));
    let mut page = String::new();
    if !package.is_empty() {
        page.push_str(&format!("package {};\n\n", package.replace('/', ".")));
    }
    page.push_str(
        "/** Starts a program with the values of an example, and says what happened. Run it with java -ea. */\n",
    );
    page.push_str(&format!("public class {name} {{\n"));
    page.push_str("    public static void main(String[] none) throws Throwable {\n");
    page.push_str("        endLater();\n        say(\"begun\");\n");
    if !input.for_verifier.is_empty() {
        page.push_str(&format!("        {VERIFIER}.choose({});\n", in_array(&input.for_verifier)));
    }
    if !input.for_lazuli.is_empty() {
        page.push_str(&format!("        lazuli.Lazuli.choose({});\n", in_array(&input.for_lazuli)));
    }
    let bytes: Vec<String> = input.standard_input.iter().map(i8::to_string).collect();
    page.push_str(&format!(
        "        System.setIn(new java.io.ByteArrayInputStream(new byte[] {{{}}}));\n",
        bytes.join(", ")
    ));
    page.push_str("        say(\"made\");\n        try {\n");
    let called = class.java_name().replace('$', ".");
    page.push_str(&format!("            Class.forName({});\n", name_literal(&class.java_name())));
    page.push_str(&format!(
        "            {called}.main(new String[] {{{}}});\n            say(\"returned\");\n",
        input.arguments.join(", ")
    ));
    page.push_str("        } catch (Throwable thrown) {\n            say(\"threw \" + told(thrown));\n        }\n");
    page.push_str("        Runtime.getRuntime().halt(0);\n    }\n");
    page.push_str(&REPORTING.replace("PROGRAM", name));
    page.push_str("}\n");
    page
}

/// Values as an array: a single null would be taken for no array at all.
fn in_array(values: &[String]) -> String {
    format!("new Object[] {{{}}}", values.join(", "))
}
