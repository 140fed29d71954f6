//! `POST /v1/oauth/token`: issues a pair of tokens for client credentials or a refresh token.

use axum::extract::{Request, State};
use axum::response::Response;
use db::Tx;
use domain::{ClientId, FamilyId, Scopes};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::parameters::{Parameters, ShownClient};
use super::refresh_token::RefreshToken;
use super::refusals::{Reason, Refused, Source};
use super::rotation::{self, Presented};
use super::secret::parse_client_id;
use super::token_error::{self, TokenError, TokenErrorBody, TokenErrors};
use super::token_request::{AskedScopes, GrantType, KNOWN, TokenRequest};
use super::{AuthorizationServer, Grant, access_token};
use crate::http::app::App;

/// A token request. Other parameters are ignored.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "it only describes the body; token_request.rs reads it")]
pub(crate) struct TokenRequestBody {
    /// The grant type.
    grant_type: TokenGrantType,
    /// The client's id, unless it is sent by HTTP Basic. In a refresh request it may be sent without a secret and must
    /// match.
    #[schema(max_length = 128, pattern = "^[A-Za-z0-9_]*$")]
    client_id: Option<String>,
    /// The client's secret, unless it is sent by HTTP Basic.
    #[schema(max_length = 128, pattern = "^[A-Za-z0-9_]*$")]
    client_secret: Option<String>,
    /// The refresh token, for `grant_type=refresh_token`.
    #[schema(max_length = 4096)]
    refresh_token: Option<String>,
    /// The requested scopes, space-delimited; if left out, all that can be granted.
    #[schema(max_length = 1024)]
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
    #[schema(max_length = 4096)]
    access_token: String,
    /// The refresh token, for the next pair. It can be used once and expires after 7 days.
    #[schema(max_length = 4096)]
    refresh_token: String,
    /// Always `Bearer`.
    #[schema(max_length = 6, example = "Bearer")]
    token_type: &'static str,
    /// Seconds until the access token expires.
    #[schema(minimum = 900, maximum = 900, example = 900)]
    expires_in: i64,
    /// The granted scopes, space-delimited. The interface allows null, but they are always present.
    #[schema(max_length = 1024)]
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
    let source = Source::of(&request);
    match answer(&app, request, &source).await {
        Ok(response) => token_error::respond(&response),
        Err(error) => error.respond(source.request_id()),
    }
}

async fn answer(app: &App, request: Request, source: &Source) -> Result<TokenResponse, TokenError> {
    let request = TokenRequest::of(Parameters::read(app, request, KNOWN).await?)?;
    let (oauth, grant) = (app.oauth(), &request.grant);
    let issued = match grant {
        GrantType::ClientCredentials => oauth.issue(&request, source).await,
        GrantType::RefreshToken(token) => oauth.refresh(&request, token, source).await,
    }?;
    oauth.metrics.issued(grant.as_str());
    Ok(issued)
}

impl AuthorizationServer {
    /// Exchanges client credentials. Nothing is written: a family gets a row at its first refresh.
    async fn issue(&self, request: &TokenRequest, source: &Source) -> Result<TokenResponse, TokenError> {
        let now = self.now();
        let authenticated = self.authenticate(&request.client, source, now).await?;
        let client = authenticated.client;
        let refused = |reason| Refused::new(reason).of(client.organization, &client.id);
        self.check_target(&request.resources, || refused(Reason::InvalidTarget), source)?;
        let scopes = match request.scopes {
            AskedScopes::All => client.scopes,
            AskedScopes::Named(scopes) if client.scopes.contains(scopes) => scopes,
            AskedScopes::Named(_) | AskedScopes::Unknown => {
                self.note_refusal(&refused(Reason::InvalidScope), source);
                return Err(TokenError::InvalidScope);
            }
        };
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
        request: &TokenRequest,
        token: &str,
        source: &Source,
    ) -> Result<TokenResponse, TokenError> {
        let now = self.now();
        let shown = &request.client;
        let authenticated = match shown.proves() {
            true => Some(self.authenticate(shown, source, now).await?.client.id),
            false => None,
        };
        let token = match self.read_refresh_token(token, now).await {
            Ok(token) => token,
            Err(refused) => return Err(self.refuse_grant(&refused, shown, source, now)),
        };
        let (grant, jti) = (token.grant.clone(), token.jti);
        let refused = |reason| Refused::new(reason).token(&grant, jti);
        let named = authenticated.as_ref().map(ClientId::as_str).or(shown.id.as_deref());
        if named.is_some_and(|named| named != grant.client.as_str()) {
            let refused = refused(Reason::RefreshTokenOfAnother);
            return Err(self.refuse_grant(&refused, shown, source, now));
        }
        self.may_try(&failing_as(&grant.client), source, now)?;
        self.check_target(&request.resources, || refused(Reason::InvalidTarget), source)?;
        let scopes = match request.scopes {
            AskedScopes::All => None,
            AskedScopes::Named(scopes) => Some(scopes),
            AskedScopes::Unknown => {
                self.note_refusal(&refused(Reason::InvalidScope), source);
                return Err(TokenError::InvalidScope);
            }
        };
        let presented = Presented { token, authenticated: authenticated.is_some(), scopes, now };
        self.rotate(presented, shown, source).await
    }

    /// Rotates a refresh token that was issued by this service.
    async fn rotate(
        &self,
        presented: Presented,
        shown: &ShownClient,
        source: &Source,
    ) -> Result<TokenResponse, TokenError> {
        let (rules, now) = (self.rules, presented.now);
        let (grant, jti) = (presented.token.grant.clone(), presented.token.jti);
        let rotated = self
            .db
            .write(grant.organization, async move |tx: &mut Tx| rotation::rotate(tx, rules, &presented).await)
            .await;
        let refused = |reason, detail| Refused::new(reason).token(&grant, jti).detail(detail);
        match unless_unknown(rotated)? {
            Ok(rotated) => {
                self.throttle.succeeded(&failing_as(&grant.client), source.address);
                self.pair(&rotated.refresh, rotated.scopes, now)
            }
            Err(rotation::Refused::NotAuthenticated) => {
                let refused = refused(Reason::AuthenticationRequired, "");
                self.failed(&refused, &failing_as(&grant.client), source, now);
                Err(TokenError::InvalidClient { by_header: shown.by_header })
            }
            Err(rotation::Refused::Scope) => {
                self.note_refusal(&refused(Reason::InvalidScope, ""), source);
                Err(TokenError::InvalidScope)
            }
            Err(rotation::Refused::Token(reason, detail)) => {
                Err(self.refuse_grant(&refused(reason, detail), shown, source, now))
            }
            Err(rotation::Refused::Replayed(entry)) => {
                self.deny(&[entry]);
                let refused = refused(Reason::RefreshTokenSpent, "its family ended");
                Err(self.refuse_grant(&refused, shown, source, now))
            }
        }
    }

    /// Counts and records an invalid refresh token. A client that sends too many has to wait.
    fn refuse_grant(
        &self,
        refused: &Refused,
        shown: &ShownClient,
        source: &Source,
        now: Timestamp,
    ) -> TokenError {
        let named = shown.id.as_deref().and_then(parse_client_id);
        let name = refused.client.as_ref().or(named.as_ref()).map(failing_as).unwrap_or_default();
        if let Err(wait) = self.may_try(&name, source, now) {
            return wait;
        }
        self.failed(refused, &name, source, now);
        TokenError::InvalidGrant
    }

    /// A token is valid for this API only, so no other can be requested (RFC 8707, section 2).
    fn check_target(
        &self,
        resources: &[String],
        refused: impl FnOnce() -> Refused,
        source: &Source,
    ) -> Result<(), TokenError> {
        if resources.iter().all(|resource| resource == self.issuer.api()) {
            return Ok(());
        }
        self.note_refusal(&refused(), source);
        Err(TokenError::InvalidTarget)
    }

    fn pair(
        &self,
        refresh: &RefreshToken,
        scopes: Scopes,
        now: Timestamp,
    ) -> Result<TokenResponse, TokenError> {
        let keys = self.keys();
        let access =
            access_token::mint(&self.issuer, &keys.signing, &refresh.grant, scopes, now, self.uuid(now))?;
        Ok(TokenResponse {
            access_token: access,
            refresh_token: refresh.mint(&self.issuer, &keys.refresh)?,
            token_type: "Bearer",
            expires_in: access_token::LIFETIME_SECONDS,
            scope: Some(scopes.to_string()),
        })
    }
}

/// Invalid refresh tokens are counted separately from wrong secrets, so that a client that retries an old token too
/// often can still authenticate with its credentials.
fn failing_as(client: &ClientId) -> String {
    format!("refresh {client}")
}

/// A token of an organization that no longer exists is an invalid token, not an internal error.
fn unless_unknown<T>(
    result: store::Result<Result<T, rotation::Refused>>,
) -> Result<Result<T, rotation::Refused>, TokenError> {
    match result {
        Err(store::Error(domain::Error::NotFound(_))) => {
            Ok(Err(rotation::Refused::Token(Reason::RefreshTokenRevoked, "unknown organization")))
        }
        result => Ok(result?),
    }
}
