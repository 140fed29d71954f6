//! The register as it was: random histories compared with a model that keeps every state.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use std::collections::BTreeMap;

use db::Tx;
use domain::incident::{Incident, IncidentPatch, NewIncident, Viewer};
use domain::{ExpectedVersion, IncidentNumber, OrgId};
use store::incidents::IncidentQuery;
use store::{Deleted, View};
use testkit::{TestDb, author, both_engines};

/// Changes of one history.
const STEPS: u64 = 60;

/// Histories on each engine.
const HISTORIES: u64 = 4;

/// All incidents by number, deleted ones too.
type State = BTreeMap<i64, Incident>;

/// A generator of small numbers that repeats (Knuth's MMIX constants); its low bits are not used.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        // The first values of neighbouring seeds are alike.
        let mut dice = Self(seed);
        dice.below(1);
        dice.below(1);
        dice
    }

    fn below(&mut self, limit: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % limit).unwrap()
    }
}

/// One random change; what it did to the model is read from its answer alone.
async fn step(tx: &mut Tx, org: OrgId, dice: &mut Dice, state: &mut State) -> store::Result<()> {
    let mut by = author();
    // An operator has no name besides the id, also when read back.
    by.actor.name.clone_from(&by.actor.id);
    let mut ids: Vec<_> = (0..=dice.below(4)).map(|_| IncidentNumber(dice.below(12))).collect();
    match dice.below(6) {
        0 | 1 => {
            let new = NewIncident {
                title: domain::Line::stored(format!("T{}", dice.below(5))),
                ..NewIncident::untitled()
            };
            let incident = store::incidents::create(tx, org, &by, &new).await?;
            state.insert(incident.number.number(), incident);
        }
        2 | 3 => {
            let source = (dice.below(2) == 0).then(|| format!("S{}", dice.below(3)));
            let patch = IncidentPatch {
                source: source.map(domain::LineOrEmpty::stored).into(),
                ..IncidentPatch::default()
            };
            if state.get(&ids[0].number()).is_some_and(|it| it.deleted_date.is_none()) {
                let incident =
                    store::incidents::update(tx, org, &by, ids[0], &ExpectedVersion::Any, &patch).await?;
                state.insert(ids[0].number(), incident);
            }
        }
        kind => {
            let deletes = kind == 4;
            let mut seq = tx.head(org)?.seq;
            let outcome = if deletes {
                store::incidents::delete_many(tx, org, &by, &ids).await?
            } else {
                store::incidents::restore_many(tx, org, &by, &ids).await?
            };
            let mut changed = 0;
            ids.sort_unstable();
            for id in ids {
                let Some(incident) = state.get_mut(&id.number()) else { continue };
                if incident.deleted_date.is_some() != deletes {
                    (seq, changed) = (seq + 1, changed + 1);
                    incident.deleted_date = deletes.then_some(tx.at());
                    (incident.updated_date, incident.seq_from) = (tx.at(), seq);
                    incident.version += 1;
                }
            }
            assert_eq!(outcome.changed_count, changed);
        }
    }
    Ok(())
}

/// What a view shows of a state, in the order of a list.
fn shown(state: &State, deleted: Deleted) -> Vec<Incident> {
    let seen = |incident: &&Incident| match deleted {
        Deleted::Without => incident.deleted_date.is_none(),
        Deleted::Only => incident.deleted_date.is_some(),
        Deleted::With => true,
    };
    state.values().rev().filter(seen).cloned().collect()
}

async fn check(tx: &mut Tx, org: OrgId, seq: i64, state: &State) {
    for deleted in [Deleted::Without, Deleted::Only, Deleted::With] {
        let view = View { deleted, ..View::as_of(seq) };
        let expected = shown(state, deleted);
        let (mut listed, mut query) = (Vec::new(), IncidentQuery::of(view));
        loop {
            let page = store::incidents::list(tx, org, &Viewer::service(), &query, 3).await.unwrap();
            query.after = page.rows.last().map(|incident| query.sort.by.position(incident));
            listed.extend(page.rows);
            if !page.has_more {
                break;
            }
        }
        assert_eq!(listed, expected, "{deleted:?} as of {seq}");
        for number in 1..=12 {
            let one =
                store::incidents::get(tx, org, &Viewer::service(), IncidentNumber(number), view).await.ok();
            let expected = expected.iter().find(|incident| incident.number.number() == number);
            assert_eq!(one.as_ref(), expected, "{number} as of {seq}");
        }
    }
}

#[both_engines]
async fn a_read_as_of_an_entry_shows_the_register_as_it_stood(db: TestDb) {
    for seed in 0..HISTORIES {
        let org = db.organization("Acme").await;
        let mut states = vec![(0, State::new())];
        let mut state = State::new();
        for number in 0..STEPS {
            db.clock.advance_seconds(1);
            let before = state.clone();
            let work = async move |tx: &mut Tx| {
                let (mut dice, mut state) = (Dice::new(seed * 1_000 + number), before.clone());
                step(tx, org, &mut dice, &mut state).await?;
                Ok::<_, store::Error>((tx.head(org)?.seq, state))
            };
            let (seq, after) = db.write(org, work).await.unwrap();
            state = after;
            if states.last().unwrap().0 < seq {
                states.push((seq, state.clone()));
            }
        }
        assert!(states.len() > 20, "{} changes", states.len());
        let mut tx = db.read().await.unwrap();
        for (seq, state) in &states {
            check(&mut tx, org, *seq, state).await;
        }
        let head = states.last().unwrap().0;
        let live =
            store::incidents::list(&mut tx, org, &Viewer::service(), &IncidentQuery::of(View::now()), 100)
                .await
                .unwrap();
        let past = store::incidents::list(
            &mut tx,
            org,
            &Viewer::service(),
            &IncidentQuery::of(View::as_of(head)),
            100,
        )
        .await
        .unwrap();
        assert_eq!(live, past);
        let report = store::verify::verify(&mut tx, org, None).await.unwrap();
        assert_eq!(report.faults, []);
        assert_eq!(report.records, i64::try_from(states.last().unwrap().1.len()).unwrap());
    }
}
