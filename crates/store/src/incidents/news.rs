//! What was declared while a list was open.

use db::Tx;
use domain::OrgId;
use domain::incident::{Incident, Sees, Viewer};
use macros::boxed;

use super::filter::IncidentFilter;
use super::read::{own_numbers, seen};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, SortColumn};
use crate::ledger::record::Stored;
use crate::ledger::view::View;

/// The number of the latest incident that the caller sees, 0 without one.
#[boxed]
pub async fn latest_number(tx: &mut Tx, organization: OrgId, viewer: &Viewer) -> Result<i64> {
    if viewer.sees() == Sees::Opened {
        // Theirs are few, and from the latest on there may be many of others before the first.
        return Ok(own_numbers(tx, organization, viewer).await?.into_iter().max().unwrap_or_default());
    }
    let select = seen(organization, viewer, View::now());
    let select = select.sort(SortColumn::key(), "number", Direction::Descending, None);
    let latest: Vec<Stored<Incident>> = select.first(tx, 1).await?;
    Ok(latest.first().map_or(0, |Stored(incident)| incident.number.number()))
}

/// How many incidents of a list the caller sees that are later than the one with this number, of the first `limit` later ones.
/// What its search finds does not count.
#[boxed]
pub async fn declared_after(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    filter: &IncidentFilter,
    number: i64,
    limit: i64,
) -> Result<usize> {
    // Those are few: the list's filters are held against them, and not the other way round.
    let later = seen(organization, viewer, View::now()).filter(Filter::After("number", number.into()));
    let later = later.numbers_from_the_least(tx, limit).await?;
    if later.is_empty() {
        return Ok(0);
    }
    let among = Filter::among(tx.engine(), later);
    let fitting = seen(organization, viewer, View::now()).filter(among).filters(filter.filters());
    Ok(fitting.numbers_from_the_least(tx, limit).await?.len())
}
