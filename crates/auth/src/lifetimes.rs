//! How long tokens are valid, fixed by the interface.

/// The lifetime of an access token in seconds.
pub const ACCESS_TOKEN_SECONDS: i64 = 900;

/// The lifetime of a refresh token in seconds.
pub const REFRESH_TOKEN_SECONDS: i64 = 7 * 24 * 60 * 60;
