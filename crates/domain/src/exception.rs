//! Exceptions to documents: what differs from a policy for a while, with a plan to end it.

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use macros::Body;

use crate::actor::{Actor, ActorKind};
use crate::decision::{
    Decision, DecisionState, DecisionStep, FourEyes, Recorded, Verdict, Verdicted, check_until,
};
use crate::document::{
    Day, Document, DocumentStatus, DocumentWithItems, ID_CHARACTERS, ItemKind, PlacedItem, sha256,
};
use crate::error::{Error, Result};
use crate::error_code::ErrorCode;
use crate::fault::{FaultCode, Faults};
use crate::ids::RiskNumber;
use crate::json::Fields;
use crate::schema::Schema;
use crate::text::{self, Line, Prose};

const NUMBER: Schema = Schema::Integer(1, i64::MAX);

/// An exception to a document. With the request it has what was asked for, from the decision on what was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyException {
    /// Counted per organization, never reused.
    pub number: i64,
    /// The slug of the document.
    pub document: String,
    /// What became of it.
    pub decision: Decision,
    /// What differs, in one line.
    pub title: Line,
    /// How the document is complied with again, as Markdown.
    pub plan: Prose,
    /// The item of the document that it is about; none if it is about all of it.
    pub node_id: Option<String>,
    /// The risk that it leads to.
    pub risk: Option<RiskNumber>,
    /// The exception to the same document whose place it takes when it is accepted.
    pub replaces: Option<i64>,
    /// The published version that it is about.
    pub document_version: i64,
    /// The SHA-256 of what that version prints for the item.
    pub printed_sha256: Option<String>,
    /// The version that prints something else for the item, or has it no longer, while it is stale.
    pub stale_by: Option<i64>,
}

/// A request for an exception to a document.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(with(now: Timestamp))]
pub struct NewException {
    /// The id of the item that it is about; absent if it is about the whole document.
    #[body(schema = Schema::text(0, ID_CHARACTERS, text::ANY), example = "mfa")]
    pub node_id: Option<String>,
    /// What differs, in one line.
    #[body(example = "The label printer has no second factor")]
    pub title: Line,
    /// Why, as Markdown.
    #[body(example = "Its firmware does not have one.")]
    pub reason: Prose,
    /// How the document is complied with again, as Markdown.
    #[body(example = "A new printer in June.")]
    pub plan: Prose,
    /// The last day on which it holds (UTC), after today.
    #[body(check = Self::check_day(until, now), example = "2027-06-30")]
    pub until: Day,
    /// The id of the risk that it leads to.
    #[body(example = "RSK-1")]
    pub risk: Option<RiskNumber>,
    /// The number of an exception to the same document that has not ended, and whose place it takes when it is accepted.
    #[body(schema = NUMBER)]
    pub replaces: Option<i64>,
}

/// A decision about a request for an exception.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct ExceptionDecision {
    /// What is decided.
    #[body(example = "accepted")]
    pub decision: Verdict,
    /// What is said with it, as Markdown.
    #[body(example = "Until the new printer is there.")]
    pub note: Option<Prose>,
    /// The published version that the decision rests on: the latest one.
    #[body(schema = NUMBER, example = 3)]
    pub document_version: i64,
}

/// A decision about a request for an exception by people who do not sign in, such as a board.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct RecordedException {
    /// What was decided.
    #[body(flat)]
    pub decision: ExceptionDecision,
    /// By whom and when.
    #[body(flat)]
    pub recorded: Recorded,
}

impl NewException {
    fn check_day(fields: &mut Fields<'_, '_>, until: Option<&Day>, now: Timestamp) {
        check_until(until, now, fields.faults());
    }

    /// The request about a document as it is at `at`. The journal's numbers are still 0.
    ///
    /// # Errors
    /// If the document is archived or not published, or has no such item.
    pub fn ask(
        &self,
        number: i64,
        document: &DocumentWithItems,
        by: Actor,
        at: Timestamp,
    ) -> Result<PolicyException> {
        let mut faults = Faults::new();
        check_until(Some(&self.until), at, &mut faults);
        if self.node_id.is_some() && self.node_id.as_deref().and_then(|id| item(document, id)).is_none() {
            faults.add("#/node_id", FaultCode::UnknownItem, "The document has no item with this id.");
        }
        faults.or(())?;
        let document_version = published(&document.document)?;
        let printed = self.node_id.as_deref().and_then(|id| printed_sha256(document, id));
        Ok(PolicyException {
            number,
            document: document.document.slug.clone(),
            decision: Decision::ask(self.reason.clone(), self.until.clone(), by, at),
            title: self.title.clone(),
            plan: self.plan.clone(),
            node_id: self.node_id.clone(),
            risk: self.risk,
            replaces: self.replaces,
            document_version,
            printed_sha256: printed,
            stale_by: None,
        })
    }
}

impl ExceptionDecision {
    /// The request after this decision of somebody who may approve documents. `recorded` is what others have decided.
    ///
    /// # Errors
    /// If it was decided already, if the document has another version by now or the item no longer, or if who has asked decides
    /// or records a decision, unless four eyes are off or waived.
    pub fn decide(
        &self,
        asked: &PolicyException,
        document: &DocumentWithItems,
        recorded: Option<&Recorded>,
        (by, four_eyes): (&Actor, &FourEyes),
        at: Timestamp,
    ) -> Result<PolicyException> {
        if !asked.may_decide(by, four_eyes) {
            return Err(Error::NotDecider(Vec::new()));
        }
        let (verdict, note, recorded) = (self.decision, self.note.clone(), recorded.cloned());
        let made = Verdicted { verdict, note, on_behalf_of: None, recorded };
        let decision = asked.decision.decide(made, by.clone(), at)?;
        if verdict == Verdict::Refused {
            return Ok(PolicyException { decision, ..asked.clone() });
        }
        let document_version = published(&document.document)?;
        let printed_sha256 = asked.node_id.as_deref().and_then(|id| printed_sha256(document, id));
        if self.document_version != document_version || printed_sha256.is_some() != asked.node_id.is_some() {
            return Err(Error::Conflict(ErrorCode::DocumentChanged));
        }
        Ok(PolicyException { decision, document_version, printed_sha256, ..asked.clone() })
    }
}

impl PolicyException {
    /// Whether this is a person who may decide about it under four eyes, or record what others decided.
    pub fn may_decide(&self, actor: &Actor, four_eyes: &FourEyes) -> bool {
        actor.person().is_some_and(|person| self.decision.takes(person, four_eyes))
    }

    /// Who may withdraw the request: who has made it, and the owner of the document.
    pub fn may_withdraw(&self, document: &Document, actor: &Actor) -> bool {
        let owner = document.owner.as_ref().filter(|_| actor.kind == ActorKind::User);
        self.decision.is_asked_by(actor) || owner.is_some_and(|owner| owner.id.to_string() == actor.id)
    }

    /// The state on a day: beside the last day, what was accepted is stale while its document is archived.
    pub fn state_on(&self, today: &Day, status: DocumentStatus) -> DecisionState {
        match self.decision.state_on(today) {
            DecisionState::Accepted if status == DocumentStatus::Archived => DecisionState::Stale,
            state => state,
        }
    }

    /// What was accepted after a version of its document was published; none if it stays as it is. It becomes stale if its item
    /// went or prints something else, and is in force again if it prints what was accepted.
    pub fn follow(&self, document: &DocumentWithItems, version: i64, at: Timestamp) -> Option<Self> {
        if !self.decision.state_on(&Day::of(at)).is_live() {
            return None;
        }
        let node_id = self.node_id.as_deref()?;
        let is_same = printed_sha256(document, node_id) == self.printed_sha256;
        let step = if is_same { DecisionStep::Recover } else { DecisionStep::Worsen };
        let decision = self.decision.after(step, at).ok()?;
        Some(Self { decision, stale_by: (!is_same).then_some(version), ..self.clone() })
    }
}

/// The number of the published version of a document that is in use.
fn published(document: &Document) -> Result<i64> {
    if document.status == DocumentStatus::Archived {
        return Err(Error::Conflict(ErrorCode::DocumentArchived));
    }
    document.published_version.ok_or(Error::Conflict(ErrorCode::NotPublished))
}

fn item<'d>(document: &'d DocumentWithItems, id: &str) -> Option<&'d PlacedItem> {
    document.items.iter().find(|placed| placed.item.id == id)
}

/// The SHA-256 of what a document prints for an item; none if it has no such item.
fn printed_sha256(document: &DocumentWithItems, id: &str) -> Option<String> {
    let placed = item(document, id)?;
    let value = placed.value.as_deref().unwrap_or_default();
    let printed = match &placed.item.kind {
        ItemKind::Text { .. } => value,
        ItemKind::Select { options, .. } => {
            options.iter().find(|option| option.id == value).map_or("", |option| option.text.as_str())
        }
    };
    Some(sha256(printed))
}
