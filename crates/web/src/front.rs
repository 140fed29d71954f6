//! What every request passes first and every answer last: the request's id, panics, and errors
//! becoming problems.

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use hyper::header::{ALLOW, HeaderName};
use hyper::{HeaderMap, StatusCode};

use crate::app::{App, Settings};
use crate::conditional::IfNoneMatch;
use crate::error::Error;
use crate::request_id::{RequestId, X_REQUEST_ID};
use crate::{health, peer, problem};

/// Runs a request. Whatever happens inside, an answer with the request's id comes out.
pub(crate) async fn front(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let (started, _active) = (Instant::now(), app.metrics().start());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let id = RequestId::of(request.headers(), app.db());
    let uri = request.uri().clone();
    request.extensions_mut().insert(id.clone());
    let if_none_match = IfNoneMatch::of(&request);
    let may_pass = may_pass(&mut request, app.settings());
    let running =
        async { if may_pass { next.run(request).await } else { Error::HttpsRequired.into_response() } };
    let mut response = if_none_match.answer(guard(running, uri.path(), id.as_str()).await);
    response.headers_mut().insert(HeaderName::from_static(X_REQUEST_ID), id.header());
    tracing::debug!(request_id = id.as_str(), path = uri.path(), status = response.status().as_u16());
    app.metrics().answered(&method, route, response.status(), started.elapsed());
    response
}

/// Finds out where the request comes from, and whether others could read it on its way. Probes of a load
/// balancer carry no secret and come as they like.
fn may_pass(request: &mut Request, settings: &Settings) -> bool {
    let peer = peer::resolve(request, &settings.trusted_proxies);
    if settings.insecure_http || peer.is_private() || health::PATHS.contains(&request.uri().path()) {
        return true;
    }
    tracing::warn!(target: "security", address = %peer.address, "a request over plain HTTP was refused");
    false
}

/// Runs a request; a panic is an internal error of this request and of no other.
async fn guard(running: impl Future<Output = Response>, path: &str, id: &str) -> Response {
    match AssertUnwindSafe(running).catch_unwind().await {
        Ok(response) => finish(response, path, id),
        Err(panic) => problem::respond(&Error::internal(panic_text(panic.as_ref())), path, id),
    }
}

/// Writes out an error that a handler left in the answer.
fn finish(mut response: Response, path: &str, id: &str) -> Response {
    if let Some(error) = response.extensions_mut().remove::<Box<Error>>() {
        return problem::respond(&error, path, id);
    }
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        let allow = take_allow(response.headers_mut());
        let mut problem = problem::respond(&Error::MethodNotAllowed, path, id);
        if let Some(allow) = allow {
            problem.headers_mut().insert(ALLOW, allow);
        }
        return problem;
    }
    response
}

fn take_allow(headers: &mut HeaderMap) -> Option<axum::http::HeaderValue> {
    headers.remove(ALLOW)
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panic: {}", text.unwrap_or("(no text)"))
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_500_that_tells_nothing() {
        let response = guard(async { panic!("secret") }, "/v1/incidents", "r-1").await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let problem: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&problem["code"], &problem["request_id"]), (&"internal".into(), &"r-1".into()));
        assert!(!String::from_utf8_lossy(&body).contains("secret"));
    }
}
