//! Times in responses.

use serde::{Serialize, Serializer};

/// A date-time in the form of responses: UTC, six fractional digits, `Z`.
#[derive(Debug, Clone, Copy)]
pub struct Timestamp(pub jiff::Timestamp);

impl From<jiff::Timestamp> for Timestamp {
    fn from(at: jiff::Timestamp) -> Self {
        Self(at)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:.6}", self.0))
    }
}
