//! The rate limit: its headers, and the requests that are not counted.

use serde_json::json;
use testkit::{Answer, TestApp, TestClient, TestDb};

async fn limited(db: TestDb, rate_limit_per_minute: u32) -> TestApp {
    let http = http::Settings { rate_limit_per_minute, ..http::Settings::default() };
    TestApp::start_with(db, http, auth::Settings::new("http://bailiwick.test")).await
}

/// The remaining requests, from `"default";r=2;t=20`, and the seconds until the quota is full.
fn left(answer: &Answer) -> (u64, u64) {
    let text = answer.header("ratelimit").unwrap_or_else(|| panic!("{:?}", answer.headers));
    let rest = text.strip_prefix("\"default\";r=").unwrap();
    let (left, seconds) = rest.split_once(";t=").unwrap();
    (left.parse().unwrap(), seconds.parse().unwrap())
}

async fn get(app: &TestApp, client: &TestClient, path: &str, status: u16) -> Answer {
    app.get(path).bearer(client).expect(status).await
}

#[testkit::both_engines]
async fn a_known_caller_gets_the_remaining_quota(db: TestDb) {
    let app = limited(db, 5).await;
    let client = app.client_with_scopes("tags:read").await;
    let answer = get(&app, &client, "/v1/tags", 200).await;
    assert_eq!(answer.header("ratelimit-policy"), Some("\"default\";q=5;w=60"));
    assert_eq!(left(&answer).0, 4);
    // A refusal counts as well, and has the headers.
    for (path, status, rest) in
        [("/v1/risks", 403, 3), ("/v1/tags/x", 404, 2), ("/v1/tags?x=1", 400, 1), ("/v1/tags", 200, 0)]
    {
        assert_eq!(left(&get(&app, &client, path, status).await).0, rest, "{path}");
    }
    let answer = get(&app, &client, "/v1/tags", 429).await;
    assert_eq!(answer.text("code"), "rate_limited");
    assert_eq!(answer.json()["violated-policies"], json!(["default"]));
    let (rest, seconds) = left(&answer);
    let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    // There is quota for one request after 12 seconds; clients are told a little more, so that they do not all come at once.
    assert_eq!((rest, seconds), (0, 60));
    assert!((12..=16).contains(&wait), "{wait}");
    app.db.clock.advance_seconds(12);
    assert_eq!(left(&get(&app, &client, "/v1/tags", 200).await), (0, 60));
    // An unknown caller gets no headers.
    for answer in [app.get("/v1/tags").expect(401).await, app.get("/v1/tags").bearer("x").expect(401).await] {
        assert_eq!((answer.header("ratelimit"), answer.header("ratelimit-policy")), (None, None));
    }
    let other = app.client_with_scopes("tags:read").await;
    assert_eq!(left(&get(&app, &other, "/v1/tags", 200).await).0, 4);
}

#[testkit::both_engines]
async fn a_replay_and_an_unchanged_record_are_free(db: TestDb) {
    let app = limited(db, 3).await;
    let client = app.client().await;
    let post =
        || app.post("/v1/tags").bearer(&client).idempotency_key("k").json(json!({"name": "a"})).expect(201);
    let first = post().await;
    assert_eq!(left(&first).0, 2);
    for _ in 0..3 {
        let again = post().await;
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        assert_eq!(left(&again).0, 2);
    }
    let path = format!("/v1/tags/{}", first.text("id"));
    let read = get(&app, &client, &path, 200).await;
    assert_eq!(left(&read).0, 1);
    if let Some(tag) = read.header("etag") {
        for _ in 0..3 {
            let again = app.get(&path).bearer(&client).header("if-none-match", tag).expect(304).await;
            assert_eq!(left(&again).0, 1);
        }
    }
}

#[testkit::both_engines]
async fn a_bulk_call_counts_the_rows_it_changed_and_may_use_more_than_is_left(db: TestDb) {
    // The quota regains a request every 10 seconds.
    let app = limited(db, 6).await;
    for _ in 0..4 {
        let reporter = app.client().await;
        for _ in 0..5 {
            app.post("/v1/incidents").bearer(&reporter).expect(201).await;
        }
    }
    let client = app.client().await;
    let delete = |ids: Vec<u32>, key: &'static str| {
        app.delete("/v1/incidents").bearer(&client).idempotency_key(key).json(json!({"ids": ids})).expect(200)
    };
    // A request that changes nothing still counts.
    assert_eq!(left(&delete(vec![999], "nothing").await).0, 5);
    assert_eq!(left(&delete((1..=4).collect(), "four").await).0, 1);
    // A replayed response is free.
    assert_eq!(left(&delete((1..=4).collect(), "four").await).0, 1);
    let (rest, seconds) = left(&delete((5..=20).collect(), "sixteen").await);
    assert_eq!((rest, seconds), (0, 210));
    let answer = get(&app, &client, "/v1/tags", 429).await;
    assert!(answer.header("retry-after").unwrap().parse::<u64>().unwrap() > 90);
}

#[testkit::both_engines]
async fn an_undo_counts_the_records_that_it_changes(db: TestDb) {
    // No more than it needs: the fewer, the longer it takes to regain one.
    let app = limited(db, 14).await;
    let client = app.client().await;
    for _ in 0..4 {
        app.post("/v1/incidents").bearer(&client).expect(201).await;
    }
    let ids = json!({"ids": [1, 2, 3, 4]});
    let deleted = app.delete("/v1/incidents").bearer(&client).json(ids).expect(200).await;
    let body = json!({"request_id": deleted.header("x-request-id").unwrap()});
    let undo = || app.post("/v1/undo").bearer(&client).json(body.clone());
    let before = left(&deleted).0;
    assert_eq!(left(&undo().expect(200).await).0, before - 4);
    assert_eq!(left(&undo().expect(200).await).0, before - 5, "a request that changes nothing is one");
}

#[testkit::both_engines]
async fn without_a_limit_there_are_no_rate_limit_headers(app: TestApp) {
    let client = app.client().await;
    let answer = get(&app, &client, "/v1/tags", 200).await;
    assert_eq!((answer.header("ratelimit"), answer.header("ratelimit-policy")), (None, None));
}

#[testkit::both_engines]
async fn a_client_that_signs_in_too_often_waits_and_keeps_its_token(db: TestDb) {
    let app = limited(db, 3).await;
    let client = app.client().await;
    let body =
        json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret});
    let sign_in = || app.post("/v1/oauth/token").json(body.clone());
    for rest in [1, 0] {
        let answer = sign_in().expect(200).await;
        assert_eq!(answer.header("ratelimit-policy"), Some("\"sign-in\";q=3;w=60"));
        assert!(answer.header("ratelimit").unwrap().starts_with(&format!("\"sign-in\";r={rest};t=")));
    }
    let answer = sign_in().expect(429).await;
    assert_eq!((answer.text("error"), answer.text("code")), ("slow_down", "rate_limited"));
    assert!(answer.header("retry-after").is_some());
    get(&app, &client, "/v1/tags", 200).await;
    // Other clients come from other networks; an IPv6 host has a /64 of addresses.
    sign_in().from("192.0.2.1").expect(200).await;
    for address in ["2001:db8::1", "2001:db8::2", "2001:db8::ffff:3"] {
        sign_in().from(address).expect(200).await;
    }
    sign_in().from("2001:db8::4").expect(429).await;
    sign_in().from("2001:db8:0:1::1").expect(200).await;
}
