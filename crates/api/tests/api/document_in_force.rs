//! Which version of a document is in force, and proposals that confirm it.

use domain::Role;
use domain::document::Day;
use jiff::SignedDuration;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

use super::document_life::{DOCUMENT, post, published, read};

#[both_engines]
async fn the_version_in_force_is_told_beside_the_newest(app: TestApp) {
    let (mut ada, ben) = published(&app).await;
    app.post(&format!("{DOCUMENT}/proposals")).bearer(&ada.token).expect(201).await;
    let patch = app.patch(&format!("{DOCUMENT}/proposals/2")).bearer(&ada.token);
    patch.json(json!({"title": "Doors"})).expect(200).await;
    let day = Day::of(app.db.clock.now() + SignedDuration::from_hours(48)).to_string();
    let said = json!({"summary": "Doors.", "effective_date": day});
    let submitted = post(&app, &ada, "proposals/2/submit", said, 200).await;
    post(&app, &ben, "proposals/2/approve", json!({"sha256": submitted.text("sha256")}), 200).await;
    let versions = async |ada: &TestPerson| {
        let one = read(&app, ada).await;
        let list = app.get("/v1/documents").bearer(&ada.token).expect(200).await;
        assert_eq!(list.json()["data"][0]["in_force_version"], one["in_force_version"]);
        (one["in_force_version"].clone(), one["published_version"].clone())
    };
    assert_eq!(versions(&ada).await, (json!(1), json!(2)));
    let patch = app.patch(&format!("{DOCUMENT}/properties")).bearer(&ada.token);
    let patched = patch.json(json!({"earlier": "3.2"})).expect(200).await;
    assert_eq!(*patched.json(), read(&app, &ada).await);
    app.db.clock.advance_days(3);
    ada.token = app.sign_in_person(ada.organization, &ada.email, &ada.password).await;
    assert_eq!(versions(&ada).await, (json!(2), json!(2)));
}

#[both_engines]
async fn the_published_text_is_approved_again_without_a_version(app: TestApp) {
    let (ada, ben) = published(&app).await;
    let asked = json!({"who": "all", "due_days": 7});
    post(&app, &ada, "versions/1/acknowledgement-requests", asked, 201).await;
    let version = app.get(&format!("{DOCUMENT}/versions/1")).bearer(&ada.token).expect(200).await;
    let sha256 = json!({"sha256": version.text("sha256")});
    post(&app, &ben, "versions/1/acknowledgements", sha256.clone(), 201).await;
    let before = read(&app, &ada).await;
    app.db.clock.advance_seconds(3600);
    let opened = post(&app, &ada, "proposals", json!({"confirm": true}), 201).await;
    assert_eq!((&opened.json()["confirm"], &opened.json()["sha256"]), (&json!(true), &sha256["sha256"]));
    let submitted = post(&app, &ada, "proposals/2/submit", json!({"summary": "Once a year."}), 200).await;
    assert_eq!(submitted.json()["sha256"], sha256["sha256"], "the hash stays, whatever is submitted with it");
    post(&app, &ben, "proposals/2/approve", sha256, 200).await;
    let after = read(&app, &ada).await;
    assert_eq!((&after["published_version"], &after["open_proposal"]), (&json!(1), &Value::Null));
    assert!(after["next_review_date"].as_str() > before["next_review_date"].as_str(), "{after}");
    let reviews = app.get(&format!("{DOCUMENT}/reviews")).bearer(&ada.token).expect(200).await;
    assert_eq!(reviews.json()["data"][0]["proposal"], 2);
    assert_eq!(reviews.json()["data"][0]["reviewed_by"]["name"], "Ben");
    let mine = app.get("/v1/me/acknowledgements").bearer(&ben.token).expect(200).await;
    assert_eq!(mine.json()["data"], json!([]), "nobody is asked again");
    let versions = app.get(&format!("{DOCUMENT}/versions")).bearer(&ada.token).expect(200).await;
    assert_eq!(versions.json()["data"].as_array().unwrap().len(), 1);
}

#[both_engines]
async fn a_confirmation_that_is_changed_publishes_a_version(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let item = json!({"id": "who", "kind": "text", "label": "Who?"});
    let body = json!({"slug": "locks", "title": "Locks", "items": [item]});
    app.post("/v1/documents").bearer(&ada.token).json(body).expect(201).await;
    assert_eq!(
        post(&app, &ada, "proposals", json!({"confirm": true}), 422).await.faults(),
        ["#/confirm conflict"]
    );
    let set = async |value: &str| {
        let edits = json!([{"node_id": "who", "node_type": "text", "value": value}]);
        app.patch(DOCUMENT).bearer(&ada.token).json(edits).expect(200).await;
    };
    let approve = async |number: i64| {
        let proposal = format!("proposals/{number}");
        let submitted =
            post(&app, &ada, &format!("{proposal}/submit"), json!({"summary": "All."}), 200).await;
        let hash = json!({"sha256": submitted.text("sha256")});
        post(&app, &ben, &format!("{proposal}/approve"), hash, 200).await;
    };
    set("All").await;
    approve(1).await;
    post(&app, &ada, "proposals", json!({"confirm": true}), 201).await;
    set("Some").await;
    approve(2).await;
    assert_eq!(read(&app, &ada).await["published_version"], 2);
    app.post(&format!("{DOCUMENT}/proposals")).bearer(&ada.token).expect(201).await;
    let nothing = post(&app, &ada, "proposals/3/submit", json!({"summary": "All."}), 409).await;
    assert_eq!(nothing.text("code"), "nothing_to_publish");
    assert!(nothing.text("detail").contains("confirm"), "{}", nothing.json());
}

#[both_engines]
async fn a_confirmation_has_the_approvals_of_each_step(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let step = |name: &str, person: &TestPerson| json!({"name": name, "who": "users", "users": [person.id]});
    let steps = json!([step("First", &ben), step("Second", &ada)]);
    let body = json!({"slug": "locks", "title": "Locks", "template": "Lock it.\n", "approval_steps": steps});
    app.post("/v1/documents").bearer(&ada.token).json(body).expect(201).await;
    let both = json!({"from": 1, "confirm": true});
    assert_eq!(post(&app, &ada, "proposals", both, 422).await.faults(), ["#/confirm conflict"]);
    for (number, body) in [(1, json!({})), (2, json!({"confirm": true})), (3, json!({"confirm": true}))] {
        post(&app, &ada, "proposals", body, 201).await;
        let proposal = format!("proposals/{number}");
        let submitted =
            post(&app, &ada, &format!("{proposal}/submit"), json!({"summary": "All."}), 200).await;
        let hash = json!({"sha256": submitted.text("sha256"), "note": "Read."});
        let first = post(&app, &ben, &format!("{proposal}/approve"), hash.clone(), 200).await;
        assert_eq!(first.text("status"), "submitted");
        let end = if number == 2 { ("reject", json!({"reason": "No."})) } else { ("approve", hash) };
        post(&app, &ada, &format!("{proposal}/{}", end.0), end.1, 200).await;
    }
    let copy = post(&app, &ada, "proposals", json!({"from": 2}), 201).await;
    assert_eq!(copy.json()["confirm"], true, "it confirms as that one did");
    assert_eq!(read(&app, &ada).await["published_version"], 1);
    let reviews = app.get(&format!("{DOCUMENT}/reviews")).bearer(&ada.token).expect(200).await;
    assert_eq!(reviews.json()["data"].as_array().unwrap().len(), 1, "with the last approval");
    assert_eq!((&reviews.json()["data"][0]["proposal"], reviews.text("/data/0/note")), (&json!(3), "Read."));
    super::bulk::assert_sound(&app).await;
}
