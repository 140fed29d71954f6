//! Bodies that nobody read. A request may be answered before its body was looked at: without a token, at
//! a path that is not there, over the rate limit. The connection can only go on once the body is out of
//! the way; hyper would close it without a word, and a client that keeps its connections would send its
//! next request into the void. So what is left is read and thrown away, or the answer says `close`.

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

/// Sees to it that the body of a request is gone when it is answered.
pub(crate) struct Unread {
    left: oneshot::Receiver<Body>,
    /// Such a client sends its body only if it is asked to, and reading asks.
    waits_to_be_asked: bool,
    /// The connection, which must not be closed over the answer.
    connection: Option<Arc<Activity>>,
}

impl Unread {
    /// Lends a request its own body; nothing where it has none.
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

    /// Throws away what nobody read before this answer, or ends the connection after it.
    pub(crate) async fn clear(mut self, response: &mut Response) {
        let Ok(rest) = self.left.try_recv() else { return };
        // Whoever was too slow once need not be waited for again.
        let is_hopeless = self.waits_to_be_asked || response.status() == StatusCode::REQUEST_TIMEOUT;
        if is_hopeless || !throw_away(rest).await {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            if let Some(connection) = self.connection {
                connection.is_sending();
            }
        }
    }
}

/// Reads what is left of a body; `false` if it is too long, too slow, or breaks off.
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

/// A body that comes back when it is dropped before its end.
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
            // Nobody takes it back when the request was given up.
            let _ = back.send(std::mem::take(&mut self.body));
        }
    }
}
