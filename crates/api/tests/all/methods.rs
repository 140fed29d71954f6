//! Every method on every path: those of the document, `HEAD`, `OPTIONS`, and all others.

use axum::http::Method;
use serde_json::Value;
use testkit::{Answer, TestApp};

use crate::all::operations;
use crate::all::world::World;

/// Path and path item of the document.
fn paths() -> impl Iterator<Item = (&'static String, &'static Value)> {
    operations::document()["paths"].as_object().unwrap().iter()
}

/// The expected value of `Allow`.
fn allowed(item: &Value) -> Vec<&'static str> {
    let mut names = Vec::new();
    for (member, name) in [
        ("get", "GET"),
        ("get", "HEAD"),
        ("post", "POST"),
        ("put", "PUT"),
        ("patch", "PATCH"),
        ("delete", "DELETE"),
    ] {
        if item.get(member).is_some() {
            names.push(name);
        }
    }
    names.push("OPTIONS");
    names
}

#[testkit::both_engines]
async fn options_names_the_documented_methods_without_a_token(app: TestApp) {
    for (template, item) in paths() {
        let answer = app.request(Method::OPTIONS, &template.replace(['{', '}'], "")).expect(204).await;
        assert_eq!(answer.header("allow"), Some(allowed(item).join(", ").as_str()), "{template}");
        assert!(answer.bytes.is_empty());
        let patch = item["patch"]["requestBody"]["content"].as_object();
        let types = patch.map(|content| content.keys().cloned().collect::<Vec<_>>().join(", "));
        assert_eq!(answer.header("accept-patch"), types.as_deref(), "{template}");
    }
    for path in ["/healthz", "/readyz", "/openapi.json", "/docs/errors"] {
        let answer = app.request(Method::OPTIONS, path).expect(204).await;
        assert_eq!(answer.header("allow"), Some("GET, HEAD, OPTIONS"), "{path}");
    }
    let answer = app.request(Method::OPTIONS, "/v1/nothing").expect(404).await;
    assert_eq!(answer.header("allow"), None);
}

#[testkit::both_engines]
async fn every_other_method_is_refused_with_the_allowed_ones(app: TestApp) {
    let client = app.client().await;
    for (template, item) in paths() {
        let (path, allowed) = (template.replace(['{', '}'], ""), allowed(item));
        for name in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "BREW"] {
            if allowed.contains(&name) {
                continue;
            }
            for token in [None, Some(&client)] {
                let request = app.request(name.parse().unwrap(), &path);
                let answer = match token {
                    Some(token) => request.bearer(token).expect(405).await,
                    None => request.expect(405).await,
                };
                assert_eq!(answer.header("allow"), Some(allowed.join(", ").as_str()), "{name} {template}");
                if name == "HEAD" {
                    continue;
                }
                assert_eq!(answer.text("code"), "method_not_allowed", "{name} {template}");
                let is_oauth = template.starts_with("/v1/oauth/");
                let media_type = if is_oauth { "application/json" } else { "application/problem+json" };
                assert_eq!(answer.header("content-type"), Some(media_type), "{name} {template}");
            }
        }
    }
}

/// The headers without those that differ between any two requests.
fn header(answer: &Answer) -> Vec<(String, String)> {
    let mut found: Vec<_> = answer
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .filter(|(name, _)| !["x-request-id", "date"].contains(&name.as_str()))
        .collect();
    found.sort();
    found
}

#[testkit::both_engines]
async fn head_says_what_get_says_without_a_body(app: TestApp) {
    let world = World::new(&app).await;
    for operation in operations::all().iter().filter(|it| it.is_read()) {
        let path = world.valid(operation).await.path;
        for encoding in ["identity", "gzip"] {
            let ask = |method| {
                app.request(method, &path)
                    .bearer(&world.client)
                    .header("accept-encoding", encoding)
                    .unchecked()
            };
            let (get, head) = (ask(Method::GET).await, ask(Method::HEAD).await);
            assert_eq!((head.status, header(&head)), (get.status, header(&get)), "{operation} {encoding}");
            let length = get.bytes.len().to_string();
            assert_eq!(head.header("content-length"), Some(length.as_str()), "{operation} {encoding}");
            assert!(head.bytes.is_empty() && !get.bytes.is_empty(), "{operation}");
            // Other responses: 401 without a token, and 304 if there is an entity tag.
            let refused = app.request(Method::HEAD, &path).unchecked().await;
            let refusal = app.get(&path).await;
            assert_eq!((refused.status, header(&refused)), (401, header(&refusal)), "{operation}");
            if let Some(tag) = get.header("etag") {
                let again = |method| ask(method).header("if-none-match", tag);
                let (get, head) = (again(Method::GET).await, again(Method::HEAD).await);
                assert_eq!((get.status, head.status, header(&head)), (304, 304, header(&get)), "{operation}");
                assert_eq!(
                    get.header("etag"),
                    Some(tag),
                    "{operation} {encoding}: the tag that the caller keeps"
                );
            }
        }
    }
}
