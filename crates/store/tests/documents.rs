//! Documents, and the edits that join their one open proposal, on both engines.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use domain::document::{
    DocumentWithItems, Edit, Item, ItemKind, NewDocument, NewProposalComment, NodeType, Proposal,
    ProposalPatch, Recorded, RecordedEdit, SelectOption,
};
use domain::fault::FaultCode;
use domain::{
    Actor, ActorKind, Author, Change, Error, ErrorCode, ExpectedVersion, Line, OrgId, Prose, ResourceKind,
    Role, UserId,
};
use store::documents::DocumentFilter;
use testkit::{TestDb, both_engines};

/// The most bytes of a proposal's texts, in these tests.
const MOST_BYTES: i64 = 10_000;

fn by(kind: ActorKind, id: &str) -> Author {
    let actor = Actor { kind, id: id.to_owned(), name: "not stored".to_owned() };
    Author::new(actor, "r")
}

fn client(id: &str) -> Author {
    by(ActorKind::Client, id)
}

fn items() -> Vec<Item> {
    let option = |id: &str, weakens: bool| SelectOption {
        id: id.to_owned(),
        label: format!("Option {id}"),
        text: format!("The text of {id}, \"quoted\"."),
        guidance: weakens.then(|| "Only with a reason.".to_owned()),
        weakens,
    };
    let mfa = ItemKind::Select {
        options: vec![option("all", false), option("admins", true)],
        default: Some("all".to_owned()),
    };
    let contact = ItemKind::Text { default: String::new(), max_length: 5, multiline: true, markdown: true };
    let remark =
        ItemKind::Text { default: "None.".to_owned(), max_length: 2_000, multiline: false, markdown: false };
    let item = |id: &str, kind, required: bool| Item {
        guidance: required.then(|| "Think.".to_owned()),
        required,
        material: required,
        controls: vec!["A.5.15".into(), "A.8.5".into()],
        ..Item::new(id, &format!("Label of {id}"), kind)
    };
    vec![item("mfa", mfa, true), item("contact", contact, true), item("a-remark", remark, false)]
}

fn new(slug: &str, owner: Option<UserId>) -> NewDocument {
    NewDocument {
        description: "Who may enter.".into(),
        owner,
        reference: Some(Line::stored(format!("REF-{slug}"))),
        audience: "Everyone".into(),
        template: Some("# Rule\n\n{{mfa}} {{contact}}\n".into()),
        ..NewDocument::new(slug, "Access control".into(), items())
    }
}

fn set(node_id: &str, value: &str) -> Edit {
    let node_type = if node_id == "mfa" { NodeType::Select } else { NodeType::Text };
    Edit { node_id: node_id.to_owned(), node_type, value: value.to_owned() }
}

async fn create(db: &TestDb, org: OrgId, new: NewDocument) -> Result<DocumentWithItems, Error> {
    let made = db
        .write(org, async move |tx: &mut db::Tx| {
            store::documents::create(tx, org, &testkit::author(), &new).await
        })
        .await;
    made.map_err(|error| error.0)
}

async fn get(db: &TestDb, org: OrgId, slug: &str) -> Result<DocumentWithItems, Error> {
    store::documents::get(&mut db.read().await.unwrap(), org, slug).await.map_err(|error| error.0)
}

async fn edit(db: &TestDb, org: OrgId, who: &Author, slug: &str, edits: &[Edit]) -> Result<Recorded, Error> {
    let (who, slug, edits) = (who.clone(), slug.to_owned(), edits.to_vec());
    let recorded = db
        .write(org, async move |tx: &mut db::Tx| {
            store::proposals::edit(tx, org, &who, &slug, &ExpectedVersion::Any, &edits, MOST_BYTES).await
        })
        .await;
    recorded.map_err(|error| error.0)
}

async fn proposal(db: &TestDb, org: OrgId, slug: &str, number: i64) -> Result<Proposal, Error> {
    let draft = store::proposals::draft(&mut db.read().await.unwrap(), org, slug, number, None).await;
    draft.map(|draft| draft.proposal).map_err(|error| error.0)
}

/// The edits of a proposal, with the number of their change set.
async fn edits(db: &TestDb, org: OrgId, slug: &str, number: i64) -> Vec<RecordedEdit> {
    let mut tx = db.read().await.unwrap();
    let page = store::proposals::list_edits(&mut tx, org, slug, number, None, 100).await.unwrap();
    page.rows
}

async fn journal(db: &TestDb, org: OrgId) -> Vec<(String, String, String)> {
    let mut tx = db.read().await.unwrap();
    let entries = store::journal::list(&mut tx, org, 0, 1_000).await.unwrap();
    entries
        .into_iter()
        .map(|entry| {
            (entry.kind, format!("{}/{}", entry.subject_kind, entry.subject_id), entry.payload.unwrap())
        })
        .collect()
}

async fn kinds(db: &TestDb, org: OrgId) -> Vec<String> {
    journal(db, org).await.into_iter().map(|entry| entry.0).collect()
}

/// An organization with the document `access-control`.
async fn with_document(db: &TestDb) -> OrgId {
    let org = db.organization("Acme").await;
    create(db, org, new("access-control", None)).await.unwrap();
    org
}

fn faults(error: Error) -> Vec<(String, FaultCode)> {
    let Error::Invalid(faults) = error else { panic!("{error:?}") };
    faults.into_iter().map(|fault| (fault.pointer, fault.code)).collect()
}

#[both_engines]
async fn a_document_is_read_back_as_it_was_made(db: TestDb) {
    let org = db.organization("Acme").await;
    let ada = db.user(org, "Ada", "ada@example.org", Role::Owner).await;
    let made = create(&db, org, new("access-control", Some(ada))).await.unwrap();
    assert_eq!(made.document.owner.as_ref().map(|owner| owner.name.as_str()), Some("Ada"));
    assert_eq!(made.items.iter().map(|placed| placed.item.clone()).collect::<Vec<_>>(), items());
    assert!(made.items.iter().all(|placed| placed.value.is_none()));
    assert_eq!((made.document.version, made.document.published_version), (1, None));
    assert_eq!(get(&db, org, "access-control").await.unwrap(), made);
    let entries = journal(&db, org).await;
    let (kind, subject, payload) = entries.last().unwrap();
    assert_eq!((kind.as_str(), subject.as_str()), ("document.created", "document/access-control"));
    let payload: serde_json::Value = serde_json::from_str(payload).unwrap();
    assert_eq!(payload["title"], serde_json::json!([null, "Access control"]));
    assert_eq!(payload["owner"], serde_json::json!([null, ada.to_string()]));
    assert_eq!(payload["items"][1][0]["options"][1]["weakens"], true);
    assert_eq!(payload["items"][1][1]["max_length"], 5);
}

#[both_engines]
async fn a_slug_is_taken_once_in_an_organization(db: TestDb) {
    let org = with_document(&db).await;
    let before = kinds(&db, org).await;
    let again = create(&db, org, new("access-control", None)).await;
    assert!(matches!(again, Err(Error::Conflict(ErrorCode::SlugTaken))), "{again:?}");
    assert_eq!(kinds(&db, org).await, before);
    let other = db.organization("Other").await;
    create(&db, other, new("access-control", None)).await.unwrap();
}

#[both_engines]
async fn an_owner_is_a_member(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    let outsider = db.user(other, "Bo", "bo@example.org", Role::Owner).await;
    let refused = create(&db, org, new("access-control", Some(outsider))).await.unwrap_err();
    assert_eq!(faults(refused), [("#/owner".to_owned(), FaultCode::UnknownUser)]);
    assert_eq!(kinds(&db, org).await, Vec::<String>::new());
}

#[both_engines]
async fn documents_are_listed_by_slug_in_pages(db: TestDb) {
    let org = db.organization("Acme").await;
    let other = db.organization("Other").await;
    create(&db, other, new("foreign", None)).await.unwrap();
    for slug in ["b", "a-z", "a", "a0", "c"] {
        create(&db, org, new(slug, None)).await.unwrap();
    }
    edit(&db, org, &client("c1"), "a0", &[set("mfa", "all")]).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let (mut slugs, mut after) = (Vec::new(), None::<String>);
    loop {
        let statements = db.statements();
        let page = store::documents::list(&mut tx, org, &DocumentFilter::default(), after.as_deref(), 2)
            .await
            .unwrap();
        assert_eq!(db.statements() - statements, 2, "with the tags; no version is in force");
        after = page.rows.last().map(|document| document.slug.clone());
        slugs.extend(page.rows.into_iter().map(|document| (document.slug, document.open_proposal)));
        if !page.has_more {
            break;
        }
    }
    let slugs: Vec<_> = slugs.iter().map(|(slug, open)| (slug.as_str(), *open)).collect();
    assert_eq!(slugs, [("a", None), ("a-z", None), ("a0", Some(1)), ("b", None), ("c", None)]);
}

#[both_engines]
async fn the_first_edit_opens_the_proposal_and_later_ones_join_it(db: TestDb) {
    let org = with_document(&db).await;
    let first = edit(&db, org, &client("c1"), "access-control", &[set("mfa", "all")]).await.unwrap();
    assert_eq!((first.proposal, first.change_set, first.updated_date), (1, 1, None));
    db.clock.advance_seconds(60);
    let other = edit(&db, org, &client("c2"), "access-control", &[set("contact", "Bo")]).await.unwrap();
    assert_eq!((other.proposal, other.change_set, other.updated_date), (1, 2, None));
    // A person may have the same id as a client: the kind tells them apart.
    let user = edit(&db, org, &by(ActorKind::User, "c1"), "access-control", &[set("mfa", "admins")]).await;
    assert_eq!(user.unwrap().change_set, 3);
    db.clock.advance_seconds(60);
    let again = edit(&db, org, &client("c1"), "access-control", &[set("contact", "Ada")]).await.unwrap();
    assert_eq!((again.proposal, again.change_set, again.created), (1, 1, first.created));
    assert_eq!(again.updated_date, Some(db.clock.now()));
    let document = get(&db, org, "access-control").await.unwrap();
    assert_eq!(document.document.open_proposal, Some(1));
    assert!(document.items.iter().all(|placed| placed.value.is_none()), "nothing is published");
    let kinds = kinds(&db, org).await;
    let edited = "document.edited";
    assert_eq!(kinds, ["document.created", "proposal.opened", edited, edited, edited, edited]);
}

#[both_engines]
async fn a_proposal_shows_who_set_what_in_the_order_of_the_text(db: TestDb) {
    let org = with_document(&db).await;
    let ada = db.user(org, "Ada", "ada@example.org", Role::Owner).await;
    let ada = by(ActorKind::User, &ada.to_string());
    db.clock.advance_seconds(60);
    let (slug, start) = ("access-control", db.clock.now());
    edit(&db, org, &ada, slug, &[set("a-remark", "x"), set("mfa", "admins")]).await.unwrap();
    let empty = proposal(&db, org, slug, 1).await.unwrap();
    assert_eq!(empty.missing, ["contact"]);
    db.clock.advance_seconds(60);
    edit(&db, org, &client("c1"), slug, &[set("contact", "éàüöß"), set("mfa", "all")]).await.unwrap();
    let statements = db.statements();
    let found = proposal(&db, org, slug, 1).await.unwrap();
    assert_eq!(db.statements() - statements, 7);
    assert_eq!((found.number, found.document.as_str(), found.status.as_str()), (1, slug, "open"));
    assert_eq!((found.created_date, found.updated_date), (start, db.clock.now()));
    assert_eq!(found.missing, Vec::<String>::new());
    let [first, second] = found.change_sets.as_slice() else { panic!("{found:?}") };
    assert_eq!((first.number, first.author.kind, first.author.name.as_str()), (1, ActorKind::User, "Ada"));
    assert_eq!((second.number, second.author.id.as_str(), second.updated_date), (2, "c1", None));
    assert_eq!((first.edits_count, second.edits_count), (2, 2));
    let found = edits(&db, org, slug, 1).await.into_iter().map(|edit| {
        (edit.change_set, edit.node_id, edit.value, edit.previous.unwrap_or_else(|| "-".to_owned()))
    });
    let row = |set, id: &str, value: &str, previous: &str| (set, id.into(), value.into(), previous.into());
    // Both selections of the same item stay visible.
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            row(1, "mfa", "admins", "all"),
            row(1, "a-remark", "x", "None."),
            row(2, "mfa", "all", "admins"),
            row(2, "contact", "éàüöß", "-"),
        ]
    );
    // The later one wins: an empty text is no value.
    edit(&db, org, &ada, slug, &[set("contact", "")]).await.unwrap();
    assert_eq!(proposal(&db, org, slug, 1).await.unwrap().missing, ["contact"]);
}

#[both_engines]
async fn equal_values_record_nothing(db: TestDb) {
    let org = with_document(&db).await;
    let (slug, c1) = ("access-control", client("c1"));
    let edits = [set("mfa", "all"), set("contact", "Ada")];
    let first = edit(&db, org, &c1, slug, &edits).await.unwrap();
    let (entries, before) = (kinds(&db, org).await, proposal(&db, org, slug, 1).await.unwrap());
    db.clock.advance_seconds(60);
    assert_eq!(edit(&db, org, &c1, slug, &edits).await.unwrap(), first);
    assert_eq!(edit(&db, org, &c1, slug, &edits[1..]).await.unwrap(), first);
    assert_eq!(proposal(&db, org, slug, 1).await.unwrap(), before);
    assert_eq!(kinds(&db, org).await, entries);
    // One of two is new: only it is set, and told.
    let changed = edit(&db, org, &c1, slug, &[set("mfa", "all"), set("contact", "Bo")]).await.unwrap();
    assert_eq!(changed.updated_date, Some(db.clock.now()));
    let found = self::edits(&db, org, slug, 1).await;
    let dates: Vec<_> = found.iter().map(|edit| edit.set_date).collect();
    assert_eq!(dates, [first.created, db.clock.now()]);
    assert_eq!(found[1].previous.as_deref(), Some("Ada"));
    let (kind, subject, payload) = journal(&db, org).await.pop().unwrap();
    assert_eq!((kind.as_str(), subject.as_str()), ("document.edited", "document/access-control"));
    assert_eq!(payload, r#"{"change_sets/1/items/contact":["Ada","Bo"]}"#);
    // The value that another caller has set is new for this one.
    let other = edit(&db, org, &client("c2"), slug, &[set("contact", "Bo")]).await.unwrap();
    assert_eq!(other.change_set, 2);
    let payload = journal(&db, org).await.pop().unwrap().2;
    assert_eq!(payload, r#"{"change_sets/2/proposal":[null,1],"change_sets/2/items/contact":[null,"Bo"]}"#);
}

#[both_engines]
async fn all_edits_are_valid_or_none_is_recorded(db: TestDb) {
    let org = with_document(&db).await;
    let wrong_kind = Edit { node_type: NodeType::Text, ..set("mfa", "all") };
    let edits = [
        set("contact", "Ada"),
        set("gone", "x"),
        set("mfa", "nobody"),
        set("contact", "123456"),
        wrong_kind,
        set("a-remark", "fine"),
    ];
    let refused = edit(&db, org, &client("c1"), "access-control", &edits).await.unwrap_err();
    let mut found = faults(refused);
    found.sort();
    let fault = |pointer: &str, code| (pointer.to_owned(), code);
    assert_eq!(
        found,
        [
            fault("#/1/node_id", FaultCode::UnknownItem),
            fault("#/2/value", FaultCode::UnknownOption),
            fault("#/3/node_id", FaultCode::Duplicate),
            fault("#/3/value", FaultCode::TooLong),
            fault("#/4/node_id", FaultCode::Duplicate),
            fault("#/4/node_type", FaultCode::KindMismatch),
        ]
    );
    assert_eq!(get(&db, org, "access-control").await.unwrap().document.open_proposal, None);
    assert_eq!(kinds(&db, org).await, ["document.created"]);
}

#[both_engines]
async fn an_archived_document_is_not_edited(db: TestDb) {
    let org = with_document(&db).await;
    db.write(org, async move |tx: &mut db::Tx| -> db::Result<u64> {
        let sql = "UPDATE document SET status = 'archived' WHERE organization = $1";
        tx.execute(sql, &[&org.uuid()]).await
    })
    .await
    .unwrap();
    let refused = edit(&db, org, &client("c1"), "access-control", &[set("mfa", "all")]).await;
    assert!(matches!(refused, Err(Error::Conflict(ErrorCode::DocumentArchived))), "{refused:?}");
    // What is wrong with the edits is told first.
    let refused = edit(&db, org, &client("c1"), "access-control", &[set("mfa", "nobody")]).await;
    assert_eq!(faults(refused.unwrap_err()), [("#/0/value".to_owned(), FaultCode::UnknownOption)]);
    assert_eq!(kinds(&db, org).await, ["document.created"]);
}

#[both_engines]
async fn nothing_crosses_an_organization(db: TestDb) {
    let org = with_document(&db).await;
    edit(&db, org, &client("c1"), "access-control", &[set("mfa", "all")]).await.unwrap();
    let other = db.organization("Other").await;
    let document = Error::NotFound(ResourceKind::Document);
    assert_eq!(get(&db, other, "access-control").await.unwrap_err(), document);
    assert_eq!(proposal(&db, other, "access-control", 1).await.unwrap_err(), document);
    let refused = edit(&db, other, &client("c1"), "access-control", &[set("mfa", "all")]).await;
    assert_eq!(refused.unwrap_err(), document);
    let mut tx = db.read().await.unwrap();
    assert_eq!(
        store::documents::list(&mut tx, other, &DocumentFilter::default(), None, 50).await.unwrap().rows,
        []
    );
    drop(tx);
    // Nor does a proposal cross a document, and numbers count per organization.
    create(&db, org, new("second", None)).await.unwrap();
    assert_eq!(proposal(&db, org, "second", 1).await.unwrap_err(), Error::NotFound(ResourceKind::Proposal));
    create(&db, other, new("access-control", None)).await.unwrap();
    let theirs = edit(&db, other, &client("c1"), "access-control", &[set("mfa", "admins")]).await.unwrap();
    assert_eq!((theirs.proposal, theirs.change_set), (1, 1));
    let ours = edit(&db, org, &client("c1"), "second", &[set("mfa", "admins")]).await.unwrap();
    assert_eq!((ours.proposal, ours.change_set), (2, 2));
    assert_eq!(edits(&db, org, "access-control", 1).await[0].value, "all");
}

#[both_engines]
async fn parallel_edits_open_one_proposal_and_one_change_set_each(db: TestDb) {
    let org = with_document(&db).await;
    let second = db.second(2).await;
    let mut tasks = Vec::new();
    for call in 0..24_usize {
        let handle = if call % 2 == 0 { db.db() } else { second.clone() };
        let who = client(&format!("c{}", call % 6));
        tasks.push(tokio::spawn(async move {
            let edits = [set("a-remark", &format!("call {call}"))];
            let write = async move |tx: &mut db::Tx| {
                let any = ExpectedVersion::Any;
                store::proposals::edit(tx, org, &who, "access-control", &any, &edits, MOST_BYTES).await
            };
            handle.write(org, write).await.map(|recorded| (call % 6, recorded))
        }));
    }
    let mut change_sets = std::collections::HashMap::new();
    for task in tasks {
        let (caller, recorded) = task.await.unwrap().unwrap();
        assert_eq!(recorded.proposal, 1);
        assert_eq!(*change_sets.entry(caller).or_insert(recorded.change_set), recorded.change_set);
    }
    let mut numbers: Vec<_> = change_sets.into_values().collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    let kinds = kinds(&db, org).await;
    assert_eq!(kinds.iter().filter(|kind| *kind == "proposal.opened").count(), 1);
    assert_eq!(kinds.iter().filter(|kind| *kind == "document.edited").count(), 24);
}

#[both_engines]
async fn the_journal_agrees_with_documents_until_one_is_changed_behind_it(db: TestDb) {
    let org = with_document(&db).await;
    edit(&db, org, &client("c1"), "access-control", &[set("mfa", "all")]).await.unwrap();
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    assert_eq!((report.faults.as_slice(), report.entries), ([].as_slice(), 3));
    assert!(report.records >= 1);
    db.write(org, async move |tx: &mut db::Tx| -> db::Result<u64> {
        let sql = "UPDATE document_item SET label = 'Another' WHERE organization = $1 AND id = 'contact'";
        tx.execute(sql, &[&org.uuid()]).await?;
        let sql = "UPDATE change_set_edit SET value = 'admins' WHERE organization = $1";
        tx.execute(sql, &[&org.uuid()]).await
    })
    .await
    .unwrap();
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    // The item, the edit, and the length of its text.
    assert_eq!(report.faults.len(), 3, "{report:?}");
}

#[both_engines]
async fn a_number_beyond_32_bits_is_not_handed_out(db: TestDb) {
    let org = with_document(&db).await;
    let last = i64::from(i32::MAX);
    let sql =
        format!("UPDATE organization_head SET counters = '0 0 {last} 0 0 0 0 0' WHERE organization = $1");
    db.write_instance(async move |tx: &mut db::Tx| -> db::Result<u64> {
        tx.execute(&sql, &[&org.uuid()]).await
    })
    .await
    .unwrap();
    let refused = edit(&db, org, &client("c1"), "access-control", &[set("mfa", "all")]).await;
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    assert_eq!(get(&db, org, "access-control").await.unwrap().document.open_proposal, None);
}

#[both_engines]
async fn no_change_of_a_proposal_lets_an_item_print_too_much(db: TestDb) {
    let org = with_document(&db).await;
    let slug = "access-control";
    let template = |text: String| ProposalPatch {
        template: Change::Set(Prose::stored(&text)),
        ..ProposalPatch::default()
    };
    let [often, once] = ["{{a-remark}}".repeat(100), "{{a-remark}}".to_owned()].map(template);
    let recorded = edit(&db, org, &client("c1"), slug, &[set("a-remark", &"x".repeat(1_999))]).await.unwrap();
    let change = async |patch: &ProposalPatch| {
        let (patch, number) = (patch.clone(), recorded.proposal);
        db.write(org, async move |tx: &mut db::Tx| {
            let any = ExpectedVersion::Any;
            store::proposals::change(tx, org, &client("c2"), (slug, number), &any, &patch).await
        })
        .await
    };
    let refused = change(&often).await.unwrap_err().0;
    assert_eq!(faults(refused), [("#/template".to_owned(), FaultCode::TooLong)]);
    change(&once).await.unwrap();
    edit(&db, org, &client("c1"), slug, &[set("a-remark", "x")]).await.unwrap();
    change(&often).await.unwrap();
    let refused =
        edit(&db, org, &client("c1"), slug, &[set("a-remark", &"x".repeat(1_999))]).await.unwrap_err();
    assert_eq!(faults(refused), [("#/0/value".to_owned(), FaultCode::TooLong)]);
}

#[both_engines]
async fn a_proposal_holds_so_much_text_and_may_always_shrink(db: TestDb) {
    let org = with_document(&db).await;
    let slug = "access-control";
    let remark = |bytes: usize| [set("a-remark", &"x".repeat(bytes))];
    for n in 0..5 {
        edit(&db, org, &client(&format!("c{n}")), slug, &remark(1_999)).await.unwrap();
    }
    assert_eq!(kinds(&db, org).await.len(), 7);
    // 9,995 bytes so far.
    edit(&db, org, &client("c5"), slug, &[set("contact", "12345")]).await.unwrap();
    let refused = edit(&db, org, &client("c6"), slug, &[set("contact", "1")]).await.unwrap_err();
    assert_eq!(faults(refused), [("#".to_owned(), FaultCode::ProposalTooLarge)]);
    assert_eq!(kinds(&db, org).await.len(), 8, "nothing was recorded");
    edit(&db, org, &client("c0"), slug, &remark(1_998)).await.unwrap();
    edit(&db, org, &client("c6"), slug, &[set("contact", "1")]).await.unwrap();
    edit(&db, org, &client("c6"), slug, &[set("contact", "2")]).await.unwrap();
    edit(&db, org, &client("c0"), slug, &[set("contact", "")]).await.unwrap();
}

/// An edit reads only the items it names, however much others have written.
#[both_engines]
async fn an_edit_costs_the_same_in_a_large_proposal(db: TestDb) {
    let org = with_document(&db).await;
    let slug = "access-control";
    let cost = async |value: &str| {
        let before = db.statements();
        edit(&db, org, &client("c0"), slug, &[set("contact", value)]).await.unwrap();
        db.statements() - before
    };
    cost("1").await;
    let alone = cost("2").await;
    for n in 1..40 {
        let who = client(&format!("c{n}"));
        edit(&db, org, &who, slug, &[set("a-remark", &"x".repeat(240)), set("mfa", "all")]).await.unwrap();
    }
    assert_eq!(cost("3").await, alone);
    assert_eq!(proposal(&db, org, slug, 1).await.unwrap().change_sets.len(), 40);
    let mut tx = db.read().await.unwrap();
    let first = store::proposals::list_edits(&mut tx, org, slug, 1, None, 3).await.unwrap();
    assert!(first.has_more);
    let after = first.rows.last().map(|edit| (edit.change_set, edit.node_id.clone()));
    let rest = store::proposals::list_edits(&mut tx, org, slug, 1, after, 1_000).await.unwrap();
    assert_eq!(rest.rows.len(), 79 - 3);
    assert_eq!(store::proposals::count_edits(&mut tx, org, 1).await.unwrap(), 79);
}

/// More links than one write may remove say that the document is relied on.
#[both_engines]
async fn a_draft_to_which_thousands_of_links_lead_is_kept(db: TestDb) {
    const MOST: u64 = 12_288;
    let org = with_document(&db).await;
    let sql = format!(
        "INSERT INTO incident_link (organization, incident, number, kind, to_document, created_date,
             created_by_kind, created_by_id, seq_from, seq)
         WITH RECURSIVE made(place) AS (SELECT 1 UNION ALL SELECT place + 1 FROM made WHERE place <= {MOST})
         SELECT organization, place, 1, 'related', slug, created_date, 'operator', 'test', 1, 1
         FROM document, made WHERE slug = 'access-control'"
    );
    let work = async move |tx: &mut db::Tx| tx.execute(&sql, &[]).await;
    assert_eq!(db.write(org, work).await.unwrap(), MOST + 1);
    let delete = async |db: &TestDb| {
        let deleted = db.write(org, async move |tx: &mut db::Tx| {
            let any = ExpectedVersion::Any;
            store::draft_removal::delete(tx, org, &testkit::author(), "access-control", &any).await
        });
        deleted.await.map_err(|error: store::Error| error.0)
    };
    assert_eq!(delete(&db).await.unwrap_err(), Error::Conflict(ErrorCode::DocumentWorkedOn));
    assert!(get(&db, org, "access-control").await.is_ok());
    let one =
        async move |tx: &mut db::Tx| tx.execute("DELETE FROM incident_link WHERE incident = 1", &[]).await;
    assert_eq!(db.write(org, one).await.unwrap(), 1);
    delete(&db).await.unwrap();
    let sql = "SELECT count(*) FROM incident_link WHERE removed_date IS NULL";
    let (left,): (i64,) = db.read().await.unwrap().query_one(sql, &[]).await.unwrap();
    assert_eq!(left, 0);
}

#[both_engines]
async fn a_draft_that_is_deleted_leaves_entries_and_nothing_else(db: TestDb) {
    let org = with_document(&db).await;
    create(&db, org, new("other", None)).await.unwrap();
    edit(&db, org, &testkit::author(), "access-control", &[set("mfa", "all")]).await.unwrap();
    edit(&db, org, &client("c2"), "other", &[set("mfa", "all")]).await.unwrap();
    let ada = db.user(org, "Ada", "ada@example.org", Role::Viewer).await;
    let work = async move |tx: &mut db::Tx| {
        for (slug, number) in [("access-control", 1), ("other", 2)] {
            let comment =
                NewProposalComment { reply_to: None, node_id: None, text: "Why?".into(), suggestion: None };
            store::proposals::comment(tx, org, &testkit::author(), (slug, number), &comment).await?;
            store::proposals::see(tx, org, ada, number, "All.").await?;
        }
        let sql = "INSERT INTO proposal_approval
                (organization, proposal, number, steps, by_kind, by_id, at, sha256, is_void)
            SELECT organization, number, 1, '1', 'operator', 'test', created_date, 'x', (1 = 1)
            FROM proposal WHERE number = 1";
        assert_eq!(tx.execute(sql, &[]).await?, 1);
        Ok::<_, store::Error>(())
    };
    db.write(org, work).await.unwrap();
    let delete = async |db: &TestDb| {
        let deleted = db.write(org, async move |tx: &mut db::Tx| {
            let any = ExpectedVersion::Any;
            store::draft_removal::delete(tx, org, &testkit::author(), "access-control", &any).await
        });
        deleted.await.map_err(|error: store::Error| error.0)
    };
    delete(&db).await.unwrap();
    assert_eq!(delete(&db).await.unwrap_err(), Error::NotFound(ResourceKind::Document));
    let mut tx = db.read().await.unwrap();
    let tables = [
        ("proposal", 1),
        ("proposal_approval", 0),
        ("proposal_comment", 1),
        ("proposal_seen", 1),
        ("change_set", 1),
        ("change_set_edit", 1),
        ("document", 1),
        ("document_item", 3),
    ];
    for (table, left) in tables {
        let (rows,): (i64,) = tx.query_one(&format!("SELECT count(*) FROM {table}"), &[]).await.unwrap();
        assert_eq!(rows, left, "{table}: those of the other document");
    }
    assert_eq!(store::verify::verify(&mut tx, org, None).await.unwrap().faults, []);
    drop(tx);
    // Its row is another record that is held against the entries since then.
    create(&db, org, new("access-control", None)).await.unwrap();
    let sql = "UPDATE document SET title = 'Another' WHERE organization = $1 AND slug = 'access-control'";
    assert_eq!(store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap().faults, []);
    let changed: db::Result<u64> =
        db.write(org, async move |tx: &mut db::Tx| tx.execute(sql, &[&org.uuid()]).await).await;
    changed.unwrap();
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    assert_eq!(report.faults.len(), 1, "{report:?}");
}
