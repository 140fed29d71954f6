//! Organizations. Their own entries stand in the instance's chain.

use db::Tx;
use domain::organization::{DEFAULT_TRASH_DAYS, Organization, OrganizationPatch, purged_before};
use domain::{Author, Error, ExpectedVersion, OrgId, ResourceKind};
use jiff::Timestamp;

use crate::error::Result;
use crate::journal::{self, Subject};
use crate::list::{Direction, Select};
use crate::record::{self, Stored, record};
use crate::records::page::{Cursor, RecordPage};
use crate::verify::recorded::{Made, Recorded};
use crate::view::View;

record! {
    Organization in "organization" of Instance {
        id: Plain => Key,
        name: Plain => Journaled,
        trash_days: Plain => Journaled,
        time_zone: Plain => Journaled,
        created_date: Plain => Fixed,
        version: Plain => Counted,
    }
}

/// Makes an organization and its head. For [`db::Db::write_instance`].
pub async fn create(tx: &mut Tx, author: &Author, name: &str) -> Result<Organization> {
    let id = OrgId(tx.uuid());
    let organization = Organization {
        id,
        name: name.to_owned(),
        trash_days: DEFAULT_TRASH_DAYS,
        time_zone: None,
        created_date: tx.at(),
        version: 1,
    };
    tx.create_head(id).await?;
    let payload = record::changes(None, &organization);
    journal::append(tx, OrgId::INSTANCE, author, "organization.created", subject(id), payload).await?;
    record::insert(tx, OrgId::INSTANCE, &organization).await?;
    Ok(organization)
}

/// Changes an organization by a merge patch, if there is one and it has an `expected` version, and journals it in the
/// instance's chain and in its own. A patch that changes nothing is not journaled. For [`db::Db::write_instance`].
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    expected: &ExpectedVersion,
    patch: &OrganizationPatch,
) -> Result<Organization> {
    tx.lock_head(organization).await?;
    let before = existing(tx, organization).await?;
    expected.check(before.version)?;
    let Some(after) = before.patched(patch) else { return Ok(before) };
    record::replace(tx, OrgId::INSTANCE, &after).await?;
    for chain in [OrgId::INSTANCE, organization] {
        let payload = record::changes(Some(&before), &after);
        journal::append(tx, chain, author, "organization.updated", subject(organization), payload).await?;
    }
    Ok(after)
}

fn subject(id: OrgId) -> Subject {
    Subject::new("organization", id.to_string())
}

/// One organization.
pub async fn get(tx: &mut Tx, organization: OrgId) -> Result<Option<Organization>> {
    record::find(tx, OrgId::INSTANCE, &[organization.uuid().into()]).await
}

/// One organization, which must exist.
async fn existing(tx: &mut Tx, organization: OrgId) -> Result<Organization> {
    Ok(get(tx, organization).await?.ok_or(Error::NotFound(ResourceKind::Organization))?)
}

/// Every organization, by name, for the operator.
pub async fn list(tx: &mut Tx) -> Result<Vec<Organization>> {
    let select = Select::<Organization>::of(OrgId::INSTANCE, View::with_deleted());
    let rows = select.order(&["name", "id"], Direction::Ascending, []).all(tx).await?;
    Ok(rows.into_iter().map(|Stored(organization)| organization).collect())
}

/// What was deleted at this moment or before is to be purged now; none when nothing ever is.
pub(crate) async fn purged_before_now(tx: &mut Tx, organization: OrgId) -> Result<Option<Timestamp>> {
    let trash_days = existing(tx, organization).await?.trash_days;
    Ok(purged_before(tx.at(), trash_days))
}

/// Organizations that are read at a time.
const PAGE: i64 = 200;

/// The next organizations, as they are held against the instance's journal.
pub(crate) async fn recorded(tx: &mut Tx, instance: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Organization>::read(tx, instance, after, PAGE).await?;
    Ok(page.map(|found| Recorded::of(subject(found.id), &found).made(Made::at(found.created_date))))
}
