//! The tasks of an incident: adding one, and what is done to one with one click.

use domain::json;
use domain::task::{NewTask, TaskPatch};
use domain::{ExpectedVersion, IncidentNumber, ResourceKind};

use super::show::show_page;
use super::{WRITE, address, number};
use crate::frame::done::Done;
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

/// The incident and the number of the task in the path.
pub(super) fn task_id(request: &PageRequest) -> Result<(IncidentNumber, i64)> {
    let number_of = |text: &str| text.parse::<i64>().ok();
    Ok((number(request)?, request.path(1, ResourceKind::Task, number_of)?))
}

/// `POST /o/{slug}/incidents/{id}/tasks/{number}`: changes the status of a task, moves it up or down, or deletes it.
pub(crate) async fn act(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let id = task_id(&request)?;
    let form = request.form().await?;
    let to = format!("{}#tasks", address(&request, id.0));
    let (step, is_deleted) = (form.text("move").to_owned(), form.has("delete"));
    let changed = async {
        let patch = form.read_as(&[("status", As::Text)], &request.clock, json::body::<TaskPatch>)?;
        let (expected, version) = (form.expected(), form.version());
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            if is_deleted {
                return store::tasks::delete(tx, organization, author, id, &expected).await.map(|()| true);
            }
            if !step.is_empty() {
                return store::tasks::step(tx, organization, author, id, &expected, step == "up").await;
            }
            let changed = store::tasks::update(tx, organization, author, id, &expected, &patch).await?;
            Ok(Some(changed.task.version) != version)
        };
        request.write(&form, change, move |is_changed| Next::after(is_changed, to.clone())).await
    };
    match changed.await.map_err(gone) {
        Ok(answer) if is_deleted => {
            let undo = format!("/incidents/{}/tasks/{}/restore", id.0, id.1);
            Ok(request.lead_telling(answer, &Done::new(texts::TASK_DELETED).undone_by(&undo)))
        }
        changed => {
            let told = texts::task_changed(form.text("status"), form.text("move"));
            let again = async |problems| show_page(&request, form, problems).await;
            request.answer(changed, (told, false), again).await
        }
    }
}

/// `POST /o/{slug}/incidents/{id}/tasks/{number}/restore`: takes back that it was deleted.
pub(crate) async fn restore(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let id = task_id(&request)?;
    let form = request.form().await?;
    let to = format!("{}#tasks", address(&request, id.0));
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::tasks::restore(tx, organization, author, id, &ExpectedVersion::Any).await.map(drop)
    };
    let restored = request.write(&form, change, move |()| to.clone()).await.map_err(gone);
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(restored, (texts::TASK_RESTORED, false), again).await
}
