//! Decisions that somebody asks for and somebody else makes: acceptances of risks, and exceptions to documents.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use macros::Body;

use crate::actor::{Actor, ActorKind};
use crate::document::Day;
use crate::error::{Error, Result};
use crate::error_code::ErrorCode;
use crate::fault::{FaultCode, Faults};
use crate::ids::UserId;
use crate::person::Person;
use crate::text::{Line, Prose, Reason};

crate::words! {
    "DecisionState"
    /// What became of a decision that was asked for.
    pub enum DecisionState {
        /// It was asked for, and nobody has decided yet.
        Requested = "requested",
        /// It was accepted, and is in force.
        Accepted = "accepted",
        /// It was accepted, and what was accepted has become worse since.
        Stale = "stale",
        /// It was refused.
        Refused = "refused",
        /// The request was withdrawn before anybody decided.
        Withdrawn = "withdrawn",
        /// It was accepted, and a later one took its place.
        Replaced = "replaced",
        /// It was accepted, and its last day has passed.
        Expired = "expired",
        /// It was accepted and ended before its last day.
        Revoked = "revoked",
    }
}

impl DecisionState {
    /// The states of what has not ended.
    pub const OPEN: [Self; 3] = [Self::Requested, Self::Accepted, Self::Stale];

    /// Whether it was accepted and has not ended; what became worse can be as it was again.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Accepted | Self::Stale)
    }
}

crate::words! {
    "DecisionVerdict"
    /// What somebody decides.
    pub enum Verdict {
        /// What was asked for holds.
        Accepted = "accepted",
        /// It does not.
        Refused = "refused",
    }
}

/// What happens to a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionStep {
    /// Somebody decides for it.
    Accept,
    /// Somebody decides against it.
    Refuse,
    /// The request is taken back.
    Withdraw,
    /// What was accepted has become worse.
    Worsen,
    /// It is as it was accepted again.
    Recover,
    /// A later one is accepted.
    Replace,
    /// Its last day passes.
    Expire,
    /// Somebody ends it before.
    Revoke,
}

impl DecisionStep {
    /// Every step.
    pub const ALL: [Self; 8] = [
        Self::Accept,
        Self::Refuse,
        Self::Withdraw,
        Self::Worsen,
        Self::Recover,
        Self::Replace,
        Self::Expire,
        Self::Revoke,
    ];

    /// The state that it leads to from another; none if it is not possible there.
    pub fn leads_to(self, from: DecisionState) -> Option<DecisionState> {
        use DecisionState as S;
        match (self, from) {
            (Self::Accept, S::Requested) => Some(S::Accepted),
            (Self::Refuse, S::Requested) => Some(S::Refused),
            (Self::Withdraw, S::Requested) => Some(S::Withdrawn),
            (Self::Worsen, S::Accepted) => Some(S::Stale),
            (Self::Recover, S::Stale) => Some(S::Accepted),
            (Self::Replace, S::Accepted | S::Stale) => Some(S::Replaced),
            (Self::Expire, S::Accepted | S::Stale) => Some(S::Expired),
            (Self::Revoke, S::Accepted | S::Stale) => Some(S::Revoked),
            _ => None,
        }
    }
}

/// What people who do not sign in have decided, such as a board.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "NewRecordedDecision")]
pub struct Recorded {
    /// Who decided.
    #[body(example = "The board")]
    pub decided_by: Line,
    /// On which day.
    pub decided_date: Day,
    /// The reference of the minutes.
    #[body(example = "Minutes 2026-03, item 4")]
    pub minutes: Line,
}

/// What four eyes need to know.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FourEyes {
    /// Whether the organization lets those decide who have asked.
    pub is_off: bool,
    /// The clients that those have created who decide, or in whose place somebody decides: the person, by the id of the client.
    pub creators: HashMap<String, UserId>,
}

/// A decision that somebody asks for. What it is about is a matter of the record that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// What became of it, but for what follows from the day: see [`Decision::state_on`].
    pub state: DecisionState,
    /// Why it was asked for.
    pub reason: Prose,
    /// The last day on which it holds (UTC).
    pub until: Day,
    /// Who asked for it.
    pub requested_by: Actor,
    /// When.
    pub requested_date: Timestamp,
    /// Why those may decide who have asked, if that was allowed.
    pub four_eyes_waived: Option<Reason>,
    /// Who decided, or recorded the decision of others.
    pub decided_by: Option<Actor>,
    /// When.
    pub decided_date: Option<Timestamp>,
    /// The person for whom a deputy decided.
    pub on_behalf_of: Option<Person>,
    /// What was said with the decision.
    pub note: Option<Prose>,
    /// Who decided without signing in.
    pub board: Option<Line>,
    /// The day of their decision.
    pub board_date: Option<Day>,
    /// The reference of their minutes.
    pub minutes: Option<Line>,
    /// Who confirmed later what was accepted.
    pub confirmed_by: Option<Actor>,
    /// The person for whom a deputy confirmed it.
    pub confirmed_on_behalf_of: Option<Person>,
    /// When.
    pub confirmed_date: Option<Timestamp>,
    /// Why it was revoked, or why the request was withdrawn.
    pub end_reason: Option<Prose>,
    /// Who withdrew, replaced or revoked it.
    pub ended_by: Option<Actor>,
    /// When.
    pub ended_date: Option<Timestamp>,
    /// When it was last changed.
    pub updated_date: Timestamp,
    /// Counts its changes from 1.
    pub version: i64,
    /// The journal's number of the entry that made it.
    pub seq: i64,
    /// The journal's number of its latest change.
    pub seq_from: i64,
}

/// How a decision was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdicted {
    /// What was decided.
    pub verdict: Verdict,
    /// What was said with it.
    pub note: Option<Prose>,
    /// The person for whom a deputy decided.
    pub on_behalf_of: Option<Person>,
    /// What others decided, if that is recorded.
    pub recorded: Option<Recorded>,
}

impl Decision {
    /// A decision that is asked for at `at`. The journal's numbers are still 0.
    pub fn ask(reason: Prose, until: Day, by: Actor, at: Timestamp) -> Self {
        Self {
            state: DecisionState::Requested,
            reason,
            until,
            requested_by: by,
            requested_date: at,
            four_eyes_waived: None,
            decided_by: None,
            decided_date: None,
            on_behalf_of: None,
            note: None,
            board: None,
            board_date: None,
            minutes: None,
            confirmed_by: None,
            confirmed_on_behalf_of: None,
            confirmed_date: None,
            end_reason: None,
            ended_by: None,
            ended_date: None,
            updated_date: at,
            version: 1,
            seq: 0,
            seq_from: 0,
        }
    }

    /// The state on a day: what was accepted expires by itself.
    pub fn state_on(&self, today: &Day) -> DecisionState {
        let has_passed = self.until < *today;
        DecisionStep::Expire.leads_to(self.state).filter(|_| has_passed).unwrap_or(self.state)
    }

    /// The decision after a step at `at`.
    ///
    /// # Errors
    /// If its state on that day does not take the step.
    pub fn after(&self, step: DecisionStep, at: Timestamp) -> Result<Self> {
        let state = step.leads_to(self.state_on(&Day::of(at)));
        let state = state.ok_or(Error::Conflict(ErrorCode::DecisionNotPossible))?;
        Ok(Self { state, updated_date: at, version: self.version + 1, ..self.clone() })
    }

    /// The decision after it was made.
    ///
    /// # Errors
    /// If it was made already or has ended, if its last day has passed and it is to be accepted, or if others made it on a day in
    /// the future.
    pub fn decide(&self, made: Verdicted, by: Actor, at: Timestamp) -> Result<Self> {
        let step = match made.verdict {
            Verdict::Accepted => DecisionStep::Accept,
            Verdict::Refused => DecisionStep::Refuse,
        };
        let after = self.after(step, at)?;
        if step == DecisionStep::Accept && self.until < Day::of(at) {
            return Err(Error::Conflict(ErrorCode::UntilPassed));
        }
        let recorded = made.recorded;
        recorded.as_ref().map_or(Ok(()), |it| check_decided(&it.decided_date, at))?;
        Ok(Self {
            decided_by: Some(by),
            decided_date: Some(at),
            on_behalf_of: made.on_behalf_of,
            note: made.note,
            board: recorded.as_ref().map(|it| it.decided_by.clone()),
            board_date: recorded.as_ref().map(|it| it.decided_date.clone()),
            minutes: recorded.map(|it| it.minutes),
            ..after
        })
    }

    /// The decision after it was ended by a step, for a reason.
    ///
    /// # Errors
    /// If its state does not take the step.
    pub fn end(&self, step: DecisionStep, reason: Option<Prose>, by: Actor, at: Timestamp) -> Result<Self> {
        let after = self.after(step, at)?;
        Ok(Self { end_reason: reason, ended_by: Some(by), ended_date: Some(at), ..after })
    }

    /// The request after somebody let those decide who have asked. The same reason again changes nothing.
    ///
    /// # Errors
    /// If it is no open request.
    pub fn waive_four_eyes(&self, reason: Reason, at: Timestamp) -> Result<Self> {
        if self.state != DecisionState::Requested {
            return Err(Error::Conflict(ErrorCode::DecisionNotPossible));
        }
        if self.four_eyes_waived.as_ref() == Some(&reason) {
            return Ok(self.clone());
        }
        let four_eyes_waived = Some(reason);
        Ok(Self { four_eyes_waived, updated_date: at, version: self.version + 1, ..self.clone() })
    }

    /// Whether a person may decide about it under four eyes: not who has asked for it, themselves or through a client that they have
    /// created, unless four eyes are off or waived.
    pub fn takes(&self, person: UserId, four_eyes: &FourEyes) -> bool {
        let asker = &self.requested_by;
        let has_asked = match asker.kind {
            ActorKind::User => UserId::parse(&asker.id) == Some(person),
            ActorKind::Client => four_eyes.creators.get(&asker.id) == Some(&person),
            _ => false,
        };
        four_eyes.is_off || self.four_eyes_waived.is_some() || !has_asked
    }

    /// Whether this is who asked for it.
    pub fn is_asked_by(&self, actor: &Actor) -> bool {
        (self.requested_by.kind, &self.requested_by.id) == (actor.kind, &actor.id)
    }
}

/// The day on which others decided is not in the future.
///
/// # Errors
/// If it is in the future everywhere: the furthest time zones are 14 hours ahead.
pub fn check_decided(day: &Day, at: Timestamp) -> Result<()> {
    if *day <= Day::of(at + SignedDuration::from_hours(14)) {
        return Ok(());
    }
    Err(Error::invalid("#/decided_date", FaultCode::DateInFuture, "must not be in the future"))
}

/// The last day of what is asked for at `now` lies after that day.
pub(crate) fn check_until(until: Option<&Day>, now: Timestamp, faults: &mut Faults) {
    if until.is_some_and(|until| *until <= Day::of(now)) {
        faults.add("#/until", FaultCode::Range, "must be after today (UTC)");
    }
}
