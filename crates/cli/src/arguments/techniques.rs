//! Which technique of which paper is used? The options that say so; the defaults are the fastest that are sound.

use clap::{Args, ValueEnum};
use lazuli_explore::technique;
use lazuli_explore::{Config, Economy, Engine, Order};
use lazuli_valid::Means;

use crate::cache::CacheLocation;

use super::OptionError;

#[derive(Args)]
#[command(next_help_heading = TECHNIQUES)]
pub struct TechniqueOptions {
    /// How the method is checked
    #[arg(long, value_enum, default_value_t = EngineName::Paths)]
    pub engine: EngineName,

    #[arg(
        long,
        value_name = "NAME",
        help = format!("How unknown references are initialised: {}", technique::names().join(", ")),
        value_parser = technique_name,
        default_value_t = Config::default().technique.to_string(),
        hide_short_help = true
    )]
    pub technique: String,

    /// How partially known inputs are completed to valid ones
    ///
    /// By running the invariant on one candidate after the other, by listing all valid inputs once and looking them up, or by a SAT
    /// solver on a circuit of the invariant.
    #[arg(long, value_enum, default_value_t = MeansName::Auto, hide_short_help = true)]
    pub structure: MeansName,

    /// Which pending choice is followed next
    #[arg(long, value_enum, default_value_t = OrderName::Dfs, hide_short_help = true)]
    pub order: OrderName,

    /// Where the random order begins; the same seed gives the same order [default: 0]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub seed: Option<u64>,

    /// The methods that make inputs under the technique driver; repeatable
    ///
    /// Such as put,remove or 'put(int, Object)'; a constructor is called new: 'new(int)'.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub build: Vec<String>,

    /// A method that says of a partially known input whether it may become valid; for hybrid, bounded, refined and sat
    ///
    /// A method `boolean NAME()` that asks `Lazuli.isKnown`, or a static pkg.Class.NAME that takes the object
    /// [default: the invariant, up to where it reads something unknown].
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub hybrid_invariant: Option<String>,

    /// The reference fields over which bounded, refined and sat number objects, in this order, such as left,right
    /// [default: those that the invariant reads in every valid object]
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', hide_short_help = true)]
    pub backbone: Vec<String>,

    /// Where verdicts, answers of sat-cached and tight field bounds are kept between runs: a directory, rediss://HOST[:PORT], or none
    /// [default: $XDG_CACHE_HOME/lazuli or ~/.cache/lazuli]
    #[arg(long, value_name = "WHERE", hide_short_help = true)]
    pub cache: Option<CacheLocation>,

    /// Never reuse a witness, a valid input that was found before: slower, but the effort for each is seen
    #[arg(long, hide_short_help = true)]
    pub no_reuse: bool,

    /// Let the objects of an input have any numbers, not only those of a breadth-first walk: slower, same verdict; for --engine sat
    #[arg(long, hide_short_help = true)]
    pub no_symmetry_breaking: bool,

    /// Let the fields of an input refer to any object, not only to those that some valid input has there: slower, same verdict; for
    /// --engine sat
    #[arg(long, hide_short_help = true)]
    pub no_tight_bounds: bool,

    /// As BLISS's authors have them: see `Config`. Only `lazuli bench` asks for it.
    #[arg(long, hide = true)]
    pub loose_bounds: bool,

    /// Count the shapes of the inputs of paths that return. Only `lazuli bench` asks for it.
    #[arg(long, hide = true)]
    pub count_shapes: bool,
}

pub const TECHNIQUES: &str = "Techniques of the papers";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EngineName {
    /// Symbolic execution, one path after the other
    Paths,
    /// One propositional problem
    Sat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OrderName {
    /// Depth first
    Dfs,
    /// Breadth first
    Bfs,
    /// Depth first up to a number of choices that grows
    Deepening,
    /// Branches that were taken least often first
    Coverage,
    /// At random; see --seed
    Random,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MeansName {
    /// By searches; where these take long, in a list, which a circuit may make, or by a circuit if there are too many to list
    Auto,
    /// By searches alone
    Search,
    /// In a list of all valid inputs from the start, where they can be listed
    List,
    /// In such a list made by a circuit, where the invariant can be translated
    CircuitList,
    /// By a circuit from the start, where the invariant can be translated
    Circuit,
}

impl From<MeansName> for Means {
    fn from(name: MeansName) -> Means {
        match name {
            MeansName::Auto => Means::Auto,
            MeansName::Search => Means::Search,
            MeansName::List => Means::List,
            MeansName::CircuitList => Means::CircuitList,
            MeansName::Circuit => Means::Circuit,
        }
    }
}

impl From<EngineName> for Engine {
    fn from(name: EngineName) -> Engine {
        match name {
            EngineName::Paths => Engine::Paths,
            EngineName::Sat => Engine::Sat,
        }
    }
}

impl TechniqueOptions {
    pub fn order(&self) -> Order {
        match self.order {
            OrderName::Dfs => Order::Dfs,
            OrderName::Bfs => Order::Bfs,
            OrderName::Deepening => Order::Deepening,
            OrderName::Coverage => Order::Coverage,
            OrderName::Random => Order::Random { seed: self.seed.unwrap_or(0) },
        }
    }

    pub fn economy(&self) -> Economy {
        Economy { breaks_symmetry: !self.no_symmetry_breaking, tightens_bounds: !self.no_tight_bounds }
    }
}

fn technique_name(text: &str) -> Result<String, OptionError> {
    match technique::find(text) {
        Some(_) => Ok(text.to_string()),
        None => Err(OptionError::Technique),
    }
}
