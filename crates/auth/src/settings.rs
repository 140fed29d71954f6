//! The token and password settings of the operator.

use crate::keys::AccessTokenAlgorithm;
use crate::people::PasswordCost;

/// The token and password settings of the operator.
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
