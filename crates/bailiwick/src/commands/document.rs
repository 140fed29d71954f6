//! `bailiwick document import`, and in a file of its own `verify`.

mod verify;

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use db::Tx;
use domain::document::{DocumentWithItems, library};
use domain::json::Pointer;
use domain::{Error, Fault, Faults};
use lists::document_import::{DocumentImport, Draft, Drafts, Given};
use serde::Serialize;

use crate::commands::operator;
use crate::failure::{Failure, Result};
use crate::{cli, output};

pub(crate) async fn run(command: cli::Document, json: bool) -> Result<()> {
    match command {
        cli::Document::Import { which, library, files } => import(&which, library, files, json).await,
        cli::Document::Verify { which, slug, number } => verify::verify(&which, slug, number, json).await,
    }
}

async fn import(
    which: &cli::InOrganization,
    with_library: bool,
    paths: Vec<PathBuf>,
    json: bool,
) -> Result<()> {
    let (files, not_kept): (Vec<_>, Vec<_>) =
        read(&paths)?.into_iter().map(|Draft { new, not_kept }| (new, not_kept)).unzip();
    let mut import = DocumentImport { files, uploads: Vec::new(), library: Vec::new() };
    let (db, organization) = super::open(which).await?;
    if with_library {
        let slugs: Vec<String> = library().iter().map(|policy| policy.slug.clone()).collect();
        let taken = store::documents::existing(&mut db.read().await?, organization, &slugs).await?;
        import.library = library().iter().filter(|policy| !taken.contains(&policy.slug)).cloned().collect();
    }
    let (author, import) = (operator(), import.placed());
    let made = db
        .write(organization, async move |tx: &mut Tx| -> Result<Vec<DocumentWithItems>> {
            store::documents::import(tx, organization, &author, &import)
                .await
                .map_err(|error| of_files(error.0, &paths))
        })
        .await?;
    let mut not_kept = not_kept.into_iter();
    for DocumentWithItems { document, .. } in made {
        let not_kept = not_kept.next().unwrap_or_default();
        if json {
            output::json(&Made { slug: &document.slug, title: &document.title, not_kept })?;
            continue;
        }
        output::line(&format!("{}  {}", document.slug, document.title))?;
        for line in not_kept {
            output::line(&format!("  {line}"))?;
        }
    }
    Ok(())
}

/// A refusal that names the files instead of their places.
fn of_files(error: Error, paths: &[PathBuf]) -> Failure {
    let Error::Invalid(faults) = error else { return error.into() };
    let line = |fault: &Fault| {
        let place = fault.pointer.strip_prefix("#/files/").unwrap_or_default();
        let (number, member) = place.split_once('/').unwrap_or((place, ""));
        let path = number.parse::<usize>().ok().and_then(|number| paths.get(number));
        match path {
            Some(path) => format!("{}: {member}: {}", path.display(), fault.detail),
            None => format!("{}: {}", fault.pointer, fault.detail),
        }
    };
    none_created(faults.iter().map(line).collect())
}

fn none_created(wrong: Vec<String>) -> Failure {
    Failure::new("no document was created").coded("validation_failed").with(wrong)
}

/// Reads the files, or tells what is wrong with each.
fn read(paths: &[PathBuf]) -> Result<Vec<Draft>> {
    let (mut drafts, mut read, mut wrong) = (Drafts::of_operator(), Vec::new(), Vec::new());
    for path in paths {
        let (shown, mut faults) = (path.display(), Faults::new());
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                wrong.push(format!("{shown}: it cannot be read: {error}"));
                continue;
            }
        };
        let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
        match drafts.read(&name, &bytes, Given::default(), Pointer::ROOT, &mut faults) {
            Ok(draft) => read.extend(draft),
            Err(unreadable) => wrong.push(format!("{shown}: {unreadable}")),
        }
        wrong.extend(faults.iter().map(|fault| format!("{shown}: {}: {}", fault.pointer, fault.detail)));
    }
    match wrong.is_empty() {
        true => Ok(read),
        false => Err(none_created(wrong)),
    }
}

#[derive(Serialize)]
struct Made<'m> {
    slug: &'m str,
    title: &'m str,
    /// What was in the file and is not in the document.
    not_kept: Vec<String>,
}
