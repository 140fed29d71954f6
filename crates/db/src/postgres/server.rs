//! The servers that the URL names, one by one.

use std::net::IpAddr;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, TargetSessionAttrs};

use crate::error::{Error, Result};

/// PostgreSQL's port when the URL names none.
const DEFAULT_PORT: u16 = 5432;

/// One host of the URL, which may have several addresses.
#[derive(Clone)]
pub(crate) struct Server {
    /// Host and port, for messages.
    pub(crate) name: String,
    /// Names this server only.
    config: Config,
    host: Option<Host>,
    /// From the URL: the host's name is not looked up.
    address: Option<IpAddr>,
    port: u16,
}

/// An address of a server.
pub(crate) struct Place {
    /// For messages.
    pub(crate) name: String,
    pub(crate) config: Config,
}

impl Server {
    /// The servers of a URL, in its order.
    pub(crate) fn all(url: &Config) -> Result<Vec<Self>> {
        let (hosts, addresses, ports) = (url.get_hosts(), url.get_hostaddrs(), url.get_ports());
        let count = hosts.len().max(addresses.len());
        if count == 0 {
            return Err(Error::denied("DATABASE_URL is not valid: it names no host"));
        }
        let is_one_for_each = |length: usize| length == 0 || length == count;
        // One port counts for all hosts.
        let fits = is_one_for_each(hosts.len()) && is_one_for_each(addresses.len());
        if !fits || (ports.len() > 1 && ports.len() != count) {
            let reason = "DATABASE_URL is not valid: its numbers of hosts, addresses and ports differ";
            return Err(Error::denied(reason));
        }
        let server = |index: usize| {
            let port = ports.get(index).or(ports.first()).copied().unwrap_or(DEFAULT_PORT);
            Self::new(url, hosts.get(index).cloned(), addresses.get(index).copied(), port)
        };
        Ok((0..count).map(server).collect())
    }

    fn new(url: &Config, host: Option<Host>, address: Option<IpAddr>, port: u16) -> Self {
        let name = match (&host, address) {
            (Some(Host::Tcp(name)), _) => format!("{name}:{port}"),
            (Some(Host::Unix(folder)), _) => format!("{} (port {port})", folder.display()),
            (None, Some(address)) => format!("{address}:{port}"),
            (None, None) => format!("port {port}"),
        };
        Self { name, config: alone(url, host.as_ref(), port), host, address, port }
    }

    /// The addresses that its name stands for.
    pub(crate) async fn places(&self) -> std::io::Result<Vec<Place>> {
        let name = match (&self.host, self.address) {
            (_, Some(address)) => return Ok(vec![self.place(self.name.clone(), address)]),
            (Some(Host::Tcp(name)), None) => name.as_str(),
            _ => return Ok(vec![Place { name: self.name.clone(), config: self.config.clone() }]),
        };
        let found = tokio::net::lookup_host((name, self.port)).await?;
        let found: Vec<IpAddr> = found.map(|found| found.ip()).collect();
        let told = |address: IpAddr| match found.len() {
            1 => self.name.clone(),
            _ => format!("{} ({address})", self.name),
        };
        Ok(found.iter().map(|address| self.place(told(*address), *address)).collect())
    }

    /// The name stays in the settings: the certificate is checked against it.
    fn place(&self, name: String, address: IpAddr) -> Place {
        let mut config = self.config.clone();
        config.hostaddr(address);
        Place { name, config }
    }
}

/// The settings of the URL with one host. The driver cannot remove hosts from settings.
fn alone(url: &Config, host: Option<&Host>, port: u16) -> Config {
    let mut config = Config::new();
    config
        .port(port)
        .ssl_mode(url.get_ssl_mode())
        .ssl_negotiation(url.get_ssl_negotiation())
        .channel_binding(url.get_channel_binding())
        .keepalives(url.get_keepalives())
        .keepalives_idle(url.get_keepalives_idle())
        // The connector asks, together with its first statement.
        .target_session_attrs(TargetSessionAttrs::Any);
    match host {
        Some(Host::Tcp(name)) => _ = config.host(name.as_str()),
        Some(Host::Unix(folder)) => _ = config.host_path(folder),
        None => {}
    }
    if let Some(user) = url.get_user() {
        config.user(user);
    }
    if let Some(password) = url.get_password() {
        config.password(password);
    }
    if let Some(database) = url.get_dbname() {
        config.dbname(database);
    }
    if let Some(options) = url.get_options() {
        config.options(options);
    }
    if let Some(name) = url.get_application_name() {
        config.application_name(name);
    }
    if let Some(timeout) = url.get_tcp_user_timeout() {
        config.tcp_user_timeout(*timeout);
    }
    if let Some(interval) = url.get_keepalives_interval() {
        config.keepalives_interval(interval);
    }
    if let Some(retries) = url.get_keepalives_retries() {
        config.keepalives_retries(retries);
    }
    config
}
