//! The OAuth errors that are not problems of the API too (RFC 6749, section 5.2).

use super::Kind;

/// By code.
pub(super) const ERRORS: &[Kind] = &[
    Kind {
        code: "invalid_client",
        statuses: &[401],
        title: "Invalid credentials",
        detail: "The client credentials are missing or not valid.",
        meaning: "Invalid credentials: the client is unknown or disabled, its secret is wrong or expired, or there are \
            no credentials. The log tells them apart; the answer does not.",
        remedy: "Check `client_id` and `client_secret`. Send them by HTTP Basic or in the body, not both.",
    },
    Kind {
        code: "invalid_grant",
        statuses: &[400],
        title: "Invalid credentials",
        detail: "The refresh token is not valid, or no longer.",
        meaning: "Invalid credentials: the refresh token is wrong, expired, revoked, used up, or another client's. \
            Using a token that was used up ends every token that grew out of the same sign-in.",
        remedy: "Get a new pair with `grant_type=client_credentials`. Keep only the latest refresh token.",
    },
    Kind {
        code: "invalid_request",
        statuses: &[400],
        title: "Invalid request",
        detail: "grant_type is missing.",
        meaning: "Invalid request: a parameter is missing, repeated or not a string, the body cannot be read, or there \
            are two ways of authentication. Beside another `code`, such as `body_too_large`, it is only the `error`.",
        remedy: "Read `error_description`: it says which.",
    },
    Kind {
        code: "invalid_scope",
        statuses: &[400],
        title: "Invalid request",
        detail: "A requested scope is unknown or was not given to the client.",
        meaning: "Invalid request: a scope is unknown, or the client may not have it.",
        remedy: "Ask for fewer scopes, or leave `scope` out to get all that the client has.",
    },
    Kind {
        code: "invalid_target",
        statuses: &[400],
        title: "Invalid request",
        detail: "The requested resource is not this API.",
        meaning: "Invalid request: a token was asked for that is for another API (`resource`, RFC 8707).",
        remedy: "Leave `resource` out, or send the public URL with `/v1`.",
    },
    Kind {
        code: "unauthorized_client",
        statuses: &[400],
        title: "Invalid request",
        detail: "The client may not use this grant.",
        meaning: "Invalid request: the client may not use this grant.",
        remedy: "Use another grant, or have the client changed.",
    },
    Kind {
        code: "unsupported_grant_type",
        statuses: &[400],
        title: "Invalid request",
        detail: "grant_type must be client_credentials or refresh_token.",
        meaning: "Invalid request: `grant_type` is neither `client_credentials` nor `refresh_token`.",
        remedy: "Use one of the two.",
    },
];
