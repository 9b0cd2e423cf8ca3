//! `lazuli cache`: shows the size and the location of the cache, or clears it.

use clap::{Args, ValueEnum};
use lazuli_console::numbers::count;
use lazuli_console::visible::tell;

use crate::cache::frame::{self, BOUNDS, CHECKS, VERDICTS};
use crate::cache::{CacheError, CacheLocation, open};
use crate::exit::ProcessExit;
use crate::report::output::ReportOutput;
use crate::wire::ProtectionOptions;

#[derive(Args)]
pub(crate) struct CacheOptions {
    /// Show what is kept, or delete it
    #[arg(value_enum, default_value_t = CacheAction::Show)]
    pub action: CacheAction,

    /// Where it is: a directory, or rediss://HOST[:PORT]
    /// [default: $XDG_CACHE_HOME/lazuli or ~/.cache/lazuli]
    #[arg(long, value_name = "WHERE")]
    pub cache: Option<CacheLocation>,

    #[command(flatten)]
    pub protection: ProtectionOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CacheAction {
    /// Say where it is, and how much is in it
    Show,
    /// Delete all that Lazuli keeps there
    Clear,
}

pub(crate) fn run(options: &CacheOptions) -> ProcessExit {
    let place = match options.cache.as_ref().map(|place| place.protected(&options.protection)).transpose() {
        Ok(place) => place.unwrap_or_else(CacheLocation::usual),
        Err(error) => {
            tell!("{error}");
            return ProcessExit::WrongRequest;
        }
    };
    let result = match (&place, options.action) {
        (CacheLocation::None, _) => Ok("no cache\n".to_string()),
        (CacheLocation::Directory(path), _) if !path.exists() => Ok(format!("cache {place}: nothing is there\n")),
        (_, CacheAction::Show) => show(&place),
        (_, CacheAction::Clear) => clear(&place),
    };
    match result {
        Ok(text) => {
            let is_printed = ReportOutput::open(None).is_ok_and(|mut output| output.print(&text));
            ProcessExit::of_completeness(is_printed)
        }
        Err(why) => {
            tell!("the cache {place} cannot be used: {why}.");
            ProcessExit::Incomplete
        }
    }
}

fn show(place: &CacheLocation) -> Result<String, CacheError> {
    let mut store = open(place)?;
    let (mut checks, mut answers, mut bounds, mut tables, mut bytes, mut damaged) = (0, 0, 0, 0, 0, 0);
    for name in store.names()? {
        // One that cannot be read says so only once, and the others can.
        let Ok(contents) = store.read(&name) else {
            damaged += 1;
            continue;
        };
        damaged += contents.damage.is_some() as u64;
        for frame in contents.frames {
            bytes += frame.len();
            match frame::unseal(&name, frame) {
                None => damaged += 1,
                Some(_) if name.starts_with(CHECKS) => checks += 1,
                Some(contents) if name.starts_with(VERDICTS) => answers += frame::count(&contents),
                Some(_) if name.starts_with(BOUNDS) => bounds += 1,
                Some(_) => tables += 1,
            }
        }
    }
    let mut text = format!(
        "cache {place}: {}, {}, {}, {}, {:.1} MB\n",
        count(checks, "verdict", "verdicts"),
        count(answers, "answer about valid objects", "answers about valid objects"),
        count(tables, "table of what fields may refer to", "tables of what fields may refer to"),
        count(bounds, "result of `lazuli bounds`", "results of `lazuli bounds`"),
        bytes as f64 / 1e6
    );
    if damaged > 0 {
        let parts = count(damaged, "part is", "parts are");
        text.push_str(&format!(
            "  {parts} damaged, or of another version, and not used; `lazuli cache clear` deletes all.\n"
        ));
    }
    Ok(text)
}

fn clear(place: &CacheLocation) -> Result<String, CacheError> {
    let mut store = open(place)?;
    let names = store.names()?;
    for name in &names {
        store.remove(name)?;
    }
    Ok(format!("cache {place}: {} deleted\n", count(names.len() as u64, "entry", "entries")))
}
