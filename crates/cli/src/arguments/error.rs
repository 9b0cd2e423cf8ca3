//! Which values and combinations of options are refused, and with which words?

use lazuli_console::units::LARGEST_SCOPE;
use lazuli_explore::technique;

use super::limits::MOST_JOBS;
use crate::cluster::ClusterError;
use crate::wire::AddressError;

/// Why an option, or two of them together, cannot be served. The text says what to write instead.
#[derive(Debug, thiserror::Error)]
pub enum OptionError {
    #[error("write a number from 1 on")]
    NotPositive,
    #[error("write a number, or auto")]
    Unroll,
    #[error("write a number from 0 to {LARGEST_SCOPE}")]
    Length,
    #[error("write a number from 1 to {MOST_JOBS}")]
    Jobs,
    #[error("there are: {}", technique::names().join(", "))]
    Technique,
    #[error("{field} has two ranges; leave one out.")]
    TwoRanges { field: String },
    #[error("two ranges name no field; write --range FIELD=FROM..TO for one of them.")]
    TwoRangesOfAll,
    #[error("write CLASS.FIELD=VALUES, with off, null, a class, or a range such as 0..3 for VALUES")]
    FieldValues,
    #[error("write the places that lead into the region: this, a parameter, or CLASS.FIELD, with commas between them")]
    RegionPlaces,
    #[error("--seed is for --order random; add that, or leave the seed out.")]
    SeedWithoutRandom,
    #[error("{option} speaks of paths, and --engine sat follows none; leave one of the two out.")]
    OfPaths { option: &'static str },
    #[error("--concurrent explores the order of threads, which --engine sat does not; leave one of the two out.")]
    ConcurrentBySat,
    #[error("{option} is for --engine sat; add that, or leave it out.")]
    OfSat { option: &'static str },
    #[error("{option} speaks of methods, and --main checks a whole program; leave one of the two out.")]
    OfMethods { option: &'static str },
    #[error("which cluster? Add `--cluster URL`, the server over which its pieces come.")]
    NoCluster,
    #[error("a report is for `lazuli cluster simulate`; leave it out.")]
    ReportOfCluster,
    #[error(
        "which check? Name a report that `lazuli check --engine sat --format json -o REPORT …` wrote: `lazuli cluster simulate REPORT`."
    )]
    NoReportToSimulate,
    #[error("a witness says nothing of properties: leave --witness or --property out.")]
    WitnessOfProperty,
    #[error("--any-args stands for all arguments of the program; leave it or the words behind `--` out.")]
    TwoArguments,
    #[error("write symmetry, aliasing and invariant, with commas between them, or none")]
    Split,
    #[error("write auto, a time such as 40s, or a number of conflicts")]
    PieceLimit,
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    #[error("--cache: {0}")]
    Cache(#[from] AddressError),
    #[error("--unroll auto is for --engine sat; give a number, or leave it out.")]
    UnrollAuto,
    #[error(
        "--array is for techniques that bound the elements that a path touches; add --technique kiasan, or bound the length of arrays by --k."
    )]
    ArrayOfOthers,
}
