//! The texts of the library that documents were made from or have taken: what a newer one is compared with.

use db::Tx;
use domain::document::LibraryText;
use domain::{Error, OrgId};
use serde_json::{Value, json};

use crate::ledger::error::Result;
use crate::ledger::journal::Payload;
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::{self, Stored, record};
use crate::ledger::view::View;

/// A text of the library as its table has it.
struct TextRow {
    document: String,
    sha256: String,
    text: String,
}

record! {
    TextRow in "document_library_text" {
        document: Plain => Key,
        sha256: Plain => Key,
        text: Plain => Fixed,
    }
}

/// Keeps a text of the library with a document, unless it is kept already, and adds that to what is journaled of the document.
pub(crate) async fn keep_library_text(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    text: &LibraryText,
    payload: Payload,
) -> Result<Payload> {
    let LibraryText { sha256, text, .. } = text.clone();
    let row = TextRow { document: slug.to_owned(), sha256, text };
    let is_new = record::insert_unless_taken(tx, organization, &row).await?;
    Ok(if is_new { payload.set(&field(&row.sha256), &row.text) } else { payload })
}

/// The text of a policy that a document was made from, or has taken.
pub(crate) async fn library_text(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    sha256: &str,
) -> Result<String> {
    let select = of_document(organization, slug).filter(Filter::is("sha256", sha256.into()));
    let found: Option<Stored<TextRow>> = select.one(tx).await?;
    let missing = || Error::Internal(format!("{slug} has no text {sha256} of the library"));
    let Stored(row) = found.ok_or_else(missing)?;
    Ok(row.text)
}

/// Every text of the library that is kept with a document as the journal has it, by its field.
pub(super) async fn all_journaled(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
) -> Result<Vec<(String, Value)>> {
    let rows: Vec<Stored<TextRow>> = of_document(organization, slug).all(tx).await?;
    Ok(rows.iter().map(|Stored(row)| (field(&row.sha256), json!(row.text))).collect())
}

fn of_document(organization: OrgId, slug: &str) -> Select<'_, TextRow> {
    Select::of(organization, View::with_deleted()).filter(Filter::is("document", slug.into()))
}

/// The field of a document's entry that tells of a text of the library.
fn field(sha256: &str) -> String {
    format!("library_texts/{sha256}")
}
