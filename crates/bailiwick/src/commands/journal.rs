//! `bailiwick journal verify` and `export`.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use domain::OrgId;
use serde::Serialize;
use store::journal::{Checker, Entry, Expected, Report};
use uuid::Uuid;

use crate::cli;
use crate::disk;
use crate::failure::{Failure, Result};
use crate::installation::Installation;
use crate::output;
use crate::progress::Line;

/// Entries that are read at a time.
const PAGE: i64 = 1_000;

pub(crate) async fn run(command: cli::Journal, json: bool) -> Result<()> {
    match command {
        cli::Journal::Verify(command) => verify(command, json).await,
        cli::Journal::Export { organization } => export(&organization).await,
    }
}

async fn verify(command: cli::Verify, json: bool) -> Result<()> {
    if let Some(file) = &command.file {
        let report = verify_file(file, command.expect)?;
        let sound = report.faults.is_empty();
        tell(&Chain { organization: None, file: Some(file), report: &report }, json)?;
        return verdict(sound);
    }
    let db = Installation::named(&command.register.0)?.open().await?;
    let chains = match (command.organization, &command.expect) {
        (None, None) => {
            let organizations = store::organizations::list(&mut db.read().await?).await?;
            std::iter::once(OrgId::INSTANCE).chain(organizations.into_iter().map(|found| found.id)).collect()
        }
        (named, _) => vec![chain(&db, named).await?],
    };
    let mut sound = true;
    for organization in chains {
        let expected = command.expect.clone();
        let report = {
            let mut line = Line::new();
            let mut show = |progress| line.show(progress);
            store::verify::verify_with(&mut db.read().await?, organization, expected, &mut show).await?
        };
        sound &= report.faults.is_empty();
        tell(&Chain { organization: Some(organization), file: None, report: &report }, json)?;
    }
    verdict(sound)
}

/// The chain of an organization, or under the nil UUID the instance's own.
async fn chain(db: &db::Db, named: Option<Uuid>) -> Result<OrgId> {
    match named.map(OrgId) {
        Some(OrgId::INSTANCE) => Ok(OrgId::INSTANCE),
        _ => super::find_organization(db, named).await,
    }
}

fn verify_file(file: &Path, expected: Option<Expected>) -> Result<Report> {
    let reader = BufReader::new(File::open(file).map_err(disk::at(file))?);
    let mut checker = Checker::new(expected);
    for (number, line) in reader.lines().enumerate() {
        let entry = Entry::from_json(&line?);
        let entry = entry.ok_or_else(|| {
            Failure::new(format!("{}: line {} is not an entry", file.display(), number + 1))
        })?;
        checker.check(&entry);
    }
    let report = checker.finish();
    if report.entries == 0 {
        return Err(Failure::new(format!("{} has no entries, so it proves nothing", file.display())));
    }
    Ok(report)
}

/// A chain that was verified.
struct Chain<'a> {
    organization: Option<OrgId>,
    file: Option<&'a Path>,
    report: &'a Report,
}

/// Prints what was found.
fn tell(chain: &Chain<'_>, json: bool) -> Result<()> {
    let report = chain.report;
    let head = format!("{}:{}", report.head.seq, hex::encode(&report.head.hash));
    let sound = report.faults.is_empty();
    if json {
        return output::json(&View {
            organization: chain.organization,
            file: chain.file,
            verified: sound,
            entries: report.entries,
            erased: report.erased,
            records: report.records,
            head: &head,
            faults: report.faults.iter().map(|it| FaultView { entry: it.seq, detail: &it.detail }).collect(),
        });
    }
    let name = match (chain.organization, chain.file) {
        (Some(organization), _) => organization.to_string(),
        (None, file) => file.unwrap_or(Path::new("")).display().to_string(),
    };
    for fault in &report.faults {
        output::line(&format!("{name}  entry {}: {}", fault.seq, fault.detail))?;
    }
    let told = if sound { "verified" } else { "NOT VERIFIED" };
    output::line(&format!(
        "{name}  {told}: {} entries, {} erased, {} records compared, head {head}",
        report.entries, report.erased, report.records
    ))
}

fn verdict(sound: bool) -> Result<()> {
    match sound {
        true => Ok(()),
        false => Err(Failure::new("the journal does not verify").coded("fault_found")),
    }
}

#[derive(Serialize)]
struct View<'a> {
    organization: Option<OrgId>,
    file: Option<&'a Path>,
    verified: bool,
    entries: i64,
    erased: i64,
    records: i64,
    /// `SEQ:HASH`.
    head: &'a str,
    faults: Vec<FaultView<'a>>,
}

#[derive(Serialize)]
struct FaultView<'a> {
    entry: i64,
    detail: &'a str,
}

async fn export(which: &cli::InOrganization) -> Result<()> {
    let db = Installation::named(&which.register.0)?.open().await?;
    let organization = chain(&db, which.organization).await?;
    let mut tx = db.read().await?;
    let mut after = 0;
    loop {
        let page = store::journal::list(&mut tx, organization, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.seq;
        page.iter().try_for_each(|entry| output::raw(&entry.to_json()))?;
    }
}
