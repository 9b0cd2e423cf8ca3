//! Where in which file is something said, and how is a complaint about it shown?

use std::fmt;

/// A file and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// As the user would write it.
    pub path: String,
    /// The whole text of the file.
    pub text: String,
}

impl SourceText {
    /// The name without its folders.
    pub fn file(&self) -> &str {
        self.path.rsplit(['/', '\\']).next().unwrap_or(&self.path)
    }

    /// The line of a place, counted from 1.
    pub fn line(&self, span: Span) -> u32 {
        let before = &self.text.as_bytes()[..span.start];
        before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1
    }

    /// The text there, in one line.
    pub fn quote(&self, span: Span) -> String {
        let words = self.text[span.start..span.end].split_whitespace();
        // The signs that begin the lines of a comment are not part of what it says.
        words.filter(|word| !word.chars().all(|sign| sign == '@')).collect::<Vec<_>>().join(" ")
    }

    /// Makes a complaint about a part of the file, with the line in which that begins.
    pub fn complain(&self, span: Span, message: impl Into<String>) -> Complaint {
        let start = self.text[..span.start].rfind('\n').map_or(0, |end| end + 1);
        let end = self.text[span.start..].find('\n').map_or(self.text.len(), |length| span.start + length);
        Complaint {
            path: self.path.clone(),
            line: self.line(span),
            column: self.text[start..span.start].chars().count() as u32 + 1,
            width: self.text[span.start..span.end.clamp(span.start, end)].chars().count().max(1) as u32,
            excerpt: self.text[start..end].trim_end().replace('\t', " "),
            message: message.into(),
        }
    }
}

/// A part of a source, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last one.
    pub end: usize,
}

impl Span {
    /// The part from the start of this one to the end of `last`.
    pub fn to(self, last: Span) -> Span {
        Span { start: self.start, end: last.end.max(self.end) }
    }
}

/// A fault of a specification, and its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Complaint {
    /// The file, as the user would write it.
    pub path: String,
    /// The line, counted from 1.
    pub line: u32,
    /// Counted from 1.
    pub column: u32,
    /// How many characters are meant.
    pub width: u32,
    /// The line of the source.
    pub excerpt: String,
    /// The fault, as a sentence for the user.
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Complaint { path, line, column, width, excerpt, message } = self;
        let (before, carets) = (*column as usize - 1, "^".repeat(*width as usize));
        write!(out, "{path}:{line}:{column}: {message}\n    {excerpt}\n    {:before$}{carets}", "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_point_at_the_words() {
        let source = SourceText { path: "a/B.jml".into(), text: "class B {\n  //@ wrong;\n}".into() };
        let told = source.complain(Span { start: 16, end: 21 }, "no such clause").to_string();
        assert_eq!(told, "a/B.jml:2:7: no such clause\n      //@ wrong;\n          ^^^^^");
        assert_eq!(source.file(), "B.jml");
    }
}
