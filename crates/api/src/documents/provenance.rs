//! `GET /v1/documents/{id}/provenance`

use db::Tx;
use domain::OrgId;
use domain::document::ProposalStatus;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::timestamp::Timestamp;
use macros::View;
use serde::Serialize;
use store::proposals::{ApprovedVersion, Provenance, SetValue};
use utoipa::ToSchema;

use super::approval_steps::ApprovalView;
use super::text::{WhichText, published};
use crate::shared::ActorView;

/// Where the values of a text come from.
#[derive(Serialize, ToSchema, View)]
#[schema(as = DocumentProvenance)]
#[view(Provenance)]
struct ProvenanceView {
    /// The items that have a value, in the order of the text.
    #[schema(max_items = 500)]
    values: Vec<SetValueView>,
    /// The versions that published these values first, by number, with who approved them.
    #[schema(max_items = 500)]
    versions: Vec<ApprovedVersionView>,
}

/// The value of an item, and who set it.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ItemProvenance)]
#[view(SetValue)]
struct SetValueView {
    /// The item's id.
    #[schema(max_length = 80, examples("mfa"))]
    node_id: String,
    /// The item's label.
    #[schema(max_length = 200, examples("Second factor"))]
    label: String,
    /// The id of the option, or the text.
    #[schema(max_length = 65_536, examples("all"))]
    value: String,
    /// The option's label; null for a text.
    #[schema(max_length = 200, examples("Everyone"))]
    option_label: Option<String>,
    /// Who set the value; null if nobody did, because it is the item's default.
    set_by: Option<ActorView>,
    /// When it was set; null of a default.
    set_date: Option<Timestamp>,
    /// The number of the proposal in which it was set, or that has the default.
    #[schema(format = Int32)]
    proposal: i64,
    /// The version that published it first; null if it is not published.
    #[schema(minimum = 1)]
    version: Option<i64>,
}

/// A version with who approved it.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ApprovedVersion)]
#[view(ApprovedVersion)]
struct ApprovedVersionView {
    /// The version.
    #[schema(minimum = 1)]
    number: i64,
    /// The number of its proposal.
    #[schema(format = Int32)]
    proposal: i64,
    /// The approvals that count, in the order in which they were given.
    #[schema(max_items = 1000)]
    approvals: Vec<ApprovalView>,
}

/// Read where the values of a text come from
///
/// Who set the value of each item, when and in which proposal, and who approved it: of the text that `GET …/text` returns for the
/// same parameters. A value that was set again as it was comes from where it was set first; a default that nobody set, from the
/// version that published it first.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/provenance",
    operation_id = "read_document_provenance",
    tag = "Documents",
    params(crate::path::DocumentId, WhichText),
    responses(
        (status = 200, description = "The provenance", body = ProvenanceView),
        (status = 404, description = "Document not found, Version not found, or Proposal not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let mut query = request.query();
    let asked = WhichText::read(&mut query);
    asked.check(&mut query);
    query.finish()?;
    let now = (request.app.db().clock())();
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let found = match asked.proposal {
        Some(number) => of_proposal(&mut tx, organization, &slug, number).await?,
        None => {
            let text = published(&mut tx, organization, &slug, asked.version, now).await?;
            store::proposals::provenance(&mut tx, organization, &slug, text.version.number).await?
        }
    };
    Answer::record(None, &ProvenanceView::from(found))
}

/// Of an approved proposal it is that of the version that it published or confirmed.
async fn of_proposal(tx: &mut Tx, organization: OrgId, slug: &str, number: i64) -> Result<Provenance> {
    let draft = store::proposals::draft(tx, organization, slug, number, None).await?;
    let sha256 =
        draft.proposal.sha256.as_deref().filter(|_| draft.proposal.status == ProposalStatus::Approved);
    if let Some(sha256) = sha256
        && let Some(text) =
            store::documents::version_with_hash(tx, organization, slug, sha256, Some(number)).await?
    {
        return Ok(store::proposals::provenance(tx, organization, slug, text.version.number).await?);
    }
    Ok(store::proposals::proposed_provenance(tx, organization, &draft).await?)
}
