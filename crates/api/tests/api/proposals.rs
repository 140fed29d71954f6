//! `/v1/documents/{id}/proposals`: submitted, approved, published.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestPerson};

const PROPOSAL: &str = "/v1/documents/policy/proposals/1";

async fn write(app: &TestApp, by: &impl AsRef<str>, item: &str, value: &str) {
    let edits = json!([{"node_id": item, "node_type": "text", "value": value}]);
    app.patch("/v1/documents/policy").bearer(by).json(edits).expect(200).await;
}

/// A document whose required item says whom to call, and the person who filled it in.
async fn filled_in(app: &TestApp) -> TestPerson {
    let writer = app.person("Ada", Role::Admin).await;
    let item =
        |id: &str, required| json!({"id": id, "kind": "text", "label": "Contact", "required": required});
    let body =
        json!({"slug": "policy", "title": "Policy", "items": [item("contact", true), item("remark", false)]});
    app.post("/v1/documents").bearer(&writer).json(body).expect(201).await;
    write(app, &writer, "contact", "Ada").await;
    writer
}

async fn step(app: &TestApp, by: &impl AsRef<str>, step: &str, body: Value, status: u16) -> Value {
    app.post(&format!("{PROPOSAL}/{step}")).bearer(by).json(body).expect(status).await.json().clone()
}

fn summary() -> Value {
    json!({"summary": "The first one."})
}

#[testkit::both_engines]
async fn what_was_approved_is_published(app: TestApp) {
    let writer = filled_in(&app).await;
    let submitted = step(&app, &writer, "submit", summary(), 200).await;
    assert_eq!((&submitted["status"], &submitted["material"]), (&json!("submitted"), &json!(true)));
    let hash = submitted["sha256"].as_str().unwrap().to_owned();
    let approver = app.person("Ben", Role::Admin).await;
    let wrong = step(&app, &approver, "approve", json!({"sha256": "0".repeat(64)}), 409).await;
    assert_eq!((&wrong["code"], &wrong["sha256"]), (&json!("proposal_changed"), &json!(hash)));
    let approved = step(&app, &approver, "approve", json!({"sha256": hash, "note": "Good."}), 200).await;
    assert_eq!(approved["status"], "approved");
    let document = app.get("/v1/documents/policy").bearer(&writer).expect(200).await;
    let document = document.json();
    assert_eq!((&document["status"], &document["published_version"]), (&json!("published"), &json!(1)));
    assert_eq!((&document["items"][0]["value"], &document["open_proposal"]), (&json!("Ada"), &Value::Null));
    let version = app.get("/v1/documents/policy/versions/1").bearer(&writer).expect(200).await;
    let text = version.text("text");
    assert_eq!(domain::document::sha256(text), hash);
    assert!(text.ends_with("- **Contact**\n\n  Ada\n"), "{text}");
    assert_eq!(version.json()["approved_by"]["name"], "Ben");
    step(&app, &writer, "withdraw", json!({"reason": "x"}), 409).await;
}

#[testkit::both_engines]
async fn nobody_approves_an_own_change(app: TestApp) {
    let writer = filled_in(&app).await;
    let submitted = step(&app, &writer, "submit", summary(), 200).await;
    let approval = json!({"sha256": submitted["sha256"]});
    let client = app.client_with_scopes("documents:read documents:approve").await;
    for by in [&writer.token, &client.token] {
        assert_eq!(step(&app, by, "approve", approval.clone(), 403).await["code"], "four_eyes");
    }
    let document = app.get("/v1/documents/policy").bearer(&writer).expect(200).await;
    assert_eq!(document.json()["status"], "draft");
}

#[testkit::both_engines]
async fn an_edit_of_a_submitted_text_opens_it_again(app: TestApp) {
    let writer = filled_in(&app).await;
    let submitted = step(&app, &writer, "submit", summary(), 200).await;
    write(&app, &writer, "contact", "Ada").await;
    let same = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!((&same.json()["status"], &same.json()["sha256"]), (&json!("submitted"), &submitted["sha256"]));
    write(&app, &writer, "contact", "Eve").await;
    let open = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!(open.json()["status"], "open");
    assert_ne!(open.json()["sha256"], submitted["sha256"]);
    let approver = app.person("Ben", Role::Admin).await;
    let approval = json!({"sha256": submitted["sha256"]});
    let refused = step(&app, &approver, "approve", approval.clone(), 409).await;
    assert_eq!(refused["code"], "not_next");
    assert!(
        refused["detail"]
            .as_str()
            .unwrap()
            .starts_with("The proposal is open: it can be submitted or withdrawn."),
        "{refused}"
    );
    step(&app, &writer, "submit", summary(), 200).await;
    assert_eq!(step(&app, &approver, "approve", approval, 409).await["code"], "proposal_changed");
}

#[testkit::both_engines]
async fn what_is_not_ready_is_not_submitted(app: TestApp) {
    let writer = filled_in(&app).await;
    let other = app.person("Ben", Role::Admin).await;
    write(&app, &writer, "contact", "").await;
    assert_eq!(step(&app, &writer, "submit", summary(), 422).await["code"], "items_missing");
    write(&app, &other, "contact", "Ben").await;
    assert_eq!(step(&app, &writer, "submit", summary(), 409).await["code"], "conflicts_open");
    let proposal = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!(proposal.json()["conflicts"][0]["values"].as_array().map(Vec::len), Some(2));
    write(&app, &writer, "contact", "Ben").await;
    step(&app, &writer, "submit", summary(), 200).await;
}

#[testkit::both_engines]
async fn an_author_who_may_no_longer_write_can_withdraw(app: TestApp) {
    let writer = filled_in(&app).await;
    let (ben, vera) = (app.person("Ben", Role::Owner).await, app.person("Vera", Role::Viewer).await);
    write(&app, &ben, "remark", "Soon.").await;
    step(&app, &writer, "submit", summary(), 200).await;
    let viewer = json!({"role": "viewer"});
    app.patch(&format!("/v1/users/{}", ben.id)).bearer(&writer).json(viewer).expect(200).await;
    let reason = || json!({"reason": "Not any more."});
    let refused = step(&app, &vera, "withdraw", reason(), 403).await;
    assert_eq!(
        (&refused["code"], &refused["scope"]),
        (&json!("insufficient_scope"), &json!("documents:write"))
    );
    step(&app, &ben, "return", reason(), 403).await;
    assert_eq!(app.get(PROPOSAL).bearer(&vera).expect(200).await.json()["status"], "submitted");
    assert_eq!(step(&app, &ben, "withdraw", reason(), 200).await["status"], "withdrawn");
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn every_proposal_has_a_way_out(app: TestApp) {
    let writer = filled_in(&app).await;
    let reason = || json!({"reason": "Not yet."});
    assert_eq!(step(&app, &writer, "reject", reason(), 409).await["code"], "not_next");
    step(&app, &writer, "submit", summary(), 200).await;
    let returned = step(&app, &writer, "return", reason(), 200).await;
    assert_eq!((&returned["status"], &returned["reason"]), (&json!("open"), &json!("Not yet.")));
    let open = app.post("/v1/documents/policy/proposals").bearer(&writer).expect(409).await;
    assert_eq!(open.text("code"), "proposal_open");
    step(&app, &writer, "withdraw", reason(), 200).await;
    let opened = app.post("/v1/documents/policy/proposals").bearer(&writer).expect(201).await;
    assert_eq!(opened.header("location"), Some("/v1/documents/policy/proposals/2"));
    let list = app.get("/v1/documents/policy/proposals").bearer(&writer).expect(200).await;
    let numbers = list.json()["data"].as_array().unwrap().iter().map(|it| it["number"].clone());
    assert_eq!(numbers.collect::<Vec<_>>(), [json!(2), json!(1)]);
    assert_eq!(
        app.get("/v1/documents/policy/versions").bearer(&writer).expect(200).await.json()["data"],
        json!([])
    );
}

#[testkit::both_engines]
async fn a_day_that_was_submitted_is_not_said_of_an_open_text(app: TestApp) {
    let writer = filled_in(&app).await;
    let dated = json!({"summary": "The first one.", "effective_date": "2999-01-01"});
    let submitted = step(&app, &writer, "submit", dated, 200).await;
    assert_eq!(submitted["effective_date"], "2999-01-01");
    let returned = step(&app, &writer, "return", json!({"reason": "Sooner."}), 200).await;
    assert_eq!(returned["effective_date"], Value::Null);
    let text = app.get("/v1/documents/policy/text?proposal=1").bearer(&writer).expect(200).await;
    assert!(!body_of(&text).contains("2999"), "{}", body_of(&text));
    let again = step(&app, &writer, "submit", summary(), 200).await;
    assert_eq!((&again["sha256"], &again["effective_date"]), (&returned["sha256"], &Value::Null));
    assert_ne!(again["sha256"], submitted["sha256"]);
}

#[testkit::both_engines]
async fn a_conflict_is_resolved_by_somebody_who_becomes_no_author(app: TestApp) {
    let writer = filled_in(&app).await;
    let other = app.person("Ben", Role::Admin).await;
    write(&app, &other, "contact", "Ben").await;
    let get = async || app.get(PROPOSAL).bearer(&writer).expect(200).await.json().clone();
    let before = get().await;
    assert_eq!(before["next"]["action"], "resolve");
    let values = before["conflicts"][0]["values"].clone();
    assert_eq!((&values[0]["value"], &values[1]["value"]), (&json!("Ada"), &json!("Ben")));
    let judge = app.person("Cleo", Role::Approver).await;
    let resolution = |set: &Value| json!({"node_id": "contact", "change_set": set});
    let resolve = async |set: &Value, status| {
        let post = app.post(&format!("{PROPOSAL}/resolve")).bearer(&judge).json(resolution(set));
        post.expect(status).await.json().clone()
    };
    let fault = resolve(&json!(77), 422).await;
    assert_eq!(fault["errors"][0]["pointer"], "#/change_set");
    resolve(&values[0]["change_set"], 200).await;
    let settled = get().await;
    assert_eq!((&settled["conflicts"], &settled["next"]["action"]), (&json!([]), &json!("submit")));
    assert_ne!(settled["sha256"], before["sha256"], "the earlier value is in force again");
    let submitted = step(&app, &writer, "submit", summary(), 200).await;
    assert_eq!(submitted["next"]["who"].as_array().map(Vec::len), Some(1));
    assert_eq!(submitted["next"]["who"][0]["name"], "Cleo", "she changed nothing");
    resolve(&values[1]["change_set"], 200).await;
    assert_eq!(get().await["status"], "open", "another text is approved by nobody");
    write(&app, &other, "contact", "Eve").await;
    assert_eq!(get().await["next"]["action"], "resolve", "a new value is a new conflict");
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn who_takes_every_edit_back_is_no_author(app: TestApp) {
    let writer = filled_in(&app).await;
    let other = app.person("Ben", Role::Admin).await;
    write(&app, &other, "remark", "Soon.").await;
    let submitted = step(&app, &writer, "submit", summary(), 200).await;
    assert_eq!(submitted["next"]["who"], json!([]));
    let edit = |item: &str| format!("{PROPOSAL}/edits/{item}");
    app.delete(&edit("contact")).bearer(&other).expect(404).await;
    app.delete(&edit("remark")).bearer(&other).expect(204).await;
    let open = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!((open.text("status"), &open.json()["summary"]), ("open", &submitted["summary"]));
    let submitted = step(&app, &writer, "submit", summary(), 200).await;
    assert_eq!(submitted["next"]["who"][0]["name"], "Ben");
    step(&app, &other, "approve", json!({"sha256": submitted["sha256"]}), 200).await;
    app.delete(&edit("contact")).bearer(&writer).expect(409).await;
}

fn body_of(answer: &Answer) -> String {
    String::from_utf8(answer.bytes.to_vec()).unwrap()
}

/// Publishes the open proposal.
async fn publish(app: &TestApp, writer: &TestPerson, approver: &TestPerson, proposal: usize) -> String {
    let path = format!("/v1/documents/policy/proposals/{proposal}");
    let submit = app.post(&format!("{path}/submit")).bearer(writer).json(summary());
    let hash = submit.expect(200).await.text("sha256").to_owned();
    let approval = json!({"sha256": hash});
    app.post(&format!("{path}/approve")).bearer(approver).json(approval).expect(200).await;
    hash
}

#[testkit::both_engines]
async fn texts_are_read_as_word_files(app: TestApp) {
    let writer = filled_in(&app).await;
    let approver = app.person("Ben", Role::Admin).await;
    publish(&app, &writer, &approver, 1).await;
    write(&app, &writer, "contact", "Eve").await;
    let read = async |which: &str| {
        let path = format!("/v1/documents/policy/text?format=docx{which}");
        let answer = app.get(&path).bearer(&writer).expect(200).await;
        assert_eq!(answer.header("content-type"), Some(lists::printed_file::WORD));
        let name = answer.header("content-disposition").unwrap().to_owned();
        (name, render::import::docx(&answer.bytes).unwrap().markdown)
    };
    let (name, published) = read("&version=1").await;
    assert_eq!(name, "attachment; filename=\"policy-1.docx\"");
    assert!(published.contains("| Ben |") && published.contains("Ada"), "{published}");
    let (name, proposed) = read("&proposal=2").await;
    assert_eq!(name, "attachment; filename=\"policy-proposal-2.docx\"");
    assert!(proposed.contains("Eve") && !proposed.contains("Ada"), "{proposed}");
    assert!(read("").await.1.contains("Ada"), "the text in force");
}

#[testkit::both_engines]
async fn a_file_of_a_proposal_is_another_one_after_each_decision(app: TestApp) {
    let writer = filled_in(&app).await;
    let approver = app.person("Ben", Role::Admin).await;
    let proposals = "/v1/documents/policy/proposals";
    for (number, last) in [(1, "reject"), (2, "withdraw"), (3, "approve")] {
        if number > 1 {
            let again = app.post(proposals).bearer(&writer).json(json!({"from": number - 1}));
            again.expect(201).await;
        }
        let proposal = format!("{proposals}/{number}");
        let submit = app.post(&format!("{proposal}/submit")).bearer(&writer).json(summary());
        let hash = submit.expect(200).await.text("sha256").to_owned();
        let paths =
            ["docx", "pdf"].map(|it| format!("/v1/documents/policy/text?proposal={number}&format={it}"));
        let mut tags = Vec::new();
        for path in &paths {
            let tag = app.get(path).bearer(&writer).expect(200).await.header("etag").unwrap().to_owned();
            app.get(path).bearer(&writer).header("if-none-match", &tag).expect(304).await;
            tags.push(tag);
        }
        let body = if last == "approve" { json!({"sha256": hash}) } else { json!({"reason": "Not so."}) };
        let by = if last == "withdraw" { &writer } else { &approver };
        app.post(&format!("{proposal}/{last}")).bearer(by).json(body).expect(200).await;
        for (path, tag) in paths.iter().zip(&tags) {
            app.get(path).bearer(&writer).header("if-none-match", tag).expect(200).await;
        }
    }
}

#[testkit::both_engines]
async fn texts_are_read_as_pdf_files(app: TestApp) {
    let writer = filled_in(&app).await;
    let approver = app.person("Ben", Role::Admin).await;
    publish(&app, &writer, &approver, 1).await;
    write(&app, &writer, "contact", "漢字").await;
    let path = "/v1/documents/policy/text?format=pdf";
    let version = app.get(&format!("{path}&version=1")).bearer(&writer).expect(200).await;
    assert_eq!(version.header("content-type"), Some("application/pdf"));
    assert_eq!(version.header("content-disposition"), Some("attachment; filename=\"policy-1.pdf\""));
    assert_eq!(version.header("cache-control"), Some("private, max-age=31536000, immutable"));
    assert!(version.bytes.starts_with(b"%PDF-1.7"));
    assert_eq!(app.get(path).bearer(&writer).expect(200).await.bytes, version.bytes, "the text in force");
    let refused = app.get(&format!("{path}&proposal=2")).bearer(&writer).expect(422).await;
    assert_eq!(refused.text("code"), "no_glyphs");
    assert_eq!(refused.text("detail"), "The fonts of PDF files do not have 字 (U+5B57), 漢 (U+6F22).");
}

#[testkit::both_engines]
async fn texts_are_read_with_their_hash_and_compared(app: TestApp) {
    let writer = filled_in(&app).await;
    let approver = app.person("Ben", Role::Admin).await;
    let text = "/v1/documents/policy/text";
    app.get(text).bearer(&writer).expect(404).await;
    let first = publish(&app, &writer, &approver, 1).await;
    write(&app, &writer, "contact", "Eve").await;
    let draft = app.get(&format!("{text}?proposal=2")).bearer(&writer).expect(200).await;
    assert!(body_of(&draft).ends_with("Eve\n"), "{}", body_of(&draft));
    let changed = app.get("/v1/documents/policy/proposals/2/difference").bearer(&writer).expect(200).await;
    assert_eq!(
        (&changed.json()["from"], changed.text("html")),
        (&json!(1), "<p>  <del>Ada</del><ins>Eve</ins></p>")
    );
    let second = publish(&app, &writer, &approver, 2).await;
    let now = app.get(text).bearer(&writer).expect(200).await;
    assert_eq!(domain::document::sha256(&body_of(&now)), second);
    assert_eq!(now.header("etag"), Some(format!("\"{second}\"").as_str()));
    assert_eq!(now.header("cache-control"), Some("private, no-cache"));
    let old = app.get(&format!("{text}?version=1")).bearer(&writer).expect(200).await;
    assert_eq!(old.header("etag"), Some(format!("\"{first}\"").as_str()));
    assert_eq!(old.header("cache-control"), Some("private, max-age=31536000, immutable"));
    let html = app.get(&format!("{text}?version=2&format=html")).bearer(&writer).expect(200).await;
    assert!(body_of(&html).contains("<strong>Contact</strong>"), "{}", body_of(&html));
    let other = app.client_of(app.db.organization("Globex").await, "documents:read").await;
    // The session of a person is read for each request, and the token of a client is known.
    let reader = app.client_with_scopes("documents:read").await;
    for path in ["version=1", "version=2&format=html"] {
        let path = format!("{text}?{path}");
        app.get(&path).bearer(&other).expect(404).await;
        let first = app.get(&path).bearer(&reader).expect(200).await;
        // Something else may make statements meanwhile.
        let mut least = u64::MAX;
        for _ in 0..3 {
            let before = app.db.statements();
            let kept = app.get(&path).bearer(&reader).expect(200).await;
            least = least.min(app.db.statements() - before);
            assert_eq!((body_of(&kept), kept.header("etag")), (body_of(&first), first.header("etag")));
        }
        assert_eq!(least, 0, "{path} comes from memory");
    }
    app.get(&format!("{text}?version=2&proposal=2")).bearer(&writer).expect(400).await;
    app.get(&format!("{text}?version=3")).bearer(&writer).expect(404).await;
    let between = app.get("/v1/documents/policy/versions/2/difference").bearer(&writer).expect(200).await;
    assert!(between.text("text").contains("\n-  Ada\n+  Eve\n"), "{}", between.text("text"));
    let back = app.get("/v1/documents/policy/versions/1/difference?from=2").bearer(&writer).expect(200).await;
    assert!(back.text("text").contains("\n-  Eve\n+  Ada\n"), "{}", back.text("text"));
}

const PATCHED: &str = "# Whom to call\n\n{{contact}}\n\n{{remark}}\n";

async fn patch(app: &TestApp, by: &impl AsRef<str>, body: Value, status: u16) -> Value {
    app.patch(PROPOSAL).bearer(by).json(body).expect(status).await.json().clone()
}

#[testkit::both_engines]
async fn title_and_template_are_changed_by_a_proposal(app: TestApp) {
    let writer = filled_in(&app).await;
    let editor = app.person("Eve", Role::Admin).await;
    let approver = app.person("Ben", Role::Admin).await;
    let wrong = patch(&app, &editor, json!({"template": "A\n{{gone}}"}), 422).await;
    assert_eq!(wrong["errors"][0]["pointer"], "#/template");
    assert!(wrong["errors"][0]["detail"].as_str().unwrap().contains("line 2, column 1"), "{wrong}");
    let document = async || app.get("/v1/documents/policy").bearer(&writer).expect(200).await.json().clone();
    let before = document().await;
    let body = json!({"title": "Contacts", "reference": "ISMS-1", "template": PATCHED});
    let changed = patch(&app, &editor, body.clone(), 200).await;
    assert_eq!(changed["changes"], body);
    assert_eq!(changed["previous"], json!({"title": "Policy", "reference": null, "template": null}));
    assert_eq!(changed["change_sets"][1]["author"]["name"], "Eve");
    assert_eq!(changed["change_sets"][1]["fields"], json!(["title", "reference", "template"]));
    assert_eq!(patch(&app, &editor, body, 200).await["version"], changed["version"], "nothing changes");
    assert_eq!(document().await, before, "it is proposed");
    let submitted = step(&app, &writer, "submit", summary(), 200).await;
    assert_eq!(submitted["next"]["who"].as_array().map(Vec::len), Some(1), "Eve is an author");
    assert_eq!(
        step(&app, &editor, "approve", json!({"sha256": submitted["sha256"]}), 403).await["code"],
        "four_eyes"
    );
    step(&app, &approver, "approve", json!({"sha256": submitted["sha256"]}), 200).await;
    let after = document().await;
    assert_eq!(
        (&after["title"], &after["reference"], &after["template"]),
        (&json!("Contacts"), &json!("ISMS-1"), &json!(PATCHED))
    );
    let text = app.get("/v1/documents/policy/text").bearer(&writer).expect(200).await;
    assert!(body_of(&text).ends_with("# 1 Whom to call\n\nAda\n"), "{}", body_of(&text));
    let closed = app.get(PROPOSAL).bearer(&writer).expect(200).await;
    assert_eq!(closed.json()["previous"]["title"], "Policy", "it is still told");
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn every_change_of_a_submitted_proposal_voids_it_and_a_repetition_does_not(app: TestApp) {
    let writer = filled_in(&app).await;
    let item = json!({"id": "contact", "kind": "text", "label": "Whom to call", "required": true});
    let changes = [
        json!({"title": "Contacts"}),
        json!({"reference": "ISMS-1"}),
        json!({"classification": "secret"}),
        json!({"audience": "Everyone"}),
        json!({"language": "de"}),
        json!({"template": PATCHED}),
        json!({"template": null}),
        json!({"items": [item]}),
    ];
    for change in changes {
        let submitted = step(&app, &writer, "submit", summary(), 200).await;
        let open = patch(&app, &writer, change.clone(), 200).await;
        assert_eq!(
            (&open["status"], &open["next"]["action"]),
            (&json!("open"), &json!("submit")),
            "{change}"
        );
        assert!(open["sha256"] != submitted["sha256"] || change.get("items").is_some(), "{change}");
        let again = step(&app, &writer, "submit", summary(), 200).await;
        let same = patch(&app, &writer, change, 200).await;
        assert_eq!((&same["status"], &same["version"]), (&json!("submitted"), &again["version"]));
        step(&app, &writer, "return", json!({"reason": "Go on."}), 200).await;
    }
    let stale = app.patch(PROPOSAL).bearer(&writer).header("if-match", "\"1\"").json(json!({"title": "x"}));
    stale.expect(412).await;
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn who_sets_everything_back_is_no_author(app: TestApp) {
    let writer = filled_in(&app).await;
    let other = app.person("Ben", Role::Admin).await;
    patch(&app, &other, json!({"title": "Contacts"}), 200).await;
    patch(&app, &writer, json!({"title": "Names"}), 200).await;
    let back = patch(&app, &writer, json!({"title": "Policy"}), 200).await;
    assert_eq!((&back["changes"], &back["change_sets"][1]["fields"]), (&json!({}), &json!([])));
    let submitted = step(&app, &writer, "submit", summary(), 200).await;
    assert_eq!(submitted["next"]["who"][0]["name"], "Ben");
    step(&app, &other, "approve", json!({"sha256": submitted["sha256"]}), 200).await;
    app.patch(PROPOSAL).bearer(&other).json(json!({"title": "x"})).expect(409).await;
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn items_are_proposed_with_the_template_and_keep_their_values(app: TestApp) {
    let writer = filled_in(&app).await;
    let approver = app.person("Ben", Role::Admin).await;
    write(&app, &writer, "remark", "Soon.").await;
    publish(&app, &writer, &approver, 1).await;
    let path = "/v1/documents/policy/proposals";
    app.post(path).bearer(&writer).expect(201).await;
    let path = format!("{path}/2");
    let item = |id: &str, most| json!({"id": id, "kind": "text", "label": "L", "required": true, "max_length": most});
    let body = json!({"items": [item("where", 9), item("contact", 2)], "template": "{{where}} {{contact}}"});
    let changed = app.patch(&path).bearer(&writer).json(body).expect(200).await;
    let removed = json!([{"node_id": "contact", "value": "Ada", "reason": "text"}, {"node_id": "remark", "value": "Soon.", "reason": "item"}]);
    assert_eq!(
        (&changed.json()["removed"], &changed.json()["missing"]),
        (&removed, &json!(["where", "contact"]))
    );
    app.patch("/v1/documents/policy")
        .bearer(&writer)
        .json(json!([{"node_id": "remark", "node_type": "text", "value": "x"}]))
        .expect(422)
        .await;
    write(&app, &writer, "where", "Bern").await;
    write(&app, &writer, "contact", "Jo").await;
    let edits = app.get(&format!("{path}/edits")).bearer(&writer).expect(200).await;
    assert_eq!(
        (edits.json()["data"][0]["node_id"].clone(), edits.json()["data"][1]["previous"].clone()),
        (json!("where"), json!("Ada"))
    );
    let text = async || body_of(&app.get("/v1/documents/policy/text").bearer(&writer).expect(200).await);
    let before = text().await;
    let difference = app.get(&format!("{path}/difference")).bearer(&writer).expect(200).await;
    assert!(difference.text("text").contains("\n+Bern Jo\n"), "{}", difference.text("text"));
    let submit = app.post(&format!("{path}/submit")).bearer(&writer).json(summary()).expect(200).await;
    assert_eq!(submit.json()["material"], true, "its words changed");
    assert_eq!(text().await, before, "nothing that is published changes before the approval");
    let approval = json!({"sha256": submit.json()["sha256"]});
    app.post(&format!("{path}/approve")).bearer(&approver).json(approval).expect(200).await;
    assert!(text().await.ends_with("\nBern Jo\n"), "{}", text().await);
    let document = app.get("/v1/documents/policy").bearer(&writer).expect(200).await;
    let items =
        document.json()["items"].as_array().unwrap().iter().map(|it| (it["id"].clone(), it["value"].clone()));
    assert_eq!(items.collect::<Vec<_>>(), [(json!("where"), json!("Bern")), (json!("contact"), json!("Jo"))]);
    super::bulk::assert_sound(&app).await;
}

#[testkit::both_engines]
async fn a_reference_is_unique_when_it_is_proposed_and_when_it_is_published(app: TestApp) {
    let writer = filled_in(&app).await;
    let approver = app.person("Ben", Role::Admin).await;
    let other = |slug: &str, reference: &str| json!({"slug": slug, "title": "Other", "template": "Text.", "reference": reference});
    app.post("/v1/documents").bearer(&writer).json(other("one", "ISMS-1")).expect(201).await;
    assert_eq!(patch(&app, &writer, json!({"reference": "ISMS-1"}), 409).await["code"], "reference_taken");
    patch(&app, &writer, json!({"reference": "ISMS-2"}), 200).await;
    let submitted = step(&app, &writer, "submit", summary(), 200).await;
    app.post("/v1/documents").bearer(&writer).json(other("two", "ISMS-2")).expect(201).await;
    let approval = json!({"sha256": submitted["sha256"]});
    assert_eq!(step(&app, &approver, "approve", approval, 409).await["code"], "reference_taken");
    let open = patch(&app, &writer, json!({"reference": null}), 200).await;
    assert_eq!((&open["status"], &open["changes"]), (&json!("open"), &json!({})));
}

#[testkit::both_engines]
async fn a_rejected_proposal_is_opened_again_with_its_authors(app: TestApp) {
    let writer = filled_in(&app).await;
    let (other, approver) = (app.person("Eve", Role::Owner).await, app.person("Ben", Role::Admin).await);
    patch(&app, &other, json!({"template": PATCHED}), 200).await;
    write(&app, &other, "remark", "Soon.").await;
    step(&app, &writer, "submit", summary(), 200).await;
    let proposals = "/v1/documents/policy/proposals";
    let open = async |from: i64, status| {
        let post = app.post(proposals).bearer(&writer).json(json!({"from": from}));
        post.expect(status).await.json().clone()
    };
    assert_eq!(open(1, 409).await["code"], "proposal_open");
    let rejected = step(&app, &approver, "reject", json!({"reason": "No."}), 200).await;
    open(9, 404).await;
    let copy = open(1, 201).await;
    assert_eq!((&copy["changes"], &copy["status"]), (&rejected["changes"], &json!("open")));
    let authors = |it: &Value| {
        it["change_sets"]
            .as_array()
            .unwrap()
            .iter()
            .map(|set| (set["author"]["name"].clone(), set["edits_count"].clone(), set["fields"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(authors(&copy), authors(&rejected));
    assert_eq!(
        publish(&app, &writer, &approver, 2).await,
        rejected["sha256"].as_str().unwrap(),
        "the same text"
    );
    assert_eq!(open(2, 409).await["code"], "not_next", "an approved one is published");
    super::bulk::assert_sound(&app).await;
}
