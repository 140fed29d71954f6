//! Every limit of HTTP, in one place.

use std::time::Duration;

/// The maximum body length of most operations.
pub const BODY_BYTES: usize = 1024 * 1024;

/// The maximum number of elements of an array in a body; many operations accept fewer.
pub const ARRAY_ELEMENTS: usize = 10_000;

/// A longer body is parsed on a thread of its own, so that short requests do not wait for it.
pub const PARSE_HERE_BYTES: usize = 64 * 1024;

/// How many such bodies are parsed at the same time.
pub const PARSED_AT_ONCE: usize = 4;

/// The maximum body length of the token endpoint.
pub const OAUTH_BODY_BYTES: usize = 64 * 1024;

/// The maximum length of a path with its query.
pub const URI_BYTES: usize = 8 * 1024;

/// The maximum length of a saved view's filter as a query. The rest of the address is for its path, `cursor` and the like.
pub const VIEW_QUERY_BYTES: usize = 6 * 1024;

/// The maximum length of a header block: names, values and the separators between them.
pub const HEADER_BYTES: usize = 32 * 1024;

/// The maximum length of a request's head, request line included, that is read to the end so that the refusal can give
/// the reason. Beyond it, the connection is closed after a 431 or 414 without a body.
pub const READ_HEADER_BYTES: usize = 64 * 1024;

/// Responses of at least this size are compressed if the client accepts it: a smaller one fits into one packet anyway.
pub const COMPRESS_FROM_BYTES: u64 = 1024;

/// The maximum number of rows of a write that shares its transaction with others.
pub const SHARED_TRANSACTION_ROWS: usize = 1_000;

/// The default number of rows of a page.
pub const PAGE_DEFAULT: i64 = 50;

/// The maximum number of rows of a page.
pub const PAGE_MOST: i64 = 200;

/// The maximum number of values of a filter.
pub use domain::saved_view::FILTER_VALUES;

/// The maximum number of names in `fields`.
pub const FIELDS: usize = 100;

/// How long a client may take for the TLS handshake.
pub const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a client may take to send the header of a request, including the idle time before it.
pub const HEADER_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a client may take to send a body.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// How much of an unneeded body is read and discarded, so that the connection can be reused.
pub const UNREAD_BYTES: usize = 16 * 1024 * 1024;

/// How long an unneeded body is read and discarded, so that the connection can be reused.
pub const UNREAD_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a client may accept no data of a response before the connection is closed.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// How long data from a client that is still sending is discarded after its last response, so that the response
/// arrives.
pub const PARTING_TIMEOUT: Duration = Duration::from_secs(2);

/// How long running requests may continue after the service was told to stop.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);

/// The maximum number of connections. One more replaces the connection that has waited longest for a request.
pub const CONNECTIONS: usize = 16_000;

/// How many file descriptors are reserved for the database and the log when the system allows few.
pub const RESERVED_FILES: usize = 256;
