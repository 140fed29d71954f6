//! The index of searches beside the service: it follows what is written, after a kill too, and can be made again.

use serde_json::Value;
use testkit::{EmptyDatabase, both_engines, until};

use crate::service::{Api, Declared, Installation};

/// Waits until a search finds this many incidents.
async fn found(api: &Api, query: &str, count: usize) -> Value {
    let mut found = Value::Null;
    until("it finds so many", async || {
        found = api.read(&format!("/v1/incidents?q={query}")).await;
        found["data"].as_array().unwrap().len() == count
    })
    .await;
    found
}

async fn declare(api: &Api, title: &str) {
    let declared = api.declare(title, "").await;
    assert!(matches!(declared, Declared::Done(_)), "{declared:?}");
}

#[both_engines]
async fn what_is_written_is_found_soon_and_after_a_kill(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    declare(&api, "Ransomware in accounting").await;
    found(&api, "ransom*", 1).await;
    declare(&api, "Ransom note").await;
    service.kill();
    let service = installation.serve();
    let api = api.moved_to(&service);
    found(&api, "ransom*", 2).await;
    installation.verify();
}

#[both_engines]
async fn an_index_is_made_again_while_the_service_runs(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    drop(installation.serve_with(&[], &["--demo"]));
    let organization = installation.json(&["organization", "list", "--json"]);
    let organization = organization["id"].as_str().unwrap();
    let credentials = installation.client(organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    declare(&api, "Zebra on the motorway").await;
    found(&api, "zebra", 1).await;
    let before = api.read("/v1/incidents?q=the").await;
    let rebuilt = installation.json(&["search", "rebuild", "--organization", organization, "--json"]);
    assert!(rebuilt["entries"].as_i64().unwrap() > 100, "{rebuilt}");
    assert_eq!(rebuilt["organization"], organization);
    found(&api, "zebra", 1).await;
    assert_eq!(api.read("/v1/incidents?q=the").await, before);
    installation.verify();
}
