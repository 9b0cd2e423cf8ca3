//! The world as a program run from the command line sees it.

use std::io::{Read, Write};

use lazuli_vm::host::Host;

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

    /// As the JDK looks for it: TZ, then /etc/timezone, then where /etc/localtime points to.
    fn time_zone(&self) -> String {
        let set = std::env::var("TZ").ok().map(|zone| zone.trim_start_matches(':').to_string());
        let configured = || Some(std::fs::read_to_string("/etc/timezone").ok()?.lines().next()?.trim().to_string());
        let linked = || {
            let target = std::fs::canonicalize("/etc/localtime").ok()?;
            Some(target.to_str()?.split_once("zoneinfo/")?.1.to_string())
        };
        let found = set.filter(|zone| !zone.is_empty()).or_else(configured).or_else(linked);
        found.filter(|zone| !zone.is_empty()).unwrap_or_else(|| "UTC".into())
    }

    fn environment(&self) -> Vec<(String, String)> {
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect()
    }
}
