//! Faults that other programs for policies had, those that no other file tests. What was approved unseen or past the approvers is
//! in `proposals.rs` and `all/only_approvals_publish.rs`; superseded versions, leavers and counts are in `acknowledgements.rs`,
//! archived documents in `document_life.rs`, an author who is alone in `approval_steps.rs`, files in `render/src/pdf/tests.rs`.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

const POLICY: &str = "/v1/documents/policy";
const TEMPLATE: &str = "# Calls\n\nCall {{contact}}.\n\n## Later\n\n{{remark}}\n";

/// Ada, who writes, Ben, who approves, and a policy whose first version says whom to call.
async fn published(app: &TestApp) -> (TestPerson, TestPerson) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Approver).await);
    let item = |id: &str| json!({"id": id, "kind": "text", "label": id, "guidance": "Short."});
    let body = json!({
        "slug": "policy", "title": "Policy", "description": "Whom to call.", "audience": "Everyone", "owner": ada.id,
        "template": TEMPLATE, "items": [item("contact"), item("remark")],
    });
    app.post("/v1/documents").bearer(&ada).json(body).expect(201).await;
    write(app, &ada, json!({"contact": "Ada", "remark": "None."})).await;
    publish(app, (&ada, &ben), 1).await;
    (ada, ben)
}

async fn write(app: &TestApp, by: &TestPerson, values: Value) {
    let edit = |(id, value): (&String, &Value)| json!({"node_id": id, "node_type": "text", "value": value});
    let edits: Vec<_> = values.as_object().unwrap().iter().map(edit).collect();
    app.patch(POLICY).bearer(by).json(json!(edits)).expect(200).await;
}

async fn submit(app: &TestApp, by: &TestPerson, number: i64, status: u16) -> Value {
    let submit = app.post(&format!("{POLICY}/proposals/{number}/submit")).bearer(by);
    submit.json(json!({"summary": "New."})).expect(status).await.json().clone()
}

async fn publish(app: &TestApp, (ada, ben): (&TestPerson, &TestPerson), number: i64) {
    let approval = json!({"sha256": submit(app, ada, number, 200).await["sha256"]});
    app.post(&format!("{POLICY}/proposals/{number}/approve")).bearer(ben).json(approval).expect(200).await;
}

/// A text behind its front matter.
async fn text(app: &TestApp, by: &TestPerson, query: &str) -> String {
    let read = app.get(&format!("{POLICY}/text{query}")).bearer(by).expect(200).await;
    let text = String::from_utf8_lossy(&read.bytes).into_owned();
    domain::document::body_of(&text).to_owned()
}

#[both_engines]
async fn a_partial_save_keeps_what_is_not_sent(app: TestApp) {
    let (ada, ben) = published(&app).await;
    let read = async || app.get(POLICY).bearer(&ada).expect(200).await.json().clone();
    let before = read().await;
    let patch = |path: &str, body: Value| app.patch(&format!("{POLICY}{path}")).bearer(&ada).json(body);
    patch("/properties", json!({"review_every_days": 30})).expect(200).await;
    write(&app, &ada, json!({"contact": "Eve"})).await;
    patch("/proposals/2", json!({"title": "Calls"})).expect(200).await;
    let proposed = text(&app, &ada, "?proposal=2").await;
    assert_eq!(proposed, "# 1 Calls\n\nCall Eve.\n\n## 1.1 Later\n\nNone.\n");
    publish(&app, (&ada, &ben), 2).await;
    let after = read().await;
    for field in ["description", "audience", "owner", "classification", "language", "template"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(after["items"][1], before["items"][1]);
    assert_eq!((&after["title"], &after["review_every_days"]), (&json!("Calls"), &json!(30)));
}

#[both_engines]
async fn a_draft_opens_with_what_was_written_in_it(app: TestApp) {
    let (ada, _) = published(&app).await;
    write(&app, &ada, json!({"contact": "Eve"})).await;
    let other = app.person("Cleo", Role::Admin).await;
    for person in [&ada, &other] {
        assert!(text(&app, person, "?proposal=2").await.contains("Call Eve."));
        assert!(text(&app, person, "").await.contains("Call Ada."), "what is published stays");
    }
    write(&app, &other, json!({"remark": "Soon."})).await;
    assert!(text(&app, &ada, "?proposal=2").await.contains("Call Eve."), "what somebody else saves keeps it");
    submit(&app, &ada, 2, 200).await;
    assert!(text(&app, &ada, "?proposal=2").await.contains("Call Eve."));
}

#[both_engines]
async fn headings_stay_headings_however_often_a_text_is_saved(app: TestApp) {
    let (ada, ben) = published(&app).await;
    for number in 2..5 {
        write(&app, &ada, json!({"contact": format!("Eve {number}")})).await;
        let shown = app.get(POLICY).bearer(&ada).expect(200).await.json()["template"].clone();
        assert_eq!(shown, TEMPLATE, "{number}");
        let proposal = app.patch(&format!("{POLICY}/proposals/{number}")).bearer(&ada);
        let same = proposal.json(json!({ "template": shown })).expect(200).await;
        assert_eq!(same.json()["changes"], json!({}), "{number}");
        publish(&app, (&ada, &ben), number).await;
        let html = app.get(&format!("{POLICY}/text?format=html")).bearer(&ada).expect(200).await;
        let html = String::from_utf8_lossy(&html.bytes).into_owned();
        assert_eq!(html.matches("</h").count(), 2, "{html}");
    }
}

#[both_engines]
async fn an_unchanged_text_asks_nobody_again(app: TestApp) {
    let (ada, ben) = published(&app).await;
    let ask = app.post(&format!("{POLICY}/versions/1/acknowledgement-requests")).bearer(&ada);
    ask.json(json!({"who": "all"})).expect(201).await;
    let version = app.get(&format!("{POLICY}/versions/1")).bearer(&ben).expect(200).await;
    let given = app.post(&format!("{POLICY}/versions/1/acknowledgements")).bearer(&ben);
    given.json(json!({"sha256": version.text("sha256")})).expect(201).await;
    // Written again as it is, and there and back.
    for values in
        [json!({"contact": "Ada", "remark": "None."}), json!({"contact": "Eve"}), json!({"contact": "Ada"})]
    {
        write(&app, &ada, values).await;
    }
    assert_eq!(submit(&app, &ada, 2, 409).await["code"], "nothing_to_publish");
    let mine = app.get("/v1/me/acknowledgements").bearer(&ben).expect(200).await;
    assert_eq!(mine.json()["data"], json!([]));
}
