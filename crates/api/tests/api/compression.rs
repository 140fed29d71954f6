//! Large responses are compressed if the client accepts it; small ones and secrets never are.

use std::io::Read;

use serde_json::json;
use testkit::{Answer, TestApp, TestClient};

fn decoded(answer: &Answer) -> Vec<u8> {
    let (bytes, mut text) = (&answer.bytes[..], Vec::new());
    match answer.header("content-encoding") {
        None => text.extend_from_slice(bytes),
        Some("gzip") => drop(flate2::read::GzDecoder::new(bytes).read_to_end(&mut text).unwrap()),
        Some("br") => drop(brotli::Decompressor::new(bytes, 4_096).read_to_end(&mut text).unwrap()),
        Some("zstd") => text = zstd::decode_all(bytes).unwrap(),
        Some(other) => panic!("{other}"),
    }
    text
}

/// A list of well over 1 KiB.
async fn long_list(app: &TestApp) -> (TestClient, &'static str) {
    let client = app.client().await;
    for number in 0..20 {
        let body =
            json!({"title": format!("Incident {number}"), "description": "the same again ".repeat(20)});
        app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
    }
    (client, "/v1/incidents")
}

#[testkit::both_engines]
async fn each_encoding_carries_the_same_answer(app: TestApp) {
    let (client, path) = long_list(&app).await;
    let plain = app.get(path).bearer(&client).expect(200).await;
    assert_eq!(plain.header("content-encoding"), None);
    for (sent, encoding) in [
        ("gzip", Some("gzip")),
        ("br", Some("br")),
        ("zstd", Some("zstd")),
        ("gzip;q=0.5, br;q=0.9, identity;q=0.1", Some("br")),
        ("gzip;q=0, *;q=0", None),
        ("identity", None),
        ("identity;q=0", None),
        ("compress, x-unknown", None),
        ("", None),
    ] {
        // The body is not JSON until it is decoded.
        let request = app.get(path).bearer(&client).header("accept-encoding", sent).unchecked();
        let answer = request.expect(200).await;
        assert_eq!(answer.header("content-encoding"), encoding, "{sent}");
        assert!(decoded(&answer) == plain.bytes, "{sent}");
        assert_eq!(answer.header("content-length"), Some(answer.bytes.len().to_string().as_str()), "{sent}");
        assert!(answer.header("vary").unwrap().contains("Accept-Encoding"), "{sent}");
        if encoding.is_some() {
            assert!(answer.bytes.len() * 4 < plain.bytes.len(), "{sent}: {}", answer.bytes.len());
        }
    }
    let browser = "gzip, deflate, br, zstd";
    let answer = app.get("/openapi.json").header("accept-encoding", browser).unchecked().expect(200).await;
    assert!(answer.header("content-encoding").is_some());
    assert_eq!(decoded(&answer), api::openapi_text(&api::document()).into_bytes());
}

#[testkit::both_engines]
async fn a_small_answer_is_left_as_it_is(app: TestApp) {
    let client = app.client().await;
    for path in ["/v1/tags", "/v1/journal/head", "/healthz"] {
        let answer =
            app.get(path).bearer(&client).header("accept-encoding", "gzip, br, zstd").expect(200).await;
        assert_eq!(answer.header("content-encoding"), None, "{path}");
    }
}

#[testkit::both_engines]
async fn a_long_refusal_is_compressed_too(app: TestApp) {
    let client = app.client().await;
    let ids = json!({"ids": vec!["x"; 100]});
    let request = || app.post("/v1/incidents/bulk-delete").bearer(&client).json(ids.clone());
    let answer = request().header("accept-encoding", "zstd").unchecked().expect(422).await;
    assert_eq!(answer.header("content-encoding"), Some("zstd"));
    let problem: serde_json::Value = serde_json::from_slice(&decoded(&answer)).unwrap();
    assert_eq!(problem["errors"].as_array().unwrap().len(), 100);
}

#[testkit::both_engines]
async fn a_token_is_never_compressed(app: TestApp) {
    let client = app.client().await;
    let body =
        json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret});
    let request = app.post("/v1/oauth/token").header("accept-encoding", "gzip, br, zstd").json(body);
    let answer = request.expect(200).await;
    assert!(answer.bytes.len() > 1_024, "it would be long enough");
    assert_eq!(answer.header("content-encoding"), None);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[testkit::both_engines]
async fn a_304_repeats_the_tag_of_any_line_of_the_condition(app: TestApp) {
    let (client, path) = long_list(&app).await;
    let request = app.get(path).bearer(&client).header("accept-encoding", "gzip").unchecked();
    let weak = request.expect(200).await.header("etag").unwrap().to_owned();
    assert!(weak.starts_with("W/"), "{weak}");
    for other in ["\"x\"", "\"ü\""] {
        let request = app.get(path).bearer(&client).header("accept-encoding", "gzip");
        let request = request.header("if-none-match", other).header("if-none-match", &weak);
        assert_eq!(request.expect(304).await.header("etag"), Some(weak.as_str()), "{other}");
    }
}
