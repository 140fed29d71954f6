//! Families of refresh tokens: all tokens that descend from one token request.
//!
//! A family has a row from its first refresh on, and the row holds no token: the current one can be
//! signed again from its number, name and dates. Not journaled.

use db::{FromRow, Row, Tx};
use domain::{ClientId, FamilyId, OrgId, Scopes};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::clients::stored_scopes;
use crate::error::Result;
use crate::housekeeping::Expiry;

/// Rows are kept so long after their last token expired.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

macro_rules! columns {
    () => {
        "id, client_id, credential_id, scopes, generation, rotated_date, previous_jti,
         current_jti, current_issued_date, current_expires_date, started_date, ended_date"
    };
}

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

impl FromRow for Family {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self {
            id: FamilyId(row.get(0)?),
            client_id: ClientId(row.get(1)?),
            credential_id: row.get(2)?,
            scopes: stored_scopes(&row.get::<String>(3)?),
            generation: row.get(4)?,
            rotated_date: row.get(5)?,
            previous_jti: row.get(6)?,
            current_jti: row.get(7)?,
            current_issued_date: row.get(8)?,
            current_expires_date: row.get(9)?,
            started_date: row.get(10)?,
            ended_date: row.get(11)?,
        })
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
pub async fn open(
    tx: &mut Tx,
    org: OrgId,
    id: FamilyId,
    client: &ClientId,
    credential: Uuid,
    scopes: Scopes,
    first: &TokenGeneration,
) -> Result<()> {
    tx.send(
        "INSERT INTO token_family (organization, id, client_id, credential_id, scopes, generation,
             rotated_date, previous_jti, current_jti, current_issued_date, current_expires_date,
             started_date, ended_date, ended_reason)
         VALUES ($1, $2, $3, $4, $5, $6, $8, NULL, $7, $8, $9, $8, NULL, NULL)
         ON CONFLICT (organization, id) DO NOTHING",
        &[
            &org.uuid(),
            &id.uuid(),
            &client.as_str(),
            &credential,
            &scopes.to_string(),
            &first.generation,
            &first.jti,
            &first.issued_date,
            &first.expires_date,
        ],
    )
    .await?;
    Ok(())
}

/// Puts `next` in the place of `spent`, in one compare-and-set: `None` if `spent` is not the current
/// token, or the family has ended, or it started at `started_after` or earlier.
pub async fn advance(
    tx: &mut Tx,
    org: OrgId,
    id: FamilyId,
    spent: &TokenGeneration,
    next: &TokenGeneration,
    scopes: Scopes,
    started_after: Timestamp,
) -> Result<Option<Family>> {
    let at = tx.at();
    let rotated = tx
        .execute_returning(
            concat!(
                "UPDATE token_family
                 SET generation = $5, previous_jti = current_jti, current_jti = $6, current_issued_date = $7,
                     current_expires_date = $8, scopes = $9, rotated_date = $10
                 WHERE organization = $1 AND id = $2 AND generation = $3 AND current_jti = $4
                   AND ended_date IS NULL AND started_date > $11
                 RETURNING ",
                columns!()
            ),
            &[
                &org.uuid(),
                &id.uuid(),
                &spent.generation,
                &spent.jti,
                &next.generation,
                &next.jti,
                &next.issued_date,
                &next.expires_date,
                &scopes.to_string(),
                &at,
                &started_after,
            ],
        )
        .await?;
    Ok(rotated.into_iter().next())
}

/// One family of an organization.
pub async fn find(tx: &mut Tx, org: OrgId, id: FamilyId) -> Result<Option<Family>> {
    Ok(tx
        .query_opt(
            concat!("SELECT ", columns!(), " FROM token_family WHERE organization = $1 AND id = $2"),
            &[&org.uuid(), &id.uuid()],
        )
        .await?)
}

/// Ends a family before its time; false if it had ended. The reason is for operators who inspect the table.
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
