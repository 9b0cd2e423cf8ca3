//! How does a shell complete commands, and `man` show a page?

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use lazuli_console::visible::tell;

use crate::arguments::Arguments;
use crate::exit::ProcessExit;

#[derive(Args)]
pub(crate) struct CompletionsOptions {
    /// The shell
    pub shell: Shell,
}

pub(crate) fn completions(options: CompletionsOptions) -> ProcessExit {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Arguments::command(), "lazuli", &mut script);
    print(&script)
}

/// One page about all commands, so that there is one file to install.
pub(crate) fn man() -> ProcessExit {
    print(&page())
}

fn page() -> Vec<u8> {
    let mut command = Arguments::command();
    command.build();
    let mut page = Vec::new();
    let man = Man::new(command.clone());
    // Writing to memory does not fail.
    let _ = man.render_title(&mut page).and_then(|()| man.render_name_section(&mut page));
    let _ = man.render_synopsis_section(&mut page).and_then(|()| man.render_options_section(&mut page));
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        // An option that `-h` leaves out would have no text here.
        let man = Man::new(sub.clone().mut_args(|option| option.hide_short_help(false)));
        let mut section = Vec::new();
        let _ = man.render_description_section(&mut section).and_then(|()| man.render_options_section(&mut section));
        // Groups of options are sections of a page of their own; here they belong to the command.
        let section = String::from_utf8_lossy(&section).replace("\n.SH ", "\n.SS ");
        let _ = write!(page, ".SH \"LAZULI {}\"\n{section}", sub.get_name().to_uppercase());
    }
    page
}

pub(super) fn print(bytes: &[u8]) -> ProcessExit {
    match std::io::stdout().write_all(bytes) {
        Ok(()) => ProcessExit::Success,
        // The reader closed the pipe.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ProcessExit::Success,
        Err(error) => {
            tell!("it cannot be printed: {error}");
            ProcessExit::Incomplete
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_about_every_command() {
        let page = String::from_utf8(page()).unwrap();
        for expected in
            ["LAZULI CHECK", "LAZULI SHAPES", "LAZULI INIT", "\\-\\-scope", "\\-\\-resume", "\n.SS \"WHAT TO CHECK\""]
        {
            assert!(page.contains(expected), "{expected}");
        }
    }

    #[test]
    fn the_page_has_the_help_of_every_option() {
        let page = String::from_utf8(page()).unwrap();
        let lines: Vec<&str> = page.lines().collect();
        // Behind `.TP` stand the names of an option, and behind these its help.
        let options: Vec<&[&str]> = lines.windows(3).filter(|lines| lines[0] == ".TP").collect();
        assert!(options.len() > 100, "{}", options.len());
        for option in options {
            assert!(!option[2].is_empty() && !option[2].starts_with('.'), "{} has no help", option[1]);
        }
    }
}
