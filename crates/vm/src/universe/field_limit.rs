//! Which values of a field are tried, if the user wants fewer than its type allows?
//!
//! Finitizations of Korat (Boyapati, Khurshid and Marinov, ISSTA 2002, section 3.1) give a field a set of values, or leave it out. Example: a map whose values only
//! travel from place to place needs no objects there, and `Entry.value=off` saves the choice between them on every path.

use serde::{Deserialize, Serialize};

use crate::program::{Class, Field, Program};
use crate::value::Kind;

/// A field of inputs, as a request names it, and the values that are tried there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldLimit {
    /// The class that declares the field, with or without its package and the classes around it.
    pub class: String,
    /// The field.
    pub field: String,
    /// Its values.
    pub values: FieldValues,
}

/// The values of a field that are tried.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FieldValues {
    /// The one that it has before anything is assigned: null, 0 or false.
    Initial,
    /// Null.
    Null,
    /// Null, and objects of this class and its subclasses.
    Class(String),
    /// Whole numbers.
    Range {
        /// The least.
        least: i64,
        /// The greatest.
        greatest: i64,
    },
}

/// Why a field cannot have such values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldLimitError {
    /// No class of the user has this name.
    #[error("there is no class {class}")]
    NoClass {
        /// The name as it was given.
        class: String,
    },
    /// The name of the class stands for several.
    #[error("there are several classes {class}")]
    SeveralClasses {
        /// The name as it was given.
        class: String,
        /// The full names.
        classes: Vec<String>,
    },
    /// The class declares no such field of its objects.
    #[error("{class} has no field {field}")]
    NoField {
        /// The full name of the class.
        class: String,
        /// The name as it was given.
        field: String,
        /// The fields that it has.
        fields: Vec<String>,
    },
    /// Only a reference is null or has a class.
    #[error("{field} is no reference")]
    NoReference {
        /// The field with its class.
        field: String,
    },
    /// Only whole numbers have a range.
    #[error("{field} is no whole number")]
    NoNumber {
        /// The field with its class.
        field: String,
    },
    /// The field takes no objects of the class.
    #[error("{field} takes no {class}")]
    Unrelated {
        /// The field with its class.
        field: String,
        /// The class of the values.
        class: String,
    },
}

/// A field with its values, as the interpreter looks for it.
#[derive(Clone, Debug)]
pub struct LimitedField {
    /// The class that declares the field.
    pub owner: &'static Class,
    /// The place of the field in its objects.
    pub slot: u32,
    /// The values.
    pub values: LimitedValues,
}

/// The values of a field, with the class.
#[derive(Clone, Copy, Debug)]
pub enum LimitedValues {
    /// The one that it has before anything is assigned.
    Initial,
    /// Null, and objects of the class.
    Class(&'static Class),
    /// Whole numbers, the least and the greatest.
    Range(i64, i64),
}

impl FieldLimit {
    /// Looks for the field, and whether it can have the values.
    pub fn resolve(&self, program: &Program) -> Result<LimitedField, FieldLimitError> {
        let owner = self.owner(program)?;
        let of_objects = || owner.fields.iter().filter(|field| !field.is_static());
        let field = of_objects().find(|field| field.name == self.field).ok_or_else(|| FieldLimitError::NoField {
            class: owner.java_name(),
            field: self.field.clone(),
            fields: of_objects().map(|field| field.name.to_string()).collect(),
        })?;
        Ok(LimitedField { owner, slot: field.slot, values: self.values_of(program, field)? })
    }

    /// `Entry.value`
    pub fn name(&self) -> String {
        format!("{}.{}", self.class, self.field)
    }

    fn owner(&self, program: &Program) -> Result<&'static Class, FieldLimitError> {
        let class = self.class.clone();
        let named: Vec<&'static Class> =
            program.users().iter().copied().filter(|known| known.is_called(&self.class)).collect();
        match named.as_slice() {
            [] => Err(FieldLimitError::NoClass { class }),
            [only] => Ok(only),
            several => {
                let classes = several.iter().map(|class| class.java_name()).collect();
                Err(FieldLimitError::SeveralClasses { class, classes })
            }
        }
    }

    fn values_of(&self, program: &Program, field: &Field) -> Result<LimitedValues, FieldLimitError> {
        let is_reference = field.kind == Kind::Reference;
        let is_whole = matches!(field.kind, Kind::Byte | Kind::Short | Kind::Char | Kind::Int | Kind::Long);
        match &self.values {
            FieldValues::Initial => Ok(LimitedValues::Initial),
            FieldValues::Null if is_reference => Ok(LimitedValues::Initial),
            FieldValues::Range { least, greatest } if is_whole => Ok(LimitedValues::Range(*least, *greatest)),
            FieldValues::Range { .. } => Err(FieldLimitError::NoNumber { field: self.name() }),
            FieldValues::Class(name) if is_reference => {
                let unrelated = || FieldLimitError::Unrelated { field: self.name(), class: name.clone() };
                let declared = program.load_descriptor(field.descriptor).map_err(|_| unrelated())?;
                let class =
                    value_class(program, name).ok_or_else(|| FieldLimitError::NoClass { class: name.clone() })?;
                class.is_subtype_of(declared).then_some(LimitedValues::Class(class)).ok_or_else(unrelated)
            }
            FieldValues::Null | FieldValues::Class(_) => Err(FieldLimitError::NoReference { field: self.name() }),
        }
    }
}

/// A class of the user, or one of the library by its full name or from `java.lang` and `java.util`.
fn value_class(program: &Program, name: &str) -> Option<&'static Class> {
    let users = program.users().iter().copied().find(|class| class.is_called(name));
    let path = name.replace('.', "/");
    let packages = ["", "java/lang/", "java/util/"];
    users.or_else(|| packages.iter().find_map(|package| program.load(&format!("{package}{path}")).ok()))
}
