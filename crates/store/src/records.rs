//! The registry of records: every kind that the journal tells of, with what verification, the trash and the inventory need
//! to know of it.

pub(crate) mod page;

use db::{Param, Tx, Value};
use domain::OrgId;
use domain::client::Client;
use domain::document::Document;
use domain::incident::Incident;
use domain::invitation::Invitation;
use domain::organization::Organization;
use domain::reset_link::ResetLink;
use domain::risk::Risk;
use domain::saved_view::SavedView;
use domain::tag::Tag;
use domain::time;
use jiff::Timestamp;
use page::{Cursor, Outcome, RecordPage};

use crate::error::Result;
use crate::housekeeping::Trash;
use crate::people::{Membership, PersonRow};
use crate::proposals::ProposalRow;
use crate::record::{Owner, Record, Statements};
use crate::signing_keys::StoredKey;
use crate::{
    clients, documents, incidents, invitations, organizations, people, proposals, refused_sign_ins,
    reset_links, risks, saved_views, signing_keys, tags,
};

/// A function that reads the next page of records as they are held against the journal.
macro_rules! pages {
    ($recorded:path) => {
        |tx, owner, after| Box::pin($recorded(tx, owner, after))
    };
}

/// Every kind of record, in the order in which they are verified.
const ALL: &[RecordKind] = &[
    RecordKind::of::<Organization>("organization", Id::Uuid, pages!(organizations::recorded)),
    RecordKind::of::<PersonRow>("user", Id::Uuid, pages!(people::recorded_persons)),
    RecordKind::of::<StoredKey>("signing_key", Id::Text, pages!(signing_keys::recorded))
        .staying(|entry, _, _| entry != "signing_key.deleted"),
    RecordKind::of::<Client>("client", Id::Text, pages!(clients::recorded)),
    RecordKind::of::<Membership>("membership", Id::Uuid, pages!(people::recorded)),
    RecordKind::of::<Invitation>("invitation", Id::Uuid, pages!(invitations::recorded))
        .staying(|entry, payload, now| entry == "invitation.created" && is_open(payload, now)),
    RecordKind::of::<ResetLink>("reset_link", Id::Uuid, pages!(reset_links::recorded))
        .staying(|entry, payload, now| entry == "reset_link.created" && is_open(payload, now)),
    RecordKind::of::<Incident>("incident", Id::Number, pages!(incidents::recorded))
        .with_trash(Trash::of::<Incident>("deleted_incidents"))
        .with_parts(&[
            "incident_task",
            "incident_review",
            "incident_note",
            "incident_report",
            "incident_link",
        ]),
    RecordKind::of::<Risk>("risk", Id::Number, pages!(risks::recorded))
        .with_trash(Trash::of::<Risk>("deleted_risks"))
        .with_parts(&["evaluation"]),
    RecordKind::of::<Tag>("tag", Id::Uuid, pages!(tags::recorded)),
    RecordKind::of::<SavedView>("view", Id::Uuid, pages!(saved_views::recorded))
        .staying(|entry, _, _| entry != saved_views::DELETED),
    RecordKind::of::<Document>("document", Id::Text, pages!(documents::recorded)),
    RecordKind::of::<ProposalRow>("proposal", Id::Number, pages!(proposals::recorded)),
];

/// A kind of record.
pub(crate) struct RecordKind {
    /// What entries call it.
    pub(crate) name: &'static str,
    /// The table.
    pub(crate) table: &'static str,
    /// How it is deleted, where it can be restored.
    pub(crate) trash: Option<Trash>,
    /// Tables of records that have no entries of their own.
    parts: &'static [&'static str],
    /// Whose chain tells of it.
    pub(crate) owner: Owner,
    id: Id,
    statements: fn() -> &'static Statements,
    page: PageOf,
    stays: fn(entry: &str, payload: Option<&str>, now: Timestamp) -> bool,
}

/// What the column of the key has of the id in entries.
#[derive(Clone, Copy)]
enum Id {
    /// The id.
    Text,
    /// The id as a UUID.
    Uuid,
    /// The number in the id, which follows a prefix.
    Number,
}

/// Reads the page of an organization's or the instance's records after a cursor.
type PageOf = for<'t> fn(&'t mut Tx, OrgId, Cursor) -> Outcome<'t, RecordPage>;

impl RecordKind {
    const fn of<R: Record>(name: &'static str, id: Id, page: PageOf) -> Self {
        let (table, owner, statements) = (R::TABLE, R::OWNER, R::statements as fn() -> &'static Statements);
        Self { name, table, trash: None, parts: &[], owner, id, statements, page, stays: until_purged }
    }

    /// The same for records that can be deleted and restored.
    const fn with_trash(self, trash: Trash) -> Self {
        Self { trash: Some(trash), ..self }
    }

    /// The same for records whose entries also tell of the records in these tables.
    const fn with_parts(self, parts: &'static [&'static str]) -> Self {
        Self { parts, ..self }
    }

    /// The same for records that go in other ways than by being purged.
    const fn staying(self, stays: fn(&str, Option<&str>, Timestamp) -> bool) -> Self {
        Self { stays, ..self }
    }

    /// Every kind.
    pub(crate) fn all() -> impl Iterator<Item = &'static Self> {
        ALL.iter()
    }

    /// The kinds that an organization's chain tells of, or the instance's.
    pub(crate) fn in_chain_of(organization: OrgId) -> impl Iterator<Item = &'static Self> {
        let owner = if organization == OrgId::INSTANCE { Owner::Instance } else { Owner::Organization };
        Self::all().filter(move |kind| kind.owner == owner)
    }

    /// The tables of its records and of their parts.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.table).chain(self.parts.iter().copied())
    }

    /// Whether the record must be there after an entry of the kind `entry`, the latest about it, with this payload.
    pub(crate) fn stays(&self, entry: &str, payload: Option<&str>, now: Timestamp) -> bool {
        (self.stays)(entry, payload, now)
    }

    /// Whether an entry of the kind `told` changes the record; refused sign-ins do not change the person.
    pub(crate) fn is_changed_by(&self, told: &str) -> bool {
        told != refused_sign_ins::KIND
    }

    /// The next page of records, by key.
    pub(crate) async fn page(&self, tx: &mut Tx, owner: OrgId, after: Cursor) -> Result<RecordPage> {
        (self.page)(tx, owner, after).await
    }

    /// Whether the record with this id is there.
    pub(crate) async fn is_there(&self, tx: &mut Tx, organization: OrgId, id: &str) -> Result<bool> {
        let key = match self.id {
            Id::Text => Value::from(id),
            Id::Uuid => id.parse().map_or(Value::Null, Value::Uuid),
            Id::Number => Value::Integer(number_in(id).unwrap_or_default()),
        };
        let organization = organization.uuid();
        let params: [&dyn Param; 2] = [&organization, &key];
        let params = if self.owner == Owner::Instance { &params[1..] } else { &params[..] };
        let (count,): (i64,) = tx.query_one(&(self.statements)().count, params).await?;
        Ok(count > 0)
    }
}

/// The number in an id of an entry.
pub(crate) fn number_in(id: &str) -> Option<i64> {
    id.rsplit('-').next()?.parse().ok()
}

/// Whether the record that was made with this payload has not expired yet.
fn is_open(payload: Option<&str>, now: Timestamp) -> bool {
    let payload: Option<serde_json::Value> = payload.and_then(|text| serde_json::from_str(text).ok());
    let expires = payload.as_ref().and_then(|payload| payload.pointer("/expires_date/1")?.as_str());
    expires.and_then(time::parse).is_some_and(|expires| expires > now)
}

/// Most records stay until they are purged.
fn until_purged(entry: &str, _: Option<&str>, _: Timestamp) -> bool {
    !entry.ends_with(".purged")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_kind_of_record_has_its_own_name_and_table() {
        let names: HashSet<_> = ALL.iter().map(|kind| kind.name).collect();
        let tables: HashSet<_> = ALL.iter().map(|kind| kind.table).collect();
        assert_eq!((names.len(), tables.len()), (ALL.len(), ALL.len()));
    }
}
