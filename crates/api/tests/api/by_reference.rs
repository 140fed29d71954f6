//! `/v1/sources/{external_source}/incidents/{external_ref}`

use domain::Role;
use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{Answer, Request, TestApp};

const PATH: &str = "/v1/sources/siem/incidents/alert-7";

fn beacon() -> Value {
    json!({"title": "Beacon", "description": "Host ws-17."})
}

fn put<'a>(app: &'a TestApp, caller: impl AsRef<str>, path: &str, body: Value) -> Request<'a> {
    app.request(axum::http::Method::PUT, path).bearer(caller).json(body)
}

async fn head(app: &TestApp) -> i64 {
    store::journal::head(&mut app.db.read().await.unwrap(), app.organization).await.unwrap().seq
}

/// The codes of the warnings.
fn warnings(answer: &Answer) -> Vec<&str> {
    answer.json()["warnings"].as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap()).collect()
}

async fn assert_sound(app: &TestApp) {
    let mut tx = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, app.organization, None).await.unwrap();
    assert_eq!(report.faults, []);
}

#[testkit::both_engines]
async fn the_first_message_declares_and_later_ones_change(app: TestApp) {
    let client = app.client().await;
    let mut body = beacon();
    body["kind"] = json!("drill");
    let made = put(&app, &client, PATH, body.clone()).expect(201).await;
    assert_eq!(made.header("location"), Some("/v1/incidents/INC-0001"));
    let shown = ["external_source", "external_ref", "kind", "status"].map(|name| made.text(name));
    assert_eq!(shown, ["siem", "alert-7", "drill", "new"]);
    assert_eq!(made.json()["kept"], json!([]));
    let read = app.get(PATH).bearer(&client).expect(200).await;
    assert_eq!((read.json(), read.header("etag")), (made.json(), made.header("etag")));
    assert_eq!(app.get("/v1/incidents/1").bearer(&client).expect(200).await.json(), made.json());
    // The same again is not a change.
    let before = head(&app).await;
    let again = put(&app, &client, PATH, body.clone()).expect(200).await;
    assert_eq!((again.json(), head(&app).await), (made.json(), before));
    body["title"] = json!("Beacon to a known server");
    body["source"] = json!("EDR");
    let changed = put(&app, &client, PATH, body).expect(200).await;
    assert_eq!((changed.text("title"), changed.text("source")), ("Beacon to a known server", "EDR"));
    assert_eq!(changed.json()["version"], 2);
    // What a message does not contain stays.
    let less = put(&app, &client, PATH, beacon()).expect(200).await;
    assert_eq!((less.text("title"), less.text("source"), less.text("kind")), ("Beacon", "EDR", "drill"));
    let entries = app.get("/v1/journal").bearer(&client).expect(200).await;
    let kinds: Vec<_> =
        entries.json()["data"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds[kinds.len() - 3..], ["incident.created", "incident.updated", "incident.updated"]);
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_message_says_severity_and_tags_until_a_person_knows_better(app: TestApp) {
    let client = app.client().await;
    let says = |severity: &str, tags: &[&str]| {
        let mut body = beacon();
        body["severity"] = json!(severity);
        body["severity_reasoning"] = json!("The EDR says so.");
        body["tags"] = json!(tags);
        body
    };
    let shown = |answer: &Answer| {
        let tags = answer.json()["tags"].as_array().unwrap().iter();
        let tags: Vec<String> = tags.map(|tag| tag["name"].as_str().unwrap().to_owned()).collect();
        (answer.text("severity").to_owned(), tags.join(" "), answer.json()["kept"].clone())
    };
    let is = |severity: &str, tags: &str, kept: Value| (severity.to_owned(), tags.to_owned(), kept);
    let made = put(&app, &client, PATH, says("low", &["edr"])).expect(201).await;
    assert_eq!(shown(&made), is("low", "edr", json!([])));
    let worse = put(&app, &client, PATH, says("high", &["EDR", "beacon"])).expect(200).await;
    assert_eq!(shown(&worse), is("high", "beacon edr", json!([])));

    let path = format!("/v1/incidents/{}", made.text("id"));
    let judged = json!({"severity": "critical", "reason": "It is the domain controller."});
    app.put(&format!("{path}/severity")).bearer(&client).json(judged).expect(200).await;
    let edr = made.json()["tags"][0]["id"].as_str().unwrap().to_owned();
    app.delete(&format!("{path}/tags/{edr}")).bearer(&client).expect(204).await;
    let kept = put(&app, &client, PATH, says("medium", &["edr", "host"])).expect(200).await;
    assert_eq!(shown(&kept), is("critical", "beacon host", json!(["severity"])));
    let silent = put(&app, &client, PATH, beacon()).expect(200).await;
    assert_eq!(shown(&silent), is("critical", "beacon host", json!(["severity"])));
    let written =
        put(&app, &client, &format!("{PATH}?overwrite=true"), says("medium", &["edr"])).expect(200).await;
    assert_eq!(shown(&written), is("medium", "beacon edr host", json!([])));
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn an_alert_with_an_unknown_tag_is_declared_without_it(app: TestApp) {
    let (client, sensor) = (app.client().await, app.client_with_scopes("incidents:write").await);
    app.post("/v1/tags").bearer(&client).json(json!({"name": "edr"})).expect(201).await;
    let names = |answer: &Answer| answer.json()["tags"].as_array().unwrap().len();
    let mut body = beacon();
    body["tags"] = json!(["EDR", "night", "Night"]);
    let made = put(&app, &sensor, PATH, body.clone()).expect(201).await;
    assert_eq!((warnings(&made), names(&made)), (vec!["unknown_tag"], 1));
    assert_eq!(made.json()["warnings"][0]["fields"], json!(["tags"]));
    assert!(made.text("/warnings/0/message").ends_with("tags:write: “night”."), "{}", made.json());
    // The warning is about the message, not about the incident.
    let read = app.get(PATH).bearer(&client).expect(200).await;
    assert_eq!((warnings(&read), read.header("etag")), (vec![], made.header("etag")));
    // Also of a later message, which changes nothing else; nobody has made a tag.
    let before = head(&app).await;
    let again = put(&app, &sensor, PATH, body.clone()).expect(200).await;
    assert_eq!(
        (warnings(&again), names(&again), again.header("etag")),
        (vec!["unknown_tag"], 1, made.header("etag"))
    );
    assert_eq!(head(&app).await, before);
    let many: Vec<String> = (0..50).map(|number| format!("{number:050}")).collect();
    body["tags"] = json!(many);
    let many = put(&app, &sensor, PATH, body.clone()).expect(200).await;
    assert!(many.text("/warnings/0/message").ends_with("” and 45 more."), "{}", many.json());
    // Who may make tags makes them.
    body["tags"] = json!(["night"]);
    let tagged = put(&app, &client, PATH, body).expect(200).await;
    assert_eq!((warnings(&tagged), names(&tagged)), (vec![], 2));
    assert_sound(&app).await;
}

/// The address of a system and its reference, with a slash between them.
fn under(reference: &str) -> String {
    let (source, reference) = reference.split_once('/').unwrap();
    format!("/v1/sources/{source}/incidents/{reference}")
}

#[testkit::both_engines]
async fn a_reference_may_contain_any_line(app: TestApp) {
    let client = app.client().await;
    for (path, source, reference) in [
        ("siem/a%2Fb", "siem", "a/b"),
        ("siem/a%252Fb", "siem", "a%2Fb"),
        ("siem%2Feu/7", "siem/eu", "7"),
        ("siem/%C3%A9%20%3F%23%22+", "siem", "é ?#\"+"),
        ("siem/..%2F..", "siem", "../.."),
        ("tags/links", "tags", "links"),
    ] {
        let path = under(path);
        let made = put(&app, &client, &path, beacon()).expect(201).await;
        assert_eq!((made.text("external_source"), made.text("external_ref")), (source, reference));
        assert_eq!(app.get(&path).bearer(&client).expect(200).await.text("id"), made.text("id"));
        put(&app, &client, &path, beacon()).expect(200).await;
    }
    let long = "x".repeat(201);
    for path in ["siem/%20", "%09/7", "siem/a%0Ab", &format!("siem/{long}"), &format!("{long}/7"), "siem/%FF"]
    {
        let path = under(path);
        let answer = put(&app, &client, &path, beacon()).expect(404).await;
        assert_eq!(answer.text("title"), "Incident not found", "{path}");
        app.get(&path).bearer(&client).expect(404).await;
    }
    let unknown = app.get("/v1/sources/siem/incidents/unknown").bearer(&client).expect(404).await;
    assert_eq!(unknown.text("title"), "Incident not found");
}

#[testkit::both_engines]
async fn a_field_that_a_person_has_changed_is_kept(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Responder).await;
    let made = put(&app, &client, PATH, beacon()).expect(201).await;
    let path = format!("/v1/incidents/{}", made.text("id"));
    let patch = json!({"title": "Beacon on the mail server", "assigned_to": ada.id.to_string()});
    let patched = app.patch(&path).bearer(&ada).json(patch).expect(200).await;
    assert_eq!(patched.json()["kept"], json!(["title"]));
    let body = json!({"title": "Beacon, 2 hosts", "description": "ws-17 and ws-18."});
    let merged = put(&app, &client, PATH, body.clone()).expect(200).await;
    assert_eq!(merged.json()["kept"], json!(["title"]));
    let shown = (merged.text("title"), merged.text("description"), merged.text("/assigned_to/name"));
    assert_eq!(shown, ("Beacon on the mail server", "ws-17 and ws-18.", "Ada"));
    // Once more: nothing is new.
    let before = head(&app).await;
    put(&app, &client, PATH, body.clone()).expect(200).await;
    assert_eq!(head(&app).await, before);
    let overwrite = format!("{PATH}?overwrite=true");
    let taken = put(&app, &client, &overwrite, body).expect(200).await;
    assert_eq!((taken.text("title"), &taken.json()["kept"]), ("Beacon, 2 hosts", &json!([])));
    assert_eq!(taken.text("/assigned_to/name"), "Ada", "the message does not speak of it");
    let wrong = put(&app, &client, &format!("{PATH}?overwrite=yes"), beacon()).expect(400).await;
    assert_eq!(wrong.faults(), ["overwrite format"]);
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_message_about_a_closed_incident_stands_in_its_timeline(app: TestApp) {
    let client = app.client().await;
    let made = put(&app, &client, PATH, beacon()).expect(201).await;
    let path = format!("/v1/incidents/{}", made.text("id"));
    let dismiss = json!({"to": "dismissed", "resolution_reason": "false_positive"});
    let steps = format!("{path}/transitions");
    let dismissed = app.post(&steps).bearer(&client).json(dismiss.clone()).expect(200).await;
    let before = head(&app).await;
    // What it said before is not told again.
    let known = put(&app, &client, PATH, beacon()).expect(200).await;
    assert_eq!((warnings(&known), head(&app).await), (vec!["incident_not_open"], before));
    let body = json!({"title": "Beacon", "description": "It is back."});
    let reported = put(&app, &client, PATH, body.clone()).expect(200).await;
    assert_eq!(warnings(&reported), ["incident_not_open"]);
    assert_eq!(
        reported.json()["warnings"][0],
        json!({"code": "incident_not_open", "fields": [],
            "message": "The incident is not open. The message stands in its timeline."})
    );
    let unchanged = (reported.text("status"), reported.text("description"), reported.header("etag"));
    assert_eq!(unchanged, ("dismissed", "Host ws-17.", dismissed.header("etag")));
    assert_eq!(head(&app).await, before + 1);
    put(&app, &client, &format!("{PATH}?overwrite=true"), body.clone()).expect(200).await;
    assert_eq!(head(&app).await, before + 1, "the same again");
    let entries = app.get(&format!("/v1/journal?after={before}")).bearer(&client).expect(200).await;
    let entry = &entries.json()["data"][0];
    assert_eq!(entry["kind"], "incident.reported");
    let payload: Value = serde_json::from_str(entry["payload"].as_str().unwrap()).unwrap();
    let message = r#"{"description":"It is back.","title":"Beacon"}"#;
    let expected = json!({"reports/1": [null, true], "reports/1/message": [null, message]});
    assert_eq!(payload, expected);
    // After a reopening messages change it again, and after the next closing are told again.
    let reopen = json!({"to": "new"});
    app.post(&steps).bearer(&client).json(reopen).expect(200).await;
    let merged = put(&app, &client, PATH, body.clone()).expect(200).await;
    assert_eq!((merged.text("description"), warnings(&merged).len()), ("It is back.", 0));
    put(&app, &client, PATH, beacon()).expect(200).await;
    app.post(&steps).bearer(&client).json(dismiss).expect(200).await;
    let before = head(&app).await;
    put(&app, &client, PATH, body).expect(200).await;
    assert_eq!(head(&app).await, before + 1, "its latest message said something else");
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn too_many_messages_about_a_closed_incident_are_counted(app: TestApp) {
    let client = app.client().await;
    let made = put(&app, &client, PATH, beacon()).expect(201).await;
    let path = format!("/v1/incidents/{}", made.text("id"));
    let dismiss = json!({"to": "dismissed", "resolution_reason": "false_positive"});
    app.post(&format!("{path}/transitions")).bearer(&client).json(dismiss).expect(200).await;
    let long =
        |number: usize| json!({"title": "Beacon", "description": format!("{number} {}", "é".repeat(32_000))});
    let mut warning = String::new();
    for number in 0..270 {
        let answer = put(&app, &client, PATH, long(number)).expect(200).await;
        assert_eq!(warnings(&answer), ["incident_not_open"]);
        answer.text("/warnings/0/message").clone_into(&mut warning);
    }
    assert_eq!(
        warning,
        "The incident is not open. It has too many messages (at most 1000, and 16777216 bytes), so this one was \
         counted but not kept."
    );
    let shown = app.get(&format!("{path}/timeline?limit=1")).bearer(&client).expect(200).await;
    let told = shown.text("/data/0/text");
    assert!(told.ends_with("what it said was not kept, as there was too much"), "{told}");
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn the_rules_are_those_of_a_patch(app: TestApp) {
    let client = app.client().await;
    let mut body = beacon();
    body["occurred_date"] = json!("2026-02-01T09:05:00Z");
    body["detected_date"] = json!("2026-02-01T09:00:00Z");
    let made = put(&app, &client, PATH, body.clone()).expect(201).await;
    assert_eq!(warnings(&made), ["detected_before_occurred"]);
    // A clock that differs by more, and a person's, are wrong.
    let mut late = body.clone();
    late["occurred_date"] = json!("2026-02-01T09:05:00.000001Z");
    let faults = put(&app, &client, PATH, late).expect(422).await.faults();
    assert_eq!(faults, ["#/detected_date date_order"]);
    let ada = app.person("Ada", Role::Responder).await;
    let other = "/v1/sources/siem/incidents/by-hand";
    let faults = put(&app, &ada, other, body.clone()).expect(422).await.faults();
    assert_eq!(faults, ["#/detected_date date_order"]);
    let patch = json!({"detected_date": "2026-02-01T09:01:00Z"});
    let path = format!("/v1/incidents/{}", made.text("id"));
    let faults = app.patch(&path).bearer(&client).json(patch).expect(422).await.faults();
    assert_eq!(faults, ["#/detected_date date_order"]);
    // The merged record is checked.
    let contained = json!({"title": "Beacon", "description": "", "contained_date": "2026-01-01T09:00:00Z"});
    let faults = put(&app, &client, PATH, contained).expect(422).await.faults();
    assert_eq!(faults, ["#/contained_date date_order"]);
    let wrong = json!({"title": " ", "status": "closed", "external_ref": "x", "kind": "war", "kept": [],
        "assigned_to": "ada", "responded_date": "2126-01-01T09:00:00Z", "serverity": "high"});
    let faults = put(&app, &client, PATH, wrong).expect(422).await.faults();
    assert_eq!(
        faults,
        [
            "#/title blank",
            "#/description required",
            "#/kind enum",
            "#/assigned_to format",
            "#/kept read_only",
            "#/external_ref read_only",
            "#/status read_only",
            "#/responded_date date_in_future",
            "#/serverity unknown_field",
        ]
    );
    for nothing in [Value::Null, json!([])] {
        assert_eq!(put(&app, &client, PATH, nothing).expect(422).await.faults(), ["# type"]);
    }
}

#[testkit::both_engines]
async fn an_alert_for_a_person_who_has_left_is_declared_without_them(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Responder).await;
    let mut body = beacon();
    body["assigned_to"] = json!("0190163d-8694-739b-aea5-966c26f8ad91");
    let made = put(&app, &client, PATH, body.clone()).expect(201).await;
    assert_eq!((warnings(&made), made.json()["assigned_to"].clone()), (vec!["unknown_user"], Value::Null));
    assert_eq!(made.json()["warnings"][0]["fields"], json!(["assigned_to"]));
    // A later message does the same, and changes what else it says.
    body["title"] = json!("Beacon on two hosts");
    let merged = put(&app, &client, PATH, body.clone()).expect(200).await;
    assert_eq!((warnings(&merged), merged.text("/title")), (vec!["unknown_user"], "Beacon on two hosts"));
    body["assigned_to"] = json!(ada.id);
    let assigned = put(&app, &client, PATH, body).expect(200).await;
    assert_eq!((warnings(&assigned), assigned.text("/assigned_to/name")), (vec![], "Ada"));
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn of_many_first_messages_one_declares(app: TestApp) {
    let client = app.client().await;
    let second = app.beside(2).await;
    let send = |n: usize| put(if n.is_multiple_of(2) { &app } else { &second }, &client, PATH, beacon());
    let answers = join_all((0..32).map(async |n| send(n).await)).await;
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [vec![200; 31], vec![201]].concat());
    let list = app.get("/v1/incidents?include_total=true").bearer(&client).expect(200).await;
    assert_eq!((&list.json()["total"], &list.json()["data"][0]["version"]), (&json!(1), &json!(1)));
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_key_and_a_version_work_as_everywhere(app: TestApp) {
    let client = app.client().await;
    let first = put(&app, &client, PATH, beacon()).idempotency_key("k").expect(201).await;
    let again = put(&app, &client, PATH, beacon()).idempotency_key("k").expect(201).await;
    assert_eq!((again.header("idempotent-replayed"), again.json()), (Some("true"), first.json()));
    let body = json!({"title": "Second", "description": ""});
    let stale = put(&app, &client, PATH, body.clone()).header("if-match", "\"v7\"").expect(412).await;
    assert_eq!(stale.text("code"), "precondition_failed");
    let tag = first.header("etag").unwrap();
    put(&app, &client, PATH, body.clone()).header("if-match", tag).expect(200).await;
    // There is nothing yet that could have the version.
    let other = "/v1/sources/siem/incidents/other";
    put(&app, &client, other, body.clone()).header("if-match", tag).expect(412).await;
    app.get(other).bearer(&client).expect(404).await;
    put(&app, &client, other, body).header("if-match", "*").expect(201).await;
}

#[testkit::both_engines]
async fn a_restricted_incident_is_not_found_by_reference(app: TestApp) {
    let client = app.client().await;
    let made = put(&app, &client, PATH, beacon()).expect(201).await;
    let path = format!("/v1/incidents/{}", made.text("id"));
    app.patch(&path).bearer(&client).json(json!({"restricted": true})).expect(200).await;
    let stranger = app.client_with_scopes("incidents:read incidents:write").await;
    let before = head(&app).await;
    assert_eq!(app.get(PATH).bearer(&stranger).expect(404).await.text("title"), "Incident not found");
    let body = json!({"title": "Other", "description": ""});
    assert_eq!(put(&app, &stranger, PATH, body).expect(404).await.text("title"), "Incident not found");
    assert_eq!(head(&app).await, before);
    // Who declared it still reports.
    put(&app, &client, PATH, beacon()).expect(200).await;
}

#[testkit::both_engines]
async fn a_deleted_incident_frees_its_reference(app: TestApp) {
    let client = app.client().await;
    let declare = async |n: usize| {
        let path = format!("/v1/sources/siem/incidents/{n}");
        put(&app, &client, &path, beacon()).expect(201).await.text("id").to_owned()
    };
    let first = [declare(1).await, declare(2).await, declare(3).await];
    let all = json!({"ids": first});
    let bulk =
        |path: &str, body: Value| app.post(&format!("/v1/incidents/{path}")).bearer(&client).json(body);
    let deleted = bulk("bulk-delete", all.clone()).expect(200).await;
    app.get("/v1/sources/siem/incidents/1").bearer(&client).expect(404).await;
    let next = [declare(1).await, declare(3).await];
    let before = head(&app).await;
    let refused = bulk("restore", all.clone()).expect(409).await;
    assert_eq!(
        (refused.text("code"), refused.text("title")),
        ("external_ref_taken", "Another incident has this reference")
    );
    assert_eq!(refused.json()["taken"], json!([first[0], first[2]]));
    let detail = "INC-0001 and 1 other have references that other incidents have. Nothing was changed.";
    assert_eq!((refused.text("detail"), head(&app).await), (detail, before));
    // An undo of the deletion restores what it can.
    let id = deleted.header("x-request-id").unwrap();
    let undone = app.post("/v1/undo").bearer(&client).json(json!({"request_id": id})).expect(200).await;
    let outcomes =
        undone.json()["results"].as_array().unwrap().iter().map(|it| it["outcome"].as_str().unwrap());
    assert_eq!(outcomes.collect::<Vec<_>>(), ["no_longer_valid", "undone", "no_longer_valid"]);
    let reason = "Another incident has its reference of the external system by now.";
    assert_eq!(undone.text("/results/0/reason"), reason);
    // Two deleted ones with one reference cannot come back together, but one alone.
    bulk("bulk-delete", json!({"ids": next})).expect(200).await;
    let both = bulk("restore", json!({"ids": [first[0], next[0]]})).expect(409).await;
    assert_eq!(both.json()["taken"], json!([first[0], next[0]]));
    let one = bulk("restore", json!({"ids": [first[0]]})).expect(200).await;
    assert_eq!(one.json()["restored_count"], 1);
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_reference_is_changed_by_a_patch_unless_it_is_taken(app: TestApp) {
    let client = app.client().await;
    put(&app, &client, PATH, beacon()).expect(201).await;
    let other = put(&app, &client, "/v1/sources/siem/incidents/other", beacon()).expect(201).await;
    let path = format!("/v1/incidents/{}", other.text("id"));
    let patch = |body: Value| app.patch(&path).bearer(&client).json(body);
    let refused = patch(json!({"external_ref": "alert-7"})).expect(409).await;
    assert_eq!(
        (refused.text("code"), &refused.json()["taken"]),
        ("external_ref_taken", &json!(["INC-0002"]))
    );
    assert_eq!(
        patch(json!({"external_ref": null})).expect(422).await.faults(),
        ["#/external_ref not_in_status"]
    );
    assert_eq!(
        patch(json!({"external_source": "x"})).expect(422).await.faults(),
        ["#/external_source read_only"]
    );
    let moved = patch(json!({"external_ref": "alert-8"})).expect(200).await;
    assert_eq!(moved.text("external_ref"), "alert-8");
    put(&app, &client, "/v1/sources/siem/incidents/alert-8", beacon()).expect(200).await;
    // Its former reference can be taken, and then the change cannot be undone.
    put(&app, &client, "/v1/sources/siem/incidents/other", beacon()).expect(201).await;
    let body = json!({"request_id": moved.header("x-request-id").unwrap()});
    let undone = app.post("/v1/undo").bearer(&client).json(body).expect(200).await;
    assert_eq!(undone.text("/results/0/outcome"), "no_longer_valid");
    let create = json!({"title": "a", "description": "", "external_source": "siem", "external_ref": "x"});
    let faults = app.post("/v1/incidents").bearer(&client).json(create).expect(422).await.faults();
    assert_eq!(faults, ["#/external_source read_only", "#/external_ref read_only"]);
}

#[testkit::both_engines]
async fn an_undo_does_not_make_a_circle_of_duplicates(app: TestApp) {
    let client = app.client().await;
    let declare = async || app.post("/v1/incidents").bearer(&client).expect(201).await.text("id").to_owned();
    let (one, other) = (declare().await, declare().await);
    let step = async |id: &str, body: Value| {
        app.post(&format!("/v1/incidents/{id}/transitions")).bearer(&client).json(body).expect(200).await
    };
    let duplicate =
        |of: &str| json!({"to": "dismissed", "resolution_reason": "duplicate", "duplicate_of": of});
    step(&one, duplicate(&other)).await;
    let reopened = step(&one, json!({"to": "new"})).await;
    step(&other, duplicate(&one)).await;
    let body = json!({"request_id": reopened.header("x-request-id").unwrap()});
    let undone = app.post("/v1/undo").bearer(&client).json(body).expect(200).await;
    assert_eq!(
        undone.json()["results"][0],
        json!({"type": "incident", "id": one, "outcome": "no_longer_valid",
            "reason": "It would be a duplicate of itself, directly or over other duplicates."})
    );
    assert_sound(&app).await;
}
