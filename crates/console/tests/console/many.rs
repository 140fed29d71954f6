//! Many incidents or risks at once: changed after a look, and all of a list.

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;

/// Sends the form of a page that goes to the bulk page, with the boxes of the list ticked as a browser does.
fn bulk(changed: &[(&str, &str)]) -> Vec<(String, String)> {
    changed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[both_engines]
async fn several_are_changed_after_a_look_at_what_would_happen(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    for title in ["A", "B", "C", "D"] {
        let body = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let dismiss = json!({"to": "dismissed", "resolution_reason": "test"});
    app.post("/v1/incidents/4/transitions").bearer(&ada.token).json(dismiss).expect(200).await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/incidents/bulk";
    let nothing = browser.post(address, &bulk(&[("do", "status")])).await.page;
    assert_eq!(nothing.text_of(".toast span"), "Nothing was selected.");
    let chosen = [("ids", "INC-0001"), ("ids", "INC-0004"), ("query", "sort=number"), ("do", "status")];
    let asked = browser.post(address, &bulk(&chosen)).await.page;
    assert_eq!(asked.text_of("h1"), "Change incident status");
    assert!(asked.text_of(".head p").starts_with("2 incidents."), "{}", asked.text());
    let refused = browser.submit(&asked, address, &[("to", "nonsense")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let tried = browser.submit(&refused.page, address, &[("to", "contained")]).await.page;
    assert_eq!(tried.texts(".figure b"), ["1", "0", "1"]);
    assert_eq!(tried.texts("tbody .badge"), ["refused", "would change"]);
    assert!(
        tried.texts("tbody th")[0].starts_with("DAn incident that is dismissed cannot become contained."),
        "{}",
        tried.text()
    );
    assert_eq!(tried.texts("#do ~ .facts dd"), ["Contained"], "it says what would be done");
    let read = app.get("/v1/incidents/1").bearer(&ada.token).expect(200).await;
    assert_eq!(read.json()["status"], "new", "nothing has been changed yet");
    let all_or_nothing = browser.submit(&tried, address, &[("atomic", "1")]).await;
    assert_eq!(all_or_nothing.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(all_or_nothing.page.text_of(".note.bad").contains("INC-0004"), "{}", all_or_nothing.page.text());
    let done = browser.submit(&tried, address, &[]).await;
    assert_eq!(done.address, "/o/acme/incidents?sort=number");
    assert_eq!(done.page.text_of(".toast span"), "1 incident updated.");
    assert_eq!(done.page.texts("tbody .stat").iter().filter(|it| *it == "Contained").count(), 1);
    let undone = browser.submit(&done.page, "/o/acme/undo", &[]).await.page;
    assert_eq!(undone.texts("tbody .stat").iter().filter(|it| *it == "New").count(), 3);
}

/// If nothing would change, the form is there again, with what is wrong beside its fields; and every way back leads to the list as
/// it was.
#[both_engines]
async fn a_change_that_is_refused_for_all_can_be_mended(app: TestApp) {
    const MISSING: &str = "“Responded at” is required, because nobody has taken the incident before.";
    const REQUIRED: &str = "“Resolution” is required: one of fixed, mitigated, accepted, other.";
    let ada = app.person("Ada", Role::Responder).await;
    for title in ["A", "B"] {
        let body = json!({"title": title, "description": "", "detected_date": "2026-01-05T10:00:00Z"});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/incidents/bulk";
    let chosen =
        [("ids", "INC-0001"), ("ids", "INC-0002"), ("query", "sort=number&kind=real"), ("do", "status")];
    let asked = browser.post(address, &bulk(&chosen)).await.page;
    let list = "/o/acme/incidents?sort=number&kind=real";
    assert_eq!(asked.all(&format!(".crumbs a[href='{list}'], form a[href='{list}']")).len(), 2);
    let tried = browser.submit(&asked, address, &[("to", "resolved")]).await.page;
    assert_eq!(tried.texts(".figure b"), ["0", "0", "2"]);
    assert_eq!(tried.text_of("#resolution_reason-error"), REQUIRED);
    assert_eq!(tried.texts("tbody th")[0], format!("A{REQUIRED} {MISSING}"));
    assert_eq!(tried.text_of("#responded_date-error"), MISSING);
    let then = "2026-01-05T11:00";
    let mended = [("to", "resolved"), ("resolution_reason", "fixed"), ("responded_date", then)];
    let tried = browser.submit(&tried, address, &mended).await.page;
    assert_eq!(tried.texts(".figure b"), ["2", "0", "0"]);
    let done = browser.submit(&tried, address, &[]).await;
    assert_eq!(done.address, list);
    assert_eq!(done.page.texts("tbody .stat"), ["Resolved", "Resolved"]);
}

#[both_engines]
async fn all_of_a_list_are_changed_at_once(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    for number in 0..60 {
        let source = if number % 10 == 0 { "Mail" } else { "SIEM" };
        let body = json!({"title": format!("Number {number}"), "description": "", "source": source});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let tag = app.post("/v1/tags").bearer(&ada.token).json(json!({"name": "wrong"})).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    let list = browser.get("/o/acme/incidents?source=SIEM").await.page;
    assert!(list.text_of(".bulk").contains("All 54 in this list"), "{}", list.text_of(".bulk"));
    let address = "/o/acme/incidents/bulk";
    let asked = browser.submit(&list, address, &[("all", "1"), ("do", "tag")]).await.page;
    assert!(asked.text_of(".head p").starts_with("All incidents in the list"), "{}", asked.text());
    let tried = browser.submit(&asked, address, &[("tag_id", tag.text("id"))]).await.page;
    assert_eq!(tried.texts(".figure b"), ["54", "0", "0"]);
    let done = browser.submit(&tried, address, &[]).await;
    assert_eq!((done.address.as_str(), done.status), ("/o/acme/incidents?source=SIEM", StatusCode::OK));
    assert_eq!(done.page.text_of(".toast span"), "54 incidents updated.");
    let tagged = format!("/v1/incidents?tag={}&include_total=true", tag.text("id"));
    assert_eq!(app.get(&tagged).bearer(&ada.token).expect(200).await.json()["total"], 54);
    browser.submit(&done.page, "/o/acme/undo", &[]).await;
    assert_eq!(app.get(&tagged).bearer(&ada.token).expect(200).await.json()["total"], 0);
    // What matches only later is not changed: nobody looked at it.
    let list = browser.get("/o/acme/incidents?source=Mail").await.page;
    let chosen = bulk(&[("all", "1"), ("do", "tag"), ("query", "source=Mail")]);
    let asked = browser.post(address, &chosen).await.page;
    let tried = browser.submit(&asked, address, &[("tag_id", tag.text("id"))]).await.page;
    assert_eq!((list.all("tbody tr").len(), tried.texts(".figure b")[0].as_str()), (6, "6"));
    let late = json!({"title": "Late", "description": "", "source": "Mail"});
    app.post("/v1/incidents").bearer(&ada.token).json(late).expect(201).await;
    let done = browser.submit(&tried, address, &[]).await.page;
    assert_eq!(done.text_of(".toast span"), "6 incidents updated.");
    // Sent again it is not done again, and tells the same.
    let again = browser.submit(&tried, address, &[]).await.page;
    assert_eq!(again.text_of(".toast span"), "6 incidents updated.");
    // All of a list go to the trash as well.
    let page = browser.get("/o/acme/incidents?source=SIEM").await.page;
    let mut fields = page.form(address);
    fields.push(("all".to_owned(), "1".to_owned()));
    let deleted = browser.post("/o/acme/incidents/delete", &fields).await;
    assert_eq!(deleted.address, "/o/acme/incidents?source=SIEM");
    assert_eq!(deleted.page.text_of(".toast span"), "54 incidents moved to trash.");
    browser.submit(&deleted.page, "/o/acme/undo", &[]).await;
    // Who may not see deleted incidents is not told of them.
    app.post("/v1/incidents/bulk-delete").bearer(&ada.token).json(json!({"ids": [2]})).expect(200).await;
    let responder = app.person("Rita", Role::Responder).await;
    let mut other = Browser::of(&app, &responder).await;
    let probe = [("ids", "INC-0002"), ("do", "assign"), ("assigned_to", ""), ("step", "try")];
    let told = other.post(address, &bulk(&probe)).await.page;
    assert_eq!(told.texts("tbody .badge"), ["not found"]);
    assert!(!told.text().contains("Number 1"), "{}", told.text());
    // Who only reads cannot, and is not offered to.
    let viewer = app.person("Vera", Role::Viewer).await;
    let mut browser = Browser::of(&app, &viewer).await;
    assert!(browser.get("/o/acme/incidents").await.page.all(".bulk, .ck").is_empty());
    let refused = browser.post(address, &bulk(&[("ids", "INC-0001"), ("do", "tag")])).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[both_engines]
async fn several_risks_are_changed_after_a_look_and_taken_back(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    for number in 0..60 {
        let category = if number % 10 == 0 { "Fire" } else { "Water" };
        let body = json!({"title": format!("Number {number}"), "description": "", "category": category,
            "inherent": rating, "target": rating});
        app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    }
    let total = async |query: &str| -> i64 {
        let address = format!("/v1/risks?{query}&include_total=true&limit=1");
        app.get(&address).bearer(&ada.token).expect(200).await.json()["total"].as_i64().unwrap()
    };
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/risks/bulk";
    let nothing = browser.post(address, &bulk(&[("do", "status")])).await.page;
    assert_eq!(nothing.text_of(".toast span"), "Nothing was selected.");
    let list = browser.get("/o/acme/risks?category=Water").await.page;
    assert!(list.text_of(".bulk").contains("All 54 in this list"), "{}", list.text_of(".bulk"));
    let asked = browser.submit(&list, address, &[("all", "1"), ("do", "status")]).await.page;
    assert_eq!(asked.text_of("h1"), "Change risk status");
    assert!(asked.text_of(".head p").starts_with("All risks in the list"), "{}", asked.text());
    // A risk is closed with a reason only.
    let tried = browser.submit(&asked, address, &[("status", "closed")]).await.page;
    assert_eq!(tried.texts(".figure b"), ["0", "0", "54"]);
    assert!(
        tried.texts("tbody th")[0].contains("Closing or reopening a risk needs a reason."),
        "{}",
        tried.text()
    );
    let closed = [("status", "closed"), ("status_reason", "It dried up.")];
    let tried = browser.submit(&asked, address, &closed).await.page;
    assert_eq!(tried.texts(".figure b"), ["54", "0", "0"]);
    let note = "Undoing does not reopen risks whose acceptance or open request ends with this.";
    assert!(tried.text().contains(note), "{}", tried.text());
    assert_eq!(total("status=open").await, 60, "nothing has been changed yet");
    let done = browser.submit(&tried, address, &[]).await;
    assert_eq!(done.address, "/o/acme/risks?category=Water");
    assert_eq!(done.page.text_of(".toast span"), "54 risks updated.");
    assert_eq!((total("status=open").await, total("status=closed&category=Water").await), (6, 54));
    let undone = browser.submit(&done.page, "/o/acme/undo", &[]).await.page;
    assert_eq!((total("status=open").await, undone.all("tbody .ck").len()), (60, 50));
    // The chosen ones get an owner, and go to the trash.
    let chosen = [("ids", "RSK-1"), ("ids", "RSK-2"), ("do", "owner")];
    let asked = browser.post(address, &bulk(&chosen)).await.page;
    let tried = browser.submit(&asked, address, &[("owner", ada.id.as_str())]).await.page;
    assert!(!tried.text().contains("Undoing"), "only where risks are closed: {}", tried.text());
    let done = browser.submit(&tried, address, &[]).await.page;
    assert_eq!(done.text_of(".toast span"), "2 risks updated.");
    assert_eq!(total("owner=me").await, 2);
    let deleted = browser.post("/o/acme/risks/delete", &bulk(&[("ids", "RSK-1"), ("ids", "RSK-2")])).await;
    assert_eq!(deleted.page.text_of(".toast span"), "2 risks moved to trash.");
    assert_eq!(total("status=open").await, 58);
    browser.submit(&deleted.page, "/o/acme/undo", &[]).await;
    assert_eq!(total("status=open").await, 60);
    // Who only reads cannot, and is not offered to.
    let viewer = app.person("Vera", Role::Viewer).await;
    let mut browser = Browser::of(&app, &viewer).await;
    assert!(browser.get("/o/acme/risks").await.page.all(".bulk, .ck").is_empty());
    for (to, fields) in [
        (address, [("ids", "RSK-1"), ("do", "tag")]),
        ("/o/acme/risks/delete", [("ids", "RSK-1"), ("do", "")]),
    ] {
        assert_eq!(browser.post(to, &bulk(&fields)).await.status, StatusCode::FORBIDDEN, "{to}");
    }
}

/// A document that Ada wrote; with an approver it is published.
async fn document(app: &TestApp, slug: &str, approver: Option<&TestPerson>, ada: &TestPerson) {
    let item = json!({"id": "contact", "kind": "text", "label": "Contact", "default": "Ada"});
    let body = json!({"slug": slug, "title": format!("Title of {slug}"), "items": [item]});
    app.post("/v1/documents").bearer(&ada.token).json(body).expect(201).await;
    let Some(approver) = approver else { return };
    let proposals = format!("/v1/documents/{slug}/proposals");
    let opened = app.post(&proposals).bearer(&ada.token).json(json!({})).expect(201).await;
    let proposal = format!("{proposals}/{}", opened.json()["number"]);
    let submit = app.post(&format!("{proposal}/submit")).bearer(&ada.token).json(json!({"summary": "New."}));
    let sha256 = submit.expect(200).await.text("sha256").to_owned();
    let approve = app.post(&format!("{proposal}/approve")).bearer(&approver.token);
    approve.json(json!({"sha256": sha256})).expect(200).await;
}

#[both_engines]
async fn documents_are_asked_about_and_changed_at_once(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Approver).await);
    document(&app, "access", Some(&ben), &ada).await;
    document(&app, "backup", None, &ada).await;
    let mut browser = Browser::of(&app, &ada).await;
    let (list, address) = ("/o/acme/documents", "/o/acme/documents/bulk");
    let page = browser.get(list).await.page;
    assert_eq!(page.all("tbody input[name=ids]").len(), 2);
    assert_eq!(page.texts(".bulk button")[0], "Ask to acknowledge");
    let chosen = [("ids", "access"), ("ids", "backup"), ("query", "status=draft&status=published")];
    let chosen = |what| [bulk(&chosen), bulk(&[("do", what)])].concat();
    let asked = browser.post(address, &chosen("ask")).await.page;
    assert!(asked.text_of(".head p").starts_with("2 documents."), "{}", asked.text());
    let tried = browser.submit(&asked, address, &[("who", "role:approver"), ("due_days", "14")]).await.page;
    assert_eq!(tried.texts("tbody .badge"), ["refused", "would change"]);
    assert!(tried.texts("tbody th")[0].starts_with("Title of backup"), "{}", tried.text());
    assert!(!tried.text().contains("undo all of them"), "{}", tried.text());
    let done = browser.submit(&tried, address, &[]).await;
    assert_eq!(done.page.text_of(".toast span"), "People are asked to acknowledge 1 document.");
    assert!(done.page.all(".toast form").is_empty(), "what was asked is not undone");
    let mine = app.get("/v1/me/acknowledgements").bearer(&ben.token).expect(200).await;
    assert_eq!(mine.json()["data"].as_array().map(Vec::len), Some(1));
    let owner = browser.post(address, &chosen("owner")).await.page;
    let tried = browser.submit(&owner, address, &[("owner", &ben.id.to_string())]).await.page;
    assert_eq!(tried.texts(".figure b"), ["2", "0", "0"]);
    let done = browser.submit(&tried, address, &[]).await;
    assert_eq!(done.page.text_of(".toast span"), "2 documents updated.");
    browser.submit(&done.page, "/o/acme/undo", &[]).await;
    let read = app.get("/v1/documents/access").bearer(&ada.token).expect(200).await;
    assert!(read.json()["owner"].is_null());
}

#[both_engines]
async fn what_is_wrong_with_a_change_of_documents_is_told(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    document(&app, "access", None, &ada).await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/documents/bulk";
    let nothing = browser.post(address, &bulk(&[("ids", "a\0b A/B"), ("do", "owner")])).await.page;
    assert_eq!(nothing.text_of(".toast span"), "Nothing was selected.");
    let many = "access ".repeat(501);
    let refused = browser.post(address, &bulk(&[("ids", &many), ("do", "owner")])).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let asked = browser.post(address, &bulk(&[("ids", "access"), ("do", "ask")])).await.page;
    for who in ["role:nobody", "group:00000000-0000-4000-8000-000000000000"] {
        let refused = browser.submit(&asked, address, &[("who", who)]).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{who}");
        assert_eq!(refused.page.all("#who-error").len(), 1, "{who}: {}", refused.page.text());
    }
}

#[both_engines]
async fn the_list_says_whom_a_proposal_waits_for(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    document(&app, "access", None, &ada).await;
    let proposals = "/v1/documents/access/proposals";
    app.post(proposals).bearer(&ada.token).json(json!({})).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get("/o/acme/documents").await.page;
    assert_eq!(page.text_of("tbody td.last .names"), "Ada");
    let edits = json!([{"node_id": "contact", "node_type": "text", "value": "Eve"}]);
    app.patch("/v1/documents/access").bearer(&ada.token).json(edits).expect(200).await;
    let submit = app.post(&format!("{proposals}/1/submit")).bearer(&ada.token);
    submit.json(json!({"summary": "New."})).expect(200).await;
    let page = browser.get("/o/acme/documents").await.page;
    assert_eq!(
        page.text_of("tbody td.last .names"),
        "nobody can act",
        "Ada is its author, and there is nobody else"
    );
}

/// As many members and tags are offered as in the forms of one record; if there are more, it is said.
#[both_engines]
async fn changes_of_many_offer_as_many_choices_as_changes_of_one(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    let risk = json!({"title": "A", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    for number in 0..200 {
        app.user(&format!("M{number:03}"), &format!("m{number}@example.org"), Role::Staff).await;
        let tag = json!({"name": format!("T{number:03}")});
        app.post("/v1/tags").bearer(&ada.token).json(tag).expect(201).await;
    }
    let mut browser = Browser::of(&app, &ada).await;
    for (what, field, hint) in [("owner", "owner", "The first 200 by name are shown."), ("tag", "tag_id", "")]
    {
        let chosen = bulk(&[("ids", "RSK-1"), ("do", what)]);
        let asked = browser.post("/o/acme/risks/bulk", &chosen).await.page;
        // The first option is nobody, or no tag.
        let options = asked.all(&format!("select[name={field}] option")).len() - 1;
        assert_eq!((options, asked.text_of(&format!("#{field}-hint")).as_str()), (200, hint), "{what}");
    }
}
