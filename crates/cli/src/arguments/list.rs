//! What can be asked about the valid objects of a class? `lazuli shapes` lists them, `lazuli bounds` says what their fields may hold.

use clap::Args;
use lazuli_console::units::FieldRange;
use lazuli_explore::{Bounds, Config, Ranges};

use super::OptionError;
use super::bounds::BoundOptions;
use super::limits::LimitOptions;
use super::reports::ListReportOptions;
use super::specifications::SpecificationOptions;
use super::techniques::TECHNIQUES;
use super::{CommonOptions, WHAT};
use crate::cache::CacheLocation;
use crate::wire::ProtectionOptions;

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 all were listed, 2 the request is wrong, 3 incomplete.",
    mut_arg("scope", |scope| scope.help(help_of_scope()).long_help(None::<&str>)),
    mut_arg("jobs", |jobs| jobs.help("Threads [default: all cores, and one with --print]")),
)]
pub struct ShapesOptions {
    /// The class, such as pkg.Class
    #[arg(display_order = 0, help_heading = WHAT)]
    pub class: String,

    #[command(flatten)]
    pub bounds: BoundOptions,

    /// Tell objects apart by their numbers, too
    ///
    /// All numbers of the given ranges are tried in the fields that the invariant reads.
    #[arg(long, help_heading = WHAT)]
    pub values: bool,

    /// The numbers of a field, such as key=0..5; repeatable
    ///
    /// Both ends are included; `0..5` gives those of all other fields, and `Node.key=-1..1` names the class.
    #[arg(long, value_name = "FIELD=FROM..TO", requires = "values", allow_hyphen_values = true, help_heading = WHAT)]
    pub range: Vec<FieldRange>,

    #[command(flatten)]
    pub specifications: SpecificationOptions,

    #[command(flatten)]
    pub common: CommonOptions,

    #[command(flatten)]
    pub limits: LimitOptions,

    #[command(flatten)]
    pub reports: ListReportOptions,

    /// Draw each shape
    #[arg(long, help_heading = WHAT)]
    pub print: bool,
}

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 the bounds are tight, 2 the request is wrong, 3 incomplete: there may be more pairs.",
    mut_arg("scope", |scope| scope.help(help_of_scope()).long_help(None::<&str>)),
    mut_arg("jobs", |jobs| jobs.help(
        "Threads; with two, one lists the valid objects while the other makes a circuit [default: all cores]"
    )),
)]
pub struct BoundsOptions {
    /// The class, such as pkg.Class
    #[arg(display_order = 0, help_heading = WHAT)]
    pub class: String,

    #[command(flatten)]
    pub bounds: BoundOptions,

    #[command(flatten)]
    pub specifications: SpecificationOptions,

    #[command(flatten)]
    pub common: CommonOptions,

    #[command(flatten)]
    pub limits: LimitOptions,

    #[command(flatten)]
    pub reports: ListReportOptions,

    /// The fields that number objects, such as left,right
    ///
    /// Reference fields, in the order in which a breadth-first walk follows them. `Node.left,Node.right` names the class, too [default: those that the invariant reads in every valid object].
    #[arg(
        long,
        value_name = "FIELDS",
        value_delimiter = ',',
        visible_alias = "fields",
        help_heading = TECHNIQUES
    )]
    pub backbone: Vec<String>,

    /// Count the pieces into which MUCHO-TACO's printed rule would split a problem, for 2 nodes to N
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(2..=8),
        help_heading = TECHNIQUES,
        hide_short_help = true
    )]
    pub count_pieces: Option<u16>,

    /// Where the result is kept for later: a directory, rediss://HOST[:PORT], or none
    /// [default: $XDG_CACHE_HOME/lazuli or ~/.cache/lazuli]
    #[arg(long, value_name = "WHERE", help_heading = TECHNIQUES, hide_short_help = true)]
    pub cache: Option<CacheLocation>,

    #[command(flatten)]
    pub protection: ProtectionOptions,
}

fn help_of_scope() -> String {
    let usual = Bounds::default().scope;
    format!("Objects of each class, with the root: 3, or 2,Node=5 [default: {usual}]")
}

impl ShapesOptions {
    /// All of the search but when it ends.
    pub fn config(&self) -> Result<Config, OptionError> {
        let mut ranges = Ranges::default();
        for FieldRange { field, values } in &self.range {
            match field {
                Some(field) if ranges.named.iter().any(|(known, _)| known == field) => {
                    return Err(OptionError::TwoRanges { field: field.clone() });
                }
                Some(field) => ranges.named.push((field.clone(), *values)),
                None if ranges.others.is_some() => {
                    return Err(OptionError::TwoRangesOfAll);
                }
                None => ranges.others = Some(*values),
            }
        }
        let config = config(&self.common, &self.bounds, &self.specifications, &self.limits);
        Ok(config.with(|config| config.valid.values = self.values.then_some(ranges)))
    }
}

impl BoundsOptions {
    /// All of the search but when it ends.
    pub fn config(&self) -> Config {
        let config = config(&self.common, &self.bounds, &self.specifications, &self.limits);
        config.with(|config| config.valid.printed_pieces = self.count_pieces.map(usize::from))
    }
}

fn config(
    common: &CommonOptions,
    bounds: &BoundOptions,
    specifications: &SpecificationOptions,
    limits: &LimitOptions,
) -> Config {
    Config::default().with(|config| {
        config.bounds = bounds.bounds();
        config.limits.memory = Some(common.memory());
        config.contract.invariant = specifications.invariant.clone();
        config.limits.jobs = limits.jobs();
    })
}
