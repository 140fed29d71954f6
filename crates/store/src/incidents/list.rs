//! Lists of incidents: what they can be filtered and sorted by.

use std::collections::{HashMap, HashSet};

use db::{Tx, Value};
use domain::incident::{Category, Incident, Kind, Sees, Status, Viewer};
use domain::search::{SearchKind, SearchQuery};
use domain::severity::Severity;
use domain::{IncidentNumber, OrgId, UserId, Word};
use macros::boxed;

use super::counts::Kept;
use super::numbers;
use super::read::{own_numbers, seen};
use super::tags::TAGS;
use crate::error::Result;
use crate::list::{
    Direction, FigureFilter, Filter, ListQuery, Position, Select, Sort, SortColumn, SortValue, TagFilter,
    TimeRange,
};
use crate::page::Page;
use crate::record::{self, Stored};
use crate::search::{self, Found, FoundOrder, Ranked, Ranks, Search};
use crate::view::{Deleted, View};

/// What a caller asks of the list of incidents.
pub type IncidentQuery = ListQuery<IncidentFilter, IncidentSort>;

/// Which incidents a list has. What is empty lets every incident through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncidentFilter {
    /// Incidents with one of these statuses.
    pub status: Vec<Status>,
    /// Incidents with a status of one of these categories.
    pub category: Vec<Category>,
    /// Incidents of one of these severities.
    pub severity: Vec<Severity>,
    /// Incidents of one of these kinds.
    pub kind: Vec<Kind>,
    /// Incidents assigned to one of these people; `None` is an incident without an assignee.
    pub assigned_to: Vec<Option<UserId>>,
    /// Incidents noticed in one of these places.
    pub source: Vec<String>,
    /// Incidents of one of these external systems.
    pub external_source: Vec<String>,
    /// Incidents with one of these references.
    pub external_ref: Vec<String>,
    /// Incidents with these tags.
    pub tags: TagFilter,
    /// Incidents detected at this time.
    pub detected: TimeRange,
    /// Incidents changed at this time.
    pub updated: TimeRange,
    /// Incidents of which a figure finds this.
    pub figures: FigureFilter,
    /// Incidents that a search finds. Of the present only.
    pub q: Option<SearchQuery>,
}

domain::words! {
    "IncidentSort"
    /// What incidents can be sorted by.
    pub enum IncidentSort {
        /// The number.
        Number = "number",
        /// When the incident was detected.
        DetectedDate = "detected_date",
        /// When the incident was last changed.
        UpdatedDate = "updated_date",
        /// The severity; an incident whose severity is undetermined comes last.
        Severity = "severity",
    }
}

/// The latest incident first.
impl Default for Sort<IncidentSort> {
    fn default() -> Self {
        Self { by: IncidentSort::Number, direction: Direction::Descending }
    }
}

/// The severities that have a rank, the lowest first.
const RANKED: [Severity; 4] = [Severity::Low, Severity::Medium, Severity::High, Severity::Critical];

impl IncidentFilter {
    /// What the search finds, as a filter.
    pub(super) async fn searched(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        viewer: &Viewer,
    ) -> Result<Option<Filter<'static>>> {
        let found = found(tx, organization, viewer, self).await?;
        Ok(found.map(|found| found.filter(tx.engine())))
    }

    /// The filters but for the search.
    pub(super) fn filters(&self) -> impl Iterator<Item = Filter<'_>> {
        let filters = [
            Filter::words("status", &self.status),
            self.of_category(),
            words_or_default("severity", &self.severity),
            words_or_default("kind", &self.kind),
            Filter::people("assigned_to", &self.assigned_to),
            Filter::tags(TAGS.link, &self.tags),
        ];
        filters.into_iter().flatten().chain(self.filters_without_facet())
    }

    /// The filters on what no facet counts.
    pub(super) fn filters_without_facet(&self) -> impl Iterator<Item = Filter<'_>> {
        let filters = [
            Filter::texts("source", &self.source),
            Filter::texts("external_source", &self.external_source),
            Filter::texts("external_ref", &self.external_ref),
            Filter::times("detected_date", self.detected),
            Filter::times("updated_date", self.updated),
        ];
        filters.into_iter().flatten().chain(self.figures.filters())
    }

    /// The condition on the category.
    pub(super) fn of_category<'q>(&self) -> Option<Filter<'q>> {
        let statuses = Status::ALL.iter().filter(|status| self.category.contains(&status.category()));
        let statuses = statuses.map(|status| status.as_str().into()).collect();
        (!self.category.is_empty()).then_some(Filter::OneOf("status", statuses))
    }
}

/// The column has one of these words, if there are any; the default word is NULL there.
fn words_or_default<'q, W: Word + Default>(column: &'static str, words: &[W]) -> Option<Filter<'q>> {
    let value = |word: &W| if *word == W::default() { Value::Null } else { word.as_str().into() };
    Filter::any_of(column, words.iter().map(value))
}

impl IncidentSort {
    pub(super) fn column(self) -> SortColumn {
        match self {
            Self::Number => SortColumn::key(),
            Self::DetectedDate | Self::UpdatedDate => SortColumn::column(self.as_str()),
            Self::Severity => SortColumn::rank("severity", RANKED),
        }
    }

    /// The ranks of those of these severities that have one.
    pub(super) fn ranks(severities: &[Severity]) -> impl Iterator<Item = i64> {
        (1..).zip(RANKED).filter(|(_, word)| severities.contains(word)).map(|(rank, _)| rank)
    }

    /// Where an incident stands in this order.
    pub fn position(self, incident: &Incident) -> Position {
        let value: Option<SortValue> = match self {
            Self::Number => return Position::of_key(incident.number.number()),
            Self::DetectedDate => Some(incident.detected_date.into()),
            Self::UpdatedDate => Some(incident.updated_date.into()),
            Self::Severity => Self::ranks(&[incident.severity]).next().map(SortValue::Number),
        };
        Position::of(value, incident.number.number())
    }
}

/// Up to `limit` incidents of a list, of those that the caller sees.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &IncidentQuery,
    limit: i64,
) -> Result<Page<Incident>> {
    let ListQuery { view, filter, sort, after } = query;
    if let Some(numbers) = numbers::numbers(tx, organization, viewer, query, limit + 1).await? {
        return with_numbers(tx, organization, Page::cut(numbers, limit)).await;
    }
    if filter.q.is_some() && sort.by == IncidentSort::Number {
        return Ok(list_found(tx, organization, viewer, query, FoundOrder::Number(sort.direction), limit)
            .await?
            .0);
    }
    let mut searched = None;
    if let Some(found) = found(tx, organization, viewer, filter).await? {
        let numbers = numbers::numbers_found(tx, organization, viewer, query, &found, limit + 1).await?;
        if let Some(numbers) = numbers {
            return with_numbers(tx, organization, Page::cut(numbers, limit)).await;
        }
        searched = Some(found.filter(tx.engine()));
    }
    let select = seen(organization, viewer, *view).filters(filter.filters()).filters(searched);
    let select = select.sort(sort.by.column(), "number", sort.direction, after.as_ref());
    Ok(select.page(tx, limit).await?.map(|Stored(incident)| incident))
}

/// The incidents with these numbers, in the same order.
async fn with_numbers(tx: &mut Tx, organization: OrgId, page: Page<i64>) -> Result<Page<Incident>> {
    let found: Vec<Incident> = record::present(tx, organization, &page.rows).await?;
    let mut found: HashMap<i64, Incident> =
        found.into_iter().map(|incident| (incident.number.number(), incident)).collect();
    let rows = page.rows.iter().filter_map(|number| found.remove(number)).collect();
    Ok(Page { rows, has_more: page.has_more })
}

/// Up to `limit` incidents of a list in the order of its search: the best matches first, and of those the latest. The order of
/// the list does not count.
#[boxed]
pub async fn list_ranked(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &IncidentQuery,
    limit: i64,
) -> Result<(Page<Incident>, Ranks)> {
    list_found(tx, organization, viewer, query, FoundOrder::Best, limit).await
}

/// Up to `limit` incidents of a list with a search in an order of what was found: no more of them are read than a page needs.
async fn list_found(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &IncidentQuery,
    order: FoundOrder,
    limit: i64,
) -> Result<(Page<Incident>, Ranks)> {
    let (asked, after) = (query.filter.q.clone().unwrap_or_default(), query.after.as_ref());
    let search = Search::of(tx, organization, viewer, SearchKind::Incident, &asked).await?;
    let (found, is_all) = search.latest(tx, order.latest(after)).await?;
    let page = page_of(tx, organization, viewer, query, &found, order, limit).await?;
    if is_all || page.is_final(order) {
        return Ok(page.page());
    }
    let found = search.all(tx).await?;
    Ok(page_of(tx, organization, viewer, query, &found, order, limit).await?.page())
}

async fn page_of(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &IncidentQuery,
    found: &Found,
    order: FoundOrder,
    limit: i64,
) -> Result<Ranked<Incident>> {
    let ListQuery { view, filter, after, .. } = query;
    let of = |among| seen(organization, viewer, *view).filters(filter.filters()).filter(among);
    let number = |Stored(incident): &Stored<Incident>| incident.number.number();
    let page = search::page(tx, found, (order, after.as_ref(), limit), of, number).await?;
    Ok(page.map(|Stored(incident)| incident))
}

/// What the search of a filter finds now, if it has one.
#[boxed]
pub async fn found(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    filter: &IncidentFilter,
) -> Result<Option<Found>> {
    let Some(query) = &filter.q else { return Ok(None) };
    Ok(Some(search::find_incidents(tx, organization, viewer, query).await?))
}

/// Up to `limit` incidents of a list in the order of their numbers. What its search found is known, so that all pages have the
/// same.
#[boxed]
pub async fn list_by_number(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &IncidentQuery,
    found: Option<&Found>,
    limit: i64,
) -> Result<Page<Incident>> {
    let Some(found) = found else { return list(tx, organization, viewer, query, limit).await };
    let order = FoundOrder::Number(query.sort.direction);
    Ok(page_of(tx, organization, viewer, query, found, order, limit).await?.page().0)
}

/// The numbers of the first `limit` incidents of a list, from the least on. A search finds none that has lost its words.
pub(super) async fn numbers(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    filter: &IncidentFilter,
    limit: i64,
) -> Result<Vec<i64>> {
    let searched = filter.searched(tx, organization, viewer).await?;
    let select = seen(organization, viewer, View::now()).filters(filter.filters()).filters(searched);
    let numbers = select.numbers_from_the_least(tx, limit).await?;
    match &filter.q {
        Some(query) => search::still_found(tx, organization, SearchKind::Incident, query, numbers).await,
        None => Ok(numbers),
    }
}

/// How many incidents a list has on all its pages.
#[boxed]
pub async fn count(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    view: View,
    filter: &IncidentFilter,
) -> Result<i64> {
    match Kept::of(organization, viewer, view, filter) {
        Some(kept) => kept.total(tx).await,
        None if is_search_alone(view, filter) => count_found(tx, organization, viewer, filter).await,
        None => {
            let searched = filter.searched(tx, organization, viewer).await?;
            seen(organization, viewer, view).filters(filter.filters()).filters(searched).count(tx).await
        }
    }
}

fn is_search_alone(view: View, filter: &IncidentFilter) -> bool {
    let alone = IncidentFilter { q: filter.q.clone(), ..IncidentFilter::default() };
    view == View::now() && filter.q.is_some() && *filter == alone
}

/// How many incidents a search finds, without reading any of them.
async fn count_found(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    filter: &IncidentFilter,
) -> Result<i64> {
    let mut found = found(tx, organization, viewer, filter).await?.unwrap_or_default();
    let hidden = search::hidden(tx, organization, SearchKind::Incident).await?;
    if !hidden.is_empty() {
        // The index may still have the words of deleted incidents.
        let view = View { deleted: Deleted::Only, ..View::now() };
        let deleted = Select::<Incident>::of(organization, view).filter(Filter::among(tx.engine(), hidden));
        let deleted: Vec<(i64,)> = deleted.columns(tx, "r.number", None, i64::MAX).await?;
        found.without(&Found::of_numbers(deleted.into_iter().map(|(number,)| number)));
    }
    if viewer.sees() == Sees::Unrestricted {
        // The index may not know yet that an incident has been restricted.
        let restricted =
            Select::<Incident>::of(organization, View::now()).filter(Filter::Present("restricted"));
        let restricted: Vec<(i64,)> = restricted.columns(tx, "r.number", None, i64::MAX).await?;
        let mut hidden = Found::of_numbers(restricted.into_iter().map(|(number,)| number));
        hidden.without(&Found::of_numbers(own_numbers(tx, organization, viewer).await?));
        found.without(&hidden);
    }
    Ok(found.count())
}

/// Which of these incidents the view and the caller see.
#[boxed]
pub async fn existing(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    view: View,
    numbers: &[IncidentNumber],
) -> Result<HashSet<IncidentNumber>> {
    let numbers = numbers.iter().map(|number| number.number().into());
    let Some(filter) = Filter::any_of("number", numbers) else { return Ok(HashSet::new()) };
    let found: Vec<Stored<Incident>> = seen(organization, viewer, view).filter(filter).all(tx).await?;
    Ok(found.into_iter().map(|Stored(incident)| incident.number).collect())
}
