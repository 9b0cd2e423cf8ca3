//! Why can a cluster not be used?

use crate::wire::{AddressError, WireError};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ClusterError {
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error("the cluster {address}: {error}")]
    Server { address: String, error: WireError },
    #[error(
        "the cluster {address} does not answer any more: {error}; start the server again, and then this check with --resume"
    )]
    Lost { address: String, error: WireError },
    #[error(
        "the workers at {address} have Lazuli {theirs}, and this is Lazuli {ours}; start workers of the same version"
    )]
    OtherVersion { address: String, theirs: String, ours: &'static str },
    #[error("what the server at {0} has under our names was not written by Lazuli")]
    Foreign(String),
    #[error("a thread cannot be started: {0}")]
    NoThread(std::io::Error),
}
