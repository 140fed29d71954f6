//! `bailiwick backup` and `restore`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::RegisterFlags;

#[derive(Debug, Args)]
pub(crate) struct Backup {
    #[command(flatten)]
    pub(crate) register: RegisterFlags,
    /// The folder for backups, each in its own folder named after its time. Without it the setting
    /// `backups` counts.
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,
    /// Keep this many backups, and remove older ones once a new one is made.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) keep: Option<u32>,
    /// Keep the backups of this many days. With --keep, a backup stays if either option keeps it.
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub(crate) keep_days: Option<u32>,
    /// Keep running, and make a backup whenever the latest is this old, such as 30m, 6h or 1d.
    #[arg(long, value_name = "TIME", value_parser = period)]
    pub(crate) every: Option<Duration>,
    /// Put the master key beside the copy too. Anyone who has such a backup can sign tokens.
    #[arg(long)]
    pub(crate) with_keys: bool,
    /// Copy at most so many MiB a second; 0 is no limit.
    #[arg(long, value_name = "MIB", default_value_t = 32)]
    pub(crate) max_rate: u32,
    /// Copy nothing, and only note where the journals stand, for a backup that another tool makes.
    #[arg(long, conflicts_with_all = ["keep", "keep_days", "every", "with_keys"])]
    pub(crate) manifest_only: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    #[command(flatten)]
    pub(crate) register: RegisterFlags,
    /// A backup, or a folder of backups of which the newest is taken. Without it --verify looks at the database
    /// that the settings name, such as one that PostgreSQL's own tools restored.
    #[arg(long, value_name = "PATH", required_unless_present = "verify")]
    pub(crate) from: Option<PathBuf>,
    /// A new data folder, to be made. Without it nothing is restored.
    #[arg(long, value_name = "DIR", requires = "from", required_unless_present = "verify")]
    pub(crate) to: Option<PathBuf>,
    /// Check the database, every entry of the journals, and every record against them.
    #[arg(long)]
    pub(crate) verify: bool,
    /// The master key of the service whose backup it is, to be checked, and put into the new data folder; - reads it
    /// from standard input.
    #[arg(long, value_name = "FILE", requires = "from")]
    pub(crate) master_key: Option<PathBuf>,
    /// The manifest.json written when the database was backed up, to compare the journals with.
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub(crate) manifest: Option<PathBuf>,
}

/// Reads `90s`, `30m`, `6h` or `7d`.
fn period(text: &str) -> Result<Duration, String> {
    let wrong = || "must be a number with s, m, h or d, such as 6h, of at most 366 days".to_owned();
    let at = text.len().checked_sub(1).filter(|at| text.is_char_boundary(*at)).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(at);
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return Err(wrong()),
    };
    let number = number.parse::<u32>().ok().filter(|number| *number > 0).ok_or_else(wrong)?;
    let total = u64::from(number) * seconds;
    if total <= 366 * 86_400 { Ok(Duration::from_secs(total)) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_has_a_number_and_a_unit() {
        let seconds = |text| period(text).map(|period| period.as_secs()).ok();
        assert_eq!(seconds("90s"), Some(90));
        assert_eq!(seconds("30m"), Some(1_800));
        assert_eq!(seconds("6h"), Some(21_600));
        assert_eq!(seconds("366d"), Some(366 * 86_400));
        for wrong in ["", "h", "6", "0h", "-1h", "6 h", "1.5h", "367d", "6ä", "99999999999d"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
