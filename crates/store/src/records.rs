//! The registry of records: every kind that the journal tells of, how it is read in pages to be verified, and whether it
//! stays as long as the journal tells of it.

use db::{Param, Tx, Value};
use domain::OrgId;
use jiff::Timestamp;

use crate::error::Result;
use crate::list::{Direction, Select};
use crate::page::Page;
use crate::record::{Record, Role, Stored};
use crate::verify::Recorded;
use crate::view::View;
use crate::{
    clients, documents, incidents, invitations, organizations, people, proposals, risks, signing_keys, tags,
};

/// A kind of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordKind {
    Organization,
    User,
    SigningKey,
    Client,
    Membership,
    Invitation,
    Incident,
    Risk,
    Tag,
    Document,
    Proposal,
}

/// Where a page of records ends: the key of its last one.
pub(crate) type Cursor = Vec<Value<'static>>;

/// Some records of a kind.
pub(crate) struct RecordPage<T = Recorded> {
    pub(crate) records: Vec<T>,
    /// Where the next page begins; none after the last.
    pub(crate) next: Option<Cursor>,
}

impl<R: Record> RecordPage<R> {
    /// Up to `limit` records after the one with the key `after`, deleted ones too.
    pub(crate) async fn read(tx: &mut Tx, owner: OrgId, after: Cursor, limit: i64) -> Result<Self> {
        let key: Vec<_> = R::statements().key().collect();
        let select = Select::<R>::of(owner, View::with_deleted()).order(&key, Direction::Ascending, after);
        let Page { rows, has_more } = select.page(tx, limit).await?;
        let records: Vec<R> = rows.into_iter().map(|Stored(record)| record).collect();
        let last = records.last().filter(|_| has_more);
        let next = last.map(|last| last.values(&[Role::Key]).into_iter().map(Value::into_owned).collect());
        Ok(Self { records, next })
    }
}

impl<T> RecordPage<T> {
    /// The same page with each record made into something else.
    pub(crate) fn map<U>(self, make: impl FnMut(T) -> U) -> RecordPage<U> {
        RecordPage { records: self.records.into_iter().map(make).collect(), next: self.next }
    }
}

impl RecordKind {
    const OF_INSTANCE: [Self; 3] = [Self::Organization, Self::User, Self::SigningKey];

    const OF_ORGANIZATION: [Self; 8] = [
        Self::Client,
        Self::Membership,
        Self::Invitation,
        Self::Incident,
        Self::Risk,
        Self::Tag,
        Self::Document,
        Self::Proposal,
    ];

    /// The kinds that an organization's chain tells of, or the instance's.
    pub(crate) fn of(organization: OrgId) -> &'static [Self] {
        if organization == OrgId::INSTANCE { &Self::OF_INSTANCE } else { &Self::OF_ORGANIZATION }
    }

    /// What entries call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Organization => "organization",
            Self::User => "user",
            Self::SigningKey => "signing_key",
            Self::Client => "client",
            Self::Membership => "membership",
            Self::Invitation => "invitation",
            Self::Incident => "incident",
            Self::Risk => "risk",
            Self::Tag => "tag",
            Self::Document => "document",
            Self::Proposal => "proposal",
        }
    }

    /// Whether the record must be there after an entry of the kind `told`, the latest about it, with this payload.
    pub(crate) fn stays(self, told: &str, payload: Option<&str>, now: Timestamp) -> bool {
        match self {
            Self::SigningKey => told != "signing_key.deleted",
            Self::Invitation => told == "invitation.created" && invitations::is_open(payload, now),
            _ => !told.ends_with(".purged"),
        }
    }

    /// The next page of records, by key.
    pub(crate) async fn page(
        self,
        tx: &mut Tx,
        organization: OrgId,
        after: Option<Cursor>,
    ) -> Result<RecordPage> {
        let after = after.unwrap_or_default();
        match self {
            Self::Organization => organizations::recorded(tx, organization, after).await,
            Self::User => people::recorded_persons(tx, organization, after).await,
            Self::SigningKey => signing_keys::recorded(tx, organization, after).await,
            Self::Client => clients::recorded(tx, organization, after).await,
            Self::Membership => people::recorded(tx, organization, after).await,
            Self::Invitation => invitations::recorded(tx, organization, after).await,
            Self::Incident => incidents::recorded(tx, organization, after).await,
            Self::Risk => risks::recorded(tx, organization, after).await,
            Self::Tag => tags::recorded(tx, organization, after).await,
            Self::Document => documents::recorded(tx, organization, after).await,
            Self::Proposal => proposals::recorded(tx, organization, after).await,
        }
    }

    /// Whether the record with this id is there.
    pub(crate) async fn is_there(self, tx: &mut Tx, organization: OrgId, id: &str) -> Result<bool> {
        let table = match self {
            Self::User => "person",
            kind => kind.name(),
        };
        let column = match self {
            Self::SigningKey => "kid",
            Self::Membership => "actor_id",
            Self::Incident | Self::Risk | Self::Proposal => "number",
            Self::Document => "slug",
            _ => "id",
        };
        let key = match self {
            Self::SigningKey | Self::Membership | Self::Document | Self::Client => Value::from(id),
            Self::Incident | Self::Risk | Self::Proposal => {
                let number = id.rsplit('-').next().and_then(|digits| digits.parse().ok());
                Value::Integer(number.unwrap_or_default())
            }
            _ => id.parse().map_or(Value::Null, Value::Uuid),
        };
        let mut sql = format!("SELECT count(*) FROM {table} WHERE {column} = $1");
        let organization_id = organization.uuid();
        let mut params: Vec<&dyn Param> = vec![&key];
        if organization != OrgId::INSTANCE {
            sql.push_str(" AND organization = $2");
            params.push(&organization_id);
        }
        let (count,): (i64,) = tx.query_one(&sql, &params).await?;
        Ok(count > 0)
    }
}
