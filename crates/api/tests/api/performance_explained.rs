//! `/v1/organizations/{id}/risk-performance`: what the figure is made of, those of the past and of some risks, and their series.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient};

const ALL: &str = "risks:read risks:write risks:delete tags:read tags:write";

async fn performance(app: &TestApp, client: &TestClient, query: &str) -> Answer {
    let path = format!("/v1/organizations/{}/risk-performance{query}", app.organization);
    app.get(&path).bearer(client).expect(200).await
}

async fn faults(app: &TestApp, client: &TestClient, query: &str) -> Vec<String> {
    let path = format!("/v1/organizations/{}/risk-performance{query}", app.organization);
    app.get(&path).bearer(client).expect(400).await.faults()
}

/// The number of risks and the per cent.
fn figure(shown: &Value) -> (i64, i64) {
    let number = |name: &str| shown[name].as_i64().unwrap();
    (number("total_risks_evaluated"), number("average_performance_percentage"))
}

async fn evaluate(app: &TestApp, client: &TestClient, risk: i64, rating: (i64, i64)) {
    let body = json!({"likelihood": rating.0, "impact": rating.1});
    app.post(&format!("/v1/risks/RSK-{risk}/evaluations")).bearer(client).json(body).expect(201).await;
}

/// Five risks: two count, with 5714 and 10000 basis points; the others have no target, were never evaluated, and are deleted.
async fn filled(app: &TestApp) -> TestClient {
    let client = app.client_with_scopes(ALL).await;
    let target = json!({"likelihood": 2, "impact": 3});
    for (title, target) in
        [("a", &target), ("b", &target), ("aim", &Value::Null), ("new", &target), ("gone", &target)]
    {
        let body = json!({"title": title, "inherent": {"likelihood": 4, "impact": 5}, "target": target,
            "category": if title == "a" { "fire" } else { "water" }});
        app.post("/v1/risks").bearer(&client).json(body).expect(201).await;
    }
    for (risk, rating) in [(1, (3, 4)), (2, (2, 3)), (3, (5, 5)), (5, (4, 5))] {
        evaluate(app, &client, risk, rating).await;
    }
    app.delete("/v1/risks/RSK-5").bearer(&client).expect(204).await;
    client
}

#[testkit::both_engines]
async fn a_figure_says_what_it_is_made_of_and_what_it_leaves_out(app: TestApp) {
    let client = filled(&app).await;
    let shown = performance(&app, &client, "?explain=true&include_total=true").await;
    let shown = shown.json();
    assert_eq!(figure(shown), (2, 79));
    let formula = &shown["formula"];
    assert_eq!((&formula["version"], &formula["sum_basis_points"]), (&json!(1), &json!(15_714)));
    assert_eq!(shown["coverage"], json!({"open": 4, "evaluated": 3, "worse_than_inherent": 1}));
    let counted = |it: &Value| {
        json!([
            it["risk"],
            it["evaluation"],
            it["inherent"],
            it["target"],
            it["current"],
            it["performance_basis_points"]
        ])
    };
    let contributions: Vec<_> = shown["contributions"].as_array().unwrap().iter().map(counted).collect();
    let expected = [json!(["RSK-1", 1, 20, 6, 12, 5714]), json!(["RSK-2", 1, 20, 6, 6, 10_000])];
    assert_eq!(contributions, expected);
    let excluded = json!([
        {"risk": "RSK-3", "title": "aim", "why": "no_target"},
        {"risk": "RSK-4", "title": "new", "why": "never_evaluated"},
        {"risk": "RSK-5", "title": "gone", "why": "deleted"},
    ]);
    assert_eq!(shown["excluded"], excluded);
    assert_eq!((&shown["has_more"], &shown["total"]), (&json!(false), &json!(5)));
    let reader = app.client_with_scopes("risks:read").await;
    let seen = performance(&app, &reader, "?explain=true&include_total=true").await;
    assert_eq!(seen.json()["excluded"].as_array().unwrap(), &excluded.as_array().unwrap()[..2]);
    assert_eq!((&seen.json()["total"], figure(seen.json())), (&json!(4), (2, 79)));
    // A change of the plan does not rewrite what was recorded with the evaluation.
    let body = json!({"target": {"likelihood": 1, "impact": 1}});
    app.patch("/v1/risks/RSK-1").bearer(&client).json(body).expect(200).await;
    let again = performance(&app, &client, "?explain=true").await;
    assert_eq!(again.json()["contributions"], shown["contributions"]);
    app.db.clock.advance_days(91);
    let client = app.client_with_scopes(ALL).await;
    let later = performance(&app, &client, "?explain=true").await;
    assert_eq!(later.json()["excluded"][0]["why"], "not_evaluated_in_window");
    assert_eq!(figure(later.json()), (0, 0));
}

#[testkit::both_engines]
async fn the_risks_behind_a_figure_come_in_pages(app: TestApp) {
    let client = filled(&app).await;
    let (mut found, mut query) = (Vec::new(), "?explain=true&limit=2".to_owned());
    loop {
        let page = performance(&app, &client, &query).await;
        let page = page.json();
        assert_eq!((figure(page), &page["coverage"]["open"]), ((2, 79), &json!(4)), "the same on each page");
        for part in ["contributions", "excluded"] {
            found.extend(page[part].as_array().unwrap().iter().map(|it| it["risk"].clone()));
        }
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        query = format!("?explain=true&limit=2&cursor={cursor}");
    }
    assert_eq!(found, ["RSK-1", "RSK-2", "RSK-3", "RSK-4", "RSK-5"]);
    assert_eq!(faults(&app, &client, "?explain=true&cursor=x").await, ["cursor cursor"]);
    assert_eq!(faults(&app, &client, "?limit=2").await, ["limit conflict"]);
    assert_eq!(faults(&app, &client, "?explain=yes").await, ["explain format"]);
}

#[testkit::both_engines]
async fn a_figure_of_the_past_is_the_same_for_ever(app: TestApp) {
    let client = filled(&app).await;
    let at = domain::time::format(app.db.clock.now() + jiff::SignedDuration::from_secs(3));
    app.db.clock.advance_seconds(9);
    let past = performance(&app, &client, &format!("?as_of={at}&explain=true")).await;
    let query = format!("?as_of={at}&as_of_seq={}&explain=true", past.json()["as_of_seq"]);
    assert_eq!((figure(past.json()), past.text("as_of")), ((2, 79), at.as_str()));
    evaluate(&app, &client, 1, (2, 3)).await;
    app.delete("/v1/risks/RSK-2").bearer(&client).expect(204).await;
    assert_eq!(performance(&app, &client, &query).await.json(), past.json());
    let now = performance(&app, &client, "").await;
    assert_eq!((figure(now.json()), now.json().get("as_of")), ((1, 100), None));
    assert_eq!(faults(&app, &client, "?as_of=2099-01-01T00:00:00Z").await, ["as_of range"]);
    assert_eq!(faults(&app, &client, "?as_of_seq=999999").await, ["as_of_seq range"]);
    app.db.clock.advance_days(30);
    app.db.clock.advance_seconds(5);
    let client = app.client_with_scopes(ALL).await;
    evaluate(&app, &client, 1, (4, 5)).await;
    let compared = performance(&app, &client, "?period_days=30&compare=previous").await;
    assert_eq!(figure(compared.json()), (1, 0));
    assert_eq!(figure(&compared.json()["previous"]), (1, 100), "as it was known then");
    assert_eq!(faults(&app, &client, "?compare=next").await, ["compare enum"]);
}

#[testkit::both_engines]
async fn a_figure_is_of_some_risks(app: TestApp) {
    let client = filled(&app).await;
    let ada = app.person("Ada", Role::Owner).await;
    let tag = app.post("/v1/tags").bearer(&client).json(json!({"name": "t"})).expect(201).await;
    let tag = tag.text("id");
    let body = json!({"tag_id": tag});
    app.post("/v1/risks/RSK-1/tags").bearer(&client).json(body).expect(201).await;
    let owner = json!({"owner": ada.id});
    app.patch("/v1/risks/RSK-2").bearer(&client).json(owner).expect(200).await;
    let of = async |query: String| figure(performance(&app, &client, &query).await.json());
    assert_eq!(of(format!("?tag={tag}")).await, (1, 57));
    assert_eq!(of(format!("?owner={}", ada.id)).await, (1, 100));
    assert_eq!(of("?owner=none".to_owned()).await, (1, 57));
    assert_eq!(of(format!("?owner=none&owner={}", ada.id)).await, (2, 79));
    assert_eq!(of("?category=water".to_owned()).await, (1, 100));
    assert_eq!(of(format!("?category=water&tag={tag}")).await, (0, 0));
    let path = format!("/v1/organizations/{}/risk-performance?owner=me", app.organization);
    assert_eq!(figure(app.get(&path).bearer(&ada.token).expect(200).await.json()), (1, 100));
    assert_eq!(faults(&app, &client, "?owner=me&tag=x").await.len(), 2, "a client is nobody");
}

#[testkit::both_engines]
async fn each_point_of_a_series_is_the_figure_as_it_was_known(app: TestApp) {
    let begin = app.db.clock.now();
    let mut client = filled(&app).await;
    for (risk, rating) in [(1, (2, 3)), (4, (4, 5)), (2, (4, 4))] {
        app.db.clock.advance_days(3);
        client = app.client_with_scopes(ALL).await;
        evaluate(&app, &client, risk, rating).await;
    }
    let from = domain::time::format(begin);
    for filter in ["", "&category=water", "&owner=none&period_days=4"] {
        let series = performance(&app, &client, &format!("/series?from={from}&step=day{filter}")).await;
        let points = series.json()["points"].as_array().unwrap().clone();
        assert_eq!((points.len(), series.text("step")), (10, "day"));
        for point in points {
            let query = format!("?as_of={}{filter}", point["as_of"].as_str().unwrap());
            let alone = performance(&app, &client, &query).await;
            assert_eq!(figure(&point), figure(alone.json()), "{query}");
        }
    }
    let usual = performance(&app, &client, "/series").await;
    assert_eq!((usual.text("step"), usual.json()["points"].as_array().unwrap().len()), ("week", 13));
    assert_eq!(faults(&app, &client, "/series?to=2099-01-01T00:00:00Z").await, ["to range"]);
    assert_eq!(faults(&app, &client, "/series?from=2020-01-01T00:00:00Z&step=day").await, ["from range"]);
    let turned = "/series?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z";
    assert_eq!(faults(&app, &client, turned).await, ["to range"]);
    assert_eq!(faults(&app, &client, "/series?from=2099-01-01T00:00:00Z").await, ["from range"]);
}

#[testkit::both_engines]
async fn a_series_that_begins_after_the_last_full_hour_has_its_first_moment(app: TestApp) {
    app.db.clock.set("2026-03-02T10:40:00Z");
    let client = app.client_with_scopes(ALL).await;
    let series = performance(&app, &client, "/series?from=2026-03-02T10:20:00Z").await;
    let points = series.json()["points"].as_array().unwrap();
    let moments: Vec<&Value> = points.iter().map(|it| &it["as_of"]).collect();
    assert_eq!(moments, [&json!("2026-03-02T10:20:00.000000Z")]);
    assert_eq!(faults(&app, &client, "/series?from=2026-03-02T10:50:00Z").await, ["from range"]);
}
