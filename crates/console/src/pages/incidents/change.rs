//! `/o/{slug}/incidents/{id}/change/{what}`: changes of an incident that ask for more than a click.

use askama::Template;
use domain::incident::{Incident, Viewer};
use domain::incident::{IncidentPatch, Transition};
use domain::json;
use domain::person::Member;
use domain::{IncidentNumber, ResourceKind};
use http::answer::Answer;
use store::View;

use super::show::show_page;
use super::{WRITE, address, number};
use crate::frame::clock::Clock;
use crate::frame::form::{As, Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
use crate::texts;

domain::words! {
    "IncidentChange"
    /// What is changed.
    pub(crate) enum What {
        /// The pause in the work on it.
        Hold = "hold",
        /// Its visibility.
        Access = "access",
        /// It is another one, declared twice.
        Duplicate = "duplicate",
        /// Whether it may be permanently deleted.
        LegalHold = "legal-hold",
        /// It is closed with an override.
        Override = "override",
    }
}

impl What {
    /// The members of the change, as the form has them.
    fn members(self) -> &'static [(&'static str, As)] {
        match self {
            Self::Hold => &[("hold", As::TextOrNull), ("hold/reason", As::Text), ("hold/until", As::Time)],
            Self::Access => &[("restricted", As::Flag), ("readers", As::List)],
            Self::LegalHold => &[("legal_hold", As::YesOrNo), ("reason", As::Text)],
            Self::Duplicate => &[
                ("to", As::Text),
                ("resolution_reason", As::Text),
                ("duplicate_of", As::Text),
                ("reason", As::TextOrNull),
            ],
            Self::Override => &[
                ("to", As::Text),
                ("override", As::YesOrNo),
                ("reason", As::Text),
                ("resolution_summary", As::TextOrNull),
            ],
        }
    }

    /// The members that are sent: of what a page has filled in those that were changed. A pause is changed as a whole.
    fn sent(self, form: &Form, clock: &Clock) -> Vec<(&'static str, As)> {
        let is_sent = match self {
            Self::Hold => form.has("hold") || !form.changed(self.members(), clock).is_empty(),
            Self::Access => return form.changed(self.members(), clock),
            Self::LegalHold | Self::Duplicate | Self::Override => true,
        };
        if is_sent { self.members().to_vec() } else { Vec::new() }
    }

    /// What is told after a change by this form.
    fn told(self, number: IncidentNumber, form: &Form, clock: &Clock) -> String {
        let was_on_hold = !form.text("was_hold_reason").is_empty();
        match self {
            Self::Hold if form.has("hold") => texts::resumed(number),
            Self::Hold if was_on_hold => texts::hold_changed(number),
            Self::Hold => texts::put_on_hold(number),
            Self::Access => match form.changed(&[("restricted", As::Flag)], clock).is_empty() {
                true => texts::readers_changed(number),
                false => texts::visibility_changed(number, form.is("restricted", "on")),
            },
            Self::LegalHold => texts::legal_hold_changed(number, form.is("legal_hold", "yes")),
            Self::Duplicate => texts::dismissed_as_duplicate(number, form.text("duplicate_of").trim()),
            Self::Override => texts::closed_with_override(number),
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Hold => texts::PUT_ON_HOLD,
            Self::Access => texts::VISIBILITY,
            Self::Duplicate => texts::MARK_AS_DUPLICATE,
            Self::LegalHold => texts::LEGAL_HOLD,
            Self::Override => texts::CLOSE_WITH_OVERRIDE,
        }
    }
}

#[derive(Template)]
#[template(path = "incidents/change.html")]
struct ChangePage {
    frame: Layout,
    incident: Incident,
    what: What,
    people: Vec<Member>,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/incidents/{id}/change/{what}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = change_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/incidents/{id}/change/{what}`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let (number, what) = (number(&request)?, what(&request)?);
    let sent = request.form().await?;
    let (request, sent) = (&request, &sent);
    let write = |form: Form| async move { write(request, what, sent, &form).await };
    let done = (what.told(number, sent, &request.clock), true);
    if sent.has("hold") {
        let ended = write(sent.clone()).await;
        let again = async |problems| show_page(request, sent.clone(), problems).await;
        return request.answer(ended, done, again).await;
    }
    let (changed, form) = match what {
        What::Hold | What::Access => {
            let current = || async move { Ok(form_of(&read(request).await?, what, &request.clock)) };
            save(sent.clone(), &request.clock, current, write).await
        }
        What::LegalHold | What::Duplicate | What::Override => (write(sent.clone()).await, sent.clone()),
    };
    let again = async |problems| change_page(request, Some(form), problems).await;
    request.answer(changed, done, again).await
}

/// Makes the change of a form that was sent, as it is on the version that it names.
async fn write(request: &PageRequest, what: What, sent: &Form, form: &Form) -> Result<Answer> {
    let (number, list) = (number(request)?, request.to("/incidents"));
    let page = address(request, number);
    let (expected, version, members) = (form.expected(), form.version(), what.sent(form, &request.clock));
    let patch = match what {
        What::Duplicate | What::Override => {
            form.read_as(&members, &request.clock, json::body::<Transition>)?.into()
        }
        What::Hold | What::Access | What::LegalHold => {
            form.read_as(&members, &request.clock, json::body::<IncidentPatch>)?
        }
    };
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        let it = store::incidents::update(tx, organization, author, number, &expected, &patch).await?;
        let is_seen = Viewer::of(author).sees_incident(&it);
        Ok((it.version, is_seen))
    };
    let next = move |(changed, is_seen)| match is_seen {
        true => Next::after(Some(changed) != version, page.clone()),
        false => Next::telling(list.clone(), texts::not_seen_any_more(number)),
    };
    request.write(sent, change, next).await
}

/// The incident in the path.
async fn read(request: &PageRequest) -> Result<Incident> {
    let (mut tx, viewer) = (request.read().await?, request.viewer());
    Ok(store::incidents::get(&mut tx, request.id(), &viewer, number(request)?, View::now()).await?)
}

fn what(request: &PageRequest) -> Result<What> {
    request.path(1, ResourceKind::Path, What::parse)
}

async fn change_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<ChangePage> {
    request.require(WRITE)?;
    let (number, what, organization) = (number(request)?, what(request)?, request.id());
    let mut tx = request.read().await?;
    let incident =
        store::incidents::get(&mut tx, organization, &request.viewer(), number, View::now()).await?;
    let people = store::people::first(&mut tx, organization, MOST_CHOICES).await?;
    let frame = Layout::of(request, &mut tx, what.title(), Section::Incidents).await?;
    let form = sent.unwrap_or_else(|| form_of(&incident, what, &request.clock));
    let problems = news::of_incident(request, &mut tx, number, news::seen(&form), problems).await?;
    Ok(ChangePage { frame, incident, what, people, form, problems })
}

/// The form as it is shown first: every field, and what it was.
fn form_of(incident: &Incident, what: What, clock: &Clock) -> Form {
    let version = incident.version;
    match what {
        What::Hold => {
            let hold = incident.hold_at(clock.now());
            let reason = hold.map(|hold| hold.reason.to_string()).unwrap_or_default();
            let until = hold.and_then(|hold| hold.until);
            Form::with_originals([("hold_reason", reason)], version)
                .with_times([("hold_until", until)], clock)
        }
        What::Access => {
            let restricted = if incident.restricted { "on" } else { "" };
            let readers = incident.readers.iter().map(|reader| ("readers", reader.to_string()));
            // So that the form has the field where there are none.
            let values = [("restricted", restricted.to_owned()), ("readers", String::new())];
            Form::with_originals(values.into_iter().chain(readers), version)
        }
        What::LegalHold | What::Duplicate | What::Override => Form::default(),
    }
}

impl ChangePage {
    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }

    fn is_on_hold(&self) -> bool {
        self.incident.hold_at(self.frame.clock.now()).is_some()
    }
}
