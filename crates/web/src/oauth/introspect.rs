//! `POST /v1/oauth/introspect`: a client checks the state of one of its tokens (RFC 7662).

use axum::extract::{Request, State};
use axum::response::Response;
use domain::Scopes;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::client_authentication::Authenticated;
use super::parameters::Parameters;
use super::refusals::Source;
use super::revoke::{KNOWN, OneToken, OneTokenBody, one_token};
use super::token_error::{self, TokenError, TokenErrorBody, TokenErrors};
use super::{AuthorizationServer, Grant, rotation};
use crate::http::app::App;

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
    #[schema(value_type = String, required = false, max_length = 6, example = "Bearer")]
    token_type: Option<&'static str>,
    /// `access_token` or `refresh_token`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 13, example = "access_token")]
    token_use: Option<&'static str>,
    /// When the token expires, in seconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false, minimum = 0)]
    exp: Option<i64>,
    /// When the token was issued, in seconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false, minimum = 0)]
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
    let source = Source::of(&request);
    match answer(&app, request, &source).await {
        Ok(introspection) => token_error::respond(&introspection),
        Err(error) => error.respond(source.request_id()),
    }
}

async fn answer(app: &App, request: Request, source: &Source) -> Result<Introspection, TokenError> {
    let mut parameters = Parameters::read(app, request, KNOWN).await?;
    let token = one_token(&mut parameters)?;
    let server = app.oauth();
    let now = server.now();
    let asking = server.authenticate(&parameters.client, source, now).await?;
    match server.one_of_ours(&token, now).await {
        Some(token) => server.introspection(&token, &asking, now).await,
        None => Ok(Introspection::default()),
    }
}

impl AuthorizationServer {
    async fn introspection(
        &self,
        token: &OneToken,
        asking: &Authenticated,
        now: Timestamp,
    ) -> Result<Introspection, TokenError> {
        let active = match token {
            OneToken::Access(token) => {
                let is_good = token.grant.client == asking.client.id
                    && asking.secrets.iter().any(|secret| secret.credential == token.grant.credential)
                    && !self.denied.denies(token);
                is_good.then(|| Introspection {
                    token_type: Some("Bearer"),
                    ..self.of(&token.grant, token.scopes, token.jti, (token.issued, token.expires))
                })
            }
            OneToken::Refresh(token) => {
                let scopes = token.scopes.intersection(asking.client.scopes);
                let is_good = token.grant.client == asking.client.id
                    && asking.has_live_secret(token.grant.credential, now)
                    && !scopes.is_empty()
                    && rotation::is_good(&mut self.read().await?, self.rules, token, now).await?;
                is_good.then(|| Introspection {
                    aud: Some(self.issuer.url().to_owned()),
                    token_use: Some("refresh_token"),
                    ..self.of(&token.grant, scopes, token.jti, (token.issued, token.expires))
                })
            }
        };
        Ok(active.unwrap_or_default())
    }

    /// The members for an access token, on which those for a refresh token are based.
    fn of(&self, grant: &Grant, scopes: Scopes, jti: Uuid, (iat, exp): (i64, i64)) -> Introspection {
        Introspection {
            active: true,
            scope: Some(scopes.to_string()),
            client_id: Some(grant.client.to_string()),
            token_type: None,
            token_use: Some("access_token"),
            exp: Some(exp),
            iat: Some(iat),
            sub: Some(grant.client.to_string()),
            aud: Some(self.issuer.api().to_owned()),
            iss: Some(self.issuer.url().to_owned()),
            jti: Some(jti),
        }
    }
}
