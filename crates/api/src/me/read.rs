//! `GET /v1/me`

use domain::person::EmailAddress;
use domain::{ActorKind, ResourceKind, Scope, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::OrganizationNameView;
use crate::users::RoleView;

/// The caller.
#[derive(Serialize, ToSchema)]
#[schema(as = Me)]
struct MeView {
    /// The kind of caller.
    #[serde(rename = "type")]
    kind: MeKindView,
    /// `client_id`, or the user's UUID.
    #[schema(max_length = 128, examples("bwc_3mJr9x2Kq7LpTfYv8NzWd4Ha"))]
    id: String,
    /// The caller's current name.
    #[schema(min_length = 1, max_length = 200, examples("siem"))]
    name: String,
    /// A user's e-mail address; null for a client.
    #[schema(value_type = Option<EmailAddress>)]
    email: Option<String>,
    /// The first of a user's roles; null for a client.
    role: Option<RoleView>,
    /// A user's roles; null for a client.
    #[schema(min_items = 1, max_items = 7)]
    roles: Option<Vec<RoleView>>,
    /// The organization that the token gives access to.
    organization: OrganizationNameView,
    /// The scopes of the token.
    #[schema(value_type = Vec<String>, max_items = 64, max_length = 100, examples(json!(["incidents:read", "incidents:write"])))]
    scopes: Vec<&'static str>,
}

/// The kinds of callers.
#[derive(Serialize, ToSchema)]
#[schema(as = CallerKind)]
#[serde(rename_all = "snake_case")]
enum MeKindView {
    /// An OAuth client.
    Client,
    /// A person.
    User,
}

/// Read the caller
///
/// The caller that the token belongs to, its organization and its scopes. Needs no scope.
#[utoipa::path(
    get,
    path = "/v1/me",
    operation_id = "read_me",
    tag = "Session",
    responses((status = 200, description = "The caller", body = MeView))
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let organization = store::organizations::get(&mut tx, request.organization()).await?;
    let organization = organization.ok_or(Error::not_found(ResourceKind::Organization))?;
    let actor = request.actor();
    let (kind, user) = match (actor.kind, UserId::parse(&actor.id)) {
        (ActorKind::User, Some(id)) => {
            let member = store::people::get(&mut tx, request.organization(), id).await?;
            (MeKindView::User, Some(member.ok_or(Error::Unauthenticated { token_sent: true })?))
        }
        _ => (MeKindView::Client, None),
    };
    Answer::record(
        None,
        &MeView {
            kind,
            id: actor.id.clone(),
            name: actor.name.clone(),
            role: user.as_ref().map(|member| member.roles.first().into()),
            roles: user.as_ref().map(|member| member.roles.iter().map(Into::into).collect()),
            email: user.map(|member| member.person.email),
            organization: (&organization).into(),
            scopes: request.permissions().scopes().iter().map(Scope::as_str).collect(),
        },
    )
}
