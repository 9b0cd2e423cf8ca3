//! The world as a program run from the command line sees it.

use std::io::{Read, Write};

use lazuli_engine::host::Host;

/// Standard streams and environment of this process. What the program writes arrives at once, as with `java`:
/// nothing is lost if the process is killed, and whoever watches sees it in time.
pub struct Terminal;

impl Host for Terminal {
    fn write(&mut self, stream: i32, bytes: &[u8]) -> std::io::Result<()> {
        if stream == 1 {
            let mut output = std::io::stdout().lock();
            output.write_all(bytes)?;
            output.flush()
        } else {
            std::io::stderr().write_all(bytes)
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        std::io::stdin().read(buffer)
    }

    fn environment(&self) -> Vec<(String, String)> {
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect()
    }
}
