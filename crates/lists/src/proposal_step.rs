//! Proposals as they are before a step.

use db::Tx;
use domain::OrgId;
use domain::document::ProposalStep;
use http::error::Result;
use store::proposals::Draft;

/// A proposal with its text as it is before a step, which is read outside of the write: texts are long. A fault of that is found
/// again in the write.
pub async fn before(
    tx: &mut Tx,
    organization: OrgId,
    (slug, number): (&str, i64),
    step: &ProposalStep,
) -> Result<Draft> {
    let draft = store::proposals::draft(tx, organization, slug, number, step.submission()).await?;
    Ok(if step.approves() { with_html(draft) } else { draft })
}

/// The same proposal with the hash of the HTML that its text becomes, which is stored with the version that an approval publishes.
#[must_use]
pub fn with_html(draft: Draft) -> Draft {
    draft.with_html(|text| render::html(text).to_string())
}
