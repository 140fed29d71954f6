//! What a change of an incident is called: a clause for what belongs together, and one for every other field.

use serde_json::Value;

use super::clause::{Clause, listed};
use super::fields;
use super::names::Names;
use super::payload::{Change, Payload};
use super::{Told, kinds, parts, phrase, shown};
use crate::incident::{Requirement, ResolutionReason, Status, Step};
use crate::record::Holds;

/// What was done, in the order of its weight.
pub(super) fn clauses(told: Told<'_>, payload: &Payload, names: &Names) -> Vec<Clause> {
    let mut rest = Rest { left: payload.changes().iter().collect(), names };
    if told.kind == "incident.created" {
        return vec![rest.declared()];
    }
    let mut clauses = Vec::new();
    // It was not done by the rules of transitions.
    clauses.extend((told.kind == "incident.imported").then(|| kinds::clause(told.kind).into()));
    clauses.extend(rest.deleted());
    clauses.extend(rest.redacted());
    clauses.extend(rest.status());
    clauses.extend(rest.severity());
    clauses.extend(rest.assignee(&told.actor.id));
    clauses.extend(rest.hold());
    clauses.extend(rest.restricted());
    clauses.extend(rest.readers());
    clauses.extend(rest.legal_hold());
    clauses.extend(parts::clauses(&mut rest.left, &told.actor.id, names));
    rest.left.sort_by_key(|change| fields::place(&change.field));
    clauses.extend(rest.left.iter().filter_map(|change| plain(change, names)));
    clauses
}

/// The changes that no clause tells of yet.
struct Rest<'p, 'n> {
    left: Vec<&'p Change>,
    names: &'n Names,
}

impl<'p> Rest<'p, '_> {
    /// A change that is told of now.
    fn take(&mut self, field: &str) -> Option<&'p Change> {
        let place = self.left.iter().position(|change| change.field == field)?;
        Some(self.left.remove(place))
    }

    /// The value after the change of a field that is told of now.
    fn take_text(&mut self, field: &str) -> Option<&'p str> {
        self.take(field)?.after.as_str()
    }

    fn declared(&mut self) -> Clause {
        let title = self.take_text("title").map(|title| format!(" {}", phrase::quoted(title)));
        let reported = self.take_text("external_source").map(|system| {
            let reference =
                self.take_text("external_ref").map(|text| format!(" as {}", phrase::quoted(text)));
            format!(", reported by {}{}", phrase::quoted(system), reference.unwrap_or_default())
        });
        let (title, reported) = (title.unwrap_or_default(), reported.unwrap_or_default());
        format!("declared the incident{title}{reported}").into()
    }

    fn deleted(&mut self) -> Option<Clause> {
        let change = self.take("deleted_date")?;
        Some(if change.after.is_null() { "restored the incident" } else { "deleted the incident" }.into())
    }

    fn redacted(&mut self) -> Option<Clause> {
        let told = &self.take(fields::REDACTION)?.after;
        let field =
            told.get("field").and_then(Value::as_str).map(|field| field.split('/').collect::<Vec<_>>());
        let what = match field.as_deref() {
            None => "redacted a text in every place".to_owned(),
            Some([field]) => format!("redacted {}", fields::named(field)),
            Some([part, number, field]) => format!("redacted {} of {part} {number}", fields::named(field)),
            Some(_) => "redacted the incident".to_owned(),
        };
        let why = told.get("reason").and_then(Value::as_str).map(phrase::reason);
        Some(Clause::from(what).because(why))
    }

    fn status(&mut self) -> Option<Clause> {
        let change = self.take("status")?;
        let status = |value: &Value| value.as_str().and_then(Status::parse);
        let (from, to) = (status(&change.before), status(&change.after));
        let step = from.zip(to).and_then(|(from, to)| Step::between(from, to));
        let began = self.take("status_date").map(|date| &date.after);
        let is_back = step.is_some_and(Step::is_back);
        // What a step sets and clears by itself is no news.
        self.left.retain(|it| {
            let follows = it.field.ends_with("_date") && Some(&it.after) == began
                || is_back && it.after.is_null() && cleared_by_a_step_back(&it.field)
                || ["last_step_back", "reopen_count", "first_contained_date", "first_resolved_date"]
                    .contains(&it.field.as_str());
            !follows
        });
        let why = self.take_text("status_reason").map(phrase::reason);
        let what = match (to, step) {
            (Some(Status::Resolved), _) if !is_back => self.resolved(),
            (Some(Status::Dismissed), _) => self.dismissed(),
            (Some(Status::Closed), _) => self.closed(),
            (_, Some(step)) if step.is_reopening() => format!("reopened the incident as {}", step.to.label()),
            (_, Some(step)) if is_back => {
                format!("changed the status from {} back to {}", step.from.label(), step.to.label())
            }
            _ => {
                let text = |value| shown::value(Holds::Word, value, self.names).unwrap_or_default();
                format!("changed the status from {} to {}", text(&change.before), text(&change.after))
            }
        };
        Some(Clause::from(what).because(why))
    }

    fn resolved(&mut self) -> String {
        let reason = self.take_text("resolution_reason").and_then(ResolutionReason::parse);
        match reason {
            None | Some(ResolutionReason::Other) => "resolved the incident".to_owned(),
            Some(reason) => format!("resolved the incident as {}", outcome(reason)),
        }
    }

    fn dismissed(&mut self) -> String {
        let reason = self.take_text("resolution_reason").and_then(ResolutionReason::parse);
        let original = self.take("duplicate_of").and_then(|change| change.after.as_i64());
        match (reason, original) {
            (_, Some(original)) => {
                format!("dismissed the incident as a duplicate of {}", self.names.incident(original))
            }
            (None | Some(ResolutionReason::Other), None) => "dismissed the incident".to_owned(),
            (Some(reason), None) => format!("dismissed the incident as {}", outcome(reason)),
        }
    }

    fn closed(&mut self) -> String {
        let missing = self.take_text("overridden").unwrap_or_default();
        let missing: Vec<String> =
            missing.split(' ').filter_map(Requirement::parse).map(|it| lacking(it).to_owned()).collect();
        match missing.as_slice() {
            [] => "closed the incident".to_owned(),
            missing => format!("closed the incident although {}", listed(missing)),
        }
    }

    fn severity(&mut self) -> Option<Clause> {
        let (level, reasoning) = (self.take("severity"), self.take("severity_reasoning"));
        let (origin, answers) = (self.take("severity_source"), self.take("severity_answers"));
        let why = reasoning.and_then(|change| change.after.as_str()).map(phrase::reason);
        let what = match level {
            Some(change) => {
                let level =
                    shown::value(fields::holds("severity"), &change.after, self.names).unwrap_or_default();
                // The sentence of the rules names the level itself: "High, because…".
                match why.as_deref().is_some_and(|why| why.starts_with(&level)) {
                    true => "set the severity".to_owned(),
                    false => format!("set the severity to {level}"),
                }
            }
            None if reasoning.is_some() => "changed the severity rationale".to_owned(),
            None if origin.is_some() || answers.is_some() => "reassessed the severity".to_owned(),
            None => return None,
        };
        Some(Clause::from(what).because(why))
    }

    fn assignee(&mut self, actor: &str) -> Option<Clause> {
        let change = self.take("assigned_to")?;
        let name = |value: &Value| value.as_str().map(|id| shown::person(id, self.names));
        let (from, to) = (name(&change.before), name(&change.after));
        let what = match (from, to) {
            (_, Some(_)) if change.after.as_str() == Some(actor) => {
                "assigned the incident to themselves".to_owned()
            }
            (Some(from), Some(to)) => format!("assigned the incident to {to} instead of {from}"),
            (None, Some(to)) => format!("assigned the incident to {to}"),
            (Some(from), None) => format!("removed {from} as the assignee"),
            (None, None) => return None,
        };
        Some(what.into())
    }

    fn hold(&mut self) -> Option<Clause> {
        let change = self.take("hold")?;
        let text = |member: &str| change.after.get(member).and_then(Value::as_str);
        if change.after.is_null() {
            return Some("resumed the incident".into());
        }
        let until = text("until").and_then(|until| shown::date(until, self.names));
        let until = until.map(|until| format!(" until {until}")).unwrap_or_default();
        let what = match change.before.is_null() {
            true => format!("put the incident on hold{until}"),
            false if until.is_empty() => "changed the hold to last until it is resumed".to_owned(),
            false => format!("changed the hold to last{until}"),
        };
        Some(Clause::from(what).because(text("reason").map(phrase::reason)))
    }

    fn restricted(&mut self) -> Option<Clause> {
        let change = self.take("restricted")?;
        if change.after != Value::Bool(true) {
            return Some("lifted the restriction".into());
        }
        let readers = self.take_text("readers").map(|ids| shown::people(ids, self.names));
        let to = readers.map(|readers| format!(" to {}", listed(&readers)));
        Some(format!("restricted the incident{}", to.unwrap_or_default()).into())
    }

    fn readers(&mut self) -> Option<Clause> {
        let change = self.take("readers")?;
        let ids = |value: &'p Value| -> Vec<&'p str> {
            value.as_str().unwrap_or_default().split(' ').filter(|id| !id.is_empty()).collect()
        };
        let (before, after) = (ids(&change.before), ids(&change.after));
        let only = |these: &[&str], others: &[&str]| {
            let names =
                these.iter().filter(|id| !others.contains(id)).map(|id| shown::person(id, self.names));
            listed(&names.collect::<Vec<_>>())
        };
        let (added, removed) = (only(&after, &before), only(&before, &after));
        let what = match (added.as_str(), removed.as_str()) {
            ("", "") => return None,
            (added, "") => format!("made {added} a reader"),
            ("", removed) => format!("removed {removed} as a reader"),
            (added, removed) => format!("made {added} a reader instead of {removed}"),
        };
        Some(what.into())
    }

    fn legal_hold(&mut self) -> Option<Clause> {
        let change = self.take("legal_hold")?;
        let why = self.take_text("legal_hold_reason").map(phrase::reason);
        let what = match change.after == Value::Bool(true) {
            true => "placed the incident under a legal hold",
            false => "lifted the legal hold",
        };
        Some(Clause::from(what).because(why))
    }
}

/// A step back clears what belongs after the new status.
fn cleared_by_a_step_back(field: &str) -> bool {
    let fields = [
        "contained_date",
        "resolved_date",
        "closed_date",
        "resolution_reason",
        "resolution_summary",
        "overridden",
    ];
    fields.contains(&field) || field == "duplicate_of"
}

/// How an incident ended, after "as".
fn outcome(reason: ResolutionReason) -> &'static str {
    match reason {
        ResolutionReason::Fixed => "fixed",
        ResolutionReason::Mitigated => "mitigated",
        ResolutionReason::Accepted => "accepted",
        ResolutionReason::FalsePositive => "a false alarm",
        ResolutionReason::Duplicate => "a duplicate",
        ResolutionReason::NotAnIncident => "no incident",
        ResolutionReason::Test => "a test",
        ResolutionReason::Other => "something else",
    }
}

/// What was missing when an incident was closed with an override, after "although".
fn lacking(requirement: Requirement) -> &'static str {
    match requirement {
        Requirement::SeverityUndetermined => "its severity was undetermined",
        Requirement::ResolutionSummaryMissing => "it had no resolution summary",
        Requirement::MandatoryTasksOpen => "a mandatory task was open",
        Requirement::ReviewNotPublished => "no review was published",
    }
}

/// A field that nothing else tells of.
fn plain(change: &Change, names: &Names) -> Option<Clause> {
    let holds = fields::holds(&change.field);
    let named = fields::named(&change.field);
    let (from, to) = (shown::value(holds, &change.before, names), shown::value(holds, &change.after, names));
    let in_words = |text: String| match holds {
        Holds::Line | Holds::Reference => phrase::quoted(&text),
        _ => text,
    };
    let what = match (holds, from.filter(|text| !text.is_empty()), to.filter(|text| !text.is_empty())) {
        (Holds::Internal, ..) => return None,
        // Text of any length is not quoted.
        (Holds::Prose | Holds::Reason | Holds::Any, None, Some(_)) => format!("added {named}"),
        (Holds::Prose | Holds::Reason | Holds::Any, Some(_), Some(_)) => format!("changed {named}"),
        (_, Some(from), Some(to)) => format!("changed {named} from {} to {}", in_words(from), in_words(to)),
        (_, None, Some(to)) => format!("set {named} to {}", in_words(to)),
        (_, Some(_), None) => format!("cleared {named}"),
        (_, None, None) => format!("changed {named}"),
    };
    Some(what.into())
}
