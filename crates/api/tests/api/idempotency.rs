//! `Idempotency-Key`

use std::future::IntoFuture;

use domain::Role;
use serde_json::{Value, json};
use testkit::TestApp;

#[testkit::both_engines]
async fn a_retry_gets_the_same_answer_and_makes_nothing(app: TestApp) {
    let client = app.client_with_scopes("incidents:write incidents:read").await;
    let body = json!({"title": "a", "description": ""});
    let create = || app.post("/v1/incidents").bearer(&client).json(body.clone());
    let first = create().idempotency_key("\"k-1\"").expect(201).await;
    assert_eq!(first.header("idempotent-replayed"), None);
    let retry = create().idempotency_key("k-1").expect(201).await;
    assert_eq!((&retry.bytes, retry.header("location")), (&first.bytes, first.header("location")));
    assert_eq!(retry.header("idempotent-replayed"), Some("true"));
    let list = app.get("/v1/incidents").bearer(&client).expect(200).await;
    assert_eq!(list.json()["data"].as_array().unwrap().len(), 1);
    // After a day the key can be used again.
    app.db.clock.advance(jiff::SignedDuration::from_secs(24 * 3_600 + 1));
    let token = app.sign_in(&client.id, &client.secret).await;
    let later =
        app.post("/v1/incidents").bearer(&token).json(body.clone()).idempotency_key("k-1").expect(201).await;
    assert_eq!((later.text("id"), later.header("idempotent-replayed")), ("INC-0002", None));
}

#[testkit::both_engines]
async fn a_key_stands_for_one_request(app: TestApp) {
    let client = app.client_with_scopes("incidents:write incidents:delete").await;
    let create = |title: &str| {
        let body = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(&client).json(body).idempotency_key("k")
    };
    create("a").expect(201).await;
    assert_eq!(create("b").expect(422).await.text("code"), "idempotency_key_reused");
    let other_path =
        app.delete("/v1/incidents").bearer(&client).json(json!({"ids": [1]})).idempotency_key("k");
    assert_eq!(other_path.expect(422).await.text("code"), "idempotency_key_reused");
}

#[testkit::both_engines]
async fn a_byte_order_mark_makes_no_other_request(app: TestApp) {
    let client = app.client_with_scopes("incidents:write incidents:read").await;
    let body = r#"{"title": "a", "description": ""}"#;
    let create = |body: String| {
        app.post("/v1/incidents").bearer(&client).body("application/json", body).idempotency_key("k")
    };
    let first = create(format!("\u{feff}{body}")).expect(201).await;
    let retry = create(body.to_owned()).expect(201).await;
    assert_eq!((&retry.bytes, retry.header("idempotent-replayed")), (&first.bytes, Some("true")));
    let patch = app.patch("/v1/incidents/1").bearer(&client);
    patch.body("application/merge-patch+json", "\u{feff}{\"title\":\"b\"}").expect(200).await;
}

#[testkit::both_engines]
async fn a_key_belongs_to_its_caller(app: TestApp) {
    let mut ids = Vec::new();
    for _ in 0..2 {
        let client = app.client_with_scopes("incidents:write").await;
        let answer = app.post("/v1/incidents").bearer(&client).idempotency_key("k").expect(201).await;
        ids.push(answer.text("id").to_owned());
    }
    assert_eq!(ids, ["INC-0001", "INC-0002"]);
}

#[testkit::both_engines]
async fn a_failure_is_not_kept(app: TestApp) {
    let client = app.client_with_scopes("incidents:write").await;
    let patch = || {
        app.patch("/v1/incidents/INC-0001").bearer(&client).json(json!({"title": "b"})).idempotency_key("k")
    };
    patch().expect(404).await;
    app.post("/v1/incidents").bearer(&client).expect(201).await;
    patch().expect(200).await;
    assert_eq!(patch().expect(200).await.header("idempotent-replayed"), Some("true"));
}

#[testkit::both_engines]
async fn duplicates_at_the_same_time_have_one_effect(app: TestApp) {
    let client = app.client_with_scopes("incidents:write").await;
    let create = || app.post("/v1/incidents").bearer(&client).idempotency_key("k").into_future();
    let answers = tokio::join!(create(), create(), create(), create());
    let answers = [answers.0, answers.1, answers.2, answers.3];
    assert!(answers.iter().all(|answer| answer.status == 201 && answer.text("id") == "INC-0001"));
    let replayed = answers.iter().filter(|answer| answer.header("idempotent-replayed").is_some()).count();
    assert_eq!(replayed, 3);
}

/// The key is stored in the database, so it works across processes, even for concurrent requests.
#[testkit::both_engines]
async fn duplicates_to_two_processes_have_one_effect(app: TestApp) {
    let client = app.client_with_scopes("incidents:write incidents:read").await;
    let beside = app.beside(2).await;
    for round in 0..10 {
        let key = format!("k-{round}");
        let create =
            async |app: &TestApp| app.post("/v1/incidents").bearer(&client).idempotency_key(&key).await;
        let (one, two) = tokio::join!(create(&app), create(&beside));
        assert_eq!((one.status, two.status), (201, 201));
        assert_eq!(one.bytes, two.bytes);
        let replays = [&one, &two].iter().filter(|it| it.header("idempotent-replayed").is_some()).count();
        assert_eq!(replays, 1);
    }
    let list = app.get("/v1/incidents").bearer(&client).expect(200).await;
    assert_eq!(list.json()["data"].as_array().unwrap().len(), 10);
}

#[testkit::both_engines]
async fn a_malformed_key_is_a_wrong_parameter(app: TestApp) {
    let client = app.client_with_scopes("incidents:write").await;
    let answer = app.post("/v1/incidents").bearer(&client).idempotency_key("a b").expect(400).await;
    assert_eq!(answer.faults(), ["Idempotency-Key format"]);
}

/// People belong to the instance and tags to the organization: their writes use the same lock, that of the
/// organization's head.
#[testkit::both_engines]
async fn one_key_sent_to_two_operations_at_once_has_one_effect(app: TestApp) {
    let client = app.client().await;
    let second = app.beside(2).await;
    for round in 0..20 {
        let key = format!("key-{round}");
        let user = json!({"name": "Ada", "email": format!("ada-{round}@x.org"), "role": "viewer"});
        let tag = json!({"name": format!("tag-{round}")});
        let (user, tag) = tokio::join!(
            app.post("/v1/users").bearer(&client).idempotency_key(&key).json(user),
            second.post("/v1/tags").bearer(&client).idempotency_key(&key).json(tag),
        );
        let mut outcomes =
            [(user.status, user.json()["code"].clone()), (tag.status, tag.json()["code"].clone())];
        outcomes.sort_by_key(|(status, _)| *status);
        assert_eq!(outcomes, [(201, json!(null)), (422, json!("idempotency_key_reused"))], "round {round}");
    }
}

#[testkit::both_engines]
async fn who_is_no_reader_any_more_gets_no_stored_response(app: TestApp) {
    let admin = app.client().await;
    let rita = app.person("Rita", Role::Responder).await;
    let made = app.post("/v1/incidents").bearer(&admin).expect(201).await;
    let path = format!("/v1/incidents/{}", made.text("id"));
    let readers = async |ids: Value| {
        let body = json!({"restricted": true, "readers": ids});
        app.patch(&path).bearer(&admin).json(body).expect(200).await;
    };
    readers(json!([rita.id])).await;
    let patch = || app.patch(&path).bearer(&rita).idempotency_key("k").json(json!({"title": "Payroll"}));
    let comment = json!({"kind": "comment", "text": "Payroll"});
    let write =
        || app.post(&format!("{path}/notes")).bearer(&rita).idempotency_key("n").json(comment.clone());
    let (patched, written) = (patch().expect(200).await, write().expect(201).await);
    readers(json!([])).await;
    assert_eq!(patch().expect(404).await.text("title"), "Incident not found");
    assert_eq!(write().expect(404).await.text("title"), "Incident not found");
    readers(json!([rita.id])).await;
    assert_eq!(patch().expect(200).await.bytes, patched.bytes);
    assert_eq!(write().expect(201).await.bytes, written.bytes);
}

/// Who declares incidents sees those alone, and writes comments about them.
#[testkit::both_engines]
async fn who_became_staff_gets_no_stored_response_about_what_others_declared(app: TestApp) {
    let admin = app.client().await;
    let sam = app.person("Sam", Role::Responder).await;
    let made = app.post("/v1/incidents").bearer(&admin).expect(201).await;
    let path = format!("/v1/incidents/{}/notes", made.text("id"));
    let comment = json!({"kind": "comment", "text": "Payroll"});
    let write = || app.post(&path).bearer(&sam).idempotency_key("n").json(comment.clone());
    write().expect(201).await;
    let user = format!("/v1/users/{}", sam.id);
    app.patch(&user).bearer(&admin).json(json!({"role": "staff"})).expect(200).await;
    assert_eq!(write().expect(404).await.text("title"), "Incident not found");
}

#[testkit::both_engines]
async fn a_view_that_is_not_shared_any_more_is_in_no_stored_response(app: TestApp) {
    let (owner, other) = (app.client().await, app.client().await);
    let new = json!({"name": "Ours", "list": "incidents", "filter": {}, "shared": true});
    let made = app.post("/v1/views").bearer(&owner).json(new).expect(201).await;
    let path = format!("/v1/views/{}", made.text("id"));
    let patch = || app.patch(&path).bearer(&other).idempotency_key("k").json(json!({"name": "Theirs"}));
    patch().expect(200).await;
    app.patch(&path).bearer(&owner).json(json!({"shared": false})).expect(200).await;
    assert_eq!(patch().expect(404).await.text("title"), "View not found");
}
