//! What holds for every page, found by following the links from home.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, TestDb, both_engines};

use crate::browser::Browser;
use crate::html::SentForm;

/// Text that would do something if a page did not escape it, and that reads from right to left.
const HOSTILE: &str = "مرحبا <script>alert(1)</script> \"'><img src=x onerror=alert(2)> {{7*7}} \u{202e}=1+1";

/// One record of each kind, each with hostile text.
async fn fill(app: &TestApp) {
    let admin = app.person("Ada", Role::Admin).await;
    let hostile = HOSTILE.replace('\u{202e}', "");
    let make = async |address: &str, body: serde_json::Value| {
        app.post(address).bearer(&admin.token).json(body).expect(201).await.json().clone()
    };
    make("/v1/incidents", json!({"title": "حريق & <b>bold</b>", "description": hostile, "source": "بلاغ"}))
        .await;
    make("/v1/incidents/1/notes", json!({"kind": "comment", "text": hostile})).await;
    make("/v1/incidents/1/notes", json!({"kind": "decision", "text": hostile})).await;
    make("/v1/incidents/1/tasks", json!({"title": "<i>مهمة</i>"})).await;
    let tag = make("/v1/tags", json!({"name": "A <b>وسم</b>", "description": hostile})).await;
    make("/v1/tags", json!({"name": "Another"})).await;
    make("/v1/incidents/1/tags", json!({"tag_id": tag["id"]})).await;
    let review = json!({"summary": hostile, "actions": [{"title": "<i>مهمة</i>"}]});
    app.patch("/v1/incidents/1/review").bearer(&admin.token).json(review).expect(200).await;
    let hold = json!({"hold": {"reason": "<i>انتظر</i>"}, "assigned_to": admin.id});
    app.patch("/v1/incidents/1").bearer(&admin.token).json(hold).expect(200).await;
    let name = json!({"name": "آدا"});
    app.patch(&format!("/v1/users/{}", admin.id)).bearer(&admin.token).json(name).expect(200).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    let risk = json!({"title": hostile, "description": hostile, "inherent": rating, "target": rating});
    make("/v1/risks", risk).await;
    make("/v1/risks/RSK-1/evaluations", json!({"likelihood": 2, "impact": 3, "note": hostile})).await;
    make("/v1/risks/RSK-1/acceptances", json!({"reason": hostile, "evaluation": 1})).await;
    make("/v1/risks/RSK-1/tasks", json!({"title": "<i>مهمة</i>", "notes": hostile})).await;
    let link = json!({"to": {"type": "risk", "id": "RSK-1"}, "kind": "threatens"});
    make("/v1/incidents/1/links", link).await;
    let url =
        json!({"to": {"type": "url", "url": "https://t.example/1", "title": hostile}, "kind": "ticket"});
    make("/v1/incidents/1/links", url).await;
    let option = json!({"id": "a", "label": hostile, "text": hostile, "weakens": true});
    let items = json!([
        {"id": "x", "kind": "select", "label": hostile, "options": [option]},
        {"id": "y", "kind": "text", "label": "Text", "guidance": hostile},
    ]);
    make(
        "/v1/documents",
        json!({"slug": "policy", "title": hostile, "description": hostile, "items": items}),
    )
    .await;
    let edits = json!([{"node_id": "y", "node_type": "text", "value": hostile}]);
    app.patch("/v1/documents/policy").bearer(&admin.token).json(edits).expect(200).await;
    let group = make("/v1/groups", json!({"name": "<b>فريق</b>", "description": hostile})).await;
    let put = format!("/v1/groups/{}/members/{}", group["id"].as_str().unwrap(), admin.id);
    app.put(&put).bearer(&admin.token).expect(204).await;
    make("/v1/clients", json!({"name": hostile, "scopes": "incidents:read"})).await;
    make("/v1/invitations", json!({"name": hostile, "email": "x@example.org", "role": "viewer"})).await;
    let filter = json!({"category": hostile});
    make("/v1/views", json!({"list": "risks", "name": "<b>عرض</b>", "filter": filter, "shared": true})).await;
    let deleted = json!({"title": "حذف <b>", "description": ""});
    make("/v1/incidents", deleted).await;
    app.post("/v1/incidents/bulk-delete")
        .bearer(&admin.token)
        .json(json!({"ids": ["INC-0002"]}))
        .expect(200)
        .await;
}

/// So many queries of one path are followed: the combinations of filters, sorts and groups are too many.
const QUERIES: usize = 25;

/// Every page that links lead to from home, each with its forms.
async fn crawl(browser: &mut Browser, role: Role) -> BTreeMap<String, Vec<SentForm>> {
    let mut seen = BTreeSet::from(["/o/acme".to_owned()]);
    let mut left = VecDeque::from(["/o/acme".to_owned()]);
    let (mut pages, mut queries) = (BTreeMap::new(), BTreeMap::<String, usize>::new());
    while let Some(address) = left.pop_front() {
        let shown = browser.get(&address).await;
        assert_eq!(shown.status, StatusCode::OK, "{role:?}: {address}: {}", shown.page.text());
        assert!(shown.page.all("main script, main img").is_empty(), "{address}");
        for link in shown.page.links().into_iter().chain(shown.page.questions(&address)) {
            let link = match link.split('#').next().unwrap_or_default() {
                "" => continue,
                query if query.starts_with('?') => {
                    format!("{}{query}", address.split('?').next().unwrap())
                }
                // An address of another system, and the API's own documentation, which has other rules.
                path if !path.starts_with('/') || path.starts_with("/docs") => continue,
                path => path.to_owned(),
            };
            let path = link.split('?').next().unwrap_or_default();
            let followed = queries.entry(path.to_owned()).or_default();
            if *followed < QUERIES && seen.insert(link.clone()) {
                *followed += 1;
                left.push_back(link);
            }
        }
        pages.insert(address.clone(), shown.page.forms(&address));
    }
    pages
}

/// What holds for a role, as one test for each role and engine, which run side by side.
macro_rules! under_every_role {
    ($($name:ident: $role:ident,)+) => {
        mod every_link_leads_somewhere_and_every_form_is_answered {
            use super::*;

            $(
                #[both_engines]
                async fn $name(app: TestApp) {
                    under_a_role(app, Role::$role).await;
                }
            )+

            #[test]
            fn under_every_role() {
                assert_eq!([$(Role::$role),+], Role::ALL);
            }
        }
    };
}

under_every_role! {
    viewer: Viewer,
    responder: Responder,
    owner: Owner,
    approver: Approver,
    auditor: Auditor,
    staff: Staff,
    admin: Admin,
}

async fn under_a_role(app: TestApp, role: Role) {
    fill(&app).await;
    let person = app.person(&format!("Person {}", role.as_str()), role).await;
    let mut browser = Browser::of(&app, &person).await;
    let pages = crawl(&mut browser, role).await;
    let sees_risk = pages.contains_key("/o/acme/risks");
    assert_eq!(sees_risk, role.scopes().has(domain::Scope::RisksRead), "{role:?}");
    let least = if role == Role::Staff { 6 } else { 20 };
    assert!(pages.len() >= least, "{role:?} sees {:?}", pages.keys());
    let mut forms: Vec<SentForm> = pages.into_values().flatten().collect();
    // A form may stand on several pages.
    let mut known = BTreeSet::new();
    forms.retain(|form| {
        let is_its_own = |name: &str| !["once", "query", "version", "seen"].contains(&name);
        let fields: Vec<_> = form.fields.iter().filter(|(name, _)| is_its_own(name)).cloned().collect();
        known.insert((form.action.clone(), fields))
    });
    // What takes something away comes last, and nobody signs themselves out, or out of the organization.
    let own = format!("/people/{}", person.id);
    forms.retain(|form| !form.action.ends_with("/sign-out") && !form.action.contains(&own));
    let takes_away = |form: &SentForm| {
        let ends = ["/delete", "/remove", "/undo", "/organization"];
        ends.iter().any(|end| form.action.ends_with(end)) || form.action.contains("/secrets/")
    };
    forms.sort_by_key(takes_away);
    for form in &forms {
        for text in [None, Some(HOSTILE), Some(&HOSTILE.replace('\u{202e}', ""))] {
            send(&mut browser, form, text, role).await;
        }
    }
    let only_declares = [Role::Viewer, Role::Approver, Role::Auditor, Role::Staff].contains(&role);
    // Their own password and job title, what their device shows and their views are everybody's to change, and everybody declares.
    // So are comments on a proposal, and that they have read it.
    let everyones = |form: &&SentForm| {
        let ends = ["/comments", "/seen", "/resolve"];
        form.action.contains("/views/") || ends.iter().any(|end| form.action.ends_with(end))
    };
    let others = forms.iter().filter(|form| !everyones(form)).count();
    // Who approves also names a deputy.
    let own = 5 + usize::from(role == Role::Approver);
    assert_eq!(others == own, only_declares, "{role:?} is offered {others} forms");
    crawl(&mut browser, role).await;
}

/// Sends a form with this text in each field that people type into: it is done or refused, and never forbidden or lost.
async fn send(browser: &mut Browser, form: &SentForm, text: Option<&str>, role: Role) {
    let mut fields = form.fields.clone();
    for (name, value) in &mut fields {
        match text {
            Some(text) if form.typed.contains(name) => text.clone_into(value),
            // Each of them is another form.
            _ if name == "once" => {
                value.push_str(text.map_or("", |text| if text == HOSTILE { "-1" } else { "-2" }));
            }
            _ => {}
        }
    }
    let shown = match fields.iter().find(|(name, _)| name == "file") {
        Some((_, name)) => browser.upload(&form.action, name, text.unwrap_or_default().as_bytes()).await,
        None => browser.post(&form.action, &fields).await,
    };
    let is_gone = shown.status == StatusCode::NOT_FOUND && text.is_some();
    assert!(
        [StatusCode::OK, StatusCode::UNPROCESSABLE_ENTITY].contains(&shown.status) || is_gone,
        "{role:?}: {} {fields:?}: {} {}",
        form.action,
        shown.status,
        shown.page.text()
    );
}

#[both_engines]
async fn every_address_is_under_the_path_of_the_public_url(db: TestDb) {
    let app = TestApp::start_at(db, "http://bailiwick.test/risk/register").await;
    under_a_role(app, Role::Admin).await;
}

#[both_engines]
async fn who_signs_in_under_a_path_comes_back_to_where_they_were_going(db: TestDb) {
    let app = TestApp::start_at(db, "http://bailiwick.test/register").await;
    fill(&app).await;
    let person = app.person("Vera", Role::Admin).await;
    let mut browser = Browser::new(&app);
    let asked = browser.get("/o/acme/risks?status=closed").await;
    assert_eq!(asked.address, "/sign-in?to=%2Fo%2Facme%2Frisks%3Fstatus%3Dclosed");
    let fields = [("email", person.email.as_str()), ("password", person.password.as_str())];
    let shown = browser.submit(&asked.page, "/sign-in", &fields).await;
    assert_eq!((shown.status, shown.address.as_str()), (StatusCode::OK, "/o/acme/risks?status=closed"));
    assert!(browser.cookie("bailiwick.register").is_some(), "a name of its own on this host");
    // What was typed while the session ended is sent after signing in again.
    let page = browser.get("/o/acme/incidents/INC-0001/edit").await.page;
    app.db.clock.advance_days(40);
    let edit = "/o/acme/incidents/INC-0001/edit";
    let kept = browser.submit(&page, edit, &[("title", "Kept")]).await;
    let again = browser.submit(&kept.page, "/sign-in", &fields).await;
    let done = browser.submit(&again.page, edit, &[]).await;
    assert_eq!((done.status, done.address.as_str()), (StatusCode::OK, "/o/acme/incidents/INC-0001"));
    assert!(done.page.text_of("h1").contains("Kept"), "{}", done.page.text());
    // A renamed organization, an address that is not there, and the way out.
    let body = json!({"slug": "renamed"});
    let organization = format!("/v1/organizations/{}", app.organization);
    app.patch(&organization).bearer(&app.client().await).json(body).expect(200).await;
    assert_eq!(browser.get("/o/acme/tags").await.address, "/o/renamed/tags");
    assert_eq!(browser.get("/o/renamed/nothing").await.status, StatusCode::NOT_FOUND);
    let out = browser.submit(&done.page, "/sign-out", &[]).await;
    assert_eq!(out.address, "/sign-in");
    assert!(browser.cookie("bailiwick.register").is_none());
}

#[both_engines]
async fn what_a_role_may_not_do_is_neither_offered_nor_done(app: TestApp) {
    let admin = app.person("Ada", Role::Admin).await;
    app.post("/v1/incidents")
        .bearer(&admin.token)
        .json(json!({"title": "A", "description": ""}))
        .expect(201)
        .await;
    let viewer = app.person("Vera", Role::Viewer).await;
    let mut browser = Browser::of(&app, &viewer).await;
    let page = browser.get("/o/acme/incidents/INC-0001").await.page;
    assert_eq!(page.all("main form").len(), 0);
    let offered = page.texts("main a, main button, .side a").join(" ");
    assert!(offered.contains("Declare") && !offered.contains("Edit"), "{offered}");
    for address in ["INC-0001/status", "INC-0001/notes", "INC-0001/tasks", "delete", "INC-0001/edit"] {
        let fields = [("to", "investigating"), ("kind", "comment"), ("text", "x")];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let shown = browser.post(&format!("/o/acme/incidents/{address}"), &fields).await;
        assert_eq!(shown.status, StatusCode::FORBIDDEN, "{address}");
    }
    let read = app.get("/v1/incidents/1").bearer(&admin.token).expect(200).await;
    assert_eq!(read.json()["version"], 1);
}

#[both_engines]
async fn a_restricted_incident_is_not_found(app: TestApp) {
    let admin = app.person("Ada", Role::Admin).await;
    app.post("/v1/incidents")
        .bearer(&admin.token)
        .json(json!({"title": "Secret", "description": ""}))
        .expect(201)
        .await;
    app.patch("/v1/incidents/1").bearer(&admin.token).json(json!({"restricted": true})).expect(200).await;
    let viewer = app.person("Vera", Role::Viewer).await;
    let mut browser = Browser::of(&app, &viewer).await;
    assert_eq!(browser.get("/o/acme/incidents/INC-0001").await.status, StatusCode::NOT_FOUND);
    for address in ["/o/acme", "/o/acme/incidents", "/o/acme/incidents?category=open&category=closed"] {
        let text = browser.get(address).await.page.text();
        assert!(!text.contains("Secret") && !text.contains("INC-0001"), "{address}");
    }
}

#[both_engines]
async fn assets_are_compressed_and_never_change(app: TestApp) {
    use axum::http::Request;
    use tower::ServiceExt as _;
    let mut browser = Browser::new(&app);
    let page = browser.get("/sign-in").await.page;
    let style = page.all("link[rel='stylesheet']")[0].attr("href").unwrap().to_owned();
    let router = TestApp::routes().with_console(console::pages(app.app())).router(app.app().clone());
    let mut sizes = Vec::new();
    for coding in ["", "gzip", "br, gzip", "br;q=0, gzip"] {
        let request = Request::get(&style).header("host", "bailiwick.test").header("accept-encoding", coding);
        let response =
            router.clone().oneshot(request.body(axum::body::Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let headers = response.headers().clone();
        assert_eq!(headers["cache-control"], "public, max-age=31536000, immutable");
        let sent = headers.get("content-encoding").map(|value| value.to_str().unwrap().to_owned());
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        sizes.push((sent, bytes.len()));
    }
    let codings: Vec<_> = sizes.iter().map(|(coding, _)| coding.as_deref()).collect();
    assert_eq!(codings, [None, Some("gzip"), Some("br"), Some("gzip")]);
    assert!(sizes[0].1 <= 64 * 1024 && sizes[1].1 < sizes[0].1 / 3 && sizes[2].1 < sizes[1].1, "{sizes:?}");
    let elsewhere = style.replace("/assets/", "/assets/0");
    let request = Request::get(&elsewhere).header("host", "bailiwick.test");
    let response = router.oneshot(request.body(axum::body::Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
}

/// A list page of 50 rows, each with the longest title, has at most 100 KiB; no script is larger than 30 KiB.
#[both_engines]
async fn a_full_list_is_small(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let body = json!({"title": "w".repeat(200), "description": ""});
    for _ in 0..50 {
        app.post("/v1/incidents").bearer(&ada.token).json(body.clone()).expect(201).await;
    }
    let mut browser = Browser::of(&app, &ada).await;
    let shown = browser.get("/o/acme/incidents").await;
    assert_eq!(shown.page.all("tbody tr").len(), 50);
    assert!(shown.page.bytes <= 100 * 1024, "{} bytes", shown.page.bytes);
    let script = include_str!("../../assets/console.js");
    // What is pasted keeps its place while the server reads it, which 30 KiB had no room for.
    assert!(script.len() <= 31 * 1024, "{} bytes", script.len());
}
