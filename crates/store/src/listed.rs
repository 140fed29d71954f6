//! What incidents and risks have in common: a list with filters, orders, a search and facets, an export, and tags. What shows
//! them is written once, with the kind of record as an argument.

mod tags;

use std::pin::Pin;

pub use tags::{add_tag, count_tags, list_tags, put_tag, remove_tag};

use db::Tx;
use domain::incident::{Incident, Viewer};
use domain::record::Record;
use domain::risk::Risk;
use domain::search::SearchQuery;
use domain::{Author, ExpectedVersion, IncidentNumber, OrgId, ResourceKind, RiskNumber, Word};

use crate::did_you_mean::Within;
use crate::incidents::{self, IncidentDetails, IncidentSort, StatusFacet};
use crate::ledger::bulk::Bulk;
use crate::ledger::error::Result;
use crate::ledger::facets::Facets;
use crate::ledger::list::{ListQuery, Position};
use crate::ledger::page::Page;
use crate::ledger::search::{Found, Ranks};
use crate::ledger::tag_links::TagLinks;
use crate::ledger::view::View;
use crate::risks::{self, RiskSort};

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
type Get<R> = for<'t> fn(&'t mut Tx, OrgId, &'t Viewer, Number<R>, View) -> Boxed<'t, R>;
type Update<R> = for<'t> fn(
    &'t mut Tx,
    OrgId,
    &'t Author,
    Number<R>,
    &'t ExpectedVersion,
    &'t <R as Bulk>::Patch,
) -> Boxed<'t, R>;
type Require<R> = for<'t> fn(&'t mut Tx, OrgId, &'t Viewer, Number<R>) -> Boxed<'t, ()>;

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
    /// The list with a filter, where its search finds nothing.
    const WITHIN: fn(&Self::Filter) -> Within<'_>;
    /// Reads a page of a list.
    const LIST: ReadList<Self>;
    /// What the search of a filter finds now, if it has one.
    const FOUND: Filtered<Self, Option<Found>>;
    /// How many records a list has on all its pages.
    const COUNT: Count<Self>;
    /// How many records of the present list have each value of a field.
    const FACETS: CountFacets<Self>;
    /// One record, deleted or not as the view says.
    const GET: Get<Self>;
    /// The version of a record.
    const VERSION: fn(&Self) -> i64;
    /// Changes a record that the author sees, if it has an expected version.
    const UPDATE: Update<Self>;
    /// Refuses a record that there is not, or that the viewer does not see.
    const REQUIRE: Require<Self>;
    /// How tags are on them.
    const TAGS: TagLinks;
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
    const BY_NUMBER: IncidentSort = IncidentSort::Number;
    const PARSE: fn(&str) -> Option<IncidentNumber> = IncidentNumber::parse;
    const NUMBER: fn(&IncidentDetails) -> i64 = |row| row.incident.number.number();
    const POSITION: fn(IncidentSort, &IncidentDetails) -> Position = |by, row| by.position(&row.incident);
    const SEARCH: fn(&Self::Filter) -> Option<&SearchQuery> = |filter| filter.q.as_ref();
    const WITHIN: fn(&Self::Filter) -> Within<'_> = |filter| Within::Incidents(filter);
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
    const GET: Get<Self> = incidents::get;
    const VERSION: fn(&Self) -> i64 = |it| it.version;
    const UPDATE: Update<Self> = incidents::update;
    const REQUIRE: Require<Self> = |tx, organization, viewer, number| {
        Box::pin(async move { incidents::get(tx, organization, viewer, number, View::now()).await.map(drop) })
    };
    const TAGS: TagLinks = incidents::TAGS;
}

/// Everybody who reads risks sees all of them.
impl Listed for Risk {
    type Sort = RiskSort;
    type Row = Risk;
    const NAME: &'static str = "risks";
    const KIND: ResourceKind = ResourceKind::Risk;
    const BY_NUMBER: RiskSort = RiskSort::Number;
    const PARSE: fn(&str) -> Option<RiskNumber> = RiskNumber::parse;
    const NUMBER: fn(&Risk) -> i64 = |row| row.number.number();
    const POSITION: fn(RiskSort, &Risk) -> Position = RiskSort::position;
    const SEARCH: fn(&Self::Filter) -> Option<&SearchQuery> = |filter| filter.q.as_ref();
    const WITHIN: fn(&Self::Filter) -> Within<'_> = |filter| Within::Risks(filter);
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
    const GET: Get<Self> = |tx, organization, _, number, view| risks::get(tx, organization, number, view);
    const VERSION: fn(&Self) -> i64 = |it| it.version;
    const UPDATE: Update<Self> = risks::update;
    const REQUIRE: Require<Self> = |tx, organization, _, number| {
        Box::pin(
            async move { risks::get_without_tags(tx, organization, number, View::now()).await.map(drop) },
        )
    };
    const TAGS: TagLinks = risks::TAGS;
}
