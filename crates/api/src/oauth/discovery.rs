//! Discovery: the metadata of the authorization server (RFC 8414) and of the protected resource (RFC 9728), and the
//! public keys (RFC 7517). All of it is built from the configured public URL, never from a request's `Host`.

use auth::PublicUrl;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use domain::{ResourceKind, Scope};
use http::app::App;
use http::conditional::entity_tag;
use http::error::{Error, Result};
use hyper::header::{CONTENT_TYPE, ETAG, HeaderValue};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

/// The methods of client authentication at every endpoint that requires it. `none` is not listed although a refresh
/// may omit it: listing it would allow it for client credentials too.
const AUTHENTICATION: [&str; 2] = ["client_secret_basic", "client_secret_post"];

/// A document that is the same for every caller, with its entity tag.
fn document(document: &impl Serialize) -> Response {
    // String keys and strings only: serializing them cannot fail.
    let body = serde_json::to_vec(document).unwrap_or_default();
    let etag = HeaderValue::try_from(entity_tag(None, &body));
    let etag = etag.unwrap_or(HeaderValue::from_static("\"\""));
    // Some clients do not accept application/jwk-set+json.
    let content_type = HeaderValue::from_static("application/json");
    ([(ETAG, etag), (CONTENT_TYPE, content_type)], body).into_response()
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
    #[schema(max_items = 10, max_length = 100, examples(json!(["client_credentials", "refresh_token"])))]
    grant_types_supported: [&'static str; 2],
    /// Empty: there is no authorization endpoint.
    #[schema(value_type = Vec<String>, max_items = 0, max_length = 100)]
    response_types_supported: [&'static str; 0],
    /// The methods of client authentication at the token endpoint.
    #[schema(max_items = 10, max_length = 100, examples(json!(["client_secret_basic", "client_secret_post"])))]
    token_endpoint_auth_methods_supported: [&'static str; 2],
    /// The same at the revocation endpoint.
    #[schema(max_items = 10, max_length = 100)]
    revocation_endpoint_auth_methods_supported: [&'static str; 2],
    /// The same at the introspection endpoint.
    #[schema(max_items = 10, max_length = 100)]
    introspection_endpoint_auth_methods_supported: [&'static str; 2],
    /// Every scope.
    #[schema(max_items = 100, max_length = 100, examples(json!(["incidents:read", "incidents:write"])))]
    scopes_supported: Vec<&'static str>,
    /// The documentation for people.
    #[schema(format = "uri", max_length = 2048)]
    service_documentation: String,
    /// The resources that the tokens are for (RFC 9728, section 4).
    #[schema(max_items = 10, max_length = 2048)]
    protected_resources: Vec<String>,
}

impl AuthorizationServerMetadata {
    fn new(issuer: &PublicUrl) -> Self {
        Self {
            issuer: issuer.as_str().to_owned(),
            token_endpoint: issuer.to("/v1/oauth/token"),
            jwks_uri: issuer.to("/.well-known/jwks.json"),
            revocation_endpoint: issuer.to("/v1/oauth/revoke"),
            introspection_endpoint: issuer.to("/v1/oauth/introspect"),
            grant_types_supported: ["client_credentials", "refresh_token"],
            response_types_supported: [],
            token_endpoint_auth_methods_supported: AUTHENTICATION,
            revocation_endpoint_auth_methods_supported: AUTHENTICATION,
            introspection_endpoint_auth_methods_supported: AUTHENTICATION,
            scopes_supported: scopes(),
            service_documentation: issuer.to("/docs"),
            protected_resources: vec![issuer.as_str().to_owned(), issuer.api().to_owned()],
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
    #[schema(max_items = 10, max_length = 2048, examples(json!(["https://register.example.org"])))]
    authorization_servers: Vec<String>,
    /// Every scope.
    #[schema(max_items = 100, max_length = 100)]
    scopes_supported: Vec<&'static str>,
    /// How a token is sent: in the header only.
    #[schema(max_items = 10, max_length = 100, examples(json!(["header"])))]
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
    fn new(issuer: &PublicUrl, resource: &str) -> Self {
        Self {
            resource: resource.to_owned(),
            authorization_servers: vec![issuer.as_str().to_owned()],
            scopes_supported: scopes(),
            bearer_methods_supported: ["header"],
            resource_name: "Bailiwick",
            resource_documentation: issuer.to("/docs"),
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
    document(&json!({ "keys": app.auth().keys.current().published() }))
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
    document(&AuthorizationServerMetadata::new(&app.auth().public_url))
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
    let issuer = &app.auth().public_url;
    document(&ProtectedResourceMetadata::new(issuer, issuer.as_str()))
}

/// The same with the issuer's path appended (RFC 8414, section 3.1).
pub(crate) async fn authorization_server_at(
    State(app): State<App>,
    Path(path): Path<String>,
) -> Result<Response> {
    let issuer = &app.auth().public_url;
    match within(issuer, &path).as_str() {
        "/" => Ok(document(&AuthorizationServerMetadata::new(issuer))),
        _ => Err(Error::not_found(ResourceKind::Path)),
    }
}

/// The same with the path of the public URL appended, and that of the API with its path (RFC 9728, section 3.1).
pub(crate) async fn protected_resource_at(
    State(app): State<App>,
    Path(path): Path<String>,
) -> Result<Response> {
    let issuer = &app.auth().public_url;
    match within(issuer, &path).as_str() {
        "/" => Ok(document(&ProtectedResourceMetadata::new(issuer, issuer.as_str()))),
        "/v1" => Ok(document(&ProtectedResourceMetadata::new(issuer, issuer.api()))),
        _ => Err(Error::not_found(ResourceKind::Path)),
    }
}

/// The path of the service whose metadata are asked for at this path, without its first slash.
fn within(issuer: &PublicUrl, path: &str) -> String {
    issuer.path_within(&format!("/{path}")).to_owned()
}
