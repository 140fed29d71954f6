//! Counts of incidents that are kept: how many there are of each status, severity, kind and assignee, of all and of those with
//! a tag. They answer filters among these without reading the incidents. The migration `0024_incident_counts` keeps them.

use std::collections::BTreeMap;

use db::{Column, Tx, Value};
use domain::incident::{Incident, Sees, Viewer};
use domain::{OrgId, UserId, Word};
use uuid::Uuid;

use super::list::IncidentFilter;
use super::read::seen;
use super::tags::TAGS;
use super::tally::{StatusFacet, Tally};
use crate::error::Result;
use crate::facets::TagCount;
use crate::list::{Filter, Select, TAGGED, Text};
use crate::view::View;

/// What a caller asks of the counts.
pub(super) struct Kept<'q> {
    organization: OrgId,
    viewer: &'q Viewer,
    filter: &'q IncidentFilter,
}

impl<'q> Kept<'q> {
    /// The counts, if they answer these filters.
    pub(super) fn of(
        organization: OrgId,
        viewer: &'q Viewer,
        view: View,
        filter: &'q IncidentFilter,
    ) -> Option<Self> {
        let IncidentFilter { status, category, severity, kind, assigned_to, tags, .. } = filter;
        let counted = IncidentFilter {
            status: status.clone(),
            category: category.clone(),
            severity: severity.clone(),
            kind: kind.clone(),
            assigned_to: assigned_to.clone(),
            tags: tags.clone(),
            ..IncidentFilter::default()
        };
        let is_answered = view == View::now()
            && viewer.sees() != Sees::Opened
            && tags.tags.len() <= 1
            && *filter == counted;
        is_answered.then_some(Self { organization, viewer, filter })
    }

    /// How many incidents there are.
    pub(super) async fn total(&self, tx: &mut Tx) -> Result<i64> {
        let own = match self.own_restricted("") {
            Some(select) => select.count(tx).await?,
            None => 0,
        };
        Ok(self.about(tx).await? + own)
    }

    /// How many incidents there are, but for restricted ones that the caller sees because of who it is.
    pub(super) async fn about(&self, tx: &mut Tx) -> Result<i64> {
        let (text, conditions) = self.conditions("");
        let sql = format!(
            "SELECT CAST(COALESCE(sum(r.counted), 0) AS BIGINT) FROM incident_count AS r WHERE {conditions}"
        );
        let (kept,) = tx.query_one(&sql, &text.params()).await?;
        Ok(kept)
    }

    /// All counts of a list.
    pub(super) async fn tally(&self, tx: &mut Tx, status: StatusFacet) -> Result<Tally> {
        let any_category = IncidentFilter { category: Vec::new(), ..self.filter.clone() };
        let of_status = match status {
            StatusFacet::WithoutStatus => self.filter,
            StatusFacet::WithoutCategory => &any_category,
        };
        Ok(Tally {
            total: self.total(tx).await?,
            status: Kept { filter: of_status, ..*self }.by(tx, "status", String::new()).await?,
            severity: self.by(tx, "severity", String::new()).await?,
            kind: self.by(tx, "kind", String::new()).await?,
            assigned_to: self.by(tx, "assigned_to", Uuid::nil()).await?,
            tag: self.by_tag(tx).await?,
        })
    }

    /// How many incidents have each value of a column, without the filter on it. `absent` stands for NULL.
    async fn by<V>(&self, tx: &mut Tx, column: &'static str, absent: V) -> Result<BTreeMap<Option<V>, i64>>
    where
        V: Column + Ord,
        Option<V>: Column,
    {
        let (text, conditions) = self.conditions(column);
        let sql = format!(
            "SELECT r.{column}, CAST(sum(r.counted) AS BIGINT) FROM incident_count AS r
             WHERE {conditions} GROUP BY r.{column}"
        );
        let kept: Vec<(V, i64)> = tx.query(&sql, &text.params()).await?;
        let mut counts: BTreeMap<Option<V>, i64> = BTreeMap::new();
        for (value, count) in kept {
            counts.insert((value != absent).then_some(value), count);
        }
        if let Some(select) = self.own_restricted(column) {
            for (value, count) in select.counts::<V>(tx, column, i64::MAX).await? {
                *counts.entry(value).or_default() += count;
            }
        }
        Ok(counts)
    }

    /// How many incidents have each tag, without the filter on tags.
    async fn by_tag(&self, tx: &mut Tx) -> Result<BTreeMap<Uuid, i64>> {
        let (mut text, conditions) = self.conditions(TAGGED);
        let any = text.add(Value::Uuid(Uuid::nil()));
        let sql = format!(
            "SELECT r.tag, CAST(sum(r.counted) AS BIGINT) FROM incident_count AS r
             WHERE {conditions} AND r.tag > {any} GROUP BY r.tag"
        );
        let kept: Vec<(Uuid, i64)> = tx.query(&sql, &text.params()).await?;
        let mut counts: BTreeMap<Uuid, i64> = kept.into_iter().collect();
        if let Some(select) = self.own_restricted(TAGGED) {
            for TagCount { id, count, .. } in select.tag_counts(tx, TAGS.link, i64::MAX).await? {
                *counts.entry(id).or_default() += count;
            }
        }
        Ok(counts)
    }

    /// The conditions on the counts, but for the filter on a column.
    fn conditions(&self, without: &str) -> (Text<'q>, String) {
        let mut text = Text::of(self.organization);
        let mut sql = "r.organization = $1".to_owned();
        if self.viewer.sees() != Sees::All {
            sql.push_str(" AND NOT r.restricted");
        }
        for filter in self.filters(without) {
            sql.push_str(" AND ");
            sql.push_str(&filter.condition(&mut text));
        }
        (text, sql)
    }

    fn filters(&self, without: &str) -> Vec<Filter<'q>> {
        let filter = self.filter;
        let severities = filter.severity.iter().map(stored_word).collect();
        let kinds = filter.kind.iter().map(stored_word).collect();
        let people =
            filter.assigned_to.iter().map(|id| id.map_or(Uuid::nil(), UserId::uuid).into()).collect();
        let tag = filter.tags.tags.first().map_or(Uuid::nil(), |tag| tag.uuid());
        let chosen = |column: &'static str, values: Vec<Value<'q>>| {
            (column != without && !values.is_empty()).then_some(Filter::OneOf(column, values))
        };
        let filters = [
            Filter::words("status", &filter.status).filter(|_| without != "status"),
            filter.of_category(),
            chosen("severity", severities),
            chosen("kind", kinds),
            chosen("assigned_to", people),
            chosen(TAGGED, vec![tag.into()]),
        ];
        filters.into_iter().flatten().collect()
    }

    /// The restricted incidents that the caller sees as somebody who is named in them. Those are few, and not in the counts of
    /// others.
    fn own_restricted(&self, column: &'static str) -> Option<Select<'q, Incident>> {
        let select = seen(self.organization, self.viewer, View::now()).filter(Filter::Present("restricted"));
        let is_other = self.viewer.sees() != Sees::All;
        is_other.then(|| select.filters(self.filter.filters_without(column)))
    }
}

/// The greatest number of an incident.
pub(super) async fn last_number(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    let sql = "SELECT COALESCE(MAX(number), 0) FROM incident WHERE organization = $1";
    let (last,) = tx.query_one(sql, &[&organization.uuid()]).await?;
    Ok(last)
}

/// A word as the counts have it: the default one is empty.
fn stored_word<'v, W: Word + Default>(word: &W) -> Value<'v> {
    if *word == W::default() { "".into() } else { word.as_str().into() }
}
