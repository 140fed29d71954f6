//! `bailiwick backup`: a copy of a SQLite register into a folder, while the service runs (docs/backup.md).

pub(crate) mod folder;
pub(crate) mod manifest;
mod pace;
mod stop;
pub(crate) mod take;

use std::path::PathBuf;
use std::time::Duration;

use domain::time;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::cli;
use crate::config;
use crate::failure::{Failure, Result};
use crate::installation::Installation;
use crate::machine;
use crate::output;

use folder::Folder;
use stop::Stop;
use take::{Job, Made};

/// After how long a backup that failed is tried again, unless the next one is due earlier.
const RETRY: SignedDuration = SignedDuration::from_mins(10);
/// The longest sleep: the clock may be set meanwhile, or the machine may have slept.
const NAP: Duration = Duration::from_secs(60);

pub(crate) async fn run(command: cli::Backup, json: bool) -> Result<()> {
    let (config, _) = config::load(&command.register.0, false)?;
    let to = command.to.as_ref().or(config.backups.as_ref());
    let to = to.ok_or_else(|| Failure::new("say with --to, or the setting backups, into which folder"))?;
    let (installation, folder) = (Installation::of(&config), Folder::at(to));
    let (max_rate_mib, with_keys) = (command.max_rate, command.with_keys);
    let job = Job { installation, folder, max_rate_mib, with_keys, clock: machine::clock() };
    if with_keys {
        tracing::warn!(
            "with --with-keys a backup holds all that is needed to sign tokens: keep it as secret as the key"
        );
    }
    let mut stop = Stop::listen()?;
    if command.manifest_only {
        return told(&job.note().await?, &[], json);
    }
    match command.every {
        None => once(&job, &command, &stop, json).await,
        Some(every) => again_and_again(&job, &command, every, &mut stop, json).await,
    }
}

/// Makes one backup and then removes those that are to go.
async fn once(job: &Job, command: &cli::Backup, stop: &Stop, json: bool) -> Result<()> {
    let made = job.copy(stop).await?;
    tracing::info!(
        path = %made.path.display(),
        bytes = made.manifest.database.as_ref().map_or(0, |database| database.size),
        seconds = made.took.as_secs_f64(),
        "a backup is made"
    );
    let removed = retire(job, command, &made);
    told(&made, removed.as_deref().unwrap_or_default(), json)?;
    removed.map(drop)
}

/// Makes backups until the process is told to stop. The schedule survives a restart, because it depends on the existing
/// backups.
async fn again_and_again(
    job: &Job,
    command: &cli::Backup,
    every: Duration,
    stop: &mut Stop,
    json: bool,
) -> Result<()> {
    // A mistyped folder is not retried for ever.
    job.installation.expect_register().await?;
    let every = SignedDuration::try_from(every).unwrap_or(SignedDuration::MAX);
    let mut failed: Option<Timestamp> = None;
    while !stop.is_asked() {
        let now = (job.clock)();
        // A backup dated in the future was made with a wrong clock, and counts as made now.
        let rest = |done: Timestamp, pause: SignedDuration| (pause - now.duration_since(done)).min(pause);
        let rests =
            [newest(&job.folder).map(|at| rest(at, every)), failed.map(|at| rest(at, every.min(RETRY)))];
        let rest = rests.into_iter().flatten().max().unwrap_or(SignedDuration::ZERO);
        if rest > SignedDuration::ZERO {
            stop.sleep(rest.unsigned_abs().min(NAP)).await;
            continue;
        }
        match once(job, command, stop, json).await {
            Ok(()) => failed = None,
            Err(_) if stop.is_asked() => break,
            Err(error) => {
                tracing::error!(%error, "a backup failed; it will be tried again");
                failed = Some(now);
            }
        }
    }
    tracing::info!("stopped");
    Ok(())
}

/// When the latest backup was taken.
fn newest(folder: &Folder) -> Option<Timestamp> {
    let found = folder.list().ok()?;
    found.into_iter().find(|found| found.is_whole).map(|found| found.taken)
}

/// Removes the backups that need not be kept any longer. Incomplete ones are neither counted nor removed: an operator
/// should check them.
fn retire(job: &Job, command: &cli::Backup, made: &Made) -> Result<Vec<PathBuf>> {
    let _lock = job.folder.lock()?;
    let (whole, others): (Vec<_>, Vec<_>) = job
        .folder
        .list()?
        .into_iter()
        .filter(|found| found.manifest.as_ref().is_none_or(|manifest| manifest.database.is_some()))
        .partition(|found| found.is_whole);
    for other in others {
        tracing::warn!(path = %other.path.display(), "this backup is not whole; it is not counted, and it stays");
    }
    let taken: Vec<_> = whole.iter().map(|found| found.taken).collect();
    let surplus = folder::surplus(&taken, made.taken, command.keep, command.keep_days);
    let mut removed = Vec::new();
    for found in
        surplus.into_iter().filter_map(|index| whole.get(index)).filter(|found| found.path != made.path)
    {
        job.folder.remove(&found.path)?;
        removed.push(found.path.clone());
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
