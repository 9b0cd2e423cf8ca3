//! Does the book tell the truth?
//!
//! Every page of `docs/src`, and README.md, is one test: its commands run in a scratch directory, and must print what the page says.
//! Other tests hold the reference to the program: options, settings, techniques, fields of JSON. Links must lead somewhere.
//!
//! `cargo test --release --test book -- tutorial` runs one page; `LAZULI_BLESS=1` writes the outputs of commands anew, where they differ.
//! The crate `mdbook-driver` is no dependency: it takes 100 s of CPU time to compile, with 50 further crates, and its licence (MPL-2.0) is not
//! among those of `deny.toml`; installing the program costs as much. Where it is installed, a test builds the book with it, and says otherwise that it
//! was skipped: the other tests hold the book to everything that mdBook would refuse, a page that is missing in the summary or the other way round.

mod console;
mod json;
mod pages;
mod reference;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

fn main() {
    let arguments = Arguments::from_args();
    let pages = pages::all();
    let classes = Arc::new(console::Classes::default());
    let mut trials: Vec<Trial> = Vec::new();
    for page in &pages {
        let (path, classes) = (page.clone(), classes.clone());
        trials.push(Trial::test(format!("page {}", pages::name(page)), move || console::run(&path, &classes)));
    }
    let shared = classes.clone();
    let json = move || json::fields(&shared).map_err(Failed::from);
    trials.push(Trial::test("every field of JSON is in the reference", json));
    let mut add = |name: &str, test: fn() -> Result<(), String>| {
        trials.push(Trial::test(name, move || test().map_err(Failed::from)));
    };
    add("outputs are compared", console::comparison);
    add("summary names every page", pages::summary_names_every_page);
    add("links lead somewhere", pages::links_lead_somewhere);
    add("mdBook builds the book", pages::mdbook_builds_it);
    add("the readme is short", pages::readme_is_short);
    add("every option is in the reference", reference::options);
    add("every command is in the reference", reference::commands);
    add("every setting is in the reference", reference::settings);
    add("every technique is in the reference", reference::techniques);
    add("the short help fits one screen", reference::short_help);
    libtest_mimic::run(&arguments, trials).exit();
}
