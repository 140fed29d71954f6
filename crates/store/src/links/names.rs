//! What links lead to, for the sentences of a timeline.

use std::collections::{HashMap, HashSet};

use db::{FromRow, Param, Row, Tx};
use domain::link::IncidentLink;
use domain::timeline::LinkName;
use domain::{IncidentNumber, OrgId};

use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::record::{Columns as _, Reader, columns_as};

/// What the links of an incident with these numbers lead to, removed ones too. Whether the reader sees it is not looked at.
pub(crate) async fn names(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
    numbers: HashSet<i64>,
) -> Result<HashMap<i64, LinkName>> {
    let columns = columns_as::<IncidentLink>("link");
    // CROSS JOIN, because SQLite keeps its order: each link is looked up. After the deletion of a draft, a later document that
    // has its slug is another one.
    let sql = format!(
        "SELECT {}, COALESCE(other.title, risk.title, document.title) AS other_title
         FROM {} CROSS JOIN incident_link AS link{}
         LEFT JOIN incident AS other ON other.organization = link.organization
             AND other.number = link.to_incident AND other.deleted_date IS NULL
         LEFT JOIN risk ON risk.organization = link.organization AND risk.number = link.to_risk
             AND risk.deleted_date IS NULL
         LEFT JOIN document ON document.organization = link.organization AND document.slug = link.to_document
             AND (link.removed_date IS NULL OR document.created_date <= link.created_date)
         WHERE link.organization = $1 AND link.incident = $3 AND link.number = wanted.number",
        columns.columns,
        wanted_numbers(tx.engine()),
        columns.joins
    );
    let numbers = numbers_parameter(numbers);
    let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &incident.number()];
    let rows: Vec<Named> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|Named(number, name)| (number, name)).collect())
}

/// The number of a link, and what it leads to.
struct Named(i64, LinkName);

impl FromRow for Named {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let link = IncidentLink::read(&mut row)?;
        Ok(Self(link.number, LinkName { kind: link.kind, to: link.to(), title: row.next()? }))
    }
}
