//! Which classes does a file declare? Packages, imports, the heads of types; and the steps that all parsing is made of.

use std::sync::Arc;

use crate::lex::{Token, TokenKind};
use crate::member::Modifiers;
use crate::source::{Complaint, SourceText, Span};
use crate::syntax::*;

/// The result of reading, or a complaint about the first thing that cannot be understood.
pub(crate) type Read<T> = Result<T, Complaint>;

/// Where the reading of a file has come to.
pub(crate) struct Parser {
    /// The file that is read, for complaints.
    pub source: Arc<SourceText>,
    /// All tokens of the file, those of JML comments among them.
    pub tokens: Vec<Token>,
    /// The index of the next token.
    pub at: usize,
    /// Is a JML comment being read? Then everything ends where it does.
    pub in_jml: bool,
    /// Of the expression that is being read.
    pub depth: usize,
}

/// Parses a whole file: its package, its imports and its types.
pub(crate) fn unit(source: Arc<SourceText>, tokens: Vec<Token>) -> Read<CompilationUnit> {
    let mut parser = Parser { source: source.clone(), tokens, at: 0, in_jml: false, depth: 0 };
    let mut unit = CompilationUnit { source, package: String::new(), imports: Vec::new(), types: Vec::new() };
    loop {
        let mut modifiers = Modifiers::default();
        parser.modifiers(&mut modifiers, None)?;
        if parser.take_word("package") {
            unit.package = parser.dotted()?.0;
            parser.expect_sign(";")?;
        } else if parser.is_word("import") {
            unit.imports.extend(parser.import()?);
        } else if parser.note().is_some() {
            // Tokens that only JML has.
            parser.in_jml = true;
            parser.take_word("model");
            unit.imports.extend(parser.import()?);
            parser.in_jml = false;
        } else if parser.begins_type() {
            unit.types.push(parser.type_declaration(modifiers)?);
        } else if *parser.kind() == TokenKind::End {
            return Ok(unit);
        } else if !parser.take_sign(";") {
            return Err(parser.complain_here(format!("a class is expected here, and not {}", parser.shown())));
        }
    }
}

const PRIMITIVES: [&str; 9] = ["boolean", "byte", "char", "short", "int", "long", "float", "double", "void"];

const KEYWORDS: [&str; 34] = [
    "abstract",
    "assert",
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "default",
    "do",
    "else",
    "enum",
    "extends",
    "final",
    "finally",
    "for",
    "if",
    "implements",
    "import",
    "instanceof",
    "interface",
    "native",
    "new",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "synchronized",
    "throw",
    "try",
    "while",
];

impl Parser {
    /// The next token. Java is the end of JML, and JML that of Java.
    pub(crate) fn kind(&self) -> &TokenKind {
        self.peek(0)
    }

    /// The token so far ahead, or the end where the Java or JML that is being read ends.
    pub(crate) fn peek(&self, ahead: usize) -> &TokenKind {
        match self.tokens.get(self.at + ahead) {
            Some(token) if self.in_jml == token.note.is_some() => &token.kind,
            _ => &TokenKind::End,
        }
    }

    /// The JML comment in which the next token stands.
    pub(crate) fn note(&self) -> Option<u32> {
        self.tokens[self.at].note
    }

    /// The place of the next token.
    pub(crate) fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// Where the token stands that was taken last.
    pub(crate) fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// Never goes beyond the end of the file.
    pub(crate) fn skip(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// Is the next token this sign?
    pub(crate) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.kind(), TokenKind::Sign(found) if *found == sign)
    }

    /// Is the next token this word?
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self.kind(), TokenKind::Word(found) if found == word)
    }

    /// Skips the sign if it is next, and says whether it was.
    pub(crate) fn take_sign(&mut self, sign: &str) -> bool {
        let is_there = self.is_sign(sign);
        if is_there {
            self.skip();
        }
        is_there
    }

    /// Skips the word if it is next, and says whether it was.
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let is_there = self.is_word(word);
        if is_there {
            self.skip();
        }
        is_there
    }

    /// Skips the sign and gives its place, or complains that another token is there.
    pub(crate) fn expect_sign(&mut self, sign: &str) -> Read<Span> {
        let span = self.span();
        match self.take_sign(sign) {
            true => Ok(span),
            false => Err(self.complain_here(format!("`{sign}` is expected here, and not {}", self.shown()))),
        }
    }

    /// Skips the word, or complains that another token is there.
    pub(crate) fn expect_word(&mut self, word: &str) -> Read<()> {
        match self.take_word(word) {
            true => Ok(()),
            false => Err(self.complain_here(format!("`{word}` is expected here, and not {}", self.shown()))),
        }
    }

    /// Reads an identifier, which must not be a keyword.
    pub(crate) fn expect_name(&mut self) -> Read<(String, Span)> {
        let span = self.span();
        match self.kind() {
            TokenKind::Word(name) if !KEYWORDS.contains(&name.as_str()) => {
                let name = name.clone();
                self.skip();
                Ok((name, span))
            }
            _ => Err(self.complain_here(format!("a name is expected here, and not {}", self.shown()))),
        }
    }

    /// Is the next token the name of a primitive type?
    pub(crate) fn is_primitive(&self) -> bool {
        matches!(self.kind(), TokenKind::Word(word) if PRIMITIVES.contains(&word.as_str()))
    }

    /// Makes a complaint about a part of the file.
    pub(crate) fn complain(&self, span: Span, message: impl Into<String>) -> Complaint {
        self.source.complain(span, message)
    }

    /// Makes a complaint about the next token; at the end of a comment, about the place behind its last token.
    pub(crate) fn complain_here(&self, message: impl Into<String>) -> Complaint {
        // A token that is missing at the end of a comment is missing behind its last word.
        let is_over = self.in_jml && *self.kind() == TokenKind::End;
        let span = if is_over { Span { start: self.last().end, end: self.last().end } } else { self.span() };
        self.source.complain(span, message)
    }

    /// The next token, as it is written.
    pub(crate) fn shown(&self) -> String {
        match self.kind() {
            TokenKind::End if self.in_jml => "the end of the comment".to_string(),
            TokenKind::End if self.note().is_some() => "JML".to_string(),
            TokenKind::End => "the end of the file".to_string(),
            _ => format!("`{}`", self.source.quote(self.span())),
        }
    }

    /// A name with dots.
    pub(crate) fn dotted(&mut self) -> Read<(String, Span)> {
        let (mut name, mut span) = self.expect_name()?;
        while self.is_sign(".") && matches!(self.peek(1), TokenKind::Word(_)) {
            self.skip();
            let (part, at) = self.expect_name()?;
            name = format!("{name}.{part}");
            span = span.to(at);
        }
        Ok((name, span))
    }

    /// A type without its arguments and annotations.
    pub(crate) fn type_name(&mut self) -> Read<TypeName> {
        while self.is_sign("@") {
            self.annotation()?;
        }
        let (mut name, mut span) = self.expect_name()?;
        self.type_arguments()?;
        while self.is_sign(".") && matches!(self.peek(1), TokenKind::Word(_)) {
            self.skip();
            let (part, at) = self.expect_name()?;
            (name, span) = (format!("{name}.{part}"), span.to(at));
            self.type_arguments()?;
        }
        let dimensions = self.dimensions();
        Ok(TypeName { name, dimensions, span })
    }

    /// `[]`, as often as it stands there.
    pub(crate) fn dimensions(&mut self) -> usize {
        let mut dimensions = 0;
        while self.is_sign("[") && matches!(self.peek(1), TokenKind::Sign("]")) {
            self.skip();
            self.skip();
            dimensions += 1;
        }
        dimensions
    }

    /// `<…>` behind a type. In an expression, a `<` may be a comparison: then nothing is taken.
    fn type_arguments(&mut self) -> Read<()> {
        if !self.is_sign("<") {
            return Ok(());
        }
        let begin = self.at;
        let mut open: usize = 0;
        loop {
            let closes = match self.kind() {
                TokenKind::Sign("<") => {
                    open += 1;
                    0
                }
                TokenKind::Sign(">") => 1,
                TokenKind::Sign(">>") => 2,
                TokenKind::Sign(">>>") => 3,
                TokenKind::Sign("," | "." | "?" | "[" | "]" | "&" | "@") | TokenKind::Word(_) => 0,
                _ => {
                    self.at = begin;
                    return Ok(());
                }
            };
            if closes > open {
                // Of `>>`, the second one may close what is around.
                let token = &mut self.tokens[self.at];
                token.span.start += open;
                token.kind = TokenKind::Sign(if closes - open == 1 { ">" } else { ">>" });
                return Ok(());
            }
            open -= closes;
            self.skip();
            if open == 0 {
                return Ok(());
            }
        }
    }

    /// `@Name(…)`, of Java.
    pub(crate) fn annotation(&mut self) -> Read<()> {
        self.expect_sign("@")?;
        self.dotted()?;
        if self.is_sign("(") {
            self.balanced(&mut Vec::new())?;
        }
        Ok(())
    }

    /// Skips what stands in brackets, brackets included, and collects the JML in it.
    pub(crate) fn balanced(&mut self, notes: &mut Vec<Span>) -> Read<()> {
        let begin = self.span();
        let mut open = 0;
        loop {
            self.collect_note(notes);
            match self.kind() {
                TokenKind::Sign("(" | "{" | "[") => open += 1,
                TokenKind::Sign(")" | "}" | "]") => open -= 1,
                TokenKind::End => return Err(self.complain(begin, "this bracket is not closed")),
                _ => {}
            }
            self.skip();
            if open == 0 {
                return Ok(());
            }
        }
    }

    /// Skips whole JML comments here, and notes where they are.
    pub(crate) fn collect_note(&mut self, notes: &mut Vec<Span>) {
        while let Some(note) = self.note() {
            let start = self.span();
            while self.note() == Some(note) {
                self.skip();
            }
            notes.push(start.to(self.last()));
        }
    }

    /// Parses an import; none for a static one, because types alone are resolved by imports.
    pub(crate) fn import(&mut self) -> Read<Option<Import>> {
        self.expect_word("import")?;
        let is_static = self.take_word("static");
        let (name, _) = self.dotted()?;
        let is_on_demand = self.take_sign(".") && self.expect_sign("*").is_ok();
        self.expect_sign(";")?;
        Ok((!is_static).then_some(Import { name, is_on_demand }))
    }

    /// Does a class, interface, enumeration, record or annotation type begin here?
    pub(crate) fn begins_type(&self) -> bool {
        let is_next = |ahead: usize| matches!(self.peek(ahead), TokenKind::Word(_));
        match self.kind() {
            TokenKind::Word(word) => match word.as_str() {
                "class" | "interface" | "enum" => true,
                // `record` is a word like any other where no name and no components follow.
                "record" => is_next(1) && matches!(self.peek(2), TokenKind::Sign("(" | "<")),
                _ => false,
            },
            TokenKind::Sign("@") => matches!(self.peek(1), TokenKind::Word(word) if word == "interface"),
            _ => false,
        }
    }

    /// Parses a class, an interface, an enumeration or a record, whose modifiers have been read.
    pub(crate) fn type_declaration(&mut self, modifiers: Modifiers) -> Read<TypeDeclaration> {
        if let Some(clause) = modifiers.first_clause() {
            return Err(self.complain(clause, "this clause belongs to a method, but a class follows"));
        }
        self.take_sign("@");
        let (is_enum, is_record) = (self.is_word("enum"), self.is_word("record"));
        self.skip();
        let (name, span) = self.expect_name()?;
        let type_parameters = self.type_parameters()?;
        let mut declared = TypeDeclaration {
            name,
            span,
            type_parameters,
            is_pure: modifiers.is_pure,
            is_nullable_by_default: modifiers.is_nullable_by_default,
            is_specified: modifiers.is_jml,
            invariants: Vec::new(),
            constraints: Vec::new(),
            fields: Vec::new(),
            model_fields: Vec::new(),
            represents: Vec::new(),
            methods: Vec::new(),
            types: Vec::new(),
            unused: modifiers.unused,
        };
        let begin = self.at;
        if is_record {
            for Parameter { name, of, span, nullness } in self.parameters()? {
                declared.fields.push(FieldDeclaration { name, of, span, nullness });
            }
        }
        let mut notes = Vec::new();
        while !self.is_sign("{") {
            self.collect_note(&mut notes);
            match self.kind() {
                TokenKind::End => return Err(self.complain(span, "this class has no body")),
                TokenKind::Sign("{") => {}
                _ => self.skip(),
            }
        }
        self.expect_sign("{")?;
        if is_enum {
            self.enum_constants(&mut notes)?;
        }
        declared.unused.extend(notes.into_iter().map(|span| Unused { span, why: "stands where Lazuli does not look" }));
        self.members(&mut declared)?;
        declared.is_specified |= self.tokens[begin..self.at].iter().any(|token| token.note.is_some());
        Ok(declared)
    }

    /// Up to the `;` that ends them, or the end of the type.
    fn enum_constants(&mut self, notes: &mut Vec<Span>) -> Read<()> {
        loop {
            self.collect_note(notes);
            match self.kind() {
                TokenKind::Sign(";" | "}") | TokenKind::End => return Ok(()),
                TokenKind::Sign("(" | "{") => self.balanced(notes)?,
                _ => self.skip(),
            }
        }
    }

    /// Parses `<T extends A, U>`; none if there is no such list.
    pub(crate) fn type_parameters(&mut self) -> Read<Vec<TypeParameter>> {
        let mut parameters = Vec::new();
        if !self.take_sign("<") {
            return Ok(parameters);
        }
        loop {
            while self.is_sign("@") {
                self.annotation()?;
            }
            let (name, _) = self.expect_name()?;
            let mut bound = None;
            if self.take_word("extends") {
                bound = Some(self.type_name()?);
                while self.take_sign("&") {
                    self.type_name()?;
                }
            }
            parameters.push(TypeParameter { name, bound });
            if !self.take_sign(",") {
                break;
            }
        }
        self.expect_sign(">")?;
        Ok(parameters)
    }
}
