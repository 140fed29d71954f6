//! Organizations. Their own entries stand in the instance's chain.

use db::{FromRow, Row, Tx};
use domain::organization::Organization;
use domain::{Author, OrgId};

use crate::error::Result;
use crate::journal::{self, Payload, Subject};

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

/// One organization.
pub async fn get(tx: &mut Tx, organization: OrgId) -> Result<Option<Organization>> {
    let sql = "SELECT id, name, created_date, version FROM organization WHERE id = $1";
    let row: Option<Found> = tx.query_opt(sql, &[&organization.uuid()]).await?;
    Ok(row.map(|Found(organization)| organization))
}

/// Every organization, by name, for the operator.
pub async fn list(tx: &mut Tx) -> Result<Vec<Organization>> {
    let rows: Vec<Found> =
        tx.query("SELECT id, name, created_date, version FROM organization ORDER BY name, id", &[]).await?;
    Ok(rows.into_iter().map(|Found(organization)| organization).collect())
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
