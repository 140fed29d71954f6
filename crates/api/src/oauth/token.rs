//! `POST /v1/oauth/token`: issues a pair of tokens for client credentials or a refresh token.

use auth::tokens::{TokenPair, exchange};
use auth::{ACCESS_TOKEN_SECONDS, Source};
use axum::extract::{Request, State};
use axum::response::Response;
use http::app::App;
use http::source;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::parameters::Parameters;
use super::token_error::{self, TokenError, TokenErrorBody, TokenErrors};
use super::token_request::{KNOWN, token_request};

/// A token request. Other parameters are ignored.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "it only describes the body; token_request.rs reads it")]
pub(crate) struct TokenRequestBody {
    /// The grant type.
    grant_type: TokenGrantType,
    /// The client's id, unless it is sent by HTTP Basic. In a refresh request it may be sent without a secret and must
    /// match.
    #[schema(max_length = 128, pattern = "^[A-Za-z0-9_]*$", example = "bwc_3mJr9x2Kq7LpTfYv8NzWd4Ha")]
    client_id: Option<String>,
    /// The client's secret, unless it is sent by HTTP Basic.
    #[schema(
        max_length = 128,
        pattern = "^[A-Za-z0-9_]*$",
        example = "bwk_9TzR2vQpXc7LmWf4NbYk8JdHs3GaUe6E0kT2b9"
    )]
    client_secret: Option<String>,
    /// The refresh token, for `grant_type=refresh_token`.
    #[schema(max_length = 4096)]
    refresh_token: Option<String>,
    /// The requested scopes, space-delimited; if left out, all that can be granted.
    #[schema(max_length = 1024, example = "incidents:read incidents:write")]
    scope: Option<String>,
    /// The API that the token is for (RFC 8707); if sent, it must be this one.
    #[schema(max_length = 1024, format = "uri")]
    resource: Option<String>,
}

/// The grant types.
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
    /// The access token, for `Authorization: Bearer` at every other operation.
    #[schema(
        max_length = 4096,
        example = "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJid2NfM21KciJ9.c2lnbmF0dXJl"
    )]
    access_token: String,
    /// The refresh token, for the next pair. It can be used once and expires after 7 days.
    #[schema(
        max_length = 4096,
        example = "eyJhbGciOiJIUzI1NiIsInR5cCI6InJ0K2p3dCJ9.eyJnZW4iOjF9.c2lnbmF0dXJl"
    )]
    refresh_token: String,
    /// Always `Bearer`.
    #[schema(max_length = 6, pattern = "^Bearer$", example = "Bearer")]
    token_type: &'static str,
    /// Seconds until the access token expires.
    #[schema(minimum = 900, maximum = 900, example = 900)]
    expires_in: i64,
    /// The granted scopes, space-delimited. The interface allows null, but they are always present.
    #[schema(max_length = 1024, example = "incidents:read incidents:write")]
    scope: Option<String>,
}

/// Issue and refresh access tokens.
///
/// OAuth 2.1 token endpoint. Client credentials may also be sent by HTTP Basic. A refresh returns a new pair and
/// invalidates the refresh token that was used. Using a spent refresh token revokes its whole family, except within a
/// few seconds after it was spent, when its successor is returned again.
#[utoipa::path(
    post,
    path = "/v1/oauth/token",
    operation_id = "issue_token",
    tag = "OAuth",
    security(()),
    request_body(content(
        (TokenRequestBody = "application/json"),
        (TokenRequestBody = "application/x-www-form-urlencoded"),
    )),
    responses(
        (status = 200, description = "Token response", body = TokenResponse),
        (status = 400, description = "Invalid request, or Invalid credentials (`invalid_grant`)",
         body = TokenErrorBody, content_type = "application/json"),
        TokenErrors,
    )
)]
pub(crate) async fn token(State(app): State<App>, request: Request) -> Response {
    let source = source::of(&request);
    match answer(&app, request, &source).await {
        Ok(response) => token_error::respond(&response),
        Err(error) => error.respond(&app.auth().public_url, source.request_id()),
    }
}

async fn answer(app: &App, request: Request, source: &Source) -> Result<TokenResponse, TokenError> {
    let parameters = Parameters::read(app, request, KNOWN).await?;
    let by_header = parameters.by_header;
    let request = token_request(parameters)?;
    let issued = exchange(app.auth(), &request, source).await;
    let TokenPair { access_token, refresh_token, scopes } =
        issued.map_err(|error| TokenError::of(error, by_header))?;
    Ok(TokenResponse {
        access_token,
        refresh_token,
        token_type: "Bearer",
        expires_in: ACCESS_TOKEN_SECONDS,
        scope: Some(scopes.to_string()),
    })
}
