//! Failed attempts are counted, and after too many a client has to wait; successful attempts never count.
//!
//! There are two token buckets per address (an IPv4 address, or the /64 of an IPv6 one): a small one for each name
//! that was claimed from there, and a large one for all names. A name alone is never blocked: that would allow any
//! client to lock another one out. A client that has succeeded from an address is not blocked by the large bucket
//! either, so that an attacker behind the same address, or behind a proxy that is not configured as trusted, cannot
//! lock the others out.
//!
//! A check and the following failure are not one step, so concurrent requests may all pass. Anything expensive to try
//! (a person's password) must be checked again once it holds its permit.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::Error;
use jiff::Timestamp;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use crate::gcra::Gcra;

const SECOND: u64 = 1_000_000;

/// The time in which the small bucket regains one attempt, in microseconds.
const NAME_INTERVAL: u64 = 10 * SECOND;

/// The same for the large bucket, in microseconds.
const ADDRESS_INTERVAL: u64 = SECOND;

/// The large bucket is this many times as large as the small one.
const ADDRESS_FACTOR: u64 = 10;

/// How many buckets of each kind, and how many proven pairs, are stored: about 15 MiB when all three are full. The
/// least recently used are removed first.
const REMEMBERED: usize = 50_000;

/// The hash of a name and an address, or of an address alone: a name may be as long as a body.
type Key = [u8; 16];

/// Counts failures. One for each process.
#[derive(Debug)]
pub(crate) struct Throttle {
    names: Buckets,
    addresses: Buckets,
    /// Pairs of a name and an address that have succeeded before.
    proven: Cache<Key, ()>,
}

impl Throttle {
    /// `failures` may happen at once, and then one every 10 seconds; 0 means no limit.
    pub(crate) fn new(failures: u32) -> Self {
        let failures = u64::from(failures);
        Self {
            names: Buckets::new(failures, NAME_INTERVAL),
            addresses: Buckets::new(failures.saturating_mul(ADDRESS_FACTOR), ADDRESS_INTERVAL),
            proven: Cache::new(REMEMBERED),
        }
    }

    /// Whether an attempt may be made now: [`Error::Limited`] if not. Call it before anything more expensive.
    pub(crate) fn check(&self, name: &str, address: IpAddr, now: Timestamp) -> domain::Result<()> {
        let pair = pair(name, address);
        let wide = match self.proven.contains_key(&pair) {
            true => 0,
            false => self.addresses.wait(&alone(address), now),
        };
        match self.names.wait(&pair, now).max(wide) {
            0 => Ok(()),
            wait => Err(Error::Limited { retry_after_seconds: wait.div_ceil(SECOND) }),
        }
    }

    /// Counts a failure.
    pub(crate) fn failed(&self, name: &str, address: IpAddr, now: Timestamp) {
        self.names.take(pair(name, address), now);
        self.addresses.take(alone(address), now);
    }

    /// Records that this name succeeded from this address.
    pub(crate) fn succeeded(&self, name: &str, address: IpAddr) {
        let pair = pair(name, address);
        if !self.proven.contains_key(&pair) {
            self.proven.insert(pair, ());
        }
    }
}

/// Buckets of one size. A failure takes from a bucket, and each interval puts one back; times are in microseconds since
/// the epoch.
#[derive(Debug)]
struct Buckets {
    /// When each bucket is full again.
    full_at: Cache<Key, Arc<AtomicU64>>,
    /// None if there is no limit.
    rule: Option<Gcra>,
}

impl Buckets {
    fn new(size: u64, interval: u64) -> Self {
        Self { full_at: Cache::new(REMEMBERED), rule: (size > 0).then(|| Gcra::new(size, interval)) }
    }

    /// Microseconds until another failure is allowed; 0 if one is allowed now.
    fn wait(&self, key: &Key, now: Timestamp) -> u64 {
        let (Some(rule), Some(full_at)) = (self.rule, self.full_at.get(key)) else { return 0 };
        let now = microseconds(now);
        // Below zero would mean that the clock was set back.
        rule.wait(rule.not_below_zero(full_at.load(Ordering::Relaxed), now), now)
    }

    /// Takes one for a failure; an empty bucket stays empty.
    fn take(&self, key: Key, now: Timestamp) {
        let Some(rule) = self.rule else { return };
        let new = || Ok::<_, std::convert::Infallible>(Arc::default());
        let Ok(full_at) = self.full_at.get_or_insert_with(&key, new);
        let now = microseconds(now);
        let taken = |full_at: u64| Some(rule.not_below_zero(rule.charge(full_at, now, 1), now));
        let _ = full_at.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken);
    }
}

fn microseconds(at: Timestamp) -> u64 {
    u64::try_from(at.as_microsecond()).unwrap_or(0)
}

fn pair(name: &str, address: IpAddr) -> Key {
    key(&[b"pair", &network(address), name.as_bytes()])
}

fn alone(address: IpAddr) -> Key {
    key(&[b"address", &network(address)])
}

/// Only the last part may have a variable length.
fn key(parts: &[&[u8]]) -> Key {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    let hash: [u8; 32] = hash.finalize().into();
    hash.first_chunk().copied().unwrap_or_default()
}

/// The holder of one IPv6 address has the other 2^64 of its network as well.
fn network(address: IpAddr) -> [u8; 8] {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [a, b, c, d] = address.octets();
            // Not a prefix of any IPv6 address in use.
            [0, 0, 0, 4, a, b, c, d]
        }
        IpAddr::V6(address) => address.octets().first_chunk().copied().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millisecond(1_700_000_000_000 + millis).unwrap()
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn wait(throttle: &Throttle, name: &str, address: &str, now: Timestamp) -> Option<u64> {
        match throttle.check(name, ip(address), now) {
            Ok(()) => None,
            Err(Error::Limited { retry_after_seconds }) => Some(retry_after_seconds),
            Err(other) => panic!("{other}"),
        }
    }

    fn fail(throttle: &Throttle, name: &str, address: &str, times: usize, now: Timestamp) {
        (0..times).for_each(|_| throttle.failed(name, ip(address), now));
    }

    #[test]
    fn ten_failures_and_then_one_every_ten_seconds() {
        let throttle = Throttle::new(10);
        for _ in 0..10 {
            assert_eq!(wait(&throttle, "a", "192.0.2.1", at(0)), None);
            fail(&throttle, "a", "192.0.2.1", 1, at(0));
        }
        assert_eq!(wait(&throttle, "a", "192.0.2.1", at(0)), Some(10));
        assert_eq!(wait(&throttle, "a", "192.0.2.1", at(9_500)), Some(1));
        assert_eq!(wait(&throttle, "a", "192.0.2.1", at(10_000)), None);
        fail(&throttle, "a", "192.0.2.1", 1, at(10_000));
        assert_eq!(wait(&throttle, "a", "192.0.2.1", at(10_000)), Some(10));
        assert_eq!(wait(&throttle, "a", "192.0.2.1", at(200_000)), None);
        fail(&throttle, "a", "192.0.2.1", 9, at(200_000));
        assert_eq!(wait(&throttle, "a", "192.0.2.1", at(200_000)), None, "it is empty again after a while");
    }

    #[test]
    fn the_same_name_elsewhere_and_another_name_here_are_not_held_up() {
        let throttle = Throttle::new(10);
        fail(&throttle, "a", "192.0.2.1", 10, at(0));
        assert!(wait(&throttle, "a", "192.0.2.1", at(0)).is_some());
        assert_eq!(wait(&throttle, "a", "192.0.2.2", at(0)), None);
        assert_eq!(wait(&throttle, "b", "192.0.2.1", at(0)), None);
    }

    #[test]
    fn an_ipv6_network_is_one_address_and_a_mapped_ipv4_address_is_itself() {
        let throttle = Throttle::new(10);
        fail(&throttle, "a", "2001:db8:1:2::1", 10, at(0));
        assert!(wait(&throttle, "a", "2001:db8:1:2:ffff::9", at(0)).is_some());
        assert_eq!(wait(&throttle, "a", "2001:db8:1:3::1", at(0)), None);
        fail(&throttle, "a", "::ffff:192.0.2.1", 10, at(0));
        assert!(wait(&throttle, "a", "192.0.2.1", at(0)).is_some());
        assert_eq!(wait(&throttle, "a", "192.0.2.2", at(0)), None);
    }

    #[test]
    fn an_address_that_tries_many_names_waits_but_not_those_that_are_proven_there() {
        let throttle = Throttle::new(10);
        throttle.succeeded("good", ip("192.0.2.1"));
        for name in 0..100 {
            fail(&throttle, &name.to_string(), "192.0.2.1", 1, at(0));
        }
        assert_eq!(wait(&throttle, "new", "192.0.2.1", at(0)), Some(1));
        assert_eq!(wait(&throttle, "new", "192.0.2.2", at(0)), None);
        assert_eq!(wait(&throttle, "good", "192.0.2.1", at(0)), None);
        fail(&throttle, "good", "192.0.2.1", 10, at(0));
        assert_eq!(wait(&throttle, "good", "192.0.2.1", at(0)), Some(10), "it has a bucket of its own");
    }

    #[test]
    fn failures_at_the_same_time_and_a_clock_set_back_never_mean_more_than_a_full_bucket() {
        let throttle = Throttle::new(10);
        fail(&throttle, "a", "192.0.2.1", 1_000, at(5_000_000));
        assert_eq!(wait(&throttle, "a", "192.0.2.1", at(5_000_000)), Some(10));
        assert_eq!(wait(&throttle, "a", "192.0.2.1", at(0)), Some(10));
        fail(&throttle, "a", "192.0.2.1", 1, at(0));
        assert_eq!(wait(&throttle, "a", "192.0.2.1", at(10_000)), None);
    }

    #[test]
    fn zero_is_off() {
        let throttle = Throttle::new(0);
        fail(&throttle, "a", "192.0.2.1", 1_000, at(0));
        assert_eq!(wait(&throttle, "a", "192.0.2.1", at(0)), None);
    }

    #[test]
    fn a_flood_of_names_keeps_to_its_memory() {
        let throttle = Throttle::new(10);
        let long = "x".repeat(60_000);
        for n in 0..(REMEMBERED + 10_000) {
            throttle.names.take(pair(&n.to_string(), ip("192.0.2.1")), at(0));
        }
        fail(&throttle, &long, "192.0.2.1", 1, at(0));
        assert!(throttle.names.full_at.len() <= REMEMBERED);
    }
}
