//! The two registers between which changes of risks are told.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// The register at the end of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The day.
    pub day: Date,
    /// When it ended; now if it has not.
    pub at: Timestamp,
    /// The last journal entry that counts.
    pub seq: i64,
}

/// The registers at the ends of two days.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The earlier one.
    pub from: End,
    /// The later one.
    pub to: End,
    /// The time zone of the days.
    pub time_zone: String,
}

impl Span {
    /// The entries of both ends.
    pub fn entries(&self) -> (i64, i64) {
        (self.from.seq, self.to.seq)
    }
}
