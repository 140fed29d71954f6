//! `bailiwick document import`.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use db::Tx;
use domain::Faults;
use domain::document::{DocumentImport, DocumentWithItems, NewDocument, file, library};
use domain::json::{FromJson as _, Json, Pointer};
use domain::organization::suggested_slug;
use render::import::{self, Unreadable};
use serde::Serialize;

use crate::commands::operator;
use crate::failure::{Failure, Result};
use crate::{cli, output};

pub(crate) async fn run(command: cli::Document, json: bool) -> Result<()> {
    let cli::Document::Import { which, library: with_library, files } = command;
    let (files, not_kept): (Vec<_>, Vec<_>) = read(&files)?.into_iter().unzip();
    let mut import = DocumentImport { files, library: Vec::new() };
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

/// A document, and what of its file it does not have.
type Read = (NewDocument, Vec<String>);

/// Reads the files, or tells what is wrong with each.
fn read(paths: &[PathBuf]) -> Result<Vec<Read>> {
    let (mut read, mut wrong) = (Vec::new(), Vec::new());
    for path in paths {
        let bytes = fs::read(path);
        let shown = path.display();
        let bytes = bytes.map_err(|error| Failure::new(format_args!("{shown} cannot be read: {error}")))?;
        let mut faults = Faults::new();
        match document(path, &bytes, &mut faults) {
            Ok(document) => read.extend(document),
            Err(unreadable) => wrong.push(format!("{shown}: {unreadable}")),
        }
        wrong.extend(faults.iter().map(|fault| format!("{shown}: {}: {}", fault.pointer, fault.detail)));
    }
    match wrong.is_empty() {
        true => Ok(read),
        false => Err(Failure::new("no document was created").coded("validation_failed").with(wrong)),
    }
}

/// The document of a file: a policy file, or by the end of its name a Word document, a page or plain text.
fn document(path: &Path, bytes: &[u8], faults: &mut Faults) -> std::result::Result<Option<Read>, Unreadable> {
    let Some(imported) = import::by_name(&path.to_string_lossy(), bytes)? else {
        let read = file::read(&import::decoded(bytes), Pointer::ROOT, faults);
        return Ok(read.map(|new| (new, Vec::new())));
    };
    let name = path.file_stem().map(OsStr::to_string_lossy).unwrap_or_default();
    let title = imported.title.unwrap_or_else(|| name.into_owned());
    let members = [("slug", suggested_slug(&title)), ("title", title), ("template", imported.markdown)];
    let members = members.map(|(name, value)| (Cow::Borrowed(name), Json::String(Cow::Owned(value))));
    let new = NewDocument::from_json(Json::Object(members.into()), Pointer::ROOT, faults);
    let not_kept = imported.not_kept.iter().map(ToString::to_string).collect();
    Ok(new.map(|new| (new, not_kept)))
}

#[derive(Serialize)]
struct Made<'m> {
    slug: &'m str,
    title: &'m str,
    /// What was in the file and is not in the document.
    not_kept: Vec<String>,
}
