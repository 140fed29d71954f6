//! Organizations. Their own entries stand in the instance's chain.

use db::{FromRow, Row, Tx};
use domain::organization::Organization;
use domain::{Author, Error, ExpectedVersion, Noun, OrgId};
use serde_json::json;

use crate::error::Result;
use crate::journal::{self, Current, Payload, Subject};

/// Makes an organization and its head. For [`db::Db::write_instance`].
pub async fn create(tx: &mut Tx, author: &Author, name: &str) -> Result<Organization> {
    let id = OrgId(tx.uuid());
    let organization = Organization { id, name: name.to_owned(), created_date: tx.at(), version: 1 };
    tx.create_head(id).await?;
    let payload = Payload::new().set("name", name);
    let subject = Subject::new("organization", id.to_string());
    journal::append(tx, OrgId::INSTANCE, author, "organization.created", subject, payload).await?;
    let sql = "INSERT INTO organization (id, name, created_date, version) VALUES ($1, $2, $3, $4)";
    tx.execute(sql, &[&id.uuid(), &name, &organization.created_date, &organization.version]).await?;
    Ok(organization)
}

/// Gives an organization another name, if there is one and it has an `expected` version, and tells it
/// in the instance's chain and in its own. The same name is not journaled. For [`db::Db::write_instance`].
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    expected: &ExpectedVersion,
    name: Option<&str>,
) -> Result<Organization> {
    tx.lock_head(organization).await?;
    let before = existing(tx, organization).await?;
    expected.check(before.version)?;
    let Some(name) = name.filter(|name| *name != before.name) else { return Ok(before) };
    let sql = "UPDATE organization SET name = $2, version = version + 1 WHERE id = $1";
    tx.execute(sql, &[&organization.uuid(), &name]).await?;
    for chain in [OrgId::INSTANCE, organization] {
        let payload = Payload::new().change("name", &before.name, name);
        let subject = Subject::new("organization", organization.to_string());
        journal::append(tx, chain, author, "organization.updated", subject, payload).await?;
    }
    Ok(Organization { name: name.to_owned(), version: before.version + 1, ..before })
}

/// One organization.
pub async fn get(tx: &mut Tx, organization: OrgId) -> Result<Option<Organization>> {
    let sql = "SELECT id, name, created_date, version FROM organization WHERE id = $1";
    let row: Option<Found> = tx.query_opt(sql, &[&organization.uuid()]).await?;
    Ok(row.map(|Found(organization)| organization))
}

/// One organization, which is to be there.
async fn existing(tx: &mut Tx, organization: OrgId) -> Result<Organization> {
    Ok(get(tx, organization).await?.ok_or(Error::NotFound(Noun::Organization))?)
}

/// Every organization, by name, for the operator.
pub async fn list(tx: &mut Tx) -> Result<Vec<Organization>> {
    let rows: Vec<Found> =
        tx.query("SELECT id, name, created_date, version FROM organization ORDER BY name, id", &[]).await?;
    Ok(rows.into_iter().map(|Found(organization)| organization).collect())
}

/// Every organization as the instance's journal should have it.
pub(crate) async fn journaled(tx: &mut Tx) -> Result<Vec<Current>> {
    let all = list(tx).await?.into_iter().map(|organization| Current {
        subject_kind: "organization",
        subject_id: organization.id.to_string(),
        seq_from: None,
        fields: [("name".to_owned(), json!(organization.name))].into(),
    });
    Ok(all.collect())
}

struct Found(Organization);

impl FromRow for Found {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self(Organization {
            id: OrgId(row.get(0)?),
            name: row.get(1)?,
            created_date: row.get(2)?,
            version: row.get(3)?,
        }))
    }
}
