//! Which clauses have no effect on the target? Nothing that somebody wrote is passed over in silence.

use std::collections::HashSet;

use lazuli_jml::{Span, TypeDeclaration, Unit};

use super::UnusedClause;
use super::cases::Said;
use super::names::supertypes;
use super::resolve::{Resolved, Shared};
use super::typed::Type;
use crate::program::access;

/// The clauses that stand with the target, with its class, and with the classes of its parameters.
pub fn unused(shared: &mut Shared, given: &[Type], said: &[Said]) -> Resolved<Vec<UnusedClause>> {
    let mut found = Vec::new();
    let mut used: HashSet<String> = HashSet::new();
    let mut units = Vec::new();
    for of in given {
        let Type::Reference(class) = of else { continue };
        if class.access & access::ENUM != 0 {
            continue;
        }
        for class in supertypes(class) {
            used.insert(class.name.to_string());
            if let Some(declared) = shared.declared(class)? {
                let unit = declared.context.unit;
                if !units.iter().any(|known: &std::sync::Arc<Unit>| std::sync::Arc::ptr_eq(known, &unit)) {
                    units.push(unit);
                }
            }
        }
    }
    let tell = |unit: &Unit, span: Span, why: &str| UnusedClause {
        text: unit.source.quote(span),
        at: format!("{}:{}", unit.source.file(), unit.source.line(span)),
        why: why.to_string(),
    };
    for said in said {
        let unit = &said.declared.context.unit;
        found.extend(said.method.unused.iter().map(|unused| tell(unit, unused.span, unused.why)));
    }
    for unit in &units {
        let package = unit.package.replace('.', "/");
        let prefix = if package.is_empty() { String::new() } else { format!("{package}/") };
        let mut waiting: Vec<(String, &TypeDeclaration)> =
            unit.types.iter().rev().map(|declared| (format!("{prefix}{}", declared.name), declared)).collect();
        while let Some((name, declared)) = waiting.pop() {
            let is_used = used.contains(&name);
            found.extend(declared.unused.iter().filter(|_| is_used).map(|unused| tell(unit, unused.span, unused.why)));
            let why = "an invariant is asked of the receiver and of parameters only";
            found.extend(declared.invariants.iter().filter(|_| !is_used).map(|clause| tell(unit, clause.span, why)));
            waiting.extend(declared.types.iter().rev().map(|inner| (format!("{name}${}", inner.name), inner)));
        }
    }
    Ok(found)
}
