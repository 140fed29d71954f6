//! `…/{id}/tasks`: the tasks of a record: adding one, and what is done to one with one click.

use db::Tx;
use domain::json;
use domain::task::{NewTask, TaskOf, TaskPatch};
use domain::{ExpectedVersion, ResourceKind};
use store::tasks::TaskDetails;

use super::Noun;
use crate::frame::done::Done;
use crate::frame::form::As;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::gone;
use crate::texts;

/// The members of a new task, as the form has them.
const MEMBERS: &[(&str, As)] =
    &[("title", As::Text), ("owner", As::TextOrNull), ("due", As::Time), ("mandatory", As::Flag)];

/// A kind of record that has tasks.
pub(in crate::pages) trait Tasked: Noun<Number: Into<TaskOf>> {}

impl<N: Noun<Number: Into<TaskOf>>> Tasked for N {}

/// So many tasks are on the page of a record.
const SHOWN: i64 = 50;

/// The tasks on the page of a record.
#[derive(Default)]
pub(in crate::pages) struct Tasks {
    pub(in crate::pages) rows: Vec<TaskDetails>,
    pub(in crate::pages) has_more: bool,
    /// How many the record has.
    pub(in crate::pages) all: i64,
    /// How many of all are done, or will not be.
    pub(in crate::pages) done: i64,
}

impl Tasks {
    /// Those of this record.
    pub(in crate::pages) async fn of(request: &PageRequest, tx: &mut Tx, of: TaskOf) -> Result<Self> {
        let (organization, viewer) = (request.id(), request.viewer());
        let page = store::tasks::list_of(tx, organization, &viewer, of, None, SHOWN).await?;
        let (all, done) = store::tasks::progress_of(tx, organization, of).await?;
        Ok(Self { rows: page.rows, has_more: page.has_more, all, done })
    }
}

/// The record in the path.
pub(super) fn record<N: Tasked>(request: &PageRequest) -> Result<TaskOf> {
    super::number::<N>(request).map(Into::into)
}

/// The address of the tasks on the page of a record.
pub(super) fn address(request: &PageRequest, of: TaskOf) -> String {
    request.to(&format!("/{}#tasks", of.path()))
}

/// `POST …/{id}/tasks`
pub(in crate::pages) async fn add<N: Tasked>(mut request: PageRequest) -> Result {
    request.require(N::WRITE)?;
    let of = record::<N>(&request)?;
    let form = request.form().await?;
    let to = address(&request, of);
    let added = async {
        let new = form.read_as(MEMBERS, &request.clock, json::body::<NewTask>)?;
        request
            .write(
                &form,
                async move |tx, organization, author| {
                    store::tasks::create(tx, organization, author, of, &new).await
                },
                move |_| to.clone(),
            )
            .await
    };
    let added = added.await;
    let again = async |problems| N::show(&request, form, problems).await;
    request.answer(added, (texts::TASK_ADDED, false), again).await
}

/// The record and the number of the task in the path.
pub(super) fn task_id<N: Tasked>(request: &PageRequest) -> Result<(TaskOf, i64)> {
    let number_of = |text: &str| text.parse::<i64>().ok();
    Ok((record::<N>(request)?, request.path(1, ResourceKind::Task, number_of)?))
}

/// `POST …/{id}/tasks/{number}`: changes the status of a task, moves it up or down, or deletes it.
pub(in crate::pages) async fn act<N: Tasked>(mut request: PageRequest) -> Result {
    request.require(N::WRITE)?;
    let id = task_id::<N>(&request)?;
    let form = request.form().await?;
    let to = address(&request, id.0);
    let (step, is_deleted) = (form.text("move").to_owned(), form.has("delete"));
    let changed = async {
        let patch = form.read_as(&[("status", As::Text)], &request.clock, json::body::<TaskPatch>)?;
        let (expected, version) = (form.expected(), form.version());
        let change = async move |tx: &mut Tx, organization, author: &domain::Author| {
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
            let undo = format!("/{}/tasks/{}/restore", id.0.path(), id.1);
            Ok(request.lead_telling(answer, &Done::new(texts::TASK_DELETED).undone_by(&undo)))
        }
        changed => {
            let told = texts::task_changed(form.text("status"), form.text("move"));
            let again = async |problems| N::show(&request, form, problems).await;
            request.answer(changed, (told, false), again).await
        }
    }
}

/// `POST …/{id}/tasks/{number}/restore`: takes back that it was deleted.
pub(in crate::pages) async fn restore<N: Tasked>(mut request: PageRequest) -> Result {
    request.require(N::WRITE)?;
    let id = task_id::<N>(&request)?;
    let form = request.form().await?;
    let to = address(&request, id.0);
    let change = async move |tx: &mut Tx, organization, author: &domain::Author| {
        store::tasks::restore(tx, organization, author, id, &ExpectedVersion::Any).await.map(drop)
    };
    let restored = request.write(&form, change, move |()| to.clone()).await.map_err(gone);
    let again = async |problems| N::show(&request, form, problems).await;
    request.answer(restored, (texts::TASK_RESTORED, false), again).await
}
