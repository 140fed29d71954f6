//! Bodies that no handler read. A request may be answered before its body is read: without a token, at an unknown
//! path, over the rate limit. The connection can only be reused once the body has been consumed. hyper would close it
//! without notice, and a client that reuses connections would lose its next request. So the rest of the body is read
//! and discarded, or the response says `Connection: close`.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::StatusCode;
use hyper::body::{Frame, SizeHint};
use hyper::header::{CONNECTION, EXPECT, HeaderValue};
use tokio::sync::oneshot;

use crate::limits;
use crate::server::Activity;

/// Ensures that the body of a request is consumed when the request is answered.
pub(crate) struct Unread {
    left: oneshot::Receiver<Body>,
    /// The client sent `Expect`: it sends its body only after a 100 response, which reading the body triggers.
    waits_to_be_asked: bool,
    /// The connection, which must not be closed before the response was received.
    connection: Option<Arc<Activity>>,
}

impl Unread {
    /// Wraps the body of a request, so that the unread rest of it is returned; nothing if the request has none.
    pub(crate) fn lend(request: Request) -> (Request, Option<Self>) {
        if request.body().is_end_stream() {
            return (request, None);
        }
        let waits_to_be_asked = request.headers().contains_key(EXPECT);
        let connection = request.extensions().get::<Arc<Activity>>().cloned();
        let (back, left) = oneshot::channel();
        let request =
            request.map(|body| Body::new(ReturnedBody { body, back: Some(back), has_ended: false }));
        (request, Some(Self { left, waits_to_be_asked, connection }))
    }

    /// Discards what was not read before this response, or closes the connection after it.
    pub(crate) async fn clear(mut self, response: &mut Response) {
        let Ok(rest) = self.left.try_recv() else { return };
        // A client that was too slow once is not waited for again.
        let is_hopeless = self.waits_to_be_asked || response.status() == StatusCode::REQUEST_TIMEOUT;
        if is_hopeless || !throw_away(rest).await {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            if let Some(connection) = self.connection {
                connection.is_sending();
            }
        }
    }
}

/// Reads the rest of a body; `false` if it is too long, too slow, or aborted.
async fn throw_away(mut rest: Body) -> bool {
    if rest.size_hint().lower() > limits::UNREAD_BYTES as u64 {
        return false;
    }
    let reading = async {
        let mut room = limits::UNREAD_BYTES;
        while let Some(frame) = rest.frame().await {
            let Ok(frame) = frame else { return false };
            let Some(less) = room.checked_sub(frame.data_ref().map_or(0, Bytes::len)) else { return false };
            room = less;
        }
        true
    };
    tokio::time::timeout(limits::UNREAD_TIMEOUT, reading).await.unwrap_or(false)
}

/// A body that is returned when it is dropped before its end.
struct ReturnedBody {
    body: Body,
    back: Option<oneshot::Sender<Body>>,
    has_ended: bool,
}

impl HttpBody for ReturnedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        self.has_ended |= matches!(polled, Poll::Ready(None | Some(Err(_))));
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for ReturnedBody {
    fn drop(&mut self) {
        if self.has_ended || self.body.is_end_stream() {
            return;
        }
        if let Some(back) = self.back.take() {
            // The receiver is gone when the request was dropped.
            let _ = back.send(std::mem::take(&mut self.body));
        }
    }
}
