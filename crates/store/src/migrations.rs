//! The schema, step by step. Steps are only ever added; each expands before a later one contracts, so that the previous
//! and the next release can run side by side.

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
    "0003_sessions",
    "0004_invitations",
    "0005_clients",
    "0006_tokens",
    "0007_journal",
    "0008_idempotency",
    "0009_tags",
    "0010_incidents",
    "0011_risks",
    "0012_evaluations",
    "0013_documents",
    "0014_proposals",
    "0015_demo",
    "0016_incident_life",
    "0017_incident_tasks",
    "0018_incident_reviews",
    "0019_incident_notes",
    "0020_incident_tags",
    "0021_incident_links",
    "0022_time_zones",
    "0023_incident_reports",
    "0024_incident_counts",
    "0025_search",
    "0026_saved_views",
    "0027_incident_lists",
    "0028_continued_requests",
    "0029_reset_links",
];
