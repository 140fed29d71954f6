//! Times in forms: what is not touched stays as it is, and a time that exists twice or not at all is asked for.

use axum::http::StatusCode;
use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, both_engines};

use crate::browser::{Browser, Shown};
use crate::html::Page;

const INCIDENT: &str = "/o/acme/incidents/INC-0001";

/// An organization in Berlin with an incident, and a browser of one of its people.
async fn in_berlin(app: &TestApp, incident: Value) -> (Browser, String) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut browser = Browser::of(app, &ada).await;
    let settings = "/o/acme/settings/organization";
    let page = browser.get(settings).await.page;
    browser.submit(&page, settings, &[("time_zone", "Europe/Berlin")]).await;
    app.post("/v1/incidents").bearer(&ada.token).json(incident).expect(201).await;
    (browser, ada.token)
}

async fn read(app: &TestApp, token: &str, address: &str) -> Value {
    app.get(address).bearer(token).expect(200).await.json().clone()
}

/// Sends the form of a page as a browser does, which leaves seconds out of times if they are zero.
async fn send(browser: &mut Browser, page: &Page, action: &str, changed: &[(&str, &str)]) -> Shown {
    let mut fields = page.form(action);
    let is_time = |name: &str| !page.all(&format!("input[type='datetime-local'][name='{name}']")).is_empty();
    for (name, value) in &mut fields {
        if is_time(name) {
            *value = value.strip_suffix(":00").unwrap_or(value).to_owned();
        }
    }
    for (name, value) in changed {
        fields.retain(|(known, _)| known != name);
        fields.push(((*name).to_owned(), (*value).to_owned()));
    }
    browser.post(action, &fields).await
}

#[both_engines]
async fn an_untouched_time_is_not_sent(app: TestApp) {
    let dates = json!({
        "title": "A", "description": "",
        "occurred_date": "2025-10-26T01:30:00Z", "detected_date": "2025-10-26T02:00:30.123456Z",
    });
    let (mut browser, token) = in_berlin(&app, dates).await;
    let edit = format!("{INCIDENT}/edit");
    let page = browser.get(&edit).await.page;
    // The first is in the hour that exists twice: the form shows which one it is.
    assert_eq!(page.all("input[name='occurred_date_instant'][checked]").len(), 1);
    // Somebody else saves another time meanwhile: it is not overwritten, and is no conflict.
    let later = json!({"detected_date": "2025-10-26T03:00:00.5Z"});
    app.patch("/v1/incidents/1").bearer(&token).json(later).expect(200).await;
    let saved = send(&mut browser, &page, &edit, &[("title", "B")]).await;
    assert_eq!(
        (saved.status, saved.page.text_of("h1").as_str()),
        (StatusCode::OK, "B"),
        "{}",
        saved.page.text()
    );
    let now = read(&app, &token, "/v1/incidents/1").await;
    assert_eq!(now["occurred_date"], "2025-10-26T01:30:00.000000Z");
    assert_eq!(now["detected_date"], "2025-10-26T03:00:00.500000Z");
}

#[both_engines]
async fn the_times_of_notes_actions_and_holds_stay_too(app: TestApp) {
    let (mut browser, token) = in_berlin(&app, json!({"title": "A", "description": ""})).await;
    let twice = "2025-10-26T01:30:00.250000Z";
    let entry = json!({"kind": "decision", "text": "Pump.", "at": twice});
    app.post("/v1/incidents/1/notes").bearer(&token).json(entry).expect(201).await;
    let review = json!({"actions": [{"title": "Mend", "due": twice}, {"title": "Paint", "due": null}]});
    app.patch("/v1/incidents/1/review").bearer(&token).json(review).expect(200).await;
    let until = "2026-10-25T01:30:00.250000Z";
    let hold = json!({"hold": {"reason": "Parts", "until": until}});
    app.patch("/v1/incidents/1").bearer(&token).json(hold).expect(200).await;

    let address = format!("{INCIDENT}/notes/1");
    let page = browser.get(&address).await.page;
    send(&mut browser, &page, &address, &[("text", "Pump it.")]).await;
    let entry = read(&app, &token, "/v1/incidents/1/notes/1").await;
    assert_eq!((&entry["text"], &entry["at"]), (&json!("Pump it."), &json!(twice)));

    let address = format!("{INCIDENT}/review");
    let page = browser.get(&address).await.page;
    send(&mut browser, &page, &address, &[("summary", "S")]).await;
    let review = read(&app, &token, "/v1/incidents/1/review").await;
    assert_eq!((&review["summary"], &review["actions"][0]["due"]), (&json!("S"), &json!(twice)));
    // The list is sent as a whole when one of its actions is changed.
    let page = browser.get(&address).await.page;
    let mut fields = page.form(&address);
    let titles = fields.iter_mut().filter(|(name, _)| name == "action_title");
    titles.filter(|(_, value)| value == "Paint").for_each(|(_, value)| *value = "Paint it".to_owned());
    browser.post(&address, &fields).await;
    let review = read(&app, &token, "/v1/incidents/1/review").await;
    assert_eq!(
        (&review["actions"][1]["title"], &review["actions"][0]["due"]),
        (&json!("Paint it"), &json!(twice))
    );

    let address = format!("{INCIDENT}/change/hold");
    let page = browser.get(&address).await.page;
    send(&mut browser, &page, &address, &[("hold_reason", "Spare parts")]).await;
    let hold = read(&app, &token, "/v1/incidents/1").await["hold"].clone();
    assert_eq!((&hold["reason"], &hold["until"]), (&json!("Spare parts"), &json!(until)));
}

/// Sends a form with a time that is asked for, and chooses each of the two moments.
async fn asks(browser: &mut Browser, (shown_at, action): (&str, &str), field: &str, more: &[(&str, &str)]) {
    let page = browser.get(shown_at).await.page;
    for (typed, told) in [
        ("2025-10-26T02:30", "exists twice in Europe/Berlin"),
        ("2025-03-30T02:30", "does not exist in Europe/Berlin"),
    ] {
        let changed: Vec<_> = [(field, typed)].into_iter().chain(more.iter().copied()).collect();
        let asked = send(browser, &page, action, &changed).await;
        assert_eq!(asked.status, StatusCode::UNPROCESSABLE_ENTITY, "{action} {field}: {}", asked.page.text());
        assert!(
            asked.page.text_of("[role='alert']").contains(told),
            "{}",
            asked.page.text_of("[role='alert']")
        );
        let moments = asked.page.all(&format!("input[type='radio'][name='{field}_instant']"));
        assert_eq!(moments.len(), 2, "{action} {field}");
        assert!(moments.iter().all(|it| it.attr("checked").is_none()), "the person chooses");
    }
}

#[both_engines]
async fn a_time_that_exists_twice_or_not_at_all_is_asked_for(app: TestApp) {
    let (mut browser, token) = in_berlin(&app, json!({"title": "A", "description": ""})).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    let risk = json!({"title": "Rain", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&token).json(risk).expect(201).await;
    app.post("/v1/incidents/1/notes")
        .bearer(&token)
        .json(json!({"kind": "decision", "text": "Pump."}))
        .expect(201)
        .await;
    let client = json!({"name": "SIEM", "scopes": "incidents:read"});
    let client =
        app.post("/v1/clients").bearer(&token).json(client).expect(201).await.text("client_id").to_owned();
    let new = "/o/acme/incidents/new";
    let in_words = [("likelihood", "2"), ("impact", "2")];
    let client = format!("/o/acme/settings/clients/{client}");
    let (edit, entry) = (format!("{INCIDENT}/edit"), format!("{INCIDENT}/notes/1"));
    asks(&mut browser, (new, new), "detected_date", &[("title", "T")]).await;
    asks(&mut browser, (new, new), "occurred_date", &[("title", "T")]).await;
    asks(&mut browser, (&edit, &edit), "occurred_date", &[]).await;
    asks(&mut browser, (&entry, &entry), "at", &[]).await;
    let notes = format!("{INCIDENT}/notes");
    asks(&mut browser, (INCIDENT, &notes), "at", &[("text", "T"), ("kind", "decision")]).await;
    let hold = format!("{INCIDENT}/change/hold");
    asks(&mut browser, (&hold, &hold), "hold_until", &[("hold_reason", "R")]).await;
    let status = format!("{INCIDENT}/status");
    let resolve = [("to", "resolved"), ("resolution_reason", "fixed")];
    asks(&mut browser, (INCIDENT, &status), "responded_date", &resolve).await;
    let risk = "/o/acme/risks/RSK-1";
    asks(&mut browser, (risk, &format!("{risk}/evaluations")), "evaluated_at", &in_words).await;
    asks(&mut browser, (&client, &format!("{client}/secrets")), "expires_date", &[]).await;
    assert_eq!(read(&app, &token, "/v1/incidents").await["data"].as_array().unwrap().len(), 1);
}

#[both_engines]
async fn the_moment_that_a_person_chooses_is_stored(app: TestApp) {
    let (mut browser, token) = in_berlin(&app, json!({"title": "A", "description": ""})).await;
    let new = "/o/acme/incidents/new";
    for (typed, moments) in [
        ("2025-10-26T02:30", ["2025-10-26T00:30:00.000000Z", "2025-10-26T01:30:00.000000Z"]),
        ("2025-03-30T02:30", ["2025-03-30T00:30:00.000000Z", "2025-03-30T01:30:00.000000Z"]),
    ] {
        for moment in moments {
            let page = browser.get(new).await.page;
            let asked = send(&mut browser, &page, new, &[("title", "T"), ("detected_date", typed)]).await;
            let made = send(&mut browser, &asked.page, new, &[("detected_date_instant", moment)]).await;
            assert_eq!(made.status, StatusCode::OK, "{}", made.page.text());
            let id = made.address.rsplit('/').next().unwrap();
            let stored = read(&app, &token, &format!("/v1/incidents/{id}")).await["detected_date"].clone();
            assert_eq!(stored, moment, "{typed}");
        }
    }
    // An action of a review asks too, and so does a day in the past.
    let address = format!("{INCIDENT}/review");
    let page = browser.get(&address).await.page;
    let action = [("action_title", "Mend"), ("action_due", "2026-10-25T02:30")];
    let asked = send(&mut browser, &page, &address, &action).await;
    assert_eq!(
        (asked.status, asked.page.all("#actions_due-error").len()),
        (StatusCode::UNPROCESSABLE_ENTITY, 1)
    );
    let moment =
        asked.page.all("select[name='action_due_instant'] option")[2].attr("value").unwrap().to_owned();
    let mut fields = asked.page.form(&address);
    let first = fields.iter_mut().find(|(name, _)| name == "action_due_instant").unwrap();
    first.1.clone_from(&moment);
    browser.post(&address, &fields).await;
    assert_eq!(read(&app, &token, "/v1/incidents/1/review").await["actions"][0]["due"], moment);
    let past = browser.get(&format!("{INCIDENT}/as-of?at=2025-10-26T02:30")).await.page;
    assert_eq!(past.all("input[name='at_instant']").len(), 2);
}
