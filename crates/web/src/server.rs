//! Connections: accepting them, their limits, and stopping without breaking off what runs.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::Layer;

use crate::limits;
use crate::peer::Peer;

/// How long to wait before accepting again when the system has no file handle left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves until `stop` is done, then finishes the requests that run, for at most 30 seconds.
pub async fn serve(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits::HEADER_TIMEOUT)
        .max_header_size(limits::HEADER_BYTES);
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS));
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, peer, place) = tokio::select! {
            biased;
            () = &mut stop => break,
            accepted = accept(&listener, &places) => accepted,
        };
        let service = TowerToHyperService::new(Extension(peer).layer(router.clone()));
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A broken or slow connection is the client's affair.
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(limits::SHUTDOWN_TIMEOUT, graceful.shutdown()).await.is_err() {
        tracing::warn!("stopped although requests were still running");
    }
}

/// The next connection, once there is a place for it.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (TcpStream, Peer, Option<tokio::sync::OwnedSemaphorePermit>) {
    let place = Arc::clone(places).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, from)) => {
                // Answers are written whole; waiting for more to send only adds delay.
                let _ = stream.set_nodelay(true);
                let peer = Peer { address: from.ip().to_canonical(), is_secure: false };
                return (stream, peer, place);
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}
