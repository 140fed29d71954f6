//! How many incidents of a list have each value of a field.

use db::{Column, Tx};
use domain::OrgId;
use domain::incident::{Incident, Kind, Status, Viewer};
use domain::severity::Severity;
use uuid::Uuid;

use super::counts::Kept;
use super::list::{IncidentFilter, count};
use super::read::seen;
use super::tags::TAGS;
use crate::error::Result;
use crate::facets::{self, Counts, FacetCount, Facets, MOST_VALUES, TagCount};
use crate::list::{Filter, Select, TAGGED};
use crate::view::View;

/// The facets of the incidents that the caller sees.
pub async fn facets(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    view: View,
    filter: &IncidentFilter,
) -> Result<Facets> {
    let total = count(tx, organization, viewer, view, filter).await?;
    let of = Source::of(tx, organization, viewer, view, filter).await?;
    let status = of.counts(tx, "status", String::new()).await?;
    let severity = of.counts(tx, "severity", String::new()).await?;
    let kind = of.counts(tx, "kind", String::new()).await?;
    let assigned_to = of.counts(tx, "assigned_to", Uuid::nil()).await?;
    let tags = of.tags(tx).await?;
    Ok(Facets {
        total,
        facets: vec![
            ("status", facets::plain_words::<Status>(status)),
            ("severity", facets::words::<Severity>(severity)),
            ("kind", facets::words::<Kind>(kind)),
            ("assigned_to", facets::people(tx, organization, assigned_to).await?),
            ("tag", facets::tags(tags)),
        ],
    })
}

/// How many of the incidents that the caller sees have each status, without the filters of status and category.
pub async fn count_by_status(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    filter: &IncidentFilter,
) -> Result<Vec<FacetCount>> {
    let filter = &IncidentFilter { status: Vec::new(), category: Vec::new(), ..filter.clone() };
    let of = Source::of(tx, organization, viewer, View::now(), filter).await?;
    Ok(facets::plain_words::<Status>(of.counts(tx, "status", String::new()).await?))
}

/// Where counts come from: those that are kept, if they answer the filters, or else the incidents.
struct Source<'q> {
    kept: Option<Kept<'q>>,
    organization: OrgId,
    viewer: &'q Viewer,
    view: View,
    filter: &'q IncidentFilter,
    searched: Option<Filter<'static>>,
}

impl<'q> Source<'q> {
    async fn of(
        tx: &mut Tx,
        organization: OrgId,
        viewer: &'q Viewer,
        view: View,
        filter: &'q IncidentFilter,
    ) -> Result<Self> {
        let kept = Kept::of(organization, viewer, view, filter);
        let searched = filter.searched(tx, organization, viewer).await?;
        Ok(Self { kept, organization, viewer, view, filter, searched })
    }

    async fn counts<V>(&self, tx: &mut Tx, column: &'static str, absent: V) -> Result<Counts<V>>
    where
        V: Column + Ord,
        Option<V>: Column,
    {
        match &self.kept {
            Some(kept) => kept.by(tx, column, absent).await,
            None => self.select(column).counts(tx, column, MOST_VALUES).await,
        }
    }

    async fn tags(&self, tx: &mut Tx) -> Result<Vec<TagCount>> {
        match &self.kept {
            Some(kept) => kept.by_tag(tx).await,
            None => self.select(TAGGED).tag_counts(tx, TAGS.link, MOST_VALUES).await,
        }
    }

    fn select(&self, column: &'static str) -> Select<'q, Incident> {
        let select = seen(self.organization, self.viewer, self.view);
        select.filters(self.filter.filters_without(column)).filters(self.searched.clone())
    }
}
