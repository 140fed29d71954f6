//! What only the machine knows: the time, and chance.

use std::sync::Arc;

use db::{Clock, Random};

/// The machine's clock, to the microsecond.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the clock is read; it is handed on from here"
)]
pub(crate) fn clock() -> Clock {
    Arc::new(|| domain::time::cut(jiff::Timestamp::now()))
}

/// The machine's random source.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where randomness is drawn; it is handed on from here"
)]
pub(crate) fn random() -> Random {
    use rand::Rng;
    Arc::new(|bytes| rand::rng().fill_bytes(bytes))
}

/// A UUID that nobody can guess.
pub(crate) fn random_uuid() -> uuid::Uuid {
    let mut bytes = [0; 16];
    random()(&mut bytes);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}
