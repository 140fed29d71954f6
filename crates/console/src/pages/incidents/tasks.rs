//! The tasks of an incident: adding one, and ticking it off.

use domain::{ExpectedVersion, ResourceKind};
use web::input::tasks::{read_new, read_patch};

use super::show::show_page;
use super::{WRITE, address, number};
use crate::frame::form::As;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// The members of a new task, as the form has them.
const MEMBERS: &[(&str, As)] =
    &[("title", As::Text), ("owner", As::TextOrNull), ("due", As::Time), ("mandatory", As::Flag)];

/// `POST /o/{slug}/incidents/{id}/tasks`
pub(crate) async fn add(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let to = address(&request, number);
    let added = async {
        let new = form.read_as(MEMBERS, &request.clock, read_new)?;
        request
            .write(
                &form,
                async move |tx, organization, author| {
                    store::tasks::create(tx, organization, author, number, &new).await
                },
                move |_| format!("{to}#tasks"),
            )
            .await
    };
    let added = added.await;
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(added, (texts::TASK_ADDED, false), again).await
}

/// `POST /o/{slug}/incidents/{id}/tasks/{number}`: changes the status of a task.
pub(crate) async fn tick(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let incident = number(&request)?;
    let task = request.path(1, ResourceKind::Task, |text| text.parse::<i64>().ok())?;
    let form = request.form().await?;
    let to = address(&request, incident);
    let patch = form.read_as(&[("status", As::Text)], &request.clock, read_patch)?;
    let answer = request
        .write(
            &form,
            async move |tx, organization, author| {
                let expected = ExpectedVersion::Any;
                store::tasks::update(tx, organization, author, (incident, task), &expected, &patch).await
            },
            move |_| format!("{to}#tasks"),
        )
        .await?;
    Ok(request.lead(answer, texts::TASK_CHANGED, false))
}
