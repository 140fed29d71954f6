//! The list of documents: its filters with counts, saved views, and the tags on a document.

use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

const LIST: &str = "/o/acme/documents";

/// A document of Ada's about access, and two of nobody's.
async fn written(app: &TestApp) -> Browser {
    let ada = app.person("Ada", Role::Admin).await;
    for (slug, classification, tags) in [
        ("access", "secret", json!(["doors", "keys"])),
        ("backup", "internal", json!(["doors"])),
        ("change", "internal", json!([])),
    ] {
        let owner = (slug == "access").then_some(&ada.id);
        let body = json!({"slug": slug, "title": slug, "template": "Text.\n", "tags": tags, "owner": owner,
            "classification": classification});
        app.post("/v1/documents").bearer(&ada.token).json(body).expect(201).await;
    }
    app.post("/v1/documents/change/archive").bearer(&ada.token).json(json!({})).expect(200).await;
    Browser::of(app, &ada).await
}

#[both_engines]
async fn documents_are_filtered_by_what_they_have(app: TestApp) {
    let mut ada = written(&app).await;
    let page = ada.get(LIST).await.page;
    assert_eq!(page.texts("tbody a.t"), ["access", "backup", "change"]);
    assert_eq!(
        page.texts(".tabs a"),
        ["All", "Assigned to me", "Waiting for me", "Review overdue", "Archived"]
    );
    assert_eq!(page.texts(".tabs a[aria-current]"), ["All"]);
    for choice in
        ["Draft 2", "Archived 1", "Me 1", "Unassigned 2", "Secret 1", "Internal 2", "doors 2", "keys 1"]
    {
        let all = page.texts(".filters label.check");
        assert!(all.iter().any(|it| it == choice), "{choice}: {all:?}");
    }
    let found = async |ada: &mut Browser, query: &str| {
        ada.get(&format!("{LIST}{query}")).await.page.texts("tbody a.t").join(" ")
    };
    assert_eq!(found(&mut ada, "?owner=me").await, "access");
    assert_eq!(found(&mut ada, "?classification=internal&status=draft").await, "backup");
    assert_eq!(found(&mut ada, "?status=archived").await, "change");
    assert_eq!(found(&mut ada, "?review=overdue").await, "");
    let ben = app.person("Ben", Role::Owner).await;
    app.post("/v1/documents/backup/proposals").bearer(&ben).expect(201).await;
    let mine = ada.get(&format!("{LIST}?waiting_for=me")).await.page;
    assert_eq!(
        (mine.texts("tbody a.t").join(" "), mine.texts(".tabs a[aria-current]").join(" ")),
        ("backup".to_owned(), "Waiting for me".to_owned())
    );
    let kept = "form.filters input[type=hidden][name=waiting_for]";
    assert_eq!(mine.all(kept).len(), 1, "another filter keeps it");
    // The days are those of a control; a range stays while another filter is chosen.
    let days = ada.get(&format!("{LIST}?date=next_review&date_from=2030-01-01&owner=me")).await.page;
    assert_eq!(days.texts(".filters details.on summary b").len(), 2, "{}", days.text());
    let (_, file) = ada.file(&format!("{LIST}/export?classification=secret")).await;
    assert_eq!(file.lines().count(), 2, "{file}");
}

#[both_engines]
async fn a_list_of_documents_is_saved_as_a_view(app: TestApp) {
    let mut ada = written(&app).await;
    let list = ada.get(&format!("{LIST}?classification=internal&owner=none")).await.page;
    let saved = ada.submit(&list, "/o/acme/views/new", &[("name", "Nobody's")]).await;
    assert_eq!(saved.address, "/o/acme/documents?classification=internal&owner=none");
    assert_eq!(saved.page.texts(".tabs a[aria-current]"), ["Nobody's"]);
    assert_eq!(saved.page.texts("tbody a.t"), ["backup", "change"]);
    let all = ada.get(LIST).await.page;
    assert_eq!(all.all("form[action='/o/acme/views/new']").len(), 0, "there is nothing to save");
}

#[both_engines]
async fn a_document_gets_tags_on_its_page(app: TestApp) {
    let mut ada = written(&app).await;
    let here = format!("{LIST}/backup");
    let page = ada.get(&here).await.page;
    assert_eq!(page.texts("#tags bdi"), ["doors"]);
    assert_eq!(page.texts("#tag option"), ["keys"]);
    let keys = page.all("#tag option")[0].value().attr("value").unwrap().to_owned();
    let page = ada.submit(&page, &format!("{here}/tags"), &[("tag_id", &keys)]).await.page;
    assert_eq!(page.texts("#tags bdi"), ["doors", "keys"]);
    assert!(page.text_of(".toast").starts_with("Tags updated."), "{}", page.text_of(".toast"));
    let archived = ada.get(&format!("{LIST}/change")).await.page;
    assert_eq!(archived.all("#tags form").len(), 0);
    let tags = ada.get("/o/acme/tags").await.page;
    assert_eq!(tags.texts("td[data-p=documents]"), ["With doors: 2", "With keys: 2"]);
}
