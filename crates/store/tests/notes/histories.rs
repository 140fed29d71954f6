//! Random histories of three people who write, edit, pin, delete and restore: the notes, today and after each change,
//! are those of the model, the revisions are what was written, and the journal tells it all.

use db::Tx;
use domain::incident::{NewIncident, Viewer};
use domain::note::{NewNote, Note, NoteKind, NotePatch};
use domain::{
    Actor, ActorKind, Author, Error, ExpectedVersion, FaultCode, IncidentNumber, OrgId, Permissions, Role,
    UserId,
};
use jiff::{SignedDuration, Timestamp};
use store::notes::{NoteId, NoteQuery};
use store::{Deleted, View};
use testkit::{Engine, TestDb, both_engines, prose};

use crate::notes::model::{self, Change, Content, Model, Refused, What};

const ANY: ExpectedVersion = ExpectedVersion::Any;

/// Changes of one history.
const CHANGES: usize = 40;

fn histories(engine: Engine) -> u64 {
    match engine {
        Engine::Sqlite => 30,
        Engine::Postgres => 10,
    }
}

/// Two kinds that change into each other, and the one that does not.
const KINDS: [NoteKind; 3] = [NoteKind::Detection, NoteKind::Action, NoteKind::Comment];

/// A seeded random generator.
struct Dice(db::Random);

impl Dice {
    fn below(&self, end: usize) -> usize {
        let mut bytes = [0; 8];
        (self.0)(&mut bytes);
        usize::try_from(u64::from_le_bytes(bytes) % u64::try_from(end).unwrap()).unwrap()
    }

    fn content(&self, start: Timestamp) -> Content {
        let (kind, text) = (KINDS[self.below(3)], ["One.", "Two.", "Three."][self.below(3)].to_owned());
        let hours = i64::try_from(self.below(3)).unwrap();
        match kind {
            NoteKind::Comment => Content { kind, text, at: None, mentions: (0..self.below(3)).collect() },
            _ => {
                let at = Some(start - SignedDuration::from_hours(hours));
                Content { kind, text, at, mentions: Vec::new() }
            }
        }
    }

    fn change(&self, notes: usize, start: Timestamp) -> Change {
        // Now and then one that is not there.
        let note = 1 + self.below(notes + 1);
        let what = match self.below(10) {
            0 | 1 => {
                let content = self.content(start);
                What::Add { pinned: !content.is_comment() && self.below(2) == 0, content }
            }
            2..=5 => What::Edit { note, content: self.content(start) },
            6 => What::Pin { note, pinned: self.below(2) == 0 },
            7 => What::Delete { note },
            _ => What::Restore { note },
        };
        Change { by: self.below(3), what }
    }
}

/// An organization with an incident and three people.
struct Scene<'d> {
    db: &'d TestDb,
    org: OrgId,
    incident: IncidentNumber,
    people: [UserId; 3],
}

impl<'d> Scene<'d> {
    async fn new(db: &'d TestDb, number: u64) -> Self {
        let org = db.organization(&format!("Acme {number}")).await;
        let mut people = Vec::new();
        for (name, role) in [("Ada", Role::Responder), ("Ben", Role::Responder), ("Olga", Role::Owner)] {
            let email = format!("{}@{number}.example.org", name.to_lowercase());
            people.push(db.user(org, name, &email, role).await);
        }
        let work = async move |tx: &mut Tx| {
            store::incidents::create(tx, org, &testkit::author(), &NewIncident::untitled()).await
        };
        let incident = db.write(org, work).await.unwrap().number;
        Self { db, org, incident, people: people.try_into().unwrap() }
    }

    fn author(&self, by: usize) -> Author {
        let role = if by == model::MODERATOR { Role::Owner } else { Role::Responder };
        let (id, name) = (self.people[by].to_string(), ["Ada", "Ben", "Olga"][by].to_owned());
        let actor = Actor { kind: ActorKind::User, id, name };
        Author::new(actor, "r-1").with(Permissions::new(role.scopes()))
    }

    fn person(&self, actor: &Actor) -> usize {
        self.people.iter().position(|id| id.to_string() == actor.id).unwrap()
    }

    fn id(&self, note: usize) -> NoteId {
        NoteId { incident: self.incident, number: i64::try_from(note).unwrap() }
    }

    async fn seq(&self) -> i64 {
        store::journal::head(&mut self.db.read().await.unwrap(), self.org).await.unwrap().seq
    }

    /// Makes a change in the store.
    async fn make(&self, change: &Change) -> Result<(), Refused> {
        let (org, author, incident) = (self.org, self.author(change.by), self.incident);
        let made = match &change.what {
            What::Add { content, pinned } => {
                let NotePatch { at, mentions, .. } = self.patch(content);
                let pinned = (!content.is_comment()).then_some(*pinned);
                let new = NewNote { at, pinned, mentions, ..NewNote::of(content.kind, prose(&content.text)) };
                let work = async move |tx: &mut Tx| {
                    store::notes::create(tx, org, &author, incident, &new).await.map(drop)
                };
                self.db.write(org, work).await
            }
            What::Edit { note, content } => self.edit(author, *note, self.patch(content)).await,
            What::Pin { note, pinned } => {
                let patch = NotePatch { pinned: Some(*pinned), ..NotePatch::default() };
                self.edit(author, *note, patch).await
            }
            What::Delete { note } => {
                let id = self.id(*note);
                let work = async move |tx: &mut Tx| store::notes::delete(tx, org, &author, id, &ANY).await;
                self.db.write(org, work).await
            }
            What::Restore { note } => {
                let id = self.id(*note);
                let work = async move |tx: &mut Tx| {
                    store::notes::restore(tx, org, &author, id, &ANY).await.map(drop)
                };
                self.db.write(org, work).await
            }
        };
        made.map_err(|store::Error(error)| match error {
            Error::NotFound(_) => Refused::NotFound,
            Error::Forbidden(_) => Refused::Forbidden,
            Error::Invalid(faults) if faults.iter().all(|it| it.code == FaultCode::NotOfKind) => {
                Refused::NotOfKind
            }
            other => panic!("{other:?}"),
        })
    }

    async fn edit(&self, author: Author, note: usize, patch: NotePatch) -> store::Result<()> {
        let (org, id) = (self.org, self.id(note));
        let work =
            async move |tx: &mut Tx| store::notes::update(tx, org, &author, id, &ANY, &patch).await.map(drop);
        self.db.write(org, work).await
    }

    /// Everything of a note that says this, whether it is pinned excepted.
    fn patch(&self, content: &Content) -> NotePatch {
        NotePatch {
            kind: Some(content.kind),
            text: Some(prose(&content.text)),
            at: content.at,
            pinned: None,
            mentions: content.is_comment().then(|| self.mentioned(&content.mentions)),
        }
    }

    fn mentioned(&self, mentions: &[usize]) -> Vec<UserId> {
        mentions.iter().map(|place| self.people[*place]).collect()
    }

    fn content(&self, note: &Note) -> Content {
        let place = |id: &UserId| self.people.iter().position(|person| person == id).unwrap();
        let mentions = note.mentions.iter().map(place).collect();
        let is_comment = note.kind == NoteKind::Comment;
        assert!(!is_comment || (note.at == note.created_date && !note.pinned));
        let at = (!is_comment).then_some(note.at);
        Content { kind: note.kind, text: note.text.to_string(), at, mentions }
    }

    /// What the register has of each note without its earlier revisions, in the order of writing.
    async fn notes(&self, view: View) -> Vec<Found> {
        let (viewer, mut tx) = (Viewer::service(), self.db.read().await.unwrap());
        let query = NoteQuery::of(view);
        let page = store::notes::list(&mut tx, self.org, &viewer, self.incident, &query, 1_000).await;
        let mut rows = page.unwrap().value.rows;
        assert!(rows.is_sorted_by_key(|note| (note.at, note.number)));
        rows.sort_by_key(|note| note.number);
        let found = rows.iter().map(|note| Found {
            author: self.person(&note.author),
            pinned: note.pinned,
            deleted: note.deleted_date.is_some(),
            version: note.version,
            revisions: note.revision(),
            content: self.content(note),
            by: self.person(note.edited_by.as_ref().unwrap_or(&note.author)),
        });
        found.collect()
    }

    /// What each note said and who wrote it so, page by page; none of a deleted one.
    async fn revisions(&self, note: usize) -> Option<Vec<(Content, usize)>> {
        let (viewer, id, mut tx) = (Viewer::service(), self.id(note), self.db.read().await.unwrap());
        let by = |note: &Note| self.person(note.edited_by.as_ref().unwrap_or(&note.author));
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page = store::notes::list_revisions(&mut tx, self.org, &viewer, id, after, 2).await.ok()?.0;
            after = page.rows.last().map(|note| note.version);
            all.extend(page.rows.iter().map(|note| (self.content(note), by(note))));
            if !page.has_more {
                break;
            }
        }
        let count = store::notes::count_revisions(&mut tx, self.org, id).await;
        assert_eq!(count.unwrap(), i64::try_from(all.len()).unwrap());
        Some(all)
    }
}

/// A note as the register has it.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    author: usize,
    pinned: bool,
    deleted: bool,
    version: i64,
    revisions: i64,
    content: Content,
    by: usize,
}

fn expected(model: &Model, deleted: Deleted) -> Vec<Found> {
    let notes = model.notes.iter().filter(|note| match deleted {
        Deleted::Without => !note.deleted,
        Deleted::Only => note.deleted,
        Deleted::With => true,
    });
    let found = notes.map(|note| {
        let (content, by) = note.revisions.last().unwrap().clone();
        let revisions = i64::try_from(note.revisions.len()).unwrap();
        let model::Note { author, pinned, deleted, version, .. } = *note;
        Found { author, pinned, deleted, version, revisions, content, by }
    });
    found.collect()
}

#[both_engines]
async fn notes_are_those_of_the_model_today_and_in_the_past(db: TestDb) {
    let (mut done, mut refused) = (0, 0);
    for seed in 0..histories(db.engine()) {
        let (dice, scene) = (Dice(testkit::seeded(seed)), Scene::new(&db, seed).await);
        let (mut model, start) = (Model::default(), db.clock.now());
        let mut states = vec![(scene.seq().await, model.clone())];
        for _ in 0..CHANGES {
            let change = dice.change(model.notes.len(), start);
            let answer = model.apply(&change);
            assert_eq!(scene.make(&change).await, answer, "{seed} {change:?}");
            if answer.is_ok() {
                done += 1;
                states.push((scene.seq().await, model.clone()));
            } else {
                refused += 1;
            }
            db.clock.advance(SignedDuration::from_secs(i64::try_from(dice.below(3)).unwrap()));
        }
        for deleted in [Deleted::Without, Deleted::Only, Deleted::With] {
            let view = View { deleted, ..View::now() };
            assert_eq!(scene.notes(view).await, expected(&model, deleted), "{seed} {deleted:?}");
            for (seq, state) in &states {
                let view = View { deleted, ..View::as_of(*seq) };
                assert_eq!(scene.notes(view).await, expected(state, deleted), "{seed} {seq}");
            }
        }
        for (place, note) in model.notes.iter().enumerate() {
            let found = scene.revisions(place + 1).await;
            assert_eq!(found, (!note.deleted).then(|| note.revisions.clone()), "{seed} {}", place + 1);
        }
        let report = store::verify::verify(&mut db.read().await.unwrap(), scene.org, None).await.unwrap();
        assert_eq!(report.faults, [], "{seed}");
    }
    assert!(done > refused / 2 && refused > done / 10, "{done} changes, {refused} refused");
}
