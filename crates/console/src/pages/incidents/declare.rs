//! `/o/{slug}/incidents/new`: declaring an incident with one typed field.

use askama::Template;
use domain::Scope::{self, IncidentsDeclare, IncidentsWrite};
use store::incidents;
use web::http::json;
use web::input::incidents::read_new;

use crate::frame::form::{As, Form, Problems};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};

const DECLARE: &[Scope] = &[IncidentsWrite, IncidentsDeclare];

/// The members of a new incident, as the form has them.
const MEMBERS: &[(&str, As)] = &[
    ("title", As::Text),
    ("description", As::Text),
    ("source", As::TextOrNull),
    ("detected_date", As::Time),
    ("occurred_date", As::Time),
    ("assigned_to", As::TextOrNull),
];

#[derive(Template)]
#[template(path = "incidents/declare.html")]
struct DeclarePage {
    frame: Layout,
    form: Form,
    problems: Problems,
    /// The id of the person, if they can take incidents.
    me: Option<String>,
}

/// `GET /o/{slug}/incidents/new`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(DECLARE)?;
    let page = declare_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/incidents/new`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(DECLARE)?;
    let form = request.form().await?;
    let now = request.clock.now();
    let new =
        json::read_value(form.json(MEMBERS, &request.clock), |body, faults| read_new(body, now, faults));
    let declared = match new {
        Ok(new) => {
            let base = request.to("/incidents");
            request
                .write(
                    &form,
                    async move |tx, organization, author| {
                        incidents::create(tx, organization, author, &new).await
                    },
                    move |incident| format!("{base}/{}", incident.number),
                )
                .await
        }
        Err(error) => Err(error),
    };
    match declared {
        Ok(answer) => Ok(request.lead(answer, "The incident is declared.", false)),
        Err(error) => {
            let page = declare_page(&request, form, Problems::of(error)?).await?;
            request.show_again(&page)
        }
    }
}

async fn declare_page(request: &PageRequest, form: Form, problems: Problems) -> Result<DeclarePage> {
    let mut tx = request.read().await?;
    let frame = Layout::of(request, &mut tx, "Declare an incident", Section::Declare).await?;
    let me = request.may(IncidentsWrite).then(|| request.member.person.id.to_string());
    Ok(DeclarePage { frame, form, problems, me })
}
