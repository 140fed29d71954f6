//! `GET /v1/organizations/{id}/risk-performance`

use domain::performance::DEFAULT_PERIOD_DAYS;
use domain::{OrgId, Scope};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::{AsOfParams, Seen};
use http::error::Result;
use http::error_codes::ParameterCode;
use http::page::PageParams;
use http::query::{Flag, OneWord};
use lists::risk_figures;
use store::Deleted;
use store::list::Position;
use store::performance::{Part, Period, compute, count_parts, parts, period, previous};

use super::PerformanceParams;
use super::view::{PerformanceView, PointView};
use crate::organizations::read::own_organization;

domain::words! {
    "PerformanceComparison"
    /// What a figure is compared with.
    pub(crate) enum Compared {
        /// The figure of the period before.
        Previous = "previous",
    }
}

http::parameters! {
    /// What is added to the figure.
    pub(crate) struct AddedParams {
        /// Whether the response says what the figure is made of: the risks that count, and those that do not. They come in
        /// pages.
        explain: Flag = false,
        /// Adds the figure of the period before, as it was known at its end.
        compare: OneWord<Compared>,
    }
}

/// Risk performance of the organization
///
/// A risk's performance is the share of the planned reduction of its score that its latest evaluation achieved:
/// (inherent - current) / (inherent - target), limited to the range from 0 to 1. A risk without a target has none.
#[utoipa::path(
    get,
    path = "/v1/organizations/{id}/risk-performance",
    operation_id = "read_risk_performance",
    tag = "Organizations",
    params(
        ("id" = inline(OrgId), Path, description = "Organization id"),
        PerformanceParams,
        AddedParams,
        AsOfParams,
        PageParams,
    ),
    responses(
        (status = 200, description = "Risk performance metrics", body = PerformanceView),
        (status = 404, description = "Organization not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = own_organization(&request)?;
    let mut query = request.query();
    let params = PerformanceParams::read(&mut query);
    let period_days = params.period_days.unwrap_or(DEFAULT_PERIOD_DAYS);
    let filter = params.filter(&mut query, request.actor());
    let AddedParams { explain, compare } = AddedParams::read(&mut query);
    let is_explained = explain.unwrap_or(false);
    for name in ["limit", "cursor", "include_total"] {
        if !is_explained && query.has(name) {
            query.fault(name, ParameterCode::Conflict, "needs explain=true");
        }
    }
    let page = request.page::<Position>(&mut query);
    let page = is_explained.then_some(page);
    let seen = Seen::read_as_of(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let (view, named) = seen.resolve(&mut tx, id).await?;
    if filter.is_none() && page.is_none() && compare.is_none() && view.as_of_seq.is_none() {
        let figure = store::performance::get(&mut tx, id, period_days).await?;
        return Answer::record(None, &PerformanceView::new(id, period_days, figure));
    }
    let asked = match named.as_of {
        Some(at) => Period { days: period_days, until: at.0, as_of_seq: view.as_of_seq },
        None => period(&mut tx, id, period_days).await?,
    };
    let filter = filter.unwrap_or_default();
    let before = match compare {
        Some(Compared::Previous) => {
            let before = previous(&mut tx, id, asked).await?;
            Some(PointView::of(before, compute(&mut tx, id, before, &filter).await?.figure))
        }
        None => None,
    };
    let shown = match page {
        Some(page) => {
            let computed = compute(&mut tx, id, asked, &filter).await?;
            let with = (asked, deleted(&request));
            let found = parts(&mut tx, id, with, &filter, page.after.as_ref(), page.limit).await?;
            let total = page.total(count_parts(&mut tx, id, with, &filter)).await?;
            let page = request.list(found, total, Part::position, |part| part);
            PerformanceView::new(id, period_days, computed.figure).explained(computed, page)
        }
        None => {
            let figure = risk_figures::figure(&request.app, &mut tx, id, asked, &filter).await?;
            PerformanceView::new(id, period_days, figure)
        }
    };
    Answer::record(None, &shown.beside(before, named))
}

/// Deleted risks are shown only to those who may restore them.
fn deleted(request: &ApiRequest) -> Deleted {
    match request.permissions().scopes().has(Scope::RisksDelete) {
        true => Deleted::With,
        false => Deleted::Without,
    }
}
