//! The rate limit: a number of requests a minute for each caller, and how many are left
//! (draft-ietf-httpapi-ratelimit-headers-10).
//!
//! The quota refills steadily ([`Gcra`]): one number is stored for each caller, the time at which its quota will be full
//! again. Only known callers have an entry, so the table is bounded by their number.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use auth::Gcra;
use axum::http::Extensions;
use db::Random;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};

use crate::error::{Error, Result};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

const SECOND: u64 = 1_000_000_000;
const WINDOW_SECONDS: u64 = 60;

/// From this many callers on, callers whose quota is full again are removed before another one is added.
const MANY_CALLERS: usize = 10_000;

/// How much time has passed since a moment in the past. Unlike a clock it never jumps: it is not set.
#[derive(Clone)]
pub struct Stopwatch(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Stopwatch {
    /// One that shows what the function returns.
    pub fn new(elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(elapsed))
    }

    fn nanoseconds(&self) -> u64 {
        u64::try_from((self.0)().as_nanos()).unwrap_or(u64::MAX)
    }
}

impl Default for Stopwatch {
    /// The time since now.
    fn default() -> Self {
        let started = Instant::now();
        Self::new(move || started.elapsed())
    }
}

impl fmt::Debug for Stopwatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stopwatch").field(&(self.0)()).finish()
    }
}

/// The quota of every caller under one policy.
pub(crate) struct RateLimit(Option<Limiter>);

struct Limiter {
    policy: &'static str,
    /// `"default";q=60000;w=60`.
    said: HeaderValue,
    /// In nanoseconds.
    rule: Gcra,
    stopwatch: Stopwatch,
    random: Random,
    /// When each caller's quota is full again, in nanoseconds of the stopwatch.
    callers: RwLock<HashMap<String, Arc<AtomicU64>>>,
}

impl RateLimit {
    /// `per_minute` requests for each caller; 0 means no limit. The policy's name appears in the headers.
    pub(crate) fn new(policy: &'static str, per_minute: u32, stopwatch: Stopwatch, random: Random) -> Self {
        let quota = u64::from(per_minute);
        Self((quota > 0).then(|| {
            Limiter {
                policy,
                // Policy names are visible ASCII.
                said: HeaderValue::try_from(format!("\"{policy}\";q={quota};w={WINDOW_SECONDS}"))
                    .unwrap_or(HeaderValue::from_static("")),
                rule: Gcra::new(quota, WINDOW_SECONDS * SECOND / quota),
                stopwatch,
                random,
                callers: RwLock::default(),
            }
        }))
    }

    /// Adds an [`Account`] to the request's extensions, where the caller's remaining quota is recorded.
    pub(crate) fn prepare(&self, extensions: &mut Extensions) -> Option<Account> {
        self.0.as_ref()?;
        let account = Account::default();
        extensions.insert(account.clone());
        Some(account)
    }

    /// Counts one request of a known caller.
    pub(crate) fn take(&self, caller: &str, extensions: &Extensions) -> Result<()> {
        let Some(limiter) = &self.0 else { return Ok(()) };
        limiter.take(caller, extensions.get(), limiter.stopwatch.nanoseconds())
    }
}

impl Limiter {
    fn take(&self, caller: &str, account: Option<&Account>, now: u64) -> Result<()> {
        let full_at = self.full_at(caller, now);
        let rule = self.rule;
        let taken = full_at
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |full_at| rule.take(full_at, now).ok())
            .map(|before| rule.charge(before, now, 1));
        if let Some(account) = account {
            let (Ok(state) | Err(state)) = taken;
            let noted = Noted { policy: self.policy, said: self.said.clone(), rule, now, state, full_at };
            // A request is counted once.
            drop(account.0.noted.set(noted));
        }
        taken.map(|_| ()).map_err(|state| {
            let seconds = rule.wait(state, now).div_ceil(SECOND).max(1);
            let retry_after_seconds = later(&self.random, seconds);
            Error::RateLimited { policy: self.policy, retry_after_seconds }
        })
    }

    /// When this caller's quota is full again.
    fn full_at(&self, caller: &str, now: u64) -> Arc<AtomicU64> {
        let callers = self.callers.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(full_at) = callers.get(caller) {
            return Arc::clone(full_at);
        }
        drop(callers);
        let mut callers = self.callers.write().unwrap_or_else(PoisonError::into_inner);
        if callers.len() >= MANY_CALLERS {
            callers.retain(|_, full_at| full_at.load(Ordering::Acquire) > now);
        }
        Arc::clone(callers.entry(caller.to_owned()).or_default())
    }
}

/// Returns `seconds` or a little more, so that clients that were refused together do not retry together.
pub(crate) fn later(random: &Random, seconds: u64) -> u64 {
    let mut byte = [0];
    random(&mut byte);
    let [byte] = byte;
    seconds + u64::from(byte) % (seconds / 4 + 2)
}

/// What an accepted request costs, as its response shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cost {
    /// A replayed response costs almost nothing: the request is not counted.
    Free,
    /// As many requests as rows were changed or looked at, and at least one.
    Rows(u64),
}

/// The number of rows that a request changed, among the response's extensions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChangedRows(pub(crate) u64);

/// Where the charge of a request is recorded, so that the front can report and correct it.
#[derive(Clone, Default)]
pub struct Account(Arc<Charge>);

#[derive(Default)]
struct Charge {
    noted: OnceLock<Noted>,
    /// How many records the request has looked at, whatever its response is.
    looked_at: AtomicU64,
}

struct Noted {
    policy: &'static str,
    said: HeaderValue,
    rule: Gcra,
    /// When the request came.
    now: u64,
    /// When the quota was to be full again then, this request included.
    state: u64,
    full_at: Arc<AtomicU64>,
}

impl Account {
    /// The account of a request with these extensions; none without a limit.
    pub fn of(extensions: &Extensions) -> Option<Self> {
        extensions.get().cloned()
    }

    /// Records that the request looks at so many records: it costs at least as much as changing them, also if it is refused
    /// afterwards.
    pub(crate) fn look_at(&self, records: usize) {
        let records = u64::try_from(records).unwrap_or(u64::MAX);
        self.0.looked_at.fetch_max(records, Ordering::Relaxed);
    }

    /// Charges what the request cost and adds the caller's remaining quota to the headers, if the caller is known. One
    /// expensive request may take the quota below zero: the next one has to wait until it is above zero again.
    pub(crate) fn settle(&self, headers: &mut HeaderMap, cost: Cost) {
        let Some(noted) = self.0.noted.get() else { return };
        let (rule, now) = (noted.rule, noted.now);
        let state = match cost {
            Cost::Free => {
                noted.full_at.fetch_sub(rule.time_for(1), Ordering::AcqRel);
                noted.state.saturating_sub(rule.time_for(1))
            }
            Cost::Rows(rows) => {
                let rows = rows.max(self.0.looked_at.load(Ordering::Relaxed));
                let further = rule.time_for(rows.saturating_sub(1));
                if further > 0 {
                    noted.full_at.fetch_add(further, Ordering::AcqRel);
                }
                noted.state.saturating_add(further)
            }
        };
        let (left, seconds) = (rule.left(state, now), state.saturating_sub(now).div_ceil(SECOND));
        let text = format!("\"{}\";r={left};t={seconds}", noted.policy);
        headers.insert(RATE_LIMIT_POLICY, noted.said.clone());
        if let Ok(value) = HeaderValue::try_from(text) {
            headers.insert(RATE_LIMIT, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter(per_minute: u32) -> Limiter {
        let random: Random = Arc::new(|bytes: &mut [u8]| bytes.fill(1));
        RateLimit::new("default", per_minute, Stopwatch::default(), random).0.unwrap()
    }

    /// Whether the request was accepted, and the header that reports it.
    fn ask(limiter: &Limiter, caller: &str, second: u64, cost: Cost) -> (Result<()>, String) {
        let (account, mut headers) = (Account::default(), HeaderMap::new());
        let outcome = limiter.take(caller, Some(&account), second * SECOND);
        account.settle(&mut headers, cost);
        (outcome, headers["ratelimit"].to_str().unwrap().to_owned())
    }

    fn said(limiter: &Limiter, second: u64) -> String {
        ask(limiter, "a", second, Cost::Rows(1)).1
    }

    #[test]
    fn each_caller_has_a_quota_of_its_own_that_comes_back() {
        let limiter = limiter(3);
        assert_eq!(limiter.said, "\"default\";q=3;w=60");
        assert_eq!(said(&limiter, 0), r#""default";r=2;t=20"#);
        assert_eq!(said(&limiter, 0), r#""default";r=1;t=40"#);
        assert_eq!(said(&limiter, 0), r#""default";r=0;t=60"#);
        let (refused, header) = ask(&limiter, "a", 5, Cost::Rows(1));
        // Not before there is quota for one, and up to a quarter later; the whole quota is back later still.
        let expected = Error::RateLimited { policy: "default", retry_after_seconds: 15 + 1 };
        assert_eq!((refused, header.as_str()), (Err(expected), r#""default";r=0;t=55"#));
        assert_eq!(ask(&limiter, "b", 5, Cost::Rows(1)).0, Ok(()));
        assert!(ask(&limiter, "a", 19, Cost::Rows(1)).0.is_err());
        assert_eq!(said(&limiter, 20), r#""default";r=0;t=60"#);
        assert_eq!(said(&limiter, 1_000), r#""default";r=2;t=20"#);
    }

    #[test]
    fn what_is_free_is_not_counted() {
        let limiter = limiter(2);
        for _ in 0..10 {
            let (outcome, header) = ask(&limiter, "a", 0, Cost::Free);
            assert_eq!((outcome, header.as_str()), (Ok(()), r#""default";r=2;t=0"#));
        }
        assert_eq!(said(&limiter, 0), r#""default";r=1;t=30"#);
    }

    #[test]
    fn many_rows_cost_as_many_requests_and_may_take_the_quota_below_zero_once() {
        let limiter = limiter(60);
        assert_eq!(ask(&limiter, "a", 0, Cost::Rows(10)).1, r#""default";r=50;t=10"#);
        // A request that changes nothing still counts.
        assert_eq!(ask(&limiter, "a", 0, Cost::Rows(0)).1, r#""default";r=49;t=11"#);
        assert_eq!(ask(&limiter, "a", 0, Cost::Rows(1_000)), (Ok(()), r#""default";r=0;t=1011"#.to_owned()));
        for second in [0, 500, 951] {
            assert!(ask(&limiter, "a", second, Cost::Rows(1)).0.is_err(), "{second}");
        }
        assert_eq!(ask(&limiter, "a", 952, Cost::Rows(1)), (Ok(()), r#""default";r=0;t=60"#.to_owned()));
    }

    #[test]
    fn any_quota_is_exact() {
        for quota in [1, 7, 59, 60_000, u32::MAX] {
            let limiter = limiter(quota);
            let full = u64::from(quota).min(60_000);
            let let_in = (0..full + 5).filter(|_| limiter.take("a", None, 0).is_ok()).count() as u64;
            assert_eq!(let_in, if quota == u32::MAX { full + 5 } else { full }, "{quota}");
        }
    }

    #[test]
    fn no_limit_counts_nothing_and_says_nothing() {
        let random: Random = Arc::new(|_: &mut [u8]| {});
        let limit = RateLimit::new("default", 0, Stopwatch::default(), random);
        let mut extensions = Extensions::new();
        assert!(limit.prepare(&mut extensions).is_none());
        assert!((0..1_000).all(|_| limit.take("a", &extensions).is_ok()));
    }

    #[test]
    fn callers_with_a_full_quota_are_forgotten_when_there_are_many() {
        let limiter = limiter(60);
        for caller in 0..MANY_CALLERS {
            limiter.take(&caller.to_string(), None, 0).unwrap();
        }
        limiter.take("late", None, 2 * SECOND).unwrap();
        assert_eq!(limiter.callers.read().unwrap().len(), 1);
    }

    #[test]
    fn many_threads_get_the_quota_and_no_more() {
        let limiter = limiter(1_000);
        let let_in = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let_in.fetch_add(u64::from(limiter.take("a", None, 0).is_ok()), Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(let_in.into_inner(), 1_000);
    }
}
