//! `/o/{slug}/settings/groups/{id}`: the name of a group, its members, and its deletion.

use askama::Template;
use domain::group::{Group, GroupPatch};
use domain::person::Member;
use domain::{Error as E, GroupId, ResourceKind, Scope, UserId, json};
use http::Error;
use http::page::{List, Page};
use store::people::MemberFilter;
use uuid::Uuid;

use super::{GROUP_MEMBERS, MANAGE_PEOPLE, READ_PEOPLE};
use crate::frame::form::{Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
use crate::texts;

#[derive(Template)]
#[template(path = "settings/one_group.html")]
struct GroupPage {
    frame: Layout,
    it: Group,
    members: Vec<Member>,
    next: Option<String>,
    is_first: bool,
    /// Members of the organization who are not shown as members of the group.
    others: Vec<Member>,
    may_manage: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/settings/groups/{id}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = group_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/settings/groups/{id}`: changes the name or the description.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let id = id(&request)?;
    let sent = request.form().await?;
    let (request, sent) = (&request, &sent);
    let current = || async move {
        let mut tx = request.read().await?;
        Ok(form_of(&store::groups::get(&mut tx, request.id(), id).await?))
    };
    let write = |form: Form| async move {
        let (to, expected, version) = (address(request, id), form.expected(), form.version());
        let members = form.changed(GROUP_MEMBERS, &request.clock);
        let patch = form.read_as(&members, &request.clock, json::body::<GroupPatch>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::groups::update(tx, organization, author, id, &expected, &patch).await
        };
        let next = move |it: Group| Next::after(Some(it.version) != version, to.clone());
        request.write(sent, change, next).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let again = async |problems| group_page(request, Some(form), problems).await;
    request.answer(changed, (texts::GROUP_UPDATED, false), again).await
}

/// `POST /o/{slug}/settings/groups/{id}/members`: adds a member.
pub(crate) async fn add(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let id = id(&request)?;
    let form = request.form().await?;
    let person = UserId::parse(form.text("user")).ok_or(Error::not_found(ResourceKind::User))?;
    let to = address(&request, id);
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::groups::add_member(tx, organization, author, id, person).await
    };
    let added = request.write(&form, change, move |()| to.clone()).await;
    let again = async |problems| group_page(&request, None, problems).await;
    request.answer(added, (texts::GROUP_MEMBER_ADDED, false), again).await
}

/// `POST /o/{slug}/settings/groups/{id}/members/{user}`: removes a member from the group.
pub(crate) async fn remove(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let id = id(&request)?;
    let person = request.path(1, ResourceKind::User, UserId::parse)?;
    let form = request.form().await?;
    let to = address(&request, id);
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::groups::remove_member(tx, organization, author, id, person).await
    };
    match request.write(&form, change, move |()| to.clone()).await {
        Ok(answer) => Ok(request.lead(answer, texts::GROUP_MEMBER_REMOVED, false)),
        Err(Error::Domain(E::NotFound(ResourceKind::User))) => {
            Ok(request.lead_to(&format!("/settings/groups/{id}"), texts::NOT_IN_THE_GROUP))
        }
        Err(error) => Err(error),
    }
}

/// `POST /o/{slug}/settings/groups/{id}/delete`
pub(crate) async fn delete(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let id = id(&request)?;
    let form = request.form().await?;
    let (to, expected) = (request.to("/settings/groups"), form.expected());
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::groups::delete(tx, organization, author, id, &expected).await
    };
    let deleted = request.write(&form, change, move |()| to.clone()).await;
    if let Err(Error::Domain(E::NotFound(ResourceKind::Group))) = deleted {
        return Ok(request.lead_to("/settings/groups", texts::GROUP_IS_GONE));
    }
    let again = async |problems| group_page(&request, None, problems).await;
    request.answer(deleted, (texts::GROUP_DELETED, false), again).await
}

fn id(request: &PageRequest) -> Result<GroupId> {
    request.path(0, ResourceKind::Group, GroupId::parse)
}

fn address(request: &PageRequest, id: GroupId) -> String {
    request.to(&format!("/settings/groups/{id}"))
}

/// The form as it is shown first: every field, and what it was.
fn form_of(it: &Group) -> Form {
    let description = it.description.as_deref().unwrap_or_default();
    let fields = [("name", &*it.name), ("description", description)];
    Form::with_originals(fields.map(|(name, value)| (name, value.to_owned())), it.version)
}

async fn group_page(request: &PageRequest, form: Option<Form>, problems: Problems) -> Result<GroupPage> {
    request.require(READ_PEOPLE)?;
    let (id, organization) = (id(request)?, request.id());
    let mut query = request.query();
    let page = Page::<(String, Uuid)>::read(&request.list_id(), &mut query);
    query.finish()?;
    let is_first = page.after.is_none();
    let after = page.after.clone().map(|(name, id)| (name, UserId(id)));
    let mut tx = request.read().await?;
    let it = store::groups::get(&mut tx, organization, id).await?;
    let form = form.unwrap_or_else(|| form_of(&it));
    let problems = news::of_record(request, &mut tx, ("group", id.to_string()), None, problems).await?;
    let filter = MemberFilter { groups: vec![id], ..MemberFilter::default() };
    let found = store::people::list(&mut tx, organization, &filter, after, page.rows_to_read()).await?;
    let position = |member: &Member| (member.person.name.clone(), member.person.id.uuid());
    let shown = List::of(&request.list_id(), page.cut(found), None, position, |row| row);
    let (members, next, may_manage) = (shown.data, shown.next_cursor, request.may(Scope::UsersAdmin));
    let mut others = match may_manage {
        true => store::people::first(&mut tx, organization, MOST_CHOICES).await?,
        false => Vec::new(),
    };
    others.retain(|other| !members.iter().any(|member| member.person.id == other.person.id));
    let frame = Layout::of(request, &mut tx, it.name.to_string(), Section::Settings).await?;
    Ok(GroupPage { frame, it, members, next, is_first, others, may_manage, form, problems })
}

impl GroupPage {
    /// The address of the page.
    fn address(&self) -> String {
        format!("{}/settings/groups/{}", self.frame.base, self.it.id)
    }

    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }
}
