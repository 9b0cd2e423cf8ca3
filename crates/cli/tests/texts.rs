//! Do texts and characters that are not known have the properties that they have on the JVM?
//!
//! Each case is one expression over a text, a character, an int and a long. The JVM says what it gives for random ones. A method that has them as parameters returns where
//! they are others, so that all is unknown while the expression is evaluated; then it claims the JVM's result, which must hold, or denies it, which must be
//! violated. `LAZULI_SEED` chooses other values, `LAZULI_CASES` how many for each expression.

#[path = "common/dice.rs"]
mod dice;

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use dice::Dice;
use serde_json::Value;

/// Over `s` (at most three characters), `c` (any unit), `i` and `l`.
const EXPRESSIONS: &[&str] = &[
    "s.toLowerCase()",
    "s.toUpperCase()",
    "s.toUpperCase(java.util.Locale.ROOT)",
    "s.toLowerCase(new java.util.Locale(\"tr\"))",
    "s.toLowerCase() == s",
    "s.equalsIgnoreCase(\"aZ\")",
    "s.equalsIgnoreCase(\"\\u00b5\\u00ff\")",
    "s.equalsIgnoreCase(\"\" + (char) (s.isEmpty() ? 'x' : s.charAt(0) ^ 32))",
    "s.compareToIgnoreCase(\"k\\u00df\")",
    "s.hashCode()",
    "s.trim()",
    "s.strip()",
    "s.isBlank()",
    "s.replace('a', '\\u00ff')",
    "s.replace('a', '\\u20ac').length()",
    "s.indexOf('a') + 10 * s.lastIndexOf(\"\\u00df\")",
    "Character.toLowerCase(c) * 65536 + Character.toUpperCase(c)",
    "Character.toTitleCase(c)",
    "Character.isLetter(c) + \",\" + Character.isDigit(c) + \",\" + Character.isLetterOrDigit(c)",
    "Character.isUpperCase(c) + \",\" + Character.isLowerCase(c) + \",\" + Character.isTitleCase(c)",
    "Character.isWhitespace(c) + \",\" + Character.isSpaceChar(c) + \",\" + Character.isISOControl(c)",
    "Character.getNumericValue(c) + 1000 * Character.digit(c, 16)",
    "Character.getType(c) + \",\" + Character.isDefined(c)",
    "Character.isJavaIdentifierStart(c) + \",\" + Character.isJavaIdentifierPart(c) + \",\" + Character.isAlphabetic(c)",
    "Character.isSurrogate(c) + \",\" + Character.isHighSurrogate(c)",
    "\"x\" + c",
    "(\"x\" + c).length() + (\"\" + c).hashCode()",
    "(\"\" + c).toLowerCase()",
    "(\"\" + c).toUpperCase()",
    "(\"\" + c).equalsIgnoreCase(\"i\")",
    "(\"\\ud83d\" + c).codePointCount(0, 2)",
    "(\"a\" + c).charAt(1) == c",
    "String.valueOf(i)",
    "Integer.toString(i).length()",
    "(\"<\" + i + \">\").charAt(1)",
    "\"\" + i + 'x'",
    "(\"\" + i).hashCode()",
    "Integer.parseInt(\"\" + i) == i",
    "String.valueOf(l)",
    "(\"n\" + l).length()",
    "(\"\" + i + c).length()",
    "new StringBuilder().append(i).append('-').append(s)",
    "new StringBuilder(\"ab\").append(i).append(s).append(i).capacity()",
    "new StringBuilder().append(i).reverse()",
    "new StringBuilder().append(i).insert(0, c).length()",
    "String.format(\"%d:%s|%s\", i, s, c)",
    "String.join(\"+\", \"\" + i, s)",
    "(\"v\" + i).startsWith(\"v-\") + \",\" + (\"v\" + i).endsWith(\"0\")",
];

/// Letters with a capital, without, with one of two letters, of a title; digits, spaces, surrogates, what is not assigned.
const UNITS: &[u16] = &[
    0x41, 0x5A, 0x61, 0x7A, 0x30, 0x39, 0x20, 0x09, 0x1F, 0x00, 0x2D, 0x49, 0x69, 0xA0, 0xAA, 0xB5, 0xD7, 0xDF, 0xE0,
    0xF7, 0xFF, 0x100, 0x101, 0x130, 0x131, 0x149, 0x17F, 0x1C4, 0x1C5, 0x1C6, 0x307, 0x345, 0x3A3, 0x3C2, 0x3C3,
    0x660, 0x669, 0x1E9E, 0x2003, 0x2028, 0x2160, 0x212A, 0x2CEF, 0x4E2D, 0xA640, 0xD83D, 0xDBFF, 0xDC00, 0xDE00,
    0xFB01, 0xFF11, 0xFF21, 0xFFFE, 0xFFFF,
];

const INTS: &[i64] =
    &[0, 7, 9, 10, -1, -9, -10, 99, 100, 12345, -99999, i32::MAX as i64, i32::MIN as i64, 1_000_000_000];

struct TextCase {
    expression: &'static str,
    text: Vec<u16>,
    unit: u16,
    int: i64,
    long: i64,
}

/// Which characters the text of a case may have.
#[derive(Clone, Copy, PartialEq)]
enum Letters {
    Latin1,
    AnyUnit,
}

fn cases(dice: &mut Dice, count: usize, letters: Letters) -> Vec<TextCase> {
    let mut cases = Vec::new();
    for expression in EXPRESSIONS {
        for _ in 0..count {
            let latin: Vec<u16> = UNITS.iter().copied().filter(|unit| *unit < 256).collect();
            let unit = |dice: &mut Dice| match dice.below(3) {
                0 => dice.below(0x1_0000) as u16,
                1 => dice.below(0x600) as u16,
                _ => dice.pick(UNITS),
            };
            let letter = |dice: &mut Dice| if dice.chance(50) { dice.pick(&latin) } else { dice.below(256) as u16 };
            let text = (0..dice.below(4)).map(|_| match letters {
                Letters::AnyUnit if dice.chance(60) => unit(dice),
                _ => letter(dice),
            });
            let text = text.collect();
            let number = |dice: &mut Dice| match dice.chance(50) {
                true => dice.pick(INTS),
                false => dice.below(1 << 31) as i64 >> dice.below(31),
            };
            let long = match dice.below(3) {
                0 => i64::MIN,
                1 => number(dice),
                _ => number(dice).wrapping_mul(1_000_000_007),
            };
            cases.push(TextCase { expression, text, unit: unit(dice), int: number(dice), long });
        }
    }
    cases
}

fn literal(units: &[u16]) -> String {
    // A line end must not be written as a Unicode escape.
    let escaped = |unit: &u16| match unit {
        0x0A => "\\n".to_string(),
        0x0D => "\\r".to_string(),
        0x22 => "\\\"".to_string(),
        0x27 => "\\'".to_string(),
        0x5C => "\\\\".to_string(),
        unit => format!("\\u{unit:04x}"),
    };
    units.iter().map(escaped).collect()
}

/// A class with the expression of each case, and what `body` makes of its number and the case.
fn class(name: &str, cases: &[TextCase], body: impl Fn(usize, &TextCase) -> String) -> String {
    let mut source = format!("public class {name} {{\n");
    for (at, case) in cases.iter().enumerate() {
        let TextCase { expression, .. } = case;
        source += &format!(
            "static String e{at}(String s, char c, int i, long l) {{ return String.valueOf({expression}); }}\n"
        );
        source += &body(at, case);
    }
    source + "}\n"
}

fn compile(directory: &Path, name: &str, source: &str) {
    let file = directory.join(format!("{name}.java"));
    std::fs::write(&file, source).expect("the scratch directory can be written");
    let mut javac = Command::new("javac");
    javac.args(["-g", "-nowarn", "-encoding", "UTF-8", "-d"]).arg(directory).arg(&file);
    assert!(javac.status().expect("javac is installed").success(), "{source}");
}

/// The answer of the JVM in each case, as a Java literal.
fn expected(directory: &Path, cases: &[TextCase]) -> Vec<String> {
    let call = |at: usize, case: &TextCase| {
        let TextCase { text, unit, int, long, .. } = case;
        let (text, unit) = (literal(text), literal(&[*unit]));
        format!("static String r{at}() {{ return e{at}(\"{text}\", '{unit}', {int}, {long}L); }}\n")
    };
    let source = class("Expected", cases, call);
    let shown: String = (0..cases.len()).map(|at| format!("show(r{at}());\n")).collect();
    let main = format!(
        "static void show(String text) {{ StringBuilder all = new StringBuilder();
            for (char unit : text.toCharArray()) all.append((int) unit).append(' ');
            System.out.println(all); }}
        public static void main(String[] args) {{ {shown} }}\n}}\n"
    );
    compile(directory, "Expected", &(source.trim_end().trim_end_matches('}').to_string() + &main));
    let output = Command::new("java").arg("-cp").arg(directory).arg("Expected").output().expect("java is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("numbers are text");
    let units = |line: &str| line.split_whitespace().map(|unit| unit.parse().expect("a number")).collect::<Vec<u16>>();
    text.lines().map(|line| literal(&units(line))).collect()
}

#[test]
fn unknown_texts_are_as_on_the_jvm() {
    compare_with_jvm(Letters::Latin1, 3, &[]);
}

#[test]
fn unknown_texts_of_any_unit_are_as_on_the_jvm() {
    compare_with_jvm(Letters::AnyUnit, 2, &["--unicode"]);
}

fn compare_with_jvm(letters: Letters, usual_count: u64, options: &[&str]) {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (seed, count) = (number("LAZULI_SEED", 1), number("LAZULI_CASES", usual_count));
    let cases = cases(&mut Dice::new(seed), count as usize, letters);
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let expected = expected(directory.path(), &cases);
    assert_eq!(expected.len(), cases.len());
    let claims = |at: usize, case: &TextCase| {
        let TextCase { text, unit, int, long, .. } = case;
        let (text, unit) = (literal(text), literal(&[*unit]));
        let parameters = "String s, char c, int i, long l";
        let guard =
            format!("if (s == null || !s.equals(\"{text}\") || c != '{unit}' || i != {int} || l != {long}L) return;");
        let is_it = format!("e{at}(s, c, i, l).equals(\"{}\")", expected[at]);
        format!(
            "public static void right{at}({parameters}) {{ {guard} assert {is_it}; }}
            public static void wrong{at}({parameters}) {{ {guard} assert !{is_it}; }}\n"
        )
    };
    compile(directory.path(), "Claims", &class("Claims", &cases, claims));
    let mut lazuli = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    lazuli.args(["check", "--scope", "3", "--no-confirm", "--time", "600s", "--format", "json", "-cp"]);
    lazuli.arg(directory.path()).args(options);
    lazuli.args((0..cases.len()).flat_map(|at| [format!("Claims.right{at}"), format!("Claims.wrong{at}")]));
    let output = lazuli.output().expect("lazuli starts");
    let reports = serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>();
    let verdicts: Vec<String> = reports
        .map(|report| report.expect("reports are JSON")["verdict"].as_str().unwrap_or_default().to_string())
        .collect();
    assert_eq!(verdicts.len(), 2 * cases.len(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut open: HashMap<&str, usize> = HashMap::new();
    for (at, (case, pair)) in cases.iter().zip(verdicts.chunks(2)).enumerate() {
        let TextCase { expression, text, unit, int, long } = case;
        let told = format!(
            "{expression} with s = \"{}\", c = '{}', i = {int}, l = {long} is \"{}\" (case {at}, LAZULI_SEED={seed})",
            literal(text),
            literal(&[*unit]),
            expected[at]
        );
        assert_ne!(pair[0], "violated", "{told}");
        assert_ne!(pair[1], "holds", "{told}");
        *open.entry(expression).or_default() += pair.iter().filter(|verdict| *verdict == "incomplete").count();
    }
    let mut open: Vec<(&str, usize)> = open.into_iter().filter(|(_, count)| *count > 0).collect();
    open.sort();
    let count: usize = open.iter().map(|(_, count)| count).sum();
    println!("{count} of {} answers are incomplete: {open:?}", verdicts.len());
    assert!(count * 10 <= verdicts.len(), "too many are incomplete: {open:?}");
}
