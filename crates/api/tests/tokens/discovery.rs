//! The public metadata of the service, which reveals nothing else.

use auth::Settings;
use auth::keys::{KeyChange, change_keys};
use testkit::TestDb;

use super::*;

const SERVER: &str = "/.well-known/oauth-authorization-server";
const RESOURCE: &str = "/.well-known/oauth-protected-resource";
const KEYS: &str = "/.well-known/jwks.json";

#[testkit::both_engines]
async fn the_metadata_lists_what_the_authorization_server_supports(app: TestApp) {
    let answer = app.get(SERVER).header("host", "evil.test").expect(200).await;
    let told = answer.json();
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(told["issuer"], "http://bailiwick.test");
    assert_eq!(told["token_endpoint"], "http://bailiwick.test/v1/oauth/token");
    assert_eq!(told["jwks_uri"], "http://bailiwick.test/.well-known/jwks.json");
    assert_eq!(told["revocation_endpoint"], "http://bailiwick.test/v1/oauth/revoke");
    assert_eq!(told["introspection_endpoint"], "http://bailiwick.test/v1/oauth/introspect");
    assert_eq!(told["grant_types_supported"], json!(["client_credentials", "refresh_token"]));
    assert_eq!(told["response_types_supported"], json!([]), "required, and there is none");
    for endpoint in ["token", "revocation", "introspection"] {
        let methods = &told[format!("{endpoint}_endpoint_auth_methods_supported")];
        assert_eq!(*methods, json!(["client_secret_basic", "client_secret_post"]));
    }
    let scopes: Vec<_> = domain::Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    assert_eq!(told["scopes_supported"], json!(scopes));
    assert!(!answer.json().to_string().contains("evil"));
}

#[testkit::both_engines]
async fn the_metadata_of_the_api_names_its_authorization_server(app: TestApp) {
    // Each names the resource from whose URL it was derived (RFC 9728, section 3.3).
    for path in ["", "/v1"] {
        let answer = app.get(&format!("{RESOURCE}{path}")).header("host", "evil.test").expect(200).await;
        let told = answer.json();
        assert_eq!(told["resource"], format!("http://bailiwick.test{path}"));
        assert_eq!(told["authorization_servers"], json!(["http://bailiwick.test"]));
        assert_eq!(told["bearer_methods_supported"], json!(["header"]));
    }
    for path in
        [format!("{RESOURCE}/v2"), format!("{RESOURCE}/v1/x"), format!("{SERVER}/x"), format!("{SERVER}/")]
    {
        assert_eq!(app.get(&path).await.status, 404, "{path}");
    }
}

#[testkit::both_engines]
async fn a_path_of_the_public_url_stands_behind_the_well_known_part(db: TestDb) {
    let settings = Settings::new("https://a.example/risk/register/");
    let app = TestApp::start_with(db, http::Settings::default(), settings).await;
    for path in [SERVER.to_owned(), format!("{SERVER}/risk/register")] {
        let told = app.get(&path).expect(200).await;
        assert_eq!(told.text("issuer"), "https://a.example/risk/register");
        assert_eq!(told.text("jwks_uri"), "https://a.example/risk/register/.well-known/jwks.json");
    }
    // Also below the service's own path, as a proxy passes it on that takes that path away.
    for path in ["/risk/register", "/risk/register/v1", "/v1"] {
        let told = app.get(&format!("{RESOURCE}{path}")).expect(200).await;
        let path = path.strip_prefix("/risk/register").unwrap_or(path);
        assert_eq!(told.text("resource"), format!("https://a.example/risk/register{path}"));
    }
    assert_eq!(app.get(&format!("{RESOURCE}/risk/v1")).await.status, 404);
    let challenge = app.get("/v1/incidents").expect(401).await;
    let challenge = challenge.header("www-authenticate").unwrap();
    let url = "https://a.example/.well-known/oauth-protected-resource/risk/register/v1";
    assert!(challenge.ends_with(&format!("resource_metadata=\"{url}\"")), "{challenge}");
}

/// From a bare 401 to an access token, with only an id and a secret.
#[testkit::both_engines]
async fn a_client_finds_its_way_from_the_challenge_to_a_token(app: TestApp) {
    let client = app.client().await;
    let refused = app.get("/v1/incidents").expect(401).await;
    let challenge = refused.header("www-authenticate").unwrap();
    let (_, url) = challenge.split_once("resource_metadata=\"").unwrap();
    let path = |url: &str| url.strip_prefix("http://bailiwick.test").unwrap().to_owned();
    let resource = app.get(&path(url.trim_end_matches('"'))).expect(200).await;
    let server =
        app.get(&format!("{}{SERVER}", path(resource.text("/authorization_servers/0")))).expect(200).await;
    assert_eq!(server.text("issuer"), resource.text("/authorization_servers/0"));
    let credentials = [
        ("grant_type", "client_credentials"),
        ("client_id", client.id.as_str()),
        ("client_secret", client.secret.as_str()),
    ];
    let answer = app.post(&path(server.text("token_endpoint"))).form(&credentials).expect(200).await;
    app.get("/v1/incidents").bearer(answer.text("access_token")).expect(200).await;
    // A missing scope is different: the client already has a token.
    let without_the_scope = app.client_with_scopes("tags:read").await;
    let refused = app.get("/v1/incidents").bearer(&without_the_scope).expect(403).await;
    assert!(!refused.header("www-authenticate").unwrap().contains("resource_metadata"));
}

#[testkit::both_engines]
async fn the_key_set_has_public_members_of_access_keys_only(app: TestApp) {
    let master = auth::MasterKey::generate(&*testkit::seeded(0));
    change_keys(&app.db, &master, &testkit::author(), KeyChange::Rotate, None).await.unwrap();
    app.app().auth().keys.read().await.unwrap();
    let answer = app.get(KEYS).expect(200).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let keys = answer.json()["keys"].as_array().unwrap().clone();
    assert_eq!(keys.len(), 3, "retired, active, next");
    for key in &keys {
        let members: Vec<_> = key.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members, ["alg", "crv", "kid", "kty", "use", "x", "y"]);
    }
    let rows = store::signing_keys::list(&mut app.db.read().await.unwrap()).await.unwrap();
    let text = answer.json().to_string();
    for row in rows {
        let is_public = row.purpose == store::signing_keys::Purpose::Access;
        assert_eq!(text.contains(&row.kid), is_public, "{}", row.kid);
    }
}

#[testkit::both_engines]
async fn the_documents_may_be_kept_for_five_minutes_and_asked_for_by_their_tag(app: TestApp) {
    for path in [KEYS, SERVER, RESOURCE] {
        let first = app.get(path).expect(200).await;
        assert_eq!(first.header("cache-control"), Some("public, max-age=300"), "{path}");
        let etag = first.header("etag").unwrap();
        assert!(etag.starts_with('"') && etag.ends_with('"'), "{etag}");
        let again = app.get(path).header("if-none-match", etag).expect(304).await;
        assert!(again.bytes.is_empty());
        assert_eq!(
            (again.header("etag"), again.header("cache-control")),
            (Some(etag), first.header("cache-control"))
        );
        app.get(path).header("if-none-match", "\"other\"").expect(200).await;
        assert_eq!(app.post(path).await.status, 405);
    }
    let before = app.get(KEYS).await.header("etag").unwrap().to_owned();
    let master = auth::MasterKey::generate(&*testkit::seeded(0));
    change_keys(&app.db, &master, &testkit::author(), KeyChange::Rotate, None).await.unwrap();
    app.app().auth().keys.read().await.unwrap();
    app.get(KEYS).header("if-none-match", &before).expect(200).await;
}
