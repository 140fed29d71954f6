//! Checks of a database's condition for the operator. Only reads.

use std::collections::BTreeMap;

use db::{Migration, Tx};
use domain::OrgId;
use jiff::Timestamp;
use macros::boxed;

use crate::ledger::error::Result;

/// The schema of the database beside the one that this release knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// Steps that the database lacks.
    pub missing: Vec<&'static str>,
    /// Steps that a newer release made.
    pub newer: Vec<String>,
}

/// Compares the steps that were made with those that this release knows.
#[boxed]
pub async fn schema(tx: &mut Tx, known: &[Migration]) -> Result<Schema> {
    let made: Vec<(String,)> = tx.query("SELECT name FROM schema_migration ORDER BY name", &[]).await?;
    let known: Vec<_> =
        std::iter::once(Migration::OWN.name).chain(known.iter().map(|step| step.name)).collect();
    let is_made = |name: &str| made.iter().any(|(other,)| other == name);
    Ok(Schema {
        missing: known.iter().copied().filter(|name| !is_made(name)).collect(),
        newer: made
            .iter()
            .map(|(name,)| name)
            .filter(|name| !known.contains(&name.as_str()))
            .cloned()
            .collect(),
    })
}

/// SQLite: the faults of the file in SQLite's own words; none when it is intact. Reads all of it.
#[boxed]
pub async fn sqlite_faults(tx: &mut Tx) -> Result<Vec<String>> {
    faults(tx, "PRAGMA quick_check").await
}

/// SQLite: the same, and whether each index has what its table has. Takes several times as long.
#[boxed]
pub async fn sqlite_faults_in_full(tx: &mut Tx) -> Result<Vec<String>> {
    faults(tx, "PRAGMA integrity_check").await
}

async fn faults(tx: &mut Tx, check: &str) -> Result<Vec<String>> {
    let found: Vec<(String,)> = tx.query(check, &[]).await?;
    Ok(found.into_iter().map(|(line,)| line).filter(|line| line != "ok").collect())
}

/// The journals whose last entry is not the one that their head names.
#[boxed]
pub async fn torn_journals(tx: &mut Tx) -> Result<Vec<OrgId>> {
    let sql = "SELECT head.organization FROM organization_head AS head
               LEFT JOIN journal_entry AS last ON last.organization = head.organization AND last.seq = head.seq
               WHERE (head.seq > 0 AND (last.hash IS NULL OR last.hash <> head.hash))
                  OR EXISTS (SELECT 1 FROM journal_entry AS later
                             WHERE later.organization = head.organization AND later.seq > head.seq)
               ORDER BY head.organization";
    let found: Vec<(uuid::Uuid,)> = tx.query(sql, &[]).await?;
    Ok(found.into_iter().map(|(organization,)| OrgId(organization)).collect())
}

/// The time of the latest write.
#[boxed]
pub async fn latest_write(tx: &mut Tx) -> Result<Option<Timestamp>> {
    let found: (Option<Timestamp>,) = tx.query_one("SELECT max(last_at) FROM organization_head", &[]).await?;
    Ok(found.0)
}

/// A PostgreSQL server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// As the server reports it, such as `16.4`.
    pub version: String,
    /// What the server has for `synchronous_commit`, `fsync`, `full_page_writes` and
    /// `synchronous_standby_names`, before any session changes it.
    pub settings: BTreeMap<String, String>,
    /// Servers that follow this one.
    pub standbys: i64,
    /// Whether this connection is encrypted.
    pub is_encrypted: bool,
    /// The server's clock.
    pub clock: Timestamp,
}

/// PostgreSQL: the server's version, settings and standbys.
#[boxed]
pub async fn server(tx: &mut Tx) -> Result<Server> {
    let sql = "SELECT name, reset_val FROM pg_settings WHERE name IN
               ('server_version', 'synchronous_commit', 'fsync', 'full_page_writes', 'synchronous_standby_names')";
    let mut settings: BTreeMap<String, String> = tx.query(sql, &[]).await?.into_iter().collect();
    let standbys: (i64,) = tx.query_one("SELECT count(*) FROM pg_stat_replication", &[]).await?;
    let ssl = "SELECT COALESCE(bool_or(ssl), false) FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    let is_encrypted: (bool,) = tx.query_one(ssl, &[]).await?;
    let clock: (Timestamp,) = tx.query_one("SELECT clock_timestamp()", &[]).await?;
    Ok(Server {
        version: settings.remove("server_version").unwrap_or_default(),
        settings,
        standbys: standbys.0,
        is_encrypted: is_encrypted.0,
        clock: clock.0,
    })
}
