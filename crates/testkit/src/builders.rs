//! What a test needs before it can begin: organizations and people.

use std::ops::Range;

use db::Tx;
use domain::note::{NewNote, NoteKind};
use domain::person::NewMember;
use domain::{Actor, ActorKind, Author, OrgId, Prose, Roles, Scopes, UserId};
use store::idempotency::{self, Stored};

use crate::TestDb;

/// Whom a test's own preparations are attributed to.
pub fn author() -> Author {
    let actor = Actor { kind: ActorKind::Operator, id: "test".to_owned(), name: "Test".to_owned() };
    Author::new(actor, "test")
}

impl TestDb {
    /// Makes an organization.
    pub async fn organization(&self, name: &str) -> OrgId {
        let name = name.to_owned();
        let made = self
            .write_instance(async move |tx: &mut Tx| store::organizations::create(tx, &author(), &name).await)
            .await
            .expect("making an organization");
        made.id
    }

    /// Adds a member to an organization; a known e-mail address adds the same person.
    pub async fn user(
        &self,
        organization: OrgId,
        name: &str,
        email: &str,
        roles: impl Into<Roles>,
    ) -> UserId {
        let new = NewMember {
            name: domain::Line::stored(name),
            email: domain::person::EmailAddress::stored(email),
            job_title: None,
            roles: roles.into(),
        };
        let member = self
            .write_instance(async move |tx: &mut Tx| {
                store::people::add(tx, organization, &author(), &new).await
            })
            .await
            .expect("adding a member");
        member.person.id
    }

    /// Keeps an answer under each of the idempotency keys `k0`, `k1`, ….
    pub async fn keep_answers(&self, organization: OrgId, keys: Range<u32>) {
        let answer = Stored {
            fingerprint: vec![1],
            status: 201,
            location: None,
            etag: None,
            body: Some(vec![b'x']),
            incidents: Vec::new(),
            required_scopes: Scopes::default(),
        };
        let work = async move |tx: &mut Tx| {
            for key in keys.clone() {
                idempotency::insert(tx, organization, &author().actor, &format!("k{key}"), &answer).await?;
            }
            Ok::<_, store::Error>(())
        };
        self.write(organization, work).await.expect("keeping answers");
    }
}

/// The text of a note.
pub fn prose(text: &str) -> Prose {
    Prose::stored(text.to_owned())
}

/// A comment to write.
pub fn comment(text: &str) -> NewNote {
    NewNote::of(NoteKind::Comment, prose(text))
}
