//! Counts of incidents by what they can be filtered by: from the counts that are kept, from one pass over the incidents, or from
//! both.

use std::collections::BTreeMap;

use db::Tx;
use domain::OrgId;
use domain::incident::{Sees, Viewer};
use uuid::Uuid;

use super::counts::{Kept, last_number};
use super::list::{IncidentFilter, found};
use super::pass::Pass;
use super::read::own_numbers;
use crate::error::Result;
use crate::search::Found;
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
    /// The counts of these incidents and of others.
    fn with(self, others: &Self) -> Self {
        self.changed(others, 1)
    }

    /// The counts without those of some of these incidents.
    fn without(self, some: &Self) -> Self {
        self.changed(some, -1)
    }

    fn changed(mut self, by: &Self, sign: i64) -> Self {
        self.total += sign * by.total;
        change(&mut self.status, &by.status, sign);
        change(&mut self.severity, &by.severity, sign);
        change(&mut self.kind, &by.kind, sign);
        change(&mut self.assigned_to, &by.assigned_to, sign);
        change(&mut self.tag, &by.tag, sign);
        self
    }
}

fn change<K: Ord + Clone>(counts: &mut BTreeMap<K, i64>, by: &BTreeMap<K, i64>, sign: i64) {
    for (value, count) in by {
        *counts.entry(value.clone()).or_default() += sign * count;
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
