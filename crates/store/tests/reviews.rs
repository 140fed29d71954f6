//! Reviews of incidents: random histories, whose published editions never change.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use db::Tx;
use domain::incident::{NewIncident, Viewer};
use domain::review::{Action, Review, ReviewPatch, ReviewState};
use domain::{Author, Change, Error, ErrorCode, ExpectedVersion, IncidentNumber, OrgId, Prose, ResourceKind};
use testkit::{TestDb, both_engines};

const INCIDENT: IncidentNumber = IncidentNumber(1);

/// An operator has no name besides the id, also when read back.
fn by() -> Author {
    let mut author = testkit::author();
    author.actor.name.clone_from(&author.actor.id);
    author
}

async fn incident(db: &TestDb, org: OrgId) {
    let work =
        async move |tx: &mut Tx| store::incidents::create(tx, org, &by(), &NewIncident::untitled()).await;
    db.write(org, work).await.unwrap();
}

async fn update(db: &TestDb, org: OrgId, expected: i64, patch: ReviewPatch) -> store::Result<Review> {
    let expected = ExpectedVersion::OneOf(vec![expected]);
    let work = async move |tx: &mut Tx| {
        store::reviews::update(tx, org, &by(), INCIDENT, &expected, &patch).await.map(|it| it.review)
    };
    db.write(org, work).await
}

async fn to_task(db: &TestDb, org: OrgId, number: i64) -> store::Result<i64> {
    let work = async move |tx: &mut Tx| {
        store::reviews::action_to_task(tx, org, &by(), INCIDENT, number).await.map(|it| it.task.number)
    };
    db.write(org, work).await
}

async fn latest(db: &TestDb, org: OrgId) -> store::Result<Review> {
    let mut tx = db.read().await.unwrap();
    Ok(store::reviews::get(&mut tx, org, &Viewer::service(), INCIDENT).await?.review)
}

/// The published editions, read page by page, the first one first.
async fn editions(db: &TestDb, org: OrgId) -> Vec<Review> {
    let mut tx = db.read().await.unwrap();
    let (mut found, mut before): (Vec<Review>, _) = (Vec::new(), None);
    loop {
        let viewer = Viewer::service();
        let page = store::reviews::editions(&mut tx, org, &viewer, INCIDENT, before, 2).await.unwrap();
        found.extend(page.rows.into_iter().map(|details| details.review));
        if !page.has_more {
            break;
        }
        before = found.last().map(|review| review.edition);
    }
    let count = store::reviews::count_editions(&mut tx, org, INCIDENT).await.unwrap();
    assert_eq!(usize::try_from(count), Ok(found.len()));
    found.reverse();
    found
}

/// What was published, without what the tasks of its actions change.
fn content(review: &Review) -> (i64, [Option<Prose>; 3], Vec<String>, Option<jiff::Timestamp>) {
    let texts = [review.summary.clone(), review.root_cause.clone(), review.lessons.clone()];
    let actions = review.actions.iter().map(|action| action.title.to_string()).collect();
    (review.edition, texts, actions, review.published_date)
}

/// A generator of small numbers that repeats (Knuth's MMIX constants); its low bits are not used.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % limit).unwrap()
    }

    fn text(&mut self) -> Change<Prose> {
        match self.below(5) {
            0 => Change::Clear,
            1 | 2 => Change::Set(Prose::stored(format!("T{}", self.below(4)))),
            _ => Change::Keep,
        }
    }

    fn patch(&mut self, tasks: i64) -> ReviewPatch {
        let action = |dice: &mut Self| Action {
            title: domain::Line::stored(format!("A{}", dice.below(4))),
            owner: None,
            due: None,
            task: (tasks > 0 && dice.below(2) == 0).then(|| 1 + dice.below(2).min(tasks - 1)),
        };
        let count = self.below(4);
        ReviewPatch {
            summary: self.text(),
            root_cause: self.text(),
            lessons: self.text(),
            actions: (self.below(2) == 0).then(|| (0..count).map(|_| action(self)).collect()),
            state: [
                Some(ReviewState::Draft),
                Some(ReviewState::InReview),
                Some(ReviewState::Published),
                None,
            ][usize::try_from(self.below(4)).unwrap()],
            ..ReviewPatch::default()
        }
    }
}

#[both_engines]
async fn what_was_published_never_changes_and_the_journal_tells_every_state(db: TestDb) {
    let (mut published, mut made) = (0, 0);
    for seed in 0..4 {
        let org = db.organization("Acme").await;
        incident(&db, org).await;
        let mut dice = Dice(seed);
        let (mut now, mut frozen, mut tasks): (Option<Review>, Vec<Review>, i64) = (None, Vec::new(), 0);
        for _ in 0..60 {
            db.clock.advance_seconds(60);
            let version = now.as_ref().map_or(0, |review| review.version);
            if dice.below(5) == 0 {
                let number = dice.below(4);
                match to_task(&db, org, number).await {
                    Ok(task) => {
                        tasks += 1;
                        assert_eq!(task, tasks);
                        let before = now.take().unwrap();
                        now = Some(latest(&db, org).await.unwrap());
                        let after = now.as_ref().unwrap();
                        assert_eq!((after.version, content(after)), (version + 1, content(&before)));
                    }
                    Err(store::Error(Error::NotFound(ResourceKind::Review | ResourceKind::ReviewAction))) => {
                    }
                    Err(store::Error(Error::Conflict(code))) => assert_eq!(code, ErrorCode::ActionIsTask),
                    Err(other) => panic!("{other:?}"),
                }
            } else {
                match update(&db, org, version, dice.patch(tasks)).await {
                    Ok(after) => {
                        let published_before =
                            now.as_ref().is_some_and(|it| it.state == ReviewState::Published);
                        if after.state == ReviewState::Published && !published_before {
                            frozen.push(after.clone());
                        }
                        assert!((version..=version + 1).contains(&after.version), "{after:?}");
                        now = Some(after);
                    }
                    Err(store::Error(Error::Conflict(code))) => assert_eq!(code, ErrorCode::ReviewPublished),
                    Err(store::Error(Error::Invalid(_))) => {}
                    Err(other) => panic!("{other:?}"),
                }
                let refused = update(&db, org, version + 2, ReviewPatch::default()).await;
                assert!(matches!(refused, Err(store::Error(Error::Outdated { .. }))), "{refused:?}");
            }
            if let Some(now) = &now {
                assert_eq!(latest(&db, org).await.as_ref(), Ok(now), "{seed}");
            }
            let found: Vec<_> = editions(&db, org).await.iter().map(content).collect();
            assert_eq!(found, frozen.iter().map(content).collect::<Vec<_>>(), "{seed}");
        }
        let mut tx = db.read().await.unwrap();
        assert_eq!(store::verify::verify(&mut tx, org, None).await.unwrap().faults, [], "{seed}");
        (published, made) = (published + frozen.len(), made + tasks);
    }
    assert!(published > 8 && made > 4, "{published} editions, {made} tasks");
}
