//! `/v1/sources/{external_source}/incidents/{external_ref}`

use domain::incident::{self, Message, NewIncident, Reference, Viewer};
use domain::{Line, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::query::Flag;
use store::View;
use store::incidents::{IncidentDetails, Reported};

use super::{IncidentView, view};

http::parameters! {
    /// The `overwrite` of a message.
    pub(crate) struct OverwriteParam {
        /// Whether fields are written that were changed after the external system sent them; `false` unless it is sent.
        overwrite: Flag,
    }
}

fn reference(request: &ApiRequest) -> Result<Reference> {
    let source = request.path(0, ResourceKind::Incident, |text| Some(text.to_owned()))?;
    request.path(1, ResourceKind::Incident, |text| Reference::new(&source, text))
}

/// Read an incident by reference
///
/// The incident that has the external system's reference and is not deleted.
#[utoipa::path(
    get,
    path = "/v1/sources/{external_source}/incidents/{external_ref}",
    operation_id = "read_incident_by_reference",
    tag = "Incidents",
    params(
        ("external_source" = inline(Line), Path, description = "The external system, one line; a slash is written as `%2F`.",
            example = "siem"),
        ("external_ref" = inline(Line), Path, description = "Its reference of the incident, one line.",
            example = "alert-4711"),
    ),
    responses(
        (status = 200, description = "The incident", body = IncidentView),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let reference = reference(&request)?;
    request.no_query()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let incident = store::incidents::get_by_reference(&mut tx, organization, &viewer, &reference).await?;
    let details = store::incidents::details(&mut tx, organization, &viewer, View::now(), incident).await?;
    Answer::record(details.incident.version, &IncidentView::from((details, tx.at())))
}

/// Report an incident by reference
///
/// The first message under a reference declares the incident; later ones change it. Fields that were changed after the
/// external system sent them are left as they are and listed in `kept`, unless `overwrite` is `true`; so are fields
/// that a message does not contain. Its `tags` are added, except for those that a person has removed since; none is
/// removed. A tag that does not exist is created if the caller has the scope `tags:write`; otherwise it is left out, and
/// the response has the warning `unknown_tag`. An `assigned_to` that is no member is left out with the warning
/// `unknown_user`. The rules are those of a `PATCH`, but a client's `detected_date` may lie up to 5 minutes before its
/// `occurred_date`. A closed or dismissed incident is not changed: the message is added to its timeline, and the
/// response has the warning `incident_not_open`; of more than 1,000 such messages, or 16 MiB of them, the others are
/// only counted. A message that says nothing new changes nothing.
#[utoipa::path(
    put,
    path = "/v1/sources/{external_source}/incidents/{external_ref}",
    operation_id = "report_incident_by_reference",
    tag = "Incidents",
    params(
        ("external_source" = inline(Line), Path, description = "The external system, one line; a slash is written as `%2F`.",
            example = "siem"),
        ("external_ref" = inline(Line), Path, description = "Its reference of the incident, one line.",
            example = "alert-4711"),
        OverwriteParam,
    ),
    request_body = NewIncident,
    responses(
        (status = 200, description = "The incident of the reference", body = IncidentView),
        (status = 201, description = "Incident created", body = IncidentView),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn report(mut request: ApiRequest) -> Result<Answer> {
    let reference = reference(&request)?;
    let mut query = request.query();
    let overwrite = OverwriteParam::read(&mut query).overwrite;
    query.finish()?;
    let at = (request.app.db().clock())();
    let skew = incident::clock_skew(request.actor());
    let message =
        request.json(move |body, faults| NewIncident::read(body, at, skew, faults).map(Message)).await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                let overwrite = overwrite.unwrap_or(false);
                let reported = store::incidents::report(
                    tx,
                    organization,
                    author,
                    &reference,
                    &message,
                    overwrite,
                    &expected,
                )
                .await?;
                let incident = reported.incident().clone();
                let details = match &reported {
                    Reported::Declared(..) => {
                        let has_tags = !message.0.tags.is_empty();
                        IncidentDetails::declared(tx, organization, incident, has_tags).await?
                    }
                    Reported::Merged(..) | Reported::NotOpen(..) => {
                        let viewer = Viewer::of(author);
                        store::incidents::details(tx, organization, &viewer, View::now(), incident).await?
                    }
                };
                Ok((reported, details))
            },
            move |(reported, details)| {
                let (version, named) = (details.incident.version, view::named(&details));
                let location = format!("/v1/incidents/{}", details.incident.number);
                let view = IncidentView::from((details, at));
                // The entity tag is that of the incident as it is read: without warnings about the message.
                let etag = Answer::record(version, &view)?.etag;
                let answer = match reported {
                    Reported::Declared(_, left_out) => {
                        Answer::created(location, version, &view.without(&left_out))?
                    }
                    Reported::Merged(_, left_out) => Answer::outcome(&view.without(&left_out))?,
                    Reported::NotOpen(_, kept) => Answer::outcome(&view.not_open(kept))?,
                };
                Ok(Answer { etag, ..answer }.naming(named))
            },
        )
        .await
}
