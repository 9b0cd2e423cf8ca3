//! Is everything that Lazuli depends on allowed by `deny.toml`?
//!
//! `cargo deny` knows more, but is not installed everywhere. Licences, bans and sources are checked here, from what cargo itself tells.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All packages that are compiled for this machine.
fn packages() -> Vec<Value> {
    let rustc = Command::new("rustc").arg("-vV").output().expect("rustc is installed");
    let told = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let host = told.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host").to_string();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version", "1", "--filter-platform", &host])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    metadata["packages"].as_array().expect("there are packages").clone()
}

fn rules() -> toml::Table {
    std::fs::read_to_string(root().join("deny.toml")).expect("it is there").parse().expect("it is TOML")
}

fn texts<'a>(rules: &'a toml::Table, part: &str, name: &str) -> Vec<&'a str> {
    rules[part][name].as_array().expect("a list").iter().filter_map(|item| item.as_str()).collect()
}

/// Is an SPDX expression satisfied by the licences? `OR` binds less than `AND`; older crates write `/` for `OR`.
fn is_licensed(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let is_satisfied = any(&words, &mut at, allowed);
    assert_eq!(at, words.len(), "no SPDX expression: {expression}");
    is_satisfied
}

fn any(words: &[&str], at: &mut usize, allowed: &[&str]) -> bool {
    let mut is_satisfied = all(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        is_satisfied |= all(words, at, allowed);
    }
    is_satisfied
}

fn all(words: &[&str], at: &mut usize, allowed: &[&str]) -> bool {
    let mut is_satisfied = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        is_satisfied &= one(words, at, allowed);
    }
    is_satisfied
}

fn one(words: &[&str], at: &mut usize, allowed: &[&str]) -> bool {
    if words[*at] == "(" {
        *at += 1;
        let is_satisfied = any(words, at, allowed);
        assert_eq!(words.get(*at), Some(&")"), "{words:?}");
        *at += 1;
        return is_satisfied;
    }
    let mut licence = words[*at].to_string();
    *at += 1;
    if words.get(*at) == Some(&"WITH") {
        licence = format!("{licence} WITH {}", words[*at + 1]);
        *at += 2;
    }
    allowed.contains(&licence.as_str())
}

#[test]
fn expressions_of_licences_are_understood() {
    let allowed = ["MIT", "Apache-2.0 WITH LLVM-exception"];
    for expression in
        ["MIT", "GPL-3.0 OR MIT", "GPL-3.0/MIT", "(GPL-3.0 OR MIT) AND MIT", "Apache-2.0 WITH LLVM-exception"]
    {
        assert!(is_licensed(expression, &allowed), "{expression}");
    }
    for expression in ["GPL-3.0", "MIT AND GPL-3.0", "GPL-3.0 OR MIT AND GPL-2.0", "Apache-2.0"] {
        assert!(!is_licensed(expression, &allowed), "{expression}");
    }
}

#[test]
fn licences_sources_and_bans_are_kept() {
    let rules = rules();
    let allowed = texts(&rules, "licenses", "allow");
    let registries = texts(&rules, "sources", "allow-registry");
    let banned: Vec<&str> =
        rules["bans"]["deny"].as_array().expect("a list").iter().filter_map(|ban| ban["crate"].as_str()).collect();
    let packages = packages();
    assert!(packages.len() > 50, "only {} packages", packages.len());
    for package in &packages {
        let name = package["name"].as_str().expect("a package has a name");
        let licence = package["license"].as_str().unwrap_or_else(|| panic!("{name} names no licence"));
        assert!(is_licensed(licence, &allowed), "{name} is licensed as {licence}, which deny.toml does not allow");
        assert!(!banned.contains(&name), "{name} is banned by deny.toml");
        if let Some(source) = package["source"].as_str() {
            let is_known = registries.iter().any(|registry| source == format!("registry+{registry}"));
            assert!(is_known, "{name} comes from {source}");
        }
    }
}

#[test]
fn the_rust_version_is_that_of_the_newest_dependency() {
    let number = |text: &str| text.split('.').map(|part| part.parse::<u32>().unwrap_or(0)).collect::<Vec<u32>>();
    let packages = packages();
    let (ours, others): (Vec<&Value>, Vec<&Value>) = packages.iter().partition(|package| package["source"].is_null());
    for own in &ours {
        let version = own["rust_version"].as_str().unwrap_or_else(|| panic!("{} has no rust-version", own["name"]));
        for other in &others {
            let wanted = other["rust_version"].as_str().unwrap_or("1.0");
            assert!(number(wanted) <= number(version), "{} needs Rust {wanted}", other["name"]);
        }
    }
    assert!(!root().join("rust-toolchain.toml").exists() && !root().join("rust-toolchain").exists());
}
