//! The timelines of PostgreSQL: each promotion of a standby begins the next one.
//!
//! A primary that was away while a standby was promoted may come back and accept writes for a while, until it is told.
//! What is written there is lost. Its timeline is lower than one that was seen before, so it is not used.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The server's timeline, from the name of the file that it writes to. A standby has no such file.
pub(crate) const ASK: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN NULL \
                                     ELSE pg_walfile_name(pg_current_wal_lsn()) END AS file";

/// Its digits at the beginning of that name.
const DIGITS: usize = 8;

/// The highest timeline that was seen. A clone is a handle to the same one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Timelines(Arc<AtomicU32>);

impl Timelines {
    /// Notes the timeline of a server; an error with the highest one if that is higher. 0 is not known.
    pub(crate) fn see(&self, timeline: u32) -> Result<(), u32> {
        let highest = self.0.fetch_max(timeline, Ordering::SeqCst);
        if timeline == 0 || timeline >= highest { Ok(()) } else { Err(highest) }
    }

    /// Whether no higher one was seen.
    pub(crate) fn is_highest(&self, timeline: u32) -> bool {
        timeline == 0 || timeline >= self.0.load(Ordering::SeqCst)
    }
}

/// The timeline in the name of a file; 0 if there is none.
pub(crate) fn of_file(name: &str) -> u32 {
    name.get(..DIGITS).and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_a_lower_timeline_than_one_before_is_a_former_primary() {
        let timelines = Timelines::default();
        assert_eq!(timelines.see(of_file("0000000B0000000000000001")), Ok(()));
        assert_eq!(timelines.see(12), Ok(()));
        assert!(timelines.is_highest(12) && !timelines.is_highest(11));
        assert_eq!(timelines.see(11), Err(12));
        assert_eq!(timelines.see(12), Ok(()));
    }

    #[test]
    fn a_server_that_does_not_say_is_used() {
        let timelines = Timelines::default();
        timelines.see(2).unwrap();
        for name in ["", "none", "ünïcödé"] {
            assert_eq!(timelines.see(of_file(name)), Ok(()), "{name}");
        }
        assert!(timelines.is_highest(0));
    }
}
