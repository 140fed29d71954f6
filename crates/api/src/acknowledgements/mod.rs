//! Acknowledgements of documents: who is asked for one, and who has given one.

pub(crate) mod coverage;
pub(crate) mod end;
pub(crate) mod export;
pub(crate) mod file;
pub(crate) mod give;
pub(crate) mod mine;
pub(crate) mod request;
pub(crate) mod requests;
mod view;

use db::Tx;
use domain::OrgId;
use http::error::{Error, Result};
use http::error_codes::ParameterCode;
use jiff::Timestamp;
use store::acknowledgements::DocumentCoverage;

/// Who is asked to acknowledge a document, now or at a time in the past.
async fn coverage_of(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    as_of: Option<Timestamp>,
) -> Result<DocumentCoverage> {
    if as_of.is_some_and(|at| at > tx.at()) {
        return Err(Error::parameter("as_of", ParameterCode::Range, "must not be in the future"));
    }
    Ok(store::acknowledgements::coverage(tx, organization, slug, as_of).await?)
}
