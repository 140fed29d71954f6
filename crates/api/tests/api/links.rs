//! Links of incidents, read at either end.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient};

async fn incident(app: &TestApp, client: &TestClient, title: &str) -> String {
    let body = json!({"title": title, "description": "", "detected_date": "2026-02-01T09:00:00Z"});
    app.post("/v1/incidents").bearer(client).json(body).expect(201).await.text("id").to_owned()
}

async fn risk(app: &TestApp, client: &TestClient) -> String {
    let body = json!({"title": "Flood", "inherent": {"likelihood": 4, "impact": 5}, "target": {"likelihood": 2, "impact": 3}});
    app.post("/v1/risks").bearer(client).json(body).expect(201).await.text("id").to_owned()
}

async fn document(app: &TestApp, client: &TestClient) -> String {
    let body = json!({"slug": "backup", "title": "Backup policy",
        "items": [{"id": "contact", "kind": "text", "label": "Contact"}]});
    app.post("/v1/documents").bearer(client).json(body).expect(201).await.text("slug").to_owned()
}

fn link(kind: &str, linked: &str, id: &str) -> Value {
    json!({"to": {"type": linked, "id": id}, "kind": kind})
}

async fn add(app: &TestApp, caller: impl AsRef<str>, id: &str, body: Value, status: u16) -> Answer {
    app.post(&format!("/v1/incidents/{id}/links")).bearer(caller).json(body).expect(status).await
}

/// Incident, number, kind, direction and the other end of each link, and the total.
async fn links(app: &TestApp, caller: impl AsRef<str>, record: &str, query: &str) -> (Vec<String>, i64) {
    let list =
        app.get(&format!("/v1/{record}/links?include_total=true{query}")).bearer(caller).expect(200).await;
    let rows = list.json()["data"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let rows = rows.map(|row| {
        let end = if row["record"]["id"].is_null() { &row["record"]["url"] } else { &row["record"]["id"] };
        let parts = [&row["incident"], &row["kind"], &row["direction"], end].map(text);
        format!("{}/{} {} {} {}", parts[0], row["number"], parts[1], parts[2], parts[3])
    });
    (rows.collect(), list.json()["total"].as_i64().unwrap())
}

async fn bulk(app: &TestApp, client: &TestClient, path: &str, id: &str) {
    let body = json!({"ids": [id]});
    app.post(&format!("/v1/incidents/{path}")).bearer(client).json(body).expect(200).await;
}

async fn assert_sound(app: &TestApp) {
    let mut tx = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, app.organization, None).await.unwrap();
    assert_eq!(report.faults, []);
}

#[testkit::both_engines]
async fn an_address_with_letters_of_any_language_becomes_a_uri(app: TestApp) {
    let client = app.client().await;
    let one = incident(&app, &client, "Outage").await;
    let ticket = |url: &str| json!({"to": {"type": "url", "url": url}, "kind": "ticket"});
    let uri = "https://xn--strae-oqa.example/stra%C3%9Fe?q=%C3%BC";
    let made = add(&app, &client, &one, ticket("https://straße.example/straße?q=ü"), 201).await;
    assert_eq!(made.text("/record/url"), uri);
    // It is the same address.
    assert_eq!(add(&app, &client, &one, ticket(uri), 409).await.text("code"), "already_linked");
    for wrong in ["https://jörg@a.example", "https://a.example/\u{202e}", "https://a＠b.example"] {
        let answer = add(&app, &client, &one, ticket(wrong), 422).await;
        assert_eq!(answer.faults(), ["#/to/url format"], "{wrong}");
    }
    // The limit is that of the URI.
    let long = format!("https://a.example/{}", "ü".repeat(400));
    let answer = add(&app, &client, &one, ticket(&long), 422).await;
    assert_eq!(answer.faults(), ["#/to/url too_long"]);
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_link_is_read_at_both_ends(app: TestApp) {
    let client = app.client().await;
    let (one, other) = (incident(&app, &client, "Outage").await, incident(&app, &client, "Fire").await);
    let (risk, document) = (risk(&app, &client).await, document(&app, &client).await);
    let path = format!("/v1/incidents/{one}");
    let before = app.get(&path).bearer(&client).expect(200).await;
    let made = add(&app, &client, &one, link("caused_by", "incident", "inc-2"), 201).await;
    assert_eq!((made.header("location"), made.header("etag")), (Some("/v1/incidents/INC-0001/links"), None));
    let expected = json!({
        "incident": "INC-0001", "number": 1, "kind": "caused_by", "direction": "outgoing",
        "record": {"type": "incident", "id": "INC-0002", "url": null, "title": "Fire", "status": "new",
            "severity": "undetermined", "detected_date": "2026-02-01T09:00:00.000000Z"},
        "created_by": {"type": "client", "id": client.id, "name": "Probe"},
        "created_date": made.text("created_date"),
    });
    assert_eq!(made.json(), &expected);
    add(&app, &client, &one, link("threatens", "risk", &risk), 201).await;
    add(&app, &client, &one, link("violates", "document", &document), 201).await;
    let ticket =
        json!({"to": {"type": "url", "url": "https://t.example/1", "title": "Ticket 1"}, "kind": "ticket"});
    let ticket = add(&app, &client, &one, ticket, 201).await;
    assert_eq!((ticket.text("/record/title"), &ticket.json()["record"]["id"]), ("Ticket 1", &Value::Null));
    add(&app, &client, &other, link("threatens", "risk", &risk), 201).await;
    let own = [
        "INC-0001/1 caused_by outgoing INC-0002",
        "INC-0001/2 threatens outgoing RSK-1",
        "INC-0001/3 violates outgoing backup",
        "INC-0001/4 ticket outgoing https://t.example/1",
    ];
    assert_eq!(
        links(&app, &client, &format!("incidents/{one}"), "").await,
        (own.map(str::to_owned).to_vec(), 4)
    );
    let of_other = ["INC-0001/1 caused_by incoming INC-0001", "INC-0002/1 threatens outgoing RSK-1"];
    assert_eq!(links(&app, &client, &format!("incidents/{other}"), "").await.0, of_other);
    let of_risk = ["INC-0001/2 threatens incoming INC-0001", "INC-0002/1 threatens incoming INC-0002"];
    assert_eq!(links(&app, &client, "risks/RSK-1", "").await, (of_risk.map(str::to_owned).to_vec(), 2));
    assert_eq!(
        links(&app, &client, "documents/backup", "").await.0,
        ["INC-0001/3 violates incoming INC-0001"]
    );
    // A link is no change of the incident.
    let after = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!((after.json(), after.header("etag")), (before.json(), before.header("etag")));
    // Titles and statuses are those of today.
    let patch = json!({"status": "investigating", "title": "Fire in the annex"});
    app.patch(&format!("/v1/incidents/{other}")).bearer(&client).json(patch).expect(200).await;
    let list = app.get(&format!("{path}/links?limit=1")).bearer(&client).expect(200).await;
    let record = &list.json()["data"][0]["record"];
    assert_eq!((&record["title"], &record["status"]), (&json!("Fire in the annex"), &json!("investigating")));
    app.delete(&format!("{path}/links/2")).bearer(&client).expect(204).await;
    assert_eq!(links(&app, &client, "risks/RSK-1", "").await.0, of_risk[1..]);
    // Its number is not used again.
    let again = add(&app, &client, &one, link("threatens", "risk", &risk), 201).await;
    assert_eq!(again.json()["number"], 5);
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn what_is_wrong_with_a_link_is_told(app: TestApp) {
    let client = app.client().await;
    let (one, other) = (incident(&app, &client, "Outage").await, incident(&app, &client, "Fire").await);
    let deleted = incident(&app, &client, "Deleted").await;
    bulk(&app, &client, "bulk-delete", &deleted).await;
    risk(&app, &client).await;
    add(&app, &client, &one, link("related", "incident", &other), 201).await;
    for (id, to) in [(&one, &other), (&other, &one)] {
        let again = add(&app, &client, id, link("related", "incident", to), 409).await;
        assert_eq!((again.text("code"), again.text("title")), ("already_linked", "Already linked"));
    }
    add(&app, &client, &other, link("caused_by", "incident", &one), 201).await;
    add(&app, &client, &one, link("recurrence_of", "incident", &other), 201).await;
    let url = |url: &str| json!({"to": {"type": "url", "url": url}, "kind": "chat"});
    for (body, expected) in [
        (link("related", "incident", &one), vec!["#/to/id link_to_itself"]),
        (link("related", "incident", &deleted), vec!["#/to/id unknown_incident"]),
        (link("related", "incident", "INC-0099"), vec!["#/to/id unknown_incident"]),
        (link("threatens", "risk", "RSK-9"), vec!["#/to/id unknown_risk"]),
        (link("violates", "document", "none"), vec!["#/to/id unknown_document"]),
        (link("related", "incident", "x"), vec!["#/to/id format"]),
        (link("threatens", "risk", "x"), vec!["#/to/id format"]),
        (link("related", "risk", "RSK-1"), vec!["#/kind enum"]),
        (link("ticket", "incident", &other), vec!["#/kind enum"]),
        (link("cause", "incident", &other), vec!["#/kind enum"]),
        (link("related", "person", "x"), vec!["#/to/type enum"]),
        (url("javascript:alert(1)"), vec!["#/to/url format"]),
        (url("https://ada:secret@chat.example"), vec!["#/to/url format"]),
        (json!({}), vec!["#/to required", "#/kind required"]),
        (json!({"to": "RSK-1", "kind": "threatens", "number": 7}), vec!["#/to type", "#/number read_only"]),
        (
            json!({"to": {"type": "url", "id": "x", "titel": "x"}, "kind": "chat"}),
            vec!["#/to/url required", "#/to/id unknown_field", "#/to/titel unknown_field"],
        ),
        (
            json!({"to": {"type": "risk", "id": "RSK-1", "url": "https://a.example"}, "kind": "threatens"}),
            vec!["#/to/url unknown_field"],
        ),
    ] {
        assert_eq!(add(&app, &client, &one, body.clone(), 422).await.faults(), expected, "{body}");
    }
    assert_eq!(
        add(&app, &client, "INC-0099", url("https://a.example"), 404).await.text("title"),
        "Incident not found"
    );
    add(&app, &client, &deleted, url("https://a.example"), 404).await;
    for number in ["9", "0", "x", "1.0", "99999999999999999999"] {
        let path = format!("/v1/incidents/{one}/links/{number}");
        let missing = app.delete(&path).bearer(&client).expect(404).await;
        assert_eq!(missing.text("title"), "Link not found", "{number}");
    }
    let path = format!("/v1/incidents/{one}/links/1");
    app.delete(&path).bearer(&client).expect(204).await;
    app.delete(&path).bearer(&client).expect(404).await;
    add(&app, &client, &one, link("related", "incident", &other), 201).await;
}

#[testkit::both_engines]
async fn a_link_to_something_deleted_disappears_and_comes_back(app: TestApp) {
    let client = app.client().await;
    let (one, other) = (incident(&app, &client, "Outage").await, incident(&app, &client, "Fire").await);
    let risk = risk(&app, &client).await;
    add(&app, &client, &one, link("caused_by", "incident", &other), 201).await;
    add(&app, &client, &one, link("materialised", "risk", &risk), 201).await;
    let of = async |record: &str| links(&app, &client, record, "").await;
    let (ends, paths) = ([&one, &other], [format!("incidents/{one}"), format!("incidents/{other}")]);
    let whole = [of(&paths[0]).await, of(&paths[1]).await, of("risks/RSK-1").await];
    assert_eq!(whole.each_ref().map(|(_, total)| *total), [2, 1, 1]);
    // Without the other end.
    bulk(&app, &client, "bulk-delete", ends[1]).await;
    assert_eq!(of(&paths[0]).await, (whole[0].0[1..].to_vec(), 1));
    app.delete(&format!("/v1/{}/links/1", paths[0])).bearer(&client).expect(404).await;
    bulk(&app, &client, "restore", ends[1]).await;
    // Without the incident that the links belong to.
    bulk(&app, &client, "bulk-delete", ends[0]).await;
    assert_eq!((of(&paths[1]).await.1, of("risks/RSK-1").await.1), (0, 0));
    bulk(&app, &client, "restore", ends[0]).await;
    // Without the risk.
    app.delete("/v1/risks/RSK-1").bearer(&client).expect(204).await;
    assert_eq!(of(&paths[0]).await, (whole[0].0[..1].to_vec(), 1));
    app.get("/v1/risks/RSK-1/links").bearer(&client).expect(404).await;
    app.post("/v1/risks/RSK-1/restore").bearer(&client).expect(200).await;
    assert_eq!([of(&paths[0]).await, of(&paths[1]).await, of("risks/RSK-1").await], whole);
    assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_risk_shows_the_incidents_of_a_span_of_time(app: TestApp) {
    let client = app.client().await;
    let risk = risk(&app, &client).await;
    for year in ["2024", "2025", "2026"] {
        let body =
            json!({"title": year, "description": "", "detected_date": format!("{year}-02-01T09:00:00Z")});
        let made = app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
        add(&app, &client, made.text("id"), link("materialised", "risk", &risk), 201).await;
    }
    let of = async |query: &str| {
        let (rows, total) = links(&app, &client, "risks/RSK-1", query).await;
        assert_eq!(i64::try_from(rows.len()).unwrap(), total, "{query}");
        rows.iter().map(|row| row[..8].to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of("").await, "INC-0001 INC-0002 INC-0003");
    assert_eq!(of("&detected_from=2025-03-01T00:00:00Z").await, "INC-0003");
    assert_eq!(of("&detected_from=2025-02-01T09:00:00Z&detected_to=2026-02-01T09:00:00Z").await, "INC-0002");
    app.get("/v1/risks/RSK-1/links?detected_from=2025").bearer(&client).expect(400).await;
}

#[testkit::both_engines]
async fn what_a_reader_may_not_see_is_absent(app: TestApp) {
    let client = app.client().await;
    let (open, secret) = (incident(&app, &client, "Outage").await, incident(&app, &client, "Payroll").await);
    let risk = risk(&app, &client).await;
    app.patch(&format!("/v1/incidents/{secret}"))
        .bearer(&client)
        .json(json!({"restricted": true}))
        .expect(200)
        .await;
    add(&app, &client, &open, link("caused_by", "incident", &secret), 201).await;
    add(&app, &client, &secret, link("related", "incident", &open), 201).await;
    add(&app, &client, &secret, link("threatens", "risk", &risk), 201).await;
    add(&app, &client, &open, link("threatens", "risk", &risk), 201).await;
    let stranger = app.person("Sam", Role::Responder).await;
    let of_open = format!("incidents/{open}");
    assert_eq!(links(&app, &client, &of_open, "").await.1, 3);
    assert_eq!(
        links(&app, &stranger, &of_open, "").await,
        (vec!["INC-0001/2 threatens outgoing RSK-1".to_owned()], 1)
    );
    assert_eq!(links(&app, &stranger, "risks/RSK-1", "").await.0, ["INC-0001/2 threatens incoming INC-0001"]);
    assert_eq!(links(&app, &client, "risks/RSK-1", "").await.1, 2);
    app.get(&format!("/v1/incidents/{secret}/links")).bearer(&stranger).expect(404).await;
    app.delete(&format!("/v1/{of_open}/links/1")).bearer(&stranger).expect(404).await;
    let faults = add(&app, &stranger, &open, link("related", "incident", &secret), 422).await.faults();
    assert_eq!(faults, ["#/to/id unknown_incident"]);
    // Without the scopes to read them, risks and documents are neither linked nor shown.
    let narrow = app.client_with_scopes("incidents:read incidents:write incidents:restricted").await;
    assert_eq!(links(&app, &narrow, &of_open, "").await.1, 2);
    let refused = add(&app, &narrow, &open, link("materialised", "risk", &risk), 403).await;
    assert_eq!(refused.text("scope"), "risks:read");
    let refused = add(&app, &narrow, &open, link("violates", "document", "x"), 403).await;
    assert_eq!(refused.text("scope"), "documents:read");
    app.delete(&format!("/v1/{of_open}/links/2")).bearer(&narrow).expect(404).await;
    // The timeline tells of the links, and names no more than that.
    let hidden = "linked another incident as the cause";
    for (reader, cause, risk) in [
        (client.as_ref(), "linked INC-0002 “Payroll” as the cause", "linked RSK-1 “Flood” as more likely"),
        (stranger.as_ref(), hidden, "linked RSK-1 “Flood” as more likely"),
        (narrow.as_ref(), "linked INC-0002 “Payroll” as the cause", "linked a risk as more likely"),
    ] {
        let told = app.get(&format!("/v1/{of_open}/timeline?sort=at")).bearer(reader).expect(200).await;
        let items = told.json()["data"].as_array().unwrap().clone();
        let text = |item: &Value| item["text"].as_str().unwrap().split_once(' ').unwrap().1.to_owned();
        assert_eq!(items[1..].iter().map(text).collect::<Vec<_>>(), [cause, risk]);
        let all = told.json().to_string();
        assert_eq!(all.contains("INC-0002"), cause != hidden);
        assert_eq!(all.contains("RSK-1"), risk != "linked a risk as more likely");
    }
}

#[testkit::both_engines]
async fn the_journal_does_not_name_an_incident_that_the_reader_does_not_see(app: TestApp) {
    let client = app.client().await;
    let (open, secret) = (incident(&app, &client, "Outage").await, incident(&app, &client, "Payroll").await);
    app.patch(&format!("/v1/incidents/{secret}"))
        .bearer(&client)
        .json(json!({"restricted": true}))
        .expect(200)
        .await;
    add(&app, &client, &open, link("caused_by", "incident", &secret), 201).await;
    let url = json!({"to": {"type": "url", "url": "https://t.example/1"}, "kind": "ticket"});
    add(&app, &client, &open, url, 201).await;
    let dismiss = json!({"to": "dismissed", "resolution_reason": "duplicate", "duplicate_of": secret});
    let steps = format!("/v1/incidents/{open}/transitions");
    app.post(&steps).bearer(&client).json(dismiss).expect(200).await;
    app.post(&steps).bearer(&client).json(json!({"to": "new"})).expect(200).await;
    let told = async |caller: &str| {
        let list = app.get("/v1/journal?limit=200").bearer(caller).expect(200).await;
        let entries = list.json()["data"].as_array().unwrap().clone();
        let about = entries.into_iter().filter(|entry| entry["subject"]["id"] == open);
        about
            .map(|entry| {
                assert_eq!(entry["payload"].is_null(), entry["salt"].is_null());
                (entry["kind"].as_str().unwrap().to_owned(), !entry["payload"].is_null())
            })
            .collect::<Vec<_>>()
    };
    let auditor = app.person("Alma", Role::Auditor).await;
    let all = [
        "incident.created",
        "incident.link_added",
        "incident.link_added",
        "incident.status_changed",
        "incident.status_changed",
    ];
    let shown = |shown: [bool; 5]| all.iter().map(|kind| (*kind).to_owned()).zip(shown).collect::<Vec<_>>();
    assert_eq!(told(auditor.as_ref()).await, shown([true, false, true, false, false]));
    assert_eq!(told(client.as_ref()).await, shown([true; 5]));
    // What stood before a step back does not name it either.
    let spell = app.get(&format!("/v1/incidents/{open}")).bearer(&auditor).expect(200).await;
    assert_eq!(spell.json()["spells"][0]["duplicate_of"], Value::Null);
    let spell = app.get(&format!("/v1/incidents/{open}")).bearer(&client).expect(200).await;
    assert_eq!(spell.json()["spells"][0]["duplicate_of"], json!(secret));
}
