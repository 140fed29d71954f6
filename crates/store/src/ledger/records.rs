//! Kinds of records that the journal tells of, with what verification, the trash and the inventory need to know of each.

pub(crate) mod page;

use db::{Param, Tx, Value};
use domain::OrgId;
use jiff::Timestamp;
use page::{Cursor, Outcome, RecordPage};

use crate::ledger::error::Result;
use crate::ledger::housekeeping::Trash;
use crate::ledger::journal::{Checker, number_in};
use crate::ledger::record::{Owner, Record, Statements};
use crate::ledger::undo::UndoableKind;

/// Every kind of record of a register, in the order in which they are verified.
pub struct Registry {
    pub(crate) kinds: &'static [RecordKind],
    /// What is derived from records of organizations and verified beside them.
    pub(crate) checks: &'static [Check],
    /// The kinds whose changes can be undone.
    pub(crate) undoable: &'static [UndoableKind],
}

/// Notes what an organization has that does not follow from its records.
pub(crate) type Check = for<'t> fn(&'t mut Tx, OrgId, &'t mut Checker) -> Outcome<'t, ()>;

impl Registry {
    /// The kinds that an organization's chain tells of, or the instance's.
    pub(crate) fn in_chain_of(&self, organization: OrgId) -> impl Iterator<Item = &'static RecordKind> {
        let owner = if organization == OrgId::INSTANCE { Owner::Instance } else { Owner::Organization };
        self.kinds.iter().filter(move |kind| kind.owner == owner)
    }

    /// The trash of each kind that has one.
    pub fn trash(&self) -> impl Iterator<Item = Trash> {
        self.kinds.iter().filter_map(|kind| kind.trash)
    }

    /// The trash with this name.
    pub fn trash_named(&self, name: &str) -> Option<Trash> {
        self.trash().find(|trash| trash.name() == name)
    }
}

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
    /// The kind of entries about it that do not change it.
    unchanged_by: Option<&'static str>,
}

/// What the column of the key has of the id in entries.
#[derive(Clone, Copy)]
pub(crate) enum Id {
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
    pub(crate) const fn of<R: Record>(name: &'static str, id: Id, page: PageOf) -> Self {
        let (table, owner, statements) = (R::TABLE, R::OWNER, R::statements as fn() -> &'static Statements);
        Self {
            name,
            table,
            trash: None,
            parts: &[],
            owner,
            id,
            statements,
            page,
            stays: until_purged,
            unchanged_by: None,
        }
    }

    /// The same for records that can be deleted and restored.
    pub(crate) const fn with_trash(self, trash: Trash) -> Self {
        Self { trash: Some(trash), ..self }
    }

    /// The same for records whose entries also tell of the records in these tables.
    pub(crate) const fn with_parts(self, parts: &'static [&'static str]) -> Self {
        Self { parts, ..self }
    }

    /// The same for records that go in other ways than by being purged.
    pub(crate) const fn staying(self, stays: fn(&str, Option<&str>, Timestamp) -> bool) -> Self {
        Self { stays, ..self }
    }

    /// The same for records with entries of this kind that do not change them.
    pub(crate) const fn unchanged_by(self, entry: &'static str) -> Self {
        Self { unchanged_by: Some(entry), ..self }
    }

    /// The tables of its records and of their parts.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.table).chain(self.parts.iter().copied())
    }

    /// Whether the record must be there after an entry of the kind `entry`, the latest about it, with this payload.
    pub(crate) fn stays(&self, entry: &str, payload: Option<&str>, now: Timestamp) -> bool {
        (self.stays)(entry, payload, now)
    }

    /// Whether an entry of the kind `told` changes the record.
    pub(crate) fn is_changed_by(&self, told: &str) -> bool {
        self.unchanged_by != Some(told)
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

/// Most records stay until they are purged.
fn until_purged(entry: &str, _: Option<&str>, _: Timestamp) -> bool {
    !entry.ends_with(".purged")
}
