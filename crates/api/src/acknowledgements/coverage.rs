//! `GET /v1/documents/{id}/acknowledgements`, `GET /v1/documents/{id}/acknowledgements/totals`

use domain::UserId;
use domain::acknowledgement::{AcknowledgementStatus, PersonCoverage};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{Time, Words};
use uuid::Uuid;

use super::view::{CoverageView, TotalsView};

http::parameters! {
    /// The filter.
    pub(crate) struct StatusParam {
        /// People with one of these statuses.
        status: Words<AcknowledgementStatus>,
    }
}

http::parameters! {
    /// The day.
    pub(crate) struct AsOfParam {
        /// Who was asked and who had acknowledged at this time.
        as_of: Time,
    }
}

/// List who has acknowledged a document
///
/// Everybody who is asked to, by name. The owner of the document and callers with `documents:write` or `journal:read` see
/// everybody; others see themselves.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/acknowledgements",
    operation_id = "list_acknowledgements",
    tag = "Acknowledgements",
    params(crate::path::DocumentId, StatusParam, AsOfParam, PageParams),
    responses(
        (status = 200, description = "People", body = List<CoverageView>),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let slug = crate::documents::slug(&request)?;
    let mut query = request.query();
    let page = request.page::<(String, Uuid)>(&mut query);
    let StatusParam { status } = StatusParam::read(&mut query);
    let AsOfParam { as_of } = AsOfParam::read(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let all = super::coverage_of(&mut tx, request.organization(), &slug, as_of).await?;
    let seen = all.seen_by(request.actor(), request.permissions().scopes());
    let after = page.after.clone().map(|(name, id)| (name, UserId(id)));
    let rows = seen.page(&status, after.as_ref(), page.limit);
    let total = page.total(async { Ok(seen.count(&status)) }).await?;
    let position = |row: &PersonCoverage| (row.person.name.clone(), row.person.id.uuid());
    Answer::list(&request.list(rows, total, position, CoverageView::from))
}

/// Count who has acknowledged a document
///
/// Each number is that of the rows that the list of acknowledgements with this status has for callers who see everybody.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/acknowledgements/totals",
    operation_id = "count_acknowledgements",
    tag = "Acknowledgements",
    params(crate::path::DocumentId, AsOfParam),
    responses(
        (status = 200, description = "The numbers", body = TotalsView),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn totals(request: ApiRequest) -> Result<Answer> {
    let slug = crate::documents::slug(&request)?;
    let mut query = request.query();
    let AsOfParam { as_of } = AsOfParam::read(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let coverage = super::coverage_of(&mut tx, request.organization(), &slug, as_of).await?;
    Answer::record(None, &TotalsView::from(coverage.totals))
}
