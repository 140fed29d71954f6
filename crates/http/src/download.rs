//! Files: made while they are sent, or before.

use std::future::Future;

use axum::body::Body;
use axum::response::Response;
use futures_util::stream::try_unfold;
use hyper::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderValue};

use crate::error::Result;

/// A response with a file whose parts are read one after the other, when there is room to send them: `next` makes a part
/// from where the last one ended, and nothing at the end. Each part has a read of its own, so a receiver that stalls keeps
/// no snapshot of the register. `name` is visible ASCII without quotes.
///
/// An error breaks the connection off, which a receiver notices; the status was sent before.
pub fn file<S, F, N>(name: &str, content_type: &'static str, start: S, mut next: F) -> Response
where
    S: Send + 'static,
    F: FnMut(S) -> N + Send + 'static,
    N: Future<Output = Result<Option<(Vec<u8>, S)>>> + Send + 'static,
{
    let parts = try_unfold(start, move |place| {
        let part = next(place);
        async move {
            part.await.map_err(|error| {
                tracing::error!(?error, "a file was broken off");
                std::io::Error::other("the file was broken off")
            })
        }
    });
    response(name, content_type, Body::from_stream(parts))
}

/// A response with a file that is made already. `name` is visible ASCII without quotes.
pub fn whole(name: &str, content_type: &'static str, file: impl Into<Body>) -> Response {
    response(name, content_type, file.into())
}

fn response(name: &str, content_type: &'static str, file: Body) -> Response {
    let mut response = Response::new(file);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    headers.extend(disposition.ok().map(|value| (CONTENT_DISPOSITION, value)));
    response
}
