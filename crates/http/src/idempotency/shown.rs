//! The record that a response shows, by its path.

use std::borrow::Cow;

use domain::incident::Reference;
use domain::task::TaskOf;
use domain::{IncidentNumber, InvitationId, RiskNumber, SavedViewId, UserId};
use percent_encoding::percent_decode_str;
use store::notes::NoteId;
use store::shown::Shown;

/// The record that a GET of this path, or of what it begins with, shows; none where nothing can become absent.
pub(super) fn of_path(path: &str) -> Option<Shown> {
    let path = path.strip_prefix("/v1/")?;
    let decoded = |text| percent_decode_str(text).decode_utf8().ok();
    let segments: Vec<Cow<'_, str>> = path.split('/').map(decoded).collect::<Option<_>>()?;
    let segments: Vec<&str> = segments.iter().map(AsRef::as_ref).collect();
    match segments.as_slice() {
        ["incidents", id, part @ ..] => {
            let incident = IncidentNumber::parse(id)?;
            Some(of_part(incident, part).unwrap_or(Shown::Incident(incident)))
        }
        ["sources", source, "incidents", reference] => Reference::new(source, reference).map(Shown::Reported),
        ["risks", id, part @ ..] => {
            let risk = RiskNumber::parse(id)?;
            Some(task(TaskOf::Risk(risk), part).unwrap_or(Shown::Risk(risk)))
        }
        ["views", id] => SavedViewId::parse(id).map(Shown::SavedView),
        ["users", id, ..] => UserId::parse(id).map(Shown::User),
        ["invitations", id] => InvitationId::parse(id).map(Shown::Invitation),
        _ => None,
    }
}

/// The part of an incident that can be deleted alone.
fn of_part(incident: IncidentNumber, part: &[&str]) -> Option<Shown> {
    match part {
        ["notes", number, ..] => Some(Shown::Note(NoteId { incident, number: number.parse().ok()? })),
        _ => task(TaskOf::Incident(incident), part),
    }
}

/// A task of this record.
fn task(of: TaskOf, part: &[&str]) -> Option<Shown> {
    match part {
        ["tasks", number, ..] => Some(Shown::Task(of, number.parse().ok()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_shows_the_record_that_it_names() {
        let incident = IncidentNumber(7);
        for (path, shown) in [
            ("/v1/incidents/INC-0007", Some(Shown::Incident(incident))),
            ("/v1/incidents/inc-7/transitions", Some(Shown::Incident(incident))),
            ("/v1/incidents/7/tasks", Some(Shown::Incident(incident))),
            ("/v1/incidents/7/tasks/3", Some(Shown::Task(TaskOf::Incident(incident), 3))),
            ("/v1/incidents/7/notes/3/restore", Some(Shown::Note(NoteId { incident, number: 3 }))),
            ("/v1/incidents/7/review/actions/1/task", Some(Shown::Incident(incident))),
            ("/v1/sources/a%2Fb/incidents/%25", Reference::new("a/b", "%").map(Shown::Reported)),
            ("/v1/risks/RSK-2/evaluations/9", Some(Shown::Risk(RiskNumber(2)))),
            ("/v1/risks/RSK-2/tasks/9", Some(Shown::Task(TaskOf::Risk(RiskNumber(2)), 9))),
            ("/v1/incidents", None),
            ("/v1/incidents/bulk", None),
            ("/v1/undo", None),
            ("/v1/documents/policy", None),
            ("/o/acme/incidents/INC-0007", None),
        ] {
            assert_eq!(of_path(path), shown, "{path}");
        }
    }
}
