//! `GET /v1/exceptions` and `GET /v1/documents/{id}/exceptions`

use domain::decision::DecisionState;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::{AsOfParams, Seen};
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{Number, Risks, Words};
use store::exceptions::{ExceptionDetails, ExceptionFilter, ExceptionPosition};

use super::ExceptionView;
use crate::documents::slug;

http::parameters! {
    /// The filters.
    pub(crate) struct ExceptionFilterParams {
        /// Exceptions in one of these states today (UTC), or on the day of `as_of`.
        state: Words<DecisionState>,
        /// Exceptions that are accepted or stale and end within so many days.
        #[example = 30]
        expiring: Number<0, 3_650>,
        /// Exceptions that lead to one of these risks.
        #[example = "RSK-1"]
        risk: Risks,
    }
}

/// List exceptions
///
/// The exceptions to all documents: what ends first comes first. With `as_of` those of that time, as they were.
#[utoipa::path(
    get,
    path = "/v1/exceptions",
    operation_id = "list_exceptions",
    tag = "Exceptions",
    params(ExceptionFilterParams, PageParams, AsOfParams),
    responses((status = 200, description = "Exceptions", body = List<ExceptionView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    page(request, None).await
}

/// List the exceptions to a document
///
/// What ends first comes first. With `as_of` those of that time, as they were.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/exceptions",
    operation_id = "list_document_exceptions",
    tag = "Exceptions",
    params(crate::path::DocumentId, ExceptionFilterParams, PageParams, AsOfParams),
    responses(
        (status = 200, description = "Exceptions", body = List<ExceptionView>),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn list_of_document(request: ApiRequest) -> Result<Answer> {
    let slug = slug(&request)?;
    page(request, Some(slug)).await
}

async fn page(request: ApiRequest, document: Option<String>) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<ExceptionPosition>(&mut query);
    let ExceptionFilterParams { state, expiring, risk } = ExceptionFilterParams::read(&mut query);
    let seen = Seen::read_as_of(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    if let Some(slug) = &document {
        store::documents::require(&mut tx, organization, slug).await?;
    }
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let filter = ExceptionFilter { document, risk, state, expiring };
    let after = page.after.as_ref();
    let rows = store::exceptions::list(&mut tx, organization, view, &filter, after, page.limit).await?;
    let total = page.total(store::exceptions::count(&mut tx, organization, view, &filter)).await?;
    let position = |row: &ExceptionDetails| {
        let decision = &row.exception.decision;
        (decision.until.to_string(), decision.seq)
    };
    Answer::list(&request.list(rows, total, position, ExceptionView::from).seen(named))
}
