//! `/v1/incidents/{id}/review`: the review of an incident as its users meet it.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient};

use crate::api::tasks::incident;

async fn patch(app: &TestApp, client: &TestClient, path: &str, body: Value) -> Answer {
    app.db.clock.advance_seconds(60);
    app.patch(path).bearer(client).json(body).await
}

/// A problem without what differs from request to request.
fn problem(answer: &Answer) -> Value {
    let mut problem = answer.json().clone();
    problem.as_object_mut().unwrap().remove("request_id").unwrap();
    problem
}

/// An incident with a published review; returns both paths.
async fn reviewed(app: &TestApp, client: &TestClient) -> (String, String) {
    let incident = incident(app, client, "Phishing").await;
    let review = format!("{incident}/review");
    let body = json!({"summary": "Mail.", "root_cause": "Not found.", "state": "published"});
    assert_eq!(patch(app, client, &review, body).await.status, 200);
    (incident, review)
}

#[testkit::both_engines]
async fn a_review_is_begun_written_by_several_and_published(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Responder).await;
    let incident = incident(&app, &client, "Phishing").await;
    let review = format!("{incident}/review");
    let missing = app.get(&review).bearer(&client).expect(404).await;
    assert_eq!(missing.text("title"), "Review not found");
    let before = app.get(&incident).bearer(&client).expect(200).await;
    let begun = patch(&app, &client, &review, json!({"summary": "Mail.", "owner": ada.id})).await;
    assert_eq!(
        (begun.status, begun.text("state"), begun.json()["version"].as_i64()),
        (200, "draft", Some(1))
    );
    let actions =
        json!([{"title": "Turn on a second factor", "owner": ada.id, "due": "2026-04-01T09:00:00Z"}]);
    let other = json!({"root_cause": "No second factor.", "actions": actions, "state": "in_review"});
    let other = app.patch(&review).bearer(&ada).json(other).expect(200).await;
    assert_eq!((other.text("summary"), other.text("root_cause")), ("Mail.", "No second factor."));
    let shown = patch(&app, &client, &review, json!({"state": "published"})).await;
    assert_eq!(app.get(&review).bearer(&client).expect(200).await.bytes, shown.bytes);
    let mut shown = shown.json().clone();
    assert_eq!(shown["published_date"].take(), shown["updated_date"].take());
    shown["created_date"].take();
    let person = json!({"id": ada.id, "name": "Ada", "email": "ada@x.org"});
    assert_eq!(
        shown,
        json!({
            "incident": {"id": "INC-0001", "title": "Phishing"},
            "edition": 1,
            "state": "published",
            "owner": person,
            "summary": "Mail.",
            "root_cause": "No second factor.",
            "contributing_factors": null,
            "impact": null,
            "went_well": null,
            "lessons": null,
            "actions": [{"number": 1, "title": "Turn on a second factor", "owner": person,
                "due": "2026-04-01T09:00:00.000000Z", "task": null}],
            "missing": ["contributing_factors", "impact", "went_well", "lessons"],
            "created_by": begun.json()["created_by"],
            "created_date": null,
            "published_date": null,
            "updated_date": null,
            "version": 3,
        })
    );
    let after = app.get(&incident).bearer(&client).expect(200).await;
    assert_eq!(after.bytes, before.bytes, "a review is no change of the incident");
}

#[testkit::both_engines]
async fn publishing_asks_for_summary_and_root_cause(app: TestApp) {
    let client = app.client().await;
    let review = format!("{}/review", incident(&app, &client, "Phishing").await);
    let refused = patch(&app, &client, &review, json!({"state": "published", "lessons": " "})).await;
    assert_eq!(
        (refused.status, &refused.json()["errors"]),
        (
            422,
            &json!([
                {"pointer": "#/lessons", "code": "blank", "detail": "Lessons must not be blank."},
                {"pointer": "#/summary", "code": "required", "detail": "Summary is required to publish the review."},
                {"pointer": "#/root_cause", "code": "required",
                    "detail": "Root cause is required to publish the review."},
            ])
        )
    );
    app.get(&review).bearer(&client).expect(404).await;
}

#[testkit::both_engines]
async fn a_published_review_is_frozen_and_corrected_by_the_next_edition(app: TestApp) {
    let client = app.client().await;
    let (_, review) = reviewed(&app, &client).await;
    let editions = format!("{review}/editions");
    let first = app.get(&review).bearer(&client).expect(200).await;
    let refused = patch(&app, &client, &review, json!({"summary": "A letter."})).await;
    assert_eq!(
        problem(&refused),
        json!({
            "type": "/docs/errors#review_published",
            "title": "The published review is frozen",
            "status": 409,
            "detail": "A published edition never changes: send \"state\": \"draft\" to begin the next one. Nothing was changed.",
            "instance": review,
            "code": "review_published",
        })
    );
    let same = patch(&app, &client, &review, json!({"summary": "Mail.", "state": "published"})).await;
    assert_eq!((same.status, &same.bytes), (200, &first.bytes), "that changes nothing");
    let correction = patch(&app, &client, &review, json!({"state": "draft", "summary": "A letter."})).await;
    assert_eq!(
        (correction.json()["edition"].as_i64(), correction.text("root_cause")),
        (Some(2), "Not found.")
    );
    let tag = correction.header("etag").unwrap();
    assert!(tag.starts_with("\"v2-"), "versions go on: {tag}");
    let stale = app.patch(&review).bearer(&client).header("if-match", first.header("etag").unwrap());
    stale.json(json!({"summary": "No."})).expect(412).await;
    let listed = app.get(&editions).bearer(&client).expect(200).await;
    assert_eq!(listed.json()["data"], json!([first.json()]), "a draft is no edition yet");
    let second = patch(&app, &client, &review, json!({"state": "published"})).await;
    let listed = app.get(&format!("{editions}?include_total=true")).bearer(&client).expect(200).await;
    assert_eq!(listed.json()["data"], json!([second.json(), first.json()]));
    assert_eq!(listed.json()["total"], 2);
}

#[testkit::both_engines]
async fn an_action_becomes_a_task_also_after_publishing(app: TestApp) {
    let client = app.client().await;
    let (ada, ben) = (app.person("Ada", Role::Responder).await, app.person("Ben", Role::Responder).await);
    let (incident, review) = reviewed(&app, &client).await;
    let actions = json!([{"title": "Train people", "owner": ben.id},
        {"title": "Turn on a second factor", "owner": ada.id, "due": "2026-04-01T09:00:00Z"}]);
    patch(&app, &client, &review, json!({"state": "draft", "actions": actions})).await;
    patch(&app, &client, &review, json!({"state": "published"})).await;
    let to_task = |number: i64| app.post(&format!("{review}/actions/{number}/task")).bearer(&client);
    let made = to_task(2).expect(201).await;
    assert_eq!(made.header("location"), Some(format!("{incident}/tasks/1").as_str()));
    assert_eq!(
        (made.text("title"), made.text("/owner/name"), made.text("due")),
        ("Turn on a second factor", "Ada", "2026-04-01T09:00:00.000000Z")
    );
    let shown = app.get(&review).bearer(&client).expect(200).await;
    assert_eq!((shown.text("state"), &shown.json()["actions"][1]["task"]), ("published", &json!(1)));
    let refused = to_task(2).expect(409).await;
    assert_eq!(
        problem(&refused),
        json!({
            "type": "/docs/errors#action_is_task",
            "title": "The action is a task already",
            "status": 409,
            "detail": "A task was created from this action before: change that task. Nothing was changed.",
            "instance": format!("{review}/actions/2/task"),
            "code": "action_is_task",
        })
    );
    assert_eq!(to_task(3).expect(404).await.text("title"), "Action not found");
    app.delete(&format!("/v1/users/{}?duties=keep", ben.id)).bearer(&client).expect(204).await;
    assert_eq!(to_task(1).expect(201).await.json()["owner"], Value::Null, "Ben has left");
    // What a screen has read can be sent back.
    let back = json!({"state": "draft", "actions": [{"title": "Train people", "owner": ben.id, "task": 2}]});
    let back = patch(&app, &client, &review, back).await;
    assert_eq!((back.status, &back.json()["actions"][0]["task"]), (200, &json!(2)));
}

#[testkit::both_engines]
async fn every_fault_of_a_review_is_told_at_once(app: TestApp) {
    let client = app.client().await;
    let review = format!("{}/review", incident(&app, &client, "Phishing").await);
    let stranger = "00000000-0000-4000-8000-000000000000";
    let actions = json!([{"title": " ", "task": 0}, {"owner": "ada", "number": 2}, "x"]);
    let wrong = json!({"summary": 7, "actions": actions, "state": "done", "edition": 2, "lesson": "x"});
    let refused = patch(&app, &client, &review, wrong).await;
    assert_eq!(
        refused.faults(),
        [
            "#/summary type",
            "#/actions/0/title blank",
            "#/actions/0/task range",
            "#/actions/1/title required",
            "#/actions/1/owner format",
            "#/actions/1/number read_only",
            "#/actions/2 type",
            "#/state enum",
            "#/edition read_only",
            "#/lesson unknown_field",
        ]
    );
    let wrong = json!({"owner": stranger, "actions": [{"title": "a", "owner": stranger, "task": 1}]});
    let refused = patch(&app, &client, &review, wrong).await;
    assert_eq!(
        refused.faults(),
        ["#/owner unknown_user", "#/actions/0/owner unknown_user", "#/actions/0/task unknown_task"]
    );
    let many = json!({"actions": vec![json!({"title": "a"}); 51]});
    assert_eq!(patch(&app, &client, &review, many).await.faults(), ["#/actions too_many"]);
}

/// A real incident of high severity, resolved.
async fn resolved(app: &TestApp, client: &TestClient) -> String {
    let incident = incident(app, client, "Phishing").await;
    let high = json!({"severity": "high", "reason": "All of finance."});
    app.put(&format!("{incident}/severity")).bearer(client).json(high).expect(200).await;
    let resolve = json!({"status": "resolved", "resolution_reason": "fixed", "resolution_summary": "Done.",
        "responded_date": "2026-03-01T09:00:00Z"});
    assert_eq!(patch(app, client, &incident, resolve).await.status, 200);
    incident
}

#[testkit::both_engines]
async fn a_severe_incident_is_closed_after_its_review_and_after_another_one_once_it_was_reopened(
    app: TestApp,
) {
    let client = app.client().await;
    let incident = resolved(&app, &client).await;
    let (review, transitions) = (format!("{incident}/review"), format!("{incident}/transitions"));
    let detail = "High and critical incidents need a published review before closing.";
    let refused = async || {
        let listed = app.get(&transitions).bearer(&client).expect(200).await;
        let rows = listed.json()["data"].as_array().unwrap().clone();
        let closing = rows.iter().find(|row| row["to"] == "closed").unwrap();
        let advice = format!("{detail} You can close with an override and a reason.");
        let blocked_by = json!([{"code": "review_not_published", "detail": advice}]);
        assert_eq!((&closing["permitted"], &closing["blocked_by"]), (&json!(false), &blocked_by));
        for (request, instance) in [
            (app.patch(&incident).json(json!({"status": "closed"})), &incident),
            (app.post(&transitions).json(json!({"to": "closed"})), &transitions),
        ] {
            let answer = request.bearer(&client).expect(409).await;
            assert_eq!(
                problem(&answer),
                json!({
                    "type": "/docs/errors#close_requirements",
                    "title": "The incident cannot be closed yet.",
                    "status": 409,
                    "detail": detail,
                    "instance": instance,
                    "code": "close_requirements",
                    "missing": [{"code": "review_not_published", "detail": detail}],
                })
            );
        }
    };
    refused().await;
    patch(&app, &client, &review, json!({"summary": "Mail.", "root_cause": "Not found."})).await;
    refused().await;
    patch(&app, &client, &review, json!({"state": "published"})).await;
    // A correction that is being written does not take back what was published.
    patch(&app, &client, &review, json!({"state": "draft", "lessons": "Train people."})).await;
    let closed = patch(&app, &client, &incident, json!({"status": "closed"})).await;
    assert_eq!((closed.status, closed.text("status")), (200, "closed"));
    // The date that is said of the reopening lies before the review: what counts is when it was recorded.
    let reopen = json!({"status": "investigating", "reason": "It came back.", "at": "2026-03-01T09:00:30Z"});
    assert_eq!(patch(&app, &client, &incident, reopen).await.status, 200);
    let resolve =
        json!({"status": "resolved", "resolution_reason": "fixed", "resolution_summary": "Done again."});
    assert_eq!(patch(&app, &client, &incident, resolve).await.status, 200);
    refused().await;
    patch(&app, &client, &review, json!({"state": "published"})).await;
    assert_eq!(patch(&app, &client, &incident, json!({"status": "closed"})).await.status, 200);
}

#[testkit::both_engines]
async fn containment_that_fails_is_no_reopening_for_the_review(app: TestApp) {
    let client = app.client().await;
    let incident = resolved(&app, &client).await;
    let back = json!({"status": "investigating", "reason": "Not yet."});
    patch(&app, &client, &incident, back).await;
    let review = json!({"summary": "Mail.", "root_cause": "Not found.", "state": "published"});
    patch(&app, &client, &format!("{incident}/review"), review).await;
    // A step back that reopens nothing, after the review.
    patch(&app, &client, &incident, json!({"status": "contained"})).await;
    patch(&app, &client, &incident, json!({"status": "investigating"})).await;
    let resolve = json!({"status": "resolved", "resolution_reason": "fixed", "resolution_summary": "Done."});
    patch(&app, &client, &incident, resolve).await;
    assert_eq!(patch(&app, &client, &incident, json!({"status": "closed"})).await.status, 200);
}

#[testkit::both_engines]
async fn an_undone_reopening_needs_no_other_review(app: TestApp) {
    let client = app.client().await;
    let incident = resolved(&app, &client).await;
    let review = json!({"summary": "Mail.", "root_cause": "Not found.", "state": "published"});
    patch(&app, &client, &format!("{incident}/review"), review).await;
    let reopened =
        patch(&app, &client, &incident, json!({"status": "contained", "reason": "A wrong click."})).await;
    assert_eq!(reopened.status, 200);
    let body = json!({"request_id": reopened.header("x-request-id").unwrap()});
    app.post("/v1/undo").bearer(&client).json(body).expect(200).await;
    assert_eq!(patch(&app, &client, &incident, json!({"status": "closed"})).await.status, 200);
}

#[testkit::both_engines]
async fn a_review_goes_and_comes_back_with_its_incident(app: TestApp) {
    let client = app.client().await;
    let (_, review) = reviewed(&app, &client).await;
    let before = app.get(&review).bearer(&client).expect(200).await;
    let ids = json!({"ids": [1]});
    app.post("/v1/incidents/bulk-delete").bearer(&client).json(ids.clone()).expect(200).await;
    for answer in [
        app.get(&review).bearer(&client).expect(404).await,
        app.get(&format!("{review}/editions")).bearer(&client).expect(404).await,
        app.post(&format!("{review}/actions/1/task")).bearer(&client).expect(404).await,
        patch(&app, &client, &review, json!({"state": "draft"})).await,
    ] {
        assert_eq!((answer.status, answer.text("title")), (404, "Incident not found"));
    }
    app.post("/v1/incidents/restore").bearer(&client).json(ids).expect(200).await;
    assert_eq!(app.get(&review).bearer(&client).expect(200).await.bytes, before.bytes);
}

#[testkit::both_engines]
async fn a_review_is_a_file_with_who_published_it(app: TestApp) {
    let client = app.client().await;
    let ada = app.person("Ada", Role::Responder).await;
    let (incident, review) = reviewed(&app, &client).await;
    let path = format!("{review}/file");
    let read = async || {
        let file = app.get(&path).bearer(&client).expect(200).await;
        render::import::docx(&file.bytes).unwrap().markdown
    };
    let actions = json!([{"title": "Train $people$", "owner": ada.id, "due": "2026-04-01T09:00:00Z"}]);
    let texts =
        json!({"state": "draft", "actions": actions, "summary": "The key was hunter22.\n\n```\n#panic()"});
    patch(&app, &client, &review, texts).await;
    let draft = read().await;
    assert!(draft.contains("# Summary") && draft.contains("# Root cause"), "{draft}");
    assert!(draft.contains("| Ada | 2026-04-01 09:00 UTC |") && draft.contains("hunter22"), "{draft}");
    assert_eq!(draft.matches("by ").count(), 0, "this edition is not published");
    app.patch(&review).bearer(&ada).json(json!({"state": "published"})).expect(200).await;
    let published = read().await;
    let row =
        |edition: i64| published.lines().find(|it| it.starts_with(&format!("| {edition} | 20"))).unwrap();
    assert!(row(2).ends_with("| Ada |") && !row(1).ends_with("| Ada |"), "{published}");
    assert!(published.contains("by Ada") && published.contains("Detected at"), "{published}");
    let pdf = app.get(&format!("{path}?format=pdf")).bearer(&client).expect(200).await;
    assert!(pdf.bytes.starts_with(b"%PDF-1.7"));
    // Redacted words, and incidents that a caller does not see, are in no file.
    let redact = json!({"text": "hunter22", "reason": "A password."});
    app.post(&format!("{incident}/redact")).bearer(&client).json(redact).expect(200).await;
    assert!(!read().await.contains("hunter22"));
    app.patch(&incident).bearer(&client).json(json!({"restricted": true})).expect(200).await;
    app.get(&path).bearer(&ada).expect(404).await;
    assert!(read().await.contains("# Summary"));
    app.post("/v1/incidents/bulk-delete").bearer(&client).json(json!({"ids": [1]})).expect(200).await;
    assert_eq!(app.get(&path).bearer(&client).expect(404).await.text("title"), "Incident not found");
}
