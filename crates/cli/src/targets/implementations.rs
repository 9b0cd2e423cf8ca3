//! Which code that is there must keep the contracts that may replace calls? (`--check-contracts`)
//!
//! A contract replaces calls of a method without code, and of those that the user names. Its implementations on the class path become targets, before the
//! others: so the verdicts that rest on the contract can say how theirs came out.

use std::sync::Arc;

use lazuli_explore::{Assumption, Verdict};
use lazuli_vm::contracts::{ContractCheck, KnownContracts};
use lazuli_vm::program::{Method, Program, access, signature};

use super::{CheckedMethod, classes_below};

/// The methods with code that must keep a contract, each once.
pub(crate) fn implementations(program: &Arc<Program>, contracts: &KnownContracts) -> Vec<CheckedMethod> {
    let classes: Vec<_> = classes_below(program, "**").iter().filter_map(|name| program.load(name).ok()).collect();
    let mut found: Vec<CheckedMethod> = Vec::new();
    for method in classes.iter().flat_map(|class| class.methods.iter().copied()) {
        let is_callable = !method.name.starts_with('<') && method.access & access::NATIVE == 0;
        let is_replaced = method.is_abstract() || contracts.replaced.name(method);
        if !is_callable || !is_replaced || !matches!(contracts.of(method), Ok(Some(_))) {
            continue;
        }
        let below = classes.iter().filter(|class| class.is_subtype_of(method.class()));
        for own in below.filter_map(|class| class.own_method(method.name, method.descriptor)) {
            let is_code = own.access & (access::ABSTRACT | access::NATIVE) == 0;
            if is_code && !found.iter().any(|known| known.method.id == own.id) {
                let (class, is_named, is_relied_on) = (own.class(), true, true);
                found.push(CheckedMethod { method: own, class, is_named, is_relied_on });
            }
        }
    }
    found
}

/// A method whose code was checked, and how that came out.
pub(crate) struct CheckedCode {
    pub method: &'static Method,
    pub title: String,
    pub verdict: Verdict,
}

/// Writes into the assumptions of a verdict whether the code that is there keeps the contracts.
pub(crate) fn tell_checks(assumptions: &mut [Assumption], checked: &[CheckedCode]) {
    for assumption in assumptions {
        let Assumption::Contract { method, is_bundled: false, check, .. } = assumption else { continue };
        let is_of = |code: &&CheckedCode| told(code.method) == *method || overrides(code.method, method);
        let (kept, others): (Vec<&CheckedCode>, Vec<&CheckedCode>) =
            checked.iter().filter(is_of).partition(|code| code.verdict == Verdict::Holds);
        let titles = |codes: Vec<&CheckedCode>| codes.iter().map(|code| code.title.clone()).collect();
        *check = match (kept.is_empty(), others.is_empty()) {
            (true, true) => ContractCheck::NoCode,
            (false, true) => ContractCheck::Kept { by: titles(kept) },
            _ => ContractCheck::NotKept { by: titles(others) },
        };
    }
}

/// A method as assumptions name it: `acme.Store.put(int)`.
fn told(method: &Method) -> String {
    format!("{}.{}", method.class().java_name(), signature(method))
}

/// Does a method override the one of this name?
fn overrides(method: &'static Method, named: &str) -> bool {
    let mut waiting = vec![method.class()];
    while let Some(class) = waiting.pop() {
        if class.own_method(method.name, method.descriptor).is_some_and(|above| told(above) == named) {
            return true;
        }
        waiting.extend(class.interfaces.iter().copied().chain(class.super_class));
    }
    false
}
