//! An organization of a register that is measured.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Result;

/// An organization with a client.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Tenant {
    pub(crate) organization: String,
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
}

/// A member of what the service answered.
pub(crate) fn text(value: &Value, member: &str) -> Result<String> {
    value.get(member).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| format!("no {member}").into())
}
