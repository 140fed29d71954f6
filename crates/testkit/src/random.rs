//! Reproducible randomness.

use std::sync::{Arc, Mutex, PoisonError};

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

/// A random source that gives the same bytes in every run with the same seed.
///
/// Two processes (or two `Db` on one database) need different seeds, or they generate the same ids.
pub fn seeded(seed: u64) -> db::Random {
    let generator = Mutex::new(StdRng::seed_from_u64(seed));
    Arc::new(move |bytes: &mut [u8]| {
        generator.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(bytes);
    })
}
