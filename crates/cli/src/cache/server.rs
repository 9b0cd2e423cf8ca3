//! How is a cache kept on a Redis or Valkey server, where people and machines share it?
//!
//! Each name is a list of frames, to which runs add at its end. The server forgets a list that has not grown for a month.

use super::{CacheError, MOST_BYTES, Store, StoredFrames};
use crate::wire::{Reply, SMALL, ServerAddress, Wire, WireError};

/// The prefix of Lazuli's names on the server. The number changes with the format.
const PREFIX: &str = "lazuli:1:";

/// Frames that are read in one go.
const PAGE: usize = 8;

/// More of our names than any cache has.
const MOST_NAMES: usize = 100_000;

const MONTH: &[u8] = b"2592000";

pub(super) struct ServerStore {
    wire: Wire,
}

impl ServerStore {
    pub(super) fn open(address: &ServerAddress) -> Result<ServerStore, CacheError> {
        Ok(ServerStore { wire: Wire::open(address)? })
    }

    fn scan(&mut self) -> Result<Vec<String>, WireError> {
        let pattern = format!("{PREFIX}*");
        let mut names: Vec<String> = Vec::new();
        let mut cursor = b"0".to_vec();
        loop {
            let reply = self.wire.ask(&[b"SCAN", &cursor, b"MATCH", pattern.as_bytes(), b"COUNT", b"1000"], SMALL)?;
            let Reply::List(parts) = reply else { return Err(WireError::Nonsense) };
            let Ok([Reply::Bytes(next), Reply::List(found)]) = <[Reply; 2]>::try_from(parts) else {
                return Err(WireError::Nonsense);
            };
            for name in found {
                let Reply::Bytes(name) = name else { return Err(WireError::Nonsense) };
                names.extend(String::from_utf8_lossy(&name).strip_prefix(PREFIX).map(str::to_string));
            }
            // A server without an end would be asked for ever.
            if names.len() > MOST_NAMES {
                return Err(WireError::TooLarge);
            }
            if next == b"0" {
                return Ok(names);
            }
            cursor = next;
        }
    }

    fn frames(&mut self, key: &str) -> Result<Vec<Vec<u8>>, WireError> {
        let mut frames: Vec<Vec<u8>> = Vec::new();
        let mut bytes = 0;
        while bytes < MOST_BYTES {
            let (first, last) = (frames.len().to_string(), (frames.len() + PAGE - 1).to_string());
            let most = MOST_BYTES + SMALL;
            let reply = self.wire.ask(&[b"LRANGE", key.as_bytes(), first.as_bytes(), last.as_bytes()], most)?;
            let Reply::List(page) = reply else { return Err(WireError::Nonsense) };
            if page.is_empty() {
                break;
            }
            for frame in page {
                let Reply::Bytes(frame) = frame else { return Err(WireError::Nonsense) };
                // An empty frame takes room as well.
                bytes += frame.len() + size_of::<Vec<u8>>();
                frames.push(frame);
            }
        }
        Ok(frames)
    }
}

impl Store for ServerStore {
    fn names(&mut self) -> Result<Vec<String>, CacheError> {
        let mut names = self.scan()?;
        // A server that moves its names while they are listed may list one twice.
        names.sort();
        names.dedup();
        Ok(names)
    }

    fn read(&mut self, name: &str) -> Result<StoredFrames, CacheError> {
        let frames = self.frames(&format!("{PREFIX}{name}"))?;
        Ok(StoredFrames { frames, damage: None })
    }

    fn append(&mut self, name: &str, frame: &[u8]) -> Result<(), CacheError> {
        let key = format!("{PREFIX}{name}");
        let added = self.wire.ask(&[b"RPUSH", key.as_bytes(), frame], SMALL);
        added.and_then(|_| self.wire.ask(&[b"EXPIRE", key.as_bytes(), MONTH], SMALL))?;
        Ok(())
    }

    fn remove(&mut self, name: &str) -> Result<(), CacheError> {
        self.wire.ask(&[b"DEL", format!("{PREFIX}{name}").as_bytes()], SMALL)?;
        Ok(())
    }
}
