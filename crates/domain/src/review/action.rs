//! The actions of a review, and the text that keeps them.

use jiff::Timestamp;
use macros::Body;
use serde::{Deserialize, Serialize};

use crate::ids::UserId;
use crate::text::Line;
use crate::time;

/// The most actions of a review.
pub const MAX_ACTIONS: usize = 50;

/// Something to be done. It is followed once it is a task.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "NewReviewAction", read_only = &["number"])]
pub struct Action {
    /// One line, not blank.
    #[body(example = "Turn on a second factor for the mail accounts")]
    pub title: Line,
    /// The owner's id: a member of the organization.
    pub owner: Option<UserId>,
    /// Until when.
    pub due: Option<Timestamp>,
    /// The number of the task of the incident that it is.
    #[body(range = 1..=i64::MAX)]
    pub task: Option<i64>,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    task: Option<i64>,
}

/// The text that keeps these actions: a JSON array. None for no action.
pub fn list_to_stored(actions: &[Action]) -> Option<String> {
    let stored = |action: &Action| Stored {
        title: action.title.to_string(),
        owner: action.owner.map(|owner| owner.to_string()),
        due: action.due.map(time::format),
        task: action.task,
    };
    let all: Vec<Stored> = actions.iter().map(stored).collect();
    // Texts and numbers only: serializing them cannot fail.
    (!all.is_empty()).then(|| serde_json::to_string(&all).unwrap_or_default())
}

/// The actions that a text keeps; none if it is no such text.
pub fn list_from_stored(text: &str) -> Option<Vec<Action>> {
    let stored: Vec<Stored> = serde_json::from_str(text).ok()?;
    let action = |Stored { title, owner, due, task }| {
        let owner = owner.map(|owner| UserId::parse(&owner).ok_or(())).transpose().ok()?;
        let due = due.map(|due| time::parse(&due).ok_or(())).transpose().ok()?;
        Some(Action { title: Line::stored(title), owner, due, task })
    };
    stored.into_iter().map(action).collect()
}
