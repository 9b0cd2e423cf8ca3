//! Which inputs are tried? The options that bound them, for every command that takes inputs.

use clap::Args;
use lazuli_console::units::LARGEST_SCOPE;
use lazuli_console::units::Scope;
use lazuli_explore::Bounds;
use lazuli_vm::universe::World;

use super::OptionError;
use super::at_least_one;

#[derive(Args)]
#[command(next_help_heading = "Bounds (which inputs are tried)")]
pub struct BoundOptions {
    /// Input objects of each class: 3, or 2,Node=5 [default: 1, 2, 3 …]
    ///
    /// `Node=5,List=2` bounds these two classes, and all others by 3. Without it, the scope grows from 1 until the time ends or no
    /// input is left out any more.
    #[arg(long, value_name = "SCOPE")]
    pub scope: Option<Scope>,

    /// Input objects in all [default: no bound]
    #[arg(long, value_name = "N", value_parser = at_least_one, hide_short_help = true)]
    pub objects: Option<usize>,

    /// Longest chain of lazily initialised references, and longest input array or string
    /// [default: no bound on chains; arrays and strings as the scope]
    #[arg(long, value_name = "N", value_parser = length, hide_short_help = true)]
    pub k: Option<usize>,

    /// Under `--technique kiasan`: elements of each array that a path touches, at any index of an array of any length
    /// [default: as --k, or else as the scope]
    #[arg(long, value_name = "N", value_parser = length, hide_short_help = true)]
    pub array: Option<usize>,

    /// Strings of inputs hold any units of UTF-16, lone surrogates included [default: Latin-1 characters]
    ///
    /// Each string that a path looks into is then one of two cases, as it is in a JVM: all its characters are Latin-1, or one at least is not.
    #[arg(long, hide_short_help = true)]
    pub unicode: bool,

    /// Bits of the whole numbers in inputs, sign included: with 4, only -8 to 7 are tried [default: all of Java's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64), hide_short_help = true)]
    pub int_bits: Option<u32>,

    /// Classes of the class path may have further subclasses, of which nothing is known [default: only interfaces and types of the JDK may]
    #[arg(long, conflicts_with = "closed", hide_short_help = true)]
    pub open: bool,

    /// There are no classes but those on the class path: nothing else extends or implements any type
    #[arg(long, hide_short_help = true)]
    pub closed: bool,

    #[arg(
        long,
        value_name = "N",
        value_parser = unroll,
        hide_short_help = true,
        help = format!(
            "Forks at one branch between two reads of something new [default: {}]; under --engine sat, iterations of each loop, or \
             auto: as many as some valid input takes [default: auto]",
            Bounds::default().unroll
        )
    )]
    pub unroll: Option<Unroll>,

    /// Choices on one path
    #[arg(long, value_name = "N", default_value_t = Bounds::default().depth, hide_short_help = true)]
    pub depth: usize,
}

/// How often loops are unrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unroll {
    /// As often as some valid input takes them.
    Auto,
    Times(usize),
}

fn unroll(text: &str) -> Result<Unroll, OptionError> {
    match text {
        "auto" => Ok(Unroll::Auto),
        number => number.parse().map(Unroll::Times).map_err(|_| OptionError::Unroll),
    }
}

impl BoundOptions {
    pub fn bounds(&self) -> Bounds {
        let usual = Bounds::default();
        let scope = self.scope.clone().unwrap_or(Scope { each: None, named: Vec::new() });
        Bounds {
            scope: scope.each.unwrap_or(usual.scope),
            scope_of: scope.named,
            objects: self.objects,
            k: self.k,
            touched: self.array,
            unroll: match self.unroll {
                Some(Unroll::Times(times)) => times,
                _ => usual.unroll,
            },
            unrolls_further: self.unroll.is_none(),
            depth: self.depth,
            world: match (self.open, self.closed) {
                (true, _) => World::Open,
                (false, true) => World::Closed,
                (false, false) => World::ClassPath,
            },
            has_all_units: self.unicode,
            int_bits: self.int_bits,
            ..usual
        }
    }
}

fn length(text: &str) -> Result<usize, OptionError> {
    let is_possible = |number: &usize| *number <= LARGEST_SCOPE;
    text.parse().ok().filter(is_possible).ok_or(OptionError::Length)
}
