//! The counts of the facets: from the counts that are kept, from one pass over the incidents, or from both, whichever costs
//! least.

use db::Tx;
use domain::OrgId;
use domain::incident::{Sees, Viewer};

use super::counts::{Kept, last_number};
use super::filter::{IncidentFilter, found};
use super::pass::Pass;
use super::read::own_numbers;
use super::tally::{StatusFacet, Tally};
use crate::ledger::error::Result;
use crate::ledger::search::Found;
use crate::ledger::view::View;

/// Looking an incident up costs so many times what passing it in an index does.
const LOOKED_UP: i64 = 3;

/// Counts the incidents of a list that the caller sees.
pub(super) async fn facet_counts(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    filter: &IncidentFilter,
    status: StatusFacet,
) -> Result<Tally> {
    let unsearched = IncidentFilter { q: None, ..filter.clone() };
    let kept = Kept::of(organization, viewer, View::now(), &unsearched);
    if let (Some(kept), None, Sees::All) = (&kept, &filter.q, viewer.sees()) {
        return kept.tally(tx, status).await;
    }
    let last = last_number(tx, organization).await?;
    let pass =
        Pass { organization, viewer, filter, status, is_indexed: kept.is_some(), few: last / LOOKED_UP };
    let found = found(tx, organization, viewer, filter).await?;
    let Some(kept) = kept else { return pass.over(tx, found.as_ref()).await };
    match found {
        Some(found) if found.count() <= last / 2 => pass.over(tx, Some(&found)).await,
        found => {
            // Most have the words, and those without them are counted faster.
            let without = match found {
                Some(found) => pass.over(tx, Some(&found.others(last))).await?,
                None => Tally::default(),
            };
            let own = match viewer.sees() {
                Sees::All => Vec::new(),
                Sees::Unrestricted | Sees::Opened => own_numbers(tx, organization, viewer).await?,
            };
            let mut tally = kept.tally(tx, status).await?;
            if !own.is_empty() {
                tally = tally.with(&pass.over(tx, Some(&Found::of_numbers(own))).await?);
            }
            Ok(tally.without(&without))
        }
    }
}
