use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

#[both_engines]
async fn an_incident_is_declared_taken_and_closed(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get("/o/acme/incidents/new").await.page;
    let shown = browser.submit(&form, "/o/acme/incidents/new", &[("title", "Orders arrive twice")]).await;
    assert_eq!((shown.status, shown.address.as_str()), (StatusCode::OK, "/o/acme/incidents/INC-0001"));
    assert_eq!(shown.page.text_of("h1"), "Orders arrive twice");
    assert_eq!(shown.page.text_of(".toast"), "INC-0001 declared.");
    assert_eq!(shown.page.text_of("[aria-current='step'] b"), "New");
    let status = "/o/acme/incidents/INC-0001/status";
    let shown = browser.submit(&shown.page, status, &[]).await;
    assert_eq!(shown.page.text_of("[aria-current='step'] b"), "Investigating");
    assert_eq!(shown.page.text_of(".toast span"), "INC-0001 moved to Investigating.");
    assert_eq!(shown.page.text_of(".facts .who"), "ABAda Byron");
    let page = browser.submit(&shown.page, "/o/acme/undo", &[]).await.page;
    assert_eq!(
        (page.text_of("[aria-current='step'] b"), page.text_of(".toast")),
        ("New".into(), "Undone.".into())
    );
    let page = browser.submit(&page, status, &[]).await.page;
    let resolve = [("to", "resolved"), ("resolution_reason", "fixed")];
    let page = browser.submit(&page, status, &resolve).await.page;
    assert_eq!(page.text_of("[aria-current='step'] b"), "Resolved");
    // What stands against closing it is on the page.
    assert_eq!(page.all(".next .todo li").len(), 1, "{}", page.text_of(".next"));
    assert_eq!(page.text_of(".next a[href$='/severity']"), "Assess severity");
    let severity = json!({"severity": "low", "reason": "Nobody was harmed."});
    app.put("/v1/incidents/1/severity").bearer(&ada.token).json(severity).expect(200).await;
    let page = browser.get("/o/acme/incidents/INC-0001").await.page;
    assert_eq!(page.text_of(".next .main"), "CloseR");
    // Closing needs a summary: the page says so beside the field, and keeps what was typed.
    let shown = browser.submit(&page, status, &[("resolution_summary", "")]).await;
    assert_eq!((shown.status, shown.page.all(".note.bad").len()), (StatusCode::UNPROCESSABLE_ENTITY, 1));
    let page =
        browser.submit(&shown.page, status, &[("resolution_summary", "The job ran twice.")]).await.page;
    assert_eq!(page.text_of("[aria-current='step'] b"), "Closed");
    assert!(page.text().contains("The job ran twice."));
}

#[both_engines]
async fn assigning_moves_nothing_and_starting_assigns_who_starts_if_nobody_is_assigned(app: TestApp) {
    let (ada, ben) = (app.person("Ada Byron", Role::Owner).await, app.person("Ben Nye", Role::Owner).await);
    let (mut of_ada, mut of_ben) = (Browser::of(&app, &ada).await, Browser::of(&app, &ben).await);
    for title in ["Taken first", "Started at once", "Assigned on home"] {
        let body = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let state = async |number: u32| {
        let read = app.get(&format!("/v1/incidents/{number}")).bearer(&ada.token).expect(200).await;
        (
            read.json()["status"].clone(),
            read.json()["assigned_to"]["id"].clone(),
            read.json()["responded_date"].clone(),
        )
    };
    let of = |number: u32| format!("/o/acme/incidents/INC-000{number}");
    let page = of_ada.get(&of(1)).await.page;
    let page = of_ada.submit(&page, &format!("{}/assign", of(1)), &[]).await.page;
    assert_eq!(state(1).await, (json!("new"), json!(ada.id), json!(null)));
    assert!(page.all(&format!("form[action='{}/assign']", of(1))).is_empty(), "it is assigned");
    // Who starts an incident of somebody else leaves it with them.
    let page = of_ben.get(&of(1)).await.page;
    of_ben.submit(&page, &format!("{}/status", of(1)), &[]).await;
    let (status, assignee, responded) = state(1).await;
    assert_eq!((status, assignee, responded.is_string()), (json!("investigating"), json!(ada.id), true));
    let page = of_ben.get(&of(2)).await.page;
    assert_eq!(page.text_of(".next .main"), "Start investigatingR");
    of_ben.submit(&page, &format!("{}/status", of(2)), &[]).await;
    let (status, assignee, responded) = state(2).await;
    assert_eq!((status, assignee, responded.is_string()), (json!("investigating"), json!(ben.id), true));
    let home = of_ben.get("/o/acme").await.page;
    of_ben.submit(&home, &format!("{}/assign", of(3)), &[]).await;
    assert_eq!(state(3).await, (json!("new"), json!(ben.id), json!(null)));
}

#[both_engines]
async fn a_form_that_is_sent_twice_acts_once(app: TestApp) {
    let ada = app.person("Ada", Role::Staff).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get("/o/acme/incidents/new").await.page;
    let fields = [("title", "Twice")];
    let first = browser.submit(&form, "/o/acme/incidents/new", &fields).await;
    let second = browser.submit(&form, "/o/acme/incidents/new", &fields).await;
    assert_eq!(
        (first.address, second.address.as_str()),
        (second.address.clone(), "/o/acme/incidents/INC-0001")
    );
    let again = browser.get("/o/acme/incidents/new").await.page;
    let third = browser.submit(&again, "/o/acme/incidents/new", &fields).await;
    assert_eq!(third.address, "/o/acme/incidents/INC-0002");
}

#[both_engines]
async fn what_is_wrong_is_said_beside_the_field_and_nothing_is_lost(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get("/o/acme/incidents/new").await.page;
    let typed =
        [("title", " "), ("description", "Three\r\nlines\r\nof it"), ("detected_date", "2126-01-01T10:00")];
    let shown = browser.submit(&form, "/o/acme/incidents/new", &typed).await;
    assert_eq!(shown.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(shown.page.text_of("#title-error"), "“Title” must not be blank.");
    let future = "“Detected at” must not be in the future; it is 1 March 2026, 09:00:00 now.";
    assert_eq!(shown.page.text_of("#detected_date-error"), future);
    assert_eq!(
        shown.page.all("[role='alert'] a[href='#title'], [role='alert'] a[href='#detected_date']").len(),
        2
    );
    let kept = shown.page.form("/o/acme/incidents/new");
    assert!(kept.contains(&("description".to_owned(), "Three\nlines\nof it".to_owned())), "{kept:?}");
    assert!(kept.contains(&("detected_date".to_owned(), "2126-01-01T10:00".to_owned())), "{kept:?}");
}

#[both_engines]
async fn an_edit_changes_what_was_changed_in_the_form_only(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    let body = json!({"title": "A", "description": "D", "detected_date": "2026-01-01T00:00:00.123456Z", "source": "EDR"});
    app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/incidents/INC-0001/edit";
    let page = browser.get(address).await.page;
    browser.submit(&page, address, &[("title", "B"), ("source", "")]).await;
    let read = app.get("/v1/incidents/1").bearer(&ada.token).expect(200).await;
    let read = read.json();
    assert_eq!((&read["title"], &read["source"], &read["version"]), (&json!("B"), &json!(null), &json!(2)));
    // Its fraction of a second is not in the form, and was not lost.
    assert_eq!(read["detected_date"], "2026-01-01T00:00:00.123456Z");
}

#[both_engines]
async fn notes_and_tasks_are_added_and_ticked(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Responder).await;
    app.post("/v1/incidents")
        .bearer(&ada.token)
        .json(json!({"title": "A", "description": ""}))
        .expect(201)
        .await;
    let mut browser = Browser::of(&app, &ada).await;
    let home = "/o/acme/incidents/INC-0001";
    let page = browser.get(home).await.page;
    let page = browser.submit(&page, &format!("{home}/notes"), &[("text", "First.\n\nSecond.")]).await.page;
    let page = browser
        .submit(&page, &format!("{home}/notes"), &[("text", "We isolate it."), ("kind", "decision")])
        .await
        .page;
    assert_eq!(page.texts(".line .badge"), ["Decision", "Comment"]);
    let page = browser
        .submit(&page, &format!("{home}/tasks"), &[("title", "Call the carrier"), ("mandatory", "on")])
        .await
        .page;
    assert_eq!(page.texts(".todo .grow"), ["Call the carrier mandatory"]);
    let page = browser.submit(&page, &format!("{home}/tasks/1"), &[]).await.page;
    assert!(page.text().contains("1 of 1 done"), "{}", page.text());
    let shown = browser.submit(&page, &format!("{home}/notes"), &[("text", " ")]).await;
    assert_eq!(
        (shown.status, shown.page.text_of("#text-error").as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, "Text must not be blank.")
    );
}

#[both_engines]
async fn an_undo_leads_back_only_to_pages_of_the_organization(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    for (back, expected) in [
        ("/o/acme/incidents?q=ü", "/o/acme/incidents?q=%C3%BC"),
        ("/o/acme/\\evil.example", "/o/acme"),
        ("/o/acme-2/incidents", "/o/acme"),
        ("//evil.example", "/o/acme"),
        ("https://evil.example/o/acme", "/o/acme"),
    ] {
        let form = browser.get("/o/acme/incidents/new").await.page;
        let shown = browser.submit(&form, "/o/acme/incidents/new", &[("title", "Orders arrive twice")]).await;
        let deleted = browser.submit(&shown.page, &format!("{}/delete", shown.address), &[]).await.page;
        let fields = deleted.form("/o/acme/undo");
        let id = &fields.iter().find(|(name, _)| name == "request_id").unwrap().1;
        let led = browser.location("/o/acme/undo", &[("request_id", id), ("back", back)]).await;
        assert_eq!(led, (StatusCode::SEE_OTHER, expected.to_owned()), "{back:?}");
        assert_eq!(browser.get(&shown.address).await.status, StatusCode::OK, "{back:?}");
    }
}

/// No page of ours sends it: nothing is undone.
#[both_engines]
async fn an_undo_that_would_lead_to_no_address_is_refused_before_anything_is_done(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get("/o/acme/incidents/new").await.page;
    let shown = browser.submit(&form, "/o/acme/incidents/new", &[("title", "Orders arrive twice")]).await;
    let deleted = browser.submit(&shown.page, "/o/acme/incidents/INC-0001/delete", &[]).await.page;
    let fields = deleted.form("/o/acme/undo");
    let id = &fields.iter().find(|(name, _)| name == "request_id").unwrap().1;
    for back in ["/o/acme/incidents\u{1}", "/o/acme/\r\nset-cookie: a=b", "\0"] {
        let refused = browser.location("/o/acme/undo", &[("request_id", id), ("back", back)]).await;
        assert_eq!(refused, (StatusCode::BAD_REQUEST, String::new()), "{back:?}");
        app.get("/v1/incidents/1").bearer(&ada.token).expect(404).await;
    }
    let led = browser.location("/o/acme/undo", &[("request_id", id), ("back", "/o/acme/incidents")]).await;
    assert_eq!(led, (StatusCode::SEE_OTHER, "/o/acme/incidents".to_owned()));
    app.get("/v1/incidents/1").bearer(&ada.token).expect(200).await;
}

#[both_engines]
async fn a_page_costs_the_same_however_much_it_shows(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    let mut costs = Vec::new();
    for many in [3, 30] {
        for number in 0..many {
            let body = json!({"title": format!("Number {number}"), "description": ""});
            app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
            let text = json!({"kind": "comment", "text": "A comment"});
            app.post("/v1/incidents/1/notes").bearer(&ada.token).json(text).expect(201).await;
            let rating = json!({"likelihood": 3, "impact": 3});
            let risk = json!({"title": "R", "inherent": rating, "target": rating});
            let risk = app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
            app.post("/v1/risks/RSK-1/evaluations").bearer(&ada.token).json(rating).expect(201).await;
            let (address, worse) =
                (format!("/v1/risks/{}/evaluations", risk.text("id")), json!({"likelihood": 4, "impact": 4}));
            app.post(&address).bearer(&ada.token).json(worse).expect(201).await;
            for list in ["incidents", "risks"] {
                let view = json!({"list": list, "name": format!("View {number} of {many}")});
                app.post("/v1/views").bearer(&ada.token).json(view).expect(201).await;
            }
        }
        // The figures of the past are found once, and then kept.
        assert_eq!(browser.get("/o/acme/risks/performance").await.status, StatusCode::OK);
        let mut statements = Vec::new();
        for page in [
            "",
            "/risks",
            "/risks/RSK-1",
            "/risks/heat-map",
            "/risks/performance",
            "/risks/changes",
            "/reports/risks",
            "/incidents",
            "/incidents/INC-0001",
            "/incidents/figures",
            "/incidents/figures?group_by=tag",
            "/incidents/new",
            "/incidents/INC-0001/edit",
        ] {
            let before = app.db.statements();
            let shown = browser.get(&format!("/o/acme{page}")).await;
            assert_eq!(shown.status, StatusCode::OK);
            statements.push((page, app.db.statements() - before));
        }
        costs.push(statements);
    }
    assert_eq!(costs[0], costs[1]);
    // Home has several lists, each of which is found in an index and then read.
    let most = |page: &str| if page.is_empty() { 54 } else { 31 };
    assert!(costs[0].iter().all(|(page, count)| *count <= most(page)), "{costs:?}");
}

#[both_engines]
async fn a_severity_is_worked_out_before_it_is_saved(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    app.post("/v1/incidents")
        .bearer(&ada.token)
        .json(json!({"title": "A", "description": ""}))
        .expect(201)
        .await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/incidents/INC-0001/severity";
    let page = browser.get(address).await.page;
    assert_eq!(page.text_of("#assessment h2"), "No answers yet");
    let page = browser.get(&format!("{address}?service=3&urgency=contained")).await.page;
    assert_eq!(page.text_of("#assessment h2"), "Calculated severity: High");
    let read = app.get("/v1/incidents/1").bearer(&ada.token).expect(200).await;
    assert_eq!(read.json()["version"], 1);
    let page = browser.submit(&page, address, &[("people", "0")]).await.page;
    assert_eq!(page.text_of(".facts .sev"), "High");
    let answers = app.get("/v1/incidents/1/severity").bearer(&ada.token).expect(200).await;
    let expected =
        json!({"ruleset": "bailiwick-1", "impact": {"service": 3, "people": 0}, "urgency": "contained"});
    assert_eq!(answers.json()["answers"], expected);
    // The form shows them again, and a person may decide otherwise.
    let page = browser.get(address).await.page;
    assert!(page.form(address).contains(&("service".to_owned(), "3".to_owned())));
    let manual = [("severity".to_owned(), "critical".to_owned()), ("reason".to_owned(), String::new())];
    let refused = browser.post(address, &manual).await;
    assert_eq!(
        (refused.status, refused.page.all("#reason-error").len()),
        (StatusCode::UNPROCESSABLE_ENTITY, 1)
    );
    let refused = browser.submit(&page, address, &[("personal_data_people", "many")]).await;
    assert_eq!(
        (refused.status, refused.page.all("#personal_data_people-error").len()),
        (StatusCode::UNPROCESSABLE_ENTITY, 1)
    );
}

pub(crate) const INCIDENT: &str = "/o/acme/incidents/INC-0001";

pub(crate) async fn declared(app: &TestApp) -> Browser {
    let ada = app.person("Ada Byron", Role::Admin).await;
    app.post("/v1/incidents")
        .bearer(&ada.token)
        .json(json!({"title": "Flood", "description": ""}))
        .expect(201)
        .await;
    Browser::of(app, &ada).await
}

pub(crate) fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[both_engines]
async fn a_date_is_unknown_only_if_it_can_come_no_more(app: TestApp) {
    let mut browser = declared(&app).await;
    let missing = async |browser: &mut Browser| {
        let page = browser.get(INCIDENT).await.page;
        let said =
            |it: String| if ["Unknown", "Not yet"].contains(&it.as_str()) { it } else { "known".to_owned() };
        page.texts("section[aria-labelledby='dates'] dd").into_iter().map(said).collect::<Vec<_>>()
    };
    let (unknown, known, not_yet) = ("Unknown", "known", "Not yet");
    assert_eq!(missing(&mut browser).await, [unknown, known, not_yet, not_yet, not_yet, not_yet]);
    let page = browser.get(INCIDENT).await.page;
    browser.submit(&page, &format!("{INCIDENT}/status"), &[("to", "contained")]).await;
    assert_eq!(missing(&mut browser).await, [unknown, known, unknown, known, not_yet, not_yet]);
}

#[both_engines]
async fn the_lines_of_a_record_are_asked_for_shown_and_changed(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get("/o/acme/incidents/new").await.page;
    let asked = form.texts(".more label");
    let is_asked = |name: &str| asked.iter().any(|label| label.starts_with(name));
    assert!(is_asked("Source") && is_asked("Location"), "{asked:?}");
    let sent = [("title", "Door open"), ("source", ""), ("location", "Gate 2")];
    let shown = browser.submit(&form, "/o/acme/incidents/new", &sent).await.page;
    let facts = shown.text_of(".facts");
    assert!(facts.contains("Location Gate 2") && facts.contains("Source None"), "{facts}");
    let address = format!("{INCIDENT}/edit");
    let form = browser.get(&address).await.page;
    let refused = browser.submit(&form, &address, &[("location", &"x".repeat(201))]).await;
    assert_eq!(refused.page.all("#location-error").len(), 1, "{}", refused.page.text());
    let shown = browser.submit(&refused.page, &address, &[("location", "Gate 3")]).await.page;
    assert!(shown.text_of(".facts").contains("Location Gate 3"));
    assert!(shown.text().contains("changed the location from “Gate 2” to “Gate 3”"), "{}", shown.text());
    let list = browser.get("/o/acme/incidents?location=Gate+3").await.page;
    assert_eq!(list.texts(".filters a.badge"), ["Location: Gate 3"]);
}

#[both_engines]
async fn who_resolves_a_new_incident_types_nothing(app: TestApp) {
    let mut browser = declared(&app).await;
    let page = browser.get(INCIDENT).await.page;
    let (status, now) = (format!("{INCIDENT}/status"), app.db.clock.now());
    // The first reason is chosen, and the response was just now.
    let resolve = ("to".to_owned(), "resolved".to_owned());
    let form = page.forms(&status).into_iter().find(|form| form.fields.contains(&resolve)).unwrap();
    app.db.clock.advance_seconds(60);
    let shown = browser.post(&status, &form.fields).await.page;
    assert_eq!(shown.text_of("[aria-current='step'] b"), "Resolved", "{}", shown.text());
    let token = app.person("Eve", Role::Admin).await.token;
    let stored = app.get("/v1/incidents/1").bearer(&token).expect(200).await;
    assert_eq!(stored.json()["responded_date"], domain::time::format(now));
}

#[both_engines]
async fn what_was_done_is_told_in_its_own_words(app: TestApp) {
    let mut browser = declared(&app).await;
    for (what, fields, told) in [
        ("access", &[("restricted", "on")][..], "INC-0001 restricted to its readers."),
        ("access", &[("restricted", "")], "INC-0001 is visible to everyone who can read incidents."),
        ("hold", &[("hold_reason", "Parts")], "INC-0001 put on hold."),
        ("hold", &[("hold_reason", "More parts")], "Hold on INC-0001 changed."),
        ("legal-hold", &[("reason", "Police")], "Legal hold placed on INC-0001."),
        ("legal-hold", &[("reason", "Over")], "Legal hold on INC-0001 lifted."),
    ] {
        let address = format!("{INCIDENT}/change/{what}");
        let page = browser.get(&address).await.page;
        let shown = browser.submit(&page, &address, fields).await.page;
        assert_eq!(shown.text_of(".toast span"), told);
    }
}

#[both_engines]
async fn a_hold_says_why_and_is_ended_by_one_button(app: TestApp) {
    let mut browser = declared(&app).await;
    let address = format!("{INCIDENT}/change/hold");
    let page = browser.get(&address).await.page;
    let refused =
        browser.submit(&page, &address, &[("hold_reason", " "), ("hold_until", "2001-01-01T00:00")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.page.all("#hold_reason-error").len(), 1, "{}", refused.page.text());
    let page = browser
        .submit(&refused.page, &address, &[("hold_reason", "Parts arrive on Friday."), ("hold_until", "")])
        .await
        .page;
    assert!(
        page.text_of(".note.blue").starts_with("On hold: Parts arrive on Friday. Ada Byron"),
        "{}",
        page.text()
    );
    assert_eq!(page.text_of(".toast span"), "INC-0001 put on hold.");
    let page = browser.submit(&page, &address, &[]).await.page;
    assert_eq!(
        (page.all(".note.blue").len(), page.text_of(".toast span").as_str()),
        (0, "INC-0001 resumed.")
    );
}

#[both_engines]
async fn tags_and_links_are_put_on_and_taken_away(app: TestApp) {
    let mut browser = declared(&app).await;
    let token = app.person("Eve", Role::Admin).await.token;
    app.post("/v1/tags").bearer(&token).json(json!({"name": "water"})).expect(201).await;
    app.post("/v1/incidents")
        .bearer(&token)
        .json(json!({"title": "Other", "description": ""}))
        .expect(201)
        .await;
    let tags = format!("{INCIDENT}/tags");
    let page = browser.get(INCIDENT).await.page;
    let page = browser.submit(&page, &tags, &[]).await.page;
    assert_eq!(page.texts("form.tag"), ["water ×"]);
    let page = browser.submit(&page, &tags, &[("remove", "1")]).await.page;
    assert_eq!(page.all("form.tag").len(), 0);
    let links = format!("{INCIDENT}/links");
    let refused = browser.submit(&page, &links, &[("link_kind", "related"), ("target", "RSK-9")]).await;
    assert_eq!(
        (refused.status, refused.page.all("#to_id-error").len()),
        (StatusCode::UNPROCESSABLE_ENTITY, 1)
    );
    let page = browser.submit(&refused.page, &links, &[("target", "INC-0002")]).await.page;
    let page = browser
        .submit(&page, &links, &[("link_kind", "ticket"), ("target", "https://t.example/1")])
        .await
        .page;
    let linked = page.texts("[aria-labelledby='links'] .todo .grow");
    assert_eq!(linked, ["Other INC-0002related", "https://t.example/1ticket"]);
    let page = browser.submit(&page, &format!("{links}/1"), &[]).await.page;
    assert_eq!(page.all("[aria-labelledby='links'] .todo li").len(), 1);
}

#[both_engines]
async fn a_review_is_written_published_and_corrected(app: TestApp) {
    let mut browser = declared(&app).await;
    let address = format!("{INCIDENT}/review");
    let page = browser.get(&address).await.page;
    let page = browser
        .submit(&page, &address, &[("summary", "Rain."), ("action_title", "Mend the roof")])
        .await
        .page;
    assert_eq!(page.text_of("#summary"), "Rain.");
    assert_eq!(page.all("input[name='action_title']").len(), 2, "one action, and an empty row");
    assert_eq!(page.text_of(".printed"), "Summary Rain. Actions Mend the roofUnassigned");
    let early = browser.submit(&page, &address, &[("state", "published")]).await;
    assert_eq!(early.status, StatusCode::UNPROCESSABLE_ENTITY, "the root cause is missing");
    let page =
        browser.submit(&page, &address, &[("root_cause", "A hole."), ("state", "published")]).await.page;
    assert_eq!((page.text_of(".badge.good"), page.all("textarea").len()), ("Published".into(), 0));
    assert_eq!((page.text_of(".toast"), page.all(".printed").len()), ("Review published.".into(), 0));
    let page = browser.submit(&page, &format!("{address}/actions/1"), &[]).await.page;
    assert!(page.text().contains("Task 1"), "{}", page.text());
    let again = browser.submit(&page, &address, &[("state", "draft")]).await.page;
    assert_eq!(again.text_of("aside .facts dd"), "2", "{}", again.text());
    assert_eq!(again.texts(&format!("a[href='{address}/word'][download]")), ["Download as Word"]);
    let pdf = format!("a[href='{address}/pdf'][download]");
    assert_eq!(again.all(&pdf).len(), usize::from(render::PRINTS_PDF));
    let (headers, _) = browser.file(&format!("{address}/word")).await;
    assert_eq!(headers["content-type"], lists::printed_file::WORD);
}

#[both_engines]
async fn a_restricted_incident_says_so_in_its_head_and_in_lists(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    for _ in 0..2 {
        let body = json!({"title": "A", "description": ""});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let restricted = json!({"restricted": true});
    app.patch("/v1/incidents/2").bearer(&ada.token).json(restricted).expect(200).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get("/o/acme/incidents/INC-0002").await.page;
    assert_eq!(page.text_of(".head > .badge"), "Restricted");
    let page = browser.get("/o/acme/incidents").await.page;
    assert_eq!(page.texts("tbody .main"), ["Restricted A", "A"]);
}

#[both_engines]
async fn an_address_after_an_at_sign_mentions_the_member_by_name(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Responder).await;
    let ben = app.person("Ben *Nye*", Role::Responder).await;
    let staff = app.person("Cleo", Role::Staff).await;
    let body = json!({"title": "A", "description": ""});
    app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    let home = "/o/acme/incidents/INC-0001";
    let page = browser.get(home).await.page;
    let offered = page.all("#mentionable option");
    let offered: Vec<_> = offered.iter().map(|it| it.attr("value").unwrap().to_owned()).collect();
    assert_eq!(offered, std::slice::from_ref(&ben.email), "who sees the incident, and not the writer");
    let text = format!("@{}, @{} and @nobody@x.org: look.", ben.email.to_uppercase(), staff.email);
    let page = browser.submit(&page, &format!("{home}/notes"), &[("text", &text)]).await.page;
    assert_eq!(page.text_of(".say"), "@Ben *Nye*, @Cleo and @nobody@x.org: look.");
    let warned =
        "Added to the timeline. Cleo does not see this incident, and the mention does not change that.";
    assert_eq!(page.text_of(".toast"), warned);
    let mentions = async || {
        let note = app.get("/v1/incidents/1/notes/1").bearer(&ada.token).expect(200).await;
        let ids = note.json()["mentions"].as_array().unwrap().iter().map(|it| it["id"].clone());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(mentions().await, [json!(ben.id), json!(staff.id)]);
    // An edit mentions whom the new text does, and keeps who was mentioned beside the text.
    let beside = json!({"mentions": [ada.id, ben.id, staff.id]});
    app.patch("/v1/incidents/1/notes/1").bearer(&ada.token).json(beside).expect(200).await;
    let edit = format!("{home}/notes/1");
    let form = browser.get(&edit).await.page;
    browser.submit(&form, &edit, &[("text", &format!("Only @{}", staff.email))]).await;
    assert_eq!(mentions().await, [json!(ada.id), json!(staff.id)]);
}
