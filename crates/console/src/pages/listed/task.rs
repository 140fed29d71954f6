//! `…/{id}/tasks/{number}/edit`: edits a task.

use askama::Template;
use domain::Line;
use domain::json;
use domain::person::{Member, Person};
use domain::task::{Task, TaskOf, TaskPatch, TaskStatus};
use store::Deleted;

use super::tasks::{Tasked, address, task_id};
use crate::frame::form::{As, Form, MOST_CHOICES};
use crate::frame::layout::Layout;
use crate::frame::news;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
use crate::texts;

/// The members that can be changed here.
const MEMBERS: &[(&str, As)] = &[
    ("title", As::Text),
    ("notes", As::TextOrNull),
    ("owner", As::TextOrNull),
    ("due", As::Time),
    ("mandatory", As::Flag),
    ("status", As::Text),
    ("reason", As::TextOrNull),
];

#[derive(Template)]
#[template(path = "task.html")]
struct TaskPage {
    frame: Layout,
    of: TaskOf,
    /// The title of the record that it is of, its address, and what the list of such records is called.
    title: Line,
    address: String,
    list: (&'static str, &'static str),
    people: Vec<Member>,
    owner: Option<Person>,
    form: Form,
    problems: Problems,
}

/// `GET …/{id}/tasks/{number}/edit`; with `status` that one is chosen.
pub(in crate::pages) async fn page<N: Tasked>(request: PageRequest) -> Result {
    let page = task_page::<N>(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST …/{id}/tasks/{number}/edit`
pub(in crate::pages) async fn submit<N: Tasked>(mut request: PageRequest) -> Result {
    request.require(N::WRITE)?;
    let id = task_id::<N>(&request)?;
    let sent = request.form().await?;
    // A field that is not shown is not sent on.
    let is_reasoned = sent.is("status", TaskStatus::NotDoing.as_str());
    let sent = if is_reasoned { sent } else { sent.without(&["reason"]) };
    let (request, sent) = (&request, &sent);
    let current = || async move {
        let mut tx = request.read().await?;
        let found = store::tasks::get(&mut tx, request.id(), &request.viewer(), id, Deleted::Without).await?;
        Ok(form_of(&found.task, request))
    };
    let write = |form: Form| async move {
        let to = address(request, id.0);
        let (expected, version) = (form.expected(), form.version());
        let members = form.changed(MEMBERS, &request.clock);
        let patch = form.read_as(&members, &request.clock, json::body::<TaskPatch>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            let changed = store::tasks::update(tx, organization, author, id, &expected, &patch).await?;
            Ok(Some(changed.task.version) != version)
        };
        request.write(sent, change, move |is_changed| Next::after(is_changed, to.clone())).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let again = async |problems| task_page::<N>(request, Some(form), problems).await;
    request.answer(changed, (texts::TASK_UPDATED, false), again).await
}

async fn task_page<N: Tasked>(
    request: &PageRequest,
    sent: Option<Form>,
    problems: Problems,
) -> Result<TaskPage> {
    request.require(N::WRITE)?;
    let id = task_id::<N>(request)?;
    let mut tx = request.read().await?;
    let found = store::tasks::get(&mut tx, request.id(), &request.viewer(), id, Deleted::Without).await?;
    let people = store::people::first(&mut tx, request.id(), MOST_CHOICES).await?;
    let frame = Layout::of(request, &mut tx, texts::EDIT_TASK, N::SECTION).await?;
    let form = sent.unwrap_or_else(|| {
        let (form, asked) = (form_of(&found.task, request), request.asked());
        if asked.has("status") { form.with_fields_of(&["status"], &asked) } else { form }
    });
    let problems = match id.0 {
        TaskOf::Incident(number) => news::of_incident(request, &mut tx, number, None, problems).await?,
        TaskOf::Risk(number) => {
            news::of_record(request, &mut tx, ("risk", number.to_string()), None, problems).await?
        }
    };
    let (of, title, address) = (id.0, found.title, address(request, id.0));
    let list = (N::NAME, N::TITLE);
    // An owner who cannot be chosen stays, unless another one is.
    let owner = found.task.owner.filter(|owner| people.iter().all(|it| it.person.id != owner.id));
    Ok(TaskPage { frame, of, title, address, list, people, owner, form, problems })
}

fn form_of(task: &Task, request: &PageRequest) -> Form {
    let owner = task.owner.as_ref().map(|owner| owner.id.to_string());
    let values = [
        ("title", task.title.to_string()),
        ("notes", task.notes.as_deref().unwrap_or_default().to_owned()),
        ("owner", owner.unwrap_or_default()),
        ("mandatory", if task.mandatory { "on" } else { "" }.to_owned()),
        ("status", task.status.as_str().to_owned()),
        ("reason", task.reason.as_deref().unwrap_or_default().to_owned()),
    ];
    Form::with_originals(values, task.version).with_times([("due", task.due)], &request.clock)
}

impl TaskPage {
    fn statuses(&self) -> &'static [TaskStatus] {
        TaskStatus::ALL
    }

    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }
}
