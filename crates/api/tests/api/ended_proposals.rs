//! What was rejected or withdrawn stays as it was when it ended, whatever becomes of its document.

use domain::Role;
use domain::document::sha256;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

const POLICY: &str = "/v1/documents/policy";

async fn post(app: &TestApp, by: &TestPerson, path: &str, body: Value) -> Value {
    app.post(&format!("{POLICY}/{path}")).bearer(by).json(body).expect(200).await.json().clone()
}

async fn write(app: &TestApp, by: &TestPerson, item: &str, value: &str) {
    let edits = json!([{"node_id": item, "node_type": "text", "value": value}]);
    app.patch(POLICY).bearer(by).json(edits).expect(200).await;
}

async fn change(app: &TestApp, by: &TestPerson, number: i64, patch: Value) {
    app.patch(&format!("{POLICY}/proposals/{number}")).bearer(by).json(patch).expect(200).await;
}

async fn publish(app: &TestApp, (ada, ben): (&TestPerson, &TestPerson), number: i64) {
    let submitted = post(app, ada, &format!("proposals/{number}/submit"), json!({"summary": "New."})).await;
    let path = format!("{POLICY}/proposals/{number}/approve");
    let approval = app.post(&path).bearer(ben).header("if-match", &format!("\"v{}\"", submitted["version"]));
    approval.json(json!({"sha256": submitted["sha256"]})).expect(200).await;
}

/// All that is read of a proposal: itself, its text, what it changes, who set what.
async fn seen(app: &TestApp, by: &TestPerson, number: i64) -> Vec<String> {
    let mut seen = Vec::new();
    for path in [
        format!("{POLICY}/proposals/{number}"),
        format!("{POLICY}/text?proposal={number}"),
        format!("{POLICY}/proposals/{number}/difference"),
        format!("{POLICY}/provenance?proposal={number}"),
    ] {
        let answer = app.get(&path).bearer(by).expect(200).await;
        seen.push(String::from_utf8_lossy(&answer.bytes).into_owned());
    }
    let proposal: Value = serde_json::from_str(&seen[0]).unwrap();
    assert_eq!(proposal["sha256"], sha256(&seen[1]), "{number}");
    seen
}

#[both_engines]
async fn what_has_ended_stays_as_it_was(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Approver).await);
    let item = |id: &str| json!({"id": id, "kind": "text", "label": id, "required": true});
    let template = "Call {{contact}}. {{remark}}\n";
    let body = json!({"slug": "policy", "title": "Policy", "template": template, "items": [item("contact"), item("remark")]});
    app.post("/v1/documents").bearer(&ada).json(body).expect(201).await;
    write(&app, &ada, "contact", "Ada").await;
    post(&app, &ada, "proposals/1/withdraw", json!({"reason": "Later."})).await;
    let mut before = vec![(1, seen(&app, &ada, 1).await)];
    write(&app, &ada, "contact", "Ben").await;
    write(&app, &ada, "remark", "At once.").await;
    change(&app, &ada, 2, json!({"reference": "P-1"})).await;
    publish(&app, (&ada, &ben), 2).await;
    write(&app, &ada, "remark", "Today.").await;
    let said = json!({"summary": "New.", "material": {"value": true, "reason": "Read it."}});
    let submitted = post(&app, &ada, "proposals/3/submit", said).await;
    let rejected = post(&app, &ben, "proposals/3/reject", json!({"reason": "No."})).await;
    assert_eq!(rejected["sha256"], submitted["sha256"]);
    before.push((3, seen(&app, &ada, 3).await));
    assert!(before[1].1[1].ends_with("Call Ben. Today.\n"), "{}", before[1].1[1]);
    app.post(&format!("{POLICY}/proposals")).bearer(&ada).json(json!({"confirm": true})).expect(201).await;
    post(&app, &ada, "proposals/4/withdraw", json!({"reason": "Later."})).await;
    before.push((4, seen(&app, &ada, 4).await));
    write(&app, &ada, "contact", "Cleo").await;
    let steps = json!([{"name": "Board", "who": "approvers"}]);
    let patch = json!({"title": "Calls", "reference": null, "template": "{{contact}}\n", "items": [item("contact")], "approval_steps": steps});
    change(&app, &ada, 5, patch).await;
    publish(&app, (&ada, &ben), 5).await;
    write(&app, &ada, "contact", "Dan").await;
    publish(&app, (&ada, &ben), 6).await;
    write(&app, &ada, "contact", "Eve").await;
    let open = seen(&app, &ada, 7).await;
    post(&app, &ada, "archive", json!({})).await;
    let archived = seen(&app, &ada, 7).await;
    assert_eq!(archived[1..], open[1..], "archiving ends it and changes nothing in it");
    for (number, then) in before {
        assert_eq!(seen(&app, &ada, number).await, then, "{number}");
    }
    super::bulk::assert_sound(&app).await;
}
