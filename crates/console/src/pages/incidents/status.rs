//! `POST /o/{slug}/incidents/{id}/status`: changes the status, and takes the incident.

use domain::ExpectedVersion;
use web::http::json;
use web::input::incident_changes::read_transition;

use super::show::show_page;
use super::{WRITE, address, number};
use crate::frame::form::{As, Problems};
use crate::frame::page_request::{PageRequest, Result};

/// The members of a transition, as the forms have them.
const MEMBERS: &[(&str, As)] = &[
    ("to", As::Text),
    ("assigned_to", As::TextOrNull),
    ("resolution_reason", As::TextOrNull),
    ("resolution_summary", As::TextOrNull),
    ("reason", As::TextOrNull),
    ("responded_date", As::Time),
];

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let to = address(&request, number);
    let changed = match json::read_value(form.json(MEMBERS, &request.clock), read_transition) {
        Ok(patch) => {
            request
                .write(
                    &form,
                    async move |tx, organization, author| {
                        let expected = ExpectedVersion::Any;
                        store::incidents::update(tx, organization, author, number, &expected, &patch).await
                    },
                    move |_| to.clone(),
                )
                .await
        }
        Err(error) => Err(error),
    };
    match changed {
        Ok(answer) => Ok(request.lead(answer, format!("{number} is changed."), true)),
        Err(error) => {
            let page = show_page(&request, form, Problems::of(error)?).await?;
            request.show_again(&page)
        }
    }
}
