//! What an owner of the database could change behind the journal, table by table, is found. It is long because it is one table: a row for
//! each change.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod duplicates;
mod filled;
mod large;
mod parts;
mod plan;
mod plans;

use db::Tx;
use domain::OrgId;
use testkit::{TestDb, both_engines};

use crate::verification::filled::filled;

async fn faults(db: &TestDb, org: OrgId) -> Vec<String> {
    let mut tx = db.read().await.unwrap();
    let mut faults = Vec::new();
    for chain in [OrgId::INSTANCE, org] {
        let report = store::verify::verify(&mut tx, chain, None).await.unwrap();
        faults.extend(report.faults.into_iter().map(|fault| fault.detail));
    }
    faults
}

/// What is changed, and what the verification says of it. `$1` is the organization.
const FALSIFIED: &[(&str, &str)] = &[
    ("UPDATE organization SET name = 'Other' WHERE id = $1", "name of the organization"),
    (
        "UPDATE organization SET created_date = created_date + LATER WHERE id = $1",
        "The date of making of the organization",
    ),
    (
        "UPDATE person SET email = 'eve@example.org' WHERE id IN (SELECT person FROM membership WHERE organization = $1)",
        "email of the user",
    ),
    (
        "UPDATE person SET created_date = created_date + LATER WHERE id IN (SELECT person FROM membership WHERE organization = $1)",
        "The date of making of the user",
    ),
    ("UPDATE membership SET roles = 'admin' WHERE organization = $1", "roles of the membership"),
    (
        "UPDATE membership SET created_date = created_date + LATER WHERE organization = $1",
        "The date of making of the membership",
    ),
    ("DELETE FROM membership WHERE organization = $1", "The membership"),
    ("UPDATE membership_history SET roles = 'staff' WHERE organization = $1", "The state 1 of the membership"),
    ("UPDATE membership_history SET seq_to = seq_to + 1 WHERE organization = $1", "The state 1 of the membership"),
    ("DELETE FROM membership_history WHERE organization = $1", "The membership"),
    (
        "UPDATE policy_exception_history SET reason = 'x' WHERE organization = $1",
        "The state 1 of the exception 1 is not that of its entry.",
    ),
    ("DELETE FROM policy_exception_history WHERE organization = $1", "The exception 1 has 1 states, and 2 entries"),
    ("UPDATE acknowledgement SET person = id WHERE organization = $1", "person of the acknowledgement"),
    ("UPDATE acknowledgement SET sha256 = 'x' WHERE organization = $1", "sha256 of the acknowledgement"),
    (
        "UPDATE acknowledgement SET created_date = created_date + LATER WHERE organization = $1",
        "The date of making of the acknowledgement",
    ),
    ("DELETE FROM acknowledgement WHERE organization = $1", "The acknowledgement"),
    ("UPDATE acknowledgement_request SET who = 'users' WHERE organization = $1", "who of the acknowledgement_request"),
    ("UPDATE acknowledgement_request SET ended_date = created_date WHERE organization = $1", "ended_date of"),
    ("DELETE FROM acknowledgement_request WHERE organization = $1", "The acknowledgement_request"),
    ("UPDATE member_group SET name = 'x' WHERE organization = $1 AND deleted_date IS NULL", "name of the group"),
    (
        "UPDATE member_group SET members = members + 1 WHERE organization = $1 AND deleted_date IS NULL",
        "The number of members is not that of the group",
    ),
    ("UPDATE member_group SET deleted_date = NULL WHERE organization = $1", "deleted_date of the group"),
    ("DELETE FROM member_group WHERE organization = $1", "The group"),
    ("DELETE FROM group_member WHERE organization = $1 AND seq_to IS NULL", "members/"),
    ("DELETE FROM group_member WHERE organization = $1 AND seq_to IS NOT NULL", "members/"),
    ("UPDATE group_member SET seq_to = seq_from + 1 WHERE organization = $1 AND seq_to IS NULL", "members/"),
    ("UPDATE invitation SET roles = 'admin' WHERE organization = $1", "roles of the invitation"),
    ("UPDATE invitation SET invited_by_id = 'eve' WHERE organization = $1", "The author of the invitation"),
    ("DELETE FROM invitation WHERE organization = $1", "The invitation"),
    ("UPDATE reset_link SET password_version = 7 WHERE organization = $1", "password_version of the reset_link"),
    (
        "UPDATE reset_link SET person = (SELECT membership.person FROM membership
             WHERE membership.organization = $1 AND membership.person <> reset_link.person LIMIT 1) WHERE organization = $1",
        "person of the reset_link",
    ),
    (
        "UPDATE reset_link SET expires_date = expires_date + LATER WHERE organization = $1",
        "expires_date of the reset_link",
    ),
    ("UPDATE reset_link SET created_by_id = 'eve' WHERE organization = $1", "The author of the reset_link"),
    (
        "UPDATE reset_link SET token_hash = client_secret.hash FROM client_secret WHERE reset_link.organization = $1",
        "token_hash of the reset_link",
    ),
    ("DELETE FROM reset_link WHERE organization = $1", "The reset_link"),
    ("UPDATE client SET scopes = 'risks:read' WHERE organization = $1", "scopes of the client"),
    ("UPDATE client SET created_by_id = 'eve' WHERE organization = $1", "The author of the client"),
    ("DELETE FROM client_secret WHERE organization = $1", "secrets/"),
    (
        "UPDATE client_secret SET hash = invitation.token_hash FROM invitation WHERE client_secret.organization = $1",
        "secrets/",
    ),
    ("UPDATE client_secret SET expires_date = created_date WHERE organization = $1", "secrets/"),
    (
        "UPDATE person SET password_hash = 'x' WHERE id IN (SELECT person FROM membership WHERE organization = $1)",
        "password_hash of the user",
    ),
    (
        "UPDATE journal_entry SET payload = replace(payload, '[null,3]', '[null,2]')
         WHERE organization <> $1 AND kind = 'user.sign_ins_refused'",
        "The payload is not the one that was hashed.",
    ),
    (
        "DELETE FROM journal_entry WHERE organization <> $1 AND kind = 'user.sign_ins_refused'",
        "It does not name the hash of the entry before.",
    ),
    (
        "UPDATE invitation SET token_hash = client_secret.hash FROM client_secret WHERE invitation.organization = $1",
        "token_hash of the invitation",
    ),
    (
        "UPDATE incident SET title = 'x' WHERE organization = $1 AND number = 1",
        "title of the incident INC-0001",
    ),
    (
        "UPDATE incident SET deleted_date = NULL WHERE organization = $1 AND number = 2",
        "deleted_date of the incident INC-0002",
    ),
    (
        "UPDATE incident SET created_date = created_date + LATER WHERE organization = $1 AND number = 1",
        "The date of making of the incident INC-0001",
    ),
    (
        "UPDATE incident SET opened_by_id = 'eve' WHERE organization = $1 AND number = 1",
        "The author of the incident INC-0001",
    ),
    (
        "UPDATE incident SET updated_date = updated_date + LATER WHERE organization = $1 AND number = 1",
        "The state 3 of the incident INC-0001",
    ),
    (
        "UPDATE incident SET version = 9 WHERE organization = $1 AND number = 1",
        "The state 3 of the incident INC-0001",
    ),
    ("DELETE FROM incident WHERE organization = $1 AND number = 1", "The incident INC-0001 is not there"),
    (
        "UPDATE incident_history SET title = 'x' WHERE organization = $1 AND number = 1 AND version = 2",
        "The state 2 of the incident INC-0001",
    ),
    (
        "UPDATE incident_history SET seq_to = seq_to + 1 WHERE organization = $1 AND number = 1 AND version = 1",
        "The state 1 of the incident INC-0001",
    ),
    (
        "DELETE FROM incident_history WHERE organization = $1 AND number = 1 AND version = 1",
        "The incident INC-0001 has 2 states, and 3 entries",
    ),
    (
        "UPDATE incident_task SET title = 'x' WHERE organization = $1 AND number = 1",
        "tasks/1/title of the incident INC-0001",
    ),
    (
        "UPDATE incident_task SET mandatory = NOT mandatory WHERE organization = $1 AND number = 1",
        "tasks/1/mandatory of the incident INC-0001",
    ),
    (
        "UPDATE incident_task SET deleted_date = NULL WHERE organization = $1 AND number = 2",
        "tasks/2/deleted_date of the incident INC-0001",
    ),
    (
        "UPDATE incident_task SET created_by_id = 'eve' WHERE organization = $1 AND number = 1",
        "The author of tasks/1 of the incident INC-0001",
    ),
    (
        "UPDATE incident_task SET created_date = created_date + LATER WHERE organization = $1 AND number = 1",
        "The date of making of tasks/1 of the incident INC-0001",
    ),
    (
        "UPDATE incident_task SET updated_date = updated_date + LATER WHERE organization = $1 AND number = 1",
        "The state of tasks/1 of the incident INC-0001",
    ),
    (
        "UPDATE incident_task SET version = 1 WHERE organization = $1 AND number = 1",
        "The state of tasks/1 of the incident INC-0001",
    ),
    (
        "UPDATE incident_task SET seq = seq - 1 WHERE organization = $1 AND number = 1",
        "The state of tasks/1 of the incident INC-0001",
    ),
    (
        "UPDATE incident_task SET seq_from = seq_from - 1 WHERE organization = $1 AND number = 1",
        "tasks/1 of the incident INC-0001 does not begin and end with its entries",
    ),
    (
        "UPDATE incident_task SET number = 9 WHERE organization = $1 AND number = 1",
        "tasks/1 of the incident INC-0001 is not there",
    ),
    ("DELETE FROM incident_task WHERE organization = $1", "tasks/1 of the incident INC-0001 is not there"),
    (
        "UPDATE incident_review SET summary = 'x' WHERE organization = $1 AND edition = 1",
        "reviews/1/summary of the incident INC-0001",
    ),
    (
        "UPDATE incident_review SET actions = replace(actions, '3', '2') WHERE organization = $1 AND edition = 1",
        "reviews/1/actions of the incident INC-0001",
    ),
    (
        "UPDATE incident_review SET published_date = published_date + LATER WHERE organization = $1 AND edition = 1",
        "reviews/1/published_date of the incident INC-0001",
    ),
    (
        "UPDATE incident_review SET state = 'published' WHERE organization = $1 AND edition = 2",
        "reviews/2/state of the incident INC-0001",
    ),
    (
        "UPDATE incident_review SET created_by_id = 'eve' WHERE organization = $1 AND edition = 2",
        "The author of reviews/2 of the incident INC-0001",
    ),
    (
        "UPDATE incident_review SET version = version + 1 WHERE organization = $1 AND edition = 2",
        "The state of reviews/2 of the incident INC-0001",
    ),
    (
        "UPDATE incident_review SET version = 2 WHERE organization = $1 AND edition = 1",
        "The state of reviews/1 of the incident INC-0001",
    ),
    (
        "UPDATE incident_review SET updated_date = updated_date + LATER WHERE organization = $1 AND edition = 1",
        "The state of reviews/1 of the incident INC-0001",
    ),
    (
        "DELETE FROM incident_review WHERE organization = $1 AND edition = 1",
        "reviews/1 of the incident INC-0001 is not there",
    ),
    (
        "UPDATE incident_note SET text = 'x' WHERE organization = $1 AND number = 1",
        "notes/1/text of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET kind = 'decision' WHERE organization = $1 AND number = 2",
        "notes/2/kind of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET at = at + LATER WHERE organization = $1 AND number = 2",
        "notes/2/at of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET pinned = NULL WHERE organization = $1 AND number = 2",
        "notes/2/pinned of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET edit_count = 1 WHERE organization = $1 AND number = 1",
        "notes/1/edit_count of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET edited_by_id = 'eve' WHERE organization = $1 AND number = 1",
        "notes/1/edited_by of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET author_id = 'eve' WHERE organization = $1 AND number = 2",
        "The author of notes/2 of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET created_date = created_date + LATER WHERE organization = $1 AND number = 1",
        "The date of making of notes/1 of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET seq = seq + 1 WHERE organization = $1 AND number = 1",
        "notes/1 of the incident INC-0001 does not begin",
    ),
    (
        "UPDATE incident_note SET version = 9 WHERE organization = $1 AND number = 1",
        "The state 5 of notes/1 of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET updated_date = updated_date + LATER WHERE organization = $1 AND number = 2",
        "The state 1 of notes/2 of the incident INC-0001",
    ),
    ("DELETE FROM incident_note WHERE organization = $1 AND number = 2", "notes/2 of the incident INC-0001"),
    (
        "UPDATE incident_note_history SET text = 'x' WHERE organization = $1 AND number = 1 AND version = 2",
        "The state 2 of notes/1 of the incident INC-0001",
    ),
    (
        "UPDATE incident_note_history SET seq_to = seq_to + 1 WHERE organization = $1 AND number = 1 AND version = 3",
        "The state 3 of notes/1 of the incident INC-0001",
    ),
    (
        "DELETE FROM incident_note_history WHERE organization = $1 AND number = 1 AND version = 1",
        "notes/1 of the incident INC-0001 has 4 states, and 5 entries",
    ),
    (
        "UPDATE incident_note SET text = 'x' WHERE organization = $1 AND number = 4",
        "notes/4/text of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET deleted_date = NULL WHERE organization = $1 AND number = 3",
        "notes/3/deleted_date of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET mentions = '00000000-0000-7000-8000-000000000001' WHERE organization = $1 AND number = 4",
        "notes/4/mentions of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET author_kind = 'user' WHERE organization = $1 AND number = 3",
        "The author of notes/3 of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET incident = 2 WHERE organization = $1 AND number = 4",
        "notes/4 of the incident INC-0001",
    ),
    (
        "UPDATE incident_note SET seq_from = seq_from - 1 WHERE organization = $1 AND number = 3",
        "The state 4 of notes/3 of the incident INC-0001",
    ),
    (
        "DELETE FROM incident_note WHERE organization = $1 AND number = 3",
        "notes/3 of the incident INC-0001 is not there",
    ),
    (
        "UPDATE incident_note_history SET edited_date = edited_date + LATER WHERE organization = $1 AND number = 3 AND version = 3",
        "The state 3 of notes/3 of the incident INC-0001",
    ),
    (
        "UPDATE incident_note_history SET deleted_date = updated_date WHERE organization = $1 AND number = 3 AND version = 2",
        "The state 2 of notes/3 of the incident INC-0001",
    ),
    (
        "DELETE FROM incident_note_history WHERE organization = $1 AND number = 3 AND version = 3",
        "notes/3 of the incident INC-0001 has 3 states, and 4 entries",
    ),
    (
        "UPDATE incident_note_total SET bytes = bytes + 1 WHERE organization = $1",
        "The notes of the incident INC-0001 are not those that are counted",
    ),
    (
        "UPDATE search_part SET texts = '1 x ' WHERE organization = $1 AND noun = 'incident' AND part = 1",
        "The search has other words than the incident INC-0001",
    ),
    (
        "UPDATE search_part_word SET parts = parts + 1 WHERE organization = $1",
        "The words of the search are not those of its records",
    ),
    (
        "UPDATE journal_entry SET payload = NULL, salt = NULL
         WHERE organization = $1 AND subject_id = 'INC-0001' AND kind = 'incident.updated'",
        "The payload of an entry about the incident INC-0001 was erased",
    ),
    (
        "UPDATE incident_history SET description = 'x' WHERE organization = $1 AND number = 3 AND version = 2",
        "The state 2 of the incident INC-0003",
    ),
    (
        "UPDATE incident SET source = 'x' WHERE organization = $1 AND number = 3",
        "source of the incident INC-0003",
    ),
    ("UPDATE incident_tag SET seq_from = seq_from - 1 WHERE organization = $1 AND seq_to IS NULL", "tags/"),
    ("DELETE FROM incident_tag WHERE organization = $1 AND seq_to IS NOT NULL", "tags/"),
    ("DELETE FROM incident_tag WHERE organization = $1", "tags/"),
    (
        "UPDATE incident SET external_sent = '{}' WHERE organization = $1 AND number = 4",
        "external_sent of the incident INC-0004",
    ),
    (
        "UPDATE incident_report SET message = '{}' WHERE organization = $1",
        "reports/1/message of the incident INC-0004",
    ),
    (
        "UPDATE incident_report SET last_step_back = 1 WHERE organization = $1",
        "reports/1/last_step_back of the incident",
    ),
    ("UPDATE incident_report SET reported_by_id = 'eve' WHERE organization = $1", "The author of reports/1"),
    (
        "UPDATE incident_report SET created_date = created_date + LATER WHERE organization = $1",
        "The date of making of reports/1",
    ),
    ("DELETE FROM incident_report WHERE organization = $1", "reports/1 of the incident INC-0004"),
    (
        "UPDATE incident_link SET url = 'https://evil.example' WHERE organization = $1 AND number = 1",
        "links/1/url of the incident INC-0001",
    ),
    (
        "UPDATE incident_link SET removed_date = NULL WHERE organization = $1 AND number = 2",
        "links/2/removed_date of the incident INC-0001",
    ),
    ("UPDATE incident_link SET created_by_id = 'eve' WHERE organization = $1", "The author of links/1"),
    (
        "UPDATE incident_link SET created_date = created_date + LATER WHERE organization = $1",
        "The date of making of links/1",
    ),
    (
        "UPDATE incident_link SET seq_from = seq_from - 1 WHERE organization = $1",
        "links/1 of the incident INC-0001",
    ),
    ("DELETE FROM incident_link WHERE organization = $1 AND number = 2", "links/2 of the incident INC-0001"),
    ("UPDATE risk SET target_impact = 1 WHERE organization = $1 AND number = 2", "target of the risk RSK-2"),
    ("UPDATE risk SET scale_version = 1 WHERE organization = $1 AND number = 2", "scale_version of the risk RSK-2"),
    ("UPDATE scale SET generation = 2 WHERE organization = $1", "generation of the scale 2"),
    ("UPDATE scale SET content = REPLACE(content, 'Severe', 'Fine') WHERE organization = $1", "content of the scale 2"),
    ("UPDATE scale SET created_by_id = 'eve' WHERE organization = $1", "The author of the scale 2"),
    ("DELETE FROM scale WHERE organization = $1", "The scale 2"),
    (
        "UPDATE risk_history SET inherent_impact = 1 WHERE organization = $1 AND number = 1",
        "The state 1 of the risk RSK-1",
    ),
    ("UPDATE risk_tag SET seq_from = seq_from - 1 WHERE organization = $1 AND seq_to IS NULL", "tags/"),
    ("DELETE FROM risk_tag WHERE organization = $1 AND seq_to IS NOT NULL", "tags/"),
    ("DELETE FROM risk_tag WHERE organization = $1", "tags/"),
    (
        "UPDATE risk_task SET title = 'x' WHERE organization = $1 AND number = 1",
        "tasks/1/title of the risk RSK-1",
    ),
    (
        "UPDATE risk_task SET version = 1 WHERE organization = $1 AND number = 1",
        "The state of tasks/1 of the risk RSK-1",
    ),
    (
        "UPDATE risk_task SET seq_from = seq_from - 1 WHERE organization = $1 AND number = 1",
        "tasks/1 of the risk RSK-1 does not begin and end with its entries",
    ),
    ("DELETE FROM risk_task WHERE organization = $1", "tasks/1 of the risk RSK-1 is not there"),
    ("UPDATE document_tag SET seq_from = seq_from - 1 WHERE organization = $1 AND seq_to IS NULL", "tags/"),
    ("DELETE FROM document_tag WHERE organization = $1", "tags/"),
    (
        "UPDATE evaluation SET rating_impact = 1 WHERE organization = $1 AND risk = 1 AND number = 2",
        "evaluations/2 of the risk RSK-1",
    ),
    (
        "UPDATE evaluation SET evaluator_id = 'eve' WHERE organization = $1 AND risk = 1 AND number = 2",
        "The author of evaluations/2",
    ),
    (
        "UPDATE evaluation SET created_date = created_date + LATER WHERE organization = $1 AND risk = 1 AND number = 2",
        "The date of making of evaluations/2",
    ),
    (
        "UPDATE evaluation SET seq_to = seq_to + 1 WHERE organization = $1 AND risk = 1 AND number = 1",
        "evaluations/1/superseded_by of the risk RSK-1",
    ),
    ("DELETE FROM evaluation WHERE organization = $1 AND risk = 2", "evaluations/1 of the risk RSK-2"),
    (
        "UPDATE risk_latest SET basis_points = 1 WHERE organization = $1 AND risk = 1",
        "The latest evaluation for figures",
    ),
    (
        "UPDATE risk_latest SET deleted = NOT deleted WHERE organization = $1 AND risk = 1",
        "The latest evaluation for figures",
    ),
    ("DELETE FROM risk_latest WHERE organization = $1 AND risk = 1", "The latest evaluation for figures"),
    (
        "UPDATE performance_sum SET risks = risks + 1 WHERE organization = $1 AND span_seconds = 3600",
        "The sum of the 3600 seconds",
    ),
    (
        "UPDATE incident_count SET counted = counted + 1 WHERE organization = $1 AND status = 'new'",
        "The count of new ",
    ),
    ("DELETE FROM incident_count WHERE organization = $1", "The count of "),
    (
        "DELETE FROM search_word WHERE organization = $1 AND word = 'policy'",
        "The words of the search are not those of its records",
    ),
    (
        "UPDATE search_word SET span = span + 1 WHERE organization = $1 AND word = 'policy'",
        "The words of the search are not those of its records",
    ),
    (
        "UPDATE search_record SET texts = '3 other ' WHERE organization = $1 AND noun = 'risk' AND number = 1",
        "The search has other words than the risk RSK-1",
    ),
    (
        "DELETE FROM search_record WHERE organization = $1 AND noun = 'incident' AND number = 1",
        "The search has other words than the incident INC-0001",
    ),
    (
        "DELETE FROM performance_sum WHERE organization = $1 AND span_seconds = 60",
        "The sum of the 60 seconds",
    ),
    ("UPDATE tag SET color = '#000000' WHERE organization = $1", "color of the tag"),
    (
        "UPDATE tag SET created_date = created_date + LATER WHERE organization = $1",
        "The date of making of the tag",
    ),
    ("UPDATE saved_view SET filter = '{}' WHERE organization = $1", "filter of the view"),
    ("UPDATE saved_view SET shared = (1 = 0) WHERE organization = $1", "shared of the view"),
    ("UPDATE saved_view SET owner_id = 'eve' WHERE organization = $1", "The author of the view"),
    ("UPDATE saved_view SET seq_from = seq_from - 1 WHERE organization = $1", "The view"),
    ("DELETE FROM saved_view WHERE organization = $1", "The view"),
    ("UPDATE document SET title = 'x' WHERE organization = $1", "title of the document policy"),
    ("UPDATE document_item SET label = 'x' WHERE organization = $1", "items of the document policy"),
    ("UPDATE proposal SET status = 'rejected' WHERE organization = $1", "status of the proposal 1"),
    ("UPDATE document_item SET value = 'Eve' WHERE organization = $1", "values/contact of the document"),
    ("UPDATE document_version SET markdown = 'x' WHERE organization = $1", "versions/1 of the document policy"),
    ("DELETE FROM document_version WHERE organization = $1", "versions/1 of the document policy"),
    ("UPDATE proposal SET summary = 'x' WHERE organization = $1", "summary of the proposal 1"),
    ("UPDATE proposal SET text_bytes = 1 WHERE organization = $1", "The counted bytes of text"),
    ("UPDATE proposal SET changes_items = NOT changes_items WHERE organization = $1", "whether items are changed"),
    ("UPDATE proposal SET changes = NULL WHERE organization = $1", "changes/title of the proposal 1"),
    ("UPDATE proposal SET approval_steps = NULL WHERE organization = $1", "approval_steps of the proposal 1"),
    ("UPDATE proposal SET four_eyes_waived = 'x' WHERE organization = $1", "four_eyes_waived of the proposal 1"),
    ("UPDATE proposal SET library_release = 9 WHERE organization = $1", "library_release of the proposal 1"),
    ("UPDATE proposal SET library_kept = '[{}]' WHERE organization = $1", "library_kept of the proposal 1"),
    ("UPDATE document SET library_release = 9 WHERE organization = $1", "library_release of the document policy"),
    ("UPDATE document SET kind = 'report' WHERE organization = $1", "kind of the document policy"),
    ("UPDATE proposal_approval SET sha256 = 'x' WHERE organization = $1", "approvals/1 of the proposal 1"),
    ("UPDATE proposal_approval SET is_void = TRUE WHERE organization = $1", "approvals/1/void of the proposal 1"),
    ("DELETE FROM proposal_approval WHERE organization = $1", "approvals/1 of the proposal 1"),
    ("UPDATE document SET approval_steps = NULL WHERE organization = $1", "approval_steps of the document policy"),
    ("UPDATE membership SET deputy = person WHERE organization = $1", "deputy of the membership"),
    ("UPDATE organization SET four_eyes = FALSE WHERE id = $1", "four_eyes of the organization"),
    ("UPDATE organization SET pseudonym_days = 1 WHERE id = $1", "pseudonym_days of the organization"),
    ("UPDATE change_set SET fields = 'template' WHERE organization = $1", "change_sets/1/fields of the document"),
    ("UPDATE change_set SET proposal = 9 WHERE organization = $1", "change_sets/1/proposal of the document"),
    (
        "UPDATE change_set_edit SET value = 'Eve' WHERE organization = $1",
        "change_sets/1/items/contact of the document",
    ),
];

#[both_engines]
async fn what_was_changed_behind_the_journal_is_found_in_every_table(db: TestDb) {
    let later = match db.engine() {
        db::Engine::Sqlite => "1",
        db::Engine::Postgres => "INTERVAL '1 microsecond'",
    };
    let org = filled(&db).await;
    assert_eq!(faults(&db, org).await, [""; 0]);
    for (sql, expected) in FALSIFIED {
        let sql = sql.replace("LATER", later);
        // Read within the write, which is then undone.
        let found: Result<(), store::Error> = db
            .write(org, async move |tx: &mut Tx| {
                let changed = tx.execute(&sql, &[&org.uuid()]).await?;
                assert!(changed > 0, "{sql} changes nothing");
                let mut found = Vec::new();
                for chain in [OrgId::INSTANCE, org] {
                    let report = store::verify::verify(tx, chain, None).await?;
                    found.extend(report.faults.into_iter().map(|fault| fault.detail));
                }
                let all = found.join("\n");
                Err(domain::Error::Internal(format!("{sql}\n{all}")).into())
            })
            .await;
        let domain::Error::Internal(found) = found.unwrap_err().0 else { panic!("{expected}") };
        assert!(found.lines().skip(1).any(|line| line.starts_with(expected)), "{expected}: {found}");
    }
    assert_eq!(faults(&db, org).await, [""; 0]);
}

/// A record that no entry tells of.
#[both_engines]
async fn a_record_without_its_entry_is_found(db: TestDb) {
    let org = filled(&db).await;
    let copy = "INSERT INTO tag (organization, id, name, name_folded, color, description, created_date, updated_date,
            version, seq_from)
        SELECT organization, $2, 'new', 'new', color, description, created_date, updated_date, version, seq_from
        FROM tag WHERE organization = $1 AND name = 'site'";
    let id = uuid::Uuid::from_u128(7);
    db.write(org, async move |tx: &mut Tx| tx.execute(copy, &[&org.uuid(), &id]).await).await.unwrap();
    assert_eq!(faults(&db, org).await, [format!("There is no entry about the tag {id}.")]);
}
