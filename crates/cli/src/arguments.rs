//! What can be asked for on the command line?

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

/// Checks Java code that lives on the heap against every valid input up to a bound.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Run a main method in Lazuli's interpreter, with the output and exit code that `java` would have
    Run(RunOptions),
}

#[derive(Args)]
pub struct RunOptions {
    /// Directories of classes, and jars, separated by `:`; `-cp PATH` as with `java` works too
    #[arg(long = "class-path", visible_alias = "cp", value_name = "PATH", default_value = ".")]
    pub class_path: String,

    /// Frames on the stack before a StackOverflowError
    #[arg(long, value_name = "N", default_value_t = 11000)]
    pub depth: usize,

    /// Size of the Java heap before an OutOfMemoryError, such as 512m or 2g
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "1g")]
    pub heap: usize,

    /// Memory that the whole run may use before it is ended [default: half of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<usize>,

    /// Time after which the run is ended, such as 500ms, 60s or 5m [default: none]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,

    /// The class whose main method is run, such as pkg.Main
    pub class: String,

    /// Arguments for the program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<String>,
}

/// Accepts `-cp` and `-classpath` as `java` spells them, up to the first word that is no option: what follows is the program's.
pub fn with_java_spelling(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut spelled: Vec<OsString> = Vec::new();
    let mut is_value = false;
    let mut is_programs = false;
    for (index, argument) in arguments.enumerate() {
        let text = argument.to_string_lossy().into_owned();
        if index < 2 || is_programs || is_value {
            is_value = false;
            spelled.push(argument);
            continue;
        }
        if !text.starts_with('-') {
            is_programs = spelled.get(1).is_some_and(|command| command == "run");
            spelled.push(argument);
            continue;
        }
        let is_java = matches!(text.as_str(), "-cp" | "-classpath");
        is_value = is_java || (text.starts_with("--") && !text.contains('='));
        spelled.push(if is_java { "--class-path".into() } else { argument });
    }
    spelled
}

impl RunOptions {
    pub fn class_path(&self) -> Vec<PathBuf> {
        self.class_path.split(':').filter(|entry| !entry.is_empty()).map(PathBuf::from).collect()
    }
}

/// A number with a unit: `512m`, `2g`.
fn size(text: &str) -> Result<usize, String> {
    let lower = text.to_lowercase();
    let digits = lower.trim_end_matches('b').trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match lower.trim_end_matches('b').trim_start_matches(|letter: char| letter.is_ascii_digit()) {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        _ => 0,
    };
    let number: usize = digits.parse().map_err(|_| "write a size such as 512m or 2g".to_string())?;
    number.checked_mul(unit).filter(|bytes| *bytes > 0).ok_or_else(|| "write a size such as 512m or 2g".to_string())
}

/// A number with a unit: `500ms`, `60s`, `5m`, `1h`. Seconds without one.
fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("write a time such as 500ms, 60s or 5m".to_string()),
    };
    let number: f64 = number.parse().map_err(|_| "write a time such as 500ms, 60s or 5m".to_string())?;
    Duration::try_from_secs_f64(number * factor).map_err(|_| "write a time such as 500ms, 60s or 5m".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("512m"), Ok(512 << 20));
        assert_eq!(size("2GB"), Ok(2 << 30));
        assert_eq!(size("100"), Ok(100));
        for wrong in ["", "g", "-1g", "1.5g", "1x", "0", "99999999999g"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn java_spelling_ends_where_the_program_begins() {
        let spell = |words: &str| {
            let spelled = with_java_spelling(words.split(' ').map(OsString::from));
            spelled.into_iter().map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(spell("lazuli run -cp a Main -cp b"), "lazuli run --class-path a Main -cp b");
        assert_eq!(spell("lazuli run --heap 1g -classpath a Main x"), "lazuli run --heap 1g --class-path a Main x");
        assert_eq!(spell("lazuli run --heap=1g -cp -cp Main"), "lazuli run --heap=1g --class-path -cp Main");
    }

    #[test]
    fn times_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "s", "-1s", "1y", "nan"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
