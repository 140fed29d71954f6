//! `bailiwick document verify`: a version that is not what was approved is named.

use serde_json::{Value, json};
use testkit::{EmptyDatabase, both_engines};

use crate::service::Installation;

/// Runs SQL on the database of an installation; SQLite's file is in its data folder.
async fn alter(installation: &Installation, database: &EmptyDatabase, sql: &str) {
    match database.location() {
        db::Location::Sqlite(_) => {
            let file = installation.data.join("bailiwick.db");
            rusqlite::Connection::open(file).unwrap().execute_batch(sql).unwrap();
        }
        db::Location::Postgres(_) => database.load(sql).await,
    }
}

/// SQL that makes a document one of kept reports, which a program with other words has kept.
fn kept_with_another_wording(slug: &str) -> String {
    let end = |day, seq| json!({"day": day, "at": format!("{day}T23:59:59Z"), "seq": seq});
    let span = json!({"from": end("2026-01-01", 0), "to": end("2026-01-02", 1), "time_zone": "UTC"});
    let source = json!({"wording": 0, "span": span, "names": {}});
    format!(
        "UPDATE document SET kind = 'report' WHERE slug = '{slug}';
         UPDATE proposal SET report = '{source}' WHERE document = '{slug}';"
    )
}

#[both_engines]
async fn a_version_that_was_altered_is_named(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    drop(installation.serve_with(&[], &["--demo"]));
    let all = installation.run(&["document", "verify", "--json"]);
    assert_eq!(all.code, Some(0), "{}{}", all.out, all.err);
    let versions: Vec<Value> = all.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(versions.len() > 2 && versions.iter().all(|it| it["verified"] == true), "{}", all.out);
    assert!(versions.iter().all(|it| it["html_same"] == true), "{}", all.out);
    assert!(versions.iter().all(|it| it["erased"] == json!([])), "{}", all.out);
    assert!(versions.iter().all(|it| it["wording_same"].is_null()), "no kept reports: {}", all.out);
    let second = versions.iter().find(|it| it["version"] == 2).unwrap();
    let slug = second["document"].as_str().unwrap();
    let of_document = versions.iter().filter(|it| it["document"] == slug).count();

    // Another rendering of the HTML is no fault.
    alter(&installation, &database, "UPDATE document_version SET html_sha256 = 'x' WHERE number = 2").await;
    let told = installation.run(&["document", "verify", slug]);
    assert_eq!(told.code, Some(0), "{}{}", told.out, told.err);
    let is_told = |line: &&str| line.contains("version 2: same; its HTML is made differently");
    assert_eq!(told.out.lines().filter(is_told).count(), 1, "{}", told.out);
    assert!(told.out.ends_with(&format!("\nversions compared: {of_document}\n")), "{}", told.out);

    let altered = format!(
        "UPDATE document_version SET markdown = replace(markdown, 'language: ', 'language:  ')
         WHERE document = '{slug}' AND number = 2"
    );
    alter(&installation, &database, &altered).await;
    let found = installation.run(&["document", "verify"]);
    assert_eq!(found.code, Some(1), "{}", found.out);
    assert!(found.out.contains(&format!("{slug}  version 2: DIFFERENT")), "{}", found.out);
    assert!(found.out.contains("\n  Line 6 of its text is not the one that is made from"), "{}", found.out);
    assert_eq!(found.out.matches("DIFFERENT").count(), 1, "{}", found.out);
    assert!(found.err.contains("bailiwick: a published version is not what was approved\n"), "{}", found.err);
    let found = installation.run(&["document", "verify", slug, "2", "--json"]);
    let version: Value = serde_json::from_str(&found.out).unwrap();
    assert_eq!((found.code, &version["html_same"]), (Some(1), &json!(false)), "{version}");
    let lines: Vec<_> = version["faults"].as_array().unwrap().iter().map(|it| &it["line"]).collect();
    assert!(lines.contains(&&json!(6)) && lines.contains(&&Value::Null), "{version}");
    assert_eq!(installation.run(&["document", "verify", slug, "1"]).code, Some(0));

    // Neither is a report of another wording.
    alter(&installation, &database, &kept_with_another_wording(slug)).await;
    let told = installation.run(&["document", "verify", slug, "1"]);
    assert_eq!(told.code, Some(0), "{}{}", told.out, told.err);
    assert!(
        told.out.contains("same; it was kept with an earlier wording and cannot be made again"),
        "{}",
        told.out
    );
    let found = installation.run(&["document", "verify", slug, "2", "--json"]);
    let version: Value = serde_json::from_str(&found.out).unwrap();
    assert_eq!((found.code, &version["wording_same"]), (Some(1), &json!(false)), "{version}");
    let unknown = installation.run(&["document", "verify", slug, "9", "--json"]);
    assert_eq!((unknown.code, unknown.err.contains("\"not_found\"")), (Some(1), true), "{}", unknown.err);
}
