//! The index of documents follows their proposals, and verification knows what it lacks.
#![allow(clippy::unwrap_used, reason = "a panic is a test's answer")]

use db::Tx;
use domain::document::{
    Edit, Item, ItemKind, NewDocument, NewProposalComment, NodeType, ProposalOpening, ProposalPatch,
    ProposalStep, SelectOption, StepReason,
};
use testkit::{TestDb, author, both_engines};

use super::{ANY, faults, follow_all, step, words};

/// A document whose item has one option, and nothing proposed.
fn new() -> NewDocument {
    let option = SelectOption {
        id: "x".to_owned(),
        label: "safe".to_owned(),
        text: "vault".to_owned(),
        guidance: Some("steel".to_owned()),
        weakens: false,
    };
    let kind = ItemKind::Select { options: vec![option], default: None };
    let text = ItemKind::Text { default: String::new(), max_length: 100, multiline: false, markdown: false };
    NewDocument {
        template: Some("night {{what}}".into()),
        reference: Some("pol".into()),
        ..NewDocument::new(
            "locks",
            "bolts".into(),
            vec![Item::new("keys", "storage", kind), Item::new("what", "subject", text)],
        )
    }
}

#[both_engines]
async fn the_index_has_what_is_proposed_as_long_as_it_is(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    let new = new();
    let work = async move |tx: &mut Tx| store::documents::create(tx, org, &author(), &new).await;
    db.write(org, work).await.unwrap();
    assert_eq!(faults(&db, org).await, [""; 0], "behind the journal");
    follow_all(&db, org).await;
    let draft = words(&db).await;
    let expected = ["bolts", "night", "pol", "safe", "steel", "storage", "subject", "vault", "what"];
    assert_eq!(draft.keys().collect::<Vec<_>>(), expected);
    let edit = Edit { node_id: "what".to_owned(), node_type: NodeType::Text, value: "gate".to_owned() };
    let work = async move |tx: &mut Tx| {
        store::proposals::edit(tx, org, &author(), "locks", &ANY, std::slice::from_ref(&edit), 1_000).await
    };
    db.write(org, work).await.unwrap();
    follow_all(&db, org).await;
    assert!(words(&db).await.contains_key("gate"));
    let new =
        NewProposalComment { reply_to: None, node_id: None, text: "Which gate?".into(), suggestion: None };
    let work =
        async move |tx: &mut Tx| store::proposals::comment(tx, org, &author(), ("locks", 1), &new).await;
    db.write(org, work).await.unwrap();
    assert!(step(&db, org, 9).await.is_some(), "a comment changes nothing of the document that is found");
    follow_all(&db, org).await;
    // These entries are about the proposal alone.
    let patch = ProposalPatch { title: Some("shutters".into()), ..ProposalPatch::default() };
    let work = async move |tx: &mut Tx| {
        store::proposals::change(tx, org, &author(), ("locks", 1), &ANY, &patch).await
    };
    db.write(org, work).await.unwrap();
    assert_eq!(faults(&db, org).await, [""; 0], "behind the journal");
    follow_all(&db, org).await;
    assert!(words(&db).await.contains_key("shutters"));
    assert_eq!(faults(&db, org).await, [""; 0]);
    let withdraw = ProposalStep::Withdraw(StepReason { reason: "Not now.".into() });
    let work = async move |tx: &mut Tx| {
        store::proposals::step(tx, org, &author(), ("locks", 1), &ANY, (None, str::to_owned), &withdraw).await
    };
    db.write(org, work).await.unwrap();
    assert_eq!(faults(&db, org).await, [""; 0], "behind the journal");
    follow_all(&db, org).await;
    assert_eq!(words(&db).await, draft);
    assert_eq!(faults(&db, org).await, [""; 0]);
    db.write(org, async move |tx: &mut Tx| store::search::clear(tx, org).await).await.unwrap();
    follow_all(&db, org).await;
    assert_eq!(words(&db).await, draft, "it is made again");
}

#[both_engines]
async fn the_default_of_a_text_without_a_value_is_found(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    let text = |default: &str| ItemKind::Text {
        default: default.to_owned(),
        max_length: 100,
        multiline: false,
        markdown: false,
    };
    let new = NewDocument::new("locks", "bolts".into(), vec![Item::new("what", "subject", text("hinges"))]);
    let work = async move |tx: &mut Tx| store::documents::create(tx, org, &author(), &new).await;
    db.write(org, work).await.unwrap();
    follow_all(&db, org).await;
    assert!(words(&db).await.contains_key("hinges"), "the draft prints it");
    let work = async move |tx: &mut Tx| {
        let opening = ProposalOpening::default();
        store::proposals::open(tx, org, &author(), "locks", opening).await
    };
    db.write(org, work).await.unwrap();
    let items = Some(vec![Item::new("what", "subject", text("latches"))]);
    let patch = ProposalPatch { items, ..ProposalPatch::default() };
    let work = async move |tx: &mut Tx| {
        store::proposals::change(tx, org, &author(), ("locks", 1), &ANY, &patch).await
    };
    db.write(org, work).await.unwrap();
    follow_all(&db, org).await;
    let found = words(&db).await;
    assert!(found.contains_key("latches") && found.contains_key("hinges"), "the proposed one, and its own");
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn a_document_that_is_deleted_leaves_the_index(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    let new = new();
    let work = async move |tx: &mut Tx| store::documents::create(tx, org, &author(), &new).await;
    db.write(org, work).await.unwrap();
    follow_all(&db, org).await;
    assert!(words(&db).await.contains_key("bolts"));
    let work = async move |tx: &mut Tx| store::draft_removal::delete(tx, org, &author(), "locks", &ANY).await;
    db.write(org, work).await.unwrap();
    assert_eq!(faults(&db, org).await, [""; 0], "behind the journal");
    for text in ["it follows the deletion", "it is made again"] {
        follow_all(&db, org).await;
        assert_eq!(faults(&db, org).await, [""; 0], "{text}");
        assert!(words(&db).await.is_empty(), "{text}");
        let sql = "SELECT count(*) FROM search_record";
        let (rows,): (i64,) = db.read().await.unwrap().query_one(sql, &[]).await.unwrap();
        assert_eq!(rows, 0, "{text}");
        db.write(org, async move |tx: &mut Tx| store::search::clear(tx, org).await).await.unwrap();
    }
}

#[both_engines]
async fn a_step_is_about_few_documents(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    follow_all(&db, org).await;
    let work = async move |tx: &mut Tx| {
        for number in 1..=10 {
            let new = NewDocument { slug: format!("locks-{number}"), reference: None, ..new() };
            store::documents::create(tx, org, &author(), &new).await?;
        }
        store::search::follow(tx, org, 100, None).await
    };
    assert_eq!(db.write(org, work).await.unwrap().entries, 8);
    follow_all(&db, org).await;
    assert_eq!(words(&db).await["bolts"], 1, "in one block");
    assert_eq!(faults(&db, org).await, [""; 0]);
}
