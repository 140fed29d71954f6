//! `GET /v1/documents/{id}/proposals/{number}/difference`, `GET /v1/documents/{id}/versions/{number}/difference`

use domain::ResourceKind;
use domain::document::{PublishedText, body_of, sha256};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::query::{Number, Query};
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::number;

http::parameters! {
    /// What a version is compared with.
    struct FromParams {
        /// An earlier or later version; the one before if it is not sent.
        #[example = 1]
        from: Number<1, 2_147_483_647>,
    }
}

/// What differs between two texts of a document.
#[derive(Serialize, ToSchema)]
#[schema(as = TextDifference)]
struct DifferenceView {
    /// The published version that it is compared with; null if there is none, and everything is new.
    #[schema(minimum = 1)]
    from: Option<i64>,
    /// The SHA-256 of the compared text.
    #[schema(
        max_length = 64,
        pattern = "^[0-9a-f]{64}$",
        examples("e7b9e35203a4b1d82384359e03969a4bec9f4abce5516e9ba7946cbb8cf84b4c")
    )]
    sha256: String,
    /// A unified diff of the two texts with their front matter; empty if they are equal.
    #[schema(max_length = 67_108_864)]
    text: String,
    /// The changed lines behind the front matter with their neighbours, as HTML that is safe in a page: words that are gone in
    /// `del`, new ones in `ins`.
    #[schema(max_length = 67_108_864)]
    html: String,
}

/// Compare a proposal
///
/// What its approval changes in the published text.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/proposals/{number}/difference",
    operation_id = "compare_proposal",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    responses(
        (status = 200, description = "The difference", body = DifferenceView),
        (status = 404, description = "Document not found, or Proposal not found"),
    )
)]
pub(crate) async fn of_proposal(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    request.no_query()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let draft = store::proposals::draft(&mut tx, organization, &slug, number, None).await?;
    let published = match draft.document.document.published_version {
        Some(latest) => Some(store::documents::version(&mut tx, organization, &slug, latest).await?),
        None => None,
    };
    drop(tx);
    compared(published.as_ref(), &format!("proposal {number}"), &draft.markdown)
}

/// Compare two versions
///
/// What a version changes, by default in the one before.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/versions/{number}/difference",
    operation_id = "compare_document_versions",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the version"),
        FromParams,
    ),
    responses(
        (status = 200, description = "The difference", body = DifferenceView),
        (status = 404, description = "Document not found, or Version not found"),
    )
)]
pub(crate) async fn of_version(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::DocumentVersion, number)?;
    let mut query: Query<'_> = request.query();
    let from = FromParams::read(&mut query).from.unwrap_or(number - 1);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let after = store::documents::version(&mut tx, organization, &slug, number).await?;
    let before = match from {
        0 => None,
        from => Some(store::documents::version(&mut tx, organization, &slug, from).await?),
    };
    drop(tx);
    compared(before.as_ref(), &format!("version {number}"), &after.markdown)
}

fn compared(before: Option<&PublishedText>, name: &str, after: &str) -> Result<Answer> {
    let from = before.map(|it| it.version.number);
    let before_name = from.map_or_else(|| "nothing".to_owned(), |number| format!("version {number}"));
    let before = before.map_or("", |it| &it.markdown);
    let text = render::difference((&before_name, before), (name, after)).unified;
    let html = render::difference(("", body_of(before)), ("", body_of(after))).html.to_string();
    Answer::record(None, &DifferenceView { from, sha256: sha256(after), text, html })
}
