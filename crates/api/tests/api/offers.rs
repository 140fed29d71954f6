//! `/v1/documents/{id}/offer`: newer texts of the library.

use db::Tx;
use domain::Role;
use domain::document::{LibraryText, NewDocument, library};
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestPerson, both_engines};

const POLICY: &str = "/v1/documents/access-control";

/// The policy of the library, and the same with an older text: its second paragraph was another one, and it had an item less.
pub(super) fn policy() -> (&'static NewDocument, NewDocument) {
    let present = library().iter().find(|it| it.slug == "access-control").unwrap();
    let template = present.template.as_deref().unwrap();
    let older = template.replacen("\n\n", "\n\nThe older words.\n\n", 1);
    let mut older = NewDocument { template: Some(domain::Prose::stored(older)), ..present.clone() };
    older.items[1].label = "An older label".into();
    let library = Some(LibraryText::of(&older));
    (present, NewDocument { library, ..older })
}

/// A document that was made from the older text.
pub(super) async fn made(app: &TestApp, new: NewDocument) {
    let organization = app.organization;
    let work =
        async move |tx: &mut Tx| store::documents::create(tx, organization, &testkit::author(), &new).await;
    app.db.write(organization, work).await.unwrap();
}

async fn offer(app: &TestApp, by: &TestPerson, status: u16) -> Answer {
    app.get(&format!("{POLICY}/offer")).bearer(by).expect(status).await
}

async fn answer(app: &TestApp, by: &TestPerson, what: &str, sha256: &str) -> Answer {
    app.post(&format!("{POLICY}/offer/{what}")).bearer(by).json(json!({"sha256": sha256})).await
}

/// Whether the document has an offer, in the list as in its own response.
async fn has_offer(app: &TestApp, by: &TestPerson) -> bool {
    let read = app.get(POLICY).bearer(by).expect(200).await.json()["offer"].clone();
    let listed = app.get("/v1/documents").bearer(by).expect(200).await;
    assert_eq!(listed.json()["data"][0]["offer"], read);
    read == Value::Bool(true)
}

async fn assert_verified(app: &TestApp) {
    let mut tx = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, app.organization, None).await.unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
}

#[both_engines]
async fn what_is_made_from_the_present_library_has_no_offer(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let body = json!({"library": ["access-control"]});
    let made = app.post("/v1/documents/import").bearer(&ada).json(body).expect(200).await;
    assert_eq!(made.json()["documents"][0]["library"], "access-control");
    assert!(!has_offer(&app, &ada).await);
    assert_eq!(offer(&app, &ada, 404).await.text("title"), "Offer not found");
    app.get("/v1/documents/none/offer").bearer(&ada).expect(404).await;
    assert_verified(&app).await;
}

#[both_engines]
async fn a_newer_text_is_taken_into_a_proposal_and_published_by_its_approval(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let (present, older) = policy();
    made(&app, older).await;
    assert!(has_offer(&app, &ada).await);
    let found = offer(&app, &ada, 200).await;
    assert_eq!(found.json()["template"], present.template.as_deref().unwrap());
    assert_eq!(found.json()["items_changed"], json!([present.items[1].id]));
    assert_eq!((&found.json()["kept"], &found.json()["items_added"]), (&json!([]), &json!([])));
    assert!(found.text("text").contains("-The older words."), "{}", found.text("text"));
    let sha256 = found.text("sha256").to_owned();
    assert_eq!(answer(&app, &ada, "accept", &"0".repeat(64)).await.status, 404);
    let taken = answer(&app, &ada, "accept", &sha256).await;
    assert_eq!((taken.status, taken.text("status")), (200, "open"));
    assert_eq!(taken.json()["change_sets"][0]["fields"], json!(["template", "items"]));
    assert!(!has_offer(&app, &ada).await);
    assert_eq!(answer(&app, &ada, "accept", &sha256).await.status, 404, "it is taken");
    assert_verified(&app).await;
    let proposal = format!("{POLICY}/proposals/1");
    let step = |by: &TestPerson, step: &str, body: Value| {
        app.post(&format!("{proposal}/{step}")).bearer(by).json(body)
    };
    let submitted = step(&ada, "submit", json!({"summary": "Newer."})).expect(200).await;
    let approval = json!({"sha256": submitted.text("sha256")});
    step(&ada, "approve", approval.clone()).expect(403).await;
    step(&ben, "approve", approval).expect(200).await;
    assert!(!has_offer(&app, &ada).await);
    let read = app.get(POLICY).bearer(&ada).expect(200).await;
    assert_eq!(read.text("template"), present.template.as_deref().unwrap());
    assert_verified(&app).await;
}

#[both_engines]
async fn own_words_stay_are_told_and_a_submitted_proposal_is_open_again(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let (present, older) = policy();
    let theirs = older.template.as_deref().unwrap().replace("The older words.", "Our words.");
    made(&app, older).await;
    app.post(&format!("{POLICY}/proposals")).bearer(&ada).expect(201).await;
    let proposal = format!("{POLICY}/proposals/1");
    let patch = json!({"template": theirs, "title": "Ours"});
    app.patch(&proposal).bearer(&ada).json(patch).expect(200).await;
    app.post(&format!("{proposal}/submit")).bearer(&ada).json(json!({"summary": "Ours."})).expect(200).await;
    let found = offer(&app, &ada, 200).await;
    let kept = json!([{"node_id": null, "member": null, "own": "Our words.", "offered": null}]);
    assert_eq!(found.json()["kept"], kept);
    let taken = answer(&app, &ada, "accept", found.text("sha256")).await;
    assert_eq!((taken.status, taken.text("status")), (200, "open"));
    assert_eq!(taken.json()["changes"]["template"], theirs);
    assert_eq!(taken.json()["changes"]["title"], "Ours");
    assert_eq!(taken.json()["changes"]["items"][1]["label"], present.items[1].label);
    // What was rejected is offered again; its copy has it.
    let body = json!({"reason": "Not yet."});
    app.post(&format!("{proposal}/withdraw")).bearer(&ada).json(body).expect(200).await;
    assert!(has_offer(&app, &ada).await);
    app.post(&format!("{POLICY}/proposals")).bearer(&ada).json(json!({"from": 1})).expect(201).await;
    assert!(!has_offer(&app, &ada).await);
    assert_verified(&app).await;
}

#[both_engines]
async fn a_declined_text_is_not_offered_any_more(app: TestApp) {
    let (ada, vera) = (app.person("Ada", Role::Admin).await, app.person("Vera", Role::Viewer).await);
    made(&app, policy().1).await;
    let sha256 = offer(&app, &vera, 200).await.text("sha256").to_owned();
    assert_eq!(answer(&app, &vera, "decline", &sha256).await.status, 403);
    assert_eq!(answer(&app, &ada, "decline", &"0".repeat(64)).await.status, 404);
    let declined = answer(&app, &ada, "decline", &sha256).await;
    assert_eq!((declined.status, &declined.json()["offer"]), (200, &json!(false)));
    assert!(!has_offer(&app, &ada).await);
    offer(&app, &ada, 404).await;
    assert_verified(&app).await;
    // With the draft its texts of the library are gone, and the slug can be used again.
    app.delete(POLICY).bearer(&ada).expect(204).await;
    made(&app, policy().1).await;
    assert!(has_offer(&app, &ada).await);
    assert_verified(&app).await;
}
