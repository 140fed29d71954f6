//! Load from wrk, and the processor time that the server spent on it.

use std::io::Write;
use std::process::Command;
use std::time::Duration;

use crate::Result;
use crate::process::Process;
use crate::window::Window;

/// One kind of request.
pub(crate) struct Load {
    pub(crate) url: String,
    /// A wrk script that makes the requests.
    pub(crate) script: String,
    /// Connections that send one request after the other.
    pub(crate) connections: u32,
}

impl Load {
    /// A load on 64 connections.
    pub(crate) fn new(server: &Process, path: &str, script: String) -> Self {
        Self { url: format!("{}{path}", server.url), script, connections: 64 }
    }

    pub(crate) fn on(self, connections: u32) -> Self {
        Self { connections, ..self }
    }
}

/// Prints what is read: requests, failures, the time in µs, and half and 99 of a hundred latencies.
const DONE: &str = "
function done(summary, latency)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  io.write(string.format('figures %d %d %d %d %d', summary.requests, failed, summary.duration,
    latency:percentile(50), latency:percentile(99)))
end
";

/// Sends requests for so long and measures the server meanwhile.
pub(crate) fn run(load: &Load, seconds: u64, server: &Process) -> Result<Window> {
    let mut script = tempfile::Builder::new().suffix(".lua").tempfile()?;
    script.write_all(load.script.as_bytes())?;
    script.write_all(DONE.as_bytes())?;
    let before = server.cpu()?;
    let output = Command::new("wrk")
        .args(["--threads", "1", "--connections", &load.connections.to_string()])
        .args(["--duration", &format!("{seconds}s"), "--script"])
        .arg(script.path())
        .arg(&load.url)
        .output()?;
    let cpu = server.cpu()? - before;
    let text = String::from_utf8(output.stdout)?;
    read(&text, cpu).ok_or_else(|| format!("{}: wrk said:\n{text}", load.url).into())
}

/// None when a request failed.
fn read(text: &str, cpu: Duration) -> Option<Window> {
    let (_, figures) = text.rsplit_once("figures ")?;
    let figures: Vec<f64> = figures.split_whitespace().map_while(|figure| figure.parse().ok()).collect();
    let [requests, 0.0, took_us, p50_us, p99_us] = *figures else { return None };
    let cpu_us = cpu.as_secs_f64() * 1e6 / requests;
    Some(Window { requests, cpu_us, per_second: requests * 1e6 / took_us, p50_us, p99_us, ..Window::NOTHING })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_script_prints_is_read() {
        let read = |text| read(text, Duration::from_secs(2));
        let window = read("Transfer/sec:     25.36MB\nfigures 40000 0 2000000 812 1020000\n").unwrap();
        assert_eq!((window.requests, window.cpu_us, window.per_second), (40_000.0, 50.0, 20_000.0));
        assert_eq!((window.p50_us, window.p99_us), (812.0, 1_020_000.0));
        assert_eq!(read("figures 40000 3 2000000 812 1020000"), None, "three failed");
        assert_eq!(read("unable to connect"), None);
    }
}
