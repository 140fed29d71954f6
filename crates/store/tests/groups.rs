//! Groups and their members.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use std::collections::BTreeSet;

use db::Tx;
use domain::group::{GroupName, NewGroup};
use domain::person::{EmailAddress, NewMember};
use domain::{Error, ErrorCode, ExpectedVersion, GroupId, Line, OrgId, ResourceKind, Role, UserId};
use store::groups::GroupFilter;
use store::people::MemberFilter;
use store::{groups, people};
use testkit::{TestDb, author, both_engines};

const ANY: ExpectedVersion = ExpectedVersion::Any;

/// A seeded random generator.
struct Dice(db::Random);

impl Dice {
    fn below(&self, end: usize) -> usize {
        let mut bytes = [0; 4];
        (self.0)(&mut bytes);
        usize::try_from(u32::from_le_bytes(bytes)).unwrap() % end
    }
}

async fn group(db: &TestDb, org: OrgId, name: &str) -> store::Result<GroupId> {
    let new = NewGroup { name: GroupName::stored(name), description: None };
    let made = db.write(org, async move |tx: &mut Tx| groups::create(tx, org, &author(), &new).await).await;
    Ok(made?.id)
}

/// What one step of a history did: which people are members, and who is in which group.
struct Model {
    members: BTreeSet<UserId>,
    groups: Vec<(GroupId, bool, BTreeSet<UserId>)>,
}

impl Model {
    /// Makes a random change, in the register and here; both refuse the same.
    async fn step(&mut self, db: &TestDb, org: OrgId, people: &[UserId], dice: &Dice) {
        let person = people[dice.below(people.len())];
        let place = dice.below(self.groups.len());
        let is_member = self.members.contains(&person);
        let (id, exists, inside) = &mut self.groups[place];
        let group = *id;
        let by = author();
        match dice.below(50) {
            0..25 => {
                let done = db
                    .write(org, async move |tx: &mut Tx| {
                        groups::add_member(tx, org, &by, group, person).await
                    })
                    .await;
                assert_eq!(done.is_ok(), *exists && is_member, "{done:?}");
                if done.is_ok() {
                    inside.insert(person);
                }
            }
            25..35 => {
                let done = db
                    .write(org, async move |tx: &mut Tx| {
                        groups::remove_member(tx, org, &by, group, person).await
                    })
                    .await;
                assert_eq!(done.is_ok(), inside.remove(&person), "{done:?}");
            }
            35..40 if is_member => {
                db.write(org, async move |tx: &mut Tx| people::remove(tx, org, &by, person, &ANY).await)
                    .await
                    .unwrap();
                self.members.remove(&person);
                for (.., inside) in &mut self.groups {
                    inside.remove(&person);
                }
            }
            35..48 if !is_member => {
                let email = format!("{}@example.org", people.iter().position(|it| *it == person).unwrap());
                assert_eq!(join(db, org, &email).await, person);
                self.members.insert(person);
            }
            48.. if place > 0 => {
                let done = db
                    .write(org, async move |tx: &mut Tx| groups::delete(tx, org, &by, group, &ANY).await)
                    .await;
                assert_eq!(done.is_ok(), *exists);
                (*exists, *inside) = (false, BTreeSet::new());
            }
            _ => {}
        }
    }

    /// Compares the lists of both nouns with the model.
    async fn compare(&self, db: &TestDb, org: OrgId, people: &[UserId]) {
        let mut tx = db.read().await.unwrap();
        for (id, exists, inside) in &self.groups {
            let filter = MemberFilter { groups: vec![*id], ..MemberFilter::default() };
            let found = people::list(&mut tx, org, &filter, None, 100).await.unwrap();
            assert_eq!(found.iter().map(|it| it.person.id).collect::<BTreeSet<_>>(), *inside);
            let count = i64::try_from(inside.len()).unwrap();
            assert_eq!(people::count(&mut tx, org, &filter).await, Ok(count));
            match groups::get(&mut tx, org, *id).await {
                Ok(group) => assert_eq!((group.members, true), (count, *exists)),
                Err(error) => assert_eq!((error.0, *exists), (Error::NotFound(ResourceKind::Group), false)),
            }
        }
        for person in people {
            let filter = GroupFilter { members: vec![*person], ..GroupFilter::default() };
            let found = groups::list(&mut tx, org, &filter, None, 100).await.unwrap().rows;
            let expected = self.groups.iter().filter(|(.., inside)| inside.contains(person));
            let expected: BTreeSet<GroupId> = expected.map(|(id, ..)| *id).collect();
            assert_eq!(found.into_iter().map(|it| it.id).collect::<BTreeSet<_>>(), expected);
        }
    }
}

async fn join(db: &TestDb, org: OrgId, email: &str) -> UserId {
    let new = NewMember {
        name: Line::stored(email),
        email: EmailAddress::stored(email),
        job_title: None,
        roles: Role::Viewer.into(),
    };
    let by = author();
    let work = async move |tx: &mut Tx| people::add(tx, org, &by, &new).await;
    db.write_instance(work).await.unwrap().person.id
}

/// A group has the members that were added and not removed since, and nobody who left the organization; who comes back is
/// in none.
#[both_engines]
async fn groups_have_the_members_of_a_model(db: TestDb) {
    let org = db.organization("Acme").await;
    let mut people = Vec::new();
    for place in 0..4 {
        people.push(join(&db, org, &format!("{place}@example.org")).await);
    }
    let mut model = Model { members: people.iter().copied().collect(), groups: Vec::new() };
    for name in ["Berlin", "Engineering", "Board"] {
        model.groups.push((group(&db, org, name).await.unwrap(), true, BTreeSet::new()));
    }
    let dice = Dice(testkit::seeded(7));
    for _ in 0..80 {
        model.step(&db, org, &people, &dice).await;
        model.compare(&db, org, &people).await;
    }
    let mut tx = db.read().await.unwrap();
    assert_eq!(store::verify::verify(&mut tx, org, None).await.unwrap().faults, []);
}

/// A name is unique among the groups that are not deleted, and a group belongs to its organization.
#[both_engines]
async fn a_name_is_taken_until_its_group_is_deleted(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    let id = group(&db, org, "Berlin").await.unwrap();
    let taken = group(&db, org, "BERLIN").await.unwrap_err();
    assert_eq!(taken.0, Error::Conflict(ErrorCode::NameTaken));
    group(&db, other, "Berlin").await.unwrap();
    let missing = groups::get(&mut db.read().await.unwrap(), other, id).await.unwrap_err();
    assert_eq!(missing.0, Error::NotFound(ResourceKind::Group));
    db.write(org, async move |tx: &mut Tx| groups::delete(tx, org, &author(), id, &ANY).await).await.unwrap();
    group(&db, org, "berlin").await.unwrap();
}
