//! Connections: accepting them, their limits, and stopping without breaking off what runs.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tower::Layer;

use crate::limits;
use crate::peer::Peer;
use crate::tls::{self, Tls};

/// How long to wait before accepting again when the system has no file handle left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Where connections come from, and whether they are encrypted.
pub struct Listener {
    tcp: TcpListener,
    tls: Option<Arc<Tls>>,
}

impl Listener {
    /// Serves HTTPS, or plain HTTP without a certificate.
    pub fn new(tcp: TcpListener, tls: Option<Arc<Tls>>) -> Self {
        Self { tcp, tls }
    }
}

impl From<TcpListener> for Listener {
    fn from(tcp: TcpListener) -> Self {
        Self::new(tcp, None)
    }
}

/// Serves until `stop` is done, then finishes the requests that run, for at most 30 seconds.
pub async fn serve(listener: impl Into<Listener>, router: Router, stop: impl Future<Output = ()>) {
    let Listener { tcp, tls } = listener.into();
    let http = http();
    let graceful = GracefulShutdown::new();
    let (stopping, _) = watch::channel(());
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS));
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, peer, place) = tokio::select! {
            biased;
            () = &mut stop => break,
            accepted = accept(&tcp, &places) => accepted,
        };
        let peer = Peer { is_secure: tls.is_some(), ..peer };
        let connection = Connection { http: http.clone(), router: router.clone(), peer, place };
        match &tls {
            None => tokio::spawn(connection.serve(stream, graceful.watcher())),
            Some(tls) => {
                let (config, mut stopped) = (tls.current(), stopping.subscribe());
                let watcher = graceful.watcher();
                tokio::spawn(async move {
                    tokio::select! {
                        greeted = tls::handshake(config, stream) => match greeted {
                            Ok(stream) => connection.serve(stream, watcher).await,
                            Err(error) => tracing::debug!(%error, "a connection did not begin"),
                        },
                        // Nothing was asked yet, so nothing is broken off.
                        _ = stopped.changed() => {}
                    }
                })
            }
        };
    }
    drop((tcp, stopping));
    if tokio::time::timeout(limits::SHUTDOWN_TIMEOUT, graceful.shutdown()).await.is_err() {
        tracing::warn!("stopped although requests were still running");
    }
}

fn http() -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits::HEADER_TIMEOUT)
        .max_header_size(limits::READ_HEADER_BYTES);
    http
}

/// What a connection needs beside its stream.
struct Connection {
    http: http1::Builder,
    router: Router,
    peer: Peer,
    /// Kept until the connection ends.
    place: Option<OwnedSemaphorePermit>,
}

impl Connection {
    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, watcher: Watcher) {
        let service = TowerToHyperService::new(Extension(self.peer).layer(self.router));
        let connection = self.http.serve_connection(TokioIo::new(stream), service);
        // A broken or slow connection is the client's affair.
        if let Err(error) = watcher.watch(connection).await {
            tracing::debug!(%error, "a connection ended early");
        }
        drop(self.place);
    }
}

/// The next connection, once there is a place for it.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (TcpStream, Peer, Option<OwnedSemaphorePermit>) {
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
