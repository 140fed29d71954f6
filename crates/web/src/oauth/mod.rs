//! The OAuth 2.1 authorization server, and the verification of the tokens it issued.
//!
//! docs/tokens.md describes it for readers; each file here implements one part of it.

pub mod access_token;
mod caller;
mod client_authentication;
mod current_keys;
mod denied;
mod description;
pub(crate) mod discovery;
pub(crate) mod introspect;
mod joining;
mod jwt;
mod key_pair;
mod key_states;
mod keys;
mod last_use;
mod metrics;
mod parameters;
mod password;
mod password_change;
pub mod refresh_token;
mod refusals;
mod register;
pub(crate) mod revoke;
mod rotation;
pub mod seal;
pub mod secret;
mod session;
pub(crate) mod throttle;
pub(crate) mod token;
mod token_error;
mod token_request;
mod upkeep;
mod verified;

use std::sync::Arc;

use db::{Db, Tx};
use domain::{ClientId, FamilyId, OrgId};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

pub use caller::Caller;
pub(crate) use joining::Accept;
pub use key_pair::AccessTokenAlgorithm;
pub use key_states::{KeyChange, change_keys};
pub use keys::KeysError;
pub use password::{Password, PasswordCost};
pub(crate) use password_change::PasswordChange;
pub(crate) use refusals::Source;
pub use register::{NewCredentials, Registered, replace_secret};
pub use seal::{MasterKey, SealError};
pub(crate) use session::{SignIn, SignedIn};
pub(crate) use token_error::{ERROR_FORM, error_example};

use current_keys::CurrentKeys;
use denied::Denied;
use discovery::Documents;
use keys::Keys;
use last_use::{LastUse, Used};
use metrics::Metrics;
use password::Passwords;
use refusals::Refusals;
use rotation::Rules;
use throttle::Throttle;
use verified::VerifiedTokens;

/// The token settings of the operator.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The public URL of this service, from which the issuer and the audience are derived.
    pub public_url: String,
    /// How long the predecessor of a refresh token still gets the same successor, in seconds; 0 means never
    /// (`BAILIWICK_REFRESH_GRACE_SECONDS`).
    pub refresh_grace_seconds: u32,
    /// The maximum lifetime of a family of refresh tokens in seconds; `None` is unlimited.
    pub refresh_family_seconds: Option<u32>,
    /// How many verified access tokens are cached, at about 1 KiB each.
    pub remembered_tokens: usize,
    /// How many failed attempts from one address for one client are allowed before each further attempt has to wait 10
    /// seconds; 0 means no limit. Successful attempts never count.
    pub failures_before_wait: u32,
    /// The algorithm of access tokens from this start on (`BAILIWICK_ACCESS_TOKEN_ALGORITHM`).
    pub access_token_algorithm: AccessTokenAlgorithm,
    /// After how many days the active key is rotated; 0 means never (`BAILIWICK_KEY_ROTATION_DAYS`).
    pub key_rotation_days: u32,
    /// The cost of hashing a person's password. Stored hashes of lower cost are replaced at the next sign-in.
    pub password_cost: PasswordCost,
}

impl Settings {
    /// The default settings for a service at this URL.
    pub fn new(public_url: impl Into<String>) -> Self {
        Self {
            public_url: public_url.into(),
            refresh_grace_seconds: 10,
            refresh_family_seconds: None,
            remembered_tokens: 10_000,
            failures_before_wait: 10,
            access_token_algorithm: AccessTokenAlgorithm::default(),
            key_rotation_days: 90,
            password_cost: PasswordCost::default(),
        }
    }
}

/// Issues tokens and identifies the callers that present them. One per process, shared by its handlers.
pub struct AuthorizationServer {
    db: Db,
    issuer: Issuer,
    published: Documents,
    keys: CurrentKeys,
    /// The age at which a key is rotated.
    key_age: Option<SignedDuration>,
    rules: Rules,
    verified: VerifiedTokens,
    denied: Denied,
    last_use: LastUse,
    session_use: LastUse,
    passwords: Passwords,
    throttle: Throttle,
    refusals: Refusals,
    metrics: Metrics,
}

impl AuthorizationServer {
    /// Reads the signing keys, generating them at the first start, and the deny-list. The caller must spawn the upkeep
    /// ([`AuthorizationServer::upkeep`]).
    pub async fn start(db: Db, master: &MasterKey, settings: &Settings) -> Result<Arc<Self>, KeysError> {
        let algorithm = Some(settings.access_token_algorithm);
        let stored =
            change_keys(&db, master, &key_states::service("start"), KeyChange::Complete, algorithm).await?;
        let keys = CurrentKeys::new(Keys::open(stored, master)?, master.clone());
        let rules = Rules {
            grace: SignedDuration::from_secs(settings.refresh_grace_seconds.into()),
            family_lifetime: settings
                .refresh_family_seconds
                .map(|seconds| SignedDuration::from_secs(seconds.into())),
        };
        let issuer = Issuer::new(&settings.public_url);
        let days = i64::from(settings.key_rotation_days);
        let passwords = Passwords::new(settings.password_cost, Arc::clone(db.random()));
        let server = Self {
            db,
            published: Documents::new(&issuer),
            issuer,
            keys,
            key_age: (days > 0).then(|| SignedDuration::from_hours(24 * days)),
            rules,
            verified: VerifiedTokens::new(settings.remembered_tokens),
            denied: Denied::default(),
            last_use: LastUse::of(Used::Secrets),
            session_use: LastUse::of(Used::Sessions),
            passwords,
            throttle: Throttle::new(settings.failures_before_wait),
            refusals: Refusals::default(),
            metrics: Metrics::default(),
        };
        server.read_denied().await.map_err(KeysError::Store)?;
        Ok(Arc::new(server))
    }

    /// Adds the revocations of a committed write to the deny-list of this process.
    pub fn deny(&self, entries: &[store::revocations::Revoked]) {
        self.denied.add(entries);
    }

    /// The throttle for failed credentials of every kind.
    #[allow(dead_code, reason = "the sign-in of people asks for it")]
    pub(crate) fn throttle(&self) -> &Throttle {
        &self.throttle
    }

    async fn read(&self) -> store::Result<Tx> {
        Ok(self.db.read().await?)
    }

    /// The public URL of the service, without a trailing slash.
    pub fn public_url(&self) -> &str {
        self.issuer.url()
    }

    /// The key that encrypts the responses with secrets that are stored for an Idempotency-Key.
    pub(crate) fn answers_key(&self) -> MasterKey {
        self.keys.master().for_purpose("kept answers")
    }

    fn now(&self) -> Timestamp {
        self.db.clock()()
    }

    /// A new UUIDv7 for tokens, which are issued without a write.
    fn uuid(&self, now: Timestamp) -> Uuid {
        let mut random = [0; 10];
        self.db.random()(&mut random);
        let millis = u64::try_from(now.as_millisecond()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
    }
}

/// The client that tokens were issued to, and the secret it used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grant {
    /// The organization; the tokens are valid for no other.
    pub(crate) organization: OrgId,
    /// The client.
    pub(crate) client: ClientId,
    /// The secret that the client used. When it is deleted, all tokens derived from it become invalid.
    pub(crate) credential: Uuid,
    /// The family of refresh tokens.
    pub(crate) family: FamilyId,
}

/// The issuer of tokens and their audience.
#[derive(Debug, Clone)]
pub(crate) struct Issuer {
    url: String,
    api: String,
}

impl Issuer {
    /// The issuer at this public URL: configured, never taken from a request's `Host`.
    fn new(public_url: &str) -> Self {
        let url = public_url.trim_end_matches('/').to_owned();
        let api = format!("{url}/v1");
        Self { url, api }
    }

    /// The issuer's name in tokens.
    fn url(&self) -> &str {
        &self.url
    }

    /// The audience of access tokens.
    fn api(&self) -> &str {
        &self.api
    }
}
