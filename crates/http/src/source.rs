//! Where a request comes from, for what is logged and counted about it.

use auth::Source;
use axum::extract::Request;

use crate::peer::Peer;
use crate::request_id::RequestId;

/// Where this request comes from, and its id, as the front added them to the request's extensions.
pub fn of(request: &Request) -> Source {
    let request_id = request.extensions().get::<RequestId>().map(|id| id.as_str().to_owned());
    Source { address: Peer::of(request).address, request_id }
}
