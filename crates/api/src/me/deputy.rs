//! `/v1/me/deputy`

use domain::document::{Day, Deputy, NewDeputy};
use domain::{ResourceKind, UserId, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::PersonView;

/// Who approves documents in the caller's place.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = Deputy)]
struct DeputyView {
    /// The other member; null if there is none.
    user: Option<PersonView>,
    /// The last day (UTC); null if there is none.
    until: Option<Day>,
}

/// Read your deputy
///
/// Who approves documents in the place of the session's user, and until when.
#[utoipa::path(
    get,
    path = "/v1/me/deputy",
    operation_id = "read_deputy",
    tag = "Session",
    responses(
        (status = 200, description = "The deputy", body = DeputyView),
        (status = 404, description = "The token is a client's: it has no deputy"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let person = own_id(&request)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let deputy = store::people::deputy(&mut tx, request.organization(), person).await?;
    let view =
        deputy.map(|Deputy { user, until }| DeputyView { user: Some(user.into()), until: Some(until) });
    Answer::record(None, &view.unwrap_or_default())
}

/// Name a deputy
///
/// Until the end of that day the deputy can approve where a step names the session's user. It is another member with
/// `documents:approve`, and no author of the proposal; neither is the user whom they stand in for.
#[utoipa::path(
    put,
    path = "/v1/me/deputy",
    operation_id = "put_deputy",
    tag = "Session",
    request_body = NewDeputy,
    responses(
        (status = 204, description = "Deputy named"),
        (status = 404, description = "The token is a client's: it has no deputy"),
    )
)]
pub(crate) async fn put(mut request: ApiRequest) -> Result<Answer> {
    let person = own_id(&request)?;
    request.no_query()?;
    let new = request.json(json::body::<NewDeputy>).await?;
    set(request, person, Some(new)).await
}

/// Withdraw your deputy
///
/// Nobody approves in the place of the session's user any more. What a deputy has approved stays.
#[utoipa::path(
    delete,
    path = "/v1/me/deputy",
    operation_id = "delete_deputy",
    tag = "Session",
    responses(
        (status = 204, description = "There is no deputy"),
        (status = 404, description = "The token is a client's: it has no deputy"),
    )
)]
pub(crate) async fn remove(mut request: ApiRequest) -> Result<Answer> {
    let person = own_id(&request)?;
    request.no_query()?;
    request.no_body()?;
    set(request, person, None).await
}

fn own_id(request: &ApiRequest) -> Result<UserId> {
    UserId::parse(&request.actor().id).ok_or(Error::not_found(ResourceKind::User))
}

async fn set(request: ApiRequest, person: UserId, new: Option<NewDeputy>) -> Result<Answer> {
    request
        .write(
            async move |tx, organization, author| {
                store::people::set_deputy(tx, organization, author, person, new.as_ref()).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}
