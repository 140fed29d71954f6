//! Tasks.

use serde_json::Value;

use super::Part;
use crate::timeline::clause::Clause;
use crate::timeline::{phrase, shown};

/// What happened to a task.
pub(super) fn clauses(part: &mut Part<'_, '_>) -> Vec<Clause> {
    let title = part.take("title").map(|change| (change.before.as_str(), change.after.as_str()));
    let called = part.title(title.and_then(|(_, after)| after));
    if part.take_made() {
        return vec![added(part, &called)];
    }
    let what = format!("the task {called}");
    let mut clauses = Vec::new();
    clauses.extend(part.take_deleted().map(|verb| format!("{verb} {what}").into()));
    clauses.extend(status(part, &what));
    clauses.extend(owner(part, &what));
    if let Some((Some(before), Some(_))) = title {
        clauses.push(format!("renamed the task {} to {called}", phrase::quoted(before)).into());
    }
    clauses.extend(due(part, &what));
    clauses.extend(part.take("mandatory").map(|change| {
        let word = if change.after == Value::Bool(true) { "mandatory" } else { "optional" };
        format!("made {what} {word}").into()
    }));
    if part.take("position").is_some() && clauses.is_empty() && part.changes.is_empty() {
        clauses.push(format!("moved {what}").into());
    }
    clauses.extend(part.rest(&what));
    clauses
}

fn added(part: &mut Part<'_, '_>, called: &str) -> Clause {
    let is_mandatory = part.take("mandatory").is_some_and(|change| change.after == Value::Bool(true));
    let mandatory = if is_mandatory { "mandatory " } else { "" };
    let owner = part.take_text("owner").map(|id| format!(" for {}", shown::person(id, part.names)));
    let due = part.take_text("due").and_then(|due| shown::date(due, part.names));
    let due = due.map(|due| format!(", due {due}")).unwrap_or_default();
    format!("added the {mandatory}task {called}{}{due}", owner.unwrap_or_default()).into()
}

fn status(part: &mut Part<'_, '_>, what: &str) -> Option<Clause> {
    let status = part.take("status")?;
    // The date and the reason follow from it.
    part.take("done_date");
    let why = part.take_text("reason").map(phrase::reason);
    let told = match status.after.as_str().unwrap_or_default() {
        "done" => format!("marked {what} as done"),
        "in_progress" => format!("started {what}"),
        "not_doing" => format!("marked {what} as not needed"),
        "open" => format!("reopened {what}"),
        other => format!("set the status of {what} to {}", phrase::word(other)),
    };
    Some(Clause::from(told).because(why))
}

fn owner(part: &mut Part<'_, '_>, what: &str) -> Option<Clause> {
    let owner = part.take("owner")?;
    let told = match (owner.before.as_str(), owner.after.as_str()) {
        (_, Some(id)) if id == part.actor => format!("assigned {what} to themselves"),
        (_, Some(id)) => format!("assigned {what} to {}", shown::person(id, part.names)),
        (Some(id), None) => format!("removed {} as the owner of {what}", shown::person(id, part.names)),
        (None, None) => return None,
    };
    Some(told.into())
}

fn due(part: &mut Part<'_, '_>, what: &str) -> Option<Clause> {
    let due = part.take("due")?;
    let told = match due.after.as_str().and_then(|due| shown::date(due, part.names)) {
        Some(due) => format!("set the due date of {what} to {due}"),
        None => format!("cleared the due date of {what}"),
    };
    Some(told.into())
}
