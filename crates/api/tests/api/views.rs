//! `/v1/views`

use domain::Role;
use serde_json::{Value, json};
use testkit::TestApp;

const INCIDENTS: &str = "incidents:read incidents:write";

fn new(name: &str) -> Value {
    json!({"list": "incidents", "name": name, "filter": {"status": ["new", "closed"], "assigned_to": "me"}})
}

fn shared(name: &str) -> Value {
    json!({"list": "incidents", "name": name, "shared": true})
}

/// Saves a view; returns its path.
async fn saved(app: &TestApp, caller: impl AsRef<str>, body: Value) -> String {
    let made = app.post("/v1/views").bearer(caller).json(body).expect(201).await;
    format!("/v1/views/{}", made.text("id"))
}

/// The names of the views that a list has.
async fn names(app: &TestApp, caller: impl AsRef<str>, query: &str) -> Vec<String> {
    let page = app.get(&format!("/v1/views{query}")).bearer(caller).expect(200).await;
    let rows = page.json()["data"].as_array().unwrap().clone();
    rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

#[testkit::both_engines]
async fn a_view_is_saved_and_read_back(app: TestApp) {
    let client = app.client_with_scopes("incidents:read").await;
    let body = json!({"list": "incidents", "name": "Mine", "sort": "-severity",
        "filter": {"status": ["new", "closed", "new"], "assigned_to": "me", "q": "ransom* -drill"}});
    let made = app.post("/v1/views").bearer(&client).json(body).expect(201).await;
    let location = format!("/v1/views/{}", made.text("id"));
    assert_eq!(made.header("location"), Some(location.as_str()));
    let filter = json!({"status": ["closed", "new"], "assigned_to": ["me"], "q": ["ransom* -drill"]});
    assert_eq!((&made.json()["filter"], made.text("sort")), (&filter, "-severity"));
    assert_eq!((&made.json()["shared"], made.text("/owner/id")), (&json!(false), client.id.as_str()));
    assert_eq!(app.get(&location).bearer(&client).expect(200).await.json(), made.json());
    // What was read can be sent again.
    let again = json!({"list": "incidents", "name": "Again", "filter": filter});
    let again = app.post("/v1/views").bearer(&client).json(again).expect(201).await;
    assert_eq!((&again.json()["filter"], &again.json()["sort"]), (&filter, &Value::Null));
}

#[testkit::both_engines]
async fn every_fault_of_a_view_is_reported_at_once(app: TestApp) {
    let client = app.client_with_scopes("incidents:read risks:read").await;
    let faults = async |body: Value| {
        let answer = app.post("/v1/views").bearer(&client).json(body).expect(422).await;
        answer.faults()
    };
    let filter = json!({"status": ["newish", "new"], "severity": [], "kind": 1, "q": ["a", "b"], "source": [true],
        "detected_from": "2026-03-02T00:00:00Z", "detected_to": "2026-03-01T00:00:00Z", "owner": "me",
        "cursor": "x", "limit": "1", "fields": "id", "as_of": "2026-03-01T00:00:00Z", "sort": "number"});
    let body =
        json!({"list": "incidents", "name": "x".repeat(81), "filter": filter, "sort": "score", "id": "1"});
    let mut found = faults(body).await;
    found.sort();
    let mut expected = vec![
        "#/filter/as_of unknown_field",
        "#/filter/cursor unknown_field",
        "#/filter/detected_to range",
        "#/filter/fields unknown_field",
        "#/filter/kind type",
        "#/filter/limit unknown_field",
        "#/filter/owner unknown_field",
        "#/filter/q duplicate",
        "#/filter/severity too_few",
        "#/filter/sort unknown_field",
        "#/filter/source type",
        "#/filter/status enum",
        "#/id read_only",
        "#/name too_long",
        "#/sort enum",
    ];
    expected.sort_unstable();
    assert_eq!(found, expected);
    let risks = json!({"list": "risks", "name": "a\nb", "filter": {"assigned_to": "me", "owner": "you"}, "sort": "severity"});
    let mut found = faults(risks).await;
    found.sort();
    assert_eq!(
        found,
        [
            "#/filter/assigned_to unknown_field",
            "#/filter/owner format",
            "#/name control_character",
            "#/sort enum"
        ]
    );
    assert_eq!(
        faults(json!({"list": "tasks", "filter": []})).await,
        ["#/list enum", "#/name required", "#/filter type"]
    );
    let many: Vec<String> = (0..51).map(|n| format!("source {n}")).collect();
    assert_eq!(
        faults(json!({"list": "risks", "name": "a", "filter": {"category": many}})).await,
        ["#/filter/category too_many"]
    );
    let long: Vec<String> = (0..50).map(|n| format!("{n}{}", "é".repeat(150))).collect();
    assert_eq!(
        faults(json!({"list": "risks", "name": "a", "filter": {"category": long}})).await,
        ["#/filter too_long"]
    );
    assert_eq!(names(&app, &client, "").await, [""; 0]);
}

#[testkit::both_engines]
async fn a_view_as_long_as_it_may_be_fits_into_the_address_of_its_list(app: TestApp) {
    let client = app.client_with_scopes("risks:read").await;
    let text = "é".repeat(100);
    let category: Vec<String> = (0..10).map(|n| format!("{n}{text}")).collect();
    let view =
        json!({"list": "risks", "name": "a", "filter": {"category": category}, "sort": "-current_score"});
    let made = app.post("/v1/views").bearer(&client).json(view).expect(201).await;
    let mut query = form_urlencoded::Serializer::new(String::new());
    for value in made.json()["filter"]["category"].as_array().unwrap() {
        query.append_pair("category", value.as_str().unwrap());
    }
    query.append_pair("sort", made.text("sort"));
    app.get(&format!("/v1/risks?{}", query.finish())).bearer(&client).expect(200).await;
}

#[testkit::both_engines]
async fn a_name_is_unique_among_the_views_of_its_owner_and_list(app: TestApp) {
    let (client, other) = (app.client().await, app.client().await);
    let path = saved(&app, &client, new("Mine")).await;
    let taken = app.post("/v1/views").bearer(&client).json(new(" MINE")).expect(409).await;
    assert_eq!(taken.text("code"), "name_taken");
    saved(&app, &client, json!({"list": "risks", "name": "Mine"})).await;
    saved(&app, &other, new("Mine")).await;
    let second = saved(&app, &client, new("Second")).await;
    let taken = app.patch(&second).bearer(&client).json(json!({"name": "mine"})).expect(409).await;
    assert_eq!(taken.text("code"), "name_taken");
    let renamed = app.patch(&path).bearer(&client).json(json!({"name": "MINE"})).expect(200).await;
    assert_eq!((renamed.text("name"), &renamed.json()["version"]), ("MINE", &json!(2)));
}

#[testkit::both_engines]
async fn an_owner_has_at_most_a_hundred_views(app: TestApp) {
    let (client, other) = (app.client().await, app.client().await);
    for number in 0..99 {
        saved(&app, &client, new(&format!("View {number}"))).await;
    }
    let last = saved(&app, &client, json!({"list": "risks", "name": "Last"})).await;
    let refused = app.post("/v1/views").bearer(&client).json(new("One more")).expect(409).await;
    assert_eq!(refused.text("code"), "too_many_views");
    saved(&app, &other, new("Of somebody else")).await;
    app.delete(&last).bearer(&client).expect(204).await;
    saved(&app, &client, new("One more")).await;
}

#[testkit::both_engines]
async fn a_patch_merges_the_filter_and_is_checked_by_the_list_of_the_view(app: TestApp) {
    let client = app.client_with_scopes("risks:read").await;
    let body = json!({"list": "risks", "name": "Fires", "filter": {"status": "open", "category": ["Fire"]}, "sort": "number"});
    let path = saved(&app, &client, body).await;
    let patch = async |body: Value, status| app.patch(&path).bearer(&client).json(body).expect(status).await;
    let changed =
        patch(json!({"filter": {"category": null, "owner": ["me", "none"]}, "sort": null}), 200).await;
    assert_eq!(changed.json()["filter"], json!({"status": ["open"], "owner": ["me", "none"]}));
    assert_eq!((&changed.json()["sort"], &changed.json()["version"]), (&Value::Null, &json!(2)));
    let same = patch(json!({"filter": {"status": ["open"], "category": null}, "name": "Fires"}), 200).await;
    assert_eq!(same.json()["version"], json!(2));
    let wrong = json!({"filter": {"assigned_to": "me", "status": ["shut"], "tag": []}, "sort": "severity"});
    let mut faults = patch(wrong.clone(), 422).await.faults().join(", ");
    // A fault of the patch by itself is reported together with those that only the list of the view shows.
    assert_eq!(
        faults,
        "#/filter/tag too_few, #/filter/status enum, #/filter/assigned_to unknown_field, #/sort enum"
    );
    faults =
        patch(json!({"filter": {"assigned_to": "me"}, "sort": "severity"}), 422).await.faults().join(", ");
    assert_eq!(faults, "#/filter/assigned_to unknown_field, #/sort enum");
    for (body, fault) in [
        (json!({"list": "incidents"}), "#/list read_only"),
        (json!({"filter": {"statsu": null}}), "#/filter/statsu unknown_field"),
        (json!({"name": null}), "#/name required"),
        (json!({"shared": null}), "#/shared required"),
        (json!({"filter": null}), "#/filter required"),
        (json!({"owner": {}}), "#/owner read_only"),
    ] {
        assert_eq!(patch(body, 422).await.faults(), [fault]);
    }
    assert_eq!(app.get(&path).bearer(&client).expect(200).await.json(), same.json());
}

#[testkit::both_engines]
async fn own_views_are_absent_for_others_and_shared_ones_are_there(app: TestApp) {
    let (ada, bo) = (app.client_with_scopes(INCIDENTS).await, app.client_with_scopes(INCIDENTS).await);
    let own = saved(&app, &ada, new("Own")).await;
    let path = saved(&app, &ada, shared("Shared")).await;
    assert_eq!(names(&app, &ada, "").await, ["Own", "Shared"]);
    assert_eq!(names(&app, &bo, "").await, ["Shared"]);
    app.get(&path).bearer(&bo).expect(200).await;
    for request in [app.get(&own), app.delete(&own), app.patch(&own).json(json!({"name": "Taken over"}))] {
        assert_eq!(request.bearer(&bo).expect(404).await.text("title"), "View not found");
    }
    let total = app.get("/v1/views?include_total=true&shared=false").bearer(&bo).expect(200).await;
    assert_eq!(total.json()["total"], json!(0));
    let elsewhere = app.client_of(app.db.organization("Other").await, INCIDENTS).await;
    assert_eq!(names(&app, &elsewhere, "").await, [""; 0]);
    app.get(&path).bearer(&elsewhere).expect(404).await;
    // Once it is not shared any more, it is its owner's alone, whoever changed it.
    app.patch(&path).bearer(&bo).json(json!({"shared": false})).expect(200).await;
    app.get(&path).bearer(&bo).expect(404).await;
    app.get(&path).bearer(&ada).expect(200).await;
}

#[testkit::both_engines]
async fn views_are_listed_by_name_with_filters_in_pages(app: TestApp) {
    let client = app.client().await;
    for body in
        [new("b"), shared("A"), json!({"list": "risks", "name": "c"}), json!({"list": "risks", "name": "B"})]
    {
        saved(&app, &client, body).await;
    }
    assert_eq!(names(&app, &client, "?list=incidents").await, ["A", "b"]);
    assert_eq!(names(&app, &client, "?shared=true").await, ["A"]);
    assert_eq!(names(&app, &client, "?list=risks&list=incidents&shared=false&limit=2").await.len(), 2);
    let mut all = Vec::new();
    let mut path = "/v1/views?limit=1".to_owned();
    loop {
        let page = app.get(&path).bearer(&client).expect(200).await;
        all.push(page.text("/data/0/name").to_lowercase());
        let Some(cursor) = page.json()["next_cursor"].as_str() else { break };
        path = format!("/v1/views?limit=1&cursor={cursor}");
    }
    assert_eq!(all, ["a", "b", "b", "c"]);
    let wrong = app.get("/v1/views?list=tasks&shared=yes&owner=me").bearer(&client).expect(400).await;
    assert_eq!(wrong.json()["errors"].as_array().unwrap().len(), 3);
}

#[testkit::both_engines]
async fn a_view_needs_the_read_scope_of_its_list(app: TestApp) {
    let both = app.client_with_scopes("incidents:write incidents:read risks:write risks:read").await;
    let incidents = saved(&app, &both, shared("Incidents")).await;
    let risks = saved(&app, &both, json!({"list": "risks", "name": "Risks", "shared": true})).await;
    for (scope, seen, unseen, needed) in [
        ("incidents:read", &incidents, &risks, "risks:read"),
        ("incidents:declare", &incidents, &risks, "risks:read"),
        ("risks:read", &risks, &incidents, "incidents:read"),
    ] {
        let client = app.client_with_scopes(scope).await;
        app.get(seen).bearer(&client).expect(200).await;
        app.get(unseen).bearer(&client).expect(404).await;
        assert_eq!(names(&app, &client, "").await.len(), 1, "{scope}");
        let list = if needed == "risks:read" { "risks" } else { "incidents" };
        let body = json!({"list": list, "name": "A"});
        let refused = app.post("/v1/views").bearer(&client).json(body).expect(403).await;
        assert_eq!((refused.text("code"), refused.text("scope")), ("insufficient_scope", needed));
    }
}

#[testkit::both_engines]
async fn who_may_change_the_records_of_a_list_shares_views_of_it(app: TestApp) {
    for &role in Role::ALL {
        let person = app.person(role.as_str(), role).await;
        let writes = [Role::Responder, Role::Owner, Role::Admin].contains(&role);
        let post = async |body: Value| app.post("/v1/views").bearer(&person).json(body).await;
        let own = post(new(role.as_str())).await;
        assert_eq!(own.status, 201, "{role:?} has views of its own");
        let path = format!("/v1/views/{}", own.text("id"));
        let made = post(shared(&format!("Of {}", role.as_str()))).await;
        let changed = app.patch(&path).bearer(&person).json(json!({"shared": true})).await;
        let expected = if writes { (201, 200) } else { (403, 403) };
        assert_eq!((made.status, changed.status), expected, "{role:?}");
        if !writes {
            assert_eq!(changed.text("scope"), "incidents:write", "{role:?}");
            assert_eq!(app.get(&path).bearer(&person).expect(200).await.json(), own.json(), "{role:?}");
            app.delete(&path).bearer(&person).expect(204).await;
        }
    }
    let risks = json!({"list": "risks", "name": "Shared", "shared": true});
    let responder = app.person("second", Role::Responder).await;
    let refused = app.post("/v1/views").bearer(&responder).json(risks).expect(403).await;
    assert_eq!(refused.text("scope"), "risks:write");
}

#[testkit::both_engines]
async fn a_shared_view_is_changed_and_deleted_by_who_may_share(app: TestApp) {
    let (ada, bo) = (app.client_with_scopes(INCIDENTS).await, app.client_with_scopes(INCIDENTS).await);
    let reader = app.client_with_scopes("incidents:read").await;
    let path = saved(&app, &ada, shared("Shared")).await;
    for body in [json!({"name": "Other"}), json!({"shared": false}), json!({})] {
        app.patch(&path).bearer(&reader).json(body).expect(403).await;
    }
    app.delete(&path).bearer(&reader).expect(403).await;
    saved(&app, &bo, new("Taken")).await;
    let renamed = app.patch(&path).bearer(&bo).json(json!({"name": "Taken"})).expect(200).await;
    assert_eq!(renamed.text("/owner/id"), ada.id, "the name counts among the owner's, who stays the same");
    let outdated = app.delete(&path).bearer(&bo).header("if-match", "\"v1\"").expect(412).await;
    assert_eq!(outdated.text("code"), "precondition_failed");
    app.delete(&path).bearer(&bo).header("if-match", "\"v2\"").expect(204).await;
    app.get(&path).bearer(&ada).expect(404).await;
}

#[testkit::both_engines]
async fn me_is_whoever_reads_the_list(app: TestApp) {
    let (ada, bo) = (app.person("Ada", Role::Responder).await, app.person("Bo", Role::Responder).await);
    let body = json!({"list": "incidents", "name": "Mine", "filter": {"assigned_to": "me"}, "shared": true});
    let path = saved(&app, &ada, body).await;
    let seen = app.get(&path).bearer(&bo).expect(200).await;
    assert_eq!(seen.json()["filter"], json!({"assigned_to": ["me"]}));
    // A client is not a person, but may keep the view for people.
    let client = app.client_with_scopes("incidents:read").await;
    saved(&app, &client, new("For people")).await;
}

#[testkit::both_engines]
async fn the_journal_tells_of_each_change_of_a_view(app: TestApp) {
    let client = app.client().await;
    let path = saved(&app, &client, new("Mine")).await;
    app.patch(&path).bearer(&client).json(json!({"name": "Ours", "shared": true})).expect(200).await;
    app.patch(&path).bearer(&client).json(json!({"name": "Ours"})).expect(200).await;
    app.delete(&path).bearer(&client).expect(204).await;
    let auditor = app.person("Auditor", Role::Auditor).await;
    let id = path.rsplit('/').next().unwrap();
    let entries = format!("/v1/journal?subject_kind=view&subject_id={id}");
    let entries = app.get(&entries).bearer(&auditor).expect(200).await;
    let rows = entries.json()["data"].as_array().unwrap().clone();
    let kinds: Vec<_> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["view.created", "view.updated", "view.deleted"]);
    let payload = |row: &Value| serde_json::from_str::<Value>(row["payload"].as_str().unwrap()).unwrap();
    assert_eq!(payload(&rows[1]), json!({"name": ["Mine", "Ours"], "shared": [false, true]}));
    let filter = payload(&rows[0])["filter"][1].as_str().unwrap().to_owned();
    assert_eq!(filter, r#"{"assigned_to":["me"],"status":["closed","new"]}"#);
    let mut tx = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, app.organization, None).await.unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
}

#[testkit::both_engines]
async fn the_shared_views_of_a_member_who_left_stay(app: TestApp) {
    let (ada, bo) = (app.person("Ada", Role::Responder).await, app.person("Bo", Role::Responder).await);
    let (own, path) = (saved(&app, &ada, new("Own")).await, saved(&app, &ada, shared("Shared")).await);
    let admin = app.client().await;
    app.delete(&format!("/v1/users/{}", ada.id)).bearer(&admin).expect(204).await;
    assert_eq!(app.get(&path).bearer(&bo).expect(200).await.text("/owner/name"), "Ada");
    app.get(&own).bearer(&bo).expect(404).await;
    app.patch(&path).bearer(&bo).json(json!({"name": "Kept"})).expect(200).await;
}

#[testkit::both_engines]
async fn a_stored_response_needs_the_scopes_of_the_list_again(app: TestApp) {
    let client = app.client_with_scopes("incidents:read incidents:write risks:read").await;
    let post = async |scopes: &str| {
        let body = json!({"grant_type": "client_credentials", "client_id": client.id,
            "client_secret": client.secret, "scope": scopes});
        let token = app.post("/v1/oauth/token").json(body).expect(200).await.text("access_token").to_owned();
        app.post("/v1/views").bearer(&token).idempotency_key("k").json(shared("Shared")).await.status
    };
    assert_eq!(post("incidents:read incidents:write").await, 201);
    assert_eq!(post("risks:read").await, 403);
    assert_eq!(post("incidents:read").await, 403);
    assert_eq!(post("incidents:read incidents:write").await, 201);
}

#[testkit::both_engines]
async fn views_of_documents_are_for_those_who_read_documents(app: TestApp) {
    let client = app.client_with_scopes("documents:read").await;
    let body = json!({"list": "documents", "name": "Late",
        "filter": {"review": "overdue", "status": "published", "classification": ["secret", "internal"]}});
    let path = saved(&app, &client, body.clone()).await;
    let read = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!(read.json()["filter"]["classification"], json!(["internal", "secret"]));
    assert_eq!(names(&app, &client, "?list=documents").await, ["Late"]);
    let mut wrong = body.clone();
    (wrong["sort"], wrong["filter"]["severity"]) = (json!("-slug"), json!("low"));
    let mut faults = app.post("/v1/views").bearer(&client).json(wrong).expect(422).await.faults();
    faults.sort();
    assert_eq!(faults, ["#/filter/severity unknown_field", "#/sort unknown_field"]);
    let mut shared = body.clone();
    (shared["shared"], shared["name"]) = (json!(true), json!("For all"));
    app.post("/v1/views").bearer(&client).json(shared.clone()).expect(403).await;
    let writer = app.client_with_scopes("documents:read documents:write").await;
    saved(&app, &writer, shared).await;
    assert_eq!(names(&app, &client, "").await, ["For all", "Late"]);
    let other = app.client_with_scopes(INCIDENTS).await;
    assert!(names(&app, &other, "").await.is_empty());
    app.post("/v1/views").bearer(&other).json(body).expect(403).await;
}
