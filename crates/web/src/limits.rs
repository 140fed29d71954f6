//! Every limit of HTTP, in one place.

use std::time::Duration;

/// The longest body of most operations.
pub const BODY_BYTES: usize = 1024 * 1024;

/// The most elements of an array in a body; many operations take fewer.
pub const ARRAY_ELEMENTS: usize = 10_000;

/// A longer body is parsed on a thread of its own, so that short requests do not wait for it.
pub const PARSE_HERE_BYTES: usize = 64 * 1024;

/// How many such bodies are parsed at the same time.
pub const PARSED_AT_ONCE: usize = 4;

/// The longest body of the token endpoint.
pub const OAUTH_BODY_BYTES: usize = 64 * 1024;

/// The longest path with its query.
pub const URI_BYTES: usize = 8 * 1024;

/// The longest header block: names, values and what stands between them.
pub const HEADER_BYTES: usize = 32 * 1024;

/// The longest beginning of a request, request line included, that is read to the end so that the refusal can
/// say why. Beyond, the connection is closed after a bare 431 or 414.
pub const READ_HEADER_BYTES: usize = 64 * 1024;

/// From this size on an answer is compressed for those who take it: below, it fits one packet anyway.
pub const COMPRESS_FROM_BYTES: u64 = 1024;

/// Rows of a page when the caller does not say.
pub const PAGE_DEFAULT: i64 = 50;

/// The most rows of a page.
pub const PAGE_MOST: i64 = 200;

/// How long a client may take for the TLS handshake.
pub const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a client may take for the header of a request, waiting for the next one included.
pub const HEADER_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a client may take for a body.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// How much of a body that nobody needs is read, so that the connection can go on.
pub const UNREAD_BYTES: usize = 16 * 1024 * 1024;

/// How long the rest of a body that nobody needs is read, so that the connection can go on.
pub const UNREAD_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a client may take nothing of its answer before the connection is closed.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a client that is still sending is listened to after its last answer, so that the answer arrives.
pub const PARTING_TIMEOUT: Duration = Duration::from_secs(2);

/// How long requests that run may go on after the service was told to stop.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);

/// Connections at the same time. One more takes the place of the one that has waited longest for a request.
pub const CONNECTIONS: usize = 16_000;

/// Open files that are kept for the database and the log when the system allows few.
pub const RESERVED_FILES: usize = 256;
