//! Ways out of an approval that cannot go on, or of a decision about the acceptance of a risk or an exception to a document. The
//! journal is their record.

use std::collections::HashMap;

use db::{Tx, Value};
use domain::document::{
    ApprovalStep, NewReplacement, Proposal, ProposalStatus, Replacement, StepState, Waiver, WaiverKind,
    steps_from_stored,
};
use domain::person::Person;
use domain::{Author, Error, ExpectedVersion, FaultCode, OrgId, Reason, RiskNumber, UserId};
use macros::boxed;
use serde_json::Value as Json;

use super::draft::{Draft, draft};
use super::{ProposalRow, approvals, subject};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, Entry, EntryFilter};
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{self, Stored};
use crate::ledger::view::View;
use crate::{exceptions, people};

/// The kinds of entries about ways out.
pub(super) const KINDS: [&str; 9] = [
    "proposal.person_replaced",
    "proposal.four_eyes_waived",
    "proposal.decision_recorded",
    "membership.deputy_changed",
    "organization.four_eyes_changed",
    "risk.acceptance_four_eyes_waived",
    "risk.acceptance_recorded",
    "exception.four_eyes_waived",
    "exception.decision_recorded",
];

/// The most people who are replaced in a step.
const MOST_REPLACED: usize = 100;

/// Lets a member approve in the pending step of a proposal, if that has an `expected` version, in the place of another one.
#[boxed]
pub async fn replace_person(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    expected: &ExpectedVersion,
    new: &NewReplacement,
) -> Result<Proposal> {
    let mut before = draft(tx, organization, slug, number, None).await?;
    expected.check(before.row.version)?;
    let mut after = before.proposal.clone();
    let pending = after.steps.iter().position(|it| it.state == StepState::Pending);
    let step = pending.and_then(|place| after.approval_steps.get_mut(place));
    let step = step.ok_or(Error::NotNext(before.proposal.status))?;
    check(&before, step, new)?;
    let NewReplacement { person, replacement, reason } = new.clone();
    step.replacements.push(Replacement { person, replacement, reason });
    before.facts.replaced = approvals::replaced(tx, organization, &after.approval_steps).await?;
    change(tx, organization, author, "proposal.person_replaced", &before, after).await
}

fn check(before: &Draft, step: &ApprovalStep, new: &NewReplacement) -> Result<(), Error> {
    let facts = &before.facts;
    if !facts.names(step, new.person) {
        let detail = "must be a member whom the pending step names";
        return Err(Error::invalid("#/person", FaultCode::UnknownUser, detail));
    }
    if facts.names(step, new.replacement) || !facts.may_approve(&before.proposal, new.replacement) {
        let detail =
            "must be another member who may approve documents and is no author, whom the step does not name";
        return Err(Error::invalid("#/replacement", FaultCode::UnknownUser, detail));
    }
    match step.replacements.len() < MOST_REPLACED {
        true => Ok(()),
        false => Err(Error::invalid("#/replacement", FaultCode::TooMany, "is one too many for a step")),
    }
}

/// Lets authors approve a proposal that is not closed, if it has an `expected` version.
#[boxed]
pub async fn waive_four_eyes(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    expected: &ExpectedVersion,
    reason: &Reason,
) -> Result<Proposal> {
    let before = draft(tx, organization, slug, number, None).await?;
    expected.check(before.row.version)?;
    if !matches!(before.proposal.status, ProposalStatus::Open | ProposalStatus::Submitted) {
        return Err(Error::NotNext(before.proposal.status).into());
    }
    if before.proposal.four_eyes_waived.as_ref() == Some(reason) {
        return Ok(before.proposal);
    }
    let after = Proposal { four_eyes_waived: Some(reason.clone()), ..before.proposal.clone() };
    change(tx, organization, author, "proposal.four_eyes_waived", &before, after).await
}

async fn change(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    kind: &'static str,
    before: &Draft,
    after: Proposal,
) -> Result<Proposal> {
    let after = Proposal { version: before.row.version + 1, updated_date: tx.at(), ..after };
    let row = ProposalRow {
        approval_steps: match after.status {
            // The steps of an open proposal are those of the document until it is submitted.
            ProposalStatus::Open => before.row.approval_steps.clone(),
            _ => after.approval_steps.clone(),
        },
        four_eyes_waived: after.four_eyes_waived.clone(),
        updated_date: after.updated_date,
        version: after.version,
        ..before.row.clone()
    };
    let payload = record::changes(Some(&before.row), &row);
    journal::append(tx, organization, author, kind, subject(after.number), payload).await?;
    record::replace(tx, organization, &row).await?;
    Ok(before.after(after))
}

fn filter() -> EntryFilter {
    EntryFilter { kind: KINDS.to_vec(), ..EntryFilter::default() }
}

/// Up to `limit` of the ways out that were taken, the latest first: those before the entry `before`.
#[boxed]
pub async fn waivers(
    tx: &mut Tx,
    organization: OrgId,
    before: Option<i64>,
    limit: i64,
) -> Result<Page<Waiver>> {
    let page = journal::page(tx, organization, &filter(), Direction::Descending, before, limit).await?;
    let read: Vec<_> = page.rows.iter().map(Read::of).collect();
    let people = read.iter().flat_map(|it| [it.person, it.replacement]).flatten();
    let people = people::named(tx, organization, people.collect()).await?;
    let of_proposals = documents(tx, organization, read.iter().filter_map(|it| it.proposal)).await?;
    let exceptions = read.iter().filter_map(|it| it.exception);
    let of_exceptions = exceptions::documents_of(tx, organization, exceptions).await?;
    let mut read = read.into_iter();
    let document = |read: &Read| match (read.proposal, read.exception) {
        (Some(number), _) => of_proposals.get(&number).cloned(),
        (None, number) => number.and_then(|number| of_exceptions.get(&number).cloned()),
    };
    Ok(page.map(|entry| {
        let read = read.next().unwrap_or_default();
        let document = document(&read);
        read.waiver(entry, &people, document)
    }))
}

/// How many there are.
#[boxed]
pub async fn count_waivers(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    journal::count(tx, organization, &filter()).await
}

/// The documents of these proposals.
async fn documents(
    tx: &mut Tx,
    organization: OrgId,
    proposals: impl Iterator<Item = i64>,
) -> Result<HashMap<i64, String>> {
    let Some(of_these) = Filter::any_of("number", proposals.map(Value::from)) else {
        return Ok(HashMap::new());
    };
    let select = Select::<ProposalRow>::of(organization, View::with_deleted()).filter(of_these);
    let rows = select.all(tx).await?.into_iter();
    Ok(rows.map(|Stored::<ProposalRow>(row)| (row.number, row.document)).collect())
}

/// What an entry says.
#[derive(Default)]
struct Read {
    kind: Option<WaiverKind>,
    proposal: Option<i64>,
    risk: Option<RiskNumber>,
    acceptance: Option<i64>,
    exception: Option<i64>,
    person: Option<UserId>,
    replacement: Option<UserId>,
    reason: Option<String>,
    /// Who decided, when, and the minutes.
    decision: [Option<String>; 3],
    payload: Json,
}

impl Read {
    fn of(entry: &Entry) -> Self {
        let payload = entry.payload.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let payload: Json = payload.unwrap_or_default();
        let base = Self { proposal: entry.subject_id.parse().ok(), ..Self::default() };
        let read = match entry.kind.as_str() {
            "proposal.person_replaced" => match replaced(&payload) {
                Some(Replacement { person, replacement, reason }) => Self {
                    kind: Some(WaiverKind::Replacement),
                    person: Some(person),
                    replacement: Some(replacement),
                    reason: Some(reason.to_string()),
                    ..base
                },
                None => base,
            },
            "proposal.four_eyes_waived" => {
                let reason = text(&payload, "/four_eyes_waived/1");
                Self { kind: Some(WaiverKind::FourEyes), reason, ..base }
            }
            "proposal.decision_recorded" => {
                let decision = approved(&payload);
                Self { kind: Some(WaiverKind::Decision), decision, ..base }
            }
            "risk.acceptance_four_eyes_waived" => Self::of_acceptance(WaiverKind::FourEyes, entry, &payload),
            "risk.acceptance_recorded" => Self::of_acceptance(WaiverKind::Decision, entry, &payload),
            "exception.four_eyes_waived" => Self::of_exception(WaiverKind::FourEyes, entry, &payload),
            "exception.decision_recorded" => Self::of_exception(WaiverKind::Decision, entry, &payload),
            "membership.deputy_changed" => Self {
                kind: Some(WaiverKind::Deputy),
                proposal: None,
                person: UserId::parse(&entry.subject_id),
                replacement: text(&payload, "/deputy/1").and_then(|id| UserId::parse(&id)),
                ..base
            },
            _ => Self { kind: Some(WaiverKind::Organization), proposal: None, ..base },
        };
        Self { payload, ..read }
    }

    /// What an entry says of the acceptance of a risk.
    fn of_acceptance(kind: WaiverKind, entry: &Entry, payload: &Json) -> Self {
        let fields = payload.as_object().into_iter().flatten();
        let fields = fields.filter_map(|(name, change)| Some((name.strip_prefix("acceptances/")?, change)));
        let fields = fields.filter_map(|(name, change)| Some((name.split_once('/')?, change)));
        let fields: Vec<((&str, &str), &Json)> = fields.collect();
        let now = |wanted: &str| {
            let (_, change) = fields.iter().find(|((_, field), _)| *field == wanted)?;
            text(change, "/1")
        };
        Self {
            risk: RiskNumber::parse(&entry.subject_id),
            acceptance: fields.first().and_then(|((number, _), _)| number.parse().ok()),
            ..Self::of_decision(kind, now)
        }
    }

    /// What an entry says of an exception to a document.
    fn of_exception(kind: WaiverKind, entry: &Entry, payload: &Json) -> Self {
        let exception = entry.subject_id.parse().ok();
        Self { exception, ..Self::of_decision(kind, |field| text(payload, &format!("/{field}/1"))) }
    }

    /// What an entry says of a request. `now` gives the new value of a field.
    fn of_decision(kind: WaiverKind, now: impl Fn(&str) -> Option<String>) -> Self {
        let decision = ["board", "board_date", "minutes"].map(&now);
        Self { kind: Some(kind), reason: now("four_eyes_waived"), decision, ..Self::default() }
    }

    fn waiver(self, entry: Entry, people: &HashMap<UserId, Person>, document: Option<String>) -> Waiver {
        let person = |id: Option<UserId>| id.and_then(|id| people.get(&id).cloned());
        let [decided_by, decided_date, minutes] = self.decision;
        Waiver {
            seq: entry.seq,
            kind: self.kind.unwrap_or(WaiverKind::Replacement),
            at: entry.at,
            by: entry.actor,
            proposal: self.proposal,
            risk: self.risk,
            acceptance: self.acceptance,
            exception: self.exception,
            document,
            person: person(self.person),
            replacement: person(self.replacement),
            until: text(&self.payload, "/deputy_until/1"),
            reason: self.reason,
            decided_by,
            decided_date,
            minutes,
            four_eyes: self.payload.pointer("/four_eyes/1").and_then(Json::as_bool),
        }
    }
}

fn text(payload: &Json, pointer: &str) -> Option<String> {
    payload.pointer(pointer)?.as_str().map(str::to_owned)
}

/// The decision of others in the latest approval that an entry has.
fn approved(payload: &Json) -> [Option<String>; 3] {
    let approvals = payload.as_object().into_iter().flatten();
    let mut approvals =
        approvals.filter(|(field, _)| field.starts_with("approvals/")).map(|(_, change)| change);
    let latest = approvals.next_back().cloned().unwrap_or_default();
    ["/1/decided_by", "/1/decided_date", "/1/minutes"].map(|member| text(&latest, member))
}

/// The replacement that a change of the steps adds.
fn replaced(payload: &Json) -> Option<Replacement> {
    let steps = |side| steps_from_stored(&text(payload, side)?);
    let (before, after) = (steps("/approval_steps/0")?, steps("/approval_steps/1")?);
    let mut added = before.iter().zip(after).filter(|(old, new)| old.replacements != new.replacements);
    added.next()?.1.replacements.pop()
}
