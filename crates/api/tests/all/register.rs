//! The content of the database, table by table, for comparison before and after a request.

use std::collections::BTreeMap;

use db::{Db, Engine};

/// Tables that may change without a journal entry, with the reason: `EXEMPT` of the whole product.
pub(crate) const EXEMPT: &[(&str, &str)] = &[
    ("journal_entry", "the journal itself"),
    ("organization_head", "the head of the journal, and the counters"),
    ("write_lane", "the last committed batch of each lane"),
    ("idempotency_key", "answers stored for retries"),
    ("token_family", "the current token of each chain of refresh tokens"),
    ("revocation", "the deny-list of access tokens"),
    ("client_refusal", "the latest refusals of clients"),
    ("client_secret", "the last use of a secret; a new one is journaled with its client"),
    ("refused_sign_in", "counters that become journal entries when their hour is over"),
    ("risk_latest", "follows from the evaluations"),
    ("performance_sum", "follows from the evaluations"),
    ("continued_request", "which writes were one request, while it can be undone"),
    ("import_file", "the bytes of a file that is imported; its import is journaled"),
    ("import_row", "what became of the rows of such a file"),
    ("import_mapping", "what was answered for the latest file with a header"),
    ("proposal_seen", "what people have read, for themselves"),
    ("demo_mark", "marks the database of a demo"),
];

/// The rows of every table as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Register(BTreeMap<String, String>);

impl Register {
    pub(crate) async fn of(db: &Db) -> Self {
        let mut tx = db.read().await.unwrap();
        let mut tables = BTreeMap::new();
        // The catalogues differ, and so does the conversion of a row into text.
        let names = match db.engine() {
            Engine::Sqlite => {
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            }
            Engine::Postgres => {
                "SELECT CAST(tablename AS TEXT) FROM pg_catalog.pg_tables WHERE schemaname = 'public'"
            }
        };
        for (table,) in tx.query::<(String,)>(names, &[]).await.unwrap() {
            let sql = match db.engine() {
                Engine::Sqlite => {
                    let columns = format!("SELECT name FROM pragma_table_info('{table}')");
                    let columns = tx.query::<(String,)>(&columns, &[]).await.unwrap();
                    let quoted: Vec<_> = columns.iter().map(|(name,)| format!("quote(\"{name}\")")).collect();
                    let line = quoted.join("||'|'||");
                    format!("SELECT {line} FROM \"{table}\" ORDER BY 1")
                }
                Engine::Postgres => format!("SELECT CAST(t AS TEXT) FROM \"{table}\" t ORDER BY 1"),
            };
            let rows = tx.query::<(String,)>(&sql, &[]).await.unwrap();
            let text = rows.iter().map(|(row,)| row.as_str()).collect::<Vec<_>>().join("\n");
            tables.insert(table, text);
        }
        Self(tables)
    }

    /// The tables that changed.
    pub(crate) fn changed_since(&self, before: &Self) -> Vec<&str> {
        self.0
            .iter()
            .filter(|(name, text)| before.0.get(*name) != Some(*text))
            .map(|(n, _)| n.as_str())
            .collect()
    }

    /// The tables that changed and may not do so without a journal entry.
    pub(crate) fn records_changed_since(&self, before: &Self) -> Vec<&str> {
        let is_exempt = |table: &str| EXEMPT.iter().any(|(name, _)| *name == table);
        self.changed_since(before).into_iter().filter(|table| !is_exempt(table)).collect()
    }

    pub(crate) fn has_table(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}
