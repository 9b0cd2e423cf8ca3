//! What counts as a fault, and what is done about it? The options that say so.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lazuli_vm::ambient::Ambient;
use lazuli_vm::unknown_code::Havoc;

use crate::confirm::{MOST, MOST_IN_ALL};

#[derive(Args)]
#[command(next_help_heading = "Findings (what counts as a fault)")]
pub struct FindingOptions {
    /// An exception that is no fault, subclasses included; repeatable
    #[arg(long, value_name = "CLASS")]
    pub allow: Vec<String>,

    /// Null as an argument is a defect, too, where the code does not expect it
    #[arg(long, hide_short_help = true)]
    pub strict: bool,

    /// Stop at the first defect
    #[arg(long, hide_short_help = true)]
    pub first: bool,

    /// What the program takes from outside: times, random numbers, identity hash codes, environment variables
    #[arg(long, value_enum, default_value_t = AmbientName::Unknown, hide_short_help = true)]
    pub ambient: AmbientName,

    /// A method that changes nothing where its code is not there: PriceService.price, acme.Clock.*; repeatable
    ///
    /// Code that is not there may otherwise change all that it can get at. The verdict says what it assumes.
    #[arg(long, value_name = "PATTERN", hide_short_help = true)]
    pub assume_pure: Vec<String>,

    /// The objects that code which is not there may change
    #[arg(long, value_enum, default_value_t = HavocName::Handed, hide_short_help = true)]
    pub havoc: HavocName,

    #[arg(
        long,
        hide_short_help = true,
        help = format!(
            "Do not run the faults on the JVM that is installed here; that takes at most {} s for each program, and at most {} s for \
             all of them together, which do not count as --time",
            MOST.as_secs(),
            MOST_IN_ALL.as_secs()
        )
    )]
    pub no_confirm: bool,

    /// If the method holds, write a proof for an independent checker; for one method and --engine sat
    ///
    /// FILE.cnf has the problem in DIMACS, FILE.drat the proof in DRAT, and FILE.map says what the variables mean.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub proof: Option<PathBuf>,

    /// Write the problem in DIMACS, for other solvers; for one method, --engine sat and --scope
    ///
    /// It has a model if a valid input goes wrong, and none if the method holds. FILE.map says what the variables mean.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub dimacs: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum HavocName {
    /// Those that it was handed, or has returned, and what these lead to
    Handed,
    /// All inputs as well: it may have got hold of them before
    All,
}

impl From<HavocName> for Havoc {
    fn from(name: HavocName) -> Havoc {
        match name {
            HavocName::Handed => Havoc::Handed,
            HavocName::All => Havoc::All,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum AmbientName {
    /// May be anything
    Unknown,
    /// Is as in one run, which the verdict says
    Concrete,
}

impl From<AmbientName> for Ambient {
    fn from(name: AmbientName) -> Ambient {
        match name {
            AmbientName::Unknown => Ambient::Unknown,
            AmbientName::Concrete => Ambient::Concrete,
        }
    }
}
