//! The settings: defaults, then a TOML file, then the environment, then flags.

pub(crate) mod flags;
mod layer;
mod read;
mod setting;
mod show;

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use auth::MasterKey;
use db::Location;

use crate::failure::{Failure, Result};
pub(crate) use layer::{Environment, Fault, Flags, Source};
use layer::{Raw, Values};
use read::Reader;
pub(crate) use read::public_url;
pub(crate) use setting::ALL as SETTINGS;
pub(crate) use show::{Effective, effective, example, without_password};

/// The variable that names the file.
pub(crate) const FILE_VARIABLE: &str = "BAILIWICK_CONFIG";

/// Set to `off` by the test that proves that the durability test can fail. Never set it.
pub(crate) const UNSAFE_SYNCHRONOUS: &str = "BAILIWICK_UNSAFE_SYNCHRONOUS";

/// The file's name when it lies in the data folder.
const FILE_NAME: &str = "bailiwick.toml";

/// From what is always logged to what almost never is.
const LEVELS: [&str; 5] = ["error", "warn", "info", "debug", "trace"];

/// Every setting, read and checked.
#[derive(Debug)]
pub(crate) struct Config {
    /// The file that was read.
    pub(crate) file: Option<PathBuf>,
    /// The folder of the SQLite file and the master key.
    pub(crate) data: PathBuf,
    /// Where the register is.
    pub(crate) location: Location,
    /// Whether a register may be made among the tables of another program.
    pub(crate) shared_database: bool,
    /// How long a service that starts waits for PostgreSQL.
    pub(crate) database_wait: Duration,
    /// How long a write waits for its turn.
    pub(crate) queue_wait: Duration,
    /// How long a statement, or the wait for a lock, may take.
    pub(crate) statement_timeout: Duration,
    /// Instead of the file in the data folder.
    pub(crate) master_key: Option<Arc<MasterKey>>,
    /// Where the doctor looks for backups.
    pub(crate) backups: Option<PathBuf>,
    pub(crate) listen: SocketAddr,
    /// Without a slash at its end.
    pub(crate) public_url: Option<String>,
    pub(crate) tls: Option<TlsFiles>,
    /// What HTTP needs to know.
    pub(crate) http: http::Settings,
    /// 0 is no limit.
    pub(crate) failures_before_wait: u32,
    pub(crate) refresh_grace_seconds: u32,
    pub(crate) refresh_family_seconds: Option<u32>,
    pub(crate) logs: Logs,
    pub(crate) metrics_listen: Option<SocketAddr>,
    pub(crate) otlp_endpoint: Option<String>,
    pub(crate) otlp_service_name: String,
    /// `ES256`, `RS256` or `Ed25519`.
    pub(crate) access_token_algorithm: String,
    /// 0 is never.
    pub(crate) key_rotation_days: u32,
}

/// The two PEM files of HTTPS.
#[derive(Debug, Clone)]
pub(crate) struct TlsFiles {
    pub(crate) certificate: PathBuf,
    pub(crate) key: PathBuf,
}

/// How to log.
#[derive(Debug, Clone)]
pub(crate) struct Logs {
    pub(crate) json: bool,
    /// `error`, `warn`, `info`, `debug` or `trace`.
    pub(crate) level: String,
    /// `RUST_LOG`: a filter by module.
    pub(crate) filter: Option<String>,
}

impl Logs {
    /// For commands that do not serve: filtered by the environment alone.
    pub(crate) fn of_commands(environment: &Environment, json: bool) -> Self {
        let level = environment.get("BAILIWICK_LOG_LEVEL").filter(|level| LEVELS.contains(&level.as_str()));
        Self {
            json,
            level: level.cloned().unwrap_or_else(|| "info".to_owned()),
            filter: environment.get("RUST_LOG").filter(|filter| !filter.is_empty()).cloned(),
        }
    }
}

/// The values of the layers, before they are parsed.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    /// The file that was read.
    pub(crate) file: Option<PathBuf>,
    /// What each setting is and where it comes from.
    pub(crate) values: Values,
    /// Everything that is wrong, in the order of the layers.
    pub(crate) faults: Vec<Fault>,
    /// What is likely wrong.
    pub(crate) warnings: Vec<String>,
    rust_log: Option<String>,
}

impl Layers {
    /// Puts the layers together. `demo` has a folder of its own, so that trying the product out and using it do
    /// not mix.
    pub(crate) fn read(flags: &Flags, environment: &Environment, demo: bool) -> Self {
        let (mut above, mut late_faults) = (Values::new(), Vec::new());
        layer::from_environment(environment, &mut above, &mut late_faults);
        layer::from_flags(flags, &mut above, &mut late_faults);

        let mut values = layer::defaults();
        let folder = if demo { "bailiwick-demo" } else { "bailiwick-data" };
        values.insert("data", (Raw::Text(folder.to_owned()), Source::Default));
        let (file, mut faults) = read_file(flags, environment, &above, &mut values);
        values.append(&mut above);
        faults.append(&mut late_faults);
        let warnings = layer::unknown_variables(environment);
        let rust_log = environment.get("RUST_LOG").filter(|filter| !filter.is_empty()).cloned();
        Self { file, values, faults, warnings, rust_log }
    }

    /// Whether the file sets something that only its owner may see.
    pub(crate) fn file_has_a_secret(&self) -> bool {
        let is_secret =
            |raw: &Raw| matches!(raw, Raw::Text(text) if text.contains('@') || text.contains("password="));
        self.values.iter().any(|(name, (raw, source))| {
            matches!(source, Source::File { .. })
                && (*name == "master_key" || (["database", "otlp_endpoint"].contains(name) && is_secret(raw)))
        })
    }

    /// What they mean; or everything that is wrong with them.
    pub(crate) fn config(&self) -> std::result::Result<Config, Vec<Fault>> {
        let mut read = Reader::new(&self.values);
        let data = PathBuf::from(read.text("data").unwrap_or_default());
        let database = read.parsed("database", read::postgres);
        let tls = tls_files(&mut read);
        let config = Config {
            file: self.file.clone(),
            location: database
                .map_or_else(|| Location::Sqlite(data.join("bailiwick.db")), Location::Postgres),
            data,
            shared_database: read.yes("shared_database"),
            database_wait: Duration::from_secs(read.whole("database_wait_seconds").into()),
            queue_wait: read.seconds("queue_wait_seconds"),
            statement_timeout: read.seconds("statement_timeout_seconds"),
            master_key: read.parsed("master_key", read::master_key),
            backups: read.text("backups").map(PathBuf::from),
            listen: read.parsed("listen", read::address).unwrap_or(SocketAddr::from(([127, 0, 0, 1], 8080))),
            public_url: read.parsed("public_url", public_url),
            tls,
            http: http::Settings {
                rate_limit_per_minute: read.whole("rate_limit"),
                trusted_proxies: read.list("trusted_proxies", read::network),
                insecure_http: read.yes("insecure_http"),
                cors_origins: read.list("cors_origins", read::origin),
                require_if_match: read.yes("require_if_match"),
                proposal_bytes: i64::from(read.whole("proposal_bytes")),
                ..http::Settings::default()
            },
            failures_before_wait: read.whole("failures_before_wait"),
            refresh_grace_seconds: read.whole("refresh_grace_seconds"),
            refresh_family_seconds: Some(read.whole("refresh_family_seconds")).filter(|seconds| *seconds > 0),
            logs: Logs {
                json: read.one_of("log_format", &["text", "json"]).as_deref() == Some("json"),
                level: read.one_of("log_level", &LEVELS).unwrap_or_else(|| "info".to_owned()),
                filter: self.rust_log.clone(),
            },
            metrics_listen: read.parsed("metrics_listen", read::address),
            otlp_endpoint: read.parsed("otlp_endpoint", read::http_url),
            otlp_service_name: read.text("otlp_service_name").unwrap_or_else(|| "bailiwick".to_owned()),
            access_token_algorithm: read
                .one_of("access_token_algorithm", &["ES256", "RS256", "Ed25519"])
                .unwrap_or_default(),
            key_rotation_days: read.whole("key_rotation_days"),
        };
        let faults: Vec<_> = self.faults.iter().cloned().chain(read.faults()).collect();
        if faults.is_empty() { Ok(config) } else { Err(faults) }
    }
}

/// The file that was named, or the one in the data folder if it is there.
fn read_file(
    flags: &Flags,
    environment: &Environment,
    above: &Values,
    values: &mut Values,
) -> (Option<PathBuf>, Vec<Fault>) {
    let mut faults = Vec::new();
    let named = environment.get(FILE_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let named = flags.file.clone().or(named);
    let data = above.get("data").or_else(|| values.get("data"));
    let path = match (&named, data) {
        (Some(path), _) => path.clone(),
        (None, Some((Raw::Text(data), _))) => Path::new(data).join(FILE_NAME),
        (None, _) => return (None, faults),
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {
            return (None, faults);
        }
        Err(error) => {
            faults.push(Fault::new(path.display(), format!("it cannot be read: {error}")));
            return (Some(path), faults);
        }
    };
    let before = values.get("data").cloned();
    layer::from_file(&path, &text, values, &mut faults);
    if named.is_none() && values.get("data") != before.as_ref() {
        let at = values.get("data").map_or_else(String::new, |(_, source)| source.to_string());
        let detail = "data cannot be set in a file in the data folder; set it with --data or BAILIWICK_DATA";
        faults.push(Fault::new(at, detail));
    }
    (Some(path), faults)
}

fn tls_files(read: &mut Reader<'_>) -> Option<TlsFiles> {
    match (read.text("tls_cert").map(PathBuf::from), read.text("tls_key").map(PathBuf::from)) {
        (Some(certificate), Some(key)) => Some(TlsFiles { certificate, key }),
        (None, None) => None,
        (Some(_), None) => {
            read.fault("tls_cert", "requires tls_key");
            None
        }
        (None, Some(_)) => {
            read.fault("tls_key", "requires tls_cert");
            None
        }
    }
}

/// Reads the settings of a command, or says everything that is wrong with them.
pub(crate) fn load(flags: &Flags, demo: bool) -> Result<(Config, Vec<String>)> {
    let layers = Layers::read(flags, &environment(), demo);
    match layers.config() {
        Ok(config) => {
            let mut warnings = layers.warnings;
            warnings.append(&mut config.warnings());
            Ok((config, warnings))
        }
        Err(faults) => {
            let failure = Failure::new("the settings are invalid:").coded("settings");
            Err(failure.with(faults.iter().map(ToString::to_string)))
        }
    }
}

impl Config {
    /// The host in the public URL.
    pub(crate) fn public_host(&self) -> Option<&str> {
        let (_, rest) = self.public_url.as_deref()?.split_once("://")?;
        Some(read::host(rest))
    }

    /// Why the service would refuse to start with these settings, although each is well-formed.
    pub(crate) fn refusal(&self, demo: bool) -> Option<String> {
        let loopback = self.listen.ip().is_loopback();
        if demo && !loopback {
            return Some(format!(
                "--demo listens on loopback only, because its secret is printed; {} is not",
                self.listen.ip()
            ));
        }
        let is_guarded = self.tls.is_some() || !self.http.trusted_proxies.is_empty();
        if !loopback && !is_guarded && !self.http.insecure_http {
            return Some(format!(
                "plain HTTP on {} would let others read tokens on the way: serve HTTPS (--tls-cert, --tls-key), name \
                 the proxy that does (--trusted-proxies), or allow it with --insecure-http",
                self.listen
            ));
        }
        None
    }

    /// Settings that are allowed but likely unintended.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let loopback = self.listen.ip().is_loopback();
        if self.public_url.is_none() && !loopback {
            warnings.push(
                "public_url is not set: tokens name the address that the service listens on as their issuer, and stop \
                 being good when it changes"
                    .to_owned(),
            );
        }
        if self.http.insecure_http {
            warnings.push("insecure_http is on: tokens can be intercepted and used".to_owned());
        }
        if self.http.trusted_proxies.iter().any(|net| net.prefix_len() == 0) {
            warnings.push("trusted_proxies trusts every address: any client can forge its own".to_owned());
        }
        let url = self.public_url.as_deref().and_then(|url| url.strip_prefix("http://"));
        if url.is_some_and(|rest| !is_local(read::host(rest))) && !self.http.insecure_http {
            warnings
                .push("public_url is http: clients that use it are refused unless they are local".to_owned());
        }
        warnings
    }
}

fn is_local(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// The environment of this process.
pub(crate) fn environment() -> Environment {
    let text = |name: std::ffi::OsString| name.into_string().ok();
    std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect()
}

#[cfg(test)]
mod tests;
