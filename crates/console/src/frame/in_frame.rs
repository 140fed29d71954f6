//! The frame around the page of an error: a person who is signed in keeps the way to everything else.

use axum::body::Body;
use axum::extract::{FromRequest as _, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use domain::Error as E;
use http::{App, Error};
use hyper::Method;

use super::layout::{Layout, Section};
use super::page_request::PageRequest;

/// Attaches the frame of the person to an error, for [`super::error_page`].
pub(crate) async fn attach(State(app): State<App>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let again = parts.clone();
    let mut response = next.run(Request::from_parts(parts, body)).await;
    if response.extensions().get::<Box<Error>>().is_some_and(|error| has_frame(error)) {
        let mut again = Request::from_parts(again, Body::empty());
        *again.method_mut() = Method::GET;
        if let Some(frame) = frame(again, &app).await {
            response.extensions_mut().insert(frame);
        }
    }
    response
}

/// Reading more for the page would not help a service that is overloaded or has failed.
fn has_frame(error: &Error) -> bool {
    !matches!(error, Error::RateLimited { .. } | Error::Domain(E::Internal(_) | E::Unavailable(_)))
}

async fn frame(request: Request, app: &App) -> Option<Layout> {
    let request = PageRequest::from_request(request, app).await.ok()?;
    let mut tx = request.read().await.ok()?;
    let frame = Layout::of(&request, &mut tx, "", Section::None).await.ok()?;
    // What was done is told on the next page that has no error.
    Some(Layout { done: None, ..frame })
}
