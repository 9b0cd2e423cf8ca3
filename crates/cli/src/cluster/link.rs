//! How is the server asked if it may be restarted at any moment?

use std::time::{Duration, Instant};

use super::ClusterError;
use super::message::Fields;
use crate::wire::{Reply, ServerAddress, Wire, WireError};

/// A server that is away longer than this is lost.
const AWAY: Duration = Duration::from_secs(60);

/// The pause between two attempts to reach it.
const PAUSE: Duration = Duration::from_millis(200);

/// The most bytes of a formula.
const LARGEST: usize = 512 << 20;

/// The time for a command with its reply, and for one that carries a whole formula.
const ANSWERING: Duration = Duration::from_secs(10);
const CARRYING: Duration = Duration::from_secs(120);

/// A connection that is made again when it breaks.
pub(super) struct Link {
    address: ServerAddress,
    wire: Option<Wire>,
}

impl Link {
    /// Connects. The first connection must work.
    pub(super) fn open(address: &ServerAddress) -> Result<Link, ClusterError> {
        let mut link = Link { address: address.clone(), wire: None };
        link.once(&["PING"]).map_err(|error| link.unusable(error))?;
        Ok(link)
    }

    fn unusable(&self, error: WireError) -> ClusterError {
        ClusterError::Server { address: self.address.to_string(), error }
    }

    pub(super) fn foreign(&self) -> ClusterError {
        ClusterError::Foreign(self.address.to_string())
    }

    /// The reply to a command. If the connection breaks, the command is sent again over a new one: all commands here may be repeated.
    pub(super) fn ask<W: AsRef<[u8]>>(&mut self, words: &[W]) -> Result<Reply, ClusterError> {
        self.ask_until(words, &|| false)
    }

    /// The same, unless there is no need for a reply any more.
    pub(super) fn ask_until<W: AsRef<[u8]>>(
        &mut self,
        words: &[W],
        is_over: &dyn Fn() -> bool,
    ) -> Result<Reply, ClusterError> {
        let begin = Instant::now();
        loop {
            match self.once(words) {
                Ok(reply) => return Ok(reply),
                // A server that is loading its data says so.
                Err(WireError::Refused(why)) if !why.starts_with("LOADING") => {
                    return Err(self.unusable(WireError::Refused(why)));
                }
                Err(error) if begin.elapsed() > AWAY || is_over() => {
                    return Err(ClusterError::Lost { address: self.address.to_string(), error });
                }
                Err(_) => {
                    self.wire = None;
                    std::thread::sleep(PAUSE);
                }
            }
        }
    }

    fn once<W: AsRef<[u8]>>(&mut self, words: &[W]) -> Result<Reply, WireError> {
        let words: Vec<&[u8]> = words.iter().map(AsRef::as_ref).collect();
        if self.wire.is_none() {
            self.wire = Some(Wire::open(&self.address)?);
        }
        let Some(wire) = &mut self.wire else { return Err(WireError::Address) };
        let is_large = words.iter().any(|word| word.ends_with(b":formula"));
        let reply = wire.ask_within(&words, LARGEST, if is_large { CARRYING } else { ANSWERING });
        if reply.is_err() {
            self.wire = None;
        }
        reply
    }
}

/// The text of a reply.
pub(super) fn text(reply: &Reply) -> Option<String> {
    match reply {
        Reply::Bytes(bytes) => String::from_utf8(bytes.clone()).ok(),
        Reply::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The parts of a list; none of them if it is not one.
pub(super) fn list(reply: Reply) -> Vec<Reply> {
    match reply {
        Reply::List(parts) => parts,
        _ => Vec::new(),
    }
}

/// Names and values that follow each other.
pub(super) fn pairs(reply: Reply) -> Fields {
    let mut parts = list(reply).into_iter();
    let mut pairs = Vec::new();
    while let (Some(name), Some(Reply::Bytes(value))) = (parts.next(), parts.next()) {
        pairs.extend(text(&name).map(|name| (name, value)));
    }
    pairs
}

/// The entries of a stream, with their names.
pub(super) fn entries(reply: Reply) -> Vec<(String, Fields)> {
    let entry = |entry: Reply| {
        let mut parts = list(entry).into_iter();
        Some((text(&parts.next()?)?, pairs(parts.next()?)))
    };
    list(reply).into_iter().filter_map(entry).collect()
}

/// The entries of the only stream that was read; none if there is nothing new.
pub(super) fn entries_of_one(reply: Reply) -> Vec<(String, Fields)> {
    let stream = list(reply).into_iter().next().map(list);
    stream.and_then(|parts| parts.into_iter().nth(1)).map_or(Vec::new(), entries)
}
