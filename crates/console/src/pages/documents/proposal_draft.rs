//! What the page of a proposal makes of its draft.

use db::Tx;
use domain::OrgId;
use domain::document::{Proposal, ProposalField, file, sha256};
use render::Html;
use store::proposals::Draft;

use crate::frame::form::Form;
use crate::frame::page_request::Result;

/// What this text of a proposal changes in the latest version.
pub(super) async fn difference(
    tx: &mut Tx,
    organization: OrgId,
    draft: &Draft,
    text: Option<&str>,
) -> Result<Option<Html>> {
    let document = &draft.document.document;
    let (Some(text), Some(latest)) = (text, document.published_version) else { return Ok(None) };
    let latest = store::documents::version(tx, organization, &document.slug, latest).await?;
    let html = render::difference(("", latest.body()), ("", text)).html;
    Ok(Some(html).filter(|html| !html.as_str().is_empty()))
}

/// What the sections of a proposal are beside their values, if it changes that.
pub(super) fn changed_sections(draft: &Draft) -> Option<String> {
    draft.proposal.changes.get(ProposalField::Items)?;
    let [before, after] = [&draft.published, &draft.document].map(|it| {
        let items: Vec<_> = it.items.iter().map(|placed| placed.item.clone()).collect();
        file::write_items(&items)
    });
    Some(render::difference(("before", &before), ("after", &after)).unified)
}

/// A hash of what an approval approves beside the text, so that nothing is approved that a page did not show.
pub(super) fn approved_beside(proposal: &Proposal) -> String {
    let changes = [ProposalField::ApprovalSteps, ProposalField::Items].map(|it| proposal.changes.get(it));
    let said = (&proposal.summary, proposal.is_material, &proposal.material_reason, &proposal.effective_date);
    sha256(&format!("{changes:?} {said:?}"))
}

/// What was said when a returned proposal was submitted.
pub(super) fn submitted(draft: &Draft) -> Form {
    let optional = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let (proposal, (_, material_reason)) = (&draft.proposal, draft.said_of_material());
    Form::of([
        ("summary", optional(proposal.summary.as_deref())),
        ("material_reason", optional(material_reason.map(|reason| &**reason))),
        ("effective_date", optional(draft.said_effective_date().map(|day| &**day))),
    ])
}
