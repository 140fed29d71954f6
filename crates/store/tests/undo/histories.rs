//! Random histories: the undo of a request brings back every field, and the undo of the undo what the request did.

use db::Tx;
use domain::evaluation::NewEvaluation;
use domain::incident::IncidentPatch;
use domain::risk::{Rating, RatingPatch, RiskPatch};
use domain::undo::UndoOutcome;
use domain::{
    Error, IncidentNumber, Line, LineOrEmpty, OrgId, Prose, ProseOrEmpty, ResourceKind, RiskNumber, Role,
    TagId, UserId,
};
use jiff::SignedDuration;
use testkit::{Engine, TestDb, both_engines};

use crate::undo::support::{ANY, Register, by, faults, filled, outcomes, undo};

/// Incidents and risks of a history; there are as many of each.
const RECORDS: usize = 4;

/// Requests of one history.
const REQUESTS: usize = 12;

fn histories(engine: Engine) -> u64 {
    match engine {
        Engine::Sqlite => 40,
        Engine::Postgres => 12,
    }
}

/// A seeded random generator.
struct Dice(db::Random);

impl Dice {
    fn below(&self, end: u64) -> u64 {
        let mut bytes = [0; 8];
        (self.0)(&mut bytes);
        u64::from_le_bytes(bytes) % end
    }

    fn one_in(&self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn text(&self) -> String {
        ["a", "b", "c"][usize::try_from(self.below(3)).unwrap()].to_owned()
    }

    fn line(&self) -> Line {
        Line::stored(self.text())
    }

    /// A value, or the instruction to clear the field, or none.
    fn maybe<T>(&self, value: T) -> Option<Option<T>> {
        match self.below(3) {
            0 => None,
            1 => Some(None),
            _ => Some(Some(value)),
        }
    }

    fn number(&self) -> i64 {
        1 + i64::try_from(self.below(u64::try_from(RECORDS).unwrap())).unwrap()
    }

    fn level(&self) -> i64 {
        1 + i64::try_from(self.below(5)).unwrap()
    }
}

/// What the changes of a history are made of.
#[derive(Clone, Copy)]
struct Cast {
    org: OrgId,
    tags: [TagId; 2],
    people: [UserId; 2],
}

/// One change of a request. One that is refused changes nothing.
async fn change(tx: &mut Tx, cast: Cast, dice: &Dice, request_id: &str) -> store::Result<()> {
    let (author, org) = (by(request_id), cast.org);
    let (incident, risk) = (IncidentNumber(dice.number()), RiskNumber(dice.number()));
    let person = cast.people[usize::try_from(dice.below(2)).unwrap()];
    let tag = cast.tags[usize::try_from(dice.below(2)).unwrap()];
    match dice.below(10) {
        0 | 1 => {
            let date = tx.at() - SignedDuration::from_hours(i64::try_from(dice.below(50)).unwrap());
            let patch = IncidentPatch {
                title: dice.maybe(dice.line()).flatten(),
                description: dice.maybe(dice.text()).flatten().map(ProseOrEmpty::stored),
                resolution_summary: dice.maybe(Prose::stored(dice.text())).into(),
                source: dice.maybe(LineOrEmpty::stored(dice.text())).into(),
                assigned_to: dice.maybe(person).into(),
                responded_date: dice.maybe(date).into(),
                contained_date: dice.maybe(date).into(),
                ..IncidentPatch::default()
            };
            store::incidents::update(tx, org, &author, incident, &ANY, &patch).await.map(drop)
        }
        2 => {
            let all = [incident, IncidentNumber(dice.number())];
            store::incidents::delete_many(tx, org, &author, &all).await.map(drop)
        }
        3 => {
            let all = [incident, IncidentNumber(dice.number())];
            store::incidents::restore_many(tx, org, &author, &all).await.map(drop)
        }
        4 => {
            let target = RatingPatch { likelihood: Some(dice.level()), impact: Some(dice.level()) };
            let target = (dice.below(4) > 0).then_some(target);
            let patch = RiskPatch {
                title: dice.maybe(dice.line()).flatten(),
                category: dice.maybe(dice.line()).into(),
                owner: dice.maybe(person).into(),
                target: target.map_or(domain::Change::Clear, domain::Change::Set),
                ..RiskPatch::default()
            };
            store::risks::update(tx, org, &author, risk, &ANY, &patch).await.map(drop)
        }
        5 => match dice.one_in(2) {
            true => store::risks::delete(tx, org, &author, risk, &ANY).await,
            false => store::risks::restore(tx, org, &author, risk, &ANY).await.map(drop),
        },
        6 => store::listed::add_tag::<domain::incident::Incident>(tx, org, &author, incident, tag).await,
        7 => store::listed::remove_tag::<domain::incident::Incident>(tx, org, &author, incident, tag).await,
        8 => store::listed::add_tag::<domain::risk::Risk>(tx, org, &author, risk, tag).await,
        _ => store::listed::remove_tag::<domain::risk::Risk>(tx, org, &author, risk, tag).await,
    }
}

/// A request of up to four changes. Those that are refused are left out; returns how many entries it has.
async fn request(db: &TestDb, cast: Cast, seed: u64, request_id: String) -> i64 {
    let work = async move |tx: &mut Tx| -> store::Result<i64> {
        let dice = Dice(testkit::seeded(seed));
        let before = tx.head(cast.org)?.seq;
        for _ in 0..=dice.below(4) {
            if let Err(error @ store::Error(Error::Internal(_))) = change(tx, cast, &dice, &request_id).await
            {
                return Err(error);
            }
        }
        Ok(tx.head(cast.org)?.seq - before)
    };
    db.write(cast.org, work).await.unwrap()
}

async fn evaluate(db: &TestDb, cast: Cast, dice: &Dice) {
    let (risk, rating) = (dice.number(), Rating { likelihood: dice.level(), impact: dice.level() });
    let new = NewEvaluation {
        rating,
        evaluated_at: None,
        note: None,
        supersedes: None,
        inherent: None,
        target: None,
    };
    let work = async move |tx: &mut Tx| {
        store::evaluations::record(tx, cast.org, &by("evaluation"), RiskNumber(risk), &new).await
    };
    // A deleted risk is not evaluated.
    drop(db.write(cast.org, work).await);
}

#[both_engines]
async fn an_undo_brings_back_every_field_and_its_undo_what_was_done(db: TestDb) {
    let ada = "ada@x.org";
    let (mut undone, mut unchanged) = (0, 0);
    for seed in 0..histories(db.engine()) {
        let dice = Dice(testkit::seeded(seed));
        let (org, tags) = filled(&db, RECORDS, RECORDS).await;
        let people = [
            db.user(org, "Ada", ada, Role::Viewer).await,
            db.user(org, "Bob", "b@x.org", Role::Viewer).await,
        ];
        let cast = Cast { org, tags, people };
        for number in 0..REQUESTS {
            if dice.one_in(3) {
                evaluate(&db, cast, &dice).await;
            }
            let before = Register::of(&db, org).await;
            let id = format!("r{number}");
            let entries = request(&db, cast, seed * 1_000 + u64::try_from(number).unwrap(), id.clone()).await;
            let after = Register::of(&db, org).await;
            if entries == 0 {
                let refused = undo(&db, org, &id, "u").await;
                assert_eq!(refused, Err(store::Error(Error::NotFound(ResourceKind::Request))));
                unchanged += 1;
                continue;
            }
            let records = undo(&db, org, &id, &format!("u{number}")).await.unwrap();
            let is_known = |outcome| [UndoOutcome::Undone, UndoOutcome::AlreadyUndone].contains(&outcome);
            assert!(
                outcomes(&records).iter().all(|(_, outcome)| is_known(*outcome)),
                "{seed} {number}: {records:?}"
            );
            assert_eq!(Register::of(&db, org).await, before, "{seed} {number}");
            if store::undo::undone_count(&records) > 0 && !dice.one_in(3) {
                undo(&db, org, &format!("u{number}"), "again").await.unwrap();
                assert_eq!(Register::of(&db, org).await, after, "{seed} {number}: done again");
            }
            undone += 1;
        }
        assert_eq!(faults(&db, org).await, [""; 0], "{seed}");
    }
    assert!(undone > 3 * unchanged && unchanged > 0, "{undone} undone, {unchanged} without a change");
}
