//! The manifest of a backup, for restoring it and for independent checks (docs/backup.md).

use std::collections::BTreeMap;
use std::path::Path;

use domain::{OrgId, time};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::inventory::Inventory;
use store::journal::Expected;
use uuid::Uuid;

use crate::failure::{Failure, Result};

/// Its name in the folder of a backup.
pub(crate) const MANIFEST_FILE: &str = "manifest.json";

/// What the member `format` says. Later versions of it only add members.
const FORMAT: &str = "bailiwick-backup-1";

/// What a backup holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(super) format: String,
    /// The release that made it.
    pub(crate) program: String,
    /// When the snapshot was taken.
    pub(crate) taken: String,
    /// `sqlite` or `postgresql`.
    pub(crate) engine: String,
    /// The copy; none when another tool made it.
    pub(crate) database: Option<DatabaseFile>,
    /// Whether the master key lies beside it.
    pub(crate) master_key: bool,
    /// The steps of the schema that were made.
    pub(crate) schema: Vec<String>,
    /// Where each journal stood, the instance's first.
    pub(crate) journals: Vec<NotedHead>,
    /// Each noun with the number of its records, deleted ones too.
    pub(crate) records: BTreeMap<String, i64>,
}

/// The copy of a SQLite database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DatabaseFile {
    /// Its name in the backup's folder.
    pub(crate) file: String,
    /// Bytes.
    pub(crate) size: u64,
    /// In hexadecimal.
    pub(crate) sha256: String,
}

/// Where a journal stood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NotedHead {
    pub(crate) organization: Uuid,
    pub(crate) seq: i64,
    /// In hexadecimal.
    pub(crate) hash: String,
}

impl Manifest {
    /// The manifest of a snapshot of a database of this engine.
    pub(super) fn new(engine: db::Engine, taken: Timestamp, inventory: &Inventory) -> Self {
        let journals = inventory.journals.iter().map(|(organization, head)| NotedHead {
            organization: organization.uuid(),
            seq: head.seq,
            hash: hex::encode(&head.hash),
        });
        let engine = match engine {
            db::Engine::Sqlite => "sqlite",
            db::Engine::Postgres => "postgresql",
        };
        Self {
            format: FORMAT.to_owned(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            taken: time::format(taken),
            engine: engine.to_owned(),
            database: None,
            master_key: false,
            schema: inventory.schema.clone(),
            journals: journals.collect(),
            records: inventory.records.iter().map(|(noun, count)| ((*noun).to_owned(), *count)).collect(),
        }
    }

    /// Reads a manifest.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let told = |reason: &dyn std::fmt::Display| Failure::new(format!("{}: {reason}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| told(&error))?;
        let manifest: Self = serde_json::from_str(&text).map_err(|error| told(&error))?;
        if manifest.format != FORMAT {
            return Err(told(&format!("it is a {}, and this release knows {FORMAT}", manifest.format)));
        }
        Ok(manifest)
    }

    /// The text of its file.
    pub(super) fn to_text(&self) -> Result<String> {
        let mut text = serde_json::to_string_pretty(self).map_err(Failure::new)?;
        text.push('\n');
        Ok(text)
    }

    /// The head that was noted for a journal.
    pub(crate) fn expected(&self, organization: OrgId) -> Option<Expected> {
        let noted = self.journals.iter().find(|noted| noted.organization == organization.uuid())?;
        // What is no hash fits nothing.
        let hash =
            hex::decode(&noted.hash).ok().and_then(|bytes| bytes.try_into().ok()).unwrap_or([0xFF; 32]);
        Some(Expected { seq: noted.seq, hash })
    }
}
