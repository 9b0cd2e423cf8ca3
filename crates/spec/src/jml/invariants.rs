//! What makes an object valid, and a class? The invariants that it declares and inherits, and that what is declared non-null is not null.

use lazuli_jml::{Nullness, Span};
use lazuli_vm::program::{Class, Field, access};
use lazuli_vm::value::Kind;

use super::draft::{ClauseMeaning, Draft, write};
use super::emit::Layout;
use super::names::{Declared, supertypes};
use super::resolve::{ClauseOutcome, ClauseScope, Resolved, Resolver, ResolverTables};
use super::typed::*;
use super::{Made, RootInvariant, define};

/// The invariants of what the target gets. `skips_first` is for a helper, which gets a receiver in any state.
pub(super) fn root_invariants(
    shared: &mut ResolverTables,
    given: &[Type],
    skips_first: bool,
) -> Resolved<Vec<RootInvariant>> {
    let mut invariants = Vec::new();
    for (root, of) in given.iter().enumerate().skip(skips_first as usize) {
        let Type::Reference(class) = of else { continue };
        // The constants of an enumeration are what their class made of them.
        if class.is_array() || class.access & access::ENUM != 0 {
            continue;
        }
        let drafts = all_invariants(shared, class, false)?;
        if drafts.is_empty() {
            continue;
        }
        let conditions = drafts.iter().filter_map(|draft| match &draft.body {
            ClauseMeaning::Condition(condition) => Some(condition.clone()),
            _ => None,
        });
        let all = conditions.reduce(Typed::and).unwrap_or_else(|| Typed::constant(true));
        let layout = Layout { given: 1, ..Layout::default() };
        let descriptor = format!("({})Z", class.descriptor());
        let mut emitter = shared.emitter(layout);
        emitter.return_condition(&all);
        let made = Made { name: "invariant", descriptor: descriptor.clone(), code: emitter.finish() };
        let all = define(shared.program, class, "invariant", vec![made])[0];
        invariants.push(RootInvariant { root, all, clauses: write(shared, class, drafts, layout, descriptor) });
    }
    Ok(invariants)
}

/// The static invariants of a class and of the classes that it extends.
pub(super) fn static_invariants(shared: &mut ResolverTables, class: &'static Class) -> Resolved<Vec<Draft>> {
    all_invariants(shared, class, true)
}

fn all_invariants(shared: &mut ResolverTables, class: &'static Class, is_static: bool) -> Resolved<Vec<Draft>> {
    let mut drafts = Vec::new();
    for class in supertypes(class) {
        let Some(declared) = shared.declared(class)? else { continue };
        let scope = ClauseScope {
            context: declared.context.clone(),
            has_this: !is_static,
            parameters: Vec::new(),
            outcome: ClauseOutcome::None,
            has_past: false,
        };
        for (field, span) in non_null_fields(&declared).into_iter().filter(|(field, _)| field.is_static() == is_static)
        {
            let class_of = shared.program.load_descriptor(field.descriptor).map_or(Type::Null, Type::of_class);
            let this = || Typed::new(Type::Reference(class), TypedNode::Variable(VariablePlace::Given(0)));
            let value = match is_static {
                true => TypedNode::Static(class, field),
                false => TypedNode::Field(Box::new(this()), class, field),
            };
            let is_null = Typed::truth(TypedNode::IsNull(Box::new(Typed::new(class_of, value))));
            let draft =
                Draft::new(&declared.context.unit, "invariant", span, 0, ClauseMeaning::Condition(is_null.negated()));
            drafts.push(Draft { text: format!("{} != null, because non_null is JML's default", field.name), ..draft });
        }
        for clause in declared.declaration().invariants.iter().filter(|clause| clause.is_static == is_static) {
            let condition = Resolver::new(shared, &scope).condition(&clause.condition)?;
            drafts.push(Draft::new(
                &declared.context.unit,
                "invariant",
                clause.span,
                0,
                ClauseMeaning::Condition(condition),
            ));
        }
    }
    Ok(drafts)
}

/// May something that is declared in the class be null? It must not where JML is used and nothing else is said.
pub(super) fn is_null_allowed(declared: &Declared, own: Option<Nullness>) -> bool {
    match own {
        Some(nullness) => nullness == Nullness::Nullable,
        None => !declared.declaration().is_specified || declared.is_nullable_by_default(),
    }
}

/// The fields of a class that hold references and must not be null, and where they are declared.
fn non_null_fields(declared: &Declared) -> Vec<(&'static Field, Span)> {
    let class = declared.context.class;
    let said = declared.declaration().fields.iter().filter(|field| !is_null_allowed(declared, field.nullness));
    let found = said.filter_map(|said| Some((class.fields.iter().find(|field| field.name == said.name)?, said.span)));
    found.filter(|(field, _)| field.kind == Kind::Reference).collect()
}
