//! Reading incidents, as they are and as they were.

use db::{Param, Tx};
use domain::incident::Incident;
use domain::{Error, IncidentNumber, Noun, OrgId};

use super::row::{COLUMNS, IncidentRow, NAMES, STORED};
use crate::error::Result;
use crate::page::Page;
use crate::view::View;

/// One incident.
pub async fn get(tx: &mut Tx, organization: OrgId, number: IncidentNumber, view: View) -> Result<Incident> {
    let rows = select(tx, organization, view, "number = $2", number.number(), 1).await?;
    Ok(rows.into_iter().next().ok_or(Error::NotFound(Noun::Incident))?)
}

/// Up to `limit` incidents in descending order of number, those before the number `before`.
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    before: Option<IncidentNumber>,
    limit: i64,
) -> Result<Page<Incident>> {
    let before = before.map_or(i64::MAX, IncidentNumber::number);
    let rows = select(tx, organization, view, "number < $2", before, limit + 1).await?;
    Ok(Page::cut(rows, limit))
}

/// How many incidents a list of this view has on all its pages.
pub async fn count(tx: &mut Tx, organization: OrgId, view: View) -> Result<i64> {
    let conditions = format!("organization = $1 {}", view.deleted.condition());
    let mut sql = format!("SELECT count(*) FROM incident WHERE {conditions}");
    let organization = organization.uuid();
    let mut params: Vec<&dyn Param> = vec![&organization];
    if let Some(seq) = &view.as_of_seq {
        params.push(seq);
        sql = format!(
            "SELECT ({sql} AND seq_from <= $2) + (SELECT count(*) FROM incident_history WHERE {conditions}
                AND seq_from <= $2 AND seq_to > $2)"
        );
    }
    let (count,) = tx.query_one(&sql, &params).await?;
    Ok(count)
}

/// Incidents that meet a condition on `number` and the parameter `$2`.
async fn select(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    condition: &str,
    number: i64,
    limit: i64,
) -> Result<Vec<Incident>> {
    let deleted = view.deleted.condition();
    let organization = organization.uuid();
    let mut params: Vec<&dyn Param> = vec![&organization, &number, &limit];
    let sql = match &view.as_of_seq {
        None => format!(
            "SELECT {COLUMNS} FROM incident AS i {NAMES}
             WHERE i.organization = $1 AND i.{condition} {deleted} ORDER BY i.number DESC LIMIT $3"
        ),
        Some(seq) => {
            params.push(seq);
            let past = view.past("incident", STORED, condition);
            format!("SELECT {COLUMNS} FROM ({past}) AS i {NAMES} ORDER BY i.number DESC")
        }
    };
    let rows: Vec<IncidentRow> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}
