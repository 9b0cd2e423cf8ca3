//! Is the server the one that was meant, and is what travels hidden from others?

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use super::{TimedSocket, WireError};

/// An encrypted connection.
pub(super) type Encrypted = StreamOwned<ClientConnection, TimedSocket>;

/// Greets a server, which must be certified for its name by one of these certificates, or by those of the system.
pub(super) fn greet(mut socket: TimedSocket, host: &str, ca: Option<&Path>) -> Result<Encrypted, WireError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(|error| WireError::Encryption(error.to_string()))?;
    let config = config.with_root_certificates(authorities(ca)?).with_no_client_auth();
    let name = ServerName::try_from(host.to_string()).map_err(|_| WireError::Address)?;
    let connection = ClientConnection::new(Arc::new(config), name);
    let mut connection = connection.map_err(|error| WireError::Encryption(error.to_string()))?;
    while connection.is_handshaking() {
        connection.complete_io(&mut socket).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => WireError::Encryption(error.to_string()),
            // A server that speaks without encryption ends the connection, or waits for more.
            _ => WireError::Encryption(format!("{error}; it may speak without encryption only")),
        })?;
    }
    Ok(StreamOwned::new(connection, socket))
}

fn authorities(ca: Option<&Path>) -> Result<RootCertStore, WireError> {
    let mut known = RootCertStore::empty();
    match ca {
        Some(path) => {
            let unusable = |why: String| WireError::Authorities { path: path.to_path_buf(), why };
            let found = CertificateDer::pem_file_iter(path).map_err(|error| unusable(error.to_string()))?;
            for certificate in found {
                let certificate = certificate.map_err(|error| unusable(error.to_string()))?;
                known.add(certificate).map_err(|error| unusable(error.to_string()))?;
            }
            if known.is_empty() {
                return Err(unusable("there is no certificate in it".to_string()));
            }
        }
        // Some that cannot be read are no reason not to use the others.
        None => drop(known.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)),
    }
    if known.is_empty() {
        return Err(WireError::NoAuthorities);
    }
    Ok(known)
}

/// Sends all that was written.
pub(super) fn send(stream: &mut Encrypted, piece: &[u8]) -> std::io::Result<()> {
    stream.write_all(piece)?;
    stream.flush()
}
