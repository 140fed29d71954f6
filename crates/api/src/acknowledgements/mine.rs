//! `GET /v1/me/acknowledgements`

use domain::acknowledgement::ToAcknowledge;
use domain::{ResourceKind, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use http::page::{List, PageParams};

use super::view::ToAcknowledgeView;

/// List what the caller has to acknowledge
///
/// The newest version of each document that the caller is asked to acknowledge and has not: what is due first comes first. Only
/// for people.
#[utoipa::path(
    get,
    path = "/v1/me/acknowledgements",
    operation_id = "list_own_acknowledgements",
    tag = "Acknowledgements",
    params(PageParams),
    responses(
        (status = 200, description = "Documents", body = List<ToAcknowledgeView>),
        (status = 404, description = "Session not found: the token is a client's"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<(i64, String)>(&mut query);
    query.finish()?;
    let person = UserId::parse(&request.actor().id).ok_or(Error::not_found(ResourceKind::Session))?;
    let mut tx = request.app.db().read().await?;
    let all = store::acknowledgements::to_acknowledge(&mut tx, request.organization(), person).await?;
    let position = |row: &ToAcknowledge| {
        let (due, slug) = row.position();
        (due.as_microsecond(), slug)
    };
    let total = i64::try_from(all.len()).unwrap_or(i64::MAX);
    let total = page.total(async { Ok(total) }).await?;
    let rows = page.of_all(all, position);
    let public_url = &request.app.auth().public_url;
    let shown = |row: ToAcknowledge| {
        let path = row.since().map(|from| {
            let (slug, newest) = (&row.document, row.document_version);
            public_url.path_to(&format!("/v1/documents/{slug}/versions/{newest}/difference?from={from}"))
        });
        let mut view = ToAcknowledgeView::from(row);
        view.difference_path = path;
        view
    };
    Answer::list(&request.list(rows, total, position, shown))
}
