//! Tokens from a client's view: how they are requested, refreshed, verified and revoked. The tests are named after the
//! decisions they verify.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod access;
mod algorithms;
mod discovery;
mod forged;
mod fuzz;
mod introspect;
mod keys;
mod model_servers;
mod refresh;
mod refusals;
mod request;
mod revoke;
mod revoked;
pub(crate) mod stolen;
mod throttle;

use std::future::{Future, IntoFuture};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient};

use crate::tokens::stolen::decoded;

/// Requests tokens with a JSON body.
fn ask(app: &TestApp, body: Value) -> impl Future<Output = Answer> + Send {
    app.post("/v1/oauth/token").json(body).into_future()
}

/// Requests a pair with a client's credentials.
async fn pair(app: &TestApp, client: &TestClient) -> (String, String) {
    let body =
        json!({"grant_type": "client_credentials", "client_id": client.id, "client_secret": client.secret});
    tokens(&ask(app, body).await)
}

/// Refreshes with the refresh token alone.
fn refresh(app: &TestApp, token: &str) -> impl Future<Output = Answer> + Send {
    ask(app, json!({"grant_type": "refresh_token", "refresh_token": token}))
}

/// The access token and the refresh token of an answer.
fn tokens(answer: &Answer) -> (String, String) {
    assert_eq!(answer.status, 200, "{}", answer.json());
    (answer.text("access_token").to_owned(), answer.text("refresh_token").to_owned())
}

/// Waits until what the upkeep does every second is done. It gives up after so many pauses, not after some time: a
/// machine that is slow delays both.
async fn soon(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    for _ in 0..1_500 {
        if is_so().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("not within half a minute: {what}");
}

/// Whether the API accepts this access token.
async fn is_taken(app: &TestApp, access: &str) -> bool {
    let path = format!("/v1/organizations/{}", app.organization);
    let answer = app.get(&path).bearer(access).await;
    assert!([200, 401].contains(&answer.status), "{}", answer.json());
    answer.status == 200
}

/// `status error title` of an error of the token endpoint, which must have every member.
fn outcome(answer: &Answer) -> String {
    let body = answer.json();
    assert_eq!(answer.header("content-type"), Some("application/json"), "{body}");
    assert_eq!(answer.header("cache-control"), Some("no-store"), "{body}");
    assert_eq!(body["status"], answer.status, "{body}");
    assert!(answer.text("error_description").is_ascii() && !answer.text("request_id").is_empty(), "{body}");
    assert_eq!(answer.text("type"), format!("/docs/errors#{}", answer.text("code")));
    format!("{} {} {}", answer.status, answer.text("error"), answer.text("title"))
}

/// The number of rows of a table.
async fn count(app: &TestApp, table: &str) -> i64 {
    let mut read = app.db.read().await.unwrap();
    let (count,): (i64,) = read.query_one(&format!("SELECT count(*) FROM {table}"), &[]).await.unwrap();
    count
}
