//! `POST /v1/oauth/introspect`: a client checks the state of one of its tokens (RFC 7662).

use auth::tokens::{self, TokenState, TokenUse};
use auth::{PublicUrl, Source};
use axum::extract::{Request, State};
use axum::response::Response;
use http::app::App;
use http::source;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::parameters::Parameters;
use super::revoke::{KNOWN, OneTokenBody, one_token};
use super::token_error::{self, TokenError, TokenErrorBody, TokenErrors};

/// The state of a token. If it is not active, `active` is the only member.
#[derive(Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Introspection {
    /// Whether the token can be used now by the client that asks.
    active: bool,
    /// The scopes, space-delimited; for a refresh token, those that a refresh would grant now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 1024, example = "incidents:read")]
    scope: Option<String>,
    /// The client that the token was issued to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 128)]
    client_id: Option<String>,
    /// `Bearer`; for an access token only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 6, pattern = "^Bearer$", example = "Bearer")]
    token_type: Option<&'static str>,
    /// `access_token` or `refresh_token`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 13, example = "access_token")]
    token_use: Option<&'static str>,
    /// When the token expires, in seconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    exp: Option<i64>,
    /// When the token was issued, in seconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    iat: Option<i64>,
    /// The subject: the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 128)]
    sub: Option<String>,
    /// The audience: the API, or the issuer for a refresh token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2048)]
    aud: Option<String>,
    /// The issuer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2048)]
    iss: Option<String>,
    /// The token's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = Uuid)]
    jti: Option<Uuid>,
}

/// Introspect a token
///
/// Returns the state of a token of the client that asks (RFC 7662). For a token that is unknown, expired, revoked, or
/// another client's, the response contains only `active: false`.
#[utoipa::path(
    post,
    path = "/v1/oauth/introspect",
    operation_id = "introspect_token",
    tag = "OAuth",
    security(()),
    request_body(content(
        (OneTokenBody = "application/json"),
        (OneTokenBody = "application/x-www-form-urlencoded"),
    )),
    responses(
        (status = 200, description = "What the token is good for", body = Introspection),
        (status = 400, description = "Invalid request", body = TokenErrorBody, content_type = "application/json"),
        TokenErrors,
    )
)]
pub(crate) async fn introspect(State(app): State<App>, request: Request) -> Response {
    let source = source::of(&request);
    match answer(&app, request, &source).await {
        Ok(introspection) => token_error::respond(&introspection),
        Err(error) => error.respond(&app.auth().public_url, source.request_id()),
    }
}

async fn answer(app: &App, request: Request, source: &Source) -> Result<Introspection, TokenError> {
    let mut parameters = Parameters::read(app, request, KNOWN).await?;
    let token = one_token(&mut parameters)?;
    let auth = app.auth();
    let state = tokens::introspect(auth, &parameters.client, &token, source).await;
    let state = state.map_err(|error| TokenError::of(error, parameters.by_header))?;
    Ok(state.map(|state| Introspection::of(&state, &auth.public_url)).unwrap_or_default())
}

impl Introspection {
    /// The members for a token that can be used.
    fn of(state: &TokenState, issuer: &PublicUrl) -> Self {
        let client = state.grant.client.to_string();
        let (token_type, token_use, audience) = match state.token_use {
            TokenUse::Access => (Some("Bearer"), "access_token", issuer.api()),
            TokenUse::Refresh => (None, "refresh_token", issuer.as_str()),
        };
        Self {
            active: true,
            scope: Some(state.scopes.to_string()),
            client_id: Some(client.clone()),
            token_type,
            token_use: Some(token_use),
            exp: Some(state.expires),
            iat: Some(state.issued),
            sub: Some(client),
            aud: Some(audience.to_owned()),
            iss: Some(issuer.as_str().to_owned()),
            jti: Some(state.jti),
        }
    }
}
