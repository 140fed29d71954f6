//! `GET /v1/documents/{id}/versions`, `GET /v1/documents/{id}/versions/{number}`

use std::collections::HashMap;

use domain::document::{Day, DocumentVersion, Proposal, PublishedText, StepWithApprovals};
use domain::{Line, Prose, Reason, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::timestamp::Timestamp;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use super::approval_steps::StepView;
use crate::shared::{ActorView, number};

/// A published version of a document. Lists omit its text.
#[derive(Serialize, ToSchema, View)]
#[schema(as = DocumentVersion)]
#[view(DocumentVersion)]
struct VersionView {
    /// The document's slug.
    #[schema(max_length = 80, examples("access-control"))]
    document: String,
    /// The version: 1 is the first publication.
    #[schema(minimum = 1)]
    number: i64,
    /// The number of the proposal that it was approved in.
    #[schema(format = Int32, examples(3))]
    proposal: i64,
    /// The SHA-256 of the text's UTF-8 bytes.
    #[schema(
        max_length = 64,
        pattern = "^[0-9a-f]{64}$",
        examples("e7b9e35203a4b1d82384359e03969a4bec9f4abce5516e9ba7946cbb8cf84b4c")
    )]
    sha256: String,
    /// What changed and why.
    summary: Option<Prose>,
    /// Whether everybody acknowledges the document again.
    #[view(it.is_material)]
    material: bool,
    /// Why it is material, or not.
    material_reason: Option<Reason>,
    /// The day from which it holds.
    effective_date: Day,
    /// Who gave the last approval.
    approved_by: ActorView,
    /// The job title that they had then; null if they had none.
    #[view(None)]
    approved_by_job_title: Option<Line>,
    /// When it was approved, and so published.
    approved_date: Timestamp,
    /// The note of the approver, as Markdown.
    note: Option<Prose>,
    /// The steps of its approval, with who approved in each.
    #[schema(max_items = 20)]
    #[view(Vec::<StepWithApprovals>::new())]
    steps: Vec<StepView>,
    /// The text as it was approved: Markdown with its front matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 67_108_864)]
    #[view(None)]
    text: Option<String>,
}

impl VersionView {
    /// A version without its text, with the steps of its proposal, which is among these.
    fn of(it: DocumentVersion, proposals: &mut HashMap<i64, Proposal>) -> Self {
        let Some(proposal) = proposals.remove(&it.proposal) else { return Self::from(it) };
        let last = proposal.final_approvals().pop().and_then(|approval| approval.job_title.clone());
        let steps = proposal.steps.into_iter().map(StepView::from).collect();
        Self { steps, approved_by_job_title: last, ..Self::from(it) }
    }
}

/// List a document's versions
///
/// The published versions, the latest first, without their texts.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/versions",
    operation_id = "list_document_versions",
    tag = "Documents",
    params(crate::path::DocumentId, PageParams),
    responses(
        (status = 200, description = "Versions", body = List<VersionView>),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let rows = store::documents::versions(&mut tx, organization, &slug, page.after, page.limit).await?;
    let total = page.total(store::documents::count_versions(&mut tx, organization, &slug)).await?;
    let proposals: Vec<_> = rows.rows.iter().map(|version| version.proposal).collect();
    let mut proposals = store::proposals::with_approvals(&mut tx, organization, &proposals).await?;
    let position = |version: &DocumentVersion| version.number;
    Answer::list(&request.list(rows, total, position, |it| VersionView::of(it, &mut proposals)))
}

/// Read a version of a document
///
/// A published version with its text, just as it was approved.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/versions/{number}",
    operation_id = "read_document_version",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the version"),
    ),
    responses(
        (status = 200, description = "The version", body = VersionView),
        (status = 404, description = "Document not found, or Version not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::DocumentVersion, number)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let organization = request.organization();
    let PublishedText { version, markdown } =
        store::documents::version(&mut tx, organization, &slug, number).await?;
    let mut proposals = store::proposals::with_approvals(&mut tx, organization, &[version.proposal]).await?;
    Answer::record(None, &VersionView { text: Some(markdown), ..VersionView::of(version, &mut proposals) })
}
