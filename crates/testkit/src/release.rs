//! Registers created by earlier releases (`scripts/fixture` makes one of each release).

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Engine, postgres};

/// The dump of a register that a release's own program filled, and what that release returned for it.
#[derive(Debug, Clone)]
pub struct Release {
    /// The number of its newest migration, such as `0015`.
    pub name: String,
    folder: PathBuf,
}

impl Release {
    /// Every release of which there is a fixture, the oldest first; none before the first release.
    pub fn all() -> Vec<Self> {
        let folder = postgres::source_root().join("crates/store/tests/fixtures");
        let entries = std::fs::read_dir(&folder);
        let mut found: Vec<_> = entries
            .into_iter()
            .flatten()
            .map(|entry| entry.expect("a fixture").path())
            .filter(|path| path.is_dir())
            .map(|path| Self { name: last_part(&path), folder: path })
            .collect();
        found.sort_by(|one, other| one.name.cmp(&other.name));
        found
    }

    /// The statements that make the database as it was.
    pub fn sql(&self, engine: Engine) -> String {
        self.read(&format!("{}.sql", stem(engine)))
    }

    /// What a test must know: ids, secrets, tokens, and the answer of that release to each read.
    pub fn known(&self, engine: Engine) -> Value {
        serde_json::from_str(&self.read(&format!("{}.json", stem(engine)))).expect("the fixture's JSON")
    }

    fn read(&self, file: &str) -> String {
        let path = self.folder.join(file);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

fn stem(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "sqlite",
        Engine::Postgres => "postgres",
    }
}

fn last_part(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
