//! A server in a process of its own: its address, processor time and memory.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::Result;

pub(crate) struct Process {
    child: Child,
    /// `http://127.0.0.1:…`
    pub(crate) url: String,
}

impl Process {
    /// Starts a server and waits for the line that says where it listens.
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let out = child.stdout.take().ok_or("no standard output")?;
        for line in BufReader::new(out).lines() {
            if let Some(url) = line?.strip_prefix("listening on ") {
                return Ok(Self { child, url: url.to_owned() });
            }
        }
        Err("the server ended before it listened".into())
    }

    /// Processor time spent so far, in all threads.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        cpu_of(&self.child.id().to_string())
    }

    /// Memory that belongs to the process alone, in MiB.
    pub(crate) fn rss_anon_mebibytes(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).ok_or("no RssAnon")?;
        let kibibytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kibibytes / 1024.0)
    }

    /// Asks the process to stop and waits until it has.
    pub(crate) fn stop(mut self) -> Result<()> {
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        match self.child.wait()?.success() {
            true => Ok(()),
            false => Err("the server did not stop cleanly".into()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processor time that a process has spent in all threads; `self` is this one.
pub(crate) fn cpu_of(process: &str) -> Result<Duration> {
    ticks(&std::fs::read_to_string(format!("/proc/{process}/stat"))?)
}

fn ticks(stat: &str) -> Result<Duration> {
    // The name in parentheses may hold spaces; utime and stime are the 12th and 13th field after it.
    let after = stat.rsplit_once(')').map(|(_, rest)| rest).ok_or("no name in stat")?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    let ticks =
        |index: usize| fields.get(index).and_then(|text| text.parse::<u64>().ok()).ok_or("short stat");
    // The kernel counts these in hundredths of a second on every architecture (USER_HZ).
    Ok(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_time_is_found_behind_any_name() {
        let stat = "1 (a ) b) S 0 1 1 0 -1 4194560 9 8 7 6 250 50 3 2 20 0 1 0 5 6 7";
        assert_eq!(ticks(stat).unwrap(), Duration::from_secs(3));
        assert!(ticks("1 (a) S 0").is_err());
        assert!(cpu_of("self").is_ok());
    }
}
