//! `bailiwick backup`: a copy of a SQLite register into a folder, while the service runs (docs/backup.md).

pub(crate) mod folder;
pub(crate) mod manifest;
pub(crate) mod take;

use std::path::{Path, PathBuf};

use domain::time;
use serde::Serialize;

use crate::cli;
use crate::config;
use crate::failure::{Failure, Result};
use crate::installation::Installation;
use crate::machine;
use crate::output;

use folder::Folder;
use take::{Job, Made};

pub(crate) async fn run(command: cli::Backup, json: bool) -> Result<()> {
    let (config, _) = config::load(&command.register.0, false)?;
    let to = command.to.as_ref().or(config.backups.as_ref());
    let to = to.ok_or_else(|| Failure::new("name the folder with --to or the setting backups"))?;
    let (installation, folder) = (Installation::of(&config), Folder::at(to));
    let job = Job { installation, folder, with_keys: command.with_keys, clock: machine::clock() };
    if command.manifest_only {
        return told(&job.note().await?, &[], json);
    }
    if command.with_keys {
        tracing::warn!(
            "a backup with --with-keys contains the key that signs tokens: keep it as secret as the key"
        );
    }
    let made = job.copy().await?;
    tracing::info!(
        path = %made.path.display(),
        bytes = made.manifest.database.as_ref().map_or(0, |database| database.size),
        seconds = made.took.as_secs_f64(),
        "backup created"
    );
    // The backup is there, and said to be, also when another one cannot be removed.
    let removed = command.keep.map(|keep| retire(&job.folder, keep, &made.path)).transpose();
    told(&made, removed.as_ref().ok().and_then(Option::as_deref).unwrap_or_default(), json)?;
    removed.map(drop)
}

/// Removes the backups beyond the newest `keep`, but never the one that was just made. Incomplete ones are neither counted
/// nor removed: an operator should check them.
fn retire(folder: &Folder, keep: u32, made: &Path) -> Result<Vec<PathBuf>> {
    let _lock = folder.lock()?;
    let (whole, others): (Vec<_>, Vec<_>) = folder
        .list()?
        .into_iter()
        .filter(|found| found.manifest.as_ref().is_none_or(|manifest| manifest.database.is_some()))
        .partition(|found| found.is_whole);
    for other in others {
        tracing::warn!(path = %other.path.display(), "this backup is incomplete; it is not counted and not removed");
    }
    let keep = usize::try_from(keep).unwrap_or(usize::MAX);
    let mut removed = Vec::new();
    for found in whole.into_iter().skip(keep).filter(|found| found.path != made) {
        folder.remove(&found.path)?;
        removed.push(found.path);
    }
    Ok(removed)
}

#[derive(Serialize)]
struct View<'a> {
    backup: &'a PathBuf,
    taken: String,
    size: Option<u64>,
    sha256: Option<&'a str>,
    master_key: bool,
    seconds: f64,
    removed: &'a [PathBuf],
}

fn told(made: &Made, removed: &[PathBuf], as_json: bool) -> Result<()> {
    if !as_json {
        return output::line(&made.path.display().to_string());
    }
    let database = made.manifest.database.as_ref();
    output::json(&View {
        backup: &made.path,
        taken: time::format(made.taken),
        size: database.map(|database| database.size),
        sha256: database.map(|database| database.sha256.as_str()),
        master_key: made.manifest.master_key,
        seconds: made.took.as_secs_f64(),
        removed,
    })
}
