//! Figures of the process itself, under the names that Prometheus' own clients use.

use jiff::Timestamp;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

/// Ticks a second in `/proc/self/stat`: what Linux shows to programs is always 100.
const TICKS_PER_SECOND: f64 = 100.0;

/// Registers the process's figures and the build's version.
pub(crate) fn register(registry: &mut Registry, started: Timestamp) {
    let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
    registry.register("bailiwick_build", "The release that runs", version);
    registry.register_collector(Box::new(Process { started }));
}

/// Reads `/proc` when it is asked; a figure that is not there is left out.
#[derive(Debug)]
struct Process {
    started: Timestamp,
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> std::fmt::Result {
        if let Some(seconds) = cpu_seconds() {
            let counter = ConstCounter::new(seconds);
            let (name, help) = ("process_cpu", "CPU time used");
            counter.encode(encoder.encode_descriptor(
                name,
                help,
                Some(&Unit::Seconds),
                counter.metric_type(),
            )?)?;
        }
        let gauges = [
            ("process_start_time", "When the process started", Unit::Seconds, Some(self.started.as_second())),
            ("process_resident_memory", "Memory in RAM", Unit::Bytes, memory_bytes("VmRSS:")),
            ("bailiwick_anonymous_memory", "Memory in RAM of no file", Unit::Bytes, memory_bytes("RssAnon:")),
            ("process_open_fds", "Open files and connections", Unit::Other(String::new()), open_files()),
        ];
        for (name, help, unit, value) in gauges {
            let Some(value) = value else { continue };
            let unit = if unit.as_str().is_empty() { None } else { Some(&unit) };
            let gauge = ConstGauge::new(value);
            gauge.encode(encoder.encode_descriptor(name, help, unit, gauge.metric_type())?)?;
        }
        Ok(())
    }
}

/// User and system time: fields 14 and 15, counted after the program's name, which may hold spaces.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: u32 = fields.split_whitespace().skip(11).take(2).map(|field| field.parse().unwrap_or(0)).sum();
    Some(f64::from(ticks) / TICKS_PER_SECOND)
}

/// A line of `/proc/self/status`, which is in KiB.
fn memory_bytes(line: &str) -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let value = status.lines().find_map(|text| text.strip_prefix(line))?;
    let kib: i64 = value.split_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1024)
}

fn open_files() -> Option<i64> {
    i64::try_from(std::fs::read_dir("/proc/self/fd").ok()?.count()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_reports_its_metrics() {
        let mut registry = Registry::default();
        register(&mut registry, Timestamp::from_second(1_000).unwrap());
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
        for line in ["process_start_time_seconds 1000\n", "bailiwick_build_info{version=\""] {
            assert!(text.contains(line), "{text}");
        }
        let value = |name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{text}"));
            line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()
        };
        assert!(value("process_resident_memory_bytes ") > 1_000_000.0, "{text}");
        assert!(value("process_open_fds ") >= 3.0, "{text}");
        assert!(value("process_cpu_seconds_total ") >= 0.0, "{text}");
    }
}
