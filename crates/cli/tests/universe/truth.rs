//! Which verdicts does brute force on the JVM give on the methods of a fixture?

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A way to go wrong: an exception and the line of the fixture that it comes from, or "invariant" and no line.
pub type Fault = (String, u32);

/// The first lines of a fixture.
#[derive(Clone)]
pub struct Directives(Vec<String>);

impl Directives {
    pub fn of(source: &str) -> Directives {
        let header = source.lines().map_while(|line| line.strip_prefix("//"));
        Directives(header.map(|line| line.trim().to_string()).collect())
    }

    /// The words of a directive.
    pub fn words(&self, name: &str) -> impl Iterator<Item = &str> {
        let line = self.0.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.unwrap_or_default().split_whitespace()
    }
}

/// Directives for inputs that a verdict may leave out, and the words of the extent that say so.
const LEFT_OUT: [(&str, &str); 2] = [
    ("subtype-array", "with arrays in fields and arrays of exactly their declared types"),
    ("held-receiver", "with a receiver that no static field leads to"),
];

/// The truth about a method.
pub struct Method {
    /// `Outer$Nested.method`
    pub name: String,
    pub valid_inputs: u64,
    /// Are there inputs that were not tried, because there are too many?
    pub is_cut: bool,
    /// Each way in which some valid input goes wrong, with one such input.
    pub faults: BTreeMap<Fault, String>,
    /// Is it known to go wrong, though few runs show that?
    pub goes_wrong: bool,
    /// Can no program make an input that goes wrong?
    pub is_unconfirmed: bool,
    /// The words of an extent that leave out what goes wrong.
    pub left_out_by: Vec<&'static str>,
}

impl Method {
    /// The truth about the methods of one fixture.
    pub fn read(file: &Path, directives: &Directives) -> Result<Vec<Method>, Box<dyn std::error::Error>> {
        let mut methods: Vec<Method> = Vec::new();
        for line in std::fs::read_to_string(file)?.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            match (parts.as_slice(), methods.last_mut()) {
                (["target", title, valid, _, cut], _) => {
                    let name = title.split('(').next().unwrap_or_default().to_string();
                    let is_among =
                        |directive| directives.words(directive).any(|known| name.ends_with(&format!(".{known}")));
                    methods.push(Method {
                        valid_inputs: valid.parse()?,
                        is_cut: *cut == "cut",
                        faults: BTreeMap::new(),
                        goes_wrong: is_among("goes-wrong"),
                        is_unconfirmed: is_among("unconfirmed"),
                        left_out_by: LEFT_OUT
                            .into_iter()
                            .filter(|(directive, _)| {
                                is_among(directive) || directives.words(directive).any(|known| known == "all")
                            })
                            .map(|(_, words)| words)
                            .collect(),
                        name,
                    });
                }
                (["fault", kind, line, example], Some(method)) => {
                    method.faults.insert((kind.to_string(), line.parse()?), example.to_string());
                }
                (["shapes" | "bound", ..], _) => {}
                _ => return Err(format!("{}: {line}", file.display()).into()),
            }
        }
        Ok(methods)
    }
}

/// The number of valid objects of a fixture that differ in more than numbers, where it asks for that.
pub fn shapes(file: &Path) -> Result<u64, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(file)?;
    let count = text.lines().find_map(|line| line.strip_prefix("shapes\t")).ok_or("shapes were not counted")?;
    Ok(count.parse()?)
}

/// The pairs of objects that a field connects: its name, the number of its owner, and the number or name of its target.
pub type Pair = (String, String, String);

/// The pairs that occur in some valid object of a fixture, where it asks for that.
pub fn bounds(file: &Path) -> Result<BTreeSet<Pair>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(file)?;
    let pairs = text.lines().filter_map(|line| line.strip_prefix("bound\t")).map(|line| {
        let mut parts = line.split('\t').map(str::to_string);
        let pair = parts.next().zip(parts.next()).zip(parts.next());
        pair.map(|((field, owner), target)| (field, owner, target)).ok_or_else(|| format!("no pair: {line}"))
    });
    Ok(pairs.collect::<Result<_, String>>()?)
}

/// Where the fixtures are.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/universe")
}

/// Tries every input of fixtures, which are source files and directories for their classes, in one JVM. Each gets a directory of its own, so that none
/// sees the classes of others, and the truth about it beside that.
pub fn enumerate(scratch: &Path, fixtures: &[(PathBuf, PathBuf)]) -> Result<(), Box<dyn std::error::Error>> {
    // The enumerator sets the components of records, which only the JDK itself may do.
    const EXPORT: &str = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";
    // Short programs end sooner without optimisation and without threads that collect garbage.
    const QUICK_COMPILER: [&str; 4] = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-nowarn", "-Xlint:none"];
    if fixtures.is_empty() {
        return Ok(());
    }
    let (all, tools) = (scratch.join("all"), scratch.join("tools"));
    if !tools.exists() {
        let support = std::fs::read_dir(root().join("support"))?.flatten().map(|file| file.path());
        let shared = ["Choices.java", "Domain.java"].map(|name| root().join("../check/support").join(name));
        run(Command::new("javac").args(QUICK_COMPILER).args([EXPORT, "-d"]).arg(&tools).args(support).args(shared))?;
    }
    let sources = fixtures.iter().map(|(source, _)| source);
    run(Command::new("javac").args(QUICK_COMPILER).args(["-g", "-parameters", "-d"]).arg(&all).args(sources))?;
    for file in std::fs::read_dir(&all)?.flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        let outermost = name.split(['.', '$']).next().unwrap_or_default();
        std::fs::create_dir_all(scratch.join(outermost))?;
        std::fs::rename(file.path(), scratch.join(outermost).join(&name))?;
    }
    // Better compiled code loses the lines of exceptions that are thrown often.
    let mut java = Command::new("java");
    java.args(["-ea", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-OmitStackTraceInFastThrow", EXPORT, "-cp"])
        .arg(&tools);
    java.arg("Enumerate").arg(scratch);
    for (source, classes) in fixtures {
        java.arg(source).arg(classes);
    }
    run(&mut java)
}

fn run(command: &mut Command) -> Result<(), Box<dyn std::error::Error>> {
    let output = command.output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
    }
}
