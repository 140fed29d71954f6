//! What is done to a document and its exceptions, each in one write.

use db::Tx;
use domain::accepting::{FourEyesWaiver, Revocation};
use domain::decision::{Recorded, Verdict};
use domain::document::{
    Archiving, Day, DocumentStatus, Edit, Item, ItemKind, NewDocument, NodeType, ProposalOpening,
    ProposalPatch, ProposalStep, RecordedDecision, Sha256, Submission,
};
use domain::exception::{ExceptionDecision, NewException};
use domain::{Actor, ActorKind, Author, Error, ExpectedVersion, OrgId, Permissions, Role, Scopes, UserId};
use jiff::Timestamp;
use proptest::option::weighted;
use proptest::prelude::*;
use store::{archiving, documents, exceptions, proposals};
use testkit::{TestDb, author};

use super::model::Printed;

const ANY: ExpectedVersion = ExpectedVersion::Any;
pub(super) const SLUG: &str = "policy";
pub(super) const ITEMS: [&str; 2] = ["contact", "other"];
const VALUES: [&str; 2] = ["Ada", "Ben"];

#[derive(Debug, Clone)]
pub(super) enum Act {
    /// A version that prints this.
    Publish(Printed),
    /// The document is archived, or in use again.
    Status {
        is_archived: bool,
    },
    /// About an item or all of it, for so many days.
    Ask {
        item: Option<usize>,
        days: i64,
        replaces: Option<i64>,
    },
    Decide {
        number: i64,
        verdict: Verdict,
        is_asker: bool,
        is_latest: bool,
        is_recorded: bool,
    },
    Waive {
        number: i64,
    },
    Withdraw {
        number: i64,
    },
    Revoke {
        number: i64,
    },
    Wait {
        days: i64,
    },
}

impl Act {
    /// The same with the number of an exception in place of how many there are from it on, of so many.
    pub(super) fn of(mut self, count: usize) -> Self {
        let count = i64::try_from(count).unwrap();
        match &mut self {
            Self::Ask { replaces: Some(number), .. }
            | Self::Decide { number, .. }
            | Self::Waive { number }
            | Self::Withdraw { number }
            | Self::Revoke { number } => *number = count + 1 - *number,
            _ => {}
        }
        self
    }
}

/// Who asks, and who decides.
#[derive(Debug, Clone, Copy)]
pub(super) struct People {
    asker: UserId,
    decider: UserId,
}

pub(super) fn act() -> impl Strategy<Value = Act> {
    let value = || (0..VALUES.len()).prop_map(Some);
    let printed = prop_oneof![
        4 => (value(), value()).prop_map(|(contact, other)| [contact, other]),
        1 => value().prop_map(|contact| [contact, None]),
        1 => value().prop_map(|other| [None, other]),
    ];
    let number = || 1..5_i64;
    let decision = (
        number(),
        proptest::bool::weighted(0.85),
        proptest::bool::weighted(0.1),
        proptest::bool::weighted(0.9),
        proptest::bool::weighted(0.3),
    );
    prop_oneof![
        2 => printed.prop_map(Act::Publish),
        2 => proptest::bool::weighted(0.25).prop_map(|is_archived| Act::Status { is_archived }),
        5 => (weighted(0.8, 0..ITEMS.len()), 0..60_i64, weighted(0.6, number()))
            .prop_map(|(item, days, replaces)| Act::Ask { item, days, replaces }),
        12 => decision.prop_map(|(number, accepts, is_asker, is_latest, is_recorded)| {
            let verdict = if accepts { Verdict::Accepted } else { Verdict::Refused };
            Act::Decide { number, verdict, is_asker, is_latest, is_recorded }
        }),
        1 => number().prop_map(|number| Act::Waive { number }),
        1 => number().prop_map(|number| Act::Withdraw { number }),
        1 => number().prop_map(|number| Act::Revoke { number }),
        1 => (1..40_i64).prop_map(|days| Act::Wait { days }),
    ]
}

fn person(id: UserId) -> Author {
    let actor = Actor { kind: ActorKind::User, id: id.to_string(), name: "A".to_owned() };
    Author::new(actor, "r").with(Permissions::new(Scopes::all()))
}

fn item(id: &str) -> Item {
    let kind = ItemKind::Text { default: String::new(), max_length: 10, multiline: false, markdown: false };
    Item::new(id, "Label", kind)
}

/// An organization whose policy prints the first value for both items.
pub(super) async fn begin(db: &TestDb, case: i64) -> (OrgId, People) {
    let org = db.organization(&format!("Acme {case}")).await;
    let asker = db.user(org, "Ada", &format!("ada{case}@x.org"), Role::Owner).await;
    let decider = db.user(org, "Ben", &format!("ben{case}@x.org"), Role::Admin).await;
    let people = People { asker, decider };
    let create = async move |tx: &mut Tx| {
        let new = NewDocument::new(SLUG, "Policy".into(), ITEMS.iter().map(|id| item(id)).collect());
        documents::create(tx, org, &author(), &new).await
    };
    db.write(org, create).await.unwrap();
    let version = run(db, org, people, &Act::Publish([Some(0), Some(0)])).await.unwrap();
    assert_eq!(version, Some(1));
    (org, people)
}

/// Does it in one write; the version that is published then. It may be refused, but does not fail.
pub(super) async fn run(db: &TestDb, org: OrgId, people: People, act: &Act) -> store::Result<Option<i64>> {
    if let Act::Wait { days } = act {
        db.clock.advance_days(*days);
    }
    let (act, now) = (act.clone(), db.clock.now());
    let write = async move |tx: &mut Tx| {
        within(tx, org, people, &act, now).await?;
        Ok(documents::get(tx, org, SLUG).await?.document.published_version)
    };
    let done = db.write(org, write).await;
    assert!(!matches!(done, Err(store::Error(Error::Internal(_)))), "{done:?}");
    done
}

async fn within(tx: &mut Tx, org: OrgId, people: People, act: &Act, now: Timestamp) -> store::Result<()> {
    let (asker, decider) = (person(people.asker), person(people.decider));
    match act {
        Act::Publish(printed) => publish(tx, org, &decider, printed).await,
        Act::Status { is_archived } => {
            let status = documents::get(tx, org, SLUG).await?.document.status;
            if (status == DocumentStatus::Archived) == *is_archived {
                return Ok(());
            }
            if !is_archived {
                return archiving::restore(tx, org, &author(), SLUG, &ANY).await.map(drop);
            }
            let archiving = Archiving { reason: None };
            archiving::archive(tx, org, &author(), SLUG, &ANY, &archiving).await.map(drop)
        }
        Act::Ask { item, days, replaces } => {
            let new = NewException {
                node_id: item.map(|place| ITEMS[place].to_owned()),
                title: "The night shift".into(),
                reason: "Nobody is there".into(),
                plan: "A pager".into(),
                until: Day::of(now).later(*days).unwrap(),
                risk: None,
                replaces: *replaces,
            };
            exceptions::ask(tx, org, &asker, SLUG, &new).await.map(drop)
        }
        Act::Decide { number, verdict, is_asker, is_latest, is_recorded } => {
            let latest = documents::get(tx, org, SLUG).await?.document.published_version.unwrap_or(0);
            let document_version = if *is_latest { latest } else { latest + 1 };
            let decision = ExceptionDecision { decision: *verdict, note: None, document_version };
            let by = if *is_asker { &asker } else { &decider };
            let recorded = is_recorded.then(|| Recorded {
                decided_by: "The board".into(),
                decided_date: Day::of(now),
                minutes: "4/2026".into(),
            });
            let recorded = recorded.as_ref();
            exceptions::decide(tx, org, by, (SLUG, *number), &decision, recorded).await.map(drop)
        }
        Act::Waive { number } => {
            let waiver = FourEyesWaiver { reason: "Few people".into() };
            exceptions::waive_four_eyes(tx, org, &decider, (SLUG, *number), &waiver).await.map(drop)
        }
        Act::Withdraw { number } => exceptions::withdraw(tx, org, &asker, (SLUG, *number)).await.map(drop),
        Act::Revoke { number } => {
            let reason = Revocation { reason: "The pager is here".into() };
            exceptions::revoke(tx, org, &decider, (SLUG, *number), &reason).await.map(drop)
        }
        Act::Wait { .. } => Ok(()),
    }
}

/// Publishes a version that has the items that print something.
async fn publish(tx: &mut Tx, org: OrgId, approver: &Author, printed: &Printed) -> store::Result<()> {
    let number = proposals::open(tx, org, &author(), SLUG, ProposalOpening::default()).await?.number;
    let which = (SLUG, number);
    let values = ITEMS.iter().zip(printed).filter_map(|(id, value)| Some((*id, VALUES[(*value)?])));
    let items = values.clone().map(|(id, _)| item(id)).collect();
    let patch = ProposalPatch { items: Some(items), ..ProposalPatch::default() };
    proposals::change(tx, org, &author(), which, &ANY, &patch).await?;
    let edit = |(id, value): (&str, &str)| Edit {
        node_id: id.to_owned(),
        node_type: NodeType::Text,
        value: value.to_owned(),
    };
    let edits: Vec<Edit> = values.map(edit).collect();
    proposals::edit(tx, org, &author(), SLUG, &ANY, &edits, 1_000).await?;
    let submission = Submission { summary: "Another one".into(), material: None, effective_date: None };
    let submit = ProposalStep::Submit(submission);
    let submitted = proposals::step(tx, org, &author(), which, &ANY, (None, str::to_owned), &submit).await?;
    let decision = RecordedDecision {
        sha256: Sha256::stored(submitted.sha256.unwrap()),
        decided_by: "The board".into(),
        decided_date: Day::of(tx.at()),
        minutes: "4/2026".into(),
        note: None,
    };
    let record = ProposalStep::Record(decision);
    proposals::step(tx, org, approver, which, &ANY, (None, str::to_owned), &record).await.map(drop)
}
