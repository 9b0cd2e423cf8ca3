//! How do several workers share one problem? The options that say so, for --engine sat.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use lazuli_console::units::duration;
use lazuli_explore::{Cluster, LimitRule, SplitOptions};

use super::OptionError;
use crate::cluster::{ClusterError, RedisCluster};
use crate::wire::{ProtectionOptions, ServerAddress};

#[derive(Args)]
#[command(next_help_heading = SHARING)]
pub struct SharingOptions {
    /// The time in which one solver tries the whole problem before it is split among workers; for --engine sat
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "3s", hide_short_help = true)]
    pub split_after: Duration,

    /// Which pieces are left out because no valid input is in them: symmetry, aliasing, invariant, or none; for --engine sat
    ///
    /// Those that contradict the numbering of objects, those in which two fields refer to one object although the invariant forbids it, and
    /// those of which a quick check of the invariant says so. The verdict is the same without them.
    #[arg(long, value_name = "BY", default_value = "symmetry,aliasing,invariant", hide_short_help = true)]
    pub split: SplitBy,

    /// When a piece is split further: auto, a time such as 40s, or a number of conflicts of the solver; for --engine sat
    ///
    /// With auto, five times the mean of the pieces that were solved, between 1 s and 240 s, and 40 s at first. With a number, there are the
    /// same pieces on any number of workers.
    #[arg(long, value_name = "LIMIT", default_value = "auto", hide_short_help = true)]
    pub piece_limit: PieceLimitName,

    /// Let the workers that listen there solve the problem: rediss://[:PASSWORD@]HOST[:PORT]; for --engine sat
    ///
    /// `lazuli worker --cluster URL` starts them, on as many machines as there are. With --resume, a check that was killed goes on.
    #[arg(long, value_name = "URL", hide_short_help = true)]
    pub cluster: Option<ServerAddress>,

    #[command(flatten)]
    pub protection: ProtectionOptions,

    /// A worker that was silent for so long has lost its piece
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s", hide_short_help = true)]
    pub lease: Duration,
}

impl SharingOptions {
    /// The workers elsewhere, if they are asked for.
    pub fn workers_elsewhere(&self, resumes: bool) -> Result<Option<Arc<dyn Cluster>>, OptionError> {
        let Some(address) = &self.cluster else { return Ok(None) };
        let address = address.protected(&self.protection).map_err(ClusterError::from)?;
        Ok(Some(Arc::new(RedisCluster { address, lease: self.lease.max(SHORTEST_LEASE), resumes })))
    }
}

/// Shorter leases would end while a machine is merely busy.
const SHORTEST_LEASE: Duration = Duration::from_secs(1);

pub const SHARING: &str = "Several workers";

/// The reductions that are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitBy(pub SplitOptions);

impl FromStr for SplitBy {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<SplitBy, OptionError> {
        let mut options = SplitOptions { by_symmetry: false, by_aliasing: false, by_invariant: false };
        if text == "none" {
            return Ok(SplitBy(options));
        }
        for name in text.split(',') {
            match name.trim() {
                "symmetry" => options.by_symmetry = true,
                "aliasing" => options.by_aliasing = true,
                "invariant" => options.by_invariant = true,
                _ => return Err(OptionError::Split),
            }
        }
        Ok(SplitBy(options))
    }
}

/// When a piece is split further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceLimitName(pub LimitRule);

impl FromStr for PieceLimitName {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<PieceLimitName, OptionError> {
        if text == "auto" {
            return Ok(PieceLimitName(LimitRule::Adjusting));
        }
        if let Ok(conflicts) = text.parse::<u32>() {
            return Ok(PieceLimitName(LimitRule::Conflicts(conflicts)));
        }
        duration(text).map(|time| PieceLimitName(LimitRule::Time(time))).map_err(|_| OptionError::PieceLimit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_are_a_list() {
        let parsed =
            |text: &str| text.parse::<SplitBy>().map(|SplitBy(split)| split).map_err(|error| error.to_string());
        assert_eq!(parsed("symmetry,aliasing,invariant"), Ok(SplitOptions::default()));
        let none = SplitOptions { by_symmetry: false, by_aliasing: false, by_invariant: false };
        assert_eq!(parsed("none"), Ok(none));
        assert_eq!(parsed("aliasing"), Ok(SplitOptions { by_aliasing: true, ..none }));
        assert!(parsed("magic").unwrap_err().contains("symmetry"));
        assert!(parsed("").is_err());
    }

    #[test]
    fn limits_are_times_or_counts() {
        let parsed = |text: &str| text.parse::<PieceLimitName>().map(|PieceLimitName(rule)| rule).ok();
        assert_eq!(parsed("auto"), Some(LimitRule::Adjusting));
        assert_eq!(parsed("40s"), Some(LimitRule::Time(Duration::from_secs(40))));
        assert_eq!(parsed("5000"), Some(LimitRule::Conflicts(5000)));
        assert_eq!(parsed("soon"), None);
    }
}
