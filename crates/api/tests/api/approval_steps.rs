//! Documents that are approved in steps.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson};

const PROPOSAL: &str = "/v1/documents/policy/proposals/1";

/// The people of a test: an author, and three who approve.
struct People {
    writer: TestPerson,
    approvers: [TestPerson; 3],
}

async fn people(app: &TestApp) -> People {
    let writer = app.person("Ada", Role::Admin).await;
    let approvers = [
        app.person("Ben", Role::Approver).await,
        app.person("Cleo", Role::Approver).await,
        app.person("Dan", Role::Approver).await,
    ];
    People { writer, approvers }
}

/// A submitted proposal of a document with these steps; returns its hash.
async fn submitted(app: &TestApp, writer: &TestPerson, steps: Value) -> String {
    let item = json!({"id": "contact", "kind": "text", "label": "Contact"});
    let body = json!({"slug": "policy", "title": "Policy", "items": [item], "approval_steps": steps});
    let made = app.post("/v1/documents").bearer(writer).json(body).expect(201).await;
    assert_eq!(made.json()["approval_steps"].as_array().map(Vec::len), steps.as_array().map(Vec::len));
    write(app, writer, "Ada").await;
    submit(app, writer).await
}

async fn write(app: &TestApp, by: &TestPerson, value: &str) {
    let edits = json!([{"node_id": "contact", "node_type": "text", "value": value}]);
    app.patch("/v1/documents/policy").bearer(by).json(edits).expect(200).await;
}

async fn submit(app: &TestApp, writer: &TestPerson) -> String {
    let body = json!({"summary": "The first one."});
    let submit = app.post(&format!("{PROPOSAL}/submit")).bearer(writer).json(body);
    submit.expect(200).await.text("sha256").to_owned()
}

async fn approve(app: &TestApp, by: &TestPerson, hash: &str, status: u16) -> Value {
    let body = json!({"sha256": hash, "note": "Read."});
    app.post(&format!("{PROPOSAL}/approve")).bearer(by).json(body).expect(status).await.json().clone()
}

/// The names of those whom the proposal waits for.
fn who(proposal: &Value) -> Vec<&str> {
    let who = proposal["next"]["who"].as_array().unwrap();
    who.iter().map(|person| person["name"].as_str().unwrap()).collect()
}

fn states(proposal: &Value) -> Vec<&str> {
    let steps = proposal["steps"].as_array().unwrap();
    steps.iter().map(|step| step["state"].as_str().unwrap()).collect()
}

#[testkit::both_engines]
async fn a_version_has_the_approvals_of_each_step(app: TestApp) {
    let People { writer, approvers: [ben, cleo, dan] } = people(&app).await;
    let group = app.post("/v1/groups").bearer(&writer).json(json!({"name": "Board"})).expect(201).await;
    let group = group.text("id").to_owned();
    app.put(&format!("/v1/groups/{group}/members/{}", dan.id)).bearer(&writer).expect(204).await;
    let steps = json!([
        {"name": "Technique", "who": "users", "users": [ben.id, cleo.id], "needed": 2},
        {"name": "Board", "who": "group", "group": group, "when": "material"},
        {"name": "Everyone", "who": "role", "role": "approver"},
    ]);
    let hash = submitted(&app, &writer, steps).await;
    let first = approve(&app, &ben, &hash, 200).await;
    assert_eq!((&first["status"], who(&first)), (&json!("submitted"), vec!["Cleo"]));
    assert_eq!(
        states(&first),
        ["pending", "waiting", "done"],
        "a person counts in each step that names them"
    );
    assert!(first["next"]["reason"].as_str().unwrap().starts_with("Step “Technique”."), "{first}");
    assert_eq!(approve(&app, &dan, &hash, 403).await["code"], "not_in_step");
    assert_eq!(approve(&app, &ben, &hash, 403).await["code"], "not_in_step");
    assert_eq!(approve(&app, &writer, &hash, 403).await["code"], "four_eyes");
    assert_eq!(who(&approve(&app, &cleo, &hash, 200).await), ["Dan"]);
    let last = approve(&app, &dan, &hash, 200).await;
    assert_eq!((&last["status"], states(&last)), (&json!("approved"), vec!["done"; 3]));
    for path in ["/v1/documents/policy/versions/1", "/v1/documents/policy/versions"] {
        let read = app.get(path).bearer(&writer).expect(200).await.json().clone();
        let version = read.get("data").map_or(read.clone(), |data| data[0].clone());
        assert_eq!(version["steps"], last["steps"], "{path}");
        assert_eq!(version["steps"][0]["approvals"][1]["by"]["name"], "Cleo");
        assert_eq!(version["steps"][1]["approvals"][0]["sha256"], json!(hash));
    }
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_change_makes_approvals_void_for_good(app: TestApp) {
    let People { writer, approvers: [ben, cleo, _] } = people(&app).await;
    let steps = json!([{"name": "Both", "who": "users", "users": [ben.id, cleo.id], "needed": 2}]);
    let hash = submitted(&app, &writer, steps).await;
    approve(&app, &ben, &hash, 200).await;
    write(&app, &writer, "Eve").await;
    write(&app, &writer, "Ada").await;
    assert_eq!(submit(&app, &writer).await, hash, "the text is the same again");
    let read = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    let given = &read.json()["steps"][0]["approvals"][0];
    assert_eq!((&given["by"]["name"], &given["void"]), (&json!("Ben"), &json!(true)));
    assert_eq!(who(read.json()), ["Ben", "Cleo"]);
    approve(&app, &cleo, &hash, 200).await;
    let reason = json!({"reason": "One moment."});
    app.post(&format!("{PROPOSAL}/return")).bearer(&writer).json(reason).expect(200).await;
    submit(&app, &writer).await;
    assert_eq!(approve(&app, &ben, &hash, 200).await["status"], "submitted");
    assert_eq!(approve(&app, &cleo, &hash, 200).await["status"], "approved");
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn who_has_left_does_not_count_and_nobody_can_is_said(app: TestApp) {
    let People { writer, approvers: [ben, cleo, _] } = people(&app).await;
    let steps = json!([{"name": "Both", "who": "users", "users": [ben.id, cleo.id], "needed": 2}]);
    let hash = submitted(&app, &writer, steps).await;
    approve(&app, &ben, &hash, 200).await;
    app.delete(&format!("/v1/users/{}", ben.id)).bearer(&writer).expect(204).await;
    let last = approve(&app, &cleo, &hash, 200).await;
    assert_eq!((&last["status"], who(&last).len()), (&json!("submitted"), 0));
    assert!(last["next"]["reason"].as_str().unwrap().starts_with("Nobody can"), "{last}");
}

#[testkit::both_engines]
async fn the_decision_of_a_board_is_recorded_by_somebody_who_is_no_author(app: TestApp) {
    let People { writer, approvers: [ben, cleo, _] } = people(&app).await;
    let steps = json!([
        {"name": "Board", "who": "users", "users": [ben.id], "needed": 1},
        {"name": "Last", "who": "users", "users": [cleo.id]},
    ]);
    let hash = submitted(&app, &writer, steps).await;
    let decision =
        json!({"sha256": hash, "decided_by": "The board", "decided_date": "2026-03-01", "minutes": "4/2026"});
    let record = |by: &TestPerson| app.post(&format!("{PROPOSAL}/record")).bearer(by).json(decision.clone());
    let mut later = decision.clone();
    later["decided_date"] = json!("2999-01-01");
    let later = app.post(&format!("{PROPOSAL}/record")).bearer(&cleo).json(later).expect(422).await;
    assert_eq!(later.faults(), ["#/decided_date date_in_future"]);
    let refused = record(&writer).expect(403).await.json().clone();
    assert_eq!((&refused["code"], refused["who"].as_array().map(Vec::len)), (&json!("four_eyes"), Some(3)));
    // Only Ben is in the pending step.
    let refused = approve(&app, &writer, &hash, 403).await;
    assert_eq!(
        (&refused["code"], &refused["who"]),
        (&json!("four_eyes"), &json!([{"id": ben.id, "name": "Ben"}]))
    );
    assert!(refused["detail"].as_str().unwrap().ends_with("These people may: Ben."), "{refused}");
    let recorded = record(&cleo).expect(200).await.json().clone();
    let given = &recorded["steps"][0]["approvals"][0];
    assert_eq!((&given["by"]["name"], &given["recorded"]["minutes"]), (&json!("Cleo"), &json!("4/2026")));
    assert_eq!((states(&recorded), who(&recorded)), (vec!["done", "pending"], vec!["Cleo"]));
    assert_eq!(approve(&app, &cleo, &hash, 200).await["status"], "approved");
    let list = app.get("/v1/documents/waivers").bearer(&writer).expect(200).await;
    let waiver = &list.json()["data"][0];
    assert_eq!((&waiver["kind"], &waiver["decided_by"]), (&json!("decision"), &json!("The board")));
    // The file says who decided, too.
    let file = app.get("/v1/documents/policy/text?format=docx").bearer(&writer).expect(200).await;
    let text = render::import::docx(&file.bytes).unwrap().markdown;
    for expected in ["The board, Cleo", "The board (4/2026), recorded by Cleo", "2026-03-01"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn steps_name_only_who_there_is(app: TestApp) {
    let writer = app.person("Ada", Role::Admin).await;
    let nobody = "01901643-7c5d-7a20-9b1e-40c2f7d95a13";
    let pointers = async |step: Value| {
        let body = json!({"slug": "policy", "title": "Policy", "template": "x", "approval_steps": [step]});
        let answer = app.post("/v1/documents").bearer(&writer).json(body).expect(422).await;
        let errors = answer.json()["errors"].as_array().unwrap().clone();
        errors.iter().map(|it| it["pointer"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let step = |member: &str, value: Value| json!({"name": "A", "who": "users", "users": [writer.id], member: value});
    assert_eq!(pointers(step("users", json!([nobody]))).await, ["#/approval_steps/0/users/0"]);
    assert_eq!(pointers(step("needed", json!(2))).await, ["#/approval_steps/0/needed"]);
    assert_eq!(pointers(step("users", json!([writer.id, writer.id]))).await, ["#/approval_steps/0/users"]);
    assert_eq!(pointers(step("role", json!("admin"))).await, ["#/approval_steps/0/role"]);
    assert_eq!(pointers(step("when", json!("material"))).await, ["#/approval_steps"]);
    let group = json!({"name": "A", "who": "group", "group": nobody});
    assert_eq!(pointers(group).await, ["#/approval_steps/0/group"]);
    assert_eq!(pointers(json!({"name": "A", "who": "group"})).await, ["#/approval_steps/0/group"]);
}

#[testkit::both_engines]
async fn an_admin_lets_somebody_approve_in_the_place_of_another_one(app: TestApp) {
    let People { writer, approvers: [ben, cleo, dan] } = people(&app).await;
    let hash = submitted(&app, &writer, json!([{"name": "One", "who": "users", "users": [ben.id]}])).await;
    let body = |person: &TestPerson, replacement: &TestPerson| json!({"person": person.id, "replacement": replacement.id, "reason": "Away"});
    let replace =
        |by: &TestPerson, body: Value| app.post(&format!("{PROPOSAL}/replace")).bearer(by).json(body);
    replace(&cleo, body(&ben, &cleo)).expect(403).await;
    for (wrong, pointer) in [(body(&dan, &cleo), "#/person"), (body(&ben, &ben), "#/replacement")] {
        let refused = replace(&writer, wrong).expect(422).await;
        assert_eq!(refused.json()["errors"][0]["pointer"], pointer);
    }
    let replaced = replace(&writer, body(&ben, &cleo)).expect(200).await;
    assert_eq!(who(replaced.json()), ["Cleo"]);
    assert_eq!(approve(&app, &ben, &hash, 403).await["code"], "not_in_step");
    let approved = approve(&app, &cleo, &hash, 200).await;
    assert_eq!(approved["status"], "approved");
    let person = |it: &TestPerson, name: &str| json!({"id": it.id, "name": name, "email": it.email});
    let named =
        json!([{"person": person(&ben, "Ben"), "replacement": person(&cleo, "Cleo"), "reason": "Away"}]);
    assert_eq!(replaced.json()["steps"][0]["replacements"], named);
    let read = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    let versions = app.get("/v1/documents/policy/versions").bearer(&writer).expect(200).await;
    for shown in [&approved, read.json(), &versions.json()["data"][0]] {
        assert_eq!(shown["steps"][0]["replacements"], named);
    }
    let list = app.get("/v1/documents/waivers").bearer(&writer).expect(200).await;
    let waiver = &list.json()["data"][0];
    assert_eq!((&waiver["kind"], &waiver["document"]), (&json!("replacement"), &json!("policy")));
    assert_eq!((&waiver["person"]["name"], &waiver["replacement"]["name"]), (&json!("Ben"), &json!("Cleo")));
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn who_was_replaced_counts_no_more_and_a_replacement_is_no_author(app: TestApp) {
    let People { writer, approvers: [ben, cleo, dan] } = people(&app).await;
    let steps = json!([{"name": "Both", "who": "users", "users": [ben.id, cleo.id], "needed": 2}]);
    let hash = submitted(&app, &writer, steps).await;
    approve(&app, &ben, &hash, 200).await;
    let replace = |replacement: &TestPerson| {
        let body = json!({"person": ben.id, "replacement": replacement.id, "reason": "Away"});
        app.post(&format!("{PROPOSAL}/replace")).bearer(&writer).json(body)
    };
    assert_eq!(replace(&writer).expect(422).await.json()["errors"][0]["pointer"], "#/replacement");
    replace(&dan).expect(200).await;
    let second = approve(&app, &dan, &hash, 200).await;
    assert_eq!((&second["status"], who(&second)), (&json!("submitted"), vec!["Cleo"]));
    // The same people approve after the next submission.
    write(&app, &writer, "Eve").await;
    let hash = submit(&app, &writer).await;
    approve(&app, &ben, &hash, 403).await;
    approve(&app, &dan, &hash, 200).await;
    assert_eq!(approve(&app, &cleo, &hash, 200).await["status"], "approved");
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn one_person_is_never_two_in_a_step(app: TestApp) {
    let People { writer, approvers: [ben, cleo, dan] } = people(&app).await;
    let steps = json!([
        {"name": "First", "who": "users", "users": [dan.id]},
        {"name": "Second", "who": "users", "users": [ben.id]},
        {"name": "Two", "who": "approvers", "needed": 2},
    ]);
    let hash = submitted(&app, &writer, steps).await;
    let deputy = json!({"user": dan.id, "until": "2999-01-01"});
    app.put("/v1/me/deputy").bearer(&ben).json(deputy).expect(204).await;
    approve(&app, &dan, &hash, 200).await;
    let path = format!("/v1/users/{}", dan.id);
    app.patch(&path).bearer(&writer).json(json!({"job_title": "Counsel"})).expect(200).await;
    let for_ben = approve(&app, &dan, &hash, 200).await;
    assert_eq!(states(&for_ben), ["done", "done", "pending"]);
    assert_eq!(for_ben["steps"][2]["approvals"].as_array().map(Vec::len), Some(1));
    assert_eq!(approve(&app, &cleo, &hash, 200).await["status"], "approved");
    let file = app.get("/v1/documents/policy/text?format=docx").bearer(&writer).expect(200).await;
    let text = render::import::docx(&file.bytes).unwrap().markdown;
    assert!(text.contains("| Approved by | Dan (Counsel), Cleo |"), "{text}");
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn an_edit_that_repeats_the_value_makes_no_author(app: TestApp) {
    let People { writer, approvers: [ben, cleo, _] } = people(&app).await;
    let dora = app.person("Dora", Role::Admin).await;
    let steps = json!([
        {"name": "First", "who": "users", "users": [dora.id]},
        {"name": "Last", "who": "users", "users": [ben.id]},
    ]);
    let hash = submitted(&app, &writer, steps).await;
    approve(&app, &dora, &hash, 200).await;
    write(&app, &dora, "Ada").await;
    let read = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!((states(read.json()), who(read.json())), (vec!["done", "pending"], vec!["Ben"]));
    // Once it is her value alone, she is an author.
    app.delete(&format!("{PROPOSAL}/edits/contact")).bearer(&writer).expect(204).await;
    let read = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!(states(read.json())[0], "pending", "{}", read.json());
    approve(&app, &dora, &hash, 403).await;
    approve(&app, &cleo, &hash, 403).await;
}

#[testkit::both_engines]
async fn who_only_repeat_each_other_are_authors(app: TestApp) {
    let People { writer, approvers: [ben, ..] } = people(&app).await;
    let dora = app.person("Dora", Role::Admin).await;
    let hash = submitted(&app, &writer, json!([])).await;
    write(&app, &dora, "Ada").await;
    app.delete(&format!("{PROPOSAL}/edits/contact")).bearer(&writer).expect(204).await;
    write(&app, &writer, "Ada").await;
    approve(&app, &writer, &hash, 403).await;
    approve(&app, &dora, &hash, 403).await;
    approve(&app, &ben, &hash, 200).await;
}

fn contact(default: &str) -> Value {
    json!([{"id": "contact", "kind": "text", "label": "Contact", "required": true, "default": default}])
}

/// A submitted proposal without edits, whose item has the default "Jo"; returns its hash.
async fn submitted_as_it_is(app: &TestApp, writer: &TestPerson, steps: Value) -> String {
    let body = json!({"slug": "policy", "title": "Policy", "items": contact("Jo"), "approval_steps": steps});
    app.post("/v1/documents").bearer(writer).json(body).expect(201).await;
    app.post("/v1/documents/policy/proposals").bearer(writer).expect(201).await;
    submit(app, writer).await
}

#[testkit::both_engines]
async fn an_edit_that_repeats_the_default_changes_nothing_and_makes_no_author(app: TestApp) {
    let People { writer, approvers: [ben, ..] } = people(&app).await;
    let dora = app.person("Dora", Role::Admin).await;
    let steps = json!([
        {"name": "First", "who": "users", "users": [dora.id]},
        {"name": "Last", "who": "users", "users": [ben.id]},
    ]);
    let hash = submitted_as_it_is(&app, &writer, steps).await;
    approve(&app, &dora, &hash, 200).await;
    let unchanged = async || {
        let read = app.get(PROPOSAL).bearer(&writer).expect(200).await;
        assert_eq!((read.text("status"), read.text("sha256")), ("submitted", &*hash));
        assert_eq!((states(read.json()), who(read.json())), (vec!["done", "pending"], vec!["Ben"]));
    };
    write(&app, &dora, "Jo").await;
    unchanged().await;
    let edits = app.get(&format!("{PROPOSAL}/edits")).bearer(&writer).expect(200).await;
    assert_eq!(edits.json()["data"][0]["previous"], "Jo");
    app.delete(&format!("{PROPOSAL}/edits/contact")).bearer(&dora).expect(204).await;
    unchanged().await;
    assert_eq!(approve(&app, &ben, &hash, 200).await["status"], "approved");
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn to_empty_what_is_empty_changes_nothing_and_makes_no_author(app: TestApp) {
    let writer = app.person("Ada", Role::Admin).await;
    let dora = app.person("Dora", Role::Admin).await;
    let item = json!({"id": "contact", "kind": "text", "label": "Contact"});
    let body =
        json!({"slug": "policy", "title": "Policy", "template": "Call.\n\n{{contact}}\n", "items": [item]});
    app.post("/v1/documents").bearer(&writer).json(body).expect(201).await;
    app.post("/v1/documents/policy/proposals").bearer(&writer).expect(201).await;
    let hash = submit(&app, &writer).await;
    let unchanged = async || {
        let read = app.get(PROPOSAL).bearer(&writer).expect(200).await;
        assert_eq!((read.text("status"), read.text("sha256")), ("submitted", &*hash));
    };
    write(&app, &dora, "").await;
    unchanged().await;
    app.delete(&format!("{PROPOSAL}/edits/contact")).bearer(&dora).expect(204).await;
    unchanged().await;
    write(&app, &dora, "").await;
    assert_eq!(approve(&app, &dora, &hash, 200).await["status"], "approved", "she is no author");
    // Nor is it a change of the published document.
    write(&app, &writer, "").await;
    let two = "/v1/documents/policy/proposals/2/submit";
    let nothing = app.post(two).bearer(&writer).json(json!({"summary": "Nothing."})).expect(409).await;
    assert_eq!(nothing.text("code"), "nothing_to_publish");
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_default_is_that_of_the_proposed_items(app: TestApp) {
    let People { writer, approvers: [ben, ..] } = people(&app).await;
    let dora = app.person("Dora", Role::Admin).await;
    submitted_as_it_is(&app, &writer, json!([])).await;
    write(&app, &dora, "Jo").await;
    let items = json!({"items": contact("Eve")});
    app.patch(PROPOSAL).bearer(&writer).json(items).expect(200).await;
    let hash = submit(&app, &writer).await;
    assert_eq!(approve(&app, &dora, &hash, 403).await["code"], "four_eyes", "Jo is her value");
    app.delete(&format!("{PROPOSAL}/edits/contact")).bearer(&dora).expect(204).await;
    let open = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!(open.text("status"), "open", "it is Eve by now");
    let hash = submit(&app, &writer).await;
    write(&app, &dora, "Eve").await;
    let same = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!((same.text("status"), same.text("sha256")), ("submitted", &*hash));
    assert_eq!(approve(&app, &dora, &hash, 403).await["code"], "four_eyes", "the proposal changes the items");
    assert_eq!(approve(&app, &ben, &hash, 200).await["status"], "approved");
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn the_text_of_an_approved_proposal_is_what_was_approved(app: TestApp) {
    let People { writer, approvers: [ben, ..] } = people(&app).await;
    let hash = submitted(&app, &writer, json!([])).await;
    approve(&app, &ben, &hash, 200).await;
    write(&app, &writer, "Eve").await;
    let two = "/v1/documents/policy/proposals/2";
    app.patch(two).bearer(&writer).json(json!({"title": "Rules"})).expect(200).await;
    let summary = json!({"summary": "Eve."});
    let second = app.post(&format!("{two}/submit")).bearer(&writer).json(summary).expect(200).await;
    let approval = json!({"sha256": second.text("sha256")});
    app.post(&format!("{two}/approve")).bearer(&ben).json(approval).expect(200).await;
    let text = app.get("/v1/documents/policy/text?proposal=1").bearer(&writer).expect(200).await;
    assert_eq!(text.header("etag"), Some(&*format!("\"{hash}\"")));
}

#[testkit::both_engines]
async fn a_deputy_approves_until_a_day(app: TestApp) {
    let People { writer, approvers: [ben, cleo, dan] } = people(&app).await;
    let viewer = app.person("Eve", Role::Viewer).await;
    let hash = submitted(&app, &writer, json!([{"name": "One", "who": "users", "users": [ben.id]}])).await;
    let name = |deputy: &TestPerson, until: &str| {
        app.put("/v1/me/deputy").bearer(&ben).json(json!({"user": deputy.id, "until": until}))
    };
    for (deputy, until, pointer) in
        [(&viewer, "2999-01-01", "#/user"), (&ben, "2999-01-01", "#/user"), (&cleo, "2001-01-01", "#/until")]
    {
        assert_eq!(name(deputy, until).expect(422).await.json()["errors"][0]["pointer"], pointer);
    }
    name(&dan, "2999-01-01").expect(204).await;
    app.delete("/v1/me/deputy").bearer(&ben).expect(204).await;
    assert_eq!(approve(&app, &dan, &hash, 403).await["code"], "not_in_step");
    name(&cleo, "2999-01-01").expect(204).await;
    let deputy = app.get("/v1/me/deputy").bearer(&ben).expect(200).await;
    assert_eq!((&deputy.json()["user"]["name"], deputy.text("until")), (&json!("Cleo"), "2999-01-01"));
    let read = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!(who(read.json()), ["Ben", "Cleo"]);
    let approved = approve(&app, &cleo, &hash, 200).await;
    let given = &approved["steps"][0]["approvals"][0];
    assert_eq!((&given["by"]["name"], &given["on_behalf_of"]["name"]), (&json!("Cleo"), &json!("Ben")));
    let list = app.get("/v1/documents/waivers").bearer(&writer).expect(200).await;
    let kinds = list.json()["data"].as_array().unwrap().iter().map(|it| it["replacement"]["name"].clone());
    assert_eq!(kinds.collect::<Vec<_>>(), [json!("Cleo"), Value::Null, json!("Dan")]);
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn four_eyes_are_waived_for_a_proposal_or_switched_off(app: TestApp) {
    let writer = app.person("Ada", Role::Admin).await;
    let hash = submitted(&app, &writer, json!([])).await;
    let stuck = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!(who(stuck.json()), [""; 0]);
    approve(&app, &writer, &hash, 403).await;
    let organization = format!("/v1/organizations/{}", writer.organization);
    let switch = |is_on: bool| app.patch(&organization).bearer(&writer).json(json!({"four_eyes": is_on}));
    assert_eq!(switch(false).expect(200).await.json()["four_eyes"], false);
    assert_eq!(who(app.get(PROPOSAL).bearer(&writer).expect(200).await.json()), ["Ada"]);
    switch(true).expect(200).await;
    approve(&app, &writer, &hash, 403).await;
    let waive =
        app.post(&format!("{PROPOSAL}/waive-four-eyes")).bearer(&writer).json(json!({"reason": "Alone"}));
    assert_eq!(waive.expect(200).await.text("four_eyes_waived"), "Alone");
    let again =
        app.post(&format!("{PROPOSAL}/waive-four-eyes")).bearer(&writer).json(json!({"reason": "Alone"}));
    again.expect(200).await;
    assert_eq!(approve(&app, &writer, &hash, 200).await["status"], "approved");
    let list = app.get("/v1/documents/waivers").bearer(&writer).expect(200).await;
    let kinds: Vec<_> = list.json()["data"].as_array().unwrap().iter().map(|it| it["kind"].clone()).collect();
    assert_eq!(kinds, [json!("four_eyes"), json!("organization"), json!("organization")]);
    assert_eq!(
        (&list.json()["data"][0]["reason"], &list.json()["data"][1]["four_eyes"]),
        (&json!("Alone"), &json!(true))
    );
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn changed_steps_are_approved_by_the_old_ones(app: TestApp) {
    let People { writer, approvers: [ben, cleo, dan] } = people(&app).await;
    let one = |person: &TestPerson| json!([{"name": "One", "who": "users", "users": [person.id]}]);
    submitted(&app, &writer, one(&ben)).await;
    let change = |steps: Value| app.patch(PROPOSAL).bearer(&writer).json(json!({"approval_steps": steps}));
    let unknown = json!([{"name": "One", "who": "group", "group": "01901643-7c5d-7a20-9b1e-40c2f7d95a13"}]);
    let refused = change(unknown).expect(422).await;
    assert_eq!(refused.json()["errors"][0]["pointer"], "#/approval_steps/0/group");
    let changed = change(one(&cleo)).expect(200).await;
    assert_eq!(changed.json()["changes"]["approval_steps"][0]["users"], json!([cleo.id]));
    let hash = submit(&app, &writer).await;
    let read = app.get(PROPOSAL).bearer(&ben).expect(200).await.header("etag").unwrap().to_owned();
    // The same text is approved by others in the end, which the hash does not tell.
    change(one(&dan)).expect(200).await;
    assert_eq!(submit(&app, &writer).await, hash);
    assert_eq!(approve(&app, &ben, &hash, 428).await["code"], "precondition_required");
    let approve = |by: &TestPerson, tag: &str| {
        let path = format!("{PROPOSAL}/approve");
        app.post(&path).bearer(by).header("if-match", tag).json(json!({"sha256": hash}))
    };
    approve(&ben, "*").expect(428).await;
    approve(&ben, &read).expect(412).await;
    let read = app.get(PROPOSAL).bearer(&ben).expect(200).await.header("etag").unwrap().to_owned();
    approve(&cleo, &read).expect(403).await;
    approve(&ben, &read).expect(200).await;
    let document = app.get("/v1/documents/policy").bearer(&writer).expect(200).await;
    assert_eq!(document.json()["approval_steps"][0]["users"], json!([dan.id]));
    super::bulk::assert_sound(&app).await;
}
