//! To whom tokens were issued.

use domain::{ClientId, FamilyId, OrgId};
use uuid::Uuid;

/// The client that tokens were issued to, and the secret it used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The organization; the tokens are valid for no other.
    pub organization: OrgId,
    /// The client.
    pub client: ClientId,
    /// The secret that the client used. When it is deleted, all tokens derived from it become invalid.
    pub credential: Uuid,
    /// The family of refresh tokens.
    pub family: FamilyId,
}
