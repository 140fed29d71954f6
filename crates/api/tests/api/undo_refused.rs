//! Who may undo what, and for how long.

use domain::Role;
use serde_json::json;
use testkit::{Answer, TestApp};

use crate::api::undo::{incident, outcomes, request_id, risk, undo};

/// Asserts that undoing this request is refused, as for an id that nobody used, and changes nothing.
async fn assert_unknown(app: &TestApp, caller: impl AsRef<str>, request_id: &str) {
    let head = app.db.read().await.unwrap().read_head(app.organization).await.unwrap().unwrap().seq;
    let refused =
        app.post("/v1/undo").bearer(caller).json(json!({"request_id": request_id})).expect(404).await;
    assert_eq!((refused.text("code"), refused.text("title")), ("not_found", "Request not found"));
    let detail = "No request of yours with this id has changed anything in the last 15 minutes.";
    assert_eq!(refused.text("detail"), detail);
    let after = app.db.read().await.unwrap().read_head(app.organization).await.unwrap().unwrap().seq;
    assert_eq!(after, head);
}

async fn retitled(app: &TestApp, caller: impl AsRef<str>, id: &str, title: &str) -> Answer {
    let path = format!("/v1/incidents/{id}");
    app.patch(&path).bearer(caller).json(json!({"title": title})).expect(200).await
}

#[testkit::both_engines]
async fn only_who_made_a_request_can_undo_it(app: TestApp) {
    let (client, colleague) = (app.client().await, app.client().await);
    let person = app.person("Ada", Role::Admin).await;
    let globex = app.db.organization("Globex").await;
    let stranger = app.client_of(globex, "incidents:write").await;
    let id = incident(&app, &client).await;
    let changed = retitled(&app, &client, &id, "Second").await;
    let request = request_id(&changed);
    assert_unknown(&app, &colleague, request).await;
    assert_unknown(&app, &person, request).await;
    assert_unknown(&app, &stranger, request).await;
    assert_unknown(&app, &client, "nobody-used-this").await;
    // A request that read something, or changed nothing, is not known either.
    let read = app.get(&format!("/v1/incidents/{id}")).bearer(&client).expect(200).await;
    assert_unknown(&app, &client, request_id(&read)).await;
    assert_unknown(&app, &client, request_id(&retitled(&app, &client, &id, "Second").await)).await;
    assert_eq!(outcomes(&undo(&app, &client, request).await).0, 1);
}

#[testkit::both_engines]
async fn a_request_can_be_undone_for_15_minutes(app: TestApp) {
    let client = app.client().await;
    let ids = [incident(&app, &client).await, incident(&app, &client).await];
    let changed = retitled(&app, &client, &ids[0], "Second").await;
    app.db.clock.advance_seconds(60);
    let later = retitled(&app, &client, &ids[1], "Second").await;
    app.db.clock.advance_seconds(15 * 60 - 1);
    let token = app.sign_in(&client.id, &client.secret).await;
    assert_unknown(&app, &token, request_id(&changed)).await;
    assert_eq!(outcomes(&undo(&app, &token, request_id(&later)).await).0, 1);
    app.db.clock.advance_seconds(2);
    assert_unknown(&app, &token, request_id(&later)).await;
}

/// The journal is read backwards in pages, and not beyond the 15 minutes.
#[testkit::both_engines]
async fn a_request_is_found_behind_many_others(app: TestApp) {
    let client = app.client().await;
    let id = incident(&app, &client).await;
    let changed = retitled(&app, &client, &id, "Second").await;
    let (organization, new) = (app.organization, domain::incident::NewIncident::untitled());
    let work = async move |tx: &mut db::Tx| {
        for _ in 0..20_500 {
            store::incidents::create(tx, organization, &testkit::author(), &new).await?;
        }
        Ok::<_, store::Error>(())
    };
    app.db.write_alone(organization, work).await.unwrap();
    assert_unknown(&app, &client, "nobody-used-this").await;
    assert_eq!(outcomes(&undo(&app, &client, request_id(&changed)).await).0, 1);
}

#[testkit::both_engines]
async fn the_latest_request_with_an_id_counts(app: TestApp) {
    let (client, other) = (app.client().await, app.client().await);
    let id = incident(&app, &client).await;
    let path = format!("/v1/incidents/{id}");
    for (caller, title) in [(&client, "Second"), (&client, "Third"), (&other, "Fourth")] {
        let request = app.patch(&path).bearer(caller).header("x-request-id", "same");
        request.json(json!({"title": title})).expect(200).await;
    }
    // The latest one of the client is no longer the latest change.
    assert_eq!(outcomes(&undo(&app, &client, "same").await).1[0][2], "changed_since");
    assert_eq!(outcomes(&undo(&app, &other, "same").await).0, 1);
    let title = app.get(&path).bearer(&client).expect(200).await.text("title").to_owned();
    assert_eq!(title, "Third");
    let elsewhere = incident(&app, &client).await;
    let request = app.patch(&format!("/v1/incidents/{elsewhere}")).bearer(&client);
    request.header("x-request-id", "same").json(json!({"title": "New"})).expect(200).await;
    assert_eq!(outcomes(&undo(&app, &client, "same").await), (1, vec![["incident", &elsewhere, "undone"]]));
}

#[testkit::both_engines]
async fn an_undo_needs_the_scopes_of_the_request(app: TestApp) {
    let scopes = "incidents:write incidents:delete risks:write risks:delete";
    let client = app.client_with_scopes(scopes).await;
    let (retitled_one, deleted_one) = (incident(&app, &client).await, incident(&app, &client).await);
    let (path, deleted) = (format!("/v1/risks/{}", risk(&app, &client).await), risk(&app, &client).await);
    let ids = json!({"ids": [deleted_one]});
    let requests = [
        ("incidents:write", retitled(&app, &client, &retitled_one, "Second").await),
        ("incidents:delete", app.delete("/v1/incidents").bearer(&client).json(ids).expect(200).await),
        ("risks:write", app.patch(&path).bearer(&client).json(json!({"title": "x"})).expect(200).await),
        ("risks:delete", app.delete(&format!("/v1/risks/{deleted}")).bearer(&client).expect(204).await),
    ];
    for (needed, request) in &requests {
        let others = scopes.split(' ').filter(|scope| scope != needed).collect::<Vec<_>>().join(" ");
        let token = |scope: &str| {
            let body = json!({"grant_type": "client_credentials", "client_id": client.id,
                "client_secret": client.secret, "scope": scope});
            app.post("/v1/oauth/token").json(body)
        };
        let narrow = token(&others).expect(200).await.text("access_token").to_owned();
        let body = json!({"request_id": request_id(request)});
        let refused = app.post("/v1/undo").bearer(&narrow).json(body).expect(403).await;
        assert_eq!((refused.text("code"), refused.text("scope")), ("insufficient_scope", *needed));
        let enough = token(needed).expect(200).await.text("access_token").to_owned();
        assert_eq!(outcomes(&undo(&app, &enough, request_id(request)).await).0, 1, "{needed}");
    }
}

#[testkit::both_engines]
async fn who_has_lost_a_scope_since_cannot_undo(app: TestApp) {
    let admin = app.client().await;
    let person = app.person("Ada", Role::Owner).await;
    let client = app.client_with_scopes("incidents:write incidents:delete").await;
    let (first, second) = (incident(&app, &admin).await, incident(&app, &admin).await);
    let delete = async |caller: &str, id: &str| {
        app.delete("/v1/incidents").bearer(caller).json(json!({"ids": [id]})).expect(200).await
    };
    let (of_person, of_client) =
        (delete(person.as_ref(), &first).await, delete(client.as_ref(), &second).await);
    let body = json!({"role": "responder"});
    app.patch(&format!("/v1/users/{}", person.id)).bearer(&admin).json(body).expect(200).await;
    let body = json!({"scopes": "incidents:write"});
    app.patch(&format!("/v1/clients/{}", client.id)).bearer(&admin).json(body).expect(200).await;
    // The client's token still has the scope, the register no longer grants it.
    for (caller, request) in [(person.as_ref(), &of_person), (client.as_ref(), &of_client)] {
        let body = json!({"request_id": request_id(request)});
        let refused = app.post("/v1/undo").bearer(caller).json(body).expect(403).await;
        assert_eq!(refused.text("scope"), "incidents:delete");
    }
    let trash = app.get("/v1/incidents?deleted=only").bearer(&admin).expect(200).await;
    assert_eq!(trash.json()["data"].as_array().unwrap().len(), 2);
}

#[testkit::both_engines]
async fn the_id_is_that_of_another_request(app: TestApp) {
    let client = app.client().await;
    let ask = |id: serde_json::Value| app.post("/v1/undo").bearer(&client).json(json!({"request_id": id}));
    for wrong in [json!(""), json!("a b"), json!("é"), json!("x".repeat(129))] {
        assert_eq!(ask(wrong).expect(422).await.faults(), ["#/request_id format"]);
    }
    assert_eq!(ask(json!(null)).expect(422).await.faults(), ["#/request_id required"]);
    let own = ask(json!("mine")).header("x-request-id", "mine").expect(422).await;
    assert_eq!(own.faults(), ["#/request_id format"]);
}

/// A stored response is older than the 15 minutes and still says what was done.
#[testkit::both_engines]
async fn a_repetition_by_key_gets_the_first_response(app: TestApp) {
    let client = app.client().await;
    let id = incident(&app, &client).await;
    let changed = retitled(&app, &client, &id, "Second").await;
    let body = json!({"request_id": request_id(&changed)});
    let ask = |token: &str| app.post("/v1/undo").bearer(token).idempotency_key("k").json(body.clone());
    let first = ask(client.as_ref()).expect(200).await;
    app.db.clock.advance_seconds(16 * 60);
    let token = app.sign_in(&client.id, &client.secret).await;
    let again = ask(&token).expect(200).await;
    assert_eq!((again.header("idempotent-replayed"), again.json()), (Some("true"), first.json()));
}

/// What was restricted after the request is as if it did not exist: the answer does not even say that it was changed.
#[testkit::both_engines]
async fn an_incident_that_the_maker_no_longer_sees_is_left_out(app: TestApp) {
    let admin = app.client().await;
    let maker = app.client_with_scopes("incidents:read incidents:write").await;
    let (hidden, seen) = (incident(&app, &admin).await, incident(&app, &admin).await);
    let body = json!({"ids": [hidden, seen], "operation": {"type": "update", "title": "Second"}});
    let both = app.post("/v1/incidents/bulk").bearer(&maker).json(body).expect(200).await;
    let one = retitled(&app, &maker, &hidden, "Third").await;
    let restrict = json!({"restricted": true});
    app.patch(&format!("/v1/incidents/{hidden}")).bearer(&admin).json(restrict).expect(200).await;
    app.get(&format!("/v1/incidents/{hidden}")).bearer(&maker).expect(404).await;
    assert_unknown(&app, &maker, request_id(&one)).await;
    let answer = undo(&app, &maker, request_id(&both)).await;
    assert_eq!(outcomes(&answer), (1, vec![["incident", seen.as_str(), "undone"]]));
}
