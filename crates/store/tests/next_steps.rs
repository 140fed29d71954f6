//! What the list of documents says that proposals wait for, against what each of them says by itself.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeSet;

use db::Tx;
use domain::document::{
    Approval, ApprovalStep, ApprovingPeople, Edit, Item, ItemKind, Materiality, NewDocument, NextAction,
    ProposalOpening, ProposalPatch, ProposalStep, Resolution, SelectOption, Sha256, StepReason, StepWhen,
    Submission, default_steps,
};
use domain::{Actor, ActorKind, Author, ExpectedVersion, Line, OrgId, Permissions, Role, Scopes};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use store::documents::{self, DocumentFilter};
use store::proposals::{self, KeptNext};
use testkit::{TestDb, author, both_engines};

const ANY: ExpectedVersion = ExpectedVersion::Any;
/// Histories that are tried on each engine.
const CASES: u32 = 20;
const SLUGS: [&str; 2] = ["one", "two"];
/// Some of them fit only into some variants of the items.
const VALUES: [&str; 5] = ["", "a", "b", "long é", "two\nlines"];

/// What one person does to one document: which kind of act, and to which item with which value.
#[derive(Debug, Clone)]
struct Act {
    document: usize,
    person: usize,
    kind: usize,
    item: usize,
    value: usize,
}

fn act() -> impl Strategy<Value = Act> {
    (0..SLUGS.len(), 0..3_usize, 0..16_usize, 0..3_usize, 0..VALUES.len())
        .prop_map(|(document, person, kind, item, value)| Act { document, person, kind, item, value })
}

/// A selection, a required text and a text with a default. Of the variants some have fewer options, take shorter texts or one
/// line, require something else, or lack the last item.
fn items(variant: usize) -> Vec<Item> {
    let option = |id: &str| SelectOption {
        id: id.to_owned(),
        label: "Label".to_owned(),
        text: String::new(),
        guidance: None,
        weakens: false,
    };
    let options = ["a", "b"][variant % 2..].iter().map(|id| option(id)).collect();
    let choice = ItemKind::Select { options, default: (variant == 4).then(|| "a".to_owned()) };
    let text = |default: &str| ItemKind::Text {
        default: default.to_owned(),
        max_length: if variant == 2 { 5 } else { 6 },
        multiline: variant == 3,
        markdown: false,
    };
    let choice = Item { required: variant == 1, ..Item::new("choice", "Label", choice) };
    let needed = Item { required: variant < 4, ..Item::new("needed", "Label", text("")) };
    let usual = Item { required: variant == 0, ..Item::new("usual", "Label", text("a")) };
    let mut items = vec![choice, needed, usual];
    items.truncate(if variant == 3 { 2 } else { 3 });
    items
}

async fn take(tx: &mut Tx, org: OrgId, by: &Author, act: &Act) -> store::Result<()> {
    let (slug, value) = (SLUGS[act.document], VALUES[act.value]);
    if act.kind < 6 {
        let item = items(0).swap_remove(act.item);
        let edit = Edit { node_type: item.kind.node_type(), node_id: item.id, value: value.to_owned() };
        return proposals::edit(tx, org, by, slug, &ANY, &[edit], 1_000).await.map(drop);
    }
    let number = match documents::get(tx, org, slug).await?.document.open_proposal {
        Some(number) => number,
        None => proposals::open(tx, org, by, slug, ProposalOpening::default()).await?.number,
    };
    let which = (slug, number);
    let it = proposals::draft(tx, org, slug, number, None).await?.proposal;
    let step = match act.kind {
        6 => {
            let patch = ProposalPatch { items: Some(items(act.value)), ..ProposalPatch::default() };
            return proposals::change(tx, org, by, which, &ANY, &patch).await.map(drop);
        }
        7 => {
            let title = Some(Line::stored(format!("Title {}", act.value / 2)));
            let patch = ProposalPatch { title, ..ProposalPatch::default() };
            return proposals::change(tx, org, by, which, &ANY, &patch).await.map(drop);
        }
        8 | 9 => {
            let Some(conflict) = it.conflicts.first() else { return Ok(()) };
            let change_set = conflict.values[0].change_set;
            let resolution = Resolution { node_id: conflict.node_id.clone(), change_set };
            return proposals::resolve(tx, org, by, which, &ANY, &resolution).await.map(drop);
        }
        10 => {
            let item = items(0).swap_remove(act.item).id;
            return proposals::take_back(tx, org, by, which, &ANY, &item).await;
        }
        11 => ProposalStep::Return(StepReason { reason: "No.".into() }),
        12 | 13 => {
            let sha256 = Sha256::stored(it.sha256.unwrap_or_default());
            ProposalStep::Approve(Approval { sha256, note: None })
        }
        _ => {
            let material = (act.value > 1).then_some(Materiality { value: act.value == 2, reason: None });
            ProposalStep::Submit(Submission { summary: "New".into(), material, effective_date: None })
        }
    };
    proposals::step(tx, org, by, which, &ANY, (None, str::to_owned), &step).await.map(drop)
}

/// Compares what the list says with each proposal; returns what they wait for.
async fn compare(db: &TestDb, org: OrgId, acts: &[Act], kept: &KeptNext) -> Vec<NextAction> {
    let mut tx = db.read().await.unwrap();
    let found = documents::list(&mut tx, org, &DocumentFilter::default(), None, 10).await.unwrap().rows;
    let mut listed = proposals::next_steps(&mut tx, org, &found, kept).await.unwrap();
    let mut actions = Vec::new();
    for document in found {
        let Some(number) = document.open_proposal else { continue };
        let alone = proposals::draft(&mut tx, org, &document.slug, number, None).await.unwrap().proposal.next;
        let listed = listed.remove(&document.slug);
        assert_eq!(listed, alone, "{} after {acts:?}", document.slug);
        actions.extend(listed.map(|next| next.action));
    }
    assert!(listed.is_empty(), "{listed:?}");
    actions
}

async fn check(db: &TestDb, acts: &[Act]) -> BTreeSet<String> {
    let org = db.organization("Acme").await;
    let mut people = Vec::new();
    for name in ["Ada", "Ben", "Cleo"] {
        let email = format!("{name}@{}.example", org.uuid());
        let actor = Actor {
            kind: ActorKind::User,
            id: db.user(org, name, &email, Role::Admin).await.to_string(),
            name: name.to_owned(),
        };
        people.push(Author::new(actor, "r").with(Permissions::new(Scopes::all())));
    }
    let create = async move |tx: &mut Tx| {
        for slug in SLUGS.iter().chain(&["untouched"]) {
            let mut new = NewDocument::new(slug, "Title 0".into(), items(0));
            if *slug == "two" {
                // Nobody has this role.
                let (name, role) = (Line::stored("Management"), Some(Role::Approver));
                let [always] = default_steps().try_into().unwrap();
                let (who, when) = (ApprovingPeople::Role, StepWhen::Material);
                new.approval_steps = vec![ApprovalStep { name, who, role, when, ..always.clone() }, always];
            }
            documents::create(tx, org, &author(), &new).await?;
        }
        Ok::<_, store::Error>(())
    };
    db.write(org, create).await.unwrap();
    let (mut seen, kept) = (BTreeSet::new(), KeptNext::default());
    for (at, act) in acts.iter().enumerate() {
        let (by, act) = (people[act.person].clone(), act.clone());
        // What is not possible at that moment changes nothing.
        drop(db.write(org, async move |tx: &mut Tx| take(tx, org, &by, &act).await).await);
        db.clock.advance_seconds(1);
        seen.extend(
            compare(db, org, &acts[..=at], &kept).await.iter().map(|action| action.as_str().to_owned()),
        );
    }
    seen
}

#[both_engines]
async fn the_list_says_what_each_proposal_says(db: TestDb) {
    let handle = tokio::runtime::Handle::current();
    let seen = std::cell::RefCell::new(BTreeSet::new());
    tokio::task::block_in_place(|| {
        let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
            .run(&prop::collection::vec(act(), 10..30), |acts| {
                seen.borrow_mut().extend(handle.block_on(check(&db, &acts)));
                Ok(())
            })
            .unwrap();
    });
    let seen = seen.into_inner();
    assert_eq!(seen.iter().map(String::as_str).collect::<Vec<_>>(), ["approve", "edit", "resolve", "submit"]);
}
