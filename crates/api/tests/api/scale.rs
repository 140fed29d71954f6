//! The scale of risks: changed with a dry run before, and the ratings by its versions.

use serde_json::{Value, json};
use testkit::{Answer, TestApp};

const ALL: &str = "risks:read risks:write organizations:write";

/// The body that changes the scale, without what the service sets.
pub(crate) fn body(scale: &Value) -> Value {
    let mut body = json!({"reason": "The board accepts less."});
    for member in ["likelihood", "impact", "bands", "matrix"] {
        body[member] = scale[member].clone();
    }
    body
}

/// The scale with the first so many levels.
pub(crate) fn sized(scale: &Value, levels: usize) -> Value {
    let mut body = body(scale);
    for member in ["likelihood", "impact", "matrix"] {
        body[member].as_array_mut().unwrap().truncate(levels);
    }
    for row in body["matrix"].as_array_mut().unwrap() {
        row.as_array_mut().unwrap().truncate(levels);
    }
    body
}

fn rating(likelihood: i64, impact: i64) -> Value {
    json!({"likelihood": likelihood, "impact": impact})
}

#[testkit::both_engines]
async fn a_dry_run_says_which_risks_change_band_and_the_run_moves_them(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let risk = json!({"title": "Fire", "inherent": rating(4, 5), "target": rating(1, 2)});
    app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    app.post("/v1/risks/RSK-1/evaluations").bearer(&client).json(rating(3, 4)).expect(201).await;
    let first = app.get("/v1/scale").bearer(&client).expect(200).await;
    assert_eq!((&first.json()["version"], &first.json()["reason"]), (&json!(1), &Value::Null));
    assert_eq!(first.json()["likelihood"][3]["description"], "Once a year");
    let mut stricter = body(first.json());
    stricter["matrix"][2][3] = json!(3);
    stricter["matrix"][3][2] = json!(3);
    let tag = first.header("etag").unwrap().to_owned();
    let put = |query: &str, body: &Value| {
        app.put(&format!("/v1/scale{query}")).bearer(&client).header("if-match", &tag).json(body.clone())
    };
    let planned = put("?dry_run=true", &stricter).expect(200).await;
    let moved = json!({"from": "High", "to": "Critical", "count": 1, "risks": ["RSK-1"]});
    assert_eq!(planned.json()["effects"], json!({"moves": [moved], "outdated": 0}));
    let band = async |query: &str| -> String {
        let path = format!("/v1/risks/RSK-1{query}");
        app.get(&path).bearer(&client).expect(200).await.json()["current"]["band"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(band("").await, "High", "nothing was changed");
    let head = app.db.read().await.unwrap().read_head(app.organization).await.unwrap().unwrap().seq;
    let past = format!("?as_of_seq={head}");
    let second = put("", &stricter).expect(200).await;
    assert_eq!((&second.json()["version"], &second.json()["generation"]), (&json!(2), &json!(1)));
    assert_eq!((band("").await, band(&past).await), ("Critical".to_owned(), "High".to_owned()));
    put("", &stricter).expect(412).await;
    let past = app.get(&format!("/v1/scale{past}")).bearer(&client).expect(200).await;
    assert_eq!(past.json()["matrix"], first.json()["matrix"]);
    let listed = app.get("/v1/scale/versions?include_total=true").bearer(&client).expect(200).await;
    assert_eq!((&listed.json()["total"], &listed.json()["data"][0]), (&json!(2), second.json()));
    app.get("/v1/scale/versions/3").bearer(&client).expect(404).await;
    let found = app.get("/v1/risks?band=critical").bearer(&client).expect(200).await;
    assert_eq!(found.json()["data"].as_array().unwrap().len(), 1);
}

#[testkit::both_engines]
async fn after_another_size_an_evaluation_brings_both_ratings(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let risk = json!({"title": "Fire", "inherent": rating(4, 5), "target": rating(1, 2)});
    app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    let first = app.get("/v1/scale").bearer(&client).expect(200).await;
    let four = sized(first.json(), 4);
    let planned = app.put("/v1/scale?dry_run=true").bearer(&client).json(four.clone()).expect(200).await;
    assert_eq!(planned.json()["effects"], json!({"moves": [], "outdated": 1}));
    app.put("/v1/scale").bearer(&client).json(four).expect(200).await;
    let shown = app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await;
    assert_eq!(shown.json()["scale_outdated"], true);
    assert_eq!(shown.json()["inherent"]["band"], "Critical");
    let wanting = async || -> usize {
        let found = app.get("/v1/risks?evaluation=scale_outdated").bearer(&client).expect(200).await;
        found.json()["data"].as_array().unwrap().len()
    };
    assert_eq!(wanting().await, 1);
    let evaluate = |body: Value| app.post("/v1/risks/RSK-1/evaluations").bearer(&client).json(body);
    let faults = |answer: Answer| answer.faults().join(", ");
    let refused = evaluate(rating(2, 2)).expect(422).await;
    assert_eq!(faults(refused), "#/inherent scale_outdated, #/target scale_outdated");
    let mut whole = json!({"likelihood": 2, "impact": 2, "inherent": rating(4, 4), "target": rating(1, 1)});
    let made = evaluate(whole.clone()).expect(201).await;
    assert_eq!((&made.json()["scale_version"], &made.json()["inherent_score"]), (&json!(2), &json!(16)));
    assert_eq!(wanting().await, 0);
    whole["inherent"] = rating(5, 1);
    assert_eq!(faults(evaluate(whole).expect(422).await), "#/inherent/likelihood range");
    let new = json!({"title": "Flood", "inherent": rating(5, 5)});
    let refused = app.post("/v1/risks").bearer(&client).json(new).expect(422).await;
    assert_eq!(faults(refused), "#/inherent/likelihood range, #/inherent/impact range");
}

#[testkit::both_engines]
async fn every_fault_of_a_scale_is_reported(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let first = app.get("/v1/scale").bearer(&client).expect(200).await;
    let mut wrong = body(first.json());
    wrong["reason"] = json!("");
    wrong["impact"][1]["name"] = json!("NEGLIGIBLE");
    wrong["bands"][0]["acceptance"] = json!({"by": "owner", "group": "0190163d-8694-739b-aea5-966c26f8ad91"});
    wrong["version"] = json!(2);
    let answer = app.put("/v1/scale").bearer(&client).json(wrong).expect(422).await;
    for fault in [
        "#/reason blank",
        "#/impact/1/name duplicate",
        "#/bands/0/acceptance/group conflict",
        "#/version read_only",
    ] {
        assert!(answer.faults().iter().any(|it| it == fault), "{fault}: {:?}", answer.faults());
    }
    let reader = app.client_with_scopes("risks:read").await;
    app.put("/v1/scale").bearer(&reader).json(body(first.json())).expect(403).await;
}
