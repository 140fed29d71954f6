//! What lists of incidents can be filtered and sorted by.

use db::{Tx, Value};
use domain::incident::{Category, Incident, Kind, Status, Viewer};
use domain::search::{SearchKind, SearchQuery};
use domain::severity::Severity;
use domain::{OrgId, UserId, Word};
use macros::boxed;

use super::read::searched;
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::list::{
    Direction, FigureFilter, Filter, ListQuery, Position, Sort, SortColumn, SortValue, TagFilter, TimeRange,
};
use crate::ledger::search::{Found, Search};

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
    /// Incidents with one of these texts in these fields.
    pub texts: Vec<(&'static str, Vec<String>)>,
    /// Incidents with these tags.
    pub tags: TagFilter,
    /// Incidents detected at this time.
    pub detected: TimeRange,
    /// Incidents created at this time.
    pub created: TimeRange,
    /// Incidents changed at this time.
    pub updated: TimeRange,
    /// Incidents resolved at this time.
    pub resolved: TimeRange,
    /// Incidents closed at this time.
    pub closed: TimeRange,
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
        let texts = self.texts.iter().filter_map(|(field, texts)| Filter::texts(field, texts));
        let times = [
            Filter::times("detected_date", self.detected),
            Filter::times("created_date", self.created),
            Filter::times("updated_date", self.updated),
            Filter::times("resolved_date", self.resolved),
            Filter::times("closed_date", self.closed),
        ];
        texts.chain(times.into_iter().flatten()).chain(self.figures.filters())
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

/// What the search of a filter finds now, if it has one.
#[boxed]
pub async fn found(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    filter: &IncidentFilter,
) -> Result<Option<Found>> {
    let Some(query) = &filter.q else { return Ok(None) };
    let seen = searched(tx, organization, viewer).await?;
    Ok(Some(Search::of(tx, organization, SearchKind::Incident, query, seen).await?.all(tx).await?))
}
