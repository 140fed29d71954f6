//! A person imports incidents and tags as they import risks, without scripts.

use axum::http::StatusCode;
use domain::Role;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;
use crate::risk_import::step;

const TICKETS: &[u8] = b"Ticket,Title,Priority,Status,Reported,Closed\n\
    T-7,Outage,Orange,Closed,2026-01-05 14:30,2026-01-06 09:00\nT-8,Phishing,low,new,2026-01-07,\n";

const TAGS: &[u8] = b"Name,Color,Aliases\nPhishing,#ff0000,Whaling\nMalware,crimson,\n";

#[both_engines]
async fn incidents_of_the_past_are_imported_from_their_list(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let list = browser.get("/o/acme/incidents").await.page;
    let address = "/o/acme/imports?kind=incidents";
    assert!(list.links().contains(&address.to_owned()), "{:?}", list.links());
    let page = browser.get(address).await.page;
    assert_eq!(page.text_of("h1"), "Import incidents");
    assert_eq!(
        page.texts("nav[aria-label=Kinds] a"),
        ["Risks", "Evaluations", "Incidents", "Tags"].map(str::to_owned)
    );
    let found = browser.upload(address, "Tickets.csv", TICKETS).await;
    assert_eq!((found.status, found.page.text_of("h1")), (StatusCode::OK, "Tickets.csv".to_owned()));
    let asked = found.page.texts("section[aria-labelledby=questions] label");
    assert_eq!(asked, ["Which severity is “Orange”?"].map(str::to_owned));
    let tried = step(&mut browser, &found, "preview", &[("answer_severity:orange", "high")]).await;
    assert_eq!(tried.page.texts(".figure"), ["2to add"].map(str::to_owned), "{}", tried.page.text());
    let done = step(&mut browser, &tried, "import", &[]).await;
    assert_eq!(done.page.texts(".figure")[0], "2added", "{}", done.page.text());
    let links = done.page.links();
    assert!(links.contains(&"/o/acme/incidents".to_owned()), "{links:?}");
    assert!(links.contains(&"/o/acme/incidents/INC-0001".to_owned()), "{links:?}");
    let outage = app.get("/v1/incidents/INC-0001").bearer(&ada.token).expect(200).await;
    assert_eq!((outage.text("status"), outage.text("severity")), ("closed", "high"));
    let shown = browser.get("/o/acme/incidents/INC-0001").await.page;
    assert!(shown.text().contains("imported the status and dates of the past"), "{}", shown.text());
}

#[both_engines]
async fn tags_are_imported_from_their_page(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/imports?kind=tags";
    let links = browser.get("/o/acme/tags").await.page.links();
    assert!(links.contains(&address.to_owned()), "{links:?}");
    let found = browser.upload(address, "tags.csv", TAGS).await;
    let tried = step(&mut browser, &found, "preview", &[]).await;
    assert_eq!(tried.page.texts(".figure"), ["1with problems", "1to add"].map(str::to_owned));
    let done = step(&mut browser, &tried, "import", &[("skip_wrong", "yes")]).await;
    assert_eq!(done.page.texts(".figure"), ["1not imported", "1added"].map(str::to_owned));
    let tags = browser.get("/o/acme/tags").await.page.text();
    assert!(tags.contains("Phishing") && !tags.contains("Malware"), "{tags}");
}

#[both_engines]
async fn a_person_is_offered_what_they_may_import(app: TestApp) {
    let vera = app.person("Vera", Role::Viewer).await;
    let mut vera = Browser::of(&app, &vera).await;
    for address in ["/o/acme/imports", "/o/acme/imports?kind=incidents", "/o/acme/imports?kind=tags"] {
        assert_eq!(vera.get(address).await.status, StatusCode::FORBIDDEN, "{address}");
    }
    let links = vera.get("/o/acme/incidents").await.page.links();
    assert!(!links.iter().any(|link| link.contains("/imports")), "{links:?}");
}
