//! `POST /o/{slug}/incidents/{id}/delete`: moves an incident to the trash.

use domain::Scope;

use super::number;
use crate::frame::page_request::{PageRequest, Result};

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(&[Scope::IncidentsDelete])?;
    let number = number(&request)?;
    let form = request.form().await?;
    let to = request.to("/incidents");
    let answer = request
        .write(
            &form,
            async move |tx, organization, author| {
                store::incidents::delete_many(tx, organization, author, &[number]).await
            },
            move |_| to.clone(),
        )
        .await?;
    Ok(request.lead(answer, format!("{number} is in the trash."), true))
}
