//! Connections: accepting them, limiting them, and shutting down without interrupting running requests.

mod connection_slots;
mod socket;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower::Layer;

use crate::limits;
use crate::peer::Peer;
use crate::tls::{self, Tls};

pub(crate) use connection_slots::Activity;
use connection_slots::{ConnectionSlot, ConnectionSlots};
pub(crate) use socket::Socket;

/// How long to wait before accepting again when the system has no file descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Where connections come from, and whether they are encrypted.
pub struct Listener {
    tcp: TcpListener,
    tls: Option<Arc<Tls>>,
    connections: usize,
    /// The path of the public URL.
    path: Arc<str>,
}

impl Listener {
    /// Serves HTTPS, or plain HTTP without a certificate.
    pub fn new(tcp: TcpListener, tls: Option<Arc<Tls>>) -> Self {
        Self { tcp, tls, connections: limits::CONNECTIONS, path: Arc::default() }
    }

    /// Of a service whose public URL has this path.
    pub fn under(self, path: &str) -> Self {
        Self { path: path.into(), ..self }
    }

    /// Limits the connections so that enough of this many open files are left for the database.
    pub fn within(self, open_files: usize) -> Self {
        let reserved = limits::RESERVED_FILES.min(open_files / 2);
        Self { connections: limits::CONNECTIONS.min(open_files - reserved), ..self }
    }
}

impl From<TcpListener> for Listener {
    fn from(tcp: TcpListener) -> Self {
        Self::new(tcp, None)
    }
}

/// Serves until `stop` is done, then finishes the running requests, for at most 30 seconds.
pub async fn serve(listener: impl Into<Listener>, router: Router, stop: impl Future<Output = ()>) {
    let Listener { tcp, tls, connections, path } = listener.into();
    let http = http();
    let graceful = GracefulShutdown::new();
    let (stopping, _) = watch::channel(());
    let slots = ConnectionSlots::new(connections);
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, peer, slot) = tokio::select! {
            biased;
            () = &mut stop => break,
            accepted = accept(&tcp, &slots) => accepted,
        };
        let peer = Peer { is_secure: tls.is_some(), ..peer };
        let (http, router, path) = (http.clone(), router.clone(), Arc::clone(&path));
        let connection = Connection { http, router, peer, slot, path };
        let watcher = graceful.watcher();
        match &tls {
            None => {
                let socket = Socket::new(stream, connection.slot.activity());
                tokio::spawn(connection.serve(socket, watcher));
            }
            Some(tls) => {
                tokio::spawn(connection.serve_tls(tls.current(), stream, watcher, stopping.subscribe()));
            }
        }
    }
    drop((tcp, stopping));
    finish(graceful, &slots).await;
}

/// Waits for the running requests.
async fn finish(graceful: GracefulShutdown, slots: &ConnectionSlots) {
    let mut ended = std::pin::pin!(graceful.shutdown());
    if tokio::time::timeout(limits::PARTING_TIMEOUT, &mut ended).await.is_ok() {
        return;
    }
    // A client that has not sent a whole header by now has not made a request.
    slots.end_waiting();
    let rest = limits::SHUTDOWN_TIMEOUT.saturating_sub(limits::PARTING_TIMEOUT);
    if tokio::time::timeout(rest, ended).await.is_err() {
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

/// What a connection needs besides its stream.
struct Connection {
    http: http1::Builder,
    router: Router,
    peer: Peer,
    /// Held until the connection ends.
    slot: ConnectionSlot,
    /// The path of the public URL.
    path: Arc<str>,
}

impl Connection {
    async fn serve_tls(
        self,
        config: Arc<tokio_rustls::rustls::ServerConfig>,
        stream: TcpStream,
        watcher: Watcher,
        mut stopped: watch::Receiver<()>,
    ) {
        tokio::select! {
            greeted = tls::handshake(config, stream, self.slot.activity(), &self.path) => match greeted {
                Ok(stream) => self.serve(stream, watcher).await,
                Err(error) => tracing::debug!(%error, "a connection did not begin"),
            },
            // No request was made yet, so none is interrupted.
            _ = stopped.changed() => {}
            () = self.slot.needed() => {}
        }
    }

    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, watcher: Watcher) {
        let Self { http, router, peer, slot, .. } = self;
        let activity = Arc::clone(slot.activity());
        let inner = Extension(Arc::clone(&activity)).layer(Extension(peer).layer(router));
        let inner = TowerToHyperService::new(inner);
        let service = service_fn(move |request: Request<Incoming>| {
            activity.runs();
            let (answering, activity) = (inner.call(request), Arc::clone(&activity));
            async move {
                let answer = answering.await;
                activity.waits();
                answer
            }
        });
        let connection = http.serve_connection(TokioIo::new(stream), service);
        tokio::select! {
            // A broken or slow connection is not an error of the service.
            ended = watcher.watch(connection) => if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended early");
            },
            () = slot.needed() => {}
        }
    }
}

/// The next connection, once there is a slot for it.
async fn accept(listener: &TcpListener, slots: &Arc<ConnectionSlots>) -> (TcpStream, Peer, ConnectionSlot) {
    let mut is_told = false;
    loop {
        match listener.accept().await {
            Ok((stream, from)) => {
                // Responses are written whole; waiting for more data only adds delay.
                let _ = stream.set_nodelay(true);
                let peer = Peer { address: from.ip().to_canonical(), is_secure: false };
                return (stream, peer, slots.take().await);
            }
            Err(error) => {
                if !is_told {
                    tracing::warn!(%error, "a connection could not be accepted; it is tried again");
                    is_told = true;
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}
