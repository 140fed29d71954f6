//! The approval of documents in steps, and its ways out.

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;

const PROPOSAL: &str = "/o/acme/documents/policy/proposals/1";

/// Ada's proposal of a document, which is open.
async fn proposed(app: &TestApp) -> (TestPerson, Browser) {
    let ada = app.person("Ada", Role::Admin).await;
    let item = json!({"id": "contact", "kind": "text", "label": "Contact"});
    let document = json!({"slug": "policy", "title": "Policy", "items": [item]});
    app.post("/v1/documents").bearer(&ada).json(document).expect(201).await;
    let edits = json!([{"node_id": "contact", "node_type": "text", "value": "Ada"}]);
    app.patch("/v1/documents/policy").bearer(&ada).json(edits).expect(200).await;
    let browser = Browser::of(app, &ada).await;
    (ada, browser)
}

#[both_engines]
async fn steps_are_changed_in_a_form_and_shown_with_their_approvals(app: TestApp) {
    let (_, mut ada) = proposed(&app).await;
    let [ben, cleo] = [app.person("Ben", Role::Approver).await, app.person("Cleo", Role::Approver).await];
    let steps = format!("{PROPOSAL}/steps");
    let page = ada.get(&steps).await.page;
    assert_eq!(page.all("fieldset legend").len(), 2, "two empty rows");
    let who = |person: &TestPerson| format!("users:{}", person.id);
    let (of_ben, of_cleo) = (who(&ben), who(&cleo));
    let filled = [
        ("approval_steps_0_name", "First"),
        ("approval_steps_0_who", &of_ben),
        ("approval_steps_1_name", "Last"),
        ("approval_steps_1_who", &of_cleo),
    ];
    let wrong = filled.map(|(name, value)| (name, if value == "Last" { "First" } else { value }));
    let refused = ada.submit(&page, &steps, &wrong).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.page.text_of("[role=alert]").contains("has the same id"), "{}", refused.page.text());
    assert_eq!(refused.page.all("#approval_steps_1_name-error").len(), 1, "{}", refused.page.text());
    ada.submit(&page, &steps, &filled).await;
    let page = ada.get(PROPOSAL).await.page;
    // The steps that the document has approve that change.
    let page = ada.submit(&page, PROPOSAL, &[("step", "submit"), ("summary", "The first.")]).await.page;
    assert!(
        page.text_of("section[aria-labelledby=approval]").contains("Anyone who can approve"),
        "{}",
        page.text()
    );
    let mut ben = Browser::of(&app, &ben).await;
    let page = ben.get(PROPOSAL).await.page;
    ben.submit(&page, PROPOSAL, &[("step", "approve"), ("note", "Read.")]).await;
    let page = ben.get(PROPOSAL).await.page;
    let row = page.text_of("section[aria-labelledby=approval] tbody tr");
    assert!(row.contains("Ben") && row.contains("Read.") && row.contains("Done"), "{row}");
    assert_eq!(ada.get("/o/acme/documents/policy").await.page.text_of(".head .badge"), "Version 1 in force");
}

#[both_engines]
async fn nothing_is_approved_that_the_page_did_not_show(app: TestApp) {
    let (writer, mut ada) = proposed(&app).await;
    let ben = app.person("Ben", Role::Approver).await;
    let page = ada.get(PROPOSAL).await.page;
    ada.submit(&page, PROPOSAL, &[("step", "submit"), ("summary", "The first.")]).await;
    let mut ben = Browser::of(&app, &ben).await;
    let shown = ben.get(PROPOSAL).await.page;
    // The same text, approved by others from now on.
    let steps = json!([{"name": "Friends", "who": "users", "users": [writer.id]}]);
    let patch = app.patch("/v1/documents/policy/proposals/1").bearer(&writer);
    patch.json(json!({"approval_steps": steps})).expect(200).await;
    let page = ada.get(PROPOSAL).await.page;
    ada.submit(&page, PROPOSAL, &[("step", "submit"), ("summary", "The first.")]).await;
    let refused = ben.submit(&shown, PROPOSAL, &[("step", "approve")]).await;
    assert!(refused.page.text_of("[role=alert]").contains("you approved nothing"), "{}", refused.page.text());
    let facts = refused.page.text_of("section dl.facts");
    assert!(facts.contains("Anyone who can approve") && facts.contains("Friends, Ada"), "{facts}");
    ben.submit(&refused.page, PROPOSAL, &[("step", "approve")]).await;
    assert_eq!(ben.get("/o/acme/documents/policy").await.page.text_of(".head .badge"), "Version 1 in force");
}

#[both_engines]
async fn an_admin_helps_an_approval_that_nobody_can_give(app: TestApp) {
    let (_, mut ada) = proposed(&app).await;
    let page = ada.get(PROPOSAL).await.page;
    let page = ada.submit(&page, PROPOSAL, &[("step", "submit"), ("summary", "The first.")]).await.page;
    assert!(page.text_of("main .note").contains("Nobody can"), "{}", page.text());
    let other_ways = format!("{PROPOSAL}/approval");
    assert_eq!(page.texts("section[aria-labelledby=approval] header a"), ["Other ways to approve"]);
    let page = ada.get(&other_ways).await.page;
    let page = ada.submit(&page, &other_ways, &[("step", "waive"), ("reason", "I am alone.")]).await.page;
    assert!(page.text_of("section[aria-labelledby=approval]").contains("I am alone."), "{}", page.text());
    let page = ada.submit(&page, PROPOSAL, &[("step", "approve")]).await.page;
    assert_eq!(page.all("main form").len(), 0, "it is published");
}

#[both_engines]
async fn an_author_who_may_no_longer_write_can_only_withdraw(app: TestApp) {
    let (ada, _) = proposed(&app).await;
    let (ben, vera) = (app.person("Ben", Role::Owner).await, app.person("Vera", Role::Viewer).await);
    let audience = json!({"audience": "Everyone"});
    app.patch("/v1/documents/policy/proposals/1").bearer(&ben).json(audience).expect(200).await;
    let summary = json!({"summary": "The first."});
    app.post("/v1/documents/policy/proposals/1/submit").bearer(&ada).json(summary).expect(200).await;
    let viewer = json!({"role": "viewer"});
    app.patch(&format!("/v1/users/{}", ben.id)).bearer(&ada).json(viewer).expect(200).await;
    let page = Browser::of(&app, &vera).await.get(PROPOSAL).await.page;
    assert!(page.texts("main aside button").is_empty(), "{}", page.text());
    let mut ben = Browser::of(&app, &ben).await;
    let page = ben.get(PROPOSAL).await.page;
    assert_eq!(page.texts("main aside button"), ["Withdraw"]);
    let said = [("step", "withdraw"), ("reason", "Not any more.")];
    let page = ben.submit(&page, PROPOSAL, &said).await.page;
    assert!(page.text_of(".head").contains("Withdrawn"), "{}", page.text());
}

#[both_engines]
async fn a_decision_is_recorded_and_an_approver_replaced(app: TestApp) {
    let (writer, mut ada) = proposed(&app).await;
    let [ben, cleo] = [app.person("Ben", Role::Approver).await, app.person("Cleo", Role::Approver).await];
    let steps = json!([
        {"name": "Board", "who": "users", "users": [ben.id]},
        {"name": "Last", "who": "users", "users": [ben.id]},
    ]);
    let document =
        json!({"slug": "other", "title": "Other", "template": "Call Ada.", "approval_steps": steps});
    app.post("/v1/documents").bearer(&writer).json(document).expect(201).await;
    app.post("/v1/documents/other/proposals").bearer(&writer).expect(201).await;
    let proposal = "/o/acme/documents/other/proposals/2";
    let page = ada.get(proposal).await.page;
    ada.submit(&page, proposal, &[("step", "submit"), ("summary", "The first.")]).await;
    let other_ways = format!("{proposal}/approval");
    let mut cleo_sees = Browser::of(&app, &cleo).await;
    let page = cleo_sees.get(&other_ways).await.page;
    let said = [("decided_by", "The board"), ("decided_date", "2026-03-01"), ("minutes", "4/2026")];
    let decision = [&[("step", "record")], &said[..]].concat();
    let page = cleo_sees.submit(&page, &other_ways, &decision).await.page;
    let row = page.text_of("section[aria-labelledby=approval] tbody tr");
    assert!(row.contains("The board") && row.contains("recorded by Cleo"), "{row}");
    assert_eq!(page.all("section[aria-labelledby=approval] tbody tr").len(), 2);
    let page = ada.get(&other_ways).await.page;
    let replacement =
        [("step", "replace"), ("person", &*ben.id), ("replacement", &*cleo.id), ("reason", "Ben is away.")];
    let page = ada.submit(&page, &other_ways, &replacement).await.page;
    assert!(page.text_of("main .note").contains("Waiting for approval: Cleo"), "{}", page.text());
    assert!(cleo_sees.get("/o/acme").await.page.text().contains("waiting for approval"));
    let ben = Browser::of(&app, &ben).await.get("/o/acme").await.page;
    assert!(!ben.text().contains("waiting for approval"), "{}", ben.text());
}

#[both_engines]
async fn a_deputy_is_named_on_the_account_page(app: TestApp) {
    let [ben, cleo] = [app.person("Ben", Role::Approver).await, app.person("Cleo", Role::Approver).await];
    let vera = app.person("Vera", Role::Viewer).await;
    assert_eq!(Browser::of(&app, &vera).await.get("/o/acme/account").await.page.all("#deputy").len(), 0);
    let mut browser = Browser::of(&app, &ben).await;
    let page = browser.get("/o/acme/account").await.page;
    assert_eq!(page.texts("#user option"), ["No deputy", "Cleo"]);
    let deputy = |until| [("user", &*cleo.id), ("until", until)];
    let refused = browser.submit(&page, "/o/acme/account/deputy", &deputy("2001-01-01")).await;
    assert_eq!(refused.page.all("#until-error").len(), 1, "{}", refused.page.text());
    let page = browser.submit(&page, "/o/acme/account/deputy", &deputy("2999-01-01")).await.page;
    assert_eq!(page.texts("#user option[selected]"), ["Cleo"]);
    let page = browser.submit(&page, "/o/acme/account/deputy", &[("user", "")]).await.page;
    assert_eq!(page.all("#user option[selected]").len(), 0);
}

#[both_engines]
async fn who_approves_sees_what_an_approval_has_an_effect_on(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let rating = json!({"likelihood": 2, "impact": 2});
    let risk = json!({"title": "Stolen password", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&ada).json(risk).expect(201).await;
    for _ in 0..21 {
        let incident =
            app.post("/v1/incidents").bearer(&ada).json(json!({"title": "Phished", "description": ""}));
        let links = format!("/v1/incidents/{}/links", incident.expect(201).await.text("id"));
        let link = json!({"to": {"type": "risk", "id": "RSK-1"}, "kind": "threatens"});
        app.post(&links).bearer(&ada).json(link).expect(201).await;
    }
    let closed = json!({"status": "closed", "status_reason": "Insured."});
    app.patch("/v1/risks/RSK-1").bearer(&ada).json(closed).expect(200).await;
    let option = json!({"id": "admins", "label": "For admins", "text": "Admins do.", "weakens": true});
    let item =
        json!({"id": "mfa", "kind": "select", "label": "Factor", "risks": ["RSK-1"], "options": [option]});
    let document = json!({"slug": "policy", "title": "Policy", "items": [item]});
    app.post("/v1/documents").bearer(&ada).json(document).expect(201).await;
    let edits = json!([{"node_id": "mfa", "node_type": "select", "value": "admins"}]);
    app.patch("/v1/documents/policy").bearer(&ada).json(edits).expect(200).await;
    let ben = app.person("Ben", Role::Approver).await;
    let page = Browser::of(&app, &ben).await.get(PROPOSAL).await.page;
    let impact = page.text_of("section[aria-labelledby=impact]");
    let nobody = "No acknowledgement given so far is affected.";
    for expected in ["Factor: For admins", "Stolen password", "closed", "21 open incidents", nobody] {
        assert!(impact.contains(expected), "{expected}: {impact}");
    }
    let links = page.texts("section[aria-labelledby=impact] a");
    assert_eq!(
        (links.len(), &*links[0], &*links[1], &*links[21]),
        (22, "Stolen password", "Phished", "and 1 more")
    );
}

#[both_engines]
async fn a_material_edit_of_a_submitted_proposal_is_proposed_as_material(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Approver).await);
    let item =
        |id: &str, is_material: bool| json!({"id": id, "kind": "text", "label": id, "material": is_material});
    let items = [item("rule", true), item("remark", false)];
    let document = json!({"slug": "policy", "title": "Policy", "items": items});
    app.post("/v1/documents").bearer(&ada).json(document).expect(201).await;
    let edit = async |node_id: &str, value: &str| {
        let edits = json!([{"node_id": node_id, "node_type": "text", "value": value}]);
        app.patch("/v1/documents/policy").bearer(&ada).json(edits).expect(200).await;
    };
    let submit = async |number: i64| {
        let path = format!("/v1/documents/policy/proposals/{number}/submit");
        let submitted = app.post(&path).bearer(&ada).json(json!({"summary": "New."})).expect(200).await;
        json!({"sha256": submitted.text("sha256")})
    };
    edit("rule", "Lock it.").await;
    let sha256 = submit(1).await;
    let approve = app.post("/v1/documents/policy/proposals/1/approve").bearer(&ben);
    approve.json(sha256.clone()).expect(200).await;
    let asked = app.post("/v1/documents/policy/versions/1/acknowledgement-requests").bearer(&ada);
    asked.json(json!({"who": "all"})).expect(201).await;
    let give = app.post("/v1/documents/policy/versions/1/acknowledgements").bearer(&ben);
    give.json(sha256).expect(201).await;
    edit("remark", "None.").await;
    submit(2).await;
    edit("rule", "Lock it twice.").await;
    let page = Browser::of(&app, &ada).await.get("/o/acme/documents/policy/proposals/2").await.page;
    assert_eq!(page.all("input[name=material_value][checked]").len(), 1, "{}", page.text());
    let covered = "section[aria-labelledby=impact] a[href$='/acknowledgements?status=covered']";
    assert_eq!(page.texts(covered), ["1 person"]);
    // What is said of a submission is there again when it is returned.
    let path = "/v1/documents/policy/proposals/2";
    app.delete(&format!("{path}/edits/rule")).bearer(&ada).expect(204).await;
    let said = json!({"summary": "New.", "material": {"value": true, "reason": "It is read by all."},
        "effective_date": "2999-01-01"});
    app.post(&format!("{path}/submit")).bearer(&ada).json(said).expect(200).await;
    app.post(&format!("{path}/return")).bearer(&ben).json(json!({"reason": "A typo."})).expect(200).await;
    let page = Browser::of(&app, &ada).await.get("/o/acme/documents/policy/proposals/2").await.page;
    assert_eq!(page.all("input[name=material_value][checked]").len(), 1, "{}", page.text());
    assert_eq!(
        page.all("input[name=material_reason][value='It is read by all.']").len(),
        1,
        "{}",
        page.text()
    );
    assert_eq!(page.all("input[name=effective_date][value='2999-01-01']").len(), 1, "{}", page.text());
}

#[both_engines]
async fn a_job_title_is_set_on_the_account_page_and_shown_with_an_approval(app: TestApp) {
    let (ada, mut browser) = proposed(&app).await;
    let ben = app.person("Ben", Role::Approver).await;
    let page = browser.get(PROPOSAL).await.page;
    browser.submit(&page, PROPOSAL, &[("step", "submit"), ("summary", "New.")]).await;
    let mut ben_sees = Browser::of(&app, &ben).await;
    let page = ben_sees.get("/o/acme/account").await.page;
    let long = "x".repeat(201);
    let refused = ben_sees.submit(&page, "/o/acme/account/job-title", &[("job_title", &long)]).await;
    assert_eq!(refused.page.all("#job_title-error").len(), 1, "{}", refused.page.text());
    ben_sees.submit(&page, "/o/acme/account/job-title", &[("job_title", "Counsel")]).await;
    let page = ben_sees.get(PROPOSAL).await.page;
    ben_sees.submit(&page, PROPOSAL, &[("step", "approve")]).await;
    let stale = ben_sees.get("/o/acme/account").await.page;
    let person = format!("/o/acme/settings/people/{}", ben.id);
    let page = browser.get(&person).await.page;
    assert_eq!(page.all("#job_title")[0].attr("value"), Some("Counsel"));
    browser.submit(&page, &person, &[("job_title", "Head of Security")]).await;
    // Who saw the earlier one does not overwrite it.
    let refused = ben_sees.submit(&stale, "/o/acme/account/job-title", &[("job_title", "Lawyer")]).await;
    assert!(refused.page.text().contains("changed it to: Head of Security"), "{}", refused.page.text());
    ben_sees.submit(&stale, "/o/acme/account/job-title", &[]).await;
    let user = app.get(&format!("/v1/users/{}", ben.id)).bearer(&ada).expect(200).await;
    assert_eq!(user.text("job_title"), "Head of Security");
    let page = browser.get(PROPOSAL).await.page;
    let row = page.text_of("section[aria-labelledby=approval] tbody tr");
    assert!(row.contains("Ben (Counsel)"), "{row}");
}
