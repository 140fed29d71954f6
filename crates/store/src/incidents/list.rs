//! Lists of incidents.

use std::collections::{HashMap, HashSet};

use db::Tx;
use domain::incident::{Incident, Sees, Viewer};
use domain::search::SearchKind;
use domain::{IncidentNumber, OrgId};
use macros::boxed;

use super::counts::Kept;
use super::filter::{IncidentFilter, IncidentQuery, IncidentSort, found};
use super::numbers;
use super::read::{own_numbers, searched, seen};
use crate::ledger::error::Result;
use crate::ledger::list::{Filter, ListQuery, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{self, Stored};
use crate::ledger::search::{self, Found, FoundOrder, Ranked, Ranks, Search};
use crate::ledger::view::{Deleted, View};

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
    let searched = searched(tx, organization, viewer).await?;
    let search = Search::of(tx, organization, SearchKind::Incident, &asked, searched).await?;
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
