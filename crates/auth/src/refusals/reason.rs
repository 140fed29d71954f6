//! The reasons of refusals.

/// The reason of a refusal. The codes are part of the API; within `/v1` codes are only added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// No client id, or no secret.
    CredentialsMissing,
    /// What was sent cannot be a client id.
    MalformedClientId,
    /// What was sent cannot be a secret: truncated, or mistyped.
    MalformedSecret,
    /// No client has this id.
    UnknownClient,
    /// A well-formed secret, but not one of this client.
    WrongSecret,
    /// A secret of this client that has expired.
    SecretExpired,
    /// The secret is right, but the client is disabled.
    ClientDisabled,
    /// The client must authenticate itself when it refreshes, and did not.
    AuthenticationRequired,
    /// Too many failed attempts before.
    Throttled,
    /// An unknown scope was requested, or one that the client does not have.
    InvalidScope,
    /// A token for another API was requested.
    InvalidTarget,
    /// Not a refresh token that was issued here.
    RefreshTokenInvalid,
    /// The refresh token is more than 7 days old.
    RefreshTokenExpired,
    /// The refresh token was used before; its family was revoked.
    RefreshTokenSpent,
    /// The refresh token's family was revoked, or the secret that it derives from was deleted.
    RefreshTokenRevoked,
    /// The refresh token was issued to another client.
    RefreshTokenOfAnother,
    /// Not an access token that was issued here.
    AccessTokenInvalid,
    /// The access token is more than 900 seconds old.
    AccessTokenExpired,
    /// The access token was revoked before it expired.
    AccessTokenRevoked,
    /// The access token is valid but lacks the scope of the operation.
    InsufficientScope,
    /// Too many requests.
    RateLimited,
}

impl Reason {
    /// The stable machine code.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CredentialsMissing => "credentials_missing",
            Self::MalformedClientId => "malformed_client_id",
            Self::MalformedSecret => "malformed_secret",
            Self::UnknownClient => "unknown_client",
            Self::WrongSecret => "wrong_secret",
            Self::SecretExpired => "secret_expired",
            Self::ClientDisabled => "client_disabled",
            Self::AuthenticationRequired => "authentication_required",
            Self::Throttled => "throttled",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::RefreshTokenInvalid => "refresh_token_invalid",
            Self::RefreshTokenExpired => "refresh_token_expired",
            Self::RefreshTokenSpent => "refresh_token_spent",
            Self::RefreshTokenRevoked => "refresh_token_revoked",
            Self::RefreshTokenOfAnother => "refresh_token_of_another_client",
            Self::AccessTokenInvalid => "access_token_invalid",
            Self::AccessTokenExpired => "access_token_expired",
            Self::AccessTokenRevoked => "access_token_revoked",
            Self::InsufficientScope => "insufficient_scope",
            Self::RateLimited => "rate_limited",
        }
    }
}
