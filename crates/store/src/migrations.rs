//! The schema, one file for each kind of record; `db/src/schema.rs` says how they are written. A file is edited in place until
//! version 0.1.0. From then on steps are only added; each expands before a later one contracts, so that the previous and
//! the next release can run side by side.

use db::Migration;

macro_rules! migrations {
    ($($name:literal),* $(,)?) => {
        /// Every step, in order.
        pub const ALL: &[Migration] = &[$(Migration {
            name: $name,
            text: include_str!(concat!("../migrations/", $name, ".sql")),
        }),*];
    };
}

migrations![
    "0001_organizations",
    "0002_people",
    "0003_clients",
    "0004_journal",
    "0005_tags",
    "0006_incidents",
    "0007_tasks",
    "0008_reviews",
    "0009_notes",
    "0010_links",
    "0011_reports",
    "0012_risks",
    "0013_evaluations",
    "0014_documents",
    "0015_proposals",
    "0016_saved_views",
    "0017_search",
    "0018_demo",
    "0019_groups",
    "0020_acknowledgements",
    "0021_scales",
    "0022_acceptances",
    "0023_exceptions",
    "0024_imports",
];
