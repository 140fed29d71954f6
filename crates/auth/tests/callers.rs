//! Clients and people from their credentials to the caller they are, without HTTP, on both engines.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use auth::clients::{ClientCredentials, Registered};
use auth::people::{Accept, Password, PasswordCost, SignIn, accept_invitation, sign_in};
use auth::secret::InvitationToken;
use auth::tokens::{GrantType, RequestedScopes, TokenPair, TokenRequest, TokenUse, exchange};
use auth::{Auth, Error, MasterKey, Settings, Source, identify, tokens};
use db::Tx;
use domain::client::NewClient;
use domain::person::NewMember;
use domain::{OrgId, Role, Scopes};
use testkit::{TestDb, author};
use zeroize::Zeroizing;

const PASSWORD: &str = "correct horse battery";

fn source() -> Source {
    Source { address: IpAddr::V4(Ipv4Addr::LOCALHOST), request_id: Some("r-1".to_owned()) }
}

async fn start(db: &TestDb) -> Arc<Auth> {
    let master = MasterKey::generate(&*testkit::seeded(0));
    let password_cost = PasswordCost { memory_kib: 8, iterations: 1 };
    let settings = Settings { password_cost, ..Settings::new("http://bailiwick.test") };
    Auth::start(db.db(), &master, &settings).await.unwrap()
}

async fn client(db: &TestDb, org: OrgId, scopes: &str) -> Registered {
    let new = NewClient { name: "SIEM".into(), scopes: Scopes::parse(scopes).unwrap() };
    Registered::create(db, org, author(), new).await.unwrap()
}

fn credentials(client: &Registered) -> ClientCredentials {
    ClientCredentials {
        id: Some(client.client.id.as_str().to_owned()),
        secret: Some(Zeroizing::new(client.secret.expose().to_owned())),
        is_attempt: true,
    }
}

fn request(client: ClientCredentials, scopes: RequestedScopes) -> TokenRequest {
    TokenRequest { grant: GrantType::ClientCredentials, client, scopes, resources: Vec::new() }
}

async fn pair(auth: &Auth, client: &Registered) -> TokenPair {
    exchange(auth, &request(credentials(client), RequestedScopes::All), &source()).await.unwrap()
}

/// Makes a member who can sign in with [`PASSWORD`].
async fn member(db: &TestDb, auth: &Auth, org: OrgId) {
    let new = NewMember {
        name: "Ada".into(),
        email: "ada@x.org".into(),
        job_title: None,
        roles: Role::Viewer.into(),
    };
    let token = InvitationToken::generate(&**db.random());
    let hash = token.hash();
    let invited: store::Result<_> = db
        .write(org, async move |tx: &mut Tx| {
            store::invitations::create(tx, org, &author(), &new, &hash).await
        })
        .await;
    invited.unwrap();
    let accept = Accept {
        token: auth::secret::Sent(Some(token)),
        password: Password::new(PASSWORD.to_owned()),
        name: None,
    };
    accept_invitation(auth, accept, &source()).await.unwrap();
}

fn ada(password: &str, organization: Option<OrgId>) -> SignIn {
    SignIn { email: "ADA@x.org".to_owned(), password: Password::new(password.to_owned()), organization }
}

#[testkit::both_engines]
async fn a_client_is_the_caller_with_the_token_that_its_credentials_gave(db: TestDb) {
    let (org, auth) = (db.organization("A").await, start(&db).await);
    let client = client(&db, org, "incidents:read tags:read").await;
    let token = pair(&auth, &client).await.access_token;
    let caller = identify(&auth, &token, &source()).await.unwrap();
    assert_eq!((caller.organization, caller.actor.name.as_str()), (org, "SIEM"));
    assert_eq!(caller.scopes.to_string(), "incidents:read tags:read");
    assert_eq!(identify(&auth, &token[1..], &source()).await, Err(Error::Unauthenticated));
}

#[testkit::both_engines]
async fn what_a_client_may_not_have_is_refused_and_listed(db: TestDb) {
    let (org, auth) = (db.organization("A").await, start(&db).await);
    let client = client(&db, org, "incidents:read").await;
    let other = RequestedScopes::Named(Scopes::parse("risks:read").unwrap());
    let scope = exchange(&auth, &request(credentials(&client), other), &source()).await;
    assert_eq!(scope.err(), Some(Error::InvalidScope));
    let mut another_api = request(credentials(&client), RequestedScopes::All);
    another_api.resources.push("http://another.test/v1".to_owned());
    assert_eq!(exchange(&auth, &another_api, &source()).await.err(), Some(Error::InvalidTarget));
    let nothing = ClientCredentials { secret: None, ..credentials(&client) };
    let secret = exchange(&auth, &request(nothing, RequestedScopes::All), &source()).await;
    assert_eq!(secret.err(), Some(Error::InvalidCredentials));

    auth.write_refusals().await;
    let mut read = db.read().await.unwrap();
    let page = store::refusals::list(&mut read, org, &client.client.id, None, 10).await.unwrap();
    let mut reasons: Vec<_> = page.rows.iter().map(|refusal| refusal.reason.as_str()).collect();
    reasons.sort_unstable();
    assert_eq!(reasons, ["credentials_missing", "invalid_scope", "invalid_target"]);
}

#[testkit::both_engines]
async fn a_revoked_refresh_token_takes_its_access_tokens_along(db: TestDb) {
    let (org, auth) = (db.organization("A").await, start(&db).await);
    let client = client(&db, org, "incidents:read").await;
    let pair = pair(&auth, &client).await;
    let state = tokens::introspect(&auth, &credentials(&client), &pair.refresh_token, &source()).await;
    assert_eq!(state.unwrap().map(|state| state.token_use), Some(TokenUse::Refresh));
    tokens::revoke(&auth, &credentials(&client), &pair.refresh_token, &source()).await.unwrap();
    let state = tokens::introspect(&auth, &credentials(&client), &pair.access_token, &source()).await;
    assert_eq!(state, Ok(None));
    assert_eq!(identify(&auth, &pair.access_token, &source()).await, Err(Error::Unauthenticated));
}

#[testkit::both_engines]
async fn a_person_is_the_caller_with_the_token_of_their_session(db: TestDb) {
    let (org, auth) = (db.organization("A").await, start(&db).await);
    member(&db, &auth, org).await;
    let wrong = sign_in(&auth, ada("wrong horse battery", Some(org)), &source()).await;
    assert_eq!(wrong.err(), Some(Error::InvalidCredentials));
    let signed_in = sign_in(&auth, ada(PASSWORD, None), &source()).await.unwrap();
    let caller = identify(&auth, signed_in.token.expose(), &source()).await.unwrap();
    assert_eq!((caller.organization, caller.session), (org, Some(signed_in.session.id)));
    assert_eq!(caller.scopes, Role::Viewer.scopes());
}

#[testkit::both_engines]
async fn a_person_of_two_organizations_names_one(db: TestDb) {
    let (first, second) = (db.organization("A").await, db.organization("B").await);
    let auth = start(&db).await;
    member(&db, &auth, first).await;
    member(&db, &auth, second).await;
    match sign_in(&auth, ada(PASSWORD, None), &source()).await {
        Err(Error::OrganizationNeeded(choices)) => {
            assert_eq!(choices.iter().map(|choice| choice.id).collect::<Vec<_>>(), [first, second]);
        }
        other => panic!("{:?}", other.err()),
    }
    let wrong = sign_in(&auth, ada("wrong horse battery", None), &source()).await;
    assert_eq!(wrong.err(), Some(Error::InvalidCredentials), "the choice is told to the person only");
    assert_eq!(
        sign_in(&auth, ada(PASSWORD, Some(second)), &source()).await.unwrap().session.organization,
        second
    );
}
