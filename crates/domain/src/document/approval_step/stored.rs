//! The text that keeps steps: JSON in one column, because they are always read and written together.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ApprovalStep, ApprovingPeople, Replacement, StepWhen};
use crate::ids::{GroupId, UserId};
use crate::role::Role;
use crate::text::{Line, Reason};

#[derive(Serialize, Deserialize)]
struct Stored {
    name: String,
    who: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    users: Option<Vec<String>>,
    needed: i64,
    when: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    replacements: Vec<StoredReplacement>,
}

#[derive(Serialize, Deserialize)]
struct StoredReplacement {
    person: String,
    replacement: String,
    reason: String,
}

/// The text that keeps these steps: a JSON array. None for no step.
pub fn steps_to_stored(steps: &[ApprovalStep]) -> Option<String> {
    (!steps.is_empty()).then(|| steps_to_json(steps).to_string())
}

/// Steps as they are sent.
pub(in super::super) fn steps_to_json(steps: &[ApprovalStep]) -> Value {
    // Texts and numbers only: serializing them cannot fail.
    steps.iter().map(|step| serde_json::to_value(stored(step)).unwrap_or_default()).collect()
}

/// The steps that a text keeps; none if it is no such text.
pub fn steps_from_stored(text: &str) -> Option<Vec<ApprovalStep>> {
    let stored: Vec<Stored> = serde_json::from_str(text).ok()?;
    stored.into_iter().map(step).collect()
}

fn stored(step: &ApprovalStep) -> Stored {
    let replacement = |it: &Replacement| StoredReplacement {
        person: it.person.to_string(),
        replacement: it.replacement.to_string(),
        reason: it.reason.to_string(),
    };
    Stored {
        name: step.name.to_string(),
        who: step.who.as_str().to_owned(),
        role: step.role.map(|role| role.as_str().to_owned()),
        group: step.group.map(|group| group.to_string()),
        users: step.users.as_ref().map(|users| users.iter().map(ToString::to_string).collect()),
        needed: step.needed,
        when: step.when.as_str().to_owned(),
        replacements: step.replacements.iter().map(replacement).collect(),
    }
}

fn step(it: Stored) -> Option<ApprovalStep> {
    let replacement = |it: StoredReplacement| {
        Some(Replacement {
            person: UserId::parse(&it.person)?,
            replacement: UserId::parse(&it.replacement)?,
            reason: Reason::stored(it.reason),
        })
    };
    let users = |users: Vec<String>| users.iter().map(|id| UserId::parse(id)).collect::<Option<Vec<_>>>();
    Some(ApprovalStep {
        name: Line::stored(it.name),
        who: ApprovingPeople::parse(&it.who)?,
        role: it.role.map(|role| Role::parse(&role).ok_or(())).transpose().ok()?,
        group: it.group.map(|group| GroupId::parse(&group).ok_or(())).transpose().ok()?,
        users: it.users.map(|it| users(it).ok_or(())).transpose().ok()?,
        needed: it.needed,
        when: StepWhen::parse(&it.when)?,
        replacements: it.replacements.into_iter().map(replacement).collect::<Option<_>>()?,
    })
}
