//! Where is the server of a cluster, and may pieces travel there?

use std::fmt::{Display, Formatter};
use std::net::ToSocketAddrs;
use std::str::FromStr;

use redis::{ConnectionAddr, IntoConnectionInfo};

use super::ClusterError;

/// The address of a server. It may have a password in it, which is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ClusterAddress(String);

impl ClusterAddress {
    /// With the password, for the connection alone.
    pub(super) fn secret(&self) -> &str {
        &self.0
    }

    /// Refuses a server elsewhere, unless the user trusts the network.
    pub(crate) fn trusted(&self, is_insecure: bool) -> Result<(), ClusterError> {
        let info = self.0.as_str().into_connection_info().map_err(|_| ClusterError::Address)?;
        let ConnectionAddr::Tcp(host, port) = info.addr() else { return Ok(()) };
        // A name that leads to several addresses must lead to this machine alone.
        let mut places = (host.as_str(), *port).to_socket_addrs().map_err(|_| ClusterError::NotLoopback(host.clone()));
        let is_here = places.as_mut().is_ok_and(|places| places.all(|place| place.ip().is_loopback()));
        if is_here || is_insecure { Ok(()) } else { Err(ClusterError::NotLoopback(host.clone())) }
    }
}

impl FromStr for ClusterAddress {
    type Err = ClusterError;

    fn from_str(text: &str) -> Result<ClusterAddress, ClusterError> {
        if text.starts_with("rediss://") || text.starts_with("valkeys://") {
            return Err(ClusterError::Encrypted);
        }
        text.into_connection_info().map_err(|_| ClusterError::Address)?;
        Ok(ClusterAddress(text.to_string()))
    }
}

impl Display for ClusterAddress {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        match self.0.as_str().into_connection_info() {
            Ok(info) => write!(formatter, "redis://{}", info.addr()),
            Err(_) => formatter.write_str("a server"),
        }
    }
}

impl std::fmt::Debug for ClusterAddress {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_trusted_without_asking() {
        let trusted = |text: &str, is_insecure| text.parse::<ClusterAddress>().unwrap().trusted(is_insecure);
        assert!(trusted("redis://127.0.0.1:7", false).is_ok());
        assert!(trusted("redis://localhost", false).is_ok());
        assert!(trusted("redis://192.0.2.7", false).unwrap_err().to_string().contains("--insecure"));
        assert!(trusted("redis://192.0.2.7", true).is_ok());
    }

    #[test]
    fn wrong_addresses_say_what_to_write() {
        let refused = |text: &str| text.parse::<ClusterAddress>().unwrap_err().to_string();
        assert!(refused("http://x").contains("redis://"));
        assert!(refused("rediss://host").contains("tunnel"));
        let shown = "redis://:secret@localhost:7/2".parse::<ClusterAddress>().unwrap();
        assert!(!format!("{shown} {shown:?}").contains("secret"));
    }
}
