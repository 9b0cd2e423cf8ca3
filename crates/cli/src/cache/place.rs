//! Where is the cache?

use std::ffi::OsString;
use std::fmt::{Display, Formatter};
use std::path::PathBuf;
use std::str::FromStr;

use redis::IntoConnectionInfo;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nobody wants one.
    None,
    /// Nobody said where, and there is no directory for such things.
    Homeless,
    Directory(PathBuf),
    /// A Redis or Valkey server, by its address.
    Server(String),
}

impl Place {
    /// Where it is if nobody says.
    pub fn usual() -> Place {
        Place::below(std::env::var_os("XDG_CACHE_HOME"), std::env::var_os("HOME"))
    }

    /// Does the text name a directory, and not something else?
    pub fn is_directory(text: &str) -> bool {
        text != "none" && !text.contains("://")
    }

    fn below(caches: Option<OsString>, home: Option<OsString>) -> Place {
        // As the specification of these variables demands, a path that is not absolute counts for nothing.
        let absolute = |path: Option<OsString>| path.map(PathBuf::from).filter(|path| path.is_absolute());
        let caches = absolute(caches).or_else(|| Some(absolute(home)?.join(".cache")));
        caches.map_or(Place::Homeless, |caches| Place::Directory(caches.join("lazuli")))
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        if text.is_empty() {
            return Err("write a directory, redis://HOST, or none".to_string());
        }
        if text == "none" {
            return Ok(Place::None);
        }
        if Place::is_directory(text) {
            return Ok(Place::Directory(text.into()));
        }
        text.into_connection_info()
            .map_err(|_| "write redis://HOST[:PORT][/DATABASE]; connections are not encrypted here".to_string())?;
        Ok(Place::Server(text.to_string()))
    }
}

/// An address may have a password in it, which nobody wants to see in a log.
impl Display for Place {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        match self {
            Place::None => formatter.write_str("none"),
            Place::Homeless => formatter.write_str("of this user"),
            Place::Directory(path) => path.display().fmt(formatter),
            Place::Server(address) => match address.as_str().into_connection_info() {
                Ok(address) => write!(formatter, "redis://{}", address.addr()),
                Err(_) => formatter.write_str("on a server"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_directories_servers_or_none() {
        assert_eq!("none".parse(), Ok(Place::None));
        assert_eq!("a/b".parse(), Ok(Place::Directory("a/b".into())));
        assert_eq!("redis://h:7/1".parse(), Ok(Place::Server("redis://h:7/1".to_string())));
        for wrong in ["", "http://h", "redis://:::", "rediss://h"] {
            assert!(wrong.parse::<Place>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_usual_place_is_that_of_the_user() {
        let below = |caches: &str, home: &str| Place::below(Some(caches.into()), Some(home.into()));
        assert_eq!(below("/x", "/home/a"), Place::Directory("/x/lazuli".into()));
        assert_eq!(below("", "/home/a"), Place::Directory("/home/a/.cache/lazuli".into()));
        assert_eq!(below("relative", ""), Place::Homeless);
        assert_eq!(Place::below(None, None), Place::Homeless);
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = "redis://somebody:secret@host:6379/2".parse::<Place>().unwrap().to_string();
        assert_eq!(shown, "redis://host:6379");
    }
}
