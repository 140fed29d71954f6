//! The schema, step by step. Steps are only ever added; each expands before a later one contracts, so
//! that the binary before and the binary after can run side by side.

use db::Migration;

macro_rules! migrations {
    ($($name:literal),* $(,)?) => {
        /// Every step, in order.
        pub const ALL: &[Migration] = &[$(Migration {
            name: $name,
            sqlite: include_str!(concat!("../migrations/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!("../migrations/postgres/", $name, ".sql")),
        }),*];
    };
}

migrations![
    "0001_organizations",
    "0002_people",
    "0003_journal",
    "0004_clients",
    "0005_tokens",
    "0006_tags",
    "0007_incidents",
    "0008_risks",
    "0009_documents",
    "0010_idempotency",
    "0011_demo",
    "0012_sessions",
    "0013_invitations",
    "0014_clients",
    "0015_refusals",
    "0016_keys",
    "0019_idempotency_etag",
    "0020_housekeeping",
    "0021_idempotency_rows",
];
