//! Load from wrk, and the processor time that the server spent on it.

use std::io::Write;
use std::process::Command;
use std::time::Duration;

use crate::Result;
use crate::process::Process;

/// One kind of request.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) url: String,
    /// A wrk script that makes the requests.
    pub(crate) script: String,
    /// Whether a ratio of processor time to the echo's says something.
    pub(crate) ratio: bool,
}

/// What a load came to.
#[derive(Clone)]
pub(crate) struct Measured {
    pub(crate) cpu_us: f64,
    pub(crate) per_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
}

/// Sends requests for so long and measures the server meanwhile.
pub(crate) fn run(case: &Case, connections: u32, time: Duration, server: &Process) -> Result<Measured> {
    let mut script = tempfile::Builder::new().suffix(".lua").tempfile()?;
    script.write_all(case.script.as_bytes())?;
    let before = server.cpu()?;
    let output = Command::new("wrk")
        .args(["--threads", "1", "--latency", "--connections", &connections.to_string()])
        .args(["--duration", &format!("{}s", time.as_secs()), "--script"])
        .arg(script.path())
        .arg(&case.url)
        .output()?;
    let cpu = server.cpu()? - before;
    let text = String::from_utf8(output.stdout)?;
    if !output.status.success() || text.contains("Non-2xx") || text.contains("Socket errors") {
        return Err(format!("{}: wrk said:\n{text}", case.name).into());
    }
    let requests: f64 = word_before(&text, " requests in ")?.parse()?;
    Ok(Measured {
        cpu_us: cpu.as_secs_f64() * 1e6 / requests,
        per_second: word_after(&text, "Requests/sec:")?.parse()?,
        // With the space before it: another line of wrk's may end in 87.50%.
        p50_ms: milliseconds(word_after(&text, " 50%")?)?,
        p99_ms: milliseconds(word_after(&text, " 99%")?)?,
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
