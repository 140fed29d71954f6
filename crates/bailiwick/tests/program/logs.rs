//! What the logs say, and what they never say.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{EmptyDatabase, Engine, both_engines};

use crate::service::Installation;

const EMAIL: &str = "needle-in-a-log@example.org";
const NAME: &str = "Needle Haystackson";
const CONTENT: &str = "needle-content";
const WRONG_SECRET: &str = "bwk_needleneedleneedleneedleneedle";

#[both_engines]
async fn no_line_has_a_secret_or_personal_data_at_any_level(database: EmptyDatabase) {
    for (variable, value) in [("BAILIWICK_LOG_LEVEL", "trace"), ("RUST_LOG", "trace")] {
        let installation = Installation::at(&database).with(variable, value);
        let organization = installation.organization();
        // With every scope of the role that it gives.
        let credentials = installation.client(
            &organization,
            "incidents:read incidents:write incidents:declare risks:read tags:read documents:read documents:acknowledge \
             organizations:read users:read users:admin",
        );
        let service = installation.serve_with(&[], &["--log-format", "json"]);
        let form = |secret: &str| {
            format!("grant_type=client_credentials&client_id={}&client_secret={secret}", credentials.id)
        };
        let http = reqwest::Client::new();
        let token = async |body: String| {
            let request = http.post(format!("{}/v1/oauth/token", service.base)).body(body);
            let request = request.header("content-type", "application/x-www-form-urlencoded");
            let answer = request.send().await.unwrap();
            (answer.status().as_u16(), answer.json::<Value>().await.unwrap())
        };
        assert_eq!(token(form(WRONG_SECRET)).await.0, 401);
        assert_eq!(token("grant_type=refresh_token&refresh_token=ey.needle.token".to_owned()).await.0, 400);
        let (status, pair) = token(form(&credentials.secret)).await;
        assert_eq!(status, 200, "{pair}");
        let refresh = pair["refresh_token"].as_str().unwrap().to_owned();
        assert_eq!(token(format!("grant_type=refresh_token&refresh_token={refresh}")).await.0, 200);

        let api = service.sign_in(&credentials).await;
        // The second round meets the same person again.
        let person = json!({"name": NAME, "email": EMAIL, "role": "viewer"});
        let made = api.request(Method::POST, "/v1/users").json(&person).send().await.unwrap();
        assert!([201, 409].contains(&made.status().as_u16()), "{}", made.status());
        api.declare(CONTENT, CONTENT).await;
        for (path, body) in [
            ("/v1/users", format!("{{\"email\": \"{EMAIL}\", \"name\": ")),
            ("/v1/users", json!({"name": NAME, "email": EMAIL, "role": EMAIL}).to_string()),
            ("/v1/incidents", json!({"title": CONTENT, "description": 1, CONTENT: CONTENT}).to_string()),
        ] {
            let request =
                api.request(Method::POST, path).header("content-type", "application/json").body(body);
            assert!(request.send().await.unwrap().status().is_client_error());
        }
        let query = format!("/v1/users?email={EMAIL}&{CONTENT}=1");
        assert_eq!(api.request(Method::GET, &query).send().await.unwrap().status(), 400);

        let log = service.log();
        assert!(log.contains("\"security\""), "the refusals are told: {log}");
        let bearer = pair["access_token"].as_str().unwrap();
        let parts = bearer.split('.').chain(refresh.split('.')).filter(|part| part.len() > 40);
        let needles = [EMAIL, NAME, CONTENT, WRONG_SECRET, &credentials.secret, "needle.token"];
        for needle in needles.into_iter().chain(parts) {
            let found = log.lines().find(|line| line.contains(needle));
            assert!(found.is_none(), "{variable}: {needle}: {found:?}");
        }
        for line in log.lines() {
            assert!(
                serde_json::from_str::<Value>(line).is_ok_and(|line| line.is_object()),
                "not JSON: {line}"
            );
        }
    }
}

#[both_engines]
async fn a_failure_is_logged_once_with_its_request_id(database: EmptyDatabase) {
    if database.engine() == Engine::Postgres {
        return; // It takes a lock of SQLite to provoke one.
    }
    let installation = Installation::at(&database).with_usual_limits();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve_with(&[], &["--log-format", "json"]);
    let api = service.sign_in(&credentials).await;
    let other = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let request = api.request(Method::POST, "/v1/incidents").header("x-request-id", "find-me");
    let answer = request.json(&json!({"title": "a", "description": ""})).send().await.unwrap();
    assert_eq!(answer.status(), 503);
    other.execute_batch("ROLLBACK").unwrap();
    let log = service.log();
    let grave = |line: &&str| line.contains("\"WARN\"") || line.contains("\"ERROR\"");
    let told: Vec<_> = log.lines().filter(|line| line.contains("find-me")).filter(grave).collect();
    assert_eq!(told.len(), 1, "{told:#?}");
}
