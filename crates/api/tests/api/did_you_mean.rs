//! `did_you_mean`: another search where one found nothing.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

async fn declare(app: &TestApp, by: &TestPerson, title: &str, description: &str) -> String {
    let body = json!({"title": title, "description": description});
    app.post("/v1/incidents").bearer(&by.token).json(body).expect(201).await.text("id").to_owned()
}

#[both_engines]
async fn where_nothing_is_found_a_word_one_letter_away_is_offered_that_the_caller_finds(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    declare(&app, &ada, "Refrigerator failed", "The cold room is warm.").await;
    let secret = declare(&app, &ada, "Ransom note", "").await;
    let risk = json!({"title": "Fire in the archive", "description": "", "inherent": {"likelihood": 2, "impact": 3},
        "target": {"likelihood": 1, "impact": 3}});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    let restrict = json!({"restricted": true});
    app.patch(&format!("/v1/incidents/{secret}")).bearer(&ada.token).json(restrict).expect(200).await;
    app.follow_search().await;
    let search = async |by: &TestPerson, query: &str| {
        let found = app.get(&format!("/v1/search?q={query}")).bearer(&by.token).expect(200).await;
        (found.json()["data"].as_array().unwrap().len(), found.json().get("did_you_mean").cloned())
    };
    assert_eq!(search(&ada, "refrigerator").await, (1, None));
    assert_eq!(search(&ada, "refrigreator").await, (0, Some(json!("refrigerator"))));
    assert_eq!(search(&ada, "Wram+-drill+refrigerator").await, (0, Some(json!("warm -drill refrigerator"))));
    assert_eq!(search(&ada, "ransm").await, (0, Some(json!("ransom"))));
    assert_eq!(search(&ada, "archve").await, (0, Some(json!("archive"))));
    assert_eq!(search(&ada, "archve&kind=incident").await, (0, None));
    assert_eq!(search(&ada, "archve+refrigerator").await, (0, None), "no record has both");
    assert_eq!(search(&ada, "elsewhere").await, (0, None));
    let eve = app.person("Eve", Role::Responder).await;
    assert_eq!(search(&eve, "ransm").await, (0, None), "Eve does not see the incident that has it");
}

async fn meant(app: &TestApp, by: &TestPerson, address: &str) -> Value {
    let found = app.get(address).bearer(&by.token).expect(200).await;
    assert!(found.json()["data"].as_array().unwrap().is_empty(), "{address}");
    found.json()["did_you_mean"].clone()
}

#[both_engines]
async fn an_empty_list_offers_a_word_that_its_own_records_have(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    declare(&app, &ada, "Refrigerator failed", "").await;
    let rating = json!({"likelihood": 2, "impact": 3});
    let risk =
        json!({"title": "Fire in the archive", "description": "", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    let item = json!({"id": "who", "kind": "text", "label": "Whom to call"});
    let document = json!({"slug": "plan", "title": "Evacuation", "description": "", "items": [item]});
    app.post("/v1/documents").bearer(&ada.token).json(document).expect(201).await;
    app.follow_search().await;
    let meant = async |address: &str| meant(&app, &ada, address).await;
    assert_eq!(meant("/v1/incidents?q=refrigreator+-drill").await, "refrigerator -drill");
    assert_eq!(meant("/v1/risks?q=archve").await, "archive");
    assert_eq!(meant("/v1/documents?q=evacuaton").await, "evacuation");
    assert_eq!(meant("/v1/incidents?q=archve").await, Value::Null, "a risk has the word");
    assert_eq!(meant("/v1/incidents?q=refrigreator&status=new").await, "refrigerator");
    assert_eq!(
        meant("/v1/incidents?q=refrigreator&status=closed").await,
        Value::Null,
        "no closed one has it"
    );
    assert_eq!(meant("/v1/incidents?status=closed").await, Value::Null, "nothing was searched");
}

#[both_engines]
async fn words_of_records_that_a_caller_does_not_see_take_no_place(app: TestApp) {
    let (ada, eve) = (app.person("Ada", Role::Admin).await, app.person("Eve", Role::Responder).await);
    // Each of them is one letter from "card", and before "ward" in the alphabet.
    for word in ["bard", "carb", "cards", "care", "carp", "cart", "cord", "curd", "hard"] {
        let secret = declare(&app, &ada, word, "").await;
        let restrict = json!({"restricted": true});
        app.patch(&format!("/v1/incidents/{secret}")).bearer(&ada.token).json(restrict).expect(200).await;
    }
    declare(&app, &ada, "Ward closed", "").await;
    declare(&app, &ada, "Yard closed", "").await;
    declare(&app, &ada, "Yard flooded", "").await;
    app.follow_search().await;
    for address in ["/v1/incidents?q=card", "/v1/search?q=card"] {
        assert_eq!(meant(&app, &eve, address).await, "yard", "most of what she sees has it");
    }
}
