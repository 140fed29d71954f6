//! `bailiwick serve`.

use std::net::SocketAddr;
use std::sync::Arc;

use db::Db;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use web::oauth::{AuthorizationServer, MasterKey};

use crate::cli;
use crate::demo;
use crate::failure::{Failure, Result};
use crate::output;
use crate::place::{self, Place};
use crate::process_metrics;

/// The environment variable that holds the master key, when it is not in a file.
const MASTER_KEY: &str = "BAILIWICK_MASTER_KEY";

pub(crate) async fn run(command: cli::Serve) -> Result<()> {
    refuse_what_is_not_safe(&command)?;
    let place = Place::new(&command.place, command.demo)?;
    let master = master_key(&place)?;
    // The demo's story begins in the past, so it is told before anything of today is written.
    let demo = if command.demo { Some(demo::prepare(place.options()?).await?) } else { None };
    let db = place.open().await?;

    let listener = TcpListener::bind(command.listen)
        .await
        .map_err(|error| Failure(format!("cannot listen on {}: {error}", command.listen)))?;
    let address = format!("http://{}", listener.local_addr()?);
    let public_url = command.public_url.clone().unwrap_or_else(|| address.clone());

    let tokens = web::oauth::Settings {
        refresh_grace_seconds: command.refresh_grace_seconds,
        ..web::oauth::Settings::new(public_url.trim_end_matches('/'))
    };
    let oauth = AuthorizationServer::start(db.clone(), &master, &tokens).await.map_err(Failure::new)?;
    let upkeep = tokio::spawn(Arc::clone(&oauth).upkeep());
    let settings = web::Settings { rate_limit_per_minute: command.rate_limit, ..web::Settings::default() };
    let app = web::App::new(db.clone(), Arc::clone(&oauth), settings, &master.derive("list cursors"));

    let metrics = match command.metrics_listen {
        Some(address) => Some(tokio::spawn(metrics(&app, &db, address).await?)),
        None => None,
    };

    let stop = stop_signal()?;
    output::line(&format!("listening on {address}"))?;
    match demo {
        Some(demo) => demo.greet(&db, &address).await?,
        None => greet(&db).await?,
    }
    web::serve(listener, web::router(app), stop).await;
    upkeep.abort();
    if let Some(metrics) = metrics {
        metrics.abort();
    }
    oauth.write_last_use().await;
    oauth.write_refusals().await;
    db.close().await;
    tracing::info!("stopped");
    Ok(())
}

fn refuse_what_is_not_safe(command: &cli::Serve) -> Result<()> {
    let loopback = command.listen.ip().is_loopback();
    if command.demo && !loopback {
        return Err(Failure(format!(
            "--demo listens on loopback only, because its secret is printed; {} is not",
            command.listen.ip()
        )));
    }
    if !loopback && !command.insecure_http {
        return Err(Failure(format!(
            "plain HTTP on {} would let others read tokens on the way: put a proxy that speaks TLS in front on this \
             machine, or allow it with --insecure-http",
            command.listen
        )));
    }
    Ok(())
}

/// What serves the metrics, once the address is taken.
async fn metrics(
    app: &web::App,
    db: &Db,
    address: SocketAddr,
) -> Result<impl Future<Output = ()> + Send + 'static> {
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| Failure(format!("cannot listen on {address} for metrics: {error}")))?;
    tracing::info!(address = %listener.local_addr()?, "metrics are at /metrics");
    let mut registry = Registry::default();
    process_metrics::register(&mut registry, db.clock()());
    app.register_metrics(&mut registry);
    Ok(async move {
        if let Err(error) = web::serve_metrics(listener, registry, std::future::pending()).await {
            tracing::error!(%error, "the metrics are not served any more");
        }
    })
}

/// The master key from the environment, or from its file, which is made at the first start.
fn master_key(place: &Place) -> Result<MasterKey> {
    match std::env::var(MASTER_KEY) {
        Ok(text) if !text.is_empty() => {
            MasterKey::parse(&text).map_err(|error| Failure(format!("{MASTER_KEY}: {error}")))
        }
        _ => {
            let random = place::random();
            let text = place
                .secret_file("master.key", || format!("{}\n", *MasterKey::generate(&*random).to_base64()))?;
            MasterKey::parse(&text)
                .map_err(|error| Failure(format!("{}/master.key: {error}", place.data.display())))
        }
    }
}

/// Resolves at SIGTERM or SIGINT.
fn stop_signal() -> Result<impl Future<Output = ()>> {
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
        tracing::info!("stopping: requests that run are finished");
    })
}

/// Tells a newcomer what to do with an empty register.
async fn greet(db: &Db) -> Result<()> {
    if store::organizations::list(&mut db.read().await?).await?.is_empty() {
        tracing::info!(
            "the register is empty. In another terminal: bailiwick organization create --name NAME --json, then \
             bailiwick client create --organization UUID --name NAME --scopes \"incidents:read incidents:write\" --json"
        );
    }
    Ok(())
}
