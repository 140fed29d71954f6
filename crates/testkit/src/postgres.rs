//! The throw-away PostgreSQL cluster that the tests share, and databases in it.

use std::future::Future;
use std::path::{Path, PathBuf};

use tokio::task::JoinHandle;
use tokio_postgres::{Client, NoTls};

use crate::until;

mod reused;

/// The age in seconds at which another test run drops a left-over database of a crashed test.
const LEFT_OVER_SECONDS: i64 = 3600;

/// Names the cluster that the tests use: a URL of its superuser and of any database in it.
const VARIABLE: &str = "BAILIWICK_TEST_POSTGRES";

/// The root of the source tree.
pub(crate) fn source_root() -> &'static Path {
    // crates/testkit is two folders below it.
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate stands in crates/")
}

/// The URL of the shared cluster: from the environment, or as `scripts/test-postgres start` left it.
pub fn cluster_url() -> String {
    if let Ok(url) = std::env::var(VARIABLE) {
        return url;
    }
    let file: PathBuf = source_root().join("target/test-postgres/url");
    match std::fs::read_to_string(&file) {
        Ok(url) => url.trim().to_owned(),
        Err(_) => panic!(
            "No PostgreSQL for tests is running: start one with `scripts/test-postgres start`, \
             run everything with `./test`, or set {VARIABLE} to the URL of a superuser."
        ),
    }
}

/// The same cluster, another database of it.
pub fn url_of(database: &str) -> String {
    let url = cluster_url();
    let (server, query) = url.split_once('?').map_or((url.as_str(), None), |(url, query)| (url, Some(query)));
    let (server, _) = server.rsplit_once('/').expect("the cluster's URL ends with a database");
    query.map_or_else(|| format!("{server}/{database}"), |query| format!("{server}/{database}?{query}"))
}

/// A connection for administration; ends when the client is dropped.
pub async fn connect(url: &str) -> Client {
    open(url).await.0
}

/// The same with the task that ends when the connection is closed.
async fn open(url: &str) -> (Client, JoinHandle<()>) {
    let (client, connection) = match tokio_postgres::connect(url, NoTls).await {
        Ok(pair) => pair,
        Err(error) => panic!(
            "The PostgreSQL for tests does not answer ({error}): `scripts/test-postgres start` starts it again."
        ),
    };
    (client, tokio::spawn(async move { drop(connection.await) }))
}

/// Makes a database of its own for a test, empty or with the schema of `template`; returns its name.
pub(crate) async fn create(template: Option<&str>) -> String {
    let admin = connect(&cluster_url()).await;
    let name: String = admin
        .query_one(
            "SELECT 'test_' || extract(epoch FROM now())::bigint || '_' || replace(gen_random_uuid()::text, '-', '')",
            &[],
        )
        .await
        .expect("a name for the test's database")
        .get(0);
    if let Some(template) = template
        && reused::take(&admin, template, &name).await
    {
        return name;
    }
    drop_left_overs(&admin).await;
    let template = template.unwrap_or("template0");
    // Copying files is twice as fast as logging them, when nothing is synced.
    retried(&admin, &format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")).await;
    name
}

/// Ends a test's database, even while it is in use: the next test gets it, if it can be made as new.
pub(crate) async fn remove(name: &str, template: Option<&str>) {
    let admin = connect(&cluster_url()).await;
    if let Some(template) = template
        && reused::give_back(&admin, template, name).await
    {
        return;
    }
    admin
        .batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
        .await
        .expect("dropping the test's database");
}

/// Creates the database `name` with `fill`, unless it exists; it gets its name when it is complete.
pub(crate) async fn template<F: Future<Output = ()>>(name: &str, fill: impl FnOnce(String) -> F) {
    let admin = connect(&cluster_url()).await;
    // One at a time, also across processes; the lock ends with the connection.
    admin.batch_execute("SELECT pg_advisory_lock(7142931)").await.expect("the lock on making templates");
    let known =
        admin.query("SELECT 1 FROM pg_database WHERE datname = $1", &[&name]).await.expect("pg_database");
    if !known.is_empty() {
        return;
    }
    let half_made = format!("{name}_half_made");
    let run = async |sql: String| admin.batch_execute(&sql).await.expect("making a template database");
    run(format!("DROP DATABASE IF EXISTS {half_made} WITH (FORCE)")).await;
    run(format!("CREATE DATABASE {half_made} TEMPLATE template0")).await;
    fill(url_of(&half_made)).await;
    reused::note(&admin, name, &half_made).await;
    // There must be no connection to a template while it is copied.
    run(format!("ALTER DATABASE {half_made} ALLOW_CONNECTIONS false")).await;
    run(format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{half_made}'"))
        .await;
    retried(&admin, &format!("ALTER DATABASE {half_made} RENAME TO {name}")).await;
}

/// Drops what crashed runs left; the server's clock decides what is old.
async fn drop_left_overs(admin: &Client) {
    let old = admin
        .query(
            "SELECT datname::text FROM pg_database \
             WHERE substring(datname FROM '^(?:test|free)_([0-9]+)_')::bigint < extract(epoch FROM now())::bigint - $1::bigint",
            &[&LEFT_OVER_SECONDS],
        )
        .await
        .expect("listing databases");
    for row in old {
        // Another test may drop the same one at this moment; either of them may fail.
        let name: &str = row.get(0);
        let _ = admin.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
    }
}

/// Runs a statement, and again while a connection that is about to close still uses the database.
async fn retried(admin: &Client, sql: &str) {
    until(sql, async || match admin.batch_execute(sql).await {
        Ok(()) => true,
        // Wrong SQL does not become right.
        Err(error) if error.code().is_none_or(|code| code.code().starts_with("42")) => {
            panic!("The PostgreSQL for tests refuses: {error:?}")
        }
        Err(_) => false,
    })
    .await;
}
