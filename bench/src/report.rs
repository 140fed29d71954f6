//! The table.

use std::time::Duration;

use crate::load::Measured;

/// One case and the echo that ran right before it.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) measured: Measured,
    pub(crate) beside: Measured,
    pub(crate) cpu_bound: bool,
}

/// Prints everything as Markdown.
pub(crate) fn print(rows: &[Row], delete: &Duration, fsync: Duration, rss_anon_kib: u64) {
    println!("| work | CPU µs | × echo | requests/s | p50 ms | p99 ms |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for Row { name, measured, beside, cpu_bound } in rows {
        let ratio =
            if *cpu_bound { format!("{:.1}", measured.cpu_us / beside.cpu_us) } else { String::new() };
        line(name, measured, &ratio);
    }
    if let Some(row) = rows.last() {
        line("echo (bare axum handler)", &row.beside, "1.0");
    }
    println!();
    println!("- delete of 1,000 in one call: {:.1} ms", delete.as_secs_f64() * 1e3);
    println!("- one bare durable write of 4 KiB (fdatasync): {:.0} µs", fsync.as_secs_f64() * 1e6);
    println!("- memory of the service at the end (RssAnon): {:.1} MiB", rss_anon_kib as f64 / 1024.0);
}

fn line(name: &str, measured: &Measured, ratio: &str) {
    let Measured { cpu_us, per_second, p50_ms, p99_ms } = measured;
    println!("| {name} | {cpu_us:.1} | {ratio} | {per_second:.0} | {p50_ms:.2} | {p99_ms:.2} |");
}
