//! A PostgreSQL cluster for one test.

use std::path::Path;
use std::process::Command;

/// A cluster that is stopped when the value is dropped.
pub(crate) struct Cluster(tempfile::TempDir);

impl Cluster {
    /// A folder for one; nothing runs yet.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Where its data are.
    pub(crate) fn data(&self) -> std::path::PathBuf {
        std::fs::read_to_string(self.0.path().join("home/data")).unwrap().trim().into()
    }

    /// The output of `scripts/test-postgres`.
    pub(crate) fn script(&self, arguments: &[&str]) -> String {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/test-postgres");
        let mut command = Command::new(script);
        command.args(arguments).env("TEST_POSTGRES_HOME", self.0.path().join("home"));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.script(&["stop"]);
    }
}
