//! `GET /v1/risks`

use domain::Scope;
use domain::risk::Risk;
use store::list::{ListQuery, Position};
use store::risks::RiskSort;
use uuid::Uuid;

use super::RiskView;
use super::view::RiskStatusView;
use crate::api::search::searched_up_to;
use crate::api::tags::TagModeView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::{Seen, SeenParams};
use crate::http::error::Result;
use crate::http::page::{List, PageParams};
use crate::http::query::{PersonParam, SearchParam, SortParam, TextParam};
use crate::input::risk_filter;

/// The filters, for the OpenAPI document.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which `input::risk_filter` reads")]
pub(crate) struct RiskFilterParams {
    /// Risks with one of these statuses.
    #[param(inline)]
    status: Option<Vec<RiskStatusView>>,
    /// Risks of one of these owners; `none` is a risk without one.
    #[param(inline)]
    owner: Option<Vec<PersonParam>>,
    /// Risks of one of these categories, compared exactly.
    #[param(inline)]
    category: Option<Vec<TextParam>>,
    /// Risks with these tags.
    tag: Option<Vec<Uuid>>,
    /// How many of these tags a risk must have; `any` unless it is sent.
    #[param(inline)]
    tag_mode: Option<TagModeView>,
}

/// List risks
///
/// The latest first, unless `sort` says otherwise; with `q` the best matches first.
#[utoipa::path(
    get,
    path = "/v1/risks",
    operation_id = "list_risks",
    tag = "Risks",
    params(RiskFilterParams, SearchParam, SortParam<RiskSort>, PageParams, SeenParams),
    responses((status = 200, description = "Risks", body = List<RiskView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<Position>(&mut query);
    let seen = Seen::read(request.permissions(), &mut query, Scope::RisksDelete)?;
    let is_ranked = query.has("q") && !query.has("sort");
    let (filter, sort) = (risk_filter::read(&mut query, request.actor()), query.sort::<RiskSort>());
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let asked = ListQuery { view, filter, sort, after: page.after.clone() };
    let (rows, ranks) = if is_ranked {
        let (rows, ranks) = store::risks::list_ranked(&mut tx, organization, &asked, page.limit).await?;
        (rows, Some(ranks))
    } else {
        (store::risks::list(&mut tx, organization, &asked, page.limit).await?, None)
    };
    let total = page.total(store::risks::count(&mut tx, organization, view, &asked.filter)).await?;
    let search_seq = searched_up_to(&mut tx, organization, asked.filter.q.as_ref()).await?;
    let position = |risk: &Risk| match &ranks {
        Some(ranks) => ranks.position(risk.number.number()),
        None => sort.by.position(risk),
    };
    Ok(Answer::list(&request.list(rows, total, position, RiskView::from).seen(named))?.searched(search_seq))
}
