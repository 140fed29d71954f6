//! What one durable commit costs on this disk, without any database.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Result;

/// The median time of appending 4 KiB and making it durable.
pub(crate) fn median(folder: &Path, times: usize) -> Result<Duration> {
    let mut file = File::create(folder.join("fsync"))?;
    let mut took = Vec::with_capacity(times);
    for _ in 0..times {
        let started = Instant::now();
        file.write_all(&[0x42; 4096])?;
        file.sync_data()?;
        took.push(started.elapsed());
    }
    took.sort_unstable();
    took.get(times / 2).copied().ok_or_else(|| "nothing was measured".into())
}
