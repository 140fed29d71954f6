//! `/o/{slug}/incidents/{id}/change/{what}`: changes of an incident that ask for more than a click.

use askama::Template;
use domain::ExpectedVersion;
use domain::ResourceKind;
use domain::incident::Incident;
use domain::person::Member;
use store::View;
use web::input::incident_changes::{read_patch, read_transition};

use super::{WRITE, address, number};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

domain::words! {
    "IncidentChange"
    /// What is changed.
    pub(crate) enum What {
        /// The pause in the work on it.
        Hold = "hold",
        /// Who sees it.
        Access = "access",
        /// It is another one, declared twice.
        Duplicate = "duplicate",
        /// Whether it may be removed for good.
        LegalHold = "legal-hold",
        /// It is closed although something is missing.
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

    fn title(self) -> &'static str {
        match self {
            Self::Hold => texts::PUT_IT_ON_HOLD,
            Self::Access => texts::WHO_SEES_IT,
            Self::Duplicate => texts::MARK_AS_A_DUPLICATE,
            Self::LegalHold => texts::LEGAL_HOLD,
            Self::Override => texts::CLOSE_WITH_OVERRIDE,
        }
    }
}

/// The most people that can be chosen.
const MOST_PEOPLE: i64 = 200;

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
    let form = request.form().await?;
    let to = address(&request, number);
    let changed = async {
        let patch = match what {
            What::Duplicate | What::Override => {
                form.read_as(what.members(), &request.clock, read_transition)?
            }
            _ => form.read_as(what.members(), &request.clock, read_patch)?,
        };
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            let expected = ExpectedVersion::Any;
            store::incidents::update(tx, organization, author, number, &expected, &patch).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let changed = changed.await;
    let again = async |problems| change_page(&request, Some(form), problems).await;
    request.answer(changed, (texts::changed(number), true), again).await
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
    let people = store::people::first(&mut tx, organization, MOST_PEOPLE).await?;
    let frame = Layout::of(request, &mut tx, what.title(), Section::Incidents).await?;
    let form = sent.unwrap_or_else(|| form_of(&incident, request));
    Ok(ChangePage { frame, incident, what, people, form, problems })
}

/// The form as it is shown first.
fn form_of(incident: &Incident, request: &PageRequest) -> Form {
    let mut values = Vec::new();
    if let Some(hold) = incident.hold_at(request.clock.now()) {
        values.push(("hold_reason", hold.reason.clone()));
        values.push(("hold_until", hold.until.map(|at| request.clock.field(&at)).unwrap_or_default()));
    }
    if incident.restricted {
        values.push(("restricted", "on".to_owned()));
    }
    values.extend(incident.readers.iter().map(|reader| ("readers", reader.to_string())));
    Form::of(values)
}

impl ChangePage {
    fn is_on_hold(&self) -> bool {
        self.incident.hold_at(self.frame.clock.now()).is_some()
    }
}
