//! The data folder, the disk below it, and the settings file.

use std::path::Path;

use db::{Clock, Location};

use crate::commands::backup::folder::Folder;
use crate::config::{Config, Layers};
use crate::disk::{free_bytes, log_of};
use crate::installation::{MASTER_KEY_FILE, others_may};

use crate::commands::finding::Findings;

const MIB: u64 = 1024 * 1024;
/// Free space below which writes will soon fail.
const FAULT_FREE: u64 = 100 * MIB;
/// Free space below which the doctor warns.
const WARNING_FREE: u64 = 1024 * MIB;
/// Age from which the newest backup is said to be old.
const OLD_BACKUP_HOURS: i64 = 48;

pub(super) fn folder(config: &Config, findings: &mut Findings) {
    let data = &config.data;
    let Ok(metadata) = std::fs::metadata(data) else {
        findings.warning(
            "data",
            format!("{} is not there", data.display()),
            "It is created at the first start. Otherwise name another folder with --data.",
        );
        return;
    };
    let mut open: Vec<String> = Vec::new();
    if others_may(&metadata) {
        open.push(data.display().to_string());
    }
    let entries = std::fs::read_dir(data).into_iter().flatten().flatten();
    for entry in entries {
        let is_secret = is_ours(&entry.file_name().to_string_lossy());
        if is_secret && entry.metadata().is_ok_and(|metadata| others_may(&metadata)) {
            open.push(entry.path().display().to_string());
        }
    }
    if open.is_empty() {
        findings.ok("data", format!("only the owner can access {}", data.display()));
    } else {
        let detail = format!("other users of this machine can access {}", open.join(", "));
        findings.fault("data", detail, "chmod -R go= on the data folder.");
    }
    free(data, findings);
    if let Location::Sqlite(file) = &config.location {
        log(file, findings);
    }
}

fn is_ours(name: &str) -> bool {
    name == MASTER_KEY_FILE || name.starts_with("bailiwick.db")
}

fn free(folder: &Path, findings: &mut Findings) {
    let Some(free) = free_bytes(folder) else {
        return findings.warning("disk", "the free space is unknown", "Check it with df.");
    };
    let detail = format!("{} MiB free", free / MIB);
    let advice = "Free some space, or move the folder to a larger disk.";
    match free {
        0..FAULT_FREE => findings.fault("disk", detail, advice),
        FAULT_FREE..WARNING_FREE => findings.warning("disk", detail, advice),
        _ => findings.ok("disk", detail),
    }
}

/// A log that does not get shorter is kept by a read that never ends, or checkpoints fail.
fn log(file: &Path, findings: &mut Findings) {
    let Ok(metadata) = std::fs::metadata(log_of(file)) else { return };
    let detail = format!("the write-ahead log has {} MiB", metadata.len() / MIB);
    if metadata.len() < 512 * MIB {
        findings.ok("log", detail);
    } else {
        let advice =
            "A read does not end, or checkpoints fail: check the log for warnings, and restart the service.";
        findings.warning("log", detail, advice);
    }
}

/// A file with a secret in it must be readable by its owner only.
pub(super) fn settings_file(layers: &Layers, findings: &mut Findings) {
    let Some(file) = layers.file.as_ref().filter(|_| layers.file_has_a_secret()) else { return };
    if std::fs::metadata(file).is_ok_and(|metadata| others_may(&metadata)) {
        let detail =
            format!("{} contains a secret, and other users of this machine can read it", file.display());
        findings.fault("settings", detail, "chmod go= on the file, and replace the secret.");
    }
}

/// Warns if the newest backup is old: missing backups would otherwise be noticed only when one is needed.
pub(super) fn backups(config: &Config, clock: &Clock, findings: &mut Findings) {
    let Some(folder) = &config.backups else { return };
    let advice = "Check whether bailiwick backup runs, and its log.";
    let found = match Folder::at(folder).list() {
        Ok(found) => found,
        Err(error) => return findings.warning("backups", error.to_string(), advice),
    };
    let broken = found.iter().filter(|backup| !backup.is_whole).count();
    if broken > 0 {
        let detail = format!("{broken} in {} are incomplete", folder.display());
        findings.warning("backups", detail, "Check it with bailiwick restore --from PATH --verify.");
    }
    match found.iter().find(|backup| backup.is_whole) {
        None => findings.warning("backups", format!("there is none in {}", folder.display()), advice),
        Some(newest) => {
            let hours = clock().duration_since(newest.taken).as_hours();
            let detail = format!("the newest is {}, {hours} hours old", newest.path.display());
            if hours > OLD_BACKUP_HOURS {
                findings.warning("backups", detail, advice);
            } else {
                findings.ok("backups", detail);
            }
        }
    }
}
