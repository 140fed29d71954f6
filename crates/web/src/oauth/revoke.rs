//! `POST /v1/oauth/revoke`: a client revokes one of its tokens (RFC 7009).

use axum::extract::{Request, State};
use axum::response::Response;
use db::Tx;
use serde::{Deserialize, Serialize};
use store::revocations::{self, Revoked};
use utoipa::ToSchema;
use zeroize::Zeroizing;

use super::access_token::AccessToken;
use super::description::Description;
use super::parameters::Parameters;
use super::refresh_token::RefreshToken;
use super::refusals::Source;
use super::token_error::{self, TokenError, TokenErrorBody, TokenErrors};
use super::{AuthorizationServer, rotation};
use crate::http::app::App;

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
    #[schema(max_length = 128, pattern = "^[A-Za-z0-9_]*$")]
    client_id: Option<String>,
    /// The client's secret, unless it is sent by HTTP Basic.
    #[schema(max_length = 128, pattern = "^[A-Za-z0-9_]*$")]
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
    let source = Source::of(&request);
    match answer(&app, request, &source).await {
        Ok(()) => token_error::respond(&Revocation {}),
        Err(error) => error.respond(source.request_id()),
    }
}

async fn answer(app: &App, request: Request, source: &Source) -> Result<(), TokenError> {
    let mut parameters = Parameters::read(app, request, KNOWN).await?;
    let token = one_token(&mut parameters)?;
    let server = app.oauth();
    let now = server.now();
    let client = server.authenticate(&parameters.client, source, now).await?.client;
    match server.one_of_ours(&token, now).await {
        Some(OneToken::Access(token)) if token.grant.client == client.id => server.end_access(token).await,
        Some(OneToken::Refresh(token)) if token.grant.client == client.id => server.end_family(token).await,
        Some(OneToken::Access(_) | OneToken::Refresh(_)) | None => Ok(()),
    }
}

/// The `token` parameter of a request.
pub(super) fn one_token(parameters: &mut Parameters) -> Result<Zeroizing<String>, TokenError> {
    let token = parameters.take("token").ok_or(TokenError::InvalidRequest(Description::NoToken))?;
    Ok(Zeroizing::new(token))
}

/// A token of this service that has not expired.
#[derive(Debug)]
pub(super) enum OneToken {
    /// An access token.
    Access(AccessToken),
    /// A refresh token.
    Refresh(RefreshToken),
}

impl AuthorizationServer {
    /// Reads a token of either type. A hint is not needed: the header of the token states its type.
    pub(super) async fn one_of_ours(&self, token: &str, now: jiff::Timestamp) -> Option<OneToken> {
        match self.read_access_token(token, now).await {
            Ok(token) => Some(OneToken::Access(token)),
            Err(_) => self.read_refresh_token(token, now).await.ok().map(OneToken::Refresh),
        }
    }

    async fn end_access(&self, token: AccessToken) -> Result<(), TokenError> {
        if self.denied.denies(&token) {
            return Ok(());
        }
        let (org, jti) = (token.grant.organization, token.jti);
        let entry: store::Result<Revoked> = self
            .db
            .write(org, async move |tx: &mut Tx| {
                revocations::add(tx, org, Revoked::token(jti, tx.at())).await
            })
            .await;
        self.deny(&[entry?]);
        Ok(())
    }

    async fn end_family(&self, token: RefreshToken) -> Result<(), TokenError> {
        let org = token.grant.organization;
        let entry = self.db.write(org, async move |tx: &mut Tx| rotation::end(tx, &token).await).await?;
        self.deny(entry.as_slice());
        Ok(())
    }
}
