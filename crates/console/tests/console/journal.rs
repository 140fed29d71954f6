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
    let note = json!({"kind": "comment", "text": "Seen."});
    app.post("/v1/incidents/1/notes").bearer(&ada.token).json(note).expect(201).await;
    let noted = browser.get("/o/acme/journal?subject_kind=incident").await.page;
    assert_eq!(noted.texts("tbody td:last-child")[0], "at, kind, text");
    let all = browser.get("/o/acme/journal").await.page;
    assert!(all.all("tbody tr").len() > 2);
    assert_eq!(browser.get("/o/acme/journal?subject_kind=nonsense").await.status, StatusCode::BAD_REQUEST);
    let mut browser = Browser::of(&app, &ada).await;
    let refused = browser.get("/o/acme/journal").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(!browser.get("/o/acme").await.page.links().iter().any(|link| link.ends_with("/journal")));
}

#[both_engines]
async fn the_journal_calls_fields_as_their_records_do(app: TestApp) {
    let (ada, otto) = (app.person("Ada Byron", Role::Owner).await, app.person("Otto", Role::Auditor).await);
    let rating = json!({"likelihood": 2, "impact": 2});
    let risk = json!({"title": "A", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    let closed = json!({"status": "closed", "status_reason": "Sold."});
    app.patch("/v1/risks/RSK-1").bearer(&ada.token).json(closed).expect(200).await;
    let mut browser = Browser::of(&app, &otto).await;
    let page = browser.get("/o/acme/journal?subject_kind=risk").await.page;
    let named = page.texts("tbody td:last-child");
    let made = "description, inherent rating, scale version, status, target rating, title, treatment";
    assert_eq!(named[..2], ["status, status changed at, status reason", made]);
}

#[both_engines]
async fn the_journal_is_narrowed_by_who_and_when(app: TestApp) {
    let (ada, otto) = (app.person("Ada Byron", Role::Owner).await, app.person("Otto", Role::Auditor).await);
    let body = json!({"title": "A", "description": ""});
    app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    let mut browser = Browser::of(&app, &otto).await;
    let page = browser.get("/o/acme/journal").await.page;
    assert!(page.texts("form.filters label").contains(&"Ada Byron".to_owned()));
    let own = browser.get(&format!("/o/acme/journal?actor={}&from=&to=", ada.id)).await.page;
    assert_eq!(own.texts("tbody th")[0], "Incident INC-0001 created");
    assert!(!own.texts("tbody td").contains(&"Otto".to_owned()), "{}", own.text());
    assert_eq!(own.all("input[name=actor][checked]").len(), 1);
    assert!(page.text().contains("entries in total") && !own.text().contains("entries in total"));
    let now = app.app().db().clock()().to_zoned(jiff::tz::TimeZone::UTC);
    let day = |days: i64| (&now + jiff::Span::new().days(days)).strftime("%Y-%m-%dT00:00").to_string();
    let later = browser.get(&format!("/o/acme/journal?from={}", day(1))).await.page;
    assert!(later.text().contains("No matching entries"), "{}", later.text());
    let earlier = browser.get(&format!("/o/acme/journal?from={}&to={}", day(-1), day(1))).await.page;
    assert!(earlier.all("tbody tr").len() > 2);
    let refused = browser.get("/o/acme/journal?from=yesterday").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
}

#[both_engines]
async fn the_journal_is_verified_on_its_page(app: TestApp) {
    let (ada, otto) = (app.person("Ada Byron", Role::Owner).await, app.person("Otto", Role::Auditor).await);
    let body = json!({"title": "A", "description": ""});
    app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    let mut browser = Browser::of(&app, &otto).await;
    let head = app.get("/v1/journal/head").bearer(&otto.token).expect(200).await.json().clone();
    let last = head["seq"].as_i64().unwrap();
    let page = browser.get("/o/acme/journal/proof").await.page;
    let told = page.text_of(".note.good");
    assert!(told.starts_with(&format!("Audit chain intact: entries 1 to {last}.")), "{told}");
    assert!(!told.contains(" 0 records"), "{told}");
    assert_eq!(page.texts(".hash")[0], format!("{last}:{}", head["hash"].as_str().unwrap()));
    let part = browser.get("/o/acme/journal/proof?after=1").await.page.text_of(".note.good");
    assert!(part.starts_with(&format!("Audit chain intact: entries 2 to {last}.")), "{part}");
    for wrong in ["-1", "999", "x"] {
        let refused = browser.get(&format!("/o/acme/journal/proof?after={wrong}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    let end = browser.get(&format!("/o/acme/journal/proof?after={last}")).await.page;
    assert!(end.text().contains("No more entries"), "{}", end.text());
    // Somebody changes a record beside the service.
    let changed: db::Result<u64> = app
        .app()
        .db()
        .write_instance(async |tx: &mut db::Tx| tx.execute("UPDATE incident SET title = 'B'", &[]).await)
        .await;
    assert_eq!(changed.unwrap(), 1);
    let page = browser.get("/o/acme/journal/proof").await.page;
    assert_eq!(page.texts("tbody td"), [last.to_string()]);
    assert!(page.texts("tbody th")[0].contains("title"), "{}", page.text());
}

#[both_engines]
async fn the_journal_is_exported_as_a_file_that_verifies(app: TestApp) {
    let (ada, otto) = (app.person("Ada Byron", Role::Owner).await, app.person("Otto", Role::Auditor).await);
    for title in ["A", "Secret"] {
        let body = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    app.patch("/v1/incidents/2").bearer(&ada.token).json(json!({"restricted": true})).expect(200).await;
    let mut browser = Browser::of(&app, &otto).await;
    let head = app.get("/v1/journal/head").bearer(&otto.token).expect(200).await.json().clone();
    let (headers, text) = browser.file("/o/acme/journal/export").await;
    assert_eq!(headers["content-type"], "application/x-ndjson");
    let name = format!("attachment; filename=\"acme-journal-{}.ndjson\"", head["seq"]);
    assert_eq!(headers["content-disposition"], name);
    let mut checker = store::journal::Checker::new(None);
    let entries: Vec<_> = text.lines().map(|line| store::journal::Entry::from_json(line).unwrap()).collect();
    entries.iter().for_each(|entry| checker.check(entry));
    let report = checker.finish();
    assert_eq!((report.entries, report.faults.len()), (head["seq"].as_i64().unwrap(), 0));
    assert!(
        text.contains("INC-0002") && !text.contains("Secret"),
        "what Otto does not see is not in his file"
    );
    let mut browser = Browser::of(&app, &ada).await;
    for address in ["/o/acme/journal/export", "/o/acme/journal/proof"] {
        assert_eq!(browser.get(address).await.status, StatusCode::FORBIDDEN, "{address}");
    }
}
