//! The ids of incidents that are deleted or restored.

use domain::IncidentNumber;
use domain::bulk::{IncidentIds, MAX_IDS};
use http::api_request::ApiRequest;
use http::error::Result;

/// Reads them from the body, with texts by `parse`.
pub(super) async fn ids(
    request: &mut ApiRequest,
    parse: fn(&str) -> Option<IncidentNumber>,
) -> Result<Vec<IncidentNumber>> {
    request.no_query()?;
    let sent = request.json_of(MAX_IDS, move |body, faults| IncidentIds::read(body, parse, faults)).await?;
    Ok(sent.ids)
}
