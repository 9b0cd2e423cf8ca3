//! How is it worded why a contract cannot be found, and what to do about it?

use lazuli_spec::{ConditionRole, ContractError, MissingCondition};

/// Why the contract of a method cannot be found: a sentence that says which option names something that is not there.
pub(crate) fn contract_error(error: &ContractError) -> String {
    match error {
        ContractError::ParameterType(error) => format!("a parameter type cannot be loaded: {error}"),
        ContractError::NoInvariant { class, method, names } => match names.as_slice() {
            [heap, data] => format!(
                "neither {class} nor a parameter of {method} has the methods `boolean {heap}()` and `boolean {data}()`; \
                 --heap-invariant and --data-invariant name two that are there"
            ),
            names => format!(
                "neither {class} nor a parameter of {method} has a method `boolean {}()`; --invariant names one that is there",
                names.concat()
            ),
        },
        ContractError::NoHybridInvariant { name, method } => format!(
            "there is no method `boolean {name}()` for the inputs of {method}; --hybrid-invariant names one that is there, or a \
             static pkg.Class.NAME that takes the object"
        ),
        ContractError::NoCondition(missing) => missing_condition(missing),
    }
}

fn missing_condition(missing: &MissingCondition) -> String {
    let MissingCondition { role, name, class, is_static, parameters, takes_result, target, candidates } = missing;
    let option = match role {
        ConditionRole::Precondition => "--pre",
        ConditionRole::Postcondition => "--post",
    };
    let is_static = if *is_static { "static " } else { "" };
    let parameters = parameters.join(", ");
    let target = target.as_deref().unwrap_or("the constructor");
    let result = if *takes_result { ", and its result as the last one" } else { "" };
    let instead = match candidates.as_slice() {
        [] => String::new(),
        candidates => format!(" (there is {})", candidates.join(", ")),
    };
    format!(
        "{option} {name}: class {class} needs a method `{is_static}boolean {name}({parameters})`, with the parameters of \
         {target}{result}{instead}"
    )
}
