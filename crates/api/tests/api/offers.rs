//! `/v1/documents/{id}/offer`: newer texts of the library.

use db::Tx;
use domain::Role;
use domain::document::{LibraryText, NewDocument, OfferedText, Sha256, library};
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
    let library = Some(LibraryText::of(&older, 0));
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
    let library = json!({"sha256": found.text("sha256"), "kept": kept});
    assert_eq!(taken.json()["library"], library);
    assert_eq!(app.get(&proposal).bearer(&ada).expect(200).await.json()["library"], library);
    assert_eq!(taken.json()["changes"]["template"], theirs);
    assert_eq!(taken.json()["changes"]["title"], "Ours");
    assert_eq!(taken.json()["changes"]["items"][1]["label"], present.items[1].label);
    // What was rejected is offered again; its copy has it.
    let body = json!({"reason": "Not yet."});
    app.post(&format!("{proposal}/withdraw")).bearer(&ada).json(body).expect(200).await;
    assert!(has_offer(&app, &ada).await);
    let copy =
        app.post(&format!("{POLICY}/proposals")).bearer(&ada).json(json!({"from": 1})).expect(201).await;
    assert_eq!(copy.json()["library"], library);
    assert!(!has_offer(&app, &ada).await);
    assert_verified(&app).await;
}

#[both_engines]
async fn what_brings_nothing_is_not_taken_with_or_without_a_proposal(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let (present, older) = policy();
    let ours = older.template.as_deref().unwrap().replace("The older words.", "Our words.");
    let template = Some(domain::Prose::stored(ours));
    made(&app, NewDocument { template, items: present.items.clone(), ..older }).await;
    let sha256 = offer(&app, &ada, 200).await.text("sha256").to_owned();
    for _ in 0..2 {
        let refused = answer(&app, &ada, "accept", &sha256).await;
        assert_eq!((refused.status, refused.text("code")), (409, "nothing_to_publish"));
        assert!(has_offer(&app, &ada).await);
        let _ = app.post(&format!("{POLICY}/proposals")).bearer(&ada).await;
    }
    assert_verified(&app).await;
}

#[both_engines]
async fn a_deleted_risk_that_an_item_names_is_no_obstacle(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let rating = json!({"likelihood": 2, "impact": 2});
    let risk = json!({"title": "Guessing", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&ada).json(risk).expect(201).await;
    let (present, mut older) = policy();
    older.items[0].risks = vec![domain::RiskNumber(1)];
    made(&app, older).await;
    app.delete("/v1/risks/RSK-1").bearer(&ada).expect(204).await;
    let sha256 = offer(&app, &ada, 200).await.text("sha256").to_owned();
    let taken = answer(&app, &ada, "accept", &sha256).await;
    assert_eq!(taken.status, 200, "{}", taken.json());
    let items = &taken.json()["changes"]["items"];
    assert_eq!((&items[0]["risks"], &items[1]["label"]), (&json!(["RSK-1"]), &json!(present.items[1].label)));
    assert_verified(&app).await;
}

#[both_engines]
async fn an_older_text_is_not_offered(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let older = policy().1;
    let library = Some(LibraryText::of(&older, 2));
    made(&app, NewDocument { library, ..older }).await;
    assert!(!has_offer(&app, &ada).await);
    offer(&app, &ada, 404).await;
}

#[both_engines]
async fn an_offer_that_was_read_before_a_change_is_merged_again(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let (_, older) = policy();
    let ours = older.template.as_deref().unwrap().replace("The older words.", "Our words.");
    made(&app, older).await;
    let (organization, slug) = (app.organization, "access-control");
    let mut tx = app.db.read().await.unwrap();
    let mut merged = store::proposals::offer(&mut tx, organization, slug, library()).await.ok();
    drop(tx);
    let sha256 = Sha256::stored(merged.as_ref().unwrap().offer.library.sha256.as_str());
    app.post(&format!("{POLICY}/proposals")).bearer(&ada).expect(201).await;
    let patch = json!({"template": ours});
    app.patch(&format!("{POLICY}/proposals/1")).bearer(&ada).json(patch).expect(200).await;
    let work = async move |tx: &mut Tx| {
        let (author, read, offered) =
            (testkit::author(), merged.take(), OfferedText { sha256: sha256.clone() });
        store::proposals::take_offer(tx, organization, &author, slug, library(), read, &offered).await
    };
    let taken = app.db.write(organization, work).await.unwrap();
    assert_eq!(taken.changes.proposed()["template"], ours);
    assert_eq!(taken.library.unwrap().kept[0].own.as_deref(), Some("Our words."));
}

#[both_engines]
async fn a_declined_text_is_not_offered_any_more(app: TestApp) {
    let (ada, vera) = (app.person("Ada", Role::Admin).await, app.person("Vera", Role::Viewer).await);
    made(&app, NewDocument { tags: vec!["hr".into()], ..policy().1 }).await;
    let sha256 = offer(&app, &vera, 200).await.text("sha256").to_owned();
    assert_eq!(answer(&app, &vera, "decline", &sha256).await.status, 403);
    assert_eq!(answer(&app, &ada, "decline", &"0".repeat(64)).await.status, 404);
    let declined = answer(&app, &ada, "decline", &sha256).await;
    assert_eq!((declined.status, &declined.json()["offer"]), (200, &json!(false)));
    let read = app.get(POLICY).bearer(&ada).expect(200).await;
    assert_eq!((declined.json(), &read.json()["tags"][0]["name"]), (read.json(), &json!("hr")));
    assert!(!has_offer(&app, &ada).await);
    offer(&app, &ada, 404).await;
    assert_verified(&app).await;
    // With the draft its texts of the library are gone, and the slug can be used again.
    app.delete(POLICY).bearer(&ada).expect(204).await;
    made(&app, policy().1).await;
    assert!(has_offer(&app, &ada).await);
    assert_verified(&app).await;
}
