//! Proposals as they are before a step.

use db::Tx;
use domain::document::ProposalStep;
use domain::{Error as E, OrgId};
use http::Error;
use http::error::Result;
use store::proposals::Draft;

/// A proposal with its text as it is before a step, which is read outside of the write: texts are long.
pub async fn before(
    tx: &mut Tx,
    organization: OrgId,
    (slug, number): (&str, i64),
    step: &ProposalStep,
) -> Result<Draft> {
    let draft = store::proposals::draft(tx, organization, slug, number, step.submission()).await?;
    Ok(if step.approves() { draft.with_html(html) } else { draft })
}

/// The same for a request that may be a repeated one, whose response is stored: none if there is no such proposal, which the
/// write finds again.
pub async fn before_if_any(
    tx: &mut Tx,
    organization: OrgId,
    which: (&str, i64),
    step: &ProposalStep,
) -> Result<Option<Draft>> {
    match before(tx, organization, which, step).await {
        Err(Error::Domain(E::NotFound(_))) => Ok(None),
        read => read.map(Some),
    }
}

/// The HTML of a text, whose hash is stored with the version that an approval publishes.
pub fn html(text: &str) -> String {
    render::html(text).to_string()
}
