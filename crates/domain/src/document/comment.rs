//! Comments on a proposal. They stay with it, and stop nothing.

use jiff::Timestamp;
use macros::Body;

use super::PlacedItem;
use super::edit::Edit;
use super::item::ID_CHARACTERS;
use crate::actor::Actor;
use crate::error::{Error, ResourceKind, Result};
use crate::fault::{FaultCode, Faults};
use crate::schema::Schema;
use crate::text::{self, Prose, ProseOrEmpty};

/// A comment on a proposal, or a reply to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalComment {
    /// The number of the proposal.
    pub proposal: i64,
    /// Counts the comments of the proposal from 1.
    pub number: i64,
    /// The comment that it replies to.
    pub reply_to: Option<i64>,
    /// The item that it is about; none: the whole proposal.
    pub node_id: Option<String>,
    /// What it says.
    pub text: Prose,
    /// The item that it suggests a value for.
    pub suggested_item: Option<String>,
    /// That value.
    pub suggested_value: Option<String>,
    /// Who wrote it.
    pub author: Actor,
    /// When.
    pub created_date: Timestamp,
    /// Who resolved it.
    pub resolved_by: Option<Actor>,
    /// When.
    pub resolved_date: Option<Timestamp>,
}

impl ProposalComment {
    /// Whether it waits for somebody: replies do not.
    pub fn is_open(&self) -> bool {
        self.reply_to.is_none() && self.resolved_date.is_none()
    }

    /// What it suggests.
    pub fn suggestion(&self) -> Option<Suggestion> {
        let (node_id, value) = self.suggested_item.clone().zip(self.suggested_value.clone())?;
        Some(Suggestion { node_id, value })
    }

    /// The edit that adopts its suggestion.
    ///
    /// # Errors
    /// If it suggests nothing, or the item is not there any more.
    pub fn adopted(&self, items: &[PlacedItem]) -> Result<Edit> {
        let suggestion = self.suggestion().ok_or(Error::NotFound(ResourceKind::Suggestion))?;
        let item = items.iter().find(|it| it.item.id == suggestion.node_id);
        let item = item.ok_or(Error::NotFound(ResourceKind::Suggestion))?;
        let Suggestion { node_id, value } = suggestion;
        Ok(Edit { node_id, node_type: item.item.kind.node_type(), value })
    }
}

/// A value that a comment suggests for an item.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct Suggestion {
    /// The id of the item.
    #[body(schema = Schema::text(0, ID_CHARACTERS, text::ANY), example = "mfa")]
    pub node_id: String,
    /// The id of an option, or the text.
    #[body(schema = ProseOrEmpty::SCHEMA, example = "all")]
    pub value: String,
}

/// A comment to write.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct NewProposalComment {
    /// The number of the comment that it replies to, which is no reply itself.
    #[body(range = 1..=2_147_483_647)]
    pub reply_to: Option<i64>,
    /// The id of the item that it is about; without one it is about the whole proposal.
    #[body(schema = Schema::text(0, ID_CHARACTERS, text::ANY), example = "mfa")]
    pub node_id: Option<String>,
    /// What it says, as Markdown.
    #[body(example = "Are contractors among them?")]
    pub text: Prose,
    /// A value for an item. The person who adopts it edits the item and becomes an author of the proposal; the person who suggests it does not.
    pub suggestion: Option<Suggestion>,
}

impl NewProposalComment {
    /// The ids of the items that it names.
    pub fn named(&self) -> Vec<&str> {
        let suggested = self.suggestion.as_ref().map(|suggestion| suggestion.node_id.as_str());
        self.node_id.as_deref().into_iter().chain(suggested).collect()
    }

    /// Checks it against the `items` that it names, and the comment that it replies to.
    ///
    /// # Errors
    /// All faults.
    pub fn check(&self, items: &[PlacedItem], replied_to: Option<&ProposalComment>) -> Result<()> {
        let mut faults = Faults::new();
        let find = |id: &str| items.iter().find(|it| it.item.id == id);
        let unknown = "The document has no item with this id.";
        if self.node_id.as_deref().is_some_and(|id| find(id).is_none()) {
            faults.add("#/node_id", FaultCode::UnknownItem, unknown);
        }
        if let Some(Suggestion { node_id, value }) = &self.suggestion {
            match find(node_id) {
                Some(it) => it.item.kind.check_value(value, "#/suggestion/value", &mut faults),
                None => faults.add("#/suggestion/node_id", FaultCode::UnknownItem, unknown),
            }
        }
        if self.reply_to.is_some() && replied_to.is_none_or(|comment| comment.reply_to.is_some()) {
            let detail = "The proposal has no comment with this number that is no reply.";
            faults.add("#/reply_to", FaultCode::UnknownComment, detail);
        }
        faults.or(Some(())).map(drop)
    }
}
