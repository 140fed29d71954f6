//! The state that handlers share, and the HTTP settings.

use std::sync::Arc;
use std::time::Duration;

use auth::Auth;
use axum::extract::FromRef;
use axum::http::Extensions;
use db::Db;
use ipnet::IpNet;
use prometheus_client::registry::Registry;
use store::proposals::KeptNext;
use tokio::sync::Semaphore;

use crate::blocking;
use crate::cursor_key::CursorKey;
use crate::error::Result;
use crate::idempotency::InFlight;
use crate::kept_figures::KeptFigures;
use crate::limits;
use crate::made_files::{KeptTexts, MadeFiles};
use crate::metrics::Metrics;
use crate::rate::{RateLimit, Stopwatch};

/// The HTTP settings of the operator.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Requests a minute for each caller; 0 means no limit.
    pub rate_limit_per_minute: u32,
    /// What the rate limit measures time by.
    pub stopwatch: Stopwatch,
    /// How long a client may take to send a body.
    pub body_timeout: Duration,
    /// The proxies whose forwarding headers are trusted for a client's address and scheme.
    pub trusted_proxies: Vec<IpNet>,
    /// Whether requests are accepted that others on the network could read: plain HTTP from another machine.
    pub insecure_http: bool,
    /// The web origins whose scripts may call the API; CORS is off when there are none.
    pub cors_origins: Vec<String>,
    /// Whether a change of one record must name the version it is based on (`If-Match`).
    pub require_if_match: bool,
    /// The maximum total size in bytes of the texts of a proposal's edits.
    pub proposal_bytes: i64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rate_limit_per_minute: 60_000,
            stopwatch: Stopwatch::default(),
            body_timeout: limits::BODY_TIMEOUT,
            trusted_proxies: Vec::new(),
            insecure_http: false,
            cors_origins: Vec::new(),
            require_if_match: false,
            proposal_bytes: domain::document::DEFAULT_PROPOSAL_BYTES,
        }
    }
}

/// The state that all requests share. A clone is a handle to the same state.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    db: Db,
    auth: Arc<Auth>,
    settings: Settings,
    rate_limit: RateLimit,
    sign_in_rate_limit: RateLimit,
    cursor_key: CursorKey,
    keyed_writes: InFlight,
    metrics: Metrics,
    parsing: Arc<Semaphore>,
    converting: Arc<Semaphore>,
    files: MadeFiles,
    texts: KeptTexts,
    next: KeptNext,
    figures: KeptFigures,
}

impl App {
    /// `secret` makes the cursors of lists tamper-evident: all processes of an instance use the same 32 bytes.
    pub fn new(db: Db, auth: Arc<Auth>, settings: Settings, secret: &[u8; 32]) -> Self {
        let limit = |policy| {
            let (per_minute, stopwatch) = (settings.rate_limit_per_minute, settings.stopwatch.clone());
            RateLimit::new(policy, per_minute, stopwatch, db.random().clone())
        };
        let (rate_limit, sign_in_rate_limit) = (limit("default"), limit("sign-in"));
        let cursor_key = CursorKey::new(secret);
        Self(Arc::new(Shared {
            db,
            auth,
            settings,
            rate_limit,
            sign_in_rate_limit,
            cursor_key,
            keyed_writes: InFlight::default(),
            metrics: Metrics::default(),
            parsing: Arc::new(Semaphore::new(limits::PARSED_AT_ONCE)),
            converting: Arc::new(Semaphore::new(1)),
            files: MadeFiles::default(),
            texts: KeptTexts::default(),
            next: KeptNext::default(),
            figures: KeptFigures::default(),
        }))
    }

    /// The database of the register.
    pub fn db(&self) -> &Db {
        &self.0.db
    }

    /// What identifies callers.
    pub fn auth(&self) -> &Auth {
        &self.0.auth
    }

    /// The settings of the operator.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// Registers the metrics of requests, tokens and the database for Prometheus.
    pub fn register_metrics(&self, registry: &mut Registry) {
        self.0.metrics.register(registry);
        self.0.auth.register_metrics(registry);
        self.0.db.register_metrics(registry);
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// The permits for parsing long bodies at the same time.
    pub(crate) fn parsing(&self) -> &Arc<Semaphore> {
        &self.0.parsing
    }

    /// Reads what may take long and much memory, such as Word documents: on a thread of its own, one request after the other.
    pub async fn convert<T: Send + 'static>(
        &self,
        read: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        blocking::run(&self.0.converting, read).await
    }

    /// The files that take long to make.
    pub fn files(&self) -> &MadeFiles {
        &self.0.files
    }

    /// The texts that never change and were read last.
    pub fn texts(&self) -> &KeptTexts {
        &self.0.texts
    }

    /// What the proposals that were listed last wait for.
    pub fn next(&self) -> &KeptNext {
        &self.0.next
    }

    /// The figures of the past that were computed last.
    pub fn figures(&self) -> &KeptFigures {
        &self.0.figures
    }

    /// Counts one request of a person who is signed in to the console.
    pub fn take_rate(&self, person: &str, extensions: &Extensions) -> Result<()> {
        self.0.rate_limit.take(person, extensions)
    }

    pub(crate) fn rate_limit(&self) -> &RateLimit {
        &self.0.rate_limit
    }

    /// The rate limit of unauthenticated callers, by network. It is separate, so that a client that requests too many
    /// tokens can still use the token it has.
    pub(crate) fn sign_in_rate_limit(&self) -> &RateLimit {
        &self.0.sign_in_rate_limit
    }

    pub(crate) fn keyed_writes(&self) -> &InFlight {
        &self.0.keyed_writes
    }

    pub(crate) fn cursor_key(&self) -> &CursorKey {
        &self.0.cursor_key
    }
}

impl FromRef<App> for Arc<Auth> {
    fn from_ref(app: &App) -> Self {
        Self::clone(&app.0.auth)
    }
}
