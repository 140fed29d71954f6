//! A write of a caller in its organization: once for each Idempotency-Key, and only on the version that the caller
//! expects. What the response looks like is up to the caller of [`Write::run`].

mod many;
mod parts;

use std::marker::PhantomData;
use std::sync::Arc;

use auth::MasterKey;
use db::{Db, Tx};
use domain::{Author, ExpectedVersion, OrgId};
use futures_util::future::{BoxFuture, LocalBoxFuture};

use crate::answer::Answer;
use crate::app::App;
use crate::error::Result;
use crate::idempotency::{self, IdempotencyKey};
use crate::limits;
use crate::rate::Account;

/// The change of a write, made in the lane: it gets the organization of the caller and the author for the journal. Its
/// errors are those of the store, so that a response cannot be made in it.
pub trait Change<T>: AsyncFnMut(&mut Tx, OrgId, &Author) -> store::Result<T> + Send + 'static {}

impl<T, F> Change<T> for F where F: AsyncFnMut(&mut Tx, OrgId, &Author) -> store::Result<T> + Send + 'static {}

/// Makes the response from what the change returned.
pub trait Respond<T>: Fn(T) -> Result<Answer> + Send + Sync + 'static {}

impl<T, F> Respond<T> for F where F: Fn(T) -> Result<Answer> + Send + Sync + 'static {}

pub use parts::{Parts, RespondToParts};

/// The transaction that a write runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transaction {
    /// One that it shares with other writes.
    Shared,
    /// One of its own, because it changes many rows.
    Own,
    /// A shared one in which records of the instance, such as people, may be changed too.
    Instance,
}

impl Transaction {
    /// The transaction of a change of this many rows.
    pub fn of_rows(rows: usize) -> Self {
        if rows > limits::SHARED_TRANSACTION_ROWS { Self::Own } else { Self::Shared }
    }
}

/// A write that passed the checks of its request.
pub struct Write {
    /// The shared state.
    pub app: App,
    /// The organization that it changes.
    pub organization: OrgId,
    /// Whom the journal names.
    pub author: Author,
    /// Makes it happen once.
    pub key: Option<IdempotencyKey>,
    /// The version in the request's `If-Match`, if the change does not check it itself.
    pub unchecked_version: Option<ExpectedVersion>,
    /// Where it is recorded how many records the request looked at, if its caller has a limit.
    pub account: Option<Account>,
}

impl Write {
    /// Makes the change, and from its value the response.
    ///
    /// Without a key the response is made after COMMIT, on the task of the request: the lane does nothing but the
    /// change. With a key it is made in the lane, because it is stored in the same transaction.
    pub fn run<T: Send + 'static>(
        self,
        transaction: Transaction,
        change: impl Change<T>,
        respond: impl Respond<T>,
    ) -> BoxFuture<'static, Result<Answer>> {
        Box::pin(self.run_work(
            transaction,
            Box::new(Typed { change, respond: Arc::new(respond), value: PhantomData }),
        ))
    }

    async fn run_work(self, transaction: Transaction, mut work: Box<dyn Work>) -> Result<Answer> {
        let Self { app, organization, author, key, unchecked_version, .. } = self;
        match key {
            None => {
                let change = async move |tx: &mut Tx| {
                    let respond = work.change(tx, organization, &author).await?;
                    check_version(unchecked_version.as_ref())?;
                    Ok::<_, store::Error>(respond)
                };
                submit(app.db(), transaction, organization, change).await?()
            }
            Some(key) => {
                let running = key.enter(app.keyed_writes(), organization, &author.actor);
                let seal = app.auth().answers_key();
                let work =
                    once_per_key((transaction, organization), author, key, seal, (work, unchecked_version));
                let outcome = submit(app.db(), transaction, organization, work).await;
                idempotency::in_progress(outcome, &running)
            }
        }
    }
}

/// Makes the response of a change that was made.
type MakeAnswer = Box<dyn FnOnce() -> Result<Answer> + Send>;

/// A change and its response without their types, so that what every write passes is compiled once, and not for each
/// handler.
trait Work: Send {
    /// Makes the change.
    fn change<'a>(
        &'a mut self,
        tx: &'a mut Tx,
        organization: OrgId,
        author: &'a Author,
    ) -> LocalBoxFuture<'a, store::Result<MakeAnswer>>;
}

/// The change and the response of a handler.
struct Typed<C, R, T> {
    change: C,
    respond: Arc<R>,
    value: PhantomData<fn() -> T>,
}

impl<T: Send + 'static, C: Change<T>, R: Respond<T>> Work for Typed<C, R, T> {
    fn change<'a>(
        &'a mut self,
        tx: &'a mut Tx,
        organization: OrgId,
        author: &'a Author,
    ) -> LocalBoxFuture<'a, store::Result<MakeAnswer>> {
        Box::pin(async move {
            let value = (self.change)(tx, organization, author).await?;
            let respond = Arc::clone(&self.respond);
            Ok(Box::new(move || respond(value)) as MakeAnswer)
        })
    }
}

async fn submit<T, E>(
    db: &Db,
    transaction: Transaction,
    organization: OrgId,
    work: impl AsyncFnMut(&mut Tx) -> Result<T, E> + Send + 'static,
) -> Result<T, E>
where
    T: Send + 'static,
    E: From<db::Error> + Send + 'static,
{
    match transaction {
        Transaction::Shared => db.write(organization, work).await,
        Transaction::Own => db.write_alone(organization, work).await,
        Transaction::Instance => db.write_instance(work).await,
    }
}

/// Refuses an `expected` version that the change has not checked: the record has none. Since the other errors of the
/// change come first, this is called after it and rolls it back.
fn check_version(unchecked: Option<&ExpectedVersion>) -> store::Result<()> {
    unchecked.map_or(Ok(()), ExpectedVersion::check_without_version).map_err(Into::into)
}

/// Makes the change unless it was made before under this key; stores the response in the same transaction.
fn once_per_key(
    (transaction, organization): (Transaction, OrgId),
    author: Author,
    key: IdempotencyKey,
    seal: MasterKey,
    (mut work, unchecked_version): (Box<dyn Work>, Option<ExpectedVersion>),
) -> impl AsyncFnMut(&mut Tx) -> Result<Answer> + Send + 'static {
    async move |tx: &mut Tx| -> Result<Answer> {
        if transaction == Transaction::Instance {
            // Otherwise another write with the same key could run between the lookup of the key and the change.
            tx.lock_head(organization).await?;
        }
        if let Some(answer) = idempotency::find(tx, organization, &author, &key, &seal).await? {
            return Ok(answer);
        }
        let respond = work.change(tx, organization, &author).await?;
        check_version(unchecked_version.as_ref())?;
        let answer = respond()?;
        idempotency::keep(tx, organization, &author, &key, &answer, &seal).await?;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use auth::Auth;
    use axum::http::{Method, Uri};
    use domain::tag::{NewTag, TagName};
    use domain::{Actor, ActorKind};
    use testkit::TestDb;

    use super::*;
    use crate::app::Settings;

    /// The thread that this runs on: a lane has one of its own.
    fn is_lane() -> bool {
        std::thread::current().name().is_some_and(|name| name.starts_with("write-lane"))
    }

    async fn app(db: &TestDb) -> App {
        let master = MasterKey::generate(&**db.db().random());
        let settings = auth::Settings::new("http://bailiwick.test");
        let auth = Auth::start(db.db(), &master, &settings).await.unwrap();
        App::new(db.db(), auth, Settings::default(), &[7; 32])
    }

    #[test]
    fn a_change_of_many_rows_has_a_transaction_of_its_own() {
        assert_eq!([1000, 1001].map(Transaction::of_rows), [Transaction::Shared, Transaction::Own]);
    }

    #[testkit::both_engines]
    async fn a_response_is_made_in_the_lane_only_where_it_is_stored(db: TestDb) {
        let (app, organization) = (app(&db).await, db.organization("Acme").await);
        let actor = Actor { kind: ActorKind::Client, id: "bwc_1".to_owned(), name: "Probe".to_owned() };
        for (transaction, name) in [(Transaction::Shared, "a"), (Transaction::Own, "b")] {
            for key in [None, Some("k")] {
                let new_key = |key| {
                    IdempotencyKey::new(
                        format!("{key}-{name}"),
                        &Method::POST,
                        &Uri::from_static("/v1/tags"),
                        None,
                        &app.auth().answers_key(),
                    )
                };
                let write = Write {
                    app: app.clone(),
                    organization,
                    author: Author::new(actor.clone(), "r-1"),
                    key: key.map(new_key),
                    unchecked_version: None,
                    account: None,
                };
                let name = format!("{name}-{key:?}");
                let new = NewTag { name: TagName::stored(name), color: None, description: None };
                let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
                    assert!(is_lane());
                    store::tags::create(tx, organization, author, &new).await
                };
                let answer = write.run(transaction, change, |_| Answer::outcome(&is_lane())).await.unwrap();
                assert_eq!(
                    answer.body,
                    if key.is_some() { "true" } else { "false" },
                    "{transaction:?} {key:?}"
                );
            }
        }
    }
}
