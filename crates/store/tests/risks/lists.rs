//! The list of risks with every filter and order, today and in the past, against a model.

use domain::document::{Control, Day};
use domain::risk::{Risk, RiskPatch, RiskStatus, Treatment};
use domain::{OrgId, Role, TagId, UserId};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use store::list::{Direction, Match, Sort, TagFilter, TimeRange};
use store::risks::{RiskFilter, RiskQuery, RiskSort};
use store::{Deleted, View};
use testkit::{TestDb, both_engines};

use crate::risks::support::*;

const RISKS: i64 = 15;

/// Some of them within others, and with what `LIKE` would not compare as it is.
const CONTROLS: [&str; 4] = ["A.8.1", "A.8.13", "a.8.1", "A_8_1"];

/// What the filters name.
struct Named {
    owners: [Option<UserId>; 3],
    categories: [&'static str; 3],
    tags: Vec<TagId>,
    /// A moment after which nearly everything changed.
    seq: i64,
    start: Timestamp,
}

/// Risks with and without owners, categories, tags and evaluations, several of them with the same score.
async fn fill(db: &TestDb, org: OrgId) -> Named {
    let ada = db.user(org, "Ada", "ada@example.org", Role::Owner).await;
    let ben = db.user(org, "Ben", "ben@example.org", Role::Owner).await;
    let (owners, start) = ([None, Some(ada), Some(ben)], db.clock.now());
    let mut tags = Vec::new();
    for name in ["cloud", "access"] {
        tags.push(create_tag(db, org, name).await.unwrap().id);
    }
    for number in 1..=RISKS {
        let place = usize::try_from(number).unwrap();
        let category = [None, Some("Fire, water"), Some("theft"), Some("")][place % 4];
        let owner = owners[place % 3];
        let new = domain::risk::NewRisk {
            category: category.map(Into::into),
            owner,
            next_review_date: Day::of_number(20_500 + number % 4).filter(|_| number % 3 > 0),
            controls: CONTROLS.iter().skip(place % 5).map(|it| Control::stored(*it)).collect(),
            treatment: Treatment::ALL.get(place % 6).copied(),
            ..titled("a")
        };
        create(db, org, new).await;
        for tag in tags.iter().take(place % 3) {
            add_tag(db, org, number, *tag).await.unwrap();
        }
        if place % 5 > 1 {
            evaluate(db, org, number, rated(number % 3 + 1, 2)).await.unwrap();
        }
        db.clock.advance_seconds(1);
    }
    let seq = head(db, org).await;
    for number in [15, 1, 8, 4] {
        let patch = RiskPatch {
            status: Some(RiskStatus::Closed),
            status_reason: domain::Change::Set("over".into()),
            owner: domain::Change::from(owners[1]),
            treatment: Some(Treatment::Accept),
            controls: Some(vec!["A.8.13".into()]),
            ..RiskPatch::default()
        };
        evaluate(db, org, number, rated(5, 4)).await.unwrap();
        db.clock.advance_seconds(1);
        update(db, org, number, patch).await.unwrap();
    }
    remove_tag(db, org, 2, tags[1]).await.unwrap();
    for number in [3, 4] {
        delete(db, org, number).await.unwrap();
    }
    Named { owners, categories: ["Fire, water", "theft", ""], tags, seq, start }
}

/// A list that is asked for: which of the named things its filters have, the order, the view and the length of a page.
#[derive(Debug, Clone)]
struct Asked {
    status: Vec<RiskStatus>,
    owners: Vec<usize>,
    treatments: Vec<Treatment>,
    controls: Vec<usize>,
    categories: Vec<usize>,
    tags: Vec<usize>,
    mode: Option<Match>,
    /// The ends of the ranges of creation, change and evaluation, in seconds after the beginning.
    seconds: [(Option<i64>, Option<i64>); 3],
    by: RiskSort,
    descends: bool,
    past: bool,
    deleted: Deleted,
    limit: i64,
}

fn asked() -> impl Strategy<Value = Asked> {
    let some = |most: usize| prop::collection::vec(0..most, 0..3);
    let second = || prop::option::weighted(0.2, 0..=RISKS + 4);
    let filter = (
        prop::collection::vec(prop::sample::select(RiskStatus::ALL), 0..2),
        some(3),
        (prop::collection::vec(prop::sample::select(Treatment::ALL), 0..2), some(4)),
        some(3),
        some(2),
        prop::option::of(prop::sample::select(Match::ALL)),
        prop::array::uniform3((second(), second())),
    );
    let deleted = prop::sample::select(vec![Deleted::Without, Deleted::Only, Deleted::With]);
    let order = (prop::sample::select(RiskSort::ALL), any::<bool>(), any::<bool>(), deleted, 1..9_i64);
    (filter, order).prop_map(|(filter, order)| {
        let (status, owners, (treatments, controls), categories, tags, mode, seconds) = filter;
        let (by, descends, past, deleted, limit) = order;
        Asked {
            status,
            owners,
            treatments,
            controls,
            categories,
            tags,
            mode,
            seconds,
            by,
            descends,
            past,
            deleted,
            limit,
        }
    })
}

impl Asked {
    fn query(&self, named: &Named) -> RiskQuery {
        let at = |seconds: i64| named.start + SignedDuration::from_secs(seconds);
        let range = |(from, before): (Option<i64>, Option<i64>)| TimeRange {
            from: from.map(at),
            before: before.map(at),
        };
        RiskQuery {
            view: View { as_of_seq: self.past.then_some(named.seq), at: None, deleted: self.deleted },
            filter: RiskFilter {
                status: self.status.clone(),
                owner: self.owners.iter().map(|place| named.owners[*place]).collect(),
                treatment: self.treatments.clone(),
                control: self.controls.iter().map(|place| CONTROLS[*place].into()).collect(),
                texts: vec![("category", self.texts(named))],
                tags: TagFilter {
                    tags: self.tags.iter().map(|place| named.tags[*place]).collect(),
                    mode: self.mode,
                },
                created: range(self.seconds[0]),
                updated: range(self.seconds[1]),
                evaluated: range(self.seconds[2]),
                due: store::risks::DueFilter::default(),
                band: Vec::new(),
                acceptance: Vec::new(),
                decision: None,
                q: None,
            },
            sort: Sort {
                by: self.by,
                direction: if self.descends { Direction::Descending } else { Direction::Ascending },
            },
            after: None,
        }
    }

    fn texts(&self, named: &Named) -> Vec<String> {
        self.categories.iter().map(|place| named.categories[*place].to_owned()).collect()
    }

    /// What each filter means, without SQL.
    fn lets_through(&self, risk: &Risk, named: &Named) -> bool {
        let (category, filter) = (self.texts(named), self.query(named).filter);
        let RiskFilter { status, owner, treatment, control, tags, .. } = &filter;
        let has = |tag: &TagId| risk.tags.iter().any(|label| label.id == *tag);
        let has_tags = match tags.mode {
            Some(Match::All) => tags.tags.iter().all(has),
            Some(Match::Any) | None => tags.tags.is_empty() || tags.tags.iter().any(has),
        };
        let has_category = risk.category.as_deref().is_some_and(|it| category.iter().any(|text| text == it));
        (status.is_empty() || status.contains(&risk.status))
            && (owner.is_empty() || owner.contains(&risk.owner.as_ref().map(|person| person.id)))
            && (treatment.is_empty() || treatment.contains(&risk.treatment))
            && (control.is_empty() || control.iter().any(|it| risk.controls.contains(it)))
            && (category.is_empty() || has_category)
            && has_tags
            && is_within(filter.created, Some(risk.created_date))
            && is_within(filter.updated, Some(risk.updated_date))
            && is_within(filter.evaluated, risk.current.map(|current| current.evaluated_at))
    }

    /// Sorts in memory: risks that were never evaluated last in both directions, equal ones by number.
    fn sort(&self, risks: &mut [&Risk]) {
        let value = |risk: &Risk| match self.by {
            RiskSort::Number => Some(risk.number.number()),
            RiskSort::CurrentScore => risk.current.map(|current| current.rating.score()),
            RiskSort::UpdatedDate => Some(risk.updated_date.as_microsecond()),
            RiskSort::NextReviewDate => risk.next_review_date.as_ref().map(Day::number),
        };
        let sign = if self.descends { -1 } else { 1 };
        risks.sort_by_key(|risk| {
            (value(risk).is_none(), value(risk).map(|it| sign * it), sign * risk.number.number())
        });
    }
}

/// A date that is not there lies in no range that has an end.
fn is_within(range: TimeRange, at: Option<Timestamp>) -> bool {
    let fits = |at| range.from.is_none_or(|from| at >= from) && range.before.is_none_or(|before| at < before);
    at.map_or(range == TimeRange::default(), fits)
}

async fn check(db: &TestDb, org: OrgId, named: &Named, asked: &Asked) -> Result<(), TestCaseError> {
    let mut query = asked.query(named);
    let all = list(db, org, query.view).await;
    let mut expected: Vec<&Risk> = all.iter().filter(|risk| asked.lets_through(risk, named)).collect();
    asked.sort(&mut expected);
    let mut tx = db.read().await.unwrap();
    let count = store::risks::count(&mut tx, org, query.view, &query.filter).await.unwrap();
    prop_assert_eq!(usize::try_from(count).unwrap(), expected.len());
    let mut found = Vec::new();
    loop {
        let page = store::risks::list(&mut tx, org, &query, asked.limit).await.unwrap();
        query.after = page.rows.last().map(|risk| query.sort.by.position(risk));
        found.extend(page.rows);
        if !page.has_more || found.len() > all.len() {
            break;
        }
    }
    prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected);
    Ok(())
}

#[both_engines]
async fn the_list_of_risks_is_what_a_model_chooses_and_sorts(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    create(&db, other, titled("a")).await;
    let named = fill(&db, org).await;
    let handle = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let config = Config { cases: 200, failure_persistence: None, ..Config::default() };
        TestRunner::new(config)
            .run(&asked(), |asked| handle.block_on(check(&db, org, &named, &asked)))
            .unwrap();
    });
}
