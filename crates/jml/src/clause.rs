//! What does a method promise? The clauses of its cases.

use crate::declaration::{Parser, Read};
use crate::lex::TokenKind;
use crate::source::Span;
use crate::syntax::*;

/// The cases of a method that were read so far.
#[derive(Default)]
pub(crate) struct SpecificationCases {
    /// The cases in the order of the source.
    pub cases: Vec<SpecificationCase>,
    /// Did `also` just end a case?
    is_between: bool,
}

/// Clauses that say nothing about results, with what is to be told of them.
const HARMLESS: [(&str, &str); 12] = [
    ("diverges", "termination is not proved"),
    ("measured_by", "termination is not proved"),
    ("decreases", "termination is not proved"),
    ("when", "threads are not looked at"),
    ("working_space", "it is not measured"),
    ("duration", "it is not measured"),
    ("accessible", "what a method reads is not checked"),
    ("callable", "what a method calls is not checked"),
    ("captures", "it is not checked"),
    ("breaks", "it belongs to statements"),
    ("continues", "it belongs to statements"),
    ("returns", "it belongs to statements"),
];

impl SpecificationCases {
    /// The case that is being read.
    fn current(&mut self, span: Span) -> &mut SpecificationCase {
        if self.cases.is_empty() || self.is_between {
            self.cases.push(SpecificationCase { span, ..SpecificationCase::default() });
            self.is_between = false;
        }
        let last = self.cases.len() - 1;
        &mut self.cases[last]
    }
}

impl Parser {
    /// Reads a clause of a method, or a word that begins or ends a case. False if the word is none.
    pub(crate) fn clause(
        &mut self,
        specification: &mut SpecificationCases,
        unused: &mut Vec<Unused>,
        start: Span,
    ) -> Read<bool> {
        let TokenKind::Word(word) = self.kind().clone() else { return Ok(false) };
        let plain = word.strip_suffix("_redundantly").unwrap_or(&word);
        match plain {
            "also" => {
                self.skip();
                specification.is_between = true;
            }
            "behavior" | "behaviour" => self.behavior(specification, Behavior::Any, start)?,
            "normal_behavior" | "normal_behaviour" => self.behavior(specification, Behavior::Normal, start)?,
            "exceptional_behavior" | "exceptional_behaviour" => {
                self.behavior(specification, Behavior::Exceptional, start)?
            }
            "requires" | "pre" => {
                if let Some(clause) = self.condition(start)? {
                    specification.current(start).requires.push(clause);
                }
            }
            "ensures" | "post" => {
                let clause = self.condition(start)?;
                let case = specification.current(start);
                if case.behavior == Behavior::Exceptional {
                    return Err(
                        self.complain(start, "an exceptional_behavior does not return, so that it ensures nothing")
                    );
                }
                case.ensures.extend(clause);
            }
            "signals" | "exsures" => {
                let clause = self.signals(start)?;
                let case = specification.current(start);
                if case.behavior == Behavior::Normal {
                    return Err(self.complain(start, "a normal_behavior throws nothing, so that it signals nothing"));
                }
                case.signals.push(clause);
            }
            "signals_only" => {
                let clause = self.signals_only(start)?;
                let case = specification.current(start);
                if let Some(earlier) = case.signals_only.replace(clause) {
                    let line = self.source.line(earlier.span);
                    return Err(self.complain(start, format!("the case has a `signals_only` already, in line {line}")));
                }
            }
            "assignable" | "modifies" | "modifiable" => {
                if let Some(clause) = self.assignable(start)? {
                    let case = specification.current(start);
                    match (&mut case.assignable, clause) {
                        (
                            Some(Assignable { locations: StoreRefs::Only(known), .. }),
                            Assignable { locations: StoreRefs::Only(more), .. },
                        ) => {
                            known.extend(more);
                        }
                        (known, clause) => *known = Some(clause),
                    }
                }
            }
            "implies_that" | "for_example" | "forall" | "old" | "model_program" | "choose" | "refining" | "extract" => {
                return Err(self.complain_here(format!("`{plain}` is not supported in specifications of methods")));
            }
            "assert" | "assume" | "set" | "unreachable" | "loop_invariant" | "maintaining" | "decreasing"
            | "loop_modifies" => {
                return Err(self.complain_here(format!("`{plain}` belongs into the body of a method")));
            }
            _ => {
                let Some((_, why)) = HARMLESS.iter().find(|(name, _)| *name == plain) else { return Ok(false) };
                self.skip_clause()?;
                unused.push(Unused { span: start.to(self.last()), why });
            }
        }
        Ok(true)
    }

    fn behavior(&mut self, specification: &mut SpecificationCases, behavior: Behavior, start: Span) -> Read<()> {
        if !specification.cases.is_empty() && !specification.is_between {
            return Err(self.complain_here("another case begins here; `also` is missing before it"));
        }
        self.skip();
        specification.current(start).behavior = behavior;
        Ok(())
    }

    /// The condition of a clause. None if it is left open.
    fn condition(&mut self, start: Span) -> Read<Option<Clause>> {
        self.skip();
        if self.take_special("not_specified") {
            self.expect_sign(";")?;
            return Ok(None);
        }
        let condition = self.expression()?;
        let end = self.expect_sign(";")?;
        Ok(Some(Clause { span: start.to(end), condition }))
    }

    fn signals(&mut self, start: Span) -> Read<Signals> {
        self.skip();
        self.expect_sign("(")?;
        let exception = self.type_name()?;
        let name = if self.is_sign(")") { None } else { Some(self.expect_name()?.0) };
        self.expect_sign(")")?;
        let condition = if self.is_sign(";") { None } else { Some(self.expression()?) };
        let end = self.expect_sign(";")?;
        Ok(Signals { span: start.to(end), exception, name, condition })
    }

    fn signals_only(&mut self, start: Span) -> Read<SignalsOnly> {
        self.skip();
        let mut exceptions = Vec::new();
        if !self.take_special("nothing") {
            exceptions.push(self.type_name()?);
            while self.take_sign(",") {
                exceptions.push(self.type_name()?);
            }
        }
        let end = self.expect_sign(";")?;
        Ok(SignalsOnly { span: start.to(end), exceptions })
    }

    fn assignable(&mut self, start: Span) -> Read<Option<Assignable>> {
        self.skip();
        let locations = match () {
            () if self.take_special("nothing") => Some(StoreRefs::Only(Vec::new())),
            () if self.take_special("everything") => Some(StoreRefs::Everything),
            () if self.take_special("not_specified") => None,
            () => {
                let mut locations = vec![self.location()?];
                while self.take_sign(",") {
                    locations.push(self.location()?);
                }
                Some(StoreRefs::Only(locations))
            }
        };
        let end = self.expect_sign(";")?;
        Ok(locations.map(|locations| Assignable { span: start.to(end), locations }))
    }

    fn location(&mut self) -> Read<StoreRef> {
        let first = self.expression()?;
        let start = first.span;
        let kind = if self.take_sign(".") {
            self.expect_sign("*")?;
            StoreRefKind::AllFields(first)
        } else if self.take_sign("[") {
            let range = match self.take_sign("*") {
                true => None,
                false => {
                    let low = self.expression()?;
                    self.expect_sign("..")?;
                    Some((low, self.expression()?))
                }
            };
            self.expect_sign("]")?;
            StoreRefKind::Elements { array: first, range }
        } else {
            StoreRefKind::Place(first)
        };
        Ok(StoreRef { span: start.to(self.last()), kind })
    }

    fn take_special(&mut self, word: &str) -> bool {
        let is_there = matches!(self.kind(), TokenKind::Special(found) if found == word);
        if is_there {
            self.skip();
        }
        is_there
    }
}
