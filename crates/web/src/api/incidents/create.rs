//! `POST /v1/incidents`

use domain::Faults;
use domain::incident::{self, Dates, NewIncident};
use jiff::Timestamp;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{IncidentView, READ_ONLY};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::json::{Fields, Json, Pointer};

/// An incident to declare. Absent and null mean the same.
#[derive(ToSchema)]
#[schema(as = NewIncident)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct NewIncidentInput {
    /// One line, not blank.
    #[schema(min_length = 1, max_length = 200, examples("Phishing mail to the finance team"))]
    title: String,
    /// Markdown, at most 64 KiB; may be empty.
    #[schema(max_length = 65536, examples("Three people clicked."))]
    description: String,
    /// Where it was detected.
    #[schema(max_length = 200, examples("mail gateway"))]
    source: Option<String>,
    /// The assignee's id: a member of the organization.
    assigned_to: Option<Uuid>,
    /// When the incident began.
    #[schema(value_type = Option<String>, format = DateTime)]
    occurred_date: Option<String>,
    /// When it was detected; by default the time of creation, or `occurred_date` if that is later.
    #[schema(value_type = Option<String>, format = DateTime)]
    detected_date: Option<String>,
    /// When the response began.
    #[schema(value_type = Option<String>, format = DateTime)]
    responded_date: Option<String>,
    /// When the incident was contained: its harm no longer grew.
    #[schema(value_type = Option<String>, format = DateTime)]
    contained_date: Option<String>,
}

/// Create an incident
///
/// A body of `null`, or no body, declares an incident to be described later: its title is `Untitled incident`.
#[utoipa::path(
    post,
    path = "/v1/incidents",
    operation_id = "create_incident",
    tag = "Incidents",
    request_body = Option<NewIncidentInput>,
    responses((status = 201, description = "Incident created", body = IncidentView))
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let now = (request.app.db().clock())();
    let new = request.json_or_null(move |body, faults| read_body(body, now, faults)).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::incidents::create(tx, organization, author, &new).await
            },
            |incident| {
                let location = format!("/v1/incidents/{}", incident.number);
                Answer::created(location, incident.version, &IncidentView::from(incident))
            },
        )
        .await
}

fn read_body(body: Json<'_>, now: Timestamp, faults: &mut Faults) -> Option<NewIncident> {
    if body == Json::Null {
        return Some(NewIncident::untitled());
    }
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let title = fields.required_text("title", incident::title);
    let description = fields.required_text("description", incident::description);
    let source = fields.optional_text("source", incident::source);
    let assigned_to = fields.optional("assigned_to");
    let dates = Dates {
        occurred: fields.optional("occurred_date"),
        detected: fields.optional("detected_date"),
        responded: fields.optional("responded_date"),
        contained: fields.optional("contained_date"),
    };
    fields.read_only(READ_ONLY);
    fields.read_only(&["severity_reasoning"]);
    // The write checks this again with its exact time; it is checked here so that all faults are reported together.
    incident::check_dates(&dates, |field| dates.get(field).is_some(), now, fields.faults());
    fields.finish();
    Some(NewIncident {
        title: title?,
        description: description?,
        source,
        assigned_to,
        occurred_date: dates.occurred,
        detected_date: dates.detected,
        responded_date: dates.responded,
        contained_date: dates.contained,
    })
}
