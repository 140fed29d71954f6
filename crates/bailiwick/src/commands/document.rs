//! `bailiwick document import`.

use std::fs;
use std::path::PathBuf;

use db::Tx;
use domain::Faults;
use domain::document::{DocumentImport, DocumentWithItems, NewDocument, file, library};
use domain::json::Pointer;
use serde::Serialize;

use crate::commands::operator;
use crate::failure::{Failure, Result};
use crate::{cli, output};

pub(crate) async fn run(command: cli::Document, json: bool) -> Result<()> {
    let cli::Document::Import { which, library: with_library, files } = command;
    let mut import = DocumentImport { files: read(&files)?, library: Vec::new() };
    let (db, organization) = super::open(&which).await?;
    if with_library {
        let slugs: Vec<String> = library().iter().map(|policy| policy.slug.clone()).collect();
        let taken = store::documents::existing(&mut db.read().await?, organization, &slugs).await?;
        import.library = library().iter().filter(|policy| !taken.contains(&policy.slug)).cloned().collect();
    }
    let author = operator();
    let made = db
        .write(organization, async move |tx: &mut Tx| -> Result<Vec<DocumentWithItems>> {
            Ok(store::documents::import(tx, organization, &author, &import).await?)
        })
        .await?;
    for DocumentWithItems { document, .. } in made {
        match json {
            true => output::json(&Made { slug: &document.slug, title: &document.title })?,
            false => output::line(&format!("{}  {}", document.slug, document.title))?,
        }
    }
    Ok(())
}

/// Reads the files, or tells what is wrong with each.
fn read(paths: &[PathBuf]) -> Result<Vec<NewDocument>> {
    let (mut read, mut wrong) = (Vec::new(), Vec::new());
    for path in paths {
        let text = fs::read_to_string(path);
        let path = path.display();
        let text = text.map_err(|error| Failure::new(format_args!("{path} cannot be read: {error}")))?;
        let mut faults = Faults::new();
        read.extend(file::read(&text, Pointer::ROOT, &mut faults));
        wrong.extend(faults.iter().map(|fault| format!("{path}: {}: {}", fault.pointer, fault.detail)));
    }
    match wrong.is_empty() {
        true => Ok(read),
        false => Err(Failure::new("no document was created").coded("validation_failed").with(wrong)),
    }
}

#[derive(Serialize)]
struct Made<'m> {
    slug: &'m str,
    title: &'m str,
}
