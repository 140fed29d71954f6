//! `/v1/documents/{id}/provenance`: who set which value, in which proposal, and who approved it.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

const POLICY: &str = "/v1/documents/policy";

async fn write(app: &TestApp, by: &TestPerson, node_id: &str, value: &str) {
    let node_type = if node_id == "mfa" { "select" } else { "text" };
    let edits = json!([{"node_id": node_id, "node_type": node_type, "value": value}]);
    app.patch(POLICY).bearer(by).json(edits).expect(200).await;
}

async fn publish(app: &TestApp, (by, approver): (&TestPerson, &TestPerson), number: i64) {
    let proposal = format!("{POLICY}/proposals/{number}");
    let submit = app.post(&format!("{proposal}/submit")).bearer(by).json(json!({"summary": "New."}));
    let approval = json!({"sha256": submit.expect(200).await.text("sha256")});
    app.post(&format!("{proposal}/approve")).bearer(approver).json(approval).expect(200).await;
}

fn items() -> [Value; 2] {
    let option = |id: &str| json!({"id": id, "label": format!("For {id}"), "text": format!("{id} do.")});
    [
        json!({"id": "mfa", "kind": "select", "label": "Factor", "material": true,
               "options": [option("all"), option("admins")]}),
        json!({"id": "contact", "kind": "text", "label": "Contact"}),
    ]
}

/// Item, value, who set it, proposal and version of each value; and of each version who approved it.
async fn provenance(app: &TestApp, by: &TestPerson, query: &str) -> (Vec<Value>, Vec<Value>) {
    let found = app.get(&format!("{POLICY}/provenance{query}")).bearer(by).expect(200).await;
    let rows = |name: &str| found.json()[name].as_array().unwrap().clone();
    let value = |it: Value| {
        assert_eq!(it["set_date"].is_string(), it["set_by"].is_object());
        json!([it["node_id"], it["value"], it["set_by"]["name"], it["proposal"], it["version"]])
    };
    let version = |it: Value| json!([it["number"], it["proposal"], it["approvals"][0]["by"]["name"]]);
    (rows("values").into_iter().map(value).collect(), rows("versions").into_iter().map(version).collect())
}

/// Creates the document.
async fn create(app: &TestApp, by: &TestPerson) {
    let body = json!({"slug": "policy", "title": "Policy", "items": items()});
    app.post("/v1/documents").bearer(by).json(body).expect(201).await;
}

#[both_engines]
async fn each_value_says_who_set_it_and_who_approved_it(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let cleo = app.person("Cleo", Role::Approver).await;
    create(&app, &ada).await;
    app.get(&format!("{POLICY}/provenance")).bearer(&ada).expect(404).await;
    write(&app, &ada, "mfa", "all").await;
    write(&app, &ada, "contact", "Ada").await;
    publish(&app, (&ada, &ben), 1).await;
    let mfa = json!(["mfa", "all", "Ada", 1, 1]);
    let first = (vec![mfa.clone(), json!(["contact", "Ada", "Ada", 1, 1])], vec![json!([1, 1, "Ben"])]);
    assert_eq!(provenance(&app, &ada, "").await, first);
    // What is set again as it was comes from where it was set first.
    write(&app, &ben, "mfa", "all").await;
    write(&app, &ben, "contact", "Ben").await;
    let proposed = (vec![mfa.clone(), json!(["contact", "Ben", "Ben", 2, null])], vec![json!([1, 1, "Ben"])]);
    assert_eq!(provenance(&app, &ada, "?proposal=2").await, proposed);
    publish(&app, (&ben, &cleo), 2).await;
    let second = (
        vec![mfa, json!(["contact", "Ben", "Ben", 2, 2])],
        vec![json!([1, 1, "Ben"]), json!([2, 2, "Cleo"])],
    );
    for query in ["", "?version=2", "?proposal=2"] {
        assert_eq!(provenance(&app, &ada, query).await, second, "{query}");
    }
    assert_eq!(provenance(&app, &ada, "?version=1").await, first);
    // A value whose item is gone is no more in the text, and stays in that of earlier versions.
    let patch = json!({"items": [items()[1]]});
    app.post(&format!("{POLICY}/proposals")).bearer(&ada).expect(201).await;
    app.patch(&format!("{POLICY}/proposals/3")).bearer(&ada).json(patch).expect(200).await;
    publish(&app, (&ada, &cleo), 3).await;
    let third = (vec![json!(["contact", "Ben", "Ben", 2, 2])], vec![json!([2, 2, "Cleo"])]);
    assert_eq!(provenance(&app, &ada, "").await, third);
    assert_eq!(provenance(&app, &ada, "?version=1").await, first);
    let both = app.get(&format!("{POLICY}/provenance?version=1&proposal=1")).bearer(&ada).expect(400).await;
    assert_eq!(both.faults(), ["version format"]);
    app.get(&format!("{POLICY}/provenance?version=4")).bearer(&ada).expect(404).await;
}

#[both_engines]
async fn an_approved_proposal_has_the_values_of_its_own_version(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    create(&app, &ada).await;
    write(&app, &ada, "mfa", "all").await;
    publish(&app, (&ada, &ben), 1).await;
    let confirm = app.post(&format!("{POLICY}/proposals")).bearer(&ada).json(json!({"confirm": true}));
    confirm.expect(201).await;
    publish(&app, (&ada, &ben), 2).await;
    write(&app, &ada, "mfa", "admins").await;
    publish(&app, (&ada, &ben), 3).await;
    // The third version has the text of the first one.
    write(&app, &ben, "mfa", "all").await;
    publish(&app, (&ben, &ada), 4).await;
    let [first, third] =
        ["1", "3"].map(|number| app.get(&format!("{POLICY}/versions/{number}")).bearer(&ada));
    assert_eq!(first.expect(200).await.text("sha256"), third.expect(200).await.text("sha256"));
    let first = (vec![json!(["mfa", "all", "Ada", 1, 1])], vec![json!([1, 1, "Ben"])]);
    for proposal in ["?proposal=1", "?proposal=2"] {
        assert_eq!(provenance(&app, &ada, proposal).await, first, "{proposal}");
    }
    let third = (vec![json!(["mfa", "all", "Ben", 4, 3])], vec![json!([3, 4, "Ada"])]);
    assert_eq!(provenance(&app, &ada, "?proposal=4").await, third);
}

#[both_engines]
async fn a_value_from_before_its_item_was_removed_does_not_count(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    create(&app, &ada).await;
    write(&app, &ada, "mfa", "all").await;
    write(&app, &ada, "contact", "Ada").await;
    publish(&app, (&ada, &ben), 1).await;
    for (number, items) in [(2, json!([items()[1]])), (3, json!(items()))] {
        app.post(&format!("{POLICY}/proposals")).bearer(&ada).expect(201).await;
        let patch = app.patch(&format!("{POLICY}/proposals/{number}")).bearer(&ada);
        patch.json(json!({"items": items})).expect(200).await;
        publish(&app, (&ada, &ben), number).await;
    }
    write(&app, &ben, "mfa", "all").await;
    let contact = json!(["contact", "Ada", "Ada", 1, 1]);
    let proposed = provenance(&app, &ada, "?proposal=4").await.0;
    assert_eq!(proposed, [json!(["mfa", "all", "Ben", 4, null]), contact.clone()]);
    publish(&app, (&ben, &ada), 4).await;
    assert_eq!(provenance(&app, &ada, "").await.0, [json!(["mfa", "all", "Ben", 4, 4]), contact.clone()]);
    assert_eq!(
        provenance(&app, &ada, "?version=3").await.0,
        std::slice::from_ref(&contact),
        "its item has no value yet"
    );
    assert_eq!(provenance(&app, &ada, "?version=1").await.0, [json!(["mfa", "all", "Ada", 1, 1]), contact]);
}

/// Changes the items in a new proposal, and publishes it.
async fn publish_items(app: &TestApp, by: (&TestPerson, &TestPerson), number: i64, items: Value) {
    app.post(&format!("{POLICY}/proposals")).bearer(by.0).expect(201).await;
    let patch = app.patch(&format!("{POLICY}/proposals/{number}")).bearer(by.0);
    patch.json(json!({"items": items})).expect(200).await;
    publish(app, by, number).await;
}

#[both_engines]
async fn a_default_that_nobody_set_comes_from_the_version_that_published_it(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let mut items = items();
    items[0]["default"] = json!("all");
    let body = json!({"slug": "policy", "title": "Policy", "items": items});
    app.post("/v1/documents").bearer(&ada).json(body).expect(201).await;
    app.post(&format!("{POLICY}/proposals")).bearer(&ada).expect(201).await;
    let proposed = (vec![json!(["mfa", "all", null, 1, null])], vec![]);
    assert_eq!(provenance(&app, &ada, "?proposal=1").await, proposed);
    publish(&app, (&ada, &ben), 1).await;
    let first = (vec![json!(["mfa", "all", null, 1, 1])], vec![json!([1, 1, "Ben"])]);
    assert_eq!(provenance(&app, &ada, "").await, first);
    // Somebody sets what it is already.
    write(&app, &ben, "mfa", "all").await;
    write(&app, &ben, "contact", "Ben").await;
    publish(&app, (&ben, &ada), 2).await;
    let second = [json!(["mfa", "all", null, 1, 1]), json!(["contact", "Ben", "Ben", 2, 2])];
    assert_eq!(provenance(&app, &ada, "").await.0, second);
    // Another default changes no value.
    items[0]["default"] = json!("admins");
    publish_items(&app, (&ada, &ben), 3, json!(items)).await;
    assert_eq!(provenance(&app, &ada, "").await.0, second);
    for query in ["?version=1", "?proposal=1"] {
        assert_eq!(provenance(&app, &ada, query).await, first, "{query}");
    }
}

#[both_engines]
async fn a_value_from_before_its_option_was_removed_does_not_count(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    create(&app, &ada).await;
    write(&app, &ada, "mfa", "admins").await;
    write(&app, &ada, "contact", "Ada").await;
    publish(&app, (&ada, &ben), 1).await;
    let mut fewer = items();
    fewer[0]["options"].as_array_mut().unwrap().pop();
    publish_items(&app, (&ada, &ben), 2, json!(fewer)).await;
    publish_items(&app, (&ada, &ben), 3, json!(items())).await;
    let contact = json!(["contact", "Ada", "Ada", 1, 1]);
    for query in ["?version=2", "?version=3", ""] {
        let found = provenance(&app, &ada, query).await.0;
        assert_eq!(found, std::slice::from_ref(&contact), "{query}");
    }
    write(&app, &ben, "mfa", "admins").await;
    publish(&app, (&ben, &ada), 4).await;
    let mfa = json!(["mfa", "admins", "Ben", 4, 4]);
    assert_eq!(provenance(&app, &ada, "").await.0, [mfa, contact.clone()]);
    let first = json!(["mfa", "admins", "Ada", 1, 1]);
    assert_eq!(provenance(&app, &ada, "?version=1").await.0, [first, contact]);
}
