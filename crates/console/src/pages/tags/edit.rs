//! `/o/{slug}/tags/{id}`: the name and the colour of a tag, its merge into another one, and its deletion.

use askama::Template;
use db::Tx;
use domain::json::body;
use domain::tag::{Tag, TagMerge, TagPatch};
use domain::{Author, Error as E, OrgId, ResourceKind, TagId};
use http::Error;

use super::{MEMBERS, READ, WRITE};
use crate::frame::form::{As, Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
use crate::texts;

#[derive(Template)]
#[template(path = "tags/edit.html")]
struct EditPage {
    frame: Layout,
    it: Tag,
    /// The other tags, by name.
    others: Vec<Tag>,
    /// The tag that has the name which was to be given to this one.
    same: Option<Tag>,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/tags/{id}`
pub(super) async fn page(request: PageRequest) -> Result {
    request.require(WRITE)?;
    request.query().finish()?;
    let page = edit_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/tags/{id}`
pub(super) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let id = id(&request)?;
    let sent = request.form().await?;
    let (request, sent) = (&request, &sent);
    let current = || async move { Ok(form_of(&read(request, id).await?)) };
    let write = |form: Form| async move {
        let (to, expected, version) = (request.to("/tags"), form.expected(), form.version());
        let members = form.changed(MEMBERS, &request.clock);
        let patch = form.read_as(&members, &request.clock, body::<TagPatch>)?;
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            store::tags::update(tx, organization, author, id, &expected, &patch).await
        };
        let next = move |it: Tag| Next::after(Some(it.version) != version, to.clone());
        request.write(sent, change, next).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let again = async |problems| edit_page(request, Some(form), problems).await;
    request.answer(changed, (texts::TAG_UPDATED, true), again).await
}

/// `POST /o/{slug}/tags/{id}/merge`
pub(super) async fn merge(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    let into = form.read_as(&[("into", As::Text)], &request.clock, body::<TagMerge>);
    match into {
        Ok(TagMerge { into }) => remove(&request, &form, Some(into)).await,
        Err(error) => {
            let page = edit_page(&request, None, request.problems(error)?).await?;
            request.show_again(&page)
        }
    }
}

/// `POST /o/{slug}/tags/{id}/delete`: also takes it off the records that have it.
pub(super) async fn delete(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    remove(&request, &form, None).await
}

async fn remove(request: &PageRequest, form: &Form, into: Option<TagId>) -> Result {
    request.require(WRITE)?;
    let (id, expected) = (id(request)?, form.expected());
    let ids: Vec<TagId> = [Some(id), into].into_iter().flatten().collect();
    let mut tx = request.read().await?;
    // Also when the form is sent a second time, and the tag is gone.
    let tags = store::tags::get_many(&mut tx, request.id(), &ids).await?;
    let removal = store::tag_removal::begin(&mut tx, request.id(), id, into, true, expected).await?;
    drop(tx);
    let name = |id: TagId| tags.iter().find(|it| it.id == id).map_or("", |it| it.name.as_str());
    let done = match into {
        Some(into) => texts::tag_merged(name(id), name(into)),
        None => texts::tag_deleted(name(id)),
    };
    let (count, to) = (removal.count(), request.to("/tags"));
    let part = async move |tx: &mut Tx, organization: OrgId, author: &Author, done: usize| {
        store::tag_removal::remove(tx, organization, author, &removal, done).await
    };
    let respond = move |_: &[Option<Tag>]| Ok(Next::from(to.clone()).answer());
    let removed = request.write_of(form).run_in_parts(count, part, respond).await;
    if let Err(Error::Domain(E::NotFound(ResourceKind::Tag))) = removed {
        return Ok(request.lead_to("/tags", texts::TAG_IS_GONE));
    }
    let again = async |problems| edit_page(request, None, problems).await;
    request.answer(removed, (done, true), again).await
}

fn id(request: &PageRequest) -> Result<TagId> {
    request.path(0, ResourceKind::Tag, TagId::parse)
}

/// The form as it is shown first: every field, and what it was.
fn form_of(tag: &Tag) -> Form {
    let description = tag.description.as_deref().unwrap_or_default();
    let fields = [("name", &*tag.name), ("color", &*tag.color), ("description", description)];
    Form::with_originals(fields.map(|(name, value)| (name, value.to_owned())), tag.version)
}

async fn read(request: &PageRequest, id: TagId) -> Result<Tag> {
    Ok(store::tags::get(&mut request.read().await?, request.id(), id).await?)
}

async fn edit_page(request: &PageRequest, form: Option<Form>, problems: Problems) -> Result<EditPage> {
    request.require(READ)?;
    let (id, mut tx) = (id(request)?, request.read().await?);
    let it = store::tags::get(&mut tx, request.id(), id).await?;
    let mut others = store::tags::list(&mut tx, request.id(), &[], None, MOST_CHOICES).await?.rows;
    others.retain(|other| other.id != id);
    let form = form.unwrap_or_else(|| form_of(&it));
    let same = match problems.has("name") && form.has("name") {
        true => {
            let names = [form.text("name").to_owned()];
            store::tags::list(&mut tx, request.id(), &names, None, 1).await?.rows.pop()
        }
        false => None,
    };
    let same = same.filter(|same| same.id != id);
    let frame = Layout::of(request, &mut tx, it.name.to_string(), Section::Tags).await?;
    Ok(EditPage { frame, it, others, same, form, problems })
}

impl EditPage {
    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }

    /// The address of this page.
    fn here(&self) -> String {
        format!("{}/tags/{}", self.frame.base, self.it.id)
    }
}
