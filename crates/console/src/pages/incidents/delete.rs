//! `POST /o/{slug}/incidents/delete`: moves the chosen incidents to the trash.

use domain::Scope;
use domain::bulk::{BulkOperation, ItemOutcome, ItemResult};
use store::incidents::{BulkChange, change_many};
use web::http::write::Transaction;

use super::bulk::{back, count_told, target, told};
use super::trash::chosen;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(&[Scope::IncidentsDelete])?;
    let form = request.form().await?;
    let Some(target) = target(&form, &request)? else {
        return Ok(request.lead_to("/incidents", texts::NOTHING_WAS_CHOSEN));
    };
    let to = back(&request, &form);
    let bulk = BulkChange { target, operation: BulkOperation::Delete, is_atomic: false };
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        change_many(tx, organization, author, &bulk).await
    };
    let respond = move |results: Vec<ItemResult>| {
        let deleted = results.iter().filter(|it| it.outcome == ItemOutcome::Changed).count();
        Ok(told(deleted, to.clone()))
    };
    let answer = request.write_with(&form, Transaction::Own, change, respond).await?;
    let deleted = count_told(&answer);
    let text = match chosen(&form).as_slice() {
        [number] if deleted == 1 => texts::is_in_the_trash(number),
        _ => texts::are_in_the_trash(deleted),
    };
    Ok(request.lead(answer, text, deleted > 0))
}
