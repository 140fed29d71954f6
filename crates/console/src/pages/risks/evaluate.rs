//! `POST /o/{slug}/risks/{id}/evaluations`: a new judgement of a risk; the earlier ones stay.

use web::http::json;
use web::input::evaluations::read_new;

use super::show::show_page;
use super::{WRITE, number};
use crate::frame::form::{As, Problems};
use crate::frame::page_request::{PageRequest, Result};

/// The members of an evaluation, as the form has them.
const MEMBERS: &[(&str, As)] = &[
    ("likelihood", As::Integer),
    ("impact", As::Integer),
    ("evaluated_at", As::Time),
    ("note", As::TextOrNull),
];

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let (now, to) = (request.clock.now(), request.to(&format!("/risks/{number}")));
    let body = form.json(MEMBERS, &request.clock);
    let evaluated = match json::read_value(body, |body, faults| read_new(body, now, faults)) {
        Ok(new) => {
            request
                .write(
                    &form,
                    async move |tx, organization, author| {
                        store::evaluations::record(tx, organization, author, number, &new).await
                    },
                    move |_| to.clone(),
                )
                .await
        }
        Err(error) => Err(error),
    };
    match evaluated {
        Ok(answer) => Ok(request.lead(answer, format!("{number} is evaluated."), false)),
        Err(error) => {
            let page = show_page(&request, form, Problems::of(error)?).await?;
            request.show_again(&page)
        }
    }
}
