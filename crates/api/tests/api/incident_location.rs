//! `location`: a line of an incident that only its record declares, through everything that goes by the declaration.

use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

#[both_engines]
async fn where_it_happened_is_kept_found_exported_told_and_redacted(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let new = json!({"title": "Door open", "description": "", "location": "Depot Leeds"});
    app.post("/v1/incidents").bearer(&ada.token).json(new).expect(201).await;
    let one = json!({"title": "Fuse blown", "description": ""});
    app.post("/v1/incidents").bearer(&ada.token).json(one).expect(201).await;
    let patch = json!({"location": "Depot York"});
    let changed = app.patch("/v1/incidents/INC-2").bearer(&ada.token).json(patch).expect(200).await;
    assert_eq!(changed.json()["location"], "Depot York");

    app.follow_search().await;
    for (query, found) in [
        ("location=Depot+Leeds", vec!["INC-0001"]),
        ("location=Depot+Leeds&location=Depot+York&sort=number", vec!["INC-0001", "INC-0002"]),
        ("location=Leeds", vec![]),
        ("q=york", vec!["INC-0002"]),
    ] {
        let list = app.get(&format!("/v1/incidents?{query}")).bearer(&ada.token).expect(200).await;
        let rows = list.json()["data"].as_array().unwrap().clone();
        let ids: Vec<_> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!(ids, found, "{query}");
    }
    let bulk =
        json!({"filter": {"location": "Depot York"}, "operation": {"type": "update", "kind": "drill"}});
    let changed = app.post("/v1/incidents/bulk").bearer(&ada.token).json(bulk).expect(200).await;
    assert_eq!(changed.json()["results"].as_array().unwrap().len(), 1);
    let export = app.get("/v1/incidents/export?fields=id,location").bearer(&ada.token).expect(200).await;
    let lines = String::from_utf8(export.bytes.to_vec()).unwrap();
    assert_eq!(lines, "id,location\r\nINC-0001,Depot Leeds\r\nINC-0002,Depot York\r\n");

    let whole = json!({"target": {"type": "incident", "field": "location"}, "reason": "It names a home."});
    app.post("/v1/incidents/INC-2/redact").bearer(&ada.token).json(whole).expect(200).await;
    let left = app.get("/v1/incidents/INC-2").bearer(&ada.token).expect(200).await;
    assert_eq!(left.json()["location"], "[redacted]");
    let found = app.get("/v1/incidents?q=york").bearer(&ada.token).expect(200).await;
    assert_eq!(found.json()["data"], json!([]), "the words leave with the text");
    let cleared = json!({"location": null});
    app.patch("/v1/incidents/INC-1").bearer(&ada.token).json(cleared).expect(200).await;
    let told = app.get("/v1/incidents/INC-1/timeline").bearer(&ada.token).expect(200).await;
    assert!(told.json().to_string().contains("cleared the location"), "{}", told.json());
}

#[both_engines]
async fn an_external_system_says_where_it_happened_until_a_person_does(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let address = "/v1/sources/siem/incidents/a-1";
    let message = |location: &str| json!({"title": "Door open", "description": "", "location": location});
    let send = async |location: &str, status| {
        app.put(address).bearer(&ada.token).json(message(location)).expect(status).await.json()["location"]
            .clone()
    };
    assert_eq!(send("Gate 1", 201).await, "Gate 1");
    assert_eq!(send("Gate 2", 200).await, "Gate 2");
    let patch = json!({"location": "Gate 7"});
    app.patch("/v1/incidents/INC-1").bearer(&ada.token).json(patch).expect(200).await;
    assert_eq!(send("Gate 3", 200).await, "Gate 7");
    let kept = app.get("/v1/incidents/INC-1").bearer(&ada.token).expect(200).await;
    assert_eq!(kept.json()["kept"], json!(["location"]));
}
