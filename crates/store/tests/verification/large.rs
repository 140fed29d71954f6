//! Tables of many rows, for PostgreSQL, which plans for the rows that it has counted; SQLite always plans for many.

use db::Tx;
use domain::OrgId;
use testkit::TestDb;

/// Tables that grow with the register, and the columns in which their copies differ.
pub(crate) const LARGE: &[(&str, &[(&str, &str)])] = &[
    (
        "journal_entry",
        &[("seq", "seq + n"), ("subject_kind", "'incident'"), ("subject_id", "subject_id || n")],
    ),
    ("incident", &[("number", "number + n")]),
    ("incident_history", &[("number", "number + n")]),
    ("incident_task", &[("incident", "incident + n")]),
    ("incident_review", &[("incident", "incident + n")]),
    ("incident_note", &[("incident", "incident + n")]),
    ("incident_note_history", &[("incident", "incident + n")]),
    ("incident_note_total", &[("incident", "incident + n")]),
    ("incident_link", &[("incident", "incident + n")]),
    ("incident_report", &[("incident", "incident + n")]),
    ("incident_tag", &[("incident", "incident + n")]),
    ("risk", &[("number", "number + n"), ("external_ref", "'R-' || n")]),
    ("risk_history", &[("number", "number + n")]),
    ("risk_review", &[("risk", "risk + n")]),
    ("risk_tag", &[("risk", "risk + n")]),
    ("risk_task", &[("risk", "risk + n")]),
    ("evaluation", &[("risk", "risk + n")]),
    ("risk_acceptance", &[("risk", "risk + n")]),
    ("risk_acceptance_history", &[("risk", "risk + n")]),
    ("policy_exception", &[("number", "number + n")]),
    ("policy_exception_history", &[("number", "number + n")]),
    ("risk_latest", &[("risk", "risk + n")]),
    ("scale", &[("number", "number + n")]),
    ("performance_sum", &[("start", "start + n * INTERVAL '1 day'")]),
    ("document", &[("slug", "slug || n"), ("reference", "reference || n")]),
    ("document_item", &[("document", "document || n")]),
    ("document_library_text", &[("document", "document || n")]),
    ("document_tag", &[("document", "document || n")]),
    ("proposal", &[("number", "number + n"), ("document", "document || n"), ("status", "'open'")]),
    ("change_set", &[("number", "number + n"), ("proposal", "proposal + n")]),
    ("document_version", &[("document", "document || n")]),
    ("proposal_approval", &[("proposal", "proposal + n")]),
    ("change_set_edit", &[("change_set", "change_set + n")]),
    ("search_record", &[("number", "number + n"), ("id", "NULL")]),
    ("search_part", &[("noun", "'incident'"), ("number", "number + n")]),
    ("search_part_word", &[("noun", "'incident'"), ("number", "number + n")]),
    ("search_word", &[("span", "span + n"), ("block", "block + n")]),
];

/// Gives each large table 20,000 rows.
pub(crate) async fn enlarge(db: &TestDb, org: OrgId) {
    let work = async move |tx: &mut Tx| -> db::Result<()> {
        // The counts of incidents are not looked at afterwards, and 20,000 changes of one count take seconds.
        tx.execute("ALTER TABLE incident DISABLE TRIGGER USER", &[]).await?;
        tx.execute("ALTER TABLE incident_tag DISABLE TRIGGER USER", &[]).await?;
        tx.execute("ALTER TABLE incident_note DISABLE TRIGGER USER", &[]).await?;
        for (table, different) in LARGE {
            let columns = "SELECT CAST(column_name AS TEXT) FROM information_schema.columns
                WHERE table_schema = 'public' AND table_name = $1";
            let columns: Vec<(String,)> = tx.query(columns, &[table]).await?;
            let names: Vec<&str> = columns.iter().map(|(name,)| name.as_str()).collect();
            let values = names.iter().map(|name| {
                let different = different.iter().find(|(column, _)| column == name);
                different.map_or(*name, |(_, value)| value)
            });
            let values: Vec<&str> = values.collect();
            let copy = format!(
                "INSERT INTO {table} ({}) SELECT {} FROM (SELECT * FROM {table} WHERE organization = $1 LIMIT 1) AS one
                 CROSS JOIN generate_series(1001, 21000) AS n",
                names.join(", "),
                values.join(", ")
            );
            assert_eq!(tx.execute(&copy, &[&org.uuid()]).await?, 20_000, "{table}");
        }
        tx.execute("ANALYZE", &[]).await?;
        Ok(())
    };
    db.write_alone(org, work).await.unwrap();
}
