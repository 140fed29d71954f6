//! Reports of the risks that are kept as documents, and made again from the register.

use std::ops::RangeInclusive;

use db::Tx;
use domain::{OrgId, Role};
use serde_json::{Value, json};
use store::version_check::{CheckedVersion, VersionFault};
use testkit::{TestApp, TestPerson, author};

const KEEP: &str = "/v1/risks/report/keep";

/// Ada's register of two risks, one of them evaluated, and Ben who approves.
async fn register(app: &TestApp) -> [TestPerson; 2] {
    let ada = app.person("Ada", Role::Admin).await;
    for title in ["Fire | {{smoke}}", "Flood"] {
        let rating = |likelihood: i64, impact: i64| json!({"likelihood": likelihood, "impact": impact});
        let risk = json!({"title": title, "inherent": rating(4, 5), "target": rating(2, 3), "owner": ada.id});
        app.post("/v1/risks").bearer(&ada).json(risk).expect(201).await;
    }
    evaluate(app, &ada, 4).await;
    [ada, app.person("Ben", Role::Approver).await]
}

async fn evaluate(app: &TestApp, by: &TestPerson, likelihood: i64) {
    let rating = json!({"likelihood": likelihood, "impact": 4});
    app.post("/v1/risks/RSK-1/evaluations").bearer(by).json(rating).expect(201).await;
}

/// Keeps a report, and has it approved; returns the proposal as it was opened.
async fn published(app: &TestApp, [ada, ben]: &[TestPerson; 2], query: &str) -> Value {
    let kept = app.post(&format!("{KEEP}{query}")).bearer(ada).json(json!({})).expect(201).await;
    let path = kept.header("location").unwrap().to_owned();
    let submit = app.post(&format!("{path}/submit")).bearer(ada).json(json!({"summary": "The quarter."}));
    let body = json!({"sha256": submit.expect(200).await.json()["sha256"]});
    let own = app.post(&format!("{path}/approve")).bearer(ada).json(body.clone()).expect(403).await;
    assert_eq!(own.json()["code"], "four_eyes");
    let approved = app.post(&format!("{path}/approve")).bearer(ben).json(body).expect(200).await;
    assert_eq!(approved.json()["status"], "approved");
    kept.json().clone()
}

/// The versions, as `bailiwick document verify` compares them.
async fn check(tx: &mut Tx, organization: OrgId) -> store::Result<Vec<CheckedVersion>> {
    let mut checked = store::version_check::check(tx, organization, "risk-report").await?;
    for version in &mut checked {
        lists::risk_report::check(tx, organization, version).await?;
    }
    Ok(checked)
}

/// What is wrong with the versions, and what of them cannot be compared.
async fn compared(app: &TestApp) -> [Vec<String>; 2] {
    let checked = check(&mut app.db.read().await.unwrap(), app.organization).await.unwrap();
    assert!(!checked.is_empty() && checked.iter().all(|it| it.report.is_some()), "{checked:?}");
    let details = |of: fn(&CheckedVersion) -> &[VersionFault]| {
        checked.iter().flat_map(|it| of(it).iter().map(|it| it.detail.clone())).collect()
    };
    [details(|it| &it.faults), details(|it| &it.erased)]
}

/// What is wrong after statements, which are undone.
async fn altered(app: &TestApp, statements: &'static [&'static str]) -> String {
    let organization = app.organization;
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        for sql in statements {
            assert!(tx.execute(sql, &[]).await? > 0, "{sql} changes nothing");
        }
        Err(domain::Error::Internal(format!("{:?}", check(tx, organization).await?)).into())
    };
    let domain::Error::Internal(found) = app.db.write(organization, work).await.unwrap_err().0 else {
        panic!("{statements:?}")
    };
    found
}

const SOUND: [Vec<String>; 2] = [Vec::new(), Vec::new()];

const TITLE: &str = "UPDATE risk_history SET title = 'Smoke' WHERE title <> 'Flood'";
const NAMES: &str = "UPDATE proposal SET report = replace(report, 'Ada', 'Eve') WHERE report IS NOT NULL";
const WORDING: &str =
    "UPDATE proposal SET report = replace(report, '\"wording\":', '\"wording\":9') WHERE report IS NOT NULL";
const ROW: &str =
    "UPDATE document_version SET markdown = replace(markdown, 'Flood', 'Food') WHERE number = 1";

#[testkit::both_engines]
async fn a_kept_report_is_made_again_whatever_became_of_the_register(app: TestApp) {
    let people = register(&app).await;
    let [ada, _] = &people;
    let kept = published(&app, &people, "").await;
    let document = app.get("/v1/documents/risk-report").bearer(ada).expect(200).await.json().clone();
    assert_eq!(
        (&document["kind"], &document["title"], &document["published_version"], &document["items"]),
        (&json!("report"), &json!("Risk report"), &json!(1), &json!([]))
    );
    let text = app.get("/v1/documents/risk-report/text?format=markdown").bearer(ada).expect(200).await;
    let text = String::from_utf8(text.bytes.to_vec()).unwrap();
    let entry = format!("audit log entry {}", kept["report"]["to"]["seq"]);
    for words in [entry.as_str(), "| RSK-1 | Fire \\| \\{\\{smoke}} | Ada | 20 Critical | 16 Critical |"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(compared(&app).await, SOUND);

    let patch =
        json!({"title": "Fire in the office", "owner": null, "status": "closed", "status_reason": "Sold."});
    app.patch("/v1/risks/RSK-1").bearer(ada).json(patch).expect(200).await;
    app.delete("/v1/risks/RSK-2").bearer(ada).expect(204).await;
    app.patch(&format!("/v1/users/{}", ada.id))
        .bearer(ada)
        .json(json!({"name": "Ada King"}))
        .expect(200)
        .await;
    assert_eq!(compared(&app).await, SOUND);
    let second = published(&app, &people, "").await;
    assert!(second["report"]["to"]["seq"].as_i64() > kept["report"]["to"]["seq"].as_i64());
    assert_eq!(compared(&app).await, SOUND);
    super::bulk::assert_sound(&app).await;

    for statement in [&[TITLE], &[NAMES], &[ROW]] {
        let found = altered(&app, statement).await;
        assert!(found.contains("is not what the register of risks tells"), "{statement:?}: {found}");
    }
    let source = altered(&app, &["UPDATE proposal SET report = NULL WHERE number = 1"]).await;
    assert!(source.contains("Nothing tells which register its text was made from."), "{source}");
}

#[testkit::both_engines]
async fn a_report_of_another_wording_is_not_made_again_and_its_hash_is_compared(app: TestApp) {
    let people = register(&app).await;
    published(&app, &people, "").await;
    let told = altered(&app, &[WORDING, NAMES]).await;
    assert!(told.contains("faults: []"), "{told}");
    let found = altered(&app, &[WORDING, ROW]).await;
    assert!(found.contains("The SHA-256 of its text is"), "{found}");
    assert!(!found.contains("is not what the register of risks tells"), "{found}");
}

/// Ben accepts a risk as Ada's deputy, and then a board does.
async fn accepted(app: &TestApp, [ada, ben]: &[TestPerson; 2]) {
    let cleo = app.person("Cleo", Role::Admin).await;
    let requests = "/v1/risks/RSK-1/acceptances";
    let ask = json!({"reason": "Too dear.", "evaluation": 1});
    let deputy = json!({"user": ben.id, "until": "2999-01-01"});
    app.put("/v1/me/deputy").bearer(ada).json(deputy).expect(204).await;
    app.post(requests).bearer(&cleo).json(ask.clone()).expect(201).await;
    let decision = json!({"decision": "accepted", "evaluation": 1});
    app.post(&format!("{requests}/1/decision")).bearer(ben).json(decision).expect(200).await;
    app.delete("/v1/me/deputy").bearer(ada).expect(204).await;
    app.post(requests).bearer(&cleo).json(ask).expect(201).await;
    let board = json!({"decision": "accepted", "evaluation": 1, "decided_by": "The board",
        "decided_date": "2026-02-27", "minutes": "Minutes 2, item 4"});
    app.post(&format!("{requests}/2/record")).bearer(ada).json(board).expect(200).await;
}

#[testkit::both_engines]
async fn a_report_says_which_board_decided_and_for_whom_a_deputy_did(app: TestApp) {
    let people = register(&app).await;
    let [ada, _] = &people;
    accepted(&app, &people).await;
    let list = app.get("/v1/risks/changes?kind=risk_accepted").bearer(ada).expect(200).await;
    let who = |it: &Value| json!([it["by"]["name"], it["decided_by"], it["on_behalf_of"]["name"]]);
    let who: Vec<Value> = list.json()["data"].as_array().unwrap().iter().map(who).collect();
    assert_eq!(who, [json!(["Ben", null, "Ada"]), json!(["Ada", "The board", null])]);
    published(&app, &people, "").await;
    let text = app.get("/v1/documents/risk-report/text?format=markdown").bearer(ada).expect(200).await;
    let text = String::from_utf8(text.bytes.to_vec()).unwrap();
    for words in ["| Ben, for Ada |", "| The board, recorded by Ada |"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let name = app.patch(&format!("/v1/users/{}", ada.id)).bearer(ada).json(json!({"name": "Ada King"}));
    name.expect(200).await;
    assert_eq!(compared(&app).await, SOUND);
}

/// Deletes risks, and then for good.
async fn purge(app: &TestApp, by: &TestPerson, risks: RangeInclusive<i64>) {
    for risk in risks.clone() {
        app.delete(&format!("/v1/risks/RSK-{risk}")).bearer(by).expect(204).await;
    }
    app.db.clock.advance_days(91);
    let trash = store::REGISTRY.trash_named("deleted_risks").unwrap();
    let organization = app.organization;
    let purge = async move |tx: &mut Tx| store::housekeeping::purge(tx, organization, &author(), trash).await;
    let purged = app.db.write_alone(organization, purge).await.unwrap().count;
    assert_eq!(usize::try_from(purged), Ok(risks.count()));
}

#[testkit::both_engines]
async fn what_was_deleted_for_good_since_is_named_and_is_no_fault(app: TestApp) {
    let people = register(&app).await;
    published(&app, &people, "").await;
    purge(&app, &people[0], 2..=2).await;
    let [faults, erased] = compared(&app).await;
    assert_eq!(faults, [""; 0]);
    let is_told = |words: &str| erased.iter().any(|it| it.ends_with(words));
    assert!(is_told("tells of RSK-2, which was deleted for good since."), "{erased:?}");
    assert!(is_told("counts risks that were deleted for good since."), "{erased:?}");
    assert!(!erased.iter().any(|it| it.contains("RSK-1")), "{erased:?}");
    let found = altered(&app, &["UPDATE risk SET title = 'Smoke' WHERE number = 1"]).await;
    assert!(found.contains("is not what the register tells of RSK-1."), "{found}");
}

#[testkit::both_engines]
async fn a_report_is_compared_though_fewer_changes_fit_into_it_since_risks_were_deleted_for_good(
    app: TestApp,
) {
    let people = register(&app).await;
    let [ada, _] = &people;
    for _ in 3..=52 {
        let risk = json!({"title": "Theft", "inherent": {"likelihood": 1, "impact": 1}});
        app.post("/v1/risks").bearer(ada).json(risk).expect(201).await;
    }
    let cleo = app.person("Cleo", Role::Admin).await;
    let requests = "/v1/risks/RSK-1/acceptances";
    let ask = json!({"reason": "Too dear.", "evaluation": 1});
    app.post(requests).bearer(&cleo).json(ask).expect(201).await;
    let decision = json!({"decision": "accepted", "evaluation": 1, "note": "x".repeat(65_000)});
    app.post(&format!("{requests}/1/decision")).bearer(ada).json(decision).expect(200).await;
    published(&app, &people, "").await;
    let text = app.get("/v1/documents/risk-report/text?format=markdown").bearer(ada).expect(200).await;
    let text = String::from_utf8(text.bytes.to_vec()).unwrap();
    assert!(text.contains("The first 50 of "), "{text}");
    purge(&app, ada, 3..=7).await;
    let [faults, erased] = compared(&app).await;
    assert_eq!(faults, [""; 0]);
    assert!(erased.iter().any(|it| it.contains("tells of RSK-7,")), "{erased:?}");
    let found = altered(&app, &["UPDATE risk SET title = 'Smoke' WHERE number = 50"]).await;
    assert!(found.contains("is not what the register tells of RSK-50."), "{found}");
}

#[testkit::both_engines]
async fn nobody_edits_the_text_of_a_report(app: TestApp) {
    let people = register(&app).await;
    let [ada, _] = &people;
    app.post(KEEP).bearer(ada).json(json!({"slug": "quarter", "title": "First quarter"})).expect(201).await;
    let document = "/v1/documents/quarter";
    let edits = json!([{"node_id": "fire", "node_type": "text", "value": "None."}]);
    let refused = app.patch(document).bearer(ada).json(edits).expect(422).await;
    assert_eq!(refused.faults(), ["# read_only"]);
    let proposal = format!("{document}/proposals/1");
    let patch = json!({"template": "All is well.", "items": []});
    let refused = app.patch(&proposal).bearer(ada).json(patch).expect(422).await;
    assert_eq!(refused.faults(), ["#/template read_only", "#/items read_only"]);
    let titled = app.patch(&proposal).bearer(ada).json(json!({"title": "Quarter 1"})).expect(200).await;
    assert_eq!(titled.json()["changes"]["title"], "Quarter 1");
    let new = json!({"slug": "made-up", "title": "x", "kind": "report", "template": "All is well."});
    let refused = app.post("/v1/documents").bearer(ada).json(new).expect(422).await;
    assert_eq!(refused.faults(), ["#/kind read_only"]);

    let keep = |slug: &str| app.post(KEEP).bearer(ada).json(json!({"slug": slug}));
    assert_eq!(keep("quarter").expect(409).await.json()["code"], "proposal_open");
    app.post(&format!("{proposal}/withdraw"))
        .bearer(ada)
        .json(json!({"reason": "Too early."}))
        .expect(200)
        .await;
    let empty = app.post(&format!("{document}/proposals")).bearer(ada).json(json!({})).expect(422).await;
    assert_eq!(empty.faults(), ["# conflict"]);
    let again = json!({"from": 1});
    let copied = app.post(&format!("{document}/proposals")).bearer(ada).json(again).expect(201).await;
    assert!(copied.json()["report"]["to"]["seq"].as_i64() > Some(0), "{}", copied.json());
    let policy = json!({"slug": "policy", "title": "Policy", "template": "All do."});
    app.post("/v1/documents").bearer(ada).json(policy).expect(201).await;
    assert_eq!(keep("policy").expect(409).await.json()["code"], "slug_taken");
    let refused = app.post(&format!("{KEEP}?to=2026-03-02")).bearer(ada).json(json!({})).expect(400).await;
    assert_eq!(refused.faults(), ["to range"]);
}

#[testkit::both_engines]
async fn a_report_that_is_published_is_not_kept_twice(app: TestApp) {
    let people = register(&app).await;
    let past = "?from=2026-02-01&to=2026-02-28";
    published(&app, &people, past).await;
    assert_eq!(compared(&app).await, SOUND);
    let again = app.post(&format!("{KEEP}{past}")).bearer(&people[0]).json(json!({})).expect(409).await;
    assert_eq!(again.json()["code"], "nothing_to_publish");
}
