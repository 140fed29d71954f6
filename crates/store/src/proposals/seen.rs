//! What people have seen of proposals. It is for themselves, so no journal tells of it.

use db::Tx;
use domain::document::sha256;
use domain::{OrgId, UserId};
use jiff::Timestamp;
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::record::{self, record};

/// The text of a proposal that a person saw last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenText {
    /// The number of the proposal.
    pub proposal: i64,
    /// The person.
    pub person: UserId,
    /// When they saw it.
    pub seen_date: Timestamp,
    /// Its SHA-256.
    pub sha256: String,
    /// The text with its front matter.
    pub markdown: String,
}

record! {
    SeenText in "proposal_seen" {
        proposal: Plain => Key,
        person: Plain => Key,
        seen_date: Plain => Counted,
        sha256: Plain => Counted,
        markdown: Plain => Counted,
    }
}

/// Keeps the text of a proposal that a person has seen, in the place of an earlier one.
#[boxed]
pub async fn see(
    tx: &mut Tx,
    organization: OrgId,
    person: UserId,
    proposal: i64,
    markdown: &str,
) -> Result<()> {
    let (sha256, seen_date) = (sha256(markdown), tx.at());
    let seen = SeenText { proposal, person, seen_date, sha256, markdown: markdown.to_owned() };
    record::insert_or_replace_all(tx, organization, &[seen]).await
}

/// The text of a proposal that a person saw last, if they saw any.
#[boxed]
pub async fn seen(
    tx: &mut Tx,
    organization: OrgId,
    person: UserId,
    proposal: i64,
) -> Result<Option<SeenText>> {
    record::find(tx, organization, &[proposal.into(), person.uuid().into()]).await
}
