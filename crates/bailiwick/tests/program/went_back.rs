//! A register that went back below a running service, and what the service, the doctor and a verification say.

use testkit::{EmptyDatabase, both_engines};

use crate::service::{Declared, Installation};

/// Has an organization's journal end before its last entry, as on a server that has not received it.
async fn take_back(installation: &Installation, organization: &str) {
    let gone = "DELETE FROM journal_entry WHERE organization = $1
                AND seq = (SELECT seq FROM organization_head WHERE organization = $1)";
    let head = "UPDATE organization_head SET seq = seq - 1, hash =
                  (SELECT hash FROM journal_entry AS last
                   WHERE last.organization = organization_head.organization AND last.seq = organization_head.seq - 1)
                WHERE organization = $1";
    let organization: uuid::Uuid = organization.parse().unwrap();
    match &installation.database {
        None => {
            let database = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
            database.busy_timeout(crate::service::PATIENCE).unwrap();
            for sql in [gone, head] {
                database.execute(sql, [organization.as_bytes().as_slice()]).unwrap();
            }
        }
        Some(url) => {
            let (database, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
            tokio::spawn(connection);
            for sql in [gone, head] {
                database.execute(sql, &[&organization]).await.unwrap();
            }
        }
    }
}

#[both_engines]
async fn a_register_that_went_back_is_not_written_and_everybody_says_so(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    assert!(matches!(api.declare("kept", "").await, Declared::Done(_)));
    assert!(matches!(api.declare("lost", "").await, Declared::Done(_)));
    let verified = installation.json(&["journal", "verify", "--json", "--organization", &organization]);
    let acknowledged = verified["head"].as_str().unwrap();

    take_back(&installation, &organization).await;
    match api.declare("not written", "").await {
        Declared::Refused { status: 503, retry_after: true, problem } => {
            assert_eq!(problem["code"], "register_went_back", "{problem}");
        }
        other => panic!("{other:?}"),
    }
    let ready = api.http.get(format!("{}/readyz", api.base)).send().await.unwrap();
    assert_eq!(ready.status(), 503);
    assert_eq!(api.incidents().await.len(), 2, "it is still read");
    let log = service.log();
    let told: Vec<_> =
        log.lines().filter(|line| line.contains("ERROR") && line.contains(acknowledged)).collect();
    assert_eq!(told.len(), 1, "{log}");
    assert!(told[0].contains("docs/operation.md") && told[0].contains("--expect"), "{}", told[0]);

    let doctor = installation.run(&["doctor"]);
    let line = doctor.out.lines().find(|line| line.starts_with("FAULT") && line.contains(acknowledged));
    assert!(doctor.code == Some(1) && line.is_some(), "{}", doctor.out);
    let expect = ["journal", "verify", "--organization", &organization, "--expect", acknowledged];
    let done = installation.run(&expect);
    assert!(done.code == Some(1) && done.out.contains("before the noted entry"), "{}", done.out);

    drop(service);
    let service = installation.serve();
    assert!(service.log().contains("went back before"), "{}", service.log());
    assert!(matches!(api.moved_to(&service).declare("after a restart", "").await, Declared::Done(_)));
    std::fs::remove_file(installation.data.join("went-back.json")).unwrap();
    let doctor = installation.run(&["doctor"]);
    assert!(!doctor.out.contains("FAULT    journal"), "{}", doctor.out);
}
