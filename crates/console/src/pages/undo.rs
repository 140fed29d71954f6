//! `POST /o/{slug}/undo`: takes back what was just done.

use db::Tx;
use domain::undo::{UndoOutcome, UndoResult};
use domain::{Author, Error as E, OrgId, ResourceKind};
use http::Error;
use http::answer::Answer;
use http::error_codes::ParameterCode;
use store::undo::{Search, UndoneRecord};

use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    if form.text("back").contains(char::is_control) {
        // No page of ours sends it, so nothing is done.
        return Err(Error::parameter("back", ParameterCode::Format, "must be the address of a page"));
    }
    let (id, back) = (form.text("request_id").to_owned(), back(&request, form.text("back")));
    let mut search = Search::new(request.id(), &request.member.actor(), &id);
    let mut tx = request.read().await?;
    while search.advance(&mut tx).await? {}
    drop(tx);
    let records = search.records();
    let undo = async move |tx: &mut Tx, organization: OrgId, author: &Author, done: usize| {
        store::undo::undo(tx, organization, author, &search, done).await
    };
    let to = back.clone();
    let respond = move |records: &[UndoneRecord]| {
        let told = summary(&store::undo::told(records)?);
        Ok(Next::telling(to.clone(), told).answer())
    };
    match request.write_of(&form).run_in_parts(records, undo, respond).await {
        Ok(answer) => Ok(request.lead_on(answer, texts::UNDONE, false)),
        // The page with the button may have been open for long.
        Err(Error::Domain(E::NotFound(ResourceKind::Request))) => {
            Ok(request.lead(Answer::see_other(back), texts::TOO_LATE_TO_UNDO, false))
        }
        Err(error) => Err(error),
    }
}

/// What was undone, and of what was not the first with the reason.
fn summary(records: &[(&UndoneRecord, &UndoResult)]) -> String {
    let undone = records.iter().filter(|(_, result)| result.outcome == UndoOutcome::Undone).count();
    let left = records.iter().find(|(_, result)| result.outcome != UndoOutcome::Undone);
    let Some((UndoneRecord { id, .. }, result)) = left else { return texts::UNDONE.to_owned() };
    let reason = match result.outcome {
        UndoOutcome::Undone | UndoOutcome::AlreadyUndone => texts::UNDONE_ALREADY,
        UndoOutcome::ChangedSince => texts::CHANGED_SINCE,
        UndoOutcome::NoLongerValid | UndoOutcome::NotUndoable => {
            result.reason.as_deref().unwrap_or(texts::CANNOT_BE_UNDONE)
        }
    };
    texts::undone_of(undone, records.len(), id, reason)
}

/// The page to go back to: one of this organization.
fn back(request: &PageRequest, asked: &str) -> String {
    let base = request.to("");
    // Browsers read `\` as `/`.
    let rest = asked.strip_prefix(&base).filter(|rest| !rest.contains('\\'));
    let is_ours = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
    if is_ours { asked.to_owned() } else { base }
}
