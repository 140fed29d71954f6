//! The numbers of the incidents on a page of a list that is filtered by status, severity, kind, assignee or one tag, in any
//! order, read from indexes alone: the migration `0006_incidents` has them.
//!
//! A page of a filter that is not rare is found near the beginning of the order. If it is not, the counts that are kept say
//! which filter has the fewest incidents: those are read and sorted, unless less of the order is expected to do.

use db::Tx;
use domain::OrgId;
use domain::incident::{Incident, Kind, Sees, Viewer};
use domain::severity::Severity;

use super::counts::{Kept, last_number};
use super::filter::{IncidentFilter, IncidentQuery, IncidentSort};
use super::read::own_numbers;
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::list::{Filter, Scan, Select, TagFilter};
use crate::ledger::search::Found;
use crate::ledger::view::View;

/// Incidents that are looked at from the beginning of the order. Of filters that one incident in a hundred fits, a page of 50 is
/// among them, unless the order has to do with the filter.
const FROM_THE_BEGINNING: i64 = 8_000;

/// How many times as many are looked at next if none of those fits.
const UNKNOWN: i64 = 8;

/// What reading the incidents of a filter and sorting them costs for each, compared with one that is looked at in the order.
const SORTED: i64 = 2;

/// The same for the incidents of a tag, each of which is looked up.
const LOOKED_UP: i64 = 10;

/// Above this cost of a filter the whole order is walked through.
const MOST: i64 = 1_000_000;

/// If a search found one incident in more than so many, those are read and sorted.
const FEW_FOUND: i64 = 100;

/// What the indexes have beside what they begin with.
const COLUMNS: &str = "r.number, r.status, r.severity, r.kind, r.assigned_to, r.restricted";

/// The numbers of the first `limit` incidents of a list in its order; none if the indexes do not answer it.
pub(super) async fn numbers(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &IncidentQuery,
    limit: i64,
) -> Result<Option<Vec<i64>>> {
    let by = order(query);
    // Without filters the first incidents are those of the page.
    let is_plain = query.filter == IncidentFilter::default() && by == IncidentSort::Number;
    if is_plain || Kept::of(organization, viewer, query.view, &query.filter).is_none() {
        return Ok(None);
    }
    let select = select(tx, organization, viewer, query, by).await?;
    let begin = |most| within_order(query, by, most).unwrap_or_else(|| in_order(by, Some(most)));
    let mut most = FROM_THE_BEGINNING;
    let mut walked = select.numbers(tx, &begin(most), limit).await?;
    if walked.is_enough {
        return Ok(Some(walked.numbers));
    }
    let rarest = rarest(tx, organization, viewer, &query.filter).await?;
    let (cost, scan) = rarest.unwrap_or_else(|| (MOST, in_order(by, None)));
    loop {
        most = further(most, walked.numbers.len(), limit);
        if cost <= most {
            return Ok(Some(select.numbers(tx, &scan, limit).await?.numbers));
        }
        walked = select.numbers(tx, &begin(most), limit).await?;
        if walked.is_enough {
            return Ok(Some(walked.numbers));
        }
    }
}

/// The same for a list with a search that found many: the order is walked through until enough of those are met. None if few
/// were found, or the indexes do not answer the other filters.
pub(super) async fn numbers_found(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &IncidentQuery,
    found: &Found,
    limit: i64,
) -> Result<Option<Vec<i64>>> {
    let others = IncidentFilter { q: None, ..query.filter.clone() };
    let query = &IncidentQuery { filter: others, ..query.clone() };
    let last = last_number(tx, organization).await?;
    if found.count() * FEW_FOUND <= last
        || Kept::of(organization, viewer, query.view, &query.filter).is_none()
    {
        return Ok(None);
    }
    let by = order(query);
    let select = select(tx, organization, viewer, query, by).await?;
    let mut most = FROM_THE_BEGINNING;
    loop {
        let mut numbers = select.numbers(tx, &in_order(by, Some(most)), most).await?.numbers;
        numbers.retain(|number| found.has(*number));
        let met = numbers.len();
        numbers.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        if i64::try_from(numbers.len()) == Ok(limit) || most >= last {
            return Ok(Some(numbers));
        }
        most = further(most, met, limit);
    }
}

/// How many incidents are looked at next, if so many of those fit that were looked at: half as many again as it takes if the
/// others fit as often, and up to twice that, since each number is a statement of its own.
fn further(most: i64, fitting: usize, limit: i64) -> i64 {
    let times = match i64::try_from(fitting) {
        Ok(fitting @ 1..) => limit.saturating_mul(3) / 2 / fitting,
        _ => UNKNOWN,
    };
    let times = u64::try_from(times.max(2)).unwrap_or(2).next_power_of_two();
    most.saturating_mul(i64::try_from(times).unwrap_or(i64::MAX))
}

/// The order: incidents that all have one severity are in the order of their numbers.
fn order(query: &IncidentQuery) -> IncidentSort {
    match query.sort.by {
        IncidentSort::Severity if query.filter.severity.len() == 1 => IncidentSort::Number,
        by => by,
    }
}

/// The incidents of the list.
async fn select<'q>(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &'q IncidentQuery,
    by: IncidentSort,
) -> Result<Select<'q, Incident>> {
    let select = Select::of(organization, query.view).filters(query.filter.filters());
    let select = match viewer.sees() {
        Sees::All => select,
        Sees::Unrestricted | Sees::Opened => {
            let own = own_numbers(tx, organization, viewer).await?;
            select.filter(Filter::unrestricted_or_among(tx.engine(), own))
        }
    };
    Ok(select.sort(by.column(), "number", query.sort.direction, query.after.as_ref()))
}

/// A walk through those of one value of a filter, whose index has them in the order of their numbers.
fn within_order(query: &IncidentQuery, by: IncidentSort, most: i64) -> Option<Scan<'_>> {
    let mut one = indexed(&query.filter).into_iter().rev().filter(|(.., filter)| filter.is_one_value());
    let (index, _, filter) = one.next().filter(|_| by == IncidentSort::Number)?;
    Some(Scan { begins_with: Some(filter), ..scan(index, Some(most)) })
}

/// A walk through the order.
fn in_order<'q>(sort: IncidentSort, most: Option<i64>) -> Scan<'q> {
    let index = match sort {
        IncidentSort::Number => "incident_by_number",
        IncidentSort::DetectedDate => "incident_by_detected_date",
        IncidentSort::UpdatedDate => "incident_by_updated_date",
        IncidentSort::Severity => "incident_by_severity",
    };
    scan(index, most)
}

fn scan<'q>(index: &'static str, most: Option<i64>) -> Scan<'q> {
    let (condition, sorted_by) = ("r.number > 0", "r.detected_date, r.updated_date");
    Scan { index, condition, columns: COLUMNS, sorted_by, begins_with: None, most }
}

/// The filter whose incidents cost the least, by the counts that are kept: this cost, and the walk through them. None if that is
/// much. No index has the incidents without an assignee or of the usual kind, because those are many.
async fn rarest<'q>(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    filter: &'q IncidentFilter,
) -> Result<Option<(i64, Scan<'q>)>> {
    let mut rarest: Option<(i64, Scan<'q>)> = None;
    for (index, alone, condition) in indexed(filter) {
        let Some(kept) = Kept::of(organization, viewer, View::now(), &alone) else { continue };
        let each = if matches!(condition, Filter::AmongTagged(..)) { LOOKED_UP } else { SORTED };
        let cost = kept.about(tx).await?.saturating_mul(each);
        if cost <= MOST && rarest.as_ref().is_none_or(|(least, _)| cost < *least) {
            rarest = Some((cost, Scan { begins_with: Some(condition), ..scan(index, None) }));
        }
    }
    Ok(rarest)
}

/// Each filter that an index begins with: the index, the filter alone, and its condition.
fn indexed(filter: &IncidentFilter) -> Vec<(&'static str, IncidentFilter, Filter<'_>)> {
    let IncidentFilter { status, category, severity, kind, assigned_to, tags, .. } = filter;
    let alone = IncidentFilter::default;
    let mut indexed = Vec::new();
    if let Some(condition) = Filter::words("status", status) {
        indexed.push(("incident_by_status", IncidentFilter { status: status.clone(), ..alone() }, condition));
    } else if let Some(condition) = filter.of_category() {
        indexed.push((
            "incident_by_status",
            IncidentFilter { category: category.clone(), ..alone() },
            condition,
        ));
    }
    if !severity.is_empty() && !severity.contains(&Severity::default()) {
        let condition = IncidentSort::Severity.column().one_of(IncidentSort::ranks(severity));
        let alone = IncidentFilter { severity: severity.clone(), ..alone() };
        indexed.extend(condition.map(|condition| ("incident_by_severity", alone, condition)));
    }
    if let Some(condition) = Filter::words("kind", kind).filter(|_| !kind.contains(&Kind::default())) {
        indexed.push(("incident_by_kind", IncidentFilter { kind: kind.clone(), ..alone() }, condition));
    }
    if let Some(condition) =
        Filter::people("assigned_to", assigned_to).filter(|_| !assigned_to.contains(&None))
    {
        let alone = IncidentFilter { assigned_to: assigned_to.clone(), ..alone() };
        indexed.push(("incident_by_assignee", alone, condition));
    }
    if let [tag] = tags.tags.as_slice() {
        let alone = IncidentFilter { tags: TagFilter { tags: vec![*tag], mode: None }, ..alone() };
        indexed.push(("incident_by_number", alone, Filter::AmongTagged(TAGS.link, *tag)));
    }
    indexed
}
