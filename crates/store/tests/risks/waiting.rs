//! What waits for each person, compared with the rule about who decides, with more requests than a page has.

use std::collections::HashMap;

use db::Tx;
use domain::accepting::{AcceptanceDecision, FourEyesWaiver, NewAcceptance};
use domain::client::NewClient;
use domain::decision::{DecisionState, Verdict};
use domain::document::{Day, NewDeputy};
use domain::group::NewGroup;
use domain::organization::OrganizationPatch;
use domain::person::{EmailAddress, NewMember};
use domain::risk::{NewRisk, Risk};
use domain::scale::{Acceptance as Criterion, AcceptanceBy, NewScale, ScaleContent};
use domain::{
    Actor, ActorKind, Author, ClientId, ExpectedVersion, GroupId, Line, OrgId, Permissions, Reason,
    RiskNumber, Role, Scopes, UserId,
};
use store::View;
use store::acceptances::{AcceptanceDetails, AcceptanceFilter};
use store::invitations::Proof;
use store::risks::RiskQuery;
use testkit::{TestDb, both_engines};

use crate::risks::support::*;

const ANY: ExpectedVersion = ExpectedVersion::Any;

/// So many risks are asked about.
const COUNT: usize = 260;

/// The client that Ben has created.
const ROBOT: &str = "bwc_robot";

/// Ada; Ben, whose deputy is Dan; Cleo, who is in the group; Dan; Eve, who leaves.
struct People {
    ids: [UserId; 5],
    group: GroupId,
}

fn author(kind: ActorKind, id: &str) -> Author {
    let actor = Actor { kind, id: id.to_owned(), name: "Somebody".into() };
    Author::new(actor, "r").with(Permissions::new(Scopes::all()))
}

fn user(id: UserId) -> Author {
    author(ActorKind::User, &id.to_string())
}

/// A member who can sign in.
async fn member(db: &TestDb, org: OrgId, name: &str) -> UserId {
    let email = format!("{name}@example.org");
    let id = db.user(org, name, &email, Role::Admin).await;
    let (name, email) = (Line::stored(name), EmailAddress::stored(email));
    let new = NewMember { name, email, job_title: None, roles: Role::Admin.into() };
    let work = async move |tx: &mut Tx| {
        tx.lock_head(org).await?;
        store::invitations::create(tx, org, &by(), &new, &[9; 32]).await?;
        let proof = Proof::Chosen("$argon2id$…".to_owned());
        store::invitations::accept(tx, org, "r", &[9; 32], None, &proof).await?.unwrap();
        Ok::<_, store::Error>(())
    };
    db.write_instance(work).await.unwrap();
    id
}

async fn people(db: &TestDb, org: OrgId) -> People {
    let mut ids = Vec::new();
    for name in ["ada", "ben", "cleo", "dan", "eve"] {
        ids.push(member(db, org, name).await);
    }
    let ids @ [_, ben, cleo, dan, _] = <[UserId; 5]>::try_from(ids).unwrap();
    let work = async move |tx: &mut Tx| {
        let new = NewGroup { name: "Board".into(), description: None };
        let group = store::groups::create(tx, org, &by(), &new).await?.id;
        store::groups::add_member(tx, org, &by(), group, cleo).await?;
        let deputy = NewDeputy { user: dan, until: Day::stored("2999-01-01") };
        store::people::set_deputy(tx, org, &user(ben), ben, Some(&deputy)).await?;
        let new = NewClient { name: "Robot".into(), scopes: Scopes::default() };
        store::clients::create(tx, org, &user(ben), &ClientId(ROBOT.to_owned()), &new, &[8; 32]).await?;
        Ok::<_, store::Error>(group)
    };
    let group = db.write(org, work).await.unwrap();
    People { ids, group }
}

/// The lowest band needs nobody, the next one the owner, the third one Ada or the group; the highest one this.
async fn scale(db: &TestDb, org: OrgId, people: &People, highest: AcceptanceBy, meaning_changed: bool) {
    let mut content = ScaleContent::default();
    let criterion = |by| Criterion { by, users: None, group: None };
    let named = Criterion {
        users: Some(vec![people.ids[0]]),
        group: Some(people.group),
        ..criterion(AcceptanceBy::People)
    };
    let criteria =
        [criterion(AcceptanceBy::NobodyNeeded), criterion(AcceptanceBy::Owner), named, criterion(highest)];
    content.bands.iter_mut().zip(criteria).for_each(|(band, criterion)| band.acceptance = criterion);
    let new = NewScale { reason: Reason::stored("Because"), meaning_changed, content };
    let work = async move |tx: &mut Tx| store::scale_change::change(tx, org, &by(), &ANY, &new).await;
    db.write(org, work).await.unwrap();
}

/// Asks about risks of every owner in every band, as every asker. Eve accepts some in the lowest and in the highest band, four eyes are waived for others.
async fn fill(db: &TestDb, org: OrgId, People { ids: [ada, ben, cleo, _, eve], .. }: &People) {
    let owners = [None, Some(*ada), Some(*ben)];
    let askers = [user(*ada), user(*ben), author(ActorKind::Client, ROBOT), user(*cleo)];
    let eve = user(*eve);
    let work = async move |tx: &mut Tx| {
        for place in 0..COUNT {
            let new = NewRisk { owner: owners[place % 3], target: None, ..titled("Fire") };
            let risk = store::risks::create(tx, org, &by(), &new).await?.number;
            let (likelihood, impact) = [(1, 1), (2, 3), (3, 4), (5, 5)][place / 3 % 4];
            store::evaluations::record(tx, org, &by(), risk, &rated(likelihood, impact)).await?;
            let new = NewAcceptance { reason: "Too dear".into(), until: None, evaluation: 1 };
            store::acceptances::ask(tx, org, &askers[place / 12 % 4], risk, &new).await?;
            if place % 5 == 0 {
                let waiver = FourEyesWaiver { reason: Reason::stored("Alone") };
                store::acceptances::waive_four_eyes(tx, org, &by(), (risk, 1), &waiver).await?;
            }
            if [0, 3].contains(&(place / 3 % 8)) {
                let (decision, note) = (Verdict::Accepted, None);
                let decision = AcceptanceDecision { decision, note, evaluation: 1, risk_version: None };
                store::acceptances::decide(tx, org, &eve, (risk, 1), &decision, None).await?;
            }
        }
        Ok::<_, store::Error>(())
    };
    db.write_alone(org, work).await.unwrap();
}

/// The risks, in this order.
fn risks_of<'a>(all: impl IntoIterator<Item = &'a AcceptanceDetails>) -> Vec<i64> {
    all.into_iter().map(|it| it.acceptance.risk.number()).collect()
}

/// Compares what waits for everybody with the rule, and returns how much that is.
async fn compare(db: &TestDb, org: OrgId, people: &People) -> usize {
    let mut tx = db.read().await.unwrap();
    let scales = store::scales::known(&mut tx, org, View::now()).await.unwrap();
    let risks = store::risks::list(&mut tx, org, &RiskQuery::of(View::now()), 1_000).await.unwrap().rows;
    let risks: HashMap<RiskNumber, Risk> = risks.into_iter().map(|it| (it.number, it)).collect();
    let every = AcceptanceFilter::default();
    let all = store::acceptances::list(&mut tx, org, View::now(), &every, None, 1_000).await.unwrap().rows;
    let mut count = 0;
    let deciders = people.ids.map(user).into_iter().chain([author(ActorKind::Client, ROBOT)]);
    for decider in deciders.map(|it| it.actor) {
        let known = store::acceptances::deciders(&mut tx, org, &scales, &decider).await.unwrap();
        for by in [(&decider, Scopes::all()), (&decider, Scopes::default())] {
            let waits = |it: &&AcceptanceDetails| {
                let it = &it.acceptance;
                it.decision.state == DecisionState::Requested
                    && known.may_decide(it, (&risks[&it.risk], &scales), by)
            };
            let is_left = |it: &&AcceptanceDetails| {
                let (it, has_left) = (&it.acceptance, it.has_left);
                has_left && known.confirm(it, (&risks[&it.risk], &scales), by, db.clock.now()).is_ok()
            };
            let expected = (risks_of(all.iter().filter(waits)), risks_of(all.iter().filter(is_left)));
            let (open, left) = store::acceptances::waiting(&mut tx, org, &scales, by, 1_000).await.unwrap();
            assert_eq!((risks_of(&open), risks_of(&left)), expected, "{by:?}");
            let few = store::acceptances::to_confirm(&mut tx, org, &scales, by, None, 3).await.unwrap();
            assert_eq!(risks_of(&few.rows), risks_of(left.iter().take(3)));
            assert_eq!(few.has_more, left.len() > 3);
            count += open.len() + left.len();
        }
    }
    count
}

#[both_engines]
async fn what_waits_for_somebody_is_what_they_may_decide_about(db: TestDb) {
    let org = db.organization("Acme").await;
    let people = people(&db, org).await;
    scale(&db, org, &people, AcceptanceBy::NobodyNeeded, false).await;
    fill(&db, org, &people).await;
    scale(&db, org, &people, AcceptanceBy::Owner, false).await;
    let under_four_eyes = compare(&db, org, &people).await;
    let eve = people.ids[4];
    let work = async move |tx: &mut Tx| store::people::remove(tx, org, &by(), eve, &ANY).await;
    db.write(org, work).await.unwrap();
    let with_confirmations = compare(&db, org, &people).await;
    assert!(with_confirmations > under_four_eyes);
    let off = OrganizationPatch { four_eyes: Some(false), ..OrganizationPatch::default() };
    let work = async move |tx: &mut Tx| store::organizations::update(tx, org, &by(), &ANY, &off).await;
    db.write_instance(work).await.unwrap();
    assert!(compare(&db, org, &people).await > with_confirmations);
    scale(&db, org, &people, AcceptanceBy::Never, false).await;
    // Who could decide can refuse what the next scale cannot compare.
    let before = compare(&db, org, &people).await;
    scale(&db, org, &people, AcceptanceBy::Owner, true).await;
    assert_eq!(compare(&db, org, &people).await, before);
}
