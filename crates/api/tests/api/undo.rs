//! `POST /v1/undo`: what becomes of the records of a request.

use axum::http::Method;
use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp};

/// What `POST /v1/undo` says of a request.
pub(crate) async fn undo(app: &TestApp, caller: impl AsRef<str>, request_id: &str) -> Answer {
    app.post("/v1/undo").bearer(caller).json(json!({"request_id": request_id})).expect(200).await
}

/// The id that the service gave a request.
pub(crate) fn request_id(answer: &Answer) -> &str {
    answer.header("x-request-id").unwrap()
}

/// The number of undone records, and type, id and outcome of each.
pub(crate) fn outcomes(answer: &Answer) -> (i64, Vec<[&str; 3]>) {
    let results = answer.json()["results"].as_array().unwrap();
    for result in results {
        assert_eq!(result["outcome"] == "undone", result.get("reason").is_none(), "{result}");
    }
    let all = results.iter().map(|it| ["type", "id", "outcome"].map(|member| it[member].as_str().unwrap()));
    (answer.json()["undone_count"].as_i64().unwrap(), all.collect())
}

/// A record as it is, without what every change changes.
async fn content(app: &TestApp, caller: impl AsRef<str>, path: &str) -> Value {
    let mut record = app.get(path).bearer(caller).expect(200).await.json().clone();
    let members = record.as_object_mut().unwrap();
    members.retain(|name, _| !["version", "updated_date"].contains(&name.as_str()));
    record
}

pub(crate) async fn incident(app: &TestApp, caller: impl AsRef<str>) -> String {
    let body = json!({"title": "First", "description": "Old.", "source": "mail"});
    app.post("/v1/incidents").bearer(caller).json(body).expect(201).await.text("id").to_owned()
}

pub(crate) async fn risk(app: &TestApp, caller: impl AsRef<str>) -> String {
    let body = json!({"title": "Fire", "description": "", "inherent": {"likelihood": 4, "impact": 5},
        "target": {"likelihood": 1, "impact": 2}});
    app.post("/v1/risks").bearer(caller).json(body).expect(201).await.text("id").to_owned()
}

async fn assert_sound(app: &TestApp) {
    let mut tx = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, app.organization, None).await.unwrap();
    assert_eq!(report.faults, []);
}

#[testkit::both_engines]
async fn a_change_is_undone_as_a_new_version(app: TestApp) {
    let client = app.client().await;
    let id = incident(&app, &client).await;
    let path = format!("/v1/incidents/{id}");
    let before = content(&app, &client, &path).await;
    let patch = json!({"title": "Second", "source": null, "resolution_summary": "Done."});
    let changed = app.patch(&path).bearer(&client).json(patch).expect(200).await;
    let undone = undo(&app, &client, request_id(&changed)).await;
    assert_eq!(outcomes(&undone), (1, vec![["incident", &id, "undone"]]));
    assert_eq!(content(&app, &client, &path).await, before);
    let now = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!(now.json()["version"], 3);
    assert_ne!(now.header("etag"), changed.header("etag"));
    // The version that the change made is gone, for a change that is based on it too.
    let stale = app.patch(&path).bearer(&client).header("if-match", changed.header("etag").unwrap());
    stale.json(json!({"title": "Third"})).expect(412).await;
    let entries = app.get("/v1/journal").bearer(&client).expect(200).await;
    let entry = entries.json()["data"].as_array().unwrap().last().unwrap();
    assert_eq!(entry["kind"], "incident.updated");
    assert_eq!(entry["request_id"], request_id(&undone));
    let payload: Value = serde_json::from_str(entry["payload"].as_str().unwrap()).unwrap();
    assert_eq!(
        payload,
        json!({"title": ["Second", "First"], "source": [null, "mail"], "resolution_summary": ["Done.", null]})
    );
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_repeated_undo_changes_nothing_and_an_undo_can_be_undone(app: TestApp) {
    let client = app.client().await;
    let id = incident(&app, &client).await;
    let path = format!("/v1/incidents/{id}");
    let changed = app.patch(&path).bearer(&client).json(json!({"title": "Second"})).expect(200).await;
    let first = undo(&app, &client, request_id(&changed)).await;
    let version = app.get(&path).bearer(&client).await.json()["version"].clone();
    let again = undo(&app, &client, request_id(&changed)).await;
    assert_eq!(outcomes(&again), (0, vec![["incident", &id, "already_undone"]]));
    assert_eq!(again.text("/results/0/reason"), "It is as it was before the request.");
    assert_eq!(app.get(&path).bearer(&client).await.json()["version"], version);
    let redone = undo(&app, &client, request_id(&first)).await;
    assert_eq!(outcomes(&redone), (1, vec![["incident", &id, "undone"]]));
    assert_eq!(app.get(&path).bearer(&client).await.text("title"), "Second");
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_deletion_and_a_restoration_of_incidents_are_undone(app: TestApp) {
    let client = app.client().await;
    let ids = [incident(&app, &client).await, incident(&app, &client).await];
    let body = json!({"ids": ids});
    let all = ids.each_ref().map(|id| ["incident", id, "undone"]).to_vec();
    let deleted = app.delete("/v1/incidents").bearer(&client).json(body.clone()).expect(200).await;
    assert_eq!(outcomes(&undo(&app, &client, request_id(&deleted)).await), (2, all.clone()));
    app.get(&format!("/v1/incidents/{}", ids[1])).bearer(&client).expect(200).await;
    app.delete("/v1/incidents").bearer(&client).json(body.clone()).expect(200).await;
    let trash = "/v1/incidents?deleted=only";
    let bin = app.get(trash).bearer(&client).expect(200).await.json()["data"].clone();
    app.db.clock.advance_seconds(60);
    let restored = app.post("/v1/incidents/restore").bearer(&client).json(body).expect(200).await;
    app.follow_search().await;
    let searched = "/v1/incidents?q=first&include_total=true";
    assert_eq!(app.get(searched).bearer(&client).expect(200).await.json()["total"], 2);
    assert_eq!(outcomes(&undo(&app, &client, request_id(&restored)).await), (2, all));
    assert_eq!(app.get(searched).bearer(&client).expect(200).await.json()["total"], 0, "at once");
    // They are in the trash since the first deletion, as before.
    let again = app.get(trash).bearer(&client).expect(200).await.json()["data"].clone();
    assert_eq!(again[0]["deleted_date"], bin[0]["deleted_date"]);
    assert_eq!(again.as_array().unwrap().len(), 2);
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_risk_is_undone_with_its_tags_and_its_part_of_the_figure(app: TestApp) {
    let client = app.client().await;
    let id = risk(&app, &client).await;
    let path = format!("/v1/risks/{id}");
    let rating = json!({"likelihood": 2, "impact": 2});
    app.post(&format!("{path}/evaluations")).bearer(&client).json(rating).expect(201).await;
    let tag = app.post("/v1/tags").bearer(&client).json(json!({"name": "a"})).expect(201).await;
    let tag = tag.text("id");
    let figure = format!("/v1/organizations/{}/risk-performance", app.organization);
    let tags = format!("{path}/tags");
    let body = || Some(json!({"tag_id": tag}));
    let of_tag = format!("{tags}/{tag}");
    let steps: [(Method, &str, Option<Value>); 5] = [
        (Method::PATCH, &path, Some(json!({"title": "Flood", "status": "closed", "status_reason": "x"}))),
        (Method::POST, &tags, body()),
        (Method::DELETE, &path, None),
        (Method::POST, &tags, body()),
        (Method::DELETE, &of_tag, None),
    ];
    for (step, (method, at, body)) in steps.into_iter().enumerate() {
        let before = (content(&app, &client, &path).await, content(&app, &client, &figure).await);
        let request = app.request(method, at).bearer(&client);
        let done = match body {
            Some(body) => request.json(body).await,
            None => request.await,
        };
        assert!((200..300).contains(&done.status), "{step}: {}", done.json());
        // The last tag is added for the last step.
        if step != 3 {
            let undone = undo(&app, &client, request_id(&done)).await;
            assert_eq!(outcomes(&undone), (1, vec![["risk", &id, "undone"]]), "{step}");
            let after = (content(&app, &client, &path).await, content(&app, &client, &figure).await);
            assert_eq!(after, before, "{step}");
        }
        assert_sound(&app).await;
    }
    let deleted = app.delete(&path).bearer(&client).expect(204).await;
    let before = app.get("/v1/risks?deleted=only").bearer(&client).expect(200).await.json()["data"].clone();
    app.db.clock.advance_seconds(5);
    let restored = app.post(&format!("{path}/restore")).bearer(&client).expect(200).await;
    assert_eq!(outcomes(&undo(&app, &client, request_id(&restored)).await).0, 1);
    let after = app.get("/v1/risks?deleted=only").bearer(&client).expect(200).await.json()["data"].clone();
    assert_eq!(after[0]["deleted_date"], before[0]["deleted_date"]);
    assert_eq!(app.get(&figure).bearer(&client).await.json()["total_risks_evaluated"], 0);
    let outcome = outcomes(&undo(&app, &client, request_id(&deleted)).await).1[0][2].to_owned();
    assert_eq!(outcome, "changed_since");
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn creations_evaluations_and_other_records_are_not_undoable(app: TestApp) {
    let client = app.client().await;
    let post = async |path: &str, body: Value| app.post(path).bearer(&client).json(body).expect(201).await;
    let rating = || json!({"likelihood": 4, "impact": 4});
    let risk = json!({"title": "Fire", "description": "", "inherent": rating(), "target": rating()});
    let made = [
        ("incident", post("/v1/incidents", json!({"title": "a", "description": ""})).await),
        ("risk", post("/v1/risks", risk).await),
        ("risk", post("/v1/risks/RSK-1/evaluations", rating()).await),
        ("tag", post("/v1/tags", json!({"name": "a"})).await),
        ("membership", post("/v1/users", json!({"name": "A", "email": "a@x.org", "role": "viewer"})).await),
    ];
    let head = app.get("/v1/journal/head").bearer(&client).expect(200).await.json().clone();
    for (kind, answer) in made {
        let undone = undo(&app, &client, request_id(&answer)).await;
        let (count, results) = outcomes(&undone);
        assert_eq!((count, results[0][0], results[0][2]), (0, kind, "not_undoable"), "{}", undone.json());
    }
    assert_eq!(*app.get("/v1/journal/head").bearer(&client).expect(200).await.json(), head);
}

#[testkit::both_engines]
async fn a_record_that_was_changed_again_stays_as_it_is(app: TestApp) {
    let (client, other) = (app.client().await, app.client().await);
    let ids = [incident(&app, &client).await, incident(&app, &client).await, incident(&app, &client).await];
    let body = json!({"ids": ids});
    let deleted = app.delete("/v1/incidents").bearer(&client).json(body).expect(200).await;
    let restore = |id: &str| app.post("/v1/incidents/restore").bearer(&other).json(json!({"ids": [id]}));
    restore(&ids[0]).expect(200).await;
    restore(&ids[1]).expect(200).await;
    let path = format!("/v1/incidents/{}", ids[1]);
    app.patch(&path).bearer(&other).json(json!({"title": "Later"})).expect(200).await;
    let undone = undo(&app, &client, request_id(&deleted)).await;
    let [first, second, third] = &ids;
    let expected = vec![
        ["incident", first, "already_undone"],
        ["incident", second, "changed_since"],
        ["incident", third, "undone"],
    ];
    assert_eq!(outcomes(&undone), (1, expected));
    assert_eq!(undone.text("/results/1/reason"), "It was changed after the request.");
    assert_eq!(app.get(&path).bearer(&client).await.text("title"), "Later");
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn nobody_is_named_again_who_has_left(app: TestApp) {
    let client = app.client().await;
    let (ada, bob) = (
        app.user("Ada", "ada@x.org", Role::Viewer).await.to_string(),
        app.user("Bob", "bob@x.org", Role::Viewer).await.to_string(),
    );
    let id = incident(&app, &client).await;
    let path = format!("/v1/incidents/{id}");
    let patch = async |body: Value| app.patch(&path).bearer(&client).json(body).expect(200).await;
    patch(json!({"assigned_to": ada})).await;
    let title = patch(json!({"title": "Second"})).await;
    app.delete(&format!("/v1/users/{ada}?duties=keep")).bearer(&client).expect(204).await;
    // The title can be undone: who is named stays the same.
    assert_eq!(outcomes(&undo(&app, &client, request_id(&title)).await).0, 1);
    let passed_on = patch(json!({"assigned_to": bob})).await;
    let undone = undo(&app, &client, request_id(&passed_on)).await;
    assert_eq!(outcomes(&undone), (0, vec![["incident", &id, "no_longer_valid"]]));
    let reason = "Its assigned_to was Ada, who is not a member of the organization any more.";
    assert_eq!(undone.text("/results/0/reason"), reason);
    assert_eq!(app.get(&path).bearer(&client).await.text("/assigned_to/name"), "Bob");
}

#[testkit::both_engines]
async fn thousands_are_undone_at_once(app: TestApp) {
    let client = app.client().await;
    let count = 2_100;
    let (organization, new) = (app.organization, domain::incident::NewIncident::untitled());
    let work = async move |tx: &mut db::Tx| {
        for _ in 0..count {
            store::incidents::create(tx, organization, &testkit::author(), &new).await?;
        }
        Ok::<_, store::Error>(())
    };
    app.db.write_alone(organization, work).await.unwrap();
    let ids: Vec<i64> = (1..=count).collect();
    let deleted = app.delete("/v1/incidents").bearer(&client).json(json!({"ids": ids})).expect(200).await;
    let statements = app.db.statements();
    let undone = undo(&app, &client, request_id(&deleted)).await;
    let statements = app.db.statements() - statements;
    // It is undone in several writes.
    assert!(statements < 200, "{statements} statements for {count} records");
    let (undone_count, results) = outcomes(&undone);
    assert_eq!((undone_count, results.len()), (count, 2_100));
    assert_eq!((results[0][1], results[2_099][1]), ("INC-0001", "INC-2100"));
    let list = app.get("/v1/incidents?include_total=true").bearer(&client).expect(200).await;
    assert_eq!(list.json()["total"], count);
    assert_sound(&app).await;
}
