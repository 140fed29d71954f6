//! Families of refresh tokens: all tokens that descend from one token request.
//!
//! A family has a row from its first refresh on, and the row holds no token: the current one can be
//! signed again from its number, name and dates. Not journaled.

use db::Tx;
use domain::{ClientId, FamilyId, OrgId, Scopes};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;
use uuid::Uuid;

use crate::ledger::error::Result;
use crate::ledger::housekeeping::Expiry;
use crate::ledger::record::{self, record};

/// Rows are kept so long after their last token expired.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// A family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// Its id, in every token of it.
    pub id: FamilyId,
    /// The client that the tokens were given to.
    pub client_id: ClientId,
    /// The secret that the client showed for the first of them.
    pub credential_id: Uuid,
    /// The scopes of the current refresh token.
    pub scopes: Scopes,
    /// The number of the current refresh token, from 1.
    pub generation: i64,
    /// When the current one took its predecessor's place.
    pub rotated_date: Timestamp,
    /// The `jti` of the predecessor.
    pub previous_jti: Option<Uuid>,
    /// The `jti` of the current refresh token.
    pub current_jti: Uuid,
    /// When it was issued.
    pub current_issued_date: Timestamp,
    /// When it expires.
    pub current_expires_date: Timestamp,
    /// When the first token was issued.
    pub started_date: Timestamp,
    /// When the family ended, if it did before its time.
    pub ended_date: Option<Timestamp>,
}

record! {
    Family in "token_family" {
        id: Plain => Key,
        client_id: Plain => Fixed,
        credential_id: Plain => Fixed,
        scopes: Plain => Counted,
        generation: Plain => Counted,
        rotated_date: Plain => Counted,
        previous_jti: Plain => Counted,
        current_jti: Plain => Counted,
        current_issued_date: Plain => Counted,
        current_expires_date: Plain => Counted,
        started_date: Plain => Fixed,
        ended_date: Plain => Counted,
    }
}

/// A refresh token's place in its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenGeneration {
    /// Its number, from 1.
    pub generation: i64,
    /// Its name.
    pub jti: Uuid,
    /// When it was issued.
    pub issued_date: Timestamp,
    /// When it expires.
    pub expires_date: Timestamp,
}

/// Makes the row of a family whose first token is spent, unless it is there.
#[boxed]
pub async fn open(
    tx: &mut Tx,
    org: OrgId,
    id: FamilyId,
    client: &ClientId,
    credential: Uuid,
    scopes: Scopes,
    first: &TokenGeneration,
) -> Result<()> {
    let family = Family {
        id,
        client_id: client.clone(),
        credential_id: credential,
        scopes,
        generation: first.generation,
        rotated_date: first.issued_date,
        previous_jti: None,
        current_jti: first.jti,
        current_issued_date: first.issued_date,
        current_expires_date: first.expires_date,
        started_date: first.issued_date,
        ended_date: None,
    };
    record::insert_once(tx, org, &family).await
}

/// Puts `next` in the place of `spent`: `None` if `spent` is not the current token, or the family has ended, or it started
/// at `started_after` or earlier. The organization's head is held, so the family does not change meanwhile.
#[boxed]
pub async fn advance(
    tx: &mut Tx,
    org: OrgId,
    id: FamilyId,
    spent: &TokenGeneration,
    next: &TokenGeneration,
    scopes: Scopes,
    started_after: Timestamp,
) -> Result<Option<Family>> {
    let found = find(tx, org, id).await?.filter(|family| {
        let is_current = (family.generation, family.current_jti) == (spent.generation, spent.jti);
        is_current && family.ended_date.is_none() && family.started_date > started_after
    });
    let Some(family) = found else { return Ok(None) };
    let family = Family {
        scopes,
        generation: next.generation,
        rotated_date: tx.at(),
        previous_jti: Some(spent.jti),
        current_jti: next.jti,
        current_issued_date: next.issued_date,
        current_expires_date: next.expires_date,
        ..family
    };
    record::replace(tx, org, &family).await?;
    Ok(Some(family))
}

/// One family of an organization.
#[boxed]
pub async fn find(tx: &mut Tx, org: OrgId, id: FamilyId) -> Result<Option<Family>> {
    record::find(tx, org, &[id.uuid().into()]).await
}

/// Ends a family before its time; false if it had ended. The reason is for operators who inspect the table.
#[boxed]
pub async fn end(tx: &mut Tx, org: OrgId, id: FamilyId, reason: &str) -> Result<bool> {
    let at = tx.at();
    let ended = tx
        .execute(
            "UPDATE token_family SET ended_date = $3, ended_reason = $4
         WHERE organization = $1 AND id = $2 AND ended_date IS NULL",
            &[&org.uuid(), &id.uuid(), &at, &reason],
        )
        .await?;
    Ok(ended > 0)
}

/// When a family is forgotten.
pub(crate) const EXPIRY: Expiry =
    Expiry { table: "token_family", key: "organization, id", date: "current_expires_date", kept: KEPT };
