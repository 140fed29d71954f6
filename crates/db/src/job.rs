//! A write on its way through the lane, without its types.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;

use futures_util::FutureExt;
use tokio::sync::oneshot;

use crate::error::Error;
use crate::tx::Tx;

/// The outcome of a job's closure. It is not delivered before the batch is durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Kept,
    Refused,
}

pub(crate) trait Job: Send {
    /// Whether the caller no longer waits for the answer.
    fn abandoned(&self) -> bool;
    /// Runs the closure; may be called again after a batch was rolled back.
    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> Pin<Box<dyn Future<Output = Outcome> + 'a>>;
    /// Settles the outcome without running the closure.
    fn refuse(&mut self, error: Error);
    /// Sends the outcome of the last run to the caller.
    fn deliver(self: Box<Self>);
    /// Reports to the caller that the write did not happen, or may not have.
    fn fail(self: Box<Self>, error: Error);
}

pub(crate) struct Write<F, T, E> {
    work: F,
    result: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<F, T, E> Write<F, T, E> {
    pub(crate) fn new(work: F) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        (Self { work, result: None, reply }, answer)
    }
}

impl<F, T, E> Job for Write<F, T, E>
where
    F: AsyncFnMut(&mut Tx) -> Result<T, E> + Send,
    T: Send,
    E: From<Error> + Send,
{
    fn abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> Pin<Box<dyn Future<Output = Outcome> + 'a>> {
        Box::pin(async move {
            let result = AssertUnwindSafe((self.work)(tx)).catch_unwind().await;
            let result = match (result, tx.failure()) {
                (Err(_), _) => Err(E::from(Error::internal("a write panicked"))),
                (Ok(Ok(_)), Some(error)) => Err(E::from(error)),
                (Ok(result), _) => result,
            };
            let outcome = if result.is_ok() { Outcome::Kept } else { Outcome::Refused };
            self.result = Some(result);
            outcome
        })
    }

    fn refuse(&mut self, error: Error) {
        self.result = Some(Err(E::from(error)));
    }

    fn deliver(self: Box<Self>) {
        if let Some(result) = self.result {
            // The caller may have gone; the write stands all the same.
            let _ = self.reply.send(result);
        }
    }

    fn fail(self: Box<Self>, error: Error) {
        let _ = self.reply.send(Err(E::from(error)));
    }
}
