//! `POST /v1/oauth/token`: client credentials, or a refresh token, for a pair of tokens.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use db::Tx;
use domain::{FamilyId, Scopes};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::refresh_token::RefreshToken;
use super::rotation::{self, Presented, Refused};
use super::token_error::{TokenError, TokenErrorBody};
use super::token_request::{GrantType, MediaType, ShownClient, TokenRequest};
use super::{AuthorizationServer, Grant, access_token};
use crate::app::App;
use crate::body;
use crate::request_id::RequestId;

/// Longest body in bytes.
const BODY_LIMIT: usize = 64 * 1024;

/// A token request. Parameters that are not named here are ignored.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "it only describes the body; token_request.rs reads it")]
pub(crate) struct TokenRequestBody {
    /// What is exchanged for tokens.
    grant_type: TokenGrantType,
    /// The client's id, unless it is sent by HTTP Basic. At a refresh it may stand alone and must match.
    #[schema(max_length = 128, pattern = "^[A-Za-z0-9_]*$")]
    client_id: Option<String>,
    /// The client's secret, unless it is sent by HTTP Basic.
    #[schema(max_length = 128, pattern = "^[A-Za-z0-9_]*$")]
    client_secret: Option<String>,
    /// The refresh token, for `grant_type=refresh_token`.
    #[schema(max_length = 4096)]
    refresh_token: Option<String>,
    /// The scopes wanted, space-delimited; left out: all that may be had.
    #[schema(max_length = 1024)]
    scope: Option<String>,
}

/// The kinds of grants.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TokenGrantType {
    /// The client's own credentials.
    ClientCredentials,
    /// A refresh token.
    RefreshToken,
}

/// A pair of tokens.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenResponse {
    /// For `Authorization: Bearer` at every other operation.
    #[schema(max_length = 4096)]
    access_token: String,
    /// For the next pair. It can be used once and lives 7 days.
    #[schema(max_length = 4096)]
    refresh_token: String,
    /// Always `Bearer`.
    #[schema(max_length = 6, example = "Bearer")]
    token_type: &'static str,
    /// Seconds until the access token ends.
    #[schema(minimum = 900, maximum = 900, example = 900)]
    expires_in: i64,
    /// The scopes granted, space-delimited. The interface allows null; here they are always there.
    #[schema(max_length = 1024)]
    scope: Option<String>,
}

/// Issue and refresh access tokens.
///
/// OAuth 2.1 token endpoint. Client credentials may also be sent by HTTP Basic. A refresh gives a new
/// pair and ends the refresh token that was used; using a spent one ends its whole family, except
/// within a few seconds after it was spent, when its successor is given again.
#[utoipa::path(
    post,
    path = "/v1/oauth/token",
    operation_id = "issue_token",
    tag = "oauth",
    security(()),
    request_body(content(
        (TokenRequestBody = "application/json"),
        (TokenRequestBody = "application/x-www-form-urlencoded"),
    )),
    responses(
        (status = 200, description = "Token response", body = TokenResponse,
         headers(("Cache-Control" = String, description = "`no-store`"))),
        (status = 400, description = "Invalid request, or Invalid credentials (`invalid_grant`)",
         body = TokenErrorBody, content_type = "application/json"),
        (status = 401, description = "Invalid credentials", body = TokenErrorBody,
         content_type = "application/json",
         headers(("WWW-Authenticate" = String, description = "Only if the request had `Authorization`"))),
        (status = 408, description = "The body did not arrive in time", body = TokenErrorBody,
         content_type = "application/json"),
        (status = 413, description = "The body is over 64 KiB", body = TokenErrorBody,
         content_type = "application/json"),
        (status = 415, description = "Another media type", body = TokenErrorBody,
         content_type = "application/json",
         headers(("Accept" = String, description = "The types that are taken"))),
        (status = 429, description = "Too many requests", body = TokenErrorBody,
         content_type = "application/json",
         headers(("Retry-After" = i32, description = "Seconds to wait"))),
        (status = 500, description = "A fault of the service", body = TokenErrorBody,
         content_type = "application/json"),
        (status = 503, description = "The register is unavailable", body = TokenErrorBody,
         content_type = "application/json",
         headers(("Retry-After" = i32, description = "Seconds to wait"))),
    )
)]
pub(crate) async fn token(State(app): State<App>, request: Request) -> Response {
    let request_id = request.extensions().get::<RequestId>().cloned();
    match answer(&app, request).await {
        Ok(response) => respond(&response),
        Err(error) => error.respond(request_id.as_ref().map_or("-", RequestId::as_str)),
    }
}

async fn answer(app: &App, request: Request) -> Result<TokenResponse, TokenError> {
    let (parts, body) = request.into_parts();
    let timeout = app.settings().body_timeout;
    let body = body::read(&parts.headers, body, BODY_LIMIT, MediaType::ALL, timeout).await?;
    let request = TokenRequest::parse(&parts.headers, &body)?;
    let scopes = request.scope.as_deref().map(asked_scopes).transpose()?;
    let server = app.oauth();
    let now = server.now();
    match &request.grant {
        GrantType::ClientCredentials => server.issue(&request.client, scopes, now).await,
        GrantType::RefreshToken(token) => server.refresh(&request.client, token, scopes, now).await,
    }
}

impl AuthorizationServer {
    /// Exchanges client credentials. Nothing is written: a family has a row from its first refresh on.
    async fn issue(
        &self,
        shown: &ShownClient,
        scopes: Option<Scopes>,
        now: Timestamp,
    ) -> Result<TokenResponse, TokenError> {
        let authenticated = self.authenticate(shown, now).await?;
        let client = authenticated.client;
        let scopes = scopes.unwrap_or(client.scopes);
        if !client.scopes.contains(scopes) {
            return Err(TokenError::InvalidScope);
        }
        let grant = Grant {
            organization: client.organization,
            client: client.id,
            credential: authenticated.credential,
            family: FamilyId(self.uuid(now)),
        };
        let refresh = RefreshToken::first(grant, scopes, now, self.uuid(now));
        self.pair(&refresh, scopes, now)
    }

    /// Exchanges a refresh token.
    async fn refresh(
        &self,
        shown: &ShownClient,
        token: &str,
        scopes: Option<Scopes>,
        now: Timestamp,
    ) -> Result<TokenResponse, TokenError> {
        let authenticated = match shown.secret.is_some() || shown.by_header {
            true => Some(self.authenticate(shown, now).await?.client.id),
            false => None,
        };
        let token = RefreshToken::verify(&self.issuer, &self.keys.refresh, token, now)
            .map_err(|reason| refused_token(reason, ""))?;
        let client = token.grant.client.clone();
        let named = authenticated.as_ref().map(domain::ClientId::as_str).or(shown.id.as_deref());
        if named.is_some_and(|named| named != client.as_str()) {
            return Err(refused_token("another client's", client.as_str()));
        }
        let presented = Presented { token, authenticated: authenticated.is_some(), scopes, now };
        let (rules, org) = (self.rules, presented.token.grant.organization);
        let rotated =
            self.db.write(org, async move |tx: &mut Tx| rotation::rotate(tx, rules, &presented).await).await;
        match unless_unknown(rotated)? {
            Ok(rotated) => self.pair(&rotated.refresh, rotated.scopes, now),
            Err(Refused::NotAuthenticated) => Err(TokenError::InvalidClient { by_header: shown.by_header }),
            Err(Refused::Scope) => Err(TokenError::InvalidScope),
            Err(Refused::Token(reason)) => Err(refused_token(reason, client.as_str())),
            Err(Refused::Replayed(entry)) => {
                self.deny(&[entry]);
                Err(refused_token("spent before; its family ended", client.as_str()))
            }
        }
    }

    fn pair(
        &self,
        refresh: &RefreshToken,
        scopes: Scopes,
        now: Timestamp,
    ) -> Result<TokenResponse, TokenError> {
        let access = access_token::mint(
            &self.issuer,
            &self.keys.signing,
            &refresh.grant,
            scopes,
            now,
            self.uuid(now),
        )?;
        Ok(TokenResponse {
            access_token: access,
            refresh_token: refresh.mint(&self.issuer, &self.keys.refresh)?,
            token_type: "Bearer",
            expires_in: access_token::LIFETIME_SECONDS,
            scope: Some(scopes.to_string()),
        })
    }
}

/// A token of an organization that is gone is a token that is no good, not a fault.
fn unless_unknown<T>(result: store::Result<Result<T, Refused>>) -> Result<Result<T, Refused>, TokenError> {
    match result {
        Err(store::Error(domain::Error::NotFound(_))) => Ok(Err(Refused::Token("unknown organization"))),
        result => Ok(result?),
    }
}

fn refused_token(reason: &'static str, client_id: &str) -> TokenError {
    tracing::warn!(target: "security", client_id, reason, "refresh token refused");
    TokenError::InvalidGrant
}

/// The scopes of a request; a list without any is not a list of scopes (RFC 6749, section 3.3).
fn asked_scopes(text: &str) -> Result<Scopes, TokenError> {
    match Scopes::parse(text) {
        Ok(scopes) if !scopes.is_empty() => Ok(scopes),
        _ => Err(TokenError::InvalidScope),
    }
}

fn respond(response: &TokenResponse) -> Response {
    // Strings and a number: writing them cannot fail.
    let json = serde_json::to_vec(response).unwrap_or_default();
    let mut answer = Response::new(Body::from(json));
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}
