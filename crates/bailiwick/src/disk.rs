//! Files and disks, as backups and the doctor look at them.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::Advice;
use sha2::{Digest as _, Sha256};

use crate::failure::{Failure, Result};

const CHUNK: usize = 1024 * 1024;

/// How many bytes can still be written below this folder; none when that cannot be found out.
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// The write-ahead log beside a file of SQLite.
pub(crate) fn log_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// An error unless a copy of this file fits below this folder.
pub(crate) fn expect_room(folder: &Path, file: &Path) -> Result<()> {
    let needed = std::fs::metadata(file).map_err(at(file))?.len();
    match free_bytes(folder) {
        Some(free) if free < needed => Err(Failure::new(format!(
            "{} has {} MiB left, and the backup needs {} MiB",
            folder.display(),
            free >> 20,
            needed.div_ceil(1 << 20)
        ))),
        _ => Ok(()),
    }
}

/// An error at a path, as a sentence.
pub(crate) fn at(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| Failure::new(format!("{}: {error}", path.display()))
}

/// Makes an empty file that only its owner reads. It must not be there yet.
pub(crate) fn new_file(path: &Path) -> Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(at(path))
}

/// Reads a file from the disk, not from the page cache: its length and SHA-256 in hexadecimal. It is not cached
/// afterwards either, because the service needs the memory more.
pub(crate) fn measure(path: &Path) -> Result<(u64, String)> {
    let mut file = File::open(path).map_err(at(path))?;
    let mut sha = Sha256::new();
    forget(&file);
    let size = read_all(&mut file, |bytes| {
        sha.update(bytes);
        Ok(())
    })
    .map_err(at(path))?;
    forget(&file);
    Ok((size, hex::encode(sha.finalize())))
}

/// Copies a file into a new one that only its owner reads, and waits until it is on the disk: its length and SHA-256
/// in hexadecimal.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(u64, String)> {
    let mut source = File::open(from).map_err(at(from))?;
    let mut target = new_file(to)?;
    let mut sha = Sha256::new();
    let size = read_all(&mut source, |bytes| {
        sha.update(bytes);
        target.write_all(bytes)
    })
    .map_err(at(to))?;
    target.sync_all().map_err(at(to))?;
    Ok((size, hex::encode(sha.finalize())))
}

fn read_all(file: &mut File, mut each: impl FnMut(&[u8]) -> std::io::Result<()>) -> std::io::Result<u64> {
    let mut chunk = vec![0; CHUNK];
    let mut size: u64 = 0;
    loop {
        let count = file.read(&mut chunk)?;
        if count == 0 {
            return Ok(size);
        }
        each(chunk.get(..count).unwrap_or_default())?;
        size += u64::try_from(count).unwrap_or(0);
    }
}

/// Only advice to the kernel: a file system that does not support it ignores it.
fn forget(file: &File) {
    let _ = rustix::fs::fadvise(file, 0, None, Advice::DontNeed);
}
