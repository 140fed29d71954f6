//! A file that is read in pages while it is sent, each page with a read of its own.

use std::sync::Arc;

use axum::response::Response;
use db::Db;
use jiff::Timestamp;

use super::{Lines, Source, part};
use crate::http::download;

/// Where the next part of a file begins.
enum Place<P> {
    Start,
    After(P),
    End,
}

/// The response with all records of a source that shows them as of the journal entry `seq`. `at` is the time of the export.
pub(super) fn file<S: Source>(db: Db, seq: i64, source: S, lines: Lines<S::Row>, at: Timestamp) -> Response {
    let name = lines.file_name(S::NAME, seq);
    let content_type = lines.content_type();
    let shared = Arc::new((db, source, lines));
    download::file(&name, content_type, Place::Start, move |place| {
        let shared = Arc::clone(&shared);
        async move {
            let (db, source, lines) = &*shared;
            let after = match place {
                Place::Start => None,
                Place::After(position) => Some(position),
                Place::End => return Ok(None),
            };
            let (bytes, next) = part(&mut db.read().await?, source, lines, after, at).await?;
            Ok(Some((bytes, next.map_or(Place::End, Place::After))))
        }
    })
}
