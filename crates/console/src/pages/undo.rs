//! `POST /o/{slug}/undo`: takes back what was just done.

use domain::undo::UndoOutcome;
use domain::{Error as E, ResourceKind};
use store::undo::{Search, UndoneRecord, undone_count};
use web::Error;
use web::http::answer::Answer;

use crate::frame::entrance::destination;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    let (id, back) = (form.text("request_id").to_owned(), back(&request, form.text("back")));
    let mut search = Search::new(request.id(), &request.member.actor(), &id);
    let mut tx = request.read().await?;
    while search.advance(&mut tx).await? {}
    drop(tx);
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::undo::undo(tx, organization, author, &search).await
    };
    let to = back.clone();
    let next = move |records: Vec<UndoneRecord>| Next::telling(to.clone(), told(&records));
    match request.write(&form, change, next).await {
        Ok(answer) => Ok(request.lead_on(answer, texts::UNDONE, false)),
        // The page with the button may have been open for long.
        Err(Error::Domain(E::NotFound(ResourceKind::Request))) => {
            Ok(request.lead(Answer::see_other(back), texts::TOO_LATE_TO_UNDO, false))
        }
        Err(error) => Err(error),
    }
}

/// What was undone, and of what was not the first with the reason.
fn told(records: &[UndoneRecord]) -> String {
    let undone = undone_count(records);
    let left = records.iter().find(|it| it.result.outcome != UndoOutcome::Undone);
    let Some(UndoneRecord { id, result, .. }) = left else { return texts::UNDONE.to_owned() };
    let reason = match result.outcome {
        UndoOutcome::Undone | UndoOutcome::AlreadyUndone => texts::IS_AS_BEFORE,
        UndoOutcome::ChangedSince => texts::CHANGED_SINCE,
        UndoOutcome::NoLongerValid | UndoOutcome::NotUndoable => {
            result.reason.as_deref().unwrap_or(texts::CANNOT_BE_UNDONE)
        }
    };
    texts::undone_of(undone, records.len(), id, reason)
}

/// The page to go back to: one of this organization.
fn back(request: &PageRequest, asked: &str) -> String {
    let (base, asked) = (request.to(""), destination(asked));
    let is_ours =
        asked.strip_prefix(&base).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
    if is_ours { asked } else { base }
}
