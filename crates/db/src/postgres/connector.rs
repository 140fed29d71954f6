//! How connections are made: each server of the URL in turn, each with a time limit of its own.

use std::sync::Arc;
use std::time::Duration;

use deadpool::managed::{self, Metrics, PoolError, QueueMode, RecycleError, RecycleResult};
use tokio::time::timeout;
use tokio_postgres::SimpleQueryMessage;
use tokio_postgres::config::LoadBalanceHosts;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::generation::Generations;
use super::obstacle::Obstacle;
use super::server::{Place, Server};
use super::session::{Session, settings};
use super::timeline::Timelines;
use super::{Client, Postgres};
use crate::counts::Counts;
use crate::error::{Error, Result};
use crate::options::{Options, Random};

/// Asked together with the session's settings. Of several servers only the one that accepts writes is used; a read
/// there sees every acknowledged write.
const READ_ONLY: &str = "transaction_read_only";

/// A pool of connections that read.
pub(crate) type Pool = managed::Pool<Connector>;

/// How to reach the servers. Clones share the generations and the timelines.
#[derive(Clone)]
pub(crate) struct Connector {
    servers: Arc<[Server]>,
    tls: MakeRustlsConnect,
    /// For each address, with everything until the connection can be used.
    connect_timeout: Duration,
    /// The random source, if the order of the servers is random.
    random: Option<Random>,
    timeout: Duration,
    idle_timeout: Duration,
    generations: Generations,
    timelines: Timelines,
    counts: Arc<Counts>,
}

impl Connector {
    pub(crate) fn new(url: &str, options: &Options, counts: Arc<Counts>) -> Result<Self> {
        let (mut config, tls) = crate::tls::configure(url)?;
        config.application_name("bailiwick");
        config.keepalives_idle(Duration::from_secs(10));
        config.tcp_user_timeout(Duration::from_secs(10));
        let in_order = config.get_load_balance_hosts() == LoadBalanceHosts::Disable;
        Ok(Self {
            servers: Server::all(&config)?.into(),
            tls,
            connect_timeout: config.get_connect_timeout().copied().unwrap_or(options.connect_timeout),
            random: if in_order { None } else { Some(Arc::clone(&options.random)) },
            timeout: options.statement_timeout,
            idle_timeout: options.idle_timeout,
            generations: Generations::default(),
            timelines: Timelines::default(),
            counts,
        })
    }

    /// A connection of its own.
    pub(crate) async fn connect(&self) -> Result<Postgres> {
        Ok(self.wrap(Client::Own(Box::new(self.open().await?))))
    }

    /// A pool of connections that read.
    pub(crate) fn pool(&self, size: usize) -> Result<Pool> {
        Pool::builder(self.clone())
            .max_size(size)
            // The one that was used last, whose plans and pages are at hand: a fifth more requests a second.
            .queue_mode(QueueMode::Lifo)
            .runtime(deadpool::Runtime::Tokio1)
            // Making one has its own limits, which reach every server.
            .wait_timeout(Some(self.timeout))
            .build()
            .map_err(Error::internal)
    }

    pub(crate) async fn acquire(&self, pool: &Pool) -> Result<Postgres> {
        let client = pool.get().await.map_err(|error| match error {
            PoolError::Backend(error) => error,
            error => Error::unavailable(format!("PostgreSQL: {error}")),
        })?;
        Ok(self.wrap(Client::Pooled(Box::new(client))))
    }

    /// A connection to the first server that accepts writes, with the session's settings made.
    async fn open(&self) -> Result<Session> {
        let mut obstacles = Vec::new();
        for server in self.in_order(self.servers.to_vec()) {
            let places = match self.places(&server).await {
                Ok(places) => self.in_order(places),
                Err(text) => {
                    obstacles.push(Obstacle::passing(text).at(&server.name));
                    continue;
                }
            };
            for place in places {
                let opened = timeout(self.connect_timeout, self.open_at(&place)).await;
                match opened.unwrap_or_else(|_| Err(Obstacle::passing("it does not answer"))) {
                    Ok(session) => {
                        self.counts.connection();
                        return Ok(session);
                    }
                    Err(obstacle) => obstacles.push(obstacle.at(&place.name)),
                }
            }
        }
        Err(Obstacle::together(&obstacles))
    }

    /// The addresses of a server, or why it has none.
    async fn places(&self, server: &Server) -> Result<Vec<Place>, String> {
        match timeout(self.connect_timeout, server.places()).await {
            Ok(Ok(places)) if places.is_empty() => Err("its name has no address".to_owned()),
            Ok(places) => places.map_err(|error| error.to_string()),
            Err(_) => Err("its name is not resolved in time".to_owned()),
        }
    }

    /// A connection to this address, or why it cannot be used.
    async fn open_at(&self, place: &Place) -> Result<Session, Obstacle> {
        let generation = self.generations.current();
        let opened = place.config.connect(self.tls.clone()).await;
        let (client, connection) = opened.map_err(|error| Obstacle::from(&error))?;
        let mut session = Session::new(client, connection, generation);
        let set_up = format!("{}; SHOW {READ_ONLY}", settings(self.timeout, self.idle_timeout));
        let answers = session.simple_query(&set_up).await.map_err(|error| Obstacle::from(&error))?;
        let is_read_only = answers.iter().any(|answer| match answer {
            SimpleQueryMessage::Row(row) => row.try_get(READ_ONLY).is_ok_and(|value| value == Some("on")),
            _ => false,
        });
        if is_read_only {
            return Err(Obstacle::passing("it does not accept writes"));
        }
        session.ask_timeline(&self.timelines).await?;
        Ok(session)
    }

    /// In the order of the URL, or shuffled if it says so.
    fn in_order<T>(&self, mut items: Vec<T>) -> Vec<T> {
        let Some(random) = &self.random else { return items };
        for last in (1..items.len()).rev() {
            let mut bytes = [0; 2];
            random(&mut bytes);
            items.swap(last, usize::from(u16::from_le_bytes(bytes)) % (last + 1));
        }
        items
    }

    fn wrap(&self, client: Client) -> Postgres {
        // The server's own timeout is shorter; this one is for a server that no longer responds.
        let timeout = self.timeout + Duration::from_secs(2);
        Postgres::new(client, timeout, Arc::clone(&self.counts))
    }
}

/// Makes the connections of the pool as those of the lanes are made.
impl managed::Manager for Connector {
    type Type = Session;
    type Error = Error;

    async fn create(&self) -> Result<Session> {
        self.open().await
    }

    async fn recycle(&self, session: &mut Session, _: &Metrics) -> RecycleResult<Error> {
        match session.is_usable() {
            true => Ok(()),
            false => Err(RecycleError::message("it is closed, or older than one that turned out useless")),
        }
    }
}
