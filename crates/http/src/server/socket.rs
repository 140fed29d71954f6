//! A client's socket with a send timeout, which is closed in a way that lets the last response arrive.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

use super::connection_slots::Activity;
use crate::limits;

/// The stream, the activity of its connection, and its two timeouts.
pub(crate) struct Socket {
    stream: TcpStream,
    activity: Arc<Activity>,
    /// Runs while the client accepts no data.
    giving_up: Option<Pin<Box<Sleep>>>,
    /// Runs from the time our side was closed.
    parting: Option<Pin<Box<Sleep>>>,
    /// How many more bytes are read after that.
    room: usize,
}

impl Socket {
    /// Wraps the stream of a newly accepted client.
    pub(crate) fn new(stream: TcpStream, activity: &Arc<Activity>) -> Self {
        Self {
            stream,
            activity: Arc::clone(activity),
            giving_up: None,
            parting: None,
            room: limits::UNREAD_BYTES,
        }
    }

    /// The result of a write; an error once the client has accepted no data for [`limits::SEND_TIMEOUT`].
    fn sent<T>(&mut self, polled: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            if self.giving_up.take().is_some() {
                self.activity.is_stuck(false);
            }
            return polled;
        }
        let activity = &self.activity;
        let giving_up = self.giving_up.get_or_insert_with(|| {
            activity.is_stuck(true);
            Box::pin(tokio::time::sleep(limits::SEND_TIMEOUT))
        });
        ready!(giving_up.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not take its answer")))
    }

    /// Reads and discards what the client still sends, for at most [`limits::PARTING_TIMEOUT`]: closing with unread
    /// bytes could destroy the response (RFC 9112, section 9.6). When a client sends too much, reading stops, but the
    /// client has the same time to receive the response.
    fn part(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(parting) = &mut self.parting else { return Poll::Ready(Ok(())) };
        let mut space = [0; 4096];
        while self.room > 0 {
            let mut rest = ReadBuf::new(&mut space);
            match Pin::new(&mut self.stream).poll_read(context, &mut rest) {
                Poll::Ready(Ok(())) if !rest.filled().is_empty() => {
                    self.activity.is_sending();
                    self.room = self.room.saturating_sub(rest.filled().len());
                }
                Poll::Pending if self.activity.may_be_sending() => break,
                _ => return Poll::Ready(Ok(())),
            }
        }
        parting.as_mut().poll(context).map(Ok)
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.sent(polled, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.sent(polled, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.parting.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
            self.parting = Some(Box::pin(tokio::time::sleep(limits::PARTING_TIMEOUT)));
        }
        self.part(context)
    }
}
