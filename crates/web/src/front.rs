//! What every request passes first and every answer last: the request's id, panics, and errors
//! becoming problems.

use std::panic::AssertUnwindSafe;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::FutureExt;
use hyper::header::{ALLOW, HeaderName};
use hyper::{HeaderMap, StatusCode};

use crate::app::App;
use crate::error::Error;
use crate::problem;
use crate::request_id::{RequestId, X_REQUEST_ID};

/// Runs a request. Whatever happens inside, an answer with the request's id comes out.
pub(crate) async fn front(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let id = RequestId::of(request.headers(), app.db());
    let uri = request.uri().clone();
    request.extensions_mut().insert(id.clone());
    let mut response = match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => finish(response, uri.path(), &id),
        Err(panic) => problem::respond(&Error::internal(panic_text(panic.as_ref())), uri.path(), id.as_str()),
    };
    response.headers_mut().insert(HeaderName::from_static(X_REQUEST_ID), id.header());
    tracing::debug!(request_id = id.as_str(), path = uri.path(), status = response.status().as_u16());
    response
}

/// Writes out an error that a handler left in the answer.
fn finish(mut response: Response, path: &str, id: &RequestId) -> Response {
    if let Some(error) = response.extensions_mut().remove::<Box<Error>>() {
        return problem::respond(&error, path, id.as_str());
    }
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        let allow = take_allow(response.headers_mut());
        let mut problem = problem::respond(&Error::MethodNotAllowed, path, id.as_str());
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
