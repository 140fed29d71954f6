//! `GET /o/{slug}/incidents/{id}/as-of`: how an incident stood on another day, beside how it stands.

use askama::Template;
use domain::incident::Incident;
use domain::record::{Holds, Record as _, Value};
use domain::{Error as E, ResourceKind};
use jiff::Timestamp;
use store::View;
use store::incidents::{IncidentDetails, details, get};

use super::show::no_date;
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

/// `GET /o/{slug}/incidents/{id}/as-of?at=…`; without a time the state as it was yesterday, or as it was declared if that was
/// later.
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let (number, organization, viewer) = (number(&request)?, request.id(), request.viewer());
    let asked = request.asked();
    let mut tx = request.read().await?;
    let now = get(&mut tx, organization, &viewer, number, View::now()).await?;
    let yesterday = request.clock.now() - jiff::SignedDuration::from_hours(24);
    let at = match asked.typed("at", &request.clock) {
        Typed::Nothing => Some(yesterday.max(now.created_date)),
        Typed::Moment(at) => Some(at),
        // The page asks which of the two is meant, and shows the first.
        Typed::Unclear([at, _]) => Some(at),
        Typed::Other(text) => domain::time::parse(&text),
    };
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
    let title = texts::at_a_past_date(number);
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
    let hold = it.incident.hold.as_ref();
    let tags: Vec<&str> = it.tags.iter().map(|tag| tag.name.as_str()).collect();
    let exported = Incident::FIELDS.iter().filter(|field| field.is_exported);
    let exported = exported.map(|field| {
        let value = match ((field.value)(&it.incident), field.holds) {
            (Value::Nothing, Holds::Date) => no_date(field.name, it.incident.status).to_owned(),
            (value, holds) => said(holds, value, frame),
        };
        (field.label, value)
    });
    let others = [
        (texts::TAGS, tags.join(", ")),
        (texts::ON_HOLD, hold.map_or_else(|| "no".to_owned(), |hold| hold.reason.to_string())),
    ];
    exported.chain(others).collect()
}

/// A value as people read it.
fn said(holds: Holds, value: Value<'_>, frame: &Layout) -> String {
    match value {
        Value::Nothing => match holds {
            Holds::Person => texts::UNASSIGNED.to_owned(),
            _ => "none".to_owned(),
        },
        Value::Text(text) => text.to_owned(),
        Value::Word(word) => words::label_of(word),
        Value::Id(id) => id,
        Value::Number(number) => number.to_string(),
        Value::Time(at) => frame.clock.long(&at),
        Value::Flag(flag) => if flag { "yes" } else { "no" }.to_owned(),
        Value::Person(person) => person.name.clone(),
        Value::Rating(rating) => rating.score().to_string(),
        Value::Several(texts) => texts.join(", "),
    }
}
