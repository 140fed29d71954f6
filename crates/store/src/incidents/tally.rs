//! Counts of incidents by what they can be filtered by.

use std::collections::BTreeMap;

use uuid::Uuid;

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
    pub(super) fn with(self, others: &Self) -> Self {
        self.changed(others, 1)
    }

    /// The counts without those of some of these incidents.
    pub(super) fn without(self, some: &Self) -> Self {
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
