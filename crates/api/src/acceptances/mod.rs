//! Acceptances of risks: asking for one, deciding about it, ending it.

pub(crate) mod ask;
pub(crate) mod confirm;
pub(crate) mod decide;
pub(crate) mod list;
pub(crate) mod list_all;
pub(crate) mod read;
pub(crate) mod revoke;
pub(crate) mod view;
pub(crate) mod waive;
pub(crate) mod withdraw;

use domain::{ResourceKind, RiskNumber};
use http::api_request::ApiRequest;
use http::error::Result;

use crate::shared::number;

use view::AcceptanceView;

/// The risk and the number of the acceptance in the path.
fn acceptance_in_path(request: &ApiRequest) -> Result<(RiskNumber, i64)> {
    let risk = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    Ok((risk, request.path(1, ResourceKind::Acceptance, number)?))
}
