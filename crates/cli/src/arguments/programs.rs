//! What can be asked about a whole program?

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lazuli_console::units::LARGEST_SCOPE;
use lazuli_explore::Goals;
use lazuli_vm::whole::ProgramArguments;

use super::OptionError;

#[derive(Args)]
#[command(next_help_heading = "Whole programs (from a main method on)")]
pub struct ProgramOptions {
    /// Check the program that begins in this class: pkg.Main; words behind `--` are its arguments
    ///
    /// Static fields are what initialisers make them, standard input may be anything, and output goes nowhere.
    #[arg(long, value_name = "CLASS", hide_short_help = true)]
    pub main: Option<String>,

    /// The program gets any arguments, up to so many
    #[arg(long, value_name = "N", value_parser = most_arguments, requires = "main", hide_short_help = true)]
    pub any_args: Option<usize>,

    /// What counts as a fault of a program; repeatable, or with commas between them [default: all of them]
    #[arg(long, value_enum, value_delimiter = ',', requires = "main", hide_short_help = true)]
    pub goal: Vec<GoalName>,

    /// Write a witness of the verdict for the validators of verification competitions: GraphML 1.0, or YAML 2.0 if the name ends with .yml or .yaml
    #[arg(long, value_name = "FILE", requires = "main", hide_short_help = true)]
    pub witness: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum GoalName {
    /// An AssertionError that nothing catches
    Assert,
    /// Another exception that nothing catches
    Exceptions,
    /// No thread can go on
    Deadlock,
}

fn most_arguments(text: &str) -> Result<usize, OptionError> {
    text.parse().ok().filter(|number| *number <= LARGEST_SCOPE).ok_or(OptionError::Length)
}

impl ProgramOptions {
    pub fn goals(&self) -> Goals {
        let has = |goal| self.goal.is_empty() || self.goal.contains(&goal);
        Goals {
            assertions: has(GoalName::Assert),
            exceptions: has(GoalName::Exceptions),
            deadlocks: has(GoalName::Deadlock),
        }
    }

    /// The arguments of the program, of which the user may have given some.
    pub fn arguments(&self, given: &[String]) -> ProgramArguments {
        match self.any_args {
            Some(most) => ProgramArguments::Any { most },
            None => ProgramArguments::Given(given.to_vec()),
        }
    }
}
