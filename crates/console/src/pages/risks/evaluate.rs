//! `POST /o/{slug}/risks/{id}/evaluations`: a new judgement of a risk; the earlier ones stay.

use db::Tx;
use domain::evaluation::NewEvaluation;
use domain::{Author, OrgId, RiskNumber};
use http::answer::Answer;

use super::show::show_page;
use super::{WRITE, number};
use crate::frame::form::{As, Form};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

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
    let to = request.to(&format!("/risks/{number}"));
    let evaluated = record(&request, &form, number, move || to.clone()).await;
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(evaluated, (texts::evaluated(number), false), again).await
}

/// Records the evaluation that a form has, and leads to the page that `next` names.
pub(super) async fn record<N: Into<Next>>(
    request: &PageRequest,
    form: &Form,
    number: RiskNumber,
    next: impl Fn() -> N + Send + Sync + 'static,
) -> Result<Answer> {
    let now = request.clock.now();
    let new = form.read_as(MEMBERS, &request.clock, |body, faults| NewEvaluation::read(body, now, faults))?;
    let generation = form.generation();
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        store::scales::require_generation(tx, organization, generation, "#/likelihood").await?;
        store::evaluations::record(tx, organization, author, number, &new).await
    };
    request.write(form, change, move |_| next()).await
}
