//! The statement of applicability shows the risks of each control.

use domain::Role;
use serde_json::json;
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;

const STATEMENT: &str = "/o/acme/documents/statement-of-applicability";

/// A risk that these controls concern.
async fn risk(app: &TestApp, ada: &TestPerson, title: &str, controls: &[&str]) {
    let body = json!({"title": title, "inherent": {"likelihood": 3, "impact": 3}, "controls": controls});
    app.post("/v1/risks").bearer(ada).json(body).expect(201).await;
}

#[both_engines]
async fn each_control_of_the_statement_shows_its_risks(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let item =
        |id: &str, control: &str| json!({"id": id, "kind": "text", "label": control, "controls": [control]});
    let items = [item("a-7-9", "A.7.9"), item("a-8-1", "A.8.1"), item("a-8-13", "A.8.13")];
    let document = json!({"slug": "statement-of-applicability", "title": "Statement", "items": items});
    app.post("/v1/documents").bearer(&ada).json(document).expect(201).await;
    risk(&app, &ada, "Backups <fail>", &["A.8.13", "A.8.1"]).await;
    risk(&app, &ada, "Lost laptop", &["A.8.1", "X.1"]).await;
    risk(&app, &ada, "Flood", &[]).await;
    let mut browser = Browser::of(&app, &ada).await;
    browser.get(STATEMENT).await;
    let statements = app.db.statements();
    let page = browser.get(STATEMENT).await.page;
    let cost = app.db.statements() - statements;
    assert_eq!(page.text_of("#item-a-8-13 .risks"), "Risks: A.8.13 RSK-1 Backups <fail>");
    assert_eq!(page.text_of("#item-a-8-1 .risks"), "Risks: A.8.1 RSK-1 Backups <fail>, RSK-2 Lost laptop");
    assert_eq!(page.all(".risks").len(), 2, "once for each control, and for no other one");
    for address in ["/o/acme/risks/RSK-2", "/o/acme/risks?control=A.8.13"] {
        assert!(page.links().contains(&address.to_owned()), "{address}");
    }
    let closed = json!({"status": "closed", "status_reason": "Sold."});
    app.patch("/v1/risks/RSK-2").bearer(&ada).json(closed).expect(200).await;
    app.delete("/v1/risks/RSK-1").bearer(&ada).expect(204).await;
    risk(&app, &ada, "Stolen laptop", &["A.8.1", "A.7.9"]).await;
    let statements = app.db.statements();
    let page = browser.get(STATEMENT).await.page;
    assert_eq!(app.db.statements() - statements, cost, "one statement for all controls");
    assert_eq!(
        page.texts(".risks"),
        ["Risks: A.7.9 RSK-4 Stolen laptop", "Risks: A.8.1 RSK-2 Lost laptop (closed), RSK-4 Stolen laptop"]
    );
    // Who only reads it finds them below the text, which stays as it was approved.
    let proposals = "/v1/documents/statement-of-applicability/proposals";
    app.post(proposals).bearer(&ada).expect(201).await;
    let said = json!({"summary": "The first one."});
    let submitted = app.post(&format!("{proposals}/1/submit")).bearer(&ada).json(said).expect(200).await;
    let approval = json!({"sha256": submitted.text("sha256")});
    app.post(&format!("{proposals}/1/approve")).bearer(&ben).json(approval).expect(200).await;
    let viewer = app.person("Vera", Role::Viewer).await;
    let page = Browser::of(&app, &viewer).await.get(STATEMENT).await.page;
    let shown = ["A.7.9 RSK-4 Stolen laptop", "A.8.1 RSK-2 Lost laptop (closed), RSK-4 Stolen laptop"];
    assert_eq!(page.texts(".risks li"), shown);
    let text = app.get("/v1/documents/statement-of-applicability/text?format=markdown").bearer(&ada);
    let text = text.expect(200).await;
    assert!(!String::from_utf8_lossy(&text.bytes).contains("RSK-"));
}

/// Its page is as small as every other one, although it asks about each of 93 controls, and why.
#[both_engines]
async fn a_long_document_has_one_form_at_a_time(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let library = json!({"library": ["statement-of-applicability"]});
    app.post("/v1/documents/import").bearer(&ada).json(library).expect(200).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get(STATEMENT).await.page;
    assert_eq!((page.all("section[id^='item-']").len(), page.all("form.choose").len()), (189, 0));
    let address = page.all("section[id^='item-'] a[href*='?item=']")[1].attr("href").unwrap().to_owned();
    let asked = &address[address.find('?').unwrap()..address.find('#').unwrap()];
    let page = browser.get(&format!("{STATEMENT}{asked}")).await.page;
    assert_eq!(page.all("section[id^='item-'] details[open] form.choose").len(), 1);
    let item = page.all("form.choose input[name='item']")[0].attr("value").unwrap().to_owned();
    assert!(address.ends_with(&format!("#item-{item}")), "{address}");
    let value = page.all("form.choose input[name='value']")[1].attr("value").unwrap().to_owned();
    let page = browser.submit(&page, &format!("{STATEMENT}/edits"), &[("value", &value)]).await.page;
    assert_eq!(page.all("section.changed").len(), 1, "{item} is proposed");
    assert_eq!(page.all("form.choose").len(), 0);
    assert_eq!(browser.get(&format!("{STATEMENT}?item=gone")).await.page.all("form.choose").len(), 0);
}
