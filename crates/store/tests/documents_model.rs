//! Edits of several callers, against a model that knows no SQL.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;

use domain::document::{
    ChangeSet, Edit, Item, ItemKind, NewDocument, NodeType, Recorded, RecordedEdit, SelectOption,
};
use domain::{Actor, ActorKind, Author, ExpectedVersion, OrgId};
use jiff::Timestamp;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use testkit::{TestDb, both_engines};

/// Histories that are tried on each engine.
const CASES: u32 = 60;
const ITEMS: usize = 5;
const VALUES: [&str; 3] = ["", "a", "b"];

/// One call: who, and a value for each of some items.
#[derive(Debug, Clone)]
struct Call {
    caller: usize,
    values: BTreeMap<usize, usize>,
}

fn call() -> impl Strategy<Value = Call> {
    (0..3_usize, prop::collection::btree_map(0..ITEMS, 0..VALUES.len(), 1..=ITEMS))
        .prop_map(|(caller, values)| Call { caller, values })
}

/// Items in an order that is not that of their ids; every second one is a selection, two are required, some have a default.
fn items() -> Vec<Item> {
    let option = |id: &&str| SelectOption {
        id: (*id).to_owned(),
        label: "Label".to_owned(),
        text: String::new(),
        guidance: None,
        weakens: false,
    };
    (0..ITEMS)
        .map(|index| {
            let kind = match kind(index) {
                NodeType::Select => {
                    let default = default(index).map(str::to_owned);
                    ItemKind::Select { options: VALUES.iter().map(option).collect(), default }
                }
                NodeType::Text => ItemKind::Text {
                    default: default(index).unwrap_or_default().to_owned(),
                    max_length: 1,
                    multiline: false,
                    markdown: false,
                },
            };
            Item { required: index < 2, ..Item::new(&id(index), "Label", kind) }
        })
        .collect()
}

fn id(index: usize) -> String {
    format!("{}-{index}", ["z", "m", "a", "x", "c"][index])
}

fn kind(index: usize) -> NodeType {
    if index.is_multiple_of(2) { NodeType::Select } else { NodeType::Text }
}

/// The value of an item that nobody has set.
fn default(index: usize) -> Option<&'static str> {
    [Some("a"), None, None, Some("b"), Some("b")][index]
}

fn author(caller: usize) -> Author {
    let id = format!("c{caller}");
    Author::new(Actor { kind: ActorKind::Client, id: id.clone(), name: id }, "r")
}

/// The open proposal as it must be: change sets in the order of their first edit.
#[derive(Default)]
struct Model {
    change_sets: Vec<(usize, Recorded, BTreeMap<usize, RecordedEdit>)>,
    in_force: BTreeMap<usize, String>,
    updated: Option<Timestamp>,
}

impl Model {
    fn apply(&mut self, call: &Call, proposal: i64, next_change_set: i64, at: Timestamp) -> Recorded {
        let own = self.change_sets.iter().position(|set| set.0 == call.caller);
        let fresh: Vec<_> = call
            .values
            .iter()
            .map(|(item, value)| (*item, VALUES[*value].to_owned()))
            .filter(|(item, value)| {
                own.and_then(|own| self.change_sets[own].2.get(item)).is_none_or(|edit| edit.value != *value)
            })
            .collect();
        let own = own.unwrap_or_else(|| {
            let recorded =
                Recorded { change_set: next_change_set, proposal, created: at, updated_date: None };
            self.change_sets.push((call.caller, recorded, BTreeMap::new()));
            self.change_sets.len() - 1
        });
        let (_, recorded, edits) = &mut self.change_sets[own];
        if fresh.is_empty() {
            return *recorded;
        }
        self.updated = Some(at);
        if recorded.created != at {
            recorded.updated_date = Some(at);
        }
        for (item, value) in fresh {
            let previous = self.in_force.insert(item, value.clone());
            let previous = previous.or_else(|| default(item).map(str::to_owned));
            let (change_set, node_id, node_type) = (recorded.change_set, id(item), kind(item));
            let edit = RecordedEdit {
                change_set,
                node_id,
                node_type,
                value,
                previous,
                set_date: at,
                is_adopted: false,
            };
            edits.insert(item, edit);
        }
        *recorded
    }

    fn expected(&self) -> Vec<ChangeSet> {
        let change_set =
            |(caller, recorded, edits): &(usize, Recorded, BTreeMap<usize, RecordedEdit>)| ChangeSet {
                number: recorded.change_set,
                author: author(*caller).actor,
                created: recorded.created,
                updated_date: recorded.updated_date,
                edits_count: i64::try_from(edits.len()).unwrap(),
                changes_count: i64::try_from(
                    edits.iter().filter(|edit| !self.only_repeats(recorded.change_set, *edit)).count(),
                )
                .unwrap(),
                fields: Vec::new(),
            };
        self.change_sets.iter().map(change_set).collect()
    }

    /// Whether an edit has the value that was in force before it, and the default or that of another author who did not repeat it.
    fn only_repeats(&self, change_set: i64, (item, edit): (&usize, &RecordedEdit)) -> bool {
        let others = self.edits().into_iter().filter(|it| it.change_set != change_set);
        let repeats = |it: &RecordedEdit| it.previous.as_deref().unwrap_or_default() == it.value;
        let others = others.filter(|it| !repeats(it));
        let mut same = others.filter(|it| (&it.node_id, &it.value) == (&edit.node_id, &edit.value));
        let is_default = default(*item).unwrap_or_default() == edit.value;
        repeats(edit) && (is_default || same.next().is_some())
    }

    fn edits(&self) -> Vec<RecordedEdit> {
        self.change_sets.iter().flat_map(|(_, _, edits)| edits.values().cloned()).collect()
    }

    fn text_bytes(&self) -> i64 {
        i64::try_from(self.edits().iter().map(|edit| edit.value.len()).sum::<usize>()).unwrap()
    }

    fn missing(&self) -> Vec<String> {
        let value = |index: &usize| self.in_force.get(index).map(String::as_str).or(default(*index));
        let empty = |index: &usize| value(index).is_none_or(str::is_empty);
        (0..2).filter(empty).map(id).collect()
    }
}

async fn check(db: &TestDb, calls: &[Call]) -> Result<(), TestCaseError> {
    let org = db.organization("Acme").await;
    let new = NewDocument::new("policy", "Policy".into(), items());
    db.write(org, async move |tx: &mut db::Tx| {
        store::documents::create(tx, org, &testkit::author(), &new).await
    })
    .await
    .unwrap();
    let mut model = Model::default();
    for call in calls {
        db.clock.advance_seconds(60);
        let next = i64::try_from(model.change_sets.len()).unwrap() + 1;
        let expected = model.apply(call, 1, next, db.clock.now());
        prop_assert_eq!(edit(db, org, call).await, expected);
        let mut tx = db.read().await.unwrap();
        let found = store::proposals::draft(&mut tx, org, "policy", 1, None).await.unwrap().proposal;
        prop_assert_eq!(found.change_sets, model.expected());
        let edits = store::proposals::list_edits(&mut tx, org, "policy", 1, None, 1_000).await.unwrap();
        prop_assert_eq!(edits.rows, model.edits());
        let held = "SELECT text_bytes FROM proposal WHERE organization = $1";
        let held: (i64,) = tx.query_one(held, &[&org.uuid()]).await.unwrap();
        prop_assert_eq!(held.0, model.text_bytes());
        prop_assert_eq!(found.missing, model.missing());
        prop_assert_eq!(Some(found.updated_date), model.updated);
    }
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    prop_assert_eq!(report.faults, []);
    Ok(())
}

async fn edit(db: &TestDb, org: OrgId, call: &Call) -> Recorded {
    let edit = |(item, value): (&usize, &usize)| Edit {
        node_id: id(*item),
        node_type: kind(*item),
        value: VALUES[*value].to_owned(),
    };
    let edits: Vec<_> = call.values.iter().map(edit).collect();
    let who = author(call.caller);
    let work = async move |tx: &mut db::Tx| {
        store::proposals::edit(tx, org, &who, "policy", &ExpectedVersion::Any, &edits, 1_000).await
    };
    db.write(org, work).await.unwrap()
}

#[both_engines]
async fn a_proposal_is_what_its_callers_made_of_it(db: TestDb) {
    let handle = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
        TestRunner::new(config)
            .run(&prop::collection::vec(call(), 1..12), |calls| handle.block_on(check(&db, &calls)))
            .unwrap();
    });
}
