//! `/v1/organizations`

use serde_json::json;
use testkit::TestApp;

#[testkit::both_engines]
async fn the_own_organization_is_read(app: TestApp) {
    let client = app.client_with_scopes("organizations:read").await;
    let path = format!("/v1/organizations/{}", app.organization);
    let answer = app.get(&path).bearer(&client).expect(200).await;
    assert_eq!(answer.json()["name"], "Acme");
    assert_eq!(answer.json()["version"], json!(1));
}

#[testkit::both_engines]
async fn any_other_organization_is_not_found(app: TestApp) {
    let client = app.client_with_scopes("organizations:read").await;
    let other = app.db.organization("Other").await;
    for id in [other.to_string(), "x".to_owned(), app.organization.to_string().replace('-', "")] {
        let answer = app.get(&format!("/v1/organizations/{id}")).bearer(&client).expect(404).await;
        assert_eq!(answer.text("title"), "Organization not found");
    }
}
