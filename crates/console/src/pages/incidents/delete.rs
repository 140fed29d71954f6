//! `POST /o/{slug}/incidents/delete`: moves the chosen incidents to the trash.

use domain::Scope;

use super::trash::{chosen, counted};
use crate::frame::page_request::{PageRequest, Result};

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(&[Scope::IncidentsDelete])?;
    let form = request.form().await?;
    let (ids, to) = (chosen(&form), request.to("/incidents"));
    if ids.is_empty() {
        return Ok(request.lead_to("/incidents", "Nothing was chosen."));
    }
    let text = match ids.as_slice() {
        [number] => format!("{number} is in the trash."),
        many => format!("{} in the trash.", counted(many.len(), "is", "are")),
    };
    let answer = request
        .write(
            &form,
            async move |tx, organization, author| {
                store::incidents::delete_many(tx, organization, author, &ids).await
            },
            move |_| to.clone(),
        )
        .await?;
    Ok(request.lead(answer, text, true))
}
