//! Archiving, restoring and reviewing documents.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestPerson, both_engines};

pub(super) const DOCUMENT: &str = "/v1/documents/locks";

/// Ada and Ben, and a document that Ada wrote and Ben approved; it is reviewed every 30 days.
pub(super) async fn published(app: &TestApp) -> (TestPerson, TestPerson) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let body = json!({"slug": "locks", "title": "Locks", "template": "Lock it.\n", "review_every_days": 30});
    app.post("/v1/documents").bearer(&ada.token).json(body).expect(201).await;
    app.post(&format!("{DOCUMENT}/proposals")).bearer(&ada.token).expect(201).await;
    let proposal = format!("{DOCUMENT}/proposals/1");
    let submitted =
        app.post(&format!("{proposal}/submit")).bearer(&ada.token).json(json!({"summary": "All."}));
    let hash = json!({"sha256": submitted.expect(200).await.text("sha256")});
    app.post(&format!("{proposal}/approve")).bearer(&ben.token).json(hash).expect(200).await;
    (ada, ben)
}

pub(super) async fn read(app: &TestApp, person: &TestPerson) -> Value {
    app.get(DOCUMENT).bearer(&person.token).expect(200).await.json().clone()
}

pub(super) async fn post(app: &TestApp, person: &TestPerson, path: &str, body: Value, status: u16) -> Answer {
    app.post(&format!("{DOCUMENT}/{path}")).bearer(&person.token).json(body).expect(status).await
}

#[both_engines]
async fn archiving_ends_what_is_open_and_says_so(app: TestApp) {
    let (ada, ben) = published(&app).await;
    let asked = json!({"who": "all", "due_days": 7});
    post(&app, &ada, "versions/1/acknowledgement-requests", asked, 201).await;
    app.post(&format!("{DOCUMENT}/proposals")).bearer(&ada.token).expect(201).await;
    let reason = "The access policy replaces it.";
    let archived = post(&app, &ada, "archive", json!({"reason": reason}), 200).await;
    assert_eq!(archived.json()["withdrawn_proposal"], 2);
    assert_eq!(archived.json()["ended_requests"], 1);
    assert_eq!(archived.json()["document"]["status"], "archived");
    let document = read(&app, &ada).await;
    assert_eq!(document["next_review_date"], Value::Null);
    assert_eq!((&document["open_proposal"], &document["status_reason"]), (&Value::Null, &json!(reason)));
    let proposal = app.get(&format!("{DOCUMENT}/proposals/2")).bearer(&ada.token).expect(200).await;
    assert_eq!((proposal.text("status"), proposal.text("reason")), ("withdrawn", reason));
    let mine = app.get("/v1/me/acknowledgements").bearer(&ben.token).expect(200).await;
    assert_eq!(mine.json()["data"], json!([]));
    let totals = app.get(&format!("{DOCUMENT}/acknowledgements/totals")).bearer(&ada.token).expect(200).await;
    assert!(totals.json().as_object().unwrap().values().all(|count| *count != 1), "{}", totals.json());
    let listed = app.get("/v1/documents?status=archived").bearer(&ada.token).expect(200).await;
    assert_eq!(listed.json()["data"][0]["slug"], "locks");
}

#[both_engines]
async fn an_archived_document_takes_nothing_until_it_is_restored(app: TestApp) {
    let (ada, _) = published(&app).await;
    post(&app, &ada, "archive", json!({}), 200).await;
    for (path, body) in [("archive", json!({})), ("reviews", json!({}))] {
        assert_eq!(post(&app, &ada, path, body, 409).await.text("code"), "document_archived", "{path}");
    }
    let opened = app.post(&format!("{DOCUMENT}/proposals")).bearer(&ada.token).expect(409).await;
    assert_eq!(opened.text("code"), "document_archived");
    let patch = app.patch(&format!("{DOCUMENT}/properties")).bearer(&ada.token);
    let patched = patch.json(json!({"earlier": "3.2"})).expect(409).await;
    assert_eq!(patched.text("code"), "document_archived");
    let restored = app.post(&format!("{DOCUMENT}/restore")).bearer(&ada.token).expect(200).await;
    assert_eq!(restored.text("status"), "published");
    assert_eq!(restored.json()["archived_date"], Value::Null);
    assert!(restored.json()["next_review_date"].is_string());
    let again = app.post(&format!("{DOCUMENT}/restore")).bearer(&ada.token).expect(200).await;
    assert_eq!(again.json(), restored.json(), "it is in use already");
    app.post(&format!("{DOCUMENT}/proposals")).bearer(&ada.token).expect(201).await;
}

#[both_engines]
async fn an_archived_document_is_read_as_before(app: TestApp) {
    let (ada, _) = published(&app).await;
    let seen = async || {
        let mut seen = Vec::new();
        for path in [
            "text",
            "text?format=html",
            "text?proposal=1",
            "versions",
            "versions/1",
            "versions/1/difference",
            "provenance",
            "reviews",
            "file",
            "proposals",
            "proposals/1",
            "proposals/1/difference",
            "proposals/1/edits",
            "proposals/1/comments",
        ] {
            let answer = app.get(&format!("{DOCUMENT}/{path}")).bearer(&ada.token).expect(200).await;
            seen.push((path, answer.bytes));
        }
        seen
    };
    let before = seen().await;
    post(&app, &ada, "archive", json!({}), 200).await;
    assert_eq!(seen().await, before);
    let document = read(&app, &ada).await;
    assert_eq!((&document["status"], &document["in_force_version"]), (&json!("archived"), &json!(1)));
}

#[both_engines]
async fn a_review_without_a_change_moves_the_next_one(app: TestApp) {
    let (ada, _) = published(&app).await;
    let next = |document: &Value| document["next_review_date"].as_str().unwrap().to_owned();
    let first = next(&read(&app, &ada).await);
    app.db.clock.advance_seconds(31 * 24 * 3600);
    let token = app.sign_in_person(ada.organization, &ada.email, &ada.password).await;
    let ada = TestPerson { token, ..ada };
    let now = app.db.clock.now();
    let overdue = format!("/v1/documents?next_review_to={now}");
    let late = app.get(&overdue).bearer(&ada.token).expect(200).await;
    assert_eq!(late.json()["data"][0]["next_review_date"], json!(first));
    let review = post(&app, &ada, "reviews", json!({"note": "Still right."}), 201).await;
    assert_eq!(review.json()["document_version"], 1);
    let document = read(&app, &ada).await;
    assert!(next(&document) > first, "{document}");
    assert_eq!(document["published_version"], 1);
    assert_eq!(app.get(&overdue).bearer(&ada.token).expect(200).await.json()["data"], json!([]));
    let reviews = app.get(&format!("{DOCUMENT}/reviews")).bearer(&ada.token).expect(200).await;
    assert_eq!(reviews.json()["data"][0]["note"], "Still right.");
    assert_eq!(reviews.json()["data"][0]["reviewed_by"]["name"], "Ada");
    let every = json!({"review_every_days": null});
    let patched = app.patch(&format!("{DOCUMENT}/properties")).bearer(&ada.token).json(every);
    assert_eq!(patched.expect(200).await.json()["next_review_date"], Value::Null);
}

#[both_engines]
async fn a_draft_is_not_reviewed(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let body = json!({"slug": "locks", "title": "Locks", "template": "Lock it.\n", "review_every_days": 30});
    let made = app.post("/v1/documents").bearer(&ada.token).json(body).expect(201).await;
    assert_eq!(made.json()["next_review_date"], Value::Null);
    assert_eq!(post(&app, &ada, "reviews", json!({}), 404).await.text("code"), "not_found");
}

/// The document of a person, which was never published, with a proposal that they have commented on and an incident that links to it.
async fn draft(app: &TestApp, ada: &TestPerson, title: &str) {
    let body = json!({"slug": "locks", "title": title, "reference": "P-1", "template": "Lock it.\n"});
    app.post("/v1/documents").bearer(&ada.token).json(body).expect(201).await;
    let opened = app.post(&format!("{DOCUMENT}/proposals")).bearer(&ada.token).expect(201).await;
    let proposal = format!("{DOCUMENT}/proposals/{}", opened.json()["number"]);
    let change = json!({"title": format!("{title}, again")});
    app.patch(&proposal).bearer(&ada.token).json(change).expect(200).await;
    let comment = json!({"text": "Which locks?"});
    app.post(&format!("{proposal}/comments")).bearer(&ada.token).json(comment).expect(201).await;
    let incident = app.post("/v1/incidents").bearer(&ada.token).json(Value::Null).expect(201).await;
    let links = format!("/v1/incidents/{}/links", incident.text("id"));
    let link = json!({"to": {"type": "document", "id": "locks"}, "kind": "violates"});
    app.post(&links).bearer(&ada.token).json(link).expect(201).await;
}

#[both_engines]
async fn a_draft_is_deleted_with_all_that_belongs_to_it_and_made_again(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    for (title, number) in [("Locks", 1), ("Other locks", 2)] {
        draft(&app, &ada, title).await;
        let links = app.get(&format!("{DOCUMENT}/links")).bearer(&ada.token).expect(200).await;
        assert_eq!(links.json()["data"].as_array().unwrap().len(), 1, "{title}: {}", links.json());
        app.delete(DOCUMENT).bearer(&ada.token).header("if-match", "\"9\"").expect(412).await;
        app.delete(DOCUMENT).bearer(&ada.token).expect(204).await;
        app.get(DOCUMENT).bearer(&ada.token).expect(404).await;
        app.delete(DOCUMENT).bearer(&ada.token).expect(404).await;
        app.get(&format!("{DOCUMENT}/proposals/{number}")).bearer(&ada.token).expect(404).await;
        let incident = format!("/v1/incidents/INC-000{number}/links");
        let links = app.get(&incident).bearer(&ada.token).expect(200).await;
        assert_eq!(links.json()["data"], json!([]));
        app.db.clock.advance_seconds(1);
    }
    let told = app.get("/v1/journal?kind=document.deleted&kind=proposal.deleted&kind=incident.link_removed");
    assert_eq!(told.bearer(&ada.token).expect(200).await.json()["data"].as_array().unwrap().len(), 6);
    draft(&app, &ada, "Locks, at last").await;
    for (incident, title) in [("INC-0001", "locks"), ("INC-0003", "Locks, at last")] {
        let told =
            app.get(&format!("/v1/incidents/{incident}/timeline")).bearer(&ada.token).expect(200).await;
        let told = told.json().to_string();
        assert!(told.contains(&format!("the document “{title}”")), "the one that it was linked to: {told}");
    }
    let proposals = app.get(&format!("{DOCUMENT}/proposals")).bearer(&ada.token).expect(200).await;
    assert_eq!(proposals.json()["data"].as_array().unwrap().len(), 1);
    assert_eq!(proposals.json()["data"][0]["number"], 3, "no number is used again");
    let report = store::verify::verify(&mut app.db.read().await.unwrap(), ada.organization, None).await;
    assert_eq!(report.unwrap().faults, []);
}

/// What Ben, or in a few cases Ada, does to a draft of Ada's, with the code with which she cannot delete it; none if she can.
const WORK: [(&str, Option<&str>); 14] = [
    ("nothing", None),
    ("owner", Some(WORKED_ON)),
    ("archived", Some(WORKED_ON)),
    ("taken", Some(WORKED_ON)),
    ("comment", Some(WORKED_ON)),
    ("change", Some(WORKED_ON)),
    ("emptied", Some(WORKED_ON)),
    ("submitted", Some("proposal_submitted")),
    ("approved", Some(WORKED_ON)),
    ("returned", Some(WORKED_ON)),
    ("rejected", Some(WORKED_ON)),
    ("withdrawn", None),
    ("waived", Some(WORKED_ON)),
    ("tagged", None),
];

const WORKED_ON: &str = "document_worked_on";

/// Does one of [`WORK`] to a draft, and to its proposal.
async fn work(app: &TestApp, (ada, ben): (&TestPerson, &TestPerson), case: &str, proposal: &str) {
    let document = format!("/v1/documents/{case}");
    let reason = json!({"reason": "Not now."});
    let send = async |method: &'static str, person: &TestPerson, path: &str, body: Value| {
        let request = if method == "PATCH" { app.patch(path) } else { app.post(path) };
        request
            .bearer(&person.token)
            .json(body)
            .expect(if path.ends_with("/comments") { 201 } else { 200 })
            .await
    };
    let step = async |person: &TestPerson, step: &str, body: &Value| {
        send("POST", person, &format!("{proposal}/{step}"), body.clone()).await
    };
    match case {
        "owner" => {
            let path = format!("{document}/properties");
            send("PATCH", ben, &path, json!({"owner": ben.id})).await;
            send("PATCH", ada, &path, json!({"owner": null})).await;
        }
        "archived" => {
            send("POST", ben, &format!("{document}/archive"), json!({})).await;
            app.post(&format!("{document}/restore")).bearer(&ada.token).expect(200).await;
        }
        "taken" | "change" => {
            let edits = json!([{"node_id": "who", "node_type": "text", "value": "All"}]);
            send("PATCH", ben, &document, edits).await;
            if case == "taken" {
                app.delete(&format!("{proposal}/edits/who")).bearer(&ben.token).expect(204).await;
            }
        }
        "comment" => drop(step(ben, "comments", &json!({"text": "Which locks?"})).await),
        "emptied" => {
            for (person, title) in [(ben, "Bolts"), (ada, "Locks")] {
                send("PATCH", person, proposal, json!({"title": title})).await;
            }
        }
        "submitted" | "approved" | "returned" | "rejected" | "withdrawn" => {
            let hash = step(ada, "submit", &json!({"summary": "All."})).await;
            let hash = json!({"sha256": hash.text("sha256")});
            match case {
                "approved" => drop(step(ben, "approve", &hash).await),
                "returned" => drop(step(ben, "return", &reason).await),
                "rejected" => drop(step(ben, "reject", &reason).await),
                _ => {}
            }
            if ["approved", "withdrawn"].contains(&case) {
                step(ada, "withdraw", &reason).await;
            }
        }
        "tagged" => {
            send("PATCH", ben, &format!("{document}/properties"), json!({"tags": ["keys"]})).await;
        }
        "waived" => drop(step(ada, "waive-four-eyes", &reason).await),
        _ => {}
    }
}

#[both_engines]
async fn a_draft_on_which_others_have_worked_is_not_deleted(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let step = |name: &str, person: &TestPerson| json!({"name": name, "who": "users", "users": [person.id]});
    let steps = json!([step("First", &ben), step("Second", &ada)]);
    for ((case, code), number) in WORK.into_iter().zip(1..) {
        let item = json!({"id": "who", "kind": "text", "label": "Who?"});
        let body = json!({"slug": case, "title": "Locks", "items": [item], "approval_steps": steps});
        app.post("/v1/documents").bearer(&ada.token).json(body).expect(201).await;
        let document = format!("/v1/documents/{case}");
        app.post(&format!("{document}/proposals")).bearer(&ada.token).expect(201).await;
        work(&app, (&ada, &ben), case, &format!("{document}/proposals/{number}")).await;
        let deleted = app.delete(&document).bearer(&ada.token).await;
        assert_eq!(deleted.status, if code.is_some() { 409 } else { 204 }, "{case}");
        if let Some(code) = code {
            assert_eq!(deleted.text("code"), code, "{case}");
        }
    }
}

#[both_engines]
async fn a_draft_of_another_person_is_not_deleted_but_one_of_a_client_is(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let client = app.client().await;
    let body = json!({"slug": "locks", "title": "Locks", "template": "Lock it.\n"});
    let make = async |token: &str| {
        app.post("/v1/documents").bearer(token).json(body.clone()).expect(201).await;
    };
    make(&ben.token).await;
    let refused = app.delete(DOCUMENT).bearer(&ada.token).expect(409).await;
    assert_eq!(refused.text("code"), WORKED_ON);
    app.delete(DOCUMENT).bearer(&ben.token).expect(204).await;
    // What was done to another document that had the slug does not count.
    make(&client.token).await;
    app.delete(DOCUMENT).bearer(&ada.token).expect(204).await;
    make(&client.token).await;
    let patch = app.patch(&format!("{DOCUMENT}/properties")).json(json!({"owner": ben.id}));
    patch.bearer(&ben.token).expect(200).await;
    assert_eq!(app.delete(DOCUMENT).bearer(&ada.token).expect(409).await.text("code"), WORKED_ON);
    app.delete(DOCUMENT).bearer(&ben.token).expect(204).await;
}

#[both_engines]
async fn what_was_published_is_not_deleted(app: TestApp) {
    let (ada, _) = published(&app).await;
    let refused = app.delete(DOCUMENT).bearer(&ada.token).expect(409).await;
    assert_eq!(refused.text("code"), "document_published");
    post(&app, &ada, "archive", json!({}), 200).await;
    app.delete(DOCUMENT).bearer(&ada.token).expect(409).await;
    assert_eq!(read(&app, &ada).await["published_version"], 1);
}
