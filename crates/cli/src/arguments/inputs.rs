//! Which objects are inputs, where no invariant says so? The options that decide it.

use clap::{Args, ValueEnum};
use lazuli_explore::Inputs;

use super::at_least_one;

#[derive(Args)]
#[command(next_help_heading = "Bounds (which inputs are tried)")]
pub struct InputOptions {
    /// Which objects of classes without an invariant count as inputs
    #[arg(long, value_enum, default_value_t = InputsName::Calls, hide_short_help = true)]
    pub inputs: InputsName,

    /// Calls and assignments that make the inputs of one path, constructors included [default: one more than the scope]
    #[arg(long, value_name = "N", value_parser = at_least_one, hide_short_help = true)]
    pub input_calls: Option<usize>,
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
