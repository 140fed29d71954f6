//! The rule of coverage compared with a simulation, day by day, and the stories that it is made for.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::*;

/// So many days are simulated.
const DAYS: usize = 30;

fn day(number: usize) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * i64::try_from(number).unwrap())
}

/// The runs of days on which something holds; the last one lasts.
fn stays(days: &[bool]) -> Vec<Stay> {
    let mut stays: Vec<Stay> = Vec::new();
    for (number, holds) in days.iter().enumerate() {
        let is_open = stays.last().is_some_and(|stay| stay.until.is_none());
        match (holds, is_open) {
            (true, false) => stays.push(Stay { from: day(number), until: None }),
            (false, true) => stays.last_mut().unwrap().until = Some(day(number)),
            _ => {}
        }
    }
    stays
}

/// A history of one person and one document, by day.
#[derive(Debug, Clone)]
struct History {
    /// When versions were published, the earliest first, and whether they are material.
    versions: Vec<(usize, bool)>,
    /// From which day on an acknowledgement counts for so many days.
    every: BTreeMap<usize, Option<i64>>,
    archived: Vec<bool>,
    member: Vec<bool>,
    active: Vec<bool>,
    /// The day of each request, its days to answer, and the days on which it means the person.
    requests: Vec<(usize, Option<i64>, Vec<bool>)>,
    /// The day and the version of each acknowledgement.
    given: Vec<(usize, i64)>,
}

impl History {
    fn document(&self) -> AcknowledgedDocument {
        let version = |(place, (at, is_material)): (usize, &(usize, bool))| PublishedVersion {
            number: i64::try_from(place).unwrap() + 1,
            is_material: *is_material,
            at: day(*at),
        };
        AcknowledgedDocument {
            versions: self.versions.iter().enumerate().map(version).collect(),
            intervals: self.every.iter().map(|(at, days)| Interval { from: day(*at), days: *days }).collect(),
            archived: stays(&self.archived),
        }
    }

    fn person(&self) -> PersonOfDocument {
        let request = |(at, due_days, inside): &(usize, Option<i64>, Vec<bool>)| RequestOfPerson {
            at: day(*at),
            due_days: *due_days,
            stays: stays(inside),
        };
        PersonOfDocument {
            memberships: stays(&self.member),
            activations: stays(&self.active),
            requests: self.requests.iter().map(request).collect(),
            given: self.given.iter().map(|(at, version)| Given { version: *version, at: day(*at) }).collect(),
        }
    }

    /// What the rule should say on a day, by going through all days until then.
    fn simulated(&self, last: usize) -> Coverage {
        let (mut latest, mut given, mut material) = (None::<Given>, None::<Given>, None::<i64>);
        let mut asked: Vec<Option<usize>> = vec![None; self.requests.len()];
        for today in 0..=last {
            let mut is_new = false;
            for (place, (at, is_material)) in self.versions.iter().enumerate() {
                if *at == today && (*is_material || place == 0) {
                    (material, latest, is_new) = (Some(i64::try_from(place).unwrap() + 1), None, true);
                }
            }
            if !self.member[today] {
                latest = None;
            }
            for (_, version) in self.given.iter().filter(|(at, _)| *at == today && self.member[today]) {
                if material.is_some_and(|material| *version >= material) {
                    latest = Some(Given { version: *version, at: day(today) });
                }
            }
            given = latest.filter(|it| self.lapses(it, today).is_none_or(|lapses| day(today) < lapses));
            for ((at, _, inside), asked) in self.requests.iter().zip(&mut asked) {
                let is_meant = *at <= today && inside[today] && material.is_some() && !self.archived[today];
                match is_meant && given.is_none() && self.active[today] {
                    false => *asked = None,
                    true if asked.is_none() || is_new => *asked = Some(today),
                    true => {}
                }
            }
        }
        let is_meant = self.requests.iter().any(|(at, _, inside)| *at <= last && inside[last]);
        if !is_meant || self.archived[last] || material.is_none() {
            return Coverage::NotAsked;
        }
        if let Some(by) = given {
            return Coverage::Covered { by, until: self.lapses(&by, last) };
        }
        let due = self.requests.iter().zip(&asked).filter_map(|((_, due_days, _), asked)| {
            Some(day((*asked)? + usize::try_from((*due_days)?).unwrap()))
        });
        match asked.iter().flatten().min() {
            Some(asked) => Coverage::Open { asked: day(*asked), due: due.min() },
            None => Coverage::NotReached,
        }
    }

    /// When an acknowledgement lapses by the interval of a day.
    fn lapses(&self, given: &Given, today: usize) -> Option<Timestamp> {
        let (_, days) = self.every.range(..=today).next_back()?;
        days.map(|days| given.at + SignedDuration::from_hours(24 * days))
    }
}

fn days_with(probability: f64) -> impl Strategy<Value = Vec<bool>> {
    proptest::collection::vec(proptest::bool::weighted(probability), DAYS)
}

fn both(one: &[bool], other: &[bool]) -> Vec<bool> {
    one.iter().zip(other).map(|(one, other)| *one && *other).collect()
}

prop_compose! {
    fn histories()(
        mut versions in proptest::collection::vec((0..DAYS, any::<bool>()), 0..4),
        every in proptest::collection::btree_map(0..DAYS, proptest::option::weighted(0.8, 1_i64..12), 0..4),
        archived in prop_oneof![3 => Just(vec![false; DAYS]), 1 => days_with(0.1)],
        member in days_with(0.93),
        active in days_with(0.95),
        requests in proptest::collection::vec((0..DAYS, proptest::option::of(0_i64..9), days_with(0.9)), 0..4),
        given in proptest::collection::vec((0..DAYS, 1_i64..4), 0..5),
    ) -> History {
        versions.sort_unstable();
        let requests = requests.into_iter().map(|(at, due, inside)| (at, due, both(&inside, &member))).collect();
        let is_published = |version: i64, at: usize| {
            versions.get(usize::try_from(version - 1).unwrap()).is_some_and(|(published, _)| *published <= at)
        };
        let given = given.into_iter().filter(|(at, version)| is_published(*version, *at)).collect();
        History { versions, every, archived, active: both(&active, &member), member, requests, given }
    }
}

proptest! {
    #[test]
    fn the_rule_says_of_every_day_what_a_simulation_says(history in histories()) {
        let (document, person) = (history.document(), history.person());
        for last in 0..DAYS {
            prop_assert_eq!(document.coverage(&person, day(last)), history.simulated(last), "day {}", last);
        }
    }

    /// What happens later does not change what is said of a day.
    #[test]
    fn the_past_stays(history in histories(), last in 0..DAYS) {
        let mut known = history.clone();
        known.versions.retain(|(at, _)| *at <= last);
        known.every.retain(|at, _| *at <= last);
        known.archived[last + 1..].fill(false);
        known.requests.retain(|(at, ..)| *at <= last);
        known.given.retain(|(at, _)| *at <= last);
        let (then, now) = (known.document().coverage(&known.person(), day(last)),
            history.document().coverage(&history.person(), day(last)));
        prop_assert_eq!(then, now);
    }

    #[test]
    fn each_who_is_asked_is_in_one_state(all in proptest::collection::vec(histories(), 0..6), last in 0..DAYS) {
        let at = day(last);
        let states: Vec<_> = all.iter().map(|it| it.document().coverage(&it.person(), at)).collect();
        let totals = Totals::of(&states, at);
        let count = |is: fn(&&Coverage) -> bool| i64::try_from(states.iter().filter(is).count()).unwrap();
        prop_assert_eq!(totals.asked, count(|it| **it != Coverage::NotAsked));
        prop_assert_eq!(totals.asked, totals.covered + totals.open + totals.overdue + totals.not_reached);
        prop_assert_eq!(totals.covered, count(|it| matches!(it, Coverage::Covered { .. })));
        prop_assert_eq!(totals.open + totals.overdue, count(|it| matches!(it, Coverage::Open { .. })));
        let overdue = states.iter().filter(|it| it.is_overdue(at)).count();
        prop_assert_eq!(totals.overdue, i64::try_from(overdue).unwrap());
    }
}

/// Somebody who is a member from day 0 on and is asked on day 1, with ten days to answer, to acknowledge version 1 of day 0.
fn asked() -> History {
    let always = vec![true; DAYS];
    History {
        versions: vec![(0, true)],
        every: BTreeMap::new(),
        archived: vec![false; DAYS],
        member: always.clone(),
        active: always.clone(),
        requests: vec![(1, Some(10), always)],
        given: Vec::new(),
    }
}

fn on(history: &History, number: usize) -> Coverage {
    history.document().coverage(&history.person(), day(number))
}

#[test]
fn a_mended_typo_asks_nobody_again_and_a_material_version_asks_everybody() {
    let done = History { given: vec![(2, 1)], ..asked() };
    let mended = |history: History| History { versions: vec![(0, true), (5, false)], ..history };
    assert!(matches!(on(&mended(done.clone()), 9), Coverage::Covered { until: None, .. }));
    assert_eq!(on(&mended(asked()), 9), Coverage::Open { asked: day(1), due: Some(day(11)) });
    let changed = History { versions: vec![(0, true), (5, true)], ..done };
    assert_eq!(on(&changed, 9), Coverage::Open { asked: day(5), due: Some(day(15)) });
    // The old version does not count any more.
    let late = History { given: vec![(2, 1), (8, 1)], ..changed };
    assert_eq!(on(&late, 9), Coverage::Open { asked: day(5), due: Some(day(15)) });
}

#[test]
fn who_leaves_is_not_asked_and_who_comes_back_is_asked_anew() {
    let member: Vec<bool> = (0..DAYS).map(|number| !(5..8).contains(&number)).collect();
    let requests = vec![(1, Some(10), member.clone())];
    let history = History { active: member.clone(), member, requests, given: vec![(2, 1)], ..asked() };
    assert!(matches!(on(&history, 4), Coverage::Covered { .. }));
    assert_eq!(on(&history, 6), Coverage::NotAsked);
    assert_eq!(on(&history, 9), Coverage::Open { asked: day(8), due: Some(day(18)) });
    // Somebody who only changes group keeps what they acknowledged.
    let group: Vec<bool> = history.member.clone();
    let moved = History { requests: vec![(1, Some(10), group)], given: vec![(2, 1)], ..asked() };
    assert_eq!(on(&moved, 6), Coverage::NotAsked);
    assert!(matches!(on(&moved, 9), Coverage::Covered { .. }));
}

#[test]
fn an_acknowledgement_lapses_and_time_runs_for_those_who_can_sign_in() {
    let yearly = History { every: [(0, Some(7))].into(), given: vec![(2, 1)], ..asked() };
    assert!(matches!(on(&yearly, 8), Coverage::Covered { until: Some(until), .. } if until == day(9)));
    assert_eq!(on(&yearly, 9), Coverage::Open { asked: day(9), due: Some(day(19)) });
    let active: Vec<bool> = (0..DAYS).map(|number| number >= 6).collect();
    let invited = History { active, ..asked() };
    assert_eq!(on(&invited, 5), Coverage::NotReached);
    assert_eq!(on(&invited, 6), Coverage::Open { asked: day(6), due: Some(day(16)) });
    assert!(!on(&invited, 15).is_overdue(day(15)) && on(&invited, 16).is_overdue(day(16)));
}

#[test]
fn another_interval_counts_from_when_it_holds_and_who_lapses_by_it_has_time_from_then() {
    let changed =
        History { every: [(0, Some(20)), (9, Some(4)), (12, None)].into(), given: vec![(2, 1)], ..asked() };
    assert!(matches!(on(&changed, 8), Coverage::Covered { until: Some(until), .. } if until == day(22)));
    assert_eq!(on(&changed, 9), Coverage::Open { asked: day(9), due: Some(day(19)) });
    assert!(matches!(on(&changed, 12), Coverage::Covered { until: None, .. }));
    // One that is shorter still does not begin the time again.
    let shorter = History { every: [(0, Some(4)), (9, Some(3))].into(), ..changed };
    assert_eq!(on(&shorter, 10), Coverage::Open { asked: day(6), due: Some(day(16)) });
}

#[test]
fn an_archived_document_asks_nobody_until_it_is_restored() {
    let archived = (0..DAYS).map(|number| (5..8).contains(&number)).collect();
    let history = History { archived, ..asked() };
    assert_eq!(on(&history, 4), Coverage::Open { asked: day(1), due: Some(day(11)) });
    assert_eq!(on(&history, 5), Coverage::NotAsked);
    assert_eq!(on(&history, 8), Coverage::Open { asked: day(8), due: Some(day(18)) });
}
