//! A change that is made in several writes, so that others can write between them.

use std::sync::Arc;
use std::time::Duration;

use db::Tx;
use domain::{Author, OrgId};
use tracing::Instrument;

use super::{Transaction, Write, check_version, submit};
use crate::answer::Answer;
use crate::error::{Error, Result};
use crate::idempotency::{self, RunningWrite};

/// How long a request waits for another one with the same key, and how often it looks whether that has ended.
const WAIT: Duration = Duration::from_secs(5);
const WAIT_STEP: Duration = Duration::from_millis(20);

/// Makes the next part of a change, in the lane: what became of some records after the first so many.
pub trait Parts<T>:
    AsyncFn(&mut Tx, OrgId, &Author, usize) -> store::Result<Vec<T>> + Send + Sync + 'static
{
}

impl<T, F> Parts<T> for F where
    F: AsyncFn(&mut Tx, OrgId, &Author, usize) -> store::Result<Vec<T>> + Send + Sync + 'static
{
}

/// Makes the response from what became of all records.
pub trait RespondToParts<T>: Fn(&[T]) -> Result<Answer> + Send + Sync + 'static {}

impl<T, F> RespondToParts<T> for F where F: Fn(&[T]) -> Result<Answer> + Send + Sync + 'static {}

/// What one write of a change did.
enum Step<T> {
    /// It made the next part.
    Made(Vec<T>),
    /// The response is stored.
    Stored(Answer),
}

impl Write {
    /// Makes a change of `total` records in as many writes as it takes. Each is durable by itself, and a caller that goes away
    /// does not stop it.
    ///
    /// With a key the response is stored by the last write. If the process ends before, a repeated request makes what is
    /// missing: a record that is as it was to become is not changed again.
    pub async fn run_in_parts<T: Clone + Send + Sync + 'static>(
        self,
        total: usize,
        part: impl Parts<T>,
        respond: impl RespondToParts<T>,
    ) -> Result<Answer> {
        let running =
            tokio::spawn(self.run_parts(total, Arc::new(part), Arc::new(respond)).in_current_span());
        running.await.map_err(|error| Error::internal(error.to_string()))?
    }

    async fn run_parts<T: Clone + Send + Sync + 'static>(
        self,
        total: usize,
        part: Arc<impl Parts<T>>,
        respond: Arc<impl RespondToParts<T>>,
    ) -> Result<Answer> {
        let _running = self.enter_alone().await?;
        let Self { app, organization, author, key, unchecked_version, .. } = self;
        let mut done: Arc<Vec<T>> = Arc::default();
        loop {
            let (key, author, seal) = (key.clone(), author.clone(), app.auth().answers_key());
            let (part, stored, before) = (Arc::clone(&part), Arc::clone(&respond), Arc::clone(&done));
            let unchecked_version = unchecked_version.clone();
            let work = async move |tx: &mut Tx| -> Result<Step<T>> {
                let Some(key) = &key else {
                    let made = part(tx, organization, &author, before.len()).await?;
                    check_version(unchecked_version.as_ref())?;
                    return Ok(Step::Made(made));
                };
                if let Some(answer) = idempotency::find(tx, organization, &author, key, &seal).await? {
                    return Ok(Step::Stored(answer));
                }
                let made = part(tx, organization, &author, before.len()).await?;
                check_version(unchecked_version.as_ref())?;
                if before.len() + made.len() < total {
                    return Ok(Step::Made(made));
                }
                let answer = stored(&[before.as_slice(), &made].concat())?;
                idempotency::keep(tx, organization, &author, key, &answer, &seal).await?;
                Ok(Step::Stored(answer))
            };
            match submit(app.db(), Transaction::Own, organization, work).await? {
                Step::Stored(answer) => return Ok(answer),
                Step::Made(made) if made.is_empty() && done.len() < total => {
                    return Err(Error::internal("a write made no part of its change"));
                }
                Step::Made(made) => {
                    let mut all = Arc::unwrap_or_clone(done);
                    all.extend(made);
                    if all.len() >= total {
                        return respond(&all);
                    }
                    done = Arc::new(all);
                }
            }
        }
    }

    /// Waits for another request with the same key that is running here: the two would share the records between them.
    async fn enter_alone(&self) -> Result<Option<RunningWrite>> {
        let Some(key) = &self.key else { return Ok(None) };
        let mut waited = Duration::ZERO;
        loop {
            let running = key.enter(self.app.keyed_writes(), self.organization, &self.author.actor);
            if !running.is_duplicate() {
                return Ok(Some(running));
            }
            if waited >= WAIT {
                return Err(Error::InProgress);
            }
            tokio::time::sleep(WAIT_STEP).await;
            waited += WAIT_STEP;
        }
    }

    /// The response that is stored under the key of this write, looked for in a read.
    pub async fn stored(&self) -> Result<Option<Answer>> {
        let Some(key) = &self.key else { return Ok(None) };
        let (mut tx, seal) = (self.app.db().read().await?, self.app.auth().answers_key());
        idempotency::find(&mut tx, self.organization, &self.author, key, &seal).await
    }
}
