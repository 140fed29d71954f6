//! Incidents as they were, deleted, dismissed as duplicates and reopened.

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;
use crate::incidents::{INCIDENT, declared, fields};

#[both_engines]
async fn an_incident_is_shown_as_it_stood(app: TestApp) {
    let mut browser = declared(&app).await;
    let fresh = browser.get(&format!("{INCIDENT}/as-of")).await.page;
    assert_eq!(fresh.text_of("h1"), "Flood", "yesterday it was not there");
    assert!(!fresh.text().contains("had not been declared"), "{}", fresh.text());
    let ada = app.person("Eve", Role::Admin).await;
    let before =
        app.get("/v1/incidents/1").bearer(&ada.token).expect(200).await.json()["updated_date"].clone();
    app.db.clock.advance_seconds(300);
    app.patch("/v1/incidents/1").bearer(&ada.token).json(json!({"title": "Burst pipe"})).expect(200).await;
    let page = browser.get(&format!("{INCIDENT}/as-of?at={}", before.as_str().unwrap())).await.page;
    assert_eq!(page.text_of("h1"), "Flood");
    assert_eq!(page.texts("tbody tr"), ["Title Flood Burst pipe"]);
    let early = browser.get(&format!("{INCIDENT}/as-of?at=1999-01-01T00:00")).await;
    assert_eq!((early.status, early.page.text().contains("had not been declared")), (StatusCode::OK, true));
    let wrong = browser.get(&format!("{INCIDENT}/as-of?at=tomorrow")).await;
    assert!(wrong.page.text().contains("Choose a time in the past"));
}

#[both_engines]
async fn a_note_is_edited_and_deleted(app: TestApp) {
    let mut browser = declared(&app).await;
    let notes = format!("{INCIDENT}/notes");
    browser.post(&notes, &fields(&[("kind", "comment"), ("text", "Wet.")])).await;
    browser.post(&notes, &fields(&[("kind", "decision"), ("text", "Pump."), ("at", "")])).await;
    let comment = format!("{INCIDENT}/notes/1");
    let page = browser.get(&comment).await.page;
    let page = browser.submit(&page, &comment, &[("text", "Very wet.")]).await.page;
    assert!(page.text().contains("Very wet.") && page.text().contains("edited"), "{}", page.text());
    let decision = format!("{INCIDENT}/notes/2");
    let page = browser.get(&decision).await.page;
    let page = browser.submit(&page, &decision, &[("pinned", "on")]).await.page;
    assert!(page.texts(".by .sm").contains(&"pinned".to_owned()), "{}", page.text());
    let form = browser.get(&decision).await.page;
    let page = browser.submit(&form, &decision, &[("delete", "1")]).await.page;
    assert!(!page.text().contains("Pump."));
}

#[both_engines]
async fn a_deleted_incident_is_read_only_and_comes_back(app: TestApp) {
    let mut browser = declared(&app).await;
    browser.post("/o/acme/incidents/delete", &fields(&[("ids", "INC-0001")])).await;
    let page = browser.get(INCIDENT).await.page;
    assert!(page.text_of(".note.bad").starts_with("Deleted on"), "{}", page.text());
    assert_eq!(page.all("main form").len(), 1);
    let page = browser.submit(&page, &format!("{INCIDENT}/restore"), &[]).await.page;
    assert_eq!(
        (page.all(".note.bad").len(), page.text_of(".toast span").as_str()),
        (0, "INC-0001 restored.")
    );
    let vera = app.person("Vera", Role::Viewer).await;
    browser.post("/o/acme/incidents/delete", &fields(&[("ids", "INC-0001")])).await;
    let mut other = Browser::of(&app, &vera).await;
    assert_eq!(other.get(INCIDENT).await.status, StatusCode::NOT_FOUND);
}

#[both_engines]
async fn a_duplicate_names_its_original_and_is_dismissed_instead_of_closed(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Responder).await;
    for title in ["Orders arrive twice", "Orders come in pairs"] {
        let body = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get("/o/acme/incidents/INC-0002/change/duplicate").await.page;
    let address = "/o/acme/incidents/INC-0002/change/duplicate";
    let page = browser.submit(&form, address, &[("duplicate_of", "INC-0001")]).await.page;
    assert_eq!(
        page.text_of("p:has(> .badge) a[href$='/incidents/INC-0001']"),
        "INC-0001 Orders arrive twice"
    );
    assert_eq!(page.text_of("[aria-current='step'] b"), "Dismissed");
    let words = [page.text_of(".steps"), page.text_of(".facts:has(time)"), page.text_of(".next")].join(" ");
    assert!(words.contains("Dismissed at") && !words.contains("Closed"), "{words}");
    app.follow_search().await;
    for list in ["incidents?q=pairs", "search?q=pairs"] {
        let found = browser.get(&format!("/o/acme/{list}")).await.page;
        assert_eq!(found.texts(".stat"), ["Dismissed"], "{list}: {}", found.text());
    }
}

#[both_engines]
async fn a_reopened_incident_shows_when_that_was(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Owner).await;
    let body = json!({"title": "A", "description": ""});
    app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    let go = async |body: serde_json::Value| {
        app.db.clock.advance_seconds(3_600);
        app.post("/v1/incidents/1/transitions").bearer(&ada.token).json(body).expect(200).await;
    };
    go(json!({"to": "investigating"})).await;
    go(json!({"to": "resolved", "resolution_reason": "fixed"})).await;
    let mut browser = Browser::of(&app, &ada).await;
    let steps = async |browser: &mut Browser| {
        let page = browser.get("/o/acme/incidents/INC-0001").await.page;
        page.texts(".steps li")
    };
    let before = steps(&mut browser).await;
    assert_eq!((before[1].as_str(), before[3].as_str()), ("InvestigatingToday 10:00", "ResolvedToday 11:00"));
    go(json!({"to": "investigating", "reason": "It came back."})).await;
    let after = steps(&mut browser).await;
    assert_eq!(after[1], "InvestigatingReopened today 12:00");
    assert_eq!((after[0].as_str(), after[3].as_str()), ("NewToday 09:00", "Resolved"));
}
