//! The journal: one append-only chain per organization, written in the same transaction as the change it records.
//! docs/journal.md specifies how an entry is hashed.

mod as_of;
mod checker;
mod entry;
mod erase;
mod kinds;
mod line;
pub(crate) mod payload;
mod read;
mod salted_hash;

pub use as_of::{AsOf, resolve};
pub use checker::{Checker, Expected, Fault, Position, Report};
pub use entry::{Entry, Link, Subject, link_hash, payload_hash};
pub(crate) use erase::erase;
pub use kinds::kinds_table;
pub use payload::Payload;
pub use read::{count, head, list};
pub(crate) use read::{latest_of_subjects, list_of_subjects};
pub(crate) use salted_hash::{is_hash_of, salted_hash};

pub use crate::verify::{Progress, verify, verify_with};

use db::Tx;
use domain::{Author, OrgId};

use crate::error::Result;
use crate::record;

/// An entry to append.
#[derive(Debug, Clone)]
pub struct New {
    /// Kind of record and past participle, such as `incident.created`.
    pub kind: &'static str,
    /// The record it is about.
    pub subject: Subject,
    /// The fields that changed.
    pub payload: Payload,
}

/// Appends one entry and returns its number.
pub async fn append(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    kind: &'static str,
    subject: Subject,
    payload: Payload,
) -> Result<i64> {
    append_all(tx, organization, author, vec![New { kind, subject, payload }]).await
}

/// Appends entries in their order and returns the number of the last; the first is that many before.
pub async fn append_all(tx: &mut Tx, organization: OrgId, author: &Author, entries: Vec<New>) -> Result<i64> {
    let at = tx.at();
    let head = tx.head(organization)?;
    let (mut seq, mut hash) = (head.seq, head.hash);
    let mut rows = Vec::with_capacity(entries.len());
    for New { kind, subject, payload } in entries {
        let (payload, salt, prev_hash) = (payload.into_text(), tx.random::<16>(), hash);
        seq += 1;
        let payload_hash = payload_hash(&salt, &payload);
        let link = Link { seq, at, author, kind, subject: &subject, payload_hash: &payload_hash };
        hash = link_hash(&prev_hash, &link);
        rows.push(Entry {
            seq,
            at,
            actor: author.actor.clone(),
            request_id: author.request_id.clone(),
            kind: kind.to_owned(),
            subject_kind: subject.kind.to_owned(),
            subject_id: subject.id,
            payload: Some(payload),
            salt: Some(salt.to_vec()),
            payload_hash: payload_hash.to_vec(),
            prev_hash: prev_hash.to_vec(),
            hash: hash.to_vec(),
        });
    }
    record::insert_all(tx, organization, &rows).await?;
    tx.advance_head(organization, seq, hash)?;
    Ok(seq)
}
