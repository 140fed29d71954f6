//! The generations of connections: when one turns out useless, so are all that were made before.
//!
//! After a promotion every connection leads to a server that is gone or accepts no writes any more. Each would find
//! out by itself, after a time limit of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The generation in which connections are made now. A clone is a handle to the same one.
#[derive(Clone, Default)]
pub(crate) struct Generations(Arc<AtomicU64>);

/// The generation of one connection.
#[derive(Clone)]
pub(crate) struct Generation {
    now: Arc<AtomicU64>,
    made_in: u64,
}

impl Generations {
    /// That of a connection which is about to be made: it is as old as the first step towards it.
    pub(crate) fn current(&self) -> Generation {
        Generation { now: Arc::clone(&self.0), made_in: self.0.load(Ordering::SeqCst) }
    }
}

impl Generation {
    /// Whether no connection that was made at the same time or later has turned out useless.
    pub(crate) fn is_current(&self) -> bool {
        self.now.load(Ordering::SeqCst) == self.made_in
    }

    /// Has every connection that was made before replaced at its next use, and notes why. If another one of this
    /// generation has turned out useless before, those that were made since then are kept.
    pub(crate) fn end(&self, why: &str) {
        let next = self.made_in.wrapping_add(1);
        let ended = self.now.compare_exchange(self.made_in, next, Ordering::SeqCst, Ordering::SeqCst);
        if ended.is_ok() {
            tracing::warn!(why, "connections to PostgreSQL that were made before are replaced");
        }
    }
}
