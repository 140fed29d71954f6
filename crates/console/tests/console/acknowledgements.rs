//! Documents are acknowledged in the console, and those who manage them see by whom.

use axum::http::StatusCode;
use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;

const POLICY: &str = "/o/acme/documents/policy";

/// A published policy, and its writer.
pub(crate) async fn published(app: &TestApp) -> TestPerson {
    let (ada, ben) = (app.person("Ada Byron", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let item = json!({"id": "contact", "kind": "text", "label": "Contact", "required": true});
    let body = json!({"slug": "policy", "title": "Policy", "template": "Call {{contact}}.", "items": [item]});
    app.post("/v1/documents").bearer(&ada).json(body).expect(201).await;
    let edits = json!([{"node_id": "contact", "node_type": "text", "value": "Ada"}]);
    app.patch("/v1/documents/policy").bearer(&ada).json(edits).expect(200).await;
    publish(app, (&ada, &ben), 1, json!({"summary": "The first one."})).await;
    ada
}

/// Publishes a proposal that the first person submits and the second one approves.
async fn publish(app: &TestApp, (ada, ben): (&TestPerson, &TestPerson), number: i64, submission: Value) {
    let proposal = format!("/v1/documents/policy/proposals/{number}");
    let submitted = app.post(&format!("{proposal}/submit")).bearer(ada).json(submission).expect(200).await;
    let approval = json!({"sha256": submitted.text("sha256")});
    app.post(&format!("{proposal}/approve")).bearer(ben).json(approval).expect(200).await;
}

#[both_engines]
async fn a_person_is_shown_what_changed_since_they_acknowledged(app: TestApp) {
    let ada = published(&app).await;
    let (cleo, stan) = (app.person("Cleo", Role::Admin).await, app.person("Stan", Role::Staff).await);
    let ask = app.post("/v1/documents/policy/versions/1/acknowledgement-requests").bearer(&ada);
    ask.json(json!({"who": "all"})).expect(201).await;
    let own = format!("{POLICY}/acknowledge");
    let mut staff = Browser::of(&app, &stan).await;
    let page = staff.get(&own).await.page;
    assert_eq!(page.text_of("#changed"), "What changed");
    staff.submit(&page, &own, &[]).await;
    let mut late = Browser::of(&app, &cleo).await;
    let first = late.get(&own).await.page;
    let said = [
        json!({"summary": "Calls Eve.", "material": {"value": true, "reason": "Ada has left."}}),
        json!({"summary": "Mends a typo.", "material": {"value": false}, "effective_date": "2999-01-01"}),
    ];
    for (number, (value, submission)) in (2..).zip(["Eve", "Eve!"].into_iter().zip(said)) {
        let edits = json!([{"node_id": "contact", "node_type": "text", "value": value}]);
        app.patch("/v1/documents/policy").bearer(&ada).json(edits).expect(200).await;
        publish(&app, (&ada, &cleo), number, submission).await;
    }
    let refused = late.submit(&first, &own, &[]).await.page;
    assert_eq!(refused.text_of("#changed"), "What changed since version 1, which you have just read");
    assert_eq!(
        (refused.text_of("details del"), refused.text_of("details ins")),
        ("Ada.".into(), "Eve!.".into())
    );
    let home = staff.get("/o/acme").await.page.text_of("[aria-labelledby=acknowledge]");
    assert!(home.contains("What changed since version 1") && home.contains("Ada has left."), "{home}");
    let page = staff.get(&own).await.page;
    assert_eq!(page.text_of("#changed"), "What changed since version 1, which you acknowledged");
    let changed = page.text_of("section[aria-labelledby=changed]");
    for expected in ["Calls Eve.", "Ada has left.", "Mends a typo.", "Difference to version 1"] {
        assert!(changed.contains(expected), "{expected}: {changed}");
    }
    assert_eq!((page.text_of("details del"), page.text_of("details ins")), ("Ada.".into(), "Eve!.".into()));
    assert!(page.text().contains("In force from 1 Jan 2999."), "{}", page.text());
    // Who reads documents compares any two versions.
    let mut reader = Browser::of(&app, &cleo).await;
    let third = format!("{POLICY}/versions/3");
    let page = reader.get(&third).await.page;
    assert_eq!(
        (page.text_of("details h2"), page.text_of("details div del")),
        ("Difference to version 2".into(), "Eve.".into())
    );
    let page = reader.get(&format!("{third}?from=1")).await.page;
    assert_eq!(
        (page.text_of("details h2"), page.text_of("details div del")),
        ("Difference to version 1".into(), "Ada.".into())
    );
    assert_eq!(page.text_of("details option[selected]"), "1");
    assert_eq!(reader.get(&format!("{third}?from=4")).await.status, StatusCode::BAD_REQUEST);
}

#[both_engines]
async fn staff_are_asked_read_and_acknowledge(app: TestApp) {
    let ada = published(&app).await;
    let stan = app.person("Stan", Role::Staff).await;
    let mut writer = Browser::of(&app, &ada).await;
    let address = format!("{POLICY}/acknowledgements");
    let page = writer.get(&address).await.page;
    assert_eq!(page.text_of(".empty h2"), "Nobody is asked to acknowledge this");
    let page = writer.submit(&page, &address, &[("who", "role:staff"), ("due_days", "14")]).await.page;
    assert_eq!(page.text_of(".toast"), "People are asked to acknowledge it.");
    let row = page.text_of("tbody tr");
    assert!(row.contains("Stan") && row.contains("Open"), "{row}");
    assert!(page.text_of(".todo").contains("Role Staff, 14 days"), "{}", page.text());
    // Staff see it on Home, and the text as it was approved.
    let mut staff = Browser::of(&app, &stan).await;
    let home = staff.get("/o/acme").await.page;
    assert_eq!(home.texts("[aria-labelledby=acknowledge] .t"), ["Policy"]);
    let own = format!("{POLICY}/acknowledge");
    let page = staff.get(&own).await.page;
    assert!(page.text_of(".sheet").contains("Call Ada."), "{}", page.text());
    assert!(!page.text_of(".sheet").contains("classification"), "the front matter is not shown");
    let page = staff.submit(&page, &own, &[]).await.page;
    assert_eq!(page.text_of(".toast"), "Acknowledged.");
    assert!(page.forms(&own).iter().all(|form| form.action != own), "it is offered once");
    assert!(staff.get("/o/acme").await.page.all("[aria-labelledby=acknowledge]").is_empty());
    // Each number is the length of the list that it leads to, and of the file.
    let page = writer.get(&format!("{address}?status=covered")).await.page;
    assert_eq!(
        (page.texts(".tabs .n"), page.all("tbody tr").len()),
        (["1", "1", "0", "0", "0"].map(str::to_owned).to_vec(), 1)
    );
    let link = |ending: &str| format!(".acts a[href='{address}/{ending}?status=covered'][download]");
    assert_eq!(page.texts(&link("word")), ["Download as Word"]);
    assert_eq!(page.texts(&link("pdf")).len(), usize::from(render::PRINTS_PDF));
    let (headers, _) = writer.file(&format!("{address}/word?status=covered")).await;
    assert_eq!(headers["content-type"], lists::printed_file::WORD);
    let page = writer.get(&format!("{address}?status=open")).await.page;
    assert_eq!(page.all("tbody tr").len(), 0);
    assert_eq!(staff.get(&address).await.status, StatusCode::FORBIDDEN);
}

#[both_engines]
async fn what_was_signed_on_paper_is_recorded_and_marked(app: TestApp) {
    let ada = published(&app).await;
    let stan = app.person("Stan", Role::Staff).await;
    let mut writer = Browser::of(&app, &ada).await;
    let address = format!("{POLICY}/acknowledgements");
    let page = writer.get(&address).await.page;
    let page = writer.submit(&page, &address, &[("who", "role:staff")]).await.page;
    let paper = format!("{address}/paper");
    let refused = writer.submit(&page, &paper, &[("on_paper_user", ""), ("on_paper_file", "")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.page.all("p.error").len(), 2, "{}", refused.page.text());
    let signed = [("on_paper_user", &*stan.id), ("on_paper_file", "Folder 7")];
    let page = writer.submit(&refused.page, &paper, &signed).await.page;
    assert_eq!(page.text_of(".toast"), "Acknowledgement on paper recorded.");
    let row = page.text_of("tbody tr");
    assert!(row.contains("Covered") && row.contains("On paper: Folder 7"), "{row}");
    let mut staff = Browser::of(&app, &stan).await;
    assert!(staff.get("/o/acme").await.page.all("[aria-labelledby=acknowledge]").is_empty());
}

/// Everybody can be chosen, a page at a time, and nothing is lost on the way.
#[both_engines]
async fn people_beyond_the_first_page_are_asked(app: TestApp) {
    let ada = published(&app).await;
    for number in 0..201 {
        app.db
            .user(app.organization, &format!("M{number:03}"), &format!("m{number}@example.org"), Role::Staff)
            .await;
    }
    let mut writer = Browser::of(&app, &ada).await;
    let address = format!("{POLICY}/acknowledgements");
    let page = writer.get(&address).await.page;
    assert_eq!(page.all("[name=users]").len(), 200, "Ada, Ben and 198 of the others");
    let filtered = format!("{address}?status=open");
    let page = writer.get(&filtered).await.page;
    let turn = page.all("button[name=turn]")[0].attr("value").unwrap().to_owned();
    let chosen = [("who", "users"), ("users", &*ada.id), ("due_days", "14"), ("turn", &*turn)];
    let page = writer.submit(&page, &filtered, &chosen).await.page;
    assert_eq!(page.texts("fieldset bdi"), ["M198", "M199", "M200"]);
    assert_eq!(page.texts("fieldset p"), ["1 selected on other pages"]);
    let next = format!("{filtered}&after={turn}");
    let last = page.all("[type=checkbox][name=users]")[2].attr("value").unwrap().to_owned();
    let mut fields = page.form(&next);
    fields.push(("users".to_owned(), last));
    let page = writer.post(&next, &fields).await.page;
    assert_eq!(page.texts("tbody th bdi"), ["Ada Byron", "M200"]);
    assert!(page.text_of(".todo").contains("2 people, 14 days"), "{}", page.text());
    let file = [("on_paper_file", "Folder 7"), ("turn", &*turn)];
    let page = writer.submit(&page, &format!("{address}/paper"), &file).await.page;
    assert_eq!(page.all("#on_paper_file")[0].attr("value"), Some("Folder 7"));
    assert_eq!(writer.get(&format!("{address}?after=x")).await.status, StatusCode::BAD_REQUEST);
}

#[both_engines]
async fn an_outdated_text_is_not_acknowledged_and_a_request_ends_once(app: TestApp) {
    let ada = published(&app).await;
    let mut writer = Browser::of(&app, &ada).await;
    let address = format!("{POLICY}/acknowledgements");
    let page = writer.get(&address).await.page;
    let refused = writer.submit(&page, &address, &[("who", "users")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let page = writer.submit(&page, &address, &[("who", "users"), ("users", &ada.id)]).await.page;
    assert_eq!(page.texts("tbody th bdi"), ["Ada Byron"]);
    let own = format!("{POLICY}/acknowledge");
    let shown = writer.get(&own).await.page;
    let other = [("sha256", "0".repeat(64))];
    let refused =
        writer.submit(&shown, &own, &other.each_ref().map(|(name, value)| (*name, value.as_str()))).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.page.text().contains("Another text is published by now"), "{}", refused.page.text());
    let end = page.forms(&address).into_iter().find(|form| form.action.ends_with("/end")).unwrap().action;
    let ended = writer.submit(&page, &end, &[]).await.page;
    assert_eq!(
        (ended.text_of(".toast"), ended.texts(".todo .badge")),
        ("Request ended.".into(), vec!["Ended".to_owned()])
    );
    assert_eq!(ended.text_of(".empty h2"), "Nobody is asked to acknowledge this");
    assert!(writer.get("/o/acme").await.page.all("[aria-labelledby=acknowledge]").is_empty());
}
