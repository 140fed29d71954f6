//! Changing many documents, for the API and the console alike.

use db::Tx;
use domain::{Author, OrgId};
use http::answer::Answer;
use http::error::Result;
use http::write::{Respond, Transaction, Write};
use store::document_bulk::{self, BulkChange, Results};

/// What would become of each document. Nothing is written, and a key is not used up.
pub async fn plan(write: Write, bulk: &BulkChange) -> Result<Results> {
    let mut tx = write.app.db().read().await?;
    let slugs = meant(&write, &mut tx, bulk).await?;
    let results = document_bulk::plan(&mut tx, write.organization, &slugs, bulk).await?;
    write.check_no_version()?;
    Ok(results)
}

/// Changes the documents, and makes the response from what became of each. The descriptions of many are long, so the write has a
/// transaction of its own.
pub async fn change(write: Write, bulk: BulkChange, respond: impl Respond<Results>) -> Result<Answer> {
    if bulk.target.filter().is_some()
        && let Some(answer) = write.stored().await?
    {
        return Ok(answer);
    }
    let mut tx = write.app.db().read().await?;
    let slugs = meant(&write, &mut tx, &bulk).await?;
    drop(tx);
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        document_bulk::apply(tx, organization, author, &slugs, &bulk).await
    };
    write.run(Transaction::Own, change, respond).await
}

async fn meant(write: &Write, tx: &mut Tx, bulk: &BulkChange) -> Result<Vec<String>> {
    let slugs = document_bulk::meant(tx, write.organization, &bulk.target).await?;
    write.look_at(slugs.len());
    Ok(slugs)
}
