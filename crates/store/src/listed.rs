//! What incidents and risks have in common: a list with filters, orders, a search and facets, an export, and tags. What shows
//! them is written once, with the kind of record as an argument.

use std::pin::Pin;

use db::Tx;
use domain::incident::{Incident, Viewer};
use domain::record::Record;
use domain::risk::Risk;
use domain::search::SearchQuery;
use domain::tag::Tag;
use domain::{Author, IncidentNumber, OrgId, ResourceKind, RiskNumber, TagId, Word};

use crate::bulk::Bulk;
use crate::error::Result;
use crate::facets::Facets;
use crate::incidents::{self, IncidentDetails, IncidentSort, StatusFacet};
use crate::list::{ListQuery, Position};
use crate::page::Page;
use crate::risks::{self, RiskSort};
use crate::search::{Found, Ranks};
use crate::view::View;

type Boxed<'t, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 't>>;

/// What a caller asks of the list of a kind of record.
pub type QueryOf<R> = ListQuery<<R as Bulk>::Filter, <R as Listed>::Sort>;

/// Reads up to `limit` records of a list, in this order, and their ranks if the best matches come first.
type ReadList<R> =
    for<'t> fn(&'t mut Tx, OrgId, &'t Viewer, &'t QueryOf<R>, Order<'t>, i64) -> Boxed<'t, Ranked<R>>;
type Ranked<R> = (Page<<R as Listed>::Row>, Option<Ranks>);
type Filtered<R, T> = for<'t> fn(&'t mut Tx, OrgId, &'t Viewer, &'t <R as Bulk>::Filter) -> Boxed<'t, T>;
type Count<R> = for<'t> fn(&'t mut Tx, OrgId, &'t Viewer, View, &'t <R as Bulk>::Filter) -> Boxed<'t, i64>;
type CountFacets<R> =
    for<'t> fn(&'t mut Tx, OrgId, &'t Viewer, &'t <R as Bulk>::Filter, StatusFacet) -> Boxed<'t, Facets>;
type Number<R> = <R as Bulk>::Number;
/// Changes whether a tag is on a record.
pub type ChangeTag<R> = for<'t> fn(&'t mut Tx, OrgId, &'t Author, Number<R>, TagId) -> Boxed<'t, ()>;
type ListTags<R> =
    for<'t> fn(&'t mut Tx, OrgId, &'t Viewer, Number<R>, Option<&'t str>, i64) -> Boxed<'t, Page<Tag>>;

/// The order in which a list is read.
#[derive(Clone, Copy)]
pub enum Order<'f> {
    /// The one that the caller chose.
    Chosen,
    /// The best matches of the search first.
    Best,
    /// That of the numbers; what the search found is known.
    Number(Option<&'f Found>),
}

/// A kind of record that has a list of its own. What is read is what the viewer sees.
pub trait Listed: Bulk<Filter: Clone + Default> + Record + Send + Sync {
    /// What the list can be sorted by.
    type Sort: Word;
    /// A record as the list has it.
    type Row: Send + Sync + 'static;
    /// The name of the list.
    const NAME: &'static str;
    /// What is not found if there is no such record.
    const KIND: ResourceKind;
    /// What is not found if there is no such record or no such tag.
    const KIND_OR_TAG: ResourceKind;
    /// The order of the numbers.
    const BY_NUMBER: Self::Sort;
    /// Reads the number of a record in a path.
    const PARSE: fn(&str) -> Option<Self::Number>;
    /// The number of a record.
    const NUMBER: fn(&Self::Row) -> i64;
    /// Where a record stands in an order.
    const POSITION: fn(Self::Sort, &Self::Row) -> Position;
    /// The search of a filter.
    const SEARCH: fn(&Self::Filter) -> Option<&SearchQuery>;
    /// Reads a page of a list.
    const LIST: ReadList<Self>;
    /// What the search of a filter finds now, if it has one.
    const FOUND: Filtered<Self, Option<Found>>;
    /// How many records a list has on all its pages.
    const COUNT: Count<Self>;
    /// How many records of the present list have each value of a field.
    const FACETS: CountFacets<Self>;
    /// Puts a tag on a record; one that is on already is a conflict.
    const ADD_TAG: ChangeTag<Self>;
    /// Puts a tag on a record, unless it is on already.
    const PUT_TAG: ChangeTag<Self>;
    /// Takes a tag off.
    const REMOVE_TAG: ChangeTag<Self>;
    /// Up to so many tags of a record by name: those after this name.
    const LIST_TAGS: ListTags<Self>;
    /// How many tags are on a record.
    const COUNT_TAGS: for<'t> fn(&'t mut Tx, OrgId, Self::Number) -> Boxed<'t, i64>;
}

/// A page of a list.
pub struct Listing<R: Listed> {
    /// The rows.
    pub page: Page<R::Row>,
    ranks: Option<Ranks>,
    by: R::Sort,
}

impl<R: Listed> Listing<R> {
    /// The rows, and where each stands in the order of the list.
    pub fn into_parts(self) -> (Page<R::Row>, impl Fn(&R::Row) -> Position) {
        let Self { page, ranks, by } = self;
        let position = move |row: &R::Row| match &ranks {
            Some(ranks) => ranks.position(R::NUMBER(row)),
            None => R::POSITION(by, row),
        };
        (page, position)
    }
}

/// Up to `limit` records of a list; with `is_ranked` the best matches of its search first, whatever its order is.
pub async fn read<R: Listed>(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &QueryOf<R>,
    is_ranked: bool,
    limit: i64,
) -> Result<Listing<R>> {
    let order = if is_ranked { Order::Best } else { Order::Chosen };
    let (page, ranks) = R::LIST(tx, organization, viewer, query, order, limit).await?;
    Ok(Listing { page, ranks, by: query.sort.by })
}

impl Listed for Incident {
    type Sort = IncidentSort;
    type Row = IncidentDetails;
    const NAME: &'static str = "incidents";
    const KIND: ResourceKind = ResourceKind::Incident;
    const KIND_OR_TAG: ResourceKind = ResourceKind::IncidentOrTag;
    const BY_NUMBER: IncidentSort = IncidentSort::Number;
    const PARSE: fn(&str) -> Option<IncidentNumber> = IncidentNumber::parse;
    const NUMBER: fn(&IncidentDetails) -> i64 = |row| row.incident.number.number();
    const POSITION: fn(IncidentSort, &IncidentDetails) -> Position = |by, row| by.position(&row.incident);
    const SEARCH: fn(&Self::Filter) -> Option<&SearchQuery> = |filter| filter.q.as_ref();
    const LIST: ReadList<Self> = |tx, organization, viewer, query, order, limit| {
        Box::pin(async move {
            let (page, ranks) = match order {
                Order::Chosen => (incidents::list(tx, organization, viewer, query, limit).await?, None),
                Order::Best => {
                    let found = incidents::list_ranked(tx, organization, viewer, query, limit).await?;
                    (found.0, Some(found.1))
                }
                Order::Number(found) => {
                    (incidents::list_by_number(tx, organization, viewer, query, found, limit).await?, None)
                }
            };
            let rows = incidents::details_of_all(tx, organization, viewer, query.view, page.rows).await?;
            Ok((Page { rows, has_more: page.has_more }, ranks))
        })
    };
    const FOUND: Filtered<Self, Option<Found>> = incidents::found;
    const COUNT: Count<Self> = incidents::count;
    const FACETS: CountFacets<Self> = incidents::facets;
    const ADD_TAG: ChangeTag<Self> = incidents::add_tag;
    const PUT_TAG: ChangeTag<Self> = incidents::put_tag;
    const REMOVE_TAG: ChangeTag<Self> = incidents::remove_tag;
    const LIST_TAGS: ListTags<Self> = incidents::list_tags;
    const COUNT_TAGS: for<'t> fn(&'t mut Tx, OrgId, IncidentNumber) -> Boxed<'t, i64> = incidents::count_tags;
}

/// Everybody who reads risks sees all of them.
impl Listed for Risk {
    type Sort = RiskSort;
    type Row = Risk;
    const NAME: &'static str = "risks";
    const KIND: ResourceKind = ResourceKind::Risk;
    const KIND_OR_TAG: ResourceKind = ResourceKind::RiskOrTag;
    const BY_NUMBER: RiskSort = RiskSort::Number;
    const PARSE: fn(&str) -> Option<RiskNumber> = RiskNumber::parse;
    const NUMBER: fn(&Risk) -> i64 = |row| row.number.number();
    const POSITION: fn(RiskSort, &Risk) -> Position = RiskSort::position;
    const SEARCH: fn(&Self::Filter) -> Option<&SearchQuery> = |filter| filter.q.as_ref();
    const LIST: ReadList<Self> = |tx, organization, _, query, order, limit| {
        Box::pin(async move {
            Ok(match order {
                Order::Chosen => (risks::list(tx, organization, query, limit).await?, None),
                Order::Best => {
                    let found = risks::list_ranked(tx, organization, query, limit).await?;
                    (found.0, Some(found.1))
                }
                Order::Number(found) => {
                    (risks::list_by_number(tx, organization, query, found, limit).await?, None)
                }
            })
        })
    };
    const FOUND: Filtered<Self, Option<Found>> =
        |tx, organization, _, filter| risks::found(tx, organization, filter);
    const COUNT: Count<Self> =
        |tx, organization, _, view, filter| risks::count(tx, organization, view, filter);
    const FACETS: CountFacets<Self> =
        |tx, organization, _, filter, _| risks::facets(tx, organization, View::now(), filter);
    const ADD_TAG: ChangeTag<Self> = risks::add_tag;
    const PUT_TAG: ChangeTag<Self> = risks::put_tag;
    const REMOVE_TAG: ChangeTag<Self> = risks::remove_tag;
    const LIST_TAGS: ListTags<Self> =
        |tx, organization, _, number, after, limit| risks::list_tags(tx, organization, number, after, limit);
    const COUNT_TAGS: for<'t> fn(&'t mut Tx, OrgId, RiskNumber) -> Boxed<'t, i64> = risks::count_tags;
}
