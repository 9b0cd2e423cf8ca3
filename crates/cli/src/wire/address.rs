//! Where is a server, and may anything travel there?

use std::fmt::{Display, Formatter};
use std::net::ToSocketAddrs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo};

/// The environment variable that has the password, where the address has none. So it is in no list of processes.
const PASSWORD: &str = "LAZULI_SERVER_PASSWORD";

/// Schemes of encrypted connections, and those of the same addresses without encryption.
const ENCRYPTED: [(&str, &str); 2] = [("rediss://", "redis://"), ("valkeys://", "valkey://")];

/// Why a server is not asked.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AddressError {
    #[error("write rediss://[:PASSWORD@]HOST[:PORT][/DATABASE], or redis:// without encryption")]
    Wrong,
    #[error(
        "{0} is not this machine, and the connection would not be encrypted; write rediss://, or give --insecure if the network is trusted"
    )]
    Unencrypted(String),
    #[error(
        "{0} is not this machine, and its server would be asked without a password; write rediss://:PASSWORD@HOST, set {PASSWORD}, or give --insecure if the network is trusted"
    )]
    NoPassword(String),
}

/// How servers elsewhere are trusted.
#[derive(Args, Clone, Default, Debug)]
pub(crate) struct ProtectionOptions {
    /// Ask servers on other machines without encryption, or without a password
    #[arg(long, hide_short_help = true)]
    pub insecure: bool,

    /// Certificates (PEM) that certify servers at rediss://HOST [default: those of the system]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub ca: Option<PathBuf>,
}

/// The address of a Redis or Valkey server. It may have a password in it, which is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ServerAddress {
    text: String,
    /// The file of the certificates that certify it; none: those of the system.
    ca: Option<PathBuf>,
}

impl ServerAddress {
    /// Refuses a server elsewhere over a connection that others can read, or that asks for no password.
    pub(crate) fn protected(&self, options: &ProtectionOptions) -> Result<ServerAddress, AddressError> {
        let trusted = ServerAddress { text: self.text.clone(), ca: options.ca.clone() };
        let info = self.info().ok_or(AddressError::Wrong)?;
        let ConnectionAddr::Tcp(host, port) = info.addr() else { return Ok(trusted) };
        // A name that leads to several addresses must lead to this machine alone.
        let places = (host.as_str(), *port).to_socket_addrs();
        let is_here = places.is_ok_and(|mut places| places.all(|place| place.ip().is_loopback()));
        match () {
            () if is_here || options.insecure => Ok(trusted),
            () if !self.is_encrypted() => Err(AddressError::Unencrypted(host.clone())),
            () if self.password().is_none() => Err(AddressError::NoPassword(host.clone())),
            () => Ok(trusted),
        }
    }

    pub(super) fn is_encrypted(&self) -> bool {
        ENCRYPTED.iter().any(|(scheme, _)| self.text.starts_with(scheme))
    }

    /// The parts of the address. None if it is none.
    pub(super) fn info(&self) -> Option<ConnectionInfo> {
        let plain =
            ENCRYPTED.iter().find_map(|(scheme, plain)| Some(format!("{plain}{}", self.text.strip_prefix(scheme)?)));
        plain.as_deref().unwrap_or(&self.text).into_connection_info().ok()
    }

    pub(super) fn password(&self) -> Option<String> {
        let written = self.info().and_then(|info| info.redis_settings().password().map(str::to_string));
        written.or_else(|| std::env::var(PASSWORD).ok().filter(|password| !password.is_empty()))
    }

    pub(super) fn ca(&self) -> Option<&Path> {
        self.ca.as_deref()
    }
}

impl FromStr for ServerAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<ServerAddress, AddressError> {
        let address = ServerAddress { text: text.to_string(), ca: None };
        match address.info() {
            // Only a connection over a network is encrypted.
            Some(info) if matches!(info.addr(), ConnectionAddr::Tcp(..)) || !address.is_encrypted() => Ok(address),
            _ => Err(AddressError::Wrong),
        }
    }
}

impl Display for ServerAddress {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        let scheme = if self.is_encrypted() { "rediss" } else { "redis" };
        match self.info() {
            Some(info) => write!(formatter, "{scheme}://{}", info.addr()),
            None => formatter.write_str("a server"),
        }
    }
}

impl std::fmt::Debug for ServerAddress {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_asked_without_encryption_and_password() {
        let asked = |text: &str, insecure| {
            let options = ProtectionOptions { insecure, ca: None };
            text.parse::<ServerAddress>().unwrap().protected(&options).map(drop)
        };
        for here in ["redis://127.0.0.1:7", "redis://localhost", "rediss://127.0.0.1:7", "redis+unix:///tmp/x"] {
            assert_eq!(asked(here, false), Ok(()), "{here}");
        }
        let elsewhere = || "192.0.2.7".to_string();
        assert_eq!(asked("redis://192.0.2.7", false), Err(AddressError::Unencrypted(elsewhere())));
        assert_eq!(asked("redis://:secret@192.0.2.7", false), Err(AddressError::Unencrypted(elsewhere())));
        assert_eq!(asked("rediss://192.0.2.7", false), Err(AddressError::NoPassword(elsewhere())));
        assert_eq!(asked("rediss://:secret@192.0.2.7", false), Ok(()));
        assert_eq!(asked("redis://192.0.2.7", true), Ok(()));
    }

    #[test]
    fn wrong_addresses_say_what_to_write_and_passwords_are_not_shown() {
        for wrong in ["http://x", "rediss:///tmp/x", "rediss://", "redis://:::"] {
            let refused = wrong.parse::<ServerAddress>().map(|_| wrong).unwrap_err();
            assert!(refused.to_string().contains("rediss://"));
        }
        let shown = "rediss://:secret@localhost:7/2".parse::<ServerAddress>().unwrap();
        assert_eq!(format!("{shown} {shown:?}"), "rediss://localhost:7 rediss://localhost:7");
    }
}
