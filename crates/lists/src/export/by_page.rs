//! A file that is read in pages while it is sent, each page with a read of its own.

use std::sync::Arc;

use axum::response::Response;
use db::Db;
use domain::Error;
use http::download;
use http::error::Result;
use jiff::Timestamp;
use tokio::task::JoinSet;

use super::{Lines, Making, Source};

/// A page that is being read, until this is dropped.
type Reading<R> = JoinSet<Result<store::Page<R>>>;

/// What of a file comes next.
enum Place<R> {
    Start,
    Page(Reading<R>, Box<Making>),
    End,
}

/// The response with all records of a source that shows them as of the journal entry `seq`. `at` is the time of the export.
///
/// The next page is read while the lines of one are made and sent. No more than that one waits for a receiver that stalls.
pub(super) fn file<S: Source>(db: Db, seq: i64, source: S, lines: Lines<S::Row>, at: Timestamp) -> Response {
    let name = lines.file_name(S::NAME, seq, at);
    let content_type = lines.content_type();
    let source = Arc::new((db, source));
    let lines = Arc::new(lines);
    download::file(&name, content_type, Place::Start, move |place| {
        let (source, lines) = (Arc::clone(&source), Arc::clone(&lines));
        async move {
            let (mut reading, mut making) = match place {
                Place::Start => (read(&source, None), Box::default()),
                Place::Page(reading, making) => (reading, making),
                Place::End => return Ok(None),
            };
            let Some(read_page) = reading.join_next().await else { return Ok(None) };
            let page =
                read_page.map_err(|error| Error::Internal(format!("a page of an export: {error}")))??;
            let last = page.rows.last().map(S::position).filter(|_| page.has_more);
            let next = last.map(|position| read(&source, Some(position)));
            // A spawned task begins on this thread when this one pauses: otherwise the lines would be made first.
            tokio::task::yield_now().await;
            let rows = page.rows.into_iter().filter(|row| source.1.has(row)).collect();
            let part = lines.of(&mut making, (S::NAME, rows), next.is_none(), at)?;
            Ok(Some((part, next.map_or(Place::End, |reading| Place::Page(reading, making)))))
        }
    })
}

/// Reads the page after a position.
fn read<S: Source>(source: &Arc<(Db, S)>, after: Option<S::Position>) -> Reading<S::Row> {
    let source = Arc::clone(source);
    let mut reading = JoinSet::new();
    reading.spawn(async move {
        let (db, source) = &*source;
        let mut tx = db.read().await?;
        Ok(source.page(&mut tx, after).await?)
    });
    reading
}
