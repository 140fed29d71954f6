//! `GET /v1/documents/{id}/offer`, `POST …/offer/accept` and `…/offer/decline`

use domain::document::{Offer, OfferedText, library};
use domain::{ProseOrEmpty, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use serde::Serialize;
use utoipa::ToSchema;

use super::kept::KeptView;
use super::proposal::ProposalView;
use super::view::DocumentView;

/// A newer text of the library, merged into the document as its open proposal has it.
#[derive(Serialize, ToSchema)]
#[schema(as = LibraryOffer)]
struct OfferView {
    /// The slug of the policy of the library.
    #[schema(examples("access-control"), max_length = 80)]
    library: String,
    /// The SHA-256 of the library's text that the document was made from, or has taken last.
    #[schema(
        max_length = 64,
        pattern = "^[0-9a-f]{64}$",
        examples("3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278")
    )]
    base_sha256: String,
    /// The SHA-256 of the offered text.
    #[schema(
        max_length = 64,
        pattern = "^[0-9a-f]{64}$",
        examples("e7b9e35203a4b1d82384359e03969a4bec9f4abce5516e9ba7946cbb8cf84b4c")
    )]
    sha256: String,
    /// The template of the document with what is offered; empty if the items are printed as a list.
    template: ProseOrEmpty,
    /// The places that the document and the library both changed: the document keeps its own text.
    #[schema(max_items = 10_000)]
    kept: Vec<KeptView>,
    /// The ids of the items that are added.
    #[schema(max_items = 500, max_length = 80, examples(json!(["passkeys"])))]
    items_added: Vec<String>,
    /// The ids of the items that are changed.
    #[schema(max_items = 500, max_length = 80, examples(json!(["mfa"])))]
    items_changed: Vec<String>,
    /// The ids of the items that are removed.
    #[schema(max_items = 500, max_length = 80)]
    items_removed: Vec<String>,
    /// A unified diff of the template before and afterwards; empty if they are equal.
    #[schema(max_length = 67_108_864)]
    text: String,
    /// The changed lines with their neighbours, as HTML that is safe in a page: words that are gone in `del`, new ones in `ins`.
    #[schema(max_length = 67_108_864)]
    html: String,
}

impl From<Offer> for OfferView {
    fn from(it: Offer) -> Self {
        let ids = |ids: Vec<&str>| ids.into_iter().map(str::to_owned).collect();
        let [before, after] = [&it.own, &it.merged].map(|it| it.template.as_deref().unwrap_or_default());
        let difference = render::difference(("document", before), ("offer", after));
        Self {
            library: it.library.policy.clone(),
            base_sha256: it.base_sha256.clone(),
            sha256: it.library.sha256.clone(),
            template: ProseOrEmpty::stored(after),
            items_added: ids(it.added()),
            items_changed: ids(it.changed()),
            items_removed: ids(it.removed()),
            text: difference.unified,
            html: difference.html.to_string(),
            kept: it.kept.into_iter().map(KeptView::from).collect(),
        }
    }
}

/// Read the offer of the library
///
/// What a newer text of the library changes in a document that was made from it. Where the document changed the same paragraph or
/// the same member of an item, it keeps its own text, and `kept` says so.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/offer",
    operation_id = "read_offer",
    tag = "Documents",
    params(crate::path::DocumentId),
    responses(
        (status = 200, description = "The offer", body = OfferView),
        (status = 404, description = "Document not found, or Offer not found: the library has no newer text, or it was declined or \
            is in the open proposal"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let offer = store::proposals::offer(&mut tx, request.organization(), &slug, library()).await?;
    drop(tx);
    Answer::record(None, &OfferView::from(offer.offer))
}

/// Accept the offer of the library
///
/// Takes the offered text into the open proposal of the document, which is opened if there is none. The caller becomes an author.
/// A submitted proposal is open again. The document changes when the proposal is approved.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/offer/accept",
    operation_id = "accept_offer",
    tag = "Documents",
    params(crate::path::DocumentId),
    request_body = OfferedText,
    responses(
        (status = 200, description = "The proposal", body = ProposalView),
        (status = 404, description = "Document not found, or Offer not found: this text is not offered (any more)"),
        (status = 409, description = "Nothing of it can be taken: the document has it, or keeps its own words (`nothing_to_publish`)"),
    )
)]
pub(crate) async fn accept(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    let offered = request.json(json::body::<OfferedText>).await?;
    let mut tx = request.app.db().read().await?;
    // A fault of this is found again in the write, unless the response is a stored one.
    let mut merged = store::proposals::offer(&mut tx, request.organization(), &slug, library()).await.ok();
    drop(tx);
    request
        .write(
            async move |tx, organization, author| {
                let read = merged.take();
                store::proposals::take_offer(tx, organization, author, &slug, library(), read, &offered).await
            },
            |proposal| Answer::record(proposal.version, &ProposalView::from(proposal)),
        )
        .await
}

/// Decline the offer of the library
///
/// The text is not offered any more. A still newer one will be.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/offer/decline",
    operation_id = "decline_offer",
    tag = "Documents",
    params(crate::path::DocumentId),
    request_body = OfferedText,
    responses(
        (status = 200, description = "The document", body = DocumentView),
        (status = 404, description = "Document not found, or Offer not found: this text is not offered (any more)"),
    )
)]
pub(crate) async fn decline(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    let offered = request.json(json::body::<OfferedText>).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::proposals::decline_offer(tx, organization, author, &slug, library(), &offered).await
            },
            |it| Answer::record(it.document.version, &DocumentView::from(it)),
        )
        .await
}
