//! A clock that stands still until a test moves it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};

/// The time of a test: `2026-03-01T09:00:00Z` until it is set or advanced. Clones share it.
#[derive(Debug, Clone)]
pub struct TestClock(Arc<AtomicI64>);

impl TestClock {
    /// Where every test starts.
    pub const START: &str = "2026-03-01T09:00:00Z";

    /// A clock that stands at [`TestClock::START`].
    pub fn new() -> Self {
        let clock = Self(Arc::new(AtomicI64::new(0)));
        clock.set(Self::START);
        clock
    }

    /// The time it shows.
    pub fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.0.load(Ordering::SeqCst)).expect("a test's time is in range")
    }

    /// Sets it to an RFC 3339 date-time, forwards or backwards.
    pub fn set(&self, time: &str) {
        let time: Timestamp = time.parse().expect("an RFC 3339 date-time with an offset");
        self.0.store(time.as_microsecond(), Ordering::SeqCst);
    }

    /// Moves it on (or back, if negative), cut to microseconds.
    pub fn advance(&self, by: SignedDuration) {
        let micros = i64::try_from(by.as_micros()).expect("a test's step fits");
        self.0.fetch_add(micros, Ordering::SeqCst);
    }

    /// Moves it on by whole seconds.
    pub fn advance_seconds(&self, seconds: i64) {
        self.advance(SignedDuration::from_secs(seconds));
    }

    /// Moves it on by days of 24 hours.
    pub fn advance_days(&self, days: i64) {
        self.advance(SignedDuration::from_hours(24 * days));
    }

    /// The form in which programs take a clock.
    pub fn handle(&self) -> db::Clock {
        let clock = self.clone();
        Arc::new(move || clock.now())
    }
}

impl Default for TestClock {
    fn default() -> Self {
        Self::new()
    }
}
