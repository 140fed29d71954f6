//! Checks of the database and its content.

use std::time::Duration;

use db::{Clock, Contents, Db, Location, Options, Tx};
use domain::OrgId;
use jiff::SignedDuration;
use store::{condition, journal, migrations, signing_keys};

use crate::cli;
use crate::config::Config;
use crate::failure::Result;
use crate::installation::{Installation, MASTER_KEY_FILE, Notice, went_back_notice, went_back_path};
use crate::machine;

use crate::commands::finding::Findings;

/// How long a look at a whole file may take.
const PATIENCE: Duration = Duration::from_secs(3_600);
/// The oldest PostgreSQL that still gets fixes.
const OLDEST_POSTGRES: u32 = 15;
/// How far two clocks may be apart.
const CLOCK_SLACK: SignedDuration = SignedDuration::from_secs(2);

/// What to do with a file that SQLite cannot read.
const RESTORE: &str =
    "Stop the service, keep the data folder, and restore a backup into a new one: docs/backup.md.";

fn remedy(config: &Config) -> &'static str {
    match config.location {
        Location::Sqlite(_) => RESTORE,
        Location::Postgres(_) => "Is the server running, and are the URL and the password right?",
    }
}

/// Looks at everything that can be reached.
pub(super) async fn check(config: &Config, clock: &Clock, findings: &mut Findings) {
    let installation = Installation::of(config);
    match Contents::of(&installation.options()).await {
        Ok(Contents::Register) => {}
        Ok(_) => {
            let detail = format!("there is no register in {}", installation.database_name());
            let advice = "Create one with bailiwick init, or name another with --data or --database.";
            return findings.fault("database", detail, advice);
        }
        Err(error) => return findings.fault("database", error.to_string(), remedy(config)),
    }
    let db = match open(config, clock).await {
        Ok(db) => db,
        Err(error) => return findings.fault("database", error.to_string(), remedy(config)),
    };
    if let Err(error) = look(&db, config, clock, findings).await {
        findings.fault("database", error.to_string(), remedy(config));
    }
    db.close().await;
}

async fn open(config: &Config, clock: &Clock) -> Result<Db> {
    let options = Options::new(config.location.clone(), Clock::clone(clock), machine::random());
    let options = match &config.location {
        Location::Sqlite(_) => Options { statement_timeout: PATIENCE, ..options },
        Location::Postgres(_) => Options { writers: 1, readers: 2, ..options },
    };
    Ok(Db::open(options).await?)
}

async fn look(db: &Db, config: &Config, clock: &Clock, findings: &mut Findings) -> Result<()> {
    let mut tx = db.read().await?;
    match db.engine() {
        db::Engine::Sqlite => {
            findings.sqlite(&condition::sqlite_faults(&mut tx).await?, "its file", RESTORE);
        }
        db::Engine::Postgres => postgres(&mut tx, config, clock, findings).await?,
    }
    let schema = condition::schema(&mut tx, migrations::ALL).await?;
    if !schema.missing.is_empty() && !schema.newer.is_empty() {
        let detail = format!("other versions made it: it has {}", schema.newer.join(", "));
        findings.fault("schema", detail, "It cannot be upgraded. Keep it with the program that made it.");
        return Ok(());
    }
    if !schema.missing.is_empty() {
        let detail =
            format!("{} steps are missing, the first is {}", schema.missing.len(), first(&schema.missing));
        findings.warning("schema", detail, "Run bailiwick migrate; serve does this automatically.");
        return Ok(());
    }
    if schema.newer.is_empty() {
        findings.ok("schema", "up to date");
    } else {
        let detail = format!("a newer release made {}", schema.newer.join(", "));
        findings.warning("schema", detail, "Install the newer release on this machine too.");
    }
    journals(&mut tx, findings).await?;
    went_back(&mut tx, config, findings).await?;
    keys(&mut tx, config, findings).await?;
    time(&mut tx, clock, findings).await
}

fn first<'a>(names: &[&'a str]) -> &'a str {
    names.first().copied().unwrap_or_default()
}

async fn postgres(tx: &mut Tx, config: &Config, clock: &Clock, findings: &mut Findings) -> Result<()> {
    let server = condition::server(tx).await?;
    let setting = |name: &str| server.settings.get(name).map_or("", String::as_str);
    let major = server.version.split(['.', ' ']).next().and_then(|major| major.parse::<u32>().ok());
    let way = if server.is_encrypted { "encrypted" } else { "not encrypted" };
    let told = format!("PostgreSQL {}, {way}, {} standbys", server.version, server.standbys);
    if major.is_some_and(|major| major < OLDEST_POSTGRES) {
        findings.warning("database", told, "This release is no longer supported: upgrade it.");
    } else {
        findings.ok("database", told);
    }
    for name in ["fsync", "full_page_writes"] {
        if setting(name) != "on" {
            let detail = format!("the server has {name} = {}", setting(name));
            findings.fault(
                "durability",
                detail,
                "Set it to on: after a crash the register may be lost or broken.",
            );
        }
    }
    let has_standbys = server.standbys > 0 || config.location.servers() > 1;
    standbys(setting("synchronous_commit"), setting("synchronous_standby_names"), has_standbys, findings);
    if server.clock.duration_since(clock()).abs() > CLOCK_SLACK {
        let apart = server.clock.duration_since(clock()).as_secs();
        let detail = format!("the database server's clock is {apart} s from this one");
        findings.warning("clock", detail, "Synchronize both with NTP.");
    }
    Ok(())
}

/// What a COMMIT waits for, and whether a standby that takes over may lack what was acknowledged.
fn standbys(mode: &str, names: &str, has_standbys: bool, findings: &mut Findings) {
    if ["off", "local"].contains(&mode) {
        let advice = "The service overrides it with on; set it to on for other tools too.";
        findings.warning("durability", format!("the server has synchronous_commit = {mode}"), advice);
    }
    if !names.is_empty() && mode == "remote_write" {
        let detail = "a standby confirms what is not on its disk yet (synchronous_commit = remote_write)";
        findings.warning(
            "failover",
            detail,
            "Set it to on: a standby that crashes and then takes over lacks it.",
        );
    } else if !names.is_empty() {
        findings.ok("failover", format!("a commit waits for the standbys {names}"));
    } else if has_standbys {
        let detail = "commits wait for no standby: after a failover acknowledged writes may be missing";
        let advice = "Set synchronous_standby_names, with Patroni synchronous_mode and synchronous_mode_strict: \
                      docs/operation.md.";
        findings.warning("failover", detail, advice);
    } else {
        findings.ok("failover", "there is no standby that could take over");
    }
}

/// What a service on this data folder has found missing.
async fn went_back(tx: &mut Tx, config: &Config, findings: &mut Findings) -> Result<()> {
    let Some(notice) = went_back_notice(&config.data) else { return Ok(()) };
    let Notice { at, organization, acknowledged, .. } = &notice;
    let file = went_back_path(&config.data).display().to_string();
    let is_there = match cli::expected(acknowledged) {
        Ok(noted) => journal::has_entry(tx, OrgId(*organization), &noted).await?,
        Err(_) => false,
    };
    if is_there {
        let detail =
            format!("entry {acknowledged} of {organization} was missing at {at} and is there: delete {file}");
        findings.warning("journal", detail, "Restart the service, which writes nothing since then.");
    } else {
        let detail = format!(
            "entry {acknowledged} of {organization} was acknowledged, and is missing since {at}: {file}"
        );
        let advice = "Find the server that has it; docs/operation.md, \"When the register went back\", says how to go on.";
        findings.fault("journal", detail, advice);
    }
    Ok(())
}

async fn journals(tx: &mut Tx, findings: &mut Findings) -> Result<()> {
    let torn = condition::torn_journals(tx).await?;
    if torn.is_empty() {
        findings.ok("journal", "audit chains intact");
    } else {
        let some: Vec<_> = torn.iter().take(3).map(ToString::to_string).collect();
        let detail = format!("{} audit chains do not end at their head: {}", torn.len(), some.join(", "));
        findings.fault(
            "journal",
            detail,
            "The database was changed by hand: bailiwick journal verify says more.",
        );
    }
    Ok(())
}

/// The master key must decrypt the signing keys.
async fn keys(tx: &mut Tx, config: &Config, findings: &mut Findings) -> Result<()> {
    let stored = signing_keys::list(tx).await?;
    let installation = Installation::of(config);
    let file = config.data.join(MASTER_KEY_FILE);
    let master = match (&config.master_key, std::fs::read_to_string(&file)) {
        (Some(master), _) => Ok(std::sync::Arc::clone(master)),
        (None, Ok(text)) => installation.parse_master_key(&text),
        (None, Err(_)) if stored.is_empty() => {
            findings.ok("keys", "created at the first start");
            return Ok(());
        }
        (None, Err(error)) => Err(crate::failure::Failure::new(format!("{}: {error}", file.display()))),
    };
    let advice = "Restore the previous master key from its backup.";
    match master {
        Err(error) => findings.fault("keys", error.to_string(), advice),
        Ok(master) => drop(findings.master_key(&stored, &master, advice)),
    }
    Ok(())
}

/// The journal's time never goes back, so after a write dated in the future the clock must catch up.
async fn time(tx: &mut Tx, clock: &Clock, findings: &mut Findings) -> Result<()> {
    let now = clock();
    let latest = condition::latest_write(tx).await?;
    let ahead = latest.filter(|latest| latest.duration_since(now) > CLOCK_SLACK);
    match ahead {
        Some(latest) => {
            let detail =
                format!("the latest write was at {}, which is in the future", domain::time::format(latest));
            let advice = "This clock is slow, or another was fast: synchronize it with NTP. New entries get that time until then.";
            findings.fault("clock", detail, advice);
        }
        None => findings.ok("clock", "no write is in the future"),
    }
    Ok(())
}
