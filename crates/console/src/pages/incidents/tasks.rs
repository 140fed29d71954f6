//! The tasks of an incident: adding one, and ticking it off.

use domain::ResourceKind;
use domain::json;
use domain::task::{NewTask, TaskPatch};
use store::tasks::TaskDetails;

use super::show::show_page;
use super::{WRITE, address, number};
use crate::frame::form::As;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::gone;
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
        let new = form.read_as(MEMBERS, &request.clock, json::body::<NewTask>)?;
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
    let to = format!("{}#tasks", address(&request, incident));
    let changed = async {
        let patch = form.read_as(&[("status", As::Text)], &request.clock, json::body::<TaskPatch>)?;
        let (expected, version) = (form.expected(), form.version());
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::tasks::update(tx, organization, author, (incident, task), &expected, &patch).await
        };
        let next = move |it: TaskDetails| Next::after(Some(it.task.version) != version, to.clone());
        request.write(&form, change, next).await
    };
    let changed = changed.await.map_err(gone);
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(changed, (texts::TASK_UPDATED, false), again).await
}
