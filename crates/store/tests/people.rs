//! Memberships, invitations, passwords and sessions, on both engines.
#![allow(clippy::unwrap_used, reason = "tests")]

use db::Tx;
use domain::person::{MemberPatch, NewMember};
use domain::{Error, ErrorCode, ExpectedVersion, InvitationId, OrgId, ResourceKind, Role, Roles, UserId};
use jiff::SignedDuration;
use store::invitations::Proof;
use store::people::{self, Credentials, MemberFilter};
use store::sessions::{self, Session};
use store::sweeps::{self, Sweep};
use store::{Result, invitations};
use testkit::{TestDb, author};
use uuid::Uuid;

const HASH: &str = "$argon2id$hash";

fn ada(roles: impl Into<Roles>) -> NewMember {
    NewMember { name: "Ada".into(), email: "ada@x.org".into(), job_title: None, roles: roles.into() }
}

async fn invite(db: &TestDb, org: OrgId, roles: impl Into<Roles>, token: [u8; 32]) -> InvitationId {
    let new = ada(roles);
    let made: Result<_> = db
        .write(org, async move |tx: &mut Tx| invitations::create(tx, org, &author(), &new, &token).await)
        .await;
    made.unwrap().id
}

async fn accept(
    db: &TestDb,
    org: OrgId,
    token: [u8; 32],
    proof: Proof,
) -> Result<Option<domain::person::Member>> {
    db.write_instance(async move |tx: &mut Tx| {
        invitations::accept(tx, org, "r-1", &token, None, &proof).await
    })
    .await
}

/// Ada with a password, who can sign in.
async fn member(db: &TestDb, org: OrgId, roles: impl Into<Roles>) -> UserId {
    invite(db, org, roles, [1; 32]).await;
    accept(db, org, [1; 32], Proof::Chosen(HASH.to_owned())).await.unwrap().unwrap().person.id
}

async fn credentials(db: &TestDb, org: OrgId) -> Option<Credentials> {
    people::credentials(&mut db.read().await.unwrap(), org, "ADA@x.org").await.unwrap()
}

async fn start(db: &TestDb, org: OrgId, token: [u8; 32]) -> Option<Session> {
    let person = credentials(db, org).await.unwrap();
    start_as(db, org, person, token).await
}

async fn start_as(db: &TestDb, org: OrgId, person: Credentials, token: [u8; 32]) -> Option<Session> {
    let started: Result<_> =
        db.write(org, async move |tx: &mut Tx| sessions::start(tx, org, "r-1", &person, &token).await).await;
    started.unwrap()
}

async fn find(db: &TestDb, token: [u8; 32]) -> Option<Session> {
    sessions::find(&mut db.read().await.unwrap(), &token, db.clock.now()).await.unwrap()
}

async fn remove(db: &TestDb, org: OrgId, id: UserId) -> Result<()> {
    db.write(org, async move |tx: &mut Tx| {
        people::remove(tx, org, &author(), id, &ExpectedVersion::Any).await
    })
    .await
}

async fn update(
    db: &TestDb,
    org: OrgId,
    id: UserId,
    roles: impl Into<Roles>,
) -> Result<domain::person::Member> {
    let patch = MemberPatch { roles: Some(roles.into()), ..MemberPatch::default() };
    db.write(org, async move |tx: &mut Tx| {
        people::update(tx, org, &author(), id, &ExpectedVersion::Any, &patch).await
    })
    .await
}

async fn set_password(db: &TestDb, id: UserId, hash: &'static str) -> Result<()> {
    db.write_instance(async move |tx: &mut Tx| people::set_password(tx, &author(), id, hash).await).await
}

/// The kinds of a chain; it and the records must agree.
async fn kinds(db: &TestDb, org: OrgId) -> Vec<String> {
    let mut read = db.read().await.unwrap();
    let report = store::verify::verify(&mut read, org, None).await.unwrap();
    assert_eq!(report.faults, []);
    let entries = store::journal::list(&mut read, org, 0, 100).await.unwrap();
    entries.into_iter().map(|entry| entry.kind).collect()
}

#[testkit::both_engines]
async fn a_life_of_a_member_stands_in_the_journal(db: TestDb) {
    let org = db.organization("Acme").await;
    let boss = db.user(org, "Boss", "boss@x.org", Role::Admin).await;
    let id = member(&db, org, Role::Owner).await;
    let session = start(&db, org, [2; 32]).await.unwrap();
    assert_eq!(find(&db, [2; 32]).await, Some(session));
    update(&db, org, id, Role::Viewer).await.unwrap();
    assert_eq!(find(&db, [2; 32]).await.unwrap().member.roles, Role::Viewer.into());
    remove(&db, org, id).await.unwrap();
    assert_eq!(find(&db, [2; 32]).await, None);
    invite(&db, org, Role::Approver, [3; 32]).await;
    let proof = Proof::Right { person: id, version: credentials(&db, org).await.unwrap().version };
    accept(&db, org, [3; 32], proof).await.unwrap().unwrap();
    assert_eq!(find(&db, [2; 32]).await, None, "an old session does not come back");
    remove(&db, org, boss).await.unwrap();
    let expected = [
        "membership.created",
        "invitation.created",
        "invitation.accepted",
        "membership.created",
        "membership.activated",
        "session.started",
        "membership.updated",
        "session.ended",
        "membership.deleted",
        "invitation.created",
        "invitation.accepted",
        "membership.created",
        "membership.activated",
        "membership.deleted",
    ];
    assert_eq!(kinds(&db, org).await, expected);
    let expected = ["organization.created", "user.created", "user.created", "user.password_set"];
    assert_eq!(kinds(&db, OrgId::INSTANCE).await, expected);
}

#[testkit::both_engines]
async fn a_change_meanwhile_is_noticed(db: TestDb) {
    let org = db.organization("Acme").await;
    let id = member(&db, org, Role::Owner).await;
    // The password that was found right is another one by the time the session begins.
    let before = credentials(&db, org).await.unwrap();
    set_password(&db, id, "$argon2id$other").await.unwrap();
    assert_eq!(start_as(&db, org, before.clone(), [2; 32]).await, None);
    assert_eq!(find(&db, [2; 32]).await, None);
    // An invitation elsewhere is accepted with a password that was right a moment ago.
    let other = db.organization("Other").await;
    invite(&db, other, Role::Viewer, [3; 32]).await;
    let stale = Proof::Right { person: id, version: before.version };
    for proof in [stale, Proof::Chosen(HASH.to_owned())] {
        let refused = accept(&db, other, [3; 32], proof).await.unwrap_err();
        assert!(matches!(refused.0, Error::Conflict(ErrorCode::PasswordChanged)), "{refused}");
    }
    let right = Proof::Right { person: id, version: before.version + 1 };
    assert!(accept(&db, other, [3; 32], right).await.unwrap().is_some());
    // A person who may no longer sign in starts no session.
    let before = credentials(&db, org).await.unwrap();
    let boss = db.user(org, "Boss", "boss@x.org", Role::Admin).await;
    remove(&db, org, id).await.unwrap();
    assert_eq!(start_as(&db, org, before, [4; 32]).await, None);
    let _ = boss;
    kinds(&db, org).await;
    kinds(&db, other).await;
    kinds(&db, OrgId::INSTANCE).await;
}

#[testkit::both_engines]
async fn nothing_reaches_into_another_organization(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    let id = member(&db, org, Role::Admin).await;
    let open = invite_bea(&db, org).await;
    let session = start(&db, org, [2; 32]).await.unwrap();
    let told = (kinds(&db, org).await, kinds(&db, other).await);
    let not_found = |noun| store::Error(Error::NotFound(noun));
    assert_eq!(remove(&db, other, id).await, Err(not_found(ResourceKind::User)));
    assert_eq!(update(&db, other, id, Role::Viewer).await, Err(not_found(ResourceKind::User)));
    let withdrawn: Result<()> = db
        .write(other, async move |tx: &mut Tx| invitations::withdraw(tx, other, &author(), open).await)
        .await;
    assert_eq!(withdrawn, Err(not_found(ResourceKind::Invitation)));
    let (session_id, at) = (session.id, db.clock.now());
    let ended: Result<bool> =
        db.write(other, async move |tx: &mut Tx| sessions::end(tx, other, &author(), session_id).await).await;
    assert_eq!(ended, Ok(false));
    let uses = [(session_id.uuid(), at + SignedDuration::from_hours(1))];
    let noted: Result<()> =
        db.write(other, async move |tx: &mut Tx| sessions::note_use(tx, other, &uses).await).await;
    noted.unwrap();
    let mut read = db.read().await.unwrap();
    assert_eq!(people::get(&mut read, other, id).await, Ok(None));
    assert_eq!(people::list(&mut read, other, &MemberFilter::default(), None, 10).await, Ok(vec![]));
    assert_eq!(people::count(&mut read, other, &MemberFilter::default()).await, Ok(0));
    assert_eq!(invitations::list(&mut read, other, None, 10).await.unwrap().rows, []);
    assert_eq!(invitations::count(&mut read, other).await, Ok(0));
    assert_eq!(invitations::get(&mut read, other, open).await, Err(not_found(ResourceKind::Invitation)));
    assert_eq!(sessions::get(&mut read, other, session_id, at).await, Ok(None));
    assert!(!people::credentials(&mut read, other, "ada@x.org").await.unwrap().unwrap().is_active_here);
    drop(read);
    assert_eq!(accept(&db, other, [9; 32], Proof::Chosen(HASH.to_owned())).await, Ok(None));
    assert_eq!(find(&db, [2; 32]).await, Some(session));
    assert_eq!((kinds(&db, org).await, kinds(&db, other).await), told);
}

/// What is stored is what was given, in its order; the journal says the same.
#[testkit::both_engines]
async fn several_roles_are_kept_found_and_told(db: TestDb) {
    let org = db.organization("Acme").await;
    let roles = |roles: &[Role]| Roles::new(roles.iter().copied()).unwrap();
    let given = roles(&[Role::Staff, Role::Admin, Role::Auditor]);
    let id = member(&db, org, given.clone()).await;
    start(&db, org, [2; 32]).await.unwrap();
    assert_eq!(find(&db, [2; 32]).await.unwrap().member.roles, given);
    let found = async |role: Role| {
        let filter = MemberFilter { roles: vec![role, Role::Owner], ..MemberFilter::default() };
        let mut read = db.read().await.unwrap();
        let count = people::count(&mut read, org, &filter).await.unwrap();
        let members = people::list(&mut read, org, &filter, None, 10).await.unwrap();
        assert_eq!(i64::try_from(members.len()), Ok(count));
        members.into_iter().map(|member| member.roles).collect::<Vec<_>>()
    };
    for role in Role::ALL {
        let expected = if given.has(*role) { vec![given.clone()] } else { vec![] };
        assert_eq!(found(*role).await, expected, "{role:?}");
    }
    let refused = update(&db, org, id, roles(&[Role::Staff, Role::Auditor])).await.unwrap_err();
    assert!(matches!(refused.0, Error::Conflict(ErrorCode::LastAdmin)), "{refused}");
    let left = roles(&[Role::Admin, Role::Auditor]);
    update(&db, org, id, left.clone()).await.unwrap();
    assert_eq!(find(&db, [2; 32]).await.unwrap().member.roles, left, "a running session follows");
    assert_eq!(found(Role::Staff).await, []);
    kinds(&db, org).await;
    let entries = store::journal::list(&mut db.read().await.unwrap(), org, 0, 100).await.unwrap();
    let last = entries.into_iter().rfind(|entry| entry.kind == "membership.updated").unwrap();
    assert!(format!("{last:?}").contains("staff admin auditor"), "{last:?}");
}

async fn invite_bea(db: &TestDb, org: OrgId) -> InvitationId {
    let bea = NewMember {
        name: "Bea".into(),
        email: "bea@x.org".into(),
        job_title: None,
        roles: Role::Viewer.into(),
    };
    let made: Result<_> = db
        .write(org, async move |tx: &mut Tx| invitations::create(tx, org, &author(), &bea, &[8; 32]).await)
        .await;
    made.unwrap().id
}

/// A token is found without its organization; accepting it in another one finds nothing.
#[testkit::both_engines]
async fn an_invitation_is_accepted_in_its_own_organization(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    invite(&db, org, Role::Viewer, [1; 32]).await;
    assert_eq!(accept(&db, other, [1; 32], Proof::Chosen(HASH.to_owned())).await, Ok(None));
    assert!(accept(&db, org, [1; 32], Proof::Chosen(HASH.to_owned())).await.unwrap().is_some());
}

#[testkit::both_engines]
async fn what_ran_out_is_swept_and_nothing_else(db: TestDb) {
    let org = db.organization("Acme").await;
    member(&db, org, Role::Admin).await;
    start(&db, org, [2; 32]).await.unwrap();
    invite_bea(&db, org).await;
    let sweep = async || {
        let now = db.clock.now();
        let swept: Result<(u64, u64)> = db
            .write_instance(async move |tx: &mut Tx| {
                let sessions = sweeps::sweep(tx, Sweep::Sessions, now, 1_000).await?;
                let invitations = sweeps::sweep(tx, Sweep::Invitations, now, 1_000).await?;
                Ok((sessions.count, invitations.count))
            })
            .await;
        swept.unwrap()
    };
    assert_eq!(sweep().await, (0, 0));
    db.clock.advance(sessions::IDLE);
    db.clock.advance_seconds(1);
    assert_eq!(sweep().await, (1, 0));
    db.clock.advance_days(7);
    assert_eq!(sweep().await, (0, 1));
    kinds(&db, org).await;
}

#[testkit::both_engines]
async fn an_unknown_person_has_no_password_to_set(db: TestDb) {
    let refused = set_password(&db, UserId(Uuid::from_u128(7)), HASH).await;
    assert_eq!(refused, Err(store::Error(Error::NotFound(ResourceKind::User))));
}
