//! How is a text shown that may hold anything, such as a name from a class file?
//!
//! A terminal obeys escape sequences, a log takes a line break for a new message, and characters that turn the direction of writing show
//! another order than there is. All of these are written as in Java source where a text leaves Lazuli, and only there.

use std::borrow::Cow;
use std::fmt::Write;

/// The text on one line, with each character that is not seen, or that moves others, as an escape.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped_if(text, is_deceptive)
}

/// The same for a text of several lines that Lazuli itself has put one below the other.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escaped_if(text, |letter| letter != '\n' && letter != '\t' && is_deceptive(letter))
}

/// A text of UTF-16, in which surrogates may be alone: no other encoding has a place for one, so that it is written as in Java source.
pub fn readable(units: &[u16]) -> String {
    let letters = char::decode_utf16(units.iter().copied());
    letters.map(|letter| letter.map_or_else(|alone| escaped(alone.unpaired_surrogate()), String::from)).collect()
}

/// A unit of UTF-16 as in Java source.
pub fn escaped(unit: u16) -> String {
    format!("\\u{unit:04x}")
}

/// A message of Lazuli's own, whose further lines begin with two spaces: a line break without them is part of a name.
pub fn visible_message(text: &str) -> String {
    let lines: Vec<_> = text.split("\n  ").map(visible).collect();
    lines.join("\n  ")
}

/// A document in JSON, in which all such characters stand inside of strings: there they have the same escapes.
pub fn visible_json(document: String) -> String {
    match document.chars().any(|letter| !letter.is_ascii_control() && is_deceptive(letter)) {
        true => escaped_if(&document, |letter| !letter.is_ascii_control() && is_deceptive(letter)).into_owned(),
        false => document,
    }
}

/// Is it not seen as itself: a control character, a line break, or one that is invisible or turns the direction of writing?
pub fn is_deceptive(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            // Directions: marks, embeddings, overrides and isolates (Unicode Standard Annex 9).
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Line and paragraph separators.
            | '\u{2028}' | '\u{2029}'
            // Without width: soft hyphen, spaces and joiners without width, byte order mark, annotations, tags.
            | '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

fn escaped_if(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            letter if !is_escaped(letter) => shown.push(letter),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            letter => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    let _ = write!(shown, "\\u{unit:04x}");
                }
            }
        }
    }
    Cow::Owned(shown)
}

/// Prints a message on standard error, on a line that begins with the name of the program. Its text goes through `visible_message`.
#[macro_export]
macro_rules! tell {
    ($($part:tt)*) => { eprintln!("lazuli: {}", $crate::visible::visible_message(&format!($($part)*))) };
}
pub use tell;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_deceives_is_seen() {
        assert_eq!(visible("größe → 名 ✓"), "größe → 名 ✓");
        assert_eq!(visible("a\x1b[2Jb\nc\td\re\u{9b}"), "a\\u001b[2Jb\\nc\\td\\re\\u009b");
        assert_eq!(visible("\u{202e}cba\u{2066}\u{200b}\u{e0041}"), "\\u202ecba\\u2066\\u200b\\udb40\\udc41");
        assert_eq!(visible_message("one\n  two\nthree\x1b"), "one\n  two\\nthree\\u001b");
        assert_eq!(visible_lines("a\n\tb\x07\r"), "a\n\tb\\u0007\\r");
    }

    #[test]
    fn surrogates_are_seen_where_they_are_alone() {
        let units: Vec<u16> = "€😀".encode_utf16().chain([0xDE00, 0x61, 0xD83D]).collect();
        assert_eq!(readable(&units), "€😀\\ude00a\\ud83d");
    }

    #[test]
    fn a_document_in_json_means_the_same() {
        let text = "a\u{202e}b\u{7f}\u{e0041}\n";
        let document = visible_json(serde_json::to_string_pretty(&[text]).unwrap());
        assert!(document.is_ascii() && document.contains('\n'), "{document}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&document).unwrap(), [text]);
    }
}
