use proptest::prelude::*;

use super::Gcra;

/// The time since the request before, and what the request costs.
type Request = (u64, u64);

fn requests(most_cost: u64) -> impl Strategy<Value = Vec<Request>> {
    prop::collection::vec((0..3_000_u64, 1..=most_cost), 1..60)
}

fn quota() -> impl Strategy<Value = (u64, u64)> {
    (1..20_u64, 1..1_000_u64)
}

/// The requests that were let in, by their time, with the further cost charged afterwards.
fn let_in(gcra: Gcra, requests: &[Request]) -> Vec<Request> {
    let (mut full_at, mut now, mut let_in) = (0, 0, Vec::new());
    for (gap, cost) in requests {
        now += gap;
        if let Ok(taken) = gcra.take(full_at, now) {
            full_at = taken + gcra.time_for(cost - 1);
            let_in.push((now, *cost));
        }
    }
    let_in
}

proptest! {
    #[test]
    fn never_more_than_the_burst_and_what_comes_back_meanwhile(
        (burst, interval) in quota(),
        requests in requests(1),
    ) {
        let let_in = let_in(Gcra::new(burst, interval), &requests);
        for (start, (from, _)) in let_in.iter().enumerate() {
            for (count, (to, _)) in (1..).zip(&let_in[start..]) {
                prop_assert!(count <= burst + (to - from) / interval, "{count} from {from} to {to}");
            }
        }
    }

    #[test]
    fn a_cost_above_one_takes_the_quota_below_zero_once(
        (burst, interval) in quota(),
        requests in requests(100),
    ) {
        let let_in = let_in(Gcra::new(burst, interval), &requests);
        for (start, (from, _)) in let_in.iter().enumerate() {
            let mut before = 0;
            for (to, cost) in &let_in[start..] {
                // All that was taken before had to leave one: only the last request may take more than there is.
                prop_assert!(before < burst + (to - from) / interval, "{before} before {to}");
                before += cost;
            }
        }
    }

    /// The same as a bucket that holds `burst` and into which one falls every `interval`.
    #[test]
    fn it_is_a_bucket_that_refills((burst, interval) in quota(), requests in requests(30)) {
        let gcra = Gcra::new(burst, interval);
        let full = i128::from(burst * interval);
        let (mut full_at, mut now, mut level) = (0, 0, full);
        for (gap, cost) in requests {
            now += gap;
            level = (level + i128::from(gap)).min(full);
            let left = u64::try_from(level.max(0)).unwrap() / interval;
            prop_assert_eq!(gcra.left(full_at, now), left);
            let taken = gcra.take(full_at, now);
            prop_assert_eq!(taken.is_ok(), left >= 1);
            if taken.is_ok() {
                full_at = gcra.charge(full_at, now, cost);
                level -= i128::from(cost * interval);
            }
        }
    }

    #[test]
    fn waiting_as_long_as_told_is_enough_and_less_is_not(
        (burst, interval) in quota(),
        full_at in 0..1_000_000_u64,
        now in 0..1_000_000_u64,
    ) {
        let gcra = Gcra::new(burst, interval);
        let wait = gcra.wait(full_at, now);
        prop_assert!(gcra.take(full_at, now + wait).is_ok());
        if let Some(earlier) = wait.checked_sub(1) {
            prop_assert_eq!(gcra.take(full_at, now + earlier), Err(1));
        }
    }

    #[test]
    fn after_the_refill_time_the_whole_quota_is_there(
        (burst, interval) in quota(),
        full_at in 0..1_000_000_u64,
        now in 0..1_000_000_u64,
    ) {
        let gcra = Gcra::new(burst, interval);
        let full_at = gcra.not_below_zero(full_at, now);
        prop_assert!(gcra.wait(full_at, now) <= interval, "not below zero: the next is one interval away");
        prop_assert_eq!(gcra.left(full_at, now + gcra.refill_time()), burst);
    }
}

#[test]
fn extreme_costs_and_times_do_not_overflow() {
    let gcra = Gcra::new(u64::MAX, u64::MAX);
    let full_at = gcra.charge(0, 0, u64::MAX);
    assert_eq!((full_at, gcra.wait(full_at, 0)), (u64::MAX, 0));
    assert_eq!(Gcra::new(0, 0), Gcra::new(1, 1));
    let gcra = Gcra::new(1, 1);
    assert!(gcra.take(u64::MAX, 0).is_err());
    assert_eq!(gcra.take(0, u64::MAX), Ok(u64::MAX));
}
