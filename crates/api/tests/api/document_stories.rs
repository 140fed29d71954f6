//! Policies from a draft to a published version, as people get there when something goes wrong on the way.

use domain::document::{LibraryText, NewDocument};
use domain::{Prose, Role};
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

use super::bulk::assert_sound;
use super::offers::{made, policy};

const DOORS: &str = "/v1/documents/doors";
const ACCESS: &str = "/v1/documents/access-control";

/// A policy with these steps of approval, whose proposal has an edit of each of these people.
async fn proposed<const N: usize>(app: &TestApp, steps: Value, edits: [(&TestPerson, &str, &str); N]) {
    let item = |id: &str| json!({"id": id, "kind": "text", "label": id});
    let body = json!({
        "slug": "doors", "title": "Doors", "template": "Doors are locked at {{hour}}.\n\n{{remark}}\n",
        "items": [item("hour"), item("remark")], "approval_steps": steps,
    });
    app.post("/v1/documents").bearer(edits[0].0).json(body).expect(201).await;
    for (by, item, value) in edits {
        edit(app, by, DOORS, json!({"node_id": item, "node_type": "text", "value": value})).await;
    }
}

async fn edit(app: &TestApp, by: &TestPerson, document: &str, edit: Value) {
    app.patch(document).bearer(by).json(json!([edit])).expect(200).await;
}

/// Takes a step of the first proposal of a document.
async fn step(app: &TestApp, by: &TestPerson, (of, step): (&str, &str), body: Value, status: u16) -> Value {
    app.post(&format!("{of}/proposals/1/{step}")).bearer(by).json(body).expect(status).await.json().clone()
}

async fn submit(app: &TestApp, by: &TestPerson, document: &str) -> String {
    let submitted = step(app, by, (document, "submit"), json!({"summary": "The first one."}), 200).await;
    submitted["sha256"].as_str().unwrap().to_owned()
}

async fn approve(app: &TestApp, by: &TestPerson, document: &str, sha256: &str, status: u16) -> Value {
    step(app, by, (document, "approve"), json!({"sha256": sha256}), status).await
}

/// What of an item of a list.
fn each<'v>(list: &'v Value, pointer: &str) -> Vec<&'v Value> {
    list.as_array().unwrap().iter().map(|it| it.pointer(pointer).unwrap()).collect()
}

async fn read(app: &TestApp, by: &TestPerson, path: &str) -> Value {
    app.get(path).bearer(by).expect(200).await.json().clone()
}

/// The text of the Word file of a published policy, which has the record of its approval.
async fn printed(app: &TestApp, by: &TestPerson) -> String {
    let file = app.get(&format!("{DOORS}/text?format=docx")).bearer(by).expect(200).await;
    render::import::docx(&file.bytes).unwrap().markdown
}

/// Both have to approve: Ben is away, and Cleo has written a sentence of it.
#[both_engines]
async fn of_two_approvers_one_is_away_and_the_other_is_an_author(app: TestApp) {
    let (ada, olga) = (app.person("Ada", Role::Owner).await, app.person("Olga", Role::Admin).await);
    let (ben, dan) = (app.person("Ben", Role::Approver).await, app.person("Dan", Role::Approver).await);
    let cleo = app.person("Cleo", Role::Admin).await;
    let both = json!([{"name": "Both", "who": "users", "users": [ben.id, cleo.id], "needed": 2}]);
    proposed(&app, both, [(&ada, "hour", "six"), (&cleo, "remark", "Windows too.")]).await;
    let sha256 = submit(&app, &ada, DOORS).await;
    let deputy = json!({"user": dan.id, "until": "2026-03-31"});
    app.put("/v1/me/deputy").bearer(&ben).json(deputy).expect(204).await;
    let stand_in = approve(&app, &dan, DOORS, &sha256, 200).await;
    assert_eq!((&stand_in["status"], &stand_in["next"]["who"]), (&json!("submitted"), &json!([])));
    let reason = stand_in["next"]["reason"].as_str().unwrap();
    assert!(reason.starts_with("Nobody can") && reason.contains("waives four eyes"), "{reason}");
    assert_eq!(approve(&app, &cleo, DOORS, &sha256, 403).await["code"], "four_eyes");
    // The way out is an admin's, with a reason, and keeps what Dan has approved.
    let why = json!({"reason": "Only Cleo knows the doors."});
    step(&app, &ada, (DOORS, "waive-four-eyes"), why.clone(), 403).await;
    let waived = step(&app, &olga, (DOORS, "waive-four-eyes"), why, 200).await;
    assert_eq!(each(&waived["next"]["who"], "/name"), ["Cleo"]);
    assert_eq!(approve(&app, &cleo, DOORS, &sha256, 200).await["status"], "approved");
    let version = read(&app, &ada, &format!("{DOORS}/versions/1")).await;
    let given = &version["steps"][0]["approvals"];
    assert_eq!(each(given, "/by/name"), ["Dan", "Cleo"]);
    assert_eq!((&given[0]["on_behalf_of"]["name"], &given[1]["on_behalf_of"]), (&json!("Ben"), &Value::Null));
    let waivers = read(&app, &olga, "/v1/documents/waivers").await;
    assert_eq!(each(&waivers["data"], "/kind"), ["four_eyes", "deputy"]);
    assert_eq!(each(&waivers["data"], "/by/name"), ["Olga", "Ben"]);
    let text = printed(&app, &ada).await;
    for expected in ["Dan as deputy of Ben", "Authors may approve: Only Cleo knows the doors."] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_sound(&app).await;
}

/// Cleo, who approves last, finds the hour wrong on which the board has decided.
#[both_engines]
async fn one_sentence_is_found_wrong_after_the_step_of_the_board(app: TestApp) {
    let (ada, olga) = (app.person("Ada", Role::Owner).await, app.person("Olga", Role::Admin).await);
    let (ben, cleo) = (app.person("Ben", Role::Approver).await, app.person("Cleo", Role::Approver).await);
    let one = |name: &str, by: &TestPerson| json!({"name": name, "who": "users", "users": [by.id]});
    let steps = json!([one("Technique", &ben), one("Board", &olga), one("Last", &cleo)]);
    proposed(&app, steps, [(&ada, "hour", "eight")]).await;
    let record = async |sha256: &str, minutes: &str, status| {
        let board = json!({"sha256": sha256, "decided_by": "The board", "decided_date": "2026-03-01", "minutes": minutes});
        step(&app, &olga, (DOORS, "record"), board, status).await
    };
    let wrong = submit(&app, &ada, DOORS).await;
    approve(&app, &ben, DOORS, &wrong, 200).await;
    assert_eq!(each(&record(&wrong, "4/2026", 200).await["next"]["who"], "/name"), ["Cleo"]);
    let comment = json!({"text": "It is six.", "suggestion": {"node_id": "hour", "value": "six"}});
    app.post(&format!("{DOORS}/proposals/1/comments")).bearer(&cleo).json(comment).expect(201).await;
    app.post(&format!("{DOORS}/proposals/1/comments/1/adopt")).bearer(&ada).expect(200).await;
    let open = read(&app, &ada, &format!("{DOORS}/proposals/1")).await;
    assert_eq!((&open["status"], &open["next"]["action"]), (&json!("open"), &json!("submit")));
    // All steps again, none of them with the text that was wrong.
    let right = submit(&app, &ada, DOORS).await;
    assert_eq!(approve(&app, &ben, DOORS, &wrong, 409).await["code"], "proposal_changed");
    assert_eq!(approve(&app, &cleo, DOORS, &right, 403).await["code"], "not_in_step");
    approve(&app, &ben, DOORS, &right, 200).await;
    assert_eq!(record(&wrong, "4/2026", 409).await["code"], "proposal_changed");
    assert_eq!(record(&right, "5/2026", 200).await["status"], "submitted");
    assert_eq!(read(&app, &ada, DOORS).await["published_version"], Value::Null);
    assert_eq!(approve(&app, &cleo, DOORS, &right, 200).await["status"], "approved");
    let version = read(&app, &ada, &format!("{DOORS}/versions/1")).await;
    let text = version["text"].as_str().unwrap();
    assert!(text.contains("Doors are locked at six.") && !text.contains("eight"), "{text}");
    assert_eq!((&version["sha256"], domain::document::sha256(text)), (&json!(right), right.clone()));
    // The record keeps what is void; the file has what counts.
    for place in 0..2 {
        let given = &version["steps"][place]["approvals"];
        assert_eq!(each(given, "/void"), [true, false], "{given}");
        assert_eq!(each(given, "/sha256"), [&wrong, &right].map(String::as_str), "{given}");
    }
    let board = &version["steps"][1]["approvals"];
    assert_eq!(each(board, "/recorded/minutes"), ["4/2026", "5/2026"]);
    assert_eq!(each(&version["steps"][2]["approvals"], "/void"), [false]);
    let waivers = read(&app, &olga, "/v1/documents/waivers").await;
    assert_eq!(each(&waivers["data"], "/minutes"), ["5/2026", "4/2026"]);
    let file = printed(&app, &ada).await;
    assert!(file.contains("5/2026") && !file.contains("4/2026"), "{file}");
    assert_sound(&app).await;
}

/// The library has a newer text while Ada has her own words, and Cleo another choice, in a submitted proposal.
#[both_engines]
async fn a_newer_text_of_the_library_comes_while_a_proposal_is_submitted(app: TestApp) {
    let (ada, cleo) = (app.person("Ada", Role::Owner).await, app.person("Cleo", Role::Admin).await);
    let ben = app.person("Ben", Role::Approver).await;
    let (present, older) = policy();
    let template = format!("{}\nThe older end.\n", older.template.as_deref().unwrap());
    let older = NewDocument { template: Some(Prose::stored(template.as_str())), ..older };
    made(&app, NewDocument { library: Some(LibraryText::of(&older, 0)), ..older }).await;
    edit(&app, &cleo, ACCESS, json!({"node_id": "approval", "node_type": "select", "value": "owner"})).await;
    let own = json!({"template": template.replace("The older words.", "Our words.")});
    app.patch(&format!("{ACCESS}/proposals/1")).bearer(&ada).json(own).expect(200).await;
    let before = submit(&app, &ada, ACCESS).await;

    let offer = read(&app, &ada, &format!("{ACCESS}/offer")).await;
    let kept = json!([{"node_id": null, "member": null, "own": "Our words.", "offered": null}]);
    assert_eq!((&offer["kept"], &offer["items_changed"]), (&kept, &json!([present.items[1].id])));
    assert!(offer["text"].as_str().unwrap().contains("-The older end."), "{}", offer["text"]);
    let accept = app.post(&format!("{ACCESS}/offer/accept")).bearer(&ada);
    let taken = accept.json(json!({"sha256": offer["sha256"]})).expect(200).await;
    assert_eq!((taken.text("status"), taken.json()["number"].as_i64()), ("open", Some(1)));
    assert_eq!(each(&taken.json()["change_sets"], "/author/name"), ["Cleo", "Ada"]);
    assert_eq!(approve(&app, &ben, ACCESS, &before, 409).await["code"], "not_next");

    let after = submit(&app, &ada, ACCESS).await;
    assert_eq!(approve(&app, &ben, ACCESS, &before, 409).await["code"], "proposal_changed");
    assert_eq!(approve(&app, &cleo, ACCESS, &after, 403).await["code"], "four_eyes", "her edit is in it");
    assert_eq!(approve(&app, &ben, ACCESS, &after, 200).await["status"], "approved");
    let document = read(&app, &ada, ACCESS).await;
    let items = &document["items"];
    assert_eq!((&items[0]["id"], &items[0]["value"]), (&json!("approval"), &json!("owner")));
    assert_eq!(items[1]["label"], present.items[1].label);
    assert_eq!(document["offer"], false);
    let version = read(&app, &ada, &format!("{ACCESS}/versions/1")).await;
    let text = version["text"].as_str().unwrap();
    for (words, is_there) in [
        ("Our words.", true),
        ("Each request for access is approved by the owner of the system or information.", true),
        ("The older words.", false),
        ("The older end.", false),
    ] {
        assert_eq!(text.contains(words), is_there, "{words}");
    }
    assert_eq!((&version["sha256"], domain::document::sha256(text)), (&json!(after), after.clone()));
    assert_sound(&app).await;
}
