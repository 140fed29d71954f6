//! Where the service that runs on a data folder is reached, for commands beside it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// The file in the data folder. The service that wrote it holds a lock on it as long as it runs.
const ADDRESS_FILE: &str = "service.address";

/// An address that is published until this is dropped.
pub(crate) struct Published(#[expect(dead_code, reason = "the lock is on the open file")] File);

/// Publishes the address for commands on this data folder. Of several services on one folder the first one is
/// published.
pub(crate) fn publish_address(data: &Path, address: &str) -> Option<Published> {
    let path = data.join(ADDRESS_FILE);
    let write = || -> std::io::Result<Option<File>> {
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        file.set_len(0)?;
        writeln!(file, "{address}")?;
        Ok(Some(file))
    };
    match write() {
        Ok(file) => file.map(Published),
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "the address of the service could not be stored for commands");
            None
        }
    }
}

/// The address of the service that runs on this data folder, if there is one.
pub(crate) fn running_address(data: &Path) -> Option<String> {
    let file = File::open(data.join(ADDRESS_FILE)).ok()?;
    match file.try_lock_shared() {
        // The service that wrote it has ended.
        Ok(()) => None,
        Err(TryLockError::WouldBlock) => {
            let text = std::io::read_to_string(file).ok()?;
            Some(text.trim().to_owned()).filter(|address| !address.is_empty())
        }
        Err(TryLockError::Error(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_known_as_long_as_its_service_runs() {
        let folder = tempfile::tempdir().unwrap();
        let known = || running_address(folder.path());
        assert_eq!(known(), None);
        let first = publish_address(folder.path(), "http://127.0.0.1:8080").unwrap();
        assert_eq!(known().as_deref(), Some("http://127.0.0.1:8080"));
        assert!(publish_address(folder.path(), "http://127.0.0.1:8081").is_none());
        assert_eq!(known().as_deref(), Some("http://127.0.0.1:8080"), "the first one is told");
        drop(first);
        assert_eq!(known(), None, "what is left behind is not believed");
        let _second = publish_address(folder.path(), "http://a");
        assert_eq!(known().as_deref(), Some("http://a"), "nothing of a longer address is left");
    }
}
