//! What a test needs before it can begin: organizations and people.

use db::Tx;
use domain::person::NewMember;
use domain::{Actor, ActorKind, Author, OrgId, Role, UserId};

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
    pub async fn user(&self, organization: OrgId, name: &str, email: &str, role: Role) -> UserId {
        let new = NewMember { name: name.to_owned(), email: email.to_owned(), role };
        let member = self
            .write_instance(async move |tx: &mut Tx| {
                store::people::add(tx, organization, &author(), &new).await
            })
            .await
            .expect("adding a member");
        member.person.id
    }
}
