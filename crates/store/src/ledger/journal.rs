//! The journal: one append-only chain per organization, written in the same transaction as the change it records.
//! docs/journal.md specifies how an entry is hashed.

mod as_of;
mod checker;
mod entry;
mod erase;
mod kinds;
mod line;
mod list;
pub(crate) mod payload;
mod read;
mod redaction;
mod salted_hash;

pub(crate) use as_of::instant;
pub use as_of::{AsOf, resolve};
pub use checker::{Checker, Expected, Fault, Position, Report};
pub(crate) use entry::number_in;
pub use entry::{Entry, Link, Subject, link_hash, payload_hash};
pub(crate) use erase::{erase, erase_entries};
pub(crate) use kinds::kinds_about;
pub use kinds::{kinds, kinds_table, subject_kinds};
pub use list::{EntryFilter, EntrySort, count, page};
pub use payload::Payload;
pub use read::{ENTRY_HASH, has_entry, head, latest_of_subject, list};
pub(crate) use read::{latest_of_subjects, list_of_numbers, numbers_of_subjects};
pub(crate) use redaction::{Fields, REDACTION, told_again};
pub(crate) use salted_hash::{is_hash_of, salted_hash};

use db::{Tx, Value};
use domain::{Author, OrgId};
use jiff::Timestamp;
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::record;

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
#[boxed]
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
#[boxed]
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
        rows.push(Appended { seq, kind, subject, payload, salt, payload_hash, prev_hash, hash });
    }
    let values: Vec<_> = rows.iter().map(|row| row.values(at, author)).collect();
    record::insert_values::<Entry>(tx, organization, &values).await?;
    tx.advance_head(organization, seq, hash)?;
    Ok(seq)
}

/// An entry as it is appended. Every write appends one, so its texts are not copied into an [`Entry`].
struct Appended {
    seq: i64,
    kind: &'static str,
    subject: Subject,
    payload: String,
    salt: [u8; 16],
    payload_hash: [u8; 32],
    prev_hash: [u8; 32],
    hash: [u8; 32],
}

impl Appended {
    /// The values of the columns of [`Entry`].
    fn values<'v>(&'v self, at: Timestamp, author: &'v Author) -> Vec<Value<'v>> {
        vec![
            self.seq.into(),
            at.into(),
            author.actor.kind.as_str().into(),
            author.actor.id.as_str().into(),
            author.request_id.as_str().into(),
            self.kind.into(),
            self.subject.kind.into(),
            self.subject.id.as_str().into(),
            self.payload.as_str().into(),
            self.salt.as_slice().into(),
            self.payload_hash.as_slice().into(),
            self.prev_hash.as_slice().into(),
            self.hash.as_slice().into(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use domain::{Actor, ActorKind};

    use super::*;
    use crate::ledger::record::Columns as _;

    #[test]
    fn an_appended_entry_has_the_columns_of_an_entry() {
        let actor = Actor { kind: ActorKind::User, id: "u".to_owned(), name: "Ada".to_owned() };
        let author = Author::new(actor.clone(), "r-1");
        let appended = Appended {
            seq: 7,
            kind: "tag.created",
            subject: Subject::new("tag", "t-1"),
            payload: "{}".to_owned(),
            salt: [1; 16],
            payload_hash: [2; 32],
            prev_hash: [3; 32],
            hash: [4; 32],
        };
        let entry = Entry {
            seq: 7,
            at: Timestamp::UNIX_EPOCH,
            actor,
            request_id: "r-1".to_owned(),
            kind: "tag.created".to_owned(),
            subject_kind: "tag".to_owned(),
            subject_id: "t-1".to_owned(),
            payload: Some("{}".to_owned()),
            salt: Some(vec![1; 16]),
            payload_hash: vec![2; 32],
            prev_hash: vec![3; 32],
            hash: vec![4; 32],
        };
        assert_eq!(appended.values(Timestamp::UNIX_EPOCH, &author), entry.values(&record::ALL));
    }
}
