//! Passwords of people: hashed with Argon2id at the minimum cost that OWASP recommends, outside of the threads that
//! serve requests, and with limited concurrency.
//!
//! A check takes about 30 ms of a processor and 19 MiB. So fewer checks run at once than there are processors, with a
//! short queue and 503 beyond it: a client that floods the service with passwords slows down sign-in and nothing else.

use std::fmt;
use std::sync::Arc;

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use domain::Error;
use subtle::ConstantTimeEq;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use zeroize::Zeroizing;

/// The maximum number of queued checks; about two seconds of work for one processor.
const QUEUE: usize = 64;

const SALT_BYTES: usize = 16;
const HASH_BYTES: usize = 32;

/// A password as it was sent. It does not print and is wiped when dropped.
#[derive(Clone)]
pub struct Password(Zeroizing<String>);

impl Password {
    /// Takes the text.
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The text, for the checks of `domain::password`.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

/// The cost of a hash. The default is the minimum in OWASP's Password Storage Cheat Sheet for Argon2id, with one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordCost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over the memory.
    pub iterations: u32,
}

impl Default for PasswordCost {
    fn default() -> Self {
        Self { memory_kib: 19 * 1024, iterations: 2 }
    }
}

impl PasswordCost {
    fn hash(self, password: &Password, salt: &[u8]) -> Result<[u8; HASH_BYTES], Error> {
        let fault = |error: argon2::Error| Error::Internal(format!("argon2: {error}"));
        let params = Params::new(self.memory_kib, self.iterations, 1, Some(HASH_BYTES)).map_err(fault)?;
        let mut hash = [0; HASH_BYTES];
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        argon2.hash_password_into(password.expose().as_bytes(), salt, &mut hash).map_err(fault)?;
        Ok(hash)
    }

    /// Hashes the password for storage, in the PHC string format. Takes as long as a check: call it from a blocking
    /// thread.
    pub fn store(self, password: &Password, random: &dyn Fn(&mut [u8])) -> Result<String, Error> {
        let mut salt = [0; SALT_BYTES];
        random(&mut salt);
        let hash = self.hash(password, &salt)?;
        let Self { memory_kib, iterations } = self;
        let (salt, hash) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(hash));
        Ok(format!("$argon2id$v=19$m={memory_kib},t={iterations},p=1${salt}${hash}"))
    }

    /// Whether hashing at this cost is cheaper than at another.
    fn is_below(self, other: Self) -> bool {
        self.memory_kib < other.memory_kib || self.iterations < other.iterations
    }
}

/// A parsed stored password.
struct Stored {
    cost: PasswordCost,
    salt: Vec<u8>,
    hash: Vec<u8>,
}

impl Stored {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix("$argon2id$v=19$m=")?.split('$');
        let (memory, rest) = parts.next()?.split_once(",t=")?;
        let iterations = rest.strip_suffix(",p=1")?;
        let cost = PasswordCost { memory_kib: memory.parse().ok()?, iterations: iterations.parse().ok()? };
        let salt = STANDARD_NO_PAD.decode(parts.next()?).ok()?;
        let hash = STANDARD_NO_PAD.decode(parts.next()?).ok()?;
        parts.next().is_none().then_some(Self { cost, salt, hash })
    }

    /// A hash that no password matches, at the cost of a real one: refusing a person without a password takes as long
    /// as refusing a wrong one.
    fn nobody(cost: PasswordCost) -> Self {
        Self { cost, salt: vec![0; SALT_BYTES], hash: Vec::new() }
    }
}

/// The result of a check.
pub(super) struct Checked {
    /// Whether the password was the stored one.
    pub(super) is_right: bool,
    /// A new hash of the same password at the current cost, if the stored one has a lower cost.
    pub(super) rehashed: Option<String>,
}

/// Limits the concurrent checks and hashes of passwords. One for each process.
pub(super) struct Passwords {
    cost: PasswordCost,
    random: db::Random,
    turns: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

impl Passwords {
    /// Uses this cost for new hashes.
    pub(super) fn new(cost: PasswordCost, random: db::Random) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let turns = (processors / 2).max(1);
        Self {
            cost,
            random,
            turns: Arc::new(Semaphore::new(turns)),
            places: Arc::new(Semaphore::new(turns + QUEUE)),
        }
    }

    /// Waits for a permit; [`Error::Unavailable`] if the queue is full.
    pub(super) async fn turn(&self) -> Result<HashingPermit, Error> {
        let full = |_| Error::Unavailable("too many passwords are to be checked at once".to_owned());
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(full)?;
        let closed = |_| Error::Internal("passwords are checked no more".to_owned());
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(closed)?;
        Ok(HashingPermit { cost: self.cost, random: Arc::clone(&self.random), held: (place, turn) })
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
                None => Stored::nobody(cost),
                Some(text) => Stored::parse(&text)
                    .ok_or_else(|| Error::Internal("person.password_hash is damaged".to_owned()))?,
            };
            let hash = stored.cost.hash(&password, &stored.salt)?;
            let is_right = bool::from(hash.as_slice().ct_eq(&stored.hash));
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

    fn passwords(cost: PasswordCost) -> Passwords {
        Passwords::new(cost, Arc::new(|bytes: &mut [u8]| bytes.fill(7)))
    }

    async fn check(passwords: &Passwords, text: &str, stored: Option<&str>) -> Checked {
        let turn = passwords.turn().await.unwrap();
        turn.check(password(text), stored.map(str::to_owned)).await.unwrap()
    }

    #[tokio::test]
    async fn only_the_same_password_is_right() {
        let passwords = passwords(CHEAP);
        let stored = passwords.turn().await.unwrap().store(password("correct horse")).await.unwrap();
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
        let stored = old.turn().await.unwrap().store(password("correct horse")).await.unwrap();
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
            let turn = passwords.turn().await.unwrap();
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
            held.push(passwords.turn().await.unwrap());
        }
        let waiting: Vec<_> = (0..QUEUE).map(|_| Box::pin(passwords.turn())).collect();
        let mut waiting = futures_util::future::join_all(waiting);
        assert!(futures_util::poll!(&mut waiting).is_pending());
        assert!(matches!(passwords.turn().await, Err(Error::Unavailable(_))));
        drop(held);
        drop(waiting);
        assert!(passwords.turn().await.is_ok());
    }
}
