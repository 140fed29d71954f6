//! `POST /v1/oauth/introspect`: a client asks what one of its tokens is still good for (RFC 7662).

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
use crate::app::App;

/// What a token is good for. If it is good for nothing, `active` is all there is.
#[derive(Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Introspection {
    /// Whether it can be used now, by the client that asks.
    active: bool,
    /// The scopes, space-delimited; of a refresh token those that a refresh would give now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 1024, example = "incidents:read")]
    scope: Option<String>,
    /// The client that it was given to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 128)]
    client_id: Option<String>,
    /// `Bearer`, of an access token only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 6, example = "Bearer")]
    token_type: Option<&'static str>,
    /// `access_token` or `refresh_token`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 13, example = "access_token")]
    token_use: Option<&'static str>,
    /// When it ends, in seconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false, minimum = 0)]
    exp: Option<i64>,
    /// When it was issued, in seconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false, minimum = 0)]
    iat: Option<i64>,
    /// For whom it acts: the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 128)]
    sub: Option<String>,
    /// Where it can be used: the API, or the issuer for a refresh token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2048)]
    aud: Option<String>,
    /// Who issued it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2048)]
    iss: Option<String>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = Uuid)]
    jti: Option<Uuid>,
}

/// Introspect a token
///
/// Says what a token of the client that asks is still good for (RFC 7662). Of a token that is unknown,
/// has ended, or is another client's, only `active: false` is told.
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
        (status = 200, description = "What the token is good for", body = Introspection,
         headers(("Cache-Control" = String, description = "`no-store`"))),
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

    /// What is told of an access token, and of a refresh token but for its use.
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
