//! Hashing and checking passwords outside of the threads that serve requests, and with limited concurrency.
//!
//! A check takes about 30 ms of a processor and 19 MiB. So fewer checks run at once than there are processors, with a
//! short queue and 503 beyond it: a client that floods the service with passwords slows down sign-in and nothing else.

use std::sync::Arc;

use domain::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::password::{Password, PasswordCost, StoredPassword};

/// The maximum number of queued checks; about two seconds of work for one processor.
const QUEUE: usize = 64;

/// The result of a check.
pub(super) struct Checked {
    /// Whether the password was the stored one.
    pub(super) is_right: bool,
    /// A new hash of the same password at the current cost, if the stored one has a lower cost.
    pub(super) rehashed: Option<String>,
}

/// Limits the concurrent checks and hashes of passwords. One for each process.
pub(crate) struct PasswordHasher {
    cost: PasswordCost,
    random: db::Random,
    running: Arc<Semaphore>,
    queued: Arc<Semaphore>,
}

impl PasswordHasher {
    /// Uses this cost for new hashes.
    pub(crate) fn new(cost: PasswordCost, random: db::Random) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let at_once = (processors / 2).max(1);
        Self {
            cost,
            random,
            running: Arc::new(Semaphore::new(at_once)),
            queued: Arc::new(Semaphore::new(at_once + QUEUE)),
        }
    }

    /// Waits for a permit; [`Error::Unavailable`] if the queue is full.
    pub(super) async fn permit(&self) -> Result<HashingPermit, Error> {
        let full = |_| Error::Unavailable("too many passwords are to be checked at once".to_owned());
        let queued = Arc::clone(&self.queued).try_acquire_owned().map_err(full)?;
        let closed = |_| Error::Internal("passwords are checked no more".to_owned());
        let running = Arc::clone(&self.running).acquire_owned().await.map_err(closed)?;
        Ok(HashingPermit { cost: self.cost, random: Arc::clone(&self.random), held: (queued, running) })
    }
}

/// A permit to check or hash one password.
pub(super) struct HashingPermit {
    cost: PasswordCost,
    random: db::Random,
    held: (OwnedSemaphorePermit, OwnedSemaphorePermit),
}

impl HashingPermit {
    /// Compares a password with a stored one. Without a stored one it takes as long and never matches.
    pub(super) async fn check(self, password: Password, stored: Option<String>) -> Result<Checked, Error> {
        self.run(move |cost, random| {
            let stored = match stored {
                None => StoredPassword::matching_nothing(cost),
                Some(text) => StoredPassword::parse(&text)
                    .ok_or_else(|| Error::Internal("person.password_hash is damaged".to_owned()))?,
            };
            let is_right = stored.is(&password)?;
            let grow = is_right && stored.cost.is_below(cost);
            let rehashed = if grow { Some(cost.store(&password, random)?) } else { None };
            Ok(Checked { is_right, rehashed })
        })
        .await
    }

    /// Hashes a new password for storage.
    pub(super) async fn store(self, password: Password) -> Result<String, Error> {
        self.run(move |cost, random| cost.store(&password, random)).await
    }

    async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(PasswordCost, &dyn Fn(&mut [u8])) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let Self { cost, random, held } = self;
        let done = tokio::task::spawn_blocking(move || {
            let result = work(cost, &*random);
            // The permit is held until the work ends, even if the caller no longer waits for it.
            drop(held);
            result
        });
        done.await.map_err(|error| Error::Internal(format!("checking a password: {error}")))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: PasswordCost = PasswordCost { memory_kib: 8, iterations: 1 };

    fn password(text: &str) -> Password {
        Password::new(text.to_owned())
    }

    fn passwords(cost: PasswordCost) -> PasswordHasher {
        PasswordHasher::new(cost, Arc::new(|bytes: &mut [u8]| bytes.fill(7)))
    }

    async fn check(passwords: &PasswordHasher, text: &str, stored: Option<&str>) -> Checked {
        let turn = passwords.permit().await.unwrap();
        turn.check(password(text), stored.map(str::to_owned)).await.unwrap()
    }

    #[tokio::test]
    async fn only_the_same_password_is_right() {
        let passwords = passwords(CHEAP);
        let stored = passwords.permit().await.unwrap().store(password("correct horse")).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=8,t=1,p=1$BwcHBwcHBwcHBwcHBwcHBw$"), "{stored}");
        assert!(check(&passwords, "correct horse", Some(&stored)).await.is_right);
        for wrong in ["correct hors", "correct horse ", "Correct horse", ""] {
            assert!(!check(&passwords, wrong, Some(&stored)).await.is_right, "{wrong}");
        }
        assert!(!check(&passwords, "correct horse", None).await.is_right);
        assert!(!check(&passwords, "", None).await.is_right);
    }

    /// Hash made by the command line of the reference implementation.
    #[tokio::test]
    async fn a_hash_of_another_implementation_is_understood() {
        let stored = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
        let passwords = passwords(CHEAP);
        assert!(check(&passwords, "password", Some(stored)).await.is_right);
        assert!(!check(&passwords, "passwore", Some(stored)).await.is_right);
    }

    #[tokio::test]
    async fn a_stored_password_grows_with_the_cost_and_never_shrinks() {
        let (old, new) = (passwords(CHEAP), passwords(PasswordCost { memory_kib: 16, iterations: 1 }));
        let stored = old.permit().await.unwrap().store(password("correct horse")).await.unwrap();
        assert!(check(&new, "wrong horse", Some(&stored)).await.rehashed.is_none());
        let grown = check(&new, "correct horse", Some(&stored)).await.rehashed.unwrap();
        assert!(grown.contains("m=16"), "{grown}");
        assert!(check(&new, "correct horse", Some(&grown)).await.rehashed.is_none());
        let checked = check(&old, "correct horse", Some(&grown)).await;
        assert!(checked.is_right && checked.rehashed.is_none());
    }

    #[tokio::test]
    async fn a_damaged_hash_is_a_fault_and_not_a_wrong_password() {
        let passwords = passwords(CHEAP);
        for stored in ["", "x", "$argon2id$v=19$m=8,t=1,p=1$AA", "$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA"]
        {
            let turn = passwords.permit().await.unwrap();
            let result = turn.check(password("x"), Some(stored.to_owned())).await;
            assert!(matches!(result, Err(Error::Internal(_))), "{stored}");
        }
    }

    #[tokio::test]
    async fn beyond_the_queue_there_is_no_place() {
        let passwords = passwords(CHEAP);
        let processors = std::thread::available_parallelism().unwrap().get();
        let turns = (processors / 2).max(1);
        let mut held = Vec::new();
        for _ in 0..turns {
            held.push(passwords.permit().await.unwrap());
        }
        let waiting: Vec<_> = (0..QUEUE).map(|_| Box::pin(passwords.permit())).collect();
        let mut waiting = futures_util::future::join_all(waiting);
        assert!(futures_util::poll!(&mut waiting).is_pending());
        assert!(matches!(passwords.permit().await, Err(Error::Unavailable(_))));
        drop(held);
        drop(waiting);
        assert!(passwords.permit().await.is_ok());
    }
}
