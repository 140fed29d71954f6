//! The heat map: counts per cell, of the present and of the past.

use serde_json::{Value, json};
use testkit::TestApp;

const ALL: &str = "risks:read risks:write journal:read";

fn rating(likelihood: i64, impact: i64) -> Value {
    json!({"likelihood": likelihood, "impact": impact})
}

/// The cells that have risks: likelihood, impact, band, count, and the risks that are named.
fn filled(map: &Value) -> Vec<Value> {
    let cells = map["cells"].as_array().unwrap().iter().filter(|cell| cell["count"] != 0);
    let named = |cell: &Value| -> Vec<Value> {
        cell["risks"].as_array().unwrap().iter().map(|risk| risk["id"].clone()).collect()
    };
    let row =
        |cell: &Value| json!([cell["likelihood"], cell["impact"], cell["band"], cell["count"], named(cell)]);
    cells.map(row).collect()
}

#[testkit::both_engines]
async fn a_heat_map_counts_the_open_risks_of_each_cell(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let get = async |query: &str| -> Value {
        app.get(&format!("/v1/risks/heatmap{query}")).bearer(&client).expect(200).await.json().clone()
    };
    for (title, category) in [("Fire", "a"), ("Flood", "b"), ("Theft", "b")] {
        let risk = json!({"title": title, "category": category, "inherent": rating(4, 5)});
        app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    }
    app.post("/v1/risks/RSK-1/evaluations").bearer(&client).json(rating(3, 3)).expect(201).await;
    let map = get("").await;
    assert_eq!((map["cells"].as_array().unwrap().len(), &map["basis"]), (25, &json!("current")));
    assert_eq!((&map["not_placed"], &map["not_evaluated"]), (&json!(0), &json!(2)));
    assert_eq!(map["likelihood"][3]["name"], "Likely");
    assert_eq!(filled(&map), [json!([3, 3, "Medium", 1, ["RSK-1"]])]);
    let inherent = get("?basis=inherent").await;
    assert_eq!(filled(&inherent), [json!([4, 5, "Critical", 3, ["RSK-3", "RSK-2", "RSK-1"]])]);
    assert_eq!(filled(&get("?basis=inherent&category=a").await)[0][3], 1);
    let seq = app.get("/v1/journal/head").bearer(&client).expect(200).await.json()["seq"].clone();

    let closed = json!({"status": "closed", "status_reason": "Sold"});
    app.patch("/v1/risks/RSK-1").bearer(&client).json(closed).expect(200).await;
    assert_eq!((filled(&get("").await), &get("").await["not_evaluated"]), (vec![], &json!(2)));
    assert_eq!(filled(&get("?status=closed").await).len(), 1);
    let past = get(&format!("?as_of_seq={seq}")).await;
    assert_eq!((filled(&past), past["as_of_seq"].clone()), (filled(&map), seq));
    for wrong in ["?basis=worst", "?q=fire&as_of=2020-01-01T00:00:00Z", "?likelihood=3"] {
        app.get(&format!("/v1/risks/heatmap{wrong}")).bearer(&client).expect(400).await;
    }
}
