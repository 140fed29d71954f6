//! The choice between the values that authors set for an item.

use macros::Body;

use super::item::ID_CHARACTERS;
use crate::error::Error;
use crate::fault::FaultCode;
use crate::schema::Schema;
use crate::text;

/// Which value of an item is adopted.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "ConflictResolution")]
pub struct Resolution {
    /// The id of the item.
    #[body(schema = Schema::text(0, ID_CHARACTERS, text::ANY), example = "mfa")]
    pub node_id: String,
    /// The number of the change set whose value is adopted.
    #[body(range = 1..=2_147_483_647, example = 1)]
    pub change_set: i64,
}

impl Resolution {
    /// The fault of one that names no edit. `is_set` says whether any change set sets the item.
    pub fn unknown(&self, is_set: bool) -> Error {
        let (pointer, detail) = match is_set {
            true => ("#/change_set", "The change set does not set this item."),
            false => ("#/node_id", "No change set of the proposal sets this item."),
        };
        Error::invalid(pointer, FaultCode::UnknownItem, detail)
    }
}
