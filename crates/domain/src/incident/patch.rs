//! What changes an incident: a merge patch (RFC 7396), a transition, or both at once.

use std::collections::BTreeSet;

use jiff::Timestamp;
use macros::Body;

use super::facts::Facts;
use super::status::{Kind, ResolutionReason, Status};
use super::{ELSEWHERE, Incident, MAX_READERS, NewHold, READ_ONLY};
use crate::change::{Change, merge};
use crate::fault::{FaultCode, Faults};
use crate::ids::{IncidentNumber, UserId};
use crate::person;
use crate::severity::StatedSeverity;
use crate::text::{Line, LineOrEmpty, Prose, ProseOrEmpty, Reason};

/// A merge patch (RFC 7396) of an incident: absent members stay as they are, null clears.
#[derive(Debug, Clone, PartialEq, Eq, Default, Body)]
#[body(patch, read_only = READ_ONLY, elsewhere = ELSEWHERE, whole = Self::check)]
pub struct IncidentPatch {
    /// One line, not blank.
    pub title: Option<Line>,
    /// Markdown, at most 64 KiB.
    pub description: Option<ProseOrEmpty>,
    /// What kind of event it is.
    pub kind: Option<Kind>,
    /// Where it was detected.
    pub source: Change<LineOrEmpty>,
    /// Where it happened.
    pub location: Change<LineOrEmpty>,
    /// The reference of the system that reports it.
    pub external_ref: Change<Line>,
    /// The assignee's id: a member of the organization.
    pub assigned_to: Change<UserId>,
    /// Whether only its readers, its assignee, the person who declared it and holders of `incidents:restricted` see it.
    /// Only they can change this and `readers`.
    pub restricted: Option<bool>,
    /// The ids of the members who see it when it is restricted.
    #[body(most = MAX_READERS)]
    pub readers: Option<Vec<UserId>>,
    /// When the incident started.
    pub occurred_date: Change<Timestamp>,
    /// When it was detected.
    pub detected_date: Option<Timestamp>,
    /// When the response started.
    pub responded_date: Change<Timestamp>,
    /// When the incident was contained: its harm no longer grew.
    #[body(example = "2026-03-01T11:20:00.000000Z")]
    pub contained_date: Change<Timestamp>,
    /// When it was resolved; only while it is resolved or closed.
    pub resolved_date: Option<Timestamp>,
    /// When it was closed or dismissed; only while it is.
    pub closed_date: Option<Timestamp>,
    /// Why it was resolved or dismissed; only while it is.
    pub resolution_reason: Option<ResolutionReason>,
    /// What was found and done, as Markdown, at most 64 KiB.
    pub resolution_summary: Change<Prose>,
    /// The original of a duplicate; only when it is dismissed as one.
    pub duplicate_of: Option<IncidentNumber>,
    /// The pause of the work on it.
    pub hold: Change<NewHold>,
    /// Set by operations of its own, and by the messages of an external system.
    #[body(skip)]
    pub severity: Option<StatedSeverity>,
    /// Whether it may not be purged. Needs `incidents:delete`, and a `reason` when it changes.
    pub legal_hold: Option<bool>,
    /// What an external system sent last, if this is its message.
    #[body(skip)]
    pub external_sent: Option<String>,
    /// The next status; the rules are those of the transitions.
    pub status: Option<Status>,
    /// Why the status or the legal hold changes.
    pub reason: Option<Reason>,
    /// When the next status started; by default now, or the latest date of the incident if that is later.
    pub at: Option<Timestamp>,
    /// Whether to close it with an override of what is missing. Needs `incidents:override` and a `reason`.
    #[body(name = "override", default)]
    pub is_override: bool,
}

/// The next status of an incident. Absent and null mean the same.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(whole = Self::check)]
pub struct Transition {
    /// The next status.
    #[body(example = "investigating")]
    pub to: Status,
    /// Why; needed to reopen, to override, with the resolution reason `other`, and to dismiss an incident of high or
    /// critical severity.
    pub reason: Option<Reason>,
    /// When the status started; by default now.
    pub at: Option<Timestamp>,
    /// The assignee's id, to take the incident in the same call.
    pub assigned_to: Option<UserId>,
    /// When the response started.
    pub responded_date: Option<Timestamp>,
    /// Why it is resolved or dismissed.
    pub resolution_reason: Option<ResolutionReason>,
    /// What was found and done, as Markdown, at most 64 KiB.
    pub resolution_summary: Option<Prose>,
    /// The original of a duplicate.
    pub duplicate_of: Option<IncidentNumber>,
    /// Whether to close it with an override of what is missing. Needs `incidents:override` and a `reason`.
    #[body(name = "override", default)]
    pub is_override: bool,
}

impl Transition {
    fn check(&self, faults: &mut Faults) {
        IncidentPatch::from(self.clone()).check(faults);
    }
}

impl From<Transition> for IncidentPatch {
    fn from(sent: Transition) -> Self {
        Self {
            status: Some(sent.to),
            reason: sent.reason,
            at: sent.at,
            assigned_to: sent.assigned_to.map_or(Change::Keep, Change::Set),
            responded_date: sent.responded_date.map_or(Change::Keep, Change::Set),
            resolution_reason: sent.resolution_reason,
            resolution_summary: sent.resolution_summary.map_or(Change::Keep, Change::Set),
            duplicate_of: sent.duplicate_of,
            is_override: sent.is_override,
            ..Self::default()
        }
    }
}

impl IncidentPatch {
    /// Checks members that only belong to others.
    pub fn check(&self, faults: &mut Faults) {
        let has_status = self.status.is_some();
        let only_with_status = [
            ("#/at", self.at.is_some() && !has_status),
            ("#/override", self.is_override && self.status != Some(Status::Closed)),
            ("#/reason", self.reason.is_some() && !has_status && self.legal_hold.is_none()),
            ("#/duplicate_of", self.duplicate_of.is_some() && !has_status),
        ];
        for (pointer, _) in only_with_status.into_iter().filter(|(_, is_wrong)| *is_wrong) {
            let detail = match pointer {
                "#/override" => "is only sent when an incident is closed",
                "#/reason" => "is only sent with a status or a legal hold",
                _ => "is only sent with a status",
            };
            faults.add(pointer, FaultCode::NotInStatus, detail);
        }
    }

    /// The record with what was sent, unchecked but for the people and the reason that it names.
    pub(super) fn merge(
        &self,
        base: &Incident,
        facts: &Facts,
        at: Timestamp,
        faults: &mut Faults,
    ) -> Incident {
        let assignee = facts.assignee.clone();
        let assigned_to =
            person::changed(&self.assigned_to, &base.assigned_to, assignee, "#/assigned_to", faults);
        let hold = match &self.hold {
            Change::Keep => base.hold.clone(),
            Change::Clear => None,
            Change::Set(new) => Some(new.begin(base.hold.as_ref(), &facts.author, at)),
        };
        let severity = match &self.severity {
            Some(stated) => stated.clone().after(base.stated_severity()),
            None => base.stated_severity(),
        };
        let is_held_again = self.legal_hold.is_some_and(|legal_hold| legal_hold != base.legal_hold);
        if is_held_again && self.reason.is_none() {
            faults.add("#/reason", FaultCode::Required, "is required with a legal hold");
        }
        let mut after = Incident {
            assigned_to,
            readers: self.readers(base, facts, faults),
            hold,
            severity: severity.severity,
            severity_reasoning: severity.reasoning,
            severity_source: severity.source,
            severity_answers: severity.answers,
            ..base.clone()
        };
        if is_held_again {
            after.legal_hold_reason.clone_from(&self.reason);
        }
        merge!(self into after: title, description, kind, source, location, external_ref, restricted, legal_hold);
        merge!(self into after: occurred_date, detected_date, responded_date, contained_date, resolved_date, closed_date);
        merge!(self into after: resolution_reason, resolution_summary, duplicate_of, external_sent);
        after
    }

    /// The readers, each once. A new one must be a member; one who was a reader already may have left.
    fn readers(&self, base: &Incident, facts: &Facts, faults: &mut Faults) -> Vec<UserId> {
        let Some(sent) = &self.readers else { return base.readers.clone() };
        for (place, reader) in sent.iter().enumerate() {
            if !facts.members.contains(reader) && !base.readers.contains(reader) {
                let pointer = format!("#/readers/{place}");
                faults.add(pointer, FaultCode::UnknownUser, "No member of the organization has this id.");
            }
        }
        let readers: BTreeSet<UserId> = sent.iter().copied().collect();
        if readers.len() > MAX_READERS {
            let detail = format!("must have at most {MAX_READERS} members");
            faults.add("#/readers", FaultCode::TooMany, detail);
        }
        readers.into_iter().collect()
    }

    /// Whether what is around an incident with this status decides about the change.
    pub fn depends_on_surroundings(&self, before: Status) -> bool {
        let is_about_gate =
            self.kind.is_some() || self.severity.is_some() || self.resolution_summary.is_sent();
        self.status == Some(Status::Closed) || (before == Status::Closed && is_about_gate)
    }
}
