//! Which objects are inputs, where no invariant says so? The options that decide it.

use clap::{Args, ValueEnum};
use lazuli_explore::Inputs;
use lazuli_vm::universe::{FieldLimit, FieldValues, Region, RegionPlace};

use super::{OptionError, at_least_one};

#[derive(Args)]
#[command(next_help_heading = "Bounds (which inputs are tried)")]
pub struct InputOptions {
    /// Which objects of classes without an invariant count as inputs
    #[arg(long, value_enum, default_value_t = InputsName::Calls, hide_short_help = true)]
    pub inputs: InputsName,

    /// Calls and assignments that make the inputs of one path, constructors included [default: one more than the scope]
    #[arg(long, value_name = "N", value_parser = at_least_one, hide_short_help = true)]
    pub input_calls: Option<usize>,

    /// Values that a field of inputs has: `Entry.value=off` (as if never set), `=null`, `=Integer` (or null), `Node.key=0..3` [default: all]
    #[arg(long, value_name = "FIELD=VALUES", value_parser = field_limit, hide_short_help = true)]
    pub field: Vec<FieldLimit>,

    /// A part of the input that is apart from all others, by the places that lead there: `this`, parameters, `Node.data`. Repeatable
    #[arg(long, value_name = "PLACE,…", value_parser = region, hide_short_help = true)]
    pub region: Vec<Region>,
}

/// `this`, `other`, `Node.data,element`
fn region(text: &str) -> Result<Region, OptionError> {
    let place = |word: &str| match word.trim().rsplit_once('.') {
        None if !word.trim().is_empty() => Ok(RegionPlace::Root(word.trim().to_string())),
        Some((class, field)) if !class.is_empty() && !field.is_empty() => {
            Ok(RegionPlace::Field { class: class.to_string(), field: field.to_string() })
        }
        _ => Err(OptionError::RegionPlaces),
    };
    Ok(Region { places: text.split(',').map(place).collect::<Result<_, _>>()? })
}

/// `Entry.value=off`, `Entry.value=null`, `Entry.value=Integer`, `Node.key=0..3`
fn field_limit(text: &str) -> Result<FieldLimit, OptionError> {
    let (named, values) = text.split_once('=').ok_or(OptionError::FieldValues)?;
    let (class, field) = named.trim().rsplit_once('.').ok_or(OptionError::FieldValues)?;
    let values = match values.trim() {
        "off" => FieldValues::Initial,
        "null" => FieldValues::Null,
        range if let Some((least, greatest)) = range.split_once("..") => {
            let number = |text: &str| text.trim().parse::<i64>().map_err(|_| OptionError::FieldValues);
            FieldValues::Range { least: number(least)?, greatest: number(greatest)? }
        }
        class => FieldValues::Class(class.to_string()),
    };
    let is_empty = match &values {
        FieldValues::Class(class) => class.is_empty(),
        FieldValues::Range { least, greatest } => least > greatest,
        FieldValues::Initial | FieldValues::Null => false,
    };
    match is_empty || class.is_empty() || field.is_empty() {
        true => Err(OptionError::FieldValues),
        false => Ok(FieldLimit { class: class.to_string(), field: field.to_string(), values }),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum InputsName {
    /// Those that the program can make: by constructors and methods that are not private, and by assignments
    Calls,
    /// All, whatever their fields hold
    Fields,
}

impl From<InputsName> for Inputs {
    fn from(name: InputsName) -> Inputs {
        match name {
            InputsName::Calls => Inputs::Calls,
            InputsName::Fields => Inputs::Fields,
        }
    }
}
