//! The table of settings. The flags, the keys of the file, the variables of the environment, the sample
//! and the table in docs/operation.md all come from it.

use serde::Serialize;

/// One thing that can be set.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Setting {
    /// The key in the file.
    pub(crate) name: &'static str,
    /// The flag without its two hyphens; empty for what must not be shown in a list of processes.
    pub(crate) flag: &'static str,
    /// The environment variable.
    pub(crate) variable: &'static str,
    /// What its value looks like.
    pub(crate) kind: Kind,
    /// What stands for the value in help texts.
    pub(crate) value: &'static str,
    /// As in the environment; empty when there is none.
    pub(crate) default: &'static str,
    /// A value for the sample, when there is no default.
    pub(crate) example: &'static str,
    /// One sentence or two.
    pub(crate) help: &'static str,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// A text.
    Text,
    /// A text that is a path: in the file it is relative to the file's folder.
    Path,
    /// A text that only its owner may see, and therefore not a flag: every user of the machine can see flags.
    Secret,
    /// A URL that may carry a password.
    Url,
    /// A whole number, 0 or more.
    Whole,
    /// `true` or `false`.
    Yes,
    /// Texts: with commas between in a flag or the environment, an array in the file.
    List,
}

impl Setting {
    /// The setting of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|setting| setting.name == name)
    }

    /// Its flag as it is typed.
    pub(crate) fn flag(&self) -> Option<String> {
        (!self.flag.is_empty()).then(|| format!("--{}", self.flag))
    }
}

const fn setting(
    (name, flag, variable): (&'static str, &'static str, &'static str),
    (kind, value): (Kind, &'static str),
    (default, example): (&'static str, &'static str),
    help: &'static str,
) -> Setting {
    Setting { name, flag, variable, kind, value, default, example, help }
}

/// Every setting, in the order of the documentation.
pub(crate) const ALL: &[Setting] = &[
    setting(
        ("data", "data", "BAILIWICK_DATA"),
        (Kind::Path, "DIR"),
        ("", "/var/lib/bailiwick"),
        "Folder of the SQLite file and the master key. It is created if it does not exist. The default is \
         ./bailiwick-data, or ./bailiwick-demo with --demo.",
    ),
    setting(
        ("database", "database", "DATABASE_URL"),
        (Kind::Url, "URL"),
        ("", "postgres://bailiwick@db.example/bailiwick?sslmode=verify-full"),
        "A PostgreSQL URL instead of the SQLite file in the data folder.",
    ),
    setting(
        ("shared_database", "shared-database", "BAILIWICK_SHARED_DATABASE"),
        (Kind::Yes, "BOOL"),
        ("false", ""),
        "Allow creating a register in a PostgreSQL database that has tables of another program and no register.",
    ),
    setting(
        ("database_wait_seconds", "database-wait-seconds", "BAILIWICK_DATABASE_WAIT_SECONDS"),
        (Kind::Whole, "SECONDS"),
        ("60", ""),
        "How long serve waits at its start for a PostgreSQL server that cannot be reached, is starting, or \
         accepts no writes, such as during a failover; 0 means not at all. It does not wait after a wrong \
         password or for a missing database.",
    ),
    setting(
        ("queue_wait_seconds", "queue-wait-seconds", "BAILIWICK_QUEUE_WAIT_SECONDS"),
        (Kind::Whole, "SECONDS"),
        ("5", ""),
        "How long a write may wait for its turn before it is refused with 503.",
    ),
    setting(
        ("statement_timeout_seconds", "statement-timeout-seconds", "BAILIWICK_STATEMENT_TIMEOUT_SECONDS"),
        (Kind::Whole, "SECONDS"),
        ("5", ""),
        "How long a statement, or the wait for a lock of the database, may take. A server that is silent for 2 \
         seconds \
         longer counts as lost.",
    ),
    setting(
        ("master_key", "", "BAILIWICK_MASTER_KEY"),
        (Kind::Secret, "KEY"),
        ("", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="),
        "32 bytes in base64 that encrypt the signing keys. The default is the file master.key in the data folder, \
         which is created at the first start.",
    ),
    setting(
        ("backups", "backups", "BAILIWICK_BACKUPS"),
        (Kind::Path, "DIR"),
        ("", "/var/backups/bailiwick"),
        "Folder for the backups of bailiwick backup. bailiwick doctor warns when the newest one is more than two \
         days old.",
    ),
    setting(
        ("listen", "listen", "BAILIWICK_LISTEN"),
        (Kind::Text, "ADDRESS"),
        ("127.0.0.1:8080", ""),
        "Address to listen on; port 0 means any free port.",
    ),
    setting(
        ("public_url", "public-url", "BAILIWICK_PUBLIC_URL"),
        (Kind::Text, "URL"),
        ("", "https://bailiwick.example"),
        "The public URL of the service, which is also the issuer of its tokens. The default is the address it \
         listens on. Set it if the port may change or several processes serve one database: tokens of another \
         issuer are refused.",
    ),
    setting(
        ("tls_cert", "tls-cert", "BAILIWICK_TLS_CERT"),
        (Kind::Path, "FILE"),
        ("", "/etc/bailiwick/cert.pem"),
        "Serve HTTPS with the certificate chain in this PEM file. It is reloaded when it changes.",
    ),
    setting(
        ("tls_key", "tls-key", "BAILIWICK_TLS_KEY"),
        (Kind::Path, "FILE"),
        ("", "/etc/bailiwick/key.pem"),
        "The private key of the certificate, in PEM, without a passphrase.",
    ),
    setting(
        ("trusted_proxies", "trusted-proxies", "BAILIWICK_TRUSTED_PROXIES"),
        (Kind::List, "NETWORK"),
        ("", "10.0.0.0/8, 127.0.0.1"),
        "Proxies whose X-Forwarded-For, X-Forwarded-Proto and Forwarded headers are trusted, as networks or \
         addresses.",
    ),
    setting(
        ("insecure_http", "insecure-http", "BAILIWICK_INSECURE_HTTP"),
        (Kind::Yes, "BOOL"),
        ("false", ""),
        "Allow plain HTTP from other machines. Tokens can then be intercepted.",
    ),
    setting(
        ("cors_origins", "cors-origins", "BAILIWICK_CORS_ORIGINS"),
        (Kind::List, "ORIGIN"),
        ("", "https://app.example"),
        "Web origins whose scripts may call the API (CORS).",
    ),
    setting(
        ("require_if_match", "require-if-match", "BAILIWICK_REQUIRE_IF_MATCH"),
        (Kind::Yes, "BOOL"),
        ("false", ""),
        "Require If-Match with the version that a change is based on.",
    ),
    setting(
        ("rate_limit", "rate-limit", "BAILIWICK_RATE_LIMIT"),
        (Kind::Whole, "COUNT"),
        ("60000", ""),
        "Maximum requests per minute of each client; 0 means no limit.",
    ),
    setting(
        ("proposal_bytes", "proposal-bytes", "BAILIWICK_PROPOSAL_BYTES"),
        (Kind::Whole, "BYTES"),
        ("4194304", ""),
        "Maximum total bytes of the texts of a proposal's edits.",
    ),
    setting(
        ("failures_before_wait", "failures-before-wait", "BAILIWICK_FAILURES_BEFORE_WAIT"),
        (Kind::Whole, "COUNT"),
        ("10", ""),
        "Wrong secrets or passwords allowed at once for one name from one address, then one every 10 seconds; 0 \
         means no limit.",
    ),
    setting(
        ("refresh_grace_seconds", "refresh-grace-seconds", "BAILIWICK_REFRESH_GRACE_SECONDS"),
        (Kind::Whole, "SECONDS"),
        ("10", ""),
        "How long a used refresh token still returns its successor; 0 means not at all.",
    ),
    setting(
        ("refresh_family_seconds", "refresh-family-seconds", "BAILIWICK_REFRESH_FAMILY_SECONDS"),
        (Kind::Whole, "SECONDS"),
        ("0", ""),
        "Maximum lifetime of a family of refresh tokens, however often it is refreshed; 0 means no limit.",
    ),
    setting(
        ("access_token_algorithm", "access-token-algorithm", "BAILIWICK_ACCESS_TOKEN_ALGORITHM"),
        (Kind::Text, "ALGORITHM"),
        ("ES256", ""),
        "Signature algorithm of access tokens: ES256, RS256 or Ed25519.",
    ),
    setting(
        ("key_rotation_days", "key-rotation-days", "BAILIWICK_KEY_ROTATION_DAYS"),
        (Kind::Whole, "DAYS"),
        ("90", ""),
        "Age at which a signing key is replaced; 0 means never.",
    ),
    setting(
        ("log_format", "log-format", "BAILIWICK_LOG_FORMAT"),
        (Kind::Text, "FORMAT"),
        ("text", ""),
        "Format of the log on standard error: text or json.",
    ),
    setting(
        ("log_level", "log-level", "BAILIWICK_LOG_LEVEL"),
        (Kind::Text, "LEVEL"),
        ("info", ""),
        "Log level: error, warn, info, debug or trace. RUST_LOG, if set, filters by module instead.",
    ),
    setting(
        ("metrics_listen", "metrics-listen", "BAILIWICK_METRICS_LISTEN"),
        (Kind::Text, "ADDRESS"),
        ("", "127.0.0.1:9464"),
        "Address that serves metrics for Prometheus at /metrics, without a token. By default there is none.",
    ),
    setting(
        ("otlp_endpoint", "otlp-endpoint", "BAILIWICK_OTLP_ENDPOINT"),
        (Kind::Url, "URL"),
        ("", "http://127.0.0.1:4318"),
        "Endpoint for traces, OTLP over HTTP. By default none are sent.",
    ),
    setting(
        ("otlp_service_name", "otlp-service-name", "BAILIWICK_OTLP_SERVICE_NAME"),
        (Kind::Text, "NAME"),
        ("bailiwick", ""),
        "Name of the service in traces.",
    ),
];
