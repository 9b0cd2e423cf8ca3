//! `lazuli specs`: which contracts come with Lazuli, and what do they say?

use clap::Args;

use crate::commands::CommandError;
use crate::commands::shell::print;
use crate::exit::ProcessExit;
use crate::targets::bundled;

#[derive(Args)]
pub(crate) struct SpecsOptions {
    /// The type whose contract is printed, such as java.util.Iterator; without it, all are listed
    pub class: Option<String>,
}

/// Lists the contracts, or prints one.
pub(crate) fn specs(options: &SpecsOptions) -> Result<ProcessExit, CommandError> {
    if let Some(class) = &options.class {
        let text = bundled::text_about(&class.replace('.', "/"));
        return text.map(|text| print(text.as_bytes())).ok_or_else(|| CommandError::NoBundledContract(class.clone()));
    }
    let mut text = String::new();
    for (class, contract) in bundled::FILES {
        let about = contract.lines().find_map(|line| line.strip_prefix("// ")).unwrap_or_default();
        text.push_str(&format!("{:<36} {about}\n", class.replace('/', ".")));
    }
    text.push_str("All of these come with Lazuli; a file of your own about the same type wins (--spec, --source).\n");
    Ok(print(text.as_bytes()))
}
