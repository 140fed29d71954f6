//! What registers carry of a risk besides its ratings: in the forms, on its page and in the list.

use axum::http::StatusCode;
use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

const RISK: &str = "/o/acme/risks/RSK-1";

#[both_engines]
async fn a_risk_is_added_in_short_and_completed_later(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get("/o/acme/risks/new").await.page;
    let typed = [
        ("title", "Flood"),
        ("treatment", "transfer"),
        ("inherent_likelihood", "4"),
        ("inherent_impact", "5"),
        ("target_likelihood", "2"),
        ("target_impact", "4"),
    ];
    let page = browser.submit(&form, "/o/acme/risks/new", &typed).await.page;
    assert!(page.text_of("aside .facts").contains("Treatment Transfer"), "{}", page.text());
    let edit = format!("{RISK}/edit");
    let typed = [
        ("owner_name", "Head of IT"),
        ("asset", "Cellar\nwith pumps"),
        ("controls", "A.7.5, A.8.13"),
        ("existing_controls", "Two *pumps*"),
        ("treatment_plan", "Insurance"),
        ("external_ref", "R-17"),
    ];
    let form = browser.get(&edit).await.page;
    let wrong = browser.submit(&form, &edit, &[("controls", "A.7.5 ?"), ("asset", "Cellar")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(wrong.page.all("#controls-error").len(), 1, "{}", wrong.page.text());
    let page = browser.submit(&wrong.page, &edit, &typed).await.page;
    let facts = page.text_of("aside .facts");
    for said in ["Head of IT", "Cellar", "R-17"] {
        assert!(facts.contains(said), "{said}: {facts}");
    }
    assert_eq!(page.texts("section h2 + a"), ["Change", "Change"]);
    assert_eq!(page.texts(".sec > .md"), ["Two pumps", "Insurance"]);
    assert_eq!(page.texts("aside a.tag"), ["A.7.5", "A.8.13"]);
    let address = "/o/acme/risks?control=A.8.13";
    assert!(page.links().contains(&address.to_owned()), "{:?}", page.links());
    let list = browser.get(address).await.page;
    assert_eq!(list.texts("tbody .t"), ["Flood"]);
    assert_eq!(list.texts("tbody .who bdi"), ["Head of IT"], "while there is no owner");
    assert!(list.text_of("tbody tr").contains("Transfer"), "{}", list.text());
    assert_eq!(list.texts("form.filters > a.badge"), ["Control: A.8.13"]);
    assert!(browser.get("/o/acme/risks?control=A.8.1").await.page.texts("tbody .t").is_empty());
    // One control less, and an owner, who is shown instead of the name.
    let form = browser.get(&edit).await.page;
    browser.submit(&form, &edit, &[("controls", "A.7.5"), ("owner", ada.id.as_str())]).await;
    let list = browser.get("/o/acme/risks?treatment=transfer").await.page;
    assert_eq!(list.texts("tbody .who bdi"), ["Ada Byron"]);
    let risk = app.get("/v1/risks/1").bearer(&ada.token).expect(200).await;
    assert_eq!((&risk.json()["controls"], risk.text("owner_name")), (&json!(["A.7.5"]), "Head of IT"));
    assert_eq!(risk.text("asset"), "Cellar\nwith pumps");
}

#[both_engines]
async fn a_reference_that_another_risk_has_is_told_beside_its_field(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    for reference in ["R-1", "R-2"] {
        let body = json!({"title": "A", "inherent": rating, "target": rating, "external_ref": reference});
        app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    }
    let mut browser = Browser::of(&app, &ada).await;
    let edit = format!("{RISK}/edit");
    let form = browser.get(&edit).await.page;
    let refused = browser.submit(&form, &edit, &[("external_ref", "R-2")]).await;
    let told = refused.page.text_of("#external_ref-error");
    assert!(told.contains("RSK-2 has this reference"), "{}", refused.page.text());
}

#[both_engines]
async fn the_page_of_a_risk_leads_to_the_documents_that_concern_it(app: TestApp) {
    let (ada, otto) = (app.person("Ada", Role::Owner).await, app.person("Otto", Role::Owner).await);
    let rating = json!({"likelihood": 3, "impact": 3});
    let risk = json!({"title": "A", "inherent": rating, "target": rating, "owner": otto.id});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    let documents = "[aria-labelledby='documents']";
    assert!(browser.get(RISK).await.page.all(documents).is_empty());
    let item = json!({"id": "a", "kind": "text", "label": "Text", "risks": ["RSK-1"]});
    let document = json!({"slug": "backup", "title": "Backup policy", "items": [item]});
    app.post("/v1/documents").bearer(&ada.token).json(document).expect(201).await;
    let page = browser.get(RISK).await.page;
    assert_eq!(page.text_of(documents), "Documents Backup policydraft");
    assert!(page.links().contains(&"/o/acme/documents/backup".to_owned()));
}

#[both_engines]
async fn the_page_of_a_risk_says_if_it_has_more_incidents_and_documents(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let make = async |address: &str, body: Value| {
        app.post(address).bearer(&ada.token).json(body).expect(201).await;
    };
    make("/v1/risks", json!({"title": "A", "inherent": {"likelihood": 3, "impact": 3}})).await;
    let mut browser = Browser::of(&app, &ada).await;
    for (numbers, hint) in [(1..=50, ""), (51..=51, " the first 50")] {
        for number in numbers {
            make("/v1/incidents", json!({"title": "I", "description": ""})).await;
            let link = json!({"to": {"type": "risk", "id": "RSK-1"}, "kind": "threatens"});
            make(&format!("/v1/incidents/{number}/links"), link).await;
            let item = json!({"id": "a", "kind": "text", "label": "Text", "risks": ["RSK-1"]});
            let document = json!({"slug": format!("policy-{number}"), "title": "Policy", "items": [item]});
            make("/v1/documents", document).await;
        }
        let page = browser.get(RISK).await.page;
        for (list, heading) in [("links", "Incidents"), ("documents", "Documents")] {
            let list = format!("[aria-labelledby='{list}']");
            assert_eq!(page.text_of(&format!("{list} header")), format!("{heading}{hint}"));
            assert_eq!(page.all(&format!("{list} li")).len(), 50);
        }
    }
}
