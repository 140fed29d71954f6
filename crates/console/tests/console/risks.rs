use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

#[both_engines]
async fn a_risk_is_added_and_evaluated(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get("/o/acme/risks/new").await.page;
    let ratings = [
        ("inherent_likelihood", "4"),
        ("inherent_impact", "5"),
        ("target_likelihood", "2"),
        ("target_impact", "4"),
    ];
    let typed = [&ratings[..], &[("title", "Ransomware"), ("category", "Cyber")]].concat();
    let shown = browser.submit(&form, "/o/acme/risks/new", &typed).await;
    assert_eq!((shown.status, shown.address.as_str()), (StatusCode::OK, "/o/acme/risks/RSK-1"));
    assert_eq!(shown.page.texts(".figure .score b"), ["20", "8"]);
    let address = "/o/acme/risks/RSK-1/evaluations";
    let first =
        [("likelihood", "4"), ("impact", "5"), ("evaluated_at", "2026-01-01T00:00"), ("note", "At first")];
    let page = browser.submit(&shown.page, address, &first).await.page;
    let second = [("likelihood", "3"), ("impact", "4"), ("evaluated_at", ""), ("note", "<b>Better</b>")];
    let page = browser.submit(&page, address, &second).await.page;
    assert_eq!(page.texts(".figure .score b"), ["20", "12", "8"]);
    assert_eq!(page.texts("tbody .md"), ["<b>Better</b>", "At first"]);
    let chart = page.text_of("#chart-text");
    assert_eq!(chart, "From 20 on 1 January 2026 to 12 on 1 March 2026. Inherent 20, target 8.");
    let refused = browser.submit(&page, address, &[("likelihood", "6"), ("note", "Kept")]).await;
    assert_eq!(
        (refused.status, refused.page.all("#likelihood-error").len()),
        (StatusCode::UNPROCESSABLE_ENTITY, 1)
    );
    assert!(refused.page.form(address).contains(&("note".to_owned(), "Kept".to_owned())));
    let list = browser.get("/o/acme/risks").await.page;
    assert_eq!(
        (list.texts("tbody .t"), list.text_of(".reach")),
        (vec!["Ransomware".to_owned()], String::new())
    );
    assert_eq!(list.all(".reach[aria-label='From 20 to 12, target 8']").len(), 1);
}

#[both_engines]
async fn a_risk_may_have_no_target_and_lose_it_again(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get("/o/acme/risks/new").await.page;
    let typed = [("title", "R"), ("inherent_likelihood", "4"), ("inherent_impact", "5")];
    let half = [&typed[..], &[("target_impact", "2")]].concat();
    let refused = browser.submit(&form, "/o/acme/risks/new", &half).await;
    assert_eq!(refused.page.all("#target_likelihood-error").len(), 1, "{}", refused.page.text());
    let shown = browser.submit(&form, "/o/acme/risks/new", &typed).await;
    assert_eq!((shown.status, shown.page.texts(".figure .score b")), (StatusCode::OK, vec!["20".to_owned()]));
    assert!(shown.page.text_of(".figures").contains("No target"));
    let rating = [("likelihood", "3"), ("impact", "4")];
    let page = browser.submit(&shown.page, &format!("{RISK}/evaluations"), &rating).await.page;
    assert!(!page.text_of(".figures").contains("Progress"), "{}", page.text());
    for address in
        ["/o/acme/risks", "/o/acme/risks/performance", "/o/acme", "/o/acme/risks/heat-map?basis=target"]
    {
        assert_eq!(browser.get(address).await.status, StatusCode::OK, "{address}");
    }
    let edit = format!("{RISK}/edit");
    for (likelihood, impact, scores) in [("2", "3", vec!["20", "12", "6"]), ("", "", vec!["20", "12"])] {
        let form = browser.get(&edit).await.page;
        let target = [("target_likelihood", likelihood), ("target_impact", impact)];
        let shown = browser.submit(&form, &edit, &target).await;
        assert_eq!(shown.page.texts(".figure .score b"), scores, "{}", shown.page.text());
    }
}

#[both_engines]
async fn a_target_above_the_inherent_score_is_refused(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get("/o/acme/risks/new").await.page;
    let typed = [
        ("title", "R"),
        ("inherent_likelihood", "1"),
        ("inherent_impact", "1"),
        ("target_likelihood", "5"),
        ("target_impact", "5"),
    ];
    let shown = browser.submit(&form, "/o/acme/risks/new", &typed).await;
    assert_eq!(shown.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(shown.page.text_of("#target-error").contains("must not be above"), "{}", shown.page.text());
    let kept = shown.page.form("/o/acme/risks/new");
    assert!(kept.contains(&("target_impact".to_owned(), "5".to_owned())), "{kept:?}");
}

#[both_engines]
async fn risks_are_read_by_viewers_and_changed_by_owners(app: TestApp) {
    let (ada, vera) = (app.person("Ada", Role::Owner).await, app.person("Vera", Role::Viewer).await);
    let rating = json!({"likelihood": 3, "impact": 3});
    let body = json!({"title": "R", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    let mut browser = Browser::of(&app, &vera).await;
    let page = browser.get("/o/acme/risks/RSK-1").await.page;
    assert_eq!((page.text_of("h1"), page.all("main form").len()), ("R".to_owned(), 0));
    assert_eq!(browser.get("/o/acme/risks/new").await.status, StatusCode::FORBIDDEN);
    let fields = [("likelihood".to_owned(), "1".to_owned()), ("impact".to_owned(), "1".to_owned())];
    let shown = browser.post("/o/acme/risks/RSK-1/evaluations", &fields).await;
    assert_eq!(shown.status, StatusCode::FORBIDDEN);
    let staff = app.person("Stan", Role::Staff).await;
    let mut browser = Browser::of(&app, &staff).await;
    assert_eq!(browser.get("/o/acme/risks").await.status, StatusCode::FORBIDDEN);
    assert_eq!(browser.get("/o/acme/risks/RSK-1").await.status, StatusCode::FORBIDDEN);
}

const NOT_IN_THE_PAST: &str = "Choose a time in the past.";
const RISK: &str = "/o/acme/risks/RSK-1";

async fn registered(app: &TestApp) -> Browser {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let rating = |likelihood: i64, impact: i64| json!({"likelihood": likelihood, "impact": impact});
    let risk = json!({"title": "Flood", "inherent": rating(4, 5), "target": rating(2, 4)});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    let incident = json!({"title": "Cellar full of water", "description": ""});
    app.post("/v1/incidents").bearer(&ada.token).json(incident).expect(201).await;
    let link = json!({"to": {"type": "risk", "id": "RSK-1"}, "kind": "materialised"});
    app.post("/v1/incidents/1/links").bearer(&ada.token).json(link).expect(201).await;
    app.post("/v1/tags").bearer(&ada.token).json(json!({"name": "water"})).expect(201).await;
    Browser::of(app, &ada).await
}

#[both_engines]
async fn a_risk_is_changed_tagged_closed_deleted_and_brought_back(app: TestApp) {
    let mut browser = registered(&app).await;
    let edit = format!("{RISK}/edit");
    let page = browser.get(&edit).await.page;
    let refused = browser.submit(&page, &edit, &[("title", " "), ("target_impact", "12")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.page.all("#title-error, #target_impact-error").len(), 2, "{}", refused.page.text());
    let changed = [("title", "Flooded cellar"), ("target_impact", "3")];
    let page = browser.submit(&refused.page, &edit, &changed).await.page;
    assert_eq!(page.text_of("h1"), "Flooded cellar");
    assert!(page.text_of("[aria-labelledby='links']").contains("INC-0001"), "{}", page.text());
    let page = browser.submit(&page, &format!("{RISK}/tags"), &[]).await.page;
    assert_eq!(page.texts("form.tag"), ["water ×"]);
    let status = format!("{RISK}/status");
    let refused = browser.submit(&page, &status, &[("status_reason", "")]).await;
    assert_eq!(refused.page.all("#status_reason-error").len(), 1, "{}", refused.page.text());
    let page = browser.submit(&page, &status, &[("status_reason", "The cellar is filled in.")]).await.page;
    assert!(page.text_of(".note").contains("The cellar is filled in."), "{}", page.text());
    let refused = browser.submit(&page, &status, &[("status_reason", "")]).await;
    assert_eq!(refused.page.all("#status_reason-error").len(), 1, "{}", refused.page.text());
    let page = browser.submit(&page, &status, &[("status_reason", "It rained in.")]).await.page;
    assert!(page.text_of(".note").contains("It rained in."), "{}", page.text());
    assert!(page.text_of("aside .facts").contains("Next evaluation"), "{}", page.text());
    let page = browser.submit(&page, &format!("{RISK}/delete"), &[]).await.page;
    assert_eq!(page.text_of(".toast span"), "RSK-1 moved to trash.");
    assert_eq!(browser.get("/o/acme/risks/trash").await.page.all("tbody tr").len(), 1);
    let page = browser.get(RISK).await.page;
    assert!(page.text_of(".note.bad").starts_with("Deleted on"));
    let page = browser.submit(&page, &format!("{RISK}/restore"), &[]).await.page;
    assert!(page.all(".note.bad").is_empty());
}

#[both_engines]
async fn a_review_is_recorded_and_what_is_overdue_waits_for_its_owner(app: TestApp) {
    let mut browser = registered(&app).await;
    let edit = format!("{RISK}/edit");
    let page = browser.get(&edit).await.page;
    let cadences = [("evaluate_every_days", "7"), ("review_every_days", "30")];
    let page = browser.submit(&page, &edit, &cadences).await.page;
    let facts = page.text_of("aside .facts");
    assert!(facts.contains("Next evaluation 8 Mar 2026 Next review 31 Mar 2026"), "{facts}");
    let edited = browser.get(&edit).await.page;
    assert_eq!(edited.all("#evaluate_every_days")[0].attr("value"), Some("7"));
    let otto = app.person("Otto", Role::Owner).await;
    let owned = json!({"owner": otto.id});
    app.patch("/v1/risks/RSK-1").bearer(&otto.token).json(owned).expect(200).await;
    let incident = json!({"title": "Fire", "description": ""});
    let body = json!({"title": "Fire", "inherent": {"likelihood": 3, "impact": 3},
        "target": {"likelihood": 1, "impact": 1}, "owner": otto.id});
    app.post("/v1/risks").bearer(&otto.token).json(body).expect(201).await;
    let closed = json!({"status": "closed", "status_reason": "Sold."});
    app.patch("/v1/risks/RSK-2").bearer(&otto.token).json(closed).expect(200).await;
    app.post("/v1/incidents").bearer(&otto.token).json(incident).expect(201).await;
    let link = json!({"to": {"type": "risk", "id": "RSK-2"}, "kind": "materialised"});
    app.post("/v1/incidents/2/links").bearer(&otto.token).json(link).expect(201).await;
    app.db.clock.advance_days(40);
    let mut browser = Browser::of(&app, &otto).await;
    let home = browser.get("/o/acme").await.page;
    let waiting = home.text_of("[aria-labelledby='waiting']");
    assert!(waiting.contains("RSK-1 · your risk · evaluation overdue · review overdue"), "{waiting}");
    assert!(waiting.contains("RSK-2 · closed, but happened: INC-0002"), "{waiting}");
    let list = browser.get("/o/acme/risks?review=overdue").await.page;
    assert_eq!(list.texts("tbody th"), ["Flood Evaluation overdue Review overdue"]);
    let page = browser.get(RISK).await.page;
    let page = browser.submit(&page, &format!("{RISK}/reviews"), &[("note", "It *stays*.")]).await.page;
    assert_eq!(page.text_of(".toast span"), "Review recorded.");
    let reviews = page.text_of("[aria-labelledby='reviews']");
    assert!(reviews.contains("10 April 2026, OttoIt stays."), "{reviews}");
    assert!(page.text_of("aside .facts").contains("Next review 10 May 2026"), "{}", page.text());
}

#[both_engines]
async fn what_is_overdue_goes_by_the_day_of_the_organization(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let zone = json!({"time_zone": "Europe/Berlin"});
    let organization = format!("/v1/organizations/{}", app.organization);
    app.patch(&organization).bearer(&ada.token).json(zone).expect(200).await;
    let body = json!({"title": "Flood", "inherent": {"likelihood": 4, "impact": 5}, "owner": ada.id,
        "evaluate_every_days": 7, "review_every_days": 7});
    app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    // The eighth in Los Angeles, and the ninth in Berlin.
    app.db.clock.set("2026-03-09T05:00:00Z");
    let mut browser = Browser::of(&app, &ada).await;
    let account = browser.get("/o/acme/account").await.page;
    browser.submit(&account, "/o/acme/account/display", &[("zone", "America/Los_Angeles")]).await;
    let list = browser.get("/o/acme/risks?evaluation=overdue").await.page;
    assert!(list.text().contains("Times are in America/Los_Angeles"), "{}", list.text());
    assert_eq!(list.texts("tbody th"), ["Flood Evaluation overdue Review overdue"]);
    let facts = browser.get(RISK).await.page.text_of("aside .facts");
    assert!(facts.contains("Next evaluation 8 Mar 2026 overdue Next review 8 Mar 2026 overdue"), "{facts}");
    let waiting = browser.get("/o/acme").await.page.text_of("[aria-labelledby='waiting']");
    assert!(waiting.contains("RSK-1 · your risk · evaluation overdue · review overdue"), "{waiting}");
}

#[both_engines]
async fn several_risks_come_back_from_the_trash_with_their_evaluations(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    for title in ["A", "B", "C", "D"] {
        let body = json!({"title": title, "inherent": rating, "target": rating});
        let risk = app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
        let address = format!("/v1/risks/{}", risk.text("id"));
        let evaluations = format!("{address}/evaluations");
        app.post(&evaluations).bearer(&ada.token).json(rating.clone()).expect(201).await;
        app.delete(&address).bearer(&ada.token).expect(204).await;
    }
    let mut browser = Browser::of(&app, &ada).await;
    let trash = browser.get("/o/acme/risks/trash").await.page;
    assert_eq!(trash.all("tbody tr").len(), 4);
    let nothing = browser.submit(&trash, "/o/acme/risks/trash", &[]).await;
    assert_eq!(nothing.page.text_of("[role='alert']"), "Nothing was selected.");
    // Somebody else is faster with one of them.
    app.post("/v1/risks/RSK-2/restore").bearer(&ada.token).expect(200).await;
    let chosen = [("ids", "RSK-1 RSK-2 RSK-3")];
    let page = browser.submit(&trash, "/o/acme/risks/trash", &chosen).await.page;
    assert_eq!(
        (page.texts("tbody .cut"), page.text_of(".toast span")),
        (vec!["D".to_owned()], "2 risks restored.".into())
    );
    let list = app.get("/v1/risks?sort=number").bearer(&ada.token).expect(200).await;
    let back = list.json()["data"].as_array().unwrap().clone();
    let shown: Vec<_> = back.iter().map(|it| (&it["id"], &it["current"]["score"])).collect();
    assert_eq!(
        shown,
        ["RSK-1", "RSK-2", "RSK-3"].map(|id| (json!(id), json!(9))).each_ref().map(|(a, b)| (a, b))
    );
}

#[both_engines]
async fn who_was_slower_sees_both_versions_and_saves_again(app: TestApp) {
    let mut browser = registered(&app).await;
    let edit = format!("{RISK}/edit");
    let (first, second) = (browser.get(&edit).await.page, browser.get(&edit).await.page);
    browser.submit(&first, &edit, &[("title", "First"), ("category", "Water")]).await;
    let typed = [("title", "Second"), ("description", "A long text")];
    let late = browser.submit(&second, &edit, &typed).await;
    assert_eq!(late.status, StatusCode::UNPROCESSABLE_ENTITY);
    let told = late.page.text_of(".note.bad");
    assert!(told.starts_with("Ada Byron changed it (Today 09:00)."), "{told}");
    assert_eq!(late.page.all("#title")[0].attr("value"), Some("Second"), "what was typed is kept");
    assert_eq!(late.page.texts("q"), ["First"], "theirs stands beside it");
    assert!(late.page.texts("main a").contains(&"Discard my changes".to_owned()));
    assert_eq!(
        late.page.all("#category")[0].attr("value"),
        Some("Water"),
        "what only they changed is taken over"
    );
    assert_eq!(browser.get(RISK).await.page.text_of("h1"), "First", "nothing is saved yet");
    let page = browser.submit(&late.page, &edit, &[]).await.page;
    assert_eq!(page.text_of("h1"), "Second");
    let facts = page.text_of("aside .facts");
    assert!(page.text().contains("A long text") && facts.contains("Water"), "{facts}");
}

#[both_engines]
async fn the_heat_map_counts_and_leads_to_the_risks_of_a_cell(app: TestApp) {
    let mut browser = registered(&app).await;
    let page = browser.get("/o/acme/risks/heat-map?basis=inherent").await.page;
    let links = page.all(".heat a");
    assert_eq!(links.len(), 1);
    assert_eq!(links[0].attr("href"), Some("?basis=inherent&cell=4x5"));
    assert_eq!(
        page.texts(".heat .axis"),
        ["Likelihood RSK-1", "Impact"],
        "the way of a risk is drawn over it"
    );
    assert_eq!(page.texts(".cell small span"), ["Flood"]);
    let page = browser.get("/o/acme/risks/heat-map?basis=inherent&cell=4x5").await.page;
    assert_eq!(page.text_of("#cell"), "Likely and severe");
    assert_eq!(page.texts("main aside li a"), ["Flood"]);
    let page = browser.get("/o/acme/risks/heat-map").await.page;
    assert_eq!((page.all(".heat a").len(), page.text().contains("not evaluated")), (0, true));
    assert!(
        page.text_of("main aside").contains("RSK-1") && page.all(".over .will").len() == 1,
        "few risks have arrows"
    );
    let past = browser.get("/o/acme/risks/heat-map?basis=inherent&day=2001-01-01").await.page;
    assert_eq!((past.all(".heat a").len(), past.all(".past").len()), (0, 1), "nothing was there");
    for odd in ["cell=9x9", "cell=x", "cell=4"] {
        let shown = browser.get(&format!("/o/acme/risks/heat-map?{odd}")).await;
        assert_eq!(shown.status, StatusCode::OK, "{odd}");
    }
    for day in ["2026-02-31", "2099-01-01", "9999-12-31", "x"] {
        let shown = browser.get(&format!("/o/acme/risks/heat-map?day={day}")).await;
        assert_eq!(
            (shown.status, shown.page.text_of(".note.bad").as_str()),
            (StatusCode::OK, NOT_IN_THE_PAST)
        );
        assert_eq!(shown.page.all("#day")[0].attr("value"), Some(day), "what was typed stays");
    }
    let today = browser.get("/o/acme/risks/heat-map?day=2026-03-01").await.page;
    assert_eq!(today.all(".note.bad, .past").len(), 0, "the day is not over: this is how it stands");
    let refused = browser.get("/o/acme/risks/heat-map?basis=foo").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
}

/// PostgreSQL has no dates before 4713 BC, and the API none before the year 0.
#[both_engines]
async fn a_date_before_the_year_0_is_refused(app: TestApp) {
    let mut browser = registered(&app).await;
    let (time, day) = ("-009000-01-01T00:00:00", "-9000-01-01");
    for address in [
        format!("risks/performance?at={time}"),
        format!("risks/performance?at={time}Z"),
        format!("incidents/INC-0001/as-of?at={time}"),
        format!("incidents/INC-0001/as-of?at={time}Z"),
        format!("risks/heat-map?day={day}"),
        "risks/heat-map?day=-009000-01-01".to_owned(),
    ] {
        let shown = browser.get(&format!("/o/acme/{address}")).await;
        let told = (shown.status, shown.page.text().contains(NOT_IN_THE_PAST));
        assert_eq!(told, (StatusCode::OK, true), "{address}");
    }
    for address in [
        format!("journal?from={time}"),
        format!("journal?to={time}Z"),
        format!("incidents?detected_from={day}"),
        format!("incidents?date=created&date_to={day}"),
        format!("risks?evaluated_from={day}"),
        format!("documents?next_review_from={day}"),
        format!("incidents/figures?from={day}"),
        format!("risks/changes?from={day}"),
        format!("reports/risks?to={day}"),
    ] {
        let shown = browser.get(&format!("/o/acme/{address}")).await;
        assert_eq!(shown.status, StatusCode::BAD_REQUEST, "{address}");
    }
}

#[both_engines]
async fn the_performance_is_explained_with_the_numbers_of_a_risk(app: TestApp) {
    let mut browser = registered(&app).await;
    let page = browser.get("/o/acme/risks/performance").await.page;
    assert_eq!(page.text_of(".figure b"), "0%");
    assert_eq!(page.all(".empty").len(), 1);
    let risk = browser.get(RISK).await.page;
    let fields = [("likelihood", "3"), ("impact", "4")];
    browser.submit(&risk, &format!("{RISK}/evaluations"), &fields).await;
    let page = browser.get("/o/acme/risks/performance").await.page;
    // (20 - 12) / (20 - 8)
    assert_eq!(
        (page.text_of(".figure b"), page.text_of(".formula.sm")),
        ("67%".into(), "20 − 12 20 − 8 = 67 %".into())
    );
    assert_eq!(page.texts("tbody tr td.last"), ["67 %"]);
    assert!(page.text().contains("6667 1 × 100 = 67 %"), "{}", page.text());
    assert!(page.text().contains("Every risk counts."), "{}", page.text());
}

#[both_engines]
async fn the_performance_has_a_line_what_it_leaves_out_and_a_look_back(app: TestApp) {
    let mut browser = registered(&app).await;
    let address = "/o/acme/risks/performance?period_days=30";
    let page = browser.get(address).await.page;
    assert!(page.text().contains("RSK-1 never evaluated"), "{}", page.text());
    assert_eq!(page.all("#line-text").len(), 0, "nothing was evaluated");
    app.db.clock.advance_seconds(36_000);
    let risk = browser.get(RISK).await.page;
    browser.submit(&risk, &format!("{RISK}/evaluations"), &[("likelihood", "2"), ("impact", "4")]).await;
    app.db.clock.advance_seconds(3_600);
    let page = browser.get(address).await.page;
    assert_eq!(
        page.text_of("#line-text"),
        "From 0 % on 30 January 2026 to 100 % on 1 March 2026.",
        "{}",
        page.text()
    );
    assert!(page.text_of(".figures").contains("0% 30 days earlier, 0 risks"), "{}", page.text());
    let past = browser.get(&format!("{address}&at=2026-03-01T12:00:00&zone_of_times=UTC")).await.page;
    assert!(past.text_of(".note").contains("1 March 2026"), "{}", past.text());
    assert!(past.text().contains("RSK-1 never evaluated"), "{}", past.text());
    assert_eq!((past.text_of(".figure b"), past.all("#parts").len()), ("0%".to_owned(), 0));
    let named = past.text_of("[aria-labelledby=same] .hash");
    let (_, query) = named.split_once('?').unwrap();
    assert!(query.starts_with("period_days=30&as_of=2026-03-01T12:00:00.000000Z&as_of_seq="), "{named}");
    let client = app.client_with_scopes("risks:read").await;
    let path = format!("/v1/organizations/{}/risk-performance?{query}", app.organization);
    let answer = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!(answer.json()["average_performance_percentage"], 0, "the figure of the page");
    for at in ["2027-03-02T09:00:00", "yesterday"] {
        let refused = browser.get(&format!("{address}&at={at}")).await.page;
        assert!(refused.text().contains(NOT_IN_THE_PAST), "{}", refused.text());
    }
}

#[both_engines]
async fn a_later_plan_does_not_change_how_the_performance_is_explained(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let rating = |likelihood: i64, impact: i64| json!({"likelihood": likelihood, "impact": impact});
    let risk = json!({"title": "Flood", "inherent": rating(4, 5), "target": rating(2, 3)});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    app.post("/v1/risks/RSK-1/evaluations").bearer(&ada.token).json(rating(3, 4)).expect(201).await;
    let plan = json!({"inherent": rating(3, 3), "target": rating(2, 2)});
    app.patch("/v1/risks/RSK-1").bearer(&ada.token).json(plan).expect(200).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get("/o/acme/risks/performance").await.page;
    assert_eq!(page.texts("[aria-labelledby=parts] tbody tr"), ["RSK-1 Flood 20 12 6 57 %"]);
    // (20 - 12) / (20 - 6)
    assert_eq!(page.text_of(".formula.sm"), "20 − 12 20 − 6 = 57 %");
    let worse = page.text_of("[aria-labelledby=worse]");
    assert!(worse.ends_with("No risk is above its inherent rating or its previous evaluation."), "{worse}");
    assert!(page.text().contains("0 of them worse than without controls"), "{}", page.text());
}

#[both_engines]
async fn that_every_risk_counts_is_said_only_of_all_risks(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    let mut evaluations = Vec::new();
    for number in 1..=201 {
        let target = (number <= 200).then_some(&rating);
        let body = json!({"title": "R", "inherent": rating, "target": target});
        app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
        evaluations.push(json!({"risk": format!("RSK-{number}"), "likelihood": 3, "impact": 3}));
    }
    let body = json!({"evaluations": evaluations});
    app.post("/v1/evaluations").bearer(&ada.token).json(body).expect(200).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get("/o/acme/risks/performance").await.page;
    let told = page.text_of("[aria-labelledby=left-out]");
    assert_eq!(told, "Left out of the first 200 risks Each of the first 200 risks counts.");
}

#[both_engines]
async fn the_register_is_narrowed_by_status_and_owner(app: TestApp) {
    let (ada, otto) = (app.person("Ada", Role::Owner).await, app.person("Otto", Role::Owner).await);
    let rating = json!({"likelihood": 3, "impact": 3});
    for (title, owner) in [("A", Some(&ada.id)), ("B", Some(&otto.id)), ("C", None)] {
        let body = json!({"title": title, "inherent": rating, "target": rating, "owner": owner});
        app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    }
    app.patch("/v1/risks/RSK-3")
        .bearer(&ada.token)
        .json(json!({"status": "closed", "status_reason": "Gone"}))
        .expect(200)
        .await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get("/o/acme/risks").await.page;
    assert!(page.texts("form.filters label").contains(&"Otto 1".to_owned()), "{}", page.text());
    for (query, expected) in [
        (format!("?sort=&owner={}", otto.id), vec!["B"]),
        ("?sort=&owner=me".to_owned(), vec!["A"]),
        ("?sort=&owner=none&status=open&status=closed".to_owned(), vec!["C closed"]),
        ("?sort=number&status=open&status=closed".to_owned(), vec!["A", "B", "C closed"]),
    ] {
        let shown = browser.get(&format!("/o/acme/risks{query}")).await;
        assert_eq!(shown.status, StatusCode::OK, "{query}: {}", shown.page.text());
        let page = shown.page;
        assert_eq!(page.texts("tbody th"), expected, "{query}");
        let is_narrowed = query.contains("owner");
        assert_eq!(page.texts("form.filters > a") == ["Clear"], is_narrowed, "{query}");
    }
}

#[both_engines]
async fn a_cell_names_up_to_three_risks(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    for (title, named) in
        [("A", &["A"][..]), ("B", &["B", "A"]), ("<b>C</b>", &["<b>C</b>", "B", "A"]), ("D", &[])]
    {
        let rating = json!({"likelihood": 3, "impact": 3});
        let body = json!({"title": title, "inherent": rating, "target": rating});
        app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
        let page = browser.get("/o/acme/risks/heat-map?basis=target").await.page;
        assert_eq!(page.texts(".cell small span"), named);
    }
}

#[both_engines]
async fn the_page_of_the_performance_names_what_got_worse(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = "/o/acme/risks/performance";
    let rating = |(likelihood, impact): (i64, i64)| json!({"likelihood": likelihood, "impact": impact});
    for (number, (title, ratings)) in
        [("Fire", &[(1, 4)][..]), ("Flood", &[(2, 2), (4, 3)]), ("Theft", &[(2, 2), (3, 5)])]
            .iter()
            .enumerate()
    {
        let inherent = if *title == "Theft" { (3, 4) } else { (4, 5) };
        let body = json!({"title": title, "inherent": rating(inherent), "target": rating((1, 1))});
        app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
        let address = format!("/v1/risks/RSK-{}/evaluations", number + 1);
        for it in *ratings {
            app.post(&address).bearer(&ada.token).json(rating(*it)).expect(201).await;
        }
        if number == 0 {
            let shown = browser.get(page).await.page.text_of("[aria-labelledby=worse]");
            assert!(
                shown.ends_with("No risk is above its inherent rating or its previous evaluation."),
                "{shown}"
            );
        }
    }
    let shown = browser.get(page).await.page;
    assert_eq!(
        shown.texts("[aria-labelledby=worse] h3"),
        ["Above the inherent rating 1 Critical", "Above the previous evaluation 1 Critical, 1 High"]
    );
    let rows = ["RSK-3 Theft 12 15 Critical", "RSK-3 Theft 4 Low 15 Critical", "RSK-2 Flood 4 Low 12 High"];
    assert_eq!(shown.texts("[aria-labelledby=worse] tbody tr"), rows);
    assert!(shown.links().contains(&"/o/acme/risks/RSK-3".to_owned()));
    assert_eq!(shown.texts(".figures .figure")[3], "2 got worse");
}

#[both_engines]
async fn the_scale_is_previewed_and_changed_cell_by_cell(app: TestApp) {
    let (ada, vera) = (app.person("Ada", Role::Admin).await, app.person("Vera", Role::Viewer).await);
    let rating = json!({"likelihood": 3, "impact": 4});
    let body = json!({"title": "R", "inherent": {"likelihood": 5, "impact": 5}});
    app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    app.post("/v1/risks/RSK-1/evaluations").bearer(&ada.token).json(rating).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/risks/scale";
    let form = browser.get(address).await.page;
    let typed = [
        ("reason", "Stricter"),
        ("bands_3_name", "Severe"),
        ("matrix_2_3", "3"),
        ("matrix_3_2", "3"),
        ("matrix_0_0", "2"),
    ];
    let refused = browser.submit(&form, address, &[&typed[..], &[("preview", "yes")]].concat()).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.page.all("#matrix_0_1-error").len(), 1, "{}", refused.page.text());
    let right = [&typed[..4], &[("preview", "yes")]].concat();
    let planned = browser.submit(&form, address, &right).await;
    assert!(planned.page.text_of("[role=status]").contains("1 from High to Severe: RSK-1"));
    assert_eq!(app.get("/v1/scale").bearer(&ada.token).expect(200).await.json()["version"], 1);
    let saved = browser.submit(&planned.page, address, &[]).await;
    assert_eq!((saved.status, saved.address.as_str()), (StatusCode::OK, address));
    assert!(saved.page.text().contains("Stricter"), "{}", saved.page.text());

    // Four levels: the risk has no place any more, and its next evaluation brings its ratings.
    let fewer = [("likelihood", "4"), ("impact", "4"), ("preview", "yes")];
    let form = browser.submit(&saved.page, address, &fewer).await.page;
    let form = browser.submit(&form, address, &[("reason", "Fewer"), ("preview", "yes")]).await.page;
    browser.submit(&form, address, &[]).await;
    let map = browser.get("/o/acme/risks/heat-map").await.page;
    assert!(map.text().contains("not placed: 1"), "{}", map.text());
    assert_eq!(map.all(".heat tbody .cell").len(), 16);
    let risk = browser.get(RISK).await.page;
    assert!(risk.text().contains("Rated by an earlier scale"), "{}", risk.text());
    let fields =
        [("likelihood", "2"), ("impact", "2"), ("inherent_likelihood", "4"), ("inherent_impact", "4")];
    let shown = browser.submit(&risk, &format!("{RISK}/evaluations"), &fields).await;
    assert!(!shown.page.text().contains("Rated by an earlier scale"), "{}", shown.page.text());
    assert_eq!(shown.page.texts(".figure .score b"), ["16", "4"]);

    let mut browser = Browser::of(&app, &vera).await;
    let page = browser.get(address).await;
    assert_eq!((page.status, page.page.all("main form").len()), (StatusCode::OK, 0));
}

#[both_engines]
async fn a_band_of_the_heat_map_leads_to_as_many_risks_as_it_counts(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let rating = |likelihood: i64, impact: i64| json!({"likelihood": likelihood, "impact": impact});
    let body = json!({"title": "R", "inherent": rating(4, 5)});
    app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    app.post("/v1/risks/RSK-1/evaluations").bearer(&ada.token).json(rating(3, 4)).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/risks/heat-map";
    let map = browser.get(address).await.page;
    assert_eq!(map.texts(".legend span"), ["Critical: 0", "High: 1", "Medium: 0", "Low: 0"]);
    assert_eq!(map.texts(".legend a"), ["Critical", "High", "Medium", "Low"]);
    let scale = app.get("/v1/scale").bearer(&ada.token).expect(200).await.json().clone();
    let mut changed = json!({"reason": "Other levels.", "meaning_changed": true});
    for member in ["likelihood", "impact", "bands", "matrix"] {
        changed[member] = scale[member].clone();
    }
    changed["bands"][1]["name"] = json!("Moderate");
    app.put("/v1/scale").bearer(&ada.token).json(changed).expect(200).await;
    // The register finds the risk by the name of its band in the earlier scale, and the map does not count it.
    let map = browser.get(address).await.page;
    assert!(map.text().contains("not placed: 1"), "{}", map.text());
    assert_eq!(map.texts(".legend span"), ["Critical: 0", "High: 0", "Moderate: 0", "Low: 0"]);
    assert_eq!(map.texts(".legend a"), ["Moderate"]);
    let body = json!({"likelihood": 3, "impact": 4, "inherent": rating(4, 5)});
    app.post("/v1/risks/RSK-1/evaluations").bearer(&ada.token).json(body).expect(201).await;
    let map = browser.get(address).await.page;
    assert_eq!(map.texts(".legend a"), ["Critical", "High", "Moderate", "Low"]);
    let high = browser.get("/o/acme/risks?status=open&band=High").await.page;
    assert_eq!(
        (map.texts(".legend span")[1].as_str(), high.texts("tbody th")),
        ("High: 1", vec!["R".into()])
    );
}

#[both_engines]
async fn changes_and_the_report_are_told_between_two_days(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let inherent = json!({"likelihood": 4, "impact": 5});
    let risk = json!({"title": "Flood", "inherent": inherent, "target": {"likelihood": 2, "impact": 4}});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    app.db.clock.advance_days(1);
    let mut browser = Browser::of(&app, &ada).await;
    let ada = app.sign_in_person(app.organization, &ada.email, &ada.password).await;
    let rating = json!({"likelihood": 3, "impact": 3, "note": "Dry <b>year</b>"});
    app.post("/v1/risks/RSK-1/evaluations").bearer(&ada).json(rating).expect(201).await;
    let moved = json!({"target": null, "treatment": "accept"});
    app.patch("/v1/risks/RSK-1").bearer(&ada).json(moved).expect(200).await;
    let days = "from=2026-03-01&to=2026-03-02";
    let page = browser.get(&format!("/o/acme/risks/changes?{days}")).await.page;
    let kinds = ["First evaluated", "Target moved", "Treatment changed"];
    assert_eq!(page.texts("tbody td:first-child"), kinds);
    assert!(page.text_of("tbody").contains("Dry <b>year</b>"), "{}", page.text());
    assert!(page.text().contains("Undecided → to Accept"), "{}", page.text());
    let some = browser.get(&format!("/o/acme/risks/changes?{days}&kind=target_moved")).await.page;
    assert_eq!(some.texts("tbody td:first-child"), ["Target moved"]);
    let first = browser.get(&format!("/o/acme/risks/changes?{days}&limit=2")).await.page;
    assert_eq!(first.texts("tbody td:first-child"), kinds[..2]);
    assert_eq!(first.text_of(".pager span"), "2 of 3");
    let next = first.all("a[rel='next']")[0].attr("href").unwrap().to_owned();
    let last = browser.get(&format!("/o/acme/risks/changes{next}")).await.page;
    assert_eq!(last.texts("tbody td:first-child"), kinds[2..]);
    assert_eq!(last.texts(".pager a"), ["First page"]);
    let none = browser.get("/o/acme/risks/changes?from=2026-03-02&to=2026-03-02").await.page;
    assert_eq!(none.all(".empty").len(), 1);

    let page = browser.get(&format!("/o/acme/reports/risks?{days}")).await.page;
    assert!(
        page.text_of(".head").contains("The end of 2026-03-02 (UTC), audit log entry"),
        "{}",
        page.text()
    );
    assert!(
        page.text_of("[aria-labelledby='summary']").contains("1 risk open: 0 Critical, 0 High, 1 Medium")
    );
    assert_eq!(page.texts("[aria-labelledby='changes'] tbody td:first-child"), kinds);
    assert_eq!(page.texts("[aria-labelledby='worst'] tbody td.last"), ["First evaluated"]);
    for (ending, begin) in [("word", "PK"), ("excel", "PK"), ("pdf", "%PDF")] {
        let address = format!("/o/acme/reports/risks/{ending}?{days}");
        let is_made = ending != "pdf" || render::PRINTS_PDF;
        assert_eq!(page.all(&format!("a[href='{address}'][download]")).len(), usize::from(is_made));
        if is_made {
            let (_, file) = browser.file(&address).await;
            assert!(file.starts_with(begin), "{ending}");
        }
    }
    for odd in ["from=x", "to=9999-12-31", "from=2026-03-02&to=2026-03-01"] {
        for path in ["risks/changes", "reports/risks", "reports/risks/word"] {
            let refused = browser.get(&format!("/o/acme/{path}?{odd}")).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{path} {odd}");
        }
    }
}
