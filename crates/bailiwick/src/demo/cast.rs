//! The organization, its people and its machines, as the story needs them.

use std::collections::HashMap;

use auth::clients::Registered;
use db::{Db, Tx};
use domain::client::NewClient;
use domain::person::{Member, NewMember};
use domain::{Actor, ActorKind, Author, ClientId, OrgId, Permissions, Scope, Scopes, UserId};

use super::ORGANIZATION;
use super::people::{CLIENTS, DemoPerson, PEOPLE, Who};

/// The actors, with the ids that the database assigned.
#[derive(Debug)]
pub(super) struct Cast {
    /// The organization they act in.
    pub(super) organization: OrgId,
    /// The client that a visitor uses.
    pub(super) visitor: ClientId,
    people: HashMap<Who, UserId>,
    authors: HashMap<Who, Author>,
}

impl Cast {
    /// The id of a person; none for a machine.
    pub(super) fn person(&self, who: Who) -> Option<UserId> {
        self.people.get(&who).copied()
    }

    /// A person or machine as the author of a change.
    pub(super) fn author(&self, who: Who) -> Result<&Author, store::Error> {
        self.authors.get(&who).ok_or_else(|| missing(who))
    }

    /// `who`, if their role has `scope`, else the head of information security: she keeps the minutes
    /// of the reviews for those who may not write them down.
    pub(super) fn author_with(&self, who: Who, scope: Scope) -> Result<&Author, store::Error> {
        let may = |person: &DemoPerson| person.who == who && person.role.scopes().has(scope);
        self.author(if PEOPLE.iter().any(may) { who } else { Who::Marta })
    }
}

/// Marks the database and creates all people and machines.
pub(super) async fn introduce(db: &Db) -> Result<Cast, store::Error> {
    let (organization, members) = db.write_instance(found).await?;
    let mut cast = Cast {
        organization,
        visitor: register(db, organization, "Demo visitor", Scopes::all()).await?,
        people: HashMap::new(),
        authors: HashMap::new(),
    };
    for (told, Member { person, .. }) in members {
        cast.people.insert(told.who, person.id);
        let author = author(ActorKind::User, person.id.to_string(), person.name);
        cast.authors.insert(told.who, author.with(Permissions::new(told.role.scopes())));
    }
    for client in CLIENTS {
        let scopes = Scopes::parse(client.scopes).map_err(missing)?;
        let id = register(db, organization, client.name, scopes).await?;
        let author = author(ActorKind::Client, id.to_string(), client.name.to_owned());
        cast.authors.insert(client.who, author.with(Permissions::new(scopes)));
    }
    Ok(cast)
}

/// Makes the organization and its people.
async fn found(tx: &mut Tx) -> Result<(OrgId, Vec<(&'static DemoPerson, Member)>), store::Error> {
    store::demo::begin(tx).await?;
    let author = operator();
    let organization = store::organizations::create(tx, &author, ORGANIZATION).await?.id;
    let mut members = Vec::new();
    for person in PEOPLE {
        let new = NewMember {
            name: domain::Line::stored(person.name),
            email: domain::person::EmailAddress::stored(person.email),
            role: person.role,
        };
        members.push((person, store::people::add(tx, organization, &author, &new).await?));
    }
    if let Some((_, first)) = members.first() {
        store::people::set_operator(tx, &author, first.person.id, true).await?;
    }
    Ok((organization, members))
}

/// Makes a client whose secret was never shown.
async fn register(
    db: &Db,
    organization: OrgId,
    name: &str,
    scopes: Scopes,
) -> Result<ClientId, store::Error> {
    let new = NewClient { name: domain::Line::stored(name), scopes };
    Ok(Registered::create(db, organization, operator(), new).await?.client.id)
}

/// The operator who started the demo.
pub(super) fn operator() -> Author {
    author(ActorKind::Operator, "service".to_owned(), "Service".to_owned())
        .with(Permissions::new(Scopes::all()))
}

fn author(kind: ActorKind, id: String, name: String) -> Author {
    Author::new(Actor { kind, id, name }, "demo")
}

/// The error for something that the story has not made yet. The tests of the tables ensure that it does not happen.
pub(super) fn missing(what: impl std::fmt::Debug) -> store::Error {
    domain::Error::Internal(format!("the story does not know {what:?} yet")).into()
}
