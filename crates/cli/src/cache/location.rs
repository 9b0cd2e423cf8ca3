//! Where is the cache?

use std::ffi::OsString;
use std::fmt::{Display, Formatter};
use std::path::PathBuf;
use std::str::FromStr;

use super::error::LocationError;
use crate::wire::{AddressError, ProtectionOptions, ServerAddress};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CacheLocation {
    /// Without a cache.
    None,
    /// The default, where the user has no directory for caches.
    Homeless,
    Directory(PathBuf),
    /// A Redis or Valkey server, by its address.
    Server(ServerAddress),
}

impl CacheLocation {
    /// The default location.
    pub(crate) fn usual() -> CacheLocation {
        CacheLocation::below(std::env::var_os("XDG_CACHE_HOME"), std::env::var_os("HOME"))
    }

    /// Does the text name a directory, and not something else?
    pub(crate) fn is_directory(text: &str) -> bool {
        text != "none" && !text.contains("://")
    }

    /// Refuses a server elsewhere that is not protected.
    pub(crate) fn protected(&self, options: &ProtectionOptions) -> Result<CacheLocation, AddressError> {
        match self {
            CacheLocation::Server(address) => address.protected(options).map(CacheLocation::Server),
            other => Ok(other.clone()),
        }
    }

    fn below(caches: Option<OsString>, home: Option<OsString>) -> CacheLocation {
        // As the specification of these variables demands, a path that is not absolute counts for nothing.
        let absolute = |path: Option<OsString>| path.map(PathBuf::from).filter(|path| path.is_absolute());
        let caches = absolute(caches).or_else(|| Some(absolute(home)?.join(".cache")));
        caches.map_or(CacheLocation::Homeless, |caches| CacheLocation::Directory(caches.join("lazuli")))
    }
}

impl FromStr for CacheLocation {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<CacheLocation, LocationError> {
        if text.is_empty() {
            return Err(LocationError::Empty);
        }
        if text == "none" {
            return Ok(CacheLocation::None);
        }
        if CacheLocation::is_directory(text) {
            return Ok(CacheLocation::Directory(text.into()));
        }
        Ok(CacheLocation::Server(text.parse()?))
    }
}

/// An address may have a password in it, which must not be in a log.
impl Display for CacheLocation {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        match self {
            CacheLocation::None => formatter.write_str("none"),
            CacheLocation::Homeless => formatter.write_str("of this user"),
            CacheLocation::Directory(path) => path.display().fmt(formatter),
            CacheLocation::Server(address) => address.fmt(formatter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_directories_servers_or_none() {
        assert_eq!("none".parse(), Ok(CacheLocation::None));
        assert_eq!("a/b".parse(), Ok(CacheLocation::Directory("a/b".into())));
        for server in ["redis://h:7/1", "rediss://h"] {
            assert_eq!(server.parse(), Ok(CacheLocation::Server(server.parse().unwrap())));
        }
        for wrong in ["", "http://h", "redis://:::"] {
            assert!(wrong.parse::<CacheLocation>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_usual_place_is_that_of_the_user() {
        let below = |caches: &str, home: &str| CacheLocation::below(Some(caches.into()), Some(home.into()));
        assert_eq!(below("/x", "/home/a"), CacheLocation::Directory("/x/lazuli".into()));
        assert_eq!(below("", "/home/a"), CacheLocation::Directory("/home/a/.cache/lazuli".into()));
        assert_eq!(below("relative", ""), CacheLocation::Homeless);
        assert_eq!(CacheLocation::below(None, None), CacheLocation::Homeless);
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = "redis://user:secret@host:6379/2".parse::<CacheLocation>().unwrap().to_string();
        assert_eq!(shown, "redis://host:6379");
    }
}
