//! What does a running program see of the world outside? The embedder decides, by its `Host`.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The world outside of the program: its streams, its clocks, its environment.
pub trait Host {
    /// Writes to standard output (1) or standard error (2), at once.
    fn write(&mut self, stream: i32, bytes: &[u8]) -> std::io::Result<()>;

    /// Reads from standard input; 0 bytes mean its end.
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize>;

    /// How many bytes of standard input can be read without waiting.
    fn available(&mut self) -> usize {
        0
    }

    /// Time since 1970.
    fn now(&mut self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    /// The name of the time zone.
    fn time_zone(&self) -> String {
        "UTC".into()
    }

    /// The environment variables.
    fn environment(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The memory that the process occupies.
    fn resident_bytes(&self) -> usize {
        resident_bytes()
    }
}

/// The memory that this process occupies.
pub fn resident_bytes() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}

/// Bytes that a silent host keeps; a program that goes on and on must not fill the memory.
const MOST_WRITTEN: usize = 1 << 20;

/// A host that shows nothing and keeps the beginning of what is written. Its time is always the same, so that all runs are.
#[derive(Default)]
pub struct Silent {
    /// The bytes written to both standard streams, in order.
    pub written: Vec<u8>,
    /// How often the program read the clock: each reading takes a microsecond.
    looks: u64,
}

impl Host for Silent {
    fn write(&mut self, _stream: i32, bytes: &[u8]) -> std::io::Result<()> {
        let left = MOST_WRITTEN.saturating_sub(self.written.len());
        self.written.extend_from_slice(&bytes[..bytes.len().min(left)]);
        Ok(())
    }

    fn read(&mut self, _buffer: &mut [u8]) -> std::io::Result<usize> {
        Ok(0)
    }

    fn now(&mut self) -> Duration {
        self.looks += 1;
        Duration::from_secs(crate::ambient::USUAL_SECOND as u64) + Duration::from_micros(self.looks)
    }
}
