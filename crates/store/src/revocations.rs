//! The deny-list: what was revoked before its access tokens expired, and which clients were renamed.
//!
//! Access tokens are checked without the database, so every process keeps this list in memory and
//! reads it once a second. An entry is no longer needed once every access token that it concerns has expired. Not
//! journaled: its cause is.

use db::Tx;
use domain::{ClientId, FamilyId, OrgId};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;
use uuid::Uuid;

use crate::ledger::error::Result;
use crate::ledger::housekeeping::Expiry;

/// How long an entry is kept: the life of an access token (900 s), and as much again for clocks that
/// differ.
const KEPT: SignedDuration = SignedDuration::from_secs(1800);

/// What an entry is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Subject {
    /// All tokens of a family.
    Family(FamilyId),
    /// All tokens that a client was given up to the entry's time.
    Client(ClientId),
    /// All tokens issued with a secret.
    Credential(Uuid),
    /// One access token, by its `jti`.
    Token(Uuid),
    /// Not a revocation: a client was renamed, and processes have cached the old name with its tokens.
    RenamedClient(ClientId),
}

impl Subject {
    fn kind(&self) -> &'static str {
        match self {
            Self::Family(_) => "family",
            Self::Client(_) => "client",
            Self::Credential(_) => "credential",
            Self::Token(_) => "token",
            Self::RenamedClient(_) => "renamed_client",
        }
    }

    fn id(&self) -> String {
        match self {
            Self::Family(id) => id.to_string(),
            Self::Client(id) | Self::RenamedClient(id) => id.to_string(),
            Self::Credential(id) | Self::Token(id) => id.to_string(),
        }
    }

    /// A kind of a newer release is skipped: this one could not act on it.
    fn parse(kind: &str, id: String) -> Option<Self> {
        match kind {
            "family" => FamilyId::parse(&id).map(Self::Family),
            "client" => Some(Self::Client(ClientId(id))),
            "credential" => Uuid::try_parse(&id).ok().map(Self::Credential),
            "token" => Uuid::try_parse(&id).ok().map(Self::Token),
            "renamed_client" => Some(Self::RenamedClient(ClientId(id))),
            _ => None,
        }
    }
}

/// An entry of the deny-list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revoked {
    /// What ended.
    pub subject: Subject,
    /// When.
    pub revoked_date: Timestamp,
    /// When the entry may be forgotten.
    pub expires_date: Timestamp,
}

impl Revoked {
    /// A family that ended.
    pub fn family(id: FamilyId, at: Timestamp) -> Self {
        Self::new(Subject::Family(id), at)
    }

    /// A client that was disabled.
    pub fn client(id: &ClientId, at: Timestamp) -> Self {
        Self::new(Subject::Client(id.clone()), at)
    }

    /// A secret that was deleted.
    pub fn credential(id: Uuid, at: Timestamp) -> Self {
        Self::new(Subject::Credential(id), at)
    }

    /// An access token that was revoked.
    pub fn token(jti: Uuid, at: Timestamp) -> Self {
        Self::new(Subject::Token(jti), at)
    }

    /// A client that has another name.
    pub fn renamed_client(id: &ClientId, at: Timestamp) -> Self {
        Self::new(Subject::RenamedClient(id.clone()), at)
    }

    fn new(subject: Subject, at: Timestamp) -> Self {
        let expires_date = at.saturating_add(KEPT).unwrap_or(Timestamp::MAX);
        Self { subject, revoked_date: at, expires_date }
    }
}

/// Adds an entry, or renews one. The caller adds it to its own process's list after the commit.
#[boxed]
pub async fn add(tx: &mut Tx, org: OrgId, entry: Revoked) -> Result<Revoked> {
    tx.send(
        "INSERT INTO revocation (organization, kind, subject, revoked_date, expires_date)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (organization, kind, subject)
         DO UPDATE SET revoked_date = excluded.revoked_date, expires_date = excluded.expires_date",
        &[&org.uuid(), &entry.subject.kind(), &entry.subject.id(), &entry.revoked_date, &entry.expires_date],
    )
    .await?;
    Ok(entry)
}

/// Every entry of every organization that still matters at `now`: a process serves them all. With
/// `since`, those that were made or renewed after it, which is all that a process needs that read the
/// others before.
#[boxed]
pub async fn current(tx: &mut Tx, now: Timestamp, since: Option<Timestamp>) -> Result<Vec<Revoked>> {
    // The age of an entry is known by its end, and by that there is an index.
    let new = since.and_then(|since| since.saturating_add(KEPT).ok()).unwrap_or(now);
    let expires_after = now.max(new);
    let rows: Vec<(String, String, Timestamp, Timestamp)> = tx
        .query(
            "SELECT kind, subject, revoked_date, expires_date FROM revocation WHERE expires_date > $1",
            &[&expires_after],
        )
        .await?;
    let entries = rows.into_iter().filter_map(|(kind, id, revoked_date, expires_date)| {
        Subject::parse(&kind, id).map(|subject| Revoked { subject, revoked_date, expires_date })
    });
    Ok(entries.collect())
}

/// When an entry is forgotten: its date is the one until which it matters.
pub(crate) const EXPIRY: Expiry = Expiry {
    table: "revocation",
    key: "organization, kind, subject",
    date: "expires_date",
    kept: SignedDuration::ZERO,
};
