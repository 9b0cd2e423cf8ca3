//! How do messages get from the editor to the server and back?

use std::io::{BufRead, Read, Write};
use std::thread::JoinHandle;

use lazuli_console::visible::tell;
use lsp_server::{Connection, Message};
use thiserror::Error;

/// A message holds at most the text of one file. A number that is longer is no length.
const LONGEST_MESSAGE: u64 = 256 << 20;
const LONGEST_HEADER: u64 = 8 << 10;

/// Why no further message can be read.
#[derive(Debug, Error)]
enum TransportError {
    #[error("standard input cannot be read: {0}")]
    Input(#[from] std::io::Error),
    #[error("`{0}` is no header of a message")]
    Header(String),
    #[error("a message has no Content-Length")]
    NoLength,
    #[error("a message of {0} bytes is too long (at most {LONGEST_MESSAGE})")]
    TooLong(u64),
    #[error("a message ends too early")]
    CutOff,
    #[error("a message cannot be understood: {0}")]
    Json(#[from] serde_json::Error),
}

/// The thread that writes. It ends when the connection is dropped and everything is written.
pub(super) struct Writer(JoinHandle<std::io::Result<()>>);

impl Writer {
    /// Was everything written?
    pub(super) fn has_finished_well(self) -> bool {
        self.0.join().is_ok_and(|result| result.is_ok())
    }
}

/// A connection over standard input and output.
pub(super) fn connect() -> (Connection, Writer) {
    let (ours, editors) = Connection::memory();
    let Connection { sender, receiver } = editors;
    let writer = std::thread::spawn(move || {
        let mut output = std::io::stdout().lock();
        receiver.into_iter().try_for_each(|message: Message| {
            message.write(&mut output)?;
            output.flush()
        })
    });
    // It may wait for input when the server ends, and ends with the process.
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            match read(&mut input) {
                Ok(Some(message)) => {
                    let is_exit = matches!(&message, Message::Notification(told) if told.method == "exit");
                    if sender.send(message).is_err() || is_exit {
                        break;
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    tell!("{error}.");
                    break;
                }
            }
        }
    });
    (ours, Writer(writer))
}

/// The next message; none at the end of the input.
fn read(input: &mut impl BufRead) -> Result<Option<Message>, TransportError> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.by_ref().take(LONGEST_HEADER).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let Some(header) = line.strip_suffix("\r\n") else { return Err(TransportError::Header(line)) };
        if header.is_empty() {
            break;
        }
        let Some((name, value)) = header.split_once(':') else { return Err(TransportError::Header(line)) };
        if name.eq_ignore_ascii_case("Content-Length") {
            length = Some(value.trim().parse::<u64>().map_err(|_| TransportError::Header(header.to_string()))?);
        }
    }
    let length = length.ok_or(TransportError::NoLength)?;
    if length > LONGEST_MESSAGE {
        return Err(TransportError::TooLong(length));
    }
    // The buffer grows with what comes, whatever the header promises.
    let mut text = Vec::new();
    input.by_ref().take(length).read_to_end(&mut text)?;
    if (text.len() as u64) < length {
        return Err(TransportError::CutOff);
    }
    Ok(Some(serde_json::from_slice(&text)?))
}
