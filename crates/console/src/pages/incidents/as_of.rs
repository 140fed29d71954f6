//! `GET /o/{slug}/incidents/{id}/as-of`: how an incident stood on another day, beside how it stands.

use askama::Template;
use domain::incident::Incident;
use domain::record::Record as _;
use domain::{Error as E, ResourceKind};
use jiff::Timestamp;
use store::View;
use store::incidents::{IncidentDetails, details, get};

use super::{READ, number};
use crate::frame::clock::{Clock, Typed};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words;
use crate::texts;

#[derive(Template)]
#[template(path = "incidents/as_of.html")]
struct AsOfPage {
    frame: Layout,
    now: Incident,
    /// The time that was asked for.
    form: Form,
    /// How it stood; none before it was declared.
    then: Option<Incident>,
    rows: Vec<Row>,
    /// The last journal entry that counts.
    seq: i64,
    problem: Option<&'static str>,
}

/// A field, then and today.
struct Row {
    name: &'static str,
    then: String,
    today: String,
}

/// `GET /o/{slug}/incidents/{id}/as-of?at=…`; without a time the state as it was yesterday.
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let (number, organization, viewer) = (number(&request)?, request.id(), request.viewer());
    let asked = request.asked();
    let yesterday = request.clock.now() - jiff::SignedDuration::from_hours(24);
    let at = match asked.typed("at", &request.clock) {
        Typed::Nothing => Some(yesterday),
        Typed::Moment(at) => Some(at),
        // The page asks which of the two is meant, and shows the first.
        Typed::Unclear([at, _]) => Some(at),
        Typed::Other(text) => text.parse().ok(),
    };
    let mut tx = request.read().await?;
    let now = get(&mut tx, organization, &viewer, number, View::now()).await?;
    let now = details(&mut tx, organization, &viewer, View::now(), now).await?;
    let resolved = match at {
        Some(at) => store::journal::resolve(&mut tx, organization, Some(at), None).await?,
        None => None,
    };
    let then = match resolved {
        Some(as_of) => match get(&mut tx, organization, &viewer, number, View::as_of(as_of.seq)).await {
            Ok(then) => Some(details(&mut tx, organization, &viewer, View::as_of(as_of.seq), then).await?),
            Err(store::Error(E::NotFound(ResourceKind::Incident))) => None,
            Err(error) => return Err(error.into()),
        },
        None => None,
    };
    let title = texts::on_another_day(number);
    let frame = Layout::of(&request, &mut tx, title, Section::Incidents).await?;
    let rows = then.as_ref().map(|then| differences(then, &now, &frame)).unwrap_or_default();
    let problem = match (&resolved, &then) {
        (None, _) => Some(texts::NOT_IN_THE_PAST),
        (_, None) => Some(texts::NOT_DECLARED_THEN),
        _ => None,
    };
    request.show(&AsOfPage {
        form: shown(asked, at, &request.clock),
        then: then.map(|then| then.incident),
        seq: resolved.map_or(0, |as_of| as_of.seq),
        now: now.incident,
        frame,
        rows,
        problem,
    })
}

/// The form with the time that is shown; one that is not clear stays as it was typed.
fn shown(asked: Form, at: Option<Timestamp>, clock: &Clock) -> Form {
    let is_clear = asked.moments("at", clock).is_empty();
    match at.filter(|_| is_clear) {
        Some(at) => Form::default().with_times([("at", Some(at))], clock),
        None => asked,
    }
}

/// The fields that differ.
fn differences(then: &IncidentDetails, now: &IncidentDetails, frame: &Layout) -> Vec<Row> {
    let (then, now) = (fields(then, frame), fields(now, frame));
    let rows = then.into_iter().zip(now).map(|((name, then), (_, today))| Row { name, then, today });
    rows.filter(|row| row.then != row.today).collect()
}

/// The fields of an incident as people read them.
fn fields(it: &IncidentDetails, frame: &Layout) -> Vec<(&'static str, String)> {
    let incident = &it.incident;
    let time =
        |at: Option<Timestamp>| at.map_or_else(|| texts::NOT_YET.to_owned(), |at| frame.clock.long(&at));
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
    let assigned = incident.assigned_to.as_ref();
    let asked =
        Incident::asked().map(|(field, _)| (field.label, field.text(incident).unwrap_or("none").to_owned()));
    let all = [
        (texts::TITLE, incident.title.clone()),
        (texts::DESCRIPTION, incident.description.clone()),
        (texts::STATUS, incident.status.label().to_owned()),
        (texts::SEVERITY, words::severity(&incident.severity)),
        (texts::WHY_THIS_SEVERITY, text(&incident.severity_reasoning)),
        (texts::ASSIGNED, assigned.map_or_else(|| texts::NOBODY.to_owned(), |person| person.name.clone())),
        (texts::KIND, words::label(&incident.kind)),
        (texts::TAGS, it.tags.iter().map(|tag| tag.name.as_str()).collect::<Vec<_>>().join(", ")),
        (texts::OCCURRED, time(incident.occurred_date)),
        (texts::DETECTED, time(Some(incident.detected_date))),
        (texts::RESPONDED, time(incident.responded_date)),
        (texts::CONTAINED, time(incident.contained_date)),
        (texts::RESOLVED, time(incident.resolved_date)),
        (texts::CLOSED, time(incident.closed_date)),
        (texts::HOW_IT_ENDED, text(&incident.resolution_summary)),
        (texts::ON_HOLD, incident.hold.as_ref().map_or_else(|| "no".to_owned(), |hold| hold.reason.clone())),
        (texts::RESTRICTED, if incident.restricted { "yes" } else { "no" }.to_owned()),
    ];
    all.into_iter().chain(asked).collect()
}
