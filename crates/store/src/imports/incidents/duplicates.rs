//! Duplicates of a file, which get their originals when all rows are written: these may stand anywhere in the file.

use std::collections::HashMap;
use std::iter::successors;

use db::{Param, Tx};
use domain::import::{MAX_ORIGINALS, PreparedRow};
use domain::incident::{Incident, ResolutionReason, Status, Viewer};
use domain::{Author, ImportId, IncidentNumber, OrgId, Scope};

use super::{OVERRIDDEN, save};
use crate::incidents::{chains, get_many};
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;

/// The places of the duplicates of a file, each with that of its original.
pub(in crate::imports) fn duplicates(rows: &[PreparedRow]) -> impl Iterator<Item = (usize, usize)> {
    rows.iter().enumerate().filter_map(|(place, row)| Some((place, row.original()?)))
}

/// Sets the originals of these duplicates of an import. One that would lead in a circle, or over too many others, is left out.
pub(in crate::imports) async fn link(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    import: ImportId,
    pairs: Vec<(usize, usize)>,
) -> Result<()> {
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
    let changed: Vec<_> = changed.iter().map(|(before, after)| (*before, after, OVERRIDDEN)).collect();
    save(tx, organization, author, &changed).await
}

/// Whether it is a duplicate of another one than this, or of none yet.
fn is_without(incident: &Incident, original: IncidentNumber) -> bool {
    incident.status == Status::Dismissed
        && incident.resolution_reason == Some(ResolutionReason::Duplicate)
        && incident.duplicate_of != Some(original)
}

/// Whether the way from one incident over its originals leads to another one, or does not end soon.
fn leads_to(originals: &HashMap<i64, Option<i64>>, from: IncidentNumber, to: IncidentNumber) -> bool {
    let next = |number: &i64| originals.get(number).copied().flatten();
    let mut way = successors(Some(from.number()), next);
    way.by_ref().take(MAX_ORIGINALS).any(|number| number == to.number()) || way.next().is_some()
}

/// The incidents of these places.
async fn records(
    tx: &mut Tx,
    organization: OrgId,
    import: ImportId,
    pairs: &[(usize, usize)],
) -> Result<HashMap<usize, IncidentNumber>> {
    let sql = format!(
        "SELECT r.place, r.record FROM import_row AS r
         WHERE r.organization = $1 AND r.import = $3 AND r.record IS NOT NULL
           AND r.place IN (SELECT wanted.number FROM {})",
        wanted_numbers(tx.engine())
    );
    let places = pairs.iter().flat_map(|(place, original)| [*place, *original]);
    let places = numbers_parameter(places.filter_map(|place| i64::try_from(place).ok()));
    let params: [&dyn Param; 3] = [&organization.uuid(), &places, &import.uuid()];
    let rows: Vec<(i64, String)> = tx.query(&sql, &params).await?;
    let record =
        |(place, id): (i64, String)| Some((usize::try_from(place).ok()?, IncidentNumber::parse(&id)?));
    Ok(rows.into_iter().filter_map(record).collect())
}
