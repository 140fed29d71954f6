//! Arbitrary requests: the token endpoint answers each of them with one of its own errors.

use proptest::collection::{hash_map, vec};
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::strategy::{BoxedStrategy, ValueTree as _};
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use super::*;

const CASES: usize = 400;

/// Values close to valid ones are more likely than noise.
fn value(good: Vec<String>) -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => proptest::sample::select(good).prop_map(Value::from),
        1 => any::<String>().prop_map(Value::from),
        1 => Just(json!(null)),
        1 => any::<f64>().prop_map(|number| json!(number)),
        1 => vec(any::<bool>(), 0..3).prop_map(|values| json!(values)),
    ]
}

fn bodies(good: Vec<String>) -> BoxedStrategy<(&'static str, Vec<u8>)> {
    const NAMES: &[&str] = &[
        "grant_type",
        "client_id",
        "client_secret",
        "refresh_token",
        "scope",
        "resource",
        "token",
        "token_type_hint",
        "other",
    ];
    let name = proptest::sample::select(NAMES);
    let json = hash_map(name.clone(), value(good.clone()), 0..6)
        .prop_map(|members| ("application/json", serde_json::to_vec(&members).unwrap()));
    let form = vec((name, proptest::sample::select(good)), 0..6).prop_map(|fields| {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        ("application/x-www-form-urlencoded", body.into_bytes())
    });
    let media =
        proptest::sample::select(&["application/json", "application/x-www-form-urlencoded", "a/b"][..]);
    let noise = (media, vec(any::<u8>(), 0..200));
    prop_oneof![3 => json, 2 => form, 1 => noise].boxed()
}

#[testkit::both_engines]
async fn no_request_gets_a_500(app: TestApp) {
    let client = app.client().await;
    let (access, refresh) = pair(&app, &client).await;
    let good: Vec<String> = ["client_credentials", "refresh_token", "incidents:read", "\0", "a\0b", ""]
        .into_iter()
        .map(str::to_owned)
        .chain([client.id, client.secret, access, refresh])
        .collect();
    let bodies = bodies(good);
    let mut runner = TestRunner::new(Config::default());
    for _ in 0..CASES {
        let (media, body) = bodies.new_tree(&mut runner).unwrap().current();
        let shown = String::from_utf8_lossy(&body).into_owned();
        for path in ["/v1/oauth/token", "/v1/oauth/revoke", "/v1/oauth/introspect"] {
            let answer = app.post(path).body(media, body.clone()).await;
            let status = answer.status;
            assert!([200, 400, 401, 415].contains(&status), "{status} of {path} for {media} {shown}");
            if status != 200 {
                outcome(&answer);
            }
        }
    }
}

#[testkit::both_engines]
async fn no_authorization_header_gets_a_500(app: TestApp) {
    let mut runner = TestRunner::new(Config::default());
    let headers = prop_oneof![
        "[ -~]{0,40}",
        "Bearer [ -~]{0,80}",
        "Bearer [A-Za-z0-9_-]{0,20}\\.[A-Za-z0-9_-]{0,20}\\.[A-Za-z0-9_-]{0,20}",
        vec(any::<u8>(), 0..30)
            .prop_map(|bytes| { format!("Basic {}", base64::prelude::BASE64_STANDARD.encode(bytes)) }),
    ];
    let path = format!("/v1/organizations/{}", app.organization);
    for _ in 0..CASES {
        let header = headers.new_tree(&mut runner).unwrap().current();
        let answer = app.get(&path).header("authorization", &header).await;
        assert_eq!(answer.status, 401, "{header}");
        let grant = json!({"grant_type": "client_credentials"});
        let answer = app.post("/v1/oauth/token").header("authorization", &header).json(grant).await;
        assert!([400, 401].contains(&answer.status), "{} for {header}", answer.status);
    }
}
