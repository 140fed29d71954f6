//! A random history of people and a document, in the register and in memory.

use std::collections::{BTreeMap, HashMap, HashSet};

use db::Tx;
use domain::acknowledgement::{
    AcknowledgedDocument, AcknowledgementStatus, AskedPeople, Coverage, Given, Interval, NewAcknowledgement,
    NewAcknowledgementRequest, OnPaper, PersonOfDocument, PublishedVersion, RequestOfPerson, Stay,
};
use domain::document::{
    Archiving, Edit, Item, ItemKind, Materiality, NewDocument, NodeType, PropertiesPatch, ProposalStep,
    RecordedDecision, Sha256, Submission,
};
use domain::group::{GroupName, NewGroup};
use domain::person::{EmailAddress, MemberPatch, NewMember};
use domain::{
    AcknowledgementRequestId, Actor, ActorKind, Author, Change, ExpectedVersion, GroupId, Line, OrgId,
    Permissions, Role, Roles, Scopes, UserId,
};
use jiff::{SignedDuration, Timestamp};
use store::invitations::Proof;
use store::{acknowledgements, archiving, documents, groups, invitations, people, proposals};
use testkit::{TestDb, author};

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

/// What somebody belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Belonging {
    Organization,
    /// They can sign in.
    Active,
    Role(Role),
    Group(usize),
}

pub(super) struct OnePerson {
    pub(super) id: UserId,
    email: String,
    has_password: bool,
    role: Role,
    stays: HashMap<Belonging, Vec<Stay>>,
    given: Vec<Given>,
}

impl OnePerson {
    fn is_in(&self, what: Belonging) -> bool {
        self.stays.get(&what).and_then(|stays| stays.last()).is_some_and(|stay| stay.until.is_none())
    }

    fn enter(&mut self, what: Belonging, from: Timestamp) {
        self.stays.entry(what).or_default().push(Stay { from, until: None });
    }

    fn leave(&mut self, what: Belonging, at: Timestamp) {
        let open = self.stays.get_mut(&what).and_then(|stays| stays.last_mut());
        open.into_iter().filter(|stay| stay.until.is_none()).for_each(|stay| stay.until = Some(at));
    }

    fn new_member(&self, role: Role) -> NewMember {
        let (name, email) = (Line::stored(&self.email), EmailAddress::stored(&self.email));
        NewMember { name, email, job_title: None, roles: role.into() }
    }
}

struct Request {
    id: AcknowledgementRequestId,
    at: Timestamp,
    due_days: Option<i64>,
    who: Who,
    ended: Option<Timestamp>,
}

enum Who {
    Belonging(Belonging),
    People(Vec<UserId>),
}

pub(super) struct History<'d> {
    db: &'d TestDb,
    pub(super) org: OrgId,
    pub(super) people: Vec<OnePerson>,
    groups: Vec<GroupId>,
    requests: Vec<Request>,
    document: AcknowledgedDocument,
    sha256: String,
    began: Timestamp,
    dice: Dice,
    met: HashSet<AcknowledgementStatus>,
}

fn person_author(id: UserId) -> Author {
    let actor = Actor { kind: ActorKind::User, id: id.to_string(), name: "A".to_owned() };
    Author::new(actor, "r").with(Permissions::new(Scopes::all()))
}

impl<'d> History<'d> {
    pub(super) async fn begin(db: &'d TestDb, seed: u64) -> Self {
        let org = db.organization("Acme").await;
        let work = async move |tx: &mut Tx| {
            let kind =
                ItemKind::Text { default: String::new(), max_length: 100, multiline: false, markdown: false };
            let new =
                NewDocument::new("policy", "Policy".into(), vec![Item::new("contact", "Contact", kind)]);
            documents::create(tx, org, &author(), &new).await?;
            let mut made = Vec::new();
            for name in ["Berlin", "Paris"] {
                let new = NewGroup { name: GroupName::stored(name), description: None };
                made.push(groups::create(tx, org, &author(), &new).await?.id);
            }
            Ok::<_, store::Error>(made)
        };
        let groups = db.write(org, work).await.unwrap();
        let (people, requests, document) = (Vec::new(), Vec::new(), AcknowledgedDocument::default());
        let (dice, met) = (Dice(testkit::seeded(seed)), HashSet::new());
        let (sha256, began) = (String::new(), db.clock.now());
        let mut history = Self { db, org, people, groups, requests, document, sha256, began, dice, met };
        for place in 0..4 {
            let email = format!("{place}@example.org");
            let id = db.user(org, &email, &email, Role::Staff).await;
            let mut person = OnePerson {
                id,
                email,
                has_password: false,
                role: Role::Staff,
                stays: HashMap::new(),
                given: Vec::new(),
            };
            let mut tx = db.read().await.unwrap();
            let at = people::get(&mut tx, org, id).await.unwrap().unwrap().created_date;
            person.enter(Belonging::Organization, at);
            person.enter(Belonging::Role(Role::Staff), at);
            history.people.push(person);
        }
        history.publish(true).await;
        history
    }

    /// Makes a random change, in the register and here, some hours after the last one.
    pub(super) async fn step(&mut self) {
        self.db.clock.advance(SignedDuration::from_hours(12));
        let place = self.dice.below(self.people.len());
        let is_member = self.people[place].is_in(Belonging::Organization);
        match self.dice.below(100) {
            0..3 => self.archive_and_restore().await,
            3..10 => self.change_interval().await,
            10..15 => self.publish(self.dice.below(2) == 0).await,
            15..30 => self.ask().await,
            30..35 => self.end().await,
            35..60 if !is_member => self.join(place).await,
            35..60 if !self.people[place].is_in(Belonging::Active) => self.activate(place).await,
            35..42 => self.remove(place).await,
            42..60 => self.change_role(place).await,
            60..80 if is_member => self.change_group(place).await,
            80.. if is_member => self.acknowledge(place).await,
            _ => {}
        }
        self.db.clock.advance(SignedDuration::from_hours(1));
    }

    async fn publish(&mut self, is_material: bool) {
        let (org, number) = (self.org, i64::try_from(self.document.versions.len()).unwrap() + 1);
        let approver = person_author(self.people[0].id);
        let work = async move |tx: &mut Tx| {
            let value = format!("{number}");
            let edit = Edit { node_id: "contact".to_owned(), node_type: NodeType::Text, value };
            proposals::edit(tx, org, &author(), "policy", &ANY, &[edit], 1_000).await?;
            let material = Some(Materiality { value: is_material, reason: None });
            let submission = Submission { summary: "Another one".into(), material, effective_date: None };
            let (which, submit) = (("policy", number), ProposalStep::Submit(submission));
            let submitted =
                proposals::step(tx, org, &author(), which, &ANY, (None, str::to_owned), &submit).await?;
            let sha256 = submitted.sha256.unwrap();
            let decision = RecordedDecision {
                sha256: Sha256::stored(sha256.clone()),
                decided_by: "The board".into(),
                decided_date: "2026-03-01".into(),
                minutes: "4/2026".into(),
                note: None,
            };
            let approve = ProposalStep::Record(decision);
            proposals::step(tx, org, &approver, which, &ANY, (None, str::to_owned), &approve).await?;
            Ok::<_, store::Error>((sha256, tx.at()))
        };
        let (sha256, at) = self.db.write(org, work).await.unwrap();
        self.sha256 = sha256;
        self.document.versions.push(PublishedVersion { number, is_material, at });
    }

    async fn change_interval(&mut self) {
        let days = Some(i64::try_from(self.dice.below(9)).unwrap()).filter(|days| *days > 0);
        let org = self.org;
        let work = async move |tx: &mut Tx| {
            let patch = PropertiesPatch { acknowledge_every_days: Change::from(days), ..Default::default() };
            documents::update_properties(tx, org, &author(), "policy", &ANY, &patch).await?;
            Ok::<_, store::Error>(tx.at())
        };
        let from = self.db.write(org, work).await.unwrap();
        self.document.intervals.push(Interval { from, days });
    }

    /// Archives the document, which ends every request, and restores it some hours later.
    async fn archive_and_restore(&mut self) {
        let org = self.org;
        let archive = async move |tx: &mut Tx| {
            let archiving = Archiving { reason: None };
            archiving::archive(tx, org, &author(), "policy", &ANY, &archiving).await?;
            Ok::<_, store::Error>(tx.at())
        };
        let from = self.db.write(org, archive).await.unwrap();
        self.requests.iter_mut().for_each(|request| request.ended = request.ended.or(Some(from)));
        self.document.archived.push(Stay { from, until: None });
        self.db.clock.advance(SignedDuration::from_hours(5));
        self.compare().await;
        let restore = async move |tx: &mut Tx| {
            archiving::restore(tx, org, &author(), "policy", &ANY).await?;
            Ok::<_, store::Error>(tx.at())
        };
        let until = Some(self.db.write(org, restore).await.unwrap());
        self.document.archived.iter_mut().for_each(|stay| stay.until = stay.until.or(until));
    }

    async fn ask(&mut self) {
        let members = self.people.iter().filter(|it| it.is_in(Belonging::Organization)).map(|it| it.id);
        let some: Vec<UserId> = members.take(2).collect();
        let group = self.dice.below(2);
        let nobody = NewAcknowledgementRequest {
            who: AskedPeople::All,
            role: None,
            group: None,
            users: None,
            due_days: Some(i64::try_from(self.dice.below(9)).unwrap()).filter(|days| *days > 0),
        };
        let (who, new) = match self.dice.below(4) {
            0 => (Who::Belonging(Belonging::Organization), nobody),
            1 => {
                let role = Role::Viewer;
                let new = NewAcknowledgementRequest { who: AskedPeople::Role, role: Some(role), ..nobody };
                (Who::Belonging(Belonging::Role(role)), new)
            }
            2 => {
                let id = Some(self.groups[group]);
                let new = NewAcknowledgementRequest { who: AskedPeople::Group, group: id, ..nobody };
                (Who::Belonging(Belonging::Group(group)), new)
            }
            _ if some.is_empty() => return,
            _ => {
                let users = Some(some.clone());
                let new = NewAcknowledgementRequest { who: AskedPeople::Users, users, ..nobody };
                (Who::People(some), new)
            }
        };
        let (org, version, due_days) =
            (self.org, self.document.versions.last().unwrap().number, new.due_days);
        let work = async move |tx: &mut Tx| {
            acknowledgements::request(tx, org, &author(), ("policy", version), &new).await
        };
        let made = self.db.write(org, work).await.unwrap();
        self.requests.push(Request { id: made.id, at: made.created_date, due_days, who, ended: None });
    }

    async fn end(&mut self) {
        let open = self.requests.iter_mut().filter(|request| request.ended.is_none());
        // A few stay, so that somebody is asked.
        let Some(request) = open.skip(1).last() else { return };
        let (org, id) = (self.org, request.id);
        let work = async move |tx: &mut Tx| {
            acknowledgements::end(tx, org, &author(), "policy", id).await?;
            Ok::<_, store::Error>(tx.at())
        };
        request.ended = Some(self.db.write(org, work).await.unwrap());
    }

    async fn join(&mut self, place: usize) {
        let (org, person) = (self.org, &mut self.people[place]);
        let new = person.new_member(Role::Staff);
        let work = async move |tx: &mut Tx| {
            people::add(tx, org, &author(), &new).await?;
            Ok::<_, store::Error>(tx.at())
        };
        let at = self.db.write_instance(work).await.unwrap();
        person.role = Role::Staff;
        person.enter(Belonging::Organization, at);
        person.enter(Belonging::Role(Role::Staff), at);
    }

    async fn activate(&mut self, place: usize) {
        let (org, person) = (self.org, &mut self.people[place]);
        let new = person.new_member(person.role);
        let proof = match person.has_password {
            true => Proof::Right { person: person.id, version: 1 },
            false => Proof::Chosen("$argon2id$…".to_owned()),
        };
        let work = async move |tx: &mut Tx| {
            tx.lock_head(org).await?;
            invitations::create(tx, org, &author(), &new, &[9; 32]).await?;
            invitations::accept(tx, org, "r", &[9; 32], None, &proof).await?.unwrap();
            Ok::<_, store::Error>(tx.at())
        };
        let at = self.db.write_instance(work).await.unwrap();
        person.has_password = true;
        person.enter(Belonging::Active, at);
    }

    async fn remove(&mut self, place: usize) {
        let (org, person) = (self.org, &mut self.people[place]);
        let id = person.id;
        let work = async move |tx: &mut Tx| {
            people::remove(tx, org, &author(), id, &ANY).await?;
            Ok::<_, store::Error>(tx.at())
        };
        let at = self.db.write(org, work).await.unwrap();
        let all: Vec<Belonging> = person.stays.keys().copied().collect();
        all.into_iter().for_each(|what| person.leave(what, at));
    }

    async fn change_role(&mut self, place: usize) {
        let (org, person) = (self.org, &mut self.people[place]);
        let (id, before) = (person.id, person.role);
        let role = if before == Role::Staff { Role::Viewer } else { Role::Staff };
        let work = async move |tx: &mut Tx| {
            let patch = MemberPatch { roles: Some(Roles::from(role)), ..MemberPatch::default() };
            people::update(tx, org, &author(), id, &ANY, &patch).await?;
            Ok::<_, store::Error>(tx.at())
        };
        let at = self.db.write(org, work).await.unwrap();
        person.role = role;
        person.leave(Belonging::Role(before), at);
        person.enter(Belonging::Role(role), at);
    }

    async fn change_group(&mut self, place: usize) {
        let number = self.dice.below(2);
        let (org, group, person) = (self.org, self.groups[number], &mut self.people[place]);
        let (id, is_inside) = (person.id, person.is_in(Belonging::Group(number)));
        let work = async move |tx: &mut Tx| {
            match is_inside {
                true => groups::remove_member(tx, org, &author(), group, id).await?,
                false => groups::add_member(tx, org, &author(), group, id).await?,
            }
            Ok::<_, store::Error>(tx.at())
        };
        let at = self.db.write(org, work).await.unwrap();
        match is_inside {
            true => person.leave(Belonging::Group(number), at),
            false => person.enter(Belonging::Group(number), at),
        }
    }

    async fn acknowledge(&mut self, place: usize) {
        let (org, person) = (self.org, &mut self.people[place]);
        let (id, version) = (person.id, self.document.versions.last().unwrap().number);
        let sha256 = Sha256::stored(self.sha256.clone());
        let is_on_paper = self.dice.below(2) == 0;
        let work = async move |tx: &mut Tx| {
            let on_paper = is_on_paper.then(|| OnPaper { user: id, file: "Folder 7".into() });
            let by = if is_on_paper { author() } else { person_author(id) };
            let new = NewAcknowledgement { sha256: sha256.clone(), on_paper };
            acknowledgements::give(tx, org, &by, ("policy", version), &new).await
        };
        let at = self.db.write(org, work).await.unwrap().created_date;
        person.given.push(Given { version, at });
    }

    /// What the rule says of somebody at a moment.
    fn coverage(&self, person: &OnePerson, at: Timestamp) -> Coverage {
        let stays = |what: Belonging| person.stays.get(&what).cloned().unwrap_or_default();
        let requests = self.requests.iter().filter(|request| request.ended.is_none_or(|ended| at < ended));
        let requests = requests.map(|request| RequestOfPerson {
            at: request.at,
            due_days: request.due_days,
            stays: match &request.who {
                Who::Belonging(what) => stays(*what),
                Who::People(ids) if ids.contains(&person.id) => stays(Belonging::Organization),
                Who::People(_) => Vec::new(),
            },
        });
        let known = PersonOfDocument {
            memberships: stays(Belonging::Organization),
            activations: stays(Belonging::Active),
            requests: requests.collect(),
            given: person.given.clone(),
        };
        self.document.coverage(&known, at)
    }

    /// Compares the register with the rule, now and at a moment in the past.
    pub(super) async fn compare(&mut self) {
        let (now, mut tx) = (self.db.clock.now(), self.db.read().await.unwrap());
        let hours = now.duration_since(self.began).as_hours();
        let past = self.dice.below(usize::try_from(hours).unwrap() + 1);
        let past = self.began + SignedDuration::from_hours(i64::try_from(past).unwrap());
        for at in [now, past] {
            let found = acknowledgements::coverage(&mut tx, self.org, "policy", Some(at)).await.unwrap();
            let people: BTreeMap<_, _> = found.people.iter().map(|it| (it.person.id, it.coverage)).collect();
            let expected = self.people.iter().map(|it| (it.id, self.coverage(it, at)));
            let expected: BTreeMap<_, _> = expected.filter(|it| it.1 != Coverage::NotAsked).collect();
            assert_eq!(people, expected, "{at}");
            self.met.extend(found.people.iter().map(|it| it.status));
            for status in AcknowledgementStatus::ALL {
                let rows = found.page(&[*status], None, 100).rows;
                assert_eq!(found.count(&[*status]), i64::try_from(rows.len()).unwrap());
                assert!(rows.iter().all(|row| row.status == *status));
            }
        }
        for person in &self.people {
            let found = acknowledgements::to_acknowledge(&mut tx, self.org, person.id).await.unwrap();
            let found: Vec<_> = found.into_iter().map(|it| (it.asked_date, it.due_date, it.sha256)).collect();
            let expected = match self.coverage(person, now) {
                Coverage::Open { asked, due } => vec![(asked, due, self.sha256.clone())],
                _ => Vec::new(),
            };
            assert_eq!(found, expected);
        }
    }

    /// The history had somebody with each status.
    pub(super) fn check_variety(&self) {
        let missed = AcknowledgementStatus::ALL.iter().filter(|status| !self.met.contains(status));
        assert_eq!(missed.collect::<Vec<_>>(), Vec::<&AcknowledgementStatus>::new());
    }
}
