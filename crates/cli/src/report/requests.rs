//! How is it worded that a request must be changed, and what to write instead?

use lazuli_explore::RequestError;
use lazuli_reach::recipe::RecipeError;
use lazuli_vm::interp::ContractWrite;
use lazuli_vm::universe::{FieldLimitError, RegionError};

use super::contracts::contract_error;

/// Why no exploration can serve a request: a sentence.
pub(crate) fn request_error(error: &RequestError) -> String {
    match error {
        RequestError::NoTechnique { name, techniques } => {
            format!("there is no technique {name}; choose one of {}", techniques.join(", "))
        }
        RequestError::NoInputsByCalls { techniques } => format!(
            "--build is for inputs that are made by calls; write --technique {} with it, or leave it out.",
            techniques.join(" or ")
        ),
        RequestError::NoMethods { technique } => format!(
            "--technique {technique} makes inputs by calls; --build NAME says of which methods, such as --build add."
        ),
        RequestError::Recipe(error) => recipe_error(error),
        RequestError::Field(error) => field_error("--field", error),
        RequestError::Region(error) => region_error(error),
        RequestError::RegionOfMade { class } => format!(
            "--region keeps parts of the input apart, and {class} has no invariant: its objects are those that calls make; add --inputs fields, or leave --region out."
        ),
        RequestError::FieldOfMade { field, class } => format!(
            "--field {field} narrows what fields hold, and {class} has no invariant: its objects are those that calls make; add --inputs fields, or leave --field out."
        ),
        RequestError::NoInvariant { class, methods } if methods.is_empty() => format!(
            "no file says in JML which objects of {class} are valid; --spec and --source name the directories of such files"
        ),
        RequestError::NoInvariant { class, methods } => format!(
            "class {class} has no method `boolean {}()` that says which objects are valid",
            methods.join("() and ")
        ),
        RequestError::NoImplementation { class } => format!("no class on the class path implements {class}"),
        RequestError::NoValidObjects => "the valid objects could not be found".to_string(),
        RequestError::ContractWrites(ContractWrite { method, place, at }) => format!(
            "{method} writes to {place}, at {at}. A method that says what is right must leave its input as it is: write to objects of its own."
        ),
    }
}

/// Why `--region` cannot be obeyed: a sentence.
fn region_error(error: &RegionError) -> String {
    match error {
        RegionError::Field(FieldLimitError::NoReference { field }) => {
            format!("--region {field}: the field holds no reference, and leads nowhere.")
        }
        RegionError::Field(error) => field_error("--region", error),
        RegionError::NoParameter { name, parameters } if parameters.is_empty() => {
            format!("--region {name}: the method has no parameters; write this, or CLASS.FIELD.")
        }
        RegionError::NoParameter { name, parameters } => {
            format!(
                "--region {name}: the method has no such parameter; write this, {}, or CLASS.FIELD.",
                parameters.join(", ")
            )
        }
        RegionError::Twice { place } => format!("--region names {place} twice; a place leads into one region."),
    }
}

/// Why `--field`, or another option that names fields, cannot be obeyed: a sentence.
fn field_error(option: &str, error: &FieldLimitError) -> String {
    match error {
        FieldLimitError::NoClass { class } => {
            format!(
                "{option} names {class}, and there is no such class; write it as in source, with its package if need be."
            )
        }
        FieldLimitError::SeveralClasses { class, classes } => {
            format!("{option} names {class}, which may be {}; write one of these.", classes.join(" or "))
        }
        FieldLimitError::NoField { class, field, fields } if fields.is_empty() => {
            format!("{option} names {field}, and objects of {class} have no fields.")
        }
        FieldLimitError::NoField { class, field, fields } => {
            format!("{option} names {field}, which no object of {class} has; its fields are {}.", fields.join(", "))
        }
        FieldLimitError::NoReference { field } => {
            format!(
                "{field} holds no reference; write --field {field}=off, or a range such as {field}=0..3 for a number."
            )
        }
        FieldLimitError::NoNumber { field } => {
            format!(
                "{field} holds no whole number; write --field {field}=off, or {field}=null or a class for a reference."
            )
        }
        FieldLimitError::Unrelated { field, class } => {
            format!("{field} takes no {class}; write a class that its declared type allows.")
        }
    }
}

/// Why `--build` makes no inputs: a sentence.
fn recipe_error(error: &RecipeError) -> String {
    match error {
        RecipeError::Contract(error) => contract_error(error),
        RecipeError::Abstract { class } => {
            format!(
                "{class} is abstract: no constructor makes an object of it. Name a method of a class that extends it."
            )
        }
        RecipeError::NoConstructor { class } => {
            format!("{class} has no constructor that others may call, so that no object of it can be made.")
        }
        RecipeError::SeveralConstructors { class, constructors } => format!(
            "{class} has several constructors, and none without parameters; choose one with --build '{}' beside the methods. There are: {}",
            constructors.first().map_or("new()", String::as_str),
            constructors.join(", ")
        ),
        RecipeError::NoSuchMethod { class, wanted, methods } => {
            let there: Vec<String> = methods.iter().map(|method| format!("\n  {method}")).collect();
            format!("--build {wanted}: there is no such method in {class}; there are:{}", there.concat())
        }
        RecipeError::NothingToMake { target } => format!(
            "{target} takes no object that --build could make: it has no receiver, and no parameter has an invariant and a method of that name."
        ),
    }
}
