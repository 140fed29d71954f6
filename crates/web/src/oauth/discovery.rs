//! Discovery: the metadata of the authorization server (RFC 8414) and of the protected resource (RFC 9728), and the
//! public keys (RFC 7517). All of it is built from the configured public URL, never from a request's `Host`.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use domain::{ResourceKind, Scope};
use hyper::header::{CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use serde::Serialize;
use utoipa::ToSchema;

use super::Issuer;
use crate::http::app::App;
use crate::http::conditional::entity_tag;
use crate::http::error::{Error, Result};

/// The methods of client authentication at every endpoint that requires it. `none` is not listed although a refresh
/// may omit it: listing it would allow it for client credentials too.
const AUTHENTICATION: [&str; 2] = ["client_secret_basic", "client_secret_post"];

/// A document that is the same for every caller, with its entity tag.
pub(crate) struct Published {
    body: Bytes,
    etag: HeaderValue,
}

impl Published {
    /// Serializes the document.
    pub(super) fn new(document: &impl Serialize) -> Self {
        // String keys and strings only: serializing them cannot fail.
        let body = serde_json::to_vec(document).unwrap_or_default();
        let etag = HeaderValue::try_from(entity_tag(None, &body));
        let etag = etag.unwrap_or(HeaderValue::from_static("\"\""));
        Self { body: body.into(), etag }
    }

    /// The document.
    fn answer(&self) -> Response {
        // Some clients do not accept application/jwk-set+json.
        let content_type = (CONTENT_TYPE, HeaderValue::from_static("application/json"));
        ([(ETAG, self.etag.clone()), content_type], Body::from(self.body.clone())).into_response()
    }
}

/// Metadata of the authorization server (RFC 8414).
#[derive(Serialize, ToSchema)]
pub(crate) struct AuthorizationServerMetadata {
    /// The issuer: `iss` in the tokens.
    #[schema(format = "uri", max_length = 2048, examples("https://register.example.org"))]
    issuer: String,
    /// The token endpoint.
    #[schema(format = "uri", max_length = 2048)]
    token_endpoint: String,
    /// The URL of the public keys.
    #[schema(format = "uri", max_length = 2048)]
    jwks_uri: String,
    /// The revocation endpoint (RFC 7009).
    #[schema(format = "uri", max_length = 2048)]
    revocation_endpoint: String,
    /// The introspection endpoint (RFC 7662).
    #[schema(format = "uri", max_length = 2048)]
    introspection_endpoint: String,
    /// The supported grant types.
    #[schema(max_items = 10, examples(json!(["client_credentials", "refresh_token"])))]
    grant_types_supported: [&'static str; 2],
    /// Empty: there is no authorization endpoint.
    #[schema(value_type = Vec<String>, max_items = 0)]
    response_types_supported: [&'static str; 0],
    /// The methods of client authentication at the token endpoint.
    #[schema(max_items = 10, examples(json!(["client_secret_basic", "client_secret_post"])))]
    token_endpoint_auth_methods_supported: [&'static str; 2],
    /// The same at the revocation endpoint.
    #[schema(max_items = 10)]
    revocation_endpoint_auth_methods_supported: [&'static str; 2],
    /// The same at the introspection endpoint.
    #[schema(max_items = 10)]
    introspection_endpoint_auth_methods_supported: [&'static str; 2],
    /// Every scope.
    #[schema(max_items = 100, examples(json!(["incidents:read", "incidents:write"])))]
    scopes_supported: Vec<&'static str>,
    /// The documentation for people.
    #[schema(format = "uri", max_length = 2048)]
    service_documentation: String,
    /// The resources that the tokens are for (RFC 9728, section 4).
    #[schema(max_items = 10)]
    protected_resources: Vec<String>,
}

impl AuthorizationServerMetadata {
    pub(super) fn new(issuer: &Issuer) -> Self {
        let url = |path: &str| format!("{}{path}", issuer.url());
        Self {
            issuer: issuer.url().to_owned(),
            token_endpoint: url("/v1/oauth/token"),
            jwks_uri: url("/.well-known/jwks.json"),
            revocation_endpoint: url("/v1/oauth/revoke"),
            introspection_endpoint: url("/v1/oauth/introspect"),
            grant_types_supported: ["client_credentials", "refresh_token"],
            response_types_supported: [],
            token_endpoint_auth_methods_supported: AUTHENTICATION,
            revocation_endpoint_auth_methods_supported: AUTHENTICATION,
            introspection_endpoint_auth_methods_supported: AUTHENTICATION,
            scopes_supported: scopes(),
            service_documentation: url("/docs"),
            protected_resources: vec![issuer.url().to_owned(), issuer.api().to_owned()],
        }
    }
}

/// Metadata of the API (RFC 9728), or of the whole service, whose tokens are the same.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProtectedResourceMetadata {
    /// The URL of the resource: the public URL, or with `/v1` the API, which is `aud` in access tokens.
    #[schema(format = "uri", max_length = 2048, examples("https://register.example.org"))]
    resource: String,
    /// The issuers of its tokens.
    #[schema(max_items = 10, examples(json!(["https://register.example.org"])))]
    authorization_servers: Vec<String>,
    /// Every scope.
    #[schema(max_items = 100)]
    scopes_supported: Vec<&'static str>,
    /// How a token is sent: in the header only.
    #[schema(max_items = 10, examples(json!(["header"])))]
    bearer_methods_supported: [&'static str; 1],
    /// The display name.
    #[schema(max_length = 200)]
    resource_name: &'static str,
    /// The documentation for people.
    #[schema(format = "uri", max_length = 2048)]
    resource_documentation: String,
}

impl ProtectedResourceMetadata {
    /// The metadata of one of the two resources: a client must refuse metadata that names another resource than the
    /// one whose URL it was derived from (RFC 9728, section 3.3).
    pub(super) fn new(issuer: &Issuer, resource: &str) -> Self {
        Self {
            resource: resource.to_owned(),
            authorization_servers: vec![issuer.url().to_owned()],
            scopes_supported: scopes(),
            bearer_methods_supported: ["header"],
            resource_name: "Bailiwick",
            resource_documentation: format!("{}/docs", issuer.url()),
        }
    }
}

fn scopes() -> Vec<&'static str> {
    Scope::ALL.iter().map(|scope| scope.as_str()).collect()
}

/// A set of public keys (RFC 7517, section 5).
#[derive(Serialize, ToSchema)]
pub(crate) struct JsonWebKeySet {
    /// The keys for access tokens: the next one, the active one and the retired ones.
    #[schema(max_items = 100)]
    keys: Vec<JsonWebKey>,
}

/// A public key.
#[derive(Serialize, ToSchema)]
pub(crate) struct JsonWebKey {
    /// The key type: `EC`, `RSA` or `OKP`.
    #[schema(max_length = 10, examples("EC"))]
    kty: String,
    /// The key id, which is in the header of tokens: the thumbprint (RFC 7638).
    #[schema(max_length = 64)]
    kid: String,
    /// Always `sig`.
    #[serde(rename = "use")]
    #[schema(max_length = 10, examples("sig"))]
    purpose: String,
    /// The algorithm of the key: `ES256`, `RS256` or `EdDSA`.
    #[schema(max_length = 10, examples("ES256"))]
    alg: String,
    /// The curve of an EC or OKP key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 20, examples("P-256"))]
    crv: Option<String>,
    /// A coordinate of an EC or OKP key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 100)]
    x: Option<String>,
    /// The other coordinate of an EC key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 100)]
    y: Option<String>,
    /// The modulus of an RSA key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 2000)]
    n: Option<String>,
    /// The exponent of an RSA key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 20)]
    e: Option<String>,
}

/// Read the public keys
///
/// The keys to verify access tokens with. The next key is published before it signs, and a retired one stays published
/// as long as its tokens are valid.
#[utoipa::path(
    get,
    path = "/.well-known/jwks.json",
    operation_id = "read_jwks",
    tag = "Discovery",
    security(()),
    responses(
        (status = 200, description = "Public keys", body = JsonWebKeySet,
         headers(("ETag" = String, description = "For If-None-Match"))),
    )
)]
pub(crate) async fn key_set(State(app): State<App>) -> Response {
    app.oauth().keys().published.answer()
}

/// Read the authorization server's metadata
///
/// Where and how tokens are issued (RFC 8414). If the issuer has a path, the metadata is also found with it appended
/// to this path.
#[utoipa::path(
    get,
    path = "/.well-known/oauth-authorization-server",
    operation_id = "read_authorization_server_metadata",
    tag = "Discovery",
    security(()),
    responses(
        (status = 200, description = "Metadata", body = AuthorizationServerMetadata,
         headers(("ETag" = String, description = "For If-None-Match"))),
    )
)]
pub(crate) async fn authorization_server(State(app): State<App>) -> Response {
    app.oauth().published.authorization_server.answer()
}

/// Read the service's metadata
///
/// The issuer of the tokens for this service (RFC 9728). The metadata of the API is at this path with `/v1` appended,
/// to which a 401 points.
#[utoipa::path(
    get,
    path = "/.well-known/oauth-protected-resource",
    operation_id = "read_protected_resource_metadata",
    tag = "Discovery",
    security(()),
    responses(
        (status = 200, description = "Metadata", body = ProtectedResourceMetadata,
         headers(("ETag" = String, description = "For If-None-Match"))),
    )
)]
pub(crate) async fn protected_resource(State(app): State<App>) -> Response {
    app.oauth().published.service.answer()
}

/// The same with the issuer's path appended (RFC 8414, section 3.1).
pub(crate) async fn authorization_server_at(
    State(app): State<App>,
    Path(path): Path<String>,
) -> Result<Response> {
    let documents = &app.oauth().published;
    at(&path, app.oauth().issuer.url(), &documents.authorization_server)
}

/// The same with the path of the public URL appended, and that of the API with its path (RFC 9728, section 3.1).
pub(crate) async fn protected_resource_at(
    State(app): State<App>,
    Path(path): Path<String>,
) -> Result<Response> {
    let (documents, issuer) = (&app.oauth().published, &app.oauth().issuer);
    at(&path, issuer.api(), &documents.api).or_else(|_| at(&path, issuer.url(), &documents.service))
}

fn at(path: &str, url: &str, document: &Published) -> Result<Response> {
    if path_of(url).strip_prefix('/') == Some(path) {
        return Ok(document.answer());
    }
    Err(Error::not_found(ResourceKind::Path))
}

/// The path of a URL without a trailing slash; empty if it has none.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').and_then(|start| rest.get(start..)).unwrap_or_default().trim_end_matches('/')
}

/// The URL of the API's metadata: the well-known part goes between host and path.
pub(super) fn metadata_url(issuer: &Issuer) -> String {
    let path = path_of(issuer.api());
    let origin = issuer.api().strip_suffix(path).unwrap_or(issuer.api());
    format!("{origin}/.well-known/oauth-protected-resource{path}")
}

/// Appends the URL of the metadata to a challenge, so that a client can find out where to get a token (RFC 9728,
/// section 5.1). Appends nothing if the public URL is not a valid header value.
pub(crate) fn complete_challenge(app: &App, headers: &mut HeaderMap) {
    let Some(challenge) = headers.get(WWW_AUTHENTICATE).and_then(|value| value.to_str().ok()) else { return };
    if !challenge.starts_with("Bearer ") {
        return;
    }
    let whole = format!("{challenge}, resource_metadata=\"{}\"", app.oauth().published.metadata_url);
    if let Ok(whole) = HeaderValue::try_from(whole) {
        headers.insert(WWW_AUTHENTICATE, whole);
    }
}

/// The documents, built at the start.
pub(super) struct Documents {
    authorization_server: Published,
    service: Published,
    api: Published,
    metadata_url: String,
}

impl Documents {
    /// The documents of this issuer.
    pub(super) fn new(issuer: &Issuer) -> Self {
        Self {
            authorization_server: Published::new(&AuthorizationServerMetadata::new(issuer)),
            service: Published::new(&ProtectedResourceMetadata::new(issuer, issuer.url())),
            api: Published::new(&ProtectedResourceMetadata::new(issuer, issuer.api())),
            metadata_url: metadata_url(issuer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_well_known_part_goes_between_host_and_path() {
        for (url, expected) in [
            ("https://a.example", "https://a.example/.well-known/oauth-protected-resource/v1"),
            ("https://a.example/", "https://a.example/.well-known/oauth-protected-resource/v1"),
            ("http://[::1]:8080/x/y", "http://[::1]:8080/.well-known/oauth-protected-resource/x/y/v1"),
            ("https://v1.example/v1", "https://v1.example/.well-known/oauth-protected-resource/v1/v1"),
        ] {
            assert_eq!(metadata_url(&Issuer::new(url)), expected);
        }
    }
}
