//! Organizations: the tenants that nothing crosses.

use jiff::Timestamp;

use crate::fault::Faults;
use crate::ids::OrgId;
use crate::text;

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    /// Its id.
    pub id: OrgId,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created_date: Timestamp,
    /// Counts its changes from 1.
    pub version: i64,
}

/// Checks an organization's name.
pub fn name(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_line(text, pointer, faults);
}
