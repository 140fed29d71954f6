//! The life cycle of signing keys: next, active, retired, deleted.
//!
//! The steps are planned from the rows and the time alone; `change.rs` carries them out.

use jiff::{SignedDuration, Timestamp};
use store::signing_keys::{Purpose, State, StoredKey};

use super::key_pair::AccessTokenAlgorithm;
use super::opened::HS256;
use crate::lifetimes::{ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS};

/// How much longer a key is kept after the tokens it signed have expired, in seconds: clocks differ, and a process
/// learns of a rotation a moment later.
const LEEWAY_SECONDS: i64 = 60;

/// The requested change of the keys. With each of them, retired keys that are no longer needed are deleted, and
/// missing keys are generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyChange {
    /// Nothing more.
    Complete,
    /// A new active key for each purpose whose key has been active for this long.
    RotateAfter(SignedDuration),
    /// A new active key for each purpose.
    Rotate,
    /// New keys in place of all; every token becomes invalid. For keys that may have been disclosed, and for those
    /// whose master key is lost.
    Replace,
}

/// A key that a plan needs to be generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MissingKey {
    pub(super) purpose: Purpose,
    pub(super) algorithm: String,
    pub(super) state: State,
}

/// The planned steps, in this order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) delete: Vec<StoredKey>,
    pub(super) retire: Vec<StoredKey>,
    pub(super) activate: Vec<StoredKey>,
    pub(super) make: Vec<MissingKey>,
}

impl Plan {
    /// Plans the steps for these keys at this time. Without an `algorithm`, access tokens keep theirs.
    pub(super) fn new(
        keys: &[StoredKey],
        change: KeyChange,
        algorithm: Option<AccessTokenAlgorithm>,
        at: Timestamp,
    ) -> Self {
        let mut plan = Self::default();
        for &purpose in Purpose::ALL {
            let of_purpose: Vec<_> = keys.iter().filter(|key| key.purpose == purpose).collect();
            let active = of_purpose.iter().find(|key| key.state == State::Active);
            let algorithm = match (purpose, algorithm) {
                (Purpose::Refresh, _) => HS256.to_owned(),
                (Purpose::Access, Some(algorithm)) => algorithm.jose().to_owned(),
                (Purpose::Access, None) => {
                    let default = AccessTokenAlgorithm::default().jose();
                    active.map_or(default.to_owned(), |key| key.algorithm.clone())
                }
            };
            match change {
                KeyChange::Replace => {
                    plan.delete.extend(of_purpose.into_iter().cloned());
                    plan.want(purpose, &algorithm, &[State::Active, State::Next]);
                }
                _ => plan.add(&of_purpose, purpose, &algorithm, change, at),
            }
        }
        plan
    }

    fn add(
        &mut self,
        keys: &[&StoredKey],
        purpose: Purpose,
        algorithm: &str,
        change: KeyChange,
        at: Timestamp,
    ) {
        let of = |state: State| keys.iter().copied().find(|key| key.state == state);
        let (active, next) = (of(State::Active), of(State::Next));
        let is_old = |key: &StoredKey| match change {
            KeyChange::RotateAfter(age) => has_passed(key.state_date, age, at),
            other => other == KeyChange::Rotate,
        };
        // A key that is `next` has signed nothing, so one of another algorithm can be deleted.
        let (next, unfit) = match next {
            Some(key) if key.algorithm != algorithm => (None, Some(key)),
            next => (next, None),
        };
        self.delete.extend(unfit.cloned());
        let retired = keys.iter().filter(|key| key.state == State::Retired);
        let over = retired.filter(|key| has_passed(key.state_date, kept_for(purpose), at));
        self.delete.extend(over.map(|key| (*key).clone()));
        if active.is_some_and(|key| key.algorithm == algorithm && !is_old(key)) {
            if next.is_none() {
                self.want(purpose, algorithm, &[State::Next]);
            }
            return;
        }
        self.retire.extend(active.cloned());
        self.activate.extend(next.cloned());
        let states: &[State] = if next.is_some() { &[State::Next] } else { &[State::Active, State::Next] };
        self.want(purpose, algorithm, states);
    }

    fn want(&mut self, purpose: Purpose, algorithm: &str, states: &[State]) {
        let wanted = |state: &State| MissingKey { purpose, algorithm: algorithm.to_owned(), state: *state };
        self.make.extend(states.iter().map(wanted));
    }

    /// Whether there is nothing to do.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether these are the keys that the plan needs.
    pub(super) fn is_met_by(&self, made: &[StoredKey]) -> bool {
        let is_same = |(wanted, key): (&MissingKey, &StoredKey)| {
            (wanted.purpose, &wanted.algorithm, wanted.state) == (key.purpose, &key.algorithm, key.state)
        };
        self.make.len() == made.len() && self.make.iter().zip(made).all(is_same)
    }
}

/// How long a retired key is kept to verify what it signed.
fn kept_for(purpose: Purpose) -> SignedDuration {
    let life = match purpose {
        Purpose::Access => ACCESS_TOKEN_SECONDS,
        Purpose::Refresh => REFRESH_TOKEN_SECONDS,
    };
    SignedDuration::from_secs(life.saturating_add(LEEWAY_SECONDS))
}

fn has_passed(since: Timestamp, span: SignedDuration, at: Timestamp) -> bool {
    since.checked_add(span).is_ok_and(|end| end <= at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn key(kid: &str, purpose: Purpose, algorithm: &str, state: State, since: i64) -> StoredKey {
        StoredKey {
            kid: kid.to_owned(),
            purpose,
            algorithm: algorithm.to_owned(),
            state,
            sealed: Vec::new(),
            created_date: at(since),
            state_date: at(since),
        }
    }

    fn complete() -> Vec<StoredKey> {
        vec![
            key("a", Purpose::Access, "ES256", State::Active, 0),
            key("b", Purpose::Access, "ES256", State::Next, 0),
            key("c", Purpose::Refresh, HS256, State::Active, 0),
            key("d", Purpose::Refresh, HS256, State::Next, 0),
        ]
    }

    /// The steps of a plan, `delete retire activate make`, by name and by state.
    fn told(plan: &Plan) -> String {
        let names = |keys: &[StoredKey]| keys.iter().map(|key| key.kid.as_str()).collect::<Vec<_>>().join("");
        let make: Vec<_> =
            plan.make.iter().map(|it| format!("{}:{}", it.algorithm, it.state.as_str())).collect();
        format!(
            "-{} {}> {}! +{}",
            names(&plan.delete),
            names(&plan.retire),
            names(&plan.activate),
            make.join(",")
        )
    }

    fn plan(
        keys: &[StoredKey],
        change: KeyChange,
        algorithm: Option<AccessTokenAlgorithm>,
        now: i64,
    ) -> String {
        told(&Plan::new(keys, change, algorithm, at(now)))
    }

    #[test]
    fn what_is_missing_is_made_and_what_is_complete_stays() {
        let all = "- > ! +ES256:active,ES256:next,HS256:active,HS256:next";
        assert_eq!(plan(&[], KeyChange::Complete, None, 0), all);
        assert_eq!(plan(&[], KeyChange::Rotate, None, 0), all);
        assert!(Plan::new(&complete(), KeyChange::Complete, None, at(1_000 * DAY)).is_empty());
        // In the state of an older release.
        let old: Vec<_> = complete().into_iter().filter(|key| key.state == State::Active).collect();
        assert_eq!(plan(&old, KeyChange::Complete, None, 0), "- > ! +ES256:next,HS256:next");
    }

    #[test]
    fn a_rotation_takes_the_key_that_was_published_before() {
        assert_eq!(plan(&complete(), KeyChange::Rotate, None, 0), "- ac> bd! +ES256:next,HS256:next");
    }

    #[test]
    fn a_key_is_rotated_when_it_has_signed_long_enough() {
        let mut keys = complete();
        keys[0].state_date = at(5 * DAY);
        let change = KeyChange::RotateAfter(SignedDuration::from_hours(24 * 90));
        assert_eq!(plan(&keys, change, None, 90 * DAY - 1), "- > ! +");
        assert_eq!(plan(&keys, change, None, 90 * DAY), "- c> d! +HS256:next");
        assert_eq!(plan(&keys, change, None, 95 * DAY), "- ac> bd! +ES256:next,HS256:next");
    }

    #[test]
    fn another_algorithm_takes_over_at_once_and_the_old_key_verifies_on() {
        let wanted = Some(AccessTokenAlgorithm::Ed25519);
        assert_eq!(plan(&complete(), KeyChange::Complete, wanted, 0), "-b a> ! +EdDSA:active,EdDSA:next");
        assert_eq!(
            plan(&complete(), KeyChange::Complete, Some(AccessTokenAlgorithm::Es256), 0),
            "- > ! +",
            "the same is no change"
        );
        let mut keys = complete();
        keys[1].algorithm = "EdDSA".to_owned();
        assert_eq!(plan(&keys, KeyChange::Complete, wanted, 0), "- a> b! +EdDSA:next");
    }

    #[test]
    fn a_retired_key_is_deleted_when_all_it_signed_has_expired() {
        let mut keys = complete();
        keys.push(key("e", Purpose::Access, "RS256", State::Retired, 0));
        keys.push(key("f", Purpose::Refresh, HS256, State::Retired, 0));
        assert_eq!(plan(&keys, KeyChange::Complete, None, 959), "- > ! +");
        assert_eq!(plan(&keys, KeyChange::Complete, None, 960), "-e > ! +");
        assert_eq!(plan(&keys, KeyChange::Complete, None, 7 * DAY + 59), "-e > ! +");
        assert_eq!(plan(&keys, KeyChange::Complete, None, 7 * DAY + 60), "-ef > ! +");
    }

    #[test]
    fn replacing_leaves_none() {
        let plan = plan(&complete(), KeyChange::Replace, None, 0);
        assert_eq!(plan, "-abcd > ! +ES256:active,ES256:next,HS256:active,HS256:next");
    }
}
