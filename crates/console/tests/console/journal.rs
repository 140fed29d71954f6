use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

#[both_engines]
async fn the_journal_says_who_changed_what(app: TestApp) {
    let (ada, otto) = (app.person("Ada Byron", Role::Owner).await, app.person("Otto", Role::Auditor).await);
    let body = json!({"title": "A", "description": ""});
    app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    app.patch("/v1/incidents/1").bearer(&ada.token).json(json!({"title": "B"})).expect(200).await;
    let mut browser = Browser::of(&app, &otto).await;
    let page = browser.get("/o/acme/journal?subject_kind=incident").await.page;
    assert_eq!(page.texts("tbody th"), ["Incident INC-0001 updated", "Incident INC-0001 created"]);
    assert!(page.texts("tbody td").contains(&"Ada Byron".to_owned()), "{}", page.text());
    assert_eq!(page.texts("tbody td:last-child")[0], "title");
    assert_eq!(page.links().iter().filter(|link| link.ends_with("/incidents/INC-0001")).count(), 2);
    let head = app.get("/v1/journal/head").bearer(&otto.token).expect(200).await;
    assert_eq!(page.text_of(".hash"), head.text("hash"));
    let all = browser.get("/o/acme/journal").await.page;
    assert!(all.all("tbody tr").len() > 2);
    assert_eq!(browser.get("/o/acme/journal?subject_kind=nonsense").await.status, StatusCode::BAD_REQUEST);
    let mut browser = Browser::of(&app, &ada).await;
    let refused = browser.get("/o/acme/journal").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(!browser.get("/o/acme").await.page.links().iter().any(|link| link.ends_with("/journal")));
}
