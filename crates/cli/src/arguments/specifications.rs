//! What is valid, and what is right? The options that say so.

use std::path::PathBuf;

use clap::Args;

const SPECIFICATIONS: &str = "Specifications (what is valid, and what is right)";

/// Where specifications are, and which method is the invariant: for every command that asks what is valid.
#[derive(Args)]
#[command(next_help_heading = SPECIFICATIONS)]
pub struct SpecificationOptions {
    /// The method that says which objects are valid [default: repOK]
    ///
    /// A method `boolean NAME()`. Without it, `repOK` where a class has that, and what JML says; `jml` takes what JML says alone.
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,

    /// Where the Java sources are: their JML is checked; repeatable
    ///
    /// JML stands in comments. Reports quote the sources, too. Without it, there is no JML from sources, and reports look beside the classes, in src/main/java and in src.
    #[arg(long, value_name = "DIR")]
    pub source: Vec<PathBuf>,

    /// Where .jml files are, such as DIR/java/util/LinkedList.jml; repeatable
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub spec: Vec<PathBuf>,
}

/// The contract of a method that is checked.
#[derive(Args)]
#[command(next_help_heading = SPECIFICATIONS)]
pub struct ContractMethodOptions {
    /// A method that says which arguments the target takes
    ///
    /// A method `boolean NAME(…)` of the target's class, with the target's parameters: inputs for which it is false, or throws, are left
    /// out.
    #[arg(long, value_name = "NAME")]
    pub pre: Option<String>,

    /// A method that says whether the result is right
    ///
    /// It must be true after every normal return. It has the target's parameters and, unless the target is void, the result as an additional last one.
    #[arg(long, value_name = "NAME")]
    pub post: Option<String>,

    /// A method whose contract in JML replaces calls of it, though its code is there: acme.Store.*; repeatable
    ///
    /// Where the code of a method is not there, its contract always does. Its precondition is checked at the call, what it may assign and its result become
    /// unknown, and its postcondition is assumed. The verdict names the contracts that it relies on.
    #[arg(long, value_name = "PATTERN", hide_short_help = true)]
    pub by_contract: Vec<String>,

    /// Check the code that is there of all methods whose contracts may replace calls, too
    #[arg(long, hide_short_help = true)]
    pub check_contracts: bool,

    /// A file with properties that must hold at all times, as automata over calls and other events; repeatable
    ///
    /// `next` never without `hasNext` before it, say, or `close` before the thread ends. The book has the format of the file.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub property: Vec<PathBuf>,

    /// Leave out the check that the invariant holds again after the method
    #[arg(long, hide_short_help = true)]
    pub no_post: bool,

    /// The part of the invariant that is about structure, if two methods `boolean NAME()` make it together
    #[arg(
        long,
        value_name = "NAME",
        requires = "data_invariant",
        conflicts_with = "invariant",
        hide_short_help = true
    )]
    pub heap_invariant: Option<String>,

    /// The part of the invariant that is about data; it is asked only where the other part holds
    #[arg(
        long,
        value_name = "NAME",
        requires = "heap_invariant",
        conflicts_with = "invariant",
        hide_short_help = true
    )]
    pub data_invariant: Option<String>,
}
