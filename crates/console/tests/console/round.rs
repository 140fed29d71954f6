//! Several risks are evaluated one after the other.

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::{Browser, Shown};

/// Adds so many risks; what their owner's browser is.
async fn registered(app: &TestApp, count: usize) -> (TestPerson, Browser) {
    let ada = app.person("Ada Byron", Role::Owner).await;
    for number in 1..=count {
        let body = json!({"title": format!("Risk {number}"), "description": "*Water* ".repeat(100),
            "inherent": {"likelihood": 4, "impact": 5}, "target": {"likelihood": 2, "impact": 3}});
        app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    }
    let browser = Browser::of(app, &ada).await;
    (ada, browser)
}

async fn rate(browser: &mut Browser, shown: &Shown, fields: &[(&str, &str)]) -> Shown {
    let action = shown.address.split('?').next().unwrap();
    browser.submit(&shown.page, action, fields).await
}

#[both_engines]
async fn the_risks_of_a_list_come_one_after_the_other(app: TestApp) {
    let (ada, mut browser) = registered(&app, 4).await;
    let close = json!({"status": "closed", "status_reason": "Sold."});
    app.patch("/v1/risks/RSK-3").bearer(&ada.token).json(close).expect(200).await;
    let old = json!({"likelihood": 5, "impact": 5, "note": "Before **this**", "evaluated_at": "2026-01-01T09:00:00Z"});
    app.post("/v1/risks/RSK-2/evaluations").bearer(&ada.token).json(old).expect(201).await;
    let list = browser.get("/o/acme/risks?sort=number&status=open&status=closed").await.page;
    let link = list.links().into_iter().find(|it| it.contains("/risks/evaluate?")).unwrap();
    let first = browser.get(&link).await;
    assert_eq!(first.address, "/o/acme/risks/RSK-1/evaluate?of=1.2.4");
    assert_eq!(first.page.texts(".head .acts span"), ["1 of 3"]);
    let description = first.page.text_of(".head .measure");
    assert!(description.starts_with("Water Water") && description.ends_with('…'), "{description}");
    assert!(first.page.all("#last").is_empty());

    let refused = rate(&mut browser, &first, &[("likelihood", "3"), ("note", "Kept")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        (refused.page.all("#impact-error").len(), refused.page.texts(".head .acts span")),
        (1, vec!["1 of 3".into()])
    );
    let kept = refused.page.form("/o/acme/risks/RSK-1/evaluate");
    assert!(
        kept.contains(&("note".into(), "Kept".into())) && kept.contains(&("likelihood".into(), "3".into()))
    );

    let rating = [("likelihood", "3"), ("impact", "4"), ("note", "Dry")];
    let second = rate(&mut browser, &first, &rating).await;
    assert_eq!(second.address, "/o/acme/risks/RSK-2/evaluate?of=1.2.4");
    assert!(second.page.text().contains("RSK-1 evaluated."), "{}", second.page.text());
    assert_eq!(second.page.texts(".figure .score b"), ["20", "25", "6"]);
    assert_eq!(second.page.text_of("main .md"), "Before this");
    let skip = second.page.links().into_iter().find(|it| it.contains("RSK-4/evaluate")).unwrap();
    let last = browser.get(&skip).await;
    assert!(last.page.links().contains(&"/o/acme/risks/RSK-2/evaluate?of=1.2.4".to_owned()), "previous");
    let end = rate(&mut browser, &last, &[("likelihood", "2"), ("impact", "2")]).await;
    assert_eq!(end.address, "/o/acme/risks");
    assert!(end.page.text().contains("RSK-4 evaluated, the last of 3."), "{}", end.page.text());
    let made = app.get("/v1/risks/RSK-1/evaluations/1").bearer(&ada.token).expect(200).await;
    assert_eq!((&made.json()["score"], made.text("note")), (&json!(12), "Dry"));
    assert_eq!(
        app.get("/v1/risks/RSK-2/evaluations").bearer(&ada.token).await.json()["data"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[both_engines]
async fn chosen_risks_make_a_round_without_those_that_are_gone(app: TestApp) {
    let (ada, mut browser) = registered(&app, 3).await;
    let list = browser.get("/o/acme/risks").await.page;
    assert_eq!(list.all("button[formaction$='/risks/evaluate']").len(), 1);
    let chosen = |ids: &[&str]| ids.iter().map(|id| ("ids".to_owned(), (*id).to_owned())).collect::<Vec<_>>();
    let round = browser.post("/o/acme/risks/evaluate", &chosen(&["RSK-3", "RSK-1"])).await;
    assert_eq!(round.address, "/o/acme/risks/RSK-3/evaluate?of=3.1");
    let all = [("all".to_owned(), "1".to_owned()), ("query".to_owned(), "sort=number".to_owned())];
    assert_eq!(
        browser.post("/o/acme/risks/evaluate", &all).await.address,
        "/o/acme/risks/RSK-1/evaluate?of=1.2.3"
    );
    app.delete("/v1/risks/RSK-3").bearer(&ada.token).expect(204).await;
    assert_eq!(browser.get(&round.address).await.address, "/o/acme/risks/RSK-1/evaluate?of=1");
    let none = browser.post("/o/acme/risks/evaluate", &chosen(&["RSK-3"])).await;
    assert!(none.page.text().contains("No open risk to evaluate."), "{}", none.page.text());
    let nothing = browser.post("/o/acme/risks/evaluate", &[]).await;
    assert!(nothing.page.text().contains("Nothing was selected."), "{}", nothing.page.text());
    let alone = browser.get("/o/acme/risks/RSK-2/evaluate").await;
    assert_eq!(alone.page.texts(".head .acts span"), ["1 of 1"]);

    let vera = app.person("Vera", Role::Viewer).await;
    let mut browser = Browser::of(&app, &vera).await;
    let list = browser.get("/o/acme/risks").await.page;
    assert!(list.links().iter().all(|it| !it.contains("/evaluate")));
    assert_eq!(browser.get("/o/acme/risks/RSK-1/evaluate").await.status, StatusCode::FORBIDDEN);
    assert_eq!(browser.get("/o/acme/risks/evaluate").await.status, StatusCode::FORBIDDEN);
}

#[both_engines]
async fn a_round_goes_on_without_a_risk_that_is_deleted_meanwhile(app: TestApp) {
    let (ada, mut browser) = registered(&app, 3).await;
    let address = |number: i64, of: &str| format!("/o/acme/risks/RSK-{number}/evaluate?of={of}");
    let open = browser.get(&address(2, "1.2.3")).await;
    app.delete("/v1/risks/RSK-2").bearer(&ada.token).expect(204).await;
    let typed = [("note", "Dry"), ("likelihood", "3"), ("impact", "4")];
    // Also where the form is not complete.
    for fields in [&typed[..1], &typed[..]] {
        let next = rate(&mut browser, &open, fields).await;
        assert_eq!((next.status, next.address), (StatusCode::OK, address(3, "1.3")));
        let told = next.page.text();
        assert!(told.contains("RSK-2 is no longer there. Its evaluation was not saved."), "{told}");
    }
    let third = browser.get(&address(3, "1.2.3")).await.page;
    assert!(third.links().contains(&address(2, "1.2.3")), "previous");
    let again = browser.get(&address(2, "1.2.3")).await;
    assert_eq!(again.address, address(3, "1.3"));
    assert_eq!(again.page.texts(".head .acts span"), ["2 of 2"]);
    assert!(again.page.links().contains(&address(1, "1.3")), "previous");
    app.delete("/v1/risks/RSK-3").bearer(&ada.token).expect(204).await;
    let end = rate(&mut browser, &again, &typed).await;
    assert_eq!(end.address, "/o/acme/risks");
    assert!(end.page.text().contains("RSK-3 is no longer there."), "{}", end.page.text());
}

#[both_engines]
async fn a_round_has_the_open_risks_beyond_many_closed_ones(app: TestApp) {
    let (ada, mut browser) = registered(&app, 201).await;
    let closed: Vec<i64> = (2..=201).collect();
    let close = json!({"type": "update", "status": "closed", "status_reason": "Sold."});
    let body = json!({"ids": closed, "operation": close});
    app.post("/v1/risks/bulk").bearer(&ada.token).json(body).expect(200).await;
    let query = "status=open&status=closed";
    let first = "/o/acme/risks/RSK-1/evaluate?of=1";
    assert_eq!(browser.get(&format!("/o/acme/risks/evaluate?{query}")).await.address, first);
    let all = [("all".to_owned(), "1".to_owned()), ("query".to_owned(), query.to_owned())];
    assert_eq!(browser.post("/o/acme/risks/evaluate", &all).await.address, first);
    let none = browser.get("/o/acme/risks/evaluate?status=closed").await.page;
    assert!(none.text().contains("No open risk to evaluate."), "{}", none.text());
}

#[both_engines]
async fn a_round_of_a_search_is_in_the_order_of_its_list(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Owner).await;
    for (title, description) in [("Backup fails", ""), ("Fire", "The backup burns.")] {
        let inherent = json!({"likelihood": 4, "impact": 5});
        let body = json!({"title": title, "description": description, "inherent": inherent});
        app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    }
    app.follow_search().await;
    let mut browser = Browser::of(&app, &ada).await;
    for (query, titles, round) in [
        ("q=backup", ["Backup fails", "Fire"], "RSK-1/evaluate?of=1.2"),
        ("q=backup&sort=-number", ["Fire", "Backup fails"], "RSK-2/evaluate?of=2.1"),
    ] {
        let list = browser.get(&format!("/o/acme/risks?{query}")).await.page;
        assert_eq!(list.texts("tbody a.t"), titles, "{query}");
        let begun = browser.get(&format!("/o/acme/risks/evaluate?{query}")).await;
        assert_eq!(begun.address, format!("/o/acme/risks/{round}"), "{query}");
    }
}
