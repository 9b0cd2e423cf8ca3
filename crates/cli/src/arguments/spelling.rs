//! Which words of `java` does the command line understand?

use std::ffi::OsString;

use clap::CommandFactory;

use super::Arguments;

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
        let command = spelled.get(1).map(|command| command.to_string_lossy().into_owned()).unwrap_or_default();
        if !text.starts_with('-') {
            is_programs = command == "run";
            spelled.push(argument);
            continue;
        }
        let is_java = matches!(text.as_str(), "-cp" | "-classpath");
        is_value = is_java || (text.starts_with("--") && !text.contains('=') && !is_flag(&command, &text[2..]));
        spelled.push(if is_java { "--class-path".into() } else { argument });
    }
    spelled
}

/// Is this an option without a value?
fn is_flag(command: &str, option: &str) -> bool {
    let known = Arguments::command();
    let command = known.find_subcommand(command);
    let argument = command.and_then(|command| command.get_arguments().find(|known| known.get_long() == Some(option)));
    argument.is_some_and(|argument| !argument.get_action().takes_values())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn java_spelling_ends_where_the_program_begins() {
        let spell = |words: &str| {
            let spelled = with_java_spelling(words.split(' ').map(OsString::from));
            spelled.into_iter().map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(spell("lazuli run -cp a Main -cp b"), "lazuli run --class-path a Main -cp b");
        assert_eq!(spell("lazuli run --heap 1g -classpath a Main x"), "lazuli run --heap 1g --class-path a Main x");
        assert_eq!(spell("lazuli run --heap=1g -cp -cp Main"), "lazuli run --heap=1g --class-path -cp Main");
        assert_eq!(spell("lazuli check A.f --paths -cp a"), "lazuli check A.f --paths --class-path a");
        assert_eq!(spell("lazuli check --k 3 -cp a B -o f"), "lazuli check --k 3 --class-path a B -o f");
    }
}
