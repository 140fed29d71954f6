//! Filters, orders, cursors and counts against a model that knows no SQL.

use std::collections::BTreeSet;

use db::{Tx, Value};
use domain::risk::{NewRisk, Rating, Risk};
use domain::tag::NewTag;
use domain::{ExpectedVersion, OrgId, RiskNumber, TagId};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use testkit::{TestDb, both_engines};

use super::{Direction, Filter, Match, Position, Select, SortColumn, TagLink};
use crate::ledger::record::Stored;
use crate::ledger::view::{Deleted, View};
use crate::risks::RiskQuery;
use crate::{risks, tags};

const RISKS: i64 = 12;
const CATEGORIES: [Option<&str>; 4] = [None, Some("fire"), Some("Water"), Some("")];
const LINK: TagLink = TagLink { table: "risk_tag", record: "risk", key: "number" };

/// A filter as the model knows it.
#[derive(Debug, Clone)]
enum Wanted {
    Categories(Vec<Option<&'static str>>),
    Likelihood(Option<i64>, Option<i64>),
    HasCategory,
    Tagged(Vec<usize>, bool),
}

impl Wanted {
    fn lets_through(&self, risk: &Risk, tags: &[TagId]) -> bool {
        match self {
            Self::Categories(categories) => categories.contains(&risk.category.as_deref()),
            Self::Likelihood(from, before) => {
                let level = risk.inherent.likelihood;
                from.is_none_or(|from| level >= from) && before.is_none_or(|before| level < before)
            }
            Self::HasCategory => risk.category.is_some(),
            Self::Tagged(wanted, all) => {
                let has = |tag: &usize| risk.tags.iter().any(|label| label.id == tags[*tag]);
                if *all { wanted.iter().all(has) } else { wanted.iter().any(has) }
            }
        }
    }

    fn filter(&self, tags: &[TagId]) -> Filter<'static> {
        match self {
            Self::Categories(categories) => {
                let value = |category: &Option<&'static str>| category.map_or(Value::Null, Value::from);
                Filter::OneOf("category", categories.iter().map(value).collect())
            }
            Self::Likelihood(from, before) => {
                Filter::Within("inherent_likelihood", from.map(Value::from), before.map(Value::from))
            }
            Self::HasCategory => Filter::Present("category"),
            Self::Tagged(wanted, all) => {
                let how = if *all { Match::All } else { Match::Any };
                Filter::Tagged(LINK, how, wanted.iter().map(|tag| tags[*tag]).collect())
            }
        }
    }
}

fn wanted() -> impl Strategy<Value = Wanted> {
    let category = prop::sample::select(CATEGORIES.to_vec());
    prop_oneof![
        prop::collection::vec(category, 0..3).prop_map(Wanted::Categories),
        (prop::option::of(1..6_i64), prop::option::of(1..6_i64))
            .prop_map(|(from, before)| Wanted::Likelihood(from, before)),
        Just(Wanted::HasCategory),
        (prop::collection::vec(0..3_usize, 0..3), any::<bool>())
            .prop_map(|(tags, all)| Wanted::Tagged(tags, all)),
    ]
}

domain::words! {
    "RankedCategory"
    /// Categories with a rank. Every other one counts as absent.
    enum RankedCategory {
        /// The least.
        Water = "Water",
        /// The greatest.
        Fire = "fire",
    }
}

/// An order as the model knows it.
#[derive(Debug, Clone, Copy)]
enum By {
    Number,
    Likelihood,
    Rank,
}

impl By {
    fn column(self) -> SortColumn {
        match self {
            Self::Number => SortColumn::key(),
            Self::Likelihood => SortColumn::column("inherent_likelihood"),
            Self::Rank => SortColumn::rank("category", RankedCategory::ALL.iter().copied()),
        }
    }

    fn value(self, risk: &Risk) -> Option<i64> {
        match self {
            Self::Number => Some(risk.number.number()),
            Self::Likelihood => Some(risk.inherent.likelihood),
            Self::Rank => match risk.category.as_deref() {
                Some("Water") => Some(1),
                Some("fire") => Some(2),
                _ => None,
            },
        }
    }

    fn position(self, risk: &Risk) -> Position {
        match self {
            Self::Number => Position::of_key(risk.number.number()),
            _ => Position::of(self.value(risk).map(Into::into), risk.number.number()),
        }
    }

    /// Sorts in memory: absent values last in both directions, equal ones by number.
    fn sort(self, risks: &mut [&Risk], direction: Direction) {
        let sign = if direction == Direction::Descending { -1 } else { 1 };
        risks.sort_by_key(|risk| {
            let value = self.value(risk);
            (value.is_none(), value.map(|value| sign * value), sign * risk.number.number())
        });
    }
}

/// A list that is asked for: filters, whether deleted risks are seen, whether it is of the past, the order and its
/// direction, and how many rows a page has.
type Asked = (Vec<Wanted>, u8, bool, By, bool, i64);

/// Risks of all kinds, some changed, deleted and untagged after the entry that is returned with the tags.
async fn fill(db: &TestDb, org: OrgId) -> (Vec<TagId>, i64) {
    let work = async move |tx: &mut Tx| {
        let by = testkit::author();
        let mut made = Vec::new();
        for name in ["a", "b", "c"] {
            let new = NewTag { name: domain::tag::TagName::stored(name), color: None, description: None };
            made.push(tags::create(tx, org, &by, &new).await?.id);
        }
        for number in 1..=RISKS {
            let place = usize::try_from(number).unwrap();
            let new = NewRisk {
                category: CATEGORIES[place % 4].map(Into::into),
                ..NewRisk::rated(
                    domain::Line::stored(format!("Risk {number}")),
                    Rating { likelihood: number % 5 + 1, impact: 5 },
                    Rating { likelihood: 1, impact: 1 },
                )
            };
            risks::create(tx, org, &by, &new).await?;
            for tag in made.iter().take(place % 4) {
                crate::listed::add_tag::<Risk>(tx, org, &by, RiskNumber(number), *tag).await?;
            }
        }
        let seq = tx.head(org)?.seq;
        for number in (1..=RISKS).step_by(3) {
            let patch =
                domain::risk::RiskPatch { category: domain::Change::Set("new".into()), ..Default::default() };
            risks::update(tx, org, &by, RiskNumber(number), &ExpectedVersion::Any, &patch).await?;
            if number % 4 > 0 {
                crate::listed::remove_tag::<Risk>(tx, org, &by, RiskNumber(number), made[0]).await?;
            }
        }
        for number in [2, 3] {
            risks::delete(tx, org, &by, RiskNumber(number), &ExpectedVersion::Any).await?;
        }
        Ok::<_, crate::Error>((made, seq))
    };
    db.write(org, work).await.unwrap()
}

async fn check(
    db: &TestDb,
    org: OrgId,
    tags: &[TagId],
    seq: i64,
    asked: &Asked,
) -> Result<(), TestCaseError> {
    let (wanted, deleted, past, by, descends, limit) = asked;
    let deleted = [Deleted::Without, Deleted::Only, Deleted::With][usize::from(*deleted)];
    let view = View { as_of_seq: past.then_some(seq), at: None, deleted };
    let direction = if *descends { Direction::Descending } else { Direction::Ascending };
    let mut tx = db.read().await.unwrap();
    let all = risks::list(&mut tx, org, &RiskQuery::of(view), 1_000).await.unwrap().rows;
    let is_wanted = |risk: &&Risk| wanted.iter().all(|wanted| wanted.lets_through(risk, tags));
    let mut expected: Vec<&Risk> = all.iter().filter(is_wanted).collect();
    by.sort(&mut expected, direction);
    let select = || Select::<Risk>::of(org, view).filters(wanted.iter().map(|wanted| wanted.filter(tags)));
    prop_assert_eq!(select().count(&mut tx).await.unwrap(), i64::try_from(expected.len()).unwrap());
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let select = select().sort(by.column(), "number", direction, after.as_ref());
        let page = select.page(&mut tx, *limit).await.unwrap().map(|Stored::<Risk>(risk)| risk);
        after = page.rows.last().map(|risk| by.position(risk));
        found.extend(page.rows.iter().map(|risk| risk.number));
        if !page.has_more || found.len() > all.len() {
            break;
        }
    }
    prop_assert_eq!(found, expected.iter().map(|risk| risk.number).collect::<Vec<_>>());
    Ok(())
}

#[both_engines]
async fn a_list_is_what_a_model_chooses(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    fill(&db, other).await;
    let (tags, seq) = fill(&db, org).await;
    let by = prop::sample::select(vec![By::Number, By::Likelihood, By::Rank]);
    let wanted = prop::collection::vec(wanted(), 0..3);
    let asked = (wanted, 0..3_u8, any::<bool>(), by, any::<bool>(), 1..7_i64);
    let handle = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
        TestRunner::new(config)
            .run(&asked, |asked| handle.block_on(check(&db, org, &tags, seq, &asked)))
            .unwrap();
    });
}

/// Rows that are equal in the first column go on by the key.
#[both_engines]
async fn a_page_of_equal_values_goes_on_by_the_key(db: TestDb) {
    let org = db.organization("Acme").await;
    fill(&db, org).await;
    let mut tx = db.read().await.unwrap();
    let order = &["inherent_likelihood", "number"];
    let (mut seen, mut after) = (Vec::new(), None::<(i64, i64)>);
    loop {
        let cursor = after.into_iter().flat_map(|(level, number)| [level.into(), number.into()]);
        let select = Select::<Risk>::of(org, View::with_deleted());
        let page = select.order(order, Direction::Descending, cursor).page(&mut tx, 3).await.unwrap();
        let rows =
            page.rows.iter().map(|Stored::<Risk>(risk)| (risk.inherent.likelihood, risk.number.number()));
        seen.extend(rows);
        after = seen.last().copied();
        if !page.has_more {
            break;
        }
    }
    assert!(seen.is_sorted_by(|one, other| one > other), "{seen:?}");
    assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), usize::try_from(RISKS).unwrap());
}
