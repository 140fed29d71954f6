//! The verification: the file, the schema, the journals, the keys.

use std::collections::HashMap;
use std::path::Path;

use auth::MasterKey;
use db::{Clock, Db, Engine, Tx};
use domain::OrgId;
use store::condition::{self, Schema};
use store::{inventory, migrations, organizations, signing_keys};

use super::report::Report;
use super::source::Source;
use crate::commands::backup::manifest::Manifest;
use crate::commands::backup::take::open_copy;
use crate::failure::{Failure, Result};
use crate::progress::Line;

const OTHER_BACKUP: &str = "Use another backup with --from.";

/// Whether the copy has the bytes that the manifest notes.
pub(super) fn file(source: &Source, (size, sha256): &(u64, String), report: &mut Report) -> bool {
    let findings = &mut report.findings;
    let database = source.manifest.as_ref().and_then(|manifest| manifest.database.as_ref());
    let Some(noted) = database else {
        findings.warning(
            "file",
            format!("{size} bytes; no manifest to compare with"),
            "Name the folder of the backup, if it has one.",
        );
        return true;
    };
    let is_same = noted.size == *size && noted.sha256 == *sha256;
    if is_same {
        findings.ok("file", format!("{size} bytes, the SHA-256 matches the manifest"));
    } else {
        let detail = format!(
            "{size} bytes with the SHA-256 {sha256}; the manifest has {} bytes and {}",
            noted.size, noted.sha256
        );
        findings.fault("file", detail, OTHER_BACKUP);
    }
    is_same
}

/// Whether SQLite finds the whole file in order; reads all of it and changes nothing.
pub(super) async fn integrity(file: &Path, clock: &Clock, report: &mut Report) -> bool {
    let looked = async {
        let db = open_copy(file, clock).await?;
        let faults = condition::sqlite_faults_in_full(&mut db.read().await?).await?;
        db.close().await;
        Result::Ok(faults)
    };
    let faults = looked.await.unwrap_or_else(|error: Failure| vec![error.to_string()]);
    tell_integrity(&faults, report)
}

/// Reports what SQLite found.
pub(super) fn tell_integrity(faults: &[String], report: &mut Report) -> bool {
    report.findings.sqlite(faults, "the file and its indexes", OTHER_BACKUP)
}

/// What the schema of a database lacks that this release has.
pub(super) async fn schema(db: &Db) -> Result<Schema> {
    Ok(condition::schema(&mut db.read().await?, migrations::ALL).await?)
}

/// Reports a schema that is up to date, or was migrated.
pub(super) fn tell_schema(schema: &Schema, applied: &[&str], report: &mut Report) {
    let findings = &mut report.findings;
    if !applied.is_empty() {
        let what = applied.join(", ");
        findings.ok("schema", format!("the backup is of an older release; upgraded with {what}"));
    } else if schema.newer.is_empty() {
        findings.ok("schema", "up to date");
    } else {
        let detail = format!("a newer release made {}", schema.newer.join(", "));
        findings.warning("schema", detail, "Serve it with that release, or a newer one.");
    }
}

/// Verifies every journal, in one snapshot, and that none is missing which the manifest notes.
pub(super) async fn journals(db: &Db, manifest: Option<&Manifest>, report: &mut Report) -> Result<()> {
    let mut tx = db.read().await?;
    let names: HashMap<OrgId, String> =
        organizations::list(&mut tx).await?.into_iter().map(|found| (found.id, found.name)).collect();
    let heads = inventory::heads(&mut tx).await?;
    for (organization, _) in &heads {
        let noted = manifest.and_then(|manifest| manifest.expected(*organization));
        let name = match names.get(organization) {
            Some(name) => name.as_str(),
            None if *organization == OrgId::INSTANCE => "(the instance itself)",
            None => "(an organization that does not exist)",
        };
        let found = {
            let mut line = Line::new();
            let mut show = |progress| line.show(progress);
            store::verify::verify_with(&mut tx, *organization, noted.clone(), &mut show).await?
        };
        report.journal(*organization, name, noted.as_ref(), &found);
    }
    let noted = manifest.map(|manifest| manifest.journals.as_slice()).unwrap_or_default();
    for noted in noted {
        if heads.iter().all(|(organization, _)| organization.uuid() != noted.organization) {
            let detail = format!("{} is missing, but the manifest has its journal", noted.organization);
            report.findings.fault("journal", detail, OTHER_BACKUP);
        }
    }
    Ok(())
}

/// Whether this master key opens the signing keys. `place` is where the service will look for it, if there is to be
/// one.
pub(super) async fn keys(
    tx: &mut Tx,
    master: Option<&MasterKey>,
    place: Option<&Path>,
    report: &mut Report,
) -> Result<bool> {
    let stored = signing_keys::list(tx).await?;
    let findings = &mut report.findings;
    let Some(master) = master else {
        match place {
            None => findings.ok("keys", "not checked: name a master key with --master-key"),
            Some(place) => findings.warning(
                "keys",
                format!("the master key is missing; put it at {} before the service starts", place.display()),
                "If it is lost: bailiwick keys rotate --end-tokens, and every client asks for new tokens.",
            ),
        }
        return Ok(true);
    };
    Ok(findings.master_key(&stored, master, "Use the one that was in use when the backup was made."))
}

/// Whether the engine is the one of the manifest, which says little of another database.
pub(super) fn engine(db: &Db, manifest: &Manifest, report: &mut Report) {
    let is_same = match db.engine() {
        Engine::Sqlite => manifest.engine == "sqlite",
        Engine::Postgres => manifest.engine == "postgresql",
    };
    let told = format!("the manifest was written at {} by {}", manifest.taken, manifest.program);
    if is_same {
        report.findings.ok("backup", told);
    } else {
        let detail = format!("{told} for a {} database", manifest.engine);
        report.findings.warning("backup", detail, "Is it the manifest of this database?");
    }
}
