//! How is a value written in Java source? (JLS §3.10)

use lazuli_console::visible::visible;
use lazuli_vm::snapshot::Datum;
use lazuli_vm::value::Kind;

/// A primitive of that type, or null.
pub fn literal(datum: Datum, kind: Kind) -> String {
    match datum {
        Datum::Int(value) => int(value, kind),
        Datum::Long(i64::MIN) => "Long.MIN_VALUE".to_string(),
        Datum::Long(value) => format!("{value}L"),
        Datum::Float(value) => float(value),
        Datum::Double(value) => double(value),
        Datum::Any | Datum::Null | Datum::Object(_) => "null".to_string(),
    }
}

/// A name from a class file as the argument of a reflective call. Whatever it is, the compiler reads one literal.
pub fn name(name: &str) -> String {
    text(&name.encode_utf16().collect::<Vec<u16>>())
}

/// A text that may hold anything, as one line of a comment: nothing in it ends the comment. Java reads `\u` as the beginning of a letter
/// even there, and the letter may be the end of the line.
pub fn comment(text: &str) -> String {
    visible(text).replace("\\u", "\\ u").replace("*/", "* /")
}

/// A text of UTF-16 code units. Only printable ASCII stands for itself, so that no compiler reads another encoding into it.
pub fn text(units: &[u16]) -> String {
    let mut quoted = String::from("\"");
    for unit in units {
        match char::from_u32(u32::from(*unit)) {
            Some('"') => quoted.push_str("\\\""),
            other => quoted.push_str(&character(other, *unit)),
        }
    }
    quoted.push('"');
    quoted
}

fn int(value: i32, kind: Kind) -> String {
    match kind {
        Kind::Boolean => (value != 0).to_string(),
        Kind::Char => match char::from_u32(value as u32) {
            Some('\'') => "'\\''".to_string(),
            other => format!("'{}'", character(other, value as u16)),
        },
        Kind::Byte => format!("(byte) {value}"),
        Kind::Short => format!("(short) {value}"),
        _ if value == i32::MIN => "Integer.MIN_VALUE".to_string(),
        _ if value == i32::MAX => "Integer.MAX_VALUE".to_string(),
        _ => value.to_string(),
    }
}

fn character(letter: Option<char>, unit: u16) -> String {
    match letter {
        Some('\\') => "\\\\".to_string(),
        Some('\n') => "\\n".to_string(),
        Some('\r') => "\\r".to_string(),
        Some('\t') => "\\t".to_string(),
        Some(letter @ ' '..='~') => letter.to_string(),
        // An octal escape is read after the line is split, unlike \u000a; but it ends at 377.
        _ if unit < 0o40 => format!("\\{unit:03o}"),
        _ => format!("\\u{unit:04x}"),
    }
}

fn float(value: f32) -> String {
    match value {
        _ if value.is_nan() && value.to_bits() == f32::NAN.to_bits() => "Float.NaN".to_string(),
        _ if value.is_nan() => format!("Float.intBitsToFloat(0x{:x})", value.to_bits()),
        f32::INFINITY => "Float.POSITIVE_INFINITY".to_string(),
        f32::NEG_INFINITY => "Float.NEGATIVE_INFINITY".to_string(),
        _ => format!("{value:?}f"),
    }
}

fn double(value: f64) -> String {
    match value {
        _ if value.is_nan() && value.to_bits() == f64::NAN.to_bits() => "Double.NaN".to_string(),
        _ if value.is_nan() => format!("Double.longBitsToDouble(0x{:x}L)", value.to_bits()),
        f64::INFINITY => "Double.POSITIVE_INFINITY".to_string(),
        f64::NEG_INFINITY => "Double.NEGATIVE_INFINITY".to_string(),
        _ => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_the_edges_compile() {
        assert_eq!(literal(Datum::Int(i32::MIN), Kind::Int), "Integer.MIN_VALUE");
        assert_eq!(literal(Datum::Long(i64::MIN), Kind::Long), "Long.MIN_VALUE");
        assert_eq!(literal(Datum::Int(-128), Kind::Byte), "(byte) -128");
        assert_eq!(literal(Datum::Int(1), Kind::Boolean), "true");
        assert_eq!(literal(Datum::Double(-0.0), Kind::Double), "-0.0");
        assert_eq!(literal(Datum::Double(1e300), Kind::Double), "1e300");
        assert_eq!(literal(Datum::Float(f32::MIN_POSITIVE), Kind::Float), "1.1754944e-38f");
        assert_eq!(literal(Datum::Double(f64::NAN), Kind::Double), "Double.NaN");
        assert_eq!(literal(Datum::Float(f32::NEG_INFINITY), Kind::Float), "Float.NEGATIVE_INFINITY");
    }

    #[test]
    fn characters_are_escaped() {
        assert_eq!(literal(Datum::Int(39), Kind::Char), "'\\''");
        assert_eq!(literal(Datum::Int(10), Kind::Char), "'\\n'");
        assert_eq!(literal(Datum::Int(0), Kind::Char), "'\\000'");
        assert_eq!(literal(Datum::Int(0xD800), Kind::Char), "'\\ud800'");
        let units: Vec<u16> = "a\"\\\n\u{1}é".encode_utf16().collect();
        assert_eq!(text(&units), "\"a\\\"\\\\\\n\\001\\u00e9\"");
        assert_eq!(name("a\\u003b\u{202e}\""), "\"a\\\\u003b\\u202e\\\"\"");
    }

    #[test]
    fn a_comment_does_not_end_early() {
        assert_eq!(comment("a*/b\\u000a\\\\u000a\r\nc"), "a* /b\\ u000a\\\\ u000a\\r\\nc");
        assert_eq!(comment("\u{202e}x"), "\\ u202ex");
    }
}
