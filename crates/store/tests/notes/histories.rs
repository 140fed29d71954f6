//! Random histories of three people who write, edit, pin, delete and restore: the notes, today and after each change,
//! are those of the model, the revisions are what was written, and the journal tells it all.

use db::Tx;
use domain::incident::{NewIncident, Viewer};
use domain::note::{Comment, CommentPatch, Entry, EntryKind, EntryPatch, NewComment, NewEntry, Note};
use domain::{
    Actor, ActorKind, Author, Error, ExpectedVersion, IncidentNumber, OrgId, Permissions, Role, UserId,
};
use jiff::{SignedDuration, Timestamp};
use store::comments::{CommentQuery, NoteId};
use store::entries::EntryQuery;
use store::{Deleted, View};
use testkit::{Engine, TestDb, both_engines};

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

/// The kinds of notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Entries,
    Comments,
}

/// A seeded random generator.
struct Dice(db::Random);

impl Dice {
    fn below(&self, end: usize) -> usize {
        let mut bytes = [0; 8];
        (self.0)(&mut bytes);
        usize::try_from(u64::from_le_bytes(bytes) % u64::try_from(end).unwrap()).unwrap()
    }

    fn content(&self, kind: Kind, start: Timestamp) -> Content {
        let text = ["One.", "Two.", "Three."][self.below(3)].to_owned();
        match kind {
            Kind::Entries => Content::Entry {
                text,
                kind: EntryKind::ALL[self.below(2)],
                at: start - SignedDuration::from_hours(i64::try_from(self.below(3)).unwrap()),
            },
            Kind::Comments => Content::Comment { text, mentions: (0..self.below(3)).collect() },
        }
    }

    fn change(&self, kind: Kind, notes: usize, start: Timestamp) -> Change {
        // Now and then one that is not there.
        let note = 1 + self.below(notes + 1);
        let what = match self.below(10) {
            0 | 1 => What::Add {
                content: self.content(kind, start),
                pinned: kind == Kind::Entries && self.below(2) == 0,
            },
            2..=5 => What::Edit { note, content: self.content(kind, start) },
            6 if kind == Kind::Entries => What::Pin { note, pinned: self.below(2) == 0 },
            6 | 7 => What::Delete { note },
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
    async fn make(&self, kind: Kind, change: &Change) -> Result<(), Refused> {
        let (org, author) = (self.org, self.author(change.by));
        let made = match &change.what {
            What::Add { content, pinned } => self.add(author, content, *pinned).await,
            What::Edit { note, content } => self.edit(author, self.id(*note), content).await,
            What::Pin { note, pinned } => {
                let patch = EntryPatch { pinned: Some(*pinned), ..EntryPatch::default() };
                self.edit_entry(author, self.id(*note), patch).await
            }
            What::Delete { note } => {
                let id = self.id(*note);
                let work = async move |tx: &mut Tx| match kind {
                    Kind::Entries => store::entries::delete(tx, org, &author, id, &ANY).await,
                    Kind::Comments => store::comments::delete(tx, org, &author, id, &ANY).await,
                };
                self.db.write(org, work).await
            }
            What::Restore { note } => {
                let id = self.id(*note);
                let work = async move |tx: &mut Tx| match kind {
                    Kind::Entries => store::entries::restore(tx, org, &author, id, &ANY).await.map(drop),
                    Kind::Comments => store::comments::restore(tx, org, &author, id, &ANY).await.map(drop),
                };
                self.db.write(org, work).await
            }
        };
        made.map_err(|store::Error(error)| match error {
            Error::NotFound(_) => Refused::NotFound,
            Error::Forbidden(_) => Refused::Forbidden,
            other => panic!("{other:?}"),
        })
    }

    async fn add(&self, author: Author, content: &Content, pinned: bool) -> store::Result<()> {
        let (org, incident) = (self.org, self.incident);
        match content {
            Content::Entry { text, kind, at } => {
                let new = NewEntry { kind: *kind, text: text.clone(), at: Some(*at), pinned };
                let work = async move |tx: &mut Tx| {
                    store::entries::create(tx, org, &author, incident, &new).await.map(drop)
                };
                self.db.write(org, work).await
            }
            Content::Comment { text, mentions } => {
                let new = NewComment { text: text.clone(), mentions: self.mentioned(mentions) };
                let work = async move |tx: &mut Tx| {
                    store::comments::create(tx, org, &author, incident, &new).await.map(drop)
                };
                self.db.write(org, work).await
            }
        }
    }

    async fn edit(&self, author: Author, id: NoteId, content: &Content) -> store::Result<()> {
        match content {
            Content::Entry { text, kind, at } => {
                let (kind, text, at) = (Some(*kind), Some(text.clone()), Some(*at));
                self.edit_entry(author, id, EntryPatch { kind, text, at, pinned: None }).await
            }
            Content::Comment { text, mentions } => {
                let (org, text) = (self.org, Some(text.clone()));
                let patch = CommentPatch { text, mentions: Some(self.mentioned(mentions)) };
                let work = async move |tx: &mut Tx| {
                    store::comments::update(tx, org, &author, id, &ANY, &patch).await.map(drop)
                };
                self.db.write(org, work).await
            }
        }
    }

    async fn edit_entry(&self, author: Author, id: NoteId, patch: EntryPatch) -> store::Result<()> {
        let org = self.org;
        let work = async move |tx: &mut Tx| {
            store::entries::update(tx, org, &author, id, &ANY, &patch).await.map(drop)
        };
        self.db.write(org, work).await
    }

    fn mentioned(&self, mentions: &[usize]) -> Vec<UserId> {
        mentions.iter().map(|place| self.people[*place]).collect()
    }

    fn comment(&self, comment: &Comment) -> Content {
        let place = |id: &UserId| self.people.iter().position(|person| person == id).unwrap();
        let mentions = comment.mentions.iter().map(place).collect();
        Content::Comment { text: comment.note.text.clone(), mentions }
    }

    fn entry(entry: &Entry) -> Content {
        Content::Entry { text: entry.note.text.clone(), kind: entry.kind, at: entry.at }
    }

    /// What the register has of each note without its earlier revisions, in the order of writing.
    async fn notes(&self, kind: Kind, view: View) -> Vec<Found> {
        let (viewer, mut tx) = (Viewer::service(), self.db.read().await.unwrap());
        let found = |note: &Note, content, pinned| Found {
            author: self.person(&note.author),
            pinned,
            deleted: note.deleted_date.is_some(),
            version: note.version,
            revisions: note.revision(),
            content,
            by: self.person(note.edited_by.as_ref().unwrap_or(&note.author)),
        };
        match kind {
            Kind::Entries => {
                let query = EntryQuery::of(view);
                let page =
                    store::entries::list(&mut tx, self.org, &viewer, self.incident, &query, 1_000).await;
                let mut rows = page.unwrap().rows;
                assert!(rows.is_sorted_by_key(|entry| (entry.at, entry.note.number)));
                rows.sort_by_key(|entry| entry.note.number);
                rows.iter().map(|entry| found(&entry.note, Self::entry(entry), entry.pinned)).collect()
            }
            Kind::Comments => {
                let query = CommentQuery::of(view);
                let page =
                    store::comments::list(&mut tx, self.org, &viewer, self.incident, &query, 1_000).await;
                let rows = page.unwrap().value.rows;
                rows.iter().map(|comment| found(&comment.note, self.comment(comment), false)).collect()
            }
        }
    }

    /// What each note said and who wrote it so, page by page; none of a deleted one.
    async fn revisions(&self, kind: Kind, note: usize) -> Option<Vec<(Content, usize)>> {
        let (viewer, id, mut tx) = (Viewer::service(), self.id(note), self.db.read().await.unwrap());
        let by = |note: &Note| self.person(note.edited_by.as_ref().unwrap_or(&note.author));
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let (rows, has_more) = match kind {
                Kind::Entries => {
                    let page = store::entries::list_revisions(&mut tx, self.org, &viewer, id, after, 2).await;
                    let page = page.ok()?;
                    after = page.rows.last().map(|entry| entry.note.version);
                    let rows = page.rows.iter().map(|entry| (Self::entry(entry), by(&entry.note)));
                    (rows.collect::<Vec<_>>(), page.has_more)
                }
                Kind::Comments => {
                    let page =
                        store::comments::list_revisions(&mut tx, self.org, &viewer, id, after, 2).await;
                    let page = page.ok()?.0;
                    after = page.rows.last().map(|comment| comment.note.version);
                    let rows = page.rows.iter().map(|it| (self.comment(it), by(&it.note)));
                    (rows.collect::<Vec<_>>(), page.has_more)
                }
            };
            all.extend(rows);
            if !has_more {
                break;
            }
        }
        let count = match kind {
            Kind::Entries => store::entries::count_revisions(&mut tx, self.org, id).await,
            Kind::Comments => store::comments::count_revisions(&mut tx, self.org, id).await,
        };
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
        let kind = if seed % 2 == 0 { Kind::Entries } else { Kind::Comments };
        let (mut model, start) = (Model::default(), db.clock.now());
        let mut states = vec![(scene.seq().await, model.clone())];
        for _ in 0..CHANGES {
            let change = dice.change(kind, model.notes.len(), start);
            let answer = model.apply(&change);
            assert_eq!(scene.make(kind, &change).await, answer, "{seed} {change:?}");
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
            assert_eq!(scene.notes(kind, view).await, expected(&model, deleted), "{seed} {deleted:?}");
            for (seq, state) in &states {
                let view = View { deleted, ..View::as_of(*seq) };
                assert_eq!(scene.notes(kind, view).await, expected(state, deleted), "{seed} {seq}");
            }
        }
        for (place, note) in model.notes.iter().enumerate() {
            let found = scene.revisions(kind, place + 1).await;
            assert_eq!(found, (!note.deleted).then(|| note.revisions.clone()), "{seed} {}", place + 1);
        }
        let report = store::journal::verify(&mut db.read().await.unwrap(), scene.org, None).await.unwrap();
        assert_eq!(report.faults, [], "{seed}");
    }
    assert!(done > refused / 2 && refused > done / 10, "{done} changes, {refused} refused");
}
