//! `GET /v1/incidents/metrics`: the figures, and the lists of the incidents behind each number.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

/// Incidents of three months, of every severity, in every status, some without dates.
async fn fill(app: &TestApp, ada: &TestPerson) {
    let post = async |path: &str, body: Value, status| {
        app.post(path).bearer(&ada.token).json(body).expect(status).await;
    };
    let tag = app.post("/v1/tags").bearer(&ada.token).json(json!({"name": "Phishing"})).expect(201).await;
    for number in 1..=30 {
        let day = format!("2026-0{}-{:02}", number % 2 + 1, number % 27 + 1);
        let mut body = json!({"title": format!("{number}"), "description": "",
            "detected_date": format!("{day}T10:00:00Z")});
        if number % 3 > 0 {
            body["occurred_date"] = json!(format!("{day}T0{}:30:00Z", number % 9));
        }
        if number % 4 > 0 {
            // Every third of them before the detection.
            let hour = if number % 3 == 0 { 9 } else { 11 };
            body["responded_date"] = json!(format!("{day}T{hour:02}:{:02}:00Z", number));
        }
        if number % 5 == 0 {
            body["contained_date"] = json!(format!("{day}T14:00:00Z"));
        }
        post("/v1/incidents", body, 201).await;
        let kind = match number {
            7 => "drill",
            8 => "test",
            9 | 10 => "near_miss",
            11 => "retrospective",
            _ => "real",
        };
        let patch = json!({"kind": kind, "restricted": number % 6 == 0});
        app.patch(&format!("/v1/incidents/{number}")).bearer(&ada.token).json(patch).expect(200).await;
        let severity = ["low", "medium", "high", "critical"][number % 4];
        let body = json!({"severity": severity, "reason": "Known."});
        app.put(&format!("/v1/incidents/{number}/severity")).bearer(&ada.token).json(body).expect(200).await;
        if number % 2 == 0 {
            let body = json!({"tag_id": tag.text("id")});
            post(&format!("/v1/incidents/{number}/tags"), body, 201).await;
        }
    }
    for number in [1, 2, 5, 10, 13, 14, 17] {
        let body = json!({"to": "resolved", "resolution_reason": "fixed",
            "at": format!("2026-02-28T{:02}:00:00Z", number)});
        post(&format!("/v1/incidents/{number}/transitions"), body, 200).await;
    }
    for number in [1, 13] {
        let body = json!({"to": "investigating", "reason": "Again."});
        post(&format!("/v1/incidents/{number}/transitions"), body, 200).await;
    }
    for number in [20, 21] {
        let body = json!({"to": "dismissed", "resolution_reason": "other", "reason": "None."});
        let path = format!("/v1/incidents/{number}/transitions");
        app.post(&path).bearer(&ada.token).json(body).expect(200).await;
    }
    post("/v1/incidents/bulk-delete", json!({"ids": [22, 23, 24]}), 200).await;
}

async fn metrics(app: &TestApp, caller: &TestPerson, query: &str) -> Value {
    app.get(&format!("/v1/incidents/metrics?{query}")).bearer(&caller.token).expect(200).await.json().clone()
}

/// Follows the link of a number, and compares.
async fn follow(app: &TestApp, caller: &TestPerson, link: &Value, expected: &Value) {
    let link = link.as_str().unwrap();
    let list =
        app.get(&format!("{link}&include_total=true&limit=200")).bearer(&caller.token).expect(200).await;
    assert_eq!(&list.json()["total"], expected, "{link}");
    assert_eq!(json!(list.json()["data"].as_array().unwrap().len()), *expected, "{link}");
}

/// Follows each link of each figure.
async fn follow_all(app: &TestApp, caller: &TestPerson, figures: &Value) {
    follow(app, caller, &figures["incidents"], &figures["total"]).await;
    for it in figures["figures"].as_array().unwrap() {
        let counts = [
            ("measured", &it["n"]),
            ("invalid", &it["n_invalid"]),
            ("open", &it["n_open"]),
            ("missing", &it["n_missing"]),
        ];
        for (name, count) in counts {
            follow(app, caller, &it["incidents"][name], count).await;
        }
        let sum: i64 = counts.iter().map(|(_, count)| count.as_i64().unwrap()).sum();
        assert_eq!(figures["total"], sum, "{it}");
    }
}

#[both_engines]
async fn each_link_leads_to_exactly_the_incidents_that_are_counted(app: TestApp) {
    let (ada, vera) = (app.person("Ada", Role::Admin).await, app.person("Vera", Role::Viewer).await);
    fill(&app, &ada).await;
    let zone = json!({"time_zone": "America/New_York"});
    let path = format!("/v1/organizations/{}", app.organization);
    app.patch(&path).bearer(&ada.token).json(zone).expect(200).await;
    let tags = app.get("/v1/tags").bearer(&ada.token).expect(200).await;
    let tag = tags.json()["data"][0]["id"].as_str().unwrap().to_owned();
    for query in [
        String::new(),
        "group_by=severity".to_owned(),
        "group_by=severity&severity=high&severity=low".to_owned(),
        "group_by=month&from=2025-12-31T23:00:00Z&to=2026-02-20T10:00:00%2B01:00".to_owned(),
        "group_by=week&from=2025-12-31T23:00:00Z".to_owned(),
        "group_by=kind&include=near_miss&include=retrospective&severity=low&severity=high".to_owned(),
        format!("group_by=tag&tag={tag}&include=near_miss"),
    ] {
        for caller in [&ada, &vera] {
            let found = metrics(&app, caller, &query).await;
            assert!(found["total"].as_u64().unwrap() > 4, "{found}");
            follow_all(&app, caller, &found).await;
            let groups = found["groups"].as_array().unwrap();
            assert_eq!(groups.is_empty(), query.is_empty());
            for group in groups {
                follow_all(&app, caller, group).await;
            }
            if !query.contains("tag") && !query.is_empty() {
                let sum: i64 = groups.iter().map(|group| group["total"].as_i64().unwrap()).sum();
                assert_eq!(found["total"], sum);
            }
        }
    }
}

#[both_engines]
async fn figures_say_what_they_leave_out_and_whom_they_count(app: TestApp) {
    let (ada, vera) = (app.person("Ada", Role::Admin).await, app.person("Vera", Role::Viewer).await);
    let none = metrics(&app, &ada, "group_by=month").await;
    assert_eq!((&none["total"], &none["groups"]), (&json!(0), &json!([])));
    assert_eq!(none["figures"][0]["status"], "no_data");
    assert_eq!(none["figures"][0]["p50_seconds"], Value::Null);
    fill(&app, &ada).await;
    let found = metrics(&app, &ada, "").await;
    // Both engines run in one process.
    insta::allow_duplicates! {
        insta::assert_json_snapshot!(found["excluded"], @r#"
        {
          "deleted": 3,
          "dismissed": 2,
          "drill": 1,
          "near_miss": 2,
          "retrospective": 1,
          "test": 1
        }
        "#);
        insta::assert_json_snapshot!(found["figures"][1], @r#"
        {
          "figure": "time_to_respond",
          "geometric_mean_seconds": 4469.024304,
          "incidents": {
            "invalid": "/v1/incidents?invalid=time_to_respond&kind=real",
            "measured": "/v1/incidents?measured=time_to_respond&kind=real",
            "missing": "/v1/incidents?missing=time_to_respond&kind=real",
            "open": "/v1/incidents?open=time_to_respond&kind=real"
          },
          "max_seconds": 5340.0,
          "min_seconds": 3660.0,
          "n": 10,
          "n_invalid": 6,
          "n_missing": 0,
          "n_open": 4,
          "p50_seconds": 4530.0,
          "p90_seconds": 5178.0,
          "status": "incomplete"
        }
        "#);
    }
    assert_eq!(found["total"], 30 - 3 - 1 - 1 - 2 - 3);
    assert_eq!((&found["includes_restricted"], &found["time_zone"]), (&json!(true), &json!("UTC")));
    let with = metrics(&app, &ada, "include=near_miss&include=retrospective").await;
    assert_eq!((&with["total"], &with["excluded"]["near_miss"]), (&json!(23), &json!(0)));
    // Restricted ones are not counted for those who do not see them, not even among those that are left out.
    let seen = metrics(&app, &vera, "").await;
    assert_eq!((&seen["includes_restricted"], &seen["excluded"]["deleted"]), (&json!(false), &json!(2)));
    let months = metrics(&app, &ada, "group_by=month&from=2025-11-01T00:00:00Z").await;
    let names: Vec<_> = months["groups"].as_array().unwrap().iter().map(|it| &it["value"]).collect();
    assert_eq!(names, ["2025-11", "2025-12", "2026-01", "2026-02", "2026-03"]);
    assert_eq!(months["groups"][0]["total"], 0);
}

/// What the filters by figure let through is what figures count with every `include`, deleted ones or not.
#[both_engines]
async fn lists_by_figure_have_only_what_figures_count(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    fill(&app, &ada).await;
    let found = metrics(&app, &ada, "include=near_miss&include=retrospective").await;
    let total = async |query: &str| {
        let list = app.get(&format!("/v1/incidents?include_total=true&{query}"));
        list.bearer(&ada.token).expect(200).await.json()["total"].clone()
    };
    let all = "measured=time_to_respond";
    assert_eq!(total(all).await, found["figures"][1]["n"]);
    assert_eq!(total(&format!("{all}&deleted=with")).await, found["figures"][1]["n"]);
    assert_eq!(total(&format!("{all}&deleted=only")).await, 0);
}

/// Of more months than groups may be, those that have an incident.
#[both_engines]
async fn months_of_more_than_a_century_are_those_with_an_incident(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    for date in ["1899-12-31T12:00:00Z", "1900-01-01T12:00:00Z"] {
        let body = json!({"title": "Fire", "description": "", "detected_date": date});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let groups = async |query: &str| -> Vec<String> {
        let found = metrics(&app, &ada, &format!("group_by=month{query}")).await;
        let groups = found["groups"].as_array().unwrap();
        groups.iter().map(|it| it["value"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(groups("").await, ["1899-12", "1900-01"]);
    assert_eq!(groups("&to=1900-03-01T00:00:00Z").await, ["1899-12", "1900-01", "1900-02"]);
}

#[both_engines]
async fn wrong_parameters_of_figures_are_told_at_once(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let query = "group_by=day&include=drill&from=2026-03-01T00:00:00Z&to=2026-02-01T00:00:00Z&tag=x&limit=1";
    let found = app.get(&format!("/v1/incidents/metrics?{query}")).bearer(&ada.token).expect(400).await;
    let faults: Vec<_> =
        found.json()["errors"].as_array().unwrap().iter().map(|it| it["parameter"].clone()).collect();
    assert_eq!(faults, ["group_by", "include", "tag", "to", "limit"]);
    app.get("/v1/incidents?measured=mttr").bearer(&ada.token).expect(400).await;
    let body = json!({"filter": {"open": "time_to_close", "missing": ["time_to_detect"]},
        "operation": {"type": "assign", "assigned_to": ada.id}, "dry_run": true});
    app.post("/v1/incidents/bulk").bearer(&ada.token).json(body).expect(200).await;
}
