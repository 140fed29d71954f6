//! What becomes of exceptions, from what each version of their document printed.

use std::collections::BTreeMap;

use domain::decision::{DecisionState, Verdict};
use domain::document::{Day, DocumentStatus};
use domain::{Error, ErrorCode};
use store::exceptions::ExceptionDetails;

use super::acts::{Act, ITEMS};

/// What a version prints for each of the items; none of an item that it does not have.
pub(super) type Printed = [Option<usize>; 2];

/// What is known of an exception.
#[derive(Debug, Clone)]
pub(super) struct Known {
    /// The place of the item that it is about.
    item: Option<usize>,
    pub(super) until: Day,
    replaces: Option<i64>,
    /// Whether those may decide who have asked.
    is_waived: bool,
    /// The version with which it was accepted.
    pub(super) accepted: Option<i64>,
    /// What somebody ended it with.
    ended: Option<DecisionState>,
}

#[derive(Debug, Clone)]
pub(super) struct Model {
    pub(super) versions: BTreeMap<i64, Printed>,
    is_archived: bool,
    /// In the order of their numbers, which begin with 1.
    pub(super) exceptions: Vec<Known>,
}

impl Default for Model {
    fn default() -> Self {
        let versions = BTreeMap::from([(1, [Some(0), Some(0)])]);
        Self { versions, is_archived: false, exceptions: Vec::new() }
    }
}

impl Model {
    /// What the register has at a time, without what follows from the versions.
    pub(super) fn of<'e>(
        versions: BTreeMap<i64, Printed>,
        status: DocumentStatus,
        found: impl Iterator<Item = &'e ExceptionDetails>,
    ) -> Self {
        let known = |it: &ExceptionDetails| {
            let (exception, state) = (&it.exception, it.exception.decision.state);
            let is_accepted = exception.decision.decided_date.is_some() && state != DecisionState::Refused;
            Known {
                item: exception.node_id.as_ref().and_then(|id| ITEMS.iter().position(|item| item == id)),
                until: exception.decision.until.clone(),
                replaces: exception.replaces,
                is_waived: exception.decision.four_eyes_waived.is_some(),
                accepted: is_accepted.then_some(exception.document_version),
                ended: (!DecisionState::OPEN.contains(&state)).then_some(state),
            }
        };
        let is_archived = status == DocumentStatus::Archived;
        Self { versions, is_archived, exceptions: found.map(known).collect() }
    }

    fn latest(&self) -> (i64, Printed) {
        self.versions.last_key_value().map(|(number, printed)| (*number, *printed)).unwrap()
    }

    fn get(&self, number: i64) -> Option<&Known> {
        self.exceptions.get(usize::try_from(number - 1).ok()?)
    }

    /// The version from which on the item prints something else than what was accepted.
    pub(super) fn stale_by(&self, it: &Known) -> Option<i64> {
        let (item, accepted) = (it.item?, self.versions[&it.accepted?]);
        let since = self.versions.iter().rev();
        let other = since.take_while(|(_, printed)| printed[item] != accepted[item]);
        other.map(|(number, _)| *number).last()
    }

    pub(super) fn state(&self, it: &Known, today: &Day) -> DecisionState {
        match it.ended {
            Some(ended) => ended,
            None if it.accepted.is_none() => DecisionState::Requested,
            None if it.until < *today => DecisionState::Expired,
            None if self.is_archived || self.stale_by(it).is_some() => DecisionState::Stale,
            None => DecisionState::Accepted,
        }
    }

    fn state_of(&self, number: i64, today: &Day) -> Option<DecisionState> {
        self.get(number).map(|it| self.state(it, today))
    }

    /// Whether an act is possible; none if that is a matter of documents alone.
    fn allows(&self, act: &Act, today: &Day) -> Option<bool> {
        let (_, printed) = self.latest();
        let is_there = |item: &Option<usize>| item.is_none_or(|item| printed[item].is_some());
        let state = |number: i64| self.state_of(number, today);
        let is_live = |number: i64| state(number).is_some_and(DecisionState::is_live);
        match act {
            Act::Publish(_) if self.is_archived => Some(false),
            Act::Publish(next) => (*next != printed).then_some(true),
            Act::Status { .. } | Act::Wait { .. } => Some(true),
            Act::Ask { item, days, replaces } => {
                let is_replacing = replaces.is_none_or(is_live);
                Some(!self.is_archived && is_there(item) && *days > 0 && is_replacing)
            }
            Act::Decide { number, verdict, is_asker, is_latest, .. } => {
                let it = self.get(*number).filter(|_| state(*number) == Some(DecisionState::Requested));
                let may_accept =
                    |it: &Known| !self.is_archived && *is_latest && is_there(&it.item) && it.until >= *today;
                let may_decide = |it: &Known| !is_asker || it.is_waived;
                let is_possible = |it: &Known| *verdict == Verdict::Refused || may_accept(it);
                Some(it.is_some_and(|it| may_decide(it) && is_possible(it)))
            }
            Act::Waive { number } | Act::Withdraw { number } => {
                Some(state(*number) == Some(DecisionState::Requested))
            }
            Act::Revoke { number } => Some(is_live(*number)),
        }
    }

    /// What came of an act is what this allows.
    pub(super) fn check(&self, act: &Act, done: &store::Result<Option<i64>>, today: &Day) {
        if let Some(allowed) = self.allows(act, today) {
            assert_eq!(done.is_ok(), allowed, "{act:?} {done:?} {self:?}");
        }
        match (act, done) {
            (Act::Publish(next), Ok(Some(version))) => {
                let (latest, printed) = self.latest();
                let is_next = *version == latest + 1 || *version == latest && *next == printed;
                assert!(is_next, "{version} after {self:?}");
            }
            (
                Act::Decide { is_latest: false, verdict: Verdict::Accepted, number, is_asker: false, .. },
                Err(error),
            ) if self.state_of(*number, today) == Some(DecisionState::Requested)
                && !self.is_archived
                && self.get(*number).is_some_and(|it| it.until >= *today) =>
            {
                assert_eq!(error.0, Error::Conflict(ErrorCode::DocumentChanged));
            }
            _ => {}
        }
    }

    /// Does what was possible; `version` is published then.
    pub(super) fn apply(&mut self, act: &Act, version: Option<i64>, today: &Day) {
        match act {
            Act::Publish(next) => drop(self.versions.insert(version.unwrap(), *next)),
            Act::Wait { .. } => {}
            Act::Status { is_archived } => self.is_archived = *is_archived,
            Act::Ask { item, days, replaces } => {
                let (item, until, replaces) = (*item, today.later(*days).unwrap(), *replaces);
                let known = Known { item, until, replaces, is_waived: false, accepted: None, ended: None };
                self.exceptions.push(known);
            }
            Act::Decide { number, verdict: Verdict::Refused, .. } => {
                self.end(*number, DecisionState::Refused);
            }
            Act::Decide { number, .. } => {
                let replaced = self.get(*number).and_then(|it| it.replaces);
                let is_live =
                    |number: &i64| self.state_of(*number, today).is_some_and(DecisionState::is_live);
                if let Some(replaced) = replaced.filter(is_live) {
                    self.end(replaced, DecisionState::Replaced);
                }
                self.exceptions[usize::try_from(number - 1).unwrap()].accepted = version;
            }
            Act::Waive { number } => {
                self.exceptions[usize::try_from(number - 1).unwrap()].is_waived = true;
            }
            Act::Withdraw { number } => self.end(*number, DecisionState::Withdrawn),
            Act::Revoke { number } => self.end(*number, DecisionState::Revoked),
        }
    }

    fn end(&mut self, number: i64, state: DecisionState) {
        self.exceptions[usize::try_from(number - 1).unwrap()].ended = Some(state);
    }
}
