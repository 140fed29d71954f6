//! A file that is made in one read before it is sent, of records that cannot be read as of an entry because they have no
//! history. There are few of them, and [`MOST_BYTES`] limits the memory that the file takes.

use axum::response::Response;
use db::Tx;
use domain::{Error, ErrorCode, OrgId};
use http::download;
use http::error::Result;
use store::journal;

use super::{Lines, Making, Source, part};

/// The most bytes of such a file: 16 MiB.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// The response with all records of a source, as this read sees them. A larger file is a conflict: `export_too_large`.
pub(super) async fn file<S: Source>(
    tx: &mut Tx,
    organization: OrgId,
    source: &S,
    lines: &Lines<S::Row>,
) -> Result<Response> {
    let seq = journal::head(tx, organization).await?.seq;
    let at = tx.at();
    let (mut file, mut making, mut after) = (Vec::new(), Making::default(), None);
    loop {
        let (bytes, next) = part(tx, source, (lines, &mut making), after, at).await?;
        file.extend(bytes);
        if file.len() > MOST_BYTES {
            return Err(Error::Conflict(ErrorCode::ExportTooLarge).into());
        }
        if next.is_none() {
            return Ok(download::whole(&lines.file_name(S::NAME, seq, at), lines.content_type(), file));
        }
        after = next;
    }
}
