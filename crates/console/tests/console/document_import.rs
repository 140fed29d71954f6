//! Documents come from files and from the library.

use std::pin::pin;

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;
use crate::documents::written;

#[both_engines]
async fn documents_come_from_a_file_and_from_the_library(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let new = "/o/acme/documents/new";
    let page = browser.get(new).await.page;
    let offered = page.all("input[name=library]").len();
    let file = |mfa: &str| {
        format!(
            "---\nslug: access-control\ntitle: Access control\nitems:\n  - id: mfa\n    kind: text\n    label: Who?\n    \
            default: Everyone\n---\n{{{{{mfa}}}}} signs in.\n"
        )
    };
    let refused = browser.submit(&page, new, &[("template", &file("mfb"))]).await.page;
    assert!(refused.text_of("#template-error").contains("there is no item mfb"), "{}", refused.text());
    let made = browser.submit(&page, new, &[("template", &file("mfa"))]).await.page;
    assert!(made.text_of(".sheet .md").contains("Everyone signs in."), "{}", made.text());
    let page = browser.get(new).await.page;
    assert_eq!(page.all("input[name=library]").len(), offered - 1, "what is there is not offered");
    let made = browser.submit(&page, new, &[("library", "acceptable-use")]).await.page;
    assert_eq!(made.text_of("h1"), "Acceptable use policy");
    let vera = app.person("Vera", Role::Viewer).await;
    assert_eq!(Browser::of(&app, &vera).await.get(new).await.status, StatusCode::FORBIDDEN);
}

#[both_engines]
async fn a_file_is_opened_in_the_form_of_a_new_document(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut ada = Browser::of(&app, &ada).await;
    let import = "/o/acme/documents/import";
    let page = ada
        .upload(import, "Clear desk.html", b"<h1>Clear desk</h1><p>Lock your <em>screen</em>.</p><img src=x>")
        .await
        .page;
    assert_eq!(page.all("#title")[0].attr("value"), Some("Clear desk"));
    assert!(page.text_of("#template").contains("Lock your *screen*."), "{}", page.text_of("#template"));
    assert!(page.text_of(".note").contains("Not kept from the file"), "{}", page.text());
    let made = ada.submit(&page, "/o/acme/documents/new", &[]).await.page;
    assert_eq!(made.text_of("h1"), "Clear desk");
    let page = ada.upload(import, "rule.md", b"# Rule\n\nLock it.\n").await.page;
    assert_eq!(page.all("#title")[0].attr("value"), Some("rule"));
    let page = ada.upload(import, "a.docx", b"no archive").await.page;
    assert!(page.text_of("[role=alert]").contains("is not a Word document"), "{}", page.text());
    assert!(ada.upload(import, "", b"").await.page.text_of("[role=alert]").contains("Choose a file"));
    let page = ada.upload(import, "policy.pdf", b"%PDF-1.7").await.page;
    assert!(page.text_of("[role=alert]").contains("only Word documents"), "{}", page.text());
    let vera = app.person("Vera", Role::Viewer).await;
    let refused = Browser::of(&app, &vera).await.upload(import, "a.md", b"A").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[both_engines]
async fn several_files_become_drafts_and_a_page_tells_what_became_of_each(app: TestApp) {
    let mut ada = written(&app).await;
    let word = include_bytes!("../../../render/tests/corpus/policy.docx");
    let desk: &[u8] = b"<h1>Clear desk</h1><p>Lock your screen.</p><img src=x>";
    let files: [(&str, &[u8]); 5] = [
        ("Zugang.docx", word),
        ("Clear desk.html", desk),
        ("The same.html", desk),
        ("Access control.md", b"# Rule\n\nLock it.\n"),
        ("scan.pdf", b"%PDF-1.7"),
    ];
    let import = "/o/acme/documents/import";
    let report = ada.upload_all(import, "k1", &files).await;
    assert_eq!(report.status, StatusCode::OK);
    let page = report.page;
    assert!(
        page.text_of(".head").contains("3 drafts created. 2 files were not imported."),
        "{}",
        page.text()
    );
    let sections: Vec<_> = page.texts("main section");
    assert_eq!(sections.len(), 5);
    assert!(sections[1].contains("Not kept from the file") && sections[1].contains("image"), "{sections:?}");
    assert!(
        sections[3].contains("Another document has the address access-control. Open this file alone"),
        "{sections:?}"
    );
    assert!(sections[4].contains("Cannot be read: only Word documents"), "{sections:?}");
    let made: Vec<_> = page.all("main section a").iter().filter_map(|it| it.attr("href")).collect();
    let path = "/o/acme/documents";
    let slugs = ["access-control-policy", "clear-desk", "clear-desk-2"];
    assert_eq!(made, slugs.map(|slug| format!("{path}/{slug}")));
    let draft = ada.get(&format!("{path}/clear-desk")).await.page;
    assert!(draft.text_of(".head").contains("Draft, never published"), "{}", draft.text());
    let again = ada.upload_all(import, "k1", &files).await.page;
    assert_eq!(again.texts("main section"), sections, "the form acts once");
    let other = ada.upload_all(import, "k2", &files).await.page;
    assert!(other.text_of(".head").contains("No draft created. 5 files"), "{}", other.text());
    let many: Vec<(&str, &[u8])> = vec![("a.txt", b"A"); 51];
    let refused = ada.upload_all(import, "k3", &many).await.page;
    assert!(refused.text_of("[role=alert]").contains("at most 50 files"), "{}", refused.text());
    assert_eq!(ada.get(path).await.page.all("tbody th a").len(), 4);
}

#[both_engines]
async fn the_faults_of_policy_files_have_their_places(app: TestApp) {
    let mut ada = written(&app).await;
    let policy = "---\nslug: a\ntitle: A\nitems:\n- {id: x, kind: text}\n- {id: y, kind: text}\n---\nText\n";
    let faults = ["At items/0/label: Label is required.", "At items/1/label: Label is required."];
    let import = "/o/acme/documents/import";
    let page = ada.upload_all(import, "k", &[("a.md", policy.as_bytes()), ("b.txt", b"B")]).await.page;
    let sections = page.texts("main section");
    assert!(faults.iter().all(|fault| sections[0].contains(fault)), "{sections:?}");
    // Of one file they are at the text.
    let page = ada.upload(import, "a.md", policy.as_bytes()).await.page;
    let again = ada.submit(&page, "/o/acme/documents/new", &[]).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(faults.iter().all(|fault| again.page.text().contains(fault)), "{}", again.page.text());
}

#[both_engines]
async fn files_are_read_one_request_after_the_other(app: TestApp) {
    let person = app.person("Ada", Role::Admin).await;
    let (mut ada, mut other) = (Browser::of(&app, &person).await, Browser::of(&app, &person).await);
    let (end, may_end) = std::sync::mpsc::channel::<()>();
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let state = app.app().clone();
    let reading = tokio::spawn(async move {
        let read = move || {
            begun.send(()).unwrap();
            may_end.recv().unwrap();
            Ok(())
        };
        state.convert(read).await.unwrap();
    });
    has_begun.await.unwrap();
    let import = json!({"uploads": [{"name": "b.txt", "content": "Qg=="}]});
    let mut import = pin!(async {
        app.post("/v1/documents/import").bearer(&person.token).json(import).expect(200).await;
    });
    let mut upload = pin!(ada.upload("/o/acme/documents/import", "a.txt", b"A"));
    let others = async {
        for _ in 0..5 {
            assert_eq!(other.get("/o/acme/documents/new").await.status, StatusCode::OK);
        }
    };
    tokio::select! {
        () = &mut import => panic!("the API does not wait"),
        _ = &mut upload => panic!("the console does not wait"),
        () = others => {}
    }
    end.send(()).unwrap();
    let ((), shown) = tokio::join!(import, upload);
    assert_eq!(shown.status, StatusCode::OK);
    reading.await.unwrap();
}

#[both_engines]
async fn the_address_that_files_are_sent_to_leads_to_the_form(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let import = "/o/acme/documents/import";
    assert_eq!(browser.get(import).await.address, "/o/acme/documents/new");
    // Also from the page for signing in, if the session has ended.
    app.db.clock.advance_days(40);
    let large = vec![b'x'; 2 << 20];
    let kept = browser.upload(import, "a.txt", &large).await;
    assert_eq!(kept.status, StatusCode::UNAUTHORIZED);
    assert!(kept.page.text_of("[role=alert]").contains("choose the files once more"), "{}", kept.page.text());
    let fields = [("email", ada.email.as_str()), ("password", ada.password.as_str())];
    let form = browser.submit(&kept.page, "/sign-in", &fields).await;
    assert_eq!((form.status, form.address.as_str()), (StatusCode::OK, "/o/acme/documents/new"));
}
