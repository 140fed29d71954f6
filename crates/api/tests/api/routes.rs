//! What the route table declares about each route.

use std::collections::BTreeSet;

use hyper::Method;
use testkit::TestApp;

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// The routes whose responses have a secret, and those that all callers get alike; any other is private.
#[test]
fn a_route_is_private_unless_it_is_listed_here() {
    let mut others = BTreeSet::new();
    for route in api::Routes::of_api().declared_headers() {
        if route.cache_control != "private, no-cache" {
            others.insert(format!("{} {}: {}", route.method, route.path, route.cache_control));
        }
    }
    let expected = [
        "DELETE /v1/clients/{id}/secrets/{secret_id}: no-store",
        "DELETE /v1/invitations/{id}: no-store",
        "DELETE /v1/session: no-store",
        "DELETE /v1/users/{id}/reset-link: no-store",
        "GET /.well-known/jwks.json: public, max-age=300",
        "GET /.well-known/oauth-authorization-server/{*path}: public, max-age=300",
        "GET /.well-known/oauth-authorization-server: public, max-age=300",
        "GET /.well-known/oauth-protected-resource/{*path}: public, max-age=300",
        "GET /.well-known/oauth-protected-resource: public, max-age=300",
        "GET /docs/assets/{name}: public, max-age=3600",
        "GET /docs/errors: public, max-age=300",
        "GET /docs: public, max-age=300",
        "GET /healthz: no-cache",
        "GET /icon.svg: public, max-age=3600",
        "GET /openapi.json: no-cache",
        "GET /readyz: no-cache",
        "GET /v1/invitations/{id}: no-store",
        "GET /v1/invitations: no-store",
        "GET /v1/session: no-store",
        "GET /v1/users/{id}/reset-link: no-store",
        "PATCH /v1/clients/{id}: no-store",
        "POST /v1/clients/{id}/secrets: no-store",
        "POST /v1/clients: no-store",
        "POST /v1/invitations/accept: no-store",
        "POST /v1/invitations: no-store",
        "POST /v1/oauth/introspect: no-store",
        "POST /v1/oauth/revoke: no-store",
        "POST /v1/oauth/token: no-store",
        "POST /v1/reset-links/use: no-store",
        "POST /v1/session: no-store",
        "POST /v1/users/{id}/reset-link: no-store",
    ];
    assert_eq!(others, expected.map(str::to_owned).into_iter().collect());
}

#[test]
fn only_pages_may_load_anything() {
    let pages = ["/docs", "/docs/errors"];
    for route in api::Routes::of_api().declared_headers() {
        let (path, policy) = (route.path.as_str(), route.content_security_policy);
        let is_closed = policy == "default-src 'none'; frame-ancestors 'none'";
        assert_eq!(is_closed, !pages.contains(&path), "{} {path}: {policy}", route.method);
        let has_scripts = path == "/docs";
        assert_eq!(policy.contains("script-src 'self'"), has_scripts, "{} {path}: {policy}", route.method);
        assert!(!policy.contains("http"), "{path} loads from another origin: {policy}");
    }
}

/// An error has the headers of its own form, not those of the page that was requested.
#[testkit::both_engines]
async fn the_errors_of_a_page_have_the_policy_of_their_form(app: TestApp) {
    let json = app.get("/docs/assets/none").expect(404).await;
    assert_eq!(json.header("content-security-policy"), Some("default-src 'none'; frame-ancestors 'none'"));
    // The document describes the responses to programs only.
    let page = app.get("/docs/assets/none").header("accept", BROWSER).unchecked().expect(404).await;
    assert!(page.header("content-security-policy").unwrap().contains("style-src 'unsafe-inline'"));
    for answer in [json, page] {
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}

#[testkit::both_engines]
async fn a_method_without_a_route_has_the_declaration_of_its_path(app: TestApp) {
    let data = app.request(Method::OPTIONS, "/v1/clients").expect(204).await;
    assert_eq!(data.header("cache-control"), Some("private, no-cache"));
    let sign_in = app.request(Method::OPTIONS, "/v1/session").expect(204).await;
    assert_eq!(sign_in.header("cache-control"), Some("no-store"));
    // The errors of OAuth also where no endpoint runs.
    let token = app.request(Method::PUT, "/v1/oauth/token").expect(405).await;
    assert_eq!(
        (token.header("content-type"), token.text("error")),
        (Some("application/json"), "invalid_request")
    );
    let unknown = app.get("/v1/oauth/nothing").expect(404).await;
    assert_eq!(unknown.header("content-type"), Some("application/problem+json"));
}
