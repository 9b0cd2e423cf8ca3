//! How are descriptors, and the modified UTF-8 they are written in, read? (JVMS §4.3, §4.4.7)

use crate::value::Kind;

/// The parameter descriptors and the result descriptor of a method descriptor.
pub fn method(descriptor: &str) -> Option<(Vec<&str>, &str)> {
    let (parameters, result) = descriptor.strip_prefix('(')?.rsplit_once(')')?;
    let mut found = Vec::new();
    let mut rest = parameters;
    while !rest.is_empty() {
        let length = field_length(rest)?;
        found.push(&rest[..length]);
        rest = &rest[length..];
    }
    (result == "V" || is_field(result)).then_some((found, result))
}

/// The kind of the result of a method descriptor.
pub fn result(descriptor: &str) -> Kind {
    Kind::of_descriptor(descriptor.rsplit(')').next().unwrap_or(descriptor))
}

/// The kinds of the parameters and of the result.
pub fn kinds(descriptor: &str) -> Option<(Box<[Kind]>, Kind)> {
    let (parameters, result) = method(descriptor)?;
    Some((parameters.iter().map(|parameter| Kind::of_descriptor(parameter)).collect(), Kind::of_descriptor(result)))
}

/// Is the text one whole field descriptor?
pub fn is_field(text: &str) -> bool {
    field_length(text) == Some(text.len())
}

/// How long the field descriptor at the start of the text is.
fn field_length(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|byte| *byte == b'[').count();
    match text.as_bytes().get(dimensions)? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some(dimensions + 1),
        b'L' => Some(dimensions + text[dimensions..].find(';')? + 1),
        _ => None,
    }
}

/// The name of the class that a field descriptor denotes: `I` → `int`, `Ljava/lang/String;` → `java/lang/String`.
pub fn class_name(descriptor: &str) -> &str {
    match descriptor.as_bytes() {
        [b'L', .., b';'] => &descriptor[1..descriptor.len() - 1],
        [_] => Kind::of_descriptor(descriptor).primitive_name().unwrap_or(descriptor),
        _ => descriptor,
    }
}

/// The name of the array class whose components are of the class of that name.
pub fn array_of(component: &str) -> String {
    if component.starts_with('[') {
        return format!("[{component}");
    }
    match Kind::PRIMITIVES.iter().find(|kind| kind.primitive_name() == Some(component)) {
        Some(kind) => format!("[{}", kind.letter()),
        None => format!("[L{component};"),
    }
}

/// UTF-16 code units from modified UTF-8. Unpaired surrogates are kept; broken bytes become U+FFFD.
pub fn modified_utf8(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut index = 0;
    let continuation = |at: usize| bytes.get(at).filter(|byte| **byte & 0xC0 == 0x80).map(|byte| (*byte & 0x3F) as u16);
    while let Some(&first) = bytes.get(index) {
        let (unit, length) = match first {
            0x00..=0x7F => (Some(first as u16), 1),
            0xC0..=0xDF => (continuation(index + 1).map(|low| ((first as u16 & 0x1F) << 6) | low), 2),
            0xE0..=0xEF => {
                let middle_and_low = continuation(index + 1).zip(continuation(index + 2));
                (middle_and_low.map(|(middle, low)| ((first as u16 & 0x0F) << 12) | (middle << 6) | low), 3)
            }
            _ => (None, 1),
        };
        units.push(unit.unwrap_or(0xFFFD));
        index += if unit.is_some() { length } else { 1 };
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn method_descriptors_are_split() {
        assert_eq!(method("(I[[JLjava/lang/String;Z)V"), Some((vec!["I", "[[J", "Ljava/lang/String;", "Z"], "V")));
        assert_eq!(method("()[I"), Some((vec![], "[I")));
        for broken in ["", "()", "(I", "(Lx)V", "([)V", "()Q", "()II"] {
            assert_eq!(method(broken), None, "{broken}");
        }
    }

    #[test]
    fn array_names_nest() {
        assert_eq!(array_of("int"), "[I");
        assert_eq!(array_of("[I"), "[[I");
        assert_eq!(array_of("java/lang/String"), "[Ljava/lang/String;");
    }

    #[test]
    fn modified_utf8_keeps_lone_surrogates() {
        assert_eq!(modified_utf8(&[b'a', 0xC0, 0x80, 0xED, 0xA0, 0x80]), vec![0x61, 0, 0xD800]);
        assert_eq!(modified_utf8(&[0xE2, 0x82]), vec![0xFFFD, 0xFFFD]);
    }
}
