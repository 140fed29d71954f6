//! `POST /o/{slug}/risks/{id}/evaluations`: a new judgement of a risk; the earlier ones stay.

use super::show::show_page;
use super::{WRITE, number};
use crate::frame::form::As;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;
use domain::evaluation::NewEvaluation;

/// The members of an evaluation, as the form has them.
const MEMBERS: &[(&str, As)] = &[
    ("likelihood", As::Integer),
    ("impact", As::Integer),
    ("evaluated_at", As::Time),
    ("note", As::TextOrNull),
    ("inherent/likelihood", As::Part),
    ("inherent/impact", As::Part),
    ("target/likelihood", As::Part),
    ("target/impact", As::Part),
];

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let (now, to) = (request.clock.now(), request.to(&format!("/risks/{number}")));
    let evaluated = async {
        let new =
            form.read_as(MEMBERS, &request.clock, |body, faults| NewEvaluation::read(body, now, faults))?;
        request
            .write(
                &form,
                async move |tx, organization, author| {
                    store::evaluations::record(tx, organization, author, number, &new).await
                },
                move |_| to.clone(),
            )
            .await
    };
    let evaluated = evaluated.await;
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(evaluated, (texts::evaluated(number), false), again).await
}
