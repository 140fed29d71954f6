//! What a change of a part of an incident is called, such as a task or a tag.

mod links;
mod notes;
mod reviews;
mod tasks;

use serde_json::Value;

use super::clause::{Clause, listed};
use super::names::Names;
use super::payload::Change;
use super::{phrase, shown};
use crate::incident::is_only_counted;
use crate::record::Holds;

/// A part, with what changed of it.
struct Part<'p, 'n> {
    /// What its fields begin with, such as `tasks`.
    prefix: &'p str,
    /// Its number, or the id of a tag.
    id: &'p str,
    /// The beginning of its fields, such as `tasks/3`.
    path: &'p str,
    changes: Vec<&'p Change>,
    /// Who changed it.
    actor: &'n str,
    names: &'n Names,
}

/// A clause for each thing that happened to a part; its changes are told of then.
pub(super) fn clauses(left: &mut Vec<&Change>, actor: &str, names: &Names) -> Vec<Clause> {
    let (mut of_parts, others): (Vec<&Change>, Vec<&Change>) =
        left.drain(..).partition(|change| change.field.contains('/'));
    *left = others;
    let mut clauses = Vec::new();
    while let Some(first) = of_parts.first() {
        let path = path_of(&first.field);
        let (prefix, id) = path.split_once('/').unwrap_or((path, ""));
        let (changes, others) = of_parts.into_iter().partition(|change| path_of(&change.field) == path);
        of_parts = others;
        clauses.extend(told(Part { prefix, id, path, changes, actor, names }));
    }
    clauses
}

fn told(mut part: Part<'_, '_>) -> Vec<Clause> {
    match part.prefix {
        "tasks" => tasks::clauses(&mut part),
        "notes" => notes::clauses(&mut part),
        "links" => links::clauses(&mut part),
        "reviews" => reviews::clauses(&mut part),
        "reports" => vec![reported(&mut part)],
        _ => part.plain(),
    }
}

/// A message about an incident that was not open; its text stands in the journal.
fn reported(part: &mut Part<'_, '_>) -> Clause {
    match part.take_text("message") {
        Some(message) if is_only_counted(message) => {
            "reported the incident again, which was not open; what it said was not kept, as there was too much".into()
        }
        _ => "reported the incident again, which was not open".into(),
    }
}

/// `tasks/3` of `tasks/3/title`.
fn path_of(field: &str) -> &str {
    field.match_indices('/').nth(1).and_then(|(end, _)| field.get(..end)).unwrap_or(field)
}

impl<'p> Part<'p, '_> {
    /// The name of a field of it; empty for the part itself.
    fn name(&self, change: &'p Change) -> &'p str {
        change.field.strip_prefix(self.path).unwrap_or_default().trim_start_matches('/')
    }

    /// A change that is told of now.
    fn take(&mut self, name: &str) -> Option<&'p Change> {
        let place = self.changes.iter().position(|change| self.name(change) == name)?;
        Some(self.changes.remove(place))
    }

    /// The value after the change of a field that is told of now.
    fn take_text(&mut self, name: &str) -> Option<&'p str> {
        self.take(name)?.after.as_str()
    }

    /// Whether it was made by this entry.
    fn take_made(&mut self) -> bool {
        self.take("").is_some_and(|change| !change.after.is_null())
    }

    /// `deleted` or `restored`, if it was.
    fn take_deleted(&mut self) -> Option<&'static str> {
        let change = self.take("deleted_date")?;
        Some(if change.after.is_null() { "restored" } else { "deleted" })
    }

    /// Its title today, in quotes, or else its number.
    fn title(&self, title: Option<&str>) -> String {
        let title = title.or_else(|| self.names.of_parts.get(self.path).map(String::as_str));
        let title = title.or_else(|| self.names.of(self.id));
        title.map_or_else(|| self.id.to_owned(), phrase::quoted)
    }

    /// What is left, by the names of the fields: `changed the notes and position of the task “…”`.
    fn rest(&self, what: &str) -> Option<Clause> {
        let name = |change: &&'p Change| phrase::word(self.name(change)).to_lowercase();
        let names: Vec<String> = self.changes.iter().map(name).collect();
        (!names.is_empty()).then(|| format!("changed the {} of {what}", listed(&names)).into())
    }

    /// A part of a kind that has no wording of its own.
    fn plain(&mut self) -> Vec<Clause> {
        let noun = phrase::word(self.prefix.trim_end_matches('s')).to_lowercase();
        let title = self.changes.iter().find(|change| self.name(change) == "title");
        let title = title.and_then(|change| change.after.as_str());
        let what = match self.title(title).as_str() {
            // An id says nothing to people.
            id if id.len() >= 36 => noun,
            title => format!("{noun} {title}"),
        };
        if let Some(change) = self.take("") {
            let verb = if change.after.is_null() { "removed" } else { "added" };
            return vec![format!("{verb} the {what}").into()];
        }
        if let Some(verb) = self.take_deleted() {
            return vec![format!("{verb} the {what}").into()];
        }
        if let [change] = self.changes.as_slice()
            && matches!(change.after, Value::String(_))
            && let Some(to) = shown::value(Holds::Any, &change.after, self.names)
            && to.chars().count() <= 40
        {
            let name = phrase::word(self.name(change)).to_lowercase();
            return vec![format!("set the {name} of the {what} to {to}").into()];
        }
        self.rest(&format!("the {what}")).into_iter().collect()
    }
}
