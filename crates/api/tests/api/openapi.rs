//! The OpenAPI document.

use std::path::Path;

use domain::ErrorCode;
use serde_json::Value;
use testkit::TestApp;

/// Operations for people who have no token yet: they send a password or the token of a link.
const OPEN: [&str; 3] = ["POST /v1/session", "POST /v1/invitations/accept", "POST /v1/reset-links/use"];

/// Operations that need a person's session.
const SESSION: [&str; 8] = [
    "GET /v1/session",
    "DELETE /v1/session",
    "POST /v1/me/password",
    "GET /v1/me/acknowledgements",
    "GET /v1/me/deputy",
    "PUT /v1/me/deputy",
    "DELETE /v1/me/deputy",
    "POST /v1/documents/{id}/proposals/{number}/seen",
];

fn document() -> Value {
    api::document()
}

/// The document as it is served.
fn shared() -> Value {
    serde_json::from_str(&api::openapi_text(&document())).unwrap()
}

/// The operations, as `POST /v1/incidents`, with their descriptions.
fn operations(document: &Value) -> Vec<(String, Value)> {
    let paths = document["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, item)| {
        let item = item.as_object().unwrap();
        item.iter().map(move |(method, it)| (format!("{} {path}", method.to_uppercase()), it.clone()))
    });
    operations.collect()
}

/// The OAuth endpoints, which authenticate the client themselves, and the public documents.
fn describes_its_own_errors(name: &str) -> bool {
    name.starts_with("POST /v1/oauth/") || name.starts_with("GET /.well-known/")
}

fn needs_no_token(name: &str) -> bool {
    describes_its_own_errors(name) || OPEN.contains(&name)
}

/// `BLESS=1 cargo nextest run -p api the_committed_document` rewrites the file.
#[test]
fn the_committed_document_is_that_of_the_routes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi.json");
    let text = api::openapi_text(&api::document());
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "openapi.json is stale: BLESS=1 cargo nextest run -p api the_committed_document"
    );
}

#[test]
fn the_success_texts_of_the_given_interface_are_word_for_word() {
    let operations = operations(&document());
    for (operation, status, text) in [
        ("POST /v1/incidents", "201", "Incident created"),
        ("DELETE /v1/incidents", "200", "Incidents deleted successfully"),
        ("PATCH /v1/documents/{id}", "200", "Documents updated"),
        ("GET /v1/organizations/{id}/risk-performance", "200", "Risk performance metrics"),
        ("POST /v1/risks/{risk_id}/tags", "201", "Tag added to risk"),
    ] {
        let (_, it) = operations.iter().find(|(name, _)| name == operation).expect(operation);
        assert_eq!(it["responses"][status]["description"], text, "{operation}");
    }
}

/// openapi-typescript and others take a member with a `default` for one that is always there, also in a request.
#[test]
fn no_member_of_an_object_has_a_default() {
    fn check(at: &str, schema: &Value) {
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            assert_eq!(member.get("default"), None, "{at}/{name}");
            check(&format!("{at}/{name}"), member);
        }
    }
    let document = document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    schemas.iter().for_each(|(name, schema)| check(name, schema));
    let dry_run = &schemas["IncidentBulk"]["properties"]["dry_run"]["description"];
    assert!(dry_run.as_str().unwrap().ends_with("; `false` by default."), "{dry_run}");
}

#[test]
fn every_operation_says_what_it_needs_and_how_it_fails() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    let mut ids = std::collections::HashSet::new();
    for (name, operation) in operations(&document) {
        assert!(ids.insert(operation["operationId"].as_str().unwrap().to_owned()), "{name}");
        for member in ["summary", "description"] {
            assert!(
                operation[member].as_str().is_some_and(|text| !text.is_empty()),
                "{name} has no {member}"
            );
        }
        let mut statuses = vec!["400", "429", "500", "503"];
        match operation["security"][0]["oauth2"].as_array().map(Vec::len) {
            Some(1) => statuses.extend(["401", "403"]),
            Some(0) => assert_eq!(name, "GET /v1/me"),
            _ if SESSION.contains(&name.as_str()) => statuses.extend(["401", "404"]),
            _ => assert!(needs_no_token(&name), "{name} asks for no token"),
        }
        for status in statuses.into_iter().filter(|_| !describes_its_own_errors(&name)) {
            assert!(operation["responses"].get(status).is_some(), "{name} {status}");
        }
    }
}

/// Fails for a new route without a token, a scope or a name.
#[testkit::both_engines]
async fn every_operation_asks_for_a_token_and_its_scope(app: TestApp) {
    let clients_admin = app.client_with_scopes("clients:admin").await;
    let documents_approver = app.client_with_scopes("documents:approve").await;
    for (name, operation) in operations(&document()) {
        if needs_no_token(&name) {
            continue;
        }
        let (method, path) = name.split_once(' ').unwrap();
        let path = path.replace(['{', '}'], "");
        let method: axum::http::Method = method.parse().unwrap();
        app.request(method.clone(), &path).expect(401).await;
        if SESSION.contains(&name.as_str()) || name == "GET /v1/me" {
            continue;
        }
        let is_admins = operation["security"][0]["oauth2"][0] == "clients:admin";
        let other = if is_admins { &documents_approver } else { &clients_admin };
        let answer = app.request(method, &path).bearer(other).expect(403).await;
        assert_eq!(answer.json()["scope"], operation["security"][0]["oauth2"][0], "{name}");
    }
}

#[testkit::both_engines]
async fn the_document_is_served(app: TestApp) {
    let served = app.get("/openapi.json").expect(200).await;
    assert_eq!(served.json(), &shared());
}

/// Every reference in the document resolves.
#[test]
fn no_reference_dangles() {
    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str));
                members.values().for_each(|member| references(member, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let document = shared();
    let mut found = Vec::new();
    references(&document, &mut found);
    for reference in found {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
}

/// The example of each error that an operation describes is a problem of the catalogue, and the right one; testkit
/// validates the responses in the tests against them too.
#[test]
fn the_examples_of_errors_are_rows_of_the_catalogue() {
    let document = document();
    let (mut conflicts, mut shown) = (0, 0);
    for (operation, described) in operations(&document) {
        for (status, answer) in described["responses"].as_object().unwrap() {
            for (media_type, content) in answer["content"].as_object().into_iter().flatten() {
                if !status.starts_with(['4', '5']) {
                    continue;
                }
                let example = &content["example"];
                let code =
                    example["code"].as_str().unwrap_or_else(|| panic!("{operation} {status}: {content}"));
                let number: u16 = status.parse().unwrap();
                let row = ErrorCode::parse(code).unwrap_or_else(|| panic!("{operation} {status} {code}"));
                assert_eq!(http::error_codes::status(row), number, "{operation} {code}");
                let title = example["title"].as_str().unwrap();
                let is_titled = row.explanation().title == title;
                let is_of_oauth = media_type == "application/json";
                let names_a_noun = code == "not_found" && title.ends_with(" not found")
                    || code == "tag_already_associated" && title.starts_with("Tag already associated with ");
                assert!(is_titled || is_of_oauth || names_a_noun, "{operation} {status} {code}: {title}");
                // An error that an operation describes itself is not the one that all writes share.
                assert!(status != "409" || code != "in_progress", "{operation} shows another conflict");
                conflicts += usize::from(status == "409");
                shown += 1;
            }
        }
    }
    assert!(conflicts > 10 && shown > 60, "{conflicts} {shown}");
    let slow_down = "/paths/~1v1~1oauth~1token/post/responses/429/content/application~1json/example/error";
    assert_eq!(document.pointer(slow_down).unwrap(), "slow_down");
}
