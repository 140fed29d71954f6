use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

#[both_engines]
async fn a_risk_is_added_and_evaluated(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get("/o/acme/risks/new").await.page;
    let ratings = [
        ("inherent_likelihood", "4"),
        ("inherent_impact", "5"),
        ("target_likelihood", "2"),
        ("target_impact", "4"),
    ];
    let typed = [&ratings[..], &[("title", "Ransomware"), ("category", "Cyber")]].concat();
    let shown = browser.submit(&form, "/o/acme/risks/new", &typed).await;
    assert_eq!((shown.status, shown.address.as_str()), (StatusCode::OK, "/o/acme/risks/RSK-1"));
    assert_eq!(shown.page.texts(".figure .score b"), ["20", "8"]);
    let address = "/o/acme/risks/RSK-1/evaluations";
    let first =
        [("likelihood", "4"), ("impact", "5"), ("evaluated_at", "2026-01-01T00:00"), ("note", "At first")];
    let page = browser.submit(&shown.page, address, &first).await.page;
    let second = [("likelihood", "3"), ("impact", "4"), ("evaluated_at", ""), ("note", "<b>Better</b>")];
    let page = browser.submit(&page, address, &second).await.page;
    assert_eq!(page.texts(".figure .score b"), ["20", "12", "8"]);
    assert_eq!(page.texts("tbody .prose"), ["<b>Better</b>", "At first"]);
    let chart = page.text_of("#chart-text");
    assert_eq!(chart, "From 20 on 1 January 2026 to 12 on 1 March 2026. Inherent 20, target 8.");
    let refused = browser.submit(&page, address, &[("likelihood", "6"), ("note", "Kept")]).await;
    assert_eq!(
        (refused.status, refused.page.all("#likelihood-error").len()),
        (StatusCode::UNPROCESSABLE_ENTITY, 1)
    );
    assert!(refused.page.form(address).contains(&("note".to_owned(), "Kept".to_owned())));
    let list = browser.get("/o/acme/risks").await.page;
    assert_eq!(
        (list.texts("tbody .t"), list.text_of(".reach")),
        (vec!["Ransomware".to_owned()], String::new())
    );
    assert_eq!(list.all(".reach[aria-label='From 20 to 12, target 8']").len(), 1);
}

#[both_engines]
async fn a_target_above_the_inherent_score_is_refused(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get("/o/acme/risks/new").await.page;
    let typed = [
        ("title", "R"),
        ("inherent_likelihood", "1"),
        ("inherent_impact", "1"),
        ("target_likelihood", "5"),
        ("target_impact", "5"),
    ];
    let shown = browser.submit(&form, "/o/acme/risks/new", &typed).await;
    assert_eq!(shown.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(shown.page.text_of("#target-error").contains("must not be above"), "{}", shown.page.text());
    let kept = shown.page.form("/o/acme/risks/new");
    assert!(kept.contains(&("target_impact".to_owned(), "5".to_owned())), "{kept:?}");
}

#[both_engines]
async fn risks_are_read_by_viewers_and_changed_by_owners(app: TestApp) {
    let (ada, vera) = (app.person("Ada", Role::Owner).await, app.person("Vera", Role::Viewer).await);
    let rating = json!({"likelihood": 3, "impact": 3});
    let body = json!({"title": "R", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    let mut browser = Browser::of(&app, &vera).await;
    let page = browser.get("/o/acme/risks/RSK-1").await.page;
    assert_eq!((page.text_of("h1"), page.all("main form").len()), ("R".to_owned(), 0));
    assert_eq!(browser.get("/o/acme/risks/new").await.status, StatusCode::FORBIDDEN);
    let fields = [("likelihood".to_owned(), "1".to_owned()), ("impact".to_owned(), "1".to_owned())];
    let shown = browser.post("/o/acme/risks/RSK-1/evaluations", &fields).await;
    assert_eq!(shown.status, StatusCode::FORBIDDEN);
    let staff = app.person("Stan", Role::Staff).await;
    let mut browser = Browser::of(&app, &staff).await;
    assert_eq!(browser.get("/o/acme/risks").await.status, StatusCode::FORBIDDEN);
    assert_eq!(browser.get("/o/acme/risks/RSK-1").await.status, StatusCode::FORBIDDEN);
}
