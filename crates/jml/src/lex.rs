//! Which words and signs does a file consist of? Java and the JML in its comments are read alike; each token says in which of the
//! comments it stands.

use crate::source::{Complaint, SourceText, Span};

/// The kind of a token, with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    /// An identifier or a keyword.
    Word(String),
    /// `\old` and the like, without the backslash.
    Special(String),
    /// An `int` literal.
    Int(i32),
    /// A `long` literal.
    Long(i64),
    /// A `float` literal.
    Float(f32),
    /// A `double` literal.
    Double(f64),
    /// A character literal, as a UTF-16 code unit.
    Char(u16),
    /// A string literal, with its escapes replaced.
    Text(String),
    /// An operator or a separator.
    Sign(&'static str),
    /// The end of the file.
    End,
}

/// A token and its place.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    /// The kind of the token.
    pub kind: TokenKind,
    /// The place of the token.
    pub span: Span,
    /// The number of the JML comment that it is part of.
    pub note: Option<u32>,
}

/// Longer ones first.
const SIGNS: [&str; 55] = [
    ">>>=", "<==>", "<=!=>", "...", ">>>", "<<=", ">>=", "==>", "<==", "->", "::", "..", "++", "--", "&&", "||", "==",
    "!=", "<=", ">=", "<:", "<<", ">>", "+=", "-=", "*=", "/=", "&=", "|=", "^=", "%=", "{|", "|}", "(", ")", "{", "}",
    "[", "]", ";", ",", ".", "@", "=", "<", ">", "!", "~", "?", ":", "+", "-", "*", "/", "%",
];
const MORE_SIGNS: [&str; 4] = ["&", "|", "^", "#"];

/// Splits a file into tokens, with the JML comments among them and all other comments left out.
pub(crate) fn tokens(source: &SourceText) -> Result<Vec<Token>, Complaint> {
    let mut lexer = Lexer { source, text: &source.text, at: 0, note: Note::None, notes: 0, tokens: Vec::new() };
    lexer.all()?;
    Ok(lexer.tokens)
}

/// The JML comment that is being read.
#[derive(Clone, Copy, PartialEq)]
enum Note {
    None,
    /// Up to the end of the line.
    Line,
    /// Up to `*/`. Where it began.
    Block(usize),
}

struct Lexer<'a> {
    source: &'a SourceText,
    text: &'a str,
    at: usize,
    note: Note,
    notes: u32,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn all(&mut self) -> Result<(), Complaint> {
        while self.at < self.text.len() {
            self.one()?;
        }
        if let Note::Block(start) = self.note {
            return Err(self.complain(start, start + 3, "this comment does not end"));
        }
        let end = Span { start: self.text.len(), end: self.text.len() };
        self.tokens.push(Token { kind: TokenKind::End, span: end, note: None });
        Ok(())
    }

    fn one(&mut self) -> Result<(), Complaint> {
        let rest = &self.text[self.at..];
        let next = rest.chars().next().unwrap_or_default();
        if next == '\n' {
            if self.note == Note::Line {
                self.note = Note::None;
            }
            self.at += 1;
            if let Note::Block(_) = self.note {
                self.skip_margin();
            }
            return Ok(());
        }
        if next.is_whitespace() {
            self.at += next.len_utf8();
            return Ok(());
        }
        if let Note::Block(_) = self.note {
            // A comment may end with `@*/` as well as with `*/`.
            let without = rest.trim_start_matches('@');
            if without.starts_with("*/") {
                self.at += rest.len() - without.len() + 2;
                self.note = Note::None;
                return Ok(());
            }
        }
        if rest.starts_with("//") || rest.starts_with("/*") {
            return self.comment(rest);
        }
        let start = self.at;
        let kind = self.kind(rest, next)?;
        let note = (self.note != Note::None).then_some(self.notes);
        self.tokens.push(Token { kind, span: Span { start, end: self.at }, note });
        Ok(())
    }

    /// White space, and the signs by which the lines of a JML comment often begin.
    fn skip_margin(&mut self) {
        let rest = &self.text[self.at..];
        let inside = rest.trim_start_matches([' ', '\t', '\r']);
        let after = inside.trim_start_matches('@');
        if inside.len() != after.len() && !after.starts_with("*/") {
            self.at += rest.len() - after.len();
        }
    }

    fn comment(&mut self, rest: &str) -> Result<(), Complaint> {
        let is_line = rest.starts_with("//");
        let is_jml = rest[2..].starts_with('@') && self.note == Note::None;
        if is_jml {
            self.note = if is_line { Note::Line } else { Note::Block(self.at) };
            self.notes += 1;
            let signs = rest[2..].len() - rest[2..].trim_start_matches('@').len();
            // Of `/*@*/` the last sign belongs to the end.
            self.at += 2 + signs;
            return Ok(());
        }
        if let Some(key) = conditional(&rest[2..]) {
            let end = self.at + rest.find('\n').unwrap_or(rest.len());
            let message = format!(
                "JML for some tools only ({key}) is not supported; write it for all, or as an ordinary comment"
            );
            return Err(self.complain(self.at, end, message));
        }
        self.at += match is_line {
            true => rest.find('\n').unwrap_or(rest.len()),
            false => match rest[2..].find("*/") {
                Some(length) => length + 4,
                None => return Err(self.complain(self.at, self.at + 2, "this comment does not end")),
            },
        };
        Ok(())
    }

    fn kind(&mut self, rest: &str, next: char) -> Result<TokenKind, Complaint> {
        let word = |text: &str| text.find(|sign: char| !is_part_of_word(sign)).unwrap_or(text.len());
        if is_start_of_word(next) {
            let length = word(rest);
            self.at += length;
            return Ok(TokenKind::Word(rest[..length].to_string()));
        }
        if next == '\\' && rest[1..].starts_with(is_start_of_word) {
            let length = word(&rest[1..]);
            self.at += 1 + length;
            return Ok(TokenKind::Special(rest[1..=length].to_string()));
        }
        if next.is_ascii_digit() || (next == '.' && rest[1..].starts_with(|sign: char| sign.is_ascii_digit())) {
            return self.number(rest);
        }
        if rest.starts_with("\"\"\"") {
            return self.text_block(rest);
        }
        if next == '"' || next == '\'' {
            return self.quoted(rest, next);
        }
        let sign =
            SIGNS.iter().chain(&MORE_SIGNS).filter(|sign| rest.starts_with(**sign)).max_by_key(|sign| sign.len());
        match sign {
            Some(sign) => {
                self.at += sign.len();
                Ok(TokenKind::Sign(sign))
            }
            None => Err(self.complain(self.at, self.at + next.len_utf8(), format!("'{next}' is not expected here"))),
        }
    }

    fn number(&mut self, rest: &str) -> Result<TokenKind, Complaint> {
        let is_based =
            rest.len() > 1 && rest.starts_with('0') && matches!(rest.as_bytes()[1], b'x' | b'X' | b'b' | b'B');
        let bytes = rest.as_bytes();
        let mut length = if is_based { 2 } else { 0 };
        while length < bytes.len() {
            let is_sign = matches!(bytes[length], b'+' | b'-') && !is_based && matches!(bytes[length - 1], b'e' | b'E');
            // In `0..9`, two points are a sign of their own.
            let is_point = bytes[length] == b'.' && bytes.get(length + 1) != Some(&b'.') && !is_based;
            if !(bytes[length].is_ascii_alphanumeric() || bytes[length] == b'_' || is_point || (length > 0 && is_sign))
            {
                break;
            }
            length += 1;
        }
        let written = &rest[..length];
        let plain = written.replace('_', "").to_ascii_lowercase();
        let kind = literal(&plain, is_based);
        let span = (self.at, self.at + length);
        self.at += length;
        kind.ok_or_else(|| self.complain(span.0, span.1, format!("{written} is no number that Java has")))
    }

    fn quoted(&mut self, rest: &str, quote: char) -> Result<TokenKind, Complaint> {
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let mut signs = line.char_indices().skip(1);
        let mut said = String::new();
        while let Some((at, sign)) = signs.next() {
            if sign == quote {
                let span = (self.at, self.at + at + 1);
                self.at = span.1;
                if quote == '"' {
                    return Ok(TokenKind::Text(said));
                }
                let mut units = said.encode_utf16();
                return match (units.next(), units.next()) {
                    (Some(unit), None) => Ok(TokenKind::Char(unit)),
                    _ => Err(self.complain(span.0, span.1, "one character must stand between these quotes")),
                };
            }
            if sign != '\\' {
                said.push(sign);
                continue;
            }
            let escaped = signs.next().map_or(' ', |(_, escaped)| escaped);
            match escaped {
                'u' => {
                    let digits: String =
                        signs.by_ref().skip_while(|(_, sign)| *sign == 'u').take(4).map(|(_, digit)| digit).collect();
                    let unit = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                    said.push(unit.unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                '0'..='7' => {
                    let digits: String =
                        line[at + 1..].chars().take(3).take_while(|digit| matches!(digit, '0'..='7')).collect();
                    let digits =
                        if digits.len() == 3 && digits.as_bytes()[0] > b'3' { &digits[..2] } else { &digits[..] };
                    signs.by_ref().take(digits.len() - 1).for_each(|_| {});
                    said.push(u8::from_str_radix(digits, 8).map_or(' ', char::from));
                }
                'n' => said.push('\n'),
                't' => said.push('\t'),
                'r' => said.push('\r'),
                'b' => said.push('\u{8}'),
                'f' => said.push('\u{c}'),
                's' => said.push(' '),
                other => said.push(other),
            }
        }
        Err(self.complain(self.at, self.at + 1, "this quote does not end on its line"))
    }

    /// Only Java has them, and their contents do not matter.
    fn text_block(&mut self, rest: &str) -> Result<TokenKind, Complaint> {
        let mut at = 3;
        loop {
            let Some(end) = rest[at..].find("\"\"\"") else {
                return Err(self.complain(self.at, self.at + 3, "this text does not end"));
            };
            let escapes = rest[..at + end].bytes().rev().take_while(|byte| *byte == b'\\').count();
            at += end + if escapes % 2 == 1 { 1 } else { 3 };
            if escapes.is_multiple_of(2) {
                self.at += at;
                return Ok(TokenKind::Text(String::new()));
            }
        }
    }

    fn complain(&self, start: usize, end: usize, message: impl Into<String>) -> Complaint {
        self.source.complain(Span { start, end }, message)
    }
}

/// `+ESC@ …`: JML that is meant for one tool, or for all but one.
fn conditional(rest: &str) -> Option<&str> {
    let end = rest.find('@')?;
    let key = &rest[..end];
    let is_key = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_conditional = key.starts_with(['+', '-']) && key.split(['+', '-']).skip(1).all(is_key);
    (is_conditional || key == "+" || key == "-").then_some(key)
}

fn literal(plain: &str, is_based: bool) -> Option<TokenKind> {
    let (digits, radix) = match plain.get(..2).filter(|_| is_based) {
        Some("0x") => (&plain[2..], 16),
        Some(_) => (&plain[2..], 2),
        None if plain.len() > 1 && plain.starts_with('0') && !plain.contains(['.', 'e', 'f', 'd', 'l', '8', '9']) => {
            (&plain[1..], 8)
        }
        None => (plain, 10),
    };
    if let Some(digits) = digits.strip_suffix('l') {
        return match radix {
            // The smallest one is only written with a minus, which is applied to it later.
            10 => {
                digits.parse::<u64>().ok().filter(|value| *value <= 1 << 63).map(|value| TokenKind::Long(value as i64))
            }
            radix => u64::from_str_radix(digits, radix).ok().map(|value| TokenKind::Long(value as i64)),
        };
    }
    if radix != 10 {
        return u32::from_str_radix(digits, radix).ok().map(|value| TokenKind::Int(value as i32));
    }
    if let Some(digits) = digits.strip_suffix('f') {
        return digits.parse().ok().map(TokenKind::Float);
    }
    if let Some(digits) = digits.strip_suffix('d') {
        return digits.parse().ok().map(TokenKind::Double);
    }
    match digits.contains(['.', 'e']) {
        true => digits.parse().ok().map(TokenKind::Double),
        false => digits.parse::<u32>().ok().filter(|value| *value <= 1 << 31).map(|value| TokenKind::Int(value as i32)),
    }
}

fn is_start_of_word(sign: char) -> bool {
    sign.is_alphabetic() || sign == '_' || sign == '$'
}

fn is_part_of_word(sign: char) -> bool {
    is_start_of_word(sign) || sign.is_numeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, bool)> {
        let source = SourceText { path: "A.java".into(), text: text.into() };
        let found = tokens(&source).expect("it can be read");
        found.into_iter().map(|token| (token.kind, token.note.is_some())).collect()
    }

    #[test]
    fn jml_is_told_from_java_and_from_comments() {
        let word = |word: &str, is_jml| (TokenKind::Word(word.to_string()), is_jml);
        let text = "a /* b */ //@ c // d\n e /*@ f\n   @ @ g @*/ h // i\n /** j */ /*@@ k */";
        let expected =
            vec![word("a", false), word("c", true), word("e", false), word("f", true), (TokenKind::Sign("@"), true)];
        let expected =
            [expected, vec![word("g", true), word("h", false), word("k", true), (TokenKind::End, false)]].concat();
        assert_eq!(kinds(text), expected);
    }

    #[test]
    fn literals_have_the_values_of_java() {
        let values: Vec<TokenKind> = kinds(r#"1_000 0x7f 017 3L 1.5 2f 0..9 'a' '\n' '\101' "a\"bA" 0xFFFFFFFF 0b101"#)
            .into_iter()
            .map(|(kind, _)| kind)
            .collect();
        let expected = vec![
            TokenKind::Int(1000),
            TokenKind::Int(127),
            TokenKind::Int(15),
            TokenKind::Long(3),
            TokenKind::Double(1.5),
            TokenKind::Float(2.0),
            TokenKind::Int(0),
            TokenKind::Sign(".."),
            TokenKind::Int(9),
            TokenKind::Char(97),
            TokenKind::Char(10),
            TokenKind::Char(65),
            TokenKind::Text("a\"bA".into()),
            TokenKind::Int(-1),
            TokenKind::Int(5),
            TokenKind::End,
        ];
        assert_eq!(values, expected);
    }

    #[test]
    fn what_does_not_end_is_said() {
        for text in ["/*@ a", "/* a", "\"a", "'ab'", "9999999999", "\"\"\" a", "//+ESC@ requires x;", "a ` b"] {
            let source = SourceText { path: "A.java".into(), text: text.into() };
            assert!(tokens(&source).is_err(), "{text}");
        }
    }
}
