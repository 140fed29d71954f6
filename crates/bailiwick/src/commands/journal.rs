//! `bailiwick journal verify` and `export`.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use domain::OrgId;
use store::journal::{Checker, Entry, Expected, Report};

use crate::cli;
use crate::failure::{Failure, Result};
use crate::output;
use crate::place::Place;

/// Entries that are read at a time.
const PAGE: i64 = 1_000;

pub(crate) async fn run(command: cli::Journal) -> Result<()> {
    match command {
        cli::Journal::Verify(command) => verify(command).await,
        cli::Journal::Export { place, organization } => export(&place, OrgId(organization)).await,
    }
}

async fn verify(command: cli::Verify) -> Result<()> {
    if let Some(file) = &command.file {
        return told(&file.display(), &verify_file(file, command.expect)?);
    }
    let organization = command.organization.map(OrgId);
    let db = Place::new(&command.place, false)?.open().await?;
    let chains = match organization {
        Some(OrgId::INSTANCE) => vec![OrgId::INSTANCE],
        Some(id) => vec![super::known(&db, id.uuid()).await?],
        None => {
            let organizations = store::organizations::list(&mut db.read().await?).await?;
            std::iter::once(OrgId::INSTANCE).chain(organizations.into_iter().map(|found| found.id)).collect()
        }
    };
    let mut sound = true;
    for chain in chains {
        let report = store::journal::verify(&mut db.read().await?, chain, command.expect.clone()).await?;
        sound &= told(&chain, &report).is_ok();
    }
    if sound { Ok(()) } else { Err(Failure::new("the journal does not verify")) }
}

fn verify_file(file: &Path, expected: Option<Expected>) -> Result<Report> {
    let reader =
        BufReader::new(File::open(file).map_err(|error| Failure(format!("{}: {error}", file.display())))?);
    let mut checker = Checker::new(expected);
    for (number, line) in reader.lines().enumerate() {
        let entry = Entry::from_json(&line?);
        let entry = entry
            .ok_or_else(|| Failure(format!("{}: line {} is not an entry", file.display(), number + 1)))?;
        checker.check(&entry);
    }
    Ok(checker.finish())
}

/// Says what was found; an error when something does not fit.
fn told(chain: &dyn Display, report: &Report) -> Result<()> {
    for fault in &report.faults {
        output::line(&format!("{chain}  entry {}: {}", fault.seq, fault.detail))?;
    }
    let verdict = if report.faults.is_empty() { "verified" } else { "NOT VERIFIED" };
    output::line(&format!(
        "{chain}  {verdict}: {} entries, {} erased, {} records compared, head {}:{}",
        report.entries,
        report.erased,
        report.records,
        report.head.seq,
        hex::encode(&report.head.hash)
    ))?;
    if report.faults.is_empty() { Ok(()) } else { Err(Failure::new("the journal does not verify")) }
}

async fn export(place: &cli::Place, organization: OrgId) -> Result<()> {
    let db = Place::new(place, false)?.open().await?;
    let mut tx = db.read().await?;
    store::journal::head(&mut tx, organization).await?;
    let mut after = 0;
    loop {
        let page = store::journal::list(&mut tx, organization, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.seq;
        page.iter().try_for_each(|entry| output::line(&entry.to_json()))?;
    }
}
