//! The ids of incidents that are deleted or restored.

use domain::{IncidentNumber, bulk};
use http::api_request::ApiRequest;
use http::error::Result;
use lists::input::incidents::read_ids;

/// Reads them from the body, with texts by `parse`.
pub(super) async fn ids(
    request: &mut ApiRequest,
    parse: fn(&str) -> Option<IncidentNumber>,
) -> Result<Vec<IncidentNumber>> {
    request.no_query()?;
    request.json_of(bulk::MAX_IDS, move |body, faults| read_ids(body, faults, parse)).await
}
