//! `/o/{slug}/incidents/{id}/edit`: changes the fields of an incident.

use askama::Template;
use domain::ExpectedVersion;
use domain::incident::{DateField, Incident, Kind};
use domain::person::Member;
use store::View;
use web::input::incident_changes::read_patch;

use super::{WRITE, address, number};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// The members that can be changed here, as the form has them.
const MEMBERS: &[(&str, As)] = &[
    ("title", As::Text),
    ("description", As::Text),
    ("kind", As::Text),
    ("source", As::TextOrNull),
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
    let form = request.form().await?;
    let to = address(&request, number);
    let version = form.text("version").parse().unwrap_or_default();
    let changed = async {
        let patch = form.read_as(&form.changed(MEMBERS), &request.clock, read_patch)?;
        request
            .write(
                &form,
                async move |tx, organization, author| {
                    let expected = ExpectedVersion::OneOf(vec![version]);
                    store::incidents::update(tx, organization, author, number, &expected, &patch).await
                },
                move |_| to.clone(),
            )
            .await
    };
    let changed = changed.await;
    let again = async |problems| edit_page(&request, Some(form), problems).await;
    request.answer(changed, (texts::changed(number), true), again).await
}

async fn edit_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<EditPage> {
    request.require(WRITE)?;
    let (number, organization) = (number(request)?, request.id());
    let mut tx = request.read().await?;
    let incident =
        store::incidents::get(&mut tx, organization, &request.viewer(), number, View::now()).await?;
    let people = store::people::first(&mut tx, organization, MOST_PEOPLE).await?;
    let frame = Layout::of(request, &mut tx, texts::edit(number), Section::Incidents).await?;
    let current = form_of(&incident, request);
    let form = match sent {
        Some(sent) if problems.is_stale => sent.onto(current),
        sent => sent.unwrap_or(current),
    };
    Ok(EditPage { frame, incident, people, form, problems })
}

/// The form as it is shown first: every field, and what it was.
fn form_of(incident: &Incident, request: &PageRequest) -> Form {
    let time =
        |field: DateField| incident.dates().get(field).map(|at| request.clock.field(&at)).unwrap_or_default();
    let values = [
        ("title", incident.title.clone()),
        ("description", incident.description.clone()),
        ("kind", incident.kind.as_str().to_owned()),
        ("source", incident.source.clone().unwrap_or_default()),
        ("assigned_to", incident.assigned_to.as_ref().map(|it| it.id.to_string()).unwrap_or_default()),
        ("occurred_date", time(DateField::Occurred)),
        ("detected_date", time(DateField::Detected)),
        ("responded_date", time(DateField::Responded)),
        ("contained_date", time(DateField::Contained)),
        ("resolved_date", time(DateField::Resolved)),
        ("closed_date", time(DateField::Closed)),
    ];
    Form::with_originals(values, incident.version)
}

impl EditPage {
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
