//! A database's schema in words that both engines share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeSet;

use db::{Db, Engine};

/// One line for each column, key and index.
pub(crate) async fn of(db: &Db) -> BTreeSet<String> {
    match db.engine() {
        Engine::Sqlite => sqlite(db).await,
        Engine::Postgres => postgres(db).await,
    }
}

/// What SQLite's `STRICT` type stands for is told by PostgreSQL's; here both become the common type.
fn common_type(name: &str) -> &'static str {
    match name {
        "INTEGER" | "bigint" | "boolean" | "timestamp with time zone" => "integer",
        "TEXT" | "text" => "text",
        "BLOB" | "uuid" | "bytea" => "blob",
        other => panic!("{other} is not a type that both engines have"),
    }
}

async fn sqlite(db: &Db) -> BTreeSet<String> {
    let mut tx = db.read().await.unwrap();
    let mut lines = BTreeSet::new();
    let tables = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    for (table, sql) in tx.query::<(String, String)>(tables, &[]).await.unwrap() {
        assert!(sql.contains("STRICT"), "{table} is not STRICT");
        let columns = "SELECT name, type, \"notnull\" FROM pragma_table_info($1)";
        for (name, kind, required) in tx.query::<(String, String, bool)>(columns, &[&table]).await.unwrap() {
            lines.insert(column(&table, &name, &kind, required));
        }
        let key = "SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk";
        let key: Vec<(String,)> = tx.query(key, &[&table]).await.unwrap();
        assert!(
            sql.contains(&format!("CONSTRAINT {table}_pkey PRIMARY KEY")),
            "the key of {table} has no name"
        );
        lines.insert(format!("{table}: key {table}_pkey ({})", joined(&key)));
        let indexes = "SELECT name, \"unique\", partial FROM pragma_index_list($1) WHERE origin <> 'pk'";
        for (name, unique, partial) in tx.query::<(String, bool, bool)>(indexes, &[&table]).await.unwrap() {
            let of = "SELECT COALESCE(name, 'expression') FROM pragma_index_info($1) ORDER BY seqno";
            let of: Vec<(String,)> = tx.query(of, &[&name]).await.unwrap();
            lines.insert(index(&table, &name, unique, partial, &joined(&of)));
        }
        checks_of_sqlite(&table, &sql, &mut lines);
    }
    lines
}

/// SQLite has no catalogue of checks and foreign keys: their names stand in the text.
fn checks_of_sqlite(table: &str, sql: &str, lines: &mut BTreeSet<String>) {
    let words: Vec<_> = sql.split_whitespace().collect();
    for three in words.windows(3).filter(|words| words[0] == "CONSTRAINT" && !words[2].starts_with("PRIMARY"))
    {
        lines.insert(format!("{table}: constraint {}", three[1]));
    }
    assert!(!sql.contains(" UNIQUE "), "{table}: a unique key is to be an index with a name");
}

async fn postgres(db: &Db) -> BTreeSet<String> {
    let mut tx = db.read().await.unwrap();
    let mut lines = BTreeSet::new();
    let columns = "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), CAST(data_type AS TEXT),
            is_nullable = 'NO'
        FROM information_schema.columns WHERE table_schema = 'public'";
    for (table, name, kind, required) in
        tx.query::<(String, String, String, bool)>(columns, &[]).await.unwrap()
    {
        lines.insert(column(&table, &name, &kind, required));
    }
    let indexes =
        "SELECT CAST(tables.relname AS TEXT), CAST(indexes.relname AS TEXT), indisunique, indisprimary,
            indpred IS NOT NULL,
            (SELECT string_agg(COALESCE(CAST(attname AS TEXT), 'expression'), ',' ORDER BY position)
             FROM unnest(CAST(indkey AS SMALLINT[])) WITH ORDINALITY AS keys (number, position)
             LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number AND number <> 0)
        FROM pg_index
        JOIN pg_class AS indexes ON indexes.oid = indexrelid
        JOIN pg_class AS tables ON tables.oid = indrelid
        JOIN pg_namespace ON pg_namespace.oid = tables.relnamespace AND nspname = 'public'";
    for (table, name, unique, primary, partial, of) in
        tx.query::<(String, String, bool, bool, bool, String)>(indexes, &[]).await.unwrap()
    {
        if primary {
            lines.insert(format!("{table}: key {name} ({of})"));
        } else {
            lines.insert(index(&table, &name, unique, partial, &of));
        }
    }
    let constraints = "SELECT CAST(conrelid AS regclass)::text, CAST(conname AS TEXT) FROM pg_constraint
        JOIN pg_namespace ON pg_namespace.oid = connamespace AND nspname = 'public'
        WHERE contype NOT IN ('p', 'n')";
    for (table, name) in tx.query::<(String, String)>(constraints, &[]).await.unwrap() {
        lines.insert(format!("{table}: constraint {name}"));
    }
    lines
}

fn column(table: &str, name: &str, kind: &str, required: bool) -> String {
    let null = if required { "not null" } else { "null" };
    format!("{table}: column {name} {} {null}", common_type(kind))
}

fn index(table: &str, name: &str, unique: bool, partial: bool, of: &str) -> String {
    let (unique, partial) = (if unique { "unique " } else { "" }, if partial { " partial" } else { "" });
    format!("{table}: {unique}index {name} ({of}){partial}")
}

fn joined(names: &[(String,)]) -> String {
    names.iter().map(|name| name.0.as_str()).collect::<Vec<_>>().join(",")
}
