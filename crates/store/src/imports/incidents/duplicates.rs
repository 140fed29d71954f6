//! Duplicates of a file, which get their originals when all rows are written: these may stand anywhere in the file.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::import::{PreparedRow, RowContent};
use domain::incident::{Incident, ResolutionReason, Status, Viewer};
use domain::{Author, ImportId, IncidentNumber, OrgId, Scope};

use super::save;
use crate::incidents::{chains, get_many};
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;

/// Sets the originals of the duplicates of an import. One that would lead in a circle is left out.
pub(in crate::imports) async fn link(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (import, rows): (ImportId, &[PreparedRow]),
) -> Result<()> {
    let pairs: Vec<(i64, i64)> = (0..).zip(rows).filter_map(pair).collect();
    if pairs.is_empty() || !author.scopes().has(Scope::IncidentsOverride) {
        return Ok(());
    }
    let numbers = records(tx, organization, import, &pairs).await?;
    let all: Vec<IncidentNumber> = numbers.values().copied().collect();
    let found = get_many(tx, organization, &Viewer::of(author), &all).await?;
    let incidents: HashMap<_, _> = found.iter().map(|incident| (incident.number, incident)).collect();
    let mut originals = chains(tx, organization, all.iter().map(|number| number.number())).await?;
    let mut changed: Vec<(&Incident, Incident)> = Vec::new();
    for (place, original) in pairs {
        let (Some(number), Some(original)) = (numbers.get(&place), numbers.get(&original)) else { continue };
        let duplicate = incidents.get(number).filter(|it| is_without(it, *original));
        let Some(before) = duplicate.filter(|_| !leads_to(&originals, *original, *number)) else { continue };
        originals.insert(number.number(), Some(original.number()));
        let after = Incident {
            duplicate_of: Some(*original),
            updated_date: tx.at(),
            version: before.version + 1,
            ..(*before).clone()
        };
        changed.push((before, after));
    }
    let changed: Vec<_> = changed.iter().map(|(before, after)| (*before, after, true)).collect();
    save(tx, organization, author, &changed).await
}

/// The places of a duplicate and of its original.
fn pair((place, row): (i64, &PreparedRow)) -> Option<(i64, i64)> {
    match &row.content {
        RowContent::Incident(incident) => Some((place, i64::try_from(incident.original?).ok()?)),
        _ => None,
    }
}

/// Whether it is a duplicate of another one than this, or of none yet.
fn is_without(incident: &Incident, original: IncidentNumber) -> bool {
    incident.status == Status::Dismissed
        && incident.resolution_reason == Some(ResolutionReason::Duplicate)
        && incident.duplicate_of != Some(original)
}

/// Whether the way from one incident over its originals leads to another one.
fn leads_to(originals: &HashMap<i64, Option<i64>>, from: IncidentNumber, to: IncidentNumber) -> bool {
    let mut next = Some(from.number());
    while let Some(number) = next {
        if number == to.number() {
            return true;
        }
        next = originals.get(&number).copied().flatten();
    }
    false
}

/// The incidents of these places.
async fn records(
    tx: &mut Tx,
    organization: OrgId,
    import: ImportId,
    pairs: &[(i64, i64)],
) -> Result<HashMap<i64, IncidentNumber>> {
    let sql = format!(
        "SELECT r.place, r.record FROM import_row AS r
         WHERE r.organization = $1 AND r.import = $3 AND r.record IS NOT NULL
           AND r.place IN (SELECT wanted.number FROM {})",
        wanted_numbers(tx.engine())
    );
    let places = numbers_parameter(pairs.iter().flat_map(|(place, original)| [*place, *original]));
    let params: [&dyn Param; 3] = [&organization.uuid(), &places, &import.uuid()];
    let rows: Vec<(i64, String)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().filter_map(|(place, id)| Some((place, IncidentNumber::parse(&id)?))).collect())
}
