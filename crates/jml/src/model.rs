//! What do specifications declare for themselves? Model and ghost fields, and what model fields stand for.

use crate::declaration::{Parser, Read};
use crate::lex::TokenKind;
use crate::member::Modifiers;
use crate::source::Span;
use crate::syntax::*;

impl Parser {
    /// A `model` or `ghost` declaration, which begins with that word, perhaps behind modifiers. Methods and types are skipped.
    pub(crate) fn model_declaration(&mut self, start: Span, is_static: bool, owner: &mut TypeDeclaration) -> Read<()> {
        let is_ghost = self.is_word("ghost");
        self.skip();
        let is_static = self.jml_modifiers(&mut Modifiers::default())? || is_static;
        let begin = self.at;
        match self.model_fields(is_ghost, is_static) {
            Ok(found) => {
                owner.model_fields.extend(found);
                if is_ghost {
                    let why = "ghost fields have no values, because `set` in a body is not executed";
                    owner.unused.push(Unused { span: start.to(self.last()), why });
                }
            }
            Err(_) => {
                self.at = begin;
                self.skip_declaration()?;
                let why = "methods and types that only specifications have are not supported";
                owner.unused.push(Unused { span: start.to(self.last()), why });
            }
        }
        Ok(())
    }

    /// `int size, rest;`, with initial values if need be. An error if something else is declared.
    fn model_fields(&mut self, is_ghost: bool, is_static: bool) -> Read<Vec<ModelField>> {
        let of = self.type_name()?;
        let mut found = Vec::new();
        loop {
            let (name, _) = self.expect_name()?;
            let dimensions = of.dimensions + self.dimensions();
            if self.is_sign("(") {
                return Err(self.complain_here("a field is expected here"));
            }
            found.push(ModelField { name, of: TypeName { dimensions, ..of.clone() }, is_ghost, is_static });
            while !self.is_sign(",") && !self.is_sign(";") {
                match self.kind() {
                    TokenKind::Sign("(" | "{" | "[") => self.balanced_jml()?,
                    TokenKind::End => return Err(self.complain_here("`;` is expected here")),
                    _ => self.skip(),
                }
            }
            if !self.take_sign(",") {
                self.expect_sign(";")?;
                return Ok(found);
            }
        }
    }

    /// `represents size = count;`, also with `<-`. What is only related by `\such_that` is no value.
    pub(crate) fn represents(&mut self, start: Span, owner: &mut TypeDeclaration) -> Read<()> {
        self.skip();
        if self.is_word("this") {
            self.skip();
            self.expect_sign(".")?;
        }
        let (name, _) = self.expect_name()?;
        if matches!(self.kind(), TokenKind::Special(_)) {
            self.skip_clause()?;
            let why = "a model field has a value by `represents name = value` only";
            owner.unused.push(Unused { span: start.to(self.last()), why });
            return Ok(());
        }
        if self.take_sign("<") {
            self.expect_sign("-")?;
        } else {
            self.expect_sign("=")?;
        }
        let value = self.expression()?;
        self.expect_sign(";")?;
        owner.represents.push(Represents { span: start.to(self.last()), name, value });
        Ok(())
    }
}
