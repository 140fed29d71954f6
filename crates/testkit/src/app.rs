//! The whole service in the test's own process.

use std::sync::OnceLock;

use auth::clients::Registered;
use auth::people::PasswordCost;
use auth::{Auth, MasterKey};
use axum::Router;
use db::Tx;
use domain::client::NewClient;
use domain::{OrgId, Roles, Scopes, UserId};
use serde_json::json;

use crate::{Contract, TestDb, author};

/// The public URL of the service under test.
const PUBLIC_URL: &str = "http://bailiwick.test";

/// The routes, for all tests of a process: to describe them takes longer than most tests.
static ROUTES: OnceLock<api::Routes> = OnceLock::new();

/// How a request without a token is answered (`WWW-Authenticate`).
pub const CHALLENGE: &str = r#"Bearer realm="bailiwick", resource_metadata="http://bailiwick.test/.well-known/oauth-protected-resource/v1""#;

/// How a request with an invalid token is answered (`WWW-Authenticate`).
pub const INVALID_TOKEN: &str = r#"Bearer realm="bailiwick", error="invalid_token", resource_metadata="http://bailiwick.test/.well-known/oauth-protected-resource/v1""#;

/// As in the service, but without throttling of failures: the clock of a test stands still.
fn tokens() -> auth::Settings {
    // The cost of password hashing has its own tests.
    let password_cost = PasswordCost { memory_kib: 8, iterations: 1 };
    auth::Settings { failures_before_wait: 0, password_cost, ..auth::Settings::new(PUBLIC_URL) }
}

/// The service's router on a database that one test owns, with one organization in it.
/// There is no rate limit, failures are not throttled, and nothing runs in the background but what a test starts.
pub struct TestApp {
    /// The database below it, with the clock of the test.
    pub db: TestDb,
    /// The organization that `client_with_scopes` and `user` use.
    pub organization: OrgId,
    app: http::App,
    router: Router,
    contract: &'static Contract,
    declared: Vec<api::DeclaredHeaders>,
}

impl TestApp {
    /// The service with the settings of tests, on a database of a test.
    pub async fn start(db: TestDb) -> Self {
        let http = http::Settings { rate_limit_per_minute: 0, ..http::Settings::default() };
        Self::start_with(db, http, tokens()).await
    }

    /// The same at another public URL.
    pub async fn start_at(db: TestDb, public_url: &str) -> Self {
        let http = http::Settings { rate_limit_per_minute: 0, ..http::Settings::default() };
        Self::start_with(db, http, auth::Settings { public_url: public_url.to_owned(), ..tokens() }).await
    }

    /// The service with settings that a test is about.
    pub async fn start_with(db: TestDb, http: http::Settings, oauth: auth::Settings) -> Self {
        let organization = db.organization("Acme").await;
        Self::build(db, organization, http, oauth).await
    }

    /// The service on a register that is there already, whose keys this master key opens.
    pub async fn resume(db: TestDb, organization: OrgId, master: &MasterKey) -> Self {
        let http = http::Settings { rate_limit_per_minute: 0, ..http::Settings::default() };
        let cursors = master.derive("list cursors");
        Self::open(db, organization, (master, &cursors), http, tokens()).await
    }

    /// A second process on the same database: own connections, own caches, same keys and same clock.
    /// `seed` is any number but 1, and another one for each.
    pub async fn beside(&self, seed: u64) -> Self {
        self.beside_with_tokens(seed, tokens()).await
    }

    /// The same with settings of its own.
    pub async fn beside_with(&self, seed: u64, http: http::Settings) -> Self {
        Self::build(self.db.second(seed).await, self.organization, http, tokens()).await
    }

    /// The same with settings of its own for tokens.
    pub async fn beside_with_tokens(&self, seed: u64, oauth: auth::Settings) -> Self {
        let http = http::Settings { rate_limit_per_minute: 0, ..http::Settings::default() };
        Self::build(self.db.second(seed).await, self.organization, http, oauth).await
    }

    async fn build(db: TestDb, organization: OrgId, http: http::Settings, oauth: auth::Settings) -> Self {
        let master = MasterKey::generate(&*crate::seeded(0));
        Self::open(db, organization, (&master, &[7; 32]), http, oauth).await
    }

    async fn open(
        db: TestDb,
        organization: OrgId,
        (master, cursors): (&MasterKey, &[u8; 32]),
        http: http::Settings,
        oauth: auth::Settings,
    ) -> Self {
        let server = Auth::start(db.db(), master, &oauth).await.expect("the signing keys");
        let (clock, start) = (db.clock.clone(), db.clock.now());
        let stopwatch =
            http::Stopwatch::new(move || clock.now().duration_since(start).try_into().unwrap_or_default());
        let http = http::Settings { stopwatch, ..http };
        let app = http::App::new(db.db(), server, http, cursors);
        let routes = Self::routes();
        let declared = routes.declared_headers();
        let router = routes.router(app.clone());
        Self { db, organization, router, app, contract: Contract::committed(), declared }
    }

    /// The routes of the API, to which pages can be added.
    pub fn routes() -> api::Routes {
        ROUTES.get_or_init(api::Routes::of_api).clone()
    }

    /// What the handlers share.
    pub fn app(&self) -> &http::App {
        &self.app
    }

    /// Lets the index of searches follow the journals to their ends, which the program does beside the service.
    pub async fn follow_search(&self) {
        loop {
            let mut tx = self.db.read().await.expect("a read");
            let behind =
                store::search::organizations_behind(&mut tx, None, 100).await.expect("the organizations");
            drop(tx);
            if behind.is_empty() {
                return;
            }
            for (organization, _) in behind {
                let follow =
                    async move |tx: &mut Tx| store::search::follow(tx, organization, 100, None).await;
                self.db.write(organization, follow).await.expect("following the journal");
            }
        }
    }

    /// A signed-in client of the organization with these scopes, with spaces between.
    pub async fn client_with_scopes(&self, scopes: &str) -> TestClient {
        self.client_of(self.organization, scopes).await
    }

    /// The same with every scope there is.
    pub async fn client(&self) -> TestClient {
        let all: Vec<_> = domain::Scope::ALL.iter().map(|scope| scope.as_str()).collect();
        self.client_with_scopes(&all.join(" ")).await
    }

    /// A signed-in client of another organization.
    pub async fn client_of(&self, organization: OrgId, scopes: &str) -> TestClient {
        let scopes = Scopes::parse(scopes).expect("known scopes");
        let new = NewClient { name: "Probe".into(), scopes };
        let made = Registered::create(&self.db, organization, author(), new).await.expect("making a client");
        let (id, secret) = (made.client.id.to_string(), made.secret.expose().to_owned());
        let token = self.sign_in(&id, &secret).await;
        TestClient { id, secret, token }
    }

    /// A new access token; one lives 15 minutes of the test's clock.
    pub async fn sign_in(&self, id: &str, secret: &str) -> String {
        let body = json!({"grant_type": "client_credentials", "client_id": id, "client_secret": secret});
        let answer = self.post("/v1/oauth/token").json(body).expect(200).await;
        answer.text("access_token").to_owned()
    }

    /// Adds a member to the organization.
    pub async fn user(&self, name: &str, email: &str, roles: impl Into<Roles>) -> UserId {
        self.db.user(self.organization, name, email, roles).await
    }

    /// Serves on a free port of loopback, for what needs a real connection; the address, `http://127.0.0.1:…`.
    pub async fn listen(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("the port's number");
        tokio::spawn(http::serve(listener, self.router.clone(), std::future::pending()));
        format!("http://{address}")
    }

    /// The service itself, for a request that [`crate::Request`] cannot make.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    pub(crate) fn declared(&self) -> &[api::DeclaredHeaders] {
        &self.declared
    }

    pub(crate) fn contract(&self) -> &Contract {
        self.contract
    }
}

/// A client that has signed in. As a `bearer` it presents its token.
#[derive(Debug, Clone)]
pub struct TestClient {
    /// Its `client_id`.
    pub id: String,
    /// Its secret.
    pub secret: String,
    /// The access token of its making.
    pub token: String,
}

impl AsRef<str> for TestClient {
    fn as_ref(&self) -> &str {
        &self.token
    }
}
