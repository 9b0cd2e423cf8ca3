//! What does a class declare, and which JML stands before, in and behind it?

use crate::clause::SpecificationCases;
use crate::declaration::{Parser, Read};
use crate::lex::TokenKind;
use crate::source::Span;
use crate::syntax::*;

/// Modifiers and JML that stand before a declaration.
#[derive(Default)]
pub(crate) struct Modifiers {
    /// Is it declared `pure`?
    pub is_pure: bool,
    /// Is it declared `helper`?
    pub is_helper: bool,
    /// Is it declared `nullable_by_default`?
    pub is_nullable_by_default: bool,
    /// `nullable` or `non_null`, if one of them is there.
    pub nullness: Option<Nullness>,
    /// Is there any JML?
    pub is_jml: bool,
    /// The cases of the specification before the declaration.
    pub specification: SpecificationCases,
    /// Clauses that have no effect.
    pub unused: Vec<Unused>,
}

impl Modifiers {
    /// Where the first clause of a method stands, if there is one.
    pub(crate) fn first_clause(&self) -> Option<Span> {
        self.specification.cases.first().map(|case| case.span)
    }

    /// Inline modifiers belong to the same declaration.
    fn join(&mut self, other: Modifiers) {
        self.is_pure |= other.is_pure;
        self.is_helper |= other.is_helper;
        self.is_jml |= other.is_jml;
        self.nullness = other.nullness.or(self.nullness);
        self.unused.extend(other.unused);
    }
}

/// The modifiers that words of JML give.
#[derive(Clone, Copy)]
struct ModifierWords {
    is_pure: bool,
    is_helper: bool,
    is_nullable_by_default: bool,
    nullness: Option<Nullness>,
}

impl ModifierWords {
    fn of(modifiers: &Modifiers) -> ModifierWords {
        let Modifiers { is_pure, is_helper, is_nullable_by_default, nullness, .. } = *modifiers;
        ModifierWords { is_pure, is_helper, is_nullable_by_default, nullness }
    }

    fn restore(self, modifiers: &mut Modifiers) {
        modifiers.is_pure = self.is_pure;
        modifiers.is_helper = self.is_helper;
        modifiers.is_nullable_by_default = self.is_nullable_by_default;
        modifiers.nullness = self.nullness;
    }
}

const JAVA_MODIFIERS: [&str; 13] = [
    "public",
    "protected",
    "private",
    "static",
    "final",
    "abstract",
    "native",
    "synchronized",
    "transient",
    "volatile",
    "strictfp",
    "default",
    "sealed",
];

/// They say nothing that matters here: who may name what in a specification, and how numbers behave, which is as in Java.
const NEUTRAL: [&str; 16] = [
    "public",
    "protected",
    "private",
    "final",
    "instance",
    "spec_public",
    "spec_protected",
    "code",
    "abstract",
    "synchronized",
    "native",
    "code_java_math",
    "spec_java_math",
    "uninitialized",
    "monitored",
    "non_null_by_default",
];

const OF_CLASS: [(&str, &str); 7] = [
    ("initially", "it speaks of constructors, which are not checked on their own"),
    ("axiom", "axioms are not assumed"),
    ("in", "data groups are not supported"),
    ("maps", "data groups are not supported"),
    ("readable", "it is not checked"),
    ("writable", "it is not checked"),
    ("monitors_for", "threads are not looked at"),
];

const IN_BODY: &str = "annotations within a body are not checked; a Java `assert` is";

impl Parser {
    /// The members of a type, up to its closing bracket.
    pub(crate) fn members(&mut self, owner: &mut TypeDeclaration) -> Read<()> {
        loop {
            if self.take_sign("}") {
                return Ok(());
            }
            if !self.take_sign(";") {
                self.member(owner)?;
            }
        }
    }

    fn member(&mut self, owner: &mut TypeDeclaration) -> Read<()> {
        let mut modifiers = Modifiers::default();
        self.modifiers(&mut modifiers, Some(owner))?;
        if self.begins_type() {
            let nested = self.type_declaration(modifiers)?;
            owner.types.push(nested);
            return Ok(());
        }
        let begin = self.span();
        if let (TokenKind::Sign("}" | ";"), None) = (self.kind(), modifiers.first_clause()) {
            return Ok(());
        }
        if self.is_sign("{") {
            self.no_clauses(&modifiers, "an initialiser")?;
            let mut notes = Vec::new();
            self.balanced(&mut notes)?;
            owner.unused.extend(notes.into_iter().map(|span| Unused { span, why: IN_BODY }));
            return Ok(());
        }
        let type_parameters = self.type_parameters()?;
        modifiers.join(self.inline()?);
        let is_constructor = self.is_word(&owner.name) && matches!(self.peek(1), TokenKind::Sign("(" | "{"));
        if is_constructor {
            let span = self.span();
            self.skip();
            let head = Head { name: None, span, result: None, type_parameters };
            return self.method(head, modifiers, owner);
        }
        if !matches!(self.kind(), TokenKind::Word(_)) {
            let message = match modifiers.first_clause() {
                Some(clause) => return Err(self.complain(clause, "this clause belongs to no method")),
                None => format!("a declaration is expected here, and not {}", self.shown()),
            };
            return Err(self.complain(begin, message));
        }
        let of = self.type_name()?;
        modifiers.join(self.inline()?);
        let (name, span) = self.expect_name()?;
        if self.is_sign("(") {
            let head = Head { name: Some(name), span, result: Some(of), type_parameters };
            return self.method(head, modifiers, owner);
        }
        self.no_clauses(&modifiers, "a field")?;
        owner.unused.append(&mut modifiers.unused);
        self.fields(of, (name, span), modifiers.nullness, owner)
    }

    fn no_clauses(&self, modifiers: &Modifiers, what: &str) -> Read<()> {
        match modifiers.first_clause() {
            Some(clause) => Err(self.complain(clause, format!("this clause belongs to a method, but {what} follows"))),
            None => Ok(()),
        }
    }

    /// The declarators behind the type of a field; the first name was read.
    fn fields(
        &mut self,
        of: TypeName,
        first: (String, Span),
        nullness: Option<Nullness>,
        owner: &mut TypeDeclaration,
    ) -> Read<()> {
        let mut declarator = Some(first);
        while let Some((name, span)) = declarator.take() {
            let dimensions = of.dimensions + self.dimensions();
            owner.fields.push(FieldDeclaration { name, of: TypeName { dimensions, ..of.clone() }, span, nullness });
            let mut notes = Vec::new();
            while !self.is_sign(",") && !self.is_sign(";") {
                self.collect_note(&mut notes);
                match self.kind() {
                    TokenKind::Sign("(" | "{" | "[") => self.balanced(&mut notes)?,
                    // In `a < b, c > d` the comma belongs to type arguments as often as not: nothing is lost by reading on.
                    TokenKind::Sign("," | ";") => {}
                    TokenKind::End | TokenKind::Sign("}") => {
                        return Err(self.complain(span, "this field does not end with `;`"));
                    }
                    _ => self.skip(),
                }
            }
            owner.unused.extend(notes.into_iter().map(|span| Unused { span, why: IN_BODY }));
            if self.take_sign(",") && matches!(self.peek(1), TokenKind::Sign("=" | "," | ";" | "[")) {
                declarator = Some(self.expect_name()?);
            }
        }
        while !self.take_sign(";") {
            match self.kind() {
                TokenKind::Sign("(" | "{" | "[") => self.balanced(&mut Vec::new())?,
                TokenKind::End => return Err(self.complain_here("this field does not end with `;`")),
                _ => self.skip(),
            }
        }
        Ok(())
    }

    fn method(&mut self, head: Head, mut modifiers: Modifiers, owner: &mut TypeDeclaration) -> Read<()> {
        // The short constructor of a record has none.
        let parameters = if self.is_sign("(") { self.parameters()? } else { Vec::new() };
        self.dimensions();
        let mut notes = Vec::new();
        loop {
            if self.note().is_some() {
                self.jml(&mut modifiers, Some(owner))?;
                continue;
            }
            match self.kind() {
                TokenKind::Sign("{") => {
                    self.balanced(&mut notes)?;
                    break;
                }
                TokenKind::Sign(";") => {
                    self.skip();
                    break;
                }
                TokenKind::Sign("(" | "[") => self.balanced(&mut notes)?,
                TokenKind::End | TokenKind::Sign("}") => {
                    return Err(self.complain(head.span, "this method has neither a body nor a `;`"));
                }
                _ => self.skip(),
            }
        }
        let mut unused = modifiers.unused;
        unused.extend(notes.into_iter().map(|span| Unused { span, why: IN_BODY }));
        owner.methods.push(MethodDeclaration {
            name: head.name,
            span: head.span,
            type_parameters: head.type_parameters,
            parameters,
            result: head.result,
            nullness: modifiers.nullness,
            is_pure: modifiers.is_pure || owner.is_pure,
            is_helper: modifiers.is_helper,
            cases: modifiers.specification.cases,
            unused,
        });
        Ok(())
    }

    /// Parses the parameters of a method with the parentheses around them.
    pub(crate) fn parameters(&mut self) -> Read<Vec<Parameter>> {
        self.expect_sign("(")?;
        let mut parameters = Vec::new();
        while !self.is_sign(")") {
            let mut modifiers = self.inline()?;
            while self.take_word("final") || self.is_sign("@") {
                if self.is_sign("@") {
                    self.annotation()?;
                }
                modifiers.join(self.inline()?);
            }
            let mut of = self.type_name()?;
            of.dimensions += self.take_sign("...") as usize;
            modifiers.join(self.inline()?);
            let is_receiver = self.is_word("this");
            let (name, span) = self.expect_name()?;
            of.dimensions += self.dimensions();
            if !is_receiver {
                parameters.push(Parameter { name, of, span, nullness: modifiers.nullness });
            }
            if !self.take_sign(",") {
                break;
            }
        }
        self.inline()?;
        self.expect_sign(")")?;
        Ok(parameters)
    }

    /// Everything before a declaration: modifiers, annotations, and JML. Without an owner, no clauses of a class are expected.
    pub(crate) fn modifiers(&mut self, modifiers: &mut Modifiers, mut owner: Option<&mut TypeDeclaration>) -> Read<()> {
        loop {
            if self.note().is_some() {
                // Outside of classes, JML may import something.
                if owner.is_none() && self.begins_import() {
                    return Ok(());
                }
                self.jml(modifiers, owner.as_deref_mut())?;
                continue;
            }
            match self.kind() {
                TokenKind::Word(word) if JAVA_MODIFIERS.contains(&word.as_str()) => self.skip(),
                TokenKind::Word(word) if word == "non" && matches!(self.peek(1), TokenKind::Sign("-")) => {
                    (0..3).for_each(|_| self.skip());
                }
                TokenKind::Sign("@") if !self.begins_type() => self.annotation()?,
                _ => return Ok(()),
            }
        }
    }

    /// Is the next JML `import …` or `model import …`?
    fn begins_import(&self) -> bool {
        let is_word = |ahead: usize, word: &str| matches!(self.tokens.get(self.at + ahead).map(|token| &token.kind), Some(TokenKind::Word(found)) if found == word);
        is_word(0, "import") || is_word(0, "model") && is_word(1, "import")
    }

    /// Modifiers in the middle of a declaration.
    fn inline(&mut self) -> Read<Modifiers> {
        let mut modifiers = Modifiers::default();
        while self.note().is_some() {
            self.jml(&mut modifiers, None)?;
        }
        self.no_clauses(&modifiers, "a part of a declaration")?;
        Ok(modifiers)
    }

    /// The JML that begins here, up to the next Java.
    fn jml(&mut self, modifiers: &mut Modifiers, mut owner: Option<&mut TypeDeclaration>) -> Read<()> {
        self.in_jml = true;
        modifiers.is_jml = true;
        while *self.kind() != TokenKind::End {
            let start = self.span();
            let before = ModifierWords::of(modifiers);
            let is_static = self.jml_modifiers(modifiers)?;
            let TokenKind::Word(word) = self.kind().clone() else {
                match self.kind() {
                    TokenKind::End => break,
                    TokenKind::Sign(";") => self.skip(),
                    TokenKind::Sign("{|") => {
                        return Err(self.complain_here(
                            "nested specifications `{| … |}` are not supported; write the cases out, joined by `also`",
                        ));
                    }
                    _ => return Err(self.complain_here(format!("a clause is expected here, and not {}", self.shown()))),
                }
                continue;
            };
            let plain = word.strip_suffix("_redundantly").unwrap_or(&word);
            let of_class = OF_CLASS.iter().find(|(name, _)| *name == plain);
            match (plain, &mut owner) {
                ("invariant" | "constraint", Some(owner)) => {
                    let is_constraint = plain == "constraint";
                    self.skip();
                    let condition = self.expression()?;
                    if is_constraint && self.is_word("for") {
                        return Err(self.complain_here(
                            "a constraint for some methods only is not supported; say it in their `ensures`",
                        ));
                    }
                    self.expect_sign(";")?;
                    let clause = InvariantClause { span: start.to(self.last()), is_static, condition };
                    if is_constraint { owner.constraints.push(clause) } else { owner.invariants.push(clause) }
                }
                (_, Some(owner)) if of_class.is_some() => {
                    self.skip_clause()?;
                    let why = of_class.map_or("", |(_, why)| why);
                    owner.unused.push(Unused { span: start.to(self.last()), why });
                }
                ("invariant" | "constraint", None) => {
                    return Err(self.complain(start, format!("`{plain}` stands between the members of its class")));
                }
                (_, Some(owner)) if plain == "ghost" || plain == "model" => {
                    // The words before it are about this declaration, and not about the next one in Java.
                    before.restore(modifiers);
                    self.model_declaration(start, is_static, owner)?;
                }
                (_, Some(owner)) if plain == "represents" => {
                    before.restore(modifiers);
                    self.represents(start, owner)?;
                }
                _ if self.clause(&mut modifiers.specification, &mut modifiers.unused, start)? => {}
                _ => {
                    let message = format!(
                        "there is no clause `{word}` here that Lazuli knows (a space behind the slashes makes an ordinary comment)"
                    );
                    return Err(self.complain_here(message));
                }
            }
        }
        self.in_jml = false;
        Ok(())
    }

    /// Modifiers within JML. Those behind which a comment ends are of the declaration that follows. Is `static` among them?
    pub(crate) fn jml_modifiers(&mut self, modifiers: &mut Modifiers) -> Read<bool> {
        let mut is_static = false;
        loop {
            let TokenKind::Word(word) = self.kind() else { return Ok(is_static) };
            match word.as_str() {
                "pure" | "strictly_pure" => modifiers.is_pure = true,
                "helper" => modifiers.is_helper = true,
                "nullable" => modifiers.nullness = Some(Nullness::Nullable),
                "non_null" => modifiers.nullness = Some(Nullness::NonNull),
                "nullable_by_default" => modifiers.is_nullable_by_default = true,
                "static" => is_static = true,
                word if NEUTRAL.contains(&word) => {}
                "spec_bigint_math" | "code_bigint_math" | "spec_safe_math" | "code_safe_math" => {
                    return Err(self.complain_here("numbers are those of Java; other arithmetic is not supported"));
                }
                _ => return Ok(is_static),
            }
            self.skip();
        }
    }

    /// Skips a clause, its `;` included.
    pub(crate) fn skip_clause(&mut self) -> Read<()> {
        while !self.take_sign(";") {
            match self.kind() {
                TokenKind::End => {
                    return Err(self.complain_here("`;` is expected here, and not the end of the comment"));
                }
                TokenKind::Sign("(" | "{" | "[") => self.balanced_jml()?,
                _ => self.skip(),
            }
        }
        Ok(())
    }

    /// A declaration within JML: up to `;`, or with a body.
    pub(crate) fn skip_declaration(&mut self) -> Read<()> {
        loop {
            match self.kind() {
                TokenKind::End => {
                    return Err(self.complain_here("`;` is expected here, and not the end of the comment"));
                }
                TokenKind::Sign("{") => return self.balanced_jml(),
                TokenKind::Sign("(") => self.balanced_jml()?,
                TokenKind::Sign(";") => {
                    self.skip();
                    return Ok(());
                }
                _ => self.skip(),
            }
        }
    }

    pub(crate) fn balanced_jml(&mut self) -> Read<()> {
        let begin = self.span();
        let mut open = 0;
        loop {
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
}

/// The part of a method before its parameters.
struct Head {
    name: Option<String>,
    span: Span,
    result: Option<TypeName>,
    type_parameters: Vec<TypeParameter>,
}
