//! What the handlers of one process need to identify callers.

use std::sync::Arc;

use db::Db;
use jiff::Timestamp;
use macros::boxed;
use prometheus_client::registry::Registry;

use crate::keys::{KeysError, MasterKey, SigningKeys};
use crate::last_use::{LastUse, Used};
use crate::metrics::Metrics;
use crate::people::PasswordHasher;
use crate::public_url::PublicUrl;
use crate::refusals::Refusals;
use crate::settings::Settings;
use crate::throttle::Throttle;
use crate::tokens::{DenyList, RotationRules, VerifiedTokens};

/// The signing keys, caches and counters of one process, and its database. Each does one thing; the functions of this
/// crate use those they need.
pub struct Auth {
    pub(crate) db: Db,
    /// The public URL of the service: the issuer of its tokens, and where its pages are.
    pub public_url: PublicUrl,
    /// The signing keys.
    pub keys: SigningKeys,
    /// The tokens that were revoked before they expire.
    pub deny_list: DenyList,
    /// The refusals that are not written yet.
    pub refusals: Refusals,
    /// The counters.
    pub metrics: Metrics,
    pub(crate) rotation: RotationRules,
    pub(crate) verified: VerifiedTokens,
    pub(crate) secret_use: LastUse,
    pub(crate) session_use: LastUse,
    pub(crate) passwords: PasswordHasher,
    pub(crate) throttle: Throttle,
}

impl Auth {
    /// Reads the signing keys, generating them at the first start, and the deny-list. The caller must spawn the upkeep
    /// ([`crate::upkeep()`]).
    #[boxed]
    pub async fn start(db: Db, master: &MasterKey, settings: &Settings) -> Result<Arc<Self>, KeysError> {
        let keys =
            SigningKeys::start(&db, master, settings.access_token_algorithm, settings.key_rotation_days)
                .await?;
        let metrics = Metrics::default();
        let auth = Self {
            public_url: PublicUrl::new(&settings.public_url),
            keys,
            deny_list: DenyList::default(),
            refusals: Refusals::new(&db, metrics.clone()),
            rotation: RotationRules::new(settings.refresh_grace_seconds, settings.refresh_family_seconds),
            verified: VerifiedTokens::new(settings.remembered_tokens),
            secret_use: LastUse::of(Used::Secrets),
            session_use: LastUse::of(Used::Sessions),
            passwords: PasswordHasher::new(settings.password_cost, Arc::clone(db.random())),
            throttle: Throttle::new(settings.failures_before_wait),
            metrics,
            db,
        };
        auth.read_deny_list().await.map_err(KeysError::Store)?;
        Ok(Arc::new(auth))
    }

    /// The key of what is stored for an Idempotency-Key: it encrypts responses with secrets, and makes the fingerprints of
    /// requests.
    pub fn answers_key(&self) -> MasterKey {
        self.keys.master().for_purpose("kept answers")
    }

    /// Reads the whole deny-list from the database.
    #[boxed]
    pub async fn read_deny_list(&self) -> domain::Result<()> {
        self.deny_list.read(&self.db, None).await
    }

    /// Applies, at once, what a write of this process has just revoked. If that fails, the upkeep does it within a
    /// second.
    #[boxed]
    pub async fn apply_revocations(&self) {
        if let Err(error) = self.read_deny_list().await {
            tracing::warn!(%error, "the deny-list could not be read; trying again in a second");
        }
    }

    /// Writes the refusals since the last call. A clean shutdown calls it too.
    #[boxed]
    pub async fn write_refusals(&self) {
        self.refusals.write().await;
    }

    /// Writes the last uses of secrets and sessions. A clean shutdown calls it too.
    #[boxed]
    pub async fn write_last_use(&self) {
        self.secret_use.flush(&self.db).await;
        self.session_use.flush(&self.db).await;
    }

    /// Registers the metrics of tokens for Prometheus.
    pub fn register_metrics(&self, registry: &mut Registry) {
        self.metrics.register(registry);
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.db.clock()()
    }
}
