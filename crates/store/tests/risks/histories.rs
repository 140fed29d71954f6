//! Random histories of the register compared with a model: every figure with a recomputation from all
//! evaluations, the register as it stands, and the register as it stood.

use db::Tx;
use domain::risk::Rating;
use domain::tag::NewTag;
use domain::{OrgId, RiskNumber, Role, TagId, UserId};
use jiff::{SignedDuration, Timestamp};
use store::View;
use testkit::{Engine, TestDb, both_engines};

use crate::risks::heat_map;
use crate::risks::model::{self, Change, Model, Only, When};
use crate::risks::recomputed;
use crate::risks::support::{by, faults, head, list, rating};

/// Writes of one history, of one to four changes each.
const WRITES: u64 = 6;

/// Figures that are compared after each write.
const FIGURES: u64 = 2;

/// Histories, each in an organization of its own. A statement takes several times as long on
/// PostgreSQL, and what is compared is the same.
fn histories(engine: Engine) -> u64 {
    match engine {
        Engine::Sqlite => 500,
        Engine::Postgres => 200,
    }
}

/// A generator of small numbers that repeats (Knuth's MMIX constants); its low bits are not used.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        // The first values of neighbouring seeds are alike.
        let mut dice = Self(seed);
        dice.below(1);
        dice.below(1);
        dice
    }

    pub(crate) fn below(&mut self, limit: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % limit
    }

    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.below(i64::try_from(choices.len()).unwrap())).unwrap()]
    }

    pub(crate) fn rating(&mut self) -> Rating {
        rating(1 + self.below(5), 1 + self.below(5))
    }

    pub(crate) fn period(&mut self) -> i64 {
        let any = 1 + self.below(3_650);
        self.one_of(&[1, 2, 3, 7, 30, 64, 90, 128, 365, 3_650, any])
    }

    fn when(&mut self) -> When {
        let (days, micros) = (self.period(), self.below(7) - 3);
        let span = self.one_of(&[60, 3_600, 86_400, 64 * 86_400]);
        match self.below(8) {
            0 | 1 => When::Default,
            // Within the five minutes that clocks may differ, and beyond them.
            2 => When::Near { days: 0, micros: 1_000_000 * self.below(310) },
            3 => When::Near { days: 0, micros: -1_000_000 * self.below(90_000) },
            4 => {
                When::Near { days: self.below(4_000), micros: 1_000 * self.below(1_000_000) - 1_000_000_000 }
            }
            5 | 6 => When::Near { days, micros },
            _ => When::Start { days: days - self.below(2), span, micros: micros.min(0) },
        }
    }

    /// The changes of one write, most of which will be done.
    fn changes(&mut self, history: &History, now: Timestamp) -> Vec<Change> {
        let (mut model, mut changes) = (history.model.clone(), Vec::new());
        for _ in 0..=self.below(4) {
            let mut change = self.change(&model, history);
            while model.clone().apply(&change, now).is_err() && self.below(16) > 0 {
                change = self.change(&model, history);
            }
            // What is refused ends the write.
            let refused = model.apply(&change, now).is_err();
            changes.push(change);
            if refused {
                break;
            }
        }
        changes
    }

    fn change(&mut self, model: &Model, history: &History) -> Change {
        let risks = i64::try_from(model.risks.len()).unwrap();
        let (risk, tag) = (1 + self.below(risks.max(1)), self.one_of(&history.tags));
        let evaluations =
            model.risks.get(usize::try_from(risk - 1).unwrap()).map_or(0, |it| it.evaluations.len());
        let evaluations = i64::try_from(evaluations).unwrap();
        match self.below(22) {
            _ if risks == 0 => self.create(),
            0 | 1 if risks < 5 => self.create(),
            2 | 3 => Change::Plan { risk, target: self.target() },
            4 | 5 => Change::Delete { risk },
            6..=8 => Change::Restore { risk },
            9 => Change::AddTag { risk, tag },
            10 => Change::RemoveTag { risk, tag },
            20 | 21 => Change::Move { risk, owner: self.owner(history), category: self.category() },
            die => {
                // Often one that is there, most often the newest; now and then one that is not.
                let any = self.below(evaluations + 2);
                let wrong = self.one_of(&[evaluations, evaluations.max(1), any]);
                let supersedes = (die > 14).then_some(wrong);
                Change::Evaluate { risk, rating: self.rating(), when: self.when(), supersedes }
            }
        }
    }

    fn create(&mut self) -> Change {
        let (one, other) = (self.rating(), self.rating());
        let (inherent, target) = if one.score() >= other.score() { (one, other) } else { (other, one) };
        let target = (self.below(6) > 0).then_some(target);
        Change::Create { inherent, target }
    }

    fn owner(&mut self, history: &History) -> Option<UserId> {
        self.one_of(&[None, Some(history.owner)])
    }

    fn category(&mut self) -> Option<&'static str> {
        self.one_of(&[None, Some("fire"), Some("water")])
    }

    /// Which risks a figure is of.
    pub(crate) fn only(&mut self, history: &History) -> Only {
        let (tag, owner) = (self.one_of(&history.tags), self.owner(history));
        Only {
            tag: (self.below(3) == 0).then_some(tag),
            owner: (self.below(3) == 0).then_some(owner),
            category: if self.below(3) == 0 { self.category() } else { None },
        }
    }

    fn target(&mut self) -> Option<Rating> {
        (self.below(4) > 0).then(|| self.rating())
    }

    /// How far the clock goes before a write; sometimes back, mostly not at all.
    fn pause(&mut self) -> SignedDuration {
        match self.below(16) {
            0..=5 => SignedDuration::ZERO,
            6..=8 => SignedDuration::from_micros(self.below(2_000_000)),
            9 | 10 => SignedDuration::from_secs(self.below(7_200)),
            11 | 12 => SignedDuration::from_secs(self.below(3 * 86_400)),
            13 => SignedDuration::from_hours(24 * self.below(100)),
            14 => SignedDuration::from_hours(24 * self.one_of(&[1, 7, 30, 90, 365])),
            _ => SignedDuration::from_secs(-self.below(2 * 86_400)),
        }
    }
}

/// What a write did: the register after each of its changes, by the journal's number, and its time.
struct Written {
    model: Model,
    at: Timestamp,
    states: Vec<(i64, Timestamp, Model)>,
}

/// Makes changes on the store and on the model in one write. A change that both refuse undoes them all.
async fn write(db: &TestDb, org: OrgId, model: &Model, changes: Vec<Change>) -> Option<Written> {
    let model = model.clone();
    let work = async move |tx: &mut Tx| -> store::Result<Written> {
        let (mut model, at, mut states) = (model.clone(), tx.at(), Vec::new());
        for change in &changes {
            let before = tx.head(org)?.seq;
            let expected = model.apply(change, at);
            let done = model::apply(tx, org, change).await;
            let same = expected.map(drop).map_err(str::to_owned) == done;
            if !same {
                let text = format!("{change:?} at {at}: expected {expected:?}, not {done:?}");
                return Err(domain::Error::Internal(text).into());
            }
            let Ok(changed) = expected else { return Err(domain::Error::KeyReused.into()) };
            let seq = tx.head(org)?.seq;
            if seq != before + i64::from(changed) {
                let text = format!("{change:?}: {} entries", seq - before);
                return Err(domain::Error::Internal(text).into());
            }
            states.push((seq, at, model.clone()));
        }
        Ok(Written { model, at, states })
    };
    match db.write(org, work).await {
        Ok(written) => Some(written),
        Err(store::Error(domain::Error::KeyReused)) => None,
        Err(error) => panic!("{error}"),
    }
}

/// A risk as far as the model knows it: number, version, ratings, latest evaluation, tags.
type Shown = (i64, i64, Rating, Option<Rating>, Option<(i64, Rating, Timestamp, Option<i64>)>, Vec<TagId>);

fn shown_by_model(model: &Model) -> Vec<Shown> {
    let living = (1..).zip(&model.risks).filter(|(_, risk)| !risk.deleted);
    let mut shown: Vec<Shown> = living
        .map(|(number, risk)| {
            let current = risk.latest().map(|(number, it)| (number, it.rating, it.at, risk.performance(it)));
            let tags = risk.tags.iter().copied().collect();
            (number, risk.version, risk.inherent, risk.target, current, tags)
        })
        .collect();
    shown.reverse();
    shown
}

async fn shown_by_store(db: &TestDb, org: OrgId, view: View) -> Vec<Shown> {
    let show = |risk: domain::risk::Risk| {
        let current =
            risk.current.map(|it| (it.evaluation, it.rating, it.evaluated_at, it.performance_basis_points));
        let mut tags: Vec<_> = risk.tags.iter().map(|tag| tag.id).collect();
        tags.sort_unstable();
        (risk.number.number(), risk.version, risk.inherent, risk.target, current, tags)
    };
    list(db, org, view).await.into_iter().map(show).collect()
}

/// The organization of a history, its two tags, and how it went.
pub(crate) struct History {
    pub(crate) org: OrgId,
    pub(crate) tags: Vec<TagId>,
    pub(crate) owner: UserId,
    pub(crate) model: Model,
    pub(crate) last_at: Timestamp,
    /// The register after each entry, with the entry's time.
    pub(crate) states: Vec<(i64, Timestamp, Model)>,
    refused: u64,
}

async fn begin(db: &TestDb) -> History {
    let org = db.organization("Acme").await;
    let owner = db.user(org, "Ada", &format!("{org}@x.org"), Role::Owner).await;
    let work = async move |tx: &mut Tx| {
        let mut tags = Vec::new();
        for name in ["b", "a"] {
            let new = NewTag { name: name.into(), color: None, description: None };
            tags.push(store::tags::create(tx, org, &by(), &new).await?.id);
        }
        Ok::<_, store::Error>(tags)
    };
    let tags = db.write(org, work).await.unwrap();
    let last_at = db.clock.now();
    let states = vec![(head(db, org).await, last_at, Model::default())];
    History { org, tags, owner, model: Model::default(), last_at, states, refused: 0 }
}

async fn check_figures(db: &TestDb, history: &History, dice: &mut Dice) {
    let mut tx = db.read().await.unwrap();
    let now = tx.at().max(history.last_at);
    for _ in 0..FIGURES {
        let period = dice.period();
        let figure = store::performance::get(&mut tx, history.org, period).await.unwrap();
        let figure = (figure.total_risks_evaluated, figure.average_performance_percentage);
        assert_eq!(
            figure,
            history.model.figure(now, period, &Only::default()),
            "{period} days until {now}: {:#?}",
            history.model
        );
    }
}

async fn check_register(db: &TestDb, history: &History, dice: &mut Dice) {
    let org = history.org;
    assert_eq!(shown_by_store(db, org, View::now()).await, shown_by_model(&history.model));
    heat_map::check(db, org, View::now(), &history.model).await;
    for _ in 0..3 {
        let (seq, _, state) =
            &history.states[usize::try_from(dice.below(1_000)).unwrap() % history.states.len()];
        let past = shown_by_store(db, org, View::as_of(*seq)).await;
        assert_eq!(past, shown_by_model(state), "as of {seq}");
        heat_map::check(db, org, View::as_of(*seq), state).await;
        if let Some(first) = past.first() {
            let mut tx = db.read().await.unwrap();
            let one = store::risks::get(&mut tx, org, RiskNumber(first.0), View::as_of(*seq)).await.unwrap();
            assert_eq!(one.current.map(|it| it.evaluation), first.4.map(|it| it.0), "one as of {seq}");
        }
    }
    let mut tx = db.read().await.unwrap();
    for (number, risk) in (1..).map(RiskNumber).zip(&history.model.risks) {
        if !risk.deleted {
            let mut all = store::evaluations::list(&mut tx, org, number, None, 1_000).await.unwrap().rows;
            all.sort_by_key(|it| it.number);
            let all: Vec<_> = all.iter().map(|it| (it.evaluated_at, it.superseded_by)).collect();
            let expected: Vec<_> = risk.evaluations.iter().map(|it| (it.at, it.superseded_by)).collect();
            assert_eq!(all, expected, "{number}");
        }
    }
}

#[both_engines]
async fn every_figure_and_every_past_state_agrees_with_a_recomputation(db: TestDb) {
    let histories = histories(db.engine());
    let (mut refused, mut evaluated, mut counted) = (0, 0, 0);
    for seed in 0..histories {
        let mut dice = Dice::new(seed);
        let mut history = begin(&db).await;
        for _ in 0..WRITES {
            db.clock.advance(dice.pause());
            let now = db.clock.now().max(history.last_at);
            let changes = dice.changes(&history, now);
            match write(&db, history.org, &history.model, changes).await {
                Some(written) => {
                    (history.model, history.last_at) = (written.model, written.at.max(history.last_at));
                    history.states.extend(written.states);
                }
                None => history.refused += 1,
            }
            check_figures(&db, &history, &mut dice).await;
            recomputed::check(&db, &history, &mut dice).await;
        }
        check_register(&db, &history, &mut dice).await;
        if seed % 20 == 0 {
            assert_eq!(faults(&db, history.org).await, [""; 0]);
        }
        refused += history.refused;
        evaluated += history.model.risks.iter().map(|risk| risk.evaluations.len()).sum::<usize>();
        counted += history.model.figure(db.clock.now().max(history.last_at), 90, &Only::default()).0;
    }
    // The histories are worth something: most writes are done, some are refused, figures are not empty.
    let writes = histories * WRITES;
    assert!(refused > writes / 20 && refused < writes / 2, "{refused} of {writes} writes refused");
    assert!(evaluated > usize::try_from(4 * histories).unwrap(), "{evaluated} evaluations");
    assert!(counted > i64::try_from(histories / 4).unwrap(), "{counted} risks in the last figures");
}
