//! The texts of published versions are made again from the journal, and what was altered is found.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use db::Tx;
use domain::document::{
    Day, Edit, Item, ItemKind, Materiality, NewDocument, NodeType, ProposalOpening, ProposalPatch,
    ProposalStep, RecordedDecision, SelectOption, Sha256, Submission,
};
use domain::{Actor, ActorKind, Author, Change, ExpectedVersion, OrgId, Permissions, Role, Scopes};
use store::version_check::{self, CheckedVersion};
use store::{documents, proposals};
use testkit::{TestDb, author, both_engines};

const ANY: ExpectedVersion = ExpectedVersion::Any;

fn items(everyone: &str) -> Vec<Item> {
    let option = |id: &str, text: &str| SelectOption {
        id: id.to_owned(),
        label: id.to_owned(),
        text: text.to_owned(),
        guidance: None,
        weakens: false,
    };
    let options = vec![option("all", everyone), option("none", "Nobody.")];
    let text = ItemKind::Text { default: String::new(), max_length: 100, multiline: false, markdown: false };
    let mfa = ItemKind::Select { options, default: None };
    vec![Item::new("contact", "Contact", text), Item::new("mfa", "Second factor", mfa)]
}

fn set(node_id: &str, value: &str) -> Edit {
    let node_type = if node_id == "mfa" { NodeType::Select } else { NodeType::Text };
    Edit { node_id: node_id.to_owned(), node_type, value: value.to_owned() }
}

/// Submits a proposal, and records that the board has approved it.
async fn publish(
    tx: &mut Tx,
    org: OrgId,
    board: &Author,
    number: i64,
    submission: Submission,
) -> store::Result<()> {
    let (which, submit) = (("policy", number), ProposalStep::Submit(submission));
    let submitted =
        proposals::step(tx, org, &author(), which, &ANY, (None, str::to_uppercase), &submit).await?;
    let decision = RecordedDecision {
        sha256: Sha256::stored(submitted.sha256.unwrap_or_default()),
        decided_by: "The board".into(),
        decided_date: "2026-03-01".into(),
        minutes: "4/2026".into(),
        note: None,
    };
    let draft = proposals::draft(tx, org, "policy", number, None).await?;
    if number == 2 {
        // The proposal is changed after it was read.
        proposals::waive_four_eyes(tx, org, &author(), which, &ANY, &"Few people".into()).await?;
    }
    let record = ProposalStep::Record(decision);
    proposals::step(tx, org, board, which, &ANY, (Some(draft), str::to_uppercase), &record).await.map(drop)
}

/// Three versions: of other values, of another template with other options from a day in the future, and after a confirmation
/// without a template.
async fn publish_three(tx: &mut Tx, org: OrgId, board: &Author) -> store::Result<()> {
    let (by, summary) = (&author(), || "Better".into());
    let simple = || Submission { summary: summary(), material: None, effective_date: None };
    let new = NewDocument {
        template: Some("# Rule\n\n{{contact}} {{mfa}}\n".into()),
        ..NewDocument::new("policy", "Policy".into(), items("Everyone."))
    };
    documents::create(tx, org, by, &new).await?;
    let edits = [set("contact", "Ada"), set("mfa", "all")];
    proposals::edit(tx, org, by, "policy", &ANY, &edits, 1_000).await?;
    publish(tx, org, board, 1, simple()).await?;
    proposals::edit(tx, org, by, "policy", &ANY, &[set("contact", "Ben")], 1_000).await?;
    let patch = ProposalPatch {
        title: Some("Policy of Acme".into()),
        template: Change::Set("# Rules\n\n{{contact}}\n\n{{mfa}}\n".into()),
        items: Some(items("All of us.")),
        ..ProposalPatch::default()
    };
    proposals::change(tx, org, by, ("policy", 2), &ANY, &patch).await?;
    let material = Some(Materiality { value: false, reason: None });
    let effective_date: Option<Day> = Some("2099-01-01".into());
    publish(tx, org, board, 2, Submission { summary: summary(), material, effective_date }).await?;
    let confirm = ProposalOpening { confirm: true, ..ProposalOpening::default() };
    proposals::open(tx, org, by, "policy", confirm).await?;
    publish(tx, org, board, 3, simple()).await?;
    let patch = ProposalPatch { template: Change::Clear, ..ProposalPatch::default() };
    proposals::open(tx, org, by, "policy", ProposalOpening::default()).await?;
    proposals::change(tx, org, by, ("policy", 4), &ANY, &patch).await?;
    publish(tx, org, board, 4, simple()).await
}

/// Who records the decisions of the board.
async fn board(db: &TestDb, org: OrgId) -> Author {
    let ada = db.user(org, "Ada", "ada@example.org", Role::Owner).await;
    let actor = Actor { kind: ActorKind::User, id: ada.to_string(), name: "Ada".to_owned() };
    Author::new(actor, "r").with(Permissions::new(Scopes::all()))
}

async fn with_three_versions(db: &TestDb) -> OrgId {
    let org = db.organization("Acme").await;
    let board = board(db, org).await;
    db.write(org, async move |tx: &mut Tx| publish_three(tx, org, &board).await).await.unwrap();
    org
}

/// The versions with the line of each of their faults.
fn faults(checked: &[CheckedVersion]) -> Vec<(i64, Option<usize>)> {
    checked.iter().flat_map(|it| it.faults.iter().map(|fault| (it.number, fault.line))).collect()
}

#[both_engines]
async fn every_version_is_made_again_as_it_was_approved(db: TestDb) {
    let org = with_three_versions(&db).await;
    let mut tx = db.read().await.unwrap();
    let checked = version_check::check(&mut tx, org, "policy").await.unwrap();
    assert_eq!(checked.iter().map(|it| it.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(checked.iter().all(|it| it.faults.is_empty()), "{checked:?}");
    let ends = ["\n# 1 Rule\n\nAda Everyone.\n", "\n# 1 Rules\n\nBen\n\nAll of us.\n", "  All of us.\n"];
    for (it, end) in checked.iter().zip(ends) {
        let stored = it.stored.as_ref().unwrap();
        assert!(stored.markdown.ends_with(end), "{}", stored.markdown);
        let html = domain::document::sha256(&stored.body().to_uppercase());
        assert_eq!(stored.version.html_sha256, Some(html), "the HTML that was noted");
    }
    assert_eq!(store::verify::verify(&mut tx, org, None).await.unwrap().faults, []);
    let deleted = version_check::check_if_there(&mut tx, org, "deleted").await.unwrap();
    assert!(deleted.is_empty() && version_check::check(&mut tx, org, "deleted").await.is_err());
}

/// A statement, and the versions that it makes wrong, each with the line of the first difference.
type Altered = (&'static str, &'static [(i64, Option<usize>)]);

const ALTERED: &[Altered] = &[
    ("UPDATE document_version SET markdown = 'x' WHERE number = 1", &[(1, None), (1, Some(1))]),
    ("UPDATE document_version SET sha256 = 'x' WHERE number = 2", &[(2, None), (2, None)]),
    ("UPDATE document_version SET is_material = (1 = 1) WHERE number = 2", &[(2, Some(8))]),
    ("UPDATE document_version SET number = 4 WHERE number = 1", &[(1, None), (4, None)]),
    ("DELETE FROM document_version WHERE number = 3", &[(3, None)]),
    ("UPDATE proposal SET effective_date = '2098-01-01' WHERE number = 2", &[(2, Some(7))]),
    ("UPDATE proposal SET sha256 = 'x' WHERE number = 1", &[(1, None)]),
    ("UPDATE proposal_approval SET sha256 = 'x' WHERE proposal = 1", &[(1, None)]),
    ("DELETE FROM proposal_approval WHERE proposal = 2", &[(2, None)]),
    ("UPDATE document SET title = 'x'", &[(3, Some(2))]),
    ("UPDATE document_item SET value = 'Eve' WHERE id = 'contact'", &[(3, Some(13))]),
    (
        "UPDATE journal_entry SET payload = replace(payload, '\"Ben\"', '\"Eve\"') WHERE kind = 'document.published'",
        &[(2, Some(13)), (3, Some(13))],
    ),
    (
        "UPDATE journal_entry SET payload = replace(payload, 'Everyone.', 'No one.') WHERE kind = 'document.created'",
        &[(1, Some(13))],
    ),
    (
        "UPDATE journal_entry SET payload = NULL WHERE kind = 'document.published'",
        &[(1, None), (2, None), (3, None)],
    ),
];

#[both_engines]
async fn what_was_altered_is_found(db: TestDb) {
    let org = with_three_versions(&db).await;
    for (sql, expected) in ALTERED {
        // Read within the write, which is then undone.
        let found: Result<(), store::Error> = db
            .write(org, async move |tx: &mut Tx| {
                assert!(tx.execute(sql, &[]).await? > 0, "{sql} changes nothing");
                let checked = version_check::check(tx, org, "policy").await?;
                Err(domain::Error::Internal(format!("{:?}", faults(&checked))).into())
            })
            .await;
        let domain::Error::Internal(found) = found.unwrap_err().0 else { panic!("{sql}") };
        assert_eq!(found, format!("{expected:?}"), "{sql}");
    }
}

#[both_engines]
async fn a_document_is_not_made_from_what_its_slug_was_before(db: TestDb) {
    let org = db.organization("Acme").await;
    let board = board(&db, org).await;
    let publish_again = async move |tx: &mut Tx| {
        let (by, new) = (&author(), NewDocument::new("policy", "Policy".into(), items("Everyone.")));
        let template = Some("# Rule\n\n{{contact}} {{mfa}}\n".into());
        let draft = NewDocument { reference: Some("P-1".into()), template, ..new.clone() };
        documents::create(tx, org, by, &draft).await?;
        store::draft_removal::delete(tx, org, by, "policy", &ANY).await?;
        documents::create(tx, org, by, &new).await?;
        proposals::edit(tx, org, by, "policy", &ANY, &[set("contact", "Ada")], 1_000).await?;
        let submission = Submission { summary: "New".into(), material: None, effective_date: None };
        publish(tx, org, &board, 1, submission).await
    };
    db.write(org, publish_again).await.unwrap();
    let checked = version_check::check(&mut db.read().await.unwrap(), org, "policy").await.unwrap();
    assert_eq!((checked.len(), faults(&checked).as_slice()), (1, [].as_slice()), "{checked:?}");
}
