//! What an open page asks every few seconds: whether its record has changed, or its list has new ones. It is answered by the
//! number of the latest journal entry about the record, or by how many are new, and does not prolong the session.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::{IncidentNumber, ResourceKind, RiskNumber, Scope};
use http::Error;
use hyper::header::{ETAG, HeaderValue, IF_NONE_MATCH};

use super::incidents;
use super::incidents::filter::asked_for;
use crate::frame::page_request::{PageRequest, Result, WatchRequest};

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
        "incidents" => return news(&request, &id, &headers).await,
        _ => return Err(Error::not_found(ResourceKind::Path)),
    };
    let latest = store::journal::latest_of_subject(&mut tx, organization, &kind, &subject).await?;
    Ok(answer(&headers, &latest.to_string()))
}

/// So many new incidents are counted.
const MOST_NEW: usize = 99;

/// How many incidents of the list with these filters are later than the one with the number.
async fn news(request: &PageRequest, after: &str, headers: &HeaderMap) -> Result {
    request.require(incidents::READ)?;
    let number = after.parse().map_err(|_| Error::not_found(ResourceKind::Path))?;
    let mut query = request.query();
    let filter = asked_for(&mut query, request);
    query.finish()?;
    let (mut tx, viewer) = (request.read().await?, request.viewer());
    let limit = i64::try_from(MOST_NEW + 1).unwrap_or(i64::MAX);
    let new =
        store::incidents::declared_after(&mut tx, request.id(), &viewer, &filter, number, limit).await?;
    let new = if new > MOST_NEW { format!("{MOST_NEW}+") } else { new.to_string() };
    Ok(answer(headers, &new))
}

fn answer(headers: &HeaderMap, known: &str) -> Response {
    let tag = format!("\"{known}\"");
    let is_known = headers.get(IF_NONE_MATCH).is_some_and(|sent| sent.as_bytes() == tag.as_bytes());
    let status = if is_known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
    let mut response = status.into_response();
    response.headers_mut().extend(HeaderValue::try_from(tag).ok().map(|tag| (ETAG, tag)));
    response
}
