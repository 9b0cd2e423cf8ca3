//! The world as a program run from the command line sees it.

use std::io::{BufWriter, Read, Write};

use lazuli_engine::host::Host;

/// Standard streams and environment of this process.
pub struct Terminal {
    output: BufWriter<std::io::Stdout>,
}

impl Terminal {
    pub fn new() -> Terminal {
        Terminal { output: BufWriter::with_capacity(1 << 16, std::io::stdout()) }
    }
}

impl Host for Terminal {
    fn write(&mut self, stream: i32, bytes: &[u8]) -> std::io::Result<()> {
        match stream {
            1 => self.output.write_all(bytes),
            _ => {
                // What was printed before must be seen before.
                self.output.flush()?;
                std::io::stderr().write_all(bytes)
            }
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.output.flush()?;
        std::io::stdin().read(buffer)
    }

    fn environment(&self) -> Vec<(String, String)> {
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect()
    }

    fn flush(&mut self) {
        // A reader that went away is no reason to fail now.
        let _ = self.output.flush();
    }
}
