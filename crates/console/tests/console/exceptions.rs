//! Exceptions to documents: asked for, decided about and shown on the document and the risk.

use domain::Role;
use serde_json::json;
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;

const DOCUMENT: &str = "/o/acme/documents/policy";
const ALL: &str = "/o/acme/documents/policy/exceptions";
const FIRST: &str = "/o/acme/documents/policy/exceptions/1";

/// Publishes a value of the item of the policy.
async fn publish(app: &TestApp, [writer, approver]: [&TestPerson; 2], value: &str) {
    let edits = json!([{"node_id": "contact", "node_type": "text", "value": value}]);
    let edited = app.patch("/v1/documents/policy").bearer(writer).json(edits).expect(200).await;
    let proposal = format!("/v1/documents/policy/proposals/{}", edited.json()["proposal"]);
    let submit = app.post(&format!("{proposal}/submit")).bearer(writer).json(json!({"summary": "Better."}));
    let body = json!({"sha256": submit.expect(200).await.text("sha256")});
    app.post(&format!("{proposal}/approve")).bearer(approver).json(body).expect(200).await;
}

#[both_engines]
async fn an_exception_is_asked_for_accepted_stale_and_revoked(app: TestApp) {
    let (olga, zoe) = (app.person("Olga", Role::Owner).await, app.person("Zoe", Role::Approver).await);
    let item = json!({"id": "contact", "kind": "text", "label": "Contact"});
    let document = json!({"slug": "policy", "title": "Policy", "items": [item]});
    app.post("/v1/documents").bearer(&olga).json(document).expect(201).await;
    let risk = json!({"title": "Nobody answers", "inherent": {"likelihood": 3, "impact": 3}});
    app.post("/v1/risks").bearer(&olga).json(risk).expect(201).await;
    let (mut writer, mut approver) = (Browser::of(&app, &olga).await, Browser::of(&app, &zoe).await);
    let page = writer.get(ALL).await.page;
    assert!(page.text().contains("The document is not published."), "{}", page.text());
    publish(&app, [&olga, &zoe], "Ada").await;
    let form = writer.get(ALL).await.page;
    let typed = [
        ("title", "The night shift"),
        ("node_id", "contact"),
        ("reason", "Nobody *is* there"),
        ("plan", "A pager"),
        ("until", "2026-06-30"),
        ("risk", "RSK-1"),
    ];
    let wrong = writer.submit(&form, ALL, &[("title", "The night shift"), ("risk", "RSK-9")]).await.page;
    assert_eq!(wrong.all("#until-error").len(), 1, "{}", wrong.text());
    let page = writer.submit(&wrong, ALL, &typed).await.page;
    assert_eq!(page.texts("tbody .t"), ["The night shift"], "{}", page.text());
    assert_eq!(writer.get(FIRST).await.page.texts("main form button"), ["Withdraw request"]);
    let waiting = "[aria-labelledby=waiting] .t";
    assert_eq!(approver.get("/o/acme").await.page.texts(waiting), ["The night shift"]);
    assert!(writer.get("/o/acme").await.page.texts(waiting).is_empty());
    let page = approver.get(FIRST).await.page;
    let facts = page.text_of("main .facts");
    assert!(facts.contains("Section Contact") && facts.contains("Reason Nobody is there"), "{facts}");
    let page = approver.submit(&page, FIRST, &[("decision", "accepted")]).await.page;
    assert_eq!(page.text_of(".head .badge"), "Accepted", "{}", page.text());
    for address in [DOCUMENT, "/o/acme/risks/RSK-1"] {
        let page = writer.get(address).await.page;
        let shown = page.text_of("[aria-labelledby=exceptions]");
        assert!(shown.contains("The night shift") && shown.contains("accepted until 30 Jun 2026"), "{shown}");
        assert!(page.links().contains(&FIRST.to_owned()), "{address}");
    }
    let requested = writer.get(&format!("{ALL}?state=requested")).await.page;
    assert!(requested.texts("tbody .t").is_empty());
    let places = requested.texts("select[name=replaces] option");
    assert_eq!(places, ["No other exception", "The night shift"]);
    publish(&app, [&olga, &zoe], "Ben").await;
    let page = approver.get(FIRST).await.page;
    assert!(page.text().contains("Stale. Version 2"), "{}", page.text());
    let stale = writer.get("/o/acme/exceptions?state=stale").await.page;
    assert_eq!(stale.texts("tbody .t"), ["The night shift"]);
    let page = approver.submit(&page, FIRST, &[("reason", "The pager is here")]).await.page;
    assert_eq!(page.text_of(".head .badge"), "Revoked", "{}", page.text());
    assert!(page.all("main form").is_empty());
    assert!(writer.get("/o/acme/risks/RSK-1").await.page.all("[aria-labelledby=exceptions]").is_empty());
}

/// A published policy, and an exception that Ada has asked for; Zoe, who may approve, and Ada.
async fn asked(app: &TestApp) -> [TestPerson; 2] {
    let (olga, zoe) = (app.person("Olga", Role::Owner).await, app.person("Zoe", Role::Approver).await);
    let item = json!({"id": "contact", "kind": "text", "label": "Contact"});
    let document = json!({"slug": "policy", "title": "Policy", "items": [item]});
    app.post("/v1/documents").bearer(&olga).json(document).expect(201).await;
    publish(app, [&olga, &zoe], "Ada").await;
    let ada = app.person("Ada", Role::Admin).await;
    let new = json!({"title": "Nights", "reason": "Nobody.", "plan": "A pager.", "until": "2026-06-30"});
    app.post("/v1/documents/policy/exceptions").bearer(&ada).json(new).expect(201).await;
    [zoe, ada]
}

#[both_engines]
async fn the_requester_decides_once_four_eyes_are_waived(app: TestApp) {
    let [zoe, ada] = asked(&app).await;
    let (mut zoe, mut ada) = (Browser::of(&app, &zoe).await, Browser::of(&app, &ada).await);
    let offered = |page: &crate::html::Page| page.texts("main form button");
    let page = ada.get(FIRST).await.page;
    assert_eq!(offered(&page), ["Withdraw request", "Let the requester decide"]);
    assert_eq!(offered(&zoe.get(FIRST).await.page), ["Accept", "Refuse", "Record decision"]);
    let wrong = ada.submit(&page, FIRST, &[("step", "waive"), ("reason", "")]).await.page;
    assert_eq!(wrong.all("#reason-error").len(), 1, "{}", wrong.text());
    let page = ada.submit(&wrong, FIRST, &[("step", "waive"), ("reason", "Zoe is ill")]).await.page;
    assert!(page.text_of("main .facts").contains("Four eyes waived Zoe is ill"), "{}", page.text());
    let page = ada.submit(&page, FIRST, &[("decision", "accepted")]).await.page;
    assert_eq!(page.text_of(".head .badge"), "Accepted", "{}", page.text());
}

#[both_engines]
async fn the_decision_of_a_board_is_recorded(app: TestApp) {
    let [zoe, _] = asked(&app).await;
    let mut zoe = Browser::of(&app, &zoe).await;
    let page = zoe.get(FIRST).await.page;
    let board = |day| {
        [
            ("step", "record"),
            ("decision", "refused"),
            ("decided_by", "The board"),
            ("decided_date", day),
            ("minutes", "Item 4"),
            ("note", "Buy one."),
        ]
    };
    let wrong = zoe.submit(&page, FIRST, &board("2999-02-27")).await.page;
    assert_eq!(wrong.all("#decided_date-error").len(), 1, "{}", wrong.text());
    assert_eq!(wrong.text_of("#record_note").trim(), "Buy one.", "what was typed stays");
    let page = zoe.submit(&wrong, FIRST, &board("2026-02-27")).await.page;
    assert_eq!(page.text_of(".head .badge"), "Refused", "{}", page.text());
    let facts = page.text_of("main .facts");
    assert!(facts.contains("Recorded by Zoe") && facts.contains("Decided by The board"), "{facts}");
}

#[both_engines]
async fn who_has_asked_is_not_told_to_decide(app: TestApp) {
    let [zoe, ada] = asked(&app).await;
    for (person, waiting) in [(&zoe, &["Nights"][..]), (&ada, &[][..])] {
        let home = Browser::of(&app, person).await.get("/o/acme").await.page;
        assert_eq!(home.texts("[aria-labelledby=waiting] .t"), waiting, "{}", home.text());
    }
    let off = json!({"four_eyes": false});
    app.patch(&format!("/v1/organizations/{}", app.organization)).bearer(&ada).json(off).expect(200).await;
    let home = Browser::of(&app, &ada).await.get("/o/acme").await.page;
    assert_eq!(home.texts("[aria-labelledby=waiting] .t"), ["Nights"], "{}", home.text());
}

#[both_engines]
async fn the_page_of_a_risk_says_if_it_has_more_exceptions(app: TestApp) {
    let [_, ada] = asked(&app).await;
    let risk = json!({"title": "Nobody answers", "inherent": {"likelihood": 3, "impact": 3}});
    app.post("/v1/risks").bearer(&ada).json(risk).expect(201).await;
    for _ in 0..51 {
        let new = json!({"title": "Nights", "reason": "Nobody.", "plan": "A pager.", "until": "2026-06-30",
            "risk": "RSK-1"});
        app.post("/v1/documents/policy/exceptions").bearer(&ada).json(new).expect(201).await;
    }
    let page = Browser::of(&app, &ada).await.get("/o/acme/risks/RSK-1").await.page;
    assert_eq!(page.text_of("[aria-labelledby=exceptions] header"), "Exceptions the first 50");
    assert_eq!(page.all("[aria-labelledby=exceptions] li").len(), 50);
}
