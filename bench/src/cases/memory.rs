//! The memory of a process that has created a million incidents.

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::figure::{Limit, Row, Unit};
use crate::requests;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let wanted = bench.size(1_000_000, 50_000) as f64;
    let (service, tenant) = bench.service("memory")?;
    let create = requests::create(&service.process, &[service.token(&tenant).await?], "");
    let mut most = service.process.rss_anon_mebibytes()?;
    let mut created = 0.0;
    while created < wanted {
        created += bench.load(&create, &service.process)?.requests;
        let now = service.process.rss_anon_mebibytes()?;
        most = most.max(now);
        bench.step(format_args!(
            "memory: {now:.1} MiB after {} of {}",
            Unit::Count.text(created),
            Unit::Count.text(wanted)
        ));
    }
    let work = format!("memory in {} creations (RssAnon, the most)", Unit::Count.text(created));
    Ok(Outcome {
        rows: vec![Row::absolute(&work, Unit::Mebibytes, &[most], Limit::Below(96.0))?],
        ..Outcome::default()
    })
}
