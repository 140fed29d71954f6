//! What an open page asks every few seconds: whether its record has changed. It is answered by the number of the latest
//! journal entry about the record, and does not prolong the session.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::{IncidentNumber, ResourceKind, RiskNumber, Scope};
use hyper::header::{ETAG, HeaderValue, IF_NONE_MATCH};
use web::Error;

use crate::frame::page_request::{Result, WatchRequest};

/// `GET /o/{slug}/watch/{kind}/{id}`: 304 while nothing has changed, and 200 without a body after that.
pub(crate) async fn version(
    Path((_, kind, id)): Path<(String, String, String)>,
    headers: HeaderMap,
    WatchRequest(request): WatchRequest,
) -> Result {
    let mut tx = request.read().await?;
    let organization = request.id();
    let subject = match kind.as_str() {
        "incident" => {
            let number = IncidentNumber::parse(&id).ok_or(Error::not_found(ResourceKind::Incident))?;
            let view = request.view(Scope::IncidentsDelete);
            store::incidents::get(&mut tx, organization, &request.viewer(), number, view).await?;
            number.to_string()
        }
        "risk" if request.may(Scope::RisksRead) => {
            let number = RiskNumber::parse(&id).ok_or(Error::not_found(ResourceKind::Risk))?;
            store::risks::get(&mut tx, organization, number, request.view(Scope::RisksDelete)).await?;
            number.to_string()
        }
        _ => return Err(Error::not_found(ResourceKind::Path)),
    };
    let latest = store::journal::latest_of_subject(&mut tx, organization, &kind, &subject).await?;
    Ok(answer(&headers, latest))
}

fn answer(headers: &HeaderMap, latest: i64) -> Response {
    let tag = format!("\"{latest}\"");
    let is_known = headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let status = if is_known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
    let mut response = status.into_response();
    response.headers_mut().extend(HeaderValue::try_from(tag).ok().map(|tag| (ETAG, tag)));
    response
}
