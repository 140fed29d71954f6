//! The HTML pages for people.

use std::path::Path;

use testkit::TestApp;

/// `BLESS=1 cargo nextest run -p api the_committed_errors_page` rewrites the file.
#[test]
fn the_committed_errors_page_is_that_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    let text = api::docs::errors::text();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "docs/errors.md is stale: BLESS=1 cargo nextest run -p api the_committed_errors_page"
    );
}

/// `BLESS=1 cargo nextest run -p api the_committed_scopes_page` rewrites the file.
#[test]
fn the_committed_scopes_page_is_that_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scopes.md");
    let text = api::docs::scopes::text();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "docs/scopes.md is stale: BLESS=1 cargo nextest run -p api the_committed_scopes_page"
    );
    assert!(text.contains(
        "| `incidents:delete` | Delete and restore incidents, and see deleted ones. | `DELETE /v1/incidents`"
    ));
}

/// A browser is recognized by its `Accept`; a program gets a problem as JSON.
#[testkit::both_engines]
async fn a_browser_gets_a_page_for_an_error(app: TestApp) {
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (path, status, code) in [
        ("/nothing%3Cscript%3E", 404, "path_not_found"),
        ("/v1/incidents", 401, "unauthenticated"),
        ("/v1/me?x=1", 401, "unauthenticated"),
    ] {
        // The document describes the responses to programs only.
        let answer = app.get(path).header("accept", browser).unchecked().expect(status).await;
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert!(answer.header("vary").unwrap().contains("Accept"), "{path}");
        let page = String::from_utf8(answer.bytes.to_vec()).unwrap();
        assert!(
            page.contains(&format!("<a href=\"/docs/errors#{code}\">")) && !page.contains("<script"),
            "{page}"
        );
        assert!(page.contains(answer.header("x-request-id").unwrap()));
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
    }
    for accept in ["*/*", "application/json", "text/html, application/json;q=0.9"] {
        let answer = app.get("/v1/nothing").header("accept", accept).expect(404).await;
        assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{accept}");
    }
    // OAuth clients get the error format of OAuth.
    let answer = app.post("/v1/oauth/token").header("accept", browser).form(&[]).expect(400).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
}

/// Every anchor of docs/errors.md exists on the service's page, so every `type` is a valid link.
#[testkit::both_engines]
async fn the_type_of_every_problem_leads_to_its_explanation(app: TestApp) {
    let answer = app.get("/docs/errors").expect(200).await;
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    let page = String::from_utf8(answer.bytes.to_vec()).unwrap();
    let text = api::docs::errors::text();
    let anchors: Vec<&str> =
        text.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(anchors.contains(&"validation_failed") && anchors.contains(&"invalid_grant"));
    for anchor in anchors {
        assert!(page.contains(&format!(" id=\"{anchor}\"")), "{anchor}");
    }
    let problem = app.get("/v1/nothing").expect(404).await;
    assert!(page.contains(&format!("id=\"{}\"", problem.text("type").rsplit('#').next().unwrap())));
}

#[testkit::both_engines]
async fn the_pages_load_nothing_from_elsewhere(app: TestApp) {
    for path in ["/docs", "/docs/errors"] {
        let answer = app.get(path).expect(200).await;
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("http"), "{path}: {policy}");
        let page = String::from_utf8(answer.bytes.to_vec()).unwrap();
        for foreign in ["src=\"http", "href=\"http", "src=\"//", "url(http", "@import"] {
            assert!(!page.contains(foreign), "{path} has {foreign}");
        }
    }
}

/// The reference is self-contained: each file that the page names exists, and none is of another origin.
#[testkit::both_engines]
async fn the_reference_brings_its_parts_along(app: TestApp) {
    let answer = app.get("/docs").expect(200).await;
    let page = String::from_utf8(answer.bytes.to_vec()).unwrap();
    let names = page.split(['"', '\'']).filter(|text| text.starts_with("docs/assets/"));
    let names: Vec<&str> = names.collect();
    assert_eq!(names.len(), 4);
    for name in names {
        // Relative to `/docs`, wherever the service is.
        let asset = app.get(&format!("/{name}")).expect(200).await;
        let kind = if name.ends_with("css") { "text/css" } else { "text/javascript" };
        assert_eq!(asset.header("content-type"), Some(format!("{kind}; charset=utf-8").as_str()), "{name}");
        assert!(asset.bytes.len() > 100, "{name}");
    }
    app.get("/docs/assets/oauth2-redirect.html").expect(404).await;
    app.get("/docs/").expect(404).await;
}
