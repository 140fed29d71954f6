//! What one durable commit costs on this disk, without any database.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::time::Instant;

use crate::Result;
use crate::stats::percentile;

/// What writing 4 KiB and making it durable took, in µs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe {
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
}

const BLOCK: [u8; 4096] = [0x42; 4096];

/// Tries the disk under `folder` so many times. The file has its length before, as SQLite's log has after it was reset:
/// a file that grows costs the file system another write.
pub(crate) fn probe(folder: &Path, times: usize) -> Result<Probe> {
    let mut file = File::create(folder.join("probe"))?;
    for _ in 0..times {
        file.write_all(&BLOCK)?;
    }
    file.sync_all()?;
    file.rewind()?;
    let mut took = Vec::with_capacity(times);
    for _ in 0..times {
        let started = Instant::now();
        file.write_all(&BLOCK)?;
        file.sync_data()?;
        took.push(started.elapsed().as_secs_f64() * 1e6);
    }
    Ok(Probe { p50_us: percentile(&took, 50), p99_us: percentile(&took, 99) })
}

/// How many bytes lie in a folder.
pub(crate) fn bytes_in(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(folder)? {
        sum += entry?.metadata()?.len();
    }
    Ok(sum)
}
