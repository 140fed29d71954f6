//! `/o/{slug}/incidents/{id}/edit`: changes the fields of an incident.

use askama::Template;
use db::Tx;
use domain::Author;
use domain::incident::IncidentPatch;
use domain::incident::{DateField, Incident, Kind};
use domain::json;
use domain::person::{Member, Person};
use domain::record::Record as _;
use store::View;

use super::{WRITE, address, number};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
use crate::pages::listed::asked::{answers, with_asked};
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

/// The most people that can be chosen.
const MOST_PEOPLE: i64 = 200;

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

/// `POST /o/{slug}/incidents/{id}/edit`: changes what differs from the version that the form was made of.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let sent = request.form().await?;
    let (request, sent) = (&request, &sent);
    let current = || async move { Ok(form_of(&read(request).await?, request)) };
    let write = |form: Form| async move {
        let (to, version) = (address(request, number), form.version());
        let members = form.changed(&with_asked::<Incident>(MEMBERS), &request.clock);
        let (patch, expected) =
            (form.read_as(&members, &request.clock, json::body::<IncidentPatch>)?, form.expected());
        let change = async move |tx: &mut Tx, organization, author: &Author| {
            store::incidents::update(tx, organization, author, number, &expected, &patch).await
        };
        let next = move |it: Incident| Next::after(Some(it.version) != version, to.clone());
        request.write(sent, change, next).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let again = async |problems| edit_page(request, Some(form), problems).await;
    request.answer(changed, (texts::changed(number), true), again).await
}

/// The incident in the path.
async fn read(request: &PageRequest) -> Result<Incident> {
    let (mut tx, viewer) = (request.read().await?, request.viewer());
    Ok(store::incidents::get(&mut tx, request.id(), &viewer, number(request)?, View::now()).await?)
}

async fn edit_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<EditPage> {
    request.require(WRITE)?;
    let (number, organization) = (number(request)?, request.id());
    let mut tx = request.read().await?;
    let incident =
        store::incidents::get(&mut tx, organization, &request.viewer(), number, View::now()).await?;
    let people = store::people::first(&mut tx, organization, MOST_PEOPLE).await?;
    let frame = Layout::of(request, &mut tx, texts::edit(number), Section::Incidents).await?;
    let form = sent.unwrap_or_else(|| form_of(&incident, request));
    let problems = news::of_incident(request, &mut tx, number, None, problems).await?;
    Ok(EditPage { frame, incident, people, form, problems })
}

/// The form as it is shown first: every field, and what it was.
fn form_of(incident: &Incident, request: &PageRequest) -> Form {
    let values = [
        ("title", incident.title.clone()),
        ("description", incident.description.clone()),
        ("kind", incident.kind.as_str().to_owned()),
        ("assigned_to", incident.assigned_to.as_ref().map(|it| it.id.to_string()).unwrap_or_default()),
    ];
    let dates = incident.dates();
    let times = [
        ("occurred_date", DateField::Occurred),
        ("detected_date", DateField::Detected),
        ("responded_date", DateField::Responded),
        ("contained_date", DateField::Contained),
        ("resolved_date", DateField::Resolved),
        ("closed_date", DateField::Closed),
    ];
    let times = times.map(|(name, field)| (name, dates.get(field)));
    Form::with_originals(values.into_iter().chain(answers(incident)), incident.version)
        .with_times(times, &request.clock)
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

    fn dates(&self) -> [(&'static str, &'static str); 6] {
        [
            ("occurred_date", texts::OCCURRED),
            ("detected_date", texts::DETECTED),
            ("responded_date", texts::RESPONDED),
            ("contained_date", texts::CONTAINED),
            ("resolved_date", texts::RESOLVED),
            ("closed_date", texts::CLOSED),
        ]
    }

    /// The hidden fields: the version, and what each field was.
    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }
}
