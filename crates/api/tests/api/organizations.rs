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

#[testkit::both_engines]
async fn the_own_organization_is_renamed(app: TestApp) {
    let client = app.client_with_scopes("organizations:read organizations:write journal:read").await;
    let path = format!("/v1/organizations/{}", app.organization);
    let renamed = app.patch(&path).bearer(&client).json(json!({"name": "Acme Ltd"})).expect(200).await;
    assert_eq!((renamed.text("name"), &renamed.json()["version"]), ("Acme Ltd", &json!(2)));
    assert_eq!(*app.get(&path).bearer(&client).expect(200).await.json(), *renamed.json());
    for same in [json!({}), json!({"name": "Acme Ltd"})] {
        assert_eq!(app.patch(&path).bearer(&client).json(same).expect(200).await.json(), renamed.json());
    }
    let faults = app.patch(&path).bearer(&client).json(json!({"name": " ", "version": 9})).expect(422).await;
    assert_eq!(faults.faults(), ["#/name blank", "#/version read_only"]);
    // Recorded in the organization's own chain and in the instance's.
    for chain in [app.organization, domain::OrgId::INSTANCE] {
        let mut read = app.db.read().await.unwrap();
        let entries = store::journal::list(&mut read, chain, 0, 100).await.unwrap();
        let told: Vec<_> = entries.iter().filter(|entry| entry.kind == "organization.updated").collect();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].payload.as_deref(), Some(r#"{"name":["Acme","Acme Ltd"]}"#));
        assert_eq!(store::verify::verify(&mut read, chain, None).await.unwrap().faults, []);
    }
    let other = app.db.organization("Other").await;
    app.patch(&format!("/v1/organizations/{other}"))
        .bearer(&client)
        .json(json!({"name": "x"}))
        .expect(404)
        .await;
}

#[testkit::both_engines]
async fn the_days_of_the_trash_are_the_organizations_own(app: TestApp) {
    let client = app.client_with_scopes("organizations:read organizations:write").await;
    let path = format!("/v1/organizations/{}", app.organization);
    let read = async || app.get(&path).bearer(&client).expect(200).await.json().clone();
    let patch = async |body| app.patch(&path).bearer(&client).json(body).expect(200).await.json().clone();
    assert_eq!(read().await["trash_days"], json!(90));
    // The current value is not a change.
    assert_eq!(patch(json!({"trash_days": 90})).await["version"], json!(1));
    for (version, days) in [(2, 0), (3, 3_650), (4, 90), (5, 7)] {
        let changed = patch(json!({"trash_days": days})).await;
        assert_eq!((&changed["trash_days"], &changed["version"]), (&json!(days), &json!(version)));
        assert_eq!(read().await, changed);
    }
    assert_eq!(patch(json!({"name": "Acme Ltd"})).await["trash_days"], json!(7), "it stays");
    for (wrong, fault) in [
        (json!(-1), "#/trash_days range"),
        (json!(3_651), "#/trash_days range"),
        (json!("7"), "#/trash_days type"),
        (json!(null), "#/trash_days required"),
    ] {
        let refused = app.patch(&path).bearer(&client).json(json!({"trash_days": wrong})).expect(422).await;
        assert_eq!(refused.faults(), [fault]);
    }
    // The days until a pseudonym are none at first.
    assert_eq!(read().await["pseudonym_days"], json!(null));
    for days in [json!(1), json!(3_650), json!(null)] {
        assert_eq!(patch(json!({"pseudonym_days": days})).await["pseudonym_days"], days);
    }
    for wrong in [0, 3_651] {
        let refused =
            app.patch(&path).bearer(&client).json(json!({"pseudonym_days": wrong})).expect(422).await;
        assert_eq!(refused.faults(), ["#/pseudonym_days range"]);
    }
    for chain in [app.organization, domain::OrgId::INSTANCE] {
        let mut read = app.db.read().await.unwrap();
        let entries = store::journal::list(&mut read, chain, 0, 100).await.unwrap();
        let told: Vec<_> = entries.iter().filter(|it| it.kind == "organization.updated").collect();
        assert_eq!(told[0].payload.as_deref(), Some(r#"{"trash_days":[90,0]}"#));
        assert_eq!(told.len(), 8);
        assert_eq!(store::verify::verify(&mut read, chain, None).await.unwrap().faults, []);
    }
}
