//! Two people at the same record: who comes second is told who was first, and nothing is said to be changed that was not.

use axum::http::StatusCode;
use domain::Role;
use domain::incident::ResolutionReason;
use serde_json::{Value, json};
use testkit::{TestApp, both_engines};

use crate::browser::{Browser, Shown};
use crate::html::Page;

const INCIDENT: &str = "/o/acme/incidents/INC-0001";
const RISK: &str = "/o/acme/risks/RSK-1";

/// Two people with a browser each, and the token of the first.
struct Two {
    ada: Browser,
    ben: Browser,
    token: String,
}

async fn two(app: &TestApp) -> Two {
    let (ada, ben) = (app.person("Ada Byron", Role::Admin).await, app.person("Ben Nye", Role::Admin).await);
    let incident = json!({"title": "Flood", "description": ""});
    app.post("/v1/incidents").bearer(&ada.token).json(incident).expect(201).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    let risk = json!({"title": "Rain", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    let browsers = (Browser::of(app, &ada).await, Browser::of(app, &ben).await);
    Two { ada: browsers.0, ben: browsers.1, token: ada.token }
}

async fn read(app: &TestApp, two: &Two, address: &str) -> Value {
    app.get(address).bearer(&two.token).expect(200).await.json().clone()
}

/// The refusal of a form that came second: it names what was done before.
fn second(shown: &Shown, told: &[&str]) {
    let text = shown.page.text_of("[role='alert']");
    assert_eq!(shown.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", shown.page.text());
    for part in told {
        assert!(text.contains(part), "{part:?} is not in {text:?}");
    }
    assert!(text.contains("Your changes are not saved yet"), "{text:?}");
    assert!(shown.page.all(".toast form").is_empty(), "nothing is offered to be undone");
}

fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[both_engines]
async fn who_takes_an_incident_second_is_told_who_took_it(app: TestApp) {
    let mut two = two(&app).await;
    let (home, page) = (two.ada.get("/o/acme").await.page, two.ada.get(INCIDENT).await.page);
    let assign = format!("{INCIDENT}/assign");
    let status = format!("{INCIDENT}/status");
    let his = two.ben.get(INCIDENT).await.page;
    let taken = two.ben.submit(&his, &status, &[]).await.page;
    assert_eq!(taken.text_of(".facts .who"), "BNBen Nye");
    for (form, action) in [(&page, &status), (&page, &assign), (&home, &assign)] {
        let shown = two.ada.submit(form, action, &[]).await;
        second(&shown, &["Ben Nye", "Investigating", "(Today 09:00)"]);
        assert_eq!(shown.page.text_of(".facts .who"), "BNBen Nye");
        // What makes sense now is offered, and what was asked for is not.
        let offered = shown.page.texts(".next button");
        assert!(offered.iter().any(|it| it.starts_with("Mark as contained")), "{offered:?}");
        assert!(!offered.iter().any(|it| it.starts_with("Assign to me")), "{offered:?}");
    }
    assert_eq!(read(&app, &two, "/v1/incidents/1").await["version"], 2);
}

#[both_engines]
async fn who_makes_a_step_second_is_told_and_keeps_what_was_typed(app: TestApp) {
    let mut two = two(&app).await;
    let status = format!("{INCIDENT}/status");
    let (hers, his) = (two.ada.get(INCIDENT).await.page, two.ben.get(INCIDENT).await.page);
    let dismiss = [("to", "dismissed"), ("resolution_reason", "test")];
    two.ben.submit(&his, &status, &dismiss).await;
    let resolve = [
        ("to", "resolved"),
        ("resolution_reason", "fixed"),
        ("resolution_summary", "The pump ran dry."),
        ("responded_date", "2026-02-01T00:00"),
    ];
    let shown = two.ada.submit(&hers, &status, &resolve).await;
    second(&shown, &["Ben Nye dismissed the incident"]);
    assert!(shown.page.text_of(".next").contains("The pump ran dry."), "{}", shown.page.text());
    // What the page shows now can be done with what it has.
    let reopened = two.ada.submit(&shown.page, &status, &[("reason", "It was real.")]).await.page;
    assert_ne!(reopened.text_of("[aria-current='step'] b"), "", "{}", reopened.text());
}

#[both_engines]
async fn what_was_done_already_is_told_of_tasks_tags_and_links(app: TestApp) {
    let mut two = two(&app).await;
    let make = async |address: &str, body: Value| {
        app.post(address).bearer(&two.token).json(body).expect(201).await;
    };
    make("/v1/incidents/1/tasks", json!({"title": "Pump"})).await;
    make("/v1/tags", json!({"name": "water"})).await;
    make("/v1/incidents/1/links", json!({"to": {"type": "risk", "id": "RSK-1"}, "kind": "threatens"})).await;
    for (part, told) in [("tasks/1", "as done"), ("tags", "added the tag"), ("links/1", "removed the link")] {
        let address = format!("{INCIDENT}/{part}");
        let (hers, his) = (two.ada.get(INCIDENT).await.page, two.ben.get(INCIDENT).await.page);
        let first = two.ben.submit(&his, &address, &[]).await;
        assert_eq!(first.status, StatusCode::OK, "{part}");
        assert!(first.page.all(".toast form").is_empty() || part == "tags", "{part}: it cannot be undone");
        let shown = two.ada.submit(&hers, &address, &[]).await;
        second(&shown, &["Ben Nye", told]);
    }
    let (hers, his) = (two.ada.get(INCIDENT).await.page, two.ben.get(INCIDENT).await.page);
    let address = format!("{INCIDENT}/tags");
    two.ben.submit(&his, &address, &[("remove", "1")]).await;
    second(&two.ada.submit(&hers, &address, &[("remove", "1")]).await, &["Ben Nye", "removed the tag"]);
    assert_eq!(read(&app, &two, "/v1/incidents/1").await["version"], 1);
}

#[both_engines]
async fn who_deletes_restores_or_ends_something_second_is_told(app: TestApp) {
    let mut two = two(&app).await;
    for (record, noun) in [(INCIDENT, "incident"), (RISK, "it")] {
        for (action, told) in [("delete", "deleted"), ("restore", "restored")] {
            let address = format!("{record}/{action}");
            let (hers, his) = (two.ada.get(record).await.page, two.ben.get(record).await.page);
            let first = two.ben.submit(&his, &address, &[]).await;
            assert_eq!(first.status, StatusCode::OK);
            let shown = two.ada.submit(&hers, &address, &[]).await;
            second(&shown, &["Ben Nye", told]);
            assert_eq!(shown.page.all(".note.bad form").len(), usize::from(action == "delete"), "{noun}");
        }
    }
    let status = format!("{RISK}/status");
    let (hers, his) = (two.ada.get(RISK).await.page, two.ben.get(RISK).await.page);
    let close = [("status_reason", "It dried up.")];
    two.ben.submit(&his, &status, &close).await;
    second(&two.ada.submit(&hers, &status, &close).await, &["Ben Nye closed it"]);
    let hold = format!("{INCIDENT}/change/hold");
    app.patch("/v1/incidents/1")
        .bearer(&two.token)
        .json(json!({"hold": {"reason": "Parts"}}))
        .expect(200)
        .await;
    let (hers, his) = (two.ada.get(INCIDENT).await.page, two.ben.get(INCIDENT).await.page);
    two.ben.submit(&his, &hold, &[]).await;
    let shown = two.ada.submit(&hers, &hold, &[]).await;
    second(&shown, &["Ben Nye", "resumed"]);
    assert_eq!(shown.page.text_of("h1"), "Flood");
}

/// The forms of a page that act with one click: nothing is typed or chosen.
fn one_click(page: &Page, address: &str) -> Vec<(String, Vec<String>)> {
    let forms = page.forms(address).into_iter().filter(|form| form.typed.is_empty());
    forms.map(|form| (form.action, form.fields.into_iter().map(|(name, _)| name).collect())).collect()
}

#[both_engines]
async fn every_form_of_one_click_says_what_its_page_showed(app: TestApp) {
    let mut two = two(&app).await;
    let make = async |address: &str, body: Value| {
        app.post(address).bearer(&two.token).json(body).expect(201).await;
    };
    make("/v1/incidents/1/tasks", json!({"title": "Pump"})).await;
    make("/v1/incidents/1/links", json!({"to": {"type": "risk", "id": "RSK-1"}, "kind": "threatens"})).await;
    make("/v1/clients", json!({"name": "SIEM", "scopes": "incidents:read"})).await;
    make("/v1/views", json!({"list": "risks", "name": "Mine"})).await;
    let review = json!({"summary": "S", "root_cause": "R", "actions": [{"title": "T"}], "state": "draft"});
    app.patch("/v1/incidents/1/review").bearer(&two.token).json(review).expect(200).await;
    let published = json!({"state": "published"});
    app.patch("/v1/incidents/1/review").bearer(&two.token).json(published).expect(200).await;
    let hold = json!({"hold": {"reason": "Parts"}});
    app.patch("/v1/incidents/1").bearer(&two.token).json(hold).expect(200).await;
    let list = two.ada.get("/o/acme/settings/clients").await.page;
    let client = list.all("tbody a")[0].attr("href").unwrap().to_owned();
    let mut found = Vec::new();
    for address in ["/o/acme", INCIDENT, &format!("{INCIDENT}/review"), RISK, &client] {
        let page = two.ada.get(address).await.page;
        for (action, fields) in one_click(&page, address) {
            // A secret is added, or deleted by an id that no other gets; and who signs out wants nothing else.
            let is_exempt = action.contains("/secrets") || action == "/sign-out";
            let says = fields.iter().any(|name| ["version", "seen"].contains(&name.as_str()));
            assert!(says || is_exempt, "{address}: {action} {fields:?}");
            found.push(action.rsplit('/').next().unwrap().to_owned());
        }
    }
    for expected in ["status", "delete", "hold", "1", "review"] {
        assert!(found.iter().any(|it| it == expected), "{expected}: {found:?}");
    }
}

#[both_engines]
async fn a_form_that_changes_nothing_says_so_and_offers_no_undo(app: TestApp) {
    let mut two = two(&app).await;
    let document =
        json!({"slug": "policy", "title": "P", "items": [{"id": "x", "kind": "text", "label": "X"}]});
    app.post("/v1/documents").bearer(&two.token).json(document).expect(201).await;
    let edits = json!([{"node_id": "x", "node_type": "text", "value": "Said"}]);
    app.patch("/v1/documents/policy").bearer(&two.token).json(edits).expect(200).await;
    app.patch("/v1/incidents/1/review").bearer(&two.token).json(json!({"summary": "S"})).expect(200).await;
    let people = read(&app, &two, "/v1/users").await;
    let ben = people["data"].as_array().unwrap().iter().find(|it| it["name"] == "Ben Nye").unwrap();
    let journal = read(&app, &two, "/v1/journal?sort=-seq&limit=1").await["data"][0]["seq"].clone();
    for address in [
        format!("{INCIDENT}/edit"),
        format!("{INCIDENT}/review"),
        format!("{INCIDENT}/change/access"),
        format!("{RISK}/edit"),
        format!("/o/acme/settings/people/{}", ben["id"].as_str().unwrap()),
        "/o/acme/settings/organization".to_owned(),
    ] {
        let page = two.ada.get(&address).await.page;
        let shown = two.ada.submit(&page, &address, &[]).await;
        let told = shown.page.text_of(".toast");
        assert_eq!(told, "Nothing to change: everything already has these values.", "{address}");
        // Who sends the same form again is told the same.
        let again = two.ada.submit(&page, &address, &[]).await;
        assert_eq!(again.page.text_of(".toast"), told, "{address}");
    }
    let page = two.ada.get("/o/acme/documents/policy").await.page;
    let chosen = two.ada.submit(&page, "/o/acme/documents/policy/edits", &[("value", "Said")]).await;
    assert!(
        chosen.page.text_of(".toast").starts_with("Nothing to change"),
        "{}",
        chosen.page.text_of(".toast")
    );
    assert_eq!(read(&app, &two, "/v1/journal?sort=-seq&limit=1").await["data"][0]["seq"], journal);
}

#[both_engines]
async fn an_undo_says_what_it_did_and_never_leads_nowhere(app: TestApp) {
    let mut two = two(&app).await;
    let address = format!("{INCIDENT}/edit");
    let rename = async |browser: &mut Browser, title: &str| {
        let page = browser.get(&address).await.page;
        browser.submit(&page, &address, &[("title", title)]).await.page
    };
    // Changed since.
    let first = rename(&mut two.ada, "One").await;
    rename(&mut two.ben, "Two").await;
    let page = two.ada.submit(&first, "/o/acme/undo", &[]).await.page;
    assert_eq!(
        (page.text_of(".toast").as_str(), page.text_of("h1").as_str()),
        ("Nothing was undone. INC-0001: It has been changed since.", "Two")
    );
    // Undone already.
    let third = rename(&mut two.ada, "Three").await;
    let id = third.form("/o/acme/undo").into_iter().find(|(name, _)| name == "request_id").unwrap().1;
    let undo = fields(&[("request_id", &id), ("back", INCIDENT)]);
    assert_eq!(two.ada.post("/o/acme/undo", &undo).await.page.text_of(".toast"), "Undone.");
    let again = two.ada.post("/o/acme/undo", &undo).await;
    assert_eq!(again.page.text_of(".toast"), "Nothing was undone. INC-0001: It is already undone.");
    // Too late.
    let fourth = rename(&mut two.ada, "Four").await;
    app.db.clock.advance_seconds(16 * 60);
    let late = two.ada.submit(&fourth, "/o/acme/undo", &[]).await;
    assert_eq!((late.status, late.address.as_str()), (StatusCode::OK, INCIDENT));
    assert!(late.page.text_of(".toast").starts_with("Nothing was undone"), "{}", late.page.text_of(".toast"));
    assert_eq!(late.page.text_of("h1"), "Four");
}

#[both_engines]
async fn two_who_change_different_fields_do_not_get_in_each_others_way(app: TestApp) {
    let mut two = two(&app).await;
    for (address, api) in [(INCIDENT, "/v1/incidents/1"), (RISK, "/v1/risks/RSK-1")] {
        let edit = format!("{address}/edit");
        let (hers, his) = (two.ada.get(&edit).await.page, two.ben.get(&edit).await.page);
        two.ada.submit(&hers, &edit, &[("title", "Hers")]).await;
        let saved = two.ben.submit(&his, &edit, &[("description", "His")]).await;
        assert_eq!(
            (saved.status, saved.address.as_str()),
            (StatusCode::OK, address),
            "{}",
            saved.page.text()
        );
        let now = read(&app, &two, api).await;
        assert_eq!((&now["title"], &now["description"]), (&json!("Hers"), &json!("His")));
        // The same field is a conflict, and both texts are shown.
        let (hers, his) = (two.ada.get(&edit).await.page, two.ben.get(&edit).await.page);
        two.ada.submit(&hers, &edit, &[("title", "Hers again")]).await;
        let refused = two.ben.submit(&his, &edit, &[("title", "His")]).await;
        second(&refused, &["Ada Byron"]);
        assert_eq!(refused.page.text_of("q"), "Hers again");
        assert!(refused.page.form(&edit).contains(&("title".to_owned(), "His".to_owned())));
        let saved = two.ben.submit(&refused.page, &edit, &[]).await;
        assert_eq!(saved.page.text_of("h1"), "His");
    }
}

#[both_engines]
async fn nobody_publishes_or_deletes_what_they_have_not_seen(app: TestApp) {
    let mut two = two(&app).await;
    let review = json!({"summary": "S", "root_cause": "R"});
    app.patch("/v1/incidents/1/review").bearer(&two.token).json(review).expect(200).await;
    let address = format!("{INCIDENT}/review");
    let (hers, his) = (two.ada.get(&address).await.page, two.ben.get(&address).await.page);
    two.ben.submit(&his, &address, &[("summary", "His")]).await;
    let shown = two.ada.submit(&hers, &address, &[("state", "published")]).await;
    second(&shown, &["Ben Nye"]);
    assert!(shown.page.form(&address).contains(&("summary".to_owned(), "His".to_owned())));
    app.post("/v1/incidents/1/notes")
        .bearer(&two.token)
        .json(json!({"kind": "comment", "text": "Wet."}))
        .expect(201)
        .await;
    let comment = format!("{INCIDENT}/notes/1");
    let (hers, also_hers) = (two.ada.get(&comment).await.page, two.ada.get(&comment).await.page);
    two.ada.submit(&hers, &comment, &[("text", "Very wet.")]).await;
    let shown = two.ada.submit(&also_hers, &comment, &[("delete", "1")]).await;
    assert_eq!(shown.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", shown.page.text());
}

#[both_engines]
async fn a_person_who_cannot_be_chosen_stays_where_they_are(app: TestApp) {
    let mut two = two(&app).await;
    let eve = app.person("Eve", Role::Admin).await;
    let mut browser = Browser::of(&app, &eve).await;
    let page = browser.get(INCIDENT).await.page;
    browser.submit(&page, &format!("{INCIDENT}/status"), &[]).await;
    let person = format!("/o/acme/settings/people/{}", eve.id);
    let page = two.ben.get(&person).await.page;
    two.ben.submit(&page, &format!("{person}/remove"), &[("keep", "on")]).await;
    let edit = format!("{INCIDENT}/edit");
    let page = two.ada.get(&edit).await.page;
    assert!(page.form(&edit).contains(&("assigned_to".to_owned(), eve.id.clone())), "{:?}", page.form(&edit));
    let saved = two.ada.submit(&page, &edit, &[("title", "Flood in the cellar")]).await;
    assert_eq!(saved.page.text_of(".facts .who"), "EEve");
}

#[both_engines]
async fn a_step_offers_the_reasons_that_it_takes(app: TestApp) {
    let mut two = two(&app).await;
    let status = format!("{INCIDENT}/status");
    let page = two.ada.get(INCIDENT).await.page;
    let offered = |page: &Page, to: &str| -> Vec<String> {
        let options = page.all(&format!("#{to}-reason option"));
        options.iter().map(|it| it.attr("value").unwrap().to_owned()).collect()
    };
    assert_eq!(offered(&page, "resolved"), ["fixed", "mitigated", "accepted", "other"]);
    assert_eq!(offered(&page, "dismissed"), ["", "false_positive", "not_an_incident", "test", "other"]);
    for (to, reasons) in ["resolved", "dismissed"].map(|to| (to, offered(&page, to))) {
        for reason in reasons.iter().filter(|reason| !reason.is_empty()) {
            assert!(ResolutionReason::parse(reason).is_some());
            let body = json!({"title": "A", "description": ""});
            let made = app.post("/v1/incidents").bearer(&two.token).json(body).expect(201).await;
            let incident = format!("/o/acme/incidents/{}", made.text("id"));
            let page = two.ada.get(&incident).await.page;
            let step = [
                ("to", to),
                ("resolution_reason", reason),
                ("reason", if reason == "other" { "A reason." } else { "" }),
                ("responded_date", if to == "resolved" { "2026-02-01T00:00" } else { "" }),
            ];
            let shown = two.ada.submit(&page, &format!("{incident}/status"), &step).await;
            assert_eq!(
                shown.status,
                StatusCode::OK,
                "{to} {reason}: {}",
                shown.page.text_of("[role='alert']")
            );
        }
    }
    // Every form below "Something else" has a name, and the field for the reason is there.
    let forms = page.all(".next details form");
    assert!(forms.len() > 1, "{}", page.text_of(".next"));
    for form in forms {
        let name = form.attr("aria-labelledby").unwrap();
        assert!(!page.text_of(&format!("#{name}")).is_empty(), "{name}");
    }
    let without =
        two.ada.submit(&page, &status, &[("to", "dismissed"), ("resolution_reason", "other")]).await;
    assert_eq!(without.page.all("#reason-error").len(), 1, "{}", without.page.text());
    assert_eq!(without.page.all(".next details[open] #dismissed-why").len(), 1);
    // The key of the next step opens its form, and is no button.
    assert_eq!(page.all("button[data-key='r'], a[data-key='r']").len(), 0);
    assert_eq!(page.all("form[data-key='r'] button.main").len(), 1);
}
