//! Acceptances of risks: asked for on the page of the risk, decided about on a page of their own.

use domain::Role;
use serde_json::json;
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;

const RISK: &str = "/o/acme/risks/RSK-1";
const ALL: &str = "/o/acme/risks/RSK-1/acceptances";
const FIRST: &str = "/o/acme/risks/RSK-1/acceptances/1";
const TO_CONFIRM: &str = "/o/acme/risks/acceptances?show=to_confirm";
const SECTION: &str = "[aria-labelledby=acceptance]";

/// Who asks, who owns the risk, and the risk, which is evaluated with 2 x 4 (Medium).
async fn with_risk(app: &TestApp) -> (TestPerson, TestPerson) {
    let (ada, olga) = (app.person("Ada", Role::Admin).await, app.person("Olga", Role::Owner).await);
    let inherent = json!({"likelihood": 4, "impact": 5});
    let risk = json!({"title": "Flood", "owner": olga.id, "inherent": inherent, "treatment_plan": "Pumps"});
    app.post("/v1/risks").bearer(&ada).json(risk).expect(201).await;
    evaluate(app, &ada, 2).await;
    (ada, olga)
}

async fn evaluate(app: &TestApp, by: &TestPerson, likelihood: i64) {
    app.db.clock.advance_seconds(60);
    let body = json!({"likelihood": likelihood, "impact": 4});
    app.post("/v1/risks/RSK-1/evaluations").bearer(by).json(body).expect(201).await;
}

/// Asks for the first acceptance.
async fn ask(ada: &mut Browser) {
    let form = ada.get(ALL).await.page;
    ada.submit(&form, ALL, &[("reason", "Too *dear*")]).await;
}

#[both_engines]
async fn what_somebody_asks_for_waits_for_the_owner_and_is_shown_in_the_register(app: TestApp) {
    let (ada, olga) = with_risk(&app).await;
    let (mut ada, mut olga) = (Browser::of(&app, &ada).await, Browser::of(&app, &olga).await);
    let page = ada.get(RISK).await.page;
    let section = page.text_of(SECTION);
    assert!(section.contains("Not accepted Decision missing Request acceptance"), "{section}");
    let missing = ada.get("/o/acme/risks?decision=missing").await.page;
    assert_eq!(missing.texts("tbody .t"), ["Flood"]);
    let form = ada.get(ALL).await.page;
    assert!(form.text_of("aside .facts").contains("To be decided by Olga (owner)"), "{}", form.text());
    let wrong = ada.submit(&form, ALL, &[("reason", "Dear"), ("until", "2020-01-01")]).await.page;
    assert_eq!(wrong.all("#until-error").len(), 1, "{}", wrong.text());
    let page = ada.submit(&form, ALL, &[("reason", "Too *dear*")]).await.page;
    assert!(page.text_of(SECTION).contains("Requested until 1 Mar 2027"), "{}", page.text_of(SECTION));
    let own = ada.get(FIRST).await.page;
    assert_eq!(
        own.texts("main form button"),
        ["Withdraw request", "Let the requester decide"],
        "not who has asked"
    );
    assert!(ada.get("/o/acme").await.page.texts("[aria-labelledby=waiting] .t").is_empty());

    let home = olga.get("/o/acme").await.page;
    assert_eq!(home.texts("[aria-labelledby=waiting] .t"), ["Flood"], "{}", home.text());
    assert!(home.links().contains(&FIRST.to_owned()), "{:?}", home.links());
    let page = olga.get(FIRST).await.page;
    let facts = page.text_of("main .facts");
    for said in ["Treatment plan Pumps", "Reason Too dear", "To be decided by Olga (owner)"] {
        assert!(facts.contains(said), "{said}: {facts}");
    }
    let page = olga.submit(&page, FIRST, &[("decision", "accepted"), ("note", "Until the move")]).await.page;
    assert_eq!(page.text_of(".head .badge"), "Accepted", "{}", page.text());
    assert!(page.text_of("main .facts").contains("Note Until the move"), "{}", page.text());
    assert!(olga.get("/o/acme").await.page.texts("[aria-labelledby=waiting] .t").is_empty());
    let list = ada.get("/o/acme/risks?acceptance=accepted").await.page;
    assert!(list.text_of("tbody tr").contains("Accepted until 1 Mar 2027"), "{}", list.text());
    let all = ada.get("/o/acme/risks/acceptances").await.page;
    assert!(all.text_of("tbody tr").contains("RSK-1 Flood"), "{}", all.text());
    for (shown, count) in [("in_force", 1), ("requested", 0), ("ending", 0), ("all", 1)] {
        let page = ada.get(&format!("/o/acme/risks/acceptances?show={shown}")).await.page;
        assert_eq!(page.all("tbody tr").len(), count, "{shown}");
    }
}

#[both_engines]
async fn nothing_is_accepted_that_the_page_did_not_show(app: TestApp) {
    let (ada, olga) = with_risk(&app).await;
    let mut olga = Browser::of(&app, &olga).await;
    ask(&mut Browser::of(&app, &ada).await).await;
    let accept = [("decision", "accepted")];
    let shown = olga.get(FIRST).await.page;
    let plan = json!({"treatment_plan": "Insurance"});
    app.patch("/v1/risks/RSK-1").bearer(&ada).json(plan).expect(200).await;
    let again = olga.submit(&shown, FIRST, &accept).await.page;
    assert_eq!(again.all("[role=alert]").len(), 1, "{}", again.text());
    assert_eq!(again.text_of(".head .badge"), "Requested");
    assert!(again.text_of("main .facts").contains("Insurance"), "{}", again.text());
    evaluate(&app, &ada, 3).await;
    let again = olga.submit(&again, FIRST, &accept).await.page;
    assert!(
        again.text().contains("Evaluated again since the request. The request was for 2 × 4"),
        "{}",
        again.text()
    );
    let page = olga.submit(&again, FIRST, &accept).await.page;
    let facts = page.text_of("main .facts");
    assert!(facts.contains("3 × 4") && facts.contains("Treatment plan Insurance"), "{facts}");
    let plan = json!({"treatment_plan": "None of it"});
    app.patch("/v1/risks/RSK-1").bearer(&ada).json(plan).expect(200).await;
    assert_eq!(olga.get(FIRST).await.page.text_of("main .facts"), facts, "as it was accepted");
    // What becomes worse is shown, and an extension is asked for.
    evaluate(&app, &ada, 5).await;
    let page = olga.get(RISK).await.page;
    assert!(page.text_of(SECTION).contains("Stale until"), "{}", page.text_of(SECTION));
    assert!(olga.get(FIRST).await.page.text().contains("Evaluation 3 is higher"), "stale by");
}

#[both_engines]
async fn decisions_of_a_board_are_recorded_and_acceptances_end(app: TestApp) {
    let (asker, owner) = with_risk(&app).await;
    let (mut ada, mut olga) = (Browser::of(&app, &asker).await, Browser::of(&app, &owner).await);
    ask(&mut ada).await;
    let page = ada.get(FIRST).await.page;
    let page = ada.submit(&page, FIRST, &[]).await.page;
    assert_eq!(page.text_of(".head .badge"), "Withdrawn", "{}", page.text());
    ask(&mut ada).await;
    let second = format!("{ALL}/2");
    let page = olga.get(&second).await.page;
    let board = [
        ("step", "record"),
        ("decision", "accepted"),
        ("decided_by", "The board"),
        ("decided_date", "2026-02-27"),
        ("minutes", "Item 4"),
    ];
    let page = olga.submit(&page, &second, &board).await.page;
    let facts = page.text_of("main .facts");
    assert!(facts.contains("Recorded by Olga") && facts.contains("Decided by The board"), "{facts}");
    let changes = olga.get("/o/acme/risks/changes").await.page;
    assert!(changes.text().contains("The board, recorded by Olga"), "{}", changes.text());
    let revoked = olga.submit(&page, &second, &[("reason", "Moved")]).await.page;
    assert_eq!(revoked.text_of(".head .badge"), "Revoked", "{}", revoked.text());
    assert!(revoked.text_of("main .facts").contains("Reason it ended Moved"), "{}", revoked.text());
    assert!(revoked.all("main form").is_empty(), "nothing follows");
    let list = olga.get(ALL).await.page;
    assert_eq!(list.texts("tbody .t"), ["Acceptance 2", "Acceptance 1"]);
    // Who only reads is offered nothing.
    let vera = app.person("Vera", Role::Viewer).await;
    let mut vera = Browser::of(&app, &vera).await;
    ask(&mut ada).await;
    assert!(vera.get(ALL).await.page.all("main form").is_empty());
    assert!(vera.get(&format!("{ALL}/3")).await.page.all("main form").is_empty());
    let fields = [("step", "revoke"), ("reason", "No")];
    let (status, _) = vera.location(&second, &fields).await;
    assert_eq!(status.as_u16(), 403);
}

/// Who asked, and the new owner of the risk. The one who accepted it has left.
async fn with_new_owner(app: &TestApp) -> (TestPerson, TestPerson) {
    let (asker, olga) = with_risk(app).await;
    ask(&mut Browser::of(app, &asker).await).await;
    let mut owner = Browser::of(app, &olga).await;
    let page = owner.get(FIRST).await.page;
    owner.submit(&page, FIRST, &[("decision", "accepted")]).await;
    let cleo = app.person("Cleo", Role::Owner).await;
    app.patch("/v1/risks/RSK-1").bearer(&asker).json(json!({"owner": cleo.id})).expect(200).await;
    app.delete(&format!("/v1/users/{}", olga.id)).bearer(&asker).expect(204).await;
    (asker, cleo)
}

#[both_engines]
async fn what_has_replaced_the_acceptance_on_the_page_is_not_confirmed(app: TestApp) {
    let (asker, owner) = with_new_owner(&app).await;
    let mut cleo = Browser::of(&app, &owner).await;
    let shown = cleo.get(TO_CONFIRM).await.page;
    let again = json!({"reason": "Longer", "evaluation": 1});
    app.post("/v1/risks/RSK-1/acceptances").bearer(&asker).json(again).expect(201).await;
    let decision = json!({"decision": "accepted", "evaluation": 1});
    app.post("/v1/risks/RSK-1/acceptances/2/decision").bearer(&owner).json(decision).expect(200).await;
    let late = cleo.submit(&shown, "/o/acme/risks/acceptances", &[("ids", "RSK-1/1")]).await.page;
    assert!(late.text().contains("0 of 1 confirmed. The others have changed."), "{}", late.text());
    let facts = cleo.get(&format!("{ALL}/2")).await.page.text_of("main .facts");
    assert!(!facts.contains("Confirmed by"), "{facts}");
}

#[both_engines]
async fn what_is_never_accepted_by_now_is_not_offered_to_confirm(app: TestApp) {
    let (asker, owner) = with_new_owner(&app).await;
    let mut cleo = Browser::of(&app, &owner).await;
    assert_eq!(cleo.get(TO_CONFIRM).await.page.texts("tbody .t"), ["Flood"]);
    let scale = app.get("/v1/scale").bearer(&asker).expect(200).await;
    let mut never = json!({"reason": "Nobody accepts these."});
    for member in ["likelihood", "impact", "bands", "matrix"] {
        never[member] = scale.json()[member].clone();
    }
    for band in never["bands"].as_array_mut().unwrap() {
        band["acceptance"] = json!({"by": "never"});
    }
    app.put("/v1/scale").bearer(&asker).json(never).expect(200).await;
    assert!(cleo.get(TO_CONFIRM).await.page.all("tbody tr").is_empty());
    assert!(cleo.get("/o/acme").await.page.texts("[aria-labelledby=waiting] .t").is_empty());
}

#[both_engines]
async fn a_new_owner_confirms_what_somebody_accepted_who_has_left(app: TestApp) {
    let (asker, cleo) = with_new_owner(&app).await;
    let owned_by = async |owner: &str| {
        app.patch("/v1/risks/RSK-1").bearer(&asker).json(json!({"owner": owner})).expect(200).await;
    };
    let (cleo_id, mut cleo) = (cleo.id.clone(), Browser::of(&app, &cleo).await);
    let flagged = cleo.get(FIRST).await.page;
    assert!(flagged.text().contains("The person who accepted it has left."), "{}", flagged.text());
    let home = cleo.get("/o/acme").await.page;
    assert_eq!(home.texts("[aria-labelledby=waiting] .t"), ["Flood"]);
    let (all, path) = ("/o/acme/risks/acceptances", TO_CONFIRM);
    let page = cleo.get(path).await.page;
    assert_eq!(page.texts("tbody .t"), ["Flood"]);
    assert_eq!(page.all("tbody input[name=ids][value='RSK-1/1']").len(), 1);
    assert_eq!(page.text_of("tbody .ck"), "Select RSK-1");
    let none = cleo.submit(&page, all, &[]).await.page;
    assert!(none.text().contains("Nothing was selected."), "{}", none.text());
    owned_by(&asker.id).await;
    let late = cleo.submit(&none, all, &[("ids", "RSK-1/1")]).await.page;
    assert!(late.text().contains("0 of 1 confirmed. The others have changed."), "{}", late.text());
    owned_by(&cleo_id).await;
    let page = cleo.get(path).await.page;
    let page = cleo.submit(&page, all, &[("ids", "RSK-1/1")]).await.page;
    assert!(page.text().contains("Acceptances confirmed."), "{}", page.text());
    assert!(page.all("tbody tr").is_empty(), "{}", page.text());
    let facts = cleo.get(FIRST).await.page.text_of("main .facts");
    assert!(facts.contains("Confirmed by Cleo"), "{facts}");
    assert!(cleo.get("/o/acme").await.page.texts("[aria-labelledby=waiting] .t").is_empty());
    let mut ada = Browser::of(&app, &asker).await;
    assert!(ada.get(path).await.page.all("main form").is_empty(), "nothing that others decide about");
}

#[both_engines]
async fn a_request_by_an_earlier_scale_can_be_refused(app: TestApp) {
    let (ada, olga) = with_risk(&app).await;
    ask(&mut Browser::of(&app, &ada).await).await;
    let scale = app.get("/v1/scale").bearer(&ada).expect(200).await;
    let mut other = json!({"reason": "A new method.", "meaning_changed": true});
    for member in ["likelihood", "impact", "bands", "matrix"] {
        other[member] = scale.json()[member].clone();
    }
    app.put("/v1/scale").bearer(&ada).json(other).expect(200).await;
    let mut olga = Browser::of(&app, &olga).await;
    assert_eq!(olga.get("/o/acme").await.page.texts("[aria-labelledby=waiting] .t"), ["Flood"]);
    let page = olga.get(FIRST).await.page;
    assert!(page.text().contains("The request can be refused or withdrawn."), "{}", page.text());
    assert_eq!(page.texts("main form button"), ["Refuse", "Record decision", "Withdraw request"]);
    let page = olga.submit(&page, FIRST, &[("decision", "refused")]).await.page;
    assert_eq!(page.text_of(".head .badge"), "Refused", "{}", page.text());
}
