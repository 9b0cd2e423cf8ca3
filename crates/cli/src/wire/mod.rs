//! How is a Redis or Valkey server asked, if it may be slow, broken, or an enemy?
//!
//! Few commands are needed, and all of them have one reply, so that the protocol (RESP 2) is spoken here: each reply has a limit for its
//! size and one for the time until its last byte, which a library that reads as much as comes does not have.

mod address;
mod tls;

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use redis::ConnectionAddr;

pub(crate) use address::{AddressError, ProtectionOptions, ServerAddress};

const CONNECTING: Duration = Duration::from_secs(2);

/// For each question and its whole reply, however the server spreads its bytes. The run waits for the cache no longer than this.
const ANSWERING: Duration = Duration::from_secs(5);

/// Bytes of a reply that has no contents of ours in it.
pub(crate) const SMALL: usize = 1 << 20;

/// Lists in lists: streams are read with four levels.
const DEEPEST: usize = 5;

/// Longer lines are no part of the protocol: contents come by their length.
const LONGEST_LINE: usize = 4096;

/// Bytes that are read at once.
const PIECE: usize = 64 << 10;

#[derive(Debug, PartialEq)]
pub(crate) enum Reply {
    Nothing,
    Number(i64),
    Bytes(Vec<u8>),
    List(Vec<Reply>),
}

/// Why there is no reply.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WireError {
    #[error("its address is wrong")]
    Address,
    #[error(transparent)]
    Broken(std::io::Error),
    #[error("no encrypted connection comes about: {0}; --ca FILE names the certificates that certify it")]
    Encryption(String),
    #[error("the certificates of {} cannot be used: {why}", path.display())]
    Authorities { path: PathBuf, why: String },
    #[error("this machine has no certificates that certify servers; name some with --ca FILE")]
    NoAuthorities,
    #[error("it does not answer in time")]
    TooSlow,
    #[error("its answer is larger than any of ours")]
    TooLarge,
    /// The bytes are no reply, or none to this command.
    #[error("what answers there is no Redis server")]
    Nonsense,
    /// The error that the server answers with.
    #[error("{0}")]
    Refused(String),
}

impl From<std::io::Error> for WireError {
    fn from(error: std::io::Error) -> WireError {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => WireError::TooSlow,
            _ => WireError::Broken(error),
        }
    }
}

/// A connection to a server.
pub(crate) struct Wire {
    stream: Stream,
    /// Bytes that were received and not parsed yet.
    came: Vec<u8>,
}

enum Stream {
    Tcp(TimedSocket),
    Tls(Box<tls::Encrypted>),
    Unix(UnixStream),
}

/// A connection that is of no use any more at some moment, however the server spreads its bytes until then.
struct TimedSocket {
    socket: TcpStream,
    end: Instant,
}

impl Wire {
    /// Connects to an address, and says who asks for which database.
    pub(crate) fn open(address: &ServerAddress) -> Result<Wire, WireError> {
        let info = address.info().ok_or(WireError::Address)?;
        let mut wire = Wire { stream: Stream::open(info.addr(), address)?, came: Vec::new() };
        let settings = info.redis_settings();
        match (settings.username(), address.password()) {
            (Some(name), Some(password)) => drop(wire.ask(&[b"AUTH", name.as_bytes(), password.as_bytes()], SMALL)?),
            (None, Some(password)) => drop(wire.ask(&[b"AUTH", password.as_bytes()], SMALL)?),
            _ => {}
        }
        if settings.db() != 0 {
            wire.ask(&[b"SELECT", settings.db().to_string().as_bytes()], SMALL)?;
        }
        Ok(wire)
    }

    /// The reply to a command, of at most that many bytes. After a fault, the connection is of no use any more.
    pub(crate) fn ask(&mut self, words: &[&[u8]], most: usize) -> Result<Reply, WireError> {
        self.ask_within(words, most, ANSWERING)
    }

    /// The same with a time of its own, for contents that are large.
    pub(crate) fn ask_within(&mut self, words: &[&[u8]], most: usize, time: Duration) -> Result<Reply, WireError> {
        let end = Instant::now() + time;
        let mut command = format!("*{}\r\n", words.len()).into_bytes();
        for word in words {
            command.extend(format!("${}\r\n", word.len()).into_bytes());
            command.extend(*word);
            command.extend(b"\r\n");
        }
        for piece in command.chunks(PIECE) {
            self.stream.write(piece, end)?;
        }
        let mut left = most;
        self.reply(end, &mut left, DEEPEST)
    }

    fn reply(&mut self, end: Instant, left: &mut usize, depth: usize) -> Result<Reply, WireError> {
        let line = self.line(end, left)?;
        let (kind, rest) = line.split_first().ok_or(WireError::Nonsense)?;
        let rest = std::str::from_utf8(rest).map_err(|_| WireError::Nonsense)?;
        let number = || rest.parse::<i64>().map_err(|_| WireError::Nonsense);
        Ok(match kind {
            b'+' => Reply::Bytes(rest.as_bytes().to_vec()),
            b'-' => return Err(WireError::Refused(rest.to_string())),
            b':' => Reply::Number(number()?),
            b'$' | b'*' if number()? == -1 => Reply::Nothing,
            b'$' => {
                let length = usize::try_from(number()?).map_err(|_| WireError::Nonsense)?;
                Reply::Bytes(self.bytes(length, end, left)?)
            }
            b'*' => {
                // However many there are said to be, each must come before there is room for it.
                let count = usize::try_from(number()?).map_err(|_| WireError::Nonsense)?;
                let below = depth.checked_sub(1).ok_or(WireError::Nonsense)?;
                let mut items = Vec::new();
                while items.len() < count {
                    items.push(self.reply(end, left, below)?);
                }
                Reply::List(items)
            }
            _ => return Err(WireError::Nonsense),
        })
    }

    /// Reads up to the end of a line.
    fn line(&mut self, end: Instant, most: &mut usize) -> Result<Vec<u8>, WireError> {
        loop {
            if let Some(length) = self.came.windows(2).take(LONGEST_LINE).position(|pair| pair == b"\r\n") {
                *most = most.checked_sub(length + 2).ok_or(WireError::TooLarge)?;
                let line = self.came[..length].to_vec();
                self.came.drain(..length + 2);
                return Ok(line);
            }
            if self.came.len() > LONGEST_LINE {
                return Err(WireError::Nonsense);
            }
            self.receive(PIECE, end)?;
        }
    }

    /// As many bytes, and the end of the line behind them.
    fn bytes(&mut self, length: usize, end: Instant, most: &mut usize) -> Result<Vec<u8>, WireError> {
        *most = length.checked_add(2).and_then(|whole| most.checked_sub(whole)).ok_or(WireError::TooLarge)?;
        while self.came.len() < length + 2 {
            self.receive((length + 2 - self.came.len()).max(PIECE), end)?;
        }
        let behind = self.came.split_off(length + 2);
        let mut bytes = std::mem::replace(&mut self.came, behind);
        if !bytes.ends_with(b"\r\n") {
            return Err(WireError::Nonsense);
        }
        bytes.truncate(length);
        Ok(bytes)
    }

    fn receive(&mut self, most: usize, end: Instant) -> Result<(), WireError> {
        let mut piece = vec![0; most.min(PIECE)];
        match self.stream.read(&mut piece, end)? {
            0 => Err(WireError::Broken(ErrorKind::UnexpectedEof.into())),
            length => {
                self.came.extend(&piece[..length]);
                Ok(())
            }
        }
    }
}

impl Stream {
    fn open(address: &ConnectionAddr, server: &ServerAddress) -> Result<Stream, WireError> {
        match address {
            ConnectionAddr::Tcp(host, port) => {
                let end = Instant::now() + CONNECTING;
                let mut last = WireError::Address;
                for place in (host.as_str(), *port).to_socket_addrs()? {
                    match TcpStream::connect_timeout(&place, left(end)?) {
                        Ok(socket) => {
                            socket.set_nodelay(true)?;
                            let socket = TimedSocket { socket, end: Instant::now() + ANSWERING };
                            return match server.is_encrypted() {
                                true => Ok(Stream::Tls(Box::new(tls::greet(socket, host, server.ca())?))),
                                false => Ok(Stream::Tcp(socket)),
                            };
                        }
                        Err(error) => last = error.into(),
                    }
                }
                Err(last)
            }
            ConnectionAddr::Unix(path) => Ok(Stream::Unix(UnixStream::connect(path)?)),
            _ => Err(WireError::Address),
        }
    }

    fn read(&mut self, piece: &mut [u8], end: Instant) -> Result<usize, WireError> {
        Ok(match self {
            Stream::Tcp(socket) => socket.until(end).read(piece)?,
            Stream::Tls(stream) => {
                stream.sock.until(end);
                stream.read(piece)?
            }
            Stream::Unix(stream) => {
                stream.set_read_timeout(Some(left(end)?))?;
                stream.read(piece)?
            }
        })
    }

    fn write(&mut self, piece: &[u8], end: Instant) -> Result<(), WireError> {
        match self {
            Stream::Tcp(socket) => socket.until(end).write_all(piece)?,
            Stream::Tls(stream) => {
                stream.sock.until(end);
                tls::send(stream, piece)?;
            }
            Stream::Unix(stream) => {
                stream.set_write_timeout(Some(left(end)?))?;
                stream.write_all(piece)?;
            }
        }
        Ok(())
    }
}

impl TimedSocket {
    fn until(&mut self, end: Instant) -> &mut TimedSocket {
        self.end = end;
        self
    }

    fn left(&self) -> std::io::Result<Duration> {
        left(self.end).map_err(|_| ErrorKind::TimedOut.into())
    }
}

impl Read for TimedSocket {
    fn read(&mut self, piece: &mut [u8]) -> std::io::Result<usize> {
        self.socket.set_read_timeout(Some(self.left()?))?;
        self.socket.read(piece)
    }
}

impl Write for TimedSocket {
    fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
        self.socket.set_write_timeout(Some(self.left()?))?;
        self.socket.write(piece)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.socket.flush()
    }
}

/// The time that is left; none is no timeout to the operating system, but for ever.
fn left(end: Instant) -> Result<Duration, WireError> {
    match end.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(WireError::TooSlow),
        left => Ok(left),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parsed reply of a server that sends these bytes.
    fn replied(bytes: &[u8], most: usize) -> Result<Reply, WireError> {
        let (near, mut far) = UnixStream::pair().unwrap();
        far.write_all(bytes).unwrap();
        drop(far.shutdown(std::net::Shutdown::Write));
        let mut wire = Wire { stream: Stream::Unix(near), came: Vec::new() };
        wire.ask(&[b"PING"], most)
    }

    #[test]
    fn replies_are_read() {
        assert_eq!(replied(b"+PONG\r\n", 100).unwrap(), Reply::Bytes(b"PONG".to_vec()));
        assert_eq!(replied(b":-3\r\n", 100).unwrap(), Reply::Number(-3));
        assert_eq!(replied(b"$-1\r\n", 100).unwrap(), Reply::Nothing);
        let list = vec![Reply::Bytes(b"a\r\nb".to_vec()), Reply::List(vec![])];
        assert_eq!(replied(b"*2\r\n$4\r\na\r\nb\r\n*0\r\n", 100).unwrap(), Reply::List(list));
        assert!(matches!(replied(b"-WRONGTYPE x\r\n", 100), Err(WireError::Refused(why)) if why == "WRONGTYPE x"));
    }

    #[test]
    fn replies_have_a_limit_and_need_no_room_in_advance() {
        assert!(matches!(replied(b"$200\r\n", 100), Err(WireError::TooLarge)));
        assert!(matches!(replied(b"$9223372036854775807\r\n", 100), Err(WireError::TooLarge)));
        assert!(matches!(replied(b"*9223372036854775807\r\n", 100), Err(WireError::Broken(_))));
        assert!(matches!(replied(&b":1\r\n".repeat(3), 3), Err(WireError::TooLarge)));
        let many = [&b"*1000000\r\n"[..], &b":1\r\n".repeat(100)].concat();
        assert!(matches!(replied(&many, 100), Err(WireError::TooLarge)));
        assert!(matches!(replied(&b"*1\r\n".repeat(100), 10_000), Err(WireError::Nonsense)));
        assert!(matches!(replied(&b"a".repeat(10_000), 1 << 20), Err(WireError::Nonsense)));
        for nonsense in [&b"HTTP/1.1 418\r\n"[..], b"$-2\r\n", b":x\r\n", b"\r\n", b"$1\r\nabc\r\n"] {
            assert!(matches!(replied(nonsense, 1000), Err(WireError::Nonsense)), "{nonsense:?}");
        }
    }

    #[test]
    fn a_reply_that_drips_is_given_up() {
        let (near, mut far) = UnixStream::pair().unwrap();
        std::thread::spawn(move || {
            while far.write_all(b"1").is_ok() {
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let mut wire = Wire { stream: Stream::Unix(near), came: Vec::new() };
        let begin = Instant::now();
        assert!(matches!(wire.ask(&[b"PING"], SMALL), Err(WireError::TooSlow)));
        assert!(begin.elapsed() < ANSWERING + Duration::from_secs(2));
    }
}
