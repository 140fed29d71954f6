//! Organizations. Their own entries stand in the instance's chain.

use db::{FromRow, Row, Tx, Value};
use domain::organization::{DEFAULT_TRASH_DAYS, Organization, OrganizationPatch, purged_before};
use domain::{Author, Error, ExpectedVersion, OrgId, ResourceKind};
use jiff::Timestamp;
use serde_json::json;

use crate::error::Result;
use crate::journal::{self, Payload, Subject};
use crate::page::Page;
use crate::records::{Cursor, RecordPage};
use crate::verify::{Made, Recorded};

/// Makes an organization and its head. For [`db::Db::write_instance`].
pub async fn create(tx: &mut Tx, author: &Author, name: &str) -> Result<Organization> {
    let id = OrgId(tx.uuid());
    let organization = Organization {
        id,
        name: name.to_owned(),
        trash_days: DEFAULT_TRASH_DAYS,
        created_date: tx.at(),
        version: 1,
    };
    tx.create_head(id).await?;
    let payload = Payload::new().set("name", name).set("trash_days", organization.trash_days);
    let subject = Subject::new("organization", id.to_string());
    journal::append(tx, OrgId::INSTANCE, author, "organization.created", subject, payload).await?;
    let sql =
        "INSERT INTO organization (id, name, trash_days, created_date, version) VALUES ($1, $2, $3, $4, $5)";
    let Organization { trash_days, created_date, version, .. } = &organization;
    tx.send(sql, &[&id.uuid(), &name, trash_days, created_date, version]).await?;
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
    let sql = "UPDATE organization SET name = $2, trash_days = $3, version = $4 WHERE id = $1";
    tx.send(sql, &[&organization.uuid(), &after.name, &after.trash_days, &after.version]).await?;
    for chain in [OrgId::INSTANCE, organization] {
        let payload = Payload::new().change("name", &before.name, &after.name).change(
            "trash_days",
            before.trash_days,
            after.trash_days,
        );
        let subject = Subject::new("organization", organization.to_string());
        journal::append(tx, chain, author, "organization.updated", subject, payload).await?;
    }
    Ok(after)
}

/// One organization.
pub async fn get(tx: &mut Tx, organization: OrgId) -> Result<Option<Organization>> {
    let sql = "SELECT id, name, created_date, version, trash_days FROM organization WHERE id = $1";
    let row: Option<OrganizationRow> = tx.query_opt(sql, &[&organization.uuid()]).await?;
    Ok(row.map(|row| row.0))
}

/// One organization, which must exist.
async fn existing(tx: &mut Tx, organization: OrgId) -> Result<Organization> {
    Ok(get(tx, organization).await?.ok_or(Error::NotFound(ResourceKind::Organization))?)
}

/// Every organization, by name, for the operator.
pub async fn list(tx: &mut Tx) -> Result<Vec<Organization>> {
    let sql = "SELECT id, name, created_date, version, trash_days FROM organization ORDER BY name, id";
    let rows: Vec<OrganizationRow> = tx.query(sql, &[]).await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// What was deleted at this moment or before is to be purged now; none when nothing ever is.
pub(crate) async fn purged_before_now(tx: &mut Tx, organization: OrgId) -> Result<Option<Timestamp>> {
    let trash_days = existing(tx, organization).await?.trash_days;
    Ok(purged_before(tx.at(), trash_days))
}

/// Organizations that are read at a time.
const PAGE: i64 = 200;

/// The next organizations, as they are held against the instance's journal.
pub(crate) async fn recorded(tx: &mut Tx, after: Cursor) -> Result<RecordPage> {
    let after = after.into_iter().next().unwrap_or(Value::Uuid(OrgId::INSTANCE.uuid()));
    let sql = "SELECT id, name, created_date, version, trash_days FROM organization
               WHERE id > $1 ORDER BY id LIMIT $2";
    let rows: Vec<OrganizationRow> = tx.query(sql, &[&after, &(PAGE + 1)]).await?;
    let page = Page::cut(rows, PAGE).map(|row| row.0);
    let next = page.rows.last().filter(|_| page.has_more).map(|found| vec![found.id.uuid().into()]);
    let records = page.rows.iter().map(|found| {
        let fields = [("name", json!(found.name)), ("trash_days", json!(found.trash_days))];
        let subject = Subject::new("organization", found.id.to_string());
        Recorded::new(subject, fields).made(Made::at(found.created_date))
    });
    Ok(RecordPage { records: records.collect(), next })
}

struct OrganizationRow(Organization);

impl FromRow for OrganizationRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self(Organization {
            id: OrgId(row.get(0)?),
            name: row.get(1)?,
            created_date: row.get(2)?,
            version: row.get(3)?,
            trash_days: row.get(4)?,
        }))
    }
}
