//! What holds for every page, found by following the links from home.

use std::collections::{BTreeSet, VecDeque};

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

/// Text that would do something if a page did not escape it.
const HOSTILE: &str = "<script>alert(1)</script> \"'><img src=x onerror=alert(2)> {{7*7}} \u{202e}=1+1";

#[both_engines]
async fn every_link_leads_somewhere_under_every_role(app: TestApp) {
    let admin = app.person("Ada", Role::Admin).await;
    let body = json!({"title": "Phishing & <b>bold</b>", "description": HOSTILE.replace('\u{202e}', "")});
    app.post("/v1/incidents").bearer(&admin.token).json(body).expect(201).await;
    let text = json!({"text": HOSTILE.replace('\u{202e}', "")});
    app.post("/v1/incidents/1/comments").bearer(&admin.token).json(text).expect(201).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    let title = HOSTILE.replace('\u{202e}', "");
    let risk = json!({"title": title, "description": title, "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&admin.token).json(risk).expect(201).await;
    let evaluation = json!({"likelihood": 2, "impact": 3, "note": title});
    app.post("/v1/risks/RSK-1/evaluations").bearer(&admin.token).json(evaluation).expect(201).await;
    for role in Role::ALL {
        let person = app.person(&format!("Person {}", role.as_str()), *role).await;
        let mut browser = Browser::of(&app, &person).await;
        let mut seen = BTreeSet::from(["/o/acme".to_owned()]);
        let mut left = VecDeque::from(["/o/acme".to_owned()]);
        while let Some(address) = left.pop_front() {
            let shown = browser.get(&address).await;
            assert_eq!(shown.status, StatusCode::OK, "{role:?}: {address}");
            assert!(shown.page.all("main script, main img").is_empty(), "{address}");
            for link in shown.page.links() {
                let link = match link.split('#').next().unwrap_or_default() {
                    "" => continue,
                    query if query.starts_with('?') => {
                        format!("{}{query}", address.split('?').next().unwrap())
                    }
                    path => path.to_owned(),
                };
                if seen.insert(link.clone()) {
                    left.push_back(link);
                }
            }
        }
        let sees_risk = seen.contains("/o/acme/risks/RSK-1");
        assert_eq!(sees_risk, role.scopes().has(domain::Scope::RisksRead), "{role:?}");
        let least = if *role == Role::Staff { 3 } else { 10 };
        assert!(seen.len() >= least, "{role:?} sees {seen:?}");
    }
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
    assert!(!offered.contains("Declare") && !offered.contains("Edit"), "{offered}");
    for address in ["new", "INC-0001/status", "INC-0001/notes", "INC-0001/tasks", "delete", "INC-0001/edit"] {
        let fields = [("to".to_owned(), "investigating".to_owned()), ("text".to_owned(), "x".to_owned())];
        let shown = browser.post(&format!("/o/acme/incidents/{address}"), &fields).await;
        assert_eq!(shown.status, StatusCode::FORBIDDEN, "{address}");
    }
    assert_eq!(browser.get("/o/acme/incidents/new").await.status, StatusCode::FORBIDDEN);
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
    let router = web::router(app.app().clone(), console::pages());
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
