//! What the service leaves behind when the database lacks what it has acknowledged, so that nobody overlooks it.

use std::path::{Path, PathBuf};

use db::{Alarm, Clock, WentBack};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::files::write_owner_only;

/// The file in the data folder. It stays until an administrator deletes it.
const FILE: &str = "went-back.json";

/// What the file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Notice {
    /// When it was found.
    pub(crate) at: String,
    /// Whose journal it is.
    pub(crate) organization: Uuid,
    /// The last entry that was acknowledged, as `SEQ:HASH`.
    pub(crate) acknowledged: String,
    /// The last entry that was there.
    pub(crate) found: String,
}

/// Where the file of this data folder is.
pub(crate) fn path(data: &Path) -> PathBuf {
    data.join(FILE)
}

/// What is noted in the data folder, if anything.
pub(crate) fn notice(data: &Path) -> Option<Notice> {
    serde_json::from_str(&std::fs::read_to_string(path(data)).ok()?).ok()
}

/// Logs what is missing and what to do, and notes it in the data folder.
pub(crate) fn alarm(data: &Path, clock: Clock) -> Alarm {
    let path = path(data);
    std::sync::Arc::new(move |went_back: &WentBack| {
        let WentBack { organization, acknowledged, found, .. } = went_back;
        tracing::error!(
            %organization, %acknowledged, %found,
            "{went_back}. What was acknowledged is missing: this process writes nothing more. Find the server that has \
             it (bailiwick journal verify --organization {organization} --expect {acknowledged} says whether one does) \
             before its data is overwritten, and read \"When the register went back\" in docs/operation.md. To go on \
             without what is missing, restart this process and delete {}",
            path.display()
        );
        let notice = Notice {
            at: domain::time::format(clock()),
            organization: *organization,
            acknowledged: acknowledged.to_string(),
            found: found.to_string(),
        };
        let written =
            serde_json::to_string(&notice).map(|text| write_owner_only(&path, &format!("{text}\n")));
        if !matches!(written, Ok(Ok(()))) {
            tracing::error!(path = %path.display(), "this could not be noted in the data folder");
        }
    })
}
