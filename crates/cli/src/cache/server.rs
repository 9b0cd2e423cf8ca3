//! How is a cache kept on a Redis or Valkey server, where people and machines share it?
//!
//! Each name is a list of frames, to which runs add at its end. A list that nobody added to for a month is forgotten by the server.

use std::time::Duration;

use redis::{Client, Connection, Iter, RedisError, RedisResult, TypedCommands};

use super::{Contents, MOST_BYTES, Store};

/// Before the names that are ours on the server. The number changes with the format of what is kept.
const PREFIX: &str = "lazuli:1:";

const CONNECTING: Duration = Duration::from_secs(2);

/// For each answer. The thread that asks is not waited for much longer, however the server spreads its bytes.
const ANSWERING: Duration = Duration::from_secs(1);

/// Frames that are read in one go.
const PAGE: isize = 8;

const MONTH: i64 = 30 * 24 * 60 * 60;

pub struct Server {
    connection: Connection,
}

impl Server {
    pub fn open(address: &str) -> Result<Server, String> {
        let connection = Client::open(address).and_then(|client| {
            let connection = client.get_connection_with_timeout(CONNECTING)?;
            connection.set_read_timeout(Some(ANSWERING))?;
            connection.set_write_timeout(Some(ANSWERING))?;
            Ok(connection)
        });
        Ok(Server { connection: connection.map_err(told)? })
    }
}

impl Store for Server {
    fn names(&mut self) -> Result<Vec<String>, String> {
        let found: RedisResult<Iter<String>> = self.connection.scan_match(format!("{PREFIX}*"));
        let names: RedisResult<Vec<String>> = found.and_then(|names| names.collect());
        let mut names: Vec<String> = names.map_err(told)?;
        // A server that moves its names while they are listed may list one twice.
        names.sort();
        names.dedup();
        Ok(names.iter().filter_map(|name| name.strip_prefix(PREFIX)).map(str::to_string).collect())
    }

    fn read(&mut self, name: &str) -> Result<Contents, String> {
        let key = format!("{PREFIX}{name}");
        let mut frames: Vec<Vec<u8>> = Vec::new();
        let mut bytes = 0;
        while bytes < MOST_BYTES {
            let begin = frames.len() as isize;
            let page: Vec<Vec<u8>> = redis::cmd("LRANGE")
                .arg(&key)
                .arg(begin)
                .arg(begin + PAGE - 1)
                .query(&mut self.connection)
                .map_err(told)?;
            if page.is_empty() {
                break;
            }
            bytes += page.iter().map(Vec::len).sum::<usize>();
            frames.extend(page);
        }
        Ok(Contents { frames, damage: None })
    }

    fn append(&mut self, name: &str, frame: &[u8]) -> Result<(), String> {
        let key = format!("{PREFIX}{name}");
        let added = self.connection.rpush(&key, frame).and_then(|_| self.connection.expire(&key, MONTH));
        added.map(drop).map_err(told)
    }

    fn remove(&mut self, name: &str) -> Result<(), String> {
        self.connection.del(format!("{PREFIX}{name}")).map(drop).map_err(told)
    }
}

fn told(error: RedisError) -> String {
    if error.is_timeout() {
        return "it does not answer in time".to_string();
    }
    // What comes after the first line is where a parser stood.
    error.to_string().lines().next().unwrap_or_default().to_string()
}
