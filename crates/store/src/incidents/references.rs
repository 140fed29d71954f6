//! The references of external systems: which incident has one.

use std::collections::{BTreeSet, HashMap};

use db::{FromRow, Param, Row, Tx};
use domain::incident::{Incident, Reference};
use domain::{Error, IncidentNumber, Line, OrgId};
use serde_json::json;

use crate::ledger::dialect::{numbers_parameter, wanted_numbers, wanted_texts};
use crate::ledger::error::Result;
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::Stored;
use crate::ledger::view::View;

/// The incident with this reference, deleted ones not counted.
pub(super) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    reference: &Reference,
) -> Result<Option<Incident>> {
    let Reference { source, reference } = reference;
    let select = Select::<Incident>::of(organization, View::now())
        .filter(Filter::is("external_source", source.as_str().into()))
        .filter(Filter::is("external_ref", reference.as_str().into()));
    Ok(select.one(tx).await?.map(|Stored(incident)| incident))
}

/// The incidents with these references, deleted ones not counted, by system and reference.
pub(crate) async fn with_references(
    tx: &mut Tx,
    organization: OrgId,
    references: &[&Reference],
) -> Result<HashMap<(String, String), IncidentNumber>> {
    if references.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT r.external_source, r.external_ref, r.number FROM incident AS r
         WHERE r.organization = $1 AND r.external_source IN (SELECT wanted.item FROM {})
           AND r.external_ref IN (SELECT wanted.item FROM {}) AND r.deleted_date IS NULL",
        wanted_texts(tx.engine(), "$2"),
        wanted_texts(tx.engine(), "$3")
    );
    let sources: BTreeSet<&str> = references.iter().map(|it| it.source.as_str()).collect();
    let (sources, references) =
        (json!(sources).to_string(), json!(references.iter().map(|it| &it.reference).collect::<Vec<_>>()));
    let params: [&dyn Param; 3] = [&organization.uuid(), &sources, &references.to_string()];
    let rows: Vec<(String, String, i64)> = tx.query(&sql, &params).await?;
    Ok(rows
        .into_iter()
        .map(|(source, reference, number)| ((source, reference), IncidentNumber(number)))
        .collect())
}

/// Refuses a reference that another incident has.
pub(super) async fn require_free(tx: &mut Tx, organization: OrgId, incident: &Incident) -> Result<()> {
    let (Some(source), Some(reference)) = (&incident.external_source, &incident.external_ref) else {
        return Ok(());
    };
    let reference =
        Reference { source: Line::stored(source.clone()), reference: Line::stored(reference.clone()) };
    match find(tx, organization, &reference).await? {
        Some(other) if other.number != incident.number => {
            Err(Error::ExternalRefTaken(vec![incident.number]).into())
        }
        _ => Ok(()),
    }
}

/// Those of these deleted incidents, by number, that cannot be restored together: their references are those of incidents
/// that are not deleted, or of each other.
pub(super) async fn taken(
    tx: &mut Tx,
    organization: OrgId,
    numbers: impl IntoIterator<Item = i64>,
) -> Result<Vec<IncidentNumber>> {
    let sql = format!(
        "SELECT r.number, r.external_source, r.external_ref,
             (SELECT count(*) FROM incident AS other
              WHERE other.organization = r.organization AND other.external_source = r.external_source
                AND other.external_ref = r.external_ref AND other.deleted_date IS NULL)
         FROM {} CROSS JOIN incident AS r
         WHERE r.organization = $1 AND r.number = wanted.number AND r.external_source IS NOT NULL
           AND r.deleted_date IS NOT NULL
         ORDER BY r.number",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers);
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let rows: Vec<Referring> = tx.query(&sql, &params).await?;
    let mut count: HashMap<(&str, &str), usize> = HashMap::new();
    for row in &rows {
        *count.entry((&row.source, &row.reference)).or_default() += 1;
    }
    let is_taken = |row: &&Referring| {
        let same = count.get(&(row.source.as_str(), row.reference.as_str()));
        row.holders > 0 || same.is_some_and(|same| *same > 1)
    };
    Ok(rows.iter().filter(is_taken).map(|row| IncidentNumber(row.number)).collect())
}

/// An incident with a reference, and how many incidents that are not deleted have it.
struct Referring {
    number: i64,
    source: String,
    reference: String,
    holders: i64,
}

impl FromRow for Referring {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let (number, source) = (row.get(0)?, row.get(1)?);
        Ok(Self { number, source, reference: row.get(2)?, holders: row.get(3)? })
    }
}
