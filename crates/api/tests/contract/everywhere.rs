//! Decisions about every operation.

use std::collections::BTreeMap;

use domain::{Role, Scope};
use serde_json::{Value, json};
use testkit::TestApp;

use crate::contract::{document, incident, risk};

#[test]
fn scopes_are_one_per_noun_and_verb() {
    let expected = BTreeMap::from([
        ("incidents:write", "POST /v1/incidents, PATCH /v1/incidents/{}"),
        (
            "incidents:delete",
            "DELETE /v1/incidents, POST /v1/incidents/bulk-delete, POST /v1/incidents/restore",
        ),
        ("incidents:read", "GET /v1/incidents, GET /v1/incidents/{}"),
        ("documents:write", "PATCH /v1/documents/{}, POST /v1/documents"),
        (
            "documents:read",
            "GET /v1/documents, GET /v1/documents/{}, GET /v1/documents/{}/proposals/{}, \
             GET /v1/documents/{}/proposals/{}/edits",
        ),
        (
            "risks:read",
            "GET /v1/organizations/{}/risk-performance, GET /v1/risks, GET /v1/risks/{}, \
             GET /v1/risks/{}/evaluations, GET /v1/risks/{}/evaluations/{}, GET /v1/risks/{}/tags",
        ),
        (
            "risks:write",
            "DELETE /v1/risks/{}/tags/{}, PATCH /v1/risks/{}, POST /v1/risks, POST /v1/risks/{}/evaluations, \
             POST /v1/risks/{}/tags",
        ),
        ("risks:delete", "DELETE /v1/risks/{}, POST /v1/risks/{}/restore"),
        ("tags:write", "POST /v1/tags"),
        ("tags:read", "GET /v1/tags, GET /v1/tags/{}"),
        ("organizations:read", "GET /v1/organizations/{}"),
        ("users:admin", "POST /v1/users"),
        ("users:read", "GET /v1/users, GET /v1/users/{}"),
        ("journal:read", "GET /v1/journal, GET /v1/journal/head"),
    ]);
    let document = api::document();
    let mut found = BTreeMap::<String, Vec<String>>::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, it) in item.as_object().unwrap() {
            if let Some(scope) = it["security"][0]["oauth2"][0].as_str() {
                let parts = path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part });
                let path = parts.collect::<Vec<_>>().join("/");
                found.entry(scope.to_owned()).or_default().push(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    for (scope, operations) in expected {
        let operations: Vec<_> = operations.split(", ").collect();
        for operation in operations {
            let has = found.get(scope).is_some_and(|found| found.iter().any(|it| it == operation));
            assert!(has, "{operation} needs {scope}: {:?}", found.get(scope));
        }
    }
}

#[test]
fn roles_are_sets_of_scopes() {
    let staff = "incidents:declare documents:acknowledge".to_owned();
    let viewer =
        &format!("{staff} incidents:read risks:read tags:read documents:read organizations:read users:read");
    let responder = format!("{viewer} incidents:write");
    let owner = format!(
        "{responder} incidents:delete risks:read risks:write risks:accept risks:delete tags:write documents:write"
    );
    let admin = Scope::ALL.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" ");
    for (role, scopes) in [
        (Role::Viewer, viewer),
        (Role::Responder, &responder),
        (Role::Owner, &owner),
        (Role::Approver, &format!("{viewer} documents:approve")),
        (Role::Auditor, &format!("{viewer} journal:read")),
        (Role::Staff, &staff),
        (Role::Admin, &admin),
    ] {
        assert_eq!(role.scopes(), domain::Scopes::parse(scopes).unwrap(), "{role:?}");
    }
}

#[testkit::both_engines]
async fn create_is_201_with_a_location_that_leads_to_the_thing(app: TestApp) {
    let client = app.client().await;
    let slug = document(&app, &client, "access-control").await;
    let risk = risk(&app, &client, json!({"likelihood": 1, "impact": 1})).await;
    let body = json!({"likelihood": 1, "impact": 1});
    let evaluation =
        app.post(&format!("/v1/risks/{risk}/evaluations")).bearer(&client).json(body).expect(201).await;
    let incident = app.post("/v1/incidents").bearer(&client).expect(201).await;
    let tag = app.post("/v1/tags").bearer(&client).json(json!({"name": "a"})).expect(201).await;
    let body = json!({"name": "Ada", "email": "ada@x.org", "role": "viewer"});
    let user = app.post("/v1/users").bearer(&client).json(body).expect(201).await;
    for made in [evaluation, incident, tag, user] {
        let read = app.get(made.header("location").unwrap()).bearer(&client).expect(200).await;
        assert_eq!(read.json(), made.json());
    }
    app.get(&format!("/v1/documents/{slug}")).bearer(&client).expect(200).await;
}

#[testkit::both_engines]
async fn a_malformed_id_in_a_path_is_404_with_the_operations_own_text(app: TestApp) {
    let client = app.client().await;
    for (path, title) in [
        ("/v1/incidents/x", "Incident not found"),
        ("/v1/incidents/INC-99999999999999999999", "Incident not found"),
        ("/v1/incidents/%FF", "Incident not found"),
        ("/v1/documents/No_Slug", "Document not found"),
        ("/v1/organizations/x", "Organization not found"),
        ("/v1/organizations/x/risk-performance", "Organization not found"),
        ("/v1/risks/RSK-0", "Risk not found"),
        ("/v1/risks/x/evaluations", "Risk not found"),
        ("/v1/tags/x", "Tag not found"),
        ("/v1/users/x", "User not found"),
    ] {
        let answer = app.get(path).bearer(&client).expect(404).await;
        assert_eq!((answer.text("title"), answer.text("code")), (title, "not_found"), "{path}");
    }
}

#[testkit::both_engines]
async fn errors_are_problems_with_the_outcome_text_as_title(app: TestApp) {
    let client = app.client().await;
    let answer = app.get("/v1/incidents/7").bearer(&client).header("x-request-id", "r-1").expect(404).await;
    assert_eq!(answer.header("content-type"), Some("application/problem+json"));
    assert_eq!(
        answer.json(),
        &json!({"type": "/docs/errors#not_found", "title": "Incident not found", "status": 404, "code": "not_found",
            "detail": answer.text("detail"), "instance": "/v1/incidents/7", "request_id": "r-1"})
    );
}

#[testkit::both_engines]
async fn dates_need_an_offset_and_come_back_in_utc_cut_to_microseconds(app: TestApp) {
    let client = app.client().await;
    for (sent, kept) in [
        ("2026-02-01T10:00:00Z", "2026-02-01T10:00:00.000000Z"),
        ("2026-02-01t10:00:00z", "2026-02-01T10:00:00.000000Z"),
        ("2026-02-01T10:00:00+02:00", "2026-02-01T08:00:00.000000Z"),
        ("2026-02-01T00:00:00-00:30", "2026-02-01T00:30:00.000000Z"),
        ("2026-02-01T10:00:00.1234567Z", "2026-02-01T10:00:00.123456Z"),
        ("2026-02-01T10:00:00.9999999Z", "2026-02-01T10:00:00.999999Z"),
        ("1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000000Z"),
        ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000000Z"),
    ] {
        let it =
            incident(&app, &client, json!({"title": "a", "description": "", "occurred_date": sent})).await;
        assert_eq!(it["occurred_date"], kept, "{sent}");
    }
    for wrong in [
        "2026-02-01T10:00:00",
        "2026-02-01",
        "10:00:00Z",
        "2026-02-30T10:00:00Z",
        "2026-02-01T25:00:00Z",
        "1770000000",
        "0000-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "-0001-01-01T00:00:00Z",
        "10000-01-01T00:00:00Z",
        "",
    ] {
        let body = json!({"title": "a", "description": "", "occurred_date": wrong});
        let answer = app.post("/v1/incidents").bearer(&client).json(body).expect(422).await;
        assert_eq!(answer.faults(), ["#/occurred_date format"], "{wrong}");
    }
}

#[testkit::both_engines]
async fn null_and_absent_mean_the_same_except_in_a_merge_patch(app: TestApp) {
    let client = app.client().await;
    let absent = incident(&app, &client, json!({"title": "a", "description": ""})).await;
    let null = json!({"title": "a", "description": "", "source": null, "assigned_to": null, "occurred_date": null,
        "detected_date": null, "responded_date": null, "contained_date": null});
    let null = incident(&app, &client, null).await;
    for (name, value) in absent.as_object().unwrap() {
        if !["id", "status_date", "created_date", "updated_date", "detected_date"].contains(&name.as_str()) {
            assert_eq!(&null[name], value, "{name}");
        }
    }
    let patch = |body: Value| app.patch("/v1/incidents/1").bearer(&client).json(body);
    assert_eq!(patch(json!({"source": "mail"})).expect(200).await.text("source"), "mail");
    assert_eq!(patch(json!({"title": "b"})).expect(200).await.text("source"), "mail");
    assert_eq!(patch(json!({"source": null})).expect(200).await.json()["source"], Value::Null);
}

#[testkit::both_engines]
async fn operational_paths_carry_no_v1_and_need_no_token(app: TestApp) {
    for path in ["/healthz", "/readyz", "/openapi.json"] {
        app.get(path).expect(200).await;
        app.get(&format!("/v1{path}")).expect(404).await;
    }
}

#[testkit::both_engines]
async fn a_list_page_is_50_by_default_and_200_at_most(app: TestApp) {
    let client = app.client().await;
    futures_util::future::join_all((0..201).map(async |_| {
        app.post("/v1/incidents").bearer(&client).expect(201).await;
    }))
    .await;
    let rows = async |query: &str| {
        let page = app.get(&format!("/v1/incidents{query}")).bearer(&client).expect(200).await;
        (page.json()["data"].as_array().unwrap().len(), page.json()["has_more"].clone())
    };
    assert_eq!(rows("").await, (50, json!(true)));
    assert_eq!(rows("?limit=200").await, (200, json!(true)));
    app.get("/v1/incidents?limit=201").bearer(&client).expect(400).await;
}
