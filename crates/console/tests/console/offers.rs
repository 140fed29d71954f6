//! Newer texts of the library.

use axum::http::StatusCode;
use db::Tx;
use domain::Role;
use domain::document::{LibraryText, NewDocument, library};
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

const OFFER: &str = "/o/acme/documents/access-control/offer";

/// A document whose text of the library was an older one.
async fn made(app: &TestApp) {
    let present = library().iter().find(|it| it.slug == "access-control").unwrap();
    let older = present.template.as_deref().unwrap().replacen("\n\n", "\n\nThe older words.\n\n", 1);
    let mut older = NewDocument { template: Some(domain::Prose::stored(older)), ..present.clone() };
    older.items[1].label = "An older label".into();
    let text = Some(LibraryText::of(&older, 0));
    older.items[0].label = "Who lets people in?".into();
    let ours = older.template.as_deref().unwrap().replace("The older words.", "Our <b>words</b>.");
    let new = NewDocument { library: text, template: Some(domain::Prose::stored(ours)), ..older };
    let organization = app.organization;
    let work =
        async move |tx: &mut Tx| store::documents::create(tx, organization, &testkit::author(), &new).await;
    app.db.write(organization, work).await.unwrap();
}

#[both_engines]
async fn a_newer_text_is_read_and_taken_into_a_proposal(app: TestApp) {
    made(&app).await;
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut ada = Browser::of(&app, &ada).await;
    let page = ada.get("/o/acme/documents/access-control").await.page;
    assert!(page.text_of(".note").contains("The library has a newer text"), "{}", page.text());
    assert_eq!(page.all(".note a")[0].attr("href"), Some(OFFER));
    let page = ada.get(OFFER).await.page;
    let kept = page.text_of("section[aria-labelledby=kept]");
    assert!(kept.contains("Our <b>words</b>.") && kept.contains("Removed"), "{kept}");
    let told = ada.submit(&page, OFFER, &[]).await.page;
    assert!(told.text().contains("The newer text is in the proposal."), "{}", told.text());
    let kept = told.text_of("section[aria-labelledby=kept]");
    assert!(kept.contains("Our <b>words</b>.") && kept.contains("Removed"), "{kept}");
    let page = ada.get("/o/acme/documents/access-control").await.page;
    assert!(!page.text().contains("The library has a newer text"), "{}", page.text());
    assert_eq!(ada.get(OFFER).await.status, StatusCode::NOT_FOUND);
}

#[both_engines]
async fn a_newer_text_is_declined(app: TestApp) {
    made(&app).await;
    let vera = app.person("Vera", Role::Viewer).await;
    let page = Browser::of(&app, &vera).await.get(OFFER).await.page;
    assert!(!page.texts("form button").iter().any(|it| it.contains("Not now")), "{}", page.text());
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut ada = Browser::of(&app, &ada).await;
    let page = ada.get(OFFER).await.page;
    let told = ada.submit(&page, OFFER, &[("decline", "yes")]).await.page;
    assert!(told.text().contains("You will see the next text of the library."), "{}", told.text());
    assert!(!told.text().contains("The library has a newer text"), "{}", told.text());
}
