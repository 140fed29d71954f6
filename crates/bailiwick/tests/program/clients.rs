//! Clients from the command line, while the service runs.

use serde_json::Value;
use testkit::{EmptyDatabase, both_engines};

use crate::service::{Credentials, Installation, Service};

/// Runs `client COMMAND …` of one client.
fn client(installation: &Installation, command: &str, of: [&str; 2], more: &[&str]) -> crate::service::Done {
    let which = ["client", command, "--organization", of[0], "--client", of[1]];
    installation.run(&[&which[..], more].concat())
}

fn list(installation: &Installation, organization: &str) -> Vec<Value> {
    let done = installation.run(&["client", "list", "--organization", organization, "--json"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

async fn token(service: &Service, credentials: &Credentials) -> u16 {
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", &credentials.id),
        ("client_secret", &credentials.secret),
    ];
    let url = format!("{}/v1/oauth/token", service.base);
    reqwest::Client::new().post(url).form(&form).send().await.unwrap().status().as_u16()
}

#[both_engines]
async fn a_secret_is_rotated_without_a_gap_and_the_old_one_deleted(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let old = installation.client(&organization, "incidents:read");
    let service = installation.serve();
    let api = service.sign_in(&old).await;
    let which = [organization.as_str(), old.id.as_str()];

    let rotated = client(&installation, "rotate", which, &["--json"]);
    assert_eq!(rotated.code, Some(0), "{}", rotated.err);
    let rotated: Value = serde_json::from_str(&rotated.out).unwrap();
    assert_eq!(rotated["client_id"], *old.id);
    let new =
        Credentials { id: old.id.clone(), secret: rotated["client_secret"].as_str().unwrap().to_owned() };
    assert_eq!((token(&service, &old).await, token(&service, &new).await), (200, 200));
    let third = client(&installation, "rotate", which, &[]);
    assert_eq!((third.code, third.out.as_str()), (Some(1), ""), "{}", third.err);

    let listed = list(&installation, &organization);
    let secrets = listed[0]["secrets"].as_array().unwrap();
    let others: Vec<_> = secrets.iter().filter(|secret| secret["id"] != rotated["id"]).collect();
    assert_eq!((secrets.len(), others.len()), (2, 1), "{listed:?}");
    let secret = others[0]["id"].as_str().unwrap();
    let deleted = client(&installation, "delete-secret", which, &["--secret", secret]);
    assert_eq!((deleted.code, deleted.out.as_str()), (Some(0), ""), "{}", deleted.err);
    assert_eq!((token(&service, &old).await, token(&service, &new).await), (401, 200));
    api.until_refused().await;

    let last = client(&installation, "rotate", which, &["--end-others"]);
    assert_eq!(last.code, Some(0), "{}", last.err);
    assert!(last.out.contains("client_secret  bwk_"), "{}", last.out);
    assert_eq!(token(&service, &new).await, 401);
    assert_eq!(list(&installation, &organization)[0]["secrets"].as_array().unwrap().len(), 1);
    let verified = installation.run(&["journal", "verify"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
}

#[both_engines]
async fn a_client_is_disabled_and_enabled_again(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read");
    let service = installation.serve();
    let which = [organization.as_str(), credentials.id.as_str()];
    let disabled = client(&installation, "disable", which, &["--json"]);
    assert_eq!(disabled.code, Some(0), "{}", disabled.err);
    let disabled: Value = serde_json::from_str(&disabled.out).unwrap();
    assert!(disabled["disabled_date"].is_string(), "{disabled}");
    assert_eq!(token(&service, &credentials).await, 401);
    let text = installation.run(&["client", "list", "--organization", &organization]);
    assert!(text.out.contains("disabled") && text.out.contains("    secret "), "{}", text.out);
    assert_eq!(client(&installation, "enable", which, &[]).code, Some(0));
    assert_eq!(token(&service, &credentials).await, 200);
    assert_eq!(list(&installation, &organization)[0]["disabled_date"], Value::Null);
    for unknown in ["bwc_000000000000000000000000", "nonsense"] {
        let done = client(&installation, "disable", [&organization, unknown], &[]);
        assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{}", done.err);
    }
}

#[both_engines]
async fn every_unknown_scope_is_named_with_the_one_that_was_meant(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    installation.organization();
    let create = |scopes: &str| installation.run(&["client", "create", "--name", "x", "--scopes", scopes]);
    let refused = create("incidents:raed risks:read nonsense");
    assert_eq!(refused.code, Some(1));
    for told in ["unknown scope incidents:raed; did you mean incidents:read?", "unknown scope nonsense"] {
        assert!(refused.err.contains(told), "{}", refused.err);
    }
    let refused = create(" ,");
    assert!(refused.code == Some(1) && refused.err.contains("must name a scope"), "{}", refused.err);
    assert!(installation.run(&["client", "list"]).out.lines().count() <= 1, "none was made");
    let made = create("risks:read,incidents:read, tags:read");
    assert_eq!(made.code, Some(0), "{}", made.err);
    assert!(installation.run(&["client", "list"]).out.contains("incidents:read risks:read tags:read"));
}
