//! Which clauses have no effect on the target? No clause is passed over in silence.

use std::collections::HashSet;
use std::sync::Arc;

use lazuli_jml::{CompilationUnit, InvariantClause, Span, SpecificationCase, TypeDeclaration};
use lazuli_vm::program::{Class, Method, access};

use super::UnusedClause;
use super::cases::Said;
use super::names::{bridge, overridden, supertypes};
use super::resolve::{Resolved, ResolverTables};
use super::typed::Type;

/// The clauses that stand with the target, with its class, and with the classes of its parameters.
pub(super) fn unused(
    shared: &mut ResolverTables,
    target: &'static Method,
    given: &[Type],
    said: &[Said],
) -> Resolved<Vec<UnusedClause>> {
    let mut found = Vec::new();
    for said in said {
        let unit = &said.declared.context.unit;
        found.extend(said.method.unused.iter().map(|unused| tell(unit, unused.span, unused.why)));
    }
    found.extend(doubtful(shared, target)?);
    let classes = given.iter().filter_map(|of| match of {
        Type::Reference(class) if class.access & access::ENUM == 0 => Some(*class),
        _ => None,
    });
    let of_objects: Vec<&'static Class> = classes.flat_map(supertypes).collect();
    let of_target = supertypes(target.class());
    let mut units: Vec<Arc<CompilationUnit>> = Vec::new();
    for class in of_objects.iter().chain(&of_target) {
        if let Some(declared) = shared.declared(class)? {
            let unit = declared.context.unit;
            if !units.iter().any(|known| Arc::ptr_eq(known, &unit)) {
                units.push(unit);
            }
        }
    }
    let names = |classes: &[&'static Class]| classes.iter().map(|class| class.name).collect::<HashSet<&str>>();
    let (of_objects, of_target) = (names(&of_objects), names(&of_target));
    for unit in &units {
        let package = unit.package.replace('.', "/");
        let prefix = if package.is_empty() { String::new() } else { format!("{package}/") };
        let mut waiting: Vec<(String, &TypeDeclaration)> =
            unit.types.iter().rev().map(|declared| (format!("{prefix}{}", declared.name), declared)).collect();
        while let Some((name, declared)) = waiting.pop() {
            let (is_object, is_target) = (of_objects.contains(name.as_str()), of_target.contains(name.as_str()));
            let is_used = is_object || is_target;
            found.extend(declared.unused.iter().filter(|_| is_used).map(|unused| tell(unit, unused.span, unused.why)));
            let is_idle = |clause: &&InvariantClause| !(if clause.is_static { is_target } else { is_object });
            let why = "an invariant is asked of the receiver and of parameters only, and a static one of the class of the method";
            found.extend(declared.invariants.iter().filter(is_idle).map(|clause| tell(unit, clause.span, why)));
            let is_idle = |clause: &&InvariantClause| !is_target || !clause.is_static && target.is_static();
            let why = "a constraint is asked of the receiver only, and a static one of the class of the method";
            found.extend(declared.constraints.iter().filter(is_idle).map(|clause| tell(unit, clause.span, why)));
            waiting.extend(declared.types.iter().rev().map(|inner| (format!("{name}${}", inner.name), inner)));
        }
    }
    Ok(found)
}

/// The clauses of methods that the target may override, although no bridge of the compiler's says so: some parameter is of a type variable.
fn doubtful(shared: &mut ResolverTables, target: &'static Method) -> Resolved<Vec<UnusedClause>> {
    let mut found = Vec::new();
    for class in supertypes(target.class()).into_iter().skip(1) {
        let Some(declared) = shared.declared(class)? else { continue };
        let named = class.methods.iter().copied().filter(|method| method.name == target.name && !method.is_static());
        let same = named.filter(|method| method.arguments == target.arguments && !target.is_static());
        for method in same {
            let is_settled = overridden(shared.program, target, class).is_some_and(|other| other.id == method.id)
                || bridge(target.class(), method).is_some()
                || target.class().own_method(method.name, method.descriptor).is_some();
            let Some(said) = declared.method(method).filter(|_| !is_settled) else { continue };
            let variables = said.type_parameters.iter().chain(&declared.context.type_parameters);
            let variables: Vec<&str> = variables.map(|variable| variable.name.as_str()).collect();
            if !said.parameters.iter().any(|parameter| variables.contains(&parameter.of.name.as_str())) {
                continue;
            }
            let why = "it is not known whether the method overrides this one";
            let unit = &declared.context.unit;
            found.extend(said.cases.iter().flat_map(spans).map(|span| tell(unit, span, why)));
        }
    }
    Ok(found)
}

/// Where the clauses of a case stand.
fn spans(case: &SpecificationCase) -> Vec<Span> {
    let conditions = case.requires.iter().chain(&case.ensures).map(|clause| clause.span);
    let signals = case.signals.iter().map(|clause| clause.span);
    let only = case.signals_only.iter().map(|clause| clause.span);
    let frame = case.assignable.iter().map(|clause| clause.span);
    conditions.chain(signals).chain(only).chain(frame).collect()
}

fn tell(unit: &CompilationUnit, span: Span, why: &str) -> UnusedClause {
    UnusedClause {
        text: unit.source.quote(span),
        at: format!("{}:{}", unit.source.file(), unit.source.line(span)),
        why: why.to_string(),
    }
}
