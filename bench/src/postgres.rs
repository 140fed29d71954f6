//! A PostgreSQL server to measure on: one of the bench's own, as durable as a production server, or a given one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::bench::Bench;

/// What makes the throw-away cluster of the tests durable.
const DURABLE: [&str; 5] =
    ["fsync=on", "synchronous_commit=on", "full_page_writes=on", "autovacuum=on", "wal_level=replica"];

/// A server. Its own cluster ends with it.
pub(crate) struct Server {
    url: String,
    /// Where the script keeps what it remembers of the cluster.
    home: Option<PathBuf>,
}

impl Server {
    pub(crate) fn start(bench: &Bench) -> Result<Self> {
        if let Some(url) = &bench.database {
            return Ok(Self { url: url.clone(), home: None });
        }
        let home = std::path::absolute(bench.folder.join("postgres"))?;
        let mut start = script(&home);
        start.arg("start");
        for setting in DURABLE {
            start.args(["-c", setting]);
        }
        let url = said(&mut start)?.trim().to_owned();
        Ok(Self { url, home: Some(home) })
    }

    /// Makes an empty database and gives its URL.
    pub(crate) fn database(&self, name: &str) -> Result<String> {
        let drop = format!("DROP DATABASE IF EXISTS {name}");
        said(
            program("psql")
                .args(["-q", "-v", "ON_ERROR_STOP=1", "-c", &drop, "-c"])
                .args([&format!("CREATE DATABASE {name}"), &self.url]),
        )?;
        with_database(&self.url, name)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(home) = &self.home {
            let _ = script(home).arg("stop").status();
        }
    }
}

fn script(home: &Path) -> Command {
    let mut command = Command::new("scripts/test-postgres");
    // Not /tmp, which may be memory.
    command.env("TEST_POSTGRES_HOME", home).env("TMPDIR", "/var/tmp");
    command
}

/// The same server, another database.
fn with_database(url: &str, name: &str) -> Result<String> {
    let (address, options) = url.split_once('?').unwrap_or((url, ""));
    let (server, _) = address.rsplit_once('/').ok_or("the URL names no database")?;
    let mark = if options.is_empty() { "" } else { "?" };
    Ok(format!("{server}/{name}{mark}{options}"))
}

/// A program of PostgreSQL 15, or whatever is on the path.
fn program(name: &str) -> Command {
    let debian = Path::new("/usr/lib/postgresql/15/bin").join(name);
    Command::new(if debian.exists() { debian } else { PathBuf::from(name) })
}

/// Does at once what autovacuum does some minutes after a database is filled.
pub(crate) fn vacuum(url: &str) -> Result<()> {
    said(program("psql").args(["-q", "-v", "ON_ERROR_STOP=1", "-c", "VACUUM (ANALYZE)"]).arg(url)).map(|_| ())
}

/// Runs SQL from a file.
pub(crate) fn run_file(url: &str, file: &Path) -> Result<()> {
    said(program("psql").args(["-q", "-v", "ON_ERROR_STOP=1", "-f"]).arg(file).arg(url)).map(|_| ())
}

/// Runs a script of pgbench's with many clients and gives transactions per second.
pub(crate) fn pgbench(
    url: &str,
    file: &Path,
    clients: u32,
    seconds: u64,
    values: &[(&str, &str)],
) -> Result<f64> {
    let mut command = program("pgbench");
    command.args(["-n", "-M", "prepared", "-j", "2", "-c", &clients.to_string(), "-T", &seconds.to_string()]);
    for (name, value) in values {
        command.args(["-D", &format!("{name}={value}")]);
    }
    // As the service sets them.
    command.env("PGOPTIONS", "-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off");
    tps(&said(command.arg("-f").arg(file).arg(url))?)
}

fn tps(text: &str) -> Result<f64> {
    let (_, rest) = text.split_once("tps = ").ok_or_else(|| format!("pgbench said:\n{text}"))?;
    Ok(rest.split(' ').next().unwrap_or_default().parse()?)
}

fn said(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_database_of_the_same_server() {
        assert_eq!(with_database("postgres://a:b@h:1/x", "y").unwrap(), "postgres://a:b@h:1/y");
        let (with, without) = ("postgres://h/x?sslmode=require", "postgres://h/y?sslmode=require");
        assert_eq!(with_database(with, "y").unwrap(), without);
    }

    #[test]
    fn what_pgbench_prints_is_read() {
        let text = "latency average = 7.6 ms\ntps = 4189.500000 (without initial connection time)\n";
        assert_eq!(tps(text).unwrap(), 4_189.5);
        assert!(tps("pgbench: error").is_err());
    }
}
