//! The steps of a proposal from its edits to a published version, and who may approve it.

#[cfg(test)]
mod tests;

use macros::Body;

use super::day::Day;
use super::given_approval::RecordedDecision;
use super::proposal::Proposal;
use super::proposal_status::ProposalStatus;
use super::sha256::Sha256;
use super::{Document, DocumentStatus};
use crate::actor::{Actor, ActorKind};
use crate::error::{Error, Result};
use crate::error_code::ErrorCode;
use crate::text::{Prose, Reason};

/// What is said when a proposal is submitted. All of it is approved with the text.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "ProposalSubmission")]
pub struct Submission {
    /// What changed and why, as Markdown: the history that readers and auditors see.
    #[body(example = "Everyone signs in with a second factor, because passwords were stolen.")]
    pub summary: Prose,
    /// Whether everybody acknowledges the document again. By default that is so for the first version, and if words of the template or
    /// the value of a material item change.
    pub material: Option<Materiality>,
    /// The day from which the version holds; without one, the day of the last approval.
    pub effective_date: Option<Day>,
}

/// Whether a version is material.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct Materiality {
    /// Whether everybody acknowledges the document again.
    pub value: bool,
    /// Why.
    pub reason: Option<Reason>,
}

/// An approval: it is of the text with this hash, and of no other.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "ProposalApproval")]
pub struct Approval {
    /// The SHA-256 of the text that was read.
    pub sha256: Sha256,
    /// A note to the record, as Markdown.
    #[body(example = "As decided on Monday.")]
    pub note: Option<Prose>,
}

/// That a person has read the text with this hash.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "ProposalSeen")]
pub struct Seen {
    /// The SHA-256 of the text that was read.
    pub sha256: Sha256,
}

/// Why a proposal is returned, rejected or withdrawn.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "ProposalReason")]
pub struct StepReason {
    /// The reason.
    #[body(example = "The second paragraph contradicts the first.")]
    pub reason: Reason,
}

/// What is done with a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposalStep {
    /// It waits for approval.
    Submit(Submission),
    /// It takes edits again.
    Return(StepReason),
    /// It ends, by those who wanted it.
    Withdraw(StepReason),
    /// It ends, by those who approve.
    Reject(StepReason),
    /// A person approves it. With the last approval that its steps need it is published.
    Approve(Approval),
    /// A decision of others completes the pending step.
    Record(RecordedDecision),
}

impl ProposalStep {
    /// Whether it approves the text, which may publish it.
    pub fn approves(&self) -> bool {
        self.approved().is_some()
    }

    /// The SHA-256 of the text that it approves, if it approves one.
    pub fn approved(&self) -> Option<&Sha256> {
        match self {
            Self::Approve(it) => Some(&it.sha256),
            Self::Record(it) => Some(&it.sha256),
            _ => None,
        }
    }

    /// The status that it leads to from another; none if it is not possible there. An approval leads there when it is the last
    /// one that the steps need.
    pub fn leads_to(&self, from: ProposalStatus) -> Option<ProposalStatus> {
        use ProposalStatus as S;
        match (self, from) {
            (Self::Submit(_), S::Open) => Some(S::Submitted),
            (Self::Return(_), S::Submitted) => Some(S::Open),
            (Self::Withdraw(_), S::Open | S::Submitted) => Some(S::Withdrawn),
            (Self::Reject(_), S::Submitted) => Some(S::Rejected),
            (Self::Approve(_) | Self::Record(_), S::Submitted) => Some(S::Approved),
            _ => None,
        }
    }

    /// What is said with it, if it submits.
    pub fn submission(&self) -> Option<&Submission> {
        if let Self::Submit(submission) = self { Some(submission) } else { None }
    }

    /// The proposal after the step. `changes` says whether it differs from what is published, `material` what a submission says
    /// of that unless it is sent, and the proposal has the hash that it has after the step.
    pub fn apply(
        &self,
        before: &Proposal,
        document: &Document,
        changes: bool,
        material: bool,
    ) -> Result<Proposal> {
        let needs_document = matches!(self, Self::Submit(_) | Self::Approve(_) | Self::Record(_));
        if needs_document && document.status == DocumentStatus::Archived {
            return Err(Error::Conflict(ErrorCode::DocumentArchived));
        }
        let status = self.leads_to(before.status).ok_or(Error::NotNext(before.status))?;
        let mut after = Proposal { status, ..before.clone() };
        match self {
            Self::Submit(submission) => {
                check_submission(before, changes)?;
                submission.set(&mut after, material);
            }
            Self::Return(StepReason { reason })
            | Self::Withdraw(StepReason { reason })
            | Self::Reject(StepReason { reason }) => after.reason = Some(reason.clone()),
            Self::Approve(Approval { sha256, .. }) | Self::Record(RecordedDecision { sha256, .. }) => {
                let present = before.sha256.clone().unwrap_or_default();
                if sha256.as_str() != present {
                    return Err(Error::ProposalChanged { sha256: present, difference: None });
                }
            }
        }
        Ok(after)
    }
}

impl Submission {
    /// Sets what is said in it. Unless it says otherwise, the version is `material` or not.
    pub fn set(&self, proposal: &mut Proposal, material: bool) {
        proposal.summary = Some(self.summary.clone());
        proposal.is_material = Some(self.material.as_ref().map_or(material, |material| material.value));
        proposal.material_reason = self.material.as_ref().and_then(|material| material.reason.clone());
        proposal.effective_date.clone_from(&self.effective_date);
        proposal.reason = None;
    }
}

fn check_submission(proposal: &Proposal, changes: bool) -> Result<()> {
    let code = if !proposal.conflicts.is_empty() {
        ErrorCode::ConflictsOpen
    } else if !proposal.missing.is_empty() {
        ErrorCode::ItemsMissing
    } else if !changes {
        ErrorCode::NothingToPublish
    } else {
        return Ok(());
    };
    Err(Error::Conflict(code))
}

impl Proposal {
    /// Whether this is the author of a change in it.
    pub fn has_author(&self, actor: &Actor) -> bool {
        let mut authors = self.change_sets.iter().filter(|set| set.has_changes()).map(|set| &set.author);
        authors.any(|author| (author.kind, &author.id) == (actor.kind, &actor.id))
    }
}

/// Four eyes: a proposal is approved by a person who has changed nothing in it. `creators` made the clients that have; none
/// if four eyes are waived, so that any person will do.
pub fn check_four_eyes(approver: &Actor, proposal: &Proposal, creators: Option<&[Actor]>) -> Result<()> {
    let is_approver = |actor: &Actor| (actor.kind, &actor.id) == (approver.kind, &approver.id);
    let is_author =
        creators.is_some_and(|creators| proposal.has_author(approver) || creators.iter().any(is_approver));
    if approver.kind != ActorKind::User || is_author {
        return Err(Error::FourEyes(Vec::new()));
    }
    Ok(())
}

/// From when a version holds that is approved on this day: a date that has passed becomes that day.
pub fn in_effect(wanted: Option<&Day>, approved: Day) -> Day {
    wanted.cloned().map_or(approved.clone(), |wanted| wanted.max(approved))
}
