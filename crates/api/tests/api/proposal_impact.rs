//! `/v1/documents/{id}/proposals/{number}/impact`: what an approval has an effect on.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

const POLICY: &str = "/v1/documents/policy";

/// Creates a risk with incidents: one open, one dismissed, one restricted. Returns the number of the open one.
async fn risk_with_incidents(app: &TestApp, by: &TestPerson) -> String {
    let rating = json!({"likelihood": 4, "impact": 5});
    let risk =
        json!({"title": "Stolen password", "inherent": rating, "target": {"likelihood": 1, "impact": 5}});
    let risk = app.post("/v1/risks").bearer(by).json(risk).expect(201).await.text("id").to_owned();
    let mut ids = Vec::new();
    for title in ["Phished", "False alarm", "Payroll"] {
        let body = json!({"title": title, "description": ""});
        let id = app.post("/v1/incidents").bearer(by).json(body).expect(201).await.text("id").to_owned();
        for kind in ["threatens", "materialised"] {
            let link = json!({"to": {"type": "risk", "id": risk}, "kind": kind});
            app.post(&format!("/v1/incidents/{id}/links")).bearer(by).json(link).expect(201).await;
        }
        ids.push(id);
    }
    let dismissed = json!({"to": "dismissed", "resolution_reason": "false_positive"});
    app.post(&format!("/v1/incidents/{}/transitions", ids[1])).bearer(by).json(dismissed).expect(200).await;
    let restricted = json!({"restricted": true});
    app.patch(&format!("/v1/incidents/{}", ids[2])).bearer(by).json(restricted).expect(200).await;
    ids.remove(0)
}

/// A document with a choice that concerns a risk, and a remark.
async fn create(app: &TestApp, by: &TestPerson) {
    let option = |id: &str, weakens: bool| json!({"id": id, "label": format!("For {id}"), "text": format!("{id} do."), "weakens": weakens});
    let items = json!([
        {"id": "mfa", "kind": "select", "label": "Second factor", "risks": ["RSK-1"], "material": true,
         "options": [option("all", false), option("admins", true)]},
        {"id": "remark", "kind": "text", "label": "Remark", "risks": ["RSK-1"]},
    ]);
    let body = json!({"slug": "policy", "title": "Policy", "items": items});
    app.post("/v1/documents").bearer(by).json(body).expect(201).await;
}

async fn choose(app: &TestApp, by: &TestPerson, value: &str) {
    let edits = json!([{"node_id": "mfa", "node_type": "select", "value": value}]);
    app.patch(POLICY).bearer(by).json(edits).expect(200).await;
}

/// Submits and approves a proposal.
async fn publish(app: &TestApp, (ada, ben): (&TestPerson, &TestPerson), number: i64) {
    let proposal = format!("{POLICY}/proposals/{number}");
    let submit = app.post(&format!("{proposal}/submit")).bearer(ada).json(json!({"summary": "New."}));
    let approval = json!({"sha256": submit.expect(200).await.text("sha256")});
    app.post(&format!("{proposal}/approve")).bearer(ben).json(approval).expect(200).await;
}

async fn impact(app: &TestApp, by: &impl AsRef<str>, number: i64) -> Value {
    let path = format!("{POLICY}/proposals/{number}/impact");
    app.get(&path).bearer(by).expect(200).await.json().clone()
}

#[both_engines]
async fn an_impact_names_weak_options_risks_and_who_acknowledges_again(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Approver).await);
    let open = risk_with_incidents(&app, &ada).await;
    create(&app, &ada).await;
    choose(&app, &ada, "all").await;
    let first = impact(&app, &ada, 1).await;
    assert_eq!((&first["weakening"], &first["risks"][0]["node_ids"]), (&json!([]), &json!(["mfa"])));
    assert_eq!(first["risk_count"], 1);
    assert_eq!(
        (&first["material"], &first["acknowledge_again"]),
        (&json!(true), &json!(0)),
        "nobody has yet"
    );
    publish(&app, (&ada, &ben), 1).await;
    assert_eq!(impact(&app, &ada, 1).await["risks"], json!([]), "it is closed");
    let version = app.get(&format!("{POLICY}/versions/1")).bearer(&ada).expect(200).await;
    let asked = app.post(&format!("{POLICY}/versions/1/acknowledgement-requests")).bearer(&ada);
    asked.json(json!({"who": "all"})).expect(201).await;
    let given = json!({"sha256": version.text("sha256")});
    for person in [&ada, &ben] {
        let give = app.post(&format!("{POLICY}/versions/1/acknowledgements")).bearer(person);
        give.json(given.clone()).expect(201).await;
    }
    app.person("Cleo", Role::Staff).await;
    choose(&app, &ada, "admins").await;
    let seen = impact(&app, &ben, 2).await;
    let weak = json!({"node_id": "mfa", "label": "Second factor", "option": "admins", "option_label": "For admins", "previous": "all"});
    assert_eq!(seen["weakening"], json!([weak]));
    let risk = &seen["risks"][0];
    assert_eq!((&risk["id"], &risk["open_incidents"]), (&json!("RSK-1"), &json!(1)), "{risk}");
    assert_eq!((&risk["incidents"][0]["id"], &risk["incidents"][1]), (&json!(open), &Value::Null));
    assert_eq!((&seen["acknowledge_again"], &seen["people"][0]["name"]), (&json!(2), &json!("Ben")));
    assert_eq!(seen["people"].as_array().map(Vec::len), Some(1), "Ben does not see who else");
    let all = impact(&app, &ada, 2).await;
    assert_eq!((&all["risks"][0]["open_incidents"], &all["people"][0]["name"]), (&json!(2), &json!("Ada")));
    let reader = app.client_with_scopes("documents:read").await;
    let seen = impact(&app, &reader.token, 2).await;
    assert_eq!((&seen["risks"], &seen["risk_count"]), (&Value::Null, &Value::Null));
}

#[both_engines]
async fn what_a_submission_said_is_not_said_of_later_edits(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Approver).await);
    risk_with_incidents(&app, &ada).await;
    create(&app, &ada).await;
    choose(&app, &ada, "all").await;
    publish(&app, (&ada, &ben), 1).await;
    let asked = app.post(&format!("{POLICY}/versions/1/acknowledgement-requests")).bearer(&ada);
    asked.json(json!({"who": "all"})).expect(201).await;
    let version = app.get(&format!("{POLICY}/versions/1")).bearer(&ada).expect(200).await;
    let give = app.post(&format!("{POLICY}/versions/1/acknowledgements")).bearer(&ben);
    give.json(json!({"sha256": version.text("sha256")})).expect(201).await;
    let edits = json!([{"node_id": "remark", "node_type": "text", "value": "None."}]);
    app.patch(POLICY).bearer(&ada).json(edits).expect(200).await;
    let submit = app.post(&format!("{POLICY}/proposals/2/submit")).bearer(&ada);
    submit.json(json!({"summary": "A remark."})).expect(200).await;
    assert_eq!(impact(&app, &ada, 2).await["material"], false);
    choose(&app, &ada, "admins").await;
    let seen = impact(&app, &ada, 2).await;
    assert_eq!((&seen["material"], &seen["acknowledge_again"]), (&json!(true), &json!(1)));
}

#[both_engines]
async fn an_open_proposal_is_material_if_its_changes_are(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Approver).await);
    risk_with_incidents(&app, &ada).await;
    create(&app, &ada).await;
    choose(&app, &ada, "all").await;
    publish(&app, (&ada, &ben), 1).await;
    let remark = async |value: &str| {
        let edits = json!([{"node_id": "remark", "node_type": "text", "value": value}]);
        app.patch(POLICY).bearer(&ada).json(edits).expect(200).await;
    };
    let post = async |by: &TestPerson, step: &str, body: Value| {
        let path = format!("{POLICY}/proposals/2/{step}");
        app.post(&path).bearer(by).json(body).expect(200).await.json().clone()
    };
    // The proposal, which has the hash of its text, and what that says.
    let seen = async |material: bool| {
        let proposal = app.get(&format!("{POLICY}/proposals/2")).bearer(&ada).expect(200).await;
        let text = app.get(&format!("{POLICY}/text?proposal=2")).bearer(&ada).expect(200).await;
        let text = String::from_utf8_lossy(&text.bytes).into_owned();
        assert!(text.contains(&format!("\nmaterial: {material}\n")), "{text}");
        assert_eq!(proposal.json()["sha256"], domain::document::sha256(&text));
        assert_eq!(proposal.json()["material"], material);
        assert_eq!(impact(&app, &ada, 2).await["material"], material);
        proposal.json().clone()
    };
    remark("None.").await;
    let open = seen(false).await;
    let said = json!({"summary": "A remark.", "material": {"value": true, "reason": "Read it."}});
    post(&ada, "submit", said.clone()).await;
    assert_eq!(seen(true).await["material_reason"], "Read it.");
    let returned = post(&ben, "return", json!({"reason": "A typo."})).await;
    assert_eq!(returned, seen(false).await, "what was said is not of what is written now");
    assert_eq!((&returned["sha256"], &returned["material_reason"]), (&open["sha256"], &Value::Null));
    let submitted = post(&ada, "submit", json!({"summary": "A remark."})).await;
    assert_eq!(submitted["sha256"], open["sha256"], "the hash that was read before");
    post(&ben, "return", json!({"reason": "A typo."})).await;
    post(&ada, "submit", json!({"summary": "A remark.", "material": {"value": true}})).await;
    remark("Few.").await;
    assert_eq!(seen(false).await["status"], "open");
    choose(&app, &ada, "admins").await;
    seen(true).await;
    super::bulk::assert_sound(&app).await;
}

#[both_engines]
async fn a_proposal_that_is_not_material_or_only_confirms_asks_nobody_again(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Approver).await);
    risk_with_incidents(&app, &ada).await;
    create(&app, &ada).await;
    choose(&app, &ada, "admins").await;
    assert_eq!(impact(&app, &ada, 1).await["weakening"][0]["previous"], Value::Null);
    publish(&app, (&ada, &ben), 1).await;
    let open = app.post(&format!("{POLICY}/proposals")).bearer(&ada).json(json!({"confirm": true}));
    open.expect(201).await;
    let nothing = json!({"weakening": [], "risks": [], "risk_count": 0, "material": false, "acknowledge_again": 0, "people": []});
    assert_eq!(impact(&app, &ada, 2).await, nothing, "what is weak already stays");
    choose(&app, &ada, "all").await;
    assert_eq!(impact(&app, &ada, 2).await["material"], true);
    let said = json!({"summary": "Stronger.", "material": {"value": false, "reason": "All do already."}});
    app.post(&format!("{POLICY}/proposals/2/submit")).bearer(&ada).json(said).expect(200).await;
    let seen = impact(&app, &ada, 2).await;
    assert_eq!((&seen["material"], &seen["weakening"]), (&json!(false), &json!([])));
    app.get(&format!("{POLICY}/proposals/3/impact")).bearer(&ada).expect(404).await;
}
