//! Saved views of lists.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use db::Tx;
use domain::saved_view::{NewSavedView, SavedView, SavedViewPatch, ViewReader, ViewedList};
use domain::text::folded;
use domain::{
    Actor, ActorKind, Author, Error, ErrorCode, ExpectedVersion, FaultCode, Faults, OrgId, Permissions,
    ResourceKind, SavedViewId, Scopes,
};
use store::saved_views::SavedViewFilter;
use testkit::{TestDb, both_engines};

const ANY: ExpectedVersion = ExpectedVersion::Any;

fn author(id: &str) -> Author {
    let actor = Actor { kind: ActorKind::Client, id: id.to_owned(), name: id.to_owned() };
    Author::new(actor, "r-1").with(Permissions::new(Scopes::all()))
}

fn reader(id: &str, lists: &[ViewedList]) -> ViewReader {
    ViewReader { actor: author(id).actor, lists: lists.to_vec() }
}

fn new(list: ViewedList, name: &str, shared: bool) -> NewSavedView {
    NewSavedView { list, name: name.to_owned(), filter: Default::default(), sort: None, shared }
}

async fn save(db: &TestDb, org: OrgId, owner: &str, new: NewSavedView) -> SavedView {
    let by = author(owner);
    db.write(org, async move |tx: &mut Tx| store::saved_views::create(tx, org, &by, &new).await)
        .await
        .unwrap()
}

async fn rename(db: &TestDb, org: OrgId, by: &str, id: SavedViewId, name: &str) -> store::Result<SavedView> {
    let (by, patch) =
        (author(by), SavedViewPatch { name: Some(name.to_owned()), ..SavedViewPatch::default() });
    let check = |view: &SavedView| {
        let mut faults = Faults::new();
        if view.name == "refused" {
            faults.add("#/filter/x", FaultCode::Enum, "is wrong");
        }
        faults
    };
    db.write(org, async move |tx: &mut Tx| {
        store::saved_views::update(tx, org, &by, id, &ANY, &patch, check).await
    })
    .await
}

async fn head(db: &TestDb, org: OrgId) -> i64 {
    store::journal::head(&mut db.read().await.unwrap(), org).await.unwrap().seq
}

/// A list page by page.
async fn walk(
    db: &TestDb,
    org: OrgId,
    reader: &ViewReader,
    filter: &SavedViewFilter,
    limit: i64,
) -> Vec<SavedView> {
    let (mut tx, mut rows) = (db.read().await.unwrap(), Vec::<SavedView>::new());
    loop {
        let after = rows.last().map(|view| (view.name.clone(), view.id));
        let after = after.as_ref().map(|(name, id)| (name.as_str(), *id));
        let page = store::saved_views::list(&mut tx, org, reader, filter, after, limit).await.unwrap();
        rows.extend(page.rows);
        if !page.has_more {
            let count = store::saved_views::count(&mut tx, org, reader, filter).await.unwrap();
            assert_eq!(usize::try_from(count).unwrap(), rows.len());
            return rows;
        }
    }
}

#[both_engines]
async fn each_reader_finds_the_views_that_the_rule_lets_through_in_their_order(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Globex").await);
    save(&db, other, "ada", new(ViewedList::Risks, "Elsewhere", true)).await;
    let mut all = Vec::new();
    for (number, owner) in ["ada", "bo", "cy"].into_iter().cycle().take(18).enumerate() {
        let list = ViewedList::ALL[number % 2];
        // Two of each name, in different cases.
        let name = if number < 9 { format!("view {number}") } else { format!("VIEW {}", number - 9) };
        all.push(save(&db, org, owner, new(list, &name, number % 5 == 0)).await);
    }
    all.sort_by_key(|view| (folded(&view.name), view.id));
    let lists = [vec![], vec![ViewedList::Risks], vec![ViewedList::Incidents], ViewedList::ALL.to_vec()];
    for id in ["ada", "bo", "nobody"] {
        for (readable, wanted) in lists.iter().flat_map(|one| lists.iter().map(move |other| (one, other))) {
            for shared in [None, Some(true), Some(false)] {
                let reader = reader(id, readable);
                let filter = SavedViewFilter { list: wanted.clone(), shared };
                let expected = all.iter().filter(|view| {
                    reader.sees(view)
                        && (wanted.is_empty() || wanted.contains(&view.list))
                        && shared.is_none_or(|shared| view.shared == shared)
                });
                let expected: Vec<SavedView> = expected.cloned().collect();
                assert_eq!(walk(&db, org, &reader, &filter, 2).await, expected, "{id} {filter:?}");
                assert_eq!(walk(&db, org, &reader, &filter, 50).await, expected, "{id} {filter:?}");
            }
        }
    }
}

#[both_engines]
async fn what_is_refused_changes_nothing(db: TestDb) {
    let org = db.organization("Acme").await;
    let view = save(&db, org, "ada", new(ViewedList::Risks, "Mine", false)).await;
    save(&db, org, "ada", new(ViewedList::Risks, "Other", false)).await;
    let before = head(&db, org).await;
    let not_found = Error::NotFound(ResourceKind::SavedView);
    assert_eq!(rename(&db, org, "bo", view.id, "Taken over").await.unwrap_err().0, not_found);
    let taken = Error::Conflict(ErrorCode::NameTaken);
    assert_eq!(rename(&db, org, "ada", view.id, " other").await.unwrap_err().0, taken);
    let wrong = rename(&db, org, "ada", view.id, "refused").await.unwrap_err().0;
    assert!(matches!(wrong, Error::Invalid(faults) if faults.as_slice()[0].pointer == "#/filter/x"));
    let same = rename(&db, org, "ada", view.id, "Mine").await.unwrap();
    assert_eq!(
        (same, head(&db, org).await),
        (view.clone(), before),
        "a patch without a change is not journaled"
    );
    let renamed = rename(&db, org, "ada", view.id, "MINE").await.unwrap();
    assert_eq!((renamed.version, renamed.seq_from), (2, before + 1));
}
