//! Load from wrk, and the processor time that the server spent on it.

use std::io::Write;
use std::process::Command;

use crate::Result;
use crate::figure::{Figure, Unit};
use crate::process::Process;

/// One kind of request.
pub(crate) struct Load {
    pub(crate) url: String,
    /// A wrk script that makes the requests.
    pub(crate) script: String,
}

/// What one window of load came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Window {
    pub(crate) requests: f64,
    pub(crate) cpu_us: f64,
    pub(crate) per_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
}

/// Several windows of the same load.
#[derive(Debug, Clone, Default)]
pub(crate) struct Windows(Vec<Window>);

impl Windows {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn push(&mut self, window: Window) {
        self.0.push(window);
    }

    /// One figure of each window.
    pub(crate) fn each(&self, figure: impl Fn(&Window) -> f64) -> Vec<f64> {
        self.0.iter().map(figure).collect()
    }

    /// Processor time per request, in µs.
    pub(crate) fn cpu_us(&self) -> Vec<f64> {
        self.each(|window| window.cpu_us)
    }

    pub(crate) fn per_second(&self) -> Vec<f64> {
        self.each(|window| window.per_second)
    }

    /// The line of this load in the table of all loads.
    pub(crate) fn line(&self, name: &str) -> Result<Line> {
        Ok(Line {
            name: name.to_owned(),
            cpu: Figure::of(Unit::Micros, &self.cpu_us())?,
            rate: Figure::of(Unit::PerSecond, &self.per_second())?,
            p50: Figure::of(Unit::Millis, &self.each(|window| window.p50_ms))?,
            p99: Figure::of(Unit::Millis, &self.each(|window| window.p99_ms))?,
        })
    }
}

/// A load, in the table of all loads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) cpu: Figure,
    pub(crate) rate: Figure,
    pub(crate) p50: Figure,
    pub(crate) p99: Figure,
}

/// Sends requests for so long and measures the server meanwhile.
pub(crate) fn run(load: &Load, connections: u32, seconds: u64, server: &Process) -> Result<Window> {
    let mut script = tempfile::Builder::new().suffix(".lua").tempfile()?;
    script.write_all(load.script.as_bytes())?;
    let before = server.cpu()?;
    let output = Command::new("wrk")
        .args(["--threads", "1", "--latency", "--connections", &connections.to_string()])
        .args(["--duration", &format!("{seconds}s"), "--script"])
        .arg(script.path())
        .arg(&load.url)
        .output()?;
    let cpu = server.cpu()? - before;
    let text = String::from_utf8(output.stdout)?;
    if !output.status.success() || text.contains("Non-2xx") || text.contains("Socket errors") {
        return Err(format!("{}: wrk said:\n{text}", load.url).into());
    }
    read(&text, cpu.as_secs_f64() * 1e6)
}

fn read(text: &str, cpu_us: f64) -> Result<Window> {
    let requests: f64 = word_before(text, " requests in ")?.parse()?;
    Ok(Window {
        requests,
        cpu_us: cpu_us / requests,
        per_second: word_after(text, "Requests/sec:")?.parse()?,
        // With the space before it: another line of wrk's may end in 87.50%.
        p50_ms: milliseconds(word_after(text, " 50%")?)?,
        p99_ms: milliseconds(word_after(text, " 99%")?)?,
    })
}

fn word_before<'a>(text: &'a str, mark: &str) -> Result<&'a str> {
    let (before, _) = text.split_once(mark).ok_or_else(|| format!("wrk did not say{mark}"))?;
    before.split_whitespace().next_back().ok_or_else(|| "nothing before it".into())
}

fn word_after<'a>(text: &'a str, mark: &str) -> Result<&'a str> {
    let (_, after) = text.split_once(mark).ok_or_else(|| format!("wrk did not say {mark}"))?;
    after.split_whitespace().next().ok_or_else(|| "nothing after it".into())
}

/// Reads `812.00us`, `1.23ms` or `2.01s`.
fn milliseconds(text: &str) -> Result<f64> {
    let digits = text.trim_end_matches(char::is_alphabetic);
    let number: f64 = digits.parse()?;
    match text.strip_prefix(digits) {
        Some("us") => Ok(number / 1_000.0),
        Some("ms") => Ok(number),
        Some("s") => Ok(number * 1_000.0),
        _ => Err(format!("{text} is not a time").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRK: &str = "Running 2s test @ http://127.0.0.1:1/
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     2.78ms    1.62ms  20.95ms   87.50%
    Req/Sec    22.71k     2.13k   26.10k    71.43%
  Latency Distribution
     50%  812.00us
     75%    3.03ms
     90%    4.11ms
     99%    1.02s
  45432 requests in 2.01s, 51.00MB read
Requests/sec:  22589.37
Transfer/sec:     25.36MB
";

    #[test]
    fn what_wrk_prints_is_read() {
        let window = read(WRK, 45_432.0 * 48.5).unwrap();
        let expected = Window {
            requests: 45_432.0,
            cpu_us: 48.5,
            per_second: 22_589.37,
            p50_ms: 0.812,
            p99_ms: 1_020.0,
        };
        assert_eq!(window, expected);
        assert!(read("unable to connect", 1.0).is_err());
    }
}
