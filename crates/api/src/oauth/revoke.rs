//! `POST /v1/oauth/revoke`: a client revokes one of its tokens (RFC 7009).

use auth::{Source, tokens};
use axum::extract::{Request, State};
use axum::response::Response;
use http::app::App;
use http::source;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use zeroize::Zeroizing;

use super::description::Description;
use super::parameters::Parameters;
use super::token_error::{self, TokenError, TokenErrorBody, TokenErrors};

/// The parameters of this endpoint, besides the client's credentials.
pub(super) const KNOWN: &[&str] = &["token", "token_type_hint"];

/// A request with one token. Other parameters are ignored.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "it only describes the body; parameters.rs reads it")]
pub(crate) struct OneTokenBody {
    /// The token, of either type.
    #[schema(min_length = 1, max_length = 4096)]
    token: String,
    /// `access_token` or `refresh_token`; both types are recognized with any hint.
    #[schema(max_length = 128, example = "refresh_token")]
    token_type_hint: Option<String>,
    /// The client's id, unless it is sent by HTTP Basic.
    #[schema(max_length = 128, pattern = "^[A-Za-z0-9_]*$", example = "bwc_3mJr9x2Kq7LpTfYv8NzWd4Ha")]
    client_id: Option<String>,
    /// The client's secret, unless it is sent by HTTP Basic.
    #[schema(
        max_length = 128,
        pattern = "^[A-Za-z0-9_]*$",
        example = "bwk_9TzR2vQpXc7LmWf4NbYk8JdHs3GaUe6E0kT2b9"
    )]
    client_secret: Option<String>,
}

/// Empty: the response does not reveal whether there was such a token.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Revocation {}

/// Revoke a token
///
/// Revokes a token of the client that asks (RFC 7009). Revoking a refresh token also revokes its whole family and the
/// family's access tokens; an access token is revoked alone. It takes effect at once in this process, and within two
/// seconds in others. A token that is unknown, expired, or another client's gets the same response and has no effect.
#[utoipa::path(
    post,
    path = "/v1/oauth/revoke",
    operation_id = "revoke_token",
    tag = "OAuth",
    security(()),
    request_body(content(
        (OneTokenBody = "application/json"),
        (OneTokenBody = "application/x-www-form-urlencoded"),
    )),
    responses(
        (status = 200, description = "The token is not valid, or no longer", body = Revocation),
        (status = 400, description = "Invalid request", body = TokenErrorBody, content_type = "application/json"),
        TokenErrors,
    )
)]
pub(crate) async fn revoke(State(app): State<App>, request: Request) -> Response {
    let source = source::of(&request);
    match answer(&app, request, &source).await {
        Ok(()) => token_error::respond(&Revocation {}),
        Err(error) => error.respond(&app.auth().public_url, source.request_id()),
    }
}

async fn answer(app: &App, request: Request, source: &Source) -> Result<(), TokenError> {
    let mut parameters = Parameters::read(app, request, KNOWN).await?;
    let token = one_token(&mut parameters)?;
    let revoked = tokens::revoke(app.auth(), &parameters.client, &token, source).await;
    revoked.map_err(|error| TokenError::of(error, parameters.by_header))
}

/// The `token` parameter of a request.
pub(super) fn one_token(parameters: &mut Parameters) -> Result<Zeroizing<String>, TokenError> {
    let token = parameters.take("token").ok_or(TokenError::InvalidRequest(Description::NoToken))?;
    Ok(Zeroizing::new(token))
}
