//! Imports: spreadsheets that become records.

mod evaluation_exports;
mod evaluations;
mod incident_exports;
mod incidents;
mod long;
mod register;
mod round_trip;
mod scales;
mod shapes;
mod tags;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient, both_engines};

use crate::api::bulk::assert_sound;

const ALL: &str = "risks:read risks:write risks:delete tags:read tags:write journal:read organizations:read";

/// Titles above, a header of two rows, words of a scale of its own, owners who are roles, and a column that has no field.
const REGISTER: &str = "ACME Ltd. - Risk Register 2026;;;;;;;;\n\
    ;;;;;;;;\n\
    Risk ID;Risk;Inherent risk;;Residual risk;;Risk Owner;Tags;Site\n\
    ;;Likelihood;Impact;Likelihood;Impact;;;\n\
    R-1;Flood;4;Severe;2;3;Head of IT;water, site;Cellar\n\
    R-2;Fire;Likely;5;;;Head of IT;;Attic\n\
    R-3;;;;;;;;\n\
    R-4;Theft;3;9;;;;;Door\n";

async fn send(app: &TestApp, client: &TestClient, file: &str) -> String {
    send_as(app, client, "risks", file).await
}

async fn send_as(app: &TestApp, client: &TestClient, kind: &str, file: &str) -> String {
    let sent = app.post(&format!("/v1/imports?kind={kind}")).bearer(client).body("text/csv", file.to_owned());
    let made = sent.expect(201).await;
    assert_eq!(made.header("location"), Some(&*format!("/v1/imports/{}", made.text("id"))));
    made.text("id").to_owned()
}

async fn run(app: &TestApp, client: &TestClient, id: &str, body: Value) -> Answer {
    app.post(&format!("/v1/imports/{id}/run")).bearer(client).json(body).await
}

/// Sends a file and runs it with what is proposed; the outcome.
async fn import(app: &TestApp, client: &TestClient, file: &str) -> Value {
    import_as(app, client, "risks", file).await
}

async fn import_as(app: &TestApp, client: &TestClient, kind: &str, file: &str) -> Value {
    let id = send_as(app, client, kind, file).await;
    let body = json!({"accept_proposals": true, "skip_wrong": true});
    let done = run(app, client, &id, body).await;
    assert_eq!((done.status, done.text("state")), (200, "done"), "{}", done.json());
    done.json()["counts"].clone()
}

async fn read(app: &TestApp, client: &TestClient, path: &str) -> Value {
    app.get(path).bearer(client).expect(200).await.json().clone()
}

async fn risks(app: &TestApp, client: &TestClient) -> Vec<Value> {
    read(app, client, "/v1/risks?sort=number&limit=200").await["data"].as_array().unwrap().clone()
}

async fn outcomes(app: &TestApp, client: &TestClient, id: &str, query: &str) -> Vec<(i64, String, Value)> {
    let rows = read(app, client, &format!("/v1/imports/{id}/rows?{query}")).await;
    let rows = rows["data"].as_array().unwrap().iter();
    let row = |row: &Value| {
        let outcome = row["outcome"].as_str().unwrap().to_owned();
        (row["first_row"].as_i64().unwrap(), outcome, row["record"].clone())
    };
    rows.map(row).collect()
}

fn counts(created: i64, updated: i64, unchanged: i64, skipped: i64, wrong: i64) -> Value {
    json!({"created": created, "updated": updated, "unchanged": unchanged, "skipped": skipped, "wrong": wrong})
}

#[both_engines]
async fn a_register_is_found_asked_about_tried_and_imported(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let id = send(&app, &client, REGISTER).await;
    let path = format!("/v1/imports/{id}");
    let found = read(&app, &client, &path).await;
    assert_eq!((&found["header_rows"], &found["state"]), (&json!([3, 4]), &json!("needs_answers")));
    let fields: Vec<&str> =
        found["columns"].as_array().unwrap().iter().map(|it| it["field"].as_str().unwrap()).collect();
    assert_eq!(fields[..3], ["external_ref", "title", "inherent.likelihood"]);
    assert_eq!(fields[6..], ["owner_name", "tags", "block"]);
    let questions = found["questions"].as_array().unwrap();
    let asked: Vec<&str> = questions.iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert!(asked.contains(&"stage:residual") && asked.contains(&"owner:Head of IT"), "{asked:?}");
    // Without answers it is not run, but tried.
    let refused = run(&app, &client, &id, json!({"skip_wrong": true})).await;
    assert_eq!((refused.status, refused.faults()), (422, vec!["#/accept_proposals required".to_owned()]));
    let tried = run(&app, &client, &id, json!({"dry_run": true})).await;
    assert_eq!(tried.json()["counts"], counts(2, 0, 0, 1, 1));
    assert_eq!(risks(&app, &client).await, Vec::<Value>::new());
    assert_eq!(outcomes(&app, &client, &id, "outcome=wrong").await, [(8, "wrong".to_owned(), Value::Null)]);
    let wrong = read(&app, &client, &format!("{path}/rows?outcome=wrong")).await;
    let fault = &wrong["data"][0]["faults"][0];
    assert_eq!((&fault["read"], &fault["column"], &fault["nearest"]), (&json!("9"), &json!(3), &json!("5")));
    // Nothing is written while something is wrong.
    let strict = run(&app, &client, &id, json!({"accept_proposals": true})).await;
    assert_eq!((strict.status, strict.faults()), (422, vec!["#/skip_wrong required".to_owned()]));
    let answers: Vec<Value> =
        questions.iter().map(|it| json!({"id": it["id"], "answer": it["proposal"]})).collect();
    let answered = app.patch(&path).bearer(&client).json(json!({"answers": answers})).expect(200).await;
    assert_eq!(answered.text("state"), "ready");
    let done = run(&app, &client, &id, json!({"skip_wrong": true})).await;
    assert_eq!((done.text("state"), &done.json()["counts"]), ("done", &counts(2, 0, 0, 1, 1)));
    let made = risks(&app, &client).await;
    let flood = &made[0];
    assert_eq!((&flood["external_ref"], &flood["owner_name"]), (&json!("R-1"), &json!("Head of IT")));
    assert_eq!((&flood["inherent"]["score"], &flood["current"]["score"]), (&json!(20), &json!(6)));
    assert_eq!((&flood["target"], &flood["tags"][1]["name"]), (&Value::Null, &json!("water")));
    assert!(flood["description"].as_str().unwrap().contains("**Site:** Cellar"), "{flood}");
    assert_eq!((&made[1]["inherent"]["score"], &made[1]["current"]), (&json!(20), &Value::Null));
    assert_sound(&app).await;
}

#[both_engines]
async fn the_same_file_again_changes_nothing_and_another_one_what_it_has(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    assert_eq!(import(&app, &client, REGISTER).await, counts(2, 0, 0, 1, 1));
    let before = risks(&app, &client).await;
    assert_eq!(import(&app, &client, REGISTER).await, counts(0, 0, 2, 1, 1));
    assert_eq!(risks(&app, &client).await, before);
    let changed = REGISTER.replace("R-1;Flood;4;Severe;2;3", "R-1;Flood;4;Severe;2;2");
    assert_eq!(import(&app, &client, &changed).await, counts(0, 1, 1, 1, 1));
    let after = risks(&app, &client).await;
    assert_eq!(after[0]["current"]["score"], 4);
    assert_eq!(after[0]["version"], before[0]["version"], "an evaluation is no change of the risk");
    // Without references the titles count, each as often as the file has it.
    let plain = "Title,Likelihood,Impact\nLeak,2,2\nLeak,3,3\n";
    assert_eq!(import(&app, &client, plain).await, counts(2, 0, 0, 0, 0));
    assert_eq!(import(&app, &client, plain).await, counts(0, 0, 2, 0, 0));
    assert_eq!(import(&app, &client, &plain.replace("3,3", "3,4")).await, counts(0, 1, 1, 0, 0));
    // A reference of a deleted risk, and one that the file has twice.
    app.delete("/v1/risks/RSK-2").bearer(&client).expect(204).await;
    let twice = "Ref,Title,Likelihood,Impact\nR-2,Fire,4,5\nR-9,Fog,1,1\nR-9,Frost,1,1\n";
    assert_eq!(import(&app, &client, twice).await, counts(1, 0, 0, 0, 2));
    assert_sound(&app).await;
}

#[both_engines]
async fn a_mapping_is_remembered_for_the_header(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let file = "Ref,Title,Likelihood,Impact,Remark\nR-1,Fire,4,5,Attic\n";
    let id = send(&app, &client, file).await;
    let chosen = json!({"columns": [{"index": 4, "field": "asset"}],
        "answers": [{"id": "stage:single", "answer": "both"}]});
    app.patch(&format!("/v1/imports/{id}")).bearer(&client).json(chosen).expect(200).await;
    assert_eq!(run(&app, &client, &id, json!({})).await.text("state"), "done");
    assert_eq!(risks(&app, &client).await[0]["asset"], "Attic");
    let again = send(&app, &client, &file.replace("R-1,Fire", "R-2,Flood")).await;
    let again = read(&app, &client, &format!("/v1/imports/{again}")).await;
    assert_eq!((&again["columns"][4]["field"], &again["state"]), (&json!("asset"), &json!("ready")));
    let over = app.patch(&format!("/v1/imports/{id}")).bearer(&client).json(json!({"sheet": 0}));
    assert_eq!(over.expect(409).await.text("code"), "import_over");
}

#[both_engines]
async fn what_is_wrong_with_a_change_is_told_at_once(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let id = send(&app, &client, REGISTER).await;
    let path = format!("/v1/imports/{id}");
    let wrong = json!({"columns": [{"index": 0, "field": "severity"}],
        "answers": [{"id": "none", "answer": "x"}, {"id": "stage:residual", "answer": "x"}]});
    let refused = app.patch(&path).bearer(&client).json(wrong).expect(422).await;
    assert_eq!(
        refused.faults(),
        ["#/columns/0/field enum", "#/answers/0/id enum", "#/answers/1/answer enum"]
    );
    let sheet = app.patch(&path).bearer(&client).json(json!({"sheet": 3})).expect(422).await;
    assert_eq!(sheet.faults(), ["#/sheet range"]);
    let outdated = app.patch(&path).bearer(&client).header("if-match", "\"v9\"").json(json!({}));
    outdated.expect(412).await;
    app.delete(&path).bearer(&client).expect(204).await;
    assert_eq!(run(&app, &client, &id, json!({"dry_run": true})).await.status, 409);
    assert_eq!(read(&app, &client, &path).await["state"], "cancelled");
}

#[both_engines]
async fn hostile_and_unreadable_files_are_refused(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    for file in
        [&b"PK\x03\x04 no archive"[..], b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", b"", b"%PDF-1.7\0\x01"]
    {
        let sent = app.post("/v1/imports").bearer(&client).body("application/octet-stream", file.to_vec());
        let refused = sent.await;
        assert_eq!(refused.status, 422, "{}", refused.json());
    }
    let empty = "--xyz\r\nContent-Disposition: form-data; name=\"kind\"\r\n\r\nrisks\r\n--xyz--\r\n";
    let sent = app.post("/v1/imports").bearer(&client).body("multipart/form-data; boundary=xyz", empty);
    assert_eq!(sent.expect(422).await.faults(), ["# required"]);
    let sent = app.post("/v1/imports").bearer(&client).json(json!({"content": "no base64!"}));
    assert_eq!(sent.expect(422).await.faults(), ["#/content format"]);
    let sent = app.post("/v1/imports").bearer(&client).body("image/png", "x");
    assert_eq!(sent.expect(415).await.text("code"), "unsupported_media_type");
    assert_eq!(read(&app, &client, "/v1/imports").await["data"], json!([]));
}

#[both_engines]
async fn a_form_sends_a_file_with_its_name_once(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let send = async |boundary: &str, media_type: &'static str| {
        let body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"Risks 2026.csv\"\r\n\
             Content-Type: text/csv\r\n\r\n{REGISTER}\r\n--{boundary}--\r\n"
        );
        let sent = app.post("/v1/imports?kind=risks").bearer(&client).body(media_type, body);
        sent.idempotency_key("k").await
    };
    let made = send("abc", "multipart/form-data; boundary=abc").await;
    assert_eq!(
        (made.status, made.text("file_name"), made.json()["header_rows"][0].as_i64()),
        (201, "Risks 2026.csv", Some(3))
    );
    // The boundary is another one with each attempt.
    let again = send("xyz", "multipart/form-data; boundary=xyz").await;
    assert_eq!((again.header("idempotent-replayed"), again.text("id")), (Some("true"), made.text("id")));
    let told = read(&app, &client, "/v1/journal?kind=import.created").await;
    assert_eq!(told["data"].as_array().map(Vec::len), Some(1), "{told}");
}

#[both_engines]
async fn a_closed_risk_takes_no_rating_and_is_reopened_by_its_file(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let file = "Ref,Title,Inherent likelihood,Inherent impact,Current likelihood,Current impact,Status,Task\n\
        R-1,Fire,4,5,3,3,closed,Drill\n";
    assert_eq!(import(&app, &client, file).await, counts(1, 0, 0, 0, 0));
    let made = risks(&app, &client).await;
    assert_eq!((&made[0]["status"], &made[0]["current"]["score"]), (&json!("closed"), &json!(9)));
    assert_eq!(import(&app, &client, file).await, counts(0, 0, 1, 0, 0));
    // Another rating of a closed risk is wrong; with its status it reopens the risk first.
    assert_eq!(import(&app, &client, &file.replace(",3,3,", ",3,4,")).await, counts(0, 0, 0, 0, 1));
    let open = file.replace(",3,3,closed", ",3,4,open").replace("Drill", "Second exit");
    assert_eq!(import(&app, &client, &open).await, counts(0, 1, 0, 0, 0));
    let after = risks(&app, &client).await;
    assert_eq!((&after[0]["status"], &after[0]["current"]["score"]), (&json!("open"), &json!(12)));
    let tasks = read(&app, &client, "/v1/risks/RSK-1/tasks").await;
    let titles: Vec<&Value> = tasks["data"].as_array().unwrap().iter().map(|task| &task["title"]).collect();
    assert_eq!(titles, ["Drill", "Second exit"]);
    assert_sound(&app).await;
}

/// What is closed with a new rating is rated by the plan that the row brings, before it is closed.
#[both_engines]
async fn a_rating_is_measured_by_the_plan_of_its_row(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let columns = "Inherent likelihood,Inherent impact,Current likelihood,Current impact,Status";
    let first = format!("Ref,Title,{columns}\nR-1,Fire,5,4,5,4,open\n");
    assert_eq!(import(&app, &client, &first).await, counts(1, 0, 0, 0, 0));
    let then = format!("Ref,Title,{columns},Target likelihood,Target impact\nR-1,Fire,5,4,3,4,closed,2,3\n");
    assert_eq!(import(&app, &client, &then).await, counts(0, 1, 0, 0, 0));
    let risk = read(&app, &client, "/v1/risks/RSK-1").await;
    assert_eq!((&risk["status"], &risk["target"]["score"]), (&json!("closed"), &json!(6)));
    let rated = read(&app, &client, "/v1/risks/RSK-1/evaluations").await["data"].clone();
    let latest = rated.as_array().unwrap().iter().find(|it| it["number"] == 2).cloned().unwrap();
    assert_eq!((&latest["target_score"], &latest["performance_basis_points"]), (&json!(6), &json!(5714)));
    assert_eq!(import(&app, &client, &then).await, counts(0, 0, 1, 0, 0));
    assert_sound(&app).await;
}

#[both_engines]
async fn only_who_may_make_risks_imports_them(app: TestApp) {
    let (writer, reader) =
        (app.client_with_scopes("risks:write").await, app.client_with_scopes("risks:read").await);
    let other = app.db.organization("Other").await;
    let other = app.client_of(other, ALL).await;
    let id = send(&app, &writer, REGISTER).await;
    let path = format!("/v1/imports/{id}");
    app.get(&path).bearer(&reader).expect(403).await;
    app.get(&path).bearer(&other).expect(404).await;
    assert_eq!(run(&app, &other, &id, json!({"dry_run": true})).await.status, 404);
    // A tag that there is not is made only by those who may make tags.
    let tried = run(&app, &writer, &id, json!({"dry_run": true})).await;
    assert_eq!(tried.json()["counts"], counts(1, 0, 0, 1, 2));
}

/// A risk without what another register sets itself.
fn bare(mut risk: Value) -> Value {
    let names: Vec<Value> = risk["tags"].as_array().unwrap().iter().map(|tag| tag["name"].clone()).collect();
    risk["tags"] = json!(names);
    for member in ["id", "created_date", "updated_date", "version"] {
        risk.as_object_mut().unwrap().remove(member);
    }
    risk
}

#[both_engines]
async fn an_export_imports_equal_into_an_empty_organization(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let full = json!({"title": "=1+1", "description": "- a\n- \"b\", c;\n\n'quoted", "category": "site",
        "owner_name": "Head of IT", "asset": "Orders", "threat": "Fire", "vulnerability": "One site",
        "existing_controls": "@home", "controls": ["A.7.5", "A.8.13"], "external_ref": "R-17",
        "treatment": "mitigate", "treatment_plan": "+1 site", "inherent": {"likelihood": 5, "impact": 4},
        "target": {"likelihood": 1, "impact": 4}, "evaluate_every_days": 90, "review_every_days": 365,
        "next_review_date": "2026-12-01"});
    app.post("/v1/risks").bearer(&client).json(full).expect(201).await;
    let plain = json!({"title": "'tis", "inherent": {"likelihood": 2, "impact": 2}});
    app.post("/v1/risks").bearer(&client).json(plain).expect(201).await;
    let rating = json!({"likelihood": 3, "impact": 4, "evaluated_at": "2026-01-05T10:30:00Z"});
    app.post("/v1/risks/RSK-1/evaluations").bearer(&client).json(rating).expect(201).await;
    let tag = app.post("/v1/tags").bearer(&client).json(json!({"name": "Q3 review"})).expect(201).await;
    let tag = json!({"tag_id": tag.text("id")});
    app.post("/v1/risks/RSK-1/tags").bearer(&client).json(tag).expect(201).await;
    let closed = json!({"status": "closed", "status_reason": "Sold."});
    app.patch("/v1/risks/RSK-2").bearer(&client).json(closed).expect(200).await;
    let file = app.get("/v1/risks/export?format=csv").bearer(&client).expect(200).await;
    let other = app.db.organization("Other").await;
    let other = app.client_of(other, ALL).await;
    let upload = json!({"name": "risks.csv", "content": STANDARD.encode(&file.bytes)});
    let made = app.post("/v1/imports").bearer(&other).json(upload).expect(201).await;
    let id = made.text("id").to_owned();
    let done = run(&app, &other, &id, json!({"accept_proposals": true})).await;
    assert_eq!(done.json()["counts"], counts(2, 0, 0, 0, 0), "{}", done.json());
    let bares = |risks: Vec<Value>| risks.into_iter().map(bare).collect::<Vec<_>>();
    assert_eq!(bares(risks(&app, &other).await), bares(risks(&app, &client).await));
}

#[both_engines]
async fn a_row_that_is_left_out_makes_no_tags(app: TestApp) {
    let client = app.client_with_scopes(&format!("{ALL} incidents:write")).await;
    let risk = json!({"title": "Old", "external_ref": "R-1", "inherent": {"likelihood": 1, "impact": 1}});
    app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    app.delete("/v1/risks/RSK-1").bearer(&client).expect(204).await;
    let risks = "Ref,Title,Likelihood,Impact,Tags\nR-1,Old,1,1,lost\nR-2,Fog,1,1,weather\n";
    assert_eq!(import(&app, &client, risks).await, counts(1, 0, 0, 0, 1));
    let incidents = "Title,Status,Tags\nOutage,closed,lost\nAlert,new,mail\n";
    assert_eq!(import_as(&app, &client, "incidents", incidents).await, counts(1, 0, 0, 0, 1));
    let tags = read(&app, &client, "/v1/tags").await;
    let names: Vec<&Value> = tags["data"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    assert_eq!(names, ["mail", "weather"]);
}
