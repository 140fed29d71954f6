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
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name in parentheses may hold spaces; utime and stime are the 12th and 13th field after it.
        let after = stat.rsplit_once(')').map(|(_, rest)| rest).ok_or("no name in stat")?;
        let fields: Vec<&str> = after.split_whitespace().collect();
        let ticks =
            |index: usize| fields.get(index).and_then(|text| text.parse::<u64>().ok()).ok_or("short stat");
        // The kernel counts these in hundredths of a second on every architecture (USER_HZ).
        Ok(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
    }

    /// Memory that belongs to the process alone, in KiB.
    pub(crate) fn rss_anon_kib(&self) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).ok_or("no RssAnon")?;
        Ok(line.trim().trim_end_matches(" kB").parse()?)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
