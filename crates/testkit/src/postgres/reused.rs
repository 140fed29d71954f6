//! Databases that are used again: to empty one takes a fifth of the time of copying and dropping one.
//!
//! A database that was emptied waits under the name `free_…`, for whichever test of whichever process renames it first. The
//! table `reused` of the cluster's first database knows what each template looks like.

use tokio_postgres::{Client, Error};

use super::{open, url_of};

/// What the schema of a database looks like, with everything that a test could have left there but rows. Statistics are part
/// of it, because they decide on plans.
const LOOK: &str = "
    SELECT md5(string_agg(line, '|' ORDER BY line)) FROM (
        SELECT format('class %s %s %s %s', relname, relkind, relnatts, reloptions) AS line FROM pg_class
            WHERE relnamespace = 'public'::regnamespace
        UNION ALL SELECT format('column %s %s %s %s %s', attrelid::regclass, attname, atttypid, attnotnull, atthasdef)
            FROM pg_attribute WHERE attrelid >= 16384 AND attnum > 0
        UNION ALL SELECT format('constraint %s %s %s %s', conrelid::regclass, conname, convalidated, condeferrable)
            FROM pg_constraint WHERE oid >= 16384
        UNION ALL SELECT format('trigger %s %s %s', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger
            WHERE NOT tgisinternal
        UNION ALL SELECT format('index %s %s %s', indexrelid::regclass, indisvalid, indkey) FROM pg_index
            WHERE indexrelid >= 16384
        UNION ALL SELECT format('function %s %s', proname, md5(prosrc)) FROM pg_proc WHERE oid >= 16384
        UNION ALL SELECT format('schema %s', nspname) FROM pg_namespace WHERE oid >= 16384
        UNION ALL SELECT format('statistics %s', starelid::regclass) FROM pg_statistic WHERE starelid >= 16384
        UNION ALL SELECT format('setting %s', setconfig) FROM pg_db_role_setting
            WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS lines";

const TABLES: &str = "
    SELECT format('%I', relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1";

/// Notes what a new template looks like, and the statements that insert its rows.
pub(super) async fn note(admin: &Client, template: &str, database: &str) {
    let (made, _) = open(&url_of(database)).await;
    let look = look(&made).await.expect("reading a template");
    let mut inserts = String::new();
    for (table, _) in filled(&made).await.expect("reading a template") {
        let rows = format!("SELECT quote_literal(jsonb_agg(t)) FROM {table} AS t");
        let rows: String = made.query_one(&rows, &[]).await.expect("the rows of a template").get(0);
        inserts.push_str(&format!(
            "INSERT INTO {table} SELECT * FROM jsonb_populate_recordset(NULL::{table}, {rows});"
        ));
    }
    let note =
        "INSERT INTO reused VALUES ($1, $2, $3) ON CONFLICT (template) DO UPDATE SET look = $2, inserts = $3";
    let table = "CREATE TABLE IF NOT EXISTS reused (template text PRIMARY KEY, look text NOT NULL, inserts text NOT NULL)";
    admin.batch_execute(table).await.expect("the table of templates");
    admin.execute(note, &[&template, &look, &inserts]).await.expect("noting a template");
}

/// Names a database that waits; whether there was one.
pub(super) async fn take(admin: &Client, template: &str, name: &str) -> bool {
    let waiting =
        "SELECT datname::text FROM pg_database WHERE datname LIKE 'free\\_%' AND datname LIKE '%\\_' || $1
        ORDER BY random() LIMIT 8";
    for row in admin.query(waiting, &[&short(template)]).await.expect("listing databases") {
        // Another test may take the same one at this moment.
        let free: &str = row.get(0);
        if admin.batch_execute(&format!("ALTER DATABASE {free} RENAME TO {name}")).await.is_ok() {
            return true;
        }
    }
    false
}

/// Makes a database as new and lets it wait; false if it no longer looks like its template.
pub(super) async fn give_back(admin: &Client, template: &str, name: &str) -> bool {
    let known = admin.query_opt("SELECT look, inserts FROM reused WHERE template = $1", &[&template]).await;
    let Ok(Some(known)) = known else { return false };
    let (used, connection) = open(&url_of(name)).await;
    let is_empty = empty(&used, known.get(0), known.get(1)).await.unwrap_or(false);
    // A database with connections cannot be renamed.
    drop(used);
    let _ = connection.await;
    let free = format!("{}_{}", name.replacen("test_", "free_", 1), short(template));
    is_empty && admin.batch_execute(&format!("ALTER DATABASE {name} RENAME TO {free}")).await.is_ok()
}

/// Puts the rows of the template in the place of all others.
async fn empty(used: &Client, template: &str, inserts: &str) -> Result<bool, Error> {
    let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    used.query(others, &[]).await?;
    if look(used).await? != template {
        return Ok(false);
    }
    // Neither triggers nor references, which would want an order.
    let mut steps = "SET session_replication_role = replica;".to_owned();
    for (table, is_small) in filled(used).await? {
        let step = if is_small { "DELETE FROM" } else { "TRUNCATE" };
        steps.push_str(&format!("{step} {table};"));
    }
    steps.push_str(inserts);
    used.batch_execute(&steps).await?;
    Ok(true)
}

async fn look(client: &Client) -> Result<String, Error> {
    Ok(client.query_one(LOOK, &[]).await?.get(0))
}

/// The tables that have rows, and whether they are so small that the server plans as if they were empty: to truncate a
/// table takes it longer than to delete a few rows.
async fn filled(client: &Client) -> Result<Vec<(String, bool)>, Error> {
    let tables = client.query(TABLES, &[]).await?;
    let is_filled = |table: &str| {
        format!(
            "SELECT '{table}', pg_relation_size('{table}') <= 10 * 8192 WHERE EXISTS (SELECT FROM {table})"
        )
    };
    let each: Vec<_> = tables.iter().map(|row| is_filled(row.get(0))).collect();
    let filled = client.query(&each.join(" UNION ALL "), &[]).await?;
    Ok(filled.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// What tells templates apart in the names of databases, which are 63 bytes long.
fn short(template: &str) -> &str {
    template.get(template.len().saturating_sub(8)..).unwrap_or(template)
}
