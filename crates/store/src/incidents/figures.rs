//! Figures of incidents: how long they take from one of their dates to another. [`domain::figures`] has the rules.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use db::{FromRow, Row, Tx};
use domain::figures::{
    Exclusion, GroupBy, Include, MOST_GROUPS, Milestones, Period, Summaries, Tallies, Unit, counted_kinds,
    periods,
};
use domain::incident::{Kind, Viewer};
use domain::organization::Organization;
use domain::severity::Severity;
use domain::tag::TagLabel;
use domain::{OrgId, TagId, Word};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use macros::boxed;

use super::filter::{IncidentFilter, IncidentSort, found};
use super::read::seen;
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Index, Position, TimeRange};
use crate::ledger::record::stored_word;
use crate::ledger::search;
use crate::ledger::view::{Deleted, View};

/// So many incidents are read at once, so that memory does not grow with rows.
const CHUNK: i64 = 20_000;

/// The index of a period.
const BY_DETECTION: Index = Index { name: "incident_by_detected_date", condition: "r.number > 0" };

/// What a caller asks of the figures.
#[derive(Debug, Clone, Default)]
pub struct FigureQuery {
    /// Which incidents; the period is that of their detection.
    pub filter: IncidentFilter,
    /// The kinds that are counted beside real ones.
    pub include: Vec<Include>,
    /// What the figures are grouped by.
    pub group_by: Option<GroupBy>,
}

/// The figures of many incidents.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// Those of all of them.
    pub all: Summaries,
    /// Those of each group, in the order of the groups.
    pub groups: Vec<(Group, Summaries)>,
    /// How many incidents are left out.
    pub excluded: BTreeMap<Exclusion, i64>,
}

/// A group of incidents.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Group {
    /// Those of a severity.
    Severity(Severity),
    /// Those of a kind.
    Kind(Kind),
    /// Those with a tag: its id and name.
    Tag(TagId, String),
    /// Those that were detected in a week or month.
    Period(Period),
}

/// The figures of the incidents that the caller sees.
#[boxed]
pub async fn figures(
    tx: &mut Tx,
    organization: &Organization,
    viewer: &Viewer,
    query: &FigureQuery,
) -> Result<Figures> {
    let mut sums = Sums::new(organization.time_zone());
    let searched = found(tx, organization.id, viewer, &query.filter).await?;
    for deleted in [Deleted::Without, Deleted::Only] {
        let view = View { deleted, ..View::now() };
        let mut read = Chunks {
            organization: organization.id,
            viewer,
            query,
            view,
            searched: &searched,
            after: None,
            is_done: false,
        };
        while let Some(rows) = read.next(tx).await? {
            let numbers = rows.iter().map(|row| row.number);
            let tags = match query.group_by {
                Some(GroupBy::Tag) => TAGS.labels(tx, organization.id, numbers, None).await?,
                _ => HashMap::new(),
            };
            for row in &rows {
                sums.add(row, query, tags.get(&row.number).map_or(&[], Vec::as_slice));
            }
        }
    }
    Ok(sums.sum(query, tx.at()))
}

/// The incidents of figures, some at a time.
struct Chunks<'q> {
    organization: OrgId,
    viewer: &'q Viewer,
    query: &'q FigureQuery,
    view: View,
    searched: &'q Option<search::Found>,
    /// The last one that was read.
    after: Option<Position>,
    is_done: bool,
}

impl Chunks<'_> {
    /// The next ones: in the order of their detection if a period is asked for, or of their numbers; none after the last.
    async fn next(&mut self, tx: &mut Tx) -> Result<Option<Vec<FigureRow>>> {
        if self.is_done {
            return Ok(None);
        }
        let filter = &self.query.filter;
        let is_period = filter.detected != TimeRange::default() && self.view == View::now();
        let mut rest = IncidentFilter { q: None, ..filter.clone() };
        if self.after.is_some() && is_period {
            // They follow the last one that was read: two beginnings of a range are one too many for SQLite.
            rest.detected.from = None;
        }
        let (by, index) = match is_period {
            true => (IncidentSort::DetectedDate, Some(&BY_DETECTION)),
            false => (IncidentSort::Number, None),
        };
        let few = self.searched.as_ref().filter(|found| found.count() <= CHUNK);
        let rows: Vec<FigureRow> = seen(self.organization, self.viewer, self.view)
            .filters(rest.filters())
            .filters(few.map(|found| found.filter(tx.engine())))
            .sort(by.column(), "number", Direction::Ascending, self.after.as_ref())
            .columns(tx, COLUMNS, index, CHUNK)
            .await?;
        let Some(last) = rows.last() else { return Ok(None) };
        self.is_done = i64::try_from(rows.len()).is_ok_and(|count| count < CHUNK);
        let detected = is_period.then(|| last.milestones.detected.into());
        self.after = Some(Position::of(detected, last.number));
        let is_found = |row: &FigureRow| self.searched.as_ref().is_none_or(|found| found.has(row.number));
        Ok(Some(rows.into_iter().filter(is_found).collect()))
    }
}

struct Sums {
    zone: TimeZone,
    all: Tallies,
    groups: HashMap<Group, Tallies>,
    excluded: BTreeMap<Exclusion, i64>,
}

impl Sums {
    fn new(zone: TimeZone) -> Self {
        Self { zone, all: Tallies::default(), groups: HashMap::new(), excluded: BTreeMap::new() }
    }

    fn add(&mut self, row: &FigureRow, query: &FigureQuery, tags: &[TagLabel]) {
        if let Some(exclusion) = row.milestones.exclusion(&query.include) {
            *self.excluded.entry(exclusion).or_default() += 1;
            return;
        }
        self.all.add(&row.milestones);
        let period = |unit| Group::Period(Period::of(unit, row.milestones.detected, &self.zone));
        let mut add = |group| self.groups.entry(group).or_default().add(&row.milestones);
        match query.group_by {
            None => {}
            Some(GroupBy::Severity) => add(Group::Severity(row.milestones.severity)),
            Some(GroupBy::Kind) => add(Group::Kind(row.milestones.kind)),
            Some(GroupBy::Tag) => tags.iter().for_each(|tag| add(Group::Tag(tag.id, tag.name.to_string()))),
            Some(GroupBy::Week) => add(period(Unit::Week)),
            Some(GroupBy::Month) => add(period(Unit::Month)),
        }
    }

    /// The sums, with groups that have no incident.
    fn sum(mut self, query: &FigureQuery, now: Timestamp) -> Figures {
        let groups = self.all_groups(query, now);
        let sum = |group: Group| {
            let tallies = self.groups.remove(&group).unwrap_or_default();
            (group, tallies.sum())
        };
        let groups = groups.into_iter().map(sum).collect();
        Figures { all: self.all.sum(), groups, excluded: self.excluded }
    }

    fn all_groups(&self, query: &FigureQuery, now: Timestamp) -> Vec<Group> {
        match query.group_by {
            None => Vec::new(),
            Some(GroupBy::Severity) => {
                let asked = &query.filter.severity;
                let is_asked = |severity: &&Severity| asked.is_empty() || asked.contains(severity);
                Severity::ALL.iter().filter(is_asked).copied().map(Group::Severity).collect()
            }
            Some(GroupBy::Kind) => counted_kinds(&query.include).into_iter().map(Group::Kind).collect(),
            Some(GroupBy::Tag) => {
                let name = |tag: &Group| match tag {
                    Group::Tag(id, name) => Some((name.to_lowercase(), id.to_string())),
                    Group::Severity(_) | Group::Kind(_) | Group::Period(_) => None,
                };
                let mut tags: Vec<Group> = self.groups.keys().cloned().collect();
                tags.sort_by_cached_key(name);
                let count = |tag: &Group| self.groups.get(tag).map_or(0, Tallies::total);
                with_most_incidents(tags, MOST_GROUPS, count)
            }
            Some(GroupBy::Week) => self.all_periods(Unit::Week, query, now),
            Some(GroupBy::Month) => self.all_periods(Unit::Month, query, now),
        }
    }

    /// The weeks or months of the time that is asked for, those without an incident too: from its begin, or the first incident, to
    /// its end, or now. If those are too many, the latest with an incident.
    fn all_periods(&self, unit: Unit, query: &FigureQuery, now: Timestamp) -> Vec<Group> {
        let period = |group: &Group| match group {
            Group::Period(period) => Some(*period),
            Group::Severity(_) | Group::Kind(_) | Group::Tag(..) => None,
        };
        let mut with_incidents: Vec<Period> = self.groups.keys().filter_map(period).collect();
        with_incidents.sort_unstable();
        let of = |at: Timestamp| Period::of(unit, at, &self.zone);
        let detected = query.filter.detected;
        let first = detected.from.map(of).or(with_incidents.first().copied());
        // The end of the period is not part of it.
        let end = detected
            .before
            .map(|end| of(end.saturating_sub(jiff::Span::new().microseconds(1)).unwrap_or(end)));
        let last = end.or(with_incidents.last().copied().max(Some(of(now))));
        let Some((first, last)) = first.zip(last) else { return Vec::new() };
        let all = periods(first, last).unwrap_or_else(|| latest(with_incidents, MOST_GROUPS));
        all.into_iter().map(Group::Period).collect()
    }
}

/// The `most` of the groups that have the most incidents, in the order that they have.
fn with_most_incidents<G>(groups: Vec<G>, most: usize, count: impl Fn(&G) -> usize) -> Vec<G> {
    let mut ranked: Vec<(usize, G)> = groups.into_iter().enumerate().collect();
    ranked.sort_by_key(|(place, group)| (Reverse(count(group)), *place));
    ranked.truncate(most);
    ranked.sort_by_key(|(place, _)| *place);
    ranked.into_iter().map(|(_, group)| group).collect()
}

/// The last `most`.
fn latest<P>(mut periods: Vec<P>, most: usize) -> Vec<P> {
    periods.split_off(periods.len().saturating_sub(most))
}

/// What figures read of an incident.
struct FigureRow {
    number: i64,
    milestones: Milestones,
}

const COLUMNS: &str =
    "r.number, r.severity, r.status, r.kind, r.occurred_date, r.detected_date, r.created_date,
    r.responded_date, COALESCE(r.first_contained_date, r.contained_date),
    COALESCE(r.first_resolved_date, r.resolved_date), r.resolved_date, r.closed_date, r.deleted_date";

impl FromRow for FigureRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self {
            number: row.get(0)?,
            milestones: Milestones {
                severity: word_or_default(row.get::<Option<String>>(1)?.as_deref())?,
                status: stored_word(row.get::<String>(2)?.as_str())?,
                kind: word_or_default(row.get::<Option<String>>(3)?.as_deref())?,
                occurred: row.get(4)?,
                detected: row.get(5)?,
                created: row.get(6)?,
                responded: row.get(7)?,
                first_contained: row.get(8)?,
                first_resolved: row.get(9)?,
                resolved: row.get(10)?,
                closed: row.get(11)?,
                deleted: row.get(12)?,
            },
        })
    }
}

fn word_or_default<W: Word + Default>(text: Option<&str>) -> db::Result<W> {
    text.map_or(Ok(W::default()), stored_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_too_many_groups_those_with_the_most_incidents_stay() {
        let kept = |most| {
            let groups = vec![("a", 2), ("b", 1), ("c", 3), ("d", 2)];
            let kept = with_most_incidents(groups, most, |(_, count)| *count);
            kept.into_iter().map(|(name, _)| name).collect::<String>()
        };
        assert_eq!([4, 3, 2, 1].map(kept), ["abcd", "acd", "ac", "c"]);
        assert_eq!(kept(9), "abcd");
        assert_eq!(latest(vec![1, 2, 3], 2), [2, 3]);
        assert_eq!(latest(vec![1, 2, 3], 3), [1, 2, 3]);
    }
}
