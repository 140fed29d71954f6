//! A quota that refills steadily: the generic cell rate algorithm (GCRA).
//!
//! The whole state of a quota is one number, the time at which it is full again. Times and intervals are in any one
//! unit, such as microseconds; the present time is an argument.

/// A quota of `burst`, of which one comes back every `interval`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gcra {
    burst: u64,
    interval: u64,
}

impl Gcra {
    /// The rule for quotas of this size, at least 1, and interval, at least 1.
    pub fn new(burst: u64, interval: u64) -> Self {
        Self { burst: burst.max(1), interval: interval.max(1) }
    }

    /// The time in which `cost` comes back.
    pub fn time_for(self, cost: u64) -> u64 {
        self.interval.saturating_mul(cost)
    }

    /// The time in which all of an empty quota comes back.
    pub fn refill_time(self) -> u64 {
        self.time_for(self.burst)
    }

    /// How long it takes from `now` until one can be taken; 0 if it can be taken now.
    pub fn wait(self, full_at: u64, now: u64) -> u64 {
        full_at.saturating_sub(now).saturating_add(self.interval).saturating_sub(self.refill_time())
    }

    /// The state after one was taken; the error is the time to wait until one can be.
    pub fn take(self, full_at: u64, now: u64) -> Result<u64, u64> {
        match self.wait(full_at, now) {
            0 => Ok(self.charge(full_at, now, 1)),
            wait => Err(wait),
        }
    }

    /// The state after `cost` was taken, even if there was less: the quota may go below zero.
    pub fn charge(self, full_at: u64, now: u64, cost: u64) -> u64 {
        full_at.max(now).saturating_add(self.time_for(cost))
    }

    /// The same state, but not below zero.
    pub fn not_below_zero(self, full_at: u64, now: u64) -> u64 {
        full_at.min(now.saturating_add(self.refill_time()))
    }

    /// How many can be taken at `now`, one after the other.
    pub fn left(self, full_at: u64, now: u64) -> u64 {
        self.refill_time().saturating_sub(full_at.saturating_sub(now)) / self.interval
    }
}

#[cfg(test)]
mod tests;
