//! How does a clause become a method?

use std::sync::Arc;

use lazuli_jml::{CompilationUnit, Span};
use lazuli_vm::program::{Class, Code, Op};

use super::emit::{Emitter, Layout};
use super::frame::Allowed;
use super::resolve::ResolverTables;
use super::typed::*;
use super::{CompiledClause, Made, define, place};

/// A clause before it is code.
#[derive(Clone)]
pub(super) struct Draft {
    /// The keyword of the clause, such as `ensures`.
    pub kind: &'static str,
    /// The clause as it is written.
    pub text: String,
    /// The line on which the clause begins.
    pub place: crate::SourceLine,
    /// Clauses of one group are checked in order, and a later one may rely on those before it.
    pub group: usize,
    /// The meaning of the clause.
    pub body: ClauseMeaning,
}

/// The meaning of a clause.
#[derive(Clone, Debug)]
pub enum ClauseMeaning {
    /// A condition that must be true.
    Condition(Typed),
    /// The first, and one of the others. A condition that throws is false.
    AnyOf {
        /// The condition that must be true in any case.
        always: Typed,
        /// The conditions of which at least one must be true.
        any: Vec<Typed>,
    },
    /// The places that may change, where the guard is true.
    Frame(Option<Typed>, Vec<Allowed>),
}

impl ClauseMeaning {
    /// Is something true of an expression of the clause?
    pub fn any(&self, is_wanted: &mut dyn FnMut(&Typed) -> bool) -> bool {
        match self {
            ClauseMeaning::Condition(condition) => condition.any(is_wanted),
            ClauseMeaning::AnyOf { always, any } => always.any(is_wanted) || any.iter().any(|one| one.any(is_wanted)),
            ClauseMeaning::Frame(guard, allowed) => {
                let places = allowed.iter().flat_map(Allowed::expressions);
                guard.iter().chain(places).any(|one| one.any(is_wanted))
            }
        }
    }
}

impl Draft {
    /// Makes the draft of the clause at `span`.
    pub(super) fn new(
        unit: &Arc<CompilationUnit>,
        kind: &'static str,
        span: Span,
        group: usize,
        body: ClauseMeaning,
    ) -> Draft {
        Draft { kind, text: unit.source.quote(span), place: place(unit, span), group, body }
    }
}

/// Writes each clause as a method with this descriptor.
pub(super) fn write(
    shared: &mut ResolverTables,
    host: &'static Class,
    drafts: Vec<Draft>,
    layout: Layout,
    descriptor: String,
) -> Vec<CompiledClause> {
    let mut spoken = Vec::new();
    for Draft { kind, text, place, group, body } in drafts {
        let code = code(shared, &body, layout);
        let meaning = Arc::new(body);
        let method =
            define(shared.program, host, kind, vec![Made { name: kind, descriptor: descriptor.clone(), code }])[0];
        spoken.push(CompiledClause { method, kind, text, meaning, place, group });
    }
    spoken
}

fn code(shared: &mut ResolverTables, body: &ClauseMeaning, layout: Layout) -> Code {
    let (always, any) = match body {
        ClauseMeaning::Frame(guard, allowed) => return shared.frame_code(guard.as_ref(), allowed, layout),
        ClauseMeaning::Condition(condition) => {
            let mut emitter = shared.emitter(layout);
            emitter.return_condition(condition);
            return emitter.finish();
        }
        ClauseMeaning::AnyOf { always, any } => (always, any),
    };
    let mut emitter = shared.emitter(layout);
    let (is_false, is_true) = (emitter.label(), emitter.label());
    emitter.branch(always, false, is_false);
    for condition in any {
        let next = emitter.label();
        let start = emitter.code.here();
        emitter.branch(condition, true, is_true);
        let end = emitter.code.here();
        emitter.jump(Op::Goto, next);
        // The exception is of no interest.
        let handler = emitter.code.here();
        emitter.code.handler(start, end, handler, None);
        emitter.drop_exception();
        emitter.place(next);
    }
    emitter.place(is_false);
    emitter.int(0);
    emitter.op(Op::ReturnValue);
    emitter.place(is_true);
    emitter.int(1);
    emitter.op(Op::ReturnValue);
    emitter.finish()
}

impl<'a> ResolverTables<'a> {
    /// Makes an emitter for a method with this layout, with room for the bound variables of every clause.
    pub(super) fn emitter(&self, layout: Layout) -> Emitter<'a> {
        Emitter::new(self.program, self.library(), layout, self.most_bound)
    }
}
