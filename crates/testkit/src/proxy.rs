//! A TCP proxy before PostgreSQL that cuts the connection at a chosen moment.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex as AsyncMutex, watch};

/// What happens to the next connection that sends `COMMIT`, or the statement that is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The server never sees the COMMIT.
    BeforeCommit,
    /// The server obeys, and its answer is lost.
    AfterCommit,
    /// The same, and from then on connections are refused.
    AfterLastCommit,
    /// The client's side is cut at once; the COMMIT, with what was sent together with it, arrives so
    /// many milliseconds later.
    LateCommit(u64),
    /// Cut at the statement that contains this text.
    At(&'static str),
}

/// The proxy; it ends with the runtime it was started on.
pub struct Proxy {
    port: u16,
    target: String,
    next: Arc<Mutex<Option<Cut>>>,
    happened: Arc<AtomicUsize>,
    /// Connections are refused.
    closed: Arc<AtomicBool>,
    /// Connections are accepted and nothing is passed on.
    silent: Arc<AtomicBool>,
    /// Connections that were accepted.
    accepted: Arc<AtomicUsize>,
    /// So many of them, from the first one on, pass nothing on.
    silenced: Arc<AtomicUsize>,
    end_all: watch::Sender<u64>,
}

impl Proxy {
    /// A proxy before the server of `url`, and the URL that leads through it.
    pub async fn start(url: &str) -> (Arc<Self>, String) {
        let (start, rest) = url.split_once('@').unwrap();
        let (target, database) = rest.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let proxy = Arc::new(Self {
            port,
            target: target.to_owned(),
            next: Arc::default(),
            happened: Arc::default(),
            closed: Arc::default(),
            silent: Arc::default(),
            accepted: Arc::default(),
            silenced: Arc::default(),
            end_all: watch::channel(0).0,
        });
        let accepting = Arc::clone(&proxy);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if !accepting.closed.load(Ordering::SeqCst) {
                    let number = accepting.accepted.fetch_add(1, Ordering::SeqCst);
                    tokio::spawn(serve(Arc::clone(&accepting), number, client));
                }
            }
        });
        (proxy, format!("{start}@127.0.0.1:{port}/{database}"))
    }

    /// Arms one cut.
    pub fn cut(&self, cut: Cut) {
        *self.next.lock().unwrap() = Some(cut);
    }

    /// Cuts that have happened.
    pub fn happened(&self) -> usize {
        self.happened.load(Ordering::SeqCst)
    }

    /// Cuts every connection.
    pub fn cut_all(&self) {
        self.end_all.send_modify(|count| *count += 1);
    }

    /// Refuses connections, or takes them again.
    pub fn close(&self, closed: bool) {
        self.closed.store(closed, Ordering::SeqCst);
    }

    /// Stops passing data on, or resumes, on every connection.
    pub fn silence(&self, silent: bool) {
        self.silent.store(silent, Ordering::SeqCst);
    }

    /// Stops passing data on, for good, on the connections that are open now. Those to come work.
    pub fn silence_open(&self) {
        self.silenced.store(self.accepted(), Ordering::SeqCst);
    }

    /// How many connections it has accepted so far.
    pub fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Takes the armed cut if `sent` is what it waits for: the cut, and where to cut.
    fn taken(&self, sent: &[u8]) -> Option<(Cut, usize)> {
        let mut next = self.next.lock().unwrap();
        let cut = (*next)?;
        let text = match cut {
            Cut::At(text) => text.as_bytes(),
            // The message of a simple query: its kind, its length, and the text.
            _ => b"Q\0\0\0\x0bCOMMIT\0",
        };
        let start = sent.windows(text.len()).position(|window| window == text)?;
        *next = None;
        Some((cut, start))
    }

    async fn pause_while_silent(&self, number: usize) {
        while self.silent.load(Ordering::SeqCst) || number < self.silenced.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

async fn serve(proxy: Arc<Proxy>, number: usize, client: TcpStream) {
    let Ok(server) = TcpStream::connect(&proxy.target).await else { return };
    client.set_nodelay(true).unwrap();
    server.set_nodelay(true).unwrap();
    let mut ended = proxy.end_all.subscribe();
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let from_server = Arc::new(AsyncMutex::new(from_server));
    let back = tokio::spawn(answers(Arc::clone(&proxy), number, Arc::clone(&from_server), to_client));
    let abort = back.abort_handle();
    tokio::select! {
        () = requests(Arc::clone(&proxy), number, (from_client, to_server), &back, &from_server) => {}
        _ = ended.changed() => {}
    }
    abort.abort();
}

async fn answers(
    proxy: Arc<Proxy>,
    number: usize,
    from: Arc<AsyncMutex<OwnedReadHalf>>,
    mut to: OwnedWriteHalf,
) {
    let mut from = from.lock().await;
    let mut buffer = vec![0; 65_536];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        proxy.pause_while_silent(number).await;
        if to.write_all(&buffer[..count]).await.is_err() {
            break;
        }
    }
}

async fn requests(
    proxy: Arc<Proxy>,
    number: usize,
    (mut from, mut to): (OwnedReadHalf, OwnedWriteHalf),
    back: &tokio::task::JoinHandle<()>,
    from_server: &AsyncMutex<OwnedReadHalf>,
) {
    let mut buffer = vec![0; 65_536];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        proxy.pause_while_silent(number).await;
        let sent = &buffer[..count];
        let Some((cut, start)) = proxy.taken(sent) else {
            if to.write_all(sent).await.is_err() {
                return;
            }
            continue;
        };
        proxy.happened.fetch_add(1, Ordering::SeqCst);
        if cut == Cut::AfterLastCommit {
            proxy.close(true);
        }
        match cut {
            Cut::BeforeCommit | Cut::At(_) => {
                let _ = to.write_all(&sent[..start]).await;
                // What was sent so far is answered, so that only the rest is lost.
                tokio::time::sleep(Duration::from_millis(5)).await;
                return;
            }
            Cut::AfterCommit | Cut::AfterLastCommit | Cut::LateCommit(_) => {
                // Nothing more reaches the client.
                back.abort();
                if let Cut::LateCommit(millis) = cut {
                    drop(from);
                    tokio::time::sleep(Duration::from_millis(millis)).await;
                }
                let _ = to.write_all(sent).await;
                let _ = to.shutdown().await;
                // Until the server closes: one that cannot send an answer ends before it comes to the COMMIT.
                let mut from_server = from_server.lock().await;
                while let Ok(1..) = from_server.read(&mut buffer).await {}
                return;
            }
        }
    }
}
