//! Facets: each count is the total of the list with this value in its filter.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

/// The address of a list with this filter instead of its own one.
fn replaced(query: &str, name: &str, value: &str) -> String {
    let pairs = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key != name);
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(pairs).append_pair(name, value).finish()
}

/// How many rows a list has, counted one by one.
async fn total(app: &TestApp, caller: &TestPerson, list: &str, query: &str) -> i64 {
    let address = format!("/v1/{list}?{query}&include_total=true&limit=200");
    let found = app.get(&address).bearer(&caller.token).expect(200).await;
    let rows = i64::try_from(found.json()["data"].as_array().unwrap().len()).unwrap();
    assert_eq!(found.json()["total"], rows, "{query}");
    rows
}

/// Compares every count with the total of the list, and the sums of the facets with single values with the total without
/// their filters.
async fn compare(app: &TestApp, caller: &TestPerson, list: &str, query: &str) {
    let found = app.get(&format!("/v1/{list}/facets?{query}")).bearer(&caller.token).expect(200).await;
    assert_eq!(found.json()["total"], total(app, caller, list, query).await, "{query}");
    for (name, counts) in found.json()["facets"].as_object().unwrap() {
        let counts = counts.as_array().unwrap();
        for it in counts {
            let value = match &it["value"] {
                Value::Null if name == "category" || name == "band" => continue,
                Value::Null => "none",
                value => value.as_str().unwrap(),
            };
            let expected = total(app, caller, list, &replaced(query, name, value)).await;
            assert_eq!(it["count"], expected, "{list} {query}: {name}={value}");
        }
        // A record may have several tags, and neither a review nor an evaluation that is due.
        if !["tag", "review", "evaluation"].contains(&name.as_str()) {
            let sum: i64 = counts.iter().map(|it| it["count"].as_i64().unwrap()).sum();
            let others: String = form_urlencoded::Serializer::new(String::new())
                .extend_pairs(form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key != name))
                .finish();
            assert_eq!(sum, total(app, caller, list, &others).await, "{list} {query}: {name}");
        }
    }
}

#[both_engines]
async fn each_count_of_incidents_is_the_total_with_that_value(app: TestApp) {
    let (ada, vera) = (app.person("Ada", Role::Admin).await, app.person("Vera", Role::Viewer).await);
    let mut tags = Vec::new();
    for name in ["one", "two"] {
        let tag = app.post("/v1/tags").bearer(&ada.token).json(json!({"name": name})).expect(201).await;
        tags.push(tag.text("id").to_owned());
    }
    let none = app.get("/v1/incidents/facets").bearer(&ada.token).expect(200).await;
    assert_eq!(none.json()["total"], 0);
    assert!(none.json()["facets"].as_object().unwrap().values().all(|it| *it == json!([])));
    for number in 1..=24 {
        let assigned = (number % 3 == 0).then_some(&ada.id);
        let body = json!({"title": format!("{number}"), "description": "", "assigned_to": assigned});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
        let patch =
            json!({"kind": if number % 4 == 0 { "drill" } else { "real" }, "restricted": number % 5 == 0});
        app.patch(&format!("/v1/incidents/{number}")).bearer(&ada.token).json(patch).expect(200).await;
        if number % 2 == 0 {
            let low = json!({"severity": "low", "reason": "Small."});
            app.put(&format!("/v1/incidents/{number}/severity"))
                .bearer(&ada.token)
                .json(low)
                .expect(200)
                .await;
        }
        for (place, tag) in tags.iter().enumerate() {
            if number % (place + 2) == 0 {
                let body = json!({"tag_id": tag});
                let address = format!("/v1/incidents/{number}/tags");
                app.post(&address).bearer(&ada.token).json(body).expect(201).await;
            }
        }
    }
    let take = json!({"ids": [1, 2, 3, 4], "operation": {"type": "transition", "to": "investigating"}});
    app.post("/v1/incidents/bulk").bearer(&ada.token).json(take).expect(200).await;
    let untag = json!({"ids": [6], "operation": {"type": "untag", "tag_id": tags[0]}});
    app.post("/v1/incidents/bulk").bearer(&ada.token).json(untag).expect(200).await;
    app.post("/v1/incidents/bulk-delete").bearer(&ada.token).json(json!({"ids": [7, 8]})).expect(200).await;
    let dismiss = json!({"to": "dismissed", "resolution_reason": "test"});
    for number in [11, 12] {
        let address = format!("/v1/incidents/{number}/transitions");
        app.post(&address).bearer(&ada.token).json(dismiss.clone()).expect(200).await;
    }
    app.follow_search().await;
    for query in [
        String::new(),
        "status=new".to_owned(),
        "status=new&status=investigating&severity=low".to_owned(),
        "severity=undetermined&kind=real".to_owned(),
        "assigned_to=none".to_owned(),
        "category=open&kind=real".to_owned(),
        "category=closed".to_owned(),
        format!("assigned_to={}&kind=drill&category=open", ada.id),
        format!("tag={}", tags[0]),
        format!("tag={}&severity=low&status=new", tags[1]),
        "source=none-such".to_owned(),
        "q=1*".to_owned(),
        "q=-2&severity=low&kind=real".to_owned(),
    ] {
        compare(&app, &ada, "incidents", &query).await;
        compare(&app, &vera, "incidents", &query).await;
    }
    // Those who do not see an incident do not count it.
    let all = app.get("/v1/incidents/facets").bearer(&ada.token).expect(200).await.json()["total"].clone();
    let seen = app.get("/v1/incidents/facets").bearer(&vera.token).expect(200).await.json()["total"].clone();
    assert_eq!((all, seen), (json!(22), json!(18)));
    let found = app.get("/v1/incidents/facets").bearer(&ada.token).expect(200).await;
    assert_eq!(found.json()["facets"]["assigned_to"][1]["label"], "Ada");
    assert_eq!(found.json()["facets"]["tag"][0]["label"], "one");
    app.get("/v1/incidents/facets?limit=1").bearer(&ada.token).expect(400).await;
}

#[both_engines]
async fn each_count_of_risks_is_the_total_with_that_value(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    for number in 1..=12 {
        let category = ["Cyber", "Physical", "People"].get(number % 4);
        let treatment = ["accept", "avoid", "undecided"][number % 3];
        let owner = (number % 2 == 0).then_some(&ada.id);
        let body = json!({"title": format!("{number}"), "description": "", "inherent": rating,
            "target": rating, "category": category, "owner": owner,
            "treatment": treatment});
        app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    }
    let closed = json!({"status": "closed", "status_reason": "Gone."});
    app.patch("/v1/risks/RSK-2").bearer(&ada.token).json(closed).expect(200).await;
    app.delete("/v1/risks/RSK-3").bearer(&ada.token).expect(204).await;
    app.follow_search().await;
    for query in [
        "",
        "status=open",
        "category=Cyber&category=People",
        "treatment=avoid&owner=me",
        "owner=none&status=open",
        "q=1*&owner=me",
    ] {
        compare(&app, &ada, "risks", query).await;
    }
}

#[both_engines]
async fn each_count_of_documents_is_the_total_with_that_value(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    for number in 0..12 {
        let owner = (number % 2 == 0).then_some(&ada.id);
        let classification = ["public", "internal", "secret"][number % 3];
        let tags: Vec<&str> = ["one", "two"].into_iter().take(number % 3).collect();
        let slug = format!("policy-{number}");
        let body = json!({"slug": slug, "title": format!("Policy {number}"), "template": "Text.\n", "owner": owner,
            "classification": classification, "tags": tags, "review_every_days": if number < 2 { 30 } else { 365 }});
        app.post("/v1/documents").bearer(&ada.token).json(body).expect(201).await;
        if number < 4 {
            let path = format!("/v1/documents/{slug}/proposals");
            let opened = app.post(&path).bearer(&ada.token).expect(201).await;
            let number = &opened.json()["number"];
            let submit = app.post(&format!("{path}/{number}/submit")).bearer(&ada.token);
            let submitted = submit.json(json!({"summary": "All."})).expect(200).await;
            let hash = json!({"sha256": submitted.text("sha256")});
            app.post(&format!("{path}/{number}/approve")).bearer(&ben.token).json(hash).expect(200).await;
        }
    }
    app.post("/v1/documents/policy-3/archive").bearer(&ada.token).json(json!({})).expect(200).await;
    app.db.clock.advance_seconds(31 * 24 * 3600);
    let token = app.sign_in_person(ada.organization, &ada.email, &ada.password).await;
    let ada = TestPerson { token, ..ada };
    app.follow_search().await;
    let tag = app.get("/v1/tags?name=one").bearer(&ada.token).expect(200).await;
    let tag = tag.json()["data"][0]["id"].as_str().unwrap().to_owned();
    for query in [
        String::new(),
        "status=draft&classification=internal".to_owned(),
        "review=overdue&review=none".to_owned(),
        "review=scheduled".to_owned(),
        format!("owner=none&tag={tag}"),
        "q=policy&owner=me&classification=public&classification=secret".to_owned(),
    ] {
        compare(&app, &ada, "documents", &query).await;
    }
    let found = app.get("/v1/documents/facets").bearer(&ada.token).expect(200).await;
    let counts = |name: &str| -> Vec<i64> {
        found.json()["facets"][name]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["count"].as_i64().unwrap())
            .collect()
    };
    assert_eq!((counts("status"), counts("review")), (vec![8, 3, 1], vec![2, 1, 9]));
    let export = format!("/v1/documents/export?tag={tag}&status=draft&format=csv");
    let file = app.get(&export).bearer(&ada.token).expect(200).await;
    assert_eq!(String::from_utf8_lossy(&file.bytes).lines().count(), 1 + 6);
    app.get("/v1/documents/facets?review=late").bearer(&ada.token).expect(400).await;
}
