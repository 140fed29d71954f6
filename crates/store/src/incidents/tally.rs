//! Counts of incidents by what they can be filtered by: from the counts that are kept, from one pass over the incidents, or from
//! both.

use std::collections::BTreeMap;

use db::Tx;
use domain::OrgId;
use domain::incident::Viewer;
use uuid::Uuid;

use super::counts::{Kept, last_number};
use super::list::IncidentFilter;
use super::pass::Pass;
use crate::error::Result;
use crate::search;
use crate::view::View;

/// Looking an incident up costs so many times what passing it in an index does.
const LOOKED_UP: i64 = 3;

/// Which filters the counts by status are without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusFacet {
    /// That on the status.
    WithoutStatus,
    /// Those on the status and on the category, where choosing a status replaces the category.
    WithoutCategory,
}

/// How many incidents a list has, and of each field how many have each value, without the filter on that field.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    pub(super) total: i64,
    pub(super) status: BTreeMap<Option<String>, i64>,
    pub(super) severity: BTreeMap<Option<String>, i64>,
    pub(super) kind: BTreeMap<Option<String>, i64>,
    pub(super) assigned_to: BTreeMap<Option<Uuid>, i64>,
    pub(super) tag: BTreeMap<Uuid, i64>,
}

impl Tally {
    /// The counts without those of some of the same incidents.
    fn without(mut self, some: &Self) -> Self {
        self.total -= some.total;
        subtract(&mut self.status, &some.status);
        subtract(&mut self.severity, &some.severity);
        subtract(&mut self.kind, &some.kind);
        subtract(&mut self.assigned_to, &some.assigned_to);
        subtract(&mut self.tag, &some.tag);
        self
    }
}

fn subtract<K: Ord>(counts: &mut BTreeMap<K, i64>, some: &BTreeMap<K, i64>) {
    for (value, count) in counts {
        *count -= some.get(value).copied().unwrap_or_default();
    }
}

/// Counts the incidents of a list that the caller sees.
pub(super) async fn tally(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    filter: &IncidentFilter,
    status: StatusFacet,
) -> Result<Tally> {
    let unsearched = IncidentFilter { q: None, ..filter.clone() };
    let kept = Kept::of(organization, viewer, View::now(), &unsearched);
    if let (Some(kept), None) = (&kept, &filter.q) {
        return kept.tally(tx, status).await;
    }
    let last = last_number(tx, organization).await?;
    let few = last / LOOKED_UP;
    let pass = Pass { organization, viewer, filter, status, is_indexed: kept.is_some(), few };
    let Some(query) = &filter.q else { return pass.over(tx, None).await };
    let found = search::find_incidents(tx, organization, viewer, query).await?;
    match kept {
        // Most have the words, and those without them are counted faster.
        Some(kept) if found.count() > last / 2 => {
            let others = pass.over(tx, Some(&found.others(last))).await?;
            Ok(kept.tally(tx, status).await?.without(&others))
        }
        _ => pass.over(tx, Some(&found)).await,
    }
}
