//! So many requests a minute for each caller.

use std::num::NonZeroU32;

use domain::Actor;
use governor::clock::Clock;
use governor::{DefaultKeyedRateLimiter, Quota};

/// Counts requests per caller; callers are known ones only, so the table is bounded by their number.
#[derive(Debug)]
pub(crate) struct RateLimit(Option<DefaultKeyedRateLimiter<String>>);

impl RateLimit {
    /// `per_minute` requests for each caller; 0 is no limit.
    pub(crate) fn new(per_minute: u32) -> Self {
        Self(
            NonZeroU32::new(per_minute).map(|quota| DefaultKeyedRateLimiter::keyed(Quota::per_minute(quota))),
        )
    }

    /// Counts one request.
    pub(crate) fn check(&self, actor: &Actor) -> domain::Result<()> {
        let Some(limiter) = &self.0 else { return Ok(()) };
        limiter.check_key(&actor.id).map_err(|not_until| {
            let wait = not_until.wait_time_from(limiter.clock().now());
            domain::Error::Limited { retry_after_seconds: wait.as_secs() + 1 }
        })
    }
}

#[cfg(test)]
mod tests {
    use domain::ActorKind;

    use super::*;

    #[test]
    fn each_caller_has_a_limit_of_its_own() {
        let actor = |id: &str| Actor { kind: ActorKind::Client, id: id.to_owned(), name: String::new() };
        let limit = RateLimit::new(2);
        assert!(limit.check(&actor("a")).is_ok() && limit.check(&actor("a")).is_ok());
        let Err(domain::Error::Limited { retry_after_seconds }) = limit.check(&actor("a")) else {
            panic!("the third is too many")
        };
        assert!((1..=60).contains(&retry_after_seconds), "{retry_after_seconds}");
        assert!(limit.check(&actor("b")).is_ok());
        let off = RateLimit::new(0);
        assert!((0..1_000).all(|_| off.check(&actor("a")).is_ok()));
    }
}
