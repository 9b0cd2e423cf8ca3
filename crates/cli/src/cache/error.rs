//! Why can the cache not be used? None of it changes a result: the run goes on without the cache.

use std::path::PathBuf;

use crate::provenance::ProvenanceError;
use crate::wire::{AddressError, WireError};

#[derive(Debug, thiserror::Error)]
pub(crate) enum CacheError {
    #[error("there is none")]
    None,
    #[error("neither XDG_CACHE_HOME nor HOME says where it is; give --cache DIR")]
    Homeless,
    #[error(transparent)]
    Directory(std::io::Error),
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: std::io::Error },
    #[error("{} was written by another version of Lazuli, or damaged; `lazuli cache clear` deletes it", .0.display())]
    OtherFormat(PathBuf),
    #[error("another process has locked {}", .0.display())]
    Locked(PathBuf),
    #[error(transparent)]
    Server(#[from] WireError),
    #[error(transparent)]
    Provenance(#[from] ProvenanceError),
    #[error("no thread starts: {0}")]
    NoThread(std::io::Error),
    #[error("it takes too long to write")]
    SlowWrite,
    #[error("it takes too long to answer")]
    SlowRead,
    #[error("class files are being changed while they are checked")]
    ChangingClasses,
}

/// Why there is less in the cache than was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CacheDamage {
    #[error("the end of {} is missing", .0.display())]
    Torn(PathBuf),
    #[error("a part of {0} was changed")]
    Changed(String),
}

/// Why a text names no cache.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LocationError {
    #[error("write a directory, rediss://HOST, or none")]
    Empty,
    #[error(transparent)]
    Address(#[from] AddressError),
}
