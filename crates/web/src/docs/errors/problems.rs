//! The problems of the API. One that is not here fails the test that causes it (testkit).

use super::Kind;

/// By status, then by code.
pub(super) const PROBLEMS: &[Kind] = &[
    Kind {
        code: "invalid_parameter",
        statuses: &[400],
        meaning: "A query parameter or a header is wrong, repeated or not known; `errors` names each.",
        remedy: "Correct the parameters that `errors` names. A typo gets the name that was probably meant.",
    },
    Kind {
        code: "malformed_body",
        statuses: &[400],
        meaning: "The body is missing, is not UTF-8, is not JSON, or nests deeper than 127 levels.",
        remedy: "Send one JSON value in UTF-8. `detail` says where reading stopped.",
    },
    Kind {
        code: "invalid_credentials",
        statuses: &[401],
        meaning: "A person's e-mail address, password or organization is wrong, the person is no member of it, or has not \
            accepted an invitation yet: nobody is told which.",
        remedy: "Check all three. A forgotten password is set again by whoever runs the service: `bailiwick user set-password`.",
    },
    Kind {
        code: "unauthenticated",
        statuses: &[401],
        meaning: "There is no access token, or it is expired, revoked or not one of this service.",
        remedy: "Get a token at `POST /v1/oauth/token` and send it as `Authorization: Bearer TOKEN`. \
            `WWW-Authenticate` has `error=\"invalid_token\"` when one was sent: then refresh it.",
    },
    Kind {
        code: "https_required",
        statuses: &[403],
        meaning: "The request came over plain HTTP, so that others could read it on its way.",
        remedy: "Use `https`. If the request carried a secret or a token, replace it. Behind a proxy that speaks HTTPS, \
            the operator names it in `trusted_proxies`.",
    },
    Kind {
        code: "insufficient_scope",
        statuses: &[403],
        meaning: "The token is good, but does not have the scope that this operation needs; `scope` names it.",
        remedy: "Ask for a token with that scope. If the client may not have it, an administrator decides.",
    },
    Kind {
        code: "invitation_not_valid",
        statuses: &[404],
        meaning: "The invitation is not known, was used or withdrawn, or has run out after 7 days.",
        remedy: "Ask whoever invited you for another link.",
    },
    Kind {
        code: "not_found",
        statuses: &[404],
        meaning: "There is no such thing, it was deleted, or it belongs to another organization: the three cannot be \
            told apart. The title names what was looked for. A path that leads nowhere has this code too, and a `type` \
            of its own: `path_not_found`.",
        remedy: "Check the id and the organization of the token. What was deleted can be listed with `?deleted=only`.",
    },
    Kind {
        code: "path_not_found",
        statuses: &[404],
        meaning: "The path leads nowhere, whatever the token. The problem's `code` is `not_found`.",
        remedy: "Compare the path with `/openapi.json`; mind a slash at the end.",
    },
    Kind {
        code: "method_not_allowed",
        statuses: &[405],
        meaning: "The path exists, but not with this method.",
        remedy: "Use one of the methods in the header `Allow`.",
    },
    Kind {
        code: "not_acceptable",
        statuses: &[406],
        meaning: "The header `Accept` refuses both `application/json` and `application/problem+json`, with `q=0`.",
        remedy: "Accept `application/json`, or leave the header out.",
    },
    Kind {
        code: "timeout",
        statuses: &[408],
        meaning: "The body did not arrive in time. Nothing was changed.",
        remedy: "Send it again; over a slow connection, in smaller parts.",
    },
    Kind {
        code: "already_member",
        statuses: &[409],
        meaning: "A person with this e-mail address is a member of the organization already.",
        remedy: "Find them in `GET /v1/users`.",
    },
    Kind {
        code: "already_superseded",
        statuses: &[409],
        meaning: "Another evaluation replaced this one before.",
        remedy: "Read the evaluation and supersede the one that `superseded_by` names.",
    },
    Kind {
        code: "document_archived",
        statuses: &[409],
        meaning: "The document is archived and takes no edits.",
        remedy: "Edit the document that replaced it.",
    },
    Kind {
        code: "in_progress",
        statuses: &[409],
        meaning: "The first request with this `Idempotency-Key` is still running.",
        remedy: "Wait, then send the same request with the same key: it gets the answer of the first.",
    },
    Kind {
        code: "last_admin",
        statuses: &[409],
        meaning: "The member is the only admin who can sign in: without them nobody could let anybody in again.",
        remedy: "Make somebody else an admin, let them accept an invitation, and try again.",
    },
    Kind {
        code: "name_taken",
        statuses: &[409],
        meaning: "Another record has this name; case and white space around it make no difference.",
        remedy: "Use the record that is there, or choose another name.",
    },
    Kind {
        code: "own_client",
        statuses: &[409],
        meaning: "The client would lock itself out: it cannot disable itself or delete its own last live secret.",
        remedy: "Let another client do it, or add a secret before the old one is deleted.",
    },
    Kind {
        code: "password_changed",
        statuses: &[409],
        meaning: "The password was set by another request between being checked and being used. Nothing was changed.",
        remedy: "Try again.",
    },
    Kind {
        code: "slug_taken",
        statuses: &[409],
        meaning: "Another document has this slug.",
        remedy: "Choose another slug.",
    },
    Kind {
        code: "tag_already_associated",
        statuses: &[409],
        meaning: "The tag is on the risk already.",
        remedy: "Nothing needs to be done.",
    },
    Kind {
        code: "too_many_secrets",
        statuses: &[409],
        meaning: "The client has two live secrets, which is the most.",
        remedy: "Delete the one that is not used any more, then add another.",
    },
    Kind {
        code: "precondition_failed",
        statuses: &[412],
        meaning: "`If-Match` names another version than the record has now: somebody changed it meanwhile. Nothing \
            was changed. Where there are no versions, only `*` can be named.",
        remedy: "Read the record again, look at what changed, and send the change with the new `ETag`.",
    },
    Kind {
        code: "body_too_large",
        statuses: &[413],
        meaning: "The body is over 1 MiB; for tokens and sessions over 64 KiB.",
        remedy: "Send less at a time; `detail` names the limit.",
    },
    Kind {
        code: "uri_too_long",
        statuses: &[414],
        meaning: "The path and query are over 8 KiB.",
        remedy: "Send fewer or shorter parameters.",
    },
    Kind {
        code: "unsupported_media_type",
        statuses: &[415],
        meaning: "The body's `Content-Type` is not one that this operation takes, or the body is compressed.",
        remedy: "Send one of the types in the header `Accept` of the answer, uncompressed.",
    },
    Kind {
        code: "idempotency_key_reused",
        statuses: &[422],
        meaning: "This `Idempotency-Key` stands for another request: another method, path or body.",
        remedy: "Use a new key for every new request, and the same key only to repeat one.",
    },
    Kind {
        code: "validation_failed",
        statuses: &[422],
        meaning: "The body is JSON, but not what the operation takes; `errors` names every fault with its place, up to the \
            first 100. With `more_errors` there are others.",
        remedy: "Correct every place that `errors` names. Nothing was changed.",
    },
    Kind {
        code: "precondition_required",
        statuses: &[428],
        meaning: "The operator of this service requires `If-Match` with every change of a record that has versions.",
        remedy: "Read the record and send its `ETag` as `If-Match`; `*` stands for any version.",
    },
    Kind {
        code: "rate_limited",
        statuses: &[429],
        meaning: "The client sent too many requests, or too many wrong credentials.",
        remedy: "Wait for the seconds in `Retry-After`.",
    },
    Kind {
        code: "header_too_large",
        statuses: &[431],
        meaning: "The request's header is over 32 KiB.",
        remedy: "Send less in it: most often it is a cookie that is not needed here.",
    },
    Kind {
        code: "internal",
        statuses: &[500],
        meaning: "Something went wrong in the service. It is a fault of ours.",
        remedy: "Report it with the `request_id`: the log has the details under it. A write was not made, unless a \
            repetition with the same `Idempotency-Key` shows otherwise.",
    },
    Kind {
        code: "outcome_unknown",
        statuses: &[503],
        meaning: "The connection to the database broke while a change was being made durable. It is not known whether \
            it was made.",
        remedy: "Look before you repeat it, or repeat it with the same `Idempotency-Key`.",
    },
    Kind {
        code: "unavailable",
        statuses: &[503],
        meaning: "The database does not answer, or too many writes wait. Nothing was changed.",
        remedy: "Try again after the seconds in `Retry-After`.",
    },
];
