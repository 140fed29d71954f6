//! A report of the risks that is kept as a document.

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

const REPORT: &str = "/o/acme/reports/risks";

#[both_engines]
async fn a_report_is_kept_and_approved_and_its_text_is_not_edited(app: TestApp) {
    let [ada, ben] = [app.person("Ada", Role::Admin).await, app.person("Ben", Role::Approver).await];
    let inherent = json!({"likelihood": 4, "impact": 5});
    app.post("/v1/risks")
        .bearer(&ada)
        .json(json!({"title": "Flood", "inherent": inherent}))
        .expect(201)
        .await;
    let (mut ada, mut ben) = (Browser::of(&app, &ada).await, Browser::of(&app, &ben).await);
    let page = ben.get(REPORT).await.page;
    assert!(!page.texts("form button").iter().any(|it| it.contains("Keep")), "{}", page.text());

    let days = "from=2026-02-01&to=2026-03-01";
    let (shown, keep) = (format!("{REPORT}?{days}"), format!("{REPORT}/keep?{days}"));
    let page = ada.get(&shown).await.page;
    let kept = ada.submit(&page, &keep, &[]).await;
    let proposal = "/o/acme/documents/risk-report/proposals/1";
    assert_eq!((kept.status, kept.address.as_str()), (StatusCode::OK, proposal));
    assert!(kept.page.text().contains("Report kept."), "{}", kept.page.text());
    assert!(kept.page.text_of(".sheet").contains("RSK-1"), "{}", kept.page.text());
    let page = ada.get(&shown).await.page;
    let refused = ada.submit(&page, &keep, &[]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.page.all("[role=alert]").len(), 1, "{}", refused.page.text());

    let page = ada.get(proposal).await.page;
    ada.submit(&page, proposal, &[("step", "submit"), ("summary", "The first quarter.")]).await;
    let page = ben.get(proposal).await.page;
    ben.submit(&page, proposal, &[("step", "approve"), ("note", "Read.")]).await;
    let page = ada.get("/o/acme/documents/risk-report").await.page;
    assert_eq!(page.text_of(".head .badge"), "Version 1 in force");
    assert!(page.text_of(".sheet").contains("Flood"), "{}", page.text());
    assert!(page.all("a[href$='/edit']").is_empty(), "nobody edits it");
    let list = ada.get("/o/acme/documents").await.page;
    assert_eq!(list.texts("tbody th .badge"), ["Report"]);
}
