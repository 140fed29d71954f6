//! Job titles of members, and of approvers at the moment of their approval.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

async fn titled(app: &TestApp, by: &TestPerson, person: &TestPerson, title: Value) -> Value {
    let patch = app.patch(&format!("/v1/users/{}", person.id)).bearer(by);
    patch.json(json!({"job_title": title})).expect(200).await.json()["job_title"].clone()
}

#[both_engines]
async fn a_member_has_a_job_title_from_the_invitation_or_an_admin(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let ben = app.person("Ben", Role::Approver).await;
    assert_eq!(titled(&app, &ada, &ben, json!("Counsel")).await, "Counsel");
    let path = format!("/v1/users/{}", ben.id);
    app.patch(&path).bearer(&ben).json(json!({"job_title": "Owner"})).expect(403).await;
    let kept = app.patch(&path).bearer(&ada).json(json!({"name": "Ben B."})).expect(200).await;
    assert_eq!(kept.text("job_title"), "Counsel");
    let lines = app.patch(&path).bearer(&ada).json(json!({"job_title": "One\nTwo"})).expect(422).await;
    assert!(lines.faults()[0].starts_with("#/job_title "), "{:?}", lines.faults());
    assert_eq!(titled(&app, &ada, &ben, Value::Null).await, Value::Null);
    let new = |email| json!({"name": "Cy", "email": email, "job_title": "CISO", "role": "viewer"});
    let added = app.post("/v1/users").bearer(&ada).json(new("cy@example.org")).expect(201).await;
    assert_eq!(added.text("job_title"), "CISO");
    let invited = app.post("/v1/invitations").bearer(&ada).json(new("dan@example.org")).expect(201).await;
    assert_eq!(invited.text("job_title"), "CISO");
    let token = invited.text("link").split_once('#').unwrap().1.to_owned();
    let accept = json!({"token": token, "password": "nine green bottles"});
    app.post("/v1/invitations/accept").json(accept).expect(200).await;
    let list = app.get("/v1/users?email=dan@example.org").bearer(&ada).expect(200).await;
    assert_eq!(list.json()["data"][0]["job_title"], "CISO");
    super::bulk::assert_sound(&app).await;
}

#[both_engines]
async fn an_approval_keeps_the_job_title_of_its_moment(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let ben = app.person("Ben", Role::Approver).await;
    titled(&app, &ada, &ben, json!("Counsel")).await;
    let document = json!({"slug": "policy", "title": "Policy", "template": "Call Ada."});
    app.post("/v1/documents").bearer(&ada).json(document).expect(201).await;
    app.post("/v1/documents/policy/proposals").bearer(&ada).expect(201).await;
    let proposal = "/v1/documents/policy/proposals/1";
    let submit = app.post(&format!("{proposal}/submit")).bearer(&ada).json(json!({"summary": "New."}));
    let sha256 = submit.expect(200).await.text("sha256").to_owned();
    let approve = app.post(&format!("{proposal}/approve")).bearer(&ben).json(json!({"sha256": sha256}));
    approve.expect(200).await;
    titled(&app, &ada, &ben, json!("Head of Security")).await;
    let read = async |path: &str| app.get(path).bearer(&ada).expect(200).await.json().clone();
    let approved = read(proposal).await;
    assert_eq!(approved["steps"][0]["approvals"][0]["job_title"], "Counsel");
    let version = read("/v1/documents/policy/versions/1").await;
    assert_eq!(version["steps"][0]["approvals"][0]["job_title"], "Counsel");
    assert_eq!(version["approved_by_job_title"], "Counsel");
    let file = app.get("/v1/documents/policy/text?format=docx").bearer(&ada).expect(200).await;
    let text = render::import::docx(&file.bytes).unwrap().markdown;
    assert!(text.matches("Ben (Counsel)").count() == 3 && !text.contains("Head of Security"), "{text}");
    super::bulk::assert_sound(&app).await;
}
