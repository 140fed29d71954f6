//! People who sign in.

use auth::secret::InvitationToken;
use db::Tx;
use domain::person::NewMember;
use domain::{OrgId, Roles};
use serde_json::json;

use crate::{TestApp, author};

/// A person who accepted an invitation and has signed in. As a `bearer` they present their session.
#[derive(Debug, Clone)]
pub struct TestPerson {
    /// Their id.
    pub id: String,
    /// Their address.
    pub email: String,
    /// Their password.
    pub password: String,
    /// The organization they signed in to.
    pub organization: OrgId,
    /// The token of their session.
    pub token: String,
}

impl AsRef<str> for TestPerson {
    fn as_ref(&self) -> &str {
        &self.token
    }
}

impl TestApp {
    /// A person with these roles in the organization, signed in; the address is made of the name.
    pub async fn person(&self, name: &str, roles: impl Into<Roles>) -> TestPerson {
        self.person_of(self.organization, name, roles).await
    }

    /// The same in another organization; a known name joins the same person.
    pub async fn person_of(&self, organization: OrgId, name: &str, roles: impl Into<Roles>) -> TestPerson {
        let email = format!("{}@x.org", name.to_lowercase().replace(' ', "."));
        let password = format!("the password of {name}");
        let token = self.invite(organization, name, &email, roles).await;
        let body = json!({"token": token, "password": password});
        let accepted = self.post("/v1/invitations/accept").json(body).expect(200).await;
        let token = self.sign_in_person(organization, &email, &password).await;
        TestPerson { id: accepted.text("/user/id").to_owned(), email, password, organization, token }
    }

    /// Invites a person; returns the token of the link.
    pub async fn invite(
        &self,
        organization: OrgId,
        name: &str,
        email: &str,
        roles: impl Into<Roles>,
    ) -> String {
        let new = NewMember {
            name: domain::Line::stored(name),
            email: domain::person::EmailAddress::stored(email),
            job_title: None,
            roles: roles.into(),
        };
        let token = InvitationToken::generate(&**self.db.random());
        let hash = token.hash();
        let made: store::Result<_> = self
            .db
            .write(organization, async move |tx: &mut Tx| {
                store::invitations::create(tx, organization, &author(), &new, &hash).await
            })
            .await;
        made.expect("inviting a person");
        token.expose().to_owned()
    }

    /// The token of a new session.
    pub async fn sign_in_person(&self, organization: OrgId, email: &str, password: &str) -> String {
        let body = json!({"email": email, "password": password, "organization_id": organization});
        self.post("/v1/session").json(body).expect(201).await.text("token").to_owned()
    }
}
