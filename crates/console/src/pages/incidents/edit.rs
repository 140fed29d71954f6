//! `/o/{slug}/incidents/{id}/edit`: changes the fields of an incident.

use askama::Template;
use domain::incident::IncidentPatch;
use domain::incident::{DateField, Incident, Kind};
use domain::json;
use domain::person::{Member, Person};
use domain::record::Record as _;
use store::View;

use super::{WRITE, label, number};
use crate::frame::form::{As, Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::pages::listed::asked::form_of;
use crate::pages::listed::change::edit;
use crate::texts;

/// The members that can be changed here, as the form has them, but for the lines that it asks for.
const MEMBERS: &[(&str, As)] = &[
    ("title", As::Text),
    ("description", As::Text),
    ("kind", As::Text),
    ("assigned_to", As::TextOrNull),
    ("occurred_date", As::Time),
    ("detected_date", As::Time),
    ("responded_date", As::Time),
    ("contained_date", As::Time),
    ("resolved_date", As::Time),
    ("closed_date", As::Time),
];

#[derive(Template)]
#[template(path = "incidents/edit.html")]
struct EditPage {
    frame: Layout,
    incident: Incident,
    people: Vec<Member>,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/incidents/{id}/edit`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = edit_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/incidents/{id}/edit`
pub(crate) async fn submit(request: PageRequest) -> Result {
    edit::<Incident, _>(request, (MEMBERS, json::body::<IncidentPatch>), edit_page).await
}

async fn edit_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<EditPage> {
    request.require(WRITE)?;
    let (number, organization) = (number(request)?, request.id());
    let mut tx = request.read().await?;
    let incident =
        store::incidents::get(&mut tx, organization, &request.viewer(), number, View::now()).await?;
    let people = store::people::first(&mut tx, organization, MOST_CHOICES).await?;
    let frame = Layout::of(request, &mut tx, texts::edit(number), Section::Incidents).await?;
    let form = sent.unwrap_or_else(|| form_of(&incident, incident.version, MEMBERS, &request.clock));
    let problems = news::of_incident(request, &mut tx, number, None, problems).await?;
    Ok(EditPage { frame, incident, people, form, problems })
}

impl EditPage {
    /// Who works on it, if they cannot be chosen: without them the form would take it away from them.
    fn other_assignee(&self) -> Option<&Person> {
        let is_there = |person: &Person| self.people.iter().any(|it| it.person.id == person.id);
        self.incident.assigned_to.as_ref().filter(|person| !is_there(person))
    }

    fn kinds(&self) -> &'static [Kind] {
        Kind::ALL
    }

    /// The dates: each field, and its label.
    fn dates(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        DateField::ALL.into_iter().map(|date| (date.name(), label(date.name())))
    }

    /// The hidden fields: the version, and what each field was.
    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }
}
