use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;
use crate::html::Page;

const DOCUMENT: &str = "/o/acme/documents/access-control";
const PROPOSAL: &str = "/o/acme/documents/access-control/proposals/1";

pub(crate) async fn written(app: &TestApp) -> Browser {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let option = |id: &str, weakens: bool| json!({"id": id, "label": format!("For {id}"), "text": format!("Two factors for {id}."), "weakens": weakens});
    let items = json!([
        {"id": "mfa", "kind": "select", "label": "Second factor", "required": true,
         "options": [option("everybody", false), option("admins", true)]},
        {"id": "contact", "kind": "text", "label": "Whom to ask", "max_length": 20},
    ]);
    let document = json!({"slug": "access-control", "title": "Access control", "items": items});
    app.post("/v1/documents").bearer(&ada.token).json(document).expect(201).await;
    Browser::of(app, &ada).await
}

#[both_engines]
async fn items_are_chosen_in_place_and_the_proposal_says_who_chose_what(app: TestApp) {
    let mut browser = written(&app).await;
    let page = browser.get("/o/acme/documents").await.page;
    assert_eq!(page.texts("tbody th a"), ["Access control"]);
    let page = browser.get(DOCUMENT).await.page;
    assert_eq!(page.all(".sheet section").len(), 2);
    assert!(page.text_of("#item-mfa").contains("Required, not filled in"), "{}", page.text());
    let edits = format!("{DOCUMENT}/edits");
    let page =
        browser.submit(&page, &edits, &[("item", "mfa"), ("kind", "select"), ("value", "admins")]).await.page;
    assert_eq!(page.text_of("#item-mfa ins"), "Two factors for admins.");
    assert!(page.text_of(".toast").starts_with("Added to the open proposal."), "{}", page.text_of(".toast"));
    let long = [("item", "contact"), ("kind", "text"), ("value", "far too long for this place")];
    let refused = browser.submit(&page, &edits, &long).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        refused.page.text_of("#value-contact"),
        "far too long for this place",
        "what was typed is kept"
    );
    assert_eq!(refused.page.all("#item-contact .error").len(), 1);
    let page = browser.get(&format!("{DOCUMENT}/proposals/1")).await.page;
    let row = page.text_of("tbody tr");
    assert!(row.contains("Second factor") && row.contains("weakens") && row.contains("Ada Byron"), "{row}");
    assert_eq!(browser.get(&format!("{DOCUMENT}/proposals/9")).await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.get("/o/acme/documents/none").await.status, StatusCode::NOT_FOUND);
}

/// What Ada proposed and submitted.
async fn submitted(ada: &mut Browser) -> Page {
    let page = ada.get(DOCUMENT).await.page;
    let edit = [("item", "mfa"), ("kind", "select"), ("value", "everybody")];
    ada.submit(&page, &format!("{DOCUMENT}/edits"), &edit).await;
    let page = ada.get(PROPOSAL).await.page;
    assert!(page.text_of(".sheet").contains("Two factors for everybody."), "{}", page.text());
    let unsaid = ada.submit(&page, PROPOSAL, &[("step", "submit")]).await;
    assert_eq!(unsaid.status, StatusCode::UNPROCESSABLE_ENTITY, "it has no summary");
    ada.submit(&page, PROPOSAL, &[("step", "submit"), ("summary", "The first.")]).await.page
}

#[both_engines]
async fn a_proposal_is_submitted_and_approved_by_another_person(app: TestApp) {
    let mut ada = written(&app).await;
    let page = submitted(&mut ada).await;
    assert_eq!(page.texts("main aside button"), ["Return", "Reject", "Withdraw"], "she is its author");
    assert!(page.text_of("main .note").contains("Nobody can"), "{}", page.text());
    let ben = app.person("Ben", Role::Admin).await;
    let mut ben = Browser::of(&app, &ben).await;
    assert!(ada.get(PROPOSAL).await.page.text_of("main .note").contains("Waiting for approval: Ben"));
    let home = ben.get("/o/acme").await.page;
    assert!(home.text_of(".needs").contains("Proposal 1 · waiting for approval"), "{}", home.text());
    assert!(!ada.get("/o/acme").await.page.text().contains("waiting for approval"));
    let page = ben.get(PROPOSAL).await.page;
    assert_eq!(page.texts("main aside button")[0], "Approve and publish");
    let page = ben.submit(&page, PROPOSAL, &[("step", "approve")]).await.page;
    assert_eq!(page.all("main form").len(), 0, "it is closed");
    let page = ben.get(DOCUMENT).await.page;
    assert_eq!(page.text_of(".head .badge"), "Version 1 in force");
    let page = ben.get(&format!("{DOCUMENT}/versions")).await.page;
    assert!(page.text_of("tbody tr").contains("The first."), "{}", page.text());
    let page = ben.get(&format!("{DOCUMENT}/versions/1")).await.page;
    let authors = page.text_of("details dl.facts");
    assert!(authors.contains("Second factor") && authors.contains("Ada Byron, proposal 1"), "{authors}");
    assert!(page.text_of(".sheet").contains("Two factors for everybody."), "{}", page.text());
    assert!(page.text_of(".imprint").contains("Ben"));
    assert_eq!(ben.get(&format!("{DOCUMENT}/versions/2")).await.status, StatusCode::NOT_FOUND);
}

#[both_engines]
async fn versions_with_the_same_text_differ_in_their_properties(app: TestApp) {
    let mut ada = written(&app).await;
    submitted(&mut ada).await;
    let (ben, cleo) = (app.person("Ben", Role::Admin).await, app.person("Cleo", Role::Admin).await);
    let proposals = "/v1/documents/access-control/proposals";
    let approve = async |number: i64| {
        let proposal = app.get(&format!("{proposals}/{number}")).bearer(&ben).expect(200).await;
        let approval = json!({"sha256": proposal.text("sha256")});
        app.post(&format!("{proposals}/{number}/approve")).bearer(&ben).json(approval).expect(200).await;
    };
    approve(1).await;
    app.post(proposals).bearer(&cleo).expect(201).await;
    let changes = json!({"title": "Signing in", "classification": "secret"});
    app.patch(&format!("{proposals}/2")).bearer(&cleo).json(changes).expect(200).await;
    let said = json!({"summary": "Another title."});
    app.post(&format!("{proposals}/2/submit")).bearer(&cleo).json(said).expect(200).await;
    approve(2).await;
    let page = ada.get(&format!("{DOCUMENT}/versions/2?from=1")).await.page;
    let compared = page.text_of("details[open]");
    assert!(compared.contains("The text is the same."), "{compared}");
    assert_eq!(page.texts("details[open] del"), ["Access control", "Internal"]);
    assert_eq!(page.texts("details[open] ins"), ["Signing in", "Secret"]);
    let page = ada.get(&format!("{DOCUMENT}/versions/2?from=2")).await.page;
    assert_eq!(page.all("details[open]").len(), 0, "there is nothing to compare with itself");
}

#[both_engines]
async fn a_text_that_changed_while_it_was_read_is_not_approved(app: TestApp) {
    let mut ada = written(&app).await;
    submitted(&mut ada).await;
    let ben = app.person("Ben", Role::Admin).await;
    let mut ben = Browser::of(&app, &ben).await;
    let read = ben.get(PROPOSAL).await.page;
    let page = ada.get(DOCUMENT).await.page;
    let edit = [("item", "mfa"), ("kind", "select"), ("value", "admins")];
    ada.submit(&page, &format!("{DOCUMENT}/edits"), &edit).await;
    let page = ada.get(PROPOSAL).await.page;
    ada.submit(&page, PROPOSAL, &[("step", "submit"), ("summary", "Weaker.")]).await;
    let refused = ben.submit(&read, PROPOSAL, &[("step", "approve")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.page.text_of("[role=alert]").contains("has changed since"), "{}", refused.page.text());
    assert!(refused.page.text_of(".sheet").contains("Two factors for admins."), "the new text is shown");
    let vera = app.person("Vera", Role::Viewer).await;
    let mut vera = Browser::of(&app, &vera).await;
    assert_eq!(vera.get(PROPOSAL).await.page.all("main aside form").len(), 0);
    assert_eq!(vera.location(PROPOSAL, &[("step", "approve")]).await.0, StatusCode::FORBIDDEN);
}

#[both_engines]
async fn a_conflict_is_resolved_and_a_change_taken_back(app: TestApp) {
    let mut ada = written(&app).await;
    let ben = app.person("Ben", Role::Admin).await;
    let mut ben = Browser::of(&app, &ben).await;
    for (browser, value) in [(&mut ada, "everybody"), (&mut ben, "admins")] {
        let page = browser.get(DOCUMENT).await.page;
        let edit = [("item", "mfa"), ("kind", "select"), ("value", value)];
        browser.submit(&page, &format!("{DOCUMENT}/edits"), &edit).await;
    }
    let page = ada.get(PROPOSAL).await.page;
    assert!(page.text_of("main .note").contains("Conflicts to resolve"), "{}", page.text());
    let page = ada.submit(&page, &format!("{PROPOSAL}/resolve"), &[]).await.page;
    assert!(
        page.text_of(".sheet").contains("Two factors for everybody."),
        "the first value: {}",
        page.text()
    );
    assert_eq!(page.all("#conflicts").len(), 0);
    let page = ada.submit(&page, &format!("{PROPOSAL}/take-back"), &[]).await.page;
    assert!(page.text_of(".sheet").contains("Two factors for admins."), "{}", page.text());
    assert_eq!(page.texts("tbody .last bdi"), ["Ben"]);
}

#[both_engines]
async fn who_only_reads_is_offered_nothing_to_choose(app: TestApp) {
    written(&app).await;
    let vera = app.person("Vera", Role::Viewer).await;
    let mut browser = Browser::of(&app, &vera).await;
    let page = browser.get(DOCUMENT).await.page;
    assert_eq!(page.all("main form").len(), 0);
    let sent = browser.post(&format!("{DOCUMENT}/edits"), &[]).await;
    assert_eq!(sent.status, StatusCode::FORBIDDEN);
}

#[both_engines]
async fn tags_are_added_and_lead_to_what_carries_them(app: TestApp) {
    let mut browser = written(&app).await;
    let page = browser.get("/o/acme/tags").await.page;
    let tags = "/o/acme/tags";
    let page = browser.submit(&page, tags, &[("name", "Water")]).await.page;
    assert_eq!(page.texts("tbody th"), ["Water"]);
    let again = browser.submit(&page, tags, &[("name", "water")]).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY, "the name is taken");
    let link = page.all("tbody td a")[0].attr("href").unwrap().to_owned();
    assert_eq!(browser.get(&link).await.status, StatusCode::OK);
}

#[both_engines]
async fn a_tag_is_renamed_merged_and_deleted_and_comes_back(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let mut ids = Vec::new();
    for name in ["water", "flood"] {
        let made = app.post("/v1/tags").bearer(&ada.token).json(json!({"name": name})).expect(201).await;
        ids.push(made.text("id").to_owned());
    }
    let incident = json!({"title": "A pipe burst", "description": "", "tags": ["water"]});
    app.post("/v1/incidents").bearer(&ada.token).json(incident).expect(201).await;
    let tags = "/o/acme/tags";
    let counts = browser.get(tags).await.page.texts("tbody td.n:not(.nw)");
    // Of incidents, risks and documents.
    let found: Vec<_> = counts.iter().map(|it| it.ends_with('1')).collect();
    assert_eq!(found, [false, false, false, true, false, false]);
    let here = format!("{tags}/{}", ids[0]);
    let page = browser.get(&here).await.page;
    let shown = browser.submit(&page, &here, &[("name", "leak")]).await.page;
    assert_eq!(shown.texts("tbody th"), ["flood", "leak"]);
    // The name of another tag: merging is offered, and what was typed is kept.
    let page = browser.get(&here).await.page;
    let refused = browser.submit(&page, &here, &[("name", "FLOOD")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.page.all("#name")[0].attr("value"), Some("FLOOD"));
    let merge = format!("{here}/merge");
    let shown = browser.submit(&refused.page, &merge, &[]).await.page;
    assert_eq!(shown.texts("tbody th"), ["flood"]);
    assert!(shown.text_of(".toast").starts_with("leak merged into flood."), "{}", shown.text_of(".toast"));
    assert_eq!(browser.get("/o/acme/incidents/INC-0001").await.page.texts("aside .tag bdi"), ["flood"]);
    let undone = browser.submit(&shown, "/o/acme/undo", &[]).await.page;
    assert_eq!(undone.text_of(".toast"), "Undone.");
    assert_eq!(undone.texts("tbody th"), ["flood", "leak"]);
    assert_eq!(browser.get("/o/acme/incidents/INC-0001").await.page.texts("aside .tag bdi"), ["leak"]);
    let page = browser.get(&here).await.page;
    let shown = browser.submit(&page, &format!("{here}/delete"), &[]).await.page;
    assert_eq!(shown.texts("tbody th"), ["flood"]);
    assert_eq!(browser.get(&here).await.status, StatusCode::NOT_FOUND);
    let vera = app.person("Vera", Role::Viewer).await;
    let mut browser = Browser::of(&app, &vera).await;
    assert_eq!(browser.get(tags).await.page.all("tbody td.last").len(), 0);
    assert_eq!(browser.get(&format!("{tags}/{}", ids[1])).await.status, StatusCode::FORBIDDEN);
}

#[both_engines]
async fn a_document_is_written_previewed_and_created(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get("/o/acme/documents").await.page;
    assert_eq!(page.texts(".empty a"), ["New document"]);
    let (new, text) = ("/o/acme/documents/new", "# Rule\n\nLock your *screen*.");
    let page = browser.get(new).await.page;
    let fields = [("title", "Clear desk"), ("slug", ""), ("template", text)];
    let preview = browser.submit(&page, new, &[&fields[..], &[("preview", "yes")]].concat()).await.page;
    assert!(preview.text_of(".sheet").contains("1 Rule"), "{}", preview.text());
    assert_eq!(preview.all(".sheet em").len(), 1);
    let wrong = [("title", ""), ("slug", ""), ("template", "{{gone}}")];
    let refused = browser.submit(&page, new, &wrong).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let error = refused.page.text_of("#template-error");
    assert!(error.contains("line 1, column 1: there is no item gone"), "{error}");
    let made = browser.submit(&page, new, &fields).await.page;
    assert_eq!(made.text_of("h1"), "Clear desk");
    assert!(made.text_of(".sheet .md").contains("Lock your screen."), "{}", made.text());
    let opened = browser.submit(&made, "/o/acme/documents/clear-desk/proposals", &[]).await.page;
    assert_eq!(opened.texts("main aside .btn.main"), ["Submit for approval"], "{}", opened.text());
    let page = browser.get(new).await.page;
    let again = browser.submit(&page, new, &fields).await.page;
    assert_eq!(again.texts("#slug-error").len(), 1, "{}", again.text());
}

#[both_engines]
async fn properties_are_changed_at_once_and_reviews_listed(app: TestApp) {
    let mut ada = written(&app).await;
    let ben = app.person("Ben", Role::Responder).await;
    let properties = format!("{DOCUMENT}/properties");
    let page = ada.get(&properties).await.page;
    let wrong = [("review_every_days", "often"), ("acknowledge_every_days", "0")];
    let refused = ada.submit(&page, &properties, &wrong).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.page.all(".error").len(), 2, "{}", refused.page.text());
    assert_eq!(
        refused.page.all("#review_every_days")[0].attr("value"),
        Some("often"),
        "what was typed is kept"
    );
    let right = [("owner", &*ben.id), ("review_every_days", "365"), ("acknowledge_every_days", "")];
    let page = ada.submit(&page, &properties, &right).await.page;
    assert!(page.text_of(".imprint").contains("Ben"), "{}", page.text());
    // What somebody else has changed meanwhile stays.
    let page = ada.get(&properties).await.page;
    let patch = app.patch("/v1/documents/access-control/properties").bearer(&app.client().await);
    patch.json(json!({"earlier": "3.2"})).expect(200).await;
    ada.submit(&page, &properties, &[("description", "Who signs in.")]).await;
    let page = ada.get(&properties).await.page;
    assert_eq!(page.all("#earlier")[0].attr("value"), Some("3.2"));
    let vera = app.person("Vera", Role::Viewer).await;
    assert_eq!(Browser::of(&app, &vera).await.get(&properties).await.status, StatusCode::FORBIDDEN);
}

#[both_engines]
async fn the_text_of_a_document_is_edited_previewed_and_proposed(app: TestApp) {
    let mut ada = written(&app).await;
    let edit = format!("{DOCUMENT}/edit");
    let page = ada.get(DOCUMENT).await.page;
    assert!(
        page.all("main a").iter().any(|link| link.attr("href") == Some(edit.as_str())),
        "{}",
        page.text()
    );
    let page = ada.get(&edit).await.page;
    assert_eq!(page.texts("aside code"), ["{{mfa}}", "{{contact}}"]);
    let text = "# Rule\n\n{{mfa}}\n\nAsk {{kontakt}}.";
    let refused = ada.submit(&page, &edit, &[("template", text), ("title", "Access")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let fault = refused.page.text_of("#faults ~ ol");
    assert!(
        fault.contains("Line 5, column 5: there is no item kontakt") && fault.contains("Ask {{kontakt}}."),
        "{fault}"
    );
    assert!(refused.page.text_of("#template").ends_with("Ask {{kontakt}}."), "what was typed is kept");
    let text = "# Rule\n\n{{mfa}}\n\nAsk {{contact}}.";
    let fields = [("template", text), ("title", "Access"), ("classification", "secret")];
    let preview = ada.submit(&page, &edit, &[&fields[..], &[("preview", "yes")]].concat()).await.page;
    assert!(preview.text_of(".sheet").contains("1 Rule"), "{}", preview.text());
    let page = ada.submit(&page, &edit, &fields).await.page;
    let changes = page.text_of("section dl.facts");
    for expected in ["Access control", "Access", "Internal", "Secret", "Text"] {
        assert!(changes.contains(expected), "{expected}: {changes}");
    }
    assert!(page.text_of(".sheet").contains("1 Rule"), "{}", page.text());
    assert_eq!(ada.get(DOCUMENT).await.page.text_of("h1"), "Access control", "it is proposed");
    let page = ada.get(&edit).await.page;
    assert!(page.text_of("#items").starts_with("- id: mfa kind: select"), "{}", page.text_of("#items"));
    let wrong = ada.submit(&page, &edit, &[("items", "- id: [")]).await.page;
    assert!(wrong.text_of("#items-error").contains("line 1"), "{}", wrong.text());
    let [earlier, as_early] = [ada.get(&edit).await.page, ada.get(&edit).await.page];
    let items = "- id: contact\n  kind: text\n  label: Whom\n- id: where\n  kind: text\n  label: Where\n  required: true\n";
    ada.submit(&page, &edit, &[("items", items), ("template", "{{where}} {{contact}}")]).await;
    assert!(ada.get(DOCUMENT).await.page.text_of("#item-where").contains("Required, not filled in"));
    // What others have changed meanwhile stays; of what both changed, both are shown.
    let merged = ada.submit(&earlier, &edit, &[("title", "Other")]).await;
    assert!(merged.page.text_of("section dl.facts").contains("Other"), "{}", merged.page.text());
    assert!(ada.get(&edit).await.page.text_of("#template").contains("{{where}}"));
    let both = ada.submit(&as_early, &edit, &[("title", "Mine"), ("template", "{{contact}}")]).await;
    assert_eq!(both.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", both.page.text());
    assert_eq!(both.page.text_of("#template"), "{{contact}}");
    assert!(both.page.text().contains("{{where}} {{contact}}"), "{}", both.page.text());
    let page = ada.get(&edit).await.page;
    let same = ada.submit(&page, &edit, &[]).await.page;
    assert_eq!(same.text_of("section dl.facts"), "", "{}", same.text());
    let vera = app.person("Vera", Role::Viewer).await;
    assert_eq!(Browser::of(&app, &vera).await.get(&edit).await.status, StatusCode::FORBIDDEN);
}

#[both_engines]
async fn a_withdrawn_proposal_is_proposed_again(app: TestApp) {
    let mut ada = written(&app).await;
    submitted(&mut ada).await;
    let page = ada.get(PROPOSAL).await.page;
    let page = ada.submit(&page, PROPOSAL, &[("step", "withdraw"), ("reason", "Later.")]).await.page;
    assert!(page.text_of(".sheet").contains("Two factors for everybody."), "{}", page.text());
    assert!(page.text().contains("Text when it ended"), "{}", page.text());
    assert_eq!(page.texts("main aside button"), ["Propose again"], "{}", page.text());
    let page = ada.submit(&page, &format!("{DOCUMENT}/proposals"), &[]).await.page;
    assert!(page.text_of(".sheet").contains("Two factors for everybody."), "{}", page.text());
    assert_eq!(page.texts("main aside .btn.main"), ["Submit for approval"]);
}

#[both_engines]
async fn a_document_is_reviewed_archived_and_restored(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Admin).await, app.person("Ben", Role::Admin).await);
    let body = json!({"slug": "access-control", "title": "Access control", "template": "Lock it.", "owner": ada.id, "review_every_days": 30});
    app.post("/v1/documents").bearer(&ada.token).json(body).expect(201).await;
    let proposals = "/v1/documents/access-control/proposals";
    app.post(proposals).bearer(&ada.token).expect(201).await;
    let submission =
        app.post(&format!("{proposals}/1/submit")).bearer(&ada.token).json(json!({"summary": "All."}));
    let hash = json!({"sha256": submission.expect(200).await.text("sha256")});
    app.post(&format!("{proposals}/1/approve")).bearer(&ben.token).json(hash).expect(200).await;
    app.db.clock.advance_seconds(31 * 24 * 3600);
    let token = app.sign_in_person(ada.organization, &ada.email, &ada.password).await;
    let mut ada = Browser::of(&app, &TestPerson { token, ..ada }).await;
    assert!(ada.get("/o/acme").await.page.text_of(".needs").contains("review overdue"));
    assert!(ada.get("/o/acme/documents").await.page.text_of("tbody").contains("Review overdue"));
    let page = ada.get(DOCUMENT).await.page;
    assert!(page.text_of(".head").contains("Review overdue"), "{}", page.text());
    let page = ada.submit(&page, &format!("{DOCUMENT}/reviews"), &[("note", "Still right.")]).await.page;
    assert!(page.text_of("aside .todo").contains("Still right."), "{}", page.text());
    assert!(!page.text_of(".head").contains("Review overdue"), "{}", page.text());
    let archive = format!("{DOCUMENT}/archive");
    let page = ada.submit(&page, &archive, &[("reason", "By mistake.")]).await.page;
    assert!(page.text_of(".toast").starts_with("Document archived."), "{}", page.text_of(".toast"));
    let page = ada.submit(&page, "/o/acme/undo", &[]).await.page;
    assert_eq!(page.text_of(".toast"), "Undone.");
    assert!(!page.text_of(".head").contains("Archived"), "{}", page.text());
    let page = ada.submit(&page, &archive, &[("reason", "Replaced.")]).await.page;
    assert!(page.text_of(".head").contains("Archived"), "{}", page.text());
    assert!(page.text_of("aside.margin").contains("Replaced."), "{}", page.text());
    let archived = ada.get("/o/acme/documents?status=archived").await.page;
    assert_eq!(archived.texts("tbody th a"), ["Access control"]);
    let page = ada.submit(&page, &format!("{DOCUMENT}/restore"), &[]).await.page;
    assert!(!page.text_of(".head").contains("Archived"), "{}", page.text());
}

#[both_engines]
async fn a_proposal_is_commented_and_a_suggestion_adopted(app: TestApp) {
    let mut ada = written(&app).await;
    let page = ada.get(DOCUMENT).await.page;
    let edit = [("item", "mfa"), ("kind", "select"), ("value", "admins")];
    ada.submit(&page, &format!("{DOCUMENT}/edits"), &edit).await;
    let ben = app.person("Ben", Role::Admin).await;
    let mut ben = Browser::of(&app, &ben).await;
    let comments = format!("{PROPOSAL}/comments");
    let page = ben.get(PROPOSAL).await.page;
    let suggestion =
        [("comment", "yes"), ("text", "Why not everyone?"), ("node_id", ""), ("suggestion", "mfa everybody")];
    let page = ben.submit(&page, &comments, &suggestion).await.page;
    assert_eq!(page.text_of("#comment-1 ins"), "Two factors for everybody.");
    let page = ada.get(PROPOSAL).await.page;
    assert!(page.text_of("aside .note").contains("1 open comment"), "she submits it: {}", page.text());
    let page = ada.submit(&page, &comments, &[("text", "Right.")]).await.page;
    assert_eq!(page.all("#comment-1 .say").len(), 2);
    let page = ada.submit(&page, &format!("{comments}/1/adopt"), &[]).await.page;
    assert!(page.text_of("#comment-1").contains("Resolved"), "{}", page.text());
    assert!(page.text_of(".sheet").contains("Two factors for everybody."), "{}", page.text());
    let page = ben.get(PROPOSAL).await.page;
    let sent = ben.submit(&page, &comments, &[("text", " ")]).await;
    assert_eq!(sent.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[both_engines]
async fn a_draft_is_deleted_by_who_may_write(app: TestApp) {
    let mut ada = written(&app).await;
    let shown = ada.get(DOCUMENT).await.page;
    let proposal = submitted(&mut ada).await;
    assert!(!ada.get(DOCUMENT).await.page.text().contains("Delete draft"), "it is submitted");
    let (delete, typed) = (format!("{DOCUMENT}/delete"), [("typed", "access-control")]);
    let refused = ada.submit(&shown, &delete, &typed).await.page;
    assert!(refused.text_of("[role=alert]").contains("withdraw it first"), "{}", refused.text());
    ada.submit(&proposal, PROPOSAL, &[("step", "withdraw"), ("reason", "Not now.")]).await;
    let vera = app.person("Vera", Role::Viewer).await;
    let mut vera = Browser::of(&app, &vera).await;
    assert!(!vera.get(DOCUMENT).await.page.text().contains("Delete draft"));
    assert_eq!(vera.post(&delete, &[]).await.status, StatusCode::FORBIDDEN);
    let draft = ada.get(DOCUMENT).await.page;
    for wrong in ["", "Access control"] {
        let refused = ada.submit(&draft, &delete, &[("typed", wrong)]).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        let error = refused.page.text_of("#typed-error");
        assert_eq!(error, "Type the address of the document, access-control.");
        assert_eq!(refused.page.all("details[open] #typed")[0].attr("value"), Some(wrong));
    }
    let list = ada.submit(&draft, &delete, &typed).await.page;
    assert!(list.text().contains("Draft deleted."), "{}", list.text());
    assert_eq!(ada.get(DOCUMENT).await.status, StatusCode::NOT_FOUND);
    assert_eq!(ada.get(PROPOSAL).await.status, StatusCode::NOT_FOUND);
}

#[both_engines]
async fn a_published_document_is_not_deleted(app: TestApp) {
    let mut ada = written(&app).await;
    let draft = ada.get(DOCUMENT).await.page;
    submitted(&mut ada).await;
    let ben = app.person("Ben", Role::Admin).await;
    let mut ben = Browser::of(&app, &ben).await;
    let page = ben.get(PROPOSAL).await.page;
    ben.submit(&page, PROPOSAL, &[("step", "approve")]).await;
    let page = ada.get(DOCUMENT).await.page;
    assert!(!page.text().contains("Delete draft"));
    let present = page.form(&format!("{DOCUMENT}/archive"));
    let version = present.iter().find(|(name, _)| name == "version").unwrap().1.as_str();
    let fields = [("typed", "access-control"), ("version", version)];
    let refused = ada.submit(&draft, &format!("{DOCUMENT}/delete"), &fields).await.page;
    assert!(refused.text_of("[role=alert]").contains("never published can be deleted"), "{}", refused.text());
}

#[both_engines]
async fn a_draft_of_another_person_offers_no_deletion(app: TestApp) {
    let mut ada = written(&app).await;
    let draft = ada.get(DOCUMENT).await.page;
    let ben = app.person("Ben", Role::Admin).await;
    let mut ben = Browser::of(&app, &ben).await;
    assert!(!ben.get(DOCUMENT).await.page.text().contains("Delete draft"));
    let refused =
        ben.submit(&draft, &format!("{DOCUMENT}/delete"), &[("typed", "access-control")]).await.page;
    assert!(refused.text_of("[role=alert]").contains("Others have worked on"), "{}", refused.text());
}
