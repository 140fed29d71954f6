//! `POST /v1/risks/report/keep`

use domain::Scope;
use domain::document::KeptReport;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::input::risk_span::SpanParams;
use lists::risk_report;

use crate::documents::proposal::ProposalView;

/// Keep a report of risks
///
/// Opens a proposal whose text is the report of the risks, in a document of kind `report`, which is created if there is none. The caller is
/// its author. Nobody edits the text; another report is another proposal. Needs `risks:read` too.
#[utoipa::path(
    post,
    path = "/v1/risks/report/keep",
    operation_id = "keep_risk_report",
    tag = "Risks",
    params(SpanParams),
    request_body = Option<KeptReport>,
    responses(
        (status = 201, description = "Proposal opened", body = ProposalView),
        (status = 409, description = "Another kind of document has the slug (`slug_taken`), the document has an open proposal \
            (`proposal_open`) or is archived (`document_archived`), or it has this report (`nothing_to_publish`)"),
    )
)]
pub(crate) async fn keep(mut request: ApiRequest) -> Result<Answer> {
    request.permissions().require(Scope::RisksRead.into())?;
    let mut query = request.query();
    let days = SpanParams::of(&mut query);
    query.finish()?;
    let document = request.json_or_null(KeptReport::read).await?;
    let mut tx = request.app.db().read().await?;
    let kept = risk_report::kept(&mut tx, request.organization(), days).await?;
    drop(tx);
    request
        .write(
            async move |tx, organization, author| {
                store::proposals::keep_report(tx, organization, author, &document, kept.clone()).await
            },
            |proposal| {
                let location = format!("/v1/documents/{}/proposals/{}", proposal.document, proposal.number);
                Answer::created(location, proposal.version, &ProposalView::from(proposal))
            },
        )
        .await
}
