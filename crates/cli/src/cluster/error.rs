//! Why can a cluster not be used?

use crate::wire::WireError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum ClusterError {
    #[error("write redis://[:PASSWORD@]HOST[:PORT][/DATABASE]")]
    Address,
    #[error(
        "connections to a cluster are not encrypted here; go through a tunnel, such as `ssh -L 6379:localhost:6379 HOST`, and write redis://localhost:6379"
    )]
    Encrypted,
    #[error(
        "{0} is not this machine, and pieces of the problem would travel unencrypted; give --insecure if the network is trusted, or go through a tunnel"
    )]
    NotLoopback(String),
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
