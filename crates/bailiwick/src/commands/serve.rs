//! `bailiwick serve`.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use auth::Auth;
use auth::keys::AccessTokenAlgorithm;
use db::Db;
use prometheus_client::registry::Registry;
use store::demo::Demo;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::config::{self, Config};
use crate::failure::{Failure, Result};
use crate::installation::{
    Installation, Notice, Published, ServiceKey, publish_address, went_back_notice, went_back_path,
};
use crate::traces::Traces;
use crate::waiting::Waiting;
use crate::{
    certificate, cli, demo, demo_greeting, housekeeping, logs, notify, open_files, output, process_metrics,
    search,
};

/// The settings, once they are read and logs begun.
pub(crate) struct Prepared {
    config: Config,
    demo: bool,
    json: bool,
    traces: Option<Traces>,
}

/// Reads the settings and starts logging.
pub(crate) fn prepare(command: &cli::Serve, json: bool) -> Result<Prepared> {
    let (config, warnings) = config::load(&command.settings.0, command.demo)?;
    let traces = config.otlp_endpoint.as_deref().map(|url| Traces::to(url, &config.otlp_service_name));
    let traces = traces.transpose()?;
    logs::start(&config.logs, traces.as_ref());
    let register = Installation::of(&config).database_name();
    tracing::info!(version = env!("CARGO_PKG_VERSION"), register, "starting");
    warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
    Ok(Prepared { config, demo: command.demo, json, traces })
}

pub(crate) async fn run(Prepared { config, demo, json, traces }: Prepared) -> Result<()> {
    if let Some(refusal) = config.refusal(demo) {
        return Err(Failure::new(refusal));
    }
    let tls = config.tls.as_ref().map(certificate::load).transpose()?;
    let mut waiting = Waiting::of(&config);
    let Opened { installation, demo, db, master } = waiting.on(async || open(&config, demo).await).await?;
    for path in installation.open_to_others() {
        tracing::warn!(path = %path.display(), "other users of this machine have access: run chmod -R go= on the data folder");
    }

    warn_of_a_loss(&config.data);
    let listener = TcpListener::bind(config.listen)
        .await
        .map_err(|error| Failure::new(format!("cannot listen on {}: {error}", config.listen)))?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let address = format!("{scheme}://{}", listener.local_addr()?);

    let public_url = config.public_url.as_ref().unwrap_or(&address);
    let tokens = tokens(&config, public_url);
    let start = async || {
        let started = Auth::start(db.clone(), &master.key, &tokens).await;
        started.map_err(|error| installation.keys_refused(error, &master))
    };
    let auth = waiting.on(start).await?;
    let cursors = master.key.derive("list cursors");
    let app = http::App::new(db.clone(), Arc::clone(&auth), config.http.clone(), &cursors);
    let mut beside = vec![tokio::spawn(auth::upkeep(Arc::clone(&auth)))];
    let cleared = housekeeping::Metrics::default();
    if let Some(address) = config.metrics_listen {
        beside.push(tokio::spawn(metrics(&app, &db, &cleared, address).await?));
    }
    beside.push(tokio::spawn(housekeeping::run(db.clone(), cleared)));
    beside.push(tokio::spawn(search::run(db.clone())));
    beside.push(certificate::watch(tls.clone(), db.clock())?);

    let stop = stop_signal()?;
    let _published = publish(&config, listener.local_addr()?, public_url);
    match json {
        true => output::line_of_service(&serde_json::json!({ "listening": address }).to_string())?,
        false => output::line_of_service(&format!("listening on {address}"))?,
    }
    notify::ready();
    match demo {
        Some(demo) => demo_greeting::greet(&demo, &db, &address).await?,
        None => greet(&auth, json).await?,
    }
    let listener =
        http::Listener::new(listener, tls).under(auth.public_url.path()).within(open_files::raise_limit());
    let routes = api::Routes::of_api().with_console(console::pages(&app));
    http::serve(listener, routes.router(app), stop).await;
    beside.iter().for_each(tokio::task::JoinHandle::abort);
    auth.write_last_use().await;
    auth.write_refusals().await;
    db.close().await;
    if let Some(traces) = traces {
        // It waits for the collector.
        let _ = tokio::task::spawn_blocking(move || traces.finish()).await;
    }
    tracing::info!("stopped");
    Ok(())
}

/// What a service runs on.
struct Opened {
    installation: Installation,
    demo: Option<Demo>,
    db: Db,
    master: ServiceKey,
}

/// Opens the database, and makes a register in it if there is none.
async fn open(config: &Config, demo: bool) -> Result<Opened> {
    let installation = Installation::of(config);
    installation.prepare().await?;
    // The demo data begin in the past, so they are written before anything with the current time.
    let demo = if demo { Some(demo::prepare(demo::FILE, installation.options()).await?) } else { None };
    let db = Db::open(installation.options()).await?;
    db.migrate(store::migrations::ALL).await?;
    let master = installation.service_master_key(&db).await?;
    Ok(Opened { installation, demo, db, master })
}

/// A service that found something missing before and was started again goes on, and says so.
fn warn_of_a_loss(data: &Path) {
    if let Some(notice) = went_back_notice(data) {
        let Notice { at, organization, acknowledged, .. } = notice;
        let file = went_back_path(data);
        tracing::warn!(at, %organization, acknowledged, file = %file.display(), "the register went back before");
    }
}

/// Publishes the service's address for commands on the data folder, unless only its port is known.
fn publish(config: &Config, listens: SocketAddr, public_url: &str) -> Option<Published> {
    let is_known = config.public_url.is_some() || !listens.ip().is_unspecified();
    is_known.then(|| publish_address(&config.data, public_url)).flatten()
}

/// What the settings say about tokens.
fn tokens(config: &Config, public_url: &str) -> auth::Settings {
    auth::Settings {
        failures_before_wait: config.failures_before_wait,
        refresh_grace_seconds: config.refresh_grace_seconds,
        refresh_family_seconds: config.refresh_family_seconds,
        access_token_algorithm: AccessTokenAlgorithm::parse(&config.access_token_algorithm)
            .unwrap_or_default(),
        key_rotation_days: config.key_rotation_days,
        ..auth::Settings::new(public_url)
    }
}

/// What serves the metrics, once the address is taken.
async fn metrics(
    app: &http::App,
    db: &Db,
    cleared: &housekeeping::Metrics,
    address: SocketAddr,
) -> Result<impl Future<Output = ()> + Send + 'static> {
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| Failure::new(format!("cannot listen on {address} for metrics: {error}")))?;
    tracing::info!(address = %listener.local_addr()?, "metrics are at /metrics");
    let mut registry = Registry::default();
    process_metrics::register(&mut registry, db.clock()());
    app.register_metrics(&mut registry);
    cleared.register(&mut registry);
    Ok(async move {
        if let Err(error) = http::serve_metrics(listener, registry, std::future::pending()).await {
            tracing::error!(%error, "metrics are no longer served");
        }
    })
}

/// How the service ends at a second signal.
const BROKEN_OFF: i32 = 1;

/// Resolves at SIGTERM or SIGINT. From then on a second one ends the process at once: like `kill -9` it aborts running
/// requests and loses nothing that was acknowledged.
fn stop_signal() -> Result<impl Future<Output = ()>> {
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        let mut signalled = async move || {
            tokio::select! {
                _ = term.recv() => {}
                _ = int.recv() => {}
            }
        };
        signalled().await;
        notify::stopping();
        tracing::info!("stopping: running requests are finished; a second signal aborts them");
        tokio::spawn(async move {
            signalled().await;
            tracing::warn!("aborted by a second signal");
            std::process::exit(BROKEN_OFF);
        });
    })
}

/// Tells a new operator where an empty register begins.
async fn greet(auth: &Auth, json: bool) -> Result<()> {
    if auth.is_first_run().await.map_err(|error| Failure::new(error.to_string()))? {
        let link = console::first_run_link(&auth.public_url, &auth.first_run_code());
        match json {
            true => output::line_of_service(&serde_json::json!({ "begin_at": link }).to_string())?,
            false => output::line_of_service(&format!("no organization yet; set up Bailiwick at {link}"))?,
        }
    }
    Ok(())
}
