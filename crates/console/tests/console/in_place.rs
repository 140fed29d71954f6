//! Values that are changed where they are shown: links to forms of which scripts send one field alone.

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;
use crate::html::Page;

/// Where the values of a page lead, each with what it says.
fn values(page: &Page) -> Vec<(String, String)> {
    let values = page.all("a[data-in-place]");
    let said = |it: &scraper::ElementRef<'_>| it.text().collect::<String>().trim().to_owned();
    values.iter().map(|it| (it.attr("href").unwrap().to_owned(), said(it))).collect()
}

#[both_engines]
async fn every_value_leads_to_its_field_and_is_plain_for_who_may_not_change_it(app: TestApp) {
    let (ada, vera) = (app.person("Ada", Role::Admin).await, app.person("Vera", Role::Viewer).await);
    let incident = json!({"title": "Flood", "description": ""});
    app.post("/v1/incidents").bearer(&ada.token).json(incident).expect(201).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    let risk = json!({"title": "Rain", "inherent": rating, "target": rating, "category": "Water"});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    let (mut hers, mut of_vera) = (Browser::of(&app, &ada).await, Browser::of(&app, &vera).await);
    let mut found = Vec::new();
    for address in ["/o/acme/incidents", "/o/acme/incidents/INC-0001", "/o/acme/risks", "/o/acme/risks/RSK-1"]
    {
        let page = hers.get(address).await.page;
        for (to, said) in values(&page) {
            assert!(!said.is_empty(), "{address}: {to}");
            let (path, id) = to.split_once('#').unwrap();
            let shown = hers.get(path).await;
            let parts = [
                format!("form#{id}"),
                format!(".field #{id}"),
                format!("section h2#{id}"),
                format!("section#{id}"),
            ];
            let there = parts.iter().filter(|part| shown.page.all(part).len() == 1).count();
            assert_eq!((shown.status, there), (StatusCode::OK, 1), "{to}");
            found.push(id.to_owned());
        }
        assert_eq!(values(&of_vera.get(address).await.page), [], "{address}");
    }
    for id in
        ["override", "next", "assigned_to", "kind", "source", "closed_date", "owner", "category", "evaluate"]
    {
        assert!(found.iter().any(|it| it == id), "{id}: {found:?}");
    }
    assert_eq!(found.iter().filter(|it| *it == "tags").count(), 2, "in both lists: {found:?}");
}

#[both_engines]
async fn one_field_alone_changes_nothing_else(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    let body = json!({"title": "A", "description": "D", "detected_date": "2026-01-01T00:00:00.123456Z", "source": "EDR"});
    app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/incidents/INC-0001/edit";
    let mut fields = browser.get(address).await.page.form(address);
    // As scripts cut it: what belongs to the form, and the field with what it was.
    fields.retain(|(name, _)| ["version", "once", "zone_of_times", "was_source"].contains(&name.as_str()));
    fields.push(("source".to_owned(), "A call".to_owned()));
    let shown = browser.post(address, &fields).await;
    assert_eq!(shown.page.text_of(".toast span"), "Source of INC-0001 updated.");
    let read = app.get("/v1/incidents/1").bearer(&ada.token).expect(200).await;
    let read = read.json();
    assert_eq!(
        (&read["source"], &read["title"], &read["description"]),
        (&json!("A call"), &json!("A"), &json!("D"))
    );
    assert_eq!(read["detected_date"], "2026-01-01T00:00:00.123456Z");
    // On a version that somebody else has changed elsewhere, it is saved too.
    let mut stale = fields.clone();
    stale.retain(|(name, _)| !["once", "source", "was_source"].contains(&name.as_str()));
    stale.extend([("was_kind".to_owned(), "real".to_owned()), ("kind".to_owned(), "drill".to_owned())]);
    assert_eq!(browser.post(address, &stale).await.status, StatusCode::OK);
    let read = app.get("/v1/incidents/1").bearer(&ada.token).expect(200).await;
    assert_eq!((&read.json()["kind"], &read.json()["source"]), (&json!("drill"), &json!("A call")));
}

#[both_engines]
async fn go_to_begins_with_the_records_that_the_browser_showed_last(app: TestApp) {
    let (ada, sam) = (app.person("Ada", Role::Admin).await, app.person("Sam", Role::Staff).await);
    for title in ["Flood", "Fire"] {
        let body = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let rating = json!({"likelihood": 3, "impact": 3});
    let risk = json!({"title": "Rain", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    app.follow_search().await;
    let recent = "/o/acme/go?live=1&recent=INC-0002&recent=RSK-1&recent=INC-0001&recent=INC-0099&recent=x";
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get(recent).await.page;
    assert_eq!(page.texts("#recent .end"), ["INC-0002", "RSK-1", "INC-0001"]);
    let found = browser.get(&format!("{recent}&q=fi")).await.page;
    assert_eq!(
        (found.texts("#recent .end"), found.texts("#places .end").len()),
        (vec!["INC-0002".to_owned()], 2)
    );
    let page = Browser::of(&app, &sam).await.get(recent).await.page;
    assert_eq!(page.texts("#recent .end"), [""; 0], "what others declared, and risks");
}
