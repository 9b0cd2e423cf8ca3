//! Which classes stand behind wider types in the input of a fault, though only calls make their objects?
//!
//! A parameter of type `Object` does not say which classes of the user to make by calls, and there may be hundreds. So exploration begins with
//! objects whose fields hold anything; where a fault shows one of such a class, calls of that class come in.

use std::collections::BTreeSet;

use lazuli_reach::workshop::Workshop;
use lazuli_spec::ContractOptions;
use lazuli_vm::program::{Class, Method, Program};

use crate::report::Violation;

/// The classes of objects in the inputs of faults of which only calls make objects.
pub(crate) fn made_behind<'a>(
    program: &Program,
    method: &'static Method,
    options: &ContractOptions,
    faults: impl IntoIterator<Item = &'a Violation>,
) -> Vec<&'static Class> {
    let cases = faults.into_iter().filter_map(|fault| fault.outcome.case.as_ref());
    let classes = cases.flat_map(|case| case.heap.iter().map(|cell| cell.class));
    let users: Vec<&'static Class> = classes.filter(|class| class.is_users() && !class.is_open()).collect();
    if users.is_empty() {
        return users;
    }
    let made = Workshop::made_classes(program, method, options);
    let mut seen = BTreeSet::new();
    users.into_iter().filter(|class| made.contains(&class.id) && seen.insert(class.id)).collect()
}
