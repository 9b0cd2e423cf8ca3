//! Which clauses does a method have, and when does each of them apply?
//!
//! Its own and those of the methods that it overrides are cases of one specification: a caller must keep the precondition of one of them, and the
//! method must keep all that those cases promise whose preconditions were true.

use lazuli_jml::{
    Behavior, Complaint, Expr, ExprKind, InvariantClause, MethodDeclaration, Nullness, Span, SpecificationCase,
};
use lazuli_vm::program::{Class, Method, Op, descriptor};
use lazuli_vm::value::Kind;

use super::draft::{ClauseMeaning, Draft, write};
use super::emit::Layout;
use super::invariants::{is_null_allowed, root_invariants, static_invariants};
use super::names::{Declared, overridden, supertypes};
use super::resolve::{ClauseOutcome, ClauseScope, Resolved, Resolver, ResolverTables};
use super::typed::*;
use super::unused::unused;
use super::{Made, Specification, define};

/// The cases of one declaration of the target.
pub(super) struct Said {
    /// The class in which the declaration stands.
    pub declared: Declared,
    /// The declaration, with its cases.
    pub method: MethodDeclaration,
    parameters: Vec<(String, Type, usize)>,
    is_static: bool,
}

impl Said {
    fn scope(&self, outcome: ClauseOutcome) -> ClauseScope {
        let mut context = self.declared.context.clone();
        context.type_parameters.extend(self.method.type_parameters.iter().cloned());
        let has_past = !matches!(outcome, ClauseOutcome::None);
        ClauseScope { context, has_this: !self.is_static, parameters: self.parameters.clone(), outcome, has_past }
    }

    fn is_null_allowed(&self, own: Option<Nullness>) -> bool {
        is_null_allowed(&self.declared, own)
    }

    fn draft(&self, kind: &'static str, span: Span, group: usize, condition: Typed) -> Draft {
        Draft::new(&self.declared.context.unit, kind, span, group, ClauseMeaning::Condition(condition))
    }
}

/// A case, and when it applies.
struct Applied<'s> {
    said: &'s Said,
    case: &'s SpecificationCase,
    /// None if it always does.
    guard: Option<Typed>,
    group: usize,
}

impl Applied<'_> {
    /// The condition where the case applies.
    fn guarded(&self, condition: Typed) -> Typed {
        match &self.guard {
            Some(guard) => guard.clone().negated().or(condition),
            None => condition,
        }
    }
}

/// Compiles all JML that concerns the target: inherited cases, invariants, constraints and frames.
pub(super) fn specification(
    shared: &mut ResolverTables,
    target: &'static Method,
) -> Result<Option<Specification>, Complaint> {
    let given = given_types(shared, target);
    let said = said(shared, target, &given)?;
    let is_helper = said.iter().any(|said| said.method.is_helper);
    let invariants = root_invariants(shared, &given, is_helper && !target.is_static())?;
    let of_class = static_invariants(shared, target.class())?;
    let unused = unused(shared, target, &given, &said)?;
    let cases = applied(shared, &said)?;
    let before = of_class.iter().cloned().chain(before(shared, &said, &cases)?).collect();
    let (_, result) = descriptor::method(target.descriptor).unwrap_or_default();
    let result =
        shared.program.load_descriptor(result).ok().filter(|_| target.result != Kind::Void).map(Type::of_class);
    let frames = frames(shared, &said, &cases)?;
    let constraints = constraints(shared, target, is_helper, cases.len() + 1)?;
    let mut after_return = after_return(shared, &said, &cases, result)?;
    let mut allowed = Vec::new();
    let mut after_exception = after_exception(shared, &cases, target, &mut allowed)?;
    for drafts in [&mut after_return, &mut after_exception] {
        drafts.extend(of_class.iter().chain(&frames).chain(&constraints).cloned());
    }
    let always_returns = !cases.is_empty() && cases.iter().all(|applied| applied.case.behavior == Behavior::Normal);
    let olds = std::mem::take(&mut shared.olds);
    let host = target.class();
    let taken: String = given.iter().map(|of| of.descriptor()).collect();
    let of_olds: String = olds.iter().map(|old| format!("{}Z", old.of.descriptor())).collect();
    let before_it = Layout { given: given.len(), ..Layout::default() };
    let with_result = Layout { has_outcome: result.is_some(), olds: olds.len(), ..before_it };
    let with_exception = Layout { has_outcome: true, ..with_result };
    let returned = result.map(Type::descriptor).unwrap_or_default();
    let spec = Specification {
        invariants,
        requires: write(shared, host, before, before_it, format!("({taken})Z")),
        ensures: write(shared, host, after_return, with_result, format!("({taken}{returned}{of_olds})Z")),
        signals: write(
            shared,
            host,
            after_exception,
            with_exception,
            format!("({taken}Ljava/lang/Throwable;{of_olds})Z"),
        ),
        olds: write_olds(shared, host, &olds, before_it, &taken),
        old_values: olds,
        allowed,
        always_returns,
        asks_entry: shared.asks_entry,
        unused,
        sources: shared.sources(),
    };
    let Specification { invariants, requires, ensures, signals, unused, .. } = &spec;
    let is_empty =
        invariants.is_empty() && requires.is_empty() && ensures.is_empty() && signals.is_empty() && unused.is_empty();
    Ok((!is_empty).then_some(spec))
}

/// The types of what the target gets, the receiver first.
pub(super) fn given_types(shared: &ResolverTables, target: &'static Method) -> Vec<Type> {
    let (parameters, _) = descriptor::method(target.descriptor).unwrap_or_default();
    let receiver = (!target.is_static()).then(|| Type::Reference(target.class()));
    // A type that cannot be loaded is told of when the exploration begins.
    let load = |descriptor: &&str| shared.program.load_descriptor(descriptor).map_or(Type::Null, Type::of_class);
    receiver.into_iter().chain(parameters.iter().map(load)).collect()
}

/// The declarations of the target, and of the methods that it overrides.
pub(super) fn said(shared: &mut ResolverTables, target: &'static Method, given: &[Type]) -> Resolved<Vec<Said>> {
    let mut found = Vec::new();
    for class in supertypes(target.class()) {
        let Some(method) = overridden(shared.program, target, class) else { continue };
        let Some(declared) = shared.declared(class)? else { continue };
        let Some(declaration) = declared.method(method).cloned() else { continue };
        let first = given.len() - declaration.parameters.len();
        let named = declaration.parameters.iter().enumerate();
        let parameters = named.map(|(at, parameter)| (parameter.name.clone(), given[first + at], first + at)).collect();
        found.push(Said { declared, method: declaration, parameters, is_static: target.is_static() });
    }
    Ok(found)
}

/// All cases. If there are several, whether each applies is found out before the method.
fn applied<'s>(shared: &mut ResolverTables, said: &'s [Said]) -> Resolved<Vec<Applied<'s>>> {
    let count: usize = said.iter().map(|said| said.method.cases.len()).sum();
    let mut cases = Vec::new();
    for said in said {
        for case in &said.method.cases {
            let mut guard = None;
            if count > 1 && !case.requires.is_empty() {
                let condition = required(shared, said, case)?;
                shared.olds.push(condition);
                guard = Some(Typed::truth(TypedNode::WasTrue(shared.olds.len() - 1)));
            }
            cases.push(Applied { said, case, guard, group: cases.len() + 1 });
        }
    }
    Ok(cases)
}

/// All preconditions of a case.
fn required(shared: &mut ResolverTables, said: &Said, case: &SpecificationCase) -> Resolved {
    let scope = said.scope(ClauseOutcome::None);
    let mut all: Option<Typed> = None;
    for clause in &case.requires {
        let condition = Resolver::new(shared, &scope).condition(&clause.condition)?;
        all = Some(match all {
            Some(before) => before.and(condition),
            None => condition,
        });
    }
    Ok(all.unwrap_or_else(|| Typed::constant(true)))
}

/// The obligations of a caller.
fn before(shared: &mut ResolverTables, said: &[Said], cases: &[Applied]) -> Resolved<Option<Draft>> {
    let mut always: Option<Typed> = None;
    let mut spans = Vec::new();
    // The method must take what an overridden declaration takes. One without a specification says nothing about that.
    let is_null_taken = |number: usize| {
        said.iter().filter(|said| said.declared.declaration().is_specified).any(|said| {
            let parameter = said.method.parameters.get(number);
            parameter.is_some_and(|parameter| said.is_null_allowed(parameter.nullness))
        })
    };
    for said in said {
        let named = said.method.parameters.iter().zip(&said.parameters);
        for (number, (parameter, (_, of, position))) in named.enumerate() {
            if of.is_reference() && !is_null_taken(number) {
                let is_there = Typed::truth(TypedNode::IsNull(Box::new(Typed::new(
                    *of,
                    TypedNode::Variable(VariablePlace::Given(*position)),
                ))))
                .negated();
                always = Some(match always {
                    Some(before) => before.and(is_there),
                    None => is_there,
                });
                spans.push((said, parameter.span));
            }
        }
    }
    let is_open = cases.is_empty() || cases.iter().any(|applied| applied.case.requires.is_empty());
    let mut any = Vec::new();
    for Applied { said, case, .. } in cases.iter().filter(|_| !is_open) {
        any.push(required(shared, said, case)?);
        spans.splice(0..0, case.requires.first().map(|clause| (*said, clause.span)));
    }
    let Some((first, span)) = spans.first() else { return Ok(None) };
    let always = always.unwrap_or_else(|| Typed::constant(true));
    let body = match any.len() {
        0 => ClauseMeaning::Condition(always),
        1 => ClauseMeaning::Condition(always.and(any.remove(0))),
        _ => ClauseMeaning::AnyOf { always, any },
    };
    Ok(Some(Draft::new(&first.declared.context.unit, "requires", *span, 0, body)))
}

fn after_return(
    shared: &mut ResolverTables,
    said: &[Said],
    cases: &[Applied],
    result: Option<Type>,
) -> Resolved<Vec<Draft>> {
    let mut drafts = Vec::new();
    for (position, said) in said.iter().enumerate() {
        let of = result.filter(|of| of.is_reference() && !said.is_null_allowed(said.method.nullness));
        if let Some(of) = of {
            let is_null = Typed::truth(TypedNode::IsNull(Box::new(Typed::new(
                of,
                TypedNode::Variable(super::typed::VariablePlace::Outcome),
            ))));
            let draft = said.draft("ensures", said.method.span, usize::MAX - position, is_null.negated());
            drafts.push(Draft { text: "\\result != null, because non_null is JML's default".to_string(), ..draft });
        }
    }
    for applied in cases {
        let Applied { said, case, group, .. } = applied;
        let scope = said.scope(ClauseOutcome::Returned(result));
        for clause in &case.ensures {
            let condition = Resolver::new(shared, &scope).condition(&clause.condition)?;
            drafts.push(said.draft("ensures", clause.span, *group, applied.guarded(condition)));
        }
        if case.behavior == Behavior::Exceptional {
            let condition = applied.guarded(Typed::constant(false));
            let draft = said.draft("exceptional_behavior", case.span, *group, condition);
            drafts.push(Draft { text: "exceptional_behavior, but the method returns".to_string(), ..draft });
        }
    }
    Ok(drafts)
}

fn after_exception(
    shared: &mut ResolverTables,
    cases: &[Applied],
    target: &'static Method,
    allowed: &mut Vec<&'static Class>,
) -> Resolved<Vec<Draft>> {
    let mut drafts = Vec::new();
    let throwable = shared.program.known().throwable;
    let declared: Vec<&'static Class> =
        target.declared_exceptions().iter().filter_map(|name| shared.program.load(name).ok()).collect();
    let is_one_of = |classes: &[&'static Class]| {
        let exception = Typed::new(Type::Reference(throwable), TypedNode::Variable(VariablePlace::Outcome));
        let of = |class: &&'static Class| Typed::truth(TypedNode::InstanceOf(Box::new(exception.clone()), class));
        classes.iter().map(of).fold(Typed::constant(false), Typed::or)
    };
    for applied in cases {
        let Applied { said, case, group, .. } = applied;
        // These clauses are about exceptions, not about errors.
        let mut permitted = vec![shared.program.known().error];
        for clause in &case.signals {
            let context = &said.declared.context;
            let class = context.class_of(shared.program, &clause.exception)?;
            if !class.is_subtype_of(throwable) {
                return Err(
                    context.complain(clause.exception.span, format!("{} is no exception", clause.exception.name))
                );
            }
            let scope = said.scope(ClauseOutcome::Threw(clause.name.clone(), Type::Reference(class)));
            let condition = match &clause.condition {
                Some(condition) => Resolver::new(shared, &scope).condition(condition)?,
                None => Typed::constant(true),
            };
            if !clause.condition.as_ref().is_some_and(is_false) {
                permitted.push(class);
            }
            let condition = is_one_of(&[class]).negated().or(condition);
            drafts.push(said.draft("signals", clause.span, *group, applied.guarded(condition)));
        }
        match &case.signals_only {
            Some(only) => {
                permitted.truncate(1);
                for name in &only.exceptions {
                    permitted.push(said.declared.context.class_of(shared.program, name)?);
                }
                let condition = applied.guarded(is_one_of(&permitted));
                drafts.push(said.draft("signals_only", only.span, *group, condition));
            }
            None if case.behavior == Behavior::Normal => {
                let condition = applied.guarded(is_one_of(&permitted));
                let draft = said.draft("normal_behavior", case.span, *group, condition);
                drafts.push(Draft { text: "normal_behavior, but the method throws".to_string(), ..draft });
            }
            // One case may allow an exception that another does not.
            None if cases.len() > 1 => {
                let condition = applied.guarded(is_one_of(&[&declared[..], &permitted].concat()));
                let draft = said.draft("signals_only", case.span, *group, condition);
                drafts.push(Draft { text: "no clause of this case allows the exception".to_string(), ..draft });
            }
            None => {}
        }
        allowed.extend(&permitted[1..]);
    }
    Ok(drafts)
}

fn is_false(condition: &Expr) -> bool {
    matches!(condition.kind, ExprKind::Bool(false))
}

/// The frame: the places that may change.
fn frames(shared: &mut ResolverTables, said: &[Said], cases: &[Applied]) -> Resolved<Vec<Draft>> {
    let mut drafts = Vec::new();
    for Applied { said, case, guard, group } in cases {
        let Some(clause) = &case.assignable else { continue };
        let scope = said.scope(ClauseOutcome::Returned(None));
        if let Some(allowed) = Resolver::new(shared, &scope).allowed(clause)? {
            let body = ClauseMeaning::Frame(guard.clone(), allowed);
            drafts.push(Draft::new(&said.declared.context.unit, "assignable", clause.span, *group, body));
        }
    }
    for said in
        said.iter().filter(|said| said.method.is_pure && said.method.cases.iter().all(|case| case.assignable.is_none()))
    {
        let draft = Draft::new(
            &said.declared.context.unit,
            "pure",
            said.method.span,
            0,
            ClauseMeaning::Frame(None, Vec::new()),
        );
        drafts.push(Draft { text: "pure: the method must change nothing".to_string(), ..draft });
    }
    Ok(drafts)
}

/// The constraints on every method of the class, whether it returns or throws. A helper is exempt, with its object.
fn constraints(
    shared: &mut ResolverTables,
    target: &'static Method,
    is_helper: bool,
    first_group: usize,
) -> Resolved<Vec<Draft>> {
    let mut drafts = Vec::new();
    for class in supertypes(target.class()) {
        let Some(declared) = shared.declared(class)? else { continue };
        let applies = |clause: &&InvariantClause| clause.is_static || !target.is_static() && !is_helper;
        for clause in declared.declaration().constraints.iter().filter(applies) {
            let scope = ClauseScope {
                context: declared.context.clone(),
                has_this: !clause.is_static,
                parameters: Vec::new(),
                outcome: ClauseOutcome::None,
                has_past: true,
            };
            let condition = Resolver::new(shared, &scope).condition(&clause.condition)?;
            let (unit, group) = (&declared.context.unit, first_group + drafts.len());
            drafts.push(Draft::new(unit, "constraint", clause.span, group, ClauseMeaning::Condition(condition)));
        }
    }
    Ok(drafts)
}

/// The methods that compute what clauses want to know of the time before the method.
fn write_olds(
    shared: &ResolverTables,
    host: &'static Class,
    olds: &[Typed],
    layout: Layout,
    taken: &str,
) -> Vec<&'static Method> {
    let made = olds.iter().map(|old| {
        let mut emitter = shared.emitter(layout);
        emitter.value(old);
        emitter.op(Op::ReturnValue);
        Made { name: "old", descriptor: format!("({taken}){}", old.of.descriptor()), code: emitter.finish() }
    });
    let made: Vec<Made> = made.collect();
    made.into_iter().map(|made| define(shared.program, host, "old", vec![made])[0]).collect()
}
