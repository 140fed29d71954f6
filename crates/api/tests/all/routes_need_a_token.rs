//! No operation responds without a token with its scope, and none reveals anything before that check.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use domain::Scopes;
use testkit::{CHALLENGE, Request, TestApp, TestClient};

use crate::all::operations::{self, Operation};
use crate::all::world::{World, all_scopes};

/// A request in which the id, the query, the media type and the body are wrong, but not the token.
fn wrong<'a>(app: &'a TestApp, operation: &Operation) -> Request<'a> {
    let path = operation.template.replace(['{', '}'], "");
    app.request(operation.method.clone(), &format!("{path}?zzz=1")).body("text/plain", "{")
}

#[test]
fn every_operation_names_a_known_scope() {
    for operation in operations::all() {
        let scopes = operation.scopes();
        match operation.key.as_str() {
            "GET /v1/me" => assert_eq!(scopes, [""; 0], "only this needs no scope"),
            "POST /v1/incidents" => assert_eq!(scopes, ["incidents:write", "incidents:declare"]),
            "GET /v1/incidents"
            | "GET /v1/incidents/{}"
            | "GET /v1/incidents/{}/severity"
            | "GET /v1/incidents/{}/transitions" => {
                assert_eq!(scopes, ["incidents:read", "incidents:declare"]);
            }
            "POST /v1/severity/assess" => {
                assert_eq!(scopes, ["incidents:write", "incidents:declare", "incidents:read"]);
            }
            "GET /v1/search" => {
                assert_eq!(scopes, ["incidents:read", "incidents:declare", "risks:read", "documents:read"]);
            }
            "POST /v1/undo" => {
                assert_eq!(
                    scopes,
                    [
                        "incidents:write",
                        "incidents:delete",
                        "risks:write",
                        "risks:delete",
                        "documents:write",
                        "tags:write"
                    ]
                );
            }
            "POST /v1/incidents/bulk" => assert_eq!(scopes, ["incidents:write", "incidents:delete"]),
            "POST /v1/risks/bulk" => assert_eq!(scopes, ["risks:write", "risks:delete"]),
            "POST /v1/users/{}/handover" => {
                assert_eq!(scopes, ["incidents:write", "risks:write", "documents:write"]);
            }
            "POST /v1/documents/{}/proposals/{}/return" | "POST /v1/documents/{}/proposals/{}/resolve" => {
                assert_eq!(scopes, ["documents:write", "documents:approve"]);
            }
            // Who acknowledges a document reads its text.
            "GET /v1/documents/{}/versions/{}" | "GET /v1/documents/{}/versions/{}/difference" => {
                assert_eq!(scopes, ["documents:read", "documents:acknowledge"]);
            }
            key if key.starts_with("GET /v1/documents/{}/acknowledgements") => {
                assert_eq!(scopes, ["documents:read", "documents:acknowledge", "journal:read"], "{key}");
            }
            "GET /v1/tasks" => assert_eq!(scopes, ["incidents:read", "incidents:declare", "risks:read"]),
            // Each import needs that of its kind.
            key if key.contains(" /v1/imports") => {
                assert_eq!(scopes, ["risks:write", "incidents:write", "tags:write"], "{key}");
            }
            // Each view needs those of its list.
            key if key.contains(" /v1/views") => {
                assert_eq!(scopes, ["incidents:read", "incidents:declare", "risks:read", "documents:read"]);
            }
            // Those who declare incidents comment on their own.
            key if key.contains("/notes") && !key.starts_with("GET ") && !key.ends_with("/restore") => {
                assert_eq!(scopes, ["incidents:write", "incidents:declare"], "{key}");
            }
            // An author withdraws it, and so does who may change documents.
            key if key.ends_with("/withdraw") => assert_eq!(scopes, ["documents:write", "documents:read"]),
            // Also for those who declare incidents, and read their own.
            key if key.starts_with("GET /v1/incidents") => assert_eq!(scopes[0], "incidents:read", "{key}"),
            key => assert_eq!(scopes.len(), 1, "{key}"),
        }
        for scope in scopes {
            assert!(domain::Scope::parse(scope).is_some(), "{operation}: {scope}");
        }
    }
}

#[testkit::both_engines]
async fn without_a_token_there_is_a_challenge_and_nothing_else(app: TestApp) {
    for operation in operations::all() {
        let answer = wrong(&app, &operation).expect(401).await;
        assert_eq!(answer.text("code"), "unauthenticated", "{operation}");
        assert_eq!(answer.header("www-authenticate"), Some(CHALLENGE), "{operation}");
        assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{operation}");
    }
}

#[testkit::both_engines]
async fn a_malformed_token_is_an_invalid_token(app: TestApp) {
    let client = app.client().await;
    let changed = match client.token.strip_suffix('A') {
        Some(rest) => format!("{rest}Q"),
        None => format!("{}A", &client.token[..client.token.len() - 1]),
    };
    for operation in operations::all() {
        for token in ["nonsense", "a.b.c", &changed] {
            let answer = wrong(&app, &operation).bearer(token).expect(401).await;
            assert_eq!(answer.text("code"), "unauthenticated", "{operation}");
            let challenge = answer.header("www-authenticate").unwrap_or_default();
            assert!(challenge.contains(r#"error="invalid_token""#), "{operation}: {challenge}");
        }
        wrong(&app, &operation).header("authorization", "Basic YTpi").expect(401).await;
    }
}

#[testkit::both_engines]
async fn a_token_without_the_scope_gets_the_missing_scope(app: TestApp) {
    let mut clients: HashMap<String, TestClient> = HashMap::new();
    for operation in operations::all() {
        let Some(scope) = operation.scope() else { continue };
        let enough = operation.scopes();
        if let Entry::Vacant(vacant) = clients.entry(enough.join(" ")) {
            let others =
                all_scopes().split(' ').filter(|it| !enough.contains(it)).collect::<Vec<_>>().join(" ");
            vacant.insert(app.client_with_scopes(&others).await);
        }
        let answer = wrong(&app, &operation).bearer(&clients[&enough.join(" ")]).expect(403).await;
        assert_eq!((answer.text("code"), answer.text("scope")), ("insufficient_scope", scope), "{operation}");
        let challenge = answer.header("www-authenticate").unwrap_or_default();
        let expected = format!(r#"error="insufficient_scope", scope="{scope}""#);
        assert!(challenge.contains(&expected), "{operation}: {challenge}");
    }
}

#[testkit::both_engines]
async fn each_scope_is_enough_where_no_access_is_changed(app: TestApp) {
    let world = World::new(&app).await;
    for operation in operations::all() {
        let scopes = match operation.scopes() {
            none if none.is_empty() => vec!["tags:read"],
            scopes => scopes,
        };
        for scope in scopes {
            let further = World::further_scopes(&operation);
            let client = app.client_with_scopes(&format!("{scope} {further}")).await;
            let ask = world.valid_by(&operation, client.as_ref(), scope).await;
            if further != Scopes::default() {
                let refused = ask.on(&app).bearer(&app.client_with_scopes(scope).await).expect(403).await;
                assert_eq!(refused.text("scope"), further.to_string(), "{operation}");
            }
            let answer = ask.on(&app).bearer(&client).await;
            assert!((200..300).contains(&answer.status), "{operation}: {} {}", answer.status, answer.json());
        }
    }
}
