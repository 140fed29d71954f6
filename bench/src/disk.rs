//! What one durable write costs on this disk, without any database.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::time::Instant;

use crate::Result;
use crate::figure::percentile;
use crate::window::Window;

const BLOCK: [u8; 4096] = [0x42; 4096];

/// Writes 4 KiB and makes it durable, so many times. The file has its length before, as SQLite's log has after it was
/// reset: a file that grows costs the file system another write.
pub(crate) fn probe(file: &Path, times: usize) -> Result<Window> {
    let mut file = File::create(file)?;
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
    Ok(Window { p50_us: percentile(&took, 50), p99_us: percentile(&took, 99), ..Window::NOTHING })
}
